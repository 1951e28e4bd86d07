"""Pairs of runs compared on what both have, against all flips by brute force and Tango's interval."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from assay.analyses.comparison.incomplete_pairs import IncompletePairs
from assay.analyses.comparison.options import ComparisonOptions
from assay.stats.paired_proportions import tango_interval


def with_gaps(rng, topics: int, runs: int, share: float) -> np.ndarray:
    values = rng.normal(0, 0.2, (topics, 1)) + rng.normal(0, 0.1, (topics, runs)) + np.linspace(0, 0.15, runs)
    values[rng.random(values.shape) < share] = np.nan
    return values


def test_p_values_are_those_of_all_flips_by_brute_force():
    """Nine units, all 512 flips one by one: r with the family's constant, Student's tail, the normal score, the largest of all pairs."""
    values = with_gaps(np.random.default_rng(4), 9, 4, 0.15)
    a, b = np.triu_indices(4, 1)
    pairs = IncompletePairs(values, a, b, ComparisonOptions(seed=0))
    differences = values[:, a] - values[:, b]
    shared = np.isfinite(differences).sum(axis=0)
    assert shared.min() >= 5
    d = np.nan_to_num(differences)
    squares = (d**2).sum(axis=0)
    constant = np.median(squares)

    def normal_scores(signs):
        mean = (np.array(signs)[:, None] * d).sum(axis=0) / shared
        r = shared * mean**2 / (squares + constant)
        return stats.norm.isf(stats.t.sf(np.sqrt((shared - 1) * r / (1 - r)), shared - 1))

    observed = normal_scores([1] * 9)
    flipped = np.array([normal_scores(signs) for signs in product([1, -1], repeat=9)])
    alone = (flipped >= observed - 1e-6).mean(axis=0)
    together = (flipped.max(axis=1)[:, None] >= observed - 1e-6).mean(axis=0)
    np.testing.assert_allclose(pairs.p, alone, atol=1e-12)
    np.testing.assert_allclose(pairs.adjusted, together, atol=1e-12)


def test_right_or_wrong_has_tangos_interval():
    """One pair alone: 14 against 4 of 30 shared questions, at z = 1.96 whatever the flips' critical value."""
    first = np.r_[np.ones(14), np.zeros(4), np.ones(12)]
    second = np.r_[np.zeros(14), np.ones(4), np.ones(12)]
    values = np.stack([first, second], axis=1)
    values = np.r_[values, [[1.0, np.nan], [np.nan, 0.0]]]
    pairs = IncompletePairs(values, np.array([0]), np.array([1]), ComparisonOptions(seed=0), (0.0, 1.0))
    low, high = pairs.ends
    z = max(stats.norm.ppf(0.975), pairs.critical)
    assert (low[0], high[0]) == pytest.approx(tuple(float(end) for end in tango_interval(14, 4, 30, z)))
    assert pairs.shared.tolist() == [30]
