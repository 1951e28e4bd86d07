"""Adjusted means by the textbook regression; which runs have a common order."""

from __future__ import annotations

import numpy as np

from assay.stats.additive_model import adjusted_means, connected


def test_adjusted_means_are_those_of_least_squares_on_indicators():
    """The textbook regression: an indicator per run and per topic but the first, solved as one system."""
    rng = np.random.default_rng(9)
    values = rng.normal(0, 0.2, (15, 1)) + rng.normal(0, 0.1, (15, 5))
    values[rng.random(values.shape) < 0.3] = np.nan
    topic, run = np.nonzero(np.isfinite(values))
    design = np.zeros((len(topic), 5 + 14))
    design[np.arange(len(topic)), run] = 1
    later = topic > 0
    design[np.flatnonzero(later), 5 + topic[later] - 1] = 1
    effects = np.linalg.lstsq(design, values[topic, run], rcond=None)[0]
    expected = effects[:5] + np.append(0.0, effects[5:]).mean()
    np.testing.assert_allclose(adjusted_means(values), expected, atol=1e-12)


def test_runs_are_connected_through_others_only():
    """r0 - r1 - r2 share topics in a chain; r3 and r4 share one with each other alone."""
    values = np.full((3, 5), np.nan)
    values[0, [0, 1]] = values[1, [1, 2]] = values[2, [3, 4]] = 1.0
    assert connected(values).tolist() == [True, True, True, False, False]
