"""Figures of a diversity run: ndeval's measures and cutoffs, subtopic recall, medians."""

from __future__ import annotations

from dataclasses import dataclass

from assay.figures.common import COUNTED, AgainstMedian, TaskFigures, against_median, counts, gold_counts, median_curve
from assay.table.scores import Scores

CUTOFFS = (5, 10, 20)
AT_CUTOFFS = ("alpha_nDCG", "alpha_DCG", "nERR_IA", "ERR_IA", "P_IA", "StRecall")
WHOLE = ("NRBP", "nNRBP", "AP_IA")
DEPTH = 20
"""The depth of the curves of subtopic recall: that of ndeval."""
BY_RANK = tuple(f"StRecall@{rank}" for rank in range(1, DEPTH + 1))
MAIN = "alpha_nDCG@20"
MEASURES = (*COUNTED, *(f"{name}@{cut}" for name in AT_CUTOFFS for cut in CUTOFFS), *WHOLE, *BY_RANK)
COLUMNS = ("subtopics",)


@dataclass(frozen=True, slots=True)
class DiversityRunFigures:
    """One run: counts, measures, subtopic recall by rank, and its topics; None is undefined."""

    run: str
    topics: int
    """Topics that enter the averages."""
    retrieved: int
    relevant: int
    """Documents that are relevant to any subtopic."""
    relevant_retrieved: int
    at_cutoffs: tuple[tuple[str, tuple[float | None, ...]], ...]
    whole: tuple[tuple[str, float | None], ...]
    recall_by_rank: tuple[float | None, ...]
    """At place k - 1: the share of subtopics covered by the first k documents, averaged over topics."""
    against_median: AgainstMedian
    topic_recall: tuple[float | None, ...]
    """Subtopic recall at 20, topic by topic."""


@dataclass(frozen=True, slots=True)
class DiversityFigures:
    """A campaign: its topics with their subtopics, its runs, and the median run."""

    topics: tuple[str, ...]
    subtopics: tuple[int, ...]
    """How many of each topic's have a relevant document."""
    runs: tuple[DiversityRunFigures, ...]
    median_by_rank: tuple[float | None, ...]
    """The median of the runs' subtopic recall at each rank."""


def figures(scores: Scores) -> DiversityFigures:
    runs = tuple(_run(scores, run) for run in scores.runs)
    curve = median_curve(run.recall_by_rank for run in runs)
    return DiversityFigures(tuple(scores.topics), gold_counts(scores, "subtopics"), runs, curve)


def _run(scores: Scores, run: str) -> DiversityRunFigures:
    def value(measure: str) -> float | None:
        return scores.value(run, measure).value

    retrieved, relevant, hits = counts(scores, run)
    return DiversityRunFigures(
        run=run, topics=scores.value(run, MAIN).topics, retrieved=retrieved, relevant=relevant, relevant_retrieved=hits,
        at_cutoffs=tuple((name, tuple(value(f"{name}@{cut}") for cut in CUTOFFS)) for name in AT_CUTOFFS),
        whole=tuple((name, value(name)) for name in WHOLE),
        recall_by_rank=tuple(map(value, BY_RANK)),
        against_median=against_median(scores, run, MAIN),
        topic_recall=tuple(scores.column(run, BY_RANK[-1])),
    )  # fmt: skip


FIGURES = TaskFigures(figures, MEASURES, COLUMNS)
