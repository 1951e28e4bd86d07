"""Sections, blocks and the heat map as HTML text, with every name escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat

from assay.figures.common import natural
from assay.figures.measure_names import in_words
from assay.io.escaping import in_html as escape
from assay.reports import model
from assay.reports.html_board import board_html
from assay.reports.model import GRID_ID, Board, Cell, Chart, Grid, Panels, Section, Span, Table, TableColumn, href
from assay.reports.page_data import (
    INTERVAL_WIDTH,
    MAX_NARROW_COLUMNS,
    PageData,
    height,
    interval_places,
    shown_cell,
)

MAX_OPEN_ROWS = 30
"""A table with more rows shows its first ten and last five until it is unfolded."""


def section_html(section: Section, store: PageData, level: int) -> str:
    """Return a chapter; the board on the first screen has no heading."""
    blocks = "\n".join(block_html(block, store, level + 1, section.title) for block in section.blocks)
    name = escape(section.id)
    if any(isinstance(block, Board) for block in section.blocks):
        return f'<section id="{name}" class="opening" aria-label="{escape(section.title)}">\n{blocks}\n</section>'
    return f"""<section id="{name}" aria-labelledby="{name}-title">
<h{level} id="{name}-title" class="section-title">{escape(section.title)}</h{level}>
{blocks}
</section>"""


def block_html(block: model.Block, store: PageData, level: int, above: str = "") -> str:
    """Return a block; its heading is omitted where it repeats the one `above`."""
    if isinstance(block, Table):
        return table_html(block, store, level, above)
    if isinstance(block, Board):
        return board_html(block, store.addresses)
    if isinstance(block, Chart):
        return chart_html(block, store, level)
    if isinstance(block, Panels):
        return _panels(block, store, level)
    if isinstance(block, model.BlockRow):
        inner = "\n".join(block_html(part, store, level) for part in block.blocks)
        return f'<div class="{block.style}">{inner}</div>'
    if isinstance(block, model.ComparisonBlock):
        store.comparison = block
        return f"<p>{escape(store.caption(block.caption))}</p>\n{chooser_html(block, link=True)}"
    return f'<p class="note {block.kind}">{escape(store.caption(block.body))}</p>'


def table_html(table: Table, store: PageData, level: int, above: str = "") -> str:
    name = escape(table.id)
    width = len(table.columns)
    classes = ["of-runs"] if table.of_runs else []
    classes += [] if table.show_header else ["facts"]
    classes += ["few"] if width <= MAX_NARROW_COLUMNS else []
    head = ""
    if table.show_header:
        cells = "".join(_heading(column, table) for column in table.columns)
        head = f"<thead><tr>{cells}</tr></thead>"
    attributes = _row_attributes(table) if table.of_runs else repeat("")
    body = "\n".join(
        _row(row, table, caption_text, store) for row, caption_text in zip(table.rows, attributes, strict=False)
    )
    empty = '<p class="empty">Nothing to show.</p>' if not table.rows else ""
    caption_text = store.caption(table.caption)
    caption = f'<figcaption class="caption">{escape(caption_text)}</figcaption>' if caption_text else ""
    named = f'aria-label="{escape(table.title)}"'
    heading = "<span></span>"
    if table.title and table.title != above:
        heading, named = (
            f'<h{level} id="{name}-title">{escape(table.title)}</h{level}>',
            f'aria-labelledby="{name}-title"',
        )
    long = len(table.rows) > MAX_OPEN_ROWS
    classes += ["long"] if long else []
    reached = ' tabindex="0"' if width > MAX_NARROW_COLUMNS else ""
    unfold = f'<label class="unfold"><input type="checkbox"> All {len(table.rows):,} rows</label>' if long else ""
    search = _search(table) if table.of_runs else ""
    return f"""<figure class="block table-block" id="{name}" {named}>
<div class="block-head">{heading}
<div class="tools">{search}<button type="button" class="tool" data-csv="{name}" hidden>CSV</button></div></div>
<div class="scroll"{reached} role="region" {named}>
<table class="{" ".join(classes)}"{" data-sortable" if table.sortable else ""}>
{head}
<tbody>
{body}
</tbody>
</table></div>{unfold}{empty}
{caption}
</figure>"""


def _search(table: Table) -> str:
    """Return a text filter, and a filter per facet of the runs."""
    name = escape(table.id)
    lists = ""
    for place, facet in enumerate(table.facets):
        values = sorted(set(facet.values) - {""}, key=natural)
        options = "".join(f"<option>{escape(value)}</option>" for value in values)
        lists += (
            f'<label class="filter">{escape(facet.label)} <select data-facet="{place}" data-of="{name}">'
            f'<option value="">all</option>{options}</select></label>'
        )
    return (
        f'<span class="filter-count" data-count="{name}" role="status"></span>{lists}<label class="filter">Filter '
        f'<input type="search" data-filter="{name}" autocomplete="off" spellcheck="false"></label>'
    )


def _row(row: tuple[Cell, ...] | Span, table: Table, attributes: str, store: PageData) -> str:
    if isinstance(row, Span):
        return f'<tr class="span"><th colspan="{len(table.columns)}" scope="rowgroup">{escape(row.label)}</th></tr>'
    cells = "".join(
        _cell(cell, column, table, at == 0, store)
        for at, (cell, column) in enumerate(zip(row, table.columns, strict=True))
    )
    return f"<tr{attributes}>{cells}</tr>"


def _row_attributes(table: Table) -> Iterator[str]:
    """Yield the values of a table's facets for each row."""
    number = 0
    for row in table.rows:
        if isinstance(row, Span):
            yield ""
            continue
        yield "".join(f' data-facet-{i}="{escape(facet.values[number])}"' for i, facet in enumerate(table.facets))
        number += 1


def _heading(column: TableColumn, table: Table) -> str:
    kind = ' class="n"' if column.numeric else ""
    hint = f' data-hint="{escape(column.hint)}"' if column.hint else ""
    # The name of a measure may break after an underscore.
    label = escape(column.label).replace("_", "_<wbr>")
    if table.sortable:
        label = f'<button type="button" class="sort"{hint}>{label}</button>'
        hint = ""
    return f'<th scope="col"{kind}{hint}>{label}</th>'


def _cell(cell: Cell, column: TableColumn, table: Table, first: bool, store: PageData) -> str:
    text, more = shown_cell(cell, column, store)
    attributes = f' class="{more["c"]}"' if "c" in more else ""
    if "v" in more:
        attributes += f' data-v="{more["v"]!r}"'
    if cell.hint:
        attributes += f' data-hint="{escape(cell.hint)}"'
    if "ends" in more:
        attributes += f' data-low="{more["ends"][0]!r}" data-high="{more["ends"][1]!r}"'
    content = escape(text)
    if "to" in more:
        content = f'<a href="{escape(href(more["to"]))}">{content}</a>'
        if label := store.labels.get((cell.link or "").rpartition("#")[2]):
            attributes += f' data-text="{escape(text)}"'
            content += f' <span class="beside">{escape(label)}</span>'
    if cell.tag:
        content += f' <span class="tag">{escape(cell.tag)}</span>'
    if cell.kind == "interval" and column.domain:
        ends = f' <span class="ends">{escape(cell.range_text)}</span>' if cell.range_text else ""
        content = f'<span class="v">{content}</span>{ends}{_interval(cell, column.domain)}'
    return f"<th scope=row{attributes}>{content}</th>" if first else f"<td{attributes}>{content}</td>"


def _interval(cell: Cell, domain: tuple[float, float]) -> str:
    """Draw the interval as SVG."""
    drawn = interval_places(cell, domain)
    if drawn is None:
        return ""
    low, middle, high = drawn
    return (
        f'<svg class="interval" width="{INTERVAL_WIDTH}" height="12" viewBox="0 0 {INTERVAL_WIDTH} 12" aria-hidden="true">'
        f'<line x1="{low}" x2="{high}" y1="6" y2="6"/><circle cx="{middle}" cy="6" r="3"/></svg>'
    )


def chart_html(chart: Chart, store: PageData, level: int) -> str:
    picture = store.add(chart)
    name = escape(chart.id)
    return f"""<figure class="block chart-block" id="{name}" aria-labelledby="{name}-title">
<div class="block-head"><h{level} id="{name}-title">{escape(chart.title)}</h{level}>
{_chart_tools(name)}</div>
<div class="chart" data-chart="{name}" data-drawn="{name}" data-state="drawn" role="img" aria-label="{escape(chart.alt)}">{picture}</div>
<figcaption class="caption">{escape(store.caption(chart.caption))}</figcaption>
</figure>"""


def _chart_tools(name: str) -> str:
    return (
        '<div class="tools">'
        f'<button type="button" class="tool" data-table="{name}" aria-expanded="false" hidden>Data</button>'
        f'<button type="button" class="tool" data-svg="{name}" hidden>SVG</button>'
        f'<button type="button" class="tool" data-png="{name}" hidden>PNG</button>'
        f'<button type="button" class="tool" data-chart-csv="{name}" hidden>CSV</button></div>'
    )


def _panels(panels: Panels, store: PageData, level: int) -> str:
    for chart in panels.charts:
        store.charts[chart.id] = store.drawn(chart)
    name = escape(panels.id)
    options = "".join(
        f'<option value="{escape(chart.id)}">{escape(label)}</option>'
        for label, chart in zip(panels.names, panels.charts, strict=True)
    )
    if not panels.charts:
        return ""
    first = panels.charts[0]
    what = escape(panels.label.lower())
    chart = f'data-chart="{name}" data-shows="{escape(first.id)}" data-height="{height(first)}"'
    return f"""<figure class="block chart-block panels" id="{name}" aria-labelledby="{name}-title">
<div class="block-head"><h{level} id="{name}-title">{escape(panels.title)}</h{level}>
{_chart_tools(name)}</div>
<div class="panel-choice" hidden>
<button type="button" class="tool" data-step="-1" aria-label="Previous {what}">←</button>
<label>{escape(panels.label)} <select data-panels="{name}">{options}</select></label>
<button type="button" class="tool" data-step="1" aria-label="Next {what}">→</button>
<span class="panel-caption" role="status">{escape(first.alt)}</span></div>
<div class="chart" {chart}><p class="alt">{escape(first.alt)}</p></div>
<figcaption class="caption">{escape(store.caption(panels.caption))}</figcaption>
</figure>"""


def chooser_html(block: model.ComparisonBlock, link: bool = False) -> str:
    """Return two lists of runs and one of measures, with a button on the campaign's page."""
    prefix = "pick" if link else "compare"
    runs_by_name = sorted(enumerate(block.runs), key=lambda item: natural(item[1].casefold()))

    def runs(chosen: int) -> str:
        return "".join(
            f'<option value="{place}"{" selected" if place == chosen else ""}>{escape(run)}</option>'
            for place, run in runs_by_name
        )

    measures = "".join(
        f'<option value="{place}">{escape(in_words(measure.name))}</option>'
        for place, measure in enumerate(block.measures)
    )
    go = '<button type="button" id="pick-go" class="primary">Compare</button>' if link else ""
    return f"""<form class="chooser" id="{prefix}-form">
<label>First run <select id="{prefix}-a">{runs(block.first[0])}</select></label>
<label>Second run <select id="{prefix}-b">{runs(block.first[1])}</select></label>
<label>Measure <select id="{prefix}-measure">{measures}</select></label>
{go}</form>"""


def grid_html(grid: Grid, store: PageData) -> str:
    """Return the heat map of runs × topics, drawn by the script, and the table of topics."""
    unit = escape(grid.unit)
    choices = "\n".join((
        _choice("Measure", "measure", ((str(i), in_words(measure.name)) for i, measure in enumerate(grid.measures))),
        _choice("Shown", "shown", (("values", "values"), ("differences", "differences from the median"))),
        _choice(
            f"{grid.unit.capitalize()}s by", "topics",
            (("name", "name"), ("median", "difficulty"), *((str(i), name) for i, name in enumerate(grid.fields))),
        ),
        _choice("Runs by", "runs", (("place", "place"), ("name", "name"))),
    ))  # fmt: skip
    keys = f"Arrow keys move from cell to cell, Enter opens the {grid.unit}, R the run."
    label = f"Heat map of runs and {unit}s; arrow keys move, Enter opens"
    section = Section(GRID_ID, grid.title, (grid.table,))
    return f"""<section id="{GRID_ID}" aria-labelledby="{GRID_ID}-title">
<h2 id="{GRID_ID}-title" class="section-title">{escape(section.title)}</h2>
{f"<p>{escape(grid.finding)}</p>" if grid.finding else ""}
<figure class="block" id="heat-map" aria-labelledby="heat-map-title" hidden>
<div class="block-head"><h3 id="heat-map-title">Every run on every {unit}</h3></div>
<form class="chooser heat">
{choices}
<label>Find a {unit} <input type="search" id="find-topic" autocomplete="off" spellcheck="false"></label>
</form>
<ul id="found-topics" class="found" aria-label="{escape(grid.unit.capitalize())}s found" hidden></ul>
<p class="heat-window" id="heat-window" hidden><button type="button" class="tool" data-window="-1" aria-label="Previous {unit}s">←</button>
<span role="status"></span> <button type="button" class="tool" data-window="1" aria-label="Next {unit}s">→</button></p>
<div class="heat-box"><canvas id="heat-canvas" tabindex="0" role="application" aria-label="{label}"></canvas></div>
<p class="heat-key" id="heat-key"></p>
<p class="caption keys">{escape(keys)}</p>
<figcaption class="caption">{escape(store.caption(grid.caption))}</figcaption>
</figure>
{table_html(grid.table, store, 3)}
</section>"""


def _choice(label: str, name: str, options: Iterable[tuple[str, str]]) -> str:
    inside = "".join(f'<option value="{escape(value)}">{escape(option)}</option>' for value, option in options)
    return f'<label>{escape(label)} <select id="heat-{name}">{inside}</select></label>'
