"""More measures of selection: if a system answered only where it is surest, how wrong would it be?

The columns are those of `assay.measures.confidence`, where AURC stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.measures.confidence import COLUMNS, STATED, TASK, shares_right
from assay.measures.declare import whole
from assay.measures.engines.vectors import given, plain, tie_groups, total
from assay.measures.parameters import part

Column = Sequence[float | None]


@whole(
    "AUGRC", high=0.5, higher_is_better=False, **STATED,
    cite="Traub et al., Overcoming Common Flaws in the Evaluation of Selective Classification Systems, NeurIPS 2024",
)  # fmt: skip
def area_under_generalized_risk_coverage(correct: Column, answered: Column, confidence: Column) -> float | None:
    """The area under errors(i)/m against coverage i/m, i from 0 to the m answers given, confidence descending.

    The mean rate of errors that nobody noticed, over all coverages. AURC divides by the answers kept, so that the first few
    decide it; this divides by all. The area is that of straight lines between the points, and of tied answers the straight line
    is the expected value over their orders. It is (1 - AUROC) · p(1 - p) + (1 - p)²/2, p the precision.

    Wrong at rank 2 of 3: (0 + 0)/2, (0 + 1)/2 and (1 + 1)/2 of 9.

    >>> round(area_under_generalized_risk_coverage([1, 0, 1], [1, 1, 1], [0.9, 0.8, 0.1]) * 9, 9)
    1.5
    """
    answers = given(correct, answered, confidence)
    if answers is None:
        return None
    twice = wrong = 0
    for right, size in zip(*map(plain, tie_groups(*answers)), strict=True):
        twice += size * (2 * wrong + size - right)
        wrong += size - right
    return twice / (2 * len(answers[0]) ** 2)


@whole(
    "PRR", task=TASK, aliases=("prr_{reject}",), parameters={"reject": part}, at="reject", low=None, of=COLUMNS,
    undefined="where all answers are right, all are wrong, fewer than 2 are rejected, or one has no confidence",
    cite="Malinin and Gales, Uncertainty Estimation in Autoregressive Structured Prediction, ICLR 2021; as the normalised "
    "PredictionRejectionArea of Vashurin et al., Benchmarking Uncertainty Quantification Methods for LLMs with "
    "LM-Polygraph, TACL 2025",
)  # fmt: skip
def prediction_rejection_ratio(
    correct: Column, answered: Column, confidence: Column, reject: float = 1.0
) -> float | None:
    """How much of what a perfect order would gain over a random one the order by confidence gains: 1 perfect, 0 random.

    A(order) is the mean precision of the answers kept, while up to the share `reject` of the m answers is rejected one by
    one, least confident first; PRR = (A(confidence) - A(random)) / (A(perfect) - A(random)). A random order has the precision
    of all answers on average, whatever is rejected. With `reject=1`, the default, A is 1 - AURC. Ties by their expected value,
    where LM-Polygraph takes the order in which numpy sorts, and A(random) exactly, where it draws a thousand orders.

    Wrong at rank 2 of 3: A = (1 + 1/2 + 2/3)/3 = 13/18, perfect 16/18, random 12/18.

    >>> round(prediction_rejection_ratio([1, 0, 1], [1, 1, 1], [0.9, 0.8, 0.1]), 9)
    0.25
    """
    answers = given(correct, answered, confidence)
    if answers is None:
        return None
    hits, stated = answers
    steps, right = int(reject * len(hits)), total(hits)
    if steps < 2 or not 0 < right < len(hits):
        return None
    by_confidence, perfect = (total(shares_right(hits, order)[-steps:]) / steps for order in (stated, hits))
    return (by_confidence - right / len(hits)) / (perfect - right / len(hits))


@whole(
    "AUPRC_errors", task=TASK, aliases=("AUPR_error",), of=COLUMNS,
    undefined="where no answer is wrong, nothing is answered or an answer has no confidence",
    cite="Hendrycks and Gimpel, A Baseline for Detecting Misclassified and Out-of-Distribution Examples, ICLR 2017",
)  # fmt: skip
def average_precision_of_errors(correct: Column, answered: Column, confidence: Column) -> float | None:
    """The average precision of finding the wrong answers by lack of confidence: Σ_k (R_k - R_k-1) · P_k.

    k runs over the distinct confidences from the lowest up, R_k is the share of all wrong answers among those of at most that
    confidence, and P_k the share of these answers that is wrong. Equal confidences are one step, as in scikit-learn. A
    random order has the share of wrong answers, which is worth showing beside it.

    Wrong at the lowest and the third lowest of four: (1/1 + 2/3) / 2.

    >>> round(average_precision_of_errors([1, 0, 1, 0], [1] * 4, [0.9, 0.6, 0.5, 0.2]) * 6, 9)
    5.0
    """
    answers = given(correct, answered, confidence)
    if answers is None:
        return None
    found = seen = 0
    area = 0.0
    for right, size in reversed(list(zip(*map(plain, tie_groups(*answers)), strict=True))):
        seen += size
        found += size - right
        area += (size - right) * (found / seen)
    return area / found if found else None
