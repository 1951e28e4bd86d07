"""Calibration errors other than ECE: over bins of equal mass, maximum, root mean square, and without bins.

The columns are those of `assay.measures.confidence`; ECE and its bins are in `calibration`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

from assay.measures.calibration import bin_of
from assay.measures.confidence import STATED
from assay.measures.define import whole
from assay.measures.engines.bisection import smallest_number
from assay.measures.engines.vectors import answers_with_confidence, plain, sums_by_place
from assay.measures.parameters import one_of, part, positive

if TYPE_CHECKING:
    from assay.measures.engines.vectors import Vector

Column = Sequence[float | None]
BINNED: dict[str, Any] = {
    "parameters": {"bins": positive, "binning": one_of("width", "mass")},
    "higher_is_better": False,
}
HENDRYCKS = "Hendrycks, Mazeika and Dietterich, Deep Anomaly Detection with Outlier Exposure, ICLR 2019"
KUMAR = "Kumar, Liang and Ma, Verified Uncertainty Calibration, NeurIPS 2019"
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
    if isinstance(confidence, list):
        return [bisect_left(edges, stated) for stated in plain(confidence)]
    import numpy as np

    return np.searchsorted(edges, confidence, side="left")


def _cells(answers: tuple[Vector, Vector], bins: int, binning: str) -> list[tuple[float, float, float]]:
    """Return for each non-empty bin its numbers of answers and right answers, and the sum of confidences."""
    hits, stated = answers
    place = bin_of(stated, bins, "right") if binning == "width" else mass_bin_of(stated, bins)
    columns = ([1.0] * len(hits), hits, stated)
    parts = (plain(sums_by_place(place, column, bins)) for column in columns)
    return [cell for cell in zip(*parts, strict=True) if cell[0]]


@whole(
    "adaptive_ECE", aliases=("AdaECE", "ACE", "ECE_em"), parameters={"bins": positive}, higher_is_better=False, **STATED,
    cite="Nixon, Dusenberry, Zhang, Jerfel and Tran, Measuring Calibration in Deep Learning, CVPR workshops 2019, of the "
    "one class 'right'; as get_ece_em of uncertainty-calibration",
)  # fmt: skip
def adaptive_calibration_error(correct: Column, answered: Column, confidence: Column, bins: int = 10) -> float | None:
    """ECE over bins of equal mass: Σ_b (|b|/m) · |precision of b - mean confidence of b|, as many answers in each bin.

    Where all confidences are above 0.9, they share one bin of equal width; these bins separate them. Equal confidences stay
    together, so that bins may differ in size.

    Two bins: of (0.91, 0.93) both are wrong, of (0.97, 0.99) both are right. (2 · 0.92 + 2 · 0.02) / 4:

    >>> round(adaptive_calibration_error([0, 0, 1, 1], [1] * 4, [0.91, 0.93, 0.97, 0.99], bins=2), 9)
    0.47
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    return sum(abs(right - confidence_sum) for _, right, confidence_sum in _cells(answers, bins, "mass")) / len(
        answers[0]
    )


@whole(
    "MCE", **BINNED, **STATED,
    cite="Naeini, Cooper and Hauskrecht, Obtaining Well Calibrated Probabilities Using Bayesian Binning, AAAI 2015",
)  # fmt: skip
def maximum_calibration_error(
    correct: Column, answered: Column, confidence: Column, bins: int = 10, binning: str = "width"
) -> float | None:
    """The largest gap of any bin: max_b |precision of b - mean confidence of b|.

    The bins are those of ECE (`binning=width`), or of equal mass. A bin with one answer counts like any other, so that the
    largest gap is often the smallest bin's.

    Two answers at 0.95 of which one is right, two at 0.55 of which one is right: the larger of 0.45 and 0.05.

    >>> round(maximum_calibration_error([1, 0, 1, 0], [1] * 4, [0.95, 0.95, 0.55, 0.55]), 9)
    0.45
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    return max(abs(right - confidence_sum) / size for size, right, confidence_sum in _cells(answers, bins, binning))


@whole("RMSCE", aliases=("rms_calibration_error",), **BINNED, **STATED, cite=HENDRYCKS)
def rms_calibration_error(
    correct: Column, answered: Column, confidence: Column, bins: int = 10, binning: str = "width"
) -> float | None:
    """√ Σ_b (|b|/m) · (precision of b - mean confidence of b)², which weighs large gaps more than ECE does.

    The bins are those of ECE (`binning=width`), or of equal mass.

    Two answers at 0.95 of which one is right, two at 0.55 of which one is right: √((0.45² + 0.05²) / 2).

    >>> round(rms_calibration_error([1, 0, 1, 0], [1] * 4, [0.95, 0.95, 0.55, 0.55]) ** 2, 9)
    0.1025
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    squares = (
        size * ((right - confidence_sum) / size) ** 2 for size, right, confidence_sum in _cells(answers, bins, binning)
    )
    return sqrt(sum(squares) / len(answers[0]))


@whole("RMSCEd", **BINNED, **STATED, cite=KUMAR + ", as unbiased_l2_ce of their library")
def debiased_rms_calibration_error(
    correct: Column, answered: Column, confidence: Column, bins: int = 10, binning: str = "width"
) -> float | None:
    """RMSCE without its bias by chance: √ Σ_b (|b|/m) · (g² - p(1 - p)/(|b| - 1)), 0 where the sum is below 0.

    g is the gap of a bin and p its precision, whose variance is the bias of g². A bin with a single answer has no estimate of its
    variance and is ignored.

    Four answers at 0.3 of which three are right: 0.45² - 0.75 · 0.25 / 3 = 0.14.

    >>> round(debiased_rms_calibration_error([1, 1, 1, 0], [1] * 4, [0.3] * 4) ** 2, 9)
    0.14
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    total = 0.0
    for size, right, confidence_sum in _cells(answers, bins, binning):
        if size > 1:
            share = right / size
            total += size * (((right - confidence_sum) / size) ** 2 - share * (1 - share) / (size - 1))
    return sqrt(max(0.0, total / len(answers[0])))


@whole(
    "smECE", aliases=("smooth_ECE",), parameters={"sigma": part}, higher_is_better=False, **STATED,
    cite="Błasiok and Nakkiran, Smooth ECE: Principled Reliability Diagrams via Kernel Smoothing, ICLR 2024",
)  # fmt: skip
def smooth_calibration_error(
    correct: Column, answered: Column, confidence: Column, sigma: float | None = None
) -> float | None:
    """Calibration error without bins: smECE_σ = ∫ |(1/m) Σ_i K_σ(t, p_i) · (correct_i - p_i)| dt, over t from 0 to 1.

    K is the Gaussian kernel reflected at 0 and 1. The width is the one at which the error equals it, σ = smECE_σ, of which
    there is exactly one; `sigma` fixes another. There are no bin edges, so that the error is continuous in the
    confidences.

    Four answers at 0.9 of which one is right are one gap of 0.25 - 0.9, whatever the width:

    >>> round(smooth_calibration_error([1, 0, 0, 0], [1] * 4, [0.9] * 4), 6)
    0.65

    Right at 0.45 and wrong at 0.55, nearly the same confidence: the gaps 0.55 and -0.55 cancel at a large width, while ECE,
    whose bins separate them, is 0.55.

    >>> round(smooth_calibration_error([1, 0], [1, 1], [0.45, 0.55], sigma=1.0), 3)
    0.001
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    import numpy as np

    hits, stated = (np.asarray(column, np.float64) for column in answers)
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
