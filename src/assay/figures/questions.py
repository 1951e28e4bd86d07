"""Figures of answers to questions: ranked answers, lists, series in context, and definitions judged by nuggets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.figures.common import (
    AgainstMedian,
    Count,
    RunsFigures,
    TaskFigures,
    characteristics,
    entered,
    graphs,
    median_ranks,
    values_of,
)  # fmt: skip
from assay.measures.qa import series_alive
from assay.table.scores import Scores

STRICT, LENIENT = "", "(judged=lenient)"
QA_MEASURES = (
    "RR", "RR(judged=lenient)", "Rank", "Rank(judged=lenient)", "NotFound", "NotFound(judged=lenient)", "NIL",
    "NILCorrect", "NILPrecision", "NILRecall", "Confident", "ConfidentCorrect",
)  # fmt: skip
ANSWERS = 5


@dataclass(frozen=True, slots=True)
class Histogram:
    """The number of questions with their first right answer at rank 1, 2 …, and with none."""

    at_rank: tuple[int, ...]
    not_found: int

    @classmethod
    def of(cls, ranks: Sequence[int | None], upto: int) -> Histogram:
        """
        >>> Histogram.of([1, 3, None, 1], upto=3)
        Histogram(at_rank=(2, 0, 1), not_found=1)
        """
        at = Counter(ranks)
        return cls(tuple(at[rank] for rank in range(1, upto + 1)), at[None])


@dataclass(frozen=True, slots=True)
class QaSide:
    """Scores under one way of judging, strict or lenient."""

    mean_reciprocal_rank: float | None
    not_found: Count
    ranks: tuple[int | None, ...]
    histogram: Histogram


@dataclass(frozen=True, slots=True)
class QaRunFigures:
    """One run: its summary and histograms.

    Confidence percentages are None where the run never states any; NIL precision where it never returns NIL; NIL recall where
    no question has the answer NIL.
    """

    run: str
    characteristics: dict[str, Any]
    questions: int
    strict: QaSide
    lenient: QaSide
    nil_returned: int
    nil_correctly_returned: int
    nil_precision: float | None
    nil_recall: float | None
    confident_percent: float | None
    confident_correct_percent: float | None


@dataclass(frozen=True, slots=True)
class MedianRun:
    """The run that has its first right answer at the median rank of every question."""

    ranks: tuple[int | None, ...]
    histogram: Histogram


@dataclass(frozen=True, slots=True)
class QaFigures:
    """A campaign: its questions, its runs, and the median run."""

    topics: tuple[str, ...]
    answers: int
    """Ranks of the histograms."""
    runs: tuple[QaRunFigures, ...]
    median_strict: MedianRun
    median_lenient: MedianRun


def qa_figures(scores: Scores) -> QaFigures:
    upto = scores.settings.answers or ANSWERS  # type: ignore[attr-defined]
    return QaFigures(
        tuple(scores.topics),
        upto,
        tuple(_qa_run(scores, run, upto) for run in scores.runs),
        _median(scores, STRICT, upto),
        _median(scores, LENIENT, upto),
    )


def _median(scores: Scores, side: str, upto: int) -> MedianRun:
    ranks = median_ranks(scores, f"Rank{side}")
    return MedianRun(tuple(ranks), Histogram.of([ranks[i] for i in entered(scores)], upto))


def _side(scores: Scores, run: str, side: str, upto: int) -> QaSide:
    ranks: list[Any] = scores.column(run, f"Rank{side}")
    missed = scores.value(run, f"NotFound{side}")
    return QaSide(
        scores.value(run, f"RR{side}").value,
        Count.of(int(missed.value or 0), missed.topics),
        tuple(ranks),
        Histogram.of([ranks[i] for i in scores.entering(run)], upto),
    )


def _qa_run(scores: Scores, run: str, upto: int) -> QaRunFigures:
    def value(measure: str) -> float | None:
        return scores.value(run, measure).value

    stated, right = (None if share is None else 100 * share for share in map(value, ("Confident", "ConfidentCorrect")))
    return QaRunFigures(
        run=run, characteristics=characteristics(scores, run), questions=scores.value(run, "RR").topics,
        strict=_side(scores, run, STRICT, upto), lenient=_side(scores, run, LENIENT, upto),
        nil_returned=int(value("NIL") or 0), nil_correctly_returned=int(value("NILCorrect") or 0),
        nil_precision=value("NILPrecision"), nil_recall=value("NILRecall"),
        confident_percent=stated, confident_correct_percent=right,
    )  # fmt: skip


QA = TaskFigures(qa_figures, QA_MEASURES)


@dataclass(frozen=True, slots=True)
class ListRunFigures:
    """One run: its means, and its values against the median run."""

    run: str
    characteristics: dict[str, Any]
    questions: int
    mean_accuracy: float | None
    """None where no question has a target number."""
    mean_precision: float | None
    mean_recall: float | None
    mean_f: float | None
    against_median: tuple[AgainstMedian, ...]
    """Accuracy where there are targets, and F."""


def _list_run(scores: Scores, run: str) -> ListRunFigures:
    return ListRunFigures(
        run=run,
        characteristics=characteristics(scores, run),
        questions=scores.value(run, "InstanceP").topics,
        against_median=graphs(scores, run, ("ListAccuracy", "InstanceF")),
        **values_of(
            scores,
            run,
            mean_accuracy="ListAccuracy",
            mean_precision="InstanceP",
            mean_recall="InstanceR",
            mean_f="InstanceF",
        ),
    )


LIST = TaskFigures(
    lambda scores: RunsFigures.of(scores, _list_run), ("ListAccuracy", "InstanceP", "InstanceR", "InstanceF")
)


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


def context_figures(scores: Scores) -> ContextFigures:
    runs = tuple(_context_run(scores, run) for run in scores.runs)
    return ContextFigures(tuple(scores.topics), runs, tuple(median_ranks(scores, "Rank")))


def _context_run(scores: Scores, run: str) -> ContextRunFigures:
    ranks: list[Any] = scores.column(run, "Rank")
    values = scores.column(run, "InstanceF")
    names, positions = list(map(str, scores.fields["series"])), list(map(int, scores.fields["position"]))
    by_series: dict[str, list[tuple[int, SeriesQuestion]]] = {}
    for name, position, topic, rank, value in zip(names, positions, scores.topics, ranks, values, strict=True):
        by_series.setdefault(name, []).append((position, SeriesQuestion(topic, rank, value)))
    series: list[Series] = []
    for name, placed in sorted(by_series.items(), key=lambda item: _series_order(item[0])):
        questions = tuple(question for _, question in sorted(placed, key=lambda pair: pair[0]))
        alive = next((i for i, question in enumerate(questions) if question.rank is None), len(questions))
        series.append(Series(name, questions, alive))
    right, entering = scores.column(run, "found"), scores.entering(run)
    columns: list[Any] = [[column[i] for i in entering] for column in (names, positions, right)]
    shares = [series_alive(*columns, cut=cut) for cut in range(1, max(positions) + 1)]
    return ContextRunFigures(run, characteristics(scores, run), tuple(series), tuple(shares))


def _series_order(name: str) -> tuple[int, str]:
    """Return a sorting key that puts series 2 before series 10.

    >>> sorted(["10", "2", "b"], key=_series_order)
    ['2', '10', 'b']
    """
    return (int(name), name) if name.isascii() and name.isdigit() else (1 << 62, name)


def context_table(figures: ContextFigures, measures: bool) -> tuple[list[str], list[list[Any]]] | None:
    """Return a row per question with its rank in every run; None if measures are shown."""
    if measures:
        return None
    header = ["series", "question", *(f"rank in {run.run}" for run in figures.runs)]
    rows: list[list[Any]] = []
    for several in zip(*(run.series for run in figures.runs), strict=True):
        for questions in zip(*(series.questions for series in several), strict=True):
            rows.append([several[0].series, questions[0].id, *(question.rank for question in questions)])
    return header, rows


CONTEXT = TaskFigures(context_figures, ("Rank", "RR", "InstanceF"), ("found",), context_table)


NUGGET_COLUMNS = ("returned", "vital_returned", "length")


@dataclass(frozen=True, slots=True)
class NuggetRunFigures:
    """One run: its means; nuggets and length per question; its values against the median run."""

    run: str
    characteristics: dict[str, Any]
    questions: int
    mean_f: float | None
    mean_precision: float | None
    mean_recall: float | None
    mean_pyramid_f: float | None
    mean_pyramid_recall: float | None
    nuggets_returned: tuple[int, ...]
    vital_returned: tuple[int, ...]
    length: tuple[int, ...]
    """In non-white characters."""
    against_median: tuple[AgainstMedian, ...]
    """F, and the pyramid's F where nuggets have votes."""


def _nuggets_run(scores: Scores, run: str) -> NuggetRunFigures:
    returned, vital, length = (tuple(int(cell or 0) for cell in scores.column(run, name)) for name in NUGGET_COLUMNS)
    return NuggetRunFigures(
        run=run,
        characteristics=characteristics(scores, run),
        questions=scores.value(run, "NuggetP").topics,
        nuggets_returned=returned, vital_returned=vital, length=length,
        against_median=graphs(scores, run, ("NuggetF", "PyramidF")),
        **values_of(
            scores, run, mean_f="NuggetF", mean_precision="NuggetP", mean_recall="NuggetR", mean_pyramid_f="PyramidF",
            mean_pyramid_recall="PyramidR",
        ),
    )  # fmt: skip


NUGGETS = TaskFigures(
    lambda scores: RunsFigures.of(scores, _nuggets_run),
    ("NuggetF", "NuggetP", "NuggetR", "PyramidF", "PyramidR"),
    NUGGET_COLUMNS,
)
