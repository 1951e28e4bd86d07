"""Ticks and places, by hand."""

from __future__ import annotations

import pytest

from assay.reports.svg_charts.scales import Bands, Linear, nice, shown, ticks


@pytest.mark.parametrize(
    ("low", "high", "least", "found"),
    [
        (0, 1, 0, [0, 0.25, 0.5, 0.75, 1]),
        (0, 0.62, 0, [0, 0.2, 0.4, 0.6]),
        (0, 100, 1, [0, 25, 50, 75, 100]),
        (0, 7, 1, [0, 2, 4, 6]),
        (-0.5, 0.5, 0, [-0.4, -0.2, 0, 0.2, 0.4]),
        (0.5, 8.5, 1, [2, 4, 6, 8]),
    ],
)
def test_ticks_are_three_to_five_round_numbers(low, high, least, found):
    assert ticks(low, high, least) == pytest.approx(found)


def test_a_logarithmic_scale_has_a_few_round_numbers_too():
    scale = Linear(0.5, 200, 0, 100, log=True)
    assert scale.ticks() == [1, 3, 10, 30, 100]
    assert scale(10) == pytest.approx(50)


def test_ends_move_out_to_round_numbers_and_no_further():
    assert nice(0.0, 1.0) == (0.0, 1.0)
    assert nice(-0.21, 0.33) == (-0.25, 0.35)
    assert nice(3, 3) == (3, 3)


def test_ticks_stay_inside():
    assert ticks(-0.25, 0.35) == [-0.2, 0.0, 0.2]
    assert ticks(1, 2, least=1) == [1.0, 2.0]
    assert ticks(2, 2) == [2]


def test_a_scale_without_extent_puts_everything_in_its_middle():
    assert Linear(1, 1, 0, 100)(1) == 50


def test_bands_leave_what_they_are_told_between_them():
    bands = Bands(("a", "b", "c", "d"), 0, 100, inner=0.5, outer=0.25)
    assert bands.step == 25
    assert bands.width == 12.5
    assert bands.left("a") == 6.25
    assert bands.left("d") + bands.width == 93.75


def test_what_rounds_to_nothing_has_no_sign():
    assert shown(-0.001, "+.2f") == "0"
    assert shown(0.0, ".0%") == "0%"
