"""Measures of selective prediction: if a system answered only where it is most confident, how often would it be wrong?

The columns are those of `assay.measures.confidence`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING, Any

from assay.measures.confidence import COLUMNS, STATED, TASK, shares_right
from assay.measures.define import ANSWERS, TOPICS, whole
from assay.measures.engines.vectors import answers_with_confidence, each, of_answers, plain, tie_groups, total
from assay.measures.parameters import one_of, part, share

if TYPE_CHECKING:
    from assay.measures.engines.vectors import Vector

Column = Sequence[float | None]

ZHOU = (
    "Zhou, Van Landeghem, Popordanoska and Blaschko, A Novel Characterization of the Population Area Under the Risk Coverage "
    "Curve (AURC) and Rates of Finite Sample Estimators, ICML 2025"
)
FRANC = "Franc, Prusa and Voracek, Optimal Strategies for Reject Option Classifiers, JMLR 2023"
OF_ALL_QUESTIONS: dict[str, Any] = {**STATED, "counts": TOPICS}
GEIFMAN = "Geifman, Uziel and El-Yaniv, Bias-Reduced Uncertainty Estimation for Deep Neural Classifiers, ICLR 2019"


@whole(
    "AURC", parameters={"estimator": one_of("mean", "ln", "sele")}, higher_is_better=False, **STATED,
    cite=f"{GEIFMAN}; ln: {ZHOU}; sele: {FRANC}",
)  # fmt: skip
@of_answers
def area_under_risk_coverage(hits: Vector, stated: Vector, estimator: str = "mean") -> float | None:
    """AURC = (1/m) Σ_i errors(i)/i over the m answers given, confidence descending; ties by their expected value.

    It is 1 - CWS of the answered questions. Wrong at rank 2 of 3: (0 + 1/2 + 1/3) / 3 = 5/18.

    >>> round(area_under_risk_coverage([1, 0, 1], [1, 1, 1], [0.9, 0.8, 0.1]) * 18, 9)
    5.0

    Each wrong answer adds a weight that depends on its rank i alone: 1/i + … + 1/m of m. It estimates ln(1/G) for
    infinitely many answers, with G the share at least as confident. `estimator` chooses another weight: `ln` is
    ln((m + 1)/i), and `sele` is (m + 1 - i)/m, a proxy that can be optimised.

    >>> round(area_under_risk_coverage([1, 0, 1], [1, 1, 1], [0.9, 0.8, 0.1], estimator="ln"), 4)  # ln(4/2) / 3
    0.231
    >>> round(area_under_risk_coverage([1, 0, 1], [1, 1, 1], [0.9, 0.8, 0.1], estimator="sele") * 9, 9)  # (2/3) / 3
    2.0
    """
    return _mean_risk(hits, stated) if estimator == "mean" else _weighted_errors(hits, stated, estimator)


def _weighted_errors(hits: Vector, stated: Vector, estimator: str) -> float:
    """Return (1/m) Σ of the weights of wrong answers' ranks, the mean weight of its ranks for a tied one."""
    m = len(hits)
    if estimator == "ln":
        weights = [log((m + 1) / rank) for rank in range(1, m + 1)]
    else:
        weights = [(m + 1 - rank) / m for rank in range(1, m + 1)]
    area, kept = 0.0, 0
    for right, size in zip(*map(plain, tie_groups(hits, stated)), strict=True):
        area += (size - right) * (total(weights[kept : kept + size]) / size)
        kept += size
    return area / m


def _mean_risk(hits: Vector, stated: Vector) -> float:
    return total(each(lambda right: 1 - right, shares_right(hits, stated))) / len(hits)


@whole("excess_AURC", aliases=("eAURC",), higher_is_better=False, **STATED, cite=GEIFMAN)
@of_answers
def excess_aurc(hits: Vector, stated: Vector) -> float | None:
    """AURC minus that of the perfect order, in which all right answers precede all wrong ones.

    Wrong at rank 2 of 3 costs 5/18; wrong at rank 3, the best possible, (1/3)/3 = 2/18.

    >>> round(excess_aurc([1, 0, 1], [1, 1, 1], [0.9, 0.8, 0.1]) * 18, 9)
    3.0
    """
    return _mean_risk(hits, stated) - _mean_risk(hits, hits)


@whole(
    "coverage_at_risk", parameters={"risk": share}, at="risk", **OF_ALL_QUESTIONS,
    cite="El-Yaniv and Wiener, On the Foundations of Noise-free Selective Classification, JMLR 2010",
)  # fmt: skip
def coverage_at_risk(correct: Column, answered: Column, confidence: Column, risk: float) -> float | None:
    """The largest share of all questions that can be answered, by a threshold on confidence, with errors ≤ risk.

    Equal confidences are kept or rejected together; 0 where no threshold suffices.

    The 2 most confident of 4 questions are right, the third is wrong: at most 1/3 errors lets 3 of 4 through.

    >>> coverage_at_risk([1, 1, 0, 0], [1, 1, 1, 1], [0.9, 0.8, 0.7, 0.6], risk=0.34)
    0.75
    """
    answers = answers_with_confidence(correct, answered, confidence)
    if answers is None:
        return None
    best = kept = wrong = 0
    for right, size in zip(*map(plain, tie_groups(*answers)), strict=True):
        kept += size
        wrong += size - right
        # Divided, not multiplied: 29/100 is the double nearest to 0.29, and 0.29 · 100 falls short of 29.
        if wrong / kept <= risk:
            best = kept
    return best / len(correct)


@whole(
    "AUGRC", high=0.5, higher_is_better=False, **STATED,
    cite="Traub et al., Overcoming Common Flaws in the Evaluation of Selective Classification Systems, NeurIPS 2024",
)  # fmt: skip
@of_answers
def area_under_generalized_risk_coverage(hits: Vector, stated: Vector) -> float | None:
    """The area under errors(i)/m against coverage i/m, i from 0 to the m answers given, confidence descending.

    The mean rate of undetected errors over all coverages. AURC divides by the answers kept, so that the first few dominate; this
    divides by all. The area is under straight lines between the points, which is the expectation for tied answers.
    It is (1 - AUROC) · p(1 - p) + (1 - p)²/2, p the precision.

    Wrong at rank 2 of 3: (0 + 0)/2, (0 + 1)/2 and (1 + 1)/2 of 9.

    >>> round(area_under_generalized_risk_coverage([1, 0, 1], [1, 1, 1], [0.9, 0.8, 0.1]) * 9, 9)
    1.5
    """
    twice = wrong = 0
    for right, size in zip(*map(plain, tie_groups(hits, stated)), strict=True):
        twice += size * (2 * wrong + size - right)
        wrong += size - right
    return twice / (2 * len(hits) ** 2)


@whole(
    "PRR", task=TASK, counts=ANSWERS, aliases=("prr_{reject}",), parameters={"reject": part}, at="reject", low=None, of=COLUMNS,
    undefined="where all answers are right, all are wrong, fewer than 2 are rejected, or one has no confidence",
    cite="Malinin and Gales, Uncertainty Estimation in Autoregressive Structured Prediction, ICLR 2021; as the normalised "
    "PredictionRejectionArea of Vashurin et al., Benchmarking Uncertainty Quantification Methods for LLMs with "
    "LM-Polygraph, TACL 2025",
)  # fmt: skip
@of_answers
def prediction_rejection_ratio(hits: Vector, stated: Vector, reject: float = 1.0) -> float | None:
    """The gain of the order by confidence over a random one, relative to a perfect one: 1 perfect, 0 random.

    A(order) is the mean precision of the answers kept, while up to the share `reject` of the m answers is rejected one by
    one, least confident first; PRR = (A(confidence) - A(random)) / (A(perfect) - A(random)). A random order has the precision
    of all answers in expectation. With `reject=1`, the default, A is 1 - AURC. Ties count by their expectation, where
    LM-Polygraph uses numpy's sort order; A(random) is exact, where it draws a thousand orders.

    Wrong at rank 2 of 3: A = (1 + 1/2 + 2/3)/3 = 13/18, perfect 16/18, random 12/18.

    >>> round(prediction_rejection_ratio([1, 0, 1], [1, 1, 1], [0.9, 0.8, 0.1]), 9)
    0.25
    """
    steps, right = int(reject * len(hits)), total(hits)
    if steps < 2 or not 0 < right < len(hits):
        return None
    by_confidence, perfect = (total(shares_right(hits, order)[-steps:]) / steps for order in (stated, hits))
    return (by_confidence - right / len(hits)) / (perfect - right / len(hits))


@whole(
    "AUPRC_errors", task=TASK, counts=ANSWERS, aliases=("AUPR_error",), of=COLUMNS,
    undefined="where no answer is wrong, nothing is answered or an answer has no confidence",
    cite="Hendrycks and Gimpel, A Baseline for Detecting Misclassified and Out-of-Distribution Examples, ICLR 2017",
)  # fmt: skip
@of_answers
def average_precision_of_errors(hits: Vector, stated: Vector) -> float | None:
    """The average precision of finding the wrong answers by lack of confidence: Σ_k (R_k - R_k-1) · P_k.

    k runs over the distinct confidences from the lowest up, R_k is the share of all wrong answers among those of at most that
    confidence, and P_k the share of these answers that is wrong. Equal confidences are one step, as in scikit-learn. A
    random order has the share of wrong answers.

    Wrong at the lowest and the third lowest of four: (1/1 + 2/3) / 2.

    >>> round(average_precision_of_errors([1, 0, 1, 0], [1] * 4, [0.9, 0.6, 0.5, 0.2]) * 6, 9)
    5.0
    """
    errors = seen = 0
    area = 0.0
    for right, size in reversed(list(zip(*map(plain, tie_groups(hits, stated)), strict=True))):
        seen += size
        errors += size - right
        area += (size - right) * (errors / seen)
    return area / errors if errors else None
