"""The cross-validated gain of a confidence threshold, and its nested bootstrap interval.

A *procedure* splits questions into folds, lets each fold decline below the threshold that is best on all other folds, and
computes the measure. It takes many resamples at once: the count of each question, and its fold. The estimate is the procedure
with every question once.

The interval nests the choice in the bootstrap: each resample draws questions, or whole clusters of them, with replacement, and
chooses all thresholds anew (Jiang, Varma and Simon, Calculating confidence intervals for prediction error in microarray
classification using resampling, Statistical Applications in Genetics and Molecular Biology 2008). Copies of a question share a
fold. A resample has fewer distinct questions, so its thresholds and gains are slightly worse: the interval uses the deviations
of the resamples from their own mean, not the mean itself. `benchmarks/threshold_coverage.py` measures its coverage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.core import resample as kernels
from assay.measures.engines.vectors import vector
from assay.measures.measure import Measure
from assay.random import stream
from assay.resampling.arithmetic import Floats, Integers

PURPOSE = "threshold"
EQUAL = 1e-12
MAX_CANDIDATES = 40
"""Thresholds tried for a measure of a whole run, which is recomputed for each; evenly spread over the answers."""
BATCH = 500_000
"""Thresholds tried at once, over resamples and folds."""


@dataclass(frozen=True)
class Folds:
    """The results of each resample."""

    declining: Floats
    """The measure with every fold declining below its own threshold."""
    as_is: Floats
    thresholds: Floats
    """resamples × folds; 0 where it is best to decline nothing."""


Procedure = Callable[[Integers, Integers, int], Folds]
"""Takes the count of each question and its fold, resamples × questions each, and the number of folds."""


@dataclass(frozen=True)
class HeldOut:
    """The procedure on all questions."""

    threshold: float
    """The best one on all questions."""
    fold_thresholds: list[float]
    at_question: Floats
    """The threshold of each question's fold."""
    declining: float
    as_is: float
    gain: float


def procedure(resampler: Any, measure: Measure, answered: Any, stated: Floats) -> Procedure:
    """Return the procedure for a measure. `resampler` has two runs: as it is, and with every question declined."""
    sign = 1.0 if measure.declaration.higher_is_better else -1.0
    make = _of_sums if resampler.can("add") else _of_whole
    return make(resampler, measure, sign, answered, stated)


def held_out(hold_out: Procedure, codes: Integers, *, folds: int, seed: int) -> HeldOut:
    """Return the thresholds and the gain on held-out questions. `codes` is the cluster of each question."""
    units = int(codes.max()) + 1
    folds = min(folds, units)
    place = np.empty(units, dtype=np.int64)
    place[stream(seed, PURPOSE, 0).sample(range(units), units)] = np.arange(units) % folds
    fold, once = place[codes], np.ones((1, len(codes)), dtype=np.int64)
    folded = hold_out(once, fold[None], folds)
    # With all questions in fold 1, the threshold of fold 0 is chosen on all.
    everything = hold_out(once, once, 2)
    declining, as_is = float(folded.declining[0]), float(folded.as_is[0])
    of_folds = folded.thresholds[0]
    return HeldOut(
        float(everything.thresholds[0, 0]), of_folds.tolist(), of_folds[fold], declining, as_is, declining - as_is
    )


def resampled(hold_out: Procedure, codes: Integers, *, folds: int, resamples: int, seed: int) -> Floats:
    """Return the gain on each resample with its own thresholds; NaN where a resample has a single unit."""
    units = int(codes.max()) + 1
    folds = min(folds, units)
    gains = np.empty(resamples)
    step = max(1, BATCH // (folds * len(codes)))
    for first in range(0, resamples, step):
        trials = range(first, min(first + step, resamples))
        drawn = [kernels.bootstrap_rows(units, trial=trial, seed=seed, purpose=PURPOSE) for trial in trials]
        times, place = _folds(np.stack(drawn), folds)
        folded = hold_out(times[:, codes], place[:, codes], folds)
        alone = (times > 0).sum(axis=1) < 2
        gains[first : first + step] = np.where(alone, np.nan, folded.declining - folded.as_is)
    return gains


def _folds(drawn: Integers, folds: int) -> tuple[Integers, Integers]:
    """Return the count of each unit, and its fold: units are assigned round-robin in the order of their first draw.

    >>> times, place = _folds(np.array([[2, 0, 2, 3]]), 2)
    >>> times.tolist(), place[:, [2, 0, 3]].tolist()
    ([[1, 0, 2, 1]], [[0, 1, 0]])
    """
    trials, units = drawn.shape
    row = np.arange(trials)[:, None]
    times = np.bincount((row * units + drawn).ravel(), minlength=trials * units).reshape(trials, units)
    first = np.full((trials, units), units)
    np.minimum.at(first, (row, drawn), np.arange(units))
    rank = np.empty_like(first)
    rank[row, np.argsort(first, axis=1, kind="stable")] = np.arange(units)
    return times, rank % folds


def around(gain: float, gains: Floats, confidence: float) -> tuple[float, float] | None:
    """Return the gain ± the confidence quantile of the resampled deviations; None with fewer than two resamples.

    >>> around(0.25, np.array([-1.0, 0.0, 0.0, 1.0, np.nan]), 0.99)
    (-0.75, 1.25)
    """
    known = gains[np.isfinite(gains)]
    if len(known) < 2:
        return None
    reach = float(np.quantile(np.abs(known - known.mean()), confidence, method="inverted_cdf"))
    return gain - reach, gain + reach


def _best(values: Floats, candidate: Any) -> Integers:
    """Return the first of the best candidates along the last axis, 0 for the first candidate.

    Declining below the lowest confidence declines nothing, also among held-out answers with a lower one.
    """
    known = np.where(candidate & ~np.isnan(values), values, -np.inf)
    # Equal values may differ in their last bit by the order of addition.
    best = np.argmax(known >= known.max(axis=-1, keepdims=True) - EQUAL, axis=-1)
    return np.where(best == np.argmax(candidate, axis=-1), 0, best)


def _of_sums(resampler: Any, measure: Measure, sign: float, answered: Any, stated: Floats) -> Procedure:
    """Try all candidates at once: each further level declined adds the change of its answers to the sums."""
    del measure
    levels, place = np.unique(stated[answered], return_inverse=True)
    levels[0] = 0.0
    kept, change = resampler.per_topic[:, 0], (resampler.per_topic[:, 1] - resampler.per_topic[:, 0])[answered]
    # The last column counts the questions.
    kept = np.column_stack([kept, np.ones(len(kept))])
    change = np.column_stack([change, np.ones(len(change))])

    def close(sums: Any) -> Floats:
        return resampler.close(sums[-1], np.moveaxis(sums[:-1], 0, -1))

    def added(key: Integers, columns: Any, times: Integers, shape: tuple[int, ...]) -> Any:
        size = int(np.prod(shape))
        return np.stack(
            [np.bincount(key.ravel(), (times * column).ravel(), size).reshape(shape) for column in columns.T]
        )

    def hold_out(times: Integers, fold: Integers, folds: int) -> Folds:
        trials = len(times)
        key = np.arange(trials)[:, None] * folds + fold
        inside = added(key, kept, times, (trials, folds))
        steps = added(key[:, answered] * len(levels) + place, change, times[:, answered], (trials, folds, len(levels)))
        below = np.cumsum(steps, axis=-1) - steps
        whole = inside.sum(axis=-1)
        # A fold's threshold is chosen on all questions outside it.
        others = below.sum(axis=2, keepdims=True) - below + (whole[..., None] - inside)[..., None]
        others[-1] = (whole[-1][:, None] - inside[-1])[..., None]
        with np.errstate(invalid="ignore"):  # the complement of a fold may be empty
            values = sign * close(others)
        best = _best(values, steps[-1].sum(axis=1, keepdims=True) > steps[-1])
        declined = np.take_along_axis(below, best[None, :, :, None], axis=-1)[..., 0].sum(axis=-1)
        declined[-1] = 0
        return Folds(close(whole + declined), close(whole), levels[best])

    return hold_out


def _of_whole(resampler: Any, measure: Measure, sign: float, answered: Any, stated: Floats) -> Procedure:
    """Recompute the measure for every candidate."""
    pairs = [(_numbers(kept), _numbers(dropped)) for kept, dropped in zip(*resampler.columns, strict=True)]

    def value(places: Integers, decline: Any) -> float:
        result = (
            measure(*(_declined(kept, dropped, places, decline) for kept, dropped in pairs)) if len(places) else None
        )
        return np.nan if result is None else float(result)

    def choose(places: Integers) -> float:
        confidences = stated[places[answered[places]]]
        if not len(confidences):
            return 0.0
        levels = np.unique(confidences)
        if len(levels) > MAX_CANDIDATES:
            levels = np.unique(np.quantile(confidences, np.linspace(0, 1, MAX_CANDIDATES), method="inverted_cdf"))
        values = sign * np.array([value(places, answered & (stated < level)) for level in levels])
        levels[0] = 0.0
        return float(levels[_best(values, np.ones(len(levels), dtype=bool))])

    def hold_out_once(times: Integers, fold: Integers, folds: int) -> tuple[float, float, list[float]]:
        places = np.repeat(np.arange(len(times)), times)
        thresholds = [choose(places[fold[places] != k]) for k in range(folds)]
        decline = answered & (stated < np.array(thresholds)[fold])
        return value(places, decline), value(places, np.zeros_like(answered)), thresholds

    def hold_out(times: Integers, fold: Integers, folds: int) -> Folds:
        results = [hold_out_once(*row, folds) for row in zip(times, fold, strict=True)]
        declining, as_is, thresholds = zip(*results, strict=True)
        return Folds(np.array(declining), np.array(as_is), np.array(thresholds))

    return hold_out


def _numbers(column: Sequence[Any]) -> Any:
    """Return a column as an array of numbers, or unchanged if its cells are names or tuples."""
    try:
        return vector(column)
    except (TypeError, ValueError):
        return list(column)


def _declined(kept: Any, dropped: Any, places: Integers, decline: Any) -> Any:
    """Return a column, at some places, of the run with some questions declined."""
    if isinstance(kept, list) or isinstance(dropped, list):
        return [(dropped if decline[i] else kept)[i] for i in places.tolist()]
    return np.where(decline, dropped, kept)[places]
