"""A report as a folder for any static host: one page, a stable address for each run, topic and chart, and a picture for previews.

index.html            the report; its data are in data/
run/NAME.html         leads to a run's page; carries what a preview of the link shows
topic/NAME.html       likewise
chart/ID.html         one chart alone, to embed in another page
card.png              what a link to the site shows: the finding and the first runs
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib import resources
from json import dumps
from typing import Any
from urllib.parse import unquote

from assay.errors import InputError, UsageError
from assay.io.escaping import in_html as escape
from assay.reports.html import PageStorage, style
from assay.reports.html_board import board_html
from assay.reports.model import BlockRow, Board, Chart, Document, RunPage, address
from assay.reports.page_data import PageData, safe_json
from assay.reports.sites import FILE_SIZE, MARK, README, Site
from assay.reports.typesetting import compile_typst

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.reports.pdf import Progress

POLICY = (
    "default-src 'none'; style-src 'self' file:; font-src data:; img-src data:; base-uri 'none'; form-action 'none'"
)
CARD_RUNS = 6
"""Runs on the card."""
CARD = "card.png"


def save_site(report: Document, path: str | os.PathLike[str], progress: Progress | None = None) -> list[str]:
    """Write the folder, whole or not at all, replacing a site that assay wrote before; return warnings.

    progress   called with the number of topics written and of all
    """
    target = os.path.abspath(os.fspath(path))
    _check(target)
    parent = os.path.dirname(target)
    try:
        os.makedirs(parent, exist_ok=True)
        part = tempfile.mkdtemp(prefix=f".{os.path.basename(target)}.", dir=parent)
    except OSError as problem:
        raise InputError(f"{os.fspath(path)}: cannot be written: {problem.strerror or problem}") from None
    try:
        warnings = _fill(report, part, progress)
        os.chmod(part, 0o755)
        _replace(part, target)
    except OSError as problem:
        raise InputError(f"{os.fspath(path)}: cannot be written: {problem.strerror or problem}") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return warnings


def _check(target: str) -> None:
    """Refuse to replace a folder that assay did not write."""
    ours = os.path.isfile(os.path.join(target, MARK))
    if os.path.lexists(target) and not ours and (not os.path.isdir(target) or os.listdir(target)):
        raise InputError(f"{target}: exists and is not a site that assay wrote. Fix: move it, or name another folder")


def _replace(part: str, target: str) -> None:
    """Put the new folder in place of the old one."""
    if not os.path.lexists(target):
        os.replace(part, target)
        return
    before = tempfile.mkdtemp(prefix=f".{os.path.basename(target)}.", dir=os.path.dirname(target))
    old = os.path.join(before, "old")
    os.replace(target, old)
    try:
        os.replace(part, target)
    except OSError:
        os.replace(old, target)
        raise
    finally:
        shutil.rmtree(before, ignore_errors=True)


def _fill(report: Document, folder: str, progress: Progress | None) -> list[str]:
    site = Site(report)
    fixed, values = site.made()
    files = _DataFiles(folder)
    files.add(values)
    files.end()
    # The script finds a page by the first sheet of a file, so each run has its own file.
    for name, sheet in fixed.items():
        files.add({name: sheet})
        files.end()
    done = 0
    for batch in site.batches():
        done += len(batch)
        files.add(batch)
        if progress is not None:
            progress(done, len(site.topics))
    files.end()
    card, warnings = _card(report)
    if card is not None:
        _write(folder, CARD, card)
    meta = _meta(report.title, report.finding, CARD if card is not None else None)
    beside = {"folder": "data", "files": [[site.topics.get(first, first), name] for first, name in files.names]}
    _write(
        folder, "index.html", site.html(PageStorage({}, beside=beside, head=meta)).encode("utf-8", "surrogateescape")
    )
    _write(folder, "report.css", style().encode())
    _write(folder, MARK, README.encode())
    for name, page in _pages(report, card is not None):
        _write(folder, name, page.encode("utf-8", "surrogateescape"))
    return warnings


class _DataFiles:
    """Data as scripts that pass sheets to the page, as it may not read files when it is opened from disk."""

    def __init__(self, folder: str) -> None:
        self.names: list[tuple[str, str]] = []
        """The address of the first sheet of each file, and the file."""
        self._folder, self._sheets, self._size = folder, dict[str, str](), 0

    def add(self, sheets: Mapping[str, str]) -> None:
        for name, sheet in sheets.items():
            self._sheets[name] = sheet
            self._size += len(sheet)
            if self._size >= FILE_SIZE:
                self.end()

    def end(self) -> None:
        """Write what is waiting."""
        if not self._sheets:
            return
        content = f"assaySheets({safe_json(self._sheets)});\n".encode()
        name = f"{sha256(content).hexdigest()[:16]}.js"
        _write(self._folder, f"data/{name}", content)
        self.names.append((next(iter(self._sheets)), name))
        self._sheets, self._size = {}, 0


def _write(folder: str, name: str, content: bytes) -> None:
    path = os.path.join(folder, *name.split("/"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def _meta(title: str, description: str, card: str | None) -> str:
    """Return what a link preview shows."""
    properties = {"og:type": "website", "og:title": title, "og:description": description}
    properties |= {"og:image": card, "twitter:card": "summary_large_image"} if card else {}
    lines = [f'<meta property="{name}" content="{escape(value)}">' for name, value in properties.items()]
    return "\n" + "\n".join([*lines, f'<meta name="description" content="{escape(description)}">'])


def _pages(report: Document, card: bool) -> Iterator[tuple[str, str]]:
    """Yield the pages beside the report: one per run, topic and chart."""
    picture = f"../{CARD}" if card else None
    for page in report.pages:
        yield f"{file_of(page.address)}.html", _leading(report, page.address, page.run, _about(report, page), picture)
    for topic in report.grid.topics if report.grid else ():
        yield (
            f"{file_of(address('topic', topic))}.html",
            _leading(report, address("topic", topic), topic, report.finding, picture),
        )
    store = PageData()
    for section in report.sections:
        for block in section.blocks:
            for part in block.blocks if isinstance(block, BlockRow) else (block,):
                if isinstance(part, Chart):
                    picture_of = (
                        f'<div class="chart" role="img" aria-label="{escape(part.alt)}">{store.add(part)}</div>'
                    )
                    caption = f'<figcaption class="caption">{escape(part.caption)}</figcaption>'
                    inside = f'<figure class="block"><h1>{escape(part.title)}</h1>{picture_of}{caption}</figure>'
                    yield f"chart/{part.id}.html", _embedded(report, part.title or part.alt, inside, part.id)
                elif isinstance(part, Board):
                    # The page of a chart has no pages of runs to lead to.
                    yield f"chart/{part.id}.html", _embedded(report, report.finding, board_html(part, {}), part.id)


def _about(report: Document, page: RunPage) -> str:
    return page.finding.text if page.finding is not None else report.finding


def file_of(location: str) -> str:
    """Return an address as the path of a file; two names never share one, even where case is ignored.

    >>> file_of("run/bm25"), file_of("topic/a%2Fb"), file_of("run/..")
    ('run/bm25', 'topic/a~2Fb', 'run/~2E.')
    >>> file_of("run/BM25").lower() == file_of("run/bm25")
    False
    """
    kind, _, name = location.partition("/")
    safe = name.replace("%", "~")
    safe = f"~2E{safe[1:]}" if safe.startswith(".") else safe
    if unquote(name) != unquote(name).lower():
        safe += f"~{sha256(name.encode()).hexdigest()[:6]}"
    return f"{kind}/{safe}"


def _leading(report: Document, location: str, name: str, about: str, card: str | None) -> str:
    """Return a page that leads to an address of the report."""
    link, title = escape(f"../index.html#{location}"), f"{name} · {report.title}"
    head = f'<meta http-equiv="refresh" content="0; url={link}">{_meta(title, about, card)}'
    return _page(title, head, f'<body><p><a href="{link}">{escape(title)}</a></p></body>')


def _embedded(report: Document, title: str, inside: str, id: str) -> str:
    """Return a page with one chart and a link to the report."""
    head = '<meta name="color-scheme" content="light dark">\n<link rel="stylesheet" href="../report.css">'
    link = f'<a href="../index.html#{escape(id)}" target="_parent">{escape(report.title)}</a>'
    return _page(title, head, f'<body class="embedded">\n{inside}\n<p class="caption">{link}</p>\n</body>')


def _page(title: str, head: str, body: str) -> str:
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
{head}
<title>{escape(title)}</title>
</head>
{body}
</html>
"""


def _card(report: Document) -> tuple[bytes | None, list[str]]:
    """Return the picture for link previews, 1,200 × 630 pixels; without typst a warning instead."""
    board = next((block for section in report.sections for block in section.blocks if isinstance(block, Board)), None)
    rows: list[dict[str, Any]] = []
    if board is not None:
        rows = [
            {"run": row.run, "text": board.value_text(row), "leads": row.leads}
            | {name: board.place(getattr(row, name)) for name in ("low", "high", "value")}
            for row in board.rows[:CARD_RUNS]
        ]
    from assay.reports.pdf import Drawing

    clean = Drawing(report).clean
    content = {
        "title": clean(report.title), "finding": [[clean(part), name] for part, name in report.finding_parts],
        "beside": clean(", ".join(f"{value} {label.lower()}" for label, value in report.meta)),
        "rows": [{**row, "run": clean(str(row["run"]))} for row in rows], "measure": clean(board.measure if board else ""),
    }  # fmt: skip
    source = resources.files("assay.reports").joinpath("assets", "card.typ").read_bytes()
    try:
        return compile_typst(source, "PNG", {"card": dumps(content)}, ppi=144.0), []
    except UsageError as missing:
        return None, [f"no picture for link previews: {missing}"]
