"""The model of topics and runs: against another sampler, against integrals over a grid, against Student's t."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr
from small_tables import RUNS, TOPICS_BY_RUNS

from assay.errors import InputError, UsageError
from assay.random import stream
from assay.stats.hierarchical import _Random, hierarchical

pytestmark = pytest.mark.slow

NUTS = {
    "equal": {
        "topic": (0.22065, 0.00026),
        "error": [(0.11516, 0.00007)] * 4,
        "value": [(0.46347, 0.00069), (0.40844, 0.00069), (0.45677, 0.00068), (0.37424, 0.00069)],
        "first": [(0.53043, 0.00142), (0.04870, 0.00079), (0.41421, 0.00142), (0.00666, 0.00029)],
        "ab": (0.88179, 0.00118), "ac": (0.55955, 0.00139), "bc": (0.14989, 0.00129),
        "ad": (0.96972, 0.00064), "bd": (0.76839, 0.00146), "cd": (0.95860, 0.00075),
    },
    "unequal": {
        "topic": (0.24049, 0.00089),
        "error": [(0.04439, 0.00039), (0.03942, 0.00048), (0.10250, 0.00030), (0.20225, 0.00060)],
        "value": [(0.46266, 0.00119), (0.40766, 0.00122), (0.45576, 0.00111), (0.37400, 0.00147)],
        "first": [(0.55238, 0.00344), (0.00135, 0.00013), (0.39199, 0.00347), (0.05428, 0.00183)],
        "ab": (0.99544, 0.00024), "ac": (0.59055, 0.00349), "bc": (0.06832, 0.00199),
        "ad": (0.93080, 0.00194), "bd": (0.71941, 0.00497), "cd": (0.89357, 0.00245),
    },
}  # fmt: skip
"""Posterior means and their Monte-Carlo standard errors: NumPyro 0.22.0 on jax 0.10.2, NUTS, 4 chains of 25,000 draws after
2,000 of warm-up, seed 0. Written by tests/peers/test_hierarchical_peer.py."""


@pytest.fixture(scope="module", params=["equal", "unequal"])
def fitted(request):
    return request.param, hierarchical(TOPICS_BY_RUNS, RUNS, variances=request.param, draws=20_000)


class TestAgainstAnotherSampler:
    def test_probabilities(self, fitted) -> None:
        variances, fit = fitted
        for pair in ("ab", "ac", "bc", "ad", "bd", "cd"):
            p, error = NUTS[variances][pair]
            assert fit.probability(*pair) == pytest.approx(p, abs=4 * error)
            assert fit.probability(*reversed(pair)) == pytest.approx(1 - p, abs=4 * error)

    def test_means_of_runs(self, fitted) -> None:
        variances, fit = fitted
        for run, (mean, error) in zip(fit.runs, NUTS[variances]["value"], strict=True):
            assert run.value.mean == pytest.approx(mean, abs=4 * error)

    def test_standard_deviations(self, fitted) -> None:
        variances, fit = fitted
        mean, error = NUTS[variances]["topic"]
        assert fit.topic.mean == pytest.approx(mean, abs=4 * error + 0.001)
        for run, (mean, error) in zip(fit.runs, NUTS[variances]["error"], strict=True):
            # Where runs a and b may each be the topics' own, our draws move as slowly as theirs: twice the error.
            assert run.error.mean == pytest.approx(mean, abs=8 * error + 0.0005)

    def test_who_is_first(self, fitted) -> None:
        variances, fit = fitted
        for row, (p, error) in zip(fit.ranks, NUTS[variances]["first"], strict=True):
            assert row[0] == pytest.approx(p, abs=4 * error + 4 * np.sqrt(p * (1 - p) / 20_000))


def integrate(log_density, *axes):
    """Weights of a posterior on a grid of logarithms."""
    grid = np.meshgrid(*axes, indexing="ij")
    weights = log_density(*grid)
    weights = np.exp(weights - weights.max())
    return grid, weights / weights.sum()


def log_half_cauchy(log_x, scale):
    """Of the logarithm of x."""
    x = np.exp(log_x)
    return log_x - np.log1p((x / scale) ** 2)


class TestAgainstIntegrals:
    """The posterior of the variances, with everything else integrated out on paper, summed over a grid."""

    def test_equal_variances(self) -> None:
        y = np.array(TOPICS_BY_RUNS)
        n, k = y.shape
        scale = np.sqrt(y.var(axis=0, ddof=1).mean())
        rows = y.mean(axis=1) - y.mean()
        residual = ((y - y.mean(axis=0) - rows[:, None]) ** 2).sum()

        def log_density(log_sigma, log_tau):
            sigma2, tau2 = np.exp(2 * log_sigma), np.exp(2 * log_tau)
            between = sigma2 + k * tau2
            return (
                -(n - 1) * (k - 1) * log_sigma - residual / (2 * sigma2) - (n - 1) / 2 * np.log(between)
                - k * (rows**2).sum() / (2 * between) + log_half_cauchy(log_tau, scale)
            )  # fmt: skip

        (log_sigma, log_tau), weights = integrate(log_density, np.linspace(-3.2, -1.2, 300), np.linspace(-7, 2, 600))
        fit = hierarchical(y, RUNS, draws=20_000)
        assert fit.topic.mean == pytest.approx((weights * np.exp(log_tau)).sum(), rel=0.01)
        assert fit.runs[0].error.mean == pytest.approx((weights * np.exp(log_sigma)).sum(), rel=0.002)
        for i, j in ((0, 1), (0, 2), (1, 3)):
            z = (y[:, i].mean() - y[:, j].mean()) / (np.exp(log_sigma) * np.sqrt(2 / n))
            assert fit.higher[i, j] == pytest.approx((weights * ndtr(z)).sum(), abs=0.001)
        # The interval of a value: its distribution is a mixture of normals, so 2.5% of it lies below the lower end.
        for estimate, spread in (
            (fit.runs[0].value, np.sqrt((np.exp(2 * log_tau) + np.exp(2 * log_sigma)) / n)),
            (fit.runs[0].effect, np.exp(log_sigma) * np.sqrt((1 - 1 / k) / n)),
        ):
            below = (weights * ndtr((estimate.low - estimate.mean) / spread)).sum()
            assert below == pytest.approx(0.025, abs=0.002)
            assert estimate.high - estimate.mean == pytest.approx(estimate.mean - estimate.low)

    def test_unequal_variances(self) -> None:
        y = np.array(TOPICS_BY_RUNS)[:, [0, 3]]
        n = len(y)
        scale = np.sqrt(y.var(axis=0, ddof=1).mean())
        (saa, sab), (_, sbb) = (y - y.mean(axis=0)).T @ (y - y.mean(axis=0))

        def log_density(log_a, log_b, log_tau):
            t = np.exp(2 * log_tau)
            va, vb = np.exp(2 * log_a) + t, np.exp(2 * log_b) + t
            det = va * vb - t * t
            trace = (vb * saa + va * sbb - 2 * t * sab) / det
            prior = sum(log_half_cauchy(x, scale) for x in (log_a, log_b, log_tau))
            return -(n - 1) / 2 * np.log(det) - trace / 2 + prior

        fine = np.linspace(-9, 1.5, 140)
        (log_a, log_b, _), weights = integrate(log_density, fine, fine, np.linspace(-9, 2.5, 140))
        fit = hierarchical(y, ["a", "d"], variances="unequal", draws=20_000)
        z = (y[:, 0].mean() - y[:, 1].mean()) / np.sqrt((np.exp(2 * log_a) + np.exp(2 * log_b)) / n)
        assert fit.probability("a", "d") == pytest.approx((weights * ndtr(z)).sum(), abs=0.002)
        assert fit.runs[0].error.mean == pytest.approx((weights * np.exp(log_a)).sum(), rel=0.03)
        assert fit.runs[1].error.mean == pytest.approx((weights * np.exp(log_b)).sum(), rel=0.03)


class TestAgainstStudent:
    @pytest.mark.parametrize("seed", range(6))
    def test_two_runs_are_told_apart_as_by_the_paired_t_test(self, seed) -> None:
        rng = np.random.default_rng(seed)
        y = rng.normal(0.4, 0.2, (20, 1)) + rng.normal([0.03 * seed, 0], 0.1, (20, 2))
        expected = 1 - stats.ttest_rel(y[:, 0], y[:, 1], alternative="greater").pvalue
        assert hierarchical(y, ["a", "b"]).probability("a", "b") == pytest.approx(expected, abs=0.01)

    def test_many_runs_as_by_the_two_way_analysis_of_variance(self) -> None:
        rng = np.random.default_rng(1)
        y = rng.normal(0.4, 0.2, (50, 1)) + rng.normal(np.linspace(0, 0.1, 129), 0.1, (50, 129))
        fit = hierarchical(y, [f"r{i}" for i in range(129)])
        residual = y - y.mean(axis=0) - y.mean(axis=1, keepdims=True) + y.mean()
        freedom = 49 * 128
        error = np.sqrt((residual**2).sum() / freedom * 2 / 50)
        expected = stats.t.cdf((y.mean(axis=0)[:, None] - y.mean(axis=0)) / error, freedom)
        apart = ~np.eye(129, dtype=bool)
        assert np.abs(fit.higher - expected)[apart].max() < 0.002
        assert fit.rhat < 1.02


def test_runs_with_equal_means_are_even() -> None:
    rng = np.random.default_rng(2)
    y = rng.normal(0, 0.2, (30, 1)) + rng.normal(0, 0.1, (30, 4))
    fit = hierarchical(y - y.mean(axis=0), RUNS)
    apart = ~np.eye(4, dtype=bool)
    assert fit.higher[apart] == pytest.approx(0.5)
    assert fit.ranks == pytest.approx(np.full((4, 4), 0.25), abs=0.035)
    for run in fit.runs:
        assert run.effect.low < 0 < run.effect.high


def test_topics_that_do_not_differ_have_no_spread_to_speak_of() -> None:
    rng = np.random.default_rng(3)
    fit = hierarchical(rng.normal(0, 0.1, (60, 4)), RUNS)
    assert fit.topic.mean < 0.04
    assert fit.runs[0].error.mean == pytest.approx(0.1, rel=0.1)
    assert fit.rhat < 1.05


def test_probabilities_of_ranks_add_up(fitted) -> None:
    _, fit = fitted
    assert fit.ranks.sum(axis=0) == pytest.approx(np.ones(4))
    assert fit.ranks.sum(axis=1) == pytest.approx(np.ones(4))
    # A run's expected number of runs above it is the sum of their chances to be above it.
    assert fit.ranks @ np.arange(4) == pytest.approx(np.nansum(fit.higher, axis=0), abs=0.03)


def test_effects_are_values_above_their_mean(fitted) -> None:
    _, fit = fitted
    assert sum(run.effect.mean for run in fit.runs) == pytest.approx(0, abs=1e-12)
    assert fit.runs[0].effect.mean == pytest.approx(5.56 / 12 - (5.56 + 4.90 + 5.48 + 4.49) / 48)
    for run in fit.runs:
        assert run.effect.high - run.effect.low < run.value.high - run.value.low


@pytest.mark.parametrize("variances", ["equal", "unequal"])
def test_the_unit_and_the_zero_of_a_measure_do_not_matter(variances) -> None:
    y = np.array(TOPICS_BY_RUNS)
    one, two = (hierarchical(table, RUNS, variances=variances) for table in (y, 100 * y - 7))
    assert two.ranks.tolist() == one.ranks.tolist()
    assert np.nan_to_num(two.higher) == pytest.approx(np.nan_to_num(one.higher), abs=1e-9)
    assert two.runs[1].value.low == pytest.approx(100 * one.runs[1].value.low - 7)
    assert two.topic.high == pytest.approx(100 * one.topic.high)


def test_the_same_seed_gives_the_same_and_another_nearly() -> None:
    one, again, other = (hierarchical(TOPICS_BY_RUNS, RUNS, seed=seed) for seed in (1, 1, 2))
    assert one.to_dict() == again.to_dict()
    assert one.to_dict() != other.to_dict()
    assert np.nan_to_num(one.higher) == pytest.approx(np.nan_to_num(other.higher), abs=0.005)


def test_random_numbers_are_assays_own() -> None:
    words, random = stream(7, "hierarchical", 0), _Random(7)
    for shape in ((2, 3), (1, 1)):
        expected = [((words.bits() >> 11) + 0.5) * 2.0**-53 for _ in range(shape[0] * shape[1])]
        assert random.uniform(*shape).ravel().tolist() == expected
    assert stats.kstest(random.normal(1, 5000)[0], stats.norm.cdf).pvalue > 0.001
    assert stats.kstest(random.gamma(3.5, 1, 5000)[0], stats.gamma(3.5).cdf).pvalue > 0.001


def test_a_wider_confidence_a_wider_interval() -> None:
    narrow, wide = (hierarchical(TOPICS_BY_RUNS, RUNS, confidence=c).runs[0].value for c in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.mean == wide.mean < narrow.high < wide.high


def test_plain_data_has_no_nan() -> None:
    data = hierarchical(TOPICS_BY_RUNS, RUNS, draws=400).to_dict()
    json.dumps(data, allow_nan=False)
    assert data["higher"][2][2] is None
    assert data["settings"] == {"variances": "equal", "confidence": 0.95, "draws": 400, "warmup": 500, "seed": 0}
    assert data["runs"][3]["run"] == "d"
    assert set(data["runs"][3]["effect"]) == {"mean", "low", "high"}


@pytest.mark.parametrize(
    ("values", "runs", "message"),
    [
        ([[1, 2], [3, 4]], ["a", "b"], "at least 2 runs and 3 topics; there are 2 runs on 2 topics"),
        ([[1], [2], [4]], ["a"], "there are 1 runs on 3 topics"),
        ([[1, 2, 3]] * 4, ["a", "b"], r"a row per topic with 2 values, one per run; found shape \(4, 3\)"),
        ([1, 2, 3], ["a"], r"found shape \(3,\)"),
        ([[1, 2], [3, None], [5, 6]], ["a", "b"], "b has none on topic 2"),
        ([[1, 2], [3, "x"], [5, 6]], ["a", "b"], "a number for every topic and run"),
        ([[1, 2], [3, 5], [5, 6]], ["a", "a"], "same name"),
        ([[1, 1.1], [3, 3.1], [5, 5.1]], ["a", "b"], "all runs differ by the same on every topic"),
        ([[2, 2], [2, 2], [2, 2]], ["a", "b"], "all runs differ by the same on every topic"),
    ],
)
def test_what_cannot_be_modelled(values, runs, message) -> None:
    with pytest.raises(InputError, match=message):
        hierarchical(values, runs)


def test_twins_have_no_error_of_their_own() -> None:
    y = np.array(TOPICS_BY_RUNS)
    y[:, 2] = y[:, 0] + 0.01
    with pytest.raises(InputError, match=r"^a and c differ by the same .* `variances='equal'`"):
        hierarchical(y, RUNS, variances="unequal")
    assert hierarchical(y, RUNS).probability("c", "a") > 0.5


def test_choices_are_checked() -> None:
    for choice, message in (
        ({"variances": "maybe"}, "`variances='maybe'`: expected one of equal, unequal"),
        ({"confidence": 1}, "`confidence=1`: expected a number between 0 and 1"),
        ({"draws": 10}, "`draws=10`: expected a whole number of at least 100"),
        ({"warmup": 0}, "`warmup=0`: expected"),
        ({"seed": 0.5}, "`seed=0.5`: expected a whole number"),
    ):
        with pytest.raises(UsageError, match=message):
            hierarchical(TOPICS_BY_RUNS, RUNS, **choice)
    fit = hierarchical(TOPICS_BY_RUNS, RUNS, draws=100)
    with pytest.raises(UsageError, match="unknown run 'z'; runs are a, b, c, d"):
        fit.probability("a", "z")
    with pytest.raises(UsageError, match="a:a compares a run with itself"):
        fit.probability("a", "a")
