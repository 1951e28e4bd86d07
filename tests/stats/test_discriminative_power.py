"""Discriminative power: the tests of all pairs against the algorithm as Sakai prints it, and against known cases."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.resample import bootstrap_rows
from assay.errors import UsageError
from assay.resampling.resamplers import MeanResampler, SumsResampler
from assay.resampling.subsets import Subsets
from assay.resampling.whole_runs import WholeRunResampler
from assay.stats.discriminative_power import Discrimination, discriminate, half_point
from assay.stats.multiple_comparisons import tukey_hsd


def averages(matrix):
    """One mean over topics; matrix[run][topic]."""
    return Subsets([f"r{i}" for i in range(len(matrix))], {"AP": MeanResampler(np.array(matrix, float).T)})


@pytest.fixture
def matrix():
    rng = np.random.default_rng(9)
    return rng.beta(1, 2, size=(5, 25)) * np.array([1, 0.95, 0.8, 0.6, 0.6])[:, None]


def sakai_2006(x, y, trials):
    """Figure 1 of Sakai (2006): t of the shifted differences, resampled, against the observed t."""
    z = x - y
    observed = abs(z.mean() / (z.std(ddof=1) / np.sqrt(len(z))))
    w = z - z.mean()
    count = 0
    for trial in range(trials):
        star = w[bootstrap_rows(len(z), trial=trial, seed=3, purpose="bootstrap")]
        t = abs(star.mean()) / (star.std(ddof=1) / np.sqrt(len(z)))
        count += t >= observed * (1 - 1e-9)
    return (count + 1) / (trials + 1)


def test_bootstrap_levels_are_those_of_the_printed_algorithm(matrix):
    problem = averages(matrix)
    found = discriminate(problem, "AP", "bootstrap", resamples=200, seed=3)
    expected = [sakai_2006(matrix[x], matrix[y], 200) for x in range(5) for y in range(x + 1, 5)]
    assert found.levels == pytest.approx(expected, abs=1e-12)
    assert found.pairs[0] == ("r0", "r1")
    assert found.differences[0] == pytest.approx(matrix[0].mean() - matrix[1].mean(), abs=1e-12)


def test_tukey_is_the_one_of_the_comparison(matrix):
    problem = averages(matrix)
    found = discriminate(problem, "AP", "tukey", resamples=500, seed=3)
    first, second = np.triu_indices(5, 1)
    expected = tukey_hsd(MeanResampler(matrix.T), resamples=500, seed=3).p(first, second)
    assert found.levels == pytest.approx(expected.tolist())
    # Corrected for all pairs at once, it separates no more than the bootstrap does.
    single = discriminate(problem, "AP", "bootstrap", resamples=500, seed=3)
    assert found.separated(0.05) <= single.separated(0.05)


def test_identical_runs_are_never_separated_and_a_constant_lead_always_is():
    rng = np.random.default_rng(1)
    base = rng.random(30) * 0.5
    problem = averages([base, base, base + 0.25])
    found = discriminate(problem, "AP", "bootstrap", resamples=300)
    assert found.levels[0] == 1.0
    assert found.levels[1] == found.levels[2] == pytest.approx(1 / 301)
    assert found.separated(0.05) == pytest.approx(2 / 3)
    assert found.half_difference(0.05) == pytest.approx(0.25)


def test_a_null_of_equal_runs_keeps_its_level():
    """A hundred pairs of independent runs of one distribution: about 5% come out below .05."""
    rng = np.random.default_rng(12)
    low = 0
    for _ in range(100):
        problem = averages(rng.normal(0.5, 0.1, size=(2, 40)))
        low += discriminate(problem, "AP", "bootstrap", resamples=99).levels[0] < 0.05
    assert 0 <= low <= 14  # the middle 99.9% of a binomial with 100 trials of .05


def outcome_problem(rows, formula):
    table = np.array([list(row) for row in rows]).T
    resampler = SumsResampler(np.stack([table == "C", table == "U"], axis=2), formula)
    return Subsets([f"r{i}" for i in range(len(rows))], {"c@1": resampler})


def test_a_ratio_is_resampled_whole():
    rng = np.random.default_rng(4)
    rows = ["".join(rng.choice(list("CWU"), p=p, size=60)) for p in ([0.3, 0.5, 0.2], [0.6, 0.3, 0.1], [0.3, 0.5, 0.2])]
    found = discriminate(outcome_problem(rows, lambda n, c, u: (c * (n + u), n * n)), "c@1", "bootstrap", resamples=300)
    assert found.levels[0] < 0.05
    assert found.levels[1] > 0.05

    def branching(n, c, u):
        return (c * (n + u), n * n) if u else (c, n)

    again = discriminate(outcome_problem(rows, branching), "c@1", "bootstrap", resamples=300)
    assert again.levels == pytest.approx(found.levels)


def test_a_measure_of_whole_runs_has_a_bootstrap_and_no_tukey():
    rng = np.random.default_rng(2)
    columns = [[list(row)] for row in rng.random((3, 20))]
    problem = Subsets(["a", "b", "c"], {"median": WholeRunResampler(lambda cells: float(np.median(cells)), columns)})
    found = discriminate(problem, "median", "bootstrap", resamples=50)
    assert all(0 < level <= 1 for level in found.levels)
    with pytest.raises(UsageError, match="measure of whole runs"):
        discriminate(problem, "median", "tukey", resamples=50)


def test_the_half_point_by_hand():
    """Separated: none of the two below .03, one of two at .03, both above: the rising share reaches ½ at .03."""
    differences = [0.01, 0.02, 0.03, 0.03, 0.04, 0.05]
    assert half_point(differences, [False, False, True, False, True, True]) == 0.03
    assert half_point(differences, [True] * 6) == 0.01
    assert half_point([0.01, 0.02, 0.03], [True, False, False]) is None


def test_the_curve_falls():
    made = Discrimination("bootstrap", 10, [("a", "b")] * 3, [0.1, 0.2, 0.3], [0.02, 0.5, 0.004])
    assert made.curve == [0.5, 0.02, 0.004]
    assert made.to_dict()["separated"] == {"0.01": pytest.approx(1 / 3), "0.05": pytest.approx(2 / 3)}
