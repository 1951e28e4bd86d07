"""What a comparison says of what it left out, pooled or could not test."""

from __future__ import annotations

from graded_tasks import BOTH, graded

import assay


def test_the_macro_mean_is_said_and_a_task_alone_is_not():
    macro = assay.compare(graded(BOTH), "accuracy").notes
    assert macro == ["each task weighs the same (macro mean over 2 tasks); `by='task'` compares within each"]
    assert assay.compare(graded(BOTH, ["correct"]), "correct").notes == [
        "questions of 2 tasks pooled, as correct has no macro mean"
    ]
    assert all(not group.comparison.notes for group in assay.compare_by(graded(BOTH), "task").groups)


def test_a_task_that_a_run_lacks_is_left_out_for_all():
    notes = assay.compare(graded(BOTH + ";z a en +++-----"), "accuracy").notes
    assert "z has nothing of b: this task is left out for all runs" in notes


def test_what_is_missing_for_one_is_left_out_for_all_and_counted() -> None:
    scores = assay.scores([[0.1, 0.2], [None, 0.9], [0.3, 0.3], [0.4, None]], undefined="skip", missing="skip")
    assert "2 topics are missing or undefined for some run and left out for all" in assay.compare(scores).notes


def test_failures_are_counted_and_called_a_bias_where_they_differ() -> None:
    rows = ["run,id,outcome"]
    rows += [f"x,q{i},{'correct' if i else 'failed'}" for i in range(8)]
    rows += [f"y,q{i},{'correct' if i % 2 else 'incorrect'}" for i in range(8)]
    notes = assay.compare(assay.evaluate(None, "\n".join(rows).encode(), ["accuracy"])).notes
    assert notes[0] == "1 questions are missing, undefined or failed for some run and left out for all"
    assert notes[1] == (
        "x failed on 1 of 8 questions, y failed on none of 8 questions: the comparison is over 7 questions, and failures "
        "that depend on the question bias it"
    )
