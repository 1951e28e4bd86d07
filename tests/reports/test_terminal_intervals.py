"""Intervals drawn in a table's column."""

from __future__ import annotations

import pytest

from assay.reports.terminal_intervals import WIDTH, interval_strips, round_ticks


def test_marks_lie_on_the_scale():
    """From 0 to 1 over 26 characters, 25 steps: .2 is at 5, .4 at 10, .5 at 12, .6 at 15, .8 at 20."""
    drawn = interval_strips([(0.6, 0.4, 0.8), (0.2, 0.0, 1.0)], [True, False])
    assert drawn.scale == "0           .5           1"
    assert drawn.strips[0] == " " * 10 + "─────●─────"
    assert drawn.strips[1] == "─────○" + "─" * 20
    assert all(len(strip) <= WIDTH for strip in [drawn.scale, *drawn.strips])


def test_a_run_without_a_value_has_an_empty_strip():
    drawn = interval_strips([(0.6, 0.4, 0.8), (0.2, 0.1, 0.3), (None, None, None)], [False] * 3)
    assert drawn.strips[2] == ""


def test_nothing_is_drawn_of_one_interval_or_of_equal_ones():
    assert interval_strips([(0.6, 0.4, 0.8)], [False]) is None
    assert interval_strips([(0.5, 0.5, 0.5), (0.5, 0.5, 0.5)], [False] * 2) is None
    assert interval_strips([], []) is None


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.01, 0.99, [0.0, 0.2, 0.4, 0.6, 0.8]), (0.93, 0.97, [0.0, 0.2, 0.4, 0.6, 0.8]), (-80.0, -2.7, [-80.0, -60.0, -40.0, -20.0]),
        (3.2, 4.9, [0.0, 1.0, 2.0, 3.0, 4.0]), (0.00011, 0.00049, [0.0, 0.0001, 0.0002, 0.0003, 0.0004]),
        (0.6, 0.7, [0.0, 0.2, 0.4, 0.6]), (0.9, 2.0, [0.0, 0.5, 1.0, 1.5, 2.0]),
    ],
)  # fmt: skip
def test_ticks_are_few_and_round(low, high, ticks):
    assert round_ticks(low, high) == pytest.approx(ticks)
    assert 3 <= len(ticks) <= 5
