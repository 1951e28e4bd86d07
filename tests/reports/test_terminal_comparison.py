"""What `assay compare` prints: the finding first, then runs, resolution, pairs with the leader, method."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.reports.results import text
from assay.reports.terminal_comparison import _cannot_be_told_from

NAMES = ["first", "second", "third", "fourth"]


@pytest.fixture(scope="module")
def comparison():
    """Four runs on 30 topics: the first two alike, the others far below."""
    rng = np.random.default_rng(3)
    ease = rng.uniform(0.2, 0.5, (30, 1))
    values = ease + np.array([0.31, 0.305, 0.1, 0.0]) + rng.normal(0, 0.05, (30, 4))
    return assay.compare(assay.scores(values, runs=NAMES, measure="AP", higher_is_better=True))


def test_the_finding_is_the_first_line(comparison):
    lines = text(comparison).splitlines()
    assert lines[0].startswith("first leads by .02 (AP .")
    assert lines[0].endswith("second cannot be told apart from it; both beat the other two. 2 of 4 may be first.")
    assert lines[2].split()[:5] == ["tier", "rank", "run", "AP", "95%"]
    assert [line.split()[0] for line in lines[4:8]] == ["1", "1–2", "2", "3"]
    assert "●" in lines[4]
    assert "●" in lines[5]
    assert "○" in lines[6]


def test_pairs_are_seen_from_the_leader(comparison):
    """A pair is the other run minus the leader; its numbers are those of the result, turned."""
    lines = text(comparison).splitlines()
    [at] = [i for i, line in enumerate(lines) if line.startswith("against first")]
    assert [line.split()[0] for line in lines[at + 2 : at + 5]] == NAMES[1:]
    pair = comparison.pair("first", "fourth")
    shown = f"−{pair.difference:.3f}".replace("0.", ".")
    assert lines[at + 4].split()[1] == shown
    assert f"{pair.lost}, {pair.won}" in lines[at + 4]


def test_which_pairs_are_listed(comparison):
    assert "against first" not in text(comparison, pairs="none")
    every = text(comparison, pairs="all")
    assert [line.split()[:2] for line in every.splitlines() if line.startswith("third ")] == [["third", "fourth"]]
    assert "More: -v" in every


def test_a_narrow_terminal_loses_the_drawing_first_then_the_interval(comparison):
    widest = max(map(len, text(comparison).splitlines()[2:8]))
    for width, drawn, interval in ((widest, True, True), (widest - 1, False, True), (44, False, False)):
        board = text(comparison, width).split("\n\n")[1]
        assert ("●" in board, "95% interval" in board) == (drawn, interval)
        assert max(map(len, board.splitlines())) <= width


def test_more_is_said_on_request(comparison):
    plain, verbose = text(comparison), text(comparison, verbose=True)
    assert "95% intervals of the differences" in verbose
    assert "95% intervals of the differences" not in plain
    assert "first and second cannot be told apart:" in verbose


def test_two_runs(comparison):
    rng = np.random.default_rng(5)
    values = rng.uniform(0.2, 0.5, (30, 1)) + rng.normal(0, 0.05, (30, 2))
    lines = text(assay.compare(assay.scores(values, runs=["a", "b"], measure="AP"))).splitlines()
    assert "cannot be told apart on 30 topics (AP ." in lines[0]
    [seen] = [line for line in lines if line.startswith("Over these 30 topics")]
    assert "would be found 4 times in 5" in seen
    assert any(line.startswith("Topics that moved most, b - a:") for line in lines)
    assert not any("tier" in line for line in lines)


def test_groups_have_a_finding_each_and_one_method():
    right = [["q1", "q2", "q3"], ["q1"]]
    files = {
        f"run{number}": "\n".join(
            f'{{"id": "q{i}", "task": "{"maths" if i % 2 else "law"}", "outcome": "{"correct" if f"q{i % 4}" in share else "incorrect"}"}}'
            for i in range(40)
        ).encode()
        for number, share in enumerate(right)
    }
    groups = assay.compare_by(assay.evaluate(None, files, "accuracy"), "task")
    printed = text(groups)
    assert [line for line in printed.splitlines() if line.startswith(("law", "maths"))] == [
        "law: 20 questions",
        "maths: 20 questions",
    ]
    assert printed.count("run0 beats run1 by") + printed.count("cannot be told apart on") == 2
    assert printed.count("Randomisation,") == 1


def test_a_growing_log_has_its_rule_among_the_method():
    values = np.random.default_rng(1).uniform(0.2, 0.8, (40, 2))
    scores = assay.scores(values, runs=["a", "b"], measure="AP", higher_is_better=True)
    assert "Growing log: topics in the order of" in text(assay.compare(scores, growing=True), verbose=True)
    assert "Growing log" not in text(assay.compare(scores), verbose=True)


def test_the_runs_that_cannot_be_told_from_a_run_are_named(comparison):
    names = _cannot_be_told_from(comparison)
    assert (names["first"], names["second"]) == ("second", "first")
