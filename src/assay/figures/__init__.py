"""Plain data behind each task's tables and graphs: one module per task, with

MEASURES, COLUMNS    what a score table must hold: measures, and ingredient columns of the task
figures(scores)      a frozen dataclass of numbers, texts and tuples, ready for JSON

and, where the task has tables of its own on the terminal,

table(figures, measures)      a second table below the scores: header and rows, or None
measures_for(scores, table)   what the tables `by` and `rankings` show unless asked

From Python, `assay.figures.figures_of(scores)` has the data, `by_field` and `rankings` two tables that any scores have.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from assay.results import Listing
from assay.scoring import chosen, extended
from assay.table import Scores
from assay.tasks import Task


def module_of(task: Task) -> ModuleType | None:
    """The module of a task's figures; None where it has none of its own."""
    return None if task.figures is None else import_module(task.figures)


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


def by_field(scores: Scores, field: str) -> Listing:
    """A row per run and value of a field, and one for all topics, under the table's measures.

    scores   a table whose gold has fields
    field    one of them, such as type or language
    """
    from dataclasses import asdict

    from assay.figures.outcomes import TOTAL, by_field

    found = by_field(scores, field)
    names = [measure.name for measure in scores.measures if measure.name != "questions"]
    cells = [
        [row.run, TOTAL if row.value is None else row.value, row.questions, *(row.scores[name] for name in names)]
        for row in found
    ]
    data = {"field": field, "rows": [asdict(row) for row in found]}
    return Listing(["run", field, f"{scores.task.noun}s", *names], cells, data)


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
