"""Three estimates with their intervals, for one run and for two."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from assay.stats.labelled_verdicts import FORMS, Labelled
from assay.stats.prediction_powered import (
    APART,
    FEW,
    are_alike,
    difference,
    human_alone,
    is_few,
    of_measure,
    powered_difference,
    prediction_powered,
)
from assay.stats.rogan_gladen import rogan_gladen

ACCURACY, CAT1 = FORMS["accuracy"], FORMS["c@1"]


def made(seed: int, n: int = 400, labels: int = 120) -> tuple[Labelled, Labelled]:
    """Two systems on the same questions, labelled on the same ones."""
    chance = np.random.default_rng(seed)
    ease = chance.random(n)
    found = []
    for skill in (0.6, 0.5):
        truth = (ease + chance.random(n)) / 2 < skill
        judge = np.where(chance.random(n) < 0.85, truth, ~truth).astype(float)
        found.append(Labelled.of(judge, np.where(np.arange(n) < labels, truth.astype(float), np.nan)))
    return found[0], found[1]


def test_ppi_is_the_normal_interval_where_labels_are_enough() -> None:
    """By the formula of Angelopoulos, Duchi and Zrnic (2023), with 1.959964 standard errors."""
    run, _ = made(1)
    found = prediction_powered(run, 0.95)
    here, others = run.labelled, run.others
    labels, said, rest = run.human[here], run.judge[here], run.judge[others]
    weight = ((labels - labels.mean()) * (said - said.mean())).mean() / (
        (1 + len(said) / len(rest)) * run.judge.var(ddof=1)
    )
    value = weight * rest.mean() + (labels - weight * said).mean()
    half = 1.959964 * sqrt(weight**2 * rest.var(ddof=1) / len(rest) + (labels - weight * said).var(ddof=1) / len(said))
    assert not is_few(run)
    assert found is not None
    assert (found.weight, found.value) == pytest.approx((weight, value))
    assert (found.low, found.high) == pytest.approx((value - half, value + half), abs=1e-6)


def test_a_judge_that_does_not_vary_has_no_weight() -> None:
    found = prediction_powered(Labelled.of([1.0] * 6, [1, 0, 0, None, None, None]), 0.95)
    assert found is not None
    assert (found.weight, found.value) == (0.0, pytest.approx(1 / 3))


def test_few_labels_of_one_verdict_widen_the_interval() -> None:
    """Ten labels, all right and all judged so: the normal interval would have no width from them."""
    judge = [1.0] * 10 + [1.0, 0.0] * 20
    run = Labelled.of(judge, [1.0] * 10 + [None] * 40)
    found = prediction_powered(run, 0.95)
    assert is_few(run)
    assert found.low < found.value - 0.1
    enough = Labelled.of([1.0] * FEW + [0.0] * FEW + [1.0] * 9, [1.0] * FEW + [0.0] * FEW + [None] * 9)
    assert not is_few(enough)


def test_a_difference_of_paired_labels_is_one_mean_of_differences() -> None:
    """PPI++ of D = A - B: λ, value and interval by its own formula, with Student's 1.980272 for 118 degrees of freedom."""
    one, two = made(2)
    here, others = one.labelled, one.others
    d, said, rest = (one.human - two.human)[here], (one.judge - two.judge)[here], (one.judge - two.judge)[others]
    n, left = len(d), len(rest)
    every = np.concatenate([said, rest])
    weight = ((d - d.mean()) * (said - said.mean())).mean() / ((1 + n / left) * every.var(ddof=1))
    value = weight * rest.mean() + (d - weight * said).mean()
    half = 1.980272 * sqrt(weight**2 * rest.var(ddof=1) / left + (d - weight * said).var(ddof=1) / n)
    found = powered_difference(one, two, ACCURACY, 0.95)
    assert (found.weight, found.value) == pytest.approx((weight, value))
    assert (found.low, found.high) == pytest.approx((value - half, value + half), abs=1e-6)


def test_a_difference_of_scores_by_labels_alone_is_students_paired_one() -> None:
    one = Labelled.of([0.5] * 8, [0.2, 0.4, 0.9, 0.3, 0.6, None, None, None])
    two = Labelled.of([0.5] * 8, [0.1, 0.5, 0.6, 0.3, 0.2, None, None, None])
    found = difference(*(of_measure(run, human_alone(run, 0.95), ACCURACY, 0.95) for run in (one, two)))
    differences = np.array([0.1, -0.1, 0.3, 0.0, 0.4])
    half = 2.776445 * differences.std(ddof=1) / sqrt(5)
    assert (found.value, found.high - found.value) == pytest.approx((differences.mean(), half), abs=1e-6)


def test_a_system_does_not_differ_from_itself() -> None:
    one, _ = made(3)
    both = of_measure(one, human_alone(one, 0.95), ACCURACY, 0.95)
    found = powered_difference(one, one, ACCURACY, 0.95)
    assert found.value == 0
    assert found.low == pytest.approx(-found.high)
    assert difference(both, both).value == 0


def test_runs_that_are_hardly_told_apart_may_differ_still() -> None:
    """40 labels on which nobody sees a difference: of two more, one each way, the mean is 0, and s² of 42 differences 2/41.

    It had no width before, and with 30 labels held the truth 85 times of 100 where runs of 90% and 95% differ on one answer in 14.
    """
    judge, human = np.tile([1.0, 0.0], 100), np.concatenate([np.tile([1.0, 0.0], 20), np.full(160, np.nan)])
    run = Labelled.of(judge, human)
    found = powered_difference(run, run, ACCURACY, 0.95)
    assert are_alike(run, run)
    assert found.high == pytest.approx(2.024394 * sqrt(2 / 41 / 42), abs=1e-6)  # Student's of 38 degrees of freedom
    told = Labelled.of(judge, np.where(np.arange(200) < APART, 1 - human, human))
    assert not are_alike(run, told)
    assert are_alike(run, Labelled.of(judge, np.where(np.arange(200) < APART - 1, 1 - human, human)))
    elsewhere = Labelled.of(judge, np.roll(human, 40))
    assert not are_alike(run, elsewhere)


def test_a_verdict_that_is_scarce_widens_the_interval_however_many_labels_there_are() -> None:
    """39 of 160 are below a quarter, 40 are not; with 50 of 100, two labels more would change what is printed."""
    judge = np.tile([1.0, 0.0], 300)
    for wrong, few in ((39, True), (40, False)):
        human = np.concatenate([np.zeros(wrong), np.ones(160 - wrong), np.full(440, np.nan)])
        assert is_few(Labelled.of(judge, human)) == few


def test_c_at_1_varies_with_the_unanswered() -> None:
    """p .5 of 8 labels, u .5: c@1 = .5 · .75, and its ends by hand."""
    run = Labelled.of([1, 0] * 4 + [1, 0, 1, 0] + [None] * 12, [1, 0] * 4 + [None] * 16, [False] * 12 + [True] * 12)
    p = human_alone(run, 0.95)
    found = of_measure(run, p, CAT1, 0.95)
    spread = 1.959964 * 0.5 * 1.0 * sqrt(0.25 / 23)
    assert found.value == 0.375
    assert found.value - found.low == pytest.approx(sqrt((0.75 * (0.5 - p.low)) ** 2 + spread**2), abs=1e-6)


@pytest.mark.parametrize("labels", [[None] * 4, [1, None, None, None]])
def test_too_few_labels_are_nothing(labels) -> None:
    run = Labelled.of([1, 0, 1, 0], labels)
    assert human_alone(run, 0.95) is None
    assert prediction_powered(run, 0.95) is None
    assert powered_difference(run, run, ACCURACY, 0.95) is None


def test_everything_labelled_leaves_nothing_to_predict() -> None:
    assert prediction_powered(Labelled.of([1, 0, 1], [1, 0, 0]), 0.95) is None


def test_a_judge_without_use_is_not_listened_to() -> None:
    run = Labelled.of([1.0] * 40, [1, 0] * 10 + [None] * 20)
    assert prediction_powered(run, 0.95).weight == 0


def plainly(run: Labelled, weight: float) -> float:
    """PPI++ with a given λ, written out over Python's lists."""
    both = [(j, h) for j, h in zip(run.judge.tolist(), run.human.tolist(), strict=True) if j == j]
    rest = [h - weight * j for j, h in both if h == h]
    others = [j for j, h in both if h != h]
    return weight * sum(others) / len(others) + sum(rest) / len(rest)


def crossed(chance: np.random.Generator, questions: int = 300) -> tuple[Labelled, Labelled]:
    """Two runs that leave different questions unanswered, and whose labels overlap in part; the judge gives scores."""
    ease = chance.random(questions)
    order = chance.permutation(questions)
    found = []
    for skill, places, silent in ((0.65, order[:90], 0.2), (0.5, order[50:130], 0.1)):
        truth = (0.6 * ease + 0.4 * chance.random(questions) < skill).astype(float)
        judge = np.clip(0.6 * truth + 0.4 * chance.random(questions), 0, 1)
        human = np.full(questions, np.nan)
        human[places] = truth[places]
        gone = chance.random(questions) < silent
        found.append(Labelled(np.where(gone, np.nan, judge), np.where(gone, np.nan, human), gone))
    return found[0], found[1]


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["accuracy", "c@1", "precision"])
def test_a_difference_of_overlapping_labels_varies_as_far_as_it_says(measure) -> None:
    """Its value by hand at its own λ, and its standard error against how far it varies over 500 other draws of everything."""
    chance, form = np.random.default_rng(11), FORMS[measure]
    values, errors = [], []
    for _ in range(500):
        one, two = crossed(chance)
        found = powered_difference(one, two, form, 0.95)
        by_hand = [form.factor(run.unanswered.mean()) * plainly(run, found.weight) for run in (one, two)]
        assert found.value == pytest.approx(by_hand[0] - by_hand[1])
        values.append(found.value)
        errors.append(sqrt((found.pulls**2).sum()))
    # The sd of 500 draws is known to within 6.3% nineteen times of twenty.
    assert np.std(values) == pytest.approx(np.mean(errors), rel=0.08)


@pytest.mark.parametrize("estimate", [human_alone, prediction_powered, rogan_gladen])
def test_the_order_of_the_questions_changes_nothing(estimate) -> None:
    run, other = made(4)
    order = np.random.default_rng(0).permutation(len(run.judge))
    mixed, beside = (Labelled(one.judge[order], one.human[order], one.unanswered[order]) for one in (run, other))
    same = [(f.value, f.low, f.high) for f in (estimate(run, 0.95), estimate(mixed, 0.95))]
    assert same[0] == pytest.approx(same[1], abs=1e-12)
    pair = [powered_difference(*runs, ACCURACY, 0.95) for runs in ((run, other), (mixed, beside))]
    assert (pair[0].value, pair[0].low, pair[0].high) == pytest.approx(
        (pair[1].value, pair[1].low, pair[1].high), abs=1e-12
    )


def test_a_judge_who_says_what_people_say_is_as_good_as_labels_of_everything() -> None:
    """λ is near N/(n + N), so the value is the mean over all, and the interval as wide as with 400 labels."""
    run, _ = made(5)
    truth = np.random.default_rng(5).random(400) < 0.6
    same = Labelled.of(truth, np.where(run.labelled, truth.astype(float), np.nan))
    found = prediction_powered(same, 0.95)
    assert found.value == pytest.approx(truth.mean(), abs=0.005)
    assert found.high - found.low == pytest.approx(2 * 1.959964 * truth.std(ddof=1) / 20, rel=0.02)


def test_a_judge_who_always_says_the_same_leaves_the_labels_alone() -> None:
    """p .5 of 60 labels: .5 ± 1.96 · √(.25/59), and of scores .5 ± 2.0017 · √(s²/60), Student's of 58."""
    verdicts = Labelled.of([1.0] * 200, [1, 0] * 30 + [None] * 140)
    found = prediction_powered(verdicts, 0.95)
    assert (found.weight, found.value, found.high) == pytest.approx(
        (0, 0.5, 0.5 + 1.959964 * sqrt(0.25 / 59)), abs=1e-6
    )
    scores = Labelled.of([0.3] * 200, [0.25, 0.75] * 30 + [None] * 140)
    found = prediction_powered(scores, 0.95)
    assert (found.weight, found.value, found.high) == pytest.approx(
        (0, 0.5, 0.5 + 2.001717 * sqrt(0.0625 / 59)), abs=1e-6
    )


def test_of_scores_lambda_is_the_slope_on_the_labelled_questions() -> None:
    """people = judge/2 + .1 exactly: the slope is .5, λ .5 · 6/(4 + 6), and with the plain variance of all it would not be."""
    judge = np.array([0.0, 0.2, 0.6, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
    run = Labelled.of(judge, np.where(np.arange(10) < 4, judge / 2 + 0.1, np.nan))
    assert prediction_powered(run, 0.95).weight == pytest.approx(0.5 * 6 / 10)
