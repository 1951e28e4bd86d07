"""Pages of suites: a leaderboard with a column per task, values by field, and comparisons by group."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.analyses.campaign.result import CampaignResults
from assay.analyses.comparison.by_group import Comparisons
from assay.analyses.comparison.sentences import made_by
from assay.analyses.suites.result import Suite, SuiteRun
from assay.figures.measure_names import in_words
from assay.figures.outcomes import FieldMatrix
from assay.reports import model
from assay.reports.model import Block, Cell, Note, Section, Span, Table, TableColumn, counted, numbers
from assay.reports.pages import comparison
from assay.reports.pages.page_parts import DIGITS, page_id, split_columns
from assay.table.best_runs import best_place

MAX_TASK_COLUMNS = 9
"""Tasks shown as columns; more tasks are rows, and the runs columns."""
MAX_MATRIX_ROWS = 500
"""Rows of a matrix in a report."""


def sections(result: Suite, links: Mapping[str, str] | None = None) -> list[Section]:
    """Return the leaderboard with its means; `links` are the pages of the runs."""
    notes = [Note(f"{note}.") for note in result.notes]
    tables = _transposed(result) if len(result.tasks) > MAX_TASK_COLUMNS else [_board(result, links or {})]
    return [Section(f"suite-{result.measure}", "", (*tables, *notes))]


def report_section(result: Suite, campaign: CampaignResults) -> Section:
    """Return the first section of a report, each run linked to its page."""
    links = {run: page_id(place) for place, run in enumerate(campaign.runs)}
    blocks = list(sections(_plain(result), links)[0].blocks)
    last = max(place for place, block in enumerate(blocks) if isinstance(block, Table))
    table = blocks[last]
    assert isinstance(table, Table)
    own = ""
    if campaign.board is not None and campaign.board.topics < len(campaign.topics):
        own = f" Means here are over all {campaign.unit}s of a run; the leaderboard's are over those that no run lacks."
    blocks[last] = replace(table, caption=f"{table.caption}{own} {campaign.method}")
    return Section("suite-section", "Task by task", tuple(map(_with_three_digits, blocks)))


def _with_three_digits(block: Block) -> Block:
    """Return a table with the digits of a report's other means."""
    if not isinstance(block, Table):
        return block
    rows = tuple(row if isinstance(row, Span) else tuple(map(_with_digits, row)) for row in block.rows)
    head, *columns = block.columns
    return replace(block, columns=(replace(head, label=head.label.capitalize()), *columns), rows=rows)


def _with_digits(cell: Cell) -> Cell:
    return cell.but(digits=DIGITS, bare=True) if cell.kind in ("number", "interval") else cell


def _plain(result: Suite) -> Suite:
    """Drop the intervals of the tasks, for which a page has no room."""
    runs = [
        replace(run, tasks={task: replace(value, interval=None) for task, value in run.tasks.items()})
        for run in result.runs
    ]
    return replace(result, runs=runs)


def _caption(result: Suite) -> str:
    sizes = ", ".join(f"{task} {size}" for task, size in result.tasks.items())
    listed = f" ({result.noun}s: {sizes})" if len(result.tasks) <= MAX_TASK_COLUMNS else ""
    caption = f"{in_words(result.measure)} of {counted(len(result.runs), 'run')} on {counted(len(result.tasks), result.field)}{listed}. "
    caption += f"In the macro mean each {result.field} weighs the same" + (
        f", in the micro mean each {result.noun}." if result.micro else "."
    )
    ends = [run.interval for run in result.runs]
    how = f", {result.settings['resamples']:,} resamples, seed {result.settings['seed']}"
    rule = made_by(ends, f"{100 * result.settings['confidence']:g}% intervals of the macro mean", how)
    return f"{caption} {rule}".strip()


def _means(result: Suite, run: SuiteRun) -> list[tuple[str, Any, Any]]:
    means: list[tuple[str, Any, Any]] = [("macro mean", run.macro, run.interval)]
    return [*means, ("micro mean", run.micro, run.micro_interval)] if result.micro else means


def _cell(value: float | int | None, interval: Any, best: bool, hint: str = "") -> Cell:
    if value is None:
        return model.missing(hint)
    cell = comparison.with_interval(value, interval) if interval is not None else model.cell(value)
    return cell.but(best=best)


def _cells(result: Suite) -> tuple[list[str], list[list[Cell]]]:
    """Return the names of tasks and means, and the cells of each, a cell per run."""
    names, columns = list[str](), list[list[Cell]]()
    for task in result.tasks:
        values = [run.tasks[task] for run in result.runs]
        best = result.best([score.value for score in values], [task])
        names.append(task)
        columns.append([
            _cell(score.value, score.interval, i == best, "no results" if score.missing else "undefined")
            for i, score in enumerate(values)
        ])  # fmt: skip
    for place, (name, _, _) in enumerate(_means(result, result.runs[0])):
        means = [_means(result, run)[place] for run in result.runs]
        best = result.best([value for _, value, _ in means], list(result.tasks))
        names.append(name)
        columns.append(
            [_cell(value, end, i == best, "no mean over fewer tasks") for i, (_, value, end) in enumerate(means)]
        )
    return names, columns


def _board(result: Suite, links: Mapping[str, str]) -> Table:
    """Return a table with a row per run, best macro mean first."""
    names, columns = _cells(result)
    ends = [end for run in result.runs if run.interval for end in (run.interval.low, run.interval.high)]
    domain = (min(ends), max(ends)) if ends else None
    heads = (
        TableColumn("run"),
        *(TableColumn(task, counted(size, result.noun), numeric=True) for task, size in result.tasks.items()),
        *(TableColumn(name, numeric=True, domain=domain) for name in names[len(result.tasks) :]),
    )
    rows = tuple(
        (model.text(run.run, link=links.get(run.run)), *(column[i] for column in columns))
        for i, run in enumerate(result.runs)
    )
    return Table(
        f"suite-board-{result.measure}",
        f"{in_words(result.measure)} by {result.field}",
        heads,
        rows,
        _caption(result),
        sortable=True,
    )


def _transposed(result: Suite) -> list[Table]:
    """Return tables with a row per task, the means first; runs are split into parts that fit side by side."""
    names, columns = _cells(result)
    means = len(_means(result, result.runs[0]))
    order = [*range(len(result.tasks), len(names)), *range(len(result.tasks))]
    parts = split_columns(range(len(result.runs)))
    return [
        Table(
            f"suite-board-{result.measure}-{number}",
            f"{in_words(result.measure)} by {result.field}",
            (TableColumn(result.field), *numbers(f"{result.noun}s", *(result.runs[i].run for i in part))),
            tuple(
                (
                    model.text(names[row]),
                    model.count(sum(result.tasks.values()) if row >= len(names) - means else result.tasks[names[row]]),
                    *(columns[row][i] for i in part),
                )
                for row in order
            ),
            _caption(result) if number == len(parts) else "",
            sortable=True,
        )
        for number, part in parts
    ]


def matrix_sections(
    matrices: Mapping[str, FieldMatrix],
    campaign: CampaignResults,
    without: Collection[str] = (),
    position: int | None = None,
) -> list[Section]:
    """Return the values of each field × runs, best run first, or of one run, `without` the fields shown otherwise."""
    order, prefix = (campaign.order, "") if position is None else ([position], f"{page_id(position)}-")
    runs = [campaign.runs[i] for i in order]
    return [
        _matrix(f"{prefix}matrix-{place}", field, matrix, campaign, runs)
        for place, (field, matrix) in enumerate(matrices.items(), start=1)
        if field not in without
    ]


def _matrix(id: str, field: str, matrix: FieldMatrix, campaign: CampaignResults, runs: Sequence[str]) -> Section:
    blocks: list[Block] = []
    whose = "every run" if len(runs) > 1 else runs[0]
    caption = f"{in_words(matrix.measure)} of {whose} over the {campaign.unit}s of each {field}. {campaign.method}"
    shown = matrix.rows[:MAX_MATRIX_ROWS]
    for number, part in split_columns(runs):
        rows = tuple(
            (model.text(row.value), model.count(row.questions), *(model.cell(row.runs[run], best=_best(matrix, row, run)) for run in part))
            for row in shown
        )  # fmt: skip
        heads = (TableColumn(field.capitalize()), *numbers(f"{campaign.unit.capitalize()}s", *part))
        blocks.append(
            Table(f"{id}-{number}", f"{in_words(matrix.measure)} by {field}", heads, rows, caption, sortable=True)
        )
    if len(matrix.rows) > MAX_MATRIX_ROWS:
        more = len(matrix.rows) - MAX_MATRIX_ROWS
        blocks.append(
            Note(f"{more} more values of {field} are not shown here; `assay evaluate --by {field}` has them all.")
        )
    return Section(f"{id}-section", f"By {field}", tuple(blocks))


def _best(matrix: FieldMatrix, row: Any, run: str) -> bool:
    place = best_place(list(row.runs.values()), matrix.higher_is_better)
    return place is not None and list(row.runs)[place] == run


def compared_sections(result: Comparisons) -> list[Section]:
    """Return a section per group with its comparison, or why there is none."""
    sections = (
        [Section("groups", "", (Note(f"{result.notes[0][:1].upper()}{result.notes[0][1:]}."),))]
        if result.of_runs
        else []
    )
    for place, group in enumerate(result.groups, start=1):
        size = counted(len(group.runs), "run") if result.of_runs else counted(group.topics, result.noun)
        title = f"{group.label}: {size}"
        if group.comparison is None:
            sections.append(Section(f"group-{place}", title, (Note(f"Not compared: {group.why}."),)))
            continue
        blocks = [block for section in comparison.sections(group.comparison) for block in section.blocks]
        named = [
            replace(block, id=f"group-{place}-{block.id}") if isinstance(block, Table) else block for block in blocks
        ]
        notes = [Note(f"{note}.") for note in group.comparison.notes]
        if result.of_runs and group.median is not None:
            notes.insert(0, Note(f"Median {in_words(result.measure)} of the {size}: {group.median:.4f}."))
        sections.append(Section(f"group-{place}", title, (*named, *notes)))
    return sections
