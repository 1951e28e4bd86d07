"""Blocks as HTML: what others named stays text, and cells are drawn where their numbers say."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import assay
from assay.reports import model
from assay.reports.html_elements import block_html, chooser_html, grid_html, section_html, table_html
from assay.reports.model import (
    Chart,
    ComparisonBlock,
    Facet,
    MeasureValues,
    Note,
    Panels,
    Section,
    Span,
    Table,
    TableColumn,
)
from assay.reports.page_data import PageData, interval_places

HOSTILE = "\"'><img src=x onerror=alert(1)></option></script>&amp;\u202e"
SHOWN = HOSTILE.replace("\u202e", "\\u202e")
"""As a reader sees it: the same letters, but that nothing turns the direction of the text beside it."""


class Read(HTMLParser):
    """What a browser makes of it: the names of tags and attributes, and the values and texts."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.names, self.values, self.texts = set(), set(), [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        self.values += [value for _, value in attrs]

    def handle_data(self, data):
        self.texts.append(data)


def chart():
    return Chart(HOSTILE, HOSTILE, {"height": 100}, HOSTILE, HOSTILE)


def hostile_table():
    columns = (TableColumn(HOSTILE, hint=HOSTILE), TableColumn("v", numeric=True))
    row = (model.text(HOSTILE, link="page", hint=HOSTILE, tag=HOSTILE), model.number(0.5, hint=HOSTILE))
    facets = (Facet(HOSTILE, (HOSTILE, HOSTILE)),)
    return Table(HOSTILE, HOSTILE, columns, (row, Span(HOSTILE)), HOSTILE, True, True, facets=facets)


def hostile_comparison():
    return ComparisonBlock("c", "t", (HOSTILE, "b"), ("1",), (MeasureValues(HOSTILE, (), ()),), chart(), HOSTILE)


@pytest.mark.parametrize(
    "block",
    [
        hostile_table(),
        chart(),
        Panels(HOSTILE, HOSTILE, HOSTILE, (HOSTILE,), (chart(),), HOSTILE),
        Note(HOSTILE),
        hostile_comparison(),
    ],
    ids=lambda block: type(block).__name__,
)
def test_a_hostile_name_is_shown_and_never_obeyed(block):
    html = section_html(Section(HOSTILE, HOSTILE, (block,)), PageData({"page": HOSTILE}), 2)
    read = Read(html)
    assert "img" not in read.tags
    assert not {"onerror", "src"} & read.names
    assert "\u202e" not in html
    # The heading of the section and at least one place within the block, whole.
    assert sum(SHOWN in text for text in read.texts) >= 2
    assert all(SHOWN in value for value in read.values if value and "onerror" in value)


def test_a_link_leads_only_to_a_page_of_the_report():
    rows = ((model.text("a", link="run-1"),), (model.text("b", link="javascript:alert(1)"),))
    html = table_html(Table("t", "T", (TableColumn("Run"),), rows), PageData({"run-1": 'run/x"y'}), 3)
    assert re.findall(r"<a .*?</a>", html) == ['<a href="#run/x&quot;y">a</a>']
    assert "<th scope=row>b</th>" in html
    assert "javascript" not in html


def test_an_interval_is_drawn_over_the_domain_of_its_column():
    cell = model.interval(0.5, 0.25, 0.75)
    # 140 pixels for 0 to 1, after 4 of margin.
    assert interval_places(cell, (0.0, 1.0)) == ("39.0", "74.0", "109.0")
    html = table_html(
        Table("t", "T", (TableColumn("Run"), TableColumn("AP", domain=(0.0, 1.0))), ((model.text("a"), cell),)),
        PageData(),
        3,
    )
    assert '<line x1="39.0" x2="109.0" y1="6" y2="6"/><circle cx="74.0" cy="6" r="3"/>' in html
    assert '<span class="v">0.5000</span> <span class="ends">[0.2500, 0.7500]</span>' in html
    assert interval_places(cell, None) is None
    assert interval_places(cell, (1.0, 1.0)) is None
    assert interval_places(model.interval(0.5, None, None), (0.0, 1.0)) is None


def test_a_table_of_many_rows_can_be_unfolded():
    def of(count):
        rows = tuple((model.text(f"r{place}"),) for place in range(count))
        return table_html(Table("t", "T", (TableColumn("Run"),), rows), PageData(), 3)

    assert '<table class="few long">' in of(31)
    assert '<label class="unfold"><input type="checkbox"> All 31 rows</label>' in of(31)
    assert "long" not in of(30)
    assert "unfold" not in of(30)
    assert of(31).count("<tr>") == 31 + 1, "folded by CSS: print and search have all rows"


def test_a_table_of_runs_can_be_searched_and_filtered():
    facets = (Facet("Kind", ("a", "b")),)
    rows = ((model.text("x"),), Span("Baselines"), (model.text("y"),))
    html = table_html(Table("t", "T", (TableColumn("Run"),), rows, of_runs=True, facets=facets), PageData(), 3)
    assert '<input type="search" data-filter="t"' in html
    assert re.findall(r'<tr( data-facet-0="\w")?(?: class="span")?>', html.partition("<tbody>")[2]) == [
        ' data-facet-0="a"', "", ' data-facet-0="b"',
    ]  # fmt: skip
    assert "data-filter" not in table_html(Table("t", "T", (TableColumn("Run"),), rows), PageData(), 3)


def test_what_captions_share_is_left_to_the_foot_of_the_page():
    how = "Ties are broken by document."
    tables = tuple(Table(name, name, (TableColumn("x"),), (), f"Of {name}. {how}") for name in "ab")
    html = section_html(Section("s", "S", tables), PageData(how=how), 2)
    assert how not in html
    assert '<figcaption class="caption">Of a.</figcaption>' in html


def test_the_section_of_the_board_has_no_heading_of_its_own():
    board = model.Board("leaderboard", "AP", "", (), (), 3, "", ranked=False)
    html = section_html(Section("s", 'Leader"board', (board,)), PageData(), 2)
    assert html.startswith('<section id="s" class="opening" aria-label="Leader&quot;board">')
    assert "<h2" not in html
    assert '<h2 id="s-title" class="section-title">S</h2>' in section_html(Section("s", "S", ()), PageData(), 2)


def test_a_comparison_begins_with_the_best_two_runs_in_lists_by_name():
    compared = ComparisonBlock("c", "t", ("run10", "run9", "Run1"), ("1",), (), chart(), first=(0, 2))
    first, second = re.findall(r'<select id="compare-[ab]">(.*?)</select>', chooser_html(compared))
    assert re.findall(r'value="(\d)"[^>]*>(\w+)<', first) == [("2", "Run1"), ("1", "run9"), ("0", "run10")]
    assert [re.findall(r'value="(\d)" selected', part) for part in (first, second)] == [["0"], ["2"]]
    assert block_html(compared, PageData(), 3).endswith("</form>")


def grid_of(names: tuple[str, ...]):
    gold = {f"t{i}": {"d1": 1} for i in range(4)}
    runs = {name: {topic: {"d0": 2.0, "d1": 1.0} for topic in gold} for name in names}
    grid = assay.report(gold, runs, ["AP", "RR"], trials=0).document.grid
    assert grid is not None
    return grid


def test_the_choices_are_the_measures_and_orders_there_are() -> None:
    grid = grid_of(("a", "b"))
    assert grid.title == "Topic by topic"
    page = grid_html(grid, PageData())
    options = dict(re.findall(r'<select id="heat-(\w+)">(.*?)</select>', page))
    assert re.findall(r">([^<]+)</option>", options["measure"]) == ["AP", "RR"]
    assert re.findall(r">([^<]+)</option>", options["shown"]) == ["values", "differences from the median"]
    assert re.findall(r">([^<]+)</option>", options["runs"]) == ["place", "name"]


def test_the_table_needs_no_script_and_has_a_row_per_topic() -> None:
    page = grid_html(grid_of(("a", "b")), PageData())
    assert page.count("<tr>") == 1 + 4
    assert all(f">t{i}<" in page for i in range(4))


def test_no_name_becomes_markup() -> None:
    page = grid_html(grid_of(("<b>bold</b>", "b")), PageData())
    assert "<b>bold" not in page
