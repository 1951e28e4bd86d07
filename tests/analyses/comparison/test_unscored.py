"""What a run was not scored on: counts by hand, and the difference with all of it wrong or right."""

from __future__ import annotations

import json

import pytest

import assay
from assay.analyses.comparison.unscored import RunCoverage, failure_bounds, run_coverage, too_many_unscored


def outcomes(states: str) -> bytes:
    words = {"c": "correct", "w": "incorrect", "f": "failed", "u": "unanswered"}
    return "\n".join(json.dumps({"id": f"q{i}", "outcome": words[state]}) for i, state in enumerate(states)).encode()


def test_counts_and_bounds() -> None:
    """4 right, 2 wrong, 2 declined against 3 right, 1 wrong, 1 declined and 3 failed, of 8."""
    scores = assay.evaluate(
        None, {"old": outcomes("ccccwwuu"), "new": outcomes("cccwufff")}, ["accuracy", "c@1", "AUROC"]
    )
    assert run_coverage(scores, "old") == RunCoverage(8, 0, 0, 2)
    assert run_coverage(scores, "new") == RunCoverage(8, 3, 0, 1)
    assert run_coverage(scores, "new").unscored == 3 / 8
    assert failure_bounds(scores, scores.measure("accuracy"), "new", "old") == pytest.approx(
        (3 / 8 - 4 / 8, 6 / 8 - 4 / 8)
    )
    # c@1: (3 + 1 · 3/8)/8 and (6 + 1 · 6/8)/8 against (4 + 2 · 4/8)/8.
    expected = ((3 + 3 / 8) / 8 - 5 / 8, (6 + 6 / 8) / 8 - 5 / 8)
    assert failure_bounds(scores, scores.measure("c@1"), "new", "old") == pytest.approx(expected)
    assert failure_bounds(scores, scores.measure("c@1"), "old", "old") is None
    assert failure_bounds(scores, scores.measure("AUROC"), "new", "old") is None


def test_a_share_of_exactly_the_maximum_is_allowed() -> None:
    full, names = RunCoverage(60, 0, 0, None), ("new", "old")
    assert too_many_unscored(RunCoverage(60, 2, 1, None), full, names, "question", 0.05) is None
    reason = too_many_unscored(RunCoverage(60, 3, 1, None), full, names, "question", 0.05)
    assert reason == "new failed on 3 and lacks 1 of 60 questions, old none"
    assert too_many_unscored(RunCoverage(60, 9, 0, None), RunCoverage(60, 9, 0, None), names, "question", 0.0) is None
