"""Sample sizes against published components, a peer's formulas, and simulation."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError, UsageError
from assay.stats.topic_set_size import (
    expected_width,
    keep_best,
    power_of_anova,
    power_of_t,
    topics_for_anova,
    topics_for_t,
    topics_for_width,
)
from assay.stats.variance_components import variance_components

TRACKS = ("enterprise2006", "genomics2004", "robust2003", "web2004")
# Eρ² and Φ of the same runs, computed independently of this project (the data's own notes).
COEFFICIENTS = {
    "enterprise2006": (0.9647, 0.9393),
    "genomics2004": (0.8996, 0.7721),
    "robust2003": (0.8458, 0.5087),
    "web2004": (0.9398, 0.8984),
}


@pytest.mark.parametrize("track", TRACKS)
def test_published_variance_components(shared_data, track):
    """Table 1 of Urbano, Information Retrieval Journal 2015: runs kept, topics and the three shares in percent."""
    folder = shared_data("trec_matrices") / "irj2015"
    published = {}
    for line in (folder / "published_tables" / "table1_table.txt").read_text().splitlines()[1:]:
        cells = [cell.strip(" \\()") for cell in line.split("&")]
        if len(cells) == 8:
            published[cells[0]] = [int(cell) for cell in cells[2:]]
    kept_runs, all_runs, topics, *shares = published[track]
    matrix = np.loadtxt(folder / f"{track}.csv", delimiter=",", skiprows=1)
    assert matrix.shape == (topics, all_runs)
    kept = keep_best(matrix, 0.25)
    assert len(kept) == kept_runs
    components = variance_components(matrix[:, kept])
    assert [round(100 * share) for share in components.shares.values()] == shares
    relative, absolute = COEFFICIENTS[track]
    assert components.relative(topics) == pytest.approx(relative, abs=5e-5)
    assert components.absolute(topics) == pytest.approx(absolute, abs=5e-5)


def test_components_by_hand():
    """Cells 0 1 / 2 5: run means 1 and 3, topic means .5 and 3.5, grand mean 2, residuals ±.5.

    MS runs = 2(1 + 1) = 4, MS topics = 2(2.25 + 2.25) = 9, MS residual = 4·.25 = 1.
    """
    found = variance_components(np.array([[0.0, 1.0], [2.0, 5.0]]))
    assert (found.run, found.topic, found.interaction) == (1.5, 4.0, 1.0)
    assert found.of_differences == 2.0
    assert found.within == (1 + 1 + 4 + 4) / 2
    assert found.relative(2) == 1.5 / 2.0
    assert found.absolute(2) == 1.5 / 4.0
    assert found.topics_for(0.9) == 6
    assert found.topics_for(0.9, absolute=True) == 30


def test_negative_estimates_are_zero():
    found = variance_components(np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert (found.run, found.topic) == (0.0, 0.0)
    assert found.topics_for(0.9) is None


@pytest.mark.peer
@pytest.mark.parametrize("effect", [0.1, 0.2, 0.5, 1.0])
def test_t_test_sizes_agree_with_statsmodels(effect):
    power = pytest.importorskip("statsmodels.stats.power")
    solved = power.TTestPower().solve_power(effect, power=0.8, alpha=0.05)
    assert topics_for_t(effect, 1.0, 0.05, 0.8) == int(np.ceil(solved))
    assert power_of_t(50, effect, 1.0, 0.05) == pytest.approx(power.TTestPower().power(effect, 50, 0.05), abs=1e-9)


@pytest.mark.peer
@pytest.mark.parametrize(("f", "runs"), [(0.1, 2), (0.25, 3), (0.25, 10), (0.4, 20)])
def test_anova_sizes_agree_with_statsmodels(f, runs):
    """Cohen's f of the least favourable case is difference/(σ √(2m))."""
    power = pytest.importorskip("statsmodels.stats.power")
    difference = f * np.sqrt(2 * runs)
    solved = power.FTestAnovaPower().solve_power(f, power=0.8, alpha=0.05, k_groups=runs)
    assert topics_for_anova(difference, 1.0, runs, 0.05, 0.8) == int(np.ceil(solved / runs))


def within_binomial(hits, trials, probability):
    """Whether a count is within the middle 99.9% of its binomial distribution."""
    from scipy.stats import binom

    return binom.ppf(0.0005, trials, probability) <= hits <= binom.ppf(0.9995, trials, probability)


TRIALS = 20_000


@pytest.mark.parametrize(("difference", "variance", "power"), [(0.05, 0.0272, 0.8), (0.1, 0.02, 0.9), (0.5, 0.3, 0.6)])
def test_the_t_test_reaches_its_power_in_simulation(difference, variance, power):
    from scipy.special import stdtr

    topics = topics_for_t(difference, variance, 0.05, power)
    rng = np.random.default_rng(1)

    def share(n):
        z = rng.normal(difference, np.sqrt(variance), size=(TRIALS, n))
        t = z.mean(axis=1) / (z.std(axis=1, ddof=1) / np.sqrt(n))
        return int((2 * stdtr(n - 1, -abs(t)) < 0.05).sum())

    assert within_binomial(share(topics), TRIALS, power_of_t(topics, difference, variance, 0.05))
    assert power_of_t(topics, difference, variance, 0.05) >= power > power_of_t(topics - 1, difference, variance, 0.05)


@pytest.mark.parametrize(("difference", "variance", "runs"), [(0.2, 0.04, 3), (0.3, 0.04, 10)])
def test_anova_reaches_its_power_in_simulation(difference, variance, runs):
    """Best and worst apart by the difference, all others in the middle: the case the design is made for."""
    from scipy.special import fdtrc

    topics = topics_for_anova(difference, variance, runs, 0.05, 0.8)
    means = np.zeros(runs)
    means[0], means[-1] = -difference / 2, difference / 2
    rng = np.random.default_rng(2)
    x = rng.normal(means[:, None], np.sqrt(variance), size=(TRIALS, runs, topics))
    by_run = x.mean(axis=2)
    between = topics * by_run.var(axis=1, ddof=1)
    within = ((x - by_run[:, :, None]) ** 2).sum(axis=(1, 2)) / (runs * (topics - 1))
    hits = int((fdtrc(runs - 1, runs * (topics - 1), between / within) < 0.05).sum())
    assert within_binomial(hits, TRIALS, power_of_anova(topics, difference, variance, runs, 0.05))
    assert power_of_anova(topics, difference, variance, runs, 0.05) >= 0.8
    assert power_of_anova(topics - 1, difference, variance, runs, 0.05) < 0.8


def test_the_interval_has_its_width_in_simulation():
    from scipy.special import stdtrit

    topics = topics_for_width(0.1, 0.05, 0.05)
    rng = np.random.default_rng(3)
    z = rng.normal(0, np.sqrt(0.05), size=(TRIALS, topics))
    widths = 2 * stdtrit(topics - 1, 0.975) * z.std(axis=1, ddof=1) / np.sqrt(topics)
    error = widths.std() / np.sqrt(TRIALS)
    assert abs(widths.mean() - expected_width(topics, 0.05, 0.05)) < 4 * error
    assert expected_width(topics, 0.05, 0.05) <= 0.1 < expected_width(topics - 1, 0.05, 0.05)


def test_what_cannot_be_computed_says_why():
    with pytest.raises(InputError, match="at least 2 runs and 2 topics, found 1 and 3"):
        variance_components(np.zeros((3, 1)))
    with pytest.raises(UsageError, match="`drop_worst=1`"):
        keep_best(np.zeros((3, 2)), 1)
