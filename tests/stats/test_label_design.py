"""Labels beside a judge: against brute force, and against what PPI++ does when it is simulated."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest

from assay.stats.label_design import (
    Spread,
    gladen_variance,
    human_variance,
    judge_variance,
    labels_alone,
    labels_beside_judge,
    labels_for_gladen,
    many_beside_judge,
    of_correlation,
    of_verdicts,
)
from assay.stats.labelled_verdicts import Labelled
from assay.stats.prediction_powered import prediction_powered

Z = 1.959963984540054


def brute_variance(labels: int, questions: int, of: Spread) -> float:
    """Var of mean(human) + λ(mean(judge elsewhere) - mean(judge here)), the least over a grid of λ from 0 to 1."""
    others = questions - labels
    grid = np.linspace(0, 1, 100_001)
    return float(
        np.min(of.human / labels - 2 * grid * of.together / labels + grid**2 * of.judge * (1 / labels + 1 / others))
    )


SPREADS = [
    Spread(0.25, 0.25, 0.2),
    Spread(0.24, 0.1, 0.15),  # λ would be above 1
    Spread(0.24, 0.1, -0.05),  # a judge that goes against people
    Spread(0.09, 0.2, 0.02),
]


@pytest.mark.parametrize("of", SPREADS)
@pytest.mark.parametrize("labels", [2, 30, 150, 290])
def test_the_variance_is_the_least_over_the_weights_there_are(of, labels) -> None:
    assert judge_variance(labels, 300, of) == pytest.approx(brute_variance(labels, 300, of), rel=1e-8)


@pytest.mark.parametrize("of", SPREADS)
@pytest.mark.parametrize("width", [0.05, 0.1, 0.12, 0.2])
def test_the_fewest_labels_are_those_that_counting_up_finds(of, width) -> None:
    questions = 300
    for found, variance in (
        (labels_beside_judge(width, questions, of, Z), lambda n: judge_variance(n, questions, of)),
        (labels_for_gladen(width, questions, of, Z), lambda n: gladen_variance(n, questions, of)),
    ):
        enough = [n for n in range(2, questions + 1) if 2 * Z * sqrt(variance(n)) <= width]
        assert found == (enough[0] if enough else None)
    alone = next(n for n in range(2, 10**6) if 2 * Z * sqrt(human_variance(n, of)) <= width)
    assert labels_alone(width, of, Z) == alone


def test_every_question_labelled_is_the_limit_of_all_three() -> None:
    of = of_verdicts(0.6, 0.9, 0.8)
    assert judge_variance(500, 500, of) == gladen_variance(500, 500, of) == human_variance(500, of) == 0.24 / 500


def test_a_judge_that_knows_nothing_is_worth_nothing() -> None:
    for of in (of_verdicts(0.6, 0.5, 0.5), of_verdicts(0.6, 1.0, 0.0), of_correlation(0.2, -0.4)):
        assert labels_beside_judge(0.1, 2000, of, Z) == labels_alone(0.1, of, Z)
        assert gladen_variance(10, 2000, of) == inf
        assert labels_for_gladen(0.1, 2000, of, Z) is None


def test_with_questions_without_end_the_saving_is_the_square_of_the_correlation() -> None:
    """(1 - .36) · 385 = 246.2 of people's own 385 (384.1 before rounding)."""
    of = of_correlation(0.25, 0.6)
    assert labels_alone(0.1, of, Z) == 385
    assert labels_beside_judge(0.1, inf, of, Z) == 246
    assert labels_for_gladen(0.1, inf, of, Z) == 683  # 245.8/.36


def test_many_at_once_are_each_alone() -> None:
    made = Spread(*(np.array([getattr(one, name) for one in SPREADS]) for name in ("human", "judge", "together")))
    for width in (0.05, 0.12, 0.3):
        for found, one in zip(many_beside_judge(width, 300, made, Z), SPREADS, strict=True):
            expected = labels_beside_judge(width, 300, one, Z)
            assert (np.ceil(found - 1e-6) if np.isfinite(found) else None) == expected


def test_the_correlation() -> None:
    assert Spread(0.25, 0.16, 0.1).correlation == pytest.approx(0.5)
    assert Spread(0.25, 0.0, 0.0).correlation is None


def drawn(rng, questions: int, rate: float, sensitivity: float, specificity: float):
    truth = rng.random(questions) < rate
    judge = np.where(truth, rng.random(questions) < sensitivity, rng.random(questions) >= specificity)
    return truth.astype(float), judge.astype(float)


@pytest.mark.parametrize(("agreement", "width"), [((0.6, 0.9, 0.8), 0.12), ((0.3, 0.95, 0.97), 0.08)])
def test_at_so_many_labels_the_interval_has_the_wanted_width(agreement, width) -> None:
    """300 judges simulated: the intervals of PPI++ are as wide as planned to 2%, and those of fewer labels wider."""
    rng, questions = np.random.default_rng(17), 1000
    labels = labels_beside_judge(width, questions, of_verdicts(*agreement), Z)
    assert labels is not None

    def mean_width(n: int) -> float:
        widths: list[float] = []
        for _ in range(300):
            truth, judge = drawn(rng, questions, *agreement)
            found = prediction_powered(Labelled.of(judge, np.where(np.arange(questions) < n, truth, np.nan)), 0.95)
            assert found is not None
            widths.append(found.high - found.low)
        return float(np.mean(widths))

    assert mean_width(labels) == pytest.approx(width, rel=0.02)
    assert mean_width(labels // 2) > 1.2 * width


def test_the_rogan_gladen_correction_varies_as_planned() -> None:
    rng, of, values = np.random.default_rng(18), of_verdicts(0.6, 0.9, 0.8), list[float]()
    for _ in range(4000):
        truth, judge = drawn(rng, 600, 0.6, 0.9, 0.8)
        here, said = truth[:200] == 1, judge[:200]
        sensitivity, specificity = said[here].mean(), 1 - said[~here].mean()
        values.append((judge.mean() + specificity - 1) / (sensitivity + specificity - 1))
    assert np.var(values) == pytest.approx(gladen_variance(200, 600, of), rel=0.08)
