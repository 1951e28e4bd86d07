"""The report as a self-contained HTML page in which no name can become markup.

The campaign's pages need no script. The pages of runs and topics, and the values behind the heat map and the comparison, are
compressed JSON (`page_data`, `sites`) that the script (assets/*.js) turns into nodes when they are opened. The script also
sorts, filters, compares two runs and draws charts when they come into view.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from assay.analyses.marked_text import parts_of
from assay.figures import palette
from assay.io.escaping import data as shown
from assay.io.escaping import in_html as escape
from assay.reports import chart_theme
from assay.reports.html_board import runs_html
from assay.reports.html_elements import chart_html, chooser_html, grid_html, section_html
from assay.reports.model import COMPARISON_ID, GRID_ID, TRUST_ID, Board, Document, Json, RunPage, Section, address, href
from assay.reports.page_data import PageData, safe_json

SCRIPTS = (
    "core",
    "charts",
    "tables",
    "blocks",
    "items",
    "documents",
    "topics",
    "heatmap",
    "curves",
    "compare",
    "search",
    "views",
)
"""The parts of the page's script, in order."""
DOUBT = "How far can this be trusted?"
MEASURES_ID = "measures-section"
MENU_IDS = (MEASURES_ID, "suite-section", GRID_ID, COMPARISON_ID, TRUST_ID)
SHORT_TITLES = {COMPARISON_ID: "Compare", "suite-section": "Tasks"}
MAX_MENU = 4
"""With more chapters, the contents show these, and the others in a menu."""
MAX_NAMED_CHAPTERS = 4
"""Chapters named beside that heading."""
FONT = "ibm-plex-sans.woff2"
"""A subset of IBM Plex Sans; its licence is beside it."""
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
    head: str = ""
    """Further elements of the head: what a link preview shows."""


PATTERNS = """<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>
<pattern id="hatching" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="7" height="7" fill="var(--chart-paper)"/>
<line x1="0" x2="0" y1="0" y2="7" stroke="var(--chart-declined)" stroke-width="2"/></pattern>
<pattern id="dots" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="var(--chart-wrong)"/>
<circle cx="3" cy="3" r="1.1" fill="var(--chart-wrong-edge)"/></pattern></defs></svg>"""
"""What distinguishes wrong and declined without their colours."""


def policy(storage: PageStorage) -> str:
    """Return the Content-Security-Policy: own scripts only, fetches from the own server only."""
    hashes = _fingerprint(script())
    # Scripts that may run may load the data files; a policy cannot name an address on disk.
    run = f"{hashes} 'strict-dynamic'" if storage.beside else hashes
    fetch = "connect-src 'self'; " if storage.served else ""
    return (
        f"default-src 'none'; script-src {run}; style-src {_fingerprint(style())}; {fetch}"
        f"img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )


def body_html(report: Document, store: PageData) -> str:
    """Return the initial content: the finding and the campaign's sections, or the single run's page."""
    parts = [_finding(report)]
    rows = list(report.sections)
    first = [section_html(section, store, 2) for section in rows if not section.doubt]
    if report.grid and rows:
        first.insert(report.grid_position, grid_html(report.grid, store))
    # The order in the markup is that of the page; a phone shows the trust line above the board.
    boards = [block for section in rows for block in section.blocks if isinstance(block, Board)]
    parts += [
        *first[:1],
        _trust(report),
        _next_steps(report, store),
        *(runs_html(board, store.addresses) for board in boards),
        *first[1:],
        _doubts([section for section in rows if section.doubt], store),
    ]
    sections = "\n".join(part for part in parts if part)
    alone = "" if rows else "\n".join(_page(report, page, store) for page in report.pages)
    return f"""<div id="campaign" class="view">
{sections if rows else ""}
</div>
{alone}
<div id="opened"></div>
{_comparison_view(store)}"""


def _finding(report: Document) -> str:
    return f'<p class="finding">{_emphasised(report.finding_parts)}</p>' if report.finding else ""


def _emphasised(parts: Iterable[tuple[str, bool]]) -> str:
    """Return a finding with the names of runs set off."""
    return "".join(f"<b>{escape(part)}</b>" if name else escape(part) for part, name in parts)


def _trust(report: Document) -> str:
    """Return the line on trust; what it says on the top two stands out."""
    text = " ".join(_emphasised(parts_of(sentence)) for sentence in report.trust).replace("(p = ", "(p\u00a0=\u00a0")
    return f'<p class="trust">{text}</p>' if text else ""


def _next_steps(report: Document, store: PageData) -> str:
    """Return links to what to open next, each with what it says."""
    targets = {"trust": TRUST_ID} if any(section.doubt for section in report.sections) else {}
    targets |= {"measures": MEASURES_ID} if any(section.id == MEASURES_ID for section in report.sections) else {}
    items = ""
    for step in report.next_steps:
        compares = step.kind == "compare" and store.comparison is not None
        if target := address("compare", *step.runs) if compares else targets.get(step.kind):
            items += (
                f'<li><a href="{escape(href(target))}">{escape(step.title)}</a> <span>{escape(step.says)}</span></li>'
            )
    return f'<nav class="next" aria-label="Open next"><b>Open next</b><ul>{items}</ul></nav>' if items else ""


def _doubts(sections: Sequence[Section], store: PageData) -> str:
    """Return the chapters on how far the numbers can be trusted, folded."""
    if not sections:
        return ""
    inside = "\n".join(section_html(section, store, 3) for section in sections)
    titles = ", ".join(f"{section.title[:1].lower()}{section.title[1:]}" for section in sections[:MAX_NAMED_CHAPTERS])
    more = ", …" if len(sections) > MAX_NAMED_CHAPTERS else ""
    return f"""<details class="fold" id="{TRUST_ID}">
<summary><h2>{DOUBT}</h2> <span>{escape(titles)}{more}</span></summary>
{inside}
</details>"""


def page_html(report: Document, store: PageData, body: str, storage: PageStorage) -> str:
    """Return the whole page."""
    data = safe_json({"ramp": palette.RAMP, **store.as_json(), **_directory(report, storage)})
    note = (
        f'<noscript><p class="note warning">{NEEDS_SCRIPTS}</p></noscript>' if report.sections and report.pages else ""
    )
    # Browsers request an icon from every server, which the policy would forbid.
    icon = '\n<link rel="icon" href="data:,">' if storage.served else ""
    if storage.beside and not storage.head:
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
<meta name="generator" content="assay">{icon}{storage.head}
<title>{escape(report.title)}</title>
<style>{style()}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
{PATTERNS}
<div class="layout">
{_masthead(report)}
{_navigation(report)}
<main id="main" tabindex="-1">
{note}
{body}
</main>
</div>
<footer class="foot">{escape(" ".join((*report.rules, report.foot)))}
<button type="button" id="theme" class="tool" hidden>Theme</button></footer>
<div id="tooltip" role="tooltip" hidden></div>
<div id="announce" class="unseen" role="status" aria-live="polite"></div>
<script type="application/json" id="report-data">{data}</script>
<script type="application/json" id="report-pages">{safe_json(dict(storage.waiting))}</script>
<script>{script()}</script>
</body>
</html>
"""


def _directory(report: Document, storage: PageStorage) -> Json:
    """Return the runs with their addresses, the topics, and where the parts are stored."""
    pages = [[page.address, page.run] for page in report.pages] if report.sections else []
    labels, topics = report.labels, report.grid.topics if report.grid else ()
    return {
        "title": report.title,
        "pages": pages,
        "items": report.items is not None and report.items.returned and not storage.left_out,
        "topics": topics,
        "titles": [report.titles.get(topic, "") for topic in topics] if report.titles else (),
        "teams": [labels.get(page.id, "") for page in report.pages] if pages and labels else (),
        "unit": report.grid.unit if report.grid else "topic",
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
<div id="compare-curves"></div>
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


@cache
def style() -> str:
    """Return the style of all pages, with the typeface inside."""
    light, dark = palette.css_colours(palette.LIGHT), palette.css_colours(palette.DARK)
    font = resources.files("assay.reports").joinpath("assets", FONT).read_bytes()
    source = f"url(data:font/woff2;base64,{base64.b64encode(font).decode('ascii')}) format('woff2')"
    return (
        f"@font-face {{ font-family: Plex; src: {source}; font-weight: 400 700; font-display: swap; }}\n"
        f":root {{ {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ {dark} }} }}\n"
        f"@media screen {{ :root[data-theme=dark] {{ {dark} }} }}\n"
        + asset("report.css")
        + chart_theme.page_css()
        + asset("charts.css")
    )


def _fingerprint(source: str) -> str:
    digest = hashlib.sha256(source.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _masthead(report: Document) -> str:
    """Return title, kind of evaluation and counts in one line; how much was evaluated stands out."""
    counts = [_counted(label, value) for label, value in report.meta] if report.sections else []
    parts = [
        escape(report.subtitle),
        ", ".join([f"<b>{escape(first)}</b>" for first in counts[:1]] + [*map(escape, counts[1:])]),
    ]
    beside = " · ".join(filter(None, parts))
    subtitle = f'<span class="subtitle">{beside}</span>' if beside else ""
    return f"""<header class="masthead">
<h1>{escape(report.title)}</h1> {subtitle}
</header>"""


def _counted(label: str, value: str) -> str:
    """Return a count in words: 40 questions, 1 run, 40 questions × 4 samples."""
    count, _, samples = value.partition(" × ")
    unit = label.removesuffix("s") if count == "1" else label
    return f"{count} {unit.lower()}{f' × {samples}' if samples else ''}"


def _meta(pairs: Sequence[tuple[str, str]]) -> str:
    if not pairs:
        return ""
    items = "".join(f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>" for label, value in pairs)
    return f'<dl class="meta">{items}</dl>'


def _navigation(report: Document) -> str:
    """Return the links to the chapters that every report has, and the others in a menu."""
    shown = [section for section in report.sections if not section.doubt]
    targets = [(section.id, SHORT_TITLES.get(section.id, section.title)) for section in shown]
    if report.grid and report.sections:
        targets.insert(report.grid_position, (GRID_ID, f"{report.grid.unit.capitalize()}s"))
    targets = targets[1:] + ([(TRUST_ID, "Trust")] if len(shown) < len(report.sections) else [])
    first = [target for target in targets if target[0] in MENU_IDS] if len(targets) > MAX_MENU else targets
    others = [target for target in targets if target not in first]
    more = f"<details><summary>More</summary>{_links(others)}</details>" if others else ""
    return (
        f'<nav class="contents" aria-label="Contents">{_links(first)}{more}{_search(report)}</nav>' if targets else ""
    )


def _search(report: Document) -> str:
    """Return a field that finds runs and topics by name; the script shows it."""
    topics = f" or {report.grid.unit}" if report.grid else ""
    if not report.pages:
        return ""
    label = f"Find a run{topics}"
    return (
        f'<div class="search" hidden><input type="search" id="find" aria-label="{label}" placeholder="Find …" autocomplete="off" '
        'spellcheck="false" role="combobox" aria-expanded="false" aria-controls="find-results">'
        '<ul id="find-results" role="listbox" aria-label="Found" hidden></ul></div>'
    )


def _links(targets: Sequence[tuple[str, str]]) -> str:
    items = "".join(f'<li><a href="#{escape(to)}">{escape(name)}</a></li>' for to, name in targets)
    return f"<ul>{items}</ul>" if items else ""


def _page(report: Document, page: RunPage, store: PageData) -> str:
    """Return the page of a report's only run."""
    sections = "\n".join(section_html(section, store, 3) for section in (*page.standing, *page.sections))
    name = escape(page.id)
    finding = f'<p class="finding">{_emphasised(report.page_finding_parts(page))}</p>' if page.finding else ""
    back = f'<p class="back"><a href="{escape(href(report.home))}">← All results</a></p>\n' if report.home else ""
    return f"""<article id="{name}" class="view page" aria-labelledby="{name}-title">
{back}<h2 id="{name}-title" class="run-title{" unseen" if page.run == report.title else ""}" tabindex="-1">{escape(page.run)}</h2>
{finding}
{_meta(page.meta)}
{sections}
</article>"""
