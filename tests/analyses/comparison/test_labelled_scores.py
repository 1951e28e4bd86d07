"""A table under a machine judge joined with people's labels."""

from __future__ import annotations

import numpy as np
import pytest

from assay.analyses.comparison.labelled_scores import read_labelled
from assay.errors import UsageError

OUTCOMES = b"""id,run,sample,outcome
q1,a,1,1
q1,a,2,0
q2,a,1,unanswered
q2,a,2,1
q1,b,1,1
q1,b,2,1
q2,b,1,0
q2,b,2,0
"""


def read(labels: bytes, measure: str = "accuracy", outcomes: bytes = OUTCOMES, **options):
    return read_labelled(
        outcomes,
        measure,
        labels,
        runs=None,
        task=None,
        cluster=options.get("cluster", "auto"),
        settings=options.get("settings", {}),
    )


def test_samples_of_a_question() -> None:
    """q1 of a: one of two right for the machine. Its second sample is labelled right, where the machine says wrong."""
    table = read(b"id,run,sample,human\nq1,a,2,1\nq2,a,1,1\nq2,a,2,0\nq1,b,1,0\nq1,b,2,1\n")
    assert table.judge.tolist() == [[0.5, 1.0], [0.5, 0.0]]
    assert table.answered.tolist() == [[1.0, 1.0], [0.5, 1.0]]
    # q2 of a: the label of the declined sample is needless, and that of the other counts half, as the question is answered half.
    np.testing.assert_array_equal(table.human, [[1.0, 0.5], [0.0, np.nan]])
    np.testing.assert_array_equal(table.checked, [[0.0, 1.0], [0.5, np.nan]])


def test_labels_without_a_sample_are_of_the_question() -> None:
    table = read(b"id,run,human\nq1,a,1\nq1,b,0\n")
    np.testing.assert_array_equal(table.human, [[1.0, 0.0], [np.nan, np.nan]])
    np.testing.assert_array_equal(table.checked, [[0.5, 1.0], [np.nan, np.nan]])


def test_several_people_and_a_label_given_twice() -> None:
    table = read(b"id,run,sample,annotator,human\nq1,a,1,ann,1\nq1,a,1,bob,0\nq1,b,1,ann,0\nq1,b,1,ann,1\n")
    assert table.human[0].tolist() == [0.5, 1.0]
    assert "1 questions are labelled by several people: the mean counts" in table.notes
    assert any("labelled twice by the same person (first question q1, line 5)" in note for note in table.notes)


def test_the_judge_of_a_run_that_people_judged_wholly_does_not_count() -> None:
    table = read(b"id,run,human\nq1,a,1\nq1,b,0\nq2,b,1\n")
    runs, places = table.runs_at([0, 1])
    assert places.tolist() == [0, 1]
    assert runs.checked[:, 1].tolist() == [0.0, 0.0]
    assert runs.checked[0, 0] == 0.5


def test_people_s_table() -> None:
    """Their scores in place of the machine's: correct and incorrect answers are counts of samples."""
    labels = b"id,run,sample,human\n" + b"".join(
        b"q%d,%s,%d,%d\n" % (q, run, s, s == 1) for q in (1, 2) for run in (b"a", b"b") for s in (1, 2)
    )
    people = read(labels).people()
    assert people.value("b", "accuracy").value == 0.5
    assert people.run("b").columns["correct"] == [1, 1]
    assert people.run("a").columns["incorrect"] == [1, 1]


def test_what_cannot_be_joined() -> None:
    with pytest.raises(UsageError, match="expected a mean of verdicts"):
        read(b"id,run,human\nq1,a,1\n", "pass@2")
    with pytest.raises(UsageError, match="no field 'passage' of clusters"):
        read(b"id,run,human\nq1,a,1\n", cluster="passage")
    suite = b"id,run,task,outcome\n" + b"".join(b"q%d,%s,t%d,1\n" % (q, run, q) for q in (1, 2) for run in (b"a", b"b"))
    with pytest.raises(UsageError, match="runs of a suite are compared by macro means"):
        read(b"id,run,human\nq1,a,1\n", outcomes=suite)
