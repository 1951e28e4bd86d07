"""HTML reports: a page and its sheets (parts that load on demand), stored inside it, in a folder of files, or served.

A page opened from disk may not read files, but it may run scripts: each data file is a script that passes its sheets to the
page. File names are hashes of the content, so a page never shows the data of another.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import islice
from types import TracebackType

from assay.errors import InputError
from assay.io.atomic_files import write_whole
from assay.reports.html import PageStorage, body_html, page_html, policy
from assay.reports.model import Document, Json, RunPage, address
from assay.reports.page_data import PageData, all_deflated, deflated, page_sheet, safe_json, topic_sheet, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.figures.items.model import TopicItems
    from assay.io.loopback_server import Reply
    from assay.reports.pdf import Progress

FILE_SIZE = 1 << 20
"""Bytes at which a file is full."""
MARK = "assay-report-data.txt"
README = "Data of the report next to this folder. Writing the report again replaces it.\n"


class DataFolder:
    """The folder of data files next to a page; `keep` puts both in place, otherwise the folder is deleted."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: str = os.fspath(path)
        # trec.html and trec.htm get two folders.
        self.name: str = f"{os.path.basename(self.path).removesuffix('.html')}_data"
        self._target = os.path.join(os.path.dirname(os.path.abspath(self.path)), self.name)
        self._part_folder: str | None = None
        self._files: dict[str, str] = {}
        """The name of each file by the address of its first sheet; sheets are in the order of the report."""
        self._sheets: dict[str, str] = {}
        self._size = 0

    def __enter__(self) -> DataFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._part_folder is not None:
            shutil.rmtree(self._part_folder, ignore_errors=True)

    def add(self, sheets: Mapping[str, str]) -> None:
        """Add deflated sheets by address; write files as they fill."""
        for name, sheet in sheets.items():
            self._sheets[name] = sheet
            self._size += len(sheet)
            if self._size >= FILE_SIZE:
                self.end_file()

    def files(self) -> list[tuple[str, str]]:
        """Return the address of the first sheet and the name of each file, in order."""
        self.end_file()
        return list(self._files.items())

    def end_file(self) -> None:
        """End the file: further sheets go into another."""
        if not self._sheets:
            return
        content = f"assaySheets({safe_json(self._sheets)});\n".encode()
        name = f"{sha256(content).hexdigest()[:16]}.js"
        self._files[next(iter(self._sheets))] = name
        self._sheets, self._size = {}, 0
        try:
            if self._part_folder is None:
                self._check()
                self._part_folder = tempfile.mkdtemp(prefix=f".{self.name}.", dir=os.path.dirname(self._target))
                os.chmod(self._part_folder, 0o755)
                with open(os.path.join(self._part_folder, MARK), "w", encoding="utf-8") as file:
                    file.write(README)
            with open(os.path.join(self._part_folder, name), "xb") as file:
                file.write(content)
        except OSError as problem:
            raise InputError(f"{self._target}: cannot be written: {problem.strerror or problem}") from None

    def _check(self) -> None:
        """Refuse to replace a folder that assay did not write."""
        if os.path.lexists(self._target) and not self._is_ours():
            raise InputError(
                f"{self._target}: exists and is not a folder of report data. Fix: move it, or give the report another name"
            )

    def _is_ours(self) -> bool:
        return os.path.isfile(os.path.join(self._target, MARK))

    def keep(self, page: str) -> None:
        """Put page and folder in place, together or not at all, replacing the folder of an earlier report."""
        before, placed = "", False
        try:
            if self._is_ours():
                before = tempfile.mkdtemp(prefix=f".{self.name}.", dir=os.path.dirname(self._target))
                os.replace(self._target, os.path.join(before, self.name))
            if self._part_folder is not None:
                os.replace(self._part_folder, self._target)
                self._part_folder, placed = None, True
            write_whole(self.path, page.encode("utf-8", "surrogateescape"))
        except BaseException as problem:
            if placed:
                shutil.rmtree(self._target, ignore_errors=True)
            if before and os.path.isdir(os.path.join(before, self.name)):
                os.replace(os.path.join(before, self.name), self._target)
            if isinstance(problem, OSError):
                raise InputError(f"{self._target}: cannot be written: {problem.strerror or problem}") from None
            raise
        finally:
            if before:
                shutil.rmtree(before, ignore_errors=True)


MAX_PAGE_SHEETS = 8 << 20
"""Bytes of sheets that a page contains; more go into a folder."""
SHEET_ENDING = ".json"
"""Ends the address of a served sheet: a browser would resolve a topic called `..` as the parent folder."""
MAX_WRITTEN_ITEMS = 2_000_000
"""Documents or answers written into files; with more, only `assay view` shows them."""


class Site:
    """The sheets of a report, built on request."""

    def __init__(self, report: Document) -> None:
        self.report = report
        self.store: PageData = PageData(_addresses(report), report.foot, report.labels)
        self._body = body_html(report, self.store)
        self._pages = {page.address: page for page in report.pages} if report.sections else {}
        self.topics: dict[str, int] = (
            {address("topic", name): i for i, name in enumerate(report.grid.topics)} if report.grid else {}
        )
        self.specs: int = len(self.store.specs)
        self._prefetched: dict[range, Iterator[TopicItems | None]] = {}
        """The prefetched results of the first batch of topics."""

    def sheet(self, location: str) -> Json | None:
        """Return the sheet at an address, or None."""
        if location == "charts":
            return self.store.charts
        if location == "values" and (self.store.comparison or self.report.grid):
            return values_of(self.store.comparison, self.report.grid)
        if location in self._pages:
            return self._page_sheet(self._pages[location])
        if location in self.topics:
            return next(self.topic_sheets([self.topics[location]]))
        return None

    def made(self, items: bool = True) -> tuple[dict[str, str], dict[str, str]]:
        """Return `fixed` and `values`, compressed in parallel, and prefetch the first batch of topics.

        Threads save a third of the time to write 129 runs × 50 topics (1.6 s instead of 2.5 s).
        """
        with ThreadPoolExecutor(2) as threads:
            values = threads.submit(self.values)
            for first in self._spans(items)[:1] if items else ():
                self._prefetched[first] = _prefetch_first(threads, iter(self._items(first)))
            return self.fixed(), values.result()

    def fixed(self) -> dict[str, str]:
        """Return the pages of runs and the charts."""
        sheets = map(self._page_sheet, self._pages.values())
        pages = dict(zip(self._pages, all_deflated(sheets), strict=True))
        return {**pages, "charts": deflated(self.store.charts)}

    def _page_sheet(self, page: RunPage) -> Json:
        return page_sheet(page, self.store, self.report.page_finding_parts(page))

    def values(self) -> dict[str, str]:
        """Return the values for the heat map, the comparison and the topics' pages."""
        values = self.sheet("values")
        return {} if values is None else {"values": deflated(values)}

    def topic_sheets(self, places: Sequence[int], items: bool = True) -> Iterator[Json]:
        """Yield the pages of the topics at some positions."""
        grid = self.report.grid
        assert grid is not None
        prefetched = self._prefetched.pop(places, None) if isinstance(places, range) else None
        results = prefetched or self._items(places) if items else [None] * len(places)
        for place, result in zip(places, results, strict=True):
            yield topic_sheet(grid.topics[place], place, grid.unit, result)

    def _items(self, places: Sequence[int]) -> Iterable[TopicItems | None]:
        grid, items = self.report.grid, self.report.items
        if grid is None or items is None or not items.known:
            return [None] * len(places)
        return items.of([grid.topics[place] for place in places], grid.runs)

    def batches(self, items: bool = True) -> Iterator[dict[str, str]]:
        """Yield the pages of all topics by address, in batches."""
        names = list(self.topics)
        for places in self._spans(items):
            sheets = self.topic_sheets(places, items)
            yield dict(zip(names[places.start : places.stop], all_deflated(sheets), strict=True))

    def _spans(self, items: bool) -> list[range]:
        """Return the positions of the topics of each batch."""
        count, items_of_runs = len(self.topics), self.report.items
        size = max(1, items_of_runs.batch if items and items_of_runs is not None else count)
        return [range(start, min(start + size, count)) for start in range(0, count, size)]

    def html(self, kept: PageStorage) -> str:
        """Return the page whose sheets are stored as `kept` says."""
        return page_html(self.report, self.store, self._body, kept)


def _prefetch_first(threads: ThreadPoolExecutor, items: Iterator[TopicItems | None]) -> Iterator[TopicItems | None]:
    """Prefetch the first item in a thread; reading it loads the data of all topics."""
    first = threads.submit(list, islice(items, 1))

    def rest() -> Iterator[TopicItems | None]:
        yield from first.result()
        yield from items

    return rest()


def _addresses(report: Document) -> dict[str, str]:
    """Map the ids of pages to their addresses; a link to any other id is dropped."""
    topics = [address("topic", name) for name in report.grid.topics] if report.grid else []
    pages = {page.id: page.address for page in report.pages} if report.sections else {}
    return {**pages, **{topic: topic for topic in topics}}


def to_html(report: Document) -> str:
    """Return the report as one page; it says which data are too large and omitted."""
    site = Site(report)
    sheets = site.made(not _too_many(report))
    fixed = sheets[0] | sheets[1]
    topics = None if _too_many(report) else _fitting(site, _size(fixed))
    if topics is not None:
        return site.html(PageStorage({**fixed, **topics}))
    bare = {name: sheet for batch in site.batches(items=False) for name, sheet in batch.items()}
    return site.html(PageStorage({**fixed, **bare}, left_out=_omitted(report)))


def _fitting(site: Site, size: int) -> dict[str, str] | None:
    """Return the pages of all topics, or None where the page would be too large."""
    sheets: dict[str, str] = {}
    for batch in site.batches():
        sheets |= batch
        size += _size(batch)
        if size > MAX_PAGE_SHEETS:
            return None
    return sheets


def save_html(report: Document, path: str | os.PathLike[str], progress: Progress | None = None) -> str | None:
    """Write the page and, if it is too large, a folder of data next to it; return the folder's name or None.

    progress   called with the number of topics written and of all
    """
    site = Site(report)
    items = not _too_many(report)
    fixed, values = site.made(items)
    sheets: dict[str, str] = {}
    size = _size(fixed) + _size(values)
    folder: DataFolder | None = None
    done = 0
    with DataFolder(path) as beside:
        for batch in site.batches(items):
            done += len(batch)
            size += _size(batch)
            if folder is None and size > MAX_PAGE_SHEETS:
                folder = beside
                folder.add(values)
                # The page finds a topic's file by the first topic of each file.
                folder.end_file()
                folder.add(sheets)
            if folder is None:
                sheets |= batch
            else:
                folder.add(batch)
            if progress is not None:
                progress(done, len(site.topics))
        left_out = "" if items else _omitted(report)
        if folder is None:
            beside.keep(site.html(PageStorage({**fixed, **values, **sheets}, left_out=left_out)))
            return None
        files = [[site.topics.get(first, first), name] for first, name in folder.files()]
        folder.keep(site.html(PageStorage(fixed, beside={"folder": folder.name, "files": files}, left_out=left_out)))
        return folder.name


def _too_many(report: Document) -> bool:
    return report.items is not None and report.items.most > MAX_WRITTEN_ITEMS


def _omitted(report: Document) -> str:
    assert report.items is not None
    what = "documents" if report.grid is None or report.grid.unit == "topic" else "answers"
    return f"Up to {report.items.most:,} returned {what} are too many for this file. To see them, use `assay view`."


def _size(sheets: Mapping[str, str]) -> int:
    return sum(map(len, sheets.values()))


class Served:
    """Answer requests for a report: the page, and its sheets by address."""

    def __init__(self, report: Document) -> None:
        self._site = Site(report)
        kept = PageStorage({}, served=True)
        self._page = self._site.html(kept).encode("utf-8", "surrogateescape")
        self._policy = f"{policy(kept)}; frame-ancestors 'none'"

    def __call__(self, path: str) -> Reply | None:
        """Answer a request."""
        from assay.io.loopback_server import HTML, JSON, Reply

        if path == "":
            return Reply(HTML, self._page, headers={"Content-Security-Policy": self._policy})
        kind, _, location = path.partition("/")
        is_sheet = kind == "sheet" and location.endswith(SHEET_ENDING)
        sheet = self._site.sheet(location.removesuffix(SHEET_ENDING)) if is_sheet else None
        if sheet is None:
            return None
        # Send the chart specifications that the page does not have yet.
        specs = self._site.store.as_json()["specs"]
        new = {str(place): specs[place] for place in range(self._site.specs, len(specs))}
        return Reply(JSON, safe_json({"sheet": sheet, "specs": new}).encode("utf-8"))
