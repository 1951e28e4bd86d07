"""Figures of ranked answers: the summary and the histogram of first correct ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.figures.common import Count, characteristics, entered, median_ranks
from assay.table.scores import Scores

STRICT, LENIENT = "", "(judged=lenient)"
MEASURES = (
    "RR", "RR(judged=lenient)", "Rank", "Rank(judged=lenient)", "NotFound", "NotFound(judged=lenient)", "NIL",
    "NILCorrect", "NILPrecision", "NILRecall", "Confident", "ConfidentCorrect",
)  # fmt: skip
COLUMNS = ()
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
    """How many ranks the histograms have."""
    runs: tuple[QaRunFigures, ...]
    median_strict: MedianRun
    median_lenient: MedianRun


def figures(scores: Scores) -> QaFigures:
    upto = scores.settings.answers or ANSWERS  # type: ignore[attr-defined]
    return QaFigures(
        tuple(scores.topics),
        upto,
        tuple(_run(scores, run, upto) for run in scores.runs),
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


def _run(scores: Scores, run: str, upto: int) -> QaRunFigures:
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
