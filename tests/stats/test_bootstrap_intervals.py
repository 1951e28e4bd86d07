"""Bootstrap intervals and p-values: against plain loops over the same draws, against scipy; coverage on real data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from assay.analyses.comparison.compare import compare
from assay.core.resample import bootstrap_rows
from assay.errors import UsageError
from assay.formats.score_tables import read_matrix
from assay.resampling.resamplers import BOOTSTRAP, MeanResampler, SumsResampler
from assay.resampling.whole_runs import WholeRunResampler
from assay.stats import bootstrap_intervals
from assay.stats.bootstrap_intervals import Bootstrap

TRIALS = 399
LEVEL = np.array([0.05])


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


def ends(stars, level=0.05):
    """The ⌊α/2 (B + 1)⌋-th smallest and largest."""
    ordered, place = np.sort(stars), int(level / 2 * (len(stars) + 1) + 1e-9)
    return [ordered[place - 1], ordered[-place]]


def made(resampler, kind, a=(0,), b=(1,), **options):
    boot = Bootstrap(resampler, a, b, kind=kind, **{"resamples": TRIALS, **options})
    low, high = boot.ends(LEVEL)
    return [low[0], high[0]], boot


class TestAgainstPlainLoops:
    """The same resamples, computed the slow way."""

    def test_percentile_of_means(self, scores):
        d = scores[:, 0] - scores[:, 1]
        found, _ = made(MeanResampler(scores), "percentile")
        assert found == pytest.approx(ends([d[rows].mean() for rows in draws(30)]), abs=1e-12)

    def test_studentised_of_means(self, scores):
        d = scores[:, 0] - scores[:, 1]
        pivots = [(x.mean() - d.mean()) / (x.std(ddof=1) / np.sqrt(30)) for x in (d[rows] for rows in draws(30))]
        low, high = ends(pivots)
        error = d.std(ddof=1) / np.sqrt(30)
        found, boot = made(MeanResampler(scores), "studentised")
        assert found == pytest.approx([d.mean() - high * error, d.mean() - low * error], abs=1e-10)
        assert boot.resampler.errors(np.array([0]), np.array([1]))[0] == pytest.approx(error)

    def test_shift_p_counts_resamples_as_far_from_the_mean_as_the_mean_from_0(self, scores):
        d = scores[:, 0] - scores[:, 1]
        away = [abs(d[rows].mean() - d.mean()) for rows in draws(30)]
        found, boot = made(MeanResampler(scores), "shift")
        assert boot.p()[0] == (1 + sum(far >= abs(d.mean()) for far in away)) / (TRIALS + 1)
        half = np.sort(away)[-20]  # 20 = .05 · 400
        assert found == pytest.approx([d.mean() - half, d.mean() + half])

    def test_c_at_1_is_recomputed_whole_on_every_resample(self, outcomes):
        def value(rows, run):
            correct, unanswered = outcomes[rows, run].sum(axis=0)
            return correct * (60 + unanswered) / 3600

        found, _ = made(SumsResampler(outcomes, c_at_1), "percentile")
        assert found == pytest.approx(ends([value(rows, 0) - value(rows, 1) for rows in draws(60)]), abs=1e-12)

    def test_the_standard_error_of_c_at_1_is_the_delta_methods(self, outcomes):
        """∂/∂correct = (n + u)/n², ∂/∂unanswered = c/n², applied to the covariance of the questions."""
        correct, unanswered = outcomes.sum(axis=0).T
        slope = np.concatenate([[(60 + unanswered[r]) / 3600, correct[r] / 3600] for r in range(2)])
        slope[2:] *= -1
        covariance = np.cov(outcomes.reshape(60, 4).T) * 60
        error = SumsResampler(outcomes, c_at_1).errors(np.array([0]), np.array([1]))[0]
        assert error == pytest.approx(np.sqrt(slope @ covariance @ slope), rel=1e-5)

    def test_studentised_of_a_linear_ratio_is_that_of_its_mean(self, outcomes):
        """Accuracy is a mean: both ways of computing its interval must agree."""
        correct = outcomes[:, :, :1]
        ratio, _ = made(SumsResampler(correct, lambda n, c: (c, n)), "studentised")
        mean, _ = made(MeanResampler(correct[:, :, 0].astype(float)), "studentised")
        assert ratio == pytest.approx(mean, abs=1e-9)

    def test_whole_runs_are_recomputed_on_the_drawn_topics(self, scores):
        columns = [[scores[:, r].tolist()] for r in range(2)]
        stars = [np.median(scores[rows, 0]) - np.median(scores[rows, 1]) for rows in draws(30)]
        found, _ = made(WholeRunResampler(lambda x: float(np.median(x)), columns), "percentile")
        assert found == pytest.approx(ends(stars))

    def test_whole_runs_get_lists_as_they_did_when_scored(self):
        """A cell may be a tuple (several answers to one question), so a column must not become one."""
        seen = []
        resampler = WholeRunResampler(
            lambda column: seen.append(type(column)) or float(len(column)), [[[(1, 0), (), (1,)]]] * 2
        )
        Bootstrap(resampler, [0], [1], resamples=100).p()
        resampler.jackknife()
        assert set(seen) == {list}

    def test_clusters_are_drawn_whole(self, scores):
        clusters = [i // 4 for i in range(30)]  # eight passages, the last with two questions
        members = [np.flatnonzero(np.array(clusters) == c) for c in range(8)]
        d = scores[:, 0] - scores[:, 1]
        drawn = [np.concatenate([members[c] for c in rows]) for rows in draws(8)]
        expected = ends([d[topics].mean() for topics in drawn])
        for resampler in (
            MeanResampler(scores, clusters),
            WholeRunResampler(lambda x: float(np.mean(x)), [[scores[:, r]] for r in range(2)], clusters),
        ):
            assert made(resampler, "percentile")[0] == pytest.approx(expected, abs=1e-10)

    def test_clustered_standard_error(self, scores):
        """Residuals of cluster totals: √(8/7 Σ(s - μm)²)/n."""
        clusters = np.array([i // 4 for i in range(30)])
        d = scores[:, 0] - scores[:, 1]
        residuals = [d[clusters == c].sum() - d.mean() * (clusters == c).sum() for c in range(8)]
        pair = np.array([0]), np.array([1])
        error = MeanResampler(scores, clusters.tolist()).errors(*pair)[0]
        assert error == pytest.approx(np.sqrt(8 / 7 * np.sum(np.square(residuals))) / 30)
        ratio = SumsResampler(scores[:, :, None], lambda n, s: (s, n), clusters.tolist())
        assert ratio.errors(*pair)[0] == pytest.approx(error, rel=1e-5)

    def test_one_run_alone(self, scores):
        found, _ = made(MeanResampler(scores), "percentile", [2], None)
        assert found == pytest.approx(ends([scores[rows, 2].mean() for rows in draws(30)]), abs=1e-12)


@pytest.mark.peer
def test_against_scipys_bootstrap(scores):
    """Other random numbers, so equal only up to the noise of 50,000 resamples."""
    d = scores[:, 0] - scores[:, 1]
    peer = scipy_stats.bootstrap(
        (d,), np.mean, method="percentile", n_resamples=50_000, vectorized=True, random_state=np.random.default_rng(1)
    ).confidence_interval
    found, _ = made(MeanResampler(scores), "percentile", resamples=50_000)
    assert found == pytest.approx([peer.low, peer.high], abs=0.02 * (peer.high - peer.low))


@pytest.mark.parametrize("kind", ["shift", "studentised", "percentile"])
@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
def test_p_is_at_most_the_level_exactly_where_the_interval_leaves_0_out(kind, level):
    rng = np.random.default_rng(6)
    resampler = MeanResampler(rng.normal(0, 1, (20, 1)) * 0.3 + rng.normal(0, 0.35, (20, 40)))
    a, b = np.triu_indices(40, 1)
    boot = Bootstrap(resampler, a, b, kind=kind, resamples=499)
    low, high = boot.ends(np.full(len(a), level))
    significant = boot.p() <= level
    assert 0 < significant.sum() < len(a)
    assert ((low > 0) | (high < 0)).tolist() == significant.tolist()


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=400), st.integers(1, 400))
def test_the_largest_are_those_of_a_sort(values, place):
    place = min(place, len(values))
    found = bootstrap_intervals._top(np.array(values, dtype=np.float64), place)
    assert sorted(found.tolist()) == sorted(map(float, values))[-place:]


class TestCorners:
    def test_undefined_resamples_are_counted_and_left_out(self):
        """Precision over answered: undefined where a resample draws no answered question."""
        answered = np.array([[[1, 1], [0, 1]], [[0, 0], [0, 0]], [[0, 0], [0, 0]]])
        found, boot = made(SumsResampler(answered, lambda n, c, a: (c, a)), "percentile", resamples=500)
        assert 0 < boot.undefined < 500
        # Whenever it is defined the first run is right and the second wrong.
        assert found == [1.0, 1.0]

    def test_an_undefined_value_has_no_interval(self):
        found, boot = made(SumsResampler(np.zeros((5, 2, 1), dtype=int), lambda n, a: (a, a)), "shift", resamples=100)
        assert np.isnan(found).all()
        assert np.isnan(boot.p()).all()

    def test_whole_runs_cannot_be_studentised(self):
        with pytest.raises(UsageError, match="use `interval='percentile'`"):
            Bootstrap(WholeRunResampler(max, [[[1, 2]], [[2, 3]]]), [0], [1], kind="studentised")

    def test_threads_do_not_matter(self, scores):
        one, two = (made(MeanResampler(scores), "studentised", threads=threads)[0] for threads in (1, 2))
        assert one == two


@pytest.mark.slow
class TestCoverage:
    """500 seeded samples of a real population: the default interval covers the truth as often as it says. `benchmarks/coverage.py`
    draws more."""

    REPETITIONS = 500
    LIMITS = scipy_stats.binom.interval(0.999, REPETITIONS, 0.95)

    def test_ap_of_50_topics(self, shared_data, table):
        population = np.array(read_matrix(shared_data("trec_matrices") / "adhoc8_ap.csv").values)
        rng, hits = np.random.default_rng(30), 0
        for _ in range(self.REPETITIONS):
            x, y = rng.choice(129, 2, replace=False)
            drawn = population[rng.integers(0, 50, 50)]
            found = compare(table({"y": drawn[:, y].tolist(), "x": drawn[:, x].tolist()}), resamples=499, threads=1)
            truth = float(population[:, x].mean() - population[:, y].mean())
            hits += found.pairs[0].interval.low <= truth <= found.pairs[0].interval.high
        assert self.LIMITS[0] <= hits <= self.LIMITS[1]

    def test_c_at_1_of_200_questions(self, shared_data, outcomes_of):
        population = pan_outcomes(shared_data)
        n = len(population)
        truth = np.divide(*c_at_1(n, *population.sum(axis=0).T))
        rng, hits = np.random.default_rng(31), 0
        for _ in range(self.REPETITIONS):
            x, y = rng.choice(population.shape[1], 2, replace=False)
            drawn = population[rng.integers(0, n, 200)]
            found = compare(outcomes_of({"y": drawn[:, y], "x": drawn[:, x]}), resamples=499, threads=1)
            interval = found.pairs[0].interval
            hits += interval.low <= truth[x] - truth[y] <= interval.high
        assert self.LIMITS[0] <= hits <= self.LIMITS[1]


@pytest.fixture
def outcomes_of(outcomes_table):
    """Runs given as questions × (correct, unanswered)."""

    def make(columns):
        signs = {(1, 0): "+", (0, 1): ".", (0, 0): "-"}
        return outcomes_table(
            {run: "".join(signs[tuple(row)] for row in rows.tolist()) for run, rows in columns.items()}
        )

    return make


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
