"""The report of one team: its runs among all runs, compared with each other, and on each topic beside the median and the best run.

Other teams are not named unless the campaign is public: their runs stand on the board as another team's, with place and value alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from assay.analyses.brief_numbers import brief
from assay.analyses.campaign.result import RunPair
from assay.analyses.comparison.result import shown_p
from assay.analyses.marked_text import parts_of
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.charts.teams import team_topics
from assay.reports.model import (  # fmt: skip
    COMPARISON_ID,
    Block,
    Board,
    BoardRow,
    Cell,
    ComparisonBlock,
    Document,
    Grid,
    MeasureValues,
    Note,
    RunPage,
    Section,
    Span,
    Table,
    TableColumn,
    counted,
    numbers,
)
from assay.reports.pages.page_parts import DIGITS

ANOTHER = "another team"
"""The name of a run that the team may not know."""
MAX_BOARD_ROWS, FIRST_ROWS = 30, 10
"""On paper, a board of more runs shows the first ten and the team's own."""
LEVEL = 0.05
"""The level at which a report's pairs are tested."""
MAX_PAIRS = 28
"""Pairs of own runs in the table: those of eight runs; the chooser compares any two."""


def participant(document: Document, team_runs: Collection[str], *, named: bool = False) -> Document:
    """Return the pages of some runs, with the results of these runs alone on each topic.

    named   whether the team may know the names of the other runs
    """
    pages = tuple(_page(page, named) for page in document.pages if page.run in team_runs)
    grid = document.grid and document.grid.of([run for run in document.grid.runs if run in team_runs])
    return replace(document, sections=(), pages=pages, grid=grid, finding="", unnamed="", trust=(), next_steps=())


def _page(page: RunPage, named: bool) -> RunPage:
    return page if named or page.finding is None else replace(page, finding=page.finding.without_names())


def team_report(
    document: Document, team: str, runs: Sequence[str], *, files: Mapping[str, str] | None = None, named: bool = False,
    last: Section | None = None,
) -> Document:  # fmt: skip
    """Return the report of a team: as an index page of the files of its runs, or with their pages.

    document   the whole campaign's
    files      the file of each run's page, for an index page
    named      whether the team may know the names of the other runs
    last       a section at the end
    """
    own = participant(document, runs, named=named)
    links = {page.run: f"./{files[page.run]}" if files else page.id for page in own.pages}
    board = next(block for section in document.sections for block in section.blocks if isinstance(block, Board))
    ordered = [row.run for row in board.rows if row.run in runs]
    shown = _board(board, runs, links, named)
    block = _own_comparison(document, ordered)
    sections = [
        Section(
            "leaderboard-section",
            "Leaderboard",
            (shown if files or len(shown.rows) <= MAX_BOARD_ROWS else _few(shown),),
        ),
        _measures(document, runs, links),
        None if block is None else _compared(block, ordered, board.digits),
        _topics(document, ordered, links if files else {}),
        last,
    ]
    finding, unnamed = document.finding, document.unnamed
    others = {row.run for row in board.rows} - set(runs)
    best = next(page.finding for page in own.pages if page.run == ordered[0])
    first = best.text if best else ""
    return replace(
        own,
        title=f"{document.title}: results for {team}",
        meta=_meta(document, len(runs)),
        sections=tuple(section for section in sections if section is not None),
        # The page of a team's only run begins with the same sentence.
        pages=() if files else own.pages if len(runs) > 1 else tuple(replace(page, finding=None) for page in own.pages),
        items=None,
        grid=None,
        appendix=() if files else document.appendix,
        finding=first if len(board.rows) > 1 else finding,
        trust=tuple(
            filter(None, (finding, *document.trust) if named else (unnamed, *_unnamed_trust(document, others)))
        ),
    )


def _unnamed_trust(document: Document, others: Collection[str]) -> list[str]:
    """Return the sentences on trust that name none of the other runs."""

    def names_another(sentence: str) -> bool:
        return any(stands_out and part in others for part, stands_out in parts_of(sentence))

    return [sentence for sentence in document.trust if not names_another(sentence)]


def _meta(document: Document, own: int) -> tuple[tuple[str, str], ...]:
    return tuple((label, f"{own} of {value}" if label == "Runs" else value) for label, value in document.meta)


def _board(board: Board, runs: Collection[str], links: Mapping[str, str], named: bool) -> Board:
    rows = tuple(
        replace(row, own=True, link=links.get(row.run)) if row.run in runs else _other(row, named) for row in board.rows
    )
    return replace(board, rows=rows)


def _other(row: BoardRow, named: bool) -> BoardRow:
    """Return a run of another team: its place and its value, and its name and team if they are public."""
    hidden = replace(row, link=None, low=None, high=None, counts=(), failed=0)
    return hidden if named else replace(hidden, run=ANOTHER, beside="")


def _few(board: Board) -> Board:
    return replace(board, rows=tuple(row for place, row in enumerate(board.rows) if place < FIRST_ROWS or row.own))


def _measures(document: Document, runs: Collection[str], links: Mapping[str, str]) -> Section | None:
    """Return the table of the other measures with the team's runs alone."""
    table = next(
        (
            block
            for section in document.sections
            for block in section.blocks
            if isinstance(block, Table) and block.id == "measures"
        ),
        None,
    )
    if table is None:
        return None
    rows = tuple(
        (row[0].but(link=links.get(row[0].text)), *row[1:])
        for row in table.rows
        if not isinstance(row, Span) and row[0].text in runs
    )
    caption = table.caption.replace("Runs in order", "Your runs in order")
    return Section(
        "measures-section", "Measures", (replace(table, rows=rows, facets=(), of_runs=False, caption=caption),)
    )


def _topics(document: Document, runs: Sequence[str], links: Mapping[str, str]) -> Section | None:
    """Return the team's values on each topic, beside the median and the best of all runs."""
    grid = document.grid
    if grid is None:
        return None
    target = links.get(runs[0], "")
    outcomes = _outcomes_of(document, runs)
    if outcomes:
        return Section("topics-section", f"{grid.unit.capitalize()}s", (_outcome_table(grid, runs, target, *outcomes),))
    measure = grid.measures[0]
    order = sorted(range(len(grid.topics)), key=lambda t: _difficulty(measure, t))
    best = [_best(measure, t) for t in range(len(grid.topics))]
    own = [measure.topics[grid.runs.index(run)] for run in runs]
    rows = [(grid.topics[t], measure.medians[t], best[t], [values[t] for values in own]) for t in order]
    clauses = {page.run: page.finding.topics if page.finding else "" for page in document.pages}
    sentence = " ".join(
        _above(run, values, measure, grid.unit, clauses[run]) for run, values in zip(runs, own, strict=True)
    )
    caption = f"{in_words(measure.name)} of the team's runs on each {grid.unit}. {document.foot}"
    chart = team_topics("team-topics", runs, rows, measure.name, caption, sentence, grid.unit)
    columns = (TableColumn(grid.unit.capitalize()), *numbers(*runs, "Best", "Median"))
    cells = tuple(
        (
            model.text(topic, link=_topic_link(topic, target)),
            *(model.among(values[t], measure.topic_digits) for values in own),
            model.among(best[t], measure.topic_digits),
            model.among(measure.medians[t], measure.topic_digits),
        )
        for t, topic in enumerate(grid.topics)
    )
    text = f"{in_words(measure.name)} of your runs, and the best and the median of {counted(len(grid.runs), 'run')}. {document.foot}"
    table = Table("team-values", f"{in_words(measure.name)} by {grid.unit}", columns, cells, text, sortable=True)
    return Section("topics-section", f"{grid.unit.capitalize()}s", (Note(sentence), chart, table))


def _topic_link(topic: str, target: str) -> str:
    address = model.address("topic", topic)
    return f"{target}#{address}" if target else address


def _difficulty(measure: MeasureValues, topic: int) -> tuple[bool, float]:
    median = measure.medians[topic]
    return median is None, 0.0 if median is None else median if measure.higher_is_better else -median


def _best(measure: MeasureValues, topic: int) -> float | None:
    known = [value for values in measure.topics if (value := values[topic]) is not None]
    return None if not known else max(known) if measure.higher_is_better else min(known)


def _above(run: str, values: Sequence[float | None], measure: MeasureValues, unit: str, best: str) -> str:
    """Return on how many topics a run is above the median, and the clause of its finding that says where it is best."""
    sign = 1 if measure.higher_is_better else -1
    known = [
        (sign * value, sign * middle)
        for value, middle in zip(values, measure.medians, strict=True)
        if value is not None and middle is not None
    ]
    above = sum(value > middle for value, middle in known)
    text = f"{run} is above the median on {f'{above:,}' if above else 'none'} of {counted(len(known), unit)}"
    return f"{text} and {best}." if "best" in best else f"{text}."


def _outcomes_of(document: Document, runs: Sequence[str]) -> tuple[tuple[str, ...], list[str], list[int]] | None:
    """Return how questions can end, the team's outcomes, and how many runs are right on each question; None of other tasks."""
    for section in document.sections:
        for block in section.blocks:
            if isinstance(block, ComparisonBlock) and block.outcomes:
                by_run = dict(zip(block.runs, block.outcomes, strict=True))
                right = [column.count("0") for column in zip(*block.outcomes, strict=True)]
                return block.endings, [by_run[run] for run in runs], right
    return None


def _outcome_table(
    grid: Grid, runs: Sequence[str], target: str, endings: Sequence[str], own: Sequence[str], right: Sequence[int]
) -> Table:
    columns = (
        TableColumn(grid.unit.capitalize()), *(TableColumn(run) for run in runs),
        TableColumn("Runs that are right", f"of {counted(len(grid.runs), 'run')}", numeric=True),
    )  # fmt: skip
    rows = tuple(
        (
            model.text(topic, link=_topic_link(topic, target)),
            *(model.text(endings[int(outcomes[t])]) for outcomes in own),
            model.share(right[t], len(grid.runs), 0),
        )
        for t, topic in enumerate(grid.topics)
    )
    caption = f"How each {grid.unit} ended for your runs, and how many of all runs are right."
    return Table("team-values", f"Outcome by {grid.unit}", columns, rows, caption, sortable=True)


def _own_comparison(document: Document, runs: Sequence[str]) -> ComparisonBlock | None:
    """Return the comparison of the team's runs alone; None of one run."""
    block = next(
        (part for section in document.sections for part in section.blocks if isinstance(part, ComparisonBlock)), None
    )
    if block is None or len(runs) < 2:
        return None
    places = [block.runs.index(run) for run in runs]
    number = {place: i for i, place in enumerate(places)}
    measures = tuple(
        replace(
            measure,
            runs=tuple(measure.runs[i] for i in places),
            topics=tuple(measure.topics[i] for i in places) if measure.topics else (),
            pairs=[
                replace(pair, a=number[pair.a], b=number[pair.b])
                for pair in measure.pairs
                if pair.a in number and pair.b in number
            ],
        )
        for measure in block.measures
    )
    outcomes = tuple(block.outcomes[i] for i in places) if block.outcomes else ()
    return replace(block, runs=tuple(runs), measures=measures, outcomes=outcomes, first=(0, 1))


def _compared(block: ComparisonBlock, runs: Sequence[str], digits: int) -> Section:
    """Return the pairs of the team's runs by the first measure, and the chooser of any two."""
    measure = block.measures[0]
    pairs = {frozenset((pair.a, pair.b)): pair for pair in measure.pairs}
    rows: list[tuple[Cell, ...]] = []
    for a, b in list(combinations(range(len(runs)), 2))[:MAX_PAIRS]:
        if pair := pairs.get(frozenset((a, b))):
            rows.append(_pair_row(pair if pair.a == a else _turned(pair), measure, runs))
    if not rows:
        return Section(COMPARISON_ID, "Your runs compared", (block,))
    columns = (
        TableColumn("Better run"), TableColumn("Other run"), *numbers("Difference", "Interval", "p"), TableColumn("Finding"),
    )  # fmt: skip
    table = Table(
        "own-pairs",
        f"{in_words(measure.name)}: every two of your runs",
        columns,
        tuple(rows),
        measure.pairs_caption,
        aggregate=True,
    )
    first = pairs.get(frozenset((0, 1)))
    blocks: list[Block] = (
        [Note(_pair_sentence(first if first.a == 0 else _turned(first), measure, runs, digits))] if first else []
    )
    return Section(COMPARISON_ID, "Your runs compared", (*blocks, table, block))


def _turned(pair: RunPair) -> RunPair:
    low, high = (None if end is None else -end for end in (pair.high, pair.low))
    return RunPair(pair.b, pair.a, -pair.difference, low, high, pair.p)


def _significant(pair: RunPair) -> bool:
    return pair.p is not None and pair.p <= LEVEL


def _pair_row(pair: RunPair, measure: MeasureValues, runs: Sequence[str]) -> tuple[Cell, ...]:
    ends = ""
    if pair.low is not None and pair.high is not None:
        ends = model.interval(pair.difference, pair.low, pair.high, DIGITS, signed=True).range_text
    said = "significant" if _significant(pair) else "not tested" if pair.p is None else "cannot be told apart"
    return (
        model.text(runs[pair.a]), model.text(runs[pair.b]), model.number(pair.difference, DIGITS, signed=True),
        model.text(ends), model.number(pair.p), model.text(said),
    )  # fmt: skip


def _pair_sentence(pair: RunPair, measure: MeasureValues, runs: Sequence[str], digits: int) -> str:
    size = f"{brief(abs(pair.difference), max(digits - 1, 0))} {in_words(measure.name)}"
    if pair.p is None:
        return f"{runs[pair.a]} and {runs[pair.b]} differ by {size} and were not tested."
    if not _significant(pair):
        return f"{runs[pair.a]} and {runs[pair.b]} differ by {size} (p {shown_p(pair.p)}) and cannot be told apart."
    better, other = (pair.a, pair.b) if (pair.difference > 0) == measure.higher_is_better else (pair.b, pair.a)
    return f"{runs[better]} beats {runs[other]} by {size} (p {shown_p(pair.p)})."
