"""Tables beside the leaderboard: by a field of the gold, rankings, ranks per question of each series, utility per period."""

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
    return ["run", field, "questions", *names], rows


def rankings(scores: Scores, machine: bool) -> Table:
    """Every measure's value and place of every run; a program gets a name of its own for each column."""
    from assay.figures.outcomes import rankings

    places = rankings(scores)
    header = ["run", *(title for name in places for title in (name, f"{name}_rank" if machine else "rank"))]
    values = {name: scores.mean(name) for name in places}
    rows = [[run, *(cell for name in places for cell in (values[name][run], places[name][run]))] for run in scores.runs]
    return header, rows


def of_task(scores: Scores) -> Table:
    """What the reports of the track are about: series of context questions, periods of a filtering stream."""
    from assay.figures import figures_of

    figures = figures_of(scores)
    return _series(figures) if scores.task.name == "context" else _periods(figures)


def _series(figures: Any) -> Table:
    """A row per question in the order of the series: the rank of its first right answer in every run."""
    header = ["series", "question", *(f"rank in {run.run}" for run in figures.runs)]
    rows: list[list[Any]] = []
    for several in zip(*(run.series for run in figures.runs), strict=True):
        for questions in zip(*(series.questions for series in several), strict=True):
            rows.append([several[0].series, questions[0].id, *(question.rank for question in questions)])
    return header, rows


def _periods(figures: Any) -> Table:
    """A row per run and period; batch runs have none."""
    header = ["run", "documents", "NumRet", "NumRel", "NumRelRet", "T10U", "T10SU"]
    rows = [
        [run.run, p.label, p.retrieved, p.relevant, p.relevant_retrieved, p.mean_t10u, p.mean_t10su]
        for run in figures.runs
        for p in run.periods or ()
    ]
    return header, rows
