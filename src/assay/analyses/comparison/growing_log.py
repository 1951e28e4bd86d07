"""The option `growing` of a comparison: intervals that stay valid when looked at after every topic."""

from __future__ import annotations

import numpy as np

from assay.analyses.comparison.pair_statistics import PairStatistics
from assay.analyses.comparison.result import Growing
from assay.errors import UsageError
from assay.resampling.arithmetic import Floats
from assay.stats.confidence_sequences import compare_sequence


def growing_intervals(statistics: PairStatistics) -> list[Growing]:
    """Return for each pair an interval that is valid at every look, over topics in the order of their ids.

    Each pair's sequence is at level 1 - α/pairs (Bonferroni), which holds whatever the pairs share and whenever one stops.
    """
    values, (low, high) = _values_per_topic(statistics), statistics.range
    if low is None or high is None:
        raise UsageError(f"`growing=True`: {statistics.measure.name} has no ends, which an always-valid interval needs")
    # Values spread over topics by leaving each out may leave the range in the last bits.
    values = np.clip(values, low, high)
    confidence = 1 - statistics.options.alpha / len(statistics.a)
    intervals: list[Growing] = []
    for a, b in zip(statistics.a.tolist(), statistics.b.tolist(), strict=True):
        sequence = compare_sequence(values[:, a], values[:, b], low=low, high=high, confidence=confidence)
        last = float(sequence.difference.low[-1]), float(sequence.difference.high[-1])
        first_end, last_end = (end if np.isfinite(end) else None for end in last)
        intervals.append(Growing(first_end, last_end, len(values), sequence.first))
    return intervals


def _values_per_topic(statistics: PairStatistics) -> Floats:
    """Return the values, topics × runs; refuse clusters, and measures without a value per topic."""
    s = statistics
    if s.columns.cluster is not None:
        raise UsageError(f"`growing=True`: {s.noun}s come in clusters ({s.columns.cluster}), which it does not know")
    is_mean = s.resampler.can("values") or (s.measure.level == "sums" and s.measure.of == ("correct",))
    if not is_mean or not np.isfinite(s.linear).all():
        raise UsageError(
            f"`growing=True`: {s.measure.name} has no value per {s.noun}; it is for means, such as accuracy"
        )
    return s.linear
