"""Figures of generated answers: the nuggets and citations of each run's answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.figures.common import AgainstMedian, TaskFigures, characteristics, graphs
from assay.table.scores import Scores

MEASURES = (
    "StrictVitalScore", "VitalScore", "StrictAllScore", "AllScore", "WeightedScore", "StrictWeightedScore", "CitationP",
    "CitationR", "SentenceP", "ArgueF", "WeightedArgueF",
)  # fmt: skip
GRAPHS = ("StrictVitalScore", "AllScore", "CitationP", "ArgueF")
"""The measures that compare each run with the median run."""


@dataclass(frozen=True, slots=True)
class NuggetCredits:
    """One nugget and every run's credit for it: 1, 0.5 or 0; None where the run is unjudged."""

    text: str
    importance: str
    credits: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class NuggetMatrix:
    """The nuggets of one question, vital ones first, in all runs."""

    id: str
    question: str
    nuggets: tuple[NuggetCredits, ...]


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """Counts of one answer: nuggets whole, in part and lacking; sentences, and those that cite.

    None where nuggets or sentences are unjudged, and throughout where there is no answer.
    """

    whole: int | None
    partly: int | None
    lacking: int | None
    sentences: int | None
    citing: int | None


@dataclass(frozen=True, slots=True)
class GenerationRunFigures:
    """One run: its means, its answers' counts, and its values against the median run."""

    run: str
    characteristics: dict[str, Any]
    questions: int
    means: dict[str, float | None]
    held: tuple[AnswerCounts, ...]
    against_median: tuple[AgainstMedian, ...]


@dataclass(frozen=True, slots=True)
class GenerationFigures:
    """A campaign: its questions and runs, and the nugget matrix of every question with texts."""

    topics: tuple[str, ...]
    runs: tuple[GenerationRunFigures, ...]
    matrices: tuple[NuggetMatrix, ...]


def figures(scores: Scores) -> GenerationFigures:
    return GenerationFigures(tuple(scores.topics), tuple(_run(scores, run) for run in scores.runs), _matrices(scores))


def _run(scores: Scores, run: str) -> GenerationRunFigures:
    views: Any = scores.run(run).views
    return GenerationRunFigures(
        run=run,
        characteristics=characteristics(scores, run),
        questions=len(scores.entering(run)),
        means={name: scores.value(run, name).value for name in MEASURES},
        held=tuple(map(_held, views, views.missing)),
        against_median=graphs(scores, run, GRAPHS),
    )


def _held(view: Any, missing: bool) -> AnswerCounts:
    if missing:
        return AnswerCounts(None, None, None, None, None)
    credits = [credit for _, credit in view.nuggets]
    counts = (credits.count(1.0), credits.count(0.5), credits.count(0.0)) if credits else (None, None, None)
    if view.sentences is None:
        return AnswerCounts(*counts, None, None)
    return AnswerCounts(*counts, len(view.sentences), sum(bool(citations) for citations, _ in view.sentences))


def _matrices(scores: Scores) -> tuple[NuggetMatrix, ...]:
    runs: list[Any] = [scores.run(run).views for run in scores.runs]
    matrices: list[NuggetMatrix] = []
    for place, question in enumerate(runs[0].gold.questions):
        by_run = [views.credits[place] for views in runs]
        nuggets = [
            NuggetCredits(text, importance, tuple(credits and credits[n] for credits in by_run))
            for n, (text, importance) in enumerate(question.nuggets)
            if text
        ]
        if nuggets:
            ordered = sorted(nuggets, key=lambda nugget: nugget.importance != "vital")
            matrices.append(NuggetMatrix(question.id, question.query, tuple(ordered)))
    return tuple(matrices)


FIGURES = TaskFigures(figures, MEASURES)
