"""What is said of thresholds: the rows that tell where a promise ends."""

from __future__ import annotations

from assay.reports.pages.thresholds import MAX_LISTED_THRESHOLDS, _most_informative
from assay.stats.risk_control import ladder


def test_of_thresholds_with_the_same_answers_the_last_that_is_promised() -> None:
    steps = _most_informative(ladder([1] * 200 + [0] * 50, [0.9] * 200 + [0.3] * 50, 0.1, 0.1))
    assert [(step.threshold, step.answers, step.wrong, step.promised) for step in steps] == [
        (0.31, 200, 0, True),
        (0.3, 250, 50, False),
    ]


def test_where_nothing_is_promised_what_was_tested_at_a_level() -> None:
    steps = _most_informative(ladder([0] * 20, [0.8] * 20, 0.1, 0.1))
    assert [(step.threshold, step.level > 0) for step in steps] == [(0.4, True)]


def test_of_many_those_around_the_end_of_the_promise() -> None:
    correct, confidence = [], []
    for level in range(1, 100):
        correct += [1] * 20 if level > 30 else [0] * 20
        confidence += [level / 100] * 20
    steps = _most_informative(ladder(correct, confidence, 0.1, 0.1))
    assert len(steps) == MAX_LISTED_THRESHOLDS
    ends = [step.threshold for step in steps if step.promised]
    assert 0 < len(ends) < MAX_LISTED_THRESHOLDS
    assert steps[0].threshold > ends[-1] > steps[-1].threshold
