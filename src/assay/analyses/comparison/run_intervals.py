"""The interval of every run's own number, by what kind of number it is.

    mid-p, Dirichlet      topics end in a few ways: right or wrong, or not answered (stats/proportions.py)
    studentised           other means and ratios, up to 2,000 topics: the bootstrap of stats/bootstrap_intervals.py
    jackknife t           measures of a whole run, and many topics: value ± t · standard error, on the scale of log-odds
                          for a measure with two ends, so that it stays between them
    unvaried              values that do not vary at all, as a proportion of topics would be
    resampled labels      calibration error (stats/calibration.py)

An interval contains its estimate and is never of zero width.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from assay.analyses.comparison.pair_statistics import RESAMPLES, range_of
from assay.analyses.comparison.paired_tests import MANY_UNITS
from assay.errors import InputError
from assay.measures.measure import Measure
from assay.parameters import public
from assay.resampling.arithmetic import Floats
from assay.resampling.columns import Columns, compared
from assay.stats import proportions
from assay.stats.bootstrap_intervals import Bootstrap, Interval
from assay.table.scores import Scores

EDGE = 1e-9
"""How near to an end of its range a value has no log-odds."""


@public
def run_intervals(
    scores: Scores, measure: str | Measure, *, confidence: float = 0.95, cluster: str | None = "auto"
) -> dict[str, Interval | None]:
    """Return the interval of every run's own value, as `assay evaluate --intervals` prints it.

    scores       the table
    measure      one of its measures
    confidence   how often such intervals hold what they are about
    cluster      the field of topics that are resampled together; auto is `cluster` where the gold has one; None

    Returns
        dict         by run, an `Interval`; None where the run has no value or too few topics

    Raises
        UsageError   an unknown measure, or a confidence that is no share

    >>> from assay.scoring.score_files import scores
    >>> table = scores([[0.1 * i, 0.1 * i + 0.2] for i in range(8)], runs=["old", "new"])
    >>> {run: (round(ends.low, 2), round(ends.high, 2)) for run, ends in run_intervals(table, "score").items()}
    {'old': (0.13, 0.57), 'new': (0.33, 0.77)}
    """
    wanted = scores.measure(measure)
    if wanted.declaration.together is not None and all(
        scores.value(run, wanted).value is not None for run in scores.runs
    ):
        # One calculation gives all runs their values, and so their intervals.
        try:
            columns = compared(scores, wanted, scores.runs, cluster)
        except InputError:
            return dict.fromkeys(scores.runs)
        intervals = intervals_of(columns, confidence=confidence, seed=scores.settings.seed)
        return dict(zip(scores.runs, intervals, strict=True))
    return {run: interval_of(scores, run, wanted, confidence=confidence, cluster=cluster) for run in scores.runs}


def intervals_together(scores: Scores, measure: Measure) -> dict[str, Interval | None]:
    """The same as `run_intervals` has them to twelve digits or so, for pages that show four: all runs are resampled at once,
    where they have a value on every topic.

    scores    the table
    measure   one of its measures, with a value per topic
    """
    declared = measure.declaration
    try:
        columns = compared(scores, measure, scores.runs)
    except InputError:
        return run_intervals(scores, measure)
    limits = range_of(measure, columns.resampler.values())
    alike = limits == (declared.low, declared.high) and not columns.left_out and columns.resampler.can("errors")
    if not alike or measure.level != "topic" or declared.together is not None:
        return run_intervals(scores, measure)
    intervals = dict(zip(scores.runs, intervals_of(columns, seed=scores.settings.seed), strict=True))
    # A run whose topics are all right or wrong has an interval of its own kind, whatever the others are.
    ended = [run for run in scores.runs if set(scores.column(run, measure.name)) <= {declared.low, declared.high}]
    return intervals | {run: interval_of(scores, run, measure) for run in ended if columns.ways is None}


def interval_of(
    scores: Scores, run: str, measure: Measure, *, confidence: float = 0.95, cluster: str | None = "auto"
) -> Interval | None:
    """The interval of one run's number; None where there is no number, or too few topics."""
    if scores.value(run, measure).value is None:
        return None
    try:
        columns = compared(scores, measure, [run], cluster)
    except InputError:  # fewer than 2 topics or clusters: a number, but no interval
        return None
    return intervals_of(columns, confidence=confidence, seed=scores.settings.seed)[0]


def intervals_of(
    columns: Columns, *, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0, threads: int | None = None
) -> list[Interval | None]:
    """One for each run of the columns; None where there is no number."""
    values = columns.resampler.values()
    limits = range_of(columns.measure, values)
    if columns.measure.is_calibration_error:
        from assay.analyses.abstention.calibration import calibrations_of

        return [
            calibration and Interval(*calibration.interval, confidence, "resampled labels")
            for calibration in calibrations_of(columns, confidence)
        ]
    if columns.ways is not None:
        from assay.analyses.comparison.outcome_intervals import outcome_ends

        method = proportions.MID_P if len(columns.ways) == 2 else proportions.DIRICHLET
        ends = outcome_ends(columns, np.array([confidence]), confidence)[0]
    elif columns.resampler.can("errors") and columns.resampler.units <= MANY_UNITS:
        method, runs = "studentised bootstrap", np.arange(len(columns.runs))
        boot = Bootstrap(columns.resampler, runs, kind="studentised", resamples=resamples, seed=seed, threads=threads)
        ends = np.stack(boot.ends(np.full(len(runs), 1 - confidence)), axis=1)
    else:
        method, ends = "", np.full((len(values), 2), np.nan)
    errors = _errors(columns)
    # Resamples of few topics without any spread leave a studentised interval without an end.
    beside = ends if np.isfinite(ends).all() else _student(columns, values, *limits, confidence)
    intervals: list[Interval | None] = []
    for value, own, other, error in zip(values.tolist(), ends.tolist(), beside.tolist(), errors, strict=True):
        known = bool(np.isfinite(own).all())
        made = method if known else "jackknife t"
        whole = _whole(value, own if known else other, made, columns, limits, confidence)
        intervals.append(whole and replace(whole, standard_error=error))
    return intervals


def _errors(columns: Columns) -> list[float | None]:
    """The standard error of every run's number, by formula, or by the jackknife of a measure of a whole run."""
    resampler = columns.resampler
    if resampler.can("errors"):
        errors = resampler.errors(np.arange(resampler.runs), None)
    else:
        errors = resampler.linear.std(axis=0, ddof=1) / np.sqrt(len(resampler.linear))
    return [float(error) if np.isfinite(error) else None for error in errors]


def _whole(
    value: float, ends: list[float], method: str, columns: Columns, limits: tuple[float | None, float | None],
    confidence: float,
) -> Interval | None:  # fmt: skip
    """The interval cut where the measure's range ends, and as of a value that does not vary where it has no width."""
    if not np.isfinite(value):
        return None
    (low, high), (first, last) = limits, ends
    if not np.isfinite([first, last]).all() or first == last:
        if low is None or high is None:
            return None
        method = "unvaried"
        first, last = proportions.unvaried(value, columns.resampler.units, low, high, confidence)
    first, last = min(first, value), max(last, value)
    lowest, highest = -np.inf if low is None else low, np.inf if high is None else high
    return Interval(float(max(first, lowest)), float(min(last, highest)), confidence, method)


def _student(columns: Columns, values: Floats, low: float | None, high: float | None, confidence: float) -> Any:
    from scipy.special import expit, logit, stdtrit

    linear = columns.resampler.linear
    units = len(linear)
    half = float(stdtrit(units - 1, (1 + confidence) / 2)) * linear.std(axis=0, ddof=1) / np.sqrt(units)
    if low is None or high is None:
        return np.stack([values - half, values + half], axis=1)
    span = high - low
    share = (values - low) / span
    inside = (share > EDGE) & (share < 1 - EDGE)
    safe = np.where(inside, share, 0.5)
    reach = half / span / (safe * (1 - safe))
    ends = low + span * expit(np.stack([logit(safe) - reach, logit(safe) + reach], axis=1))
    return np.where(inside[:, None], ends, values[:, None])
