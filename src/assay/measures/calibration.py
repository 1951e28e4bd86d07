"""Measures of calibration: are 70% of the answers with a confidence of 70% right?

The columns are those of `assay.measures.confidence`. The Brier score is reliability - resolution + uncertainty (Murphy 1973), over
groups of answers of equal confidence or over `bins`; differences of confidence within a bin belong to the (generalised) resolution.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, exp, log, pi, sqrt
from typing import Any, NamedTuple

from assay.measures.confidence import STATED
from assay.measures.define import whole
from assay.measures.engines.bisection import smallest_number
from assay.measures.engines.vectors import Vector, each, of_answers, places_among, plain, sums_by_place, total
from assay.measures.parameters import number, one_of, part, positive, require

Column = Sequence[float | None]


@whole("mean_confidence", higher_is_better=None, **STATED, cite="the mean of the stated confidences")
@of_answers
def mean_confidence(hits: Vector, stated: Vector) -> float | None:
    """The mean confidence of the answers given.

    >>> mean_confidence([1, 0, 0], [1, 1, 0], [1.0, 0.5, None])
    0.75
    """
    return total(stated) / len(stated)


@whole(
    "overconfidence", low=-1.0, higher_is_better=None, **STATED,
    cite="Lichtenstein, Fischhoff and Phillips, Calibration of probabilities: the state of the art to 1980",
)  # fmt: skip
@of_answers
def overconfidence(hits: Vector, stated: Vector) -> float | None:
    """Mean confidence minus precision over the answers given; below 0 is underconfidence.

    >>> overconfidence([1, 0, 0], [1, 1, 0], [1.0, 0.5, None])
    0.25
    """
    return total(stated) / len(stated) - total(hits) / len(hits)


@whole(
    "Brier", higher_is_better=False, **STATED,
    cite="Brier, Verification of forecasts expressed in terms of probability, Monthly Weather Review 1950",
)  # fmt: skip
@of_answers
def brier(hits: Vector, stated: Vector) -> float | None:
    """(1/m) Σ (confidence - correct)² over the m answers given.

    ((1 - 0.5)² + (0 - 0.5)²) / 2:

    >>> brier([1, 0], [1, 1], [0.5, 0.5])
    0.25
    """
    return squared_error(hits, stated)


def squared_error(truth: Vector, stated: Vector) -> float:
    """Return the mean of (stated - truth)²."""
    return total(each(lambda right, p: (p - right) * (p - right), truth, stated)) / len(truth)


def small(text: str) -> float:
    """a probability above 0 and below 0.5"""
    return require(number(text), lambda value: 0 < value < 0.5, "a number above 0 and below 0.5")


@whole(
    "log_score", parameters={"floor": small}, low=None, high=0.0, **STATED,
    cite="Good, Rational decisions, Journal of the Royal Statistical Society B 1952",
)  # fmt: skip
@of_answers
def log_score(hits: Vector, stated: Vector, floor: float = 2.0**-52) -> float | None:
    """(1/m) Σ ln(confidence if correct, else 1 - confidence) over the m answers given.

    Probabilities are clipped to [floor, 1 - floor], since a wrong certainty would cost infinitely much.

    ln(0.5) for a coin:

    >>> round(log_score([1, 0], [1, 1], [0.5, 0.5]), 4)
    -0.6931
    """
    logs: list[float] = []
    for right, p in zip(plain(hits), plain(stated), strict=True):
        kept = min(max(p, floor), 1 - floor)
        logs.append(log(kept if right else 1 - kept))
    return total(logs) / len(logs)


def bin_of(confidence: Vector, bins: int, closed: str) -> Vector:
    """Return the number of each confidence's bin, among equally wide ones whose edges are numpy.linspace(0, 1, bins + 1).

    Right-closed bins are (low, high], 0 in the first; left-closed ones [low, high), 1 in the last. Edges and
    confidences are compared as doubles: the one place where assay's bins follow doubles rather than decimals, because
    published calibration errors do. The fourth edge of ten is the double 0.30000000000000004, and 0.3 lies below it:

    >>> bin_of([0.0, 0.1, 0.3, 1.0], 10, "right")
    [0, 0, 2, 9]
    >>> bin_of([0.0, 0.1, 0.3, 1.0], 10, "left")
    [0, 1, 2, 9]
    """
    inner = [i * (1 / bins) for i in range(1, bins)]
    return places_among(inner, confidence, after_equal=closed == "left")


@whole(
    "ECE", parameters={"bins": positive, "closed": one_of("right", "left")}, higher_is_better=False, **STATED,
    cite="Naeini, Cooper and Hauskrecht, Obtaining Well Calibrated Probabilities Using Bayesian Binning, AAAI 2015",
    kernel="ECE",
)  # fmt: skip
@of_answers
def expected_calibration_error(hits: Vector, stated: Vector, bins: int = 10, closed: str = "right") -> float | None:
    """ECE = Σ_b (|b|/m) · |precision of b - mean confidence of b|, over equally wide bins of confidence.

    Ten right-closed bins unless `bins` and `closed` say otherwise; 0 is in the first.

    Two answers at 0.95 of which one is right, two at 0.55 of which one is right: (0.45 + 0.05) / 2.

    >>> round(expected_calibration_error([1, 0, 1, 0], [1] * 4, [0.95, 0.95, 0.55, 0.55]), 9)
    0.25
    """
    place = bin_of(stated, bins, closed)
    right, confidence_sums = sums_by_place(place, hits, bins), sums_by_place(place, stated, bins)
    return total(each(lambda a, b: abs(a - b), right, confidence_sums)) / len(hits)


KUMAR = "Kumar, Liang and Ma, Verified Uncertainty Calibration, NeurIPS 2019"


@whole(
    "ECEd",
    parameters={"bins": positive, "closed": one_of("right", "left")},
    higher_is_better=False,
    **STATED,
    cite=KUMAR + ", as normal_debiased_ce of their library",
)
@of_answers
def debiased_calibration_error(hits: Vector, stated: Vector, bins: int = 10, closed: str = "right") -> float | None:
    """ECE without its bias by chance: Σ_b (|b|/m) · (2|g| - E|N(g, σ²)|), not below 0.

    The bins are those of ECE, and g is the gap of a bin between its precision p and its mean confidence. With few answers
    gaps arise by chance, so that ECE of a calibrated system is above 0. With σ² = p(1 - p)/|b| as the variance of p, the mean
    of |N(g, σ²)| is σ√(2/π)·exp(-g²/2σ²) + g·erf(g/σ√2), and its excess over |g| is subtracted.

    Four answers at 0.6 of which three are right: g = 0.15, σ² = 0.75 · 0.25 / 4, and E|N| = 0.216506 · 0.797885 · 0.786628 +
    0.15 · 0.511578 = 0.212624.

    >>> round(debiased_calibration_error([1, 1, 1, 0], [1] * 4, [0.6] * 4), 6)
    0.087376

    Two answers at 0.5 of which one is right have no gap:

    >>> debiased_calibration_error([1, 0], [1, 1], [0.5, 0.5])
    0.0
    """
    place = bin_of(stated, bins, closed)
    sizes = sums_by_place(place, [1.0] * len(hits), bins)
    parts = (sizes, sums_by_place(place, hits, bins), sums_by_place(place, stated, bins))
    return max(0.0, sum(_debiased(*cell) for cell in zip(*map(plain, parts), strict=True)) / len(hits))


def _debiased(size: float, right: float, confidence_sum: float) -> float:
    """Return the contribution of a bin times its number of answers."""
    if not size:
        return 0.0
    share, gap = right / size, abs(right - confidence_sum) / size
    return size * (2 * gap - folded_mean(gap, sqrt(share * (1 - share) / size)))


def folded_mean(mean: float, deviation: float) -> float:
    """Return the mean of |N(mean, deviation²)|.

    >>> round(folded_mean(0.0, 1.0), 6), folded_mean(-2.0, 0.0)
    (0.797885, 2.0)
    """
    if not deviation:
        return abs(mean)
    ratio = mean / deviation
    return deviation * sqrt(2 / pi) * exp(-ratio * ratio / 2) + mean * erf(ratio / sqrt(2))


BINNED: dict[str, Any] = {
    "parameters": {"bins": positive, "binning": one_of("width", "mass")},
    "higher_is_better": False,
}
HENDRYCKS = "Hendrycks, Mazeika and Dietterich, Deep Anomaly Detection with Outlier Exposure, ICLR 2019"
MESH = 2048
"""Number of steps of confidence for the smoothed gap."""
HALVINGS = 26
"""Bisection steps for the width of the smoothing, to 1e-8."""


def mass_bin_of(confidence: Vector, bins: int) -> Vector:
    """Return the number of each confidence's bin, among bins that hold about as many answers each.

    The sorted confidences are split into `bins` parts whose sizes differ by at most one; the edges are half-way between the last
    of a part and the first of the next. Equal confidences share the bin of the first of them.

    >>> mass_bin_of([0.1, 0.2, 0.8, 0.9], 2), mass_bin_of([0.5, 0.9, 0.9, 0.9], 2)
    ([0, 0, 1, 1], [0, 0, 0, 0])
    """
    ordered = sorted(plain(confidence))
    parts = min(bins, len(ordered))
    size, longer = divmod(len(ordered), parts)
    starts = [part * size + min(part, longer) for part in range(1, parts)]
    edges = sorted({(ordered[start - 1] + ordered[start]) / 2.0 for start in starts})
    return places_among(edges, confidence)


def _cells(hits: Vector, stated: Vector, bins: int, binning: str) -> list[tuple[float, float, float]]:
    """Return for each non-empty bin its numbers of answers and right answers, and the sum of confidences."""
    place = bin_of(stated, bins, "right") if binning == "width" else mass_bin_of(stated, bins)
    columns = ([1.0] * len(hits), hits, stated)
    parts = (plain(sums_by_place(place, column, bins)) for column in columns)
    return [cell for cell in zip(*parts, strict=True) if cell[0]]


@whole(
    "adaptive_ECE", aliases=("AdaECE", "ACE", "ECE_em"), parameters={"bins": positive}, higher_is_better=False, **STATED,
    cite="Nixon, Dusenberry, Zhang, Jerfel and Tran, Measuring Calibration in Deep Learning, CVPR workshops 2019, of the "
    "one class 'right'; as get_ece_em of uncertainty-calibration",
)  # fmt: skip
@of_answers
def adaptive_calibration_error(hits: Vector, stated: Vector, bins: int = 10) -> float | None:
    """ECE over bins of equal mass: Σ_b (|b|/m) · |precision of b - mean confidence of b|.

    Where all confidences are above 0.9, they share one bin of equal width; these bins separate them. Equal confidences stay
    together, so that bins may differ in size.

    Two bins: of (0.91, 0.93) both are wrong, of (0.97, 0.99) both are right. (2 · 0.92 + 2 · 0.02) / 4:

    >>> round(adaptive_calibration_error([0, 0, 1, 1], [1] * 4, [0.91, 0.93, 0.97, 0.99], bins=2), 9)
    0.47
    """
    return sum(abs(right - confidence_sum) for _, right, confidence_sum in _cells(hits, stated, bins, "mass")) / len(
        hits
    )


@whole(
    "MCE", **BINNED, **STATED,
    cite="Naeini, Cooper and Hauskrecht, Obtaining Well Calibrated Probabilities Using Bayesian Binning, AAAI 2015",
)  # fmt: skip
@of_answers
def maximum_calibration_error(hits: Vector, stated: Vector, bins: int = 10, binning: str = "width") -> float | None:
    """The largest gap of any bin: max_b |precision of b - mean confidence of b|.

    The bins are those of ECE (`binning=width`), or of equal mass. A bin with one answer counts like any other, so that the
    largest gap is often the smallest bin's.

    Two answers at 0.95 of which one is right, two at 0.55 of which one is right: the larger of 0.45 and 0.05.

    >>> round(maximum_calibration_error([1, 0, 1, 0], [1] * 4, [0.95, 0.95, 0.55, 0.55]), 9)
    0.45
    """
    return max(
        abs(right - confidence_sum) / size for size, right, confidence_sum in _cells(hits, stated, bins, binning)
    )


@whole("RMSCE", aliases=("rms_calibration_error",), **BINNED, **STATED, cite=HENDRYCKS)
@of_answers
def rms_calibration_error(hits: Vector, stated: Vector, bins: int = 10, binning: str = "width") -> float | None:
    """√ Σ_b (|b|/m) · (precision of b - mean confidence of b)², which weighs large gaps more than ECE does.

    The bins are those of ECE (`binning=width`), or of equal mass.

    Two answers at 0.95 of which one is right, two at 0.55 of which one is right: √((0.45² + 0.05²) / 2).

    >>> round(rms_calibration_error([1, 0, 1, 0], [1] * 4, [0.95, 0.95, 0.55, 0.55]) ** 2, 9)
    0.1025
    """
    squares = (
        size * ((right - confidence_sum) / size) ** 2
        for size, right, confidence_sum in _cells(hits, stated, bins, binning)
    )
    return sqrt(sum(squares) / len(hits))


@whole("RMSCEd", **BINNED, **STATED, cite=KUMAR + ", as unbiased_l2_ce of their library")
@of_answers
def debiased_rms_calibration_error(
    hits: Vector, stated: Vector, bins: int = 10, binning: str = "width"
) -> float | None:
    """RMSCE without its bias by chance: √ Σ_b (|b|/m) · (g² - p(1 - p)/(|b| - 1)), 0 where the sum is below 0.

    g is the gap of a bin and p its precision, whose variance is the bias of g². A bin with a single answer has no estimate of its
    variance and is ignored.

    Four answers at 0.3 of which three are right: 0.45² - 0.75 · 0.25 / 3 = 0.14.

    >>> round(debiased_rms_calibration_error([1, 1, 1, 0], [1] * 4, [0.3] * 4) ** 2, 9)
    0.14
    """
    total = 0.0
    for size, right, confidence_sum in _cells(hits, stated, bins, binning):
        if size > 1:
            share = right / size
            total += size * (((right - confidence_sum) / size) ** 2 - share * (1 - share) / (size - 1))
    return sqrt(max(0.0, total / len(hits)))


@whole(
    "smECE", aliases=("smooth_ECE",), parameters={"sigma": part}, higher_is_better=False, **STATED,
    cite="Błasiok and Nakkiran, Smooth ECE: Principled Reliability Diagrams via Kernel Smoothing, ICLR 2024",
)  # fmt: skip
@of_answers
def smooth_calibration_error(hits: Vector, stated: Vector, sigma: float | None = None) -> float | None:
    """Calibration error without bins: smECE_σ = ∫ |(1/m) Σ_i K_σ(t, p_i) · (correct_i - p_i)| dt.

    The integral is over t from 0 to 1, and K is the Gaussian kernel reflected at 0 and 1. The width is the one at which the
    error equals it, σ = smECE_σ, of which there is exactly one; `sigma` fixes another. There are no bin edges, so that the
    error is continuous in the confidences.

    Four answers at 0.9 of which one is right are one gap of 0.25 - 0.9, whatever the width:

    >>> round(smooth_calibration_error([1, 0, 0, 0], [1] * 4, [0.9] * 4), 6)
    0.65

    Right at 0.45 and wrong at 0.55, nearly the same confidence: the gaps 0.55 and -0.55 cancel at a large width, while ECE,
    whose bins separate them, is 0.55.

    >>> round(smooth_calibration_error([1, 0], [1, 1], [0.45, 0.55], sigma=1.0), 3)
    0.001
    """
    import numpy as np

    hits, stated = (np.asarray(column, np.float64) for column in (hits, stated))
    # An answer between two steps of the mesh is shared by both, the nearer one more.
    place = np.minimum((stated * MESH).astype(np.int64), MESH - 1)
    beyond, gaps = stated * MESH - place, (hits - stated) / len(hits)
    mass = np.bincount(place, (1 - beyond) * gaps, MESH + 1) + np.bincount(place + 1, beyond * gaps, MESH + 1)
    # Mirrored at both ends the mesh is a circle of length 2, on which a Gaussian only damps each wave: by exp(-(πkσ)²/2).
    circle = np.concatenate([mass, mass[-2:0:-1]])
    circle[[0, MESH]] *= 2
    waves, exponents = np.fft.rfft(circle), -((np.pi * np.arange(MESH + 1)) ** 2) / 2

    def smoothed(width: float) -> float:
        curve = np.abs(np.fft.irfft(waves * np.exp(exponents * width * width))[: MESH + 1])
        return float(curve.sum() - (curve[0] + curve[-1]) / 2)

    if sigma is not None:
        return min(1.0, smoothed(sigma))
    width = smallest_number(lambda width: not smoothed(width) > width, 0.0, 1.0, HALVINGS)
    return min(1.0, smoothed(width))


MURPHY = "Murphy, A new vector partition of the probability score, Journal of Applied Meteorology 1973"
STEPHENSON = "Stephenson, Coelho and Jolliffe, Two extra components in the Brier score decomposition, Weather and Forecasting 2008"
PARTS: dict[str, Any] = {"parameters": {"bins": positive}, **STATED}


class Groups(NamedTuple):
    """Answers by confidence: the group of each, and of every group its size, right ones and sum of confidences."""

    place: Vector
    size: list[float]
    right: list[float]
    confidence_sums: list[float]


def _groups(hits: Vector, stated: Vector, bins: int | None) -> Groups:
    if bins is None:
        levels = sorted({*plain(stated)})
        place, count = places_among(levels, stated), len(levels)
    else:
        place, count = bin_of(stated, bins, "right"), bins
    columns = ([1.0] * len(hits), hits, stated)
    return Groups(place, *(plain(sums_by_place(place, column, count)) for column in columns))


@whole("Brier_reliability", aliases=("REL",), higher_is_better=False, **PARTS, cite=MURPHY)
@of_answers
def brier_reliability(hits: Vector, stated: Vector, bins: int | None = None) -> float | None:
    """REL = (1/m) Σ_k m_k · (mean confidence of k - precision of k)², over groups k of equal confidence, or `bins`.

    The part of the Brier score due to miscalibration; 0 for perfect calibration.

    Two answers at 0.8, both right, and two at 0.5, one right: 2 · 0.2² / 4.

    >>> round(brier_reliability([1, 1, 1, 0], [1] * 4, [0.8, 0.8, 0.5, 0.5]), 9)
    0.02
    """
    groups = _groups(hits, stated, bins)
    cells = zip(groups.size, groups.right, groups.confidence_sums, strict=True)
    return sum(size * ((right - confidence_sum) / size) ** 2 for size, right, confidence_sum in cells if size) / len(
        hits
    )


@whole("Brier_resolution", aliases=("RES",), low=-1.0, **PARTS, cite=MURPHY + "; with bins " + STEPHENSON)
@of_answers
def brier_resolution(hits: Vector, stated: Vector, bins: int | None = None) -> float | None:
    """RES = (1/m) Σ_k m_k · (precision of k - precision of all)², over groups k of equal confidence, or `bins`.

    How well confidence separates right from wrong, independent of calibration. Over bins the covariance within them is
    added and the variance subtracted, (1/m) Σ 2(c - c̄_k)(p - p̄_k) - (p - p̄_k)², without which the parts would not add up.

    Two answers at 0.8, both right, and two at 0.5, one right: precision 0.75, so (2 · 0.25² + 2 · 0.25²) / 4.

    >>> round(brier_resolution([1, 1, 1, 0], [1] * 4, [0.8, 0.8, 0.5, 0.5]), 9)
    0.0625
    """
    place, sizes, right_answers, confidence_sums = _groups(hits, stated, bins)
    share = total(hits) / len(hits)
    between = sum(size * (right / size - share) ** 2 for size, right in zip(sizes, right_answers, strict=True) if size)
    if bins is None:
        return between / len(hits)
    precision, mean = (
        [a / b if b else 0.0 for a, b in zip(sums, sizes, strict=True)] for sums in (right_answers, confidence_sums)
    )
    within = 0.0
    for at, right, stated_here in zip(plain(place), plain(hits), plain(stated), strict=True):
        apart = stated_here - mean[at]
        within += 2 * (right - precision[at]) * apart - apart * apart
    return (between + within) / len(hits)


@whole("Brier_uncertainty", aliases=("UNC",), high=0.25, higher_is_better=None, **STATED, cite=MURPHY)
@of_answers
def brier_uncertainty(hits: Vector, stated: Vector) -> float | None:
    """UNC = p · (1 - p), p the precision of all answers: the Brier score of always stating p.

    Brier = REL - RES + UNC. Two answers at 0.8, both right, and two at 0.5, one right: 0.75 · 0.25 = 0.1875, and
    0.02 - 0.0625 + 0.1875 = 0.145 = (0.04 + 0.04 + 0.25 + 0.25) / 4.

    >>> brier_uncertainty([1, 1, 1, 0], [1] * 4, [0.8, 0.8, 0.5, 0.5])
    0.1875
    """
    share = total(hits) / len(hits)
    return share * (1 - share)
