"""The pieces of a page: sections with their tables, charts and notes, as HTML in which no name can become markup."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assay.reports.model import Block, Cell, Chart, Column, Comparison, Panels, Row, Section, Span, Table
from assay.reports.packing import Store

INTERVAL_WIDTH = 112


def section_html(section: Section, store: Store, level: int) -> str:
    lead = f'<p class="lead">{escape(section.lead)}</p>' if section.lead else ""
    blocks = "\n".join(_block(block, store, level + 1) for block in section.blocks)
    name = escape(section.id)
    return f"""<section id="{name}" aria-labelledby="{name}-title">
<h{level} id="{name}-title" class="section-title">{escape(section.title)}</h{level}>
{lead}
{blocks}
</section>"""


def _block(block: Block, store: Store, level: int) -> str:
    if isinstance(block, Table):
        return _table(block, level)
    if isinstance(block, Chart):
        return chart_html(block, store, level)
    if isinstance(block, Panels):
        return _panels(block, store, level)
    if isinstance(block, Row):
        inner = "\n".join(_block(part, store, level) for part in block.blocks)
        return f'<div class="row of-{len(block.blocks)}">{inner}</div>'
    if isinstance(block, Comparison):
        store.comparison = block
        return f"<p>{escape(block.caption)}</p>\n{chooser_html(block, link=True)}"
    return f'<p class="note {block.kind}">{escape(block.body)}</p>'


def _table(table: Table, level: int) -> str:
    name = escape(table.id)
    classes = "leaderboard" if table.leaderboard else "facts" if not table.show_header else ""
    head = ""
    if table.show_header:
        cells = "".join(_heading(column, table.sortable) for column in table.columns)
        head = f"<thead><tr>{cells}</tr></thead>"
    width = len(table.columns)
    body = "\n".join(_row(row, table.columns) for row in table.rows)
    empty = '<p class="empty">Nothing to show.</p>' if not table.rows else ""
    caption = f'<figcaption class="caption">{escape(table.caption)}</figcaption>' if table.caption else ""
    search = ""
    if table.leaderboard:
        search = (
            f'<span class="filter-count" data-count="{name}" role="status"></span><label class="filter">Filter '
            f'<input type="search" data-filter="{name}" autocomplete="off" spellcheck="false"></label>'
        )
    region = f' tabindex="0" role="region" aria-labelledby="{name}-title"' if width > 4 else ""
    return f"""<figure class="block table-block" id="{name}" aria-labelledby="{name}-title">
<div class="block-head"><h{level} id="{name}-title">{escape(table.title)}</h{level}>
<div class="tools">{search}<button type="button" class="tool" data-csv="{name}" hidden>CSV</button></div></div>
<div class="scroll"{region}>
<table class="{classes}"{" data-sortable" if table.sortable else ""}>
{head}
<tbody>
{body}
</tbody>
</table></div>{empty}
{caption}
</figure>"""


def _row(row: tuple[Cell, ...] | Span, columns: Sequence[Column]) -> str:
    if isinstance(row, Span):
        return f'<tr class="span"><th colspan="{len(columns)}" scope="rowgroup">{escape(row.label)}</th></tr>'
    paired = zip(row, columns, strict=True)
    return f"<tr>{''.join(_cell(cell, column, place == 0) for place, (cell, column) in enumerate(paired))}</tr>"


def _heading(column: Column, sortable: bool) -> str:
    kind = ' class="n"' if column.numeric else ""
    hint = f' data-hint="{escape(column.hint)}"' if column.hint else ""
    label = escape(column.label)
    if sortable:
        label = f'<button type="button" class="sort"{hint}>{label}</button>'
        hint = ""
    return f'<th scope="col"{kind}{hint}>{label}</th>'


def _cell(cell: Cell, column: Column, first: bool) -> str:
    classes = [name for name, wanted in (("n", column.numeric), ("missing", cell.kind == "missing")) if wanted]
    if cell.signed and isinstance(cell.value, float | int) and cell.text.startswith(("+", "-")):
        classes.append("up" if cell.value > 0 else "down")
    attributes = f' class="{" ".join(classes)}"' if classes else ""
    if isinstance(cell.value, float | int) and cell.text != repr(cell.value):
        attributes += f' data-v="{cell.value!r}"'
    if cell.hint:
        attributes += f' data-hint="{escape(cell.hint)}"'
    if cell.low is not None and cell.high is not None:
        attributes += f' data-low="{cell.low!r}" data-high="{cell.high!r}"'
    content = escape(cell.text)
    if cell.link:
        content = f'<a href="#{escape(cell.link)}">{content}</a>'
    if cell.kind == "interval" and column.domain:
        content = _interval(cell, column.domain) + f'<span class="v">{content}</span>'
    return f"<th scope=row{attributes}>{content}</th>" if first else f"<td{attributes}>{content}</td>"


def _interval(cell: Cell, domain: tuple[float, float]) -> str:
    """The interval as a small drawing; its ends are in the cell's description too."""
    low, high = domain
    if cell.low is None or cell.high is None or not isinstance(cell.value, float | int) or high <= low:
        return ""

    def place(value: float) -> str:
        return f"{4 + (INTERVAL_WIDTH - 8) * (value - low) / (high - low):.1f}"

    return (
        f'<svg class="interval" width="{INTERVAL_WIDTH}" height="12" viewBox="0 0 {INTERVAL_WIDTH} 12" role="img" '
        f'aria-label="interval {escape(cell.range_text)}"><line x1="{place(cell.low)}" x2="{place(cell.high)}" y1="6" '
        f'y2="6"/><circle cx="{place(cell.value)}" cy="6" r="3"/></svg>'
    )


def chart_html(chart: Chart, store: Store, level: int) -> str:
    store.add(chart)
    name = escape(chart.id)
    return f"""<figure class="block chart-block" id="{name}" aria-labelledby="{name}-title">
<div class="block-head"><h{level} id="{name}-title">{escape(chart.title)}</h{level}>
{_chart_tools(name)}</div>
<div class="chart" data-chart="{name}" data-height="{_height(chart)}"><p class="alt">{escape(chart.alt)}</p></div>
<figcaption class="caption">{escape(chart.caption)}</figcaption>
</figure>"""


def _chart_tools(name: str) -> str:
    return (
        '<div class="tools">'
        f'<button type="button" class="tool" data-table="{name}" aria-expanded="false" hidden>Data</button>'
        f'<button type="button" class="tool" data-svg="{name}" hidden>SVG</button>'
        f'<button type="button" class="tool" data-chart-csv="{name}" hidden>CSV</button></div>'
    )


def _height(chart: Chart) -> int:
    height = chart.spec.get("height")
    # Room for axis and legend: what is reserved before drawing, so that the page does not jump.
    return (height if isinstance(height, int) else 260) + 50


def _panels(panels: Panels, store: Store, level: int) -> str:
    for chart in panels.charts:
        store.add(chart)
    name = escape(panels.id)
    options = "".join(
        f'<option value="{escape(chart.id)}">{escape(label)}</option>'
        for label, chart in zip(panels.names, panels.charts, strict=True)
    )
    if not panels.charts:
        return ""
    first = panels.charts[0]
    what = escape(panels.label.lower())
    chart = f'data-chart="{name}" data-shows="{escape(first.id)}" data-height="{_height(first)}"'
    return f"""<figure class="block chart-block panels" id="{name}" aria-labelledby="{name}-title">
<div class="block-head"><h{level} id="{name}-title">{escape(panels.title)}</h{level}>
{_chart_tools(name)}</div>
<div class="panel-choice" hidden>
<button type="button" class="tool" data-step="-1" aria-label="Previous {what}">←</button>
<label>{escape(panels.label)} <select data-panels="{name}">{options}</select></label>
<button type="button" class="tool" data-step="1" aria-label="Next {what}">→</button>
<span class="panel-caption" role="status">{escape(first.alt)}</span></div>
<div class="chart" {chart}><p class="alt">{escape(first.alt)}</p></div>
<figcaption class="caption">{escape(panels.caption)}</figcaption>
</figure>"""


def chooser_html(block: Comparison, link: bool = False) -> str:
    """Two lists of runs and a list of measures; on the campaign page they lead to the comparison."""
    prefix = "pick" if link else "compare"
    runs = [f'<option value="{place}">{escape(run)}</option>' for place, run in enumerate(block.runs)]
    measures = "".join(
        f'<option value="{place}">{escape(measure.name)}</option>' for place, measure in enumerate(block.measures)
    )
    second = [*runs]
    second[1] = second[1].replace("<option ", "<option selected ", 1)
    go = '<button type="button" id="pick-go" class="primary">Compare</button>' if link else ""
    return f"""<form class="chooser" id="{prefix}-form">
<label>First run <select id="{prefix}-a">{"".join(runs)}</select></label>
<label>Second run <select id="{prefix}-b">{"".join(second)}</select></label>
<label>Measure <select id="{prefix}-measure">{measures}</select></label>
{go}</form>"""
