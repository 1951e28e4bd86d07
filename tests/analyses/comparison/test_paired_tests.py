"""The paired tests: against published figures, against peers, against enumeration and theory."""

from __future__ import annotations

import warnings
from itertools import product

import numpy as np
import pytest
from scipy import stats as scipy_stats

from assay.analyses.comparison import paired_tests as paired
from assay.analyses.comparison.compare import compare
from assay.errors import UsageError
from assay.formats.score_tables import read_matrix
from assay.resampling.resamplers import MeanResampler, SumsResampler
from assay.resampling.sign_flips import EXACT_UNITS, SignFlips
from assay.scoring.score_files import scores
from assay.stats.bootstrap_intervals import Bootstrap

REPETITIONS = 2000


def randomised(resampler, a=(0,), b=(1,), resamples=10_000, **options):
    """p of each pair by sign flips, and whether all flips were made."""
    a, b = np.asarray(a), np.asarray(b)
    flips = SignFlips(resampler.linear, resamples=resamples, **options)
    return paired.randomisation_test(flips, flips.seen(a, b), a, b), flips.every


@pytest.fixture(scope="module")
def trec8(shared_data):
    matrix = read_matrix(shared_data("trec_matrices") / "adhoc8_ap.csv")
    return MeanResampler(np.array(matrix.values)), {run: i for i, run in enumerate(matrix.runs)}


class TestPublishedFigures:
    """Runs 125 and 126 of TREC-8 by AP, as Urbano, Lima and Hanjalic (SIGIR 2019) publish them with their data."""

    @pytest.fixture
    def pair(self, trec8):
        resampler, place = trec8
        a, b = np.array([place["run125"]]), np.array([place["run126"]])
        return resampler, a, b, resampler.topic_differences(a, b)

    def test_t(self, pair):
        assert paired.t_test(pair[3])[0] == pytest.approx(0.0013193972, abs=5e-11)

    def test_wilcoxon(self, pair):
        resampler, a, b, _ = pair
        assert paired.wilcoxon_test(resampler.value_differences(a, b))[0] == pytest.approx(0.003445188, abs=5e-10)

    def test_sign_with_exact_ties_dropped(self, pair):
        assert paired.sign_test(pair[3])[0] == pytest.approx(0.015347, abs=5e-7)

    def test_sign_with_differences_under_a_hundredth_as_ties(self, pair):
        resampler, _, _, d = pair
        assert paired.sign_test(d, tie=resampler.scale // 100)[0] == pytest.approx(0.009559879, abs=5e-10)

    def test_randomisation(self, pair):
        """.001188 from a million permutations; ours within 4 standard errors of that."""
        resampler, a, b, _ = pair
        p = randomised(resampler, a, b, resamples=200_000, seed=1)[0][0]
        assert abs(p - 0.001188) < 4 * np.sqrt(0.0012 / 200_000)

    def test_shift_bootstrap(self, pair):
        """.000586 from a million resamples."""
        resampler, a, b, _ = pair
        p = Bootstrap(resampler, a, b, resamples=200_000, seed=1).p()[0]
        assert abs(p - 0.000586) < 4 * np.sqrt(0.0006 / 200_000)


def random_differences(seed, n, pairs, ties=False):
    rng = np.random.default_rng(seed)
    d = rng.integers(-6, 8, (n, pairs)) if ties else rng.permutation(np.arange(1, n * pairs + 1)).reshape(n, pairs)
    return d if ties else d * rng.choice([-1, 1], (n, pairs))


@pytest.mark.peer
class TestAgainstScipy:
    @pytest.mark.parametrize("n", [2, 5, 50, 1000])
    def test_t(self, n):
        d = random_differences(n, n, 20, ties=True)
        d = d[:, d.std(axis=0) > 0]
        np.testing.assert_allclose(paired.t_test(d), scipy_stats.ttest_1samp(d, 0.0).pvalue, rtol=1e-10)

    @pytest.mark.parametrize("n", [1, 2, 7, 30, 301, 20_000])
    def test_sign_is_an_exact_binomial_test(self, n):
        d = random_differences(n, n, 12, ties=True)
        for column, p in zip(d.T, paired.sign_test(d), strict=True):
            wins, used = int((column > 0).sum()), int((column != 0).sum())
            expected = scipy_stats.binomtest(wins, used).pvalue if used else 1.0
            assert p == pytest.approx(expected, rel=1e-9)

    @pytest.mark.parametrize("n", [1, 2, 3, 8, 20, 49])
    def test_wilcoxon_exact(self, n):
        d = random_differences(n, n, 12)
        expected = [scipy_stats.wilcoxon(column, method="exact").pvalue for column in d.T]
        np.testing.assert_allclose(paired.wilcoxon_test(d), expected, rtol=1e-12)

    @pytest.mark.parametrize(("n", "ties"), [(50, False), (400, False), (10, True), (50, True), (300, True)])
    def test_wilcoxon_normal(self, n, ties):
        """50 differences or more, or ties, or zeros: the approximation with continuity correction."""
        d = random_differences(n, n, 12, ties=ties)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = [scipy_stats.wilcoxon(column, method="approx", correction=True).pvalue for column in d.T]
        np.testing.assert_allclose(paired.wilcoxon_test(d), expected, rtol=1e-9)

    def test_randomisation_exact(self):
        for column in random_differences(1, 10, 6, ties=True).astype(float).T:
            p, exact = randomised(MeanResampler(np.column_stack([column, np.zeros(10)])))
            expected = scipy_stats.permutation_test(
                (column, np.zeros(10)), lambda x, y: abs(np.mean(x - y)), permutation_type="samples",
                alternative="greater", n_resamples=np.inf,
            )  # fmt: skip
            assert exact
            assert p[0] == pytest.approx(expected.pvalue)


@pytest.mark.peer
def test_mcnemar_against_statsmodels_and_pingouin():
    mcnemar = pytest.importorskip("statsmodels.stats.contingency_tables").mcnemar
    pingouin = pytest.importorskip("pingouin")
    rng = np.random.default_rng(5)
    a, b = rng.random((60, 10)) < 0.6, rng.random((60, 10)) < 0.5
    for i, p in enumerate(paired.mcnemar_test(a, b)):
        table = [
            [np.sum(a[:, i] & b[:, i]), np.sum(a[:, i] & ~b[:, i])],
            [np.sum(~a[:, i] & b[:, i]), np.sum(~a[:, i] & ~b[:, i])],
        ]
        assert p == pytest.approx(mcnemar(table, exact=True).pvalue)
    import pandas

    frame = pandas.DataFrame({"a": a[:, 0], "b": b[:, 0]})
    _, result = pingouin.chi2_mcnemar(frame, "a", "b")
    column = next(name for name in result.columns if name.replace("_", "-") == "p-exact")
    assert paired.mcnemar_test(a, b)[0] == pytest.approx(float(result[column].iloc[0]))


@pytest.mark.peer
def test_t_and_wilcoxon_corner_cases_against_pingouin():
    pingouin = pytest.importorskip("pingouin")
    a, b = np.array([0.1, 0.5, 0.5, 0.9]), np.array([0.2, 0.5, 0.4, 0.3])
    resampler = MeanResampler(np.column_stack([a, b]))
    d = resampler.topic_differences(np.array([0]), np.array([1]))
    result = pingouin.ttest(a, b, paired=True)
    column = next(name for name in result.columns if name.lower().replace("_", "-") == "p-val")
    assert paired.t_test(d)[0] == pytest.approx(float(result[column].iloc[0]), abs=1e-6)


class TestByHand:
    def test_randomisation_enumerates_every_exchange(self):
        values = np.array([[0.3, 0.1], [0.5, 0.1], [0.2, 0.4], [0.9, 0.9]])
        d = [0.2, 0.4, -0.2, 0.0]
        reached = sum(
            abs(sum(s * x for s, x in zip(signs, d, strict=True))) >= 0.4 - 1e-12
            for signs in product([1, -1], repeat=4)
        )
        p, exact = randomised(MeanResampler(values))
        assert (p[0], exact) == (reached / 16, True)

    def test_equal_decimal_differences_are_equal(self):
        """.3 - .2 and .2 - .1 differ in floating point; as scores they are the same difference."""
        resampler = MeanResampler(np.array([[0.3, 0.2], [0.1, 0.2], [0.8, 0.7], [0.6, 0.7]]))
        assert randomised(resampler)[0][0] == 1.0

    def test_thirds_are_added_up_as_thirds(self):
        """Red before: at 10¹² three of 333333333333 are not 10¹², so exchanges that reach the difference did not count."""
        thirds = np.array([[1, 0], [0, 1], [2, 0], [0, 1], [3, 1], [1, 2], [0, 1], [2, 1]])
        d = thirds[:, 0] - thirds[:, 1]
        reached = sum(abs(np.dot(signs, d)) >= abs(d.sum()) for signs in product([1, -1], repeat=8))
        assert randomised(MeanResampler(thirds / 3))[0][0] == reached / 256

    def test_randomisation_of_right_and_wrong_is_mcnemars_test(self):
        """With one point per right answer only the discordant questions matter, and each is a fair coin."""
        rng = np.random.default_rng(3)
        correct = rng.random((25, 2)) < [0.8, 0.6]
        discordant = int((correct[:, 0] != correct[:, 1]).sum())
        assert discordant <= EXACT_UNITS
        resampler = SumsResampler(correct.astype(int)[:, :, None], lambda n, c: (c, n))
        assert randomised(resampler)[0][0] == pytest.approx(paired.mcnemar_test(correct[:, :1], correct[:, 1:])[0])

    def test_randomisation_of_c_at_1_flips_what_each_question_adds_to_it(self):
        """Leaving out question i leaves c@1 over 4 questions; 4 times what that takes away is what it adds."""
        outcomes = np.array([[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[1, 0], [0, 1]], [[1, 0], [1, 0]], [[1, 0], [0, 0]]])

        def c_at_1(n, correct, unanswered):
            return correct * (n + unanswered), n * n

        def value(rows):
            top, bottom = c_at_1(len(rows), sum(r[0] for r in rows), sum(r[1] for r in rows))
            return top / bottom

        linear = []
        for run in range(2):
            rows = outcomes[:, run]
            without = [value(np.delete(rows, i, axis=0)) for i in range(5)]
            linear.append([value(rows) + 4 * (np.mean(without) - w) for w in without])
        d = np.subtract(*linear)
        assert d.mean() == pytest.approx(value(outcomes[:, 0]) - value(outcomes[:, 1]))
        reached = sum(abs(np.dot(signs, d)) >= abs(d.sum()) - 1e-9 for signs in product([1, -1], repeat=5))
        assert randomised(SumsResampler(outcomes, c_at_1))[0][0] == pytest.approx(reached / 32)

    def test_clusters_are_exchanged_whole(self):
        """Two clusters of two topics: 4 exchanges, of which 2 reach the difference; by topic it would be 2 of 16."""
        values = np.array([[1.0, 0.0]] * 4)
        by_topic, by_cluster = (
            randomised(MeanResampler(values)),
            randomised(MeanResampler(values, ["p", "p", "q", "q"])),
        )
        assert (by_topic[0][0], by_cluster[0][0]) == (2 / 16, 2 / 4)

    def test_a_sampled_p_is_never_zero(self):
        resampler = MeanResampler(np.column_stack([np.ones(40), np.zeros(40)]))
        p, exact = randomised(resampler, resamples=500)
        assert (p[0], exact) == (1 / 501, False)

    @pytest.mark.parametrize("test", [paired.t_test, paired.wilcoxon_test, paired.sign_test])
    def test_all_ties_are_no_difference(self, test):
        assert test(np.zeros((5, 1), dtype=np.int64)).tolist() == [1.0]

    def test_constant_differences_have_no_spread_to_test_by(self):
        assert np.isnan(paired.t_test(np.full((5, 1), 100_000_000_000)))
        assert np.isnan(Bootstrap(MeanResampler(np.array([[0.5, 0.25]] * 5)), [0], [1], resamples=100).p())

    def test_won_tied_lost(self):
        won, tied, lost = paired.counts(np.array([[3], [1], [0], [-2], [-9]]), tie=2)
        assert (won.tolist(), tied.tolist(), lost.tolist()) == ([1], [2], [2])

    def test_the_same_seed_gives_the_same_p(self):
        rng = np.random.default_rng(8)
        resampler = MeanResampler(rng.random((40, 3)))
        a, b = np.array([0, 0, 1]), np.array([1, 2, 2])
        one = randomised(resampler, a, b, seed=4, threads=1)[0].tolist()
        assert one == randomised(resampler, a, b, seed=4, threads=2)[0].tolist()
        assert one != randomised(resampler, a, b, seed=5)[0].tolist()


def within(rate, size, repetitions=REPETITIONS):
    """The binomial 99.9% interval around a true rate."""
    low, high = scipy_stats.binom.interval(0.999, repetitions, size)
    return low <= round(rate * repetitions) <= high


def null_sample(trec8, n, seed):
    """2,000 null comparisons shaped like real ones: AP differences of random pairs of TREC-8 runs, signs by fair coins.

    Column i against the last one, which is all zeros, is comparison i.
    """
    resampler, _ = trec8
    rng = np.random.default_rng(seed)
    scores = resampler.per_topic[:, :, 0] / resampler.scale
    a, b = rng.integers(0, 129, REPETITIONS), rng.integers(0, 128, REPETITIONS)
    b = np.where(b >= a, b + 1, b)
    topics = rng.integers(0, 50, (n, REPETITIONS))
    d = (scores[topics, a] - scores[topics, b]) * rng.choice([-1.0, 1.0], (n, REPETITIONS))
    # Topics on which both runs score 0 would make exact ties; a spread of 1e-6 keeps every test at its nominal n.
    d += rng.normal(0, 1e-6, d.shape)
    return MeanResampler(np.column_stack([d, np.zeros(n)])), np.arange(REPETITIONS), np.full(REPETITIONS, REPETITIONS)


@pytest.fixture(scope="module")
def fifty(trec8):
    return null_sample(trec8, 50, seed=20)


class TestSizeUnderTheNull:
    """Of 2,000 seeded null comparisons no test rejects more than its binomial 99.9% interval around .05 allows."""

    def rejection(self, p):
        return float((p <= 0.05).mean())

    def test_randomisation(self, fifty):
        assert within(self.rejection(randomised(*fifty, resamples=5000)[0]), 0.05)

    def test_shift_bootstrap_never_rejects_too_often(self, fifty):
        resampler, a, b = fifty
        rate = self.rejection(Bootstrap(resampler, a, b, resamples=2000).p())
        assert rate <= scipy_stats.binom.ppf(0.9995, REPETITIONS, 0.05) / REPETITIONS

    def test_t_never_rejects_too_often(self, fifty):
        resampler, a, b = fifty
        rate = self.rejection(paired.t_test(resampler.topic_differences(a, b)))
        assert rate <= scipy_stats.binom.ppf(0.9995, REPETITIONS, 0.05) / REPETITIONS

    def test_wilcoxon(self, fifty):
        resampler, a, b = fifty
        assert within(self.rejection(paired.wilcoxon_test(resampler.topic_differences(a, b))), 0.05)

    def test_sign_meets_its_attainable_size(self, fifty):
        """P(X ≤ 17 or X ≥ 33) for 50 fair coins is .0328: the largest size under .05."""
        resampler, a, b = fifty
        size = 2 * scipy_stats.binom.cdf(17, 50, 0.5)
        assert 2 * scipy_stats.binom.cdf(18, 50, 0.5) > 0.05 >= size
        assert within(self.rejection(paired.sign_test(resampler.topic_differences(a, b))), size)

    def test_exact_randomisation_meets_its_attainable_size(self, trec8):
        """8 differences without ties: 12 of 256 exchanges is the largest even count within 5%."""
        resampler, a, b = null_sample(trec8, 8, seed=21)
        p, exact = randomised(resampler, a, b)
        assert exact
        assert within(self.rejection(p), 12 / 256)

    def test_exact_wilcoxon_meets_its_attainable_size(self, trec8):
        """Of 10 ranks, sums of 8 or less are 25 of 1024 ways on each side: .0488."""
        resampler, a, b = null_sample(trec8, 10, seed=22)
        assert within(self.rejection(paired.wilcoxon_test(resampler.topic_differences(a, b))), 50 / 1024)

    def test_mcnemar_meets_its_attainable_size(self):
        """20 discordant questions: 5 or fewer on one side is .0414."""
        rng = np.random.default_rng(23)
        a = rng.random((20, REPETITIONS)) < 0.5
        assert within(self.rejection(paired.mcnemar_test(a, ~a)), 2 * scipy_stats.binom.cdf(5, 20, 0.5))

    def test_randomisation_of_c_at_1(self):
        """Two systems with the same chances of right, wrong and unanswered, question by question."""
        rng = np.random.default_rng(24)
        hardness = rng.choice(3, (100, 1, 1), p=[0.3, 0.5, 0.2])
        draw = rng.random((100, REPETITIONS, 2))
        chance = np.array([0.9, 0.5, 0.2])[hardness]
        correct, unanswered = draw < chance, (draw >= chance) & (draw < chance + 0.1)
        runs = np.stack([correct, unanswered], axis=3).reshape(100, 2 * REPETITIONS, 2).astype(np.int64)
        resampler = SumsResampler(runs, lambda n, c, u: (c * (n + u), n * n))
        a = np.arange(0, 2 * REPETITIONS, 2)
        assert within(self.rejection(randomised(resampler, a, a + 1, resamples=2000)[0]), 0.05)


# A test is added by declaring it: choices, outputs, sentences and refusals follow.
VALUES = np.random.default_rng(1).random((20, 3)).round(3)


@pytest.fixture
def table():
    return scores(VALUES.tolist(), runs=["a", "b", "c"])


@pytest.fixture
def largest(monkeypatch):
    """A test of one's own: only the largest difference counts."""
    monkeypatch.setattr(paired, "_DECLARED", dict(paired.declared()))

    @paired.paired_test("largest", label="largest difference", needs="values per topic")
    def largest(differences):
        return np.minimum(1.0, 1 - np.abs(differences).max(axis=0))

    return largest


@pytest.mark.usefixtures("largest")
def test_a_declared_test_is_in_every_output(table):
    result = compare(table, test="largest", correct="holm")
    assert "largest" in result.significant
    pair = result.pairs[0]
    column = {run: i for i, run in enumerate("abc")}
    apart = np.abs(VALUES[:, column[pair.a]] - VALUES[:, column[pair.b]]).max()
    assert pair.p["largest"] == pytest.approx(1 - apart)
    assert "(largest difference, Holm over 3 pairs)" in pair.sentence
    assert "p_largest" in result.rows()[0]


@pytest.mark.usefixtures("largest")
def test_what_it_needs_is_what_a_refusal_says():
    from assay import evaluate

    runs = {name: {f"q{i}": "yes" if i % n else "no" for i in range(8)} for name, n in (("a", 2), ("b", 3))}
    answers = evaluate({f"q{i}": "yes" for i in range(8)}, runs, ["c@1"], task="outcomes")
    with pytest.raises(UsageError, match="the largest test cannot be used: c@1 has no value per question; use"):
        compare(answers, test="largest")


def test_every_declaration_is_complete():
    for name, test in paired.declared().items():
        assert (test.name, test.needs in paired.NEEDS, bool(test.label)) == (name, True, True)
        assert test.function.__doc__
        assert 0 <= test.least_p(10) < 0.01


@pytest.mark.parametrize("tie", [1e7, 1e300, float("inf")])
def test_a_tie_of_any_size_makes_ties_of_all_topics(tie) -> None:
    pair = compare(scores([[0.1, 0.35], [0.2, 0.27], [0.3, 0.91]]), tie=tie).pairs[0]
    assert (pair.won, pair.tied, pair.lost) == (0, 3, 0)
    assert pair.p["sign"] == 1.0
