"""Ticks and places, by hand."""

from __future__ import annotations

import pytest

from assay.reports.svg_charts.scales import Bands, Linear, nice, shown, step_of, ticks


@pytest.mark.parametrize(
    ("low", "high", "count", "step"), [(0, 1, 5, 0.2), (0, 1, 10, 0.1), (0, 100, 4, 20), (0, 7, 10, 0.5), (0, 3, 1, 2)]
)
def test_steps_are_one_two_or_five_times_a_power_of_ten(low, high, count, step):
    assert step_of(low, high, count) == pytest.approx(step)


def test_ends_move_out_to_round_numbers_and_no_further():
    assert nice(0.0, 1.0) == (0.0, 1.0)
    assert nice(-0.21, 0.33) == (-0.25, 0.35)
    assert nice(3, 3) == (3, 3)


def test_ticks_stay_inside():
    assert ticks(-0.25, 0.35, 5) == [-0.2, -0.1, 0.0, 0.1, 0.2, 0.3]
    assert ticks(1, 2, 10, least=1) == [1.0, 2.0]
    assert ticks(2, 2, 5) == [2]


def test_a_scale_without_extent_puts_everything_in_its_middle():
    assert Linear(1, 1, 0, 100)(1) == 50


def test_bands_leave_what_they_are_told_between_them():
    bands = Bands(("a", "b", "c", "d"), 0, 100, inner=0.5, outer=0.25)
    assert bands.step == 25
    assert bands.width == 12.5
    assert bands.left("a") == 6.25
    assert bands.left("d") + bands.width == 93.75


def test_what_rounds_to_nothing_has_no_sign():
    assert shown(-0.001, "+.2f") == "0.00"
    assert shown(0.0, ".0%") == "0%"
