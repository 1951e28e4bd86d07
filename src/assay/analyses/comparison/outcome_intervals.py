"""Intervals of runs whose topics end in a few ways: right or wrong; right, wrong or unanswered (`stats.proportions`)."""

from __future__ import annotations

import numpy as np

from assay.resampling.arithmetic import Floats
from assay.resampling.columns import Columns


def outcome_ends(columns: Columns, confidences: Floats, worth_at: float) -> Floats:
    """Return the ends of every run's own interval at each confidence, confidences × runs × 2.

    In clusters, counts are what they are worth for an interval of confidence `worth_at`.
    """
    from assay.stats import proportions

    resampler, topics = columns.resampler, len(columns.places)
    linear = None if resampler.units == topics else resampler.linear
    ends: list[Floats] = []
    for run, ended in enumerate(columns.ended):
        worth = 1.0
        if linear is not None:
            by_cluster = float(linear[:, run].var(ddof=1)) / resampler.units
            by_topic = proportions.spread(ended, columns.of_shares)
            worth = proportions.worth(
                topics, resampler.units, by_cluster, by_topic, worth_at, ended.sum() - ended.max()
            )
        ends.append(proportions.intervals(ended * worth, columns.of_shares, confidences))
    return np.stack(ends, axis=1)
