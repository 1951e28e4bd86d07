"""The report as a self-contained HTML page in which no name can become markup.

The campaign's pages need no script. The pages of runs and topics, and the values behind the heat map and the comparison, are
compressed JSON (`page_data`, `sites`) that the script (assets/*.js) turns into nodes when they are opened. The script also
sorts, filters, compares two runs and draws charts when they come into view.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from assay.figures import palette
from assay.figures.common import natural
from assay.io.escaping import data as shown
from assay.io.escaping import in_html as escape
from assay.reports import chart_theme
from assay.reports.html_elements import chart_html, chooser_html, grid_html, section_html
from assay.reports.model import GRID_ID, Document, Json, RunPage, address
from assay.reports.page_data import PageData, safe_json
from assay.reports.vega_bundle import chart_runtime

SCRIPTS = ("core", "charts", "tables", "blocks", "items", "documents", "topics", "heatmap", "compare", "views")
"""The parts of the page's script, in order."""
MAX_OPEN_RUNS = 12
"""With more runs, the list of their names in the contents is closed at first."""
NEEDS_SCRIPTS = "The pages of the runs need JavaScript, which is disabled here; the PDF report has them all."
BESIDE = "The folder {} beside this file has the data of its pages: move or send both together."


@dataclass(frozen=True, slots=True)
class PageStorage:
    """The storage of a page's parts: the page itself, files next to it, or its server."""

    waiting: Mapping[str, str]
    beside: Json | None = None
    served: bool = False
    left_out: str = ""
    """A warning on omitted data."""


def policy(storage: PageStorage) -> str:
    """Return the Content-Security-Policy: own scripts only, fetches from the own server only."""
    hashes = " ".join(map(_fingerprint, (chart_runtime(), script())))
    # Scripts that may run may load the data files; a policy cannot name an address on disk.
    run = f"{hashes} 'strict-dynamic'" if storage.beside else hashes
    fetch = "connect-src 'self'; " if storage.served else ""
    return (
        f"default-src 'none'; script-src {run}; style-src {_fingerprint(_style())}; {fetch}"
        f"img-src data:; base-uri 'none'; form-action 'none'"
    )


def body_html(report: Document, store: PageData) -> str:
    """Return the initial content: the campaign's sections, or the single run's page."""
    parts = [section_html(section, store, 2) for section in report.sections]
    if report.grid and report.sections:
        parts.insert(report.grid_position, grid_html(report.grid, store))
    sections = "\n".join(parts)
    alone = "" if report.sections else "\n".join(_page(page, store) for page in report.pages)
    return f"""<div id="campaign" class="view">
{sections}
</div>
{alone}
<div id="opened"></div>
{_comparison_view(store)}"""


def page_html(report: Document, store: PageData, body: str, storage: PageStorage) -> str:
    """Return the whole page."""
    data = safe_json({"config": chart_theme.page_configuration(), **store.as_json(), **_directory(report, storage)})
    note = (
        f'<noscript><p class="note warning">{NEEDS_SCRIPTS}</p></noscript>' if report.sections and report.pages else ""
    )
    # Browsers request an icon from every server, which the policy would forbid.
    icon = '\n<link rel="icon" href="data:,">' if storage.served else ""
    if storage.beside:
        note += f'<p class="note">{escape(BESIDE.format(storage.beside["folder"]))}</p>'
    if storage.left_out:
        note += f'<p class="note warning">{escape(storage.left_out)}</p>'
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy(storage))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="assay">{icon}
<title>{escape(report.title)}</title>
<style>{_style()}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
{_masthead(report)}
<div class="layout">
{_navigation(report)}
<main id="main" tabindex="-1">
{note}
{body}
</main>
</div>
<footer class="foot">{escape(report.foot)}</footer>
<div id="tooltip" role="tooltip" hidden></div>
<div id="announce" class="unseen" role="status" aria-live="polite"></div>
<script type="application/json" id="report-data">{data}</script>
<script type="application/json" id="report-pages">{safe_json(dict(storage.waiting))}</script>
<script>{chart_runtime()}</script>
<script>{script()}</script>
</body>
</html>
"""


def _directory(report: Document, storage: PageStorage) -> Json:
    """Return the runs with their addresses, the topics, and where the parts are stored."""
    pages = [[page.address, page.run] for page in report.pages] if report.sections else []
    return {
        "title": report.title,
        "pages": pages,
        "items": report.items is not None and report.items.returned and not storage.left_out,
        "topics": report.grid.topics if report.grid else (),
        "addresses": _unusual_addresses(report.grid.topics) if report.grid else {},
        "alone": "" if report.sections else next((page.id for page in report.pages), ""),
        "beside": storage.beside,
        "served": storage.served,
    }


def _unusual_addresses(topics: Sequence[str]) -> dict[str, str]:
    """Return, by position, the addresses that differ from those of the escaped names."""
    addresses = [address("topic", name) for name in topics]
    return {str(i): exact for i, exact in enumerate(addresses) if exact != address("topic", shown(topics[i]))}


def _comparison_view(store: PageData) -> str:
    """Return the view that compares two runs; empty if nothing can be compared."""
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
def script() -> str:
    """Return the page's script, all parts in one scope."""
    return '(() => {\n"use strict";\n' + "\n".join(asset(f"{name}.js") for name in SCRIPTS) + "})();\n"


@cache
def asset(name: str) -> str:
    return resources.files("assay.reports").joinpath("assets", name).read_text("utf-8")


def _style() -> str:
    light, dark = palette.css_colours(palette.LIGHT), palette.css_colours(palette.DARK)
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
    targets = [(section.id, section.title) for section in report.sections]
    if report.grid and report.sections:
        targets.insert(report.grid_position, (GRID_ID, report.grid.title))
    sections = _links(targets)
    contents = f'<h2 class="nav-title">{"Campaign" if report.pages else "Contents"}</h2>{sections}' if sections else ""
    if report.sections and report.pages:
        pages = sorted(report.pages, key=lambda page: natural(page.run.casefold()))
        runs = _links([(page.address, page.run) for page in pages])
        opened = " open" if len(pages) <= MAX_OPEN_RUNS else ""
        # A closed list is one stop of the Tab key, not a hundred.
        contents += f'<details class="nav-runs"{opened}><summary class="nav-title">Runs</summary>{runs}</details>'
    return f'<nav class="contents" aria-label="Contents">{contents}</nav>'


def _links(targets: Sequence[tuple[str, str]]) -> str:
    items = "".join(f'<li><a href="#{escape(to)}">{escape(name)}</a></li>' for to, name in targets)
    return f"<ul>{items}</ul>" if items else ""


def _page(page: RunPage, store: PageData) -> str:
    """Return the page of a report's only run."""
    sections = "\n".join(section_html(section, store, 3) for section in (*page.standing, *page.sections))
    name = escape(page.id)
    return f"""<article id="{name}" class="view page" aria-labelledby="{name}-title">
<h2 id="{name}-title" class="run-title" tabindex="-1">{escape(page.run)}</h2>
{_meta(page.meta)}
{sections}
</article>"""
