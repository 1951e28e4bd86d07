"""Parts that pages share: headers, tables of facts, tables by topic, graphs against the median."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from assay.figures.common import AgainstMedian, natural
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.model import (
    Block,
    Cell,
    Chart,
    Note,
    RunPage,
    Section,
    Table,
    TableColumn,
    TableRow,
    averaged,
    counted,
    numbers,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.campaign.result import CampaignResults, MeasureResults

Item = TypeVar("Item")

DIGITS = 3
"""Digits of means in the reports of TREC's tracks."""
MAX_COLOURED_RUNS = 6
MAX_COLUMNS = 9
"""Measures side by side on a page; further ones are in tables below."""


def page_id(position: int) -> str:
    """Return the id of a run's page, a number because a name may have any character."""
    return f"run-{position + 1}"


def page_of(campaign: CampaignResults, position: int, blocks: Sequence[Block], *more: Section) -> RunPage:
    """Return a participant's page: header, evaluation report, then further sections."""
    prefix, run = page_id(position), campaign.runs[position]
    summary = Section(f"{prefix}-summary", "Evaluation report", tuple(blocks))
    return RunPage(prefix, run, (summary, *more), _header(campaign, run))


def _header(campaign: CampaignResults, run: str) -> tuple[tuple[str, str], ...]:
    """Return the header of a run's page: task and organisation first, as TREC printed them, then other characteristics."""
    from assay.figures.run_groups import TEAM

    described = campaign.characteristics.get(run, {})
    organisation = next((described[name] for name in TEAM if described.get(name)), "")
    first = ("Task", described.get("task") or campaign.task), ("Organisation", organisation)
    return (*((label, value) for label, value in first if value), *traits(campaign, run))


def traits(campaign: CampaignResults, run: str) -> tuple[tuple[str, str], ...]:
    """Return the characteristics of a run without its task and organisation."""
    from assay.figures.run_groups import TEAM

    described = campaign.characteristics.get(run, {})
    organisation = next((name for name in TEAM if described.get(name)), "")
    shown = {name: value for name, value in described.items() if value and name not in ("task", organisation)}
    return tuple((in_title(name), value) for name, value in shown.items())


def describe_run(campaign: CampaignResults, run: str) -> str:
    """Return the traits of a run in one line."""
    return ", ".join(f"{label[:1].lower()}{label[1:]}: {value}" for label, value in traits(campaign, run))


def in_title(trait: str) -> str:
    """Return a characteristic as a heading; abbreviations keep their capitals.

    >>> in_title("run_type"), in_title("TREC_task")
    ('Run type', 'TREC task')
    """
    words = trait.replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}"


def topic_section(campaign: CampaignResults, position: int, *blocks: Block) -> Section:
    """Return the section of a run's page that lists its topics."""
    noun = campaign.unit
    return Section(f"{page_id(position)}-topics", f"{noun.capitalize()} by {noun}", blocks)


def facts(
    id: str, rows: Iterable[tuple[str, Cell] | model.Span], caption: str, title: str = "Summary statistics"
) -> Table:
    """Return a table of labels and values without a heading."""
    cells: tuple[TableRow, ...] = tuple(
        row if isinstance(row, model.Span) else (model.text(row[0]), row[1]) for row in rows
    )
    return Table(id, title, (TableColumn(""), TableColumn("", numeric=True)), cells, caption, show_header=False)


def split_columns(measures: Sequence[Item], beside: int = 0) -> list[tuple[int, Sequence[Item]]]:
    """Split the measures into groups that fit side by side, numbered from 1.

    `beside` is the number of further columns after the one that names the row.
    """
    most = MAX_COLUMNS - beside
    return [(start // most + 1, measures[start : start + most]) for start in range(0, len(measures), most)]


def topic_cell(topic: str) -> Cell:
    """Return a topic's name, linked to its page."""
    return model.text(topic, link=model.address("topic", topic))


def topic_table(
    campaign: CampaignResults,
    id: str,
    title: str,
    columns: Iterable[TableColumn],
    rows: Iterable[tuple[Cell, ...]],
    caption: str,
) -> Table:
    """Return a table with a row per topic, in natural order; its first cells are topics and become links."""
    linked = ((row[0].but(link=model.address("topic", row[0].text)), *row[1:]) for row in rows)
    ordered = tuple(sorted(linked, key=lambda row: natural(row[0].text)))
    heads = (TableColumn(campaign.unit.capitalize()), *columns)
    return Table(id, title, heads, ordered, f"{caption} {campaign.method}", sortable=True)


def against_median(
    id: str, campaign: CampaignResults, run: str, graph: AgainstMedian, measure: str = "", peers: str = "", title: str = ""
) -> Chart:  # fmt: skip
    """Return a bar chart of a run's value on each topic minus the median of its peers."""
    from assay.reports.charts.tracks import difference_from_median

    topics = campaign.topics
    name = measure or in_words(graph.measure)
    capitalised = f"{measure[:1].upper()}{measure[1:]}" or name
    rows = zip(topics, graph.values, graph.medians, graph.differences, strict=True)
    others = peers or counted(len(campaign.runs), "run")
    return difference_from_median(
        id,
        sorted(rows, key=lambda row: natural(row[0])),
        name,
        f"{capitalised} of {run} on each {campaign.unit} minus the median of {others} on it. {campaign.method}",
        f"Bars per {campaign.unit}: {run} is above the median on {graph.above} of {len(topics)}.",
        title or f"{capitalised} against the median",
        campaign.unit,
        next((m.higher_is_better for m in campaign.measures if m.name == graph.measure), None),
    )


def coloured_runs(campaign: CampaignResults) -> tuple[list[str], str]:
    """Return the first runs, which a chart of all runs draws in colour, and what its caption says of them."""
    named = [campaign.runs[i] for i in campaign.order[:MAX_COLOURED_RUNS]]
    if len(campaign.order) == 1:
        return named, named[0]
    return named, f"the first {len(named)} by {in_words(campaign.measures[0].name)} in colour"


def beside_medians(names: Sequence[str]) -> list[TableColumn]:
    """Return three columns for each measure: value, median, difference."""
    return [head for name in names for head in numbers(f"{name[:1].upper()}{name[1:]}", "Median", "Difference")]


def median_cells(graphs: Sequence[AgainstMedian], topic: int) -> tuple[Cell, ...]:
    """Return the cells of these columns for one topic."""
    return tuple(
        cell
        for graph in graphs
        for cell in (
            model.number(graph.values[topic]),
            model.number(graph.medians[topic]),
            model.number(graph.differences[topic], signed=True),
        )
    )


def measure_table(campaign: CampaignResults, position: int, measures: Iterable[MeasureResults]) -> Table:
    """Return a table of a run's value by each measure."""
    rows = tuple((measure_cell(measure), value_cell(measure, position)) for measure in measures)
    caption = f"Values of {campaign.runs[position]}. {campaign.method}"
    heads = TableColumn("Measure"), *numbers("Value")
    return averaged(Table(f"{page_id(position)}-measures", "Measures", heads, rows, caption))


def question_page(
    campaign: CampaignResults, position: int, means: Iterable[tuple[str, Cell]], graphs: Iterable[AgainstMedian],
    names: Mapping[str, str], by_question: Table,
) -> RunPage:  # fmt: skip
    """Return a page of means, a graph of each measure against the median if there are several runs, and every question."""
    run, prefix = campaign.runs[position], page_id(position)
    blocks: list[Block] = [facts(f"{prefix}-table", means, f"Means of {run} over the questions. {campaign.method}")]
    if len(campaign.runs) > 1:
        blocks += [
            against_median(f"{prefix}-median-{graph.measure}", campaign, run, graph, names[graph.measure])
            for graph in graphs
        ]
    return page_of(campaign, position, blocks, topic_section(campaign, position, by_question))


def interval_domain(cells: Iterable[Cell]) -> tuple[float, float] | None:
    """Return the lowest and the highest end of the intervals; None if there are no two different ends."""
    ends = {end for cell in cells for end in (cell.low, cell.high) if end is not None}
    return (min(ends), max(ends)) if len(ends) > 1 else None


def as_note(text: str) -> Note:
    """Return a remark as a note: capitalised, with a full stop."""
    return Note(f"{text[:1].upper()}{text[1:]}.")


def heading(measure: MeasureResults) -> TableColumn:
    """Return a measure's column."""
    return TableColumn(in_words(measure.name), hint_of(measure), numeric=True)


def hint_of(measure: MeasureResults) -> str:
    """Return what a measure is; its name as code first, where a heading has words instead."""
    code = "" if in_words(measure.name) == measure.name else measure.name
    return ": ".join(filter(None, (code, measure.hint)))


def measure_cell(measure: MeasureResults) -> Cell:
    """Return the name of a measure, with its hint."""
    return model.text(in_words(measure.name), hint=hint_of(measure))


def value_cell(measure: MeasureResults, position: int) -> Cell:
    """Return a run's value, with its interval or percentage where it has one."""
    value = measure.values[position]
    if measure.intervals and measure.intervals[position] is not None:
        return model.interval(value, *measure.ends(position), measure.run_digits)
    if measure.totals and isinstance(value, int):
        return model.share(value, measure.totals[position])
    return model.count(value) if isinstance(value, int) else model.number(value, measure.run_digits)


def rank_cell(rank: int | None) -> Cell:
    """Return a rank, or "not found", which is a result and not an undefined value."""
    return Cell("missing", "not found") if rank is None else model.count(rank)
