"""One run of a score table: what its numbers are made from."""

from __future__ import annotations

import pickle

import pytest

from assay.measures.registry import find
from assay.table.notes import Notes
from assay.table.run_scores import RunScores

ACCURACY, CORRECT = (find(name, "outcomes") for name in ("accuracy", "correct"))


@pytest.fixture
def run() -> RunScores:
    """Three questions: right in 1 of 2 samples, in 3 of 3, and one on which every sample failed."""
    columns = {"correct": [1, 3, 0], "correct[]": [(1, 0), (1, 1, 1), ()]}
    return RunScores("r", "r.log", columns, [False] * 3, Notes(judging="by hand", failed=2), samples=[2, 3, 0])


def test_each_question_weighs_the_same(run) -> None:
    assert run.sums(ACCURACY, [0, 1]) == (12, [3 + 6])


def test_counts_are_sums_of_samples_as_they_are(run) -> None:
    assert run.sums(CORRECT, [0, 1]) == (2, [4])


def test_one_sample_each_is_a_plain_sum() -> None:
    plain = RunScores("r", None, {"correct": b"\1\0\1"}, [False] * 3)
    assert plain.sums(ACCURACY, range(3)) == (3, [2])
    assert plain.sums(ACCURACY, [1, 2]) == (2, [1])


def test_what_a_whole_run_is_made_from_has_an_entry_per_sample(run) -> None:
    of_correct = type("M", (), {"of": ("correct",)})
    assert run.ingredients(of_correct, [0, 1]) == [[1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1]], (
        "two samples three times each, three twice"
    )


def test_some_of_its_topics(run) -> None:
    some = run.at([2, 0])
    assert (some.columns["correct"], some.samples, some.missing) == ([0, 1], [0, 2], [False, False])
    assert (some.notes.judging, some.notes.failed) == ("by hand", None), "what was noted of other topics stays behind"


def test_a_topic_nobody_asked_about_is_not_counted_as_missing() -> None:
    columns = {"correct": [1, 0, 0]}
    assert RunScores("r", None, columns, [False, True, True], samples=[1, 1, 0]).gone == 1


def test_it_travels_with_its_numbers(run) -> None:
    other = pickle.loads(pickle.dumps(run))
    assert (other.name, dict(other.columns), other.samples) == (run.name, dict(run.columns), run.samples)


def test_the_same_but_for_a_change(run) -> None:
    other = run.but(name="s")
    assert (other.name, other.samples, run.name) == ("s", run.samples, "r")
    assert run.repeated
