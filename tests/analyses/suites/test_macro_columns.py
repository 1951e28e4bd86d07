"""Which columns a comparison is made of: macro means of a suite, over the tasks that all runs have."""

from __future__ import annotations

import pytest
from graded_tasks import BOTH, graded

from assay.analyses.suites.macro_columns import has_macro_mean, headline_columns
from assay.errors import InputError


def test_macro_means_of_a_suite_and_pooled_counts() -> None:
    scores = graded(BOTH, ["accuracy", "correct"])
    accuracy, correct = scores.measures
    assert (has_macro_mean(scores, accuracy), has_macro_mean(scores, correct)) == (True, False)
    found = headline_columns(scores, accuracy, scores.runs)
    assert (found.average, [len(rows) for rows in found.tasks]) == ("macro mean over 2 tasks", [8, 4])
    assert dict(zip(found.runs, found.resampler.values().tolist(), strict=True)) == {
        "x": 0.75,
        "y": (1 / 8 + 1 / 2) / 2,
    }
    assert headline_columns(scores, correct, scores.runs).resampler.values().tolist() == [10, 3]


def test_a_task_that_one_run_lacks_does_not_enter() -> None:
    scores = graded(BOTH + ";z a en +++-----;w b de ++++")
    accuracy = scores.measures[0]
    assert headline_columns(scores, accuracy, ["x", "z"]).resampler.values().tolist() == [1.0, 3 / 8]
    assert headline_columns(scores, accuracy, ["x", "y"]).average == "macro mean over 2 tasks"
    with pytest.raises(InputError, match=r"no task has results of all these runs|no question in common"):
        headline_columns(scores, accuracy, ["z", "w"])
