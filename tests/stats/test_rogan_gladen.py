"""The Rogan-Gladen correction."""

from __future__ import annotations

import numpy as np
import pytest

from assay.stats.labelled_verdicts import Labelled
from assay.stats.prediction_powered import human_alone
from assay.stats.rogan_gladen import limits, rogan_gladen


def test_the_classical_example() -> None:
    """23 of 150 cows positive, sensitivity .96, specificity .89 (epiR's brucellosis): (.1533 - .11)/.85 = 5.1%."""
    assert pytest.approx(0.051, abs=5e-4) == (23 / 150 + 0.89 - 1) / (0.96 + 0.89 - 1)
    judge = [1] * 24 + [0] + [0] * 89 + [1] * 11 + [1] * 88 + [0] * 787
    run = Labelled.of(judge, [1] * 25 + [0] * 100 + [None] * 875)
    q = 123 / 1000
    assert rogan_gladen(run, 0.95).value == pytest.approx((q - 0.11) / (0.96 + 0.89 - 1))


def test_separate_samples_are_lang_and_reiczigels_formula() -> None:
    """By hand: q' .25925, Se' 46/52, Sp' 41/52, J' .67308, P' .07088, dP -.02183, standard error .10107."""
    low, high = limits(0.25, 100, 0.9, 50, 0.8, 50, 0.95, shared=False)
    assert (low + high) / 2 == pytest.approx(0.07088 - 0.02183, abs=2e-5)
    assert (high - low) / 2 == pytest.approx(1.95996 * 0.10107, abs=2e-5)


def test_labelled_questions_among_all_are_not_counted_twice() -> None:
    """With everything labelled Rogan-Gladen is the labels' own mean, and its variance theirs."""
    chance = np.random.default_rng(1)
    truth = chance.random(3000) < 0.4
    judge = np.where(chance.random(3000) < 0.85, truth, ~truth).astype(float)
    run = Labelled.of(judge, truth.astype(float))
    found, human = rogan_gladen(run, 0.95), human_alone(run, 0.95)
    assert found.value == pytest.approx(human.value)
    assert (found.low, found.high) == pytest.approx((human.low, human.high), abs=2e-3)
    assert (found.pulls**2).sum() == pytest.approx((human.pulls**2).sum(), rel=2e-3)


@pytest.mark.parametrize(
    ("judge", "human", "why"),
    [
        ([1, 0, 1, 0], [1, 1, None, None], "no label says wrong"),
        ([1, 0, 1, 0], [0, 0, None, None], "no label says right"),
        ([0, 1, 1, 0], [1, 0, None, None], "is not above 0: the judge is no better than chance"),
        ([0.5, 1, 1, 0], [1, 0, None, None], "not all 0 or 1"),
    ],
)
def test_where_it_is_undefined(judge, human, why) -> None:
    assert why in rogan_gladen(Labelled.of(judge, human), 0.95)


def test_a_judge_that_may_be_no_better_than_chance_says_nothing() -> None:
    found = rogan_gladen(Labelled.of([1, 1, 0, 0, 1, 0] + [1, 0] * 20, [1, 1, 1, 0, 0, 0] + [None] * 40), 0.95)
    assert (found.low, found.high) == (0, 1)
