"""Runs × topics as HTML."""

from __future__ import annotations

import re

import assay
from assay.reports.heat_map import grid_html, grid_title
from assay.reports.page_data import PageData


def grid_of(names: tuple[str, ...]):
    gold = {f"t{i}": {"d1": 1} for i in range(4)}
    runs = {name: {topic: {"d0": 2.0, "d1": 1.0} for topic in gold} for name in names}
    grid = assay.report(gold, runs, ["AP", "RR"], trials=0).document.grid
    assert grid is not None
    return grid


def test_the_choices_are_the_measures_and_orders_there_are() -> None:
    grid = grid_of(("a", "b"))
    assert grid_title(grid) == "Topic by topic"
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
