"""Tango's interval: published values, the likelihood it maximises, enumerated error rates, and monotone ends."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize
from scipy import stats as scipy_stats

from assay.stats.paired_proportions import effective_counts, score_statistic, tango_interval

Z = scipy_stats.norm.ppf(0.975)


def test_no_disagreement_has_an_interval_by_hand():
    """With δ > 0 and neither wins nor losses q = 0, so z² = nδ²/(δ(1 - δ)) and δ = z²/(n + z²)."""
    low, high = tango_interval(0, 0, 100, Z)
    assert high == pytest.approx(Z**2 / (100 + Z**2), abs=1e-12)
    assert low == -high


@pytest.mark.parametrize(
    ("wins", "losses", "n", "ends"),
    [(1, 7, 21, (-0.517, -0.026)), (0, 1, 1000, (-0.0056, 0.0028))],
    ids=["Fagerland, Lydersen and Laake 2014", "one loss of a thousand: an exact limit is .0056"],
)
def test_published_intervals(wins, losses, n, ends):
    assert [float(end) for end in tango_interval(wins, losses, n, Z)] == pytest.approx(ends, abs=5e-4)


def test_the_score_statistic_uses_the_constrained_maximum_of_the_likelihood():
    rng = np.random.default_rng(1)
    for _ in range(30):
        n = int(rng.integers(5, 80))
        wins, losses, ties = rng.multinomial(n, rng.dirichlet([1, 1, 2]))
        difference = rng.uniform(-0.9, 0.9)

        def against(share, wins=wins, losses=losses, ties=ties, difference=difference):
            shares = np.array([share + difference, share, 1 - 2 * share - difference])
            return -float(np.sum(np.array([wins, losses, ties]) * np.log(np.maximum(shares, 1e-300))))

        ends = max(0.0, -difference), (1 - difference) / 2
        best = optimize.minimize_scalar(against, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
        z = (wins - losses - n * difference) / np.sqrt(n * (2 * best + difference * (1 - difference)))
        assert float(score_statistic(wins, losses, n, difference)) == pytest.approx(z, rel=1e-4, abs=1e-4)


def test_one_more_loss_never_raises_an_end_nor_one_more_win_lowers_one():
    n = 60
    wins, losses = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    possible = wins + losses <= n
    low, high = (
        np.where(possible, end, np.nan)
        for end in tango_interval(np.where(possible, wins, 0), np.where(possible, losses, 0), n, Z)
    )
    for ends in (low, high):
        assert np.nanmax(np.diff(ends, axis=1)) <= 1e-12
        assert np.nanmin(np.diff(ends, axis=0)) >= -1e-12
    estimate = (wins - losses) / n
    assert (low <= estimate)[possible].all()
    assert (estimate <= high)[possible].all()


@pytest.mark.parametrize(("n", "published"), [(50, 0.0), (100, 0.0), (200, 0.016), (500, 0.017), (1000, 0.020)])
def test_enumerated_rate_of_false_non_inferiority_at_the_margin(n, published):
    """A true loss of .03, all one way: how often the lower end lies above -.03; and below -.03 the upper one."""
    losses = np.arange(n + 1)
    low, high = tango_interval(np.zeros(n + 1), losses, n, Z)
    chance = scipy_stats.binom.pmf(losses, n, 0.03)
    assert chance[low > -0.03].sum() == pytest.approx(published, abs=5e-4)
    assert chance[high < -0.03].sum() <= 0.045


def test_whole_differences_count_as_they_are():
    gains, losses, n = effective_counts(np.array([[1.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]))
    assert (gains.tolist(), losses.tolist(), n.tolist()) == ([2, 0], [1, 0], [4, 4])
