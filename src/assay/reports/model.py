"""The report as plain data: no file, no markup, no arithmetic.

    Document
     ├─ finding, trust                the first sentence, and how far to trust it
     ├─ sections: Section …           the campaign's pages
     ├─ pages: RunPage                one per run
     │   └─ sections: Section
     │       └─ blocks: Table | Board | Chart | Panels | Note | BlockRow | ComparisonBlock
     ├─ items: ReportItems            the results of every run on each topic, read on request
     └─ grid: Grid                    every run's value on every topic

Sections are made by `reports.pages`, and drawn by `html`, `pdf` and `text`, which turn the same cells into the same digits
because the digits are decided once, in `Cell.text`. A page writes its cells as `model.number(0.25)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, TypeVar
from urllib.parse import quote

import msgspec

from assay.analyses.brief_numbers import brief
from assay.analyses.marked_text import parts_of
from assay.errors import counted as counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.campaign.result import NextStep, RunFinding, RunPair
    from assay.reports.terminal_charts import TerminalChart
    from assay.reports.topic_items import ReportItems

Kind = Literal["text", "number", "count", "percent", "share", "interval", "missing"]

NOT_AVAILABLE = "n/a"


class Cell(msgspec.Struct, frozen=True, gc=False):  # made in C: a report has half a million
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
    bare: bool = False
    """Whether a number is shown without a leading zero."""

    def but(self, **changes: Any) -> Cell:
        """Return a copy with some fields changed."""
        return msgspec.structs.replace(self, **changes)

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
        return brief(value, self.digits) if self.bare else _fixed(value, self.digits, self.signed)

    @property
    def range_text(self) -> str:
        """The interval's ends, `[0.2101, 0.2557]`; empty where there are none."""
        if self.low is None or self.high is None:
            return ""
        if self.bare:
            return f"[{brief(self.low, self.digits)}, {brief(self.high, self.digits)}]"
        return f"[{_fixed(self.low, self.digits, self.signed)}, {_fixed(self.high, self.digits, self.signed)}]"

    @property
    def whole_text(self) -> str:
        """The value, followed by its interval if it has one."""
        return f"{self.text} {self.range_text}" if self.range_text else self.text

    @property
    def numeric(self) -> bool:
        return self.kind != "text"


def _fixed(value: float, digits: int, signed: bool = False) -> str:
    shown = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    # A difference that rounds to zero has no sign.
    return shown.lstrip("+-") if not shown.strip("+-0.") else shown


def cell(value: str | float | int | None, *, best: bool = False) -> Cell:
    """Return the cell of a value of any kind."""
    if value is None or value != value:
        return missing()
    kind: Kind = "text" if isinstance(value, str) else "count" if isinstance(value, int) else "number"
    return Cell(kind, value, best=best)


def cells(*values: str | float | int | None) -> tuple[Cell, ...]:
    """Return a row of values: text, counts, and numbers of four digits.

    >>> [cell.text for cell in cells("bm25", 50, 0.23294, None)]
    ['bm25', '50', '0.2329', 'n/a']
    """
    return tuple(map(cell, values))


def text(value: object, *, link: str | None = None, hint: str = "", tag: str = "") -> Cell:
    """Return a cell of text; `link` is the id of a page or an address, `tag` a word shown beside it."""
    return Cell("text", str(value), link=link, hint=hint, tag=tag)


def number(value: float | None, digits: int = 4, *, signed: bool = False, hint: str = "") -> Cell:
    if value is None or value != value:
        return missing(hint)
    return Cell("number", value, digits, signed, hint=hint)


def count(value: int | None, *, signed: bool = False, hint: str = "") -> Cell:
    return missing(hint) if value is None else Cell("count", value, 0, signed, hint=hint)


def among(value: float | None, digits: int, *, signed: bool = False) -> Cell:
    """Return a value or a median: that of counts may be half-way between two.

    >>> among(92, 0).text, among(92.5, 0).text, among(0.25, 4).text
    ('92', '92.5', '0.2500')
    """
    return number(value, 1 if digits == 0 and value is not None and value % 1 else digits, signed=signed)


def percent(value: float | None, digits: int = 1, *, signed: bool = False, hint: str = "") -> Cell:
    """Return a proportion, shown as a percentage."""
    return missing(hint) if value is None else Cell("percent", value, digits, signed, hint=hint)


def share(part: int | None, whole: int, digits: int = 1, *, hint: str = "") -> Cell:
    """Return a count with its percentage of `whole`, as the reports of TREC print them: `152 (30.9%)`."""
    return missing(hint) if part is None else Cell("share", part, digits, whole=whole, hint=hint)


def interval(
    value: float | None, low: float | None, high: float | None, digits: int = 4, *, signed: bool = False, hint: str = ""
) -> Cell:
    """Return a value with the ends of its confidence interval."""
    return missing(hint) if value is None else Cell("interval", value, digits, signed, low=low, high=high, hint=hint)


def missing(hint: str = "") -> Cell:
    """Return the cell of an undefined value: `n/a`, never 0."""
    return Cell("missing", None, hint=hint)


Json = dict[str, Any]
GRID_ID, COMPARISON_ID = "topics-section", "comparison-section"
TRUST_ID = "trust"
"""The ids of the sections with the heat map and with the comparison of two runs."""
OPENING_IDS = ("leaderboard-section", "suite-section", "measures-section", "groups-section", "cost-section")
"""The ids of the sections before the heat map."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A heading; `hint` explains it on hover and to screen readers, `domain` scales intervals drawn in its cells."""

    label: str
    hint: str = ""
    numeric: bool = False
    domain: tuple[float, float] | None = None


def numbers(*labels: str) -> tuple[TableColumn, ...]:
    """Return columns of numbers."""
    return tuple(TableColumn(label, numeric=True) for label in labels)


@dataclass(frozen=True, slots=True)
class Span:
    """A heading across the whole table."""

    label: str


TableRow = tuple[Cell, ...] | Span


@dataclass(frozen=True, slots=True)
class Facet:
    """A property of every row by which rows can be filtered."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """`rows` are tuples of cells, one per column, or a `Span`. A table `of_runs` can be filtered, and two runs chosen."""

    id: str
    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    caption: str = ""
    sortable: bool = False
    of_runs: bool = False
    show_header: bool = True
    facets: tuple[Facet, ...] = ()
    aggregate: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A Vega-Lite specification with inline data under `datasets`, its caption and its alternative text.

    `drawing` is the same data for a terminal; a chart without one shows its alternative text.
    """

    id: str
    title: str
    spec: Json
    caption: str
    alt: str
    drawing: TerminalChart | None = None
    aggregate: bool = False


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A run of a `Board`; texts are empty where there is nothing to show."""

    run: str
    link: str | None
    value: float | None
    low: float | None
    high: float | None
    rank: str
    tier: str
    leads: bool
    """Whether it is the leader or cannot be told from it: its mark is filled."""
    perhaps: bool = False
    """Whether another seed could have decided this otherwise."""
    own: bool = False
    """Whether it is a run of the reader's."""
    beside: str = ""
    """Its team, in small print beside its name."""
    counts: tuple[int, ...] = ()
    """How many answers ended in each of the board's `endings`."""
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Board:
    """The leaderboard as one picture: a row per run with its rank, its interval on a common scale, and its value."""

    id: str
    measure: str
    direction: str
    """What is better, in words; empty where neither is."""
    rows: tuple[BoardRow, ...]
    ticks: tuple[float, ...]
    digits: int
    interval: str
    """The heading of the intervals, such as 95% interval; empty where there are none."""
    ranked: bool
    """Whether ranks are intervals, and not places."""
    endings: tuple[str, ...] = ()
    """How answers end: right, partial, wrong, declined; the board draws a bar of them."""
    alt: str = ""
    significant_lead: float | None = None
    """The lead from which every difference is significant, drawn as the scale of the picture."""
    excluded: bool = False
    """Whether values are over fewer topics than the bars count."""
    unit: str = "topic"
    aggregate: bool = True

    @property
    def domain(self) -> tuple[float, float]:
        """The ends of the scale."""
        known = [*self.ticks, *(end for row in self.rows for end in (row.value, row.low, row.high) if end is not None)]
        return (min(known), max(known)) if known else (0.0, 1.0)

    def place(self, value: float | None) -> float | None:
        """Return where a value lies on the scale, from 0 to 1; in the middle where the scale has one value."""
        low, high = self.domain
        return None if value is None else (value - low) / (high - low) if high > low else 0.5

    def value_text(self, row: BoardRow) -> str:
        """Return a run's value as it is shown."""
        return NOT_AVAILABLE if row.value is None else brief(row.value, self.digits)

    def interval_text(self, row: BoardRow) -> str:
        """Return the ends of a run's interval with one digit less than its value, as its standard error has two."""
        if row.low is None or row.high is None:
            return ""
        digits = max(self.digits - 1, 0)
        dash = "–" if row.low >= 0 else " to "
        return f"{brief(row.low, digits)}{dash}{brief(row.high, digits)}"


@dataclass(frozen=True, slots=True)
class Panels:
    """Many charts of one kind, such as a plot per topic: a chooser on the page, small multiples in the PDF.

    The chooser shows the alternative text of the chosen chart; the charts have no captions. If all charts have the same
    specification, `by_column` yields id, alternative text and data by column (`page_data.columns`) without drawing them.
    """

    id: str
    title: str
    label: str
    names: tuple[str, ...]
    charts: Sequence[Chart]
    caption: str = ""
    by_column: Callable[[], Iterable[tuple[str, str, Json]]] | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph: plain, a highlighted warning, or small print on the method."""

    body: str
    kind: Literal["plain", "warning", "method"] = "plain"
    aggregate: bool = False


Averaged = TypeVar("Averaged", Table, Chart, Note)


def averaged(block: Averaged) -> Averaged:
    """Declare that a block depends on averages over all topics alone, so that it reveals no judgments (`reports/aggregate.py`).

    >>> averaged(Note("To be believed, two runs must differ by 0.05.")).aggregate
    True
    """
    return replace(block, aggregate=True)


@dataclass(frozen=True, slots=True)
class MeasureValues:
    """One measure's values: `topics[run][topic]`, the average of each run, the median of each topic."""

    name: str
    runs: tuple[float | None, ...]
    topics: tuple[tuple[float | None, ...], ...]
    digits: int = 4
    pairs: Sequence[RunPair] = ()
    pairs_caption: str = ""
    medians: tuple[float | None, ...] = ()
    higher_is_better: bool = True
    topic_digits: int = 4
    """Digits of values by topic; 0 for counts, whose median may still be half-way between two."""


@dataclass(frozen=True, slots=True)
class ComparisonBlock:
    """The data to compare any two runs topic by topic; `chart` draws the differences."""

    id: str
    title: str
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[MeasureValues, ...]
    chart: Chart
    caption: str = ""
    unit: str = "topic"
    endings: tuple[str, ...] = ()
    """The ways a question can end."""
    outcomes: tuple[str, ...] = ()
    """For each run, a digit per topic: the index of its ending."""
    first: tuple[int, int] = (0, 1)
    """The runs that are compared first: the best two."""


@dataclass(frozen=True, slots=True)
class BlockRow:
    """Blocks side by side where there is room; `weights` are their relative widths."""

    blocks: tuple[Table | Chart, ...]
    weights: tuple[float, ...] = ()

    @property
    def style(self) -> str:
        """The CSS classes of a row: how many blocks it has, and whether the first of two is the wider one.

        >>> BlockRow((), (1.4, 1.0)).style
        'row of-0 wide-first'
        """
        wide = len(self.weights) == 2 and self.weights[0] > self.weights[1]
        return f"row of-{len(self.blocks)}{' wide-first' if wide else ''}"


Block = Table | Board | Chart | Panels | Note | ComparisonBlock | BlockRow


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter; `doubt` marks those that say how far the numbers can be trusted, which a page folds away."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    doubt: bool = False


@dataclass(frozen=True, slots=True)
class RunPage:
    """One run's page: its header and its sections.

    `finding` is its first sentence; `standing` shows the run's place among the others; `previous` and `next` are the ids of the
    pages of its neighbours on the leaderboard.
    """

    id: str
    run: str
    sections: tuple[Section, ...]
    meta: tuple[tuple[str, str], ...] = ()
    standing: tuple[Section, ...] = ()
    previous: str | None = None
    next: str | None = None
    finding: RunFinding | None = None

    @property
    def address(self) -> str:
        return address("run", self.run)


def href(link: str) -> str:
    """Return where a link leads: to a file beside the page, or to a place in the page.

    >>> href("./hybrid.html"), href("run/hybrid")
    ('./hybrid.html', '#run/hybrid')
    """
    return link if link.startswith("./") else f"#{link}"


def target_of(link: str | None, addresses: Mapping[str, str]) -> str | None:
    """Return what a link leads to: a file as it is, the address of a page, or None where there is no such page."""
    return link if link is not None and link.startswith("./") else addresses.get(link or "")


@lru_cache(1 << 14)
def address(kind: str, *names: str) -> str:
    """Return the address of a page, by name, so that it does not change when pages are added.

    >>> address("run", "bm25"), address("topic", "a/b c?"), address("compare", "x", "y")
    ('run/bm25', 'topic/a%2Fb%20c%3F', 'compare/x/y')
    """
    return "/".join([kind, *(quote(name, safe="", errors="replace") for name in names)])


@dataclass(frozen=True, slots=True)
class Grid:
    """Every run's value on every topic, for the heat map and the topics' pages.

    `order` has the positions of the runs from best to worst, `fields` the gold's fields for each topic; `table` links to the
    topics' pages.
    """

    topics: tuple[str, ...]
    runs: tuple[str, ...]
    order: tuple[int, ...]
    measures: tuple[MeasureValues, ...]
    fields: dict[str, tuple[str, ...]]
    table: Table
    unit: str = "topic"
    caption: str = ""
    finding: str = ""
    """Which runs are best on how many topics."""

    @property
    def title(self) -> str:
        return f"{self.unit.capitalize()} by {self.unit}"

    def of(self, runs: Sequence[str]) -> Grid:
        """Return the grid of some runs; medians remain those of all."""
        places = [self.runs.index(run) for run in runs]
        measures = tuple(
            replace(
                measure,
                runs=tuple(measure.runs[i] for i in places),
                topics=tuple(measure.topics[i] for i in places),
                pairs=(),
                pairs_caption="",
            )
            for measure in self.measures
        )
        order = sorted(range(len(places)), key=lambda i: self.order.index(places[i]))
        return replace(self, runs=tuple(runs), measures=measures, order=tuple(order), finding="")


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report."""

    title: str
    subtitle: str = ""
    meta: tuple[tuple[str, str], ...] = ()
    sections: tuple[Section, ...] = ()
    pages: tuple[RunPage, ...] = ()
    foot: str = ""
    items: ReportItems | None = None
    grid: Grid | None = None
    appendix: tuple[Section, ...] = ()
    """The end of a book: the definitions of its measures."""
    finding: str = ""
    """The first sentence: who leads, and who cannot be told apart from the leader."""
    unnamed: str = ""
    """The finding without the names of runs, for a team that must not see them."""
    home: str = ""
    """A file beside the page that leads to the other pages of its package."""
    titles: Mapping[str, str] = field(default_factory=dict[str, str])
    """Titles by topic id."""
    trust: tuple[str, ...] = ()
    """How far to trust it: which leads are significant, what is excluded."""
    next_steps: tuple[NextStep, ...] = ()
    """What to open after the first screen."""
    rules: tuple[str, ...] = ()
    """How intervals, tiers and ranks were made."""

    @property
    def finding_parts(self) -> list[tuple[str, bool]]:
        """The finding in parts, each with whether it is the name of a run."""
        return list(parts_of(self.finding))

    def page_finding_parts(self, page: RunPage) -> list[tuple[str, bool]]:
        """The same of the finding of a run's page."""
        return [] if page.finding is None else list(parts_of(page.finding.text))

    @property
    def labels(self) -> dict[str, str]:
        """Text next to a link, by link: the title of a topic, the team of a run."""
        rows = [
            row
            for section in self.sections
            for block in section.blocks
            if isinstance(block, Board)
            for row in block.rows
        ]
        # The table of measures marks baselines itself.
        teams = {row.link: row.beside.removesuffix("baseline").removesuffix(", ") for row in rows if row.link}
        return {
            **{link: team for link, team in teams.items() if team},
            **{address("topic", topic): title for topic, title in self.titles.items()},
        }

    @property
    def grid_position(self) -> int:
        """The position of the heat map among the sections: after the leaderboard and the measures."""
        return max((place for place, section in enumerate(self.sections, 1) if section.id in OPENING_IDS), default=0)
