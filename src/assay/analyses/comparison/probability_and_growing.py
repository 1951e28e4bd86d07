"""The options `probabilities` and `growing` of a comparison: a Bayesian model of the runs, and an always-valid interval."""

from __future__ import annotations

import numpy as np

from assay.analyses.comparison.pair_statistics import PairStatistics
from assay.analyses.comparison.result import Growing
from assay.errors import UsageError
from assay.resampling.arithmetic import Floats
from assay.stats.confidence_sequences import compare_sequence
from assay.stats.hierarchical import hierarchical


def _values_per_topic(statistics: PairStatistics, option: str) -> Floats:
    """The values both need, topics × runs; refuse clusters, and measures without a value per topic."""
    s = statistics
    if s.columns.cluster is not None:
        raise UsageError(f"`{option}=True`: {s.noun}s come in clusters ({s.columns.cluster}), which it does not know")
    is_mean = s.resampler.can("values") or (s.measure.level == "sums" and s.measure.of == ("correct",))
    if not is_mean or not np.isfinite(s.linear).all():
        raise UsageError(
            f"`{option}=True`: {s.measure.name} has no value per {s.noun}; it is for means, such as accuracy"
        )
    return s.linear


def probabilities(statistics: PairStatistics) -> Floats:
    """Return for each pair the probability that run a is better than b, by `stats.hierarchical`."""
    s, values = statistics, _values_per_topic(statistics, "probabilities")
    sign = -1.0 if s.measure.declaration.higher_is_better is False else 1.0
    model = hierarchical(sign * values, s.columns.runs, confidence=s.options.confidence, seed=s.options.seed)
    return model.higher[s.a, s.b]


def growing(statistics: PairStatistics) -> list[Growing]:
    """Return for each pair an always-valid interval over topics in the order of their ids, by `stats.confidence_sequences`."""
    (low, high), values = statistics.range, _values_per_topic(statistics, "growing")
    if low is None or high is None:
        raise UsageError(f"`growing=True`: {statistics.measure.name} has no ends, which an always-valid interval needs")
    # Values spread over topics by leaving each out may leave the range in the last bits.
    values = np.clip(values, low, high)
    intervals: list[Growing] = []
    for a, b in zip(statistics.a.tolist(), statistics.b.tolist(), strict=True):
        confidence = statistics.options.confidence
        sequence = compare_sequence(values[:, a], values[:, b], low=low, high=high, confidence=confidence)
        last = float(sequence.difference.low[-1]), float(sequence.difference.high[-1])
        first_end, last_end = (end if np.isfinite(end) else None for end in last)
        intervals.append(Growing(first_end, last_end, len(values), sequence.first))
    return intervals
