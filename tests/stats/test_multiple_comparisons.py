"""Corrections for many comparisons and tiers: against statsmodels and pingouin, plain loops, and theory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from assay.analyses.comparison.compare import compare
from assay.formats.score_tables import read_matrix
from assay.resampling.resamplers import MeanResampler, SumsResampler
from assay.resampling.sign_flips import SignFlips
from assay.scoring.score_files import read_scores, scores
from assay.stats import multiple_comparisons

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.peer
class TestAgainstPeers:
    @settings(max_examples=30)
    @given(p_values)
    def test_statsmodels(self, p):
        multipletests = pytest.importorskip("statsmodels.stats.multitest").multipletests
        np.testing.assert_allclose(
            multiple_comparisons.holm(p)[0], multipletests(p, method="holm")[1], rtol=1e-9, atol=1e-300
        )
        np.testing.assert_allclose(
            multiple_comparisons.benjamini_hochberg(p)[0], multipletests(p, method="fdr_bh")[1], rtol=1e-9, atol=1e-300
        )

    def test_pingouin(self):
        pingouin = pytest.importorskip("pingouin")
        p = [0.01, 0.04, 0.03, 0.005, 0.5]
        assert multiple_comparisons.holm(p)[0] == pytest.approx(pingouin.multicomp(p, method="holm")[1])
        assert multiple_comparisons.benjamini_hochberg(p)[0] == pytest.approx(pingouin.multicomp(p, method="fdr_bh")[1])

    def test_scipys_false_discovery_control(self):
        p = np.random.default_rng(1).random(100) ** 3
        assert multiple_comparisons.benjamini_hochberg(p)[0] == pytest.approx(scipy_stats.false_discovery_control(p))


def test_of_no_p_values_none_is_adjusted():
    for adjust in (multiple_comparisons.holm, multiple_comparisons.benjamini_hochberg):
        assert [column.tolist() for column in adjust([])] == [[], []]


def test_worked_examples():
    """Holm: .005·4, .01·3, .03·2, .04 → .02, .03, .06, .06. BH: .005·4, .01·2, .03·4/3, .04."""
    p = [0.01, 0.04, 0.03, 0.005]
    assert multiple_comparisons.holm(p)[0] == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert multiple_comparisons.benjamini_hochberg(p)[0] == pytest.approx([0.02, 0.04, 0.04, 0.02])


@pytest.mark.parametrize("correct", [multiple_comparisons.holm, multiple_comparisons.benjamini_hochberg])
def test_of_no_tests_none_is_adjusted(correct):
    assert [column.tolist() for column in correct([])] == [[], []]


@given(p_values, st.sampled_from([0.01, 0.05, 0.2]))
def test_a_pairs_own_level_decides_as_its_adjusted_p_does(p, alpha):
    """So that an interval at that level leaves 0 out exactly where the correction says significant."""
    for correct in (multiple_comparisons.holm, multiple_comparisons.benjamini_hochberg):
        adjusted, levels = correct(p, alpha)
        for one, own, level in zip(p, adjusted.tolist(), levels.tolist(), strict=True):
            if abs(own - alpha) > 1e-9:
                assert (one <= level * (1 + 1e-9)) == (own <= alpha), (p, adjusted, levels)


@settings(max_examples=80)
@given(p_values)
def test_adjusting_never_helps_and_keeps_the_order(p):
    holm, bh = multiple_comparisons.holm(p)[0], multiple_comparisons.benjamini_hochberg(p)[0]
    assert (holm >= bh - 1e-15).all()
    assert (bh >= np.array(p) - 1e-15).all()
    assert holm.max() <= 1
    order = np.argsort(p, kind="stable")
    assert (np.diff(holm[order]) >= 0).all()
    assert (np.diff(bh[order]) >= 0).all()


def naive_ranges(values, trials, seed):
    """Randomised Tukey HSD as the papers print it: shuffle each topic's scores, take the range of the means."""
    rng = np.random.default_rng(seed)
    ranges = np.empty(trials)
    for trial in range(trials):
        means = rng.permuted(values, axis=1).mean(axis=0)
        ranges[trial] = means.max() - means.min()
    return ranges


class TestTukey:
    def test_quantiles_equal_those_of_the_plain_loop(self, shared_data):
        """Two independent sets of 3,000 shuffles of TREC-8: Kolmogorov and Smirnov see no difference."""
        values = np.array(read_matrix(shared_data("trec_matrices") / "adhoc8_ap.csv").values)
        ours = multiple_comparisons.tukey_hsd(MeanResampler(values), resamples=3000, seed=1).ranges
        plain = naive_ranges(values, 3000, seed=2)
        assert scipy_stats.ks_2samp(ours, plain).pvalue > 0.001
        for level in (0.5, 0.9, 0.95):
            assert np.quantile(ours, level) == pytest.approx(np.quantile(plain, level), rel=0.02)

    def test_two_runs_are_the_randomisation_test(self):
        rng = np.random.default_rng(2)
        values = rng.random((40, 2)) + np.array([0.1, 0.0])
        a, b = np.array([0]), np.array([1])
        one = multiple_comparisons.tukey_hsd(MeanResampler(values), resamples=20_000).p(a, b)[0]
        flips = SignFlips(values, resamples=20_000)
        two = flips.p(flips.seen(a, b), a, b)[0]
        assert abs(one - two) < 4 * np.sqrt(2 * two * (1 - two) / 20_000)

    def test_by_enumeration(self):
        """Two topics, three runs: 36 ways to shuffle, counted here one by one."""
        from itertools import permutations

        values = np.array([[3, 1, 0], [2, 2, 0]])
        ranges = [
            max(sums) - min(sums)
            for first in permutations(values[0])
            for second in permutations(values[1])
            for sums in [[x + y for x, y in zip(first, second, strict=True)]]
        ]
        tukey = multiple_comparisons.tukey_hsd(MeanResampler(values.astype(float)), resamples=40_000)
        for a, b in [(0, 1), (0, 2), (1, 2)]:
            seen = abs(int(values[:, a].sum() - values[:, b].sum()))
            expected = np.mean([r >= seen for r in ranges])
            p = tukey.p(np.array([a]), np.array([b]))[0]
            assert abs(p - expected) < 4.5 * np.sqrt(expected * (1 - expected) / 40_000) + 1e-4

    def test_ratios_of_one_ingredient_are_means(self):
        rng = np.random.default_rng(3)
        correct = (rng.random((50, 6)) < 0.5).astype(np.int64)
        ratio = multiple_comparisons.tukey_hsd(
            SumsResampler(correct[:, :, None], lambda n, c: (c, n)), resamples=500, seed=3
        )
        mean = multiple_comparisons.tukey_hsd(MeanResampler(correct.astype(float)), resamples=500, seed=3)
        assert ratio.ranges == pytest.approx(mean.ranges)

    def test_ingredients_are_shuffled_together(self):
        """Of every question one system is right and the other unanswered: no shuffle may make one both or neither."""
        outcome = np.array([[[1, 0], [0, 1]]] * 8)
        sums = SumsResampler(outcome, lambda n, c, u: (c, n)).shuffled(500, 1)
        values = sums[..., 0] + 100.0 * sums[..., 1]
        assert set(values.sum(axis=1)) == {808.0}
        assert all(v % 99 == 8 for v in np.unique(values))

    def test_p_is_never_zero(self):
        resampler = MeanResampler(np.column_stack([np.ones(40), np.zeros(40)]))
        assert multiple_comparisons.tukey_hsd(resampler, resamples=99).p(np.array([0]), np.array([1]))[0] == 1 / 100

    def test_threads_do_not_matter(self):
        values = np.random.default_rng(4).random((20, 7))
        one = multiple_comparisons.tukey_hsd(MeanResampler(values), resamples=301, seed=9, threads=1)
        two = multiple_comparisons.tukey_hsd(MeanResampler(values), resamples=301, seed=9, threads=2)
        assert np.array_equal(one.ranges, two.ranges)

    @pytest.mark.slow
    def test_family_wise_error_under_the_null(self):
        """Ten runs without a difference, 1,000 times: some pair is significant in no more than 5% of them."""
        rng = np.random.default_rng(5)
        wrong = 0
        for repetition in range(1000):
            topic = rng.beta(0.5, 1.0, (30, 1))
            resampler = MeanResampler(np.clip(topic + rng.normal(0, 0.1, (30, 10)), 0, 1))
            tukey = multiple_comparisons.tukey_hsd(resampler, resamples=400, seed=repetition, threads=1)
            best, worst = np.argmax(tukey.values), np.argmin(tukey.values)
            wrong += tukey.p(np.array([best]), np.array([worst]))[0] <= 0.05
        low, high = scipy_stats.binom.interval(0.999, 1000, 0.05)
        assert low <= wrong <= high

    def test_critical_difference_is_the_smallest_significant_one(self):
        tukey = multiple_comparisons.tukey_hsd(MeanResampler(np.random.default_rng(6).random((30, 5))), resamples=1999)
        critical = tukey.critical(0.05)
        assert np.mean(tukey.ranges >= critical) <= 0.05 + 1 / 1999
        assert np.mean(tukey.ranges >= critical * 0.98) > 0.05

    def test_ingredients_too_large_to_share_64_bits_are_shuffled_alike(self):
        small = np.random.default_rng(7).integers(0, 9, (6, 4, 3))
        packed, large = (
            SumsResampler(table, lambda n, a, b, c: (a, n)).shuffled(50, 1) for table in (small, small * 10**8)
        )
        assert np.array_equal(packed * 10**8, large)


def test_share_of_significant_pairs():
    assert multiple_comparisons.share_significant([0.001, 0.02, 0.04, 0.5]) == {0.01: 0.25, 0.05: 0.75}
    assert multiple_comparisons.share_significant([]) == {}


class TestMaxT:
    """Joint sign flips: by enumeration, against a plain loop, and what they promise."""

    VALUES = np.array([[0.9, 0.4, 0.1], [0.8, 0.5, 0.3], [0.7, 0.6, 0.2], [0.9, 0.2, 0.4], [0.6, 0.7, 0.1]])
    A, B = np.array([0, 0, 1]), np.array([1, 2, 2])

    def t(self, d):
        return abs(d.mean()) / (d.std(ddof=1) / np.sqrt(len(d)))

    def maxima(self):
        """The largest |t| of the three pairs under each of the 32 flips, one by one."""
        from itertools import product

        pairs = [self.VALUES[:, a] - self.VALUES[:, b] for a, b in zip(self.A, self.B, strict=True)]
        return pairs, [[self.t(np.array(signs) * d) for d in pairs] for signs in product([1, -1], repeat=5)]

    def test_single_step_by_enumeration(self):
        pairs, flipped = self.maxima()
        flips = SignFlips(self.VALUES, resamples=100)
        adjusted, critical = multiple_comparisons.max_t(flips, flips.seen(self.A, self.B), self.A, self.B, alpha=0.2)
        assert flips.every
        for d, p in zip(pairs, adjusted.tolist(), strict=True):
            assert p == sum(max(row) >= self.t(d) - 1e-9 for row in flipped) / 32
        # α = .2 of 32 flips are 6: significant is what exceeds the 7th largest.
        largest = sorted((max(row) for row in flipped), reverse=True)[6]
        assert np.sqrt(4 * critical[0] / (1 - critical[0])) == pytest.approx(largest, rel=1e-6)

    def test_step_down_by_enumeration(self):
        pairs, flipped = self.maxima()
        order = sorted(range(3), key=lambda i: -self.t(pairs[i]))
        expected, before = {}, 0.0
        for step, i in enumerate(order):
            left = order[step:]
            p = sum(max(row[k] for k in left) >= self.t(pairs[i]) - 1e-9 for row in flipped) / 32
            expected[i] = before = max(before, p)
        flips = SignFlips(self.VALUES, resamples=100)
        adjusted, _ = multiple_comparisons.step_down(flips, flips.seen(self.A, self.B), self.A, self.B)
        assert adjusted.tolist() == pytest.approx([expected[i] for i in range(3)])

    def test_step_down_never_says_less_than_the_single_step(self):
        values = np.random.default_rng(2).random((20, 6)) + 0.1 * np.arange(6)
        a, b = np.triu_indices(6, 1)
        flips = SignFlips(values, resamples=999)
        one, two = (
            f(flips, flips.seen(a, b), a, b)[0] for f in (multiple_comparisons.max_t, multiple_comparisons.step_down)
        )
        assert (two <= one + 1e-12).all()
        assert (two < one).any()

    def test_an_outlying_run_does_not_hide_the_others(self):
        """Red before: .40 and .15 in one tier by randomised Tukey HSD although all of 25 topics are won."""
        rng = np.random.default_rng(3)
        values = np.clip(rng.normal(0, 0.05, (25, 3)) + np.array([0.40, 0.15, 0.95]), 0, 1)
        values[:, 2] = np.where(np.arange(25) % 2, 0.0, 1.0) * 40
        result = compare(scores(values.tolist(), runs=["good", "bad", "wild"]))
        pair = next(p for p in result.pairs if {p.a, p.b} == {"good", "bad"})
        assert pair.significant
        assert pair.adjusted["tukey"] > 0.05

    @pytest.mark.slow
    def test_family_wise_error_under_the_null(self):
        """Ten runs without a difference, 400 times: some pair is significant in about 5% of them."""
        rng = np.random.default_rng(5)
        a, b = np.triu_indices(10, 1)
        wrong = 0
        for repetition in range(400):
            topic = rng.beta(0.5, 1.0, (30, 1))
            values = topic + rng.normal(0, 0.1, (30, 10)) * rng.uniform(0.5, 2, 10)
            flips = SignFlips(values, resamples=299, seed=repetition, threads=1)
            wrong += multiple_comparisons.max_t(flips, flips.seen(a, b), a, b)[0].min() <= 0.05
        assert wrong <= scipy_stats.binom.ppf(0.999, 400, 0.05)

    def test_threads_do_not_matter(self):
        values = np.random.default_rng(4).random((20, 7))
        a, b = np.triu_indices(7, 1)
        one, two = (SignFlips(values, resamples=301, seed=9, threads=threads).maxima(a, b) for threads in (1, 2))
        assert np.array_equal(one, two)


@pytest.mark.slow
def test_trec_8_by_max_t(shared_data):
    """Of TREC-8's 8,256 pairs max-T finds more than Holm's correction of Student's p, and fewer than without a correction."""
    matrix = read_scores(shared_data("trec_matrices") / "adhoc8_ap.csv")
    result = compare(matrix)
    holm = compare(matrix, test="t", correct="holm")
    share = result.significant["maxt"]["0.05"]
    assert sum(pair.significant for pair in holm.pairs) / len(holm.pairs) < share < result.significant["t"]["0.05"]
    assert sum(map(len, result.tiers)) == 129
    order = [run.value for run in result.runs]
    assert order == sorted(order, reverse=True)


def test_a_declared_correction_is_in_every_output(monkeypatch):
    table = scores(np.random.default_rng(1).random((20, 3)).round(3).tolist(), runs=["a", "b", "c"])
    monkeypatch.setattr(multiple_comparisons, "_DECLARED", dict(multiple_comparisons.declared()))

    @multiple_comparisons.adjustment("bonferroni", label="Bonferroni")
    def bonferroni(p, alpha):
        return np.minimum(1.0, len(p) * np.asarray(p)), np.full(len(p), alpha / len(p))

    result = compare(table, test="t", correct="bonferroni")
    for pair in result.pairs:
        assert pair.adjusted["bonferroni"] == pair.decided_by == pytest.approx(min(1, 3 * pair.p["t"]))
        assert "(paired t, Bonferroni over 3 pairs)" in pair.sentence
        assert pair.significant == (not pair.interval.low <= 0 <= pair.interval.high)
    assert "adjusted_bonferroni" in result.rows()[0]


def test_every_declaration_is_complete():
    for name, one in multiple_comparisons.declared().items():
        assert (
            one.name,
            one.of in (multiple_comparisons.P_VALUES, multiple_comparisons.FLIPS, multiple_comparisons.RUNS),
        ) == (name, True)
        assert one.function.__doc__
