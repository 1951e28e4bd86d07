"""Tables beside the leaderboard: by a field of the gold, and each measure's ranking."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from assay.table import Scores

    Table = tuple[list[str], list[list[Any]]]


def by_field(scores: Scores, field: str) -> Table:
    """A row per run and value of a field, and one for all questions."""
    from assay.figures.outcomes import TOTAL, by_field

    names = [measure.name for measure in scores.measures if measure.name != "questions"]
    rows = [
        [row.run, TOTAL if row.value is None else row.value, row.questions, *(row.scores[name] for name in names)]
        for row in by_field(scores, field)
    ]
    return ["run", field, f"{scores.task.noun}s", *names], rows


def rankings(scores: Scores, machine: bool) -> Table:
    """Every measure's value and place of every run; a program gets a name of its own for each column."""
    from assay.figures.outcomes import rankings

    places = rankings(scores)
    header = ["run", *(title for name in places for title in (name, f"{name}_rank" if machine else "rank"))]
    values = {name: scores.mean(name) for name in places}
    rows = [[run, *(cell for name in places for cell in (values[name][run], places[name][run]))] for run in scores.runs]
    return header, rows
