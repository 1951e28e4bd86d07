"""The option `growing` of a comparison: intervals that stay valid when looked at after every topic.

Three conditions belong to "valid", and each is kept or tested:

    order    that of the file or of a named field, never of the ids: an order that new topics change deals the log anew at each look
    pairs    each pair's sequence is at level 1 - α/pairs, which holds whatever the pairs share and whenever one stops
    drift    the differences keep one mean. A permuted CUSUM that finds drift at 1%, or an estimate outside the interval, takes the
             interval away; the means of the first and the second half of the log are given instead
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.analyses.comparison.pair_statistics import PairStatistics
from assay.analyses.comparison.result import Growing
from assay.errors import UsageError
from assay.resampling.arithmetic import Floats, Integers
from assay.stats.confidence_sequences import compare_sequence, drift_p

FILE_ORDER = "file"
DRIFT_LEVEL = 0.01
CLOSE = 1e-9
"""How far floating point may move a mean."""


def growing_intervals(statistics: PairStatistics, growing: bool | str) -> list[Growing]:
    """Return for each pair an interval that is valid at every look, or what was seen where it is not.

    growing   True for the order of the file, or the field whose values order the topics
    """
    s = statistics
    values, (low, high) = _values_per_topic(s), s.range
    if low is None or high is None:
        raise UsageError(f"`growing=True`: {s.measure.name} has no ends, which an always-valid interval needs")
    # Values spread over topics by leaving each out may leave the range in the last bits.
    values = np.clip(values[_arrival_order(s, growing)], low, high)
    confidence = 1 - s.options.alpha / len(s.a)
    drifts = drift_p(values, s.a, s.b, seed=s.options.seed)
    intervals: list[Growing] = []
    for a, b, drift in zip(s.a.tolist(), s.b.tolist(), drifts.tolist(), strict=True):
        sequence = compare_sequence(values[:, a], values[:, b], low=low, high=high, confidence=confidence)
        first_end, last_end = float(sequence.difference.low[-1]), float(sequence.difference.high[-1])
        differences = values[:, a] - values[:, b]
        inside = first_end - CLOSE <= float(differences.mean()) <= last_end + CLOSE
        half = (len(values) + 1) // 2
        halves = float(differences[:half].mean()), float(differences[half:].mean())
        ends, excluded = (first_end, last_end), sequence.first
        if drift <= DRIFT_LEVEL or not inside:
            ends, excluded = (None, None), None
        intervals.append(Growing(*ends, len(values), excluded, drift, halves))
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


def _arrival_order(statistics: PairStatistics, growing: bool | str) -> Integers:
    """Return the positions of the topics in the order in which they came; topics with equal values in that of the file."""
    columns = statistics.columns
    scores, places, noun = columns.scores, columns.places.tolist(), columns.noun
    fields = ", ".join(scores.fields) or "none"
    arrivals = scores.arrivals
    if arrivals is None and (growing is True or growing not in scores.fields):
        raise UsageError(
            f"`growing={growing!r}`: these {noun}s are in the order of their ids, not of their arrival. "
            f"Fix: name a field that orders them; known: {fields}"
        )
    by_file = places if arrivals is None else [arrivals[place] for place in places]
    if growing is True:
        return np.argsort(by_file, kind="stable")
    if growing not in scores.fields:
        raise UsageError(f"`growing={growing!r}`: unknown field; known: {fields}")
    keys = _sortable([scores.fields[growing][place] for place in places], growing, noun)
    return np.array(sorted(range(len(places)), key=lambda i: (keys[i], by_file[i])), dtype=np.int64)


def _sortable(values: Sequence[Any], name: str, noun: str) -> Sequence[Any]:
    """Return the values of a field as numbers where all are numbers, otherwise as text, such as dates of ISO 8601."""
    empty = sum(value is None for value in values)
    if empty:
        raise UsageError(f"`growing={name!r}`: {empty} of {len(values)} {noun}s have no {name}")
    try:
        numbers = [float(value) for value in values]
    except (TypeError, ValueError):
        return [str(value) for value in values]
    return numbers if np.isfinite(numbers).all() else [str(value) for value in values]
