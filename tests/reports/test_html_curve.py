"""The curve of many runs, on boards made by hand."""

from __future__ import annotations

import re

import pytest

from assay.reports.html_curve import curve_html
from assay.reports.model import Board, BoardRow


def board(values, tiers=(), **fields) -> Board:
    rows = tuple(
        BoardRow(f"r{i}", None, value, value - 0.1, value + 0.1, str(i + 1), tiers[i] if tiers else "", i < 2)
        for i, value in enumerate(values)
    )
    return Board("b", "AP", "higher is better", rows, (0.0, 0.5), 3, "95% interval", ranked=True, **fields)


def test_runs_stand_in_the_middle_of_equal_parts_and_their_values_on_the_scale():
    """Four runs: at 12.5%, 37.5%, 62.5%, 87.5%. The scale ends at .9 and 12% above: 1.0 of 1.008 units is 248 px high."""
    html = curve_html(board((0.8, 0.6, 0.4, 0.2)))
    points = re.findall(r'<circle class="mark (\w+)" cx="([\d.]+)%" cy="([\d.]+)"', html)
    assert [(group, float(x)) for group, x, _ in points] == [
        ("lead", 12.5), ("lead", 37.5), ("rest", 62.5), ("rest", 87.5),
    ]  # fmt: skip
    assert [float(y) for _, _, y in points] == pytest.approx(
        [14 + 248 * (1 - value / 1.008) for value in (0.8, 0.6, 0.4, 0.2)], abs=0.06
    )
    assert "median run .50" in html
    assert "r0 .800" in html


def test_tiers_are_bands_as_wide_as_their_runs():
    html = curve_html(board((0.8, 0.7, 0.6, 0.3), tiers="1122"))
    assert re.findall(r'<rect class="band (\w+)" x="([\d.]+)%" width="([\d.]+)%"', html) == [("top", "0.00", "50.00")]
    assert "Tier 1: 2 runs" in html
    assert "Tier 2: 2 runs" in html


def test_the_last_place_is_marked_and_none_too_near_to_it():
    html = curve_html(board([0.5] * 52))
    assert re.findall(r">(\d+(?:st|nd|rd|th))<", html) == ["1st", "10th", "25th", "52nd"]
