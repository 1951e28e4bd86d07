"""The price of a wrong answer: every run's mean by what an error costs, and how sure it is who leads.

A run's mean is a line over the cost x = t/(1-t): the share it has right, less x times the share it has wrong. Who leads
where follows from the lines themselves, exactly (`figures/price_curves.py`); this module resamples questions to say how sure that is:

band     of a run: mean ± c · standard error, c such that of the resamples' lines the stated share stays within it at
         every price at once
shown    of a lead: where the leader is ahead of every other run, and of declining everything, by more than c · standard
         error of the difference, c such that this holds for all pairs of them and all prices at once
share    of the resamples: how often a run has the highest mean at a price; who ties shares

Standard errors are those of the resamples (`price_bands.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, inf, isfinite
from typing import Any

from assay.analyses.abstention.price_bands import Resampled, Span
from assay.errors import InputError, UsageError
from assay.figures.price_curves import (
    GRID,
    LOWEST,
    Counted,
    Crossing,
    Lead,
    counted,
    crossings,
    leads,
    places_of,
    right_to_decline,
    score,
    worth_of_declining,
)
from assay.figures.topic_groups import tasks
from assay.parallel.memory_limits import BYTES_DRAWN, afford
from assay.resampling.columns import compared
from assay.scoring.evaluate import extended, read_gold, scores_of
from assay.settings import CONFIDENCE, POSITIVE, WHOLE, Kind, checked
from assay.table.results import Result
from assay.table.run_scores import RunScores
from assay.table.scores import Scores

PRICE = Kind(float, "a price from 0 up to but not 1, where a wrong answer costs t/(1-t)", low=0, below=1)
AT = (0.0, 0.5, 0.75, 0.9)
"""Prices that are told unless others are asked for: an error costs nothing, as much as a right answer brings, 3 and 9 times it."""
RESAMPLES = 2000
MEASURES = ("accuracy", "UF")
"""Two prices, 0 and 1/2, through which a run's line is drawn."""


@dataclass(frozen=True, slots=True)
class PricePoint:
    """One run at one price."""

    t: float
    score: float
    interval: Span | None
    """The band's ends; None where nothing varies, or there are too few questions or resamples."""
    first: float | None
    """The share of resamples in which the run has the highest mean; who ties shares."""


@dataclass(frozen=True, slots=True)
class LeadEvidence:
    """A range of prices in which somebody leads, and how sure that is; no run where declining everything does."""

    start: Fraction
    end: Fraction
    runs: tuple[str, ...]
    shown: Span | None
    """The prices at which the lead is shown, whichever run and price one looks at; None where at none, or several share it."""
    surest: tuple[float, float] | None
    """A price of the range, and the share of resamples in which these lead there: the highest of those looked at."""


@dataclass(frozen=True, slots=True)
class CrossingEvidence:
    """Where two runs change places: before `low` and from `high` on it is shown who is ahead (0 and 1 where it never is)."""

    at: Fraction
    before: str
    after: str
    interval: Span | None


@dataclass(frozen=True, kw_only=True, repr=False)
class Pricing(Result):
    """Every run by what a wrong answer costs."""

    noun: str
    questions: int
    units: int
    left_out: int
    counts: tuple[Counted, ...]
    prices: tuple[float, ...]
    """Those asked for."""
    runs: dict[str, tuple[PricePoint, ...]]
    """At the prices asked for."""
    curves: dict[str, tuple[PricePoint, ...]]
    """From 0 on, for drawing."""
    worth: float
    """The mean of declining everything, at any price: the share of questions that should be declined."""
    declining: tuple[float | None, ...]
    """At the prices asked for, the share of resamples in which declining everything is better than any run."""
    leads: tuple[LeadEvidence, ...]
    crossings: tuple[CrossingEvidence, ...]
    confidence: float
    resamples: int
    seed: int
    cluster: str | None
    settings: dict[str, Any]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        shares = {name: _shares(counts) for name, *counts in self.counts}
        return {
            "questions": self.questions, "left_out": self.left_out, "cluster": self.cluster, "confidence": self.confidence,
            "runs": [
                {"run": run, **shares[run], "prices": [{"t": p.t, "cost": _cost(p.t), **_told(p)} for p in points]}
                for run, points in self.runs.items()
            ],
            "declining": [{"t": t, "score": self.worth, "first": share} for t, share in zip(self.prices, self.declining, strict=True)],
            "leads": [
                {
                    "from": float(one.start), "to": float(one.end), "runs": list(one.runs), "shown": _list(one.shown),
                    "surest": one.surest and {"t": one.surest[0], "share": one.surest[1]},
                }
                for one in self.leads
            ],
            "crossings": [
                {"at": float(one.at), "before": one.before, "after": one.after, "interval": _list(one.interval)}
                for one in self.crossings
            ],
            "trials": self.resamples, "settings": {**self.settings, "seed": self.seed}, "notes": list(self.notes),
        }  # fmt: skip

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row a run and price."""
        rows = [
            [run, p.t, _cost(p.t), p.score, *(p.interval or (None, None)), p.first]
            for run, points in self.runs.items()
            for p in points
        ]
        return ["run", "t", "cost", "score", "low", "high", "first"], rows


def _shares(counts: Sequence[int]) -> dict[str, float]:
    return {
        name: count / sum(counts) for name, count in zip(("correct", "incorrect", "unanswered"), counts, strict=True)
    }


def _exact(t: float) -> Fraction:
    """A price as it was written."""
    return Fraction(str(t))


def _cost(t: float) -> float:
    return float(_exact(t) / (1 - _exact(t)))


def _told(one: PricePoint) -> dict[str, Any]:
    return {"score": one.score, "interval": _list(one.interval), "first": one.first}


def _list(span: Span | None) -> list[float] | None:
    return None if span is None else list(span)


def price(
    scores: Any, runs: Any = None, *, at: Sequence[float] = AT, confidence: float = 0.95, resamples: int = RESAMPLES,
    seed: int | None = None, cluster: str | None = "auto", threads: int | None = None, task: str | None = None,
    **settings: Any,
) -> Pricing:  # fmt: skip
    """Find which run leads at each price of a wrong answer: right 1, declined 0, wrong -t/(1-t), mean over questions.

    scores       a score table of answers; or gold, as `assay.evaluate` takes it, or a log; None for runs with outcomes
    runs         with gold: the runs
    at           the prices t to tell every run's mean at, from 0 up to but not 1
    confidence   of bands, and of the leads and crossings that are shown
    resamples    of the questions
    seed         of the resamples; that of the table where left out
    cluster      the field of questions that are resampled together; auto is `cluster` where the gold has one; None
    threads      all cores where left out; the numbers do not depend on it
    task         with gold: the kind of evaluation, detected where left out
    settings     with gold: choices of the task, as `missing` or `right_from`

    Returns
        Pricing      every run's mean at each price, who leads where, and how sure that is

    Raises
        UsageError   a price out of range, or a task without declined answers
        InputError   no question that all runs were asked

    >>> rows = [{"run": run, "id": str(i), "outcome": outcome}
    ...         for run, ended in (("bold", "rrrrrrwwww"), ("shy", "rrrrrwuuuu")) for i, outcome in enumerate(ended)]
    >>> words = {"r": "correct", "w": "incorrect", "u": "unanswered"}
    >>> import json
    >>> lines = "\\n".join(json.dumps({**row, "outcome": words[row["outcome"]]}) for row in rows)
    >>> found = price(None, lines.encode())
    >>> [(str(lead.start), str(lead.end), lead.runs) for lead in found.leads]
    [('0', '1/4', ('bold',)), ('1/4', '5/6', ('shy',)), ('5/6', '1', ())]
    """
    if isinstance(scores, Scores):
        table = scores_of(scores, runs, task=task, **settings)
        _refuse_other(table.task.name)
    else:
        read = read_gold(scores, task=task, runs=runs, **settings)
        _refuse_other(read.task.name)
        table = read.evaluate(None if read.holds_runs else runs, MEASURES)
    table = extended(table, MEASURES)
    return priced(
        table, at=at, confidence=confidence, resamples=resamples, seed=table.settings.seed if seed is None else seed,
        cluster=cluster, threads=threads,
    )  # fmt: skip


def _refuse_other(task: str) -> None:
    if task != "outcomes":
        raise UsageError(f"`task={task!r}`: only answers that are right, wrong or declined have a price")


def priced(
    scores: Scores, *, at: Sequence[float] = AT, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0,
    cluster: str | None = "auto", threads: int | None = None,
) -> Pricing:  # fmt: skip
    """The same of a table that has what it takes: the columns of accuracy and UF."""
    checked("resamples", resamples, POSITIVE)
    checked("confidence", confidence, CONFIDENCE)
    checked("seed", seed, WHOLE)  # also where too few questions are left to draw any
    for t in at:
        checked("at", t, PRICE)
    accuracy, uf = (scores.measure(name) for name in MEASURES)
    noun, shared = scores.task.noun, len(places_of(scores))
    if not shared:
        raise InputError(f"there is no {noun} that all {len(scores.runs)} runs were asked; give runs that share some")
    counts, worth = counted(scores), worth_of_declining(scores)
    drawn, field, units = None, None, shared
    notes: list[str] = []
    try:
        asked = _beside_declining(scores) if worth else scores
        columns = [compared(asked, measure, asked.runs, cluster) for measure in (accuracy, uf)]
    except InputError as reason:  # as fewer than 2 questions: numbers, but nothing to resample
        why = f"fewer than 2 {noun}s to resample" if shared < 2 else reason
        notes.append(f"no bands, and nothing is shown: {why}")
    else:
        field, units = columns[0].cluster, columns[0].resampler.units
        afford("resamples", resamples, memory=(BYTES_DRAWN + 32 * len(counts)) * resamples,
               seconds=2e-8 * resamples * (len(counts) ** 2 + units * len(counts)))  # fmt: skip
        # The same seed draws the same questions, so that both are of one line.
        right, even = (one.resampler.bootstrap(resamples, seed, threads) for one in columns)
        runs = len(counts)
        declining = (right[:, runs:], float(worth)) if worth else None
        drawn = Resampled(counts, right[:, :runs], (right - even)[:, :runs], confidence, declining)
        if drawn.too_few:
            fewest = ceil(1 / (1 - confidence) - 1e-9) - 1
            notes.append(
                f"no bands, and nothing is shown: {resamples:,} resamples say nothing at a confidence of {confidence:g}; "
                f"ask for {fewest:,} or more (`resamples=`)"
            )
    left_out = len(scores.topics) - shared
    if left_out:
        notes.append(f"{left_out} {noun}s that some run was not asked, or failed on, are left out for all")
    if worth:
        notes.append(f"where declining is right it counts 1: declining everything has a mean of {float(worth):.4f}")
    if tasks(scores):
        notes.append(f"{noun}s of {len(tasks(scores))} tasks pooled, each {noun} weighing the same")
    for name, _, wrong, _ in counts:
        if not wrong and drawn is not None:
            notes.append(f"{name} has no wrong answer, and resampling cannot tell how rare one is")
    found = tuple(_lead(one, drawn) for one in leads(counts, worth))
    return Pricing(
        noun=noun, questions=shared, units=units, left_out=left_out, counts=tuple(counts), prices=tuple(at),
        runs=_at(counts, at, drawn), curves=_curves(_at(counts, tuple(map(float, GRID)), drawn)),
        worth=float(worth), declining=tuple(None if drawn is None else float(drawn.first(_cost(t))[-1]) for t in at), leads=found,
        crossings=tuple(_crossing(one, drawn) for one in crossings(counts)), confidence=confidence, resamples=resamples,
        seed=seed, cluster=field, settings=scores.settings.as_dict(), notes=tuple(notes),
    )  # fmt: skip


def _beside_declining(scores: Scores) -> Scores:
    """The table with one run more, which declines everything, so that its questions are resampled with theirs."""
    right = [int(flag) for flag in right_to_decline(scores)]
    nothing = [0] * len(right)
    samples = None if scores.run(scores.runs[0]).samples is None else [1] * len(right)
    columns = {"correct": right, "incorrect": nothing}
    more = RunScores("\0declining everything", None, columns, [False] * len(right), samples=samples)
    return scores.with_runs([*(scores.run(name) for name in scores.runs), more])


def _price(x: float) -> float:
    return x / (1 + x) if isfinite(x) else 1.0


def _at(counts: Sequence[Counted], at: Sequence[float], drawn: Resampled | None) -> dict[str, tuple[PricePoint, ...]]:
    firsts = [None if drawn is None else drawn.first(_cost(t)) for t in at]
    found: dict[str, tuple[PricePoint, ...]] = {}
    for place, (name, right, wrong, declined) in enumerate(counts):
        found[name] = tuple(
            PricePoint(
                t, float(score(right, wrong, declined, _exact(t))), None if drawn is None else drawn.band(place, _cost(t)),
                None if first is None else float(first[place]),
            )
            for t, first in zip(at, firsts, strict=True)
        )  # fmt: skip
    return found


def _curves(points: dict[str, tuple[PricePoint, ...]]) -> dict[str, tuple[PricePoint, ...]]:
    """As far as curves are drawn: they end where a run does worse than is worth a picture, and so do their bands."""
    cut = {run: [one for one in own if one.score >= LOWEST] for run, own in points.items()}
    return {
        run: tuple(
            one if one.interval is None else replace(one, interval=(max(one.interval[0], LOWEST), one.interval[1]))
            for one in own
        )
        for run, own in cut.items()
    }


def _lead(lead: Lead, drawn: Resampled | None) -> LeadEvidence:
    """How sure it is who leads from one price to the next."""
    if drawn is None:
        return LeadEvidence(lead.start, lead.end, lead.runs, None, None)
    places = [drawn.names.index(run) for run in lead.runs] or [len(drawn.names)]
    middle = (lead.start + lead.end) / 2
    looked = sorted({float(t) for t in (*GRID, middle) if lead.start <= t <= lead.end})
    surest = max(((t, float(drawn.first(_cost(t))[places].sum())) for t in looked), key=lambda one: one[1])
    span = None
    if len(places) == 1:
        others = [drawn.ahead(places[0], other) for other in range(len(drawn.names) + 1) if other != places[0]]
        ranges = [one for one in others if one is not None]
        low, high = max((one[0] for one in ranges), default=0.0), min((one[1] for one in ranges), default=inf)
        span = (_price(low), _price(high)) if len(ranges) == len(others) and low < high else None
    return LeadEvidence(lead.start, lead.end, lead.runs, span, surest)


def _crossing(one: Crossing, drawn: Resampled | None) -> CrossingEvidence:
    if drawn is None:
        return CrossingEvidence(one.at, one.before, one.after, None)
    before, after = drawn.names.index(one.before), drawn.names.index(one.after)
    first, last = drawn.ahead(before, after), drawn.ahead(after, before)
    ends = 0.0 if first is None else _price(first[1]), 1.0 if last is None else _price(last[0])
    return CrossingEvidence(one.at, one.before, one.after, ends)
