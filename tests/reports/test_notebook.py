"""A result in a notebook's cell: plain HTML that needs nothing around it."""

from __future__ import annotations

from dataclasses import replace

import assay
from assay.analyses.reliability.reliability import reliability
from assay.reports import results
from assay.reports.model import BlockRow, Chart, Note, Section, Span, Table, TableColumn, number, text
from assay.reports.notebook import fragment


def test_a_notebook_gets_a_fragment_that_needs_nothing(scores):
    found = reliability(scores, measures=["AP"], trials=50)
    shown = results.html(found)
    assert shown.startswith('<div class="assay">')
    assert shown.endswith("</div>")
    assert "<table>" in shown
    assert "<script" not in shown
    alone = assay.evaluate({"q": {"d": 1}}, {"a": {"q": {"d": 2.0}}, "b": {"q": {"e": 1.0}}}, ["AP"])
    assert results.html(alone).count('class="n best"') == 1


def test_a_notebook_has_charts_that_are_read_on_any_background(scores):
    found = reliability(scores, measures=["AP"], trials=50)
    charts = [block for section in results.sections(found) for block in section.blocks if isinstance(block, Chart)]
    assert results.html(found).count("<svg") == len(charts) > 0
    assert '<rect width="100%" height="100%" fill="#ffffff"/>' in results.html(found)


def test_names_cannot_become_markup():
    table = assay.evaluate({"q": {"d": 1}}, {"<b>x": {"q": {"d": 1.0}}, "y": {"q": {"e": 1.0}}}, ["AP"])
    assert "<b>x" not in results.html(table)
    assert "&lt;b&gt;x" in results.html(table)


def test_notes_rows_and_headings_inside_a_table() -> None:
    columns = (TableColumn("run"), TableColumn("AP", numeric=True))
    table = Table("t", "", columns, (Span("a & b"), (text("x"), number(0.5))))
    captioned = fragment([Section("s", "", (replace(table, caption="Why < how."),))])
    assert captioned.endswith('</table><p class="caption">Why &lt; how.</p></div>')
    shown = fragment([Section("s", "", (Note("one"), BlockRow((table, table))))]).split("</style>")[1]
    assert shown.startswith("<p>one</p><table>")
    assert "caption" not in shown
    assert shown.count('<tr><th colspan="2">a &amp; b</th></tr>') == 2
    assert '<tr><td>x</td><td class="n">0.5000</td></tr>' in shown
