"""Abstention in retrieval (MTEB's nAUC): do a retriever's scores tell the topics on which it should abstain?

Topics are dropped from the least confident on, a tenth at a time up to nine tenths, and a measure is averaged over the others.
The normalised area under that curve is 1 for a retriever that drops its worst topics first, 0 where dropping changes nothing, and
below 0 where it drops its best. The confidence is computed from the scores of its documents in three ways.
"""

from __future__ import annotations

from itertools import groupby
from math import hypot, sqrt

from assay.errors import UsageError
from assay.measures.define import whole
from assay.measures.registry import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Cells = Sequence[float | None]

CITE = "H. Gisserot-Boukhlef et al., Towards Trustworthy Reranking: A Simple yet Effective Abstention Mechanism, TMLR 2024 (MTEB's nAUC)"
RATES = tuple(i * 0.1 for i in range(10))
MAIN = "nDCG@10"
"""MTEB's main measure."""
UNDEFINED = "where every topic has the same value"
ROUNDING = 1e-12
"""Tolerance for equal values, whose means differ by rounding."""


def measured(text: str) -> str:
    """a measure of ranked retrieval with a value per topic, as in nDCG@10"""
    try:
        inner = find(text, "ranked")
    except UsageError as problem:
        raise ValueError(f"expected a measure with a value per topic, as in nDCG@10: {problem}") from None
    if inner.level != "topic":
        raise ValueError("expected a measure with a value per topic, as in nDCG@10")
    return text


def abstention_curve(values: Sequence[float], confidence: Sequence[float]) -> list[float]:
    """Return the mean value of the topics kept when each share of the least confident is dropped.

    Ties of confidence are averaged.

    >>> [round(mean, 2) for mean in abstention_curve([0.0, 1.0], [0.1, 0.9])]
    [0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    ordered: list[float] = []
    for _, tied in groupby(sorted(zip(confidence, values, strict=True)), key=lambda pair: pair[0]):
        group = [value for _, value in tied]
        ordered += [sum(group) / len(group)] * len(group)
    kept = (ordered[min(round(rate * len(ordered)), len(ordered) - 1) :] for rate in RATES)
    return [sum(part) / len(part) for part in kept]


def normalised_area(values: Cells, confidence: Cells) -> float | None:
    """Return (area - flat area)/(best area - flat area), over the topics with both numbers.

    >>> normalised_area([0.0, 1.0], [0.1, 0.9]), normalised_area([0.0, 1.0], [0.9, 0.1])
    (1.0, -1.0)
    """
    pairs = [(v, c) for v, c in zip(values, confidence, strict=True) if v is not None and c is not None]
    if not pairs:
        return None
    known, sure = [v for v, _ in pairs], [c for _, c in pairs]
    if max(known) - min(known) <= ROUNDING:
        return None
    curve, best = abstention_curve(known, sure), abstention_curve(known, known)
    flat = best[0] * RATES[-1]
    return (_area(curve) - flat) / (_area(best) - flat)


def _area(curve: Sequence[float]) -> float:
    return sum((b - a) * (low + high) / 2 for a, b, low, high in zip(RATES, RATES[1:], curve, curve[1:], strict=False))


@whole(
    "nAUC_max", of=("{of}", "score_max"), aliases=("nauc_{of}_max",), parameters={"of": measured}, low=None, undefined=UNDEFINED,
    cite=CITE,
)  # fmt: skip
def nauc_max(values: Cells, confidence: Cells, of: str = MAIN) -> float | None:
    """Gain of dropping the topics with the lowest maximum score, over the maximal gain.

    >>> nauc_max([0.0, 0.5, 1.0], [1.2, 3.4, 5.6])
    1.0
    """
    return normalised_area(values, confidence)


@whole(
    "nAUC_std", of=("{of}", "score_std"), aliases=("nauc_{of}_std",), parameters={"of": measured}, low=None, undefined=UNDEFINED,
    cite=CITE,
)  # fmt: skip
def nauc_std(values: Cells, confidence: Cells, of: str = MAIN) -> float | None:
    """Gain of dropping the topics with the lowest standard deviation of scores, over the maximal gain.

    >>> nauc_std([0.0, 0.5, 1.0], [0.3, 0.2, 0.1])  # the best topics are dropped first
    -1.0
    """
    return normalised_area(values, confidence)


@whole(
    "nAUC_diff1", of=("{of}", "score_diff1"), aliases=("nauc_{of}_diff1",), parameters={"of": measured}, low=None,
    undefined=UNDEFINED, cite=CITE,
)  # fmt: skip
def nauc_diff1(values: Cells, confidence: Cells, of: str = MAIN) -> float | None:
    """Gain of dropping the topics with the smallest difference of the two highest scores, over the maximal gain.

    >>> nauc_diff1([0.0, 1.0], [0.5, 0.5])  # equal confidence
    0.0
    """
    return normalised_area(values, confidence)


def confidence_of(scores: Sequence[float]) -> tuple[float, float, float]:
    """Return the highest score, the standard deviation of all, and the difference of the two highest; 0 for missing ones.

    >>> confidence_of([1.0, 3.0])
    (3.0, 1.0, 2.0)
    """
    if not scores:
        return 0.0, 0.0, 0.0
    ordered = sorted(scores, reverse=True)
    mean = sum(scores) / len(scores)
    spread = hypot(*(score - mean for score in scores)) / sqrt(len(scores))
    return ordered[0], spread, ordered[0] - ordered[1] if len(ordered) > 1 else 0.0
