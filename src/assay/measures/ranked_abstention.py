"""Would a retriever do well to return nothing where its own scores say that it is not sure? (MTEB's nAUC)

Topics are given up from the least confident on, a tenth at a time up to nine tenths, and a measure is averaged over those that
stay. The area under that curve is 1 for a retriever that gives up its worst topics first, 0 where giving up changes nothing, and
below 0 where it gives up its best. What it is confident of is read off the scores of its documents, in three ways.
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
"""The measure that MTEB puts first."""
UNDEFINED = "where every topic has the same value"
ROUNDING = 1e-12
"""By how much values may differ and be the same: the means of equal values are not always equal, and what is left would be divided."""


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
    """The mean value of the topics that stay when a share of them, the least confident, is given up; for each of the shares.

    Of topics that are equally confident each is as likely to stay as any other.

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
    """(area of the curve - that of a flat one)/(that of the best - that of a flat one), over the topics that have both numbers.

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
    """Gain of giving up the topics whose best document has the lowest score, over the most there is to gain.

    >>> nauc_max([0.0, 0.5, 1.0], [1.2, 3.4, 5.6])
    1.0
    """
    return normalised_area(values, confidence)


@whole(
    "nAUC_std", of=("{of}", "score_std"), aliases=("nauc_{of}_std",), parameters={"of": measured}, low=None, undefined=UNDEFINED,
    cite=CITE,
)  # fmt: skip
def nauc_std(values: Cells, confidence: Cells, of: str = MAIN) -> float | None:
    """Gain of giving up the topics whose documents' scores differ least (their standard deviation), over the most there is to gain.

    >>> nauc_std([0.0, 0.5, 1.0], [0.3, 0.2, 0.1])  # the best topics are given up first
    -1.0
    """
    return normalised_area(values, confidence)


@whole(
    "nAUC_diff1", of=("{of}", "score_diff1"), aliases=("nauc_{of}_diff1",), parameters={"of": measured}, low=None,
    undefined=UNDEFINED, cite=CITE,
)  # fmt: skip
def nauc_diff1(values: Cells, confidence: Cells, of: str = MAIN) -> float | None:
    """Gain of giving up the topics whose first two documents' scores differ least, over the most there is to gain.

    >>> nauc_diff1([0.0, 1.0], [0.5, 0.5])  # equally sure of both
    0.0
    """
    return normalised_area(values, confidence)


def confidence_of(scores: Sequence[float]) -> tuple[float, float, float]:
    """The highest score, the standard deviation of all, and the difference of the first two; 0 of what is not there.

    >>> confidence_of([1.0, 3.0])
    (3.0, 1.0, 2.0)
    """
    if not scores:
        return 0.0, 0.0, 0.0
    ordered = sorted(scores, reverse=True)
    mean = sum(scores) / len(scores)
    spread = hypot(*(score - mean for score in scores)) / sqrt(len(scores))
    return ordered[0], spread, ordered[0] - ordered[1] if len(ordered) > 1 else 0.0
