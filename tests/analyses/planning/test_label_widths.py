"""What `assay correct` will print, before anybody labelled: against what it does print of drawn verdicts."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest

from assay.analyses.correction.correct import estimates
from assay.analyses.planning.label_widths import printed
from assay.stats.label_design import Spread, judge_variance, of_verdicts
from assay.stats.labelled_samples import FORMS, Labelled

DRAWS = 120
NAMES = {"PPI++": "ppi", "Rogan-Gladen": "rogan_gladen", "human-only": "human"}


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
    """Within four points of 100; Rogan-Gladen's, which a label more or less moves far, within twelve."""
    chance = np.random.default_rng(7)
    widths: dict[str, list[float]] = {name: [] for name in NAMES}
    for _ in range(DRAWS):
        found = estimates(drawn(chance, rate, sensitivity, specificity, labels, 1000), FORMS["accuracy"], 0.95)
        for name, own in NAMES.items():
            one = found[own]
            widths[name] += [] if isinstance(one, str) else [one.high - one.low]
    judged = rate * sensitivity + (1 - rate) * (1 - specificity)
    told = printed(labels, 1000, rate, judged, of_verdicts(rate, sensitivity, specificity), 0.95)
    for name, width in told.items():
        assert float(np.mean(widths[name])) == pytest.approx(width, rel=0.12 if name == "Rogan-Gladen" else 0.04), name


def test_many_labels_come_to_the_plan() -> None:
    of = of_verdicts(0.5, 0.9, 0.8)
    told = printed(10_000, inf, 0.5, 0.55, of, 0.95)
    assert told["PPI++"] == pytest.approx(2 * 1.959964 * sqrt(judge_variance(10_000, inf, of)))
    assert told["human-only"] == pytest.approx(2 * 1.959964 * 0.5 / 100, rel=1e-3)


def test_few_labels_and_all_questions_count_two_more() -> None:
    """12 of 24 labelled, a perfect judge, half right: 14 of 26 with variance 1/4 and covariance 12 · .5/14 - 1/4 = 5/28; t(10) = 2.228."""
    told = printed(12, 24, 0.5, 0.5, Spread(0.25, 0.25, 0.25), 0.95)
    variance = (1 / 4 - 12 / 26 * (5 / 28) ** 2 / (1 / 4)) / 14
    assert told["PPI++"] == pytest.approx(2 * 2.228139 * sqrt(variance), rel=1e-6)
