"""`assay.plan`: topics needed to show a difference, and the smallest difference the present topics can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Unpack

import numpy as np

from assay.analyses.planning.finding import of_samples, of_topics
from assay.analyses.planning.more_samples import Split, refusal, repeated, sampling_rows, split
from assay.errors import InputError, UsageError
from assay.parameters import ScoringSettings, public
from assay.resampling.arithmetic import Floats
from assay.resampling.columns import Columns, studied
from assay.resampling.subsets import undefined
from assay.scoring.evaluate import scores_of
from assay.settings import ABOVE_ZERO, BETWEEN, CONFIDENCE, Kind, checked, listed
from assay.stats.topic_set_size import (
    expected_width,
    keep_best,
    power_of_anova,
    power_of_t,
    smallest_difference,
    topics_for_anova,
    topics_for_t,
    topics_for_width,
)  # fmt: skip
from assay.stats.variance_components import Components, Ends, variance_components, variance_intervals
from assay.table.results import Result
from assay.table.scores import Scores

TARGETS = (0.9, 0.95, 0.99)
"""Generalizability coefficients that a plan gives the price of."""
STATED = "stated variance"
"""What stands for the measure in a plan without scores."""
METHODS = ("t-test", "anova", "interval")
CURVE_POINTS = 40
"""Numbers of topics at which a power curve is computed."""
CURVE_REACH = 2.0
"""A power curve ends at this many times the topics needed."""
UNTOLD = ("measure", "noun", "curve", "missing", "undefined", "variance_ends")
"""Fields that the JSON of a plan has elsewhere, or only where there is a table."""


@dataclass(frozen=True)
class CurvePoint:
    """The power of the paired t-test over so many topics, with its ends at those of the learnt variance."""

    topics: int
    power: float
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class MeasurePlan:
    """The plan by one measure. n/a is None."""

    measure: str
    noun: str
    difference: float
    alpha: float
    power: float
    runs: int
    topics: int | None
    variance: float
    """σ² within a run, as one-way ANOVA sees it."""
    variance_of_differences: float
    needed: dict[str, int]
    """Topics needed, by method: t-test, anova, interval."""
    ranges: dict[str, tuple[int, int]] | None = None
    """By method, the topics needed at the ends of the interval of the learnt variance; None where the variance is stated."""
    smallest: dict[str, float] | None
    """The smallest difference (or narrowest interval) the present topics can show, by method."""
    components: Components | None
    variance_ends: Ends | None = None
    """The ends of the interval of the learnt variance of differences."""
    curve: list[CurvePoint] | None = None
    """Where it was requested: the power to detect the difference, by number of topics."""
    missing: int | None = None
    undefined: int | None = None
    """Cells of the table that had no result, or no value."""

    def topics_to_show(self, difference: float) -> tuple[int, tuple[int, int] | None]:
        """Return the topics that the paired t-test needs for another difference, and their range where the variance is learnt."""

        def needed(variance: float) -> int:
            return topics_for_t(difference, variance, self.alpha, self.power)

        ends = None if self.variance_ends is None else (needed(self.variance_ends[0]), needed(self.variance_ends[1]))
        return needed(self.variance_of_differences), ends

    @property
    def confidence(self) -> float:
        """1 - alpha, which is also that of the coefficients' intervals."""
        return round(1 - self.alpha, 12)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        kept = {name: value for name, value in vars(self).items() if name not in UNTOLD}
        counts = {} if self.missing is None else {"missing": self.missing, "undefined": self.undefined}
        curve = {} if self.curve is None else {"curve": [vars(point) for point in self.curve]}
        return {**kept, "components": self._components(), **counts, **curve}

    def _components(self) -> dict[str, Any] | None:
        c = self.components
        if c is None or self.topics is None:
            return None
        fields = {name: getattr(c, name) for name in ("run", "topic", "interaction", "shares")}
        fields["confidence"] = confidence = self.confidence
        for name, absolute in (("relative", False), ("absolute", True)):
            value = c.absolute(self.topics) if absolute else c.relative(self.topics)
            fields[name] = {"value": value, "interval": c.interval(self.topics, confidence, absolute=absolute)}
            fields[f"topics_for_{name}"] = {
                str(target): {
                    "topics": c.topics_for(target, absolute=absolute),
                    "interval": c.topics_interval(target, confidence, absolute=absolute),
                }
                for target in TARGETS
            }
        return fields


@dataclass(frozen=True, kw_only=True, repr=False)
class Plan(Result):
    """The plans by every measure that was asked for; without scores, by a stated variance."""

    measures: dict[str, MeasurePlan]
    settings: dict[str, Any]
    noun: str
    sampling: list[Split] = field(default_factory=list[Split])
    """More questions or more samples: of every run that answers questions several times, by every measure that can tell."""

    @property
    def finding(self) -> str:
        """How many topics show the difference in the first measure; of one run alone, more questions against more samples."""
        for name, plan in self.measures.items():
            return of_topics(plan, "" if name == STATED else name)
        return of_samples(self.sampling[0])

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `assay plan`."""
        measures = {name: plan.to_dict() for name, plan in self.measures.items()}
        fields = {"finding": self.finding, "measures": measures, "settings": self.settings}
        return {**fields, "sampling": [split.to_dict() for split in self.sampling]} if self.sampling else fields

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row per measure and method; of one run, which has no differences to plan, per measure."""
        if not self.measures:
            return sampling_rows(self.sampling)
        rows = [
            [
                name, method, measure.needed[method], *((measure.ranges or {}).get(method) or (None, None)),
                measure.smallest[method] if measure.smallest else None,
            ]
            for name, measure in self.measures.items()
            for method in METHODS
        ]  # fmt: skip
        return ["measure", "method", f"{self.noun}s needed", "low", "high", "smallest difference"], rows


@public
def plan(
    scores: Any = None, measures: str | Sequence[str] | None = None, *, difference: float,
    confidence: float = 0.95, power: float = 0.8, runs: int | None = None, variance: float | None = None,
    variance_of_differences: float | None = None, topics: int | None = None, drop_worst: float = 0.0,
    curve: bool = False, task: str | None = None, **settings: Unpack[ScoringSettings],
) -> Plan:  # fmt: skip
    """Plan how many topics show a difference, by three methods, from real scores or a stated variance.

    scores                    a score table to learn the variance from, or logs and other runs that carry their own outcomes,
                              as `assay.evaluate` takes them; none where the variance is stated
    measures                  one or several of the table's; all that order runs and have a value per topic, or sums
    difference                the difference to be shown
    confidence                1 - alpha
    power                     the chance to show it
    runs                      how many runs ANOVA is to compare: the number in the table, or 2. To plan from gold and runs,
                              score them first: `plan(assay.evaluate(gold, runs), …)`
    variance                  σ² of a run's scores over topics; learnt where left out
    variance_of_differences   of two runs' differences; learnt, or else twice the variance
    topics                    what can so many show? Those of the table where left out
    drop_worst                learn from the runs whose mean is at least this quantile of the means
    curve                     also the power to detect the difference by number of topics
    task                      with logs or runs: the kind of evaluation, detected where left out
    settings                  with logs or runs: choices of the task, as `missing` or `columns`

    The t-test and the interval use twice the interaction variance of the table, ANOVA the variance within runs. Where runs
    answer questions several times, `sampling` says whether more questions or more samples would help, of one run too.
    A learnt variance is an estimate: `ranges` has the topics needed at the ends of its 95% interval (at `confidence`).

    Returns
        Plan         topics needed per measure and method with their ranges, and what the present topics can show

    Raises
        UsageError   no variance to learn or stated, or an impossible choice
        InputError   scores that do not vary

    >>> plan(difference=0.1, variance=0.04).measures[STATED].needed
    {'t-test': 65, 'anova': 64, 'interval': 125}
    """
    _check(difference, confidence, power, variance, variance_of_differences)
    if runs is not None:
        checked(
            "runs",
            runs,
            Kind(int, "a number of runs, at least 2 (the runs themselves go into `assay.evaluate`)", low=2),
        )
    choices: dict[str, Any] = {
        "difference": difference, "alpha": round(1 - confidence, 12), "power": power, "runs": runs, "variance": variance,
        "variance_of_differences": variance_of_differences, "topics": topics, "curve": curve,
    }  # fmt: skip
    if scores is None:
        if settings or task is not None:
            raise UsageError(
                f"{listed([*settings, *(['task'] if task else [])])}: only for scoring; a stated variance has nothing to score"
            )
        if drop_worst:
            raise UsageError(f"`drop_worst={drop_worst}` chooses among runs; give scores, or gold and runs")
        return Plan(measures={STATED: _planned(STATED, "topic", None, **choices)}, settings={}, noun="topic")
    scores = scores_of(scores, None, measures, task=task, **settings)
    plans: dict[str, MeasurePlan] = {}
    splits = _splits(scores, measures)
    alone = len(scores.runs) == 1 and bool(splits)
    for columns in () if alone else studied(scores, measures):
        matrix = topic_values(columns.shared())
        matrix = matrix[:, keep_best(matrix, drop_worst)]
        components = variance_components(matrix)
        intervals = variance_intervals(matrix, confidence)
        missing, empty = (sum(counts) for counts in zip(*columns.gaps, strict=True))
        name = columns.measure.name
        plans[name] = _planned(name, columns.noun, components, intervals, missing=missing, undefined=empty, **choices)
    chosen = {**scores.settings.as_dict(), "drop_worst": drop_worst}
    return Plan(measures=plans, settings=chosen, noun=scores.task.noun, sampling=splits)


def _splits(scores: Scores, measures: str | Sequence[str] | None) -> list[Split]:
    """More questions or more samples, by the measures of the plan that can tell."""
    named = [measures] if isinstance(measures, str) else measures
    wanted = scores.measures if named is None else [scores.measure(name) for name in named]
    splits: list[Split] = []
    for measure in wanted:
        if refusal(measure) is not None or (named is None and measure.declaration.higher_is_better is None):
            continue
        for run in repeated(scores):
            try:
                splits.append(split(scores, measure, run))
            except InputError:  # too few questions, or undefined next to what it is: the plan has no say on it
                continue
    return splits


def _check(difference: float, confidence: float, power: float, variance: float | None, of_two: float | None) -> None:
    checked("difference", difference, ABOVE_ZERO)
    for name, stated in (("variance", variance), ("variance_of_differences", of_two)):
        if stated is not None:
            checked(name, stated, Kind(float, "a number of 0 or more", low=0, below=inf))
    checked("confidence", confidence, CONFIDENCE)
    checked("power", power, BETWEEN)


def _planned(
    measure: str, noun: str, components: Components | None, intervals: tuple[Ends | None, Ends | None] = (None, None), *,
    difference: float, alpha: float, power: float, runs: int | None, variance: float | None,
    variance_of_differences: float | None, topics: int | None, curve: bool = False,
    missing: int | None = None, undefined: int | None = None,
) -> MeasurePlan:  # fmt: skip
    of_one, of_two = variance, variance_of_differences
    if components is not None:
        of_one = components.within if of_one is None else of_one
        of_two = components.of_differences if of_two is None else of_two
        runs = components.runs if runs is None else runs
        topics = components.topics if topics is None else topics
    if of_one is None and of_two is not None:
        of_one = of_two / 2
    if of_one is None:
        raise UsageError("a plan needs scores to learn the variance from, or a stated one, as in `variance=0.04`")
    of_two = 2 * of_one if of_two is None else of_two
    many = 2 if runs is None else runs
    if many < 2:
        raise UsageError(f"`runs={many}`: a comparison needs at least 2 runs")
    if of_one <= 0:
        raise InputError(f"the scores do not vary between {noun}s, so any number of {noun}s would do; nothing to plan")
    if of_two <= 0:
        raise InputError(
            f"the differences between runs are the same on every {noun}, so any number of {noun}s would do; nothing to plan"
        )
    if topics is not None:
        checked("topics", topics, Kind(int, "a whole number of at least 2", low=2))

    def needed_at(of_one: float, of_two: float) -> dict[str, int]:
        return {
            "t-test": topics_for_t(difference, of_two, alpha, power),
            "anova": topics_for_anova(difference, of_one, many, alpha, power),
            "interval": topics_for_width(difference, of_two, alpha),
        }

    needed, ranges, of_two_ends = needed_at(of_one, of_two), None, None
    interaction, within = intervals
    if interaction is not None and within is not None and variance is None and variance_of_differences is None:
        of_two_ends = 2 * interaction[0], 2 * interaction[1]
        low, high = (needed_at(*ends) for ends in zip(within, of_two_ends, strict=True))
        ranges = {method: (low[method], high[method]) for method in METHODS}
    smallest = None
    if topics is not None:
        smallest = {
            "t-test": smallest_difference(lambda d: power_of_t(topics, d, of_two, alpha) >= power),
            "anova": smallest_difference(lambda d: power_of_anova(topics, d, of_one, many, alpha) >= power),
            "interval": expected_width(topics, of_two, alpha),
        }
    points = None
    if curve:
        last = CURVE_REACH * (needed["t-test"] if ranges is None else ranges["t-test"][1])
        points = _power_curve(difference, of_two, of_two_ends, alpha, max(last, topics or 0))
    return MeasurePlan(
        measure=measure, noun=noun, difference=difference, alpha=alpha, power=power, runs=many, topics=topics, variance=of_one,
        variance_of_differences=of_two, needed=needed, ranges=ranges, smallest=smallest, components=components,
        variance_ends=of_two_ends, curve=points, missing=missing, undefined=undefined,
    )  # fmt: skip


def _power_curve(difference: float, variance: float, ends: Ends | None, alpha: float, last: float) -> list[CurvePoint]:
    """Return the power of the t-test at numbers of topics from 2 to `last`, closer to each other where they are few."""
    sizes = dict.fromkeys(int(size) for size in np.geomspace(2, max(last, 4), CURVE_POINTS).round())
    points: list[CurvePoint] = []
    for n in sizes:
        high, low = (None, None) if ends is None else (power_of_t(n, difference, end, alpha) for end in ends)
        points.append(CurvePoint(n, power_of_t(n, difference, variance, alpha), low, high))
    return points


def topic_values(columns: Columns) -> Floats:
    """The values[topic, run] whose variance is planned with, where the measure has any."""
    name, resampler = columns.measure.name, columns.resampler
    if not resampler.can("add"):
        raise UsageError(
            f"{name} has no value per {columns.noun}, so its variance over {columns.noun}s is not defined; plan with "
            "another measure, or state a variance, as in `variance=0.04`"
        )
    n = resampler.topics
    for values, left in ((resampler.values()[None], n), (resampler.jackknife(), n - 1)):
        if not np.isfinite(values).all():
            run = int(np.argwhere(~np.isfinite(values))[0][1])
            raise undefined(name, columns.runs[run], f"{left} {columns.noun}s")
    return resampler.pseudo_values
