"""Figures of filtering: the summary, the median graph, and utility over time periods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import InputError
from assay.figures.common import (
    COUNTED,
    AgainstMedian,
    RunsFigures,
    TaskFigures,
    against_median,
    characteristics,
    counts,
    run_type,
    values_of,
)
from assay.measures.filtering import SetView, t10su, t10u
from assay.table.missing_topics import mean
from assay.table.scores import Scores

MEASURES = ("NumRet", "NumRel", "NumRelRet", "SetR", "SetP", "T10SU", "T10F", "T10U", "T11SU", "ZeroReturns")
COLUMNS = ("periods",)
OPTIMIZED: dict[str, tuple[str, ...]] = {
    "t10u": ("T10U",), "t10su": ("T10SU",), "t11su": ("T11SU",), "t10f": ("T10F",), "f-beta": ("T10F",),
    "fbeta": ("T10F",), "neither": ("T10F", "T10U"), "none": ("T10F", "T10U"), "": ("T10F", "T10U"),
}  # fmt: skip
"""The measure that a run was optimised for → the measures of its median graph; both where it is neither."""


@dataclass(frozen=True, slots=True)
class Period:
    """One run in one period, on the documents of that period: means over topics, and totals."""

    label: str
    mean_t10u: float | None
    mean_t10su: float | None
    retrieved: int
    relevant: int
    relevant_retrieved: int


@dataclass(frozen=True, slots=True)
class FilteringRunFigures:
    """One run: its summary and median graph; periods where it is adaptive and they are known."""

    run: str
    characteristics: dict[str, Any]
    subtask: str | None
    optimized_for: str | None
    topics: int
    retrieved: int
    relevant: int
    relevant_retrieved: int
    macro_recall: float | None
    macro_precision: float | None
    mean_t10su: float | None
    mean_f_beta: float | None
    zero_returns: int
    peers: int
    """Runs of the same subtask and type, this one included."""
    against_median: tuple[AgainstMedian, ...]
    """Among the corresponding runs, in the measure it was optimised for; in both where neither."""
    periods: tuple[Period, ...] | None
    type: str = ""
    """From the characteristics; empty where they do not state it."""
    against_all: tuple[AgainstMedian, ...] = ()
    """The same against the median of all runs; nothing where all runs correspond."""


def characteristic(described: dict[str, Any], *names: str) -> str | None:
    """Return the first of several spellings of a characteristic that a run has, as text."""
    for name in names:
        if described.get(name) is not None:
            return str(described[name])
    return None


def figures(scores: Scores) -> RunsFigures:
    return RunsFigures.of(scores, _run)


def _kind(described: dict[str, Any]) -> tuple[str, str]:
    """Return subtask and type in lower case; runs with equal ones correspond."""
    return (characteristic(described, "subtask") or "").strip().lower(), run_type(described)


def _run(scores: Scores, run: str) -> FilteringRunFigures:
    described = characteristics(scores, run)
    optimized = characteristic(described, "optimized_for", "optimised_for")
    measures = OPTIMIZED.get((optimized or "").lower())
    if measures is None:
        known = "T10U, T10SU, T11SU, T10F (F-beta) or neither"
        raise InputError(f"characteristics of {run}: optimized_for = {optimized!r}; expected {known}")
    subtask, kind = _kind(described)
    peers = [other for other in scores.runs if _kind(characteristics(scores, other)) == (subtask, kind)]
    retrieved, relevant, hits, zero_returns = counts(scores, run, (*COUNTED, "ZeroReturns"))
    return FilteringRunFigures(
        run=run, characteristics=described, subtask=characteristic(described, "subtask"), optimized_for=optimized,
        topics=scores.value(run, "T10F").topics, retrieved=retrieved, relevant=relevant, relevant_retrieved=hits,
        zero_returns=zero_returns, peers=len(peers),
        against_median=tuple(against_median(scores, run, measure, peers) for measure in measures),
        periods=None if subtask == "batch" else _periods(scores, run), type=kind,
        against_all=tuple(against_median(scores, run, measure) for measure in measures)
        if len(peers) < len(scores.runs) else (),
        **values_of(scores, run, macro_recall="SetR", macro_precision="SetP", mean_t10su="T10SU", mean_f_beta="T10F"),
    )  # fmt: skip


def _periods(scores: Scores, run: str) -> tuple[Period, ...] | None:
    """Return the mean utility over topics in each period; None where periods are unknown."""
    labels: Sequence[str] | None = scores.run(run).notes.periods
    if labels is None:
        return None
    column: list[Any] = scores.column(run, "periods")
    entering = [column[i] for i in scores.entering(run)]
    periods: list[Period] = []
    for place, label in enumerate(labels):
        views = [SetView(*topic[place]) for topic in entering]
        plain, scaled = mean([t10u(view) for view in views]), mean([t10su(view) for view in views])
        retrieved, relevant = sum(view.retrieved for view in views), sum(view.relevant for view in views)
        periods.append(Period(label, plain, scaled, retrieved, relevant, sum(view.hits for view in views)))
    return tuple(periods)


def table(figures: RunsFigures, measures: bool) -> tuple[list[str], list[list[Any]]] | None:
    """Return a row per run and period; batch runs have none."""
    header = ["run", "documents", "NumRet", "NumRel", "NumRelRet", "T10U", "T10SU"]
    rows = [
        [run.run, p.label, p.retrieved, p.relevant, p.relevant_retrieved, p.mean_t10u, p.mean_t10su]
        for run in figures.runs
        for p in run.periods or ()
    ]
    return (header, rows) if rows else None


FIGURES = TaskFigures(figures, MEASURES, COLUMNS, table)
