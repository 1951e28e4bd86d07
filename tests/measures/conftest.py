"""What the tests of several measures share."""

from __future__ import annotations

import pytest

from assay.measures.registry import find


@pytest.fixture(scope="session")
def whole():
    """whole(name, answers): a measure of a whole run of (correct, confidence) pairs, and of some unanswered questions."""
    return _whole


def _whole(name: str, answers, unanswered: int = 0):
    measure = find(name, "outcomes")
    n = len(answers) + unanswered
    columns = {
        "correct": [c for c, _ in answers] + [0] * unanswered,
        "answered": [1] * len(answers) + [0] * unanswered,
        "confidence": [p for _, p in answers] + [None] * unanswered,
        "position": list(range(n)),
        "answer_correct": [c for c, _ in answers] + [()] * unanswered,
        "answer_confidence": [p for _, p in answers] + [()] * unanswered,
    }
    return measure(*(columns[name] for name in measure.of))
