"""Drawings in letters: the marks stand where the numbers say, and no line is wider than a terminal."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.reports.terminal_charts import Bars, Differences, Intervals, Plot, Shades
from assay.reports.terminal_width import DEFAULT_WIDTH, cells_wide

LONG = "a-run-whose-name-goes-on-for-longer-than-anybody-would-wish-to-read"


def widest(lines):
    return max(map(cells_wide, lines))


def test_intervals_stand_on_one_scale_and_use_the_line_to_its_end():
    spans = Intervals(((LONG, 1.0, 0.0, 1.0), ("b", 0.0, None, None)), "AP")
    # 28 of the name, 6 of the number, two blanks after each: 62 columns are left for 0 to 1.
    assert spans.lines() == [
        "AP",
        # 14 letters before the ellipsis and 13 behind it.
        f"a-run-whose-na…-wish-to-read  1.0000  {'━' * 61}●",
        f"b{' ' * 27}  0.0000  ●",
        f"{' ' * 38}0{' ' * 60}1",
    ]
    assert widest(spans.lines()) == DEFAULT_WIDTH


def test_wide_characters_take_two_columns_of_a_line():
    rows = (("中文" * 20, 0.5, 0.25, 0.75), (LONG, 0.75, None, None))
    first, second = Intervals(rows, "AP").lines()[1:3]
    # 7 characters, the ellipsis and 6 characters are 27 columns; another would take two more.
    assert first.startswith(f"{'中文' * 3}中…{'中文' * 3}   0.5000  ━")
    assert second.endswith("●")
    assert cells_wide(second) == DEFAULT_WIDTH


def test_differences_go_up_and_down_from_zero():
    assert Differences((("a", 1.0), ("b", -0.5)), "AP").lines() == [
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
    lines = Differences(tuple((str(topic), 1.0) for topic in range(1, 201)), "AP").lines()
    # 200 over 96 columns: every third, the 1st to the 199th, makes 67.
    assert lines[1] == f" 1 |{'█' * 67}"
    assert lines[6] == f" 0 +{'-' * 67}"
    assert lines[-1].strip() == "1 to 200, every 3. of them"
    assert widest(lines) <= DEFAULT_WIDTH


def test_a_heat_map_of_many_is_cut_into_parts_that_fit():
    many = 30
    rows = tuple(tuple(1.0 if a == b else 0.5 for b in range(many)) for a in range(many))
    lines = Shades(tuple(f"{LONG}{place}" for place in range(many)), rows, "tau").lines()
    # 31 columns for number and name leave room for 9 cells of 7: four parts, each with its own heading.
    assert len(lines) == 1 + 4 * (1 + many) + 1
    assert lines[1].split() == [str(place) for place in range(1, 10)]
    assert lines[1 + 3 * 31].split() == ["28", "29", "30"]
    assert lines[2].endswith("█ 1.00" + " ▒ 0.50" * 8)
    assert lines[-2].endswith(" ▒ 0.50 ▒ 0.50 █ 1.00")
    text = "\n".join(lines)
    assert (text.count("█ 1.00"), text.count("▒ 0.50")) == (many, many * (many - 1))
    assert widest(lines) <= DEFAULT_WIDTH


def test_a_shade_begins_where_its_legend_says():
    # In binary the sum is a little less than the 0.80 it is shown as.
    values = (0.19, 0.2, 0.4, 0.6, 0.1 + 0.7, None, -0.3)
    line = Shades(("a",) * 7, (values,) * 7, "tau").lines()[2]
    assert line == "1 a    0.19 ░ 0.20 ▒ 0.40 ▓ 0.60 █ 0.80    n/a  -0.30"


@pytest.mark.parametrize("empty", [Plot({}, "x", "y"), Intervals((), "x"), Shades((), (), "x"), Differences((), "x")])
def test_nothing_is_drawn_of_nothing(empty):
    assert empty.lines() == []


WORDS = st.text(st.characters(codec="utf-8"), max_size=150) | st.sampled_from([LONG, "中文" * 30, "\x1b[31m" * 20, ""])
NUMBERS = st.floats(-1e12, 1e12) | st.sampled_from([0.0, 1e-9, -1e-5, 123456.789])
NAMES = st.lists(WORDS, min_size=1, max_size=8)


DRAWINGS = st.one_of(
    st.builds(
        Plot,
        st.dictionaries(WORDS, st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=5), min_size=1, max_size=14),
        WORDS, WORDS, st.none() | NUMBERS, st.booleans(),
    ),
    st.builds(Bars, st.lists(st.tuples(WORDS, WORDS, st.floats(0, 1e12)), min_size=1, max_size=6).map(tuple), WORDS),
    st.builds(
        Intervals,
        st.lists(st.tuples(WORDS, NUMBERS, st.none() | NUMBERS, st.none() | NUMBERS), min_size=1, max_size=6).map(tuple),
        WORDS, st.integers(0, 6),
    ),
    NAMES.map(lambda names: Shades(tuple(names), tuple(tuple(0.5 for _ in names) for _ in names), names[0])),
    st.builds(Differences, st.lists(st.tuples(WORDS, NUMBERS), min_size=1, max_size=250).map(tuple), WORDS),
)  # fmt: skip


@given(DRAWINGS, st.integers(60, 132))
@example(Plot({LONG: [(0, 0), (1, 1)]}, LONG * 3, LONG * 3), 60)
@example(Bars((("x" * 28, "y" * 28, 1234567.0),), LONG * 2), 100)
@example(Differences(tuple((LONG, -0.0000123) for _ in range(200)), "AP"), 100)
@example(Intervals((("a", 1e300, None, None),), "AP"), 60)
def test_no_line_of_a_drawing_is_wider_than_it_is_told(drawing, width):
    lines = drawing.lines(width)
    assert lines
    assert widest(lines) <= width
    assert all(line.isprintable() for line in lines)


@given(st.text("ab-", min_size=30, max_size=60), st.text("cd-", min_size=30, max_size=60), st.integers(60, 100))
def test_names_that_begin_alike_stay_apart(same, ends, width):
    names = [f"{same}{ends}{last}" for last in ("one", "two", "three")]
    for drawing in (
        Intervals(tuple((name, 0.5, None, None) for name in names), "AP"),
        Bars(tuple((name, "all", 1.0) for name in names), "questions"),
        Shades(tuple(names), ((1.0,) * 3,) * 3, "tau"),
    ):
        told = [line for line in drawing.lines(width) if "…" in line]
        assert [last for last in ("one", "two", "three") for line in told if f"{last} " in line] == [
            "one",
            "two",
            "three",
        ]


def test_a_title_that_finds_no_room_between_the_ends_of_its_axis_stands_below():
    lines = Plot({"one": [(0, 0), (1, 1)]}, "how much of everything there is was found in the end " * 2, "y").lines()
    assert lines[16].split() == ["0", "1"]
    assert (
        " ".join(" ".join(lines[17:19]).split())
        == ("how much of everything there is was found in the end " * 2).strip()
    )


def test_a_matrix_has_as_many_columns_a_part_as_fit() -> None:
    """A row's number and name take 4 cells of 19, and two columns 14."""
    lines = Shades(("a", "b"), ((0.1, 0.9), (0.5, 0.3)), "t").lines(19)
    assert [line.split() for line in lines].count(["1", "2"]) == 1
