"""The tables a track's report is about, below the scores: ranks per question of each series, utility per period."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from assay.table import Scores

    Table = tuple[list[str], list[list[Any]]]


def has_table(task: str, args: Namespace) -> bool:
    """Whether `assay evaluate` shows a second table: of series unless other measures are asked for, of periods if given."""
    if task == "context":
        return not args.measures and not args.per_topic
    return task == "filtering" and getattr(args, "periods", None) is not None


def second_table(scores: Scores) -> Table:
    """The table itself; the runs must hold what the task's figures need."""
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
