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
from html import escape
from importlib import resources
from typing import Any

from assay.errors import UsageError
from assay.reports import themes
from assay.reports.html_blocks import chart_html, chooser_html, section_html
from assay.reports.model import Document, Page
from assay.reports.packing import Store, safe_json

WITHOUT_SCRIPTS = ".page[hidden] { display: block !important; }"


def to_html(report: Document) -> str:
    """The whole file as text."""
    store = Store()
    # The first level down from the report's own title.
    sections = "\n".join(section_html(section, store, 2) for section in report.sections)
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
    chart = chart_html(block.chart, store, 3)
    return f"""<article id="compare" class="view" aria-labelledby="compare-title" hidden>
<p class="back"><a href="#campaign">← All runs</a></p>
<h2 id="compare-title" tabindex="-1">{escape(block.title)}</h2>
{chooser_html(block)}
<div id="compare-result"></div>
{chart}
<div id="compare-table"></div>
<p class="caption">{escape(block.caption)}</p>
</article>"""


@cache
def chart_runtime() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, from vl-convert at writing time."""
    try:
        import vl_convert
    except ImportError as missing:
        raise UsageError("the HTML report needs vl-convert: pip install 'assay-eval[report]'") from missing
    bundle: Any = vl_convert.javascript_bundle  # its stub asks for arguments that it does not need
    return str(bundle()).replace("</script", "<\\/script")


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
    sections = "\n".join(section_html(section, store, 3) for section in page.sections)
    name = escape(page.id)
    back = "" if alone else '<p class="back"><a href="#campaign">← All runs</a></p>'
    return f"""<article id="{name}" class="view page" aria-labelledby="{name}-title"{"" if alone else " hidden"}>
{back}
<h2 id="{name}-title" class="run-title" tabindex="-1">{escape(page.run)}</h2>
{_meta(page.meta)}
{sections}
</article>"""
