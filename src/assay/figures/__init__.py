"""Plain data of each task's tables and graphs: a module declares `TaskFigures`, whose `figures(scores)` returns a frozen dataclass
of numbers, texts and tuples, ready for JSON.

From Python, `assay.figures.figures_of(scores)` has the data, `by_field`, `matrices` and `rankings` tables that any scores have;
`by_group` has leaderboards within groups of runs, `validation` the decisions on candidate answers;
`with_judged` and `bounds` show the effect of documents without a judgment on the numbers of a ranking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from typing import Any

from assay.figures.common import TaskFigures
from assay.figures.unjudged import bounds, with_judged
from assay.parameters import public
from assay.scoring.evaluate import chosen, extended
from assay.table.results import Listing
from assay.table.scores import Scores
from assay.tasks import Task

__all__ = [
    "bounds", "by_field", "by_group", "figures_of", "many_values", "matrices", "rankings", "second_table", "task_figures",
    "validation", "with_judged", "with_measures_for",
]  # fmt: skip

FIGURES = {
    "ranked": "ranked.FIGURES",
    "outcomes": "outcomes.FIGURES",
    "known-item": "ranked.KNOWN_ITEM",
    "filtering": "filtering.FIGURES",
    "qa": "questions.QA",
    "list": "questions.LIST",
    "context": "questions.CONTEXT",
    "nuggets": "questions.NUGGETS",
    "generation": "generation.FIGURES",
    "diversity": "diversity.FIGURES",
    "pairwise": "pairwise.FIGURES",
}
"""By task: the module and the declaration of its figures. Other tasks have none."""


@public
def task_figures(task: Task) -> TaskFigures | None:
    """Return the declaration of a task's figures, or None."""
    if task.name not in FIGURES:
        return None
    module, _, attribute = FIGURES[task.name].partition(".")
    return getattr(import_module(f"assay.figures.{module}"), attribute)


@public
def figures_of(scores: Scores) -> Any:
    """Return a task's figures, computing missing measures first."""
    declared = task_figures(scores.task)
    return None if declared is None else declared.figures(extended(scores, declared.measures, declared.columns))


@public
def with_measures_for(scores: Scores, table: str) -> Scores:
    """Return the table with the measures that its task shows `by` a field or in `rankings`."""
    declared = task_figures(scores.task)
    if declared is None or declared.measures_for is None:
        return scores
    names = declared.measures_for(scores, table)
    more = extended(scores, names)
    return more.with_runs((more.run(run) for run in more.runs), chosen(names, scores.task))


@public
def second_table(scores: Scores, measures: bool) -> tuple[list[str], list[list[Any]]] | None:
    """Return the task's own table, printed below the scores; `measures`: whether any are chosen.

    None where the task has no such table, or the runs have no rows for it.
    """
    declared = task_figures(scores.task)
    return None if declared is None or declared.table is None else declared.table(figures_of(scores), measures)


@public
def by_field(scores: Scores, by: str | Sequence[str], intervals: Mapping[str, Any] | None = None) -> Listing:
    """Return a row per run and value of a field, and one per run for all topics.

    scores      a table whose gold has fields
    by          one of them, such as type or language, or several, which are crossed
    intervals   by measure, the intervals of `assay.intervals_by` to show beside the numbers
    """
    from assay.figures.outcomes import TOTAL, by_field
    from assay.figures.topic_groups import CROSS, fields_of, groups

    fields = fields_of(by)
    keys: list[tuple[str | None, ...]] = [*(group.values for group in groups(scores, fields)), ()]
    field_rows = by_field(scores, fields)
    names = [measure.name for measure in scores.measures if measure.name != "questions"]
    field, ends = CROSS.join(fields), intervals or {}
    cells: list[list[Any]] = []
    printed_rows: list[list[Any]] = []
    data: list[dict[str, Any]] = []
    for number, row in enumerate(field_rows):
        values = keys[number % len(keys)]
        first = [row.run, TOTAL if row.value is None else row.value, row.questions]
        run_intervals = {name: ends[name][values][row.run] for name in names if name in ends}
        cells.append([*first])
        printed_rows.append([*first])
        for name in names:
            value, percent = row.scores[name], row.percent.get(name)
            cells[-1].append(value)
            printed_rows[-1].append(value if percent is None else f"{value} ({percent:.1f}%)")
            if name in ends:
                end = run_intervals[name]
                cells[-1] += [None, None] if end is None else [end.low, end.high]
                printed_rows[-1].append("n/a" if end is None else f"[{end.low:.4f}, {end.high:.4f}]")
        more: dict[str, Any] = {"values": dict(zip(fields, values, strict=True))} if values and len(fields) > 1 else {}
        if ends:
            more["intervals"] = {name: _interval_data(end) for name, end in run_intervals.items()}
        data.append({**asdict(row), **more})
    header = ["run", field, f"{scores.task.noun}s"]
    titles = [*header]
    for name in names:
        header += [name, f"{name}_low", f"{name}_high"] if name in ends else [name]
        titles += [name, _percent(ends[name])] if name in ends else [name]
    return Listing(header, cells, {"field": field, "fields": [*fields], "rows": data}, titles, printed_rows)


def _interval_data(end: Any) -> dict[str, Any] | None:
    return end and {"interval": [end.low, end.high], "method": end.method, "confidence": end.confidence}


def _percent(ends: Mapping[Any, Mapping[str, Any]]) -> str:
    """Return the heading of an interval's column."""
    known = [end.confidence for by_run in ends.values() for end in by_run.values() if end is not None]
    return f"{100 * known[0]:g}%" if known else "interval"


@public
def matrices(scores: Scores, by: str | Sequence[str], measures: Sequence[str] | None = None) -> Listing:
    """Return values of a field × runs: a row per measure and value, a column per run.

    scores     a table whose gold has fields
    by         one of them, or several, which are crossed
    measures   some of the table's; the headline measure where left out
    """
    from assay.figures.outcomes import matrix
    from assay.figures.topic_groups import CROSS, fields_of

    fields = fields_of(by)
    field_matrices = [matrix(scores, fields, measure) for measure in measures or [None]]
    header = ["measure", CROSS.join(fields), f"{scores.task.noun}s", *scores.runs]
    cells = [
        [field_matrix.measure, row.value, row.questions, *row.runs.values()]
        for field_matrix in field_matrices
        for row in field_matrix.rows
    ]
    return Listing(header, cells, [asdict(field_matrix) for field_matrix in field_matrices])


@public
def many_values(scores: Scores, by: str | Sequence[str]) -> bool:
    """Return whether `by_field` would be too long to read, so that a matrix serves better.

    scores   a table whose gold has fields
    by       one of them, or several
    """
    from assay.figures.outcomes import MAX_TABLE_VALUES
    from assay.figures.topic_groups import groups

    return len(scores.runs) > 1 and len(groups(scores, by)) > MAX_TABLE_VALUES


@public
def rankings(scores: Scores) -> Listing:
    """Return every run's value and rank by each measure that has a direction; ties as 5..14.

    scores   the table
    """
    from assay.figures.outcomes import rankings

    places = rankings(scores)
    values = {name: scores.mean(name) for name in places}
    cells = [
        [run, *(cell for name in places for cell in (values[name][run], places[name][run]))] for run in scores.runs
    ]
    header = ["run", *(title for name in places for title in (name, f"{name}_rank"))]
    return Listing(header, cells, places, ["run", *(title for name in places for title in (name, "rank"))])


@public
def by_group(scores: Scores, group_by: str) -> Listing:
    """Return the leaderboard of each group of runs by the headline measure, with group medians.

    scores     a table whose runs have characteristics
    group_by   one of these, such as language; runs without it form a group of their own

    >>> import assay
    >>> runs = {"a": {"q1": {"d1": 1.0}}, "b": {"q1": {"d0": 2.0, "d1": 1.0}}, "c": {"q1": {"d1": 1.0}}}
    >>> scores = assay.evaluate({"q1": {"d1": 1}}, runs, ["RR"])
    >>> by_group(scores.described(lambda run: {"language": "de" if run < "c" else "en"}), "language")
    language  run          topics  rank by RR      RR
    de        a                 1  1           1.0000
    de        b                 1  2           0.5000
    de        median of 2                      0.7500
    en        c                 1  1           1.0000
    en        median of 1                      1.0000
    """
    from assay.figures.run_groups import leaderboards, rows

    boards = leaderboards(scores, group_by)
    header = [group_by, "run", "topics", "rank", *(measure.name for measure in scores.measures)]
    titles = [group_by, "run", f"{scores.task.noun}s", f"rank by {boards[0].measure}", *header[4:]]
    data = {"group_by": group_by, "groups": [asdict(board) for board in boards]}
    return Listing(header, rows(boards, False), data, titles, rows(boards, True))


@public
def validation(scores: Scores) -> Listing | None:
    """Return how each run accepts and rejects candidates, with the baselines as rows.

    None where no run withholds a candidate.

    scores   of question answering that has the measure validation_F, or was evaluated with `keep=True`

    >>> import assay
    >>> answers = b"run,id,outcome,candidate\\na,q1,correct,\\na,q2,unanswered,correct\\na,q3,unanswered,incorrect\\n"
    >>> validation(assay.evaluate(None, answers, ["validation_F"]))
    run          candidates  right  accepted  precision  recall       F     FPR  estimated_performance
    a                     3      2         1     1.0000  0.5000  0.6667  0.0000                 0.4444
    accept all            3      2         3     0.6667  1.0000  0.8000  1.0000                 0.6667
    accept half           3      2    1.5000     0.6667  0.5000  0.5714  0.5000                 0.3889
    """
    from assay.figures import answer_validation

    decisions = answer_validation.validation(scores)
    return decisions and Listing(*answer_validation.table(decisions), asdict(decisions))
