"""What `assay correct` will print, before anybody labelled: against what it does print of drawn verdicts."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest

from assay.analyses.correction.correct import estimates
from assay.analyses.planning.label_widths import printed_width
from assay.stats.label_design import Spread, judge_variance, of_verdicts
from assay.stats.labelled_verdicts import FORMS, Labelled

DRAWS = 120


def drawn(chance, rate: float, sensitivity: float, specificity: float, labels: int, questions: int) -> Labelled:
    truth = chance.random(questions) < rate
    judge = chance.random(questions) < np.where(truth, sensitivity, 1 - specificity)
    human = np.where(np.arange(questions) < labels, truth, np.nan)
    return Labelled(judge.astype(float), human, np.zeros(questions, bool))


@pytest.mark.parametrize(
    ("rate", "sensitivity", "specificity", "labels"),
    [(0.5, 0.95, 0.9, 200), (0.5, 0.8, 0.75, 100), (0.9, 0.95, 0.9, 100), (0.2, 0.7, 0.97, 100), (0.8, 0.98, 0.6, 200)],
)
def test_the_mean_of_what_is_printed(rate, sensitivity, specificity, labels) -> None:
    """Within four points of 100."""
    chance = np.random.default_rng(7)
    widths: list[float] = []
    for _ in range(DRAWS):
        found = estimates(drawn(chance, rate, sensitivity, specificity, labels, 1000), FORMS["accuracy"], 0.95)["ppi"]
        widths += [] if isinstance(found, str) else [found.high - found.low]
    judged = rate * sensitivity + (1 - rate) * (1 - specificity)
    width = printed_width(labels, 1000, rate, judged, of_verdicts(rate, sensitivity, specificity), 0.95)
    assert float(np.mean(widths)) == pytest.approx(width, rel=0.04)


def test_many_labels_come_to_the_plan() -> None:
    of = of_verdicts(0.5, 0.9, 0.8)
    width = printed_width(10_000, inf, 0.5, 0.55, of, 0.95)
    assert width == pytest.approx(2 * 1.959964 * sqrt(judge_variance(10_000, inf, of)))


def test_few_labels_and_all_questions_count_two_more() -> None:
    """12 of 24 labelled, a perfect judge, half right: 14 of 26 with variance 1/4 and covariance 12 · .5/14 - 1/4 = 5/28; t(10) = 2.228."""
    width = printed_width(12, 24, 0.5, 0.5, Spread(0.25, 0.25, 0.25), 0.95)
    variance = (1 / 4 - 12 / 26 * (5 / 28) ** 2 / (1 / 4)) / 14
    assert width == pytest.approx(2 * 2.228139 * sqrt(variance), rel=1e-6)
