"""`assay.price`: which run leads at each price of a wrong answer, with simultaneous confidence bands.

A run's mean is a line over the cost x = t/(1-t) of an error: its share right less x times its share wrong. The leader at each
price follows exactly from the lines (`figures/price_curves.py`). Resampled questions give (`price_bands.py`):

band     of a run: mean ± c · standard error; c is such that the stated share of resampled lines lies within it at all prices
shown    of a lead: where the leader is ahead of every other run, and of declining everything, by more than c · standard
         error of the difference; c is such that this holds for all pairs and all prices at once
share    of the resamples in which a run has the highest mean at a price; tied runs split it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, inf, isfinite
from typing import Any, Unpack

from assay.analyses.abstention.finding import of_price
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
from assay.parameters import SettingsWithoutSeed, public
from assay.resampling.columns import compared
from assay.scoring.evaluate import extended, read_gold, scores_of
from assay.settings import CONFIDENCE, POSITIVE, WHOLE, Kind, checked
from assay.table.results import Result
from assay.table.run_scores import RunScores
from assay.table.scores import Scores

PRICE = Kind(float, "a price from 0 to below 1, where a wrong answer costs t/(1-t)", low=0, below=1)
AT = (0.0, 0.5, 0.75, 0.9)
"""Default prices: an error costs nothing, as much as a right answer earns, and 3 and 9 times that."""
RESAMPLES = 2000
MEASURES = ("accuracy", "UF")
"""A run's means at the prices 0 and 1/2, which determine its line."""


@dataclass(frozen=True, slots=True)
class PricePoint:
    """One run at one price."""

    t: float
    score: float
    interval: Span | None
    """The ends of the band; None if nothing varies, or there are too few questions or resamples."""
    first: float | None
    """The share of resamples in which the run has the highest mean; tied runs split it."""


@dataclass(frozen=True, slots=True)
class LeadEvidence:
    """An interval of prices, its leading runs (none if declining everything leads), and the evidence for the lead."""

    start: Fraction
    end: Fraction
    runs: tuple[str, ...]
    shown: Span | None
    """The prices at which the lead is significant, over all runs and prices; None if there are none, or runs tie."""
    surest: tuple[float, float] | None
    """The price of the interval at which the lead holds in most resamples, and their share."""


@dataclass(frozen=True, slots=True)
class CrossingEvidence:
    """The price at which two runs swap places; outside `interval` the lead is significant (0 and 1 if it never is)."""

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
    """The prices requested."""
    runs: dict[str, tuple[PricePoint, ...]]
    """At the prices requested."""
    curves: dict[str, tuple[PricePoint, ...]]
    """From 0 on, for drawing."""
    worth: float
    """The mean of declining everything, at any price: the share of questions that should be declined."""
    declining: tuple[float | None, ...]
    """At the prices requested, the share of resamples in which declining everything beats every run."""
    leads: tuple[LeadEvidence, ...]
    crossings: tuple[CrossingEvidence, ...]
    confidence: float
    resamples: int
    seed: int
    cluster: str | None
    settings: dict[str, Any]
    notes: tuple[str, ...]

    @property
    def finding(self) -> str:
        """Who leads by the cost of a wrong answer, and which leads are significant."""
        return of_price(self)

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        shares = {name: _shares(counts) for name, *counts in self.counts}
        return {
            "finding": self.finding, "questions": self.questions, "left_out": self.left_out, "cluster": self.cluster,
            "confidence": self.confidence,
            "runs": [
                {"run": run, **shares[run], "prices": [_point(point) for point in points]}
                for run, points in self.runs.items()
            ],
            "declining": [{"t": t, "score": self.worth, "first": share} for t, share in zip(self.prices, self.declining, strict=True)],
            "leads": [
                {
                    "from": float(lead.start), "to": float(lead.end), "runs": list(lead.runs), "shown": _list(lead.shown),
                    "surest": lead.surest and {"t": lead.surest[0], "share": lead.surest[1]},
                }
                for lead in self.leads
            ],
            "crossings": [
                {"at": float(pair.at), "before": pair.before, "after": pair.after, "interval": _list(pair.interval)}
                for pair in self.crossings
            ],
            "trials": self.resamples, "settings": {**self.settings, "seed": self.seed}, "notes": list(self.notes),
        }  # fmt: skip

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row per run and price."""
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
    """Return a price as the decimal fraction it is written as."""
    return Fraction(str(t))


def _cost(t: float) -> float:
    return float(_exact(t) / (1 - _exact(t)))


def _point(point: PricePoint) -> dict[str, Any]:
    interval = _list(point.interval)
    return {"t": point.t, "cost": _cost(point.t), "score": point.score, "interval": interval, "first": point.first}


def _list(span: Span | None) -> list[float] | None:
    return None if span is None else list(span)


@public
def price(
    scores: Any, runs: Any = None, *, at: Sequence[float] = AT, confidence: float = 0.95, resamples: int = RESAMPLES,
    seed: int | None = None, cluster: str | None = "auto", threads: int | None = None, task: str | None = None,
    **settings: Unpack[SettingsWithoutSeed],
) -> Pricing:  # fmt: skip
    """Find which run leads at each price of a wrong answer: right 1, declined 0, wrong -t/(1-t), mean over questions.

    scores       a score table of answers; or gold, as `assay.evaluate` takes it, or a log; None for runs with outcomes
    runs         with gold: the runs
    at           the prices t to report every run's mean at, from 0 to below 1
    confidence   of bands, and of significant leads and crossings
    resamples    of the questions
    seed         of the resamples; by default that of the table
    cluster      the field of questions that are resampled together; `auto` is `cluster` if the gold has one; None
    threads      by default all cores; results do not depend on it
    task         with gold: the kind of evaluation, by default detected
    settings     with gold: choices of the task, as `missing` or `right_from`

    Returns
        Pricing      every run's mean at each price, and the leader by price with its evidence

    Raises
        UsageError   a price out of range, or a task without declined answers
        InputError   no question was put to all runs

    >>> rows = [{"run": run, "id": str(i), "outcome": outcome}
    ...         for run, ended in (("bold", "rrrrrrwwww"), ("shy", "rrrrrwuuuu")) for i, outcome in enumerate(ended)]
    >>> words = {"r": "correct", "w": "incorrect", "u": "unanswered"}
    >>> import json
    >>> lines = "\\n".join(json.dumps({**row, "outcome": words[row["outcome"]]}) for row in rows)
    >>> result = price(None, lines.encode())
    >>> [(str(lead.start), str(lead.end), lead.runs) for lead in result.leads]
    [('0', '1/4', ('bold',)), ('1/4', '5/6', ('shy',)), ('5/6', '1', ())]
    """
    if isinstance(scores, Scores):
        scores = scores_of(scores, runs, task=task, **settings)
        _refuse_other(scores.task.name)
    else:
        gold = read_gold(scores, task=task, runs=runs, **settings)
        _refuse_other(gold.task.name)
        scores = gold.evaluate(None if gold.holds_runs else runs, MEASURES)
    scores = extended(scores, MEASURES)
    used_seed: int = scores.settings.seed if seed is None else checked("seed", seed, WHOLE)
    checked("resamples", resamples, POSITIVE)
    checked("confidence", confidence, CONFIDENCE)
    for t in at:
        checked("at", t, PRICE)
    accuracy, uf = (scores.measure(name) for name in MEASURES)
    noun, shared = scores.task.noun, len(places_of(scores))
    if not shared:
        raise InputError(f"no {noun} was put to all {len(scores.runs)} runs. Fix: give runs with common {noun}s.")
    counts, worth = counted(scores), worth_of_declining(scores)
    drawn, field, units = None, None, shared
    notes: list[str] = []
    try:
        table = _beside_declining(scores) if worth else scores
        columns = [compared(table, measure, table.runs, cluster) for measure in (accuracy, uf)]
    except InputError as error:  # such as fewer than 2 questions
        reason = f"fewer than 2 {noun}s to resample" if shared < 2 else error
        notes.append(f"no bands, and nothing is shown: {reason}")
    else:
        field, units = columns[0].cluster, columns[0].resampler.units
        afford("resamples", resamples, memory=(BYTES_DRAWN + 32 * len(counts)) * resamples,
               seconds=2e-8 * resamples * (len(counts) ** 2 + units * len(counts)))  # fmt: skip
        # The same seed draws the same questions for both measures.
        right, even = (column.resampler.bootstrap(resamples, used_seed, threads) for column in columns)
        runs = len(counts)
        declining = (right[:, runs:], float(worth)) if worth else None
        drawn = Resampled(counts, right[:, :runs], (right - even)[:, :runs], confidence, declining)
        if drawn.too_few:
            fewest = ceil(1 / (1 - confidence) - 1e-9) - 1
            notes.append(
                f"no bands, and nothing is shown: {resamples:,} resamples are too few for a confidence of {confidence:g}; "
                f"set `resamples={fewest}` or more"
            )
    left_out = len(scores.topics) - shared
    if left_out:
        notes.append(
            f"{left_out} {noun}s that were not put to every run, or on which a run failed, are excluded for all runs"
        )
    if worth:
        notes.append(f"declining counts 1 where it is right: declining everything has a mean of {float(worth):.4f}")
    if tasks(scores):
        notes.append(f"{noun}s of {len(tasks(scores))} tasks are pooled with equal weight")
    for name, _, wrong, _ in counts:
        if not wrong and drawn is not None:
            notes.append(f"{name} has no wrong answer, so resampling cannot estimate how rare one is")
    return Pricing(
        noun=noun, questions=shared, units=units, left_out=left_out, counts=tuple(counts), prices=tuple(at),
        runs=_at(counts, at, drawn), curves=_curves(_at(counts, tuple(map(float, GRID)), drawn)),
        worth=float(worth), declining=tuple(None if drawn is None else float(drawn.first(_cost(t))[-1]) for t in at),
        leads=tuple(_lead(lead, drawn) for lead in leads(counts, worth)),
        crossings=tuple(_crossing(pair, drawn) for pair in crossings(counts)), confidence=confidence, resamples=resamples,
        seed=used_seed, cluster=field, settings=scores.settings.as_dict(), notes=tuple(notes),
    )  # fmt: skip


def _refuse_other(task: str) -> None:
    if task != "outcomes":
        raise UsageError(f"`task={task!r}`: only answers that are right, wrong or declined have a price")


def _beside_declining(scores: Scores) -> Scores:
    """Return the table with a run that declines everything, so that all are resampled together."""
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
    points: dict[str, tuple[PricePoint, ...]] = {}
    for place, (name, right, wrong, declined) in enumerate(counts):
        points[name] = tuple(
            PricePoint(
                t, float(score(right, wrong, declined, _exact(t))), None if drawn is None else drawn.band(place, _cost(t)),
                None if first is None else float(first[place]),
            )
            for t, first in zip(at, firsts, strict=True)
        )  # fmt: skip
    return points


def _curves(points: dict[str, tuple[PricePoint, ...]]) -> dict[str, tuple[PricePoint, ...]]:
    """Cut curves and their bands off at the lowest score drawn."""

    def clipped(point: PricePoint) -> PricePoint:
        if point.interval is None:
            return point
        return replace(point, interval=(max(point.interval[0], LOWEST), point.interval[1]))

    return {run: tuple(clipped(point) for point in curve if point.score >= LOWEST) for run, curve in points.items()}


def _lead(lead: Lead, drawn: Resampled | None) -> LeadEvidence:
    """Add the evidence for a lead."""
    if drawn is None:
        return LeadEvidence(lead.start, lead.end, lead.runs, None, None)
    places = [drawn.names.index(run) for run in lead.runs] or [len(drawn.names)]
    middle = (lead.start + lead.end) / 2
    prices = sorted({float(t) for t in (*GRID, middle) if lead.start <= t <= lead.end})
    surest = max(((t, float(drawn.first(_cost(t))[places].sum())) for t in prices), key=lambda entry: entry[1])
    span = None
    if len(places) == 1:
        others = [drawn.ahead(places[0], other) for other in range(len(drawn.names) + 1) if other != places[0]]
        ranges = [span for span in others if span is not None]
        low, high = max((start for start, _ in ranges), default=0.0), min((end for _, end in ranges), default=inf)
        span = (_price(low), _price(high)) if len(ranges) == len(others) and low < high else None
    return LeadEvidence(lead.start, lead.end, lead.runs, span, surest)


def _crossing(pair: Crossing, drawn: Resampled | None) -> CrossingEvidence:
    if drawn is None:
        return CrossingEvidence(pair.at, pair.before, pair.after, None)
    before, after = drawn.names.index(pair.before), drawn.names.index(pair.after)
    first, last = drawn.ahead(before, after), drawn.ahead(after, before)
    ends = 0.0 if first is None else _price(first[1]), 1.0 if last is None else _price(last[0])
    return CrossingEvidence(pair.at, pair.before, pair.after, ends)
