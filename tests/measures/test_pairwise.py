"""Measures of pairwise preferences, by hand."""

from __future__ import annotations

from math import log

import pytest

from assay.formats.answers.battles import Battle
from assay.measures.pairwise import PairView, battles, bradley_terry, davidson, length_controlled_win_rate, win_rate
from assay.measures.registry import find


def test_win_rate_is_the_mean_over_a_questions_battles():
    assert win_rate(PairView([1, 1, 0.5, 0])) == 0.625
    assert win_rate(PairView([])) is None


def test_battles_are_counted():
    assert battles(4, 7) == (7, 1)


def test_bradley_terry_and_davidson_differ_by_what_a_tie_says():
    """6 wins, 2 losses, 4 ties: half a win each makes it 8 to 4; of their own, ties leave it at 6 to 2."""
    fought = [(Battle(str(i), "x", "y", won),) for i, won in enumerate([1] * 6 + [0] * 2 + [0.5] * 4)]
    run = ["x"] * 12
    assert bradley_terry(fought, run) == pytest.approx(log(2) / 2)
    assert davidson(fought, run) == pytest.approx(log(3) / 2)
    assert bradley_terry(fought, ["nobody"]) is None


def test_names_of_the_leaderboards_are_known():
    assert find("length_controlled_winrate", "pairwise") == find("LCWinRate", "pairwise")
    assert find("win_rate", "pairwise") == find("WinRate", "pairwise")
    assert find("BT(scale=elo)", "pairwise").parameters == {"scale": "elo"}


def test_a_system_that_wins_by_length_wins_less_at_equal_length():
    won = [(1,)] * 30 + [(0,)] * 10 + [(1,)] * 5 + [(0,)] * 15
    longer = [(500,)] * 40 + [(-100,)] * 20
    at_equal = length_controlled_win_rate(won, longer, [0.0] * 60)
    assert 0.25 < at_equal < 35 / 60
    assert length_controlled_win_rate(won, [*longer[:-1], (None,)], [0.0] * 60) is None
