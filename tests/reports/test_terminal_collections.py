"""What `assay items` and `assay pool` print below their first lines."""

from __future__ import annotations

import numpy as np

import assay
from assay.reports import results
from assay.scoring.score_files import scores


def items(values, **choices) -> assay.Items:
    return assay.items(scores(np.asarray(values).tolist(), measure="accuracy"), **choices)


STEPS = np.array([[float(run > item % 9) for run in range(10)] for item in range(30)])


def test_items_have_the_suspicious_or_the_hardest():
    clean, planted = items(STEPS), items(np.vstack([STEPS, 1 - STEPS[4:5]]))
    assert "Hardest that some run gets" in results.text(clean)
    assert "Negative discrimination" not in results.text(clean)
    shown = results.text(planted)
    assert "Negative discrimination" in shown
    assert "Hardest" not in shown
    assert "Hardest" in results.text(planted, verbose=True)
    assert results.text(planted, verbose=True).count("Negative discrimination") == 1


def test_what_options_asked_for_is_printed():
    draw = np.random.default_rng(2)
    values = (draw.random((40, 20)) < np.linspace(0.2, 0.8, 20)).astype(float)
    shown = results.text(items(values, keep=5, irt="1pl"))
    assert "A short test of 5 topics" in shown
    assert "1PL: a curve for every topic" in shown


def test_a_pool_has_a_row_per_topic():
    lines = results.text(
        assay.pool({"r": {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}}, exclude={"q1": {"a": 0}})
    ).splitlines()
    assert lines[0] == "Judge 2 documents: 1 for each of 2 topics, from 1 run."
    assert [line.split() for line in lines[4:6]] == [["q1", "2", "1", "1"], ["q2", "1", "0", "1"]]
    assert lines[-1] == "The pool: the first 100 documents of 1 run."


def test_teams_first_and_runs_with_verbose():
    runs = {"one": {"q1": {"a": 3, "b": 2}}, "two": {"q1": {"b": 2, "a": 1}}}
    result = assay.left_out({"q1": {"a": 1, "b": 1}}, runs, "AP", depth=1)
    brief, whole = results.text(result), results.text(result, verbose=True)
    assert brief.splitlines()[0] == result.finding
    assert brief.splitlines()[2].split()[:2] == ["Team", "Runs"]
    assert "Every run without its own team" not in brief
    assert "Every run without its own team" in whole
    assert whole.count("Deepest fall") == 1
