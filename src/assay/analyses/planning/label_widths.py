"""The width of the PPI++ interval that `assay correct` will print for verdicts that are right or wrong.

A plan uses the variance of the estimate, which is right for many labels. The printed interval is made for few: Student's, with two
labels more where one verdict is scarce. The width is computed at the expected counts.
"""

from __future__ import annotations

from math import sqrt

from assay.stats.label_design import Spread, judge_variance
from assay.stats.prediction_powered import FEW, SCARCE, normal_point, student_point


def printed_width(labels: int, questions: float, rate: float, judged: float, of: Spread, confidence: float) -> float:
    """Return the width, end to end; people call the share `rate` right, the judge the share `judged`.

    A judge who is uncorrelated with people adds nothing: 2z · √(¼ / 50) = .2772.

    >>> round(printed_width(50, 1000, 0.5, 0.5, Spread(0.25, 0.25, 0.0), 0.95), 4)
    0.2772
    """
    if min(rate, 1 - rate) * labels >= max(FEW, SCARCE * labels):
        return 2 * normal_point(confidence) * sqrt(judge_variance(labels, questions, of))
    more = labels + 2
    people, judge = (labels * rate + 1) / more, (labels * judged + 1) / more
    together = labels * (of.together + rate * judged) / more - people * judge
    # λ is tuned to how the judge varies over all questions, among which two do not count.
    spread = Spread(people * (1 - people), judge * (1 - judge), together)
    return 2 * student_point(labels, confidence) * sqrt(judge_variance(more, questions + 2, spread))
