"""How far generalizability coefficients can be trusted: by the loop written out, by simulation, on a real collection."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, f

from assay.stats.variance_components import jackknife_margin, variance_components

TOPICS = 40


def test_components_without_each_topic_are_those_of_the_smaller_matrix():
    """The jackknife's variance, written out: the ratio is computed anew without each topic."""
    matrix = np.random.default_rng(1).beta(2, 5, size=(12, 6)) * np.linspace(0.3, 1, 6)
    logs, margins = [], []
    for left in range(12):
        found = variance_components(np.delete(matrix, left, axis=0))
        assert found.run > 0
        logs.append(np.log(1 + 11 * found.run / found.interaction))
        h = 30 * found.run / (30 * found.run + found.interaction)
        margins.append(np.log(np.sqrt(found.interaction / 30 * (1 + h)) / h))
    by_topics = 11 / 12 * np.sum((np.array(logs) - np.mean(logs)) ** 2)
    whole = variance_components(matrix)
    h = whole.relative(12)
    from scipy.special import polygamma
    from scipy.stats import t

    assert polygamma(1, whole.ratios[0].freedom / 2) == pytest.approx(by_topics + h**2 * polygamma(1, 2.5))
    error = np.sqrt(11 / 12 * np.sum((np.array(margins) - np.mean(margins)) ** 2))
    assert jackknife_margin(matrix, 30, 0.9) == pytest.approx(t.ppf(0.95, 11) * error)


def crossed(rng, runs, run, topic, rest):
    """A matrix with known components."""
    return (
        rng.normal(0, np.sqrt(run), (1, runs))
        + rng.normal(0, np.sqrt(topic), (TOPICS, 1))
        + rng.normal(0, np.sqrt(rest), (TOPICS, runs))
    )


@pytest.mark.slow
@pytest.mark.parametrize(("runs", "run"), [(5, 0.5), (20, 0.1), (60, 0.05)])
def test_intervals_contain_the_true_coefficient_and_number_of_topics(runs, run):
    """Run, topic and interaction vary by `run`, 1 and 1: Eρ² = n·run/(n·run + 1), Φ = n·run/(n·run + 2)."""
    rng = np.random.default_rng(runs)
    hits = np.zeros(4)
    trials = 400
    for _ in range(trials):
        found = variance_components(crossed(rng, runs, run, 1.0, 1.0))
        for i, blur in ((0, 1.0), (1, 2.0)):
            low, high = found.interval(TOPICS, 0.95, absolute=bool(i))
            hits[i] += low <= TOPICS * run / (TOPICS * run + blur) <= high
            low, high = found.topics_interval(0.9, 0.95, absolute=bool(i))
            hits[2 + i] += low <= np.ceil(9 * blur / run - 1e-9) and (
                high is None or np.ceil(9 * blur / run - 1e-9) <= high
            )
    assert (hits >= binom.ppf(0.0005, trials, 0.95)).all()
    assert (hits <= binom.ppf(0.9995, trials, 0.975)).all()


def test_normal_scores_get_the_interval_of_feldt():
    """1 - (1 - α)·F: where the noise is even over topics, the degrees of freedom come out near runs - 1."""
    rng = np.random.default_rng(4)
    widths = []
    for _ in range(40):
        matrix = crossed(rng, 30, 0.3, 1.0, 1.0)
        found = variance_components(matrix)
        low, high = found.interval(TOPICS, 0.95)
        alpha = found.relative(TOPICS)
        feldt = [1 - (1 - alpha) * f.ppf(p, 29, 29 * (TOPICS - 1)) for p in (0.975, 0.025)]
        widths.append((high - low) / (feldt[1] - feldt[0]))
    assert np.mean(widths) == pytest.approx(1, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("track", ["enterprise2006", "genomics2004", "robust2003", "web2004"])
def test_intervals_hold_for_other_topics_of_a_real_collection(shared_data, track):
    """The collection as a population: 50 of its topics drawn again and again, all its runs kept."""
    matrix = np.loadtxt(shared_data("trec_matrices") / "irj2015" / f"{track}.csv", delimiter=",", skiprows=1)
    topics, runs = matrix.shape
    by_topic, by_run = matrix.mean(axis=1), matrix.mean(axis=0)
    rest = ((matrix - by_topic[:, None] - by_run + matrix.mean()) ** 2).sum() / (topics * (runs - 1))
    truth = 50 * by_run.var(ddof=1) / (50 * by_run.var(ddof=1) + rest)
    rng = np.random.default_rng(5)
    hits, trials = 0, 200
    for _ in range(trials):
        low, high = variance_components(matrix[rng.integers(0, topics, 50)]).interval(50, 0.95)
        hits += low <= truth <= high
    assert hits >= binom.ppf(0.001, trials, 0.95)


def test_an_estimate_lies_in_its_interval_at_any_confidence():
    rng = np.random.default_rng(9)
    for confidence in (0.05, 0.5, 0.95, 0.999):
        found = variance_components(rng.normal(0, 1, (6, 3)) + np.array([0, 1, 2]))
        for absolute in (False, True):
            low, high = found.interval(6, confidence, absolute=absolute)
            value = found.absolute(6) if absolute else found.relative(6)
            assert low <= value <= high
            low, high = found.topics_interval(0.9, confidence, absolute=absolute)
            assert low <= found.topics_for(0.9, absolute=absolute)
            assert high is None or found.topics_for(0.9, absolute=absolute) <= high


def test_runs_that_may_not_differ_at_all_have_no_upper_end():
    found = variance_components(np.random.default_rng(3).normal(0, 1, (20, 4)))
    low, high = found.interval(20, 0.95)
    assert low == 0 < high
    fewest, most = found.topics_interval(0.9, 0.95)
    assert fewest > 1
    assert most is None


def test_where_nothing_blurs_the_runs_there_is_no_interval():
    same = np.array([[0.1], [0.37], [0.7], [0.6]]) + np.array([0.0, 0.1, 0.3])
    assert variance_components(same).interval(4, 0.95) is None
    assert variance_components(same).topics_interval(0.9, 0.95) is None
    assert jackknife_margin(same, 4, 0.95) is None
    assert variance_components(np.array([[0.0, 1.0], [2.0, 5.0]])).interval(2, 0.95) is None
    assert jackknife_margin(np.array([[0.0, 1.0], [2.0, 5.0]]), 2, 0.95) is None
