"""The report as one HTML file: nothing is fetched, nothing is computed, and no name in it can become markup.

The page is complete without scripts: every table of every run is in it. The script (assets/report.js) shows one run
at a time, sorts, filters, sets two runs side by side and draws the charts when they come into view.

A chart's specification is stored once for all charts that share it; what differs, its data, is stored by column.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import resources

from assay.reports import model, themes
from assay.reports.model import Cell, Chart, Column, Document, Page, Panels, Section, Span, Table
from assay.reports.packing import Store, safe_json
from assay.reports.pdf import needed
from assay.visible import in_html as escape

INTERVAL_WIDTH = 112
WITHOUT_SCRIPTS = ".page[hidden] { display: block !important; }"


def to_html(report: Document) -> str:
    """The whole file as text."""
    store = Store()
    # The first level down from the report's own title.
    sections = "\n".join(_section(section, store, 2) for section in report.sections)
    pages = "\n".join(_page(page, store, alone=not report.sections) for page in report.pages)
    compared = _comparison_view(store)
    style = _style()
    scripts = (chart_runtime(), asset("report.js"))
    policy = (
        f"default-src 'none'; script-src {' '.join(map(_fingerprint, scripts))}; style-src {_fingerprint(style)} "
        f"{_fingerprint(WITHOUT_SCRIPTS)}; img-src data:; base-uri 'none'; form-action 'none'"
    )
    data = safe_json({"config": themes.page_configuration(), **store.as_json()})
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="assay">
<title>{escape(report.title)}</title>
<style>{style}</style>
<noscript><style>{WITHOUT_SCRIPTS}</style></noscript>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
{_masthead(report)}
<div class="layout">
{_navigation(report)}
<main id="main" tabindex="-1">
<div id="campaign" class="view">
{sections}
</div>
{pages}
{compared}
</main>
</div>
<footer class="foot">{escape(report.foot)}</footer>
<div id="tooltip" role="tooltip" hidden></div>
<div id="announce" class="unseen" role="status" aria-live="polite"></div>
<script type="application/json" id="report-data">{data}</script>
<script>{scripts[0]}</script>
<script>{scripts[1]}</script>
</body>
</html>
"""


def _comparison_view(store: Store) -> str:
    """The page on which two runs stand side by side; empty where nothing can be compared."""
    block = store.comparison
    if block is None:
        return ""
    chart = _chart(block.chart, store, 3)
    return f"""<article id="compare" class="view" aria-labelledby="compare-title" hidden>
<p class="back"><a href="#campaign">← All runs</a></p>
<h2 id="compare-title" tabindex="-1">{escape(block.title)}</h2>
{_chooser(block)}
<div id="compare-result"></div>
{chart}
<div id="compare-table"></div>
<p class="caption">{escape(block.caption)}</p>
</article>"""


@cache
def chart_runtime() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, from vl-convert at writing time."""
    return str(needed("vl_convert", "HTML").javascript_bundle()).replace("</script", "<\\/script")


@cache
def asset(name: str) -> str:
    return resources.files("assay.reports").joinpath("assets", name).read_text("utf-8")


def _style() -> str:
    light, dark = themes.css_colours(themes.LIGHT), themes.css_colours(themes.DARK)
    return (
        f":root {{ {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ {dark} }} }}\n"
        f"@media screen {{ :root[data-theme=dark] {{ {dark} }} }}\n" + asset("report.css")
    )


def _fingerprint(source: str) -> str:
    digest = hashlib.sha256(source.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _masthead(report: Document) -> str:
    subtitle = f'<p class="subtitle">{escape(report.subtitle)}</p>' if report.subtitle else ""
    return f"""<header class="masthead">
<div class="masthead-line">
<h1>{escape(report.title)}</h1>
<button type="button" id="theme" class="tool" hidden>Theme</button>
</div>
{subtitle}
{_meta(report.meta)}
</header>"""


def _meta(pairs: Sequence[tuple[str, str]]) -> str:
    if not pairs:
        return ""
    items = "".join(f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>" for label, value in pairs)
    return f'<dl class="meta">{items}</dl>'


def _navigation(report: Document) -> str:
    sections = _links("Campaign", "<ul>", [(section.id, section.title) for section in report.sections])
    runs = _links("Runs", '<ul class="nav-runs">', [(page.id, page.run) for page in report.pages])
    return f'<nav class="contents" aria-label="Contents">{sections}{runs}</nav>'


def _links(title: str, opening: str, targets: Sequence[tuple[str, str]]) -> str:
    items = "".join(f'<li><a href="#{escape(id)}">{escape(name)}</a></li>' for id, name in targets)
    return f'<h2 class="nav-title">{title}</h2>{opening}{items}</ul>' if items else ""


def _page(page: Page, store: Store, alone: bool) -> str:
    sections = "\n".join(_section(section, store, 3) for section in page.sections)
    name = escape(page.id)
    back = "" if alone else '<p class="back"><a href="#campaign">← All runs</a></p>'
    return f"""<article id="{name}" class="view page" aria-labelledby="{name}-title"{"" if alone else " hidden"}>
{back}
<h2 id="{name}-title" class="run-title" tabindex="-1">{escape(page.run)}</h2>
{_meta(page.meta)}
{sections}
</article>"""


def _section(section: Section, store: Store, level: int) -> str:
    blocks = "\n".join(_block(block, store, level + 1) for block in section.blocks)
    name = escape(section.id)
    return f"""<section id="{name}" aria-labelledby="{name}-title">
<h{level} id="{name}-title" class="section-title">{escape(section.title)}</h{level}>
{blocks}
</section>"""


def _block(block: model.Block, store: Store, level: int) -> str:
    if isinstance(block, Table):
        return _table(block, level)
    if isinstance(block, Chart):
        return _chart(block, store, level)
    if isinstance(block, Panels):
        return _panels(block, store, level)
    if isinstance(block, model.Row):
        inner = "\n".join(_block(part, store, level) for part in block.blocks)
        return f'<div class="row of-{len(block.blocks)}">{inner}</div>'
    if isinstance(block, model.Comparison):
        store.comparison = block
        return f"<p>{escape(block.caption)}</p>\n{_chooser(block, link=True)}"
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


def _chart(chart: Chart, store: Store, level: int) -> str:
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


def _chooser(block: model.Comparison, link: bool = False) -> str:
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
