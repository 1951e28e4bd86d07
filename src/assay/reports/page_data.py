"""The JSON of a page: sheets of runs and topics, charts with shared specifications, values by column, compressed.

A page that is not opened costs only its compressed bytes. The page's script (assets/blocks.js) sets texts, never markup.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import fields
from itertools import accumulate, pairwise
from typing import Any, cast

import msgspec

from assay.figures.items.model import TopicItems
from assay.figures.measure_names import in_words
from assay.io.escaping import COMMANDS, data
from assay.reports import chart_theme, model
from assay.reports.model import (
    Cell,
    Chart,
    ComparisonBlock,
    Grid,
    Json,
    Panels,
    RunPage,
    Section,
    Span,
    Table,
    TableColumn,
)
from assay.reports.svg_charts.chart import page_chart
from assay.reports.svg_charts.page_marks import draws_of, tips_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.campaign.result import RunPair

ASCII = bytes(range(128))
UNSAFE = [(sign.encode(), f"\\u{ord(sign):04x}".encode()) for sign in "<>&\u2028\u2029"]
"""Characters that could end a script element or a line of it, with their JSON escapes."""
MAX_WAITING = 8
"""Sheets that may wait for compression; the sheet of a topic with a thousand runs has a megabyte."""


class PageData:
    """The charts, comparison and link targets of a page.

    `addresses` maps ids to addresses; `how` is the sentence on the method that captions share; `labels` has what stands
    beside the links to topics and runs.
    """

    def __init__(
        self, addresses: Mapping[str, str] | None = None, how: str = "", labels: Mapping[str, str] | None = None
    ) -> None:
        self.labels: Mapping[str, str] = labels or {}
        self.specs: dict[str, int] = {}
        """What charts of a kind share (axes, legend, scales, tooltips), as JSON → its index."""
        self._config = chart_theme.page_configuration()
        self.charts: dict[str, list[Any]] = {}
        self.comparison: ComparisonBlock | None = None
        self.addresses: Mapping[str, str] = addresses or {}
        self.how = how

    def drawn(self, chart: Chart, *, by_script: bool = False) -> list[Any]:
        """Return a chart for the script: the index of what charts of its kind share, alternative text, data, marks.

        `by_script` leaves the marks to the script: a page may have thousands of plots of one kind.
        """
        made = page_chart(chart.spec, self._config, chart.id)
        kind = {"legend": made.legend, "frame": made.frame, "scales": made.scales, "tips": tips_of(chart.spec)}
        if by_script:
            kind["draws"] = draws_of(chart.spec, self._config)
        return [self._kind(kind), chart.alt, self._data(chart), "" if by_script else made.marks]

    def add(self, chart: Chart) -> str:
        """Store a chart that is in the page from the start, and return its HTML."""
        made = page_chart(chart.spec, self._config, chart.id)
        place = self._kind({"scales": made.scales, "tips": tips_of(chart.spec)})
        self.charts[chart.id] = [place, chart.alt, self._data(chart)]
        return made.html

    def _kind(self, kind: Json) -> int:
        return self.specs.setdefault(json.dumps(kind, sort_keys=True), len(self.specs))

    def _data(self, chart: Chart) -> Json:
        return {name: columns(rows) for name, rows in chart.spec.get("datasets", {}).items()}

    def caption(self, text: str) -> str:
        """Remove the sentence on the method, which a section prints once."""
        return text.removesuffix(self.how).rstrip() if self.how else text

    def as_json(self) -> Json:
        return {"specs": [json.loads(body) for body in self.specs]}


def columns(rows: Sequence[dict[str, Any]]) -> list[Any]:
    """Encode rows as [count, {name: values}]; a regular column is written as its rule, which the script evaluates:

    'count'                            1, 2, 3 …
    {'all': value}                     the same everywhere
    {'over': n}                        1/n, 2/n, 3/n …; n may be the name of a column
    {'rises': steps}                   rising whole numbers: the first, then the differences
    {'highest': name}                  the highest value of another column from this row on
    {'minus': [name, name]}            one column minus another

    For 129 runs × 50 topics, rules halve the time to write a report and save a third of its size.

    >>> columns([{"found": 1, "rank": 2, "relevant": 9}, {"found": 2, "rank": 5, "relevant": 9}])
    [2, {'found': 'count', 'rank': {'rises': [2, 3]}, 'relevant': {'all': 9}}]
    >>> rows = [{"rank": 3, "recall": 1 / 4, "precision": 1 / 3}, {"rank": 7, "recall": 2 / 4, "precision": 2 / 7}]
    >>> columns(rows)
    [2, {'rank': {'rises': [3, 4]}, 'recall': {'over': 4}, 'precision': {'over': 'rank'}}]
    """
    names = dict.fromkeys(name for row in rows for name in row)
    values = {name: [row.get(name) for row in rows] for name in names}
    return [len(rows), {name: _column(name, column, values) for name, column in values.items()}]


def _column(name: str, values: list[Any], others: dict[str, list[Any]]) -> Any:
    if len(values) < 2:
        return values
    if all(value == place and type(value) is int for place, value in enumerate(values, start=1)):
        return "count"
    if all(value == values[0] and type(value) is type(values[0]) for value in values):
        return {"all": values[0]}
    if all(type(value) is float for value in values):
        return _over(values, others) or _highest(name, values, others) or _minus(values, others) or rounded(values)
    return _rises(values) or values


def _over(values: list[float], others: dict[str, list[Any]]) -> Json | None:
    n = round(1 / values[0]) if values[0] else 0
    if n and all(value == place / n for place, value in enumerate(values, start=1)):
        return {"over": n}
    for name, other in others.items():
        whole = all(type(value) is int and value for value in other)
        if whole and all(value == place / of for place, (value, of) in enumerate(zip(values, other, strict=True), 1)):
            return {"over": name}
    return None


def _highest(name: str, values: list[float], others: dict[str, list[Any]]) -> Json | None:
    before = list(others)[: list(others).index(name)]
    for other in before:
        candidate = others[other]
        if all(type(value) is float for value in candidate) and [*accumulate(reversed(candidate), max)][::-1] == values:
            return {"highest": other}
    return None


def _minus(values: list[float], others: dict[str, list[Any]]) -> Json | None:
    """Return the two columns whose difference this one is."""
    if "value" not in others or "median" not in others:
        return None
    pairs = zip(others["value"], others["median"], values, strict=True)
    if not all(type(a) is float and type(b) is float and a - b == difference for a, b, difference in pairs):
        return None
    return {"minus": ["value", "median"]}


def rounded(value: Any) -> Any:
    """Round a number, or all numbers of a list, to what a page can show: six decimals, or of small ones seven digits.

    The exact numbers are in the JSON and CSV of the commands. Rounding saves an eighth of the page of 129 runs × 50 topics.

    >>> rounded([0.123456789, 12.123456789, 1.23456789e-9, 3, None])
    [0.1234568, 12.123457, 1.234568e-09, 3, None]
    """
    if type(value) is float:
        return round(value, 6) if abs(value) >= 1 else float(f"{value:.7g}")
    return [rounded(each) for each in value] if isinstance(value, list | tuple) else value


def _rises(values: list[Any]) -> Json | None:
    if not all(type(value) is int for value in values):
        return None
    steps = [values[0], *(after - before for before, after in pairwise(values))]
    return {"rises": steps} if all(step > 0 for step in steps) else None


def safe_json(value: object) -> str:
    """Return JSON that is safe inside a script element.

    >>> safe_json({"run": "</script><!--"})
    '{"run":"\\\\u003c/script\\\\u003e\\\\u003c!--"}'
    """
    return _safe(value).decode("utf-8")


def _safe(value: object) -> bytes:
    """Return safe JSON in UTF-8; searching bytes is many times faster than searching text."""
    text = _dumped(value)
    if _needs_escapes(text):
        text = _dumped(_visible(value))
    for sign, escaped in UNSAFE:
        text = text.replace(sign, escaped)
    return text


def _dumped(value: object) -> bytes:
    try:
        return msgspec.json.encode(value, enc_hook=float)
    except (TypeError, UnicodeEncodeError):
        # A name read from bytes that are not UTF-8 contains surrogates, which msgspec refuses.
        text = _dumped_text(value)
        text = _dumped_text(_visible(value)) if re.search(COMMANDS, text) else text
        return text.encode("utf-8", "replace")


def _dumped_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _needs_escapes(text: bytes) -> bool:
    """Return whether JSON has a control character, literal or as an escape.

    >>> [_needs_escapes(text.encode()) for text in ('"a\\u009bb"', '"a\\\\u001bb"', '"café\\\\n"')]
    [True, True, False]
    """
    if b"\x7f" in text or (b"\\" in text and any(sign in text for sign in (b"\\u00", b"\\b", b"\\f", b"\\r"))):
        return True
    wide = b"" if text.isascii() else text.translate(None, ASCII)
    return bool(wide) and re.search(COMMANDS, wide.decode("utf-8")) is not None


def _visible(value: Any) -> Any:
    """Escape control characters in every text of a value."""
    if isinstance(value, str):
        return data(value)
    if isinstance(value, dict):
        return {data(name): _visible(inner) for name, inner in cast("Json", value).items()}
    if isinstance(value, list | tuple):
        return [_visible(inner) for inner in cast("Sequence[Any]", value)]
    return value


def deflated(value: object) -> str:
    """Compress a value's JSON to base64 text.

    >>> zlib.decompress(base64.b64decode(deflated({"run": 1})))
    b'{"run":1}'
    """
    return _deflated(_safe(value))


def all_deflated(values: Iterable[object]) -> Iterator[str]:
    """Compress each value, in order; a thread compresses one while the next is encoded.

    >>> [zlib.decompress(base64.b64decode(text)) for text in all_deflated(([n] for n in range(2)))]
    [b'[0]', b'[1]']
    """
    waiting: deque[Future[str]] = deque()
    with ThreadPoolExecutor(2) as threads:
        for content in map(_safe, values):
            waiting.append(threads.submit(_deflated, content))
            if len(waiting) == MAX_WAITING:
                yield waiting.popleft().result()
        yield from (future.result() for future in waiting)


def _deflated(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, 6)).decode("ascii")


def _pairs(pairs: Sequence[RunPair]) -> Json:
    """Return pairs by column."""
    from assay.analyses.campaign.result import RunPair, RunPairs

    return {
        field.name: rounded(
            pairs.column(field.name) if isinstance(pairs, RunPairs) else [getattr(pair, field.name) for pair in pairs]
        )
        for field in fields(RunPair)
    }


_MEASURE_FIELDS = ("name", "digits", "topic_digits", "runs", "topics", "medians", "higher_is_better")


def values_of(compared: ComparisonBlock | None, grid: Grid | None) -> Json:
    """Return the values for heat map, topic pages and comparison, with the statistics of pairs."""
    source = compared or grid
    assert source is not None
    measures: list[Json] = []
    for measure in source.measures:
        properties = {name: rounded(getattr(measure, name)) for name in _MEASURE_FIELDS}
        shown = {"words": in_words(measure.name), "caption": measure.pairs_caption}
        measures.append({**properties, **shown, "pairs": _pairs(measure.pairs)})
    return {
        "runs": source.runs,
        "topics": source.topics,
        "unit": source.unit,
        "chart": compared and compared.chart.id,
        "measures": measures,
        "order": grid.order if grid else (),
        "fields": grid.fields if grid else {},
        "endings": compared.endings if compared else (),
        "outcomes": compared.outcomes if compared else (),
    }


NUMBER = (float, int)
INTERVAL_WIDTH = 148
MAX_NARROW_COLUMNS = 4
"""A table with more columns may be wider than the window and gets a scroll box."""


def _classes(cell: Cell, column: TableColumn, text: str) -> list[str]:
    """Return a cell's CSS classes: numeric, missing, or the sign of a difference."""
    classes = ["n"] if column.numeric else []
    if cell.kind == "missing":
        classes.append("missing")
    if cell.signed and isinstance(cell.value, NUMBER) and text.startswith(("+", "-")):
        classes.append("up" if cell.value > 0 else "down")
    return classes


def interval_places(cell: Cell, domain: tuple[float, float] | None) -> tuple[str, str, str] | None:
    """Return the x positions of an interval's low end, value and high end; None without an interval."""
    if domain is None or cell.low is None or cell.high is None or not isinstance(cell.value, NUMBER):
        return None
    low, high = domain
    if high <= low:
        return None
    ends = (4 + (INTERVAL_WIDTH - 8) * (value - low) / (high - low) for value in (cell.low, cell.value, cell.high))
    first, middle, last = (f"{end:.1f}" for end in ends)
    return first, middle, last


def height(chart: Chart) -> int:
    """Return the height to reserve for a chart, so that the page does not jump."""
    plot_height = chart.spec.get("height")
    return (plot_height if isinstance(plot_height, int) else 260) + 50


def page_sheet(page: RunPage, store: PageData, finding: Sequence[tuple[str, bool]] = ()) -> Json:
    """Return a run's page, with its finding in parts."""
    neighbours = {name: store.addresses.get(getattr(page, name) or "") for name in ("previous", "next")}
    sections = [section_sheet(section, store) for section in (*page.standing, *page.sections)]
    return {
        "id": page.id, "title": page.run, "finding": finding, "meta": page.meta, **neighbours, "sections": sections,
    }  # fmt: skip


def topic_sheet(topic: str, place: int, unit: str, items: TopicItems | None) -> Json:
    """Return a topic's page: its text and each run's items; the heat map has its values."""
    sheet: Json = {"title": f"{unit.capitalize()} {topic}", "place": place}
    if items is None:
        return sheet
    # Runs return the same documents: each is stored once, and runs refer to it by number.
    things: dict[tuple[Any, ...], int] = {}
    numbers = [
        [things.setdefault((item.text, item.verdict, item.good, item.detail), len(things)) for item in entries]
        for entries in items.entries
    ]
    ranks = [[item.rank for item in entries] for entries in items.entries]
    values = [_without_last_nones(item.value for item in entries) for entries in items.entries]
    details = {name: getattr(items, name) for name in ("text", "gold", "fields", "more")}
    return {**sheet, **details, "things": list(things), "entries": [numbers, ranks, values]}


def _without_last_nones(values: Iterable[float | None]) -> list[str | None]:
    """Return values as text, up to the last that there is: of long lists only the first have one."""
    texts = [None if value is None else f"{value:.6g}" for value in values]
    while texts and texts[-1] is None:
        texts.pop()
    return texts


def section_sheet(section: Section, store: PageData) -> Json:
    blocks = [_block(block, store) for block in section.blocks]
    return {"id": section.id, "title": section.title, "blocks": [block for block in blocks if block]}


def _block(block: model.Block, store: PageData) -> Json | None:
    if isinstance(block, Table):
        return table_sheet(block, store)
    if isinstance(block, Chart):
        return _chart(block, store)
    if isinstance(block, Panels):
        return _panels(block, store)
    if isinstance(block, model.BlockRow):
        return {"kind": "row", "style": block.style, "blocks": [_block(part, store) for part in block.blocks]}
    if isinstance(block, model.ComparisonBlock | model.Board):
        return None  # only on the campaign's page
    return {"kind": "note", "of": block.kind, "body": store.caption(block.body)}


def table_sheet(table: Table, store: PageData) -> Json:
    rows = [
        row.label if isinstance(row, Span) else [_cell(*pair, store) for pair in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    columns = [{"label": column.label, "hint": column.hint, "numeric": column.numeric} for column in table.columns]
    return {
        "kind": "table",
        "id": table.id,
        "title": table.title,
        "caption": store.caption(table.caption),
        "columns": columns if table.show_header else [],
        "width": len(columns),
        "few": len(columns) <= MAX_NARROW_COLUMNS,
        "sortable": table.sortable,
        "rows": rows,
    }


def _cell(cell: Cell, column: TableColumn, store: PageData) -> str | list[Any]:
    """Return a cell's text, with its other properties if it has any."""
    text, more = shown_cell(cell, column, store)
    return [text, more] if more else text


def shown_cell(cell: Cell, column: TableColumn, store: PageData) -> tuple[str, Json]:
    """Return a cell's text and, by short names, the properties it has: classes, value, hint, tag, interval, link."""
    more: Json = {}
    text = cell.text
    if classes := _classes(cell, column, text):
        more["c"] = " ".join(classes)
    if isinstance(cell.value, NUMBER) and (text != repr(cell.value) or cell.range_text):
        more["v"] = rounded(cell.value)
    if cell.hint:
        more["hint"] = cell.hint
    if cell.tag:
        more["tag"] = cell.tag
    if cell.low is not None and cell.high is not None:
        more["ends"] = [rounded(cell.low), rounded(cell.high), cell.range_text, interval_places(cell, column.domain)]
    if cell.link and (target := model.target_of(cell.link, store.addresses)):
        more["to"] = target
    return text, more


def _chart(chart: Chart, store: PageData) -> Json:
    properties = {name: getattr(chart, name) for name in ("id", "title", "alt")}
    return {
        "kind": "chart", **properties, "caption": store.caption(chart.caption), "height": height(chart), "drawn": store.drawn(chart),
    }  # fmt: skip


def _panels(panels: Panels, store: PageData) -> Json | None:
    if not panels.charts:
        return None
    if panels.by_column is None:
        drawn = [(chart.id, store.drawn(chart)) for chart in panels.charts]
    else:
        place = store.drawn(panels.charts[0], by_script=True)[0]
        drawn = [(id, [place, alt, data, ""]) for id, alt, data in panels.by_column()]
    charts = [[id, name, body] for name, (id, body) in zip(panels.names, drawn, strict=True)]
    return {
        "kind": "panels", "id": panels.id, "title": panels.title, "label": panels.label, "height": height(panels.charts[0]),
        "caption": store.caption(panels.caption), "charts": charts,
    }  # fmt: skip
