"""The report as one HTML file: nothing is fetched, nothing is computed, and no name in it can become markup.

The campaign's pages are complete without scripts. A run's page, a topic's page and the values behind the heat map and the
comparison wait as deflated JSON (`sheets`, `packing`) and become nodes when they are opened; the script (assets/*.js) also
sorts, filters, sets two runs side by side and draws the charts when they come into view.

A chart's specification is stored once for all charts that share it; what differs, its data, is stored by column.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import resources

from assay.figures.common import natural
from assay.reports import themes
from assay.reports.grids import GRID_ID, grid_html, grid_title
from assay.reports.markup import chart_html, chooser_html, section_html
from assay.reports.model import Document, Json, Page, address
from assay.reports.packing import Store, deflated, safe_json, values_of
from assay.reports.pdf import needed
from assay.reports.sheets import page_sheet, topic_sheet
from assay.visible import in_html as escape

SCRIPTS = ("core", "charts", "tables", "blocks", "items", "topics", "heatmap", "compare", "views")
"""The parts of the page's script, in the order in which they stand."""
FEW_RUNS = 12
"""Runs whose names the contents list without being asked."""
NEEDS_SCRIPTS = (
    "The pages of the runs are built by the page's own script, which is switched off here; the PDF report has them all."
)


def to_html(report: Document) -> str:
    """The whole file as text."""
    store = Store(_addresses(report), report.foot)
    # The first level down from the report's own title.
    parts = [(section.id, section_html(section, store, 2)) for section in report.sections]
    if report.grid:
        # Before two runs are compared all of them are seen.
        at = next((i for i, (id, _) in enumerate(parts) if id == "comparison-section"), len(parts))
        parts.insert(at, (GRID_ID, grid_html(report.grid, store)))
    sections = "\n".join(part for _, part in parts)
    alone = "" if report.sections else "\n".join(_page(page, store) for page in report.pages)
    compared = _comparison_view(store)
    waiting = _waiting(report, store)
    style = _style()
    scripts = (chart_runtime(), script())
    policy = (
        f"default-src 'none'; script-src {' '.join(map(_fingerprint, scripts))}; style-src {_fingerprint(style)}; "
        f"img-src data:; base-uri 'none'; form-action 'none'"
    )
    data = safe_json({"config": themes.page_configuration(), **store.as_json(), **_directory(report)})
    note = (
        f'<noscript><p class="note warning">{NEEDS_SCRIPTS}</p></noscript>' if report.sections and report.pages else ""
    )
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
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
{_masthead(report)}
<div class="layout">
{_navigation(report)}
<main id="main" tabindex="-1">
{note}
<div id="campaign" class="view">
{sections}
</div>
{alone}
<div id="opened"></div>
{compared}
</main>
</div>
<footer class="foot">{escape(report.foot)}</footer>
<div id="tooltip" role="tooltip" hidden></div>
<div id="announce" class="unseen" role="status" aria-live="polite"></div>
<script type="application/json" id="report-data">{data}</script>
<script type="application/json" id="report-pages">{safe_json(waiting)}</script>
<script>{scripts[0]}</script>
<script>{scripts[1]}</script>
</body>
</html>
"""


def _addresses(report: Document) -> dict[str, str]:
    """Where the links of cells lead: by the ids of pages, and by addresses themselves. What has no page is no link."""
    if not report.sections:
        return {}
    topics = [address("topic", name) for name in report.grid.topics] if report.grid else []
    return {**{page.id: page.address for page in report.pages}, **{found: found for found in topics}}


def _directory(report: Document) -> Json:
    """The runs with their addresses, in the order of the table."""
    pages = [[page.address, page.run] for page in report.pages] if report.sections else []
    topics = report.grid.topics if report.grid else ()
    items = any(one.entries for one in report.topics)
    return {
        "title": report.title,
        "pages": pages,
        "items": items,
        "topics": [[address("topic", name), name] for name in topics],
    }


def _waiting(report: Document, store: Store) -> dict[str, str]:
    """By address, what becomes nodes when it is asked for."""
    waiting = {page.address: deflated(page_sheet(page, store)) for page in report.pages if report.sections}
    waiting["charts"] = deflated(store.charts)
    if store.comparison or report.grid:
        waiting["values"] = deflated(values_of(store.comparison, report.grid))
    if report.grid:
        items = {one.topic: one for one in report.topics}
        for place, name in enumerate(report.grid.topics):
            waiting[address("topic", name)] = deflated(topic_sheet(name, place, report.grid.unit, items.get(name)))
    return waiting


def _comparison_view(store: Store) -> str:
    """The page on which two runs stand side by side; empty where nothing can be compared."""
    block = store.comparison
    if block is None:
        return ""
    chart = chart_html(block.chart, store, 3)
    return f"""<article id="compare" class="view" aria-labelledby="compare-title" hidden>
<p class="back"><a href="#campaign">← All runs</a></p>
<h2 id="compare-title" tabindex="-1">{escape(block.title)}</h2>
{chooser_html(block)}
<div id="compare-result"></div>
{chart}
<div id="compare-items"></div>
<div id="compare-table"></div>
<p class="caption">{escape(block.caption)}</p>
</article>"""


@cache
def chart_runtime() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, from vl-convert at writing time."""
    return str(needed("vl_convert", "HTML").javascript_bundle()).replace("</script", "<\\/script")


@cache
def script() -> str:
    """The page's own script, its parts in one scope."""
    return '(() => {\n"use strict";\n' + "\n".join(asset(f"{name}.js") for name in SCRIPTS) + "})();\n"


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
    named = [(section.id, section.title) for section in report.sections]
    if report.grid:
        at = next((i for i, (id, _) in enumerate(named) if id == "comparison-section"), len(named))
        named.insert(at, (GRID_ID, grid_title(report.grid)))
    sections = _links(named)
    found = f'<h2 class="nav-title">Campaign</h2>{sections}' if sections else ""
    if report.sections and report.pages:
        pages = sorted(report.pages, key=lambda page: natural(page.run.casefold()))
        runs = _links([(page.address, page.run) for page in pages])
        opened = " open" if len(pages) <= FEW_RUNS else ""
        # Closed, a hundred names are one stop of the Tab key.
        found += f'<details class="nav-runs"{opened}><summary class="nav-title">Runs</summary>{runs}</details>'
    return f'<nav class="contents" aria-label="Contents">{found}</nav>'


def _links(targets: Sequence[tuple[str, str]]) -> str:
    items = "".join(f'<li><a href="#{escape(to)}">{escape(name)}</a></li>' for to, name in targets)
    return f"<ul>{items}</ul>" if items else ""


def _page(page: Page, store: Store) -> str:
    """The page of a run that stands alone in its file."""
    sections = "\n".join(section_html(section, store, 3) for section in (*page.standing, *page.sections))
    name = escape(page.id)
    return f"""<article id="{name}" class="view page" aria-labelledby="{name}-title">
<h2 id="{name}-title" class="run-title" tabindex="-1">{escape(page.run)}</h2>
{_meta(page.meta)}
{sections}
</article>"""
