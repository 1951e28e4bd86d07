"""A test of calibration, and an interval of the expected calibration error (ECE).

ECE adds up absolute gaps, and chance alone makes a gap: of a calibrated system it is above 0, and a resample of the answers,
which adds chance to chance, is further above it. So the bootstrap's interval of ECE never reaches the 0 that is true
there, and may lie above the estimate itself. Three things stand here instead, on arrays alone.

    the test      Correctness is drawn anew, right with the probability that was stated; p is the share of draws whose ECE
                  is at least the one seen. A Monte-Carlo test is exact (Dwass, Modified randomization tests for
                  nonparametric hypotheses, Annals of Mathematical Statistics 1957); Bröcker and Smith, Increasing the
                  reliability of reliability diagrams, Weather and Forecasting 2007, draw so for the diagram.
    the low end   The test turned round: the same question is asked of systems with a part λ of the ECE seen, and the low
                  end is the smallest part that is not refused. Such a system has the clearest gaps as they were seen and
                  no others, for what chance adds is most where there is no gap. It is asked at level α where λ = 0, which
                  is the test itself, down to α/2 where λ = 1: the low end is 0 where the test finds nothing, and an end
                  of a two-sided interval far from there. Other answers would also fall into the bins in other numbers,
                  which moves the sum where gaps differ.
    the high end  ECE is at least the sum of the gaps, each with its true sign, whose mean is the true ECE. So ECE + z·s
                  is too low with probability α/2 at most, s the standard error of that sum; of each bin by Agresti and
                  Coull, Approximate is better than exact, The American Statistician 1998, so that a bin in which all
                  is right has one too.

Answers that come in clusters are not drawn independently. There each cluster's gaps (correct less confidence) keep or
change their sign together (the wild bootstrap: Cameron, Gelbach and Miller, Bootstrap-based improvements for inference with
clustered errors, Review of Economics and Statistics 2008), and s is that of the clusters' sums where it is larger.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.core.resample_reference import block, uniform
from assay.errors import InputError
from assay.measures.calibration import bin_of, debiased_calibration_error
from assay.measures.engines.bisection import smallest_number
from assay.random import purpose_key
from assay.resampling.arithmetic import Floats, Integers
from assay.resampling.resamplers import cluster_codes
from assay.settings import CONFIDENCE, POSITIVE, checked, one_of

PURPOSE = "calibration"
RULES = ("right", "left")
SLACK = 1e-12
STEPS = 40
"""Halvings of λ: more than a double can tell apart."""
AT_ONCE = 4_000_000
"""Draws held at once."""
Stars = Callable[[Floats], Floats]
"""From the share of each bin's gap that a system has to the ECE of each draw of it, times the answers."""


@dataclass(frozen=True)
class Calibration:
    """How far stated confidence is from correctness, and whether chance explains it."""

    ece: float
    debiased: float
    """ECE less what chance adds (the measure ECEd)."""
    interval: tuple[float, float]
    """Of the ECE over these bins that endlessly many such answers would have; it contains both estimates."""
    p: float
    """Of the test that the system is calibrated."""
    confidence_level: float
    bins: int
    rule: str
    n: int
    resamples: int
    seed: int

    @property
    def calibrated(self) -> bool:
        """Whether the answers are consistent with being calibrated."""
        return self.p > 1 - self.confidence_level + SLACK

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        low, high = self.interval
        if self.calibrated:
            return f"consistent with being calibrated, p = {self.p:.4f}; ECE is at most {high:.4f}"
        size = f"ECE is {self.debiased:.4f} without what chance adds, {low:.4f} to {high:.4f}"
        return f"not calibrated: {size}, p = {self.p:.4f}"


def calibration(
    correct: Any, confidence: Any, bins: int = 10, rule: str = "right", confidence_level: float = 0.95,
    resamples: int = 2000, seed: int = 0, clusters: Sequence[Any] | None = None,
) -> Calibration:  # fmt: skip
    """Test whether answers are as often right as their stated confidence, and estimate ECE.

    correct            of each answer given, 1 or 0
    confidence         of each answer given, from 0 to 1
    bins               equally wide ones, as of the measure ECE
    rule               which side of a bin is closed: right or left
    confidence_level   of the interval; the test refuses where p is at most 1 less this
    resamples          draws of the test
    seed               of the draws
    clusters           which answers belong together, a name for each; each for itself where left out

    Twenty answers at 0.9 of which ten are right, which chance makes less than once in ten thousand times:

    >>> found = calibration([1, 0] * 10, [0.9] * 20)
    >>> round(found.ece, 9), found.interval[0] > 0.15, found.p < 0.001, found.calibrated
    (0.4, True, True, False)

    Ten of which nine are right. With z = 1.96 the share of Agresti and Coull is (9 + 1.9207) / (10 + 3.8415) = 0.78898, and
    z · √(10 · 0.78898 · 0.21102) / 10 = 0.2529:

    >>> calibration([1] * 9 + [0], [0.9] * 10).sentence
    'consistent with being calibrated, p = 1.0000; ECE is at most 0.2529'
    """
    hits, stated = _checked(correct, confidence)
    checked("bins", bins, POSITIVE)
    checked("rule", rule, one_of(*RULES))
    checked("confidence_level", confidence_level, CONFIDENCE)
    checked("resamples", resamples, POSITIVE)
    n = len(hits)
    place = np.unique(bin_of(stated, bins, rule), return_inverse=True)[1]
    gaps: Any = np.bincount(place, hits - stated)
    total = float(np.abs(gaps).sum())
    codes = _codes(clusters, n)
    if codes is None:
        stars = _independent(place, stated, gaps, resamples, seed)
    else:
        stars = _clustered(place, hits - stated, gaps, codes, resamples, seed)
    z = _normal_quantile((1 + confidence_level) / 2)
    variances = _variances(place, hits, z)
    ece = total / n
    debiased = min(ece, debiased_calibration_error(hits.tolist(), [1] * n, stated.tolist(), bins, rule) or 0.0)
    low = ece * _least_part(stars, _clearest(gaps, variances), total, 1 - confidence_level)
    high = ece + z * _error(place, hits - stated, gaps, variances, codes)
    ends = (min(low, debiased), min(high, 1.0))
    p = _p(stars(np.zeros(len(gaps))), total)
    return Calibration(ece, debiased, ends, p, confidence_level, bins, rule, n, resamples, seed)


def _checked(correct: Any, confidence: Any) -> tuple[Floats, Floats]:
    hits, stated = (np.asarray(column, dtype=np.float64) for column in (correct, confidence))
    if hits.ndim != 1 or hits.shape != stated.shape:
        raise InputError(f"expected one confidence for each answer, found {stated.size} for {hits.size}")
    if not len(hits):
        raise InputError("no answer was given, so there is no calibration to test")
    if not np.isin(hits, (0.0, 1.0)).all():
        raise InputError("an answer is correct, 1, or not, 0; found something else")
    if not ((stated >= 0) & (stated <= 1)).all():
        raise InputError("a confidence is a number from 0 to 1; found something else")
    return hits, stated


def _codes(clusters: Sequence[Any] | None, n: int) -> Integers | None:
    """The cluster of each answer; None where each is for itself."""
    if clusters is None:
        return None
    if len(clusters) != n:
        raise InputError(f"expected a cluster for each of {n} answers, found {len(clusters)}")
    codes = cluster_codes(clusters, n)
    return None if codes.max() + 1 == n else codes


def _normal_quantile(level: Any) -> Any:
    from scipy.special import ndtri

    return ndtri(level)


def _independent(place: Integers, stated: Floats, gaps: Floats, resamples: int, seed: int) -> Stars:
    """Each answer right with the probability stated; of a system with gaps, the same chance at the variance it then has."""
    order = np.argsort(place, kind="stable")
    sizes = np.bincount(place)
    edges = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    said = stated[order]
    key = purpose_key(seed, PURPOSE)
    noise, more, crowd = np.empty((resamples, len(sizes))), np.empty((resamples, len(sizes))), np.empty(resamples)
    count = len(said) + len(sizes) + 1
    step = max(1, AT_ONCE // count)
    for first in range(0, resamples, step):
        trials = min(step, resamples - first)
        here = slice(first, first + trials)
        drawn = uniform(block(key, first, trials, count))
        right = drawn[:, : len(said)] < said
        noise[here] = np.add.reduceat(right - said, edges, axis=1)
        more[here], crowd[here] = _normal_quantile(drawn[:, len(said) : -1]), _normal_quantile(drawn[:, -1])
    # Towards fewer right answers every probability shrinks by one factor, towards more, that of every wrong one.
    part = np.where(gaps[place] < 0, stated, 1 - stated)
    sums, squares = np.bincount(place, part), np.bincount(place, part * part)
    shrink = np.divide(np.abs(gaps), sums, out=np.zeros_like(sums), where=sums > 0)

    def stars(share: Floats) -> Floats:
        kept = 1 - share * shrink
        before, after = sums - squares, kept * sums - kept * kept * squares
        scale = np.sqrt(np.divide(np.minimum(before, after), before, out=np.zeros_like(before), where=before > 0))
        added = np.sqrt(np.maximum(after - before, 0.0))
        between = np.sqrt(_between(share * gaps, sizes))
        return np.abs(share * gaps + scale * noise + added * more).sum(axis=1) + between * crowd

    return stars


def _clustered(place: Integers, residuals: Floats, gaps: Floats, codes: Integers, resamples: int, seed: int) -> Stars:
    """Each cluster's gaps with a sign of its own; of a system with gaps, what the clusters have beside them."""
    units, bins = int(codes.max()) + 1, len(gaps)
    cell = codes * bins + place
    own = np.bincount(cell, residuals, units * bins).reshape(units, bins)
    members = np.bincount(cell, minlength=units * bins).reshape(units, bins)
    sizes = members.sum(axis=0)
    expected = members * (gaps / sizes)
    key = purpose_key(seed, PURPOSE)
    whole, part, crowd = np.empty((resamples, bins)), np.empty((resamples, bins)), np.empty(resamples)
    step = max(1, AT_ONCE // (units + 1))
    for first in range(0, resamples, step):
        trials = min(step, resamples - first)
        here = slice(first, first + trials)
        words = block(key, first, trials, units + 1)
        signs = np.where(words[:, :-1] >> np.uint64(63), 1.0, -1.0)
        whole[here], part[here] = signs @ own, signs @ expected
        crowd[here] = _normal_quantile(uniform(words[:, -1]))

    def stars(share: Floats) -> Floats:
        between = np.sqrt(_between(share * gaps, sizes, members))
        return np.abs(share * (gaps - part) + whole).sum(axis=1) + between * crowd

    return stars


def _between(gaps: Floats, sizes: Integers, members: Integers | None = None) -> float:
    """The variance of their sum that is due to how many answers fall into each bin; `members` is clusters × bins.

    >>> _between(np.array([2.0, 0.0]), np.array([2, 2]))  # two answers at 1 and two at 0, about their mean of a half
    1.0
    >>> _between(np.array([2.0, 0.0]), np.array([2, 2]), np.array([[2, 0], [0, 2]]))  # 2 · (1² + 1²), for clusters of 2
    4.0
    """
    mean, ece = np.abs(gaps) / sizes, np.abs(gaps).sum() / sizes.sum()
    if members is None:
        return float((sizes * (mean - ece) ** 2).sum())
    of_clusters = members @ (mean - ece)
    return float((of_clusters**2).sum()) * len(members) / max(len(members) - 1, 1)


def _p(stars: Floats, total: float) -> float:
    """How often a draw is at least as far off; the answers themselves are one of the draws."""
    return (1 + int(np.count_nonzero(stars >= total - SLACK * max(1.0, total)))) / (len(stars) + 1)


def _variances(place: Integers, hits: Floats, z: float) -> Floats:
    """Of the right answers of each bin, as if z² answers more had been given, half of them right (Agresti and Coull)."""
    sizes = np.bincount(place)
    share = (np.bincount(place, hits) + z * z / 2) / (sizes + z * z)
    return sizes * share * (1 - share)


def _clearest(gaps: Floats, variances: Floats) -> Callable[[float], Floats]:
    """From a part of the ECE to the share of each bin's gap that makes it up, the clearest gaps first.

    >>> _clearest(np.array([1.0, -3.0]), np.array([1.0, 1.0]))(0.5).round(3).tolist()
    [0.0, 0.667]
    """
    size = np.abs(gaps)
    order = np.argsort(-size / np.sqrt(variances), kind="stable")
    before = np.empty_like(size)
    before[order] = np.cumsum(size[order]) - size[order]
    whole = float(size.sum())

    def shares(part: float) -> Floats:
        return np.divide(np.clip(part * whole - before, 0.0, size), size, out=np.zeros_like(size), where=size > 0)

    return shares


def _least_part(stars: Stars, shares: Callable[[float], Floats], total: float, alpha: float) -> float:
    """The smallest part of the ECE seen at which it is no surprise."""

    def accepted(part: float) -> bool:
        return not _p(stars(shares(part)), total) <= alpha * (1 - part / 2) + SLACK

    return 0.0 if accepted(0.0) else smallest_number(accepted, 0.0, 1.0, STEPS)


def _error(place: Integers, residuals: Floats, gaps: Floats, variances: Floats, codes: Integers | None) -> float:
    """The standard error of the sum of the gaps, each with the sign seen."""
    n = len(residuals)
    variance = float(variances.sum()) + _between(gaps, np.bincount(place))
    if codes is not None:
        sums = np.bincount(codes, np.sign(gaps)[place] * residuals - np.abs(gaps).sum() / n)
        variance = max(variance, float((sums * sums).sum()) * len(sums) / max(len(sums) - 1, 1))
    return float(np.sqrt(variance)) / n
