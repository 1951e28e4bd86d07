"""The report as plain data: no file, no markup, no arithmetic.

    Document
     ├─ sections: Section …           the campaign's pages
     ├─ pages: RunPage                one per run
     │   └─ sections: Section
     │       └─ blocks: Table | Chart | Panels | Note | BlockRow | ComparisonBlock
     ├─ items: Returned               what every run returned on each topic, read on request
     └─ grid: Grid                    every run's value on every topic

Sections are made by `reports.pages`, and drawn by `html`, `pdf` and `text`, which turn the same cells into the same digits
because the digits are decided once, in `Cell.text`. A page writes its cells as `model.number(0.25)`, which is declared in
`cells`; what a terminal draws of a chart is in `terminal_charts`.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, Protocol, TypeVar
from urllib.parse import quote

from assay.reports.cells import (  # noqa: F401 - a page says model.number
    NOT_AVAILABLE,
    Cell,
    among,
    cell,
    count,
    counted,
    interval,
    missing,
    number,
    percent,
    share,
    text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.campaign.result import RunPair
    from assay.figures.items.model import TopicItems
    from assay.reports.terminal_charts import TerminalChart

Role = Literal["place", "run", "value", "tier", "other"]
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A heading; `hint` explains it on hover and to screen readers; `domain` scales interval drawings in its cells; `role`
    is what a leaderboard's column is for."""

    label: str
    hint: str = ""
    numeric: bool = False
    domain: tuple[float, float] | None = None
    role: Role = "other"


def numbers(*labels: str) -> tuple[TableColumn, ...]:
    """Return columns of numbers."""
    return tuple(TableColumn(label, numeric=True) for label in labels)


@dataclass(frozen=True, slots=True)
class Span:
    """A row that is a heading across the whole table."""

    label: str


TableRow = tuple[Cell, ...] | Span


@dataclass(frozen=True, slots=True)
class Facet:
    """A property of every row by which rows can be chosen."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """`rows` are tuples of cells, one per column, or a `Span`. A `leaderboard` can be filtered, and two runs chosen."""

    id: str
    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    caption: str = ""
    sortable: bool = False
    leaderboard: bool = False
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
class Panels:
    """Many charts of one kind, such as a plot per topic: a chooser on the page, small multiples on paper.

    The chooser shows the alternative text of the chosen chart; the charts have no captions of their own. Where all charts have one
    specification, `by_column` gives each one's id, alternative text and data by column (`page_data.columns`) without making it.
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
    """A paragraph. `warning` stands out, `method` is small print."""

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
    """One measure's values: `topics[run][topic]`, the run's own value as aggregated by policy, each topic's median."""

    name: str
    runs: tuple[float | None, ...]
    topics: tuple[tuple[float | None, ...], ...]
    digits: int = 4
    pairs: Sequence[RunPair] = ()
    pairs_caption: str = ""
    medians: tuple[float | None, ...] = ()
    higher_is_better: bool = True
    topic_digits: int = 4
    """Of values by topic; none where these are counts, whose median may still be half-way between two."""


@dataclass(frozen=True, slots=True)
class ComparisonBlock:
    """The data to compare any two runs topic by topic. `chart` draws topics and differences."""

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


Block = Table | Chart | Panels | Note | ComparisonBlock | BlockRow


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class RunPage:
    """One run's pages: the header a participant received, then its sections.

    `standing` shows the run's place among the others, first on a screen; `previous` and `next` are the ids of the
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


@lru_cache(1 << 14)
def address(kind: str, *names: str) -> str:
    """Return the address of a page, by name, so that it stays when others are added.

    >>> address("run", "bm25"), address("topic", "a/b c?"), address("compare", "x", "y")
    ('run/bm25', 'topic/a%2Fb%20c%3F', 'compare/x/y')
    """
    return "/".join([kind, *(quote(name, safe="", errors="replace") for name in names)])


@dataclass(frozen=True, slots=True)
class Grid:
    """Every run's value on every topic, for a heat map and for the topics' own pages.

    `order` are the positions of the runs from best to worst; `fields` are the gold's for each topic; `table` links to
    the topics' pages.
    """

    topics: tuple[str, ...]
    runs: tuple[str, ...]
    order: tuple[int, ...]
    measures: tuple[MeasureValues, ...]
    fields: dict[str, tuple[str, ...]]
    table: Table
    unit: str = "topic"
    caption: str = ""

    def of(self, runs: Sequence[str]) -> Grid:
        """Return the grid of some runs; medians stay those of all."""
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
        return replace(self, runs=tuple(runs), measures=measures, order=tuple(order))


class Returned(Protocol):
    """What runs returned, read on request: whether topics and results are known, the upper bound on documents or answers, and
    how many topics to request at once."""

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
    pages: tuple[RunPage, ...] = ()
    foot: str = ""
    items: Returned | None = None
    grid: Grid | None = None
    appendix: tuple[Section, ...] = ()
    """The end of a book: the definitions of its measures."""
