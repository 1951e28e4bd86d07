"""Drawings in letters: the marks stand where the numbers say, and no line is wider than a terminal."""

from __future__ import annotations

import pytest

from assay.reports.letters import LINE, cells_wide, fitted, in_letters
from assay.reports.model import Differences, Plot, Shades, Spans

LONG = "a-run-whose-name-goes-on-for-longer-than-anybody-would-wish-to-read"


def widest(lines):
    return max(map(cells_wide, lines))


def test_intervals_stand_on_one_scale_and_use_the_line_to_its_end():
    spans = Spans(((LONG, 1.0, 0.0, 1.0), ("b", 0.0, None, None)), "AP")
    # 28 of the name, 6 of the number, two blanks after each: 62 columns are left for 0 to 1.
    assert in_letters(spans) == [
        "AP",
        f"{LONG[:27]}…  1.0000  {'━' * 61}●",
        f"b{' ' * 27}  0.0000  ●",
        f"{' ' * 38}0{' ' * 60}1",
    ]
    assert widest(in_letters(spans)) == LINE


def test_wide_characters_take_two_columns_of_a_line():
    rows = (("中文" * 20, 0.5, 0.25, 0.75), (LONG, 0.75, None, None))
    first, second = in_letters(Spans(rows, "AP"))[1:3]
    # 13 characters and the ellipsis are 27 columns; a 14th would be the 29th.
    assert first.startswith(f"{'中文' * 6}中…   0.5000  ━")
    assert second.endswith("●")
    assert cells_wide(second) == LINE
    assert fitted("中文", 3) == "中…"


def test_differences_go_up_and_down_from_zero():
    assert in_letters(Differences((("a", 1.0), ("b", -0.5)), "AP")) == [
        "AP",
        " 1 |███",
        *["   |███"] * 4,
        " 0 +--------",
        # Half of five lines below zero: two whole ones and half a one.
        *["   |    ███"] * 2,
        "   |    ▀▀▀",
        "   |",
        "-1 |",
        "    a to b",
    ]


def test_more_differences_than_columns_are_thinned_and_say_so():
    lines = in_letters(Differences(tuple((str(topic), 1.0) for topic in range(1, 201)), "AP"))
    # 200 over 90 columns: every third, the 1st to the 199th, makes 67.
    assert lines[1] == f" 1 |{'█' * 67}"
    assert lines[6] == f" 0 +{'-' * 67}"
    assert lines[-1].strip() == "1 to 200, every 3. of them"
    assert widest(lines) <= LINE


def test_a_heat_map_of_many_is_cut_into_parts_that_fit():
    many = 30
    rows = tuple(tuple(1.0 if a == b else 0.5 for b in range(many)) for a in range(many))
    lines = in_letters(Shades((LONG,) * many, rows, "tau"))
    # 31 columns for number and name leave room for 9 cells of 7: four parts, each with its own heading.
    assert len(lines) == 1 + 4 * (1 + many) + 1
    assert lines[1].split() == [str(place) for place in range(1, 10)]
    assert lines[1 + 3 * 31].split() == ["28", "29", "30"]
    assert lines[2].endswith("█ 1.00" + " ▒ 0.50" * 8)
    assert lines[-2].endswith(" ▒ 0.50 ▒ 0.50 █ 1.00")
    text = "\n".join(lines)
    assert (text.count("█ 1.00"), text.count("▒ 0.50")) == (many, many * (many - 1))
    assert widest(lines) <= LINE


def test_a_shade_begins_where_its_legend_says():
    # In binary the sum is a little less than the 0.80 it is shown as.
    values = (0.19, 0.2, 0.4, 0.6, 0.1 + 0.7, None, -0.3)
    line = in_letters(Shades(("a",) * 7, (values,) * 7, "tau"))[2]
    assert line == "1 a    0.19 ░ 0.20 ▒ 0.40 ▓ 0.60 █ 0.80    n/a  -0.30"


@pytest.mark.parametrize("empty", [Plot({}, "x", "y"), Spans((), "x"), Shades((), (), "x"), Differences((), "x")])
def test_nothing_is_drawn_of_nothing(empty):
    assert in_letters(empty) == []
