"""A test of calibration, and an interval of the expected calibration error (ECE).

ECE sums absolute gaps, and chance alone makes gaps: a calibrated system has an ECE above 0, and resampling its answers raises
it further. So the bootstrap interval of ECE never contains 0, and may lie above the estimate. This module computes instead:

    test       Draw correctness anew, right with the stated probability; p is the share of draws whose ECE is at least the
               one observed. A Monte-Carlo test is exact (Dwass, Modified randomization tests for nonparametric hypotheses,
               Annals of Mathematical Statistics 1957); Bröcker and Smith, Increasing the reliability of reliability
               diagrams, Weather and Forecasting 2007, draw in this way for the diagram.
    low end    The inverted test: the smallest part λ of the observed ECE that is not rejected, for systems that keep the
               clearest of the observed gaps and have no others, because chance adds most where there is no gap. The level is
               α at λ = 0 (the test itself) and falls to α/2 at λ = 1, a two-sided interval. The numbers of answers per bin
               vary too.
    high end   ECE + z·s is too low with probability α/2 at most, because ECE is at least the sum of the gaps with their true
               signs, whose mean is the true ECE. s is the standard error of that sum, with each bin's variance by Agresti
               and Coull, Approximate is better than exact, The American Statistician 1998.

With clustered answers, each cluster's gaps (correct minus confidence) keep or change their sign together (the wild bootstrap:
Cameron, Gelbach and Miller, Bootstrap-based improvements for inference with clustered errors, Review of Economics and
Statistics 2008), and s is that of the clusters' sums if it is larger.
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
"""Bisection steps for λ, beyond the precision of a double."""
BATCH = 4_000_000
"""Draws in memory at once."""
Stars = Callable[[Floats], Floats]
"""Maps the share of each bin's gap that a system has to ECE · n of each draw."""


@dataclass(frozen=True)
class Calibration:
    """The calibration error of stated confidences, and the test whether chance explains it."""

    ece: float
    debiased: float
    """ECE minus its expected excess by chance (the measure ECEd)."""
    interval: tuple[float, float]
    """Of the ECE over these bins in the limit of infinitely many answers; it contains both estimates."""
    p: float
    """Of the null hypothesis that the system is calibrated."""
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
        """The result in words."""
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
    bins               of equal width, as in the measure ECE
    rule               the closed side of a bin: right or left
    confidence_level   of the interval; the test rejects if p is at most 1 - confidence_level
    resamples          draws of the test
    seed               of the draws
    clusters           the cluster of each answer; by default answers are independent

    Twenty answers at 0.9 of which ten are right:

    >>> result = calibration([1, 0] * 10, [0.9] * 20)
    >>> round(result.ece, 9), result.interval[0] > 0.15, result.p < 0.001, result.calibrated
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
        raise InputError("no answer was given; a calibration test needs at least 1")
    if not np.isin(hits, (0.0, 1.0)).all():
        raise InputError("expected 1 (correct) or 0 for every answer; found another value")
    if not ((stated >= 0) & (stated <= 1)).all():
        raise InputError("expected confidences from 0 to 1; found another value")
    return hits, stated


def _codes(clusters: Sequence[Any] | None, n: int) -> Integers | None:
    """Return the cluster of each answer; None if answers are independent."""
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
    """Draw each answer right with its stated probability, rescaled to the variance of a system with gaps."""
    order = np.argsort(place, kind="stable")
    sizes = np.bincount(place)
    edges = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    ordered = stated[order]
    key = purpose_key(seed, PURPOSE)
    noise, more, crowd = np.empty((resamples, len(sizes))), np.empty((resamples, len(sizes))), np.empty(resamples)
    count = len(ordered) + len(sizes) + 1
    step = max(1, BATCH // count)
    for first in range(0, resamples, step):
        trials = min(step, resamples - first)
        here = slice(first, first + trials)
        drawn = uniform(block(key, first, trials, count))
        right = drawn[:, : len(ordered)] < ordered
        noise[here] = np.add.reduceat(right - ordered, edges, axis=1)
        more[here], crowd[here] = _normal_quantile(drawn[:, len(ordered) : -1]), _normal_quantile(drawn[:, -1])
    # A negative gap shrinks all probabilities of being right by one factor, a positive gap those of being wrong.
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
    """Draw a sign for each cluster's gaps, after subtracting the gaps that the system keeps."""
    units, bins = int(codes.max()) + 1, len(gaps)
    cell = codes * bins + place
    sums = np.bincount(cell, residuals, units * bins).reshape(units, bins)
    members = np.bincount(cell, minlength=units * bins).reshape(units, bins)
    sizes = members.sum(axis=0)
    expected = members * (gaps / sizes)
    key = purpose_key(seed, PURPOSE)
    whole, part, crowd = np.empty((resamples, bins)), np.empty((resamples, bins)), np.empty(resamples)
    step = max(1, BATCH // (units + 1))
    for first in range(0, resamples, step):
        trials = min(step, resamples - first)
        here = slice(first, first + trials)
        words = block(key, first, trials, units + 1)
        signs = np.where(words[:, :-1] >> np.uint64(63), 1.0, -1.0)
        whole[here], part[here] = signs @ sums, signs @ expected
        crowd[here] = _normal_quantile(uniform(words[:, -1]))

    def stars(share: Floats) -> Floats:
        between = np.sqrt(_between(share * gaps, sizes, members))
        return np.abs(share * (gaps - part) + whole).sum(axis=1) + between * crowd

    return stars


def _between(gaps: Floats, sizes: Integers, members: Integers | None = None) -> float:
    """Return the variance of the sum of gaps due to the numbers of answers per bin; `members` is clusters × bins.

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
    """Return the share of draws that are at least as large; the data count as a draw."""
    return (1 + int(np.count_nonzero(stars >= total - SLACK * max(1.0, total)))) / (len(stars) + 1)


def _variances(place: Integers, hits: Floats, z: float) -> Floats:
    """Return the variance of the right answers of each bin after adding z² answers, half right (Agresti and Coull)."""
    sizes = np.bincount(place)
    share = (np.bincount(place, hits) + z * z / 2) / (sizes + z * z)
    return sizes * share * (1 - share)


def _clearest(gaps: Floats, variances: Floats) -> Callable[[float], Floats]:
    """Return the function from a part of the ECE to the shares of the bins' gaps, clearest gaps first.

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
    """Return the smallest part of the observed ECE that the test does not reject."""

    def accepted(part: float) -> bool:
        return not _p(stars(shares(part)), total) <= alpha * (1 - part / 2) + SLACK

    return 0.0 if accepted(0.0) else smallest_number(accepted, 0.0, 1.0, STEPS)


def _error(place: Integers, residuals: Floats, gaps: Floats, variances: Floats, codes: Integers | None) -> float:
    """Return the standard error of the sum of the gaps with their observed signs."""
    n = len(residuals)
    variance = float(variances.sum()) + _between(gaps, np.bincount(place))
    if codes is not None:
        sums = np.bincount(codes, np.sign(gaps)[place] * residuals - np.abs(gaps).sum() / n)
        variance = max(variance, float((sums * sums).sum()) * len(sums) / max(len(sums) - 1, 1))
    return float(np.sqrt(variance)) / n
