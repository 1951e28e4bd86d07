"""The page's data, written small: every value comes back as it was."""

from __future__ import annotations

import json
import re

from report_tables import inflated

from assay.reports import page_data, sites


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
