"""Plain data behind each task's tables and graphs: one module per task, with

MEASURES, COLUMNS    what a score table must hold: measures, and ingredient columns of the task
figures(scores)      a frozen dataclass of numbers, texts and tuples, ready for JSON

and, where the task has tables of its own on the terminal,

table(figures, measures)      a second table below the scores: header and rows, or None
measures_for(scores, table)   what the tables `by` and `rankings` show unless asked

From Python, `assay.figures.figures_of(scores)` has the data, `by_field`, `matrices` and `rankings` tables that any scores have;
`by_group` has leaderboards within groups of runs, `validation` the decisions on candidate answers;
`with_judged` and `bounds` tell what documents without a judgment do to the numbers of a ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from assay.scoring.evaluate import chosen, extended
from assay.table.results import Listing
from assay.table.scores import Scores
from assay.tasks import Task

MODULES = {
    "ranked": "ranked", "outcomes": "outcomes", "known-item": "known_item", "filtering": "filtering", "qa": "qa", "list": "list",
    "context": "context", "nuggets": "nuggets", "generation": "generation", "diversity": "diversity", "pairwise": "pairwise",
}  # fmt: skip
"""By task: the module of its figures. Other tasks have none."""


def module_of(task: Task) -> ModuleType | None:
    """Return the module of a task's figures, or None."""
    return import_module(f"assay.figures.{MODULES[task.name]}") if task.name in MODULES else None


def figures_of(scores: Scores) -> Any:
    """A task's figures, with whatever the table lacks for them computed first."""
    module = module_of(scores.task)
    return None if module is None else module.figures(extended(scores, module.MEASURES, module.COLUMNS))


def with_measures_for(scores: Scores, table: str) -> Scores:
    """The table with the measures that its task shows `by` a field, or in `rankings`; as it is where the task has none."""
    module = module_of(scores.task)
    if not hasattr(module, "measures_for"):
        return scores
    names: tuple[str, ...] = module.measures_for(scores, table)  # type: ignore[union-attr]
    more = extended(scores, names)
    return more.with_runs((more.run(run) for run in more.runs), chosen(names, scores.task))


def second_table(scores: Scores, measures: bool) -> tuple[list[str], list[list[Any]]] | None:
    """What the reports of the track are about, below the scores; `measures`: whether somebody asked for some of them.

    None where the task has no such table, or the runs nothing to put into it.
    """
    module: Any = module_of(scores.task)
    return module.table(figures_of(scores), measures)


def by_field(scores: Scores, by: str | Sequence[str], intervals: Mapping[str, Any] | None = None) -> Listing:
    """A row per run and value of a field, and one for all topics, under the table's measures.

    scores      a table whose gold has fields
    by          one of them, such as type or language, or several, which are crossed
    intervals   by measure, what `assay.intervals_by` found, to stand beside the numbers
    """
    from dataclasses import asdict

    from assay.figures.outcomes import TOTAL, by_field
    from assay.figures.topic_groups import CROSS, fields_of, groups

    fields = fields_of(by)
    keys: list[tuple[str | None, ...]] = [*(group.values for group in groups(scores, fields)), ()]
    found = by_field(scores, fields)
    names = [measure.name for measure in scores.measures if measure.name != "questions"]
    field, ends = CROSS.join(fields), intervals or {}
    cells: list[list[Any]] = []
    shown: list[list[Any]] = []
    data: list[dict[str, Any]] = []
    for number, row in enumerate(found):
        values = keys[number % len(keys)]
        first = [row.run, TOTAL if row.value is None else row.value, row.questions]
        own = {name: ends[name][values][row.run] for name in names if name in ends}
        cells.append([*first, *(cell for name in names for cell in _with_ends(row.scores[name], name, own))])
        printed = {name: _with_percent(row.scores[name], row.percent.get(name)) for name in names}
        shown.append([*first, *(cell for name in names for cell in _with_span(printed[name], name, own))])
        more: dict[str, Any] = {"values": dict(zip(fields, values, strict=True))} if values and len(fields) > 1 else {}
        if ends:
            more["intervals"] = {name: _told(end) for name, end in own.items()}
        data.append({**asdict(row), **more})
    header = ["run", field, f"{scores.task.noun}s"]
    titles = [
        *header,
        *(title for name in names for title in ([name, _percent(ends[name])] if name in ends else [name])),
    ]
    for name in names:
        header += [name, f"{name}_low", f"{name}_high"] if name in ends else [name]
    return Listing(header, cells, {"field": field, "fields": [*fields], "rows": data}, titles, shown)


def _with_percent(value: Any, percent: float | None) -> Any:
    """A count with its percentage where it has one: 4 (22.2%)."""
    return value if percent is None else f"{value} ({percent:.1f}%)"


def _with_ends(value: Any, name: str, ends: Mapping[str, Any]) -> list[Any]:
    """A number, and the two ends of its interval where there are intervals."""
    if name not in ends:
        return [value]
    return [value, None, None] if ends[name] is None else [value, ends[name].low, ends[name].high]


def _with_span(value: Any, name: str, ends: Mapping[str, Any]) -> list[Any]:
    """The same as a person reads it."""
    if name not in ends:
        return [value]
    return [value, "n/a" if ends[name] is None else f"[{ends[name].low:.4f}, {ends[name].high:.4f}]"]


def _told(end: Any) -> dict[str, Any] | None:
    return end and {"interval": [end.low, end.high], "method": end.method, "confidence": end.confidence}


def _percent(ends: Mapping[Any, Mapping[str, Any]]) -> str:
    """What an interval's column is called."""
    known = [end.confidence for by_run in ends.values() for end in by_run.values() if end is not None]
    return f"{100 * known[0]:g}%" if known else "interval"


def matrices(scores: Scores, by: str | Sequence[str], measures: Sequence[str] | None = None) -> Listing:
    """Values of a field × runs, by each measure: a row per measure and value, a column per run.

    scores     a table whose gold has fields
    by         one of them, or several, which are crossed
    measures   some of the table's; the headline measure where left out
    """
    from dataclasses import asdict

    from assay.figures.outcomes import matrix
    from assay.figures.topic_groups import CROSS, fields_of

    fields = fields_of(by)
    found = [matrix(scores, fields, measure) for measure in measures or [None]]
    header = ["measure", CROSS.join(fields), f"{scores.task.noun}s", *scores.runs]
    cells = [[one.measure, row.value, row.questions, *row.runs.values()] for one in found for row in one.rows]
    return Listing(header, cells, [asdict(one) for one in found])


def many_values(scores: Scores, by: str | Sequence[str]) -> bool:
    """Whether a field has more values than a table by run and value can be read with, and several runs to set side by side.

    scores   a table whose gold has fields
    by       one of them, or several
    """
    from assay.figures.outcomes import FEW
    from assay.figures.topic_groups import groups

    return len(scores.runs) > 1 and len(groups(scores, by)) > FEW


def rankings(scores: Scores) -> Listing:
    """Every measure's value and place of every run, shared places as 5..14; measures without better and worse have none.

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


def by_group(scores: Scores, group_by: str) -> Listing:
    """Return the leaderboard within each group of runs, by the headline measure, and the median of each group.

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
    from dataclasses import asdict

    from assay.figures.run_groups import leaderboards, rows

    boards = leaderboards(scores, group_by)
    header = [group_by, "run", "topics", "rank", *(measure.name for measure in scores.measures)]
    titles = [group_by, "run", f"{scores.task.noun}s", f"rank by {boards[0].measure}", *header[4:]]
    data = {"group_by": group_by, "groups": [asdict(board) for board in boards]}
    return Listing(header, rows(boards, False), data, titles, rows(boards, True))


def validation(scores: Scores) -> Listing | None:
    """Return how each run accepts and rejects its candidates, with the baselines accept all and accept half as rows.

    None where no run withholds a candidate.

    scores   of answers with non-response that has the measure validation_F, or was evaluated with `keep=True`

    >>> import assay
    >>> answers = b"run,id,outcome,candidate\\na,q1,correct,\\na,q2,unanswered,correct\\na,q3,unanswered,incorrect\\n"
    >>> validation(assay.evaluate(None, answers, ["validation_F"]))
    run          candidates  right  accepted  precision  recall       F     FPR  estimated_performance
    a                     3      2         1     1.0000  0.5000  0.6667  0.0000                 0.4444
    accept all            3      2         3     0.6667  1.0000  0.8000  1.0000                 0.6667
    accept half           3      2    1.5000     0.6667  0.5000  0.5714  0.5000                 0.3889
    """
    from dataclasses import asdict

    from assay.figures import answer_validation

    found = answer_validation.validation(scores)
    return found and Listing(*answer_validation.table(found), asdict(found))


def with_judged(scores: Scores) -> Scores:
    """The table with, beside each measure, the share of judged documents it looks at, and how many are not judged.

    scores   of ranked retrieval
    """
    from assay.figures import unjudged

    return unjudged.with_judged(scores)


def bounds(scores: Scores, progress: Callable[[int, int], None] | None = None) -> Listing:
    """Every run's numbers with the lowest and the highest they could be if all it retrieved were judged.

    scores     of ranked retrieval
    progress   called with the number of runs done and of all
    """
    from assay.figures import unjudged

    return unjudged.bounds(scores, progress)
