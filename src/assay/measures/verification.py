"""PAN's measures of yes/no problems with a graded value v: above 0.5 says yes, below no, exactly 0.5 is no answer.

The columns, one cell per problem:

    truth, value                       the right answer (1 or 0), and v
    true_positive, false_positive, false_negative      over the answered
    unanswered_positive, unanswered_negative           problems left at 0.5, by their right answer
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.measures.accuracy_and_c_at_1 import c_at_1
from assay.measures.calibration import squared_error
from assay.measures.confidence import area_under_roc
from assay.measures.define import sums, whole
from assay.measures.engines.vectors import has_gaps, tie_groups, vector
from assay.measures.parameters import one_of

Column = Sequence[float | None]

TASK = "outcomes"
PAN = "Kestemont et al., Overview of the Cross-Domain Authorship Verification Task at PAN 2020"
BEVENDORFF = "Bevendorff, Stein, Hagen and Potthast, Generalizing Unmasking for Short Texts, NAACL 2019"
NOT_YES_NO = "where the gold is not yes/no"
COUNTS = ("true_positive", "false_positive", "false_negative", "unanswered_positive", "unanswered_negative")
HALF = one_of("unanswered", "positive")


@sums("F1", task=TASK, of=COUNTS[:3], undefined=NOT_YES_NO + ", or no problem is or is called positive", cite=PAN)
def f1(n: int, true_positive: int, false_positive: int, false_negative: int) -> tuple[int, int]:
    """2 tp / (2 tp + fp + fn) over the answered problems.

    >>> f1(10, 3, 1, 2)
    (6, 9)
    """
    return 2 * true_positive, 2 * true_positive + false_positive + false_negative


@sums(
    "F0.5u", task=TASK, parameters={"half": HALF}, of=COUNTS,
    undefined=NOT_YES_NO + ", or all problems are answered no, rightly", cite=BEVENDORFF,
)  # fmt: skip
def f05u(
    n: int, true_positive: int, false_positive: int, false_negative: int,
    unanswered_positive: int, unanswered_negative: int, half: str = "unanswered",
) -> tuple[int, int]:  # fmt: skip
    """1.25 tp / (1.25 tp + 0.25 (fn + nu) + fp), nu all unanswered problems of both classes.

    `half=positive` is what PAN's evaluator did before May 2021: 0.5 counts as yes, and nu is 0.

    >>> top, bottom = f05u(10, 4, 1, 2, 1, 1)
    >>> top / bottom                           # 5 / (5 + 0.25 · 4 + 1)
    0.7142857142857143
    """
    unanswered = unanswered_positive + unanswered_negative
    if half == "positive":
        true_positive = true_positive + unanswered_positive
        false_positive = false_positive + unanswered_negative
        unanswered = 0
    return 5 * true_positive, 5 * true_positive + false_negative + unanswered + 4 * false_positive


@whole(
    "AUC", task=TASK, of=("truth", "value"), undefined=NOT_YES_NO + ", or all problems have the same answer", cite=PAN
)
def auc(truth: Column, value: Column) -> float | None:
    """The chance that a yes-problem has a higher value than a no-problem, ties counting half; 0.5 is one more value.

    >>> auc([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.1])
    0.875
    """
    right, values = vector(truth), vector(value)
    if not len(right) or has_gaps(right):
        return None
    return area_under_roc(*tie_groups(right, values))


@whole("1-Brier", task=TASK, aliases=("brier_complement",), of=("truth", "value"), undefined=NOT_YES_NO, cite=PAN)
def one_minus_brier(truth: Column, value: Column) -> float | None:
    """1 - (1/n) Σ (v - truth)², unanswered problems at 0.5.

    >>> one_minus_brier([1, 0], [0.5, 0.0])
    0.875
    """
    right, values = vector(truth), vector(value)
    if not len(right) or has_gaps(right):
        return None
    return 1 - squared_error(right, values)


def _ratio(fraction: tuple[int, int]) -> float | None:
    top, bottom = fraction
    return top / bottom if bottom else None


def _mean(*values: float | None) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(values) if len(known) == len(values) else None


OVERALL = ("truth", "value", "correct", "unanswered", *COUNTS)
PART_UNDEFINED = "where one of its parts is"


def _parts(
    truth: Column, value: Column, correct: Sequence[int], unanswered: Sequence[int], *counts: Sequence[int], half: str
) -> tuple[float | None, ...]:
    n, sums_of_counts = len(correct), [sum(column) for column in counts]
    return (
        auc(truth, value),
        _ratio(c_at_1(n, sum(correct), sum(unanswered))),
        _ratio(f1(n, *sums_of_counts[:3])),
        _ratio(f05u(n, *sums_of_counts, half=half)),
    )


@whole(
    "overall", task=TASK, parameters={"half": HALF, "brier": one_of("yes", "no")}, of=OVERALL, undefined=PART_UNDEFINED,
    cite=PAN + "; with the Brier score since 2021",
)  # fmt: skip
def overall(
    truth: Column, value: Column, correct: Sequence[int], unanswered: Sequence[int], *counts: Sequence[int],
    half: str = "unanswered", brier: str = "yes",
) -> float | None:  # fmt: skip
    """The mean of AUC, c@1, F1, F0.5u and 1-Brier; `brier=no` leaves the last out.

    Two problems, both right with full certainty:

    >>> overall([1, 0], [1.0, 0.0], [1, 1], [0, 0], [1, 0], [0, 0], [0, 0], [0, 0], [0, 0])
    1.0
    """
    parts = _parts(truth, value, correct, unanswered, *counts, half=half)
    return _mean(*parts, one_minus_brier(truth, value)) if brier == "yes" else _mean(*parts)


@whole("overall(2020)", task=TASK, of=OVERALL, undefined=PART_UNDEFINED, cite=PAN)
def overall_2020(
    truth: Column, value: Column, correct: Sequence[int], unanswered: Sequence[int], *counts: Sequence[int]
) -> float | None:
    """PAN 2020's published figure: the mean of AUC, c@1, F1 and F0.5u by that year's rule (`F0.5u(half=positive)`).

    `overall(brier=no)` is the same mean with the corrected F0.5u.

    >>> overall_2020([1, 0], [1.0, 0.0], [1, 1], [0, 0], [1, 0], [0, 0], [0, 0], [0, 0], [0, 0])
    1.0
    """
    return _mean(*_parts(truth, value, correct, unanswered, *counts, half="positive"))


@whole(
    "overall(2014)", task=TASK, aliases=("AUC·c@1", "AUC*c@1"), of=("truth", "value", "correct", "unanswered"),
    undefined=PART_UNDEFINED, cite="Stamatatos et al., Overview of the Author Identification Task at PAN 2014",
)  # fmt: skip
def overall_2014(truth: Column, value: Column, correct: Sequence[int], unanswered: Sequence[int]) -> float | None:
    """AUC · c@1, PAN's final score of 2014 and 2015.

    AUC 0.75 (one pair tied, one in order); 1 right and 1 unanswered of 3: c@1 = (1 + 1/3)/3 = 4/9; 0.75 · 4/9 = 1/3.

    >>> round(overall_2014([1, 0, 0], [0.6, 0.6, 0.5], [1, 0, 0], [0, 0, 1]), 9)
    0.333333333
    """
    area, share = auc(truth, value), _ratio(c_at_1(len(correct), sum(correct), sum(unanswered)))
    return None if area is None or share is None else area * share
