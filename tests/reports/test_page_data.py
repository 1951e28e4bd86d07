"""The page's data, written small: every value comes back as it was."""

from __future__ import annotations

import json
import re

import pytest
from report_tables import inflated

from assay.figures.items.model import ReturnedItem, TopicItems
from assay.reports import model, page_data, sites
from assay.reports.model import (
    BlockRow,
    Chart,
    ComparisonBlock,
    Note,
    Panels,
    RunPage,
    Section,
    Span,
    Table,
    TableColumn,
    interval,
    number,
)
from assay.reports.page_data import PageData, columns, page_sheet, rounded, section_sheet, table_sheet, topic_sheet


def stored(page):
    return json.loads(re.search(r'id="report-data">(.*?)</script>', page, re.DOTALL)[1])


def test_columns_come_back_as_rows():
    rows = [{"a": 1, "b": "x", "c": 2.5}, {"a": 2, "b": "x", "c": None}, {"a": 3, "b": "x", "c": 1.0}]
    count, packed = page_data.columns(rows)
    assert (count, packed) == (3, {"a": "count", "b": {"all": "x"}, "c": [2.5, None, 1.0]})


def test_equal_looking_values_of_different_kinds_are_not_merged():
    assert page_data.columns([{"a": 1}, {"a": True}, {"a": 1.0}])[1] == {"a": [1, True, 1.0]}


def test_a_thousand_charts_of_one_kind_share_a_specification(make_report):
    page = sites.to_html(make_report(24, 30))
    assert len(stored(page)["specs"]) < 12
    waiting = json.loads(re.search(r'id="report-pages">(.*?)</script>', page, re.DOTALL)[1])
    blocks = [
        block
        for address, text in waiting.items()
        if address.startswith("run/")
        for section in inflated(text)["sections"]
        for block in section["blocks"]
    ]
    assert sum(len(block["charts"]) for block in blocks if block["kind"] == "panels") == 24 * 30


HOSTILE = "</script><b>&amp;"


NUMBERS = TableColumn("v", numeric=True)


def packed(cell, column=NUMBERS, addresses=None):
    (row,) = table_sheet(Table("t", "T", (column,), ((cell,),)), PageData(addresses))["rows"]
    return row[0]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (model.number(0.23294), ["0.2329", {"c": "n", "v": 0.23294}]),
        (model.number(-0.05, signed=True), ["-0.0500", {"c": "n down", "v": -0.05}]),
        (model.number(0.00001, signed=True), ["0.0000", {"c": "n", "v": 0.00001}]),
        (model.number(None, hint="no topics"), ["n/a", {"c": "n missing", "hint": "no topics"}]),
        (model.count(50000), ["50000", {"c": "n"}]),
        (model.percent(0.309), ["30.9%", {"c": "n", "v": 0.309}]),
        (model.share(152, 492), ["152 (30.9%)", {"c": "n", "v": 152}]),
    ],
)
def test_a_packed_cell_says_what_its_text_says(cell, expected):
    assert packed(cell) == expected
    assert packed(cell)[0] == cell.text


def test_words_are_packed_as_they_are_because_the_script_sets_texts():
    words = TableColumn("Run")
    assert packed(model.text(HOSTILE), words) == HOSTILE
    linked = packed(model.text("bm25", link="run-1", tag="manual"), words, {"run-1": "run/bm25"})
    assert linked == ["bm25", {"tag": "manual", "to": "run/bm25"}]
    assert packed(model.text("bm25", link="javascript:alert(1)"), words) == "bm25"


def test_an_interval_brings_its_ends_and_where_to_draw_them():
    # 140 pixels for 0 to 1, after 4 of margin.
    cell, column = model.interval(0.5, 0.25, 0.75), TableColumn("AP", numeric=True, domain=(0.0, 1.0))
    ends = [0.25, 0.75, "[0.2500, 0.7500]", ("39.0", "74.0", "109.0")]
    assert packed(cell, column) == ["0.5000", {"c": "n", "v": 0.5, "ends": ends}]
    assert packed(cell)[1]["ends"][-1] is None


def test_a_page_has_its_standing_first_and_knows_its_neighbours():
    page = RunPage(
        "p2", HOSTILE, (Section("s", "S", ()),), (("Type", "manual"),), (Section("w", "W", ()),), "p1", "gone"
    )
    sheet = page_sheet(page, PageData({"p1": "run/best"}))
    assert [section["id"] for section in sheet["sections"]] == ["w", "s"]
    assert (sheet["previous"], sheet["next"], sheet["title"]) == ("run/best", None, HOSTILE)


def test_a_section_packs_its_blocks_and_leaves_out_what_stands_elsewhere():
    how = "Ties are broken by document."
    rows = [{"x": 1, "y": 0.5}, {"x": 2, "y": 0.25}]
    chart = Chart("c", "C", {"height": 100, "datasets": {"points": rows}}, f"Seen. {how}", "Two points.")
    table = Table("t", "T", (TableColumn("Run"),), (Span("Manual"), (model.text("a"),)), show_header=False)
    blocks = (
        BlockRow((chart, table)),
        Panels("p", "P", "Topic", (), ()),
        ComparisonBlock("k", "K", ("a", "b"), ("1",), (), chart),
        Note("Mind.", "warning"),
    )
    sheet = section_sheet(Section("s", "S", blocks), PageData(how=how))
    row, note = sheet["blocks"]
    drawn, listed = row["blocks"]
    # Two values that count are written as the rule, and 50 pixels are for axis and legend.
    assert drawn["drawn"] == [0, "Two points.", {"points": [2, {"x": "count", "y": [0.5, 0.25]}]}, ""]
    assert (drawn["height"], drawn["caption"]) == (150, "Seen.")
    assert (listed["rows"], listed["columns"], listed["width"]) == (["Manual", ["a"]], [], 1)
    assert note == {"kind": "note", "of": "warning", "body": "Mind."}


def test_a_page_has_seven_digits_of_a_number_and_what_it_can_show_of_a_large_one():
    found = rounded([1 / 3, 123456.7891234, -1e-9 / 3, 7, None, "0.123456789", [2 / 3]])
    assert found == [0.3333333, 123456.789123, -3.333333e-10, 7, None, "0.123456789", [0.6666667]]
    table = Table("t", "T", (TableColumn("a", numeric=True),), ((number(2 / 3),), (interval(1 / 3, 1 / 9, 1.0),)))
    assert [row[0][1]["v"] for row in table_sheet(table, PageData())["rows"]] == [0.6666667, 0.3333333]


def test_a_difference_of_two_columns_is_written_as_its_rule():
    rows = [
        {"topic": "1", "value": 0.5, "median": 0.3, "difference": 0.5 - 0.3},
        {"topic": "2", "value": 0.1, "median": 0.7, "difference": 0.1 - 0.7},
    ]
    assert columns(rows)[1]["difference"] == {"minus": ["value", "median"]}
    rows[1]["difference"] = 0.6
    assert columns(rows)[1]["difference"] == [0.2, 0.6]


def test_a_document_that_many_runs_returned_is_told_once():
    found, other = ReturnedItem("d1", 1, "grade 2", True, 1 / 3, "a snippet"), ReturnedItem("d2", 2, "unjudged", None)
    items = TopicItems("7", "Why?", ("d9",), {"kind": "odd"}, ((found, other), (), (other,)), ("", "", "3 more"))
    sheet = topic_sheet("7", 4, "question", items)
    assert sheet["things"] == [("d1", "grade 2", True, "a snippet"), ("d2", "unjudged", None, "")]
    assert sheet["entries"] == [[[0, 1], [], [1]], [[1, 2], [], [2]], [["0.333333"], [], []]]
    assert (sheet["title"], sheet["text"], sheet["gold"], sheet["more"][2]) == ("Question 7", "Why?", ("d9",), "3 more")
    assert topic_sheet("7", 4, "topic", None) == {"title": "Topic 7", "place": 4}
