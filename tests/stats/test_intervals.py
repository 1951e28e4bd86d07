"""Bootstrap intervals: against plain loops over the same draws, against scipy, and their coverage on real data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from assay.errors import UsageError
from assay.formats.score_tables import read_matrix
from assay.native.resample import bootstrap_rows
from assay.resampling.samples import BOOTSTRAP, Mean, Sums
from assay.resampling.whole import Whole
from assay.stats.intervals import bootstrap

TRIALS = 400


def c_at_1(n, correct, unanswered):
    return correct * (n + unanswered), n * n


def draws(units, trials=TRIALS, seed=0):
    return [bootstrap_rows(units, trial=t, seed=seed, purpose=BOOTSTRAP) for t in range(trials)]


@pytest.fixture
def scores():
    rng = np.random.default_rng(1)
    return np.round(rng.beta(0.6, 1.4, (30, 3)), 4)


@pytest.fixture
def outcomes():
    rng = np.random.default_rng(2)
    kind = rng.choice(3, (60, 2), p=[0.5, 0.3, 0.2])
    return np.stack([kind == 0, kind == 2], axis=2).astype(np.int64)


class TestAgainstPlainLoops:
    """The same resamples, computed the slow way."""

    def test_percentile_of_means(self, scores):
        d = scores[:, 0] - scores[:, 1]
        expected = np.quantile([d[rows].mean() for rows in draws(30)], [0.025, 0.975])
        [interval] = bootstrap(Mean(scores), [0], [1], method="percentile", resamples=TRIALS).intervals
        assert [interval.low, interval.high] == pytest.approx(expected.tolist(), abs=1e-12)
        assert interval.method == "percentile"

    def test_studentised_of_means(self, scores):
        d = scores[:, 0] - scores[:, 1]
        pivots = [(x.mean() - d.mean()) / (x.std(ddof=1) / np.sqrt(30)) for x in (d[rows] for rows in draws(30))]
        low, high = np.quantile(pivots, [0.025, 0.975])
        error = d.std(ddof=1) / np.sqrt(30)
        result = bootstrap(Mean(scores), [0], [1], resamples=TRIALS)
        [interval] = result.intervals
        assert [interval.low, interval.high] == pytest.approx(
            [d.mean() - high * error, d.mean() - low * error], abs=1e-10
        )
        assert interval.method == "studentised"
        assert result.errors[0] == pytest.approx(error)

    def test_bca_of_means(self, scores):
        d = scores[:, 0] - scores[:, 1]
        stars = np.array([d[rows].mean() for rows in draws(30)])
        z0 = scipy_stats.norm.ppf((stars < d.mean()).mean())
        left_out = np.array([np.delete(d, i).mean() for i in range(30)])
        u = left_out.mean() - left_out
        a = (u**3).sum() / (6 * (u**2).sum() ** 1.5)
        z = scipy_stats.norm.ppf([0.025, 0.975])
        expected = np.quantile(stars, scipy_stats.norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))))
        [interval] = bootstrap(Mean(scores), [0], [1], method="bca", resamples=TRIALS).intervals
        assert [interval.low, interval.high] == pytest.approx(expected.tolist(), abs=1e-10)

    def test_shift_p_counts_resamples_as_far_from_the_mean_as_the_mean_from_0(self, scores):
        d = scores[:, 0] - scores[:, 1]
        far = sum(abs(d[rows].mean() - d.mean()) >= abs(d.mean()) for rows in draws(30))
        assert bootstrap(Mean(scores), [0], [1], resamples=TRIALS).shift_p[0] == (1 + far) / (TRIALS + 1)

    def test_c_at_1_is_recomputed_whole_on_every_resample(self, outcomes):
        def value(rows, run):
            correct, unanswered = outcomes[rows, run].sum(axis=0)
            return correct * (60 + unanswered) / 3600

        expected = np.quantile([value(rows, 0) - value(rows, 1) for rows in draws(60)], [0.025, 0.975])
        [interval] = bootstrap(Sums(outcomes, c_at_1), [0], [1], method="percentile", resamples=TRIALS).intervals
        assert [interval.low, interval.high] == pytest.approx(expected.tolist(), abs=1e-12)

    def test_the_standard_error_of_c_at_1_is_the_delta_methods(self, outcomes):
        """∂/∂correct = (n + u)/n², ∂/∂unanswered = c/n², applied to the covariance of the questions."""
        correct, unanswered = outcomes.sum(axis=0).T
        slope = np.concatenate([[(60 + unanswered[r]) / 3600, correct[r] / 3600] for r in range(2)])
        slope[2:] *= -1
        covariance = np.cov(outcomes.reshape(60, 4).T) * 60
        result = bootstrap(Sums(outcomes, c_at_1), [0], [1], resamples=100)
        assert result.errors[0] == pytest.approx(np.sqrt(slope @ covariance @ slope), rel=1e-5)

    def test_studentised_of_a_linear_ratio_is_that_of_its_mean(self, outcomes):
        """Accuracy is a mean: both ways of computing its interval must agree."""
        correct = outcomes[:, :, :1]
        [ratio] = bootstrap(Sums(correct, lambda n, c: (c, n)), [0], [1], resamples=TRIALS).intervals
        [mean] = bootstrap(Mean(correct[:, :, 0].astype(float)), [0], [1], resamples=TRIALS).intervals
        assert [ratio.low, ratio.high] == pytest.approx([mean.low, mean.high], abs=1e-9)

    def test_whole_runs_are_recomputed_on_the_drawn_topics(self, scores):
        columns = [[scores[:, r].tolist()] for r in range(2)]
        stars = [np.median(scores[rows, 0]) - np.median(scores[rows, 1]) for rows in draws(30)]
        result = bootstrap(Whole(lambda x: float(np.median(x)), columns), [0], [1], resamples=TRIALS)
        expected = np.quantile(stars, [0.025, 0.975])
        assert [result.intervals[0].low, result.intervals[0].high] == pytest.approx(expected.tolist())

    def test_whole_runs_get_lists_as_they_did_when_scored(self):
        """A cell may be a tuple (several answers to one question), so a column must not become one."""
        seen = []
        sample = Whole(lambda column: seen.append(type(column)) or float(len(column)), [[[(1, 0), (), (1,)]]] * 2)
        bootstrap(sample, [0], [1], resamples=100)
        sample.jackknife()
        sample.exchanged(0, 1, np.array([True, False, True]))
        assert set(seen) == {list}

    def test_clusters_are_drawn_whole(self, scores):
        clusters = [i // 4 for i in range(30)]  # eight passages, the last with two questions
        members = [np.flatnonzero(np.array(clusters) == c) for c in range(8)]
        d = scores[:, 0] - scores[:, 1]
        drawn = [np.concatenate([members[c] for c in rows]) for rows in draws(8)]
        expected = np.quantile([d[topics].mean() for topics in drawn], [0.025, 0.975])
        for sample in (
            Mean(scores, clusters),
            Whole(lambda x: float(np.mean(x)), [[scores[:, r]] for r in range(2)], clusters),
        ):
            [interval] = bootstrap(sample, [0], [1], method="percentile", resamples=TRIALS).intervals
            assert [interval.low, interval.high] == pytest.approx(expected.tolist(), abs=1e-10)

    def test_clustered_standard_error(self, scores):
        """Residuals of cluster totals: √(8/7 Σ(s - μm)²)/n."""
        clusters = np.array([i // 4 for i in range(30)])
        d = scores[:, 0] - scores[:, 1]
        residuals = [d[clusters == c].sum() - d.mean() * (clusters == c).sum() for c in range(8)]
        result = bootstrap(Mean(scores, clusters.tolist()), [0], [1], resamples=100)
        assert result.errors[0] == pytest.approx(np.sqrt(8 / 7 * np.sum(np.square(residuals))) / 30)
        ratio = Sums(scores[:, :, None], lambda n, s: (s, n), clusters.tolist())
        assert bootstrap(ratio, [0], [1], resamples=100).errors[0] == pytest.approx(result.errors[0], rel=1e-5)

    def test_one_run_alone(self, scores):
        expected = np.quantile([scores[rows, 2].mean() for rows in draws(30)], [0.025, 0.975])
        [interval] = bootstrap(Mean(scores), [2], method="percentile", resamples=TRIALS).intervals
        assert [interval.low, interval.high] == pytest.approx(expected.tolist(), abs=1e-12)


@pytest.mark.peer
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_against_scipys_bootstrap(scores, method):
    """Other random numbers, so equal only up to the noise of 50,000 resamples."""
    d = scores[:, 0] - scores[:, 1]
    peer = scipy_stats.bootstrap(
        (d,), np.mean, method=method, n_resamples=50_000, vectorized=True, random_state=np.random.default_rng(1)
    ).confidence_interval
    [interval] = bootstrap(Mean(scores), [0], [1], method=method, resamples=50_000).intervals
    assert [interval.low, interval.high] == pytest.approx([peer.low, peer.high], abs=0.02 * (peer.high - peer.low))


class TestCorners:
    def test_identical_runs_have_an_interval_of_nothing(self):
        values = np.column_stack([np.linspace(0, 1, 9)] * 2)
        [interval] = bootstrap(Mean(values), [0], [1], resamples=200).intervals
        assert (interval.low, interval.high) == (0.0, 0.0)

    def test_one_topic_that_differs_falls_back_to_t_and_says_so(self):
        values = np.zeros((30, 2))
        values[3, 0] = 0.5
        [interval] = bootstrap(Mean(values), [0], [1], resamples=500).intervals
        half = scipy_stats.t.ppf(0.975, 29) * 0.5 / 30
        assert interval.method == "t"
        assert [interval.low, interval.high] == pytest.approx([0.5 / 30 - half, 0.5 / 30 + half])

    def test_undefined_resamples_are_counted_and_left_out(self):
        """Precision over answered: undefined where a resample draws no answered question."""
        answered = np.array([[[1, 1], [0, 1]], [[0, 0], [0, 0]], [[0, 0], [0, 0]]])
        result = bootstrap(Sums(answered, lambda n, c, a: (c, a)), [0], [1], method="percentile", resamples=500)
        assert 0 < result.undefined < 500
        # Whenever it is defined the first run is right and the second wrong.
        assert (result.intervals[0].low, result.intervals[0].high) == (1.0, 1.0)

    def test_an_undefined_value_has_no_interval(self):
        sample = Sums(np.zeros((5, 2, 1), dtype=int), lambda n, a: (a, a))
        result = bootstrap(sample, [0], [1], resamples=100)
        assert result.intervals == [None]
        assert np.isnan(result.estimates).all()

    @pytest.mark.parametrize("method", ["studentised", "none"])
    def test_methods_that_do_not_exist(self, method):
        with pytest.raises(UsageError):
            bootstrap(Whole(max, [[[1, 2]], [[2, 3]]]), [0], [1], method=method)

    def test_confidence_must_be_a_share(self):
        with pytest.raises(UsageError, match="between 0 and 1"):
            bootstrap(Mean(np.eye(2)), [0], [1], confidence=95)

    def test_many_topics_use_percentile_by_default(self):
        rng = np.random.default_rng(3)
        [interval] = bootstrap(Mean(rng.random((2500, 2))), [0], [1], resamples=200).intervals
        assert interval.method == "percentile"

    def test_threads_do_not_matter(self, scores):
        one = bootstrap(Mean(scores), [0, 1], [1, 2], resamples=500, threads=1)
        two = bootstrap(Mean(scores), [0, 1], [1, 2], resamples=500, threads=2)
        assert one.intervals == two.intervals

    def test_wider_confidence_is_wider(self, scores):
        [narrow] = bootstrap(Mean(scores), [0], [1], confidence=0.8).intervals
        [wide] = bootstrap(Mean(scores), [0], [1], confidence=0.99).intervals
        assert wide.low < narrow.low < narrow.high < wide.high


class TestCoverage:
    """2,000 seeded samples of a real population: the default interval covers the truth as often as it says."""

    REPETITIONS = 2000
    LIMITS = scipy_stats.binom.interval(0.999, REPETITIONS, 0.95)

    def covered(self, make, truth):
        hits = 0
        for repetition in range(self.REPETITIONS):
            sample, pair = make(repetition)
            [interval] = bootstrap(sample, [0], [1], resamples=1000, seed=repetition, threads=1).intervals
            hits += interval.low - 1e-12 <= truth(pair) <= interval.high + 1e-12
        return hits

    def test_ap_of_50_topics(self, shared_data):
        population = np.array(read_matrix(shared_data("trec_matrices") / "adhoc8_ap.csv").values)
        rng = np.random.default_rng(30)

        def make(_):
            pair = rng.choice(129, 2, replace=False)
            return Mean(population[rng.integers(0, 50, 50)][:, pair]), pair

        hits = self.covered(make, lambda pair: float(population[:, pair[0]].mean() - population[:, pair[1]].mean()))
        assert self.LIMITS[0] <= hits <= self.LIMITS[1]

    def test_c_at_1_of_200_questions(self, shared_data):
        population = pan_outcomes(shared_data)
        n = len(population)
        truth = np.divide(*c_at_1(n, *population.sum(axis=0).T))
        rng = np.random.default_rng(31)

        def make(_):
            pair = rng.choice(population.shape[1], 2, replace=False)
            return Sums(population[rng.integers(0, n, 200)][:, pair], c_at_1), pair

        hits = self.covered(make, lambda pair: float(truth[pair[0]] - truth[pair[1]]))
        assert self.LIMITS[0] <= hits <= self.LIMITS[1]


def pan_outcomes(shared_data):
    """Questions × systems × (correct, unanswered) of PAN 2020, read here with json alone."""
    import json

    folder = shared_data("pan20_av")
    truth = {row["id"]: row["same"] for row in map(json.loads, (folder / "truth.jsonl").read_text().splitlines())}
    columns = []
    for path in sorted((folder / "submissions").glob("*/answers.jsonl")):
        values = {row["id"]: np.ravel(row["value"])[0] for row in map(json.loads, path.read_text().splitlines())}
        given = np.array([values.get(question, 0.5) for question in truth])
        right = (given > 0.5) == np.array(list(truth.values()))
        columns.append(np.stack([right & (given != 0.5), given == 0.5], axis=1))
    return np.stack(columns, axis=1).astype(np.int64)
