"""What programs and people get of a suite: rows, a board, JSON."""

from __future__ import annotations

from dataclasses import replace

import assay


def graded(runs: dict[str, dict[str, str]]) -> assay.Scores:
    """Runs as {task: outcomes}, + right and - wrong."""
    lines = ["run,id,outcome,task"]
    for run, tasks in runs.items():
        for task, signs in tasks.items():
            lines += [f"{run},{task}{i},{'correct' if s == '+' else 'incorrect'},{task}" for i, s in enumerate(signs)]
    return assay.evaluate(None, ("\n".join(lines) + "\n").encode(), ["accuracy"])


def test_lower_is_better_comes_first_and_is_best():
    """Brier of 0 and of .81."""
    lines = ["run,id,outcome,confidence,task"]
    lines += [
        f"{run},{t}{i},correct,{c},{t}" for run, c in (("poor", 0.1), ("good", 1.0)) for t in "ab" for i in range(3)
    ]
    found = assay.suite(assay.evaluate(None, ("\n".join(lines) + "\n").encode(), ["Brier"]), intervals=False)
    assert [one.run for one in found.runs] == ["good", "poor"]
    assert found.board()[2] == {(0, 2), (0, 3), (0, 4)}


def test_a_program_gets_rows_and_a_board():
    found = assay.suite(
        graded({"x": {"a": "+-", "macro": "++"}, "y": {"a": "++", "macro": "++"}}), "accuracy", intervals=False
    )
    header, rows = found.rows()
    assert header[:6] == ["measure", "run", "of", "task", "questions", "value"]
    assert [row[1:6] for row in rows[:3]] == [
        ["y", "task", "a", 2, 1.0],
        ["y", "task", "macro", 2, 1.0],
        ["y", "macro", None, 4, 1.0],
    ]
    header, rows, _ = found.board()
    assert header == ["measure", "run", "a", "macro (task)", "macro"], "a task called macro is no mean"
    assert rows[1] == ["accuracy", "x", 0.5, 1.0, 0.75]


def test_ends_are_numbers_for_programs_and_a_span_for_people():
    found = assay.suite(graded({"x": {"a": "+-+-", "b": "++--"}, "y": {"a": "++++", "b": "+++-"}}), "accuracy")
    header, rows, _ = found.board(together=False)
    assert header == [
        "measure",
        "run",
        "a",
        "a_low",
        "a_high",
        "b",
        "b_low",
        "b_high",
        "macro",
        "macro_low",
        "macro_high",
    ]
    assert rows[0][9] < rows[0][8] < rows[0][10]
    header, rows, best = found.board()
    assert header[2:4] == ["a", "a 95%"]
    assert rows[0][3].startswith("[0.")
    assert best == {(0, 2), (0, 4), (0, 6)}
    assert found.to_frame("pyarrow").column_names == found.rows()[0]


def test_the_best_is_alone_at_the_top_and_on_the_same_questions():
    two = assay.suite(graded({"x": {"a": "+", "b": "+"}, "y": {"a": "+", "b": "+"}}), intervals=False)
    assert two.best([1.0, 0.5], ["a"]) == 0
    assert two.best([1.0, 1.0], ["a"]) is None
    first, second = two.runs
    fewer = replace(second, tasks={**second.tasks, "a": replace(second.tasks["a"], questions=0)})
    uneven = replace(two, runs=[first, fewer])
    assert uneven.best([1.0, 0.5], ["b"]) == 0
    assert uneven.best([1.0, 0.5], ["a", "b"]) is None
    assert assay.suite(graded({"x": {"a": "+", "b": "+"}}), intervals=False).best([1.0], ["a"]) is None
