"""What a report says, as plain data: no file, no markup, no arithmetic.

    Document
     ├─ sections: Section …           the campaign's pages
     ├─ pages: Page                   one per run
     │   └─ sections: Section
     │       └─ blocks: Table | Chart | Panels | Row | Note | Comparison
     ├─ items: Returned               what every run returned on each topic, gathered by need
     └─ grid: Grid                    every run's value on every topic

Sections are made by `reports.pages`, and drawn by `html`, `pdf` and `text`, which turn the same cells into the same digits
because the digits are decided here, in `Cell.text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeVar
from urllib.parse import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.figures.items.model import TopicItems

Kind = Literal["text", "number", "count", "percent", "share", "interval", "missing"]
Role = Literal["place", "run", "value", "tier", "other"]
Json = dict[str, Any]

NOT_AVAILABLE = "n/a"


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "run"), counted(0, "topic"), counted(24, "run")
    ('1 run', '0 topics', '24 runs')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@dataclass(frozen=True, slots=True)
class Cell:
    """One typed value. `value` sorts; `text` shows.

    >>> number(0.23294).text, count(50000).text, percent(0.309, 1).text, share(152, 492).text
    ('0.2329', '50000', '30.9%', '152 (30.9%)')
    >>> number(None).text, number(0.05, signed=True).text, number(-0.00001, signed=True).text
    ('n/a', '+0.0500', '0.0000')
    """

    kind: Kind
    value: str | float | int | None
    digits: int = 4
    signed: bool = False
    low: float | None = None
    high: float | None = None
    whole: int | None = None
    link: str | None = None
    hint: str = ""
    best: bool = False
    tag: str = ""

    @property
    def text(self) -> str:
        value = self.value
        if value is None:
            return NOT_AVAILABLE
        if isinstance(value, str):
            return value
        if self.kind == "count":
            return f"{value:+d}" if self.signed and value else f"{value:d}"
        if self.kind == "percent":
            return f"{_fixed(100 * value, self.digits, self.signed)}%"
        if self.kind == "share":
            part = f"{100 * value / self.whole:.{self.digits}f}%" if self.whole else NOT_AVAILABLE
            return f"{value:d} ({part})"
        return _fixed(value, self.digits, self.signed)

    @property
    def range_text(self) -> str:
        """The interval's ends, `[0.2101, 0.2557]`; empty where there are none."""
        if self.low is None or self.high is None:
            return ""
        return f"[{_fixed(self.low, self.digits, self.signed)}, {_fixed(self.high, self.digits, self.signed)}]"

    @property
    def whole_text(self) -> str:
        """The value with its interval, where it has one."""
        return f"{self.text} {self.range_text}" if self.range_text else self.text

    @property
    def numeric(self) -> bool:
        return self.kind != "text"


def _fixed(value: float, digits: int, signed: bool = False) -> str:
    shown = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    # A difference too small to show has no sign to show either.
    return shown.lstrip("+-") if not shown.strip("+-0.") else shown


def cell(value: str | float | int | None, *, best: bool = False) -> Cell:
    """A value of any kind, as it stands in a table of scores."""
    kind: Kind = "missing" if value is None else "text" if isinstance(value, str) else "number"
    return Cell("count" if isinstance(value, int) else kind, value, best=best)


def text(value: object, *, link: str | None = None, hint: str = "", tag: str = "") -> Cell:
    """Words; `link` is the id of a page or an address, `tag` a word that stands beside."""
    return Cell("text", str(value), link=link, hint=hint, tag=tag)


def number(value: float | None, digits: int = 4, *, signed: bool = False, hint: str = "") -> Cell:
    if value is None or value != value:
        return missing(hint)
    return Cell("number", value, digits, signed, hint=hint)


def count(value: int | None, *, signed: bool = False, hint: str = "") -> Cell:
    return missing(hint) if value is None else Cell("count", value, 0, signed, hint=hint)


def among(value: float | None, digits: int, *, signed: bool = False) -> Cell:
    """One of some values, or their median: of counts, which have no digits, that may be half-way between two.

    >>> among(92, 0).text, among(92.5, 0).text, among(0.25, 4).text
    ('92', '92.5', '0.2500')
    """
    return number(value, 1 if digits == 0 and value is not None and value % 1 else digits, signed=signed)


def percent(value: float | None, digits: int = 1, *, signed: bool = False, hint: str = "") -> Cell:
    """A proportion, shown as a percentage."""
    return missing(hint) if value is None else Cell("percent", value, digits, signed, hint=hint)


def share(part: int | None, whole: int, digits: int = 1, *, hint: str = "") -> Cell:
    """A count with its percentage of `whole`, as the reports of TREC print them: `152 (30.9%)`."""
    return missing(hint) if part is None else Cell("share", part, digits, whole=whole, hint=hint)


def interval(
    value: float | None, low: float | None, high: float | None, digits: int = 4, *, signed: bool = False, hint: str = ""
) -> Cell:
    """A value with the ends of its confidence interval."""
    return missing(hint) if value is None else Cell("interval", value, digits, signed, low=low, high=high, hint=hint)


def missing(hint: str = "") -> Cell:
    """Undefined or absent: `n/a`, never 0."""
    return Cell("missing", None, hint=hint)


@dataclass(frozen=True, slots=True)
class Column:
    """A heading; `hint` explains it on hover and to screen readers; `domain` scales interval drawings in its cells; `role`
    is what a leaderboard's column is for."""

    label: str
    hint: str = ""
    numeric: bool = False
    domain: tuple[float, float] | None = None
    role: Role = "other"


def numbers(*labels: str) -> tuple[Column, ...]:
    """Columns of numbers."""
    return tuple(Column(label, numeric=True) for label in labels)


@dataclass(frozen=True, slots=True)
class Span:
    """A row that is a heading across the whole table."""

    label: str


TableRow = tuple[Cell, ...] | Span


@dataclass(frozen=True, slots=True)
class Facet:
    """Something said of every row that is no heading, by which rows can be chosen."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """`rows` are tuples of cells, one per column, or a `Span`. A `leaderboard` can be filtered, and two runs chosen."""

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]
    caption: str = ""
    sortable: bool = False
    leaderboard: bool = False
    show_header: bool = True
    facets: tuple[Facet, ...] = ()
    aggregate: bool = False


@dataclass(frozen=True, slots=True)
class Plot:
    """Curves as a terminal draws them: points by the name of their curve, titles of the axes, a line to compare with."""

    curves: dict[str, list[tuple[float, float]]]
    x: str
    y: str
    line: float | None = None
    log: bool = False
    log_x: bool = False


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars as a terminal draws them: label, series and length."""

    rows: tuple[tuple[str, str, float], ...]
    title: str


@dataclass(frozen=True, slots=True)
class Spans:
    """Values with their intervals as a terminal draws them, a line each: label, value, low, high."""

    rows: tuple[tuple[str, float, float | None, float | None], ...]
    title: str
    digits: int = 4


@dataclass(frozen=True, slots=True)
class Shades:
    """A table of shares as a terminal draws it, the larger the darker; None is undefined."""

    names: tuple[str, ...]
    rows: tuple[tuple[float | None, ...], ...]
    title: str


@dataclass(frozen=True, slots=True)
class Differences:
    """Bars up and down from zero as a terminal draws them, one a name."""

    rows: tuple[tuple[str, float], ...]
    title: str


Drawing = Plot | Bars | Spans | Shades | Differences


@dataclass(frozen=True, slots=True)
class Chart:
    """A Vega-Lite specification whose data stand inline under `datasets`, with what a reader and a listener need.

    `drawing` is the same data for a terminal; a chart without one is told by its alternative text.
    """

    id: str
    title: str
    spec: Json
    caption: str
    alt: str
    drawing: Drawing | None = None
    aggregate: bool = False


@dataclass(frozen=True, slots=True)
class Panels:
    """Many charts of one kind, such as a plot per topic: a chooser on the page, small multiples on paper.

    Beside the chooser stands the alternative text of the chart it chose; their captions are this one's.
    """

    id: str
    title: str
    label: str
    names: tuple[str, ...]
    charts: Sequence[Chart]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph. `warning` stands out, `method` is small print."""

    body: str
    kind: Literal["plain", "warning", "method"] = "plain"
    aggregate: bool = False


Averaged = TypeVar("Averaged", Table, Chart, Note)


def averaged(block: Averaged) -> Averaged:
    """Declare that a block is made of averages over all topics and of what follows from them, so that it may be shown to
    those who must not learn the judgments (`reports/aggregate.py`).

    >>> averaged(Note("To be believed, two runs must differ by 0.05.")).aggregate
    True
    """
    return replace(block, aggregate=True)


@dataclass(frozen=True, slots=True)
class Pair:
    """What a statistical comparison found for runs number `a` and `b`: the difference a - b, its interval, and p."""

    a: int
    b: int
    difference: float
    low: float | None = None
    high: float | None = None
    p: float | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure's values: `topics[run][topic]`, the run's own value as aggregated by policy, each topic's median."""

    name: str
    runs: tuple[float | None, ...]
    topics: tuple[tuple[float | None, ...], ...]
    digits: int = 4
    pairs: tuple[Pair, ...] = ()
    pairs_caption: str = ""
    medians: tuple[float | None, ...] = ()
    higher_is_better: bool = True
    topic_digits: int = 4
    """Of values by topic; none where these are counts, whose median may still be half-way between two."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What it takes to set any two runs beside each other, topic by topic. `chart` draws topics and differences."""

    id: str
    title: str
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[Measure, ...]
    chart: Chart
    caption: str = ""
    unit: str = "topic"
    endings: tuple[str, ...] = ()
    """In which ways a question can end, in words."""
    outcomes: tuple[str, ...] = ()
    """Of each run, how every topic ended: a digit a topic, the place of its word among the `endings`."""


@dataclass(frozen=True, slots=True)
class Row:
    """Blocks side by side where there is room; `weights` are their relative widths."""

    blocks: tuple[Table | Chart, ...]
    weights: tuple[float, ...] = ()


Block = Table | Chart | Panels | Note | Comparison | Row


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """One run's pages: the header a participant received, then its sections.

    `standing` is where the run stands among the others, which a screen shows first; `previous` and `next` are the ids of the
    pages of its neighbours on the leaderboard.
    """

    id: str
    run: str
    sections: tuple[Section, ...]
    meta: tuple[tuple[str, str], ...] = ()
    standing: tuple[Section, ...] = ()
    previous: str | None = None
    next: str | None = None

    @property
    def address(self) -> str:
        return address("run", self.run)


def address(kind: str, *names: str) -> str:
    """Where a page is found: by name, so that it stays when others are added.

    >>> address("run", "bm25"), address("topic", "a/b c?"), address("compare", "x", "y")
    ('run/bm25', 'topic/a%2Fb%20c%3F', 'compare/x/y')
    """
    return "/".join([kind, *(quote(name, safe="", errors="replace") for name in names)])


@dataclass(frozen=True, slots=True)
class Grid:
    """Every run's value on every topic, for a heat map and for the topics' own pages.

    `order` are the positions of the runs from best to worst; `fields` say what the gold says of each topic; `table` is the way
    to the pages without a picture.
    """

    topics: tuple[str, ...]
    runs: tuple[str, ...]
    order: tuple[int, ...]
    measures: tuple[Measure, ...]
    fields: dict[str, tuple[str, ...]]
    table: Table
    unit: str = "topic"
    caption: str = ""

    def of(self, runs: Sequence[str]) -> Grid:
        """The same of some runs alone; medians stay those of all."""
        places = [self.runs.index(run) for run in runs]
        measures = tuple(
            replace(
                one,
                runs=tuple(one.runs[i] for i in places),
                topics=tuple(one.topics[i] for i in places),
                pairs=(),
                pairs_caption="",
            )
            for one in self.measures
        )
        order = sorted(range(len(places)), key=lambda i: self.order.index(places[i]))
        return replace(self, runs=tuple(runs), measures=measures, order=tuple(order))


class Returned(Protocol):
    """What runs returned, gathered when somebody asks: whether anything is known of topics, and of what runs returned; how many
    documents or answers there may be; and how many topics to ask for at once."""

    @property
    def known(self) -> bool: ...
    @property
    def returned(self) -> bool: ...
    @property
    def most(self) -> int: ...
    @property
    def batch(self) -> int: ...
    def of(self, topics: Sequence[str], runs: Sequence[str]) -> Sequence[TopicItems]: ...


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report."""

    title: str
    subtitle: str = ""
    meta: tuple[tuple[str, str], ...] = ()
    sections: tuple[Section, ...] = ()
    pages: tuple[Page, ...] = ()
    foot: str = ""
    items: Returned | None = None
    grid: Grid | None = None
    appendix: tuple[Section, ...] = ()
    """What a book ends with: the definitions of its measures."""
