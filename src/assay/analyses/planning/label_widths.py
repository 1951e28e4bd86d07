"""How wide `assay correct` will print an interval, of verdicts that are right or wrong.

A plan is by the variance of each estimate, which is what many labels come to. What is printed is made for few: Wilson's interval of
people's labels, Lang and Reiczigel's of Rogan-Gladen, and for PPI++ Student's with two labels more where one verdict is scarce. Here
each is taken at the counts one would expect.
"""

from __future__ import annotations

from math import inf, sqrt

from assay.stats.label_design import Spread, judge_variance
from assay.stats.prediction_powered import FEW, SCARCE, normal_point, student_point
from assay.stats.rogan_gladen import limits


def printed(
    labels: int, questions: float, rate: float, judged: float, of: Spread, confidence: float
) -> dict[str, float]:
    """By method the width, end to end; `rate` is what people call right, `judged` what the judge does.

    Wilson's interval of 25 of 50 labels is 2z/(1 + z²/n) · √(1/4n + z²/4n²) = .2671 wide, and not 2z · √(1/4n) = .2772:

    >>> round(printed(50, 1000, 0.5, 0.5, Spread(0.25, 0.25, 0.2), 0.95)["human-only"], 4)
    0.2671
    """
    z, both = normal_point(confidence), of.together + rate * judged
    wilson = 2 * z / (1 + z * z / labels) * sqrt(rate * (1 - rate) / labels + (z / (2 * labels)) ** 2)
    right, wrong = rate * labels, (1 - rate) * labels
    many = 10**9 if questions == inf else int(questions)
    # A pilot's covariance is divided by n - 1 and its rates by n, so that either share can come out just beyond 0 or 1.
    sensitivity, specificity = (min(max(share, 0.0), 1.0) for share in (both / rate, 1 - (judged - both) / (1 - rate)))
    low, high = limits(judged, many, sensitivity, round(right), specificity, round(wrong), confidence, shared=True)
    return {
        "PPI++": _powered(labels, questions, rate, judged, of, confidence),
        "Rogan-Gladen": high - low,
        "human-only": wilson,
    }


def _powered(labels: int, questions: float, rate: float, judged: float, of: Spread, confidence: float) -> float:
    if min(rate, 1 - rate) * labels >= max(FEW, SCARCE * labels):
        return 2 * normal_point(confidence) * sqrt(judge_variance(labels, questions, of))
    more = labels + 2
    people, judge = (labels * rate + 1) / more, (labels * judged + 1) / more
    together = labels * (of.together + rate * judged) / more - people * judge
    # λ is tuned to how the judge varies over all questions, among which two do not count.
    spread = Spread(people * (1 - people), judge * (1 - judge), together)
    return 2 * student_point(labels, confidence) * sqrt(judge_variance(more, questions + 2, spread))
