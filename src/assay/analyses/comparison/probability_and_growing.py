"""What else may be asked of two runs: the probability that one is better, and who is ahead in a log that still grows."""

from __future__ import annotations

import numpy as np

from assay.analyses.comparison.pair_statistics import PairStatistics
from assay.analyses.comparison.result import Growing
from assay.errors import UsageError
from assay.resampling.arithmetic import Floats
from assay.stats.confidence_sequences import compare_sequence
from assay.stats.hierarchical import hierarchical


def _values(d: PairStatistics, asked: str) -> Floats:
    """Values per topic, which both need; clusters, and measures that have none, are refused."""
    if d.columns.cluster is not None:
        raise UsageError(f"`{asked}=True`: {d.noun}s come in clusters ({d.columns.cluster}), which it does not know")
    simple = d.resampler.can("values") or (d.measure.level == "sums" and d.measure.of == ("correct",))
    if not simple or not np.isfinite(d.linear).all():
        raise UsageError(
            f"`{asked}=True`: {d.measure.name} has no value per {d.noun}; it is for means, such as accuracy"
        )
    return d.linear


def probabilities(d: PairStatistics) -> Floats:
    """Of each pair, the probability that run a is better than b in a model of topics and runs (`hierarchical.py`)."""
    values = _values(d, "probabilities")
    sign = -1.0 if d.measure.declaration.higher_is_better is False else 1.0
    found = hierarchical(sign * values, d.columns.runs, confidence=d.choices.confidence, seed=d.choices.seed)
    return found.higher[d.a, d.b]


def growing(d: PairStatistics) -> list[Growing]:
    """Of each pair, an always-valid interval over the topics in the order of their ids (`sequences.py`)."""
    (low, high), values = d.range, _values(d, "growing")
    if low is None or high is None:
        raise UsageError(f"`growing=True`: {d.measure.name} has no ends, which an always-valid interval needs")
    # Values spread over topics by leaving each out are the topics' own but for the last bits.
    values = np.clip(values, low, high)
    found: list[Growing] = []
    for a, b in zip(d.a.tolist(), d.b.tolist(), strict=True):
        sequence = compare_sequence(values[:, a], values[:, b], low=low, high=high, confidence=d.choices.confidence)
        ends = [float(sequence.difference.low[-1]), float(sequence.difference.high[-1])]
        first, last = (end if np.isfinite(end) else None for end in ends)
        found.append(Growing(first, last, len(values), sequence.first))
    return found
