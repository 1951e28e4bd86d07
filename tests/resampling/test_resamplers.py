"""The three samples answer alike where they can, and say what they cannot."""

from __future__ import annotations

import numpy as np
import pytest

from assay.resampling.resamplers import MeanResampler, SumsResampler
from assay.resampling.whole_runs import WholeRunResampler

CORRECT = np.random.default_rng(1).integers(0, 2, (30, 3))
A, B = np.array([0, 0, 1]), np.array([1, 2, 2])


def samples():
    """Accuracy as a mean, as a formula on sums, and as a function of the whole run."""
    columns = [[CORRECT[:, run].tolist()] for run in range(3)]
    return [
        MeanResampler(CORRECT.astype(float)),
        SumsResampler(CORRECT[:, :, None], lambda n, correct: (correct, n)),
        WholeRunResampler(lambda correct: sum(correct) / len(correct), columns),
    ]


@pytest.mark.parametrize("ask", [lambda s: s.values(), lambda s: s.bootstrap(50, 7), lambda s: s.jackknife()])
def test_one_measure_three_ways(ask):
    mean, sums, whole = map(ask, samples())
    assert mean == pytest.approx(sums)
    assert mean == pytest.approx(whole)


def test_a_measure_is_spread_over_its_topics_the_same_three_ways():
    for resampler in samples():
        assert resampler.linear == pytest.approx(CORRECT, abs=1e-12)


def test_the_linear_values_of_a_ratio_have_it_as_their_mean():
    """Precision of 2 right of 3 answered, 4 questions: leaving out a right one leaves 1/2, a wrong one 1, an unanswered 2/3."""
    table = np.array([[[1, 0]], [[1, 0]], [[0, 1]], [[0, 0]]])
    resampler = SumsResampler(table, lambda n, right, wrong: (right, right + wrong))
    without = np.array([1 / 2, 1 / 2, 1, 2 / 3])
    assert resampler.linear[:, 0] == pytest.approx(2 / 3 + 3 * (without.mean() - without))
    assert resampler.linear.mean() == pytest.approx(2 / 3)


def test_what_a_sample_cannot_do_it_says():
    mean, sums, whole = samples()
    assert [s.can("values") for s in (mean, sums, whole)] == [True, False, False]
    assert [s.can("shuffle") for s in (mean, sums, whole)] == [True, True, False]
    with pytest.raises(
        NotImplementedError, match=r"of kind WholeRunResampler cannot do this; ask can\('shuffle'\) first"
    ):
        whole.shuffled_ranges(10, 0)
    with pytest.raises(NotImplementedError, match=r"of kind SumsResampler cannot do this; ask can\('values'\) first"):
        sums.value_differences(A, B)
    masked = WholeRunResampler(max, [[[1, 2]], [[3, 4]]], mask=[[True, False], [True, True]])
    assert not masked.can("pair")


@pytest.mark.parametrize("largest", [3, 2**28], ids=["packed into one word", "too wide for one word"])
def test_shuffling_loses_nothing_and_keeps_a_runs_ingredients_together(largest):
    """The second ingredient is -2 times the first: 5 units of up to 2^30 take 33 bits and one to spare, so two of them 68."""
    first = np.random.default_rng(3).integers(-largest, largest, (5, 4))
    first[0, 0], first[0, 1] = -largest, largest
    resampler = SumsResampler(np.stack([first, -2 * first], axis=2), lambda n, a, b: (a + b, n))
    shuffled = resampler.shuffled(50, seed=1)
    assert (shuffled.sum(axis=1) == [first.sum(), -2 * first.sum()]).all()
    assert (shuffled[:, :, 1] == -2 * shuffled[:, :, 0]).all()
    assert len(np.unique(shuffled[:, 0, 0])) > 5


def test_clusters_are_studentised_as_defined():
    values = np.random.default_rng(1).random((12, 3))
    resampler = MeanResampler(values, clusters=[0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8])
    drawn = np.ascontiguousarray(resampler.bootstrap(20, 1).T)
    within = resampler.bootstrap_errors(A, B, 20, 1, 1).T
    stars = drawn[A] - drawn[B] - (resampler.values()[A] - resampler.values()[B])[:, None]
    assert resampler.studentised(A, B, drawn, 0.0, 1, 1) == pytest.approx(stars / within)


class TestFlippable:
    """What sign flips mirror in clusters: each cluster's total, times clusters over topics."""

    VALUES = np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [1.0, 0.0]])
    CLUSTERS = ("x", "x", "x", "y")

    def test_of_a_mean_by_hand(self) -> None:
        """Totals 2 and 1, 1 and 0, times 2/4; they average to the means .75 and .25."""
        resampler = MeanResampler(self.VALUES, self.CLUSTERS)
        assert resampler.flippable.tolist() == [[1.0, 0.5], [0.5, 0.0]]
        assert resampler.flippable.mean(axis=0).tolist() == resampler.values().tolist()

    def test_of_a_formula_with_a_fixed_denominator(self) -> None:
        counts = self.VALUES[:, :, None]
        resampler = SumsResampler(counts, lambda n, correct: (correct, n), self.CLUSTERS)
        assert resampler.flippable == pytest.approx(np.array([[1.0, 0.5], [0.5, 0.0]]))

    def test_without_clusters_it_is_linear(self) -> None:
        resampler = MeanResampler(self.VALUES)
        assert resampler.flippable.tolist() == resampler.linear.tolist() == self.VALUES.tolist()

    def test_runs_that_change_places_in_a_cluster_change_its_sign(self) -> None:
        swapped = self.VALUES.copy()
        swapped[:3] = swapped[:3, ::-1]
        first, second = (
            np.subtract(*MeanResampler(values, self.CLUSTERS).flippable.T) for values in (self.VALUES, swapped)
        )
        assert second.tolist() == [-first[0], first[1]]


@pytest.mark.parametrize("topics", [500, 1000, 12000])
def test_equal_outcomes_are_equal_however_many_topics_there_are(topics):
    """Leaving out a topic and multiplying by n - 1 multiplies rounding too; without it two runs differ on the first topic alone."""
    outcomes = np.ones((topics, 2, 1), dtype=np.int64)
    outcomes[0, 1] = 0
    linear = SumsResampler(outcomes, lambda n, correct: (correct, n)).linear
    assert np.flatnonzero(linear[:, 0] != linear[:, 1]).tolist() == [0]
    assert linear[0].tolist() == [1.0, 0.0]
