"""Tables on paper: what fits is set as large as it may be, and what is long and narrow stands in columns."""

from __future__ import annotations

from assay.reports import model
from assay.reports.model import BlockRow, Chart, ComparisonBlock, MeasureValues, Note, Section, Span, Table, TableColumn
from assay.reports.pdf_layout import (  # fmt: skip
    NORMAL_PRINT,
    NUMBER_SPACE,
    SMALL_PRINT,
    beside_each_other,
    every_value,
    kept_whole,
    laid_out,
    natural_widths,
    paired,
    row_heights,
    stays_together,
)

ROOM = 481.0


def table(rows, words="run", columns=1, domain=None):
    heads = (TableColumn("Run"), *(TableColumn(f"m{place}", numeric=True, domain=domain) for place in range(columns)))
    ends = (0.1, 0.3) if domain else (None, None)
    cells = tuple((model.text(words), *(model.interval(0.2, *ends) for _ in range(columns))) for _ in range(rows))
    return Table("t", "T", heads, cells)


def test_a_table_is_set_smaller_then_without_drawn_intervals_before_its_words_are_folded():
    usual = laid_out(table(3, columns=2, domain=(0.0, 1.0)), ROOM)
    assert (usual.size, usual.strips) == (NORMAL_PRINT[0], True)
    many = laid_out(table(3, columns=3, domain=(0.0, 1.0)), ROOM)
    assert (many.size, many.strips) == (SMALL_PRINT[0], False)
    long = laid_out(table(3, "a word " * 40, columns=3), ROOM)
    assert abs(sum(long.widths) - ROOM) < 1
    assert long.heights == [None] * 3


def test_headings_are_folded_where_numbers_alone_would_fit():
    heads = (TableColumn("Run"), *(TableColumn(f"answers_given_by_{place}", numeric=True) for place in range(7)))
    cells = tuple((model.text("x"), *(model.count(1) for _ in range(7))) for _ in range(3))
    found = laid_out(Table("t", "T", heads, cells), ROOM)
    assert found.folds
    assert found.head is None
    assert sum(found.widths) <= ROOM


def test_many_numbers_in_a_cell_are_never_folded():
    """DejaVu Sans Mono, in which they are set at 6.6 points, is 0.602 of its size wide."""
    numbers = NUMBER_SPACE + NUMBER_SPACE.join(["capital-of-the-world"] * 4)
    rows = ((model.text("run"), model.text(numbers)), (model.text("a long name of a run " * 5), model.text(numbers)))
    found = laid_out(Table("t", "T", (TableColumn("Run"), TableColumn(numbers)), rows), ROOM)
    assert found.widths[1] > len(numbers) * 6.6 * 0.602 + 2 * found.inset
    assert sum(found.widths) <= ROOM
    assert found.heights[0] is not None
    assert found.heights[1] is None


def test_every_row_stands_in_one_column_and_in_order():
    for count in (1, 15, 16, 33, 80, 129, 400):
        one = table(count)
        parts = beside_each_other(one, laid_out(one, ROOM))
        assert [place for part in parts for column in part for place in column] == list(range(count))
        if count >= 16:
            assert len(parts[0]) > 1
            assert all(len(column) <= 20 for part in parts for column in part)


def test_what_is_wide_or_has_headings_inside_stays_one_table():
    wide = table(60, "a name that takes a good half of the page by itself, or more")
    assert beside_each_other(wide, laid_out(wide, ROOM)) == [[range(60)]]
    headed = Table("t", "T", (TableColumn("a"),), (Span("first"), *(((model.text("x"),),) * 40)))
    assert beside_each_other(headed, laid_out(headed, ROOM)) == [[range(41)]]


def test_a_narrow_table_stands_beside_the_chart_that_follows_it():
    chart = Chart("c", "C", {"usermeta": {}}, "", "")
    row, note = paired([table(5), chart, Note("x")], ROOM)
    assert isinstance(row, BlockRow)
    assert row.blocks[1] is chart
    assert sum(row.weights) == ROOM - 14
    assert isinstance(note, Note)
    assert len(list(paired([table(5), Chart("c", "C", {"usermeta": {"widest": 90}}, "", "")], ROOM))) == 2
    assert len(list(paired([table(40), chart], ROOM))) == 2


def test_a_short_table_and_its_picture_share_a_page():
    chart = Chart("c", "C", {}, "", "")
    assert stays_together(Section("s", "S", (table(4), BlockRow((chart, chart)))))
    assert not stays_together(Section("s", "S", (table(40), chart)))
    assert not stays_together(Section("s", "S", (chart,)))


def test_long_cells_count_as_the_lines_they_take():
    assert kept_whole(table(34))
    assert not kept_whole(table(35))
    assert not kept_whole(table(18, "x" * 61))


def comparison(runs, topics, value):
    columns = tuple(tuple(value(run, topic) for topic in range(topics)) for run in range(len(runs)))
    measure = MeasureValues("AP", tuple(0.5 for _ in runs), columns)
    names = tuple(f"t{topic}" for topic in range(topics))
    return ComparisonBlock("c", "C", tuple(runs), names, (measure,), Chart("x", "", {}, "", ""))


def cells(table):
    heads = table.columns[1].label.split(NUMBER_SPACE)
    return {row[0].text: dict(zip(heads, row[1].text.split(NUMBER_SPACE), strict=True)) for row in table.rows}


def test_each_value_stands_below_its_topic():
    made = every_value(comparison(["b", "A"], 50, lambda run, topic: (run * 50 + topic) / 100))
    found = {}
    for table in made.blocks:
        for run, row in cells(table).items():
            found.update({(run, topic.strip()): value.strip() for topic, value in row.items() if topic})
    assert len(found) == 100
    assert found["b", "t7"] == "0.070"
    assert found["A", "t7"] == "0.570"
    assert [row[0].text for row in made.blocks[0].rows] == ["A", "b"]
    assert [row[0].link for row in made.blocks[0].rows] == ["run-2", "run-1"]


def test_no_table_is_left_with_a_topic_of_its_own():
    """15 topics of 5 letters and a blank stand beside each other in 92: 16 would be 15 and 1, and are 8 and 8."""
    made = every_value(comparison(["a"], 16, lambda run, topic: 0.5))
    assert [len(table.columns[1].label.split(NUMBER_SPACE)) - 1 for table in made.blocks] == [8, 8]


def test_whole_numbers_are_written_as_such():
    made = every_value(comparison(["a"], 3, lambda run, topic: (1.0, -1.0, None)[topic]))
    assert made.blocks[0].rows[0][1].text.split() == ["1", "-1", "n/a"]


def test_more_values_than_anybody_reads_are_left_to_the_page(monkeypatch):
    monkeypatch.setattr("assay.reports.pdf_layout.MAX_PRINTED_VALUES", 39)
    (said,) = every_value(comparison("abcde", 8, lambda run, topic: 0.5)).blocks
    assert said.body == "The values of 5 runs on 8 topics are in the HTML report and in the table of scores."


def test_a_cell_needs_its_insets_to_fit_on_one_line():
    words = table(1, "a name")
    inset = 4.0
    widths = natural_widths(words, 8.0, inset, strips=False, folds=False)
    heights = [
        row_heights(words, [widths[0] - less, widths[1]], sum(widths), 8.0, inset, [*widths]) for less in (0.0, 2.0)
    ]
    assert [height is None for [height] in heights] == [False, True]
