"""Figures of context questions: the rank of every question of every series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.figures.common import characteristics, median_ranks
from assay.measures.qa import series_alive
from assay.table.scores import Scores

MEASURES = ("Rank", "RR", "InstanceF")
COLUMNS = ("found",)


@dataclass(frozen=True, slots=True)
class SeriesQuestion:
    """One question of a series; `rank` is that of its first right answer, or None."""

    id: str
    rank: int | None
    instance_f: float | None


@dataclass(frozen=True, slots=True)
class Series:
    """The questions of a series; `alive` counts those answered before the first failure."""

    series: str
    questions: tuple[SeriesQuestion, ...]
    alive: int


@dataclass(frozen=True, slots=True)
class ContextRunFigures:
    """One run: its series, and at place k - 1 the share of series alive after question k."""

    run: str
    characteristics: dict[str, Any]
    series: tuple[Series, ...]
    alive: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ContextFigures:
    """A campaign: its runs, and the median run's rank on each question."""

    topics: tuple[str, ...]
    runs: tuple[ContextRunFigures, ...]
    median_ranks: tuple[int | None, ...]


def figures(scores: Scores) -> ContextFigures:
    runs = tuple(_run(scores, run) for run in scores.runs)
    return ContextFigures(tuple(scores.topics), runs, tuple(median_ranks(scores, "Rank")))


def _run(scores: Scores, run: str) -> ContextRunFigures:
    ranks: list[Any] = scores.column(run, "Rank")
    values = scores.column(run, "InstanceF")
    names, positions = list(map(str, scores.fields["series"])), list(map(int, scores.fields["position"]))
    by_series: dict[str, list[tuple[int, SeriesQuestion]]] = {}
    for name, position, topic, rank, value in zip(names, positions, scores.topics, ranks, values, strict=True):
        by_series.setdefault(name, []).append((position, SeriesQuestion(topic, rank, value)))
    series: list[Series] = []
    for name, placed in sorted(by_series.items(), key=lambda item: _natural(item[0])):
        questions = tuple(question for _, question in sorted(placed, key=lambda pair: pair[0]))
        alive = next((i for i, question in enumerate(questions) if question.rank is None), len(questions))
        series.append(Series(name, questions, alive))
    right, entering = scores.column(run, "found"), scores.entering(run)
    columns: list[Any] = [[column[i] for i in entering] for column in (names, positions, right)]
    shares = [series_alive(*columns, cut=cut) for cut in range(1, max(positions) + 1)]
    return ContextRunFigures(run, characteristics(scores, run), tuple(series), tuple(shares))


def _natural(name: str) -> tuple[int, str]:
    """Return a sorting key that puts series 2 before series 10.

    >>> sorted(["10", "2", "b"], key=_natural)
    ['2', '10', 'b']
    """
    return (int(name), name) if name.isascii() and name.isdigit() else (1 << 62, name)


def table(figures: ContextFigures, measures: bool) -> tuple[list[str], list[list[Any]]] | None:
    """Return a row per question with its rank in every run; None if measures are shown."""
    if measures:
        return None
    header = ["series", "question", *(f"rank in {run.run}" for run in figures.runs)]
    rows: list[list[Any]] = []
    for several in zip(*(run.series for run in figures.runs), strict=True):
        for questions in zip(*(series.questions for series in several), strict=True):
            rows.append([several[0].series, questions[0].id, *(question.rank for question in questions)])
    return header, rows
