"""Lines that are resampled, against a search over many costs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assay.analyses.abstention.price_bands import Resampled, shown, steepest

COSTS = np.concatenate([[0.0], np.geomspace(1e-5, 1e7, 6000)])
SMALL = st.floats(-0.5, 0.5)
SPREAD = st.floats(1e-3, 0.3)
TOGETHER = st.floats(-0.95, 0.95)


@given(SMALL, SMALL, SPREAD, SPREAD, TOGETHER)
def test_the_steepest_is_the_largest_over_all_costs(right, wrong, sd_right, sd_wrong, together):
    parts = sd_right**2, sd_wrong**2, together * sd_right * sd_wrong
    found = float(steepest(np.array([right]), np.array([wrong]), *(np.array([part]) for part in parts))[0])
    errors = np.sqrt(parts[0] - 2 * COSTS * parts[2] + COSTS**2 * parts[1])
    searched = float((np.abs(right - COSTS * wrong) / errors).max())
    # The search may miss the top of the hill by a little, and never exceeds it.
    assert searched <= found * (1 + 1e-9) + 1e-9
    assert found == pytest.approx(searched, rel=1e-3, abs=1e-6)


def test_what_does_not_vary_is_never_far_off():
    none = np.zeros(1)
    assert steepest(none, none, none, none, none).tolist() == [0.0]
    assert steepest(np.ones(1), none, np.full(1, 0.25), none, none).tolist() == [2.0]


def test_a_line_that_always_answers_has_one_ratio():
    """Right and wrong add up to one: the difference grows with 1 + x, and so does its error."""
    one = np.array([0.3])
    assert steepest(one, -one, one / 3, one / 3, -one / 3).tolist() == pytest.approx([0.3 / np.sqrt(0.1)])


@given(SMALL, SMALL, SPREAD, SPREAD, TOGETHER, st.floats(0.5, 4))
def test_what_is_shown_is_where_a_line_is_above_its_error(right, wrong, sd_right, sd_wrong, together, reach):
    parts = sd_right**2, sd_wrong**2, together * sd_right * sd_wrong
    found = shown(right, wrong, *parts, reach)
    errors = np.sqrt(parts[0] - 2 * COSTS * parts[2] + COSTS**2 * parts[1])
    above = right - COSTS * wrong - reach * errors
    assume((np.abs(above) > 1e-9).all())
    low, high = found or (np.inf, np.inf)
    assert ((above > 0) == ((low <= COSTS) & (high >= COSTS))).all()


def test_shares_are_counted_and_ties_shared():
    """Three resamples at a cost of 1: a leads, both tie, and nobody is worth answering."""
    right = np.array([[0.8, 0.6], [0.6, 0.6], [0.2, 0.1]])
    wrong = np.array([[0.2, 0.2], [0.1, 0.1], [0.8, 0.8]])
    drawn = Resampled([("a", 6, 4, 0), ("b", 5, 4, 1)], right, wrong, 0.9)
    assert drawn.first(1.0).tolist() == pytest.approx([1.5 / 3, 0.5 / 3, 1 / 3])


def test_the_largest_of_few_resamples_has_no_end():
    """Of 3 resamples none is beyond 95%: nothing is shown, rather than too much."""
    right = np.array([[0.8], [0.6], [0.7]])
    drawn = Resampled([("a", 7, 3, 0)], right, 1 - right, 0.95)
    assert drawn.ahead(0, 1) is None
    assert drawn.reach == np.inf


@pytest.mark.slow
def test_what_is_said_to_hold_at_every_price_does():
    """500 tests of 200 questions and two runs whose lines are known: the true difference lies within the band of all pairs at every
    price in 95% of them, and each run's own line within its own, less Monte Carlo error (3 standard errors are .03)."""
    random = np.random.default_rng(11)
    truth = {"a": (0.6, 0.25), "b": (0.5, 0.1)}
    held, own = 0, 0
    for _ in range(500):
        lines = {name: random.multinomial(200, [*line, 1 - sum(line)]).tolist() for name, line in truth.items()}
        counts = [(name, *ended) for name, ended in lines.items()]
        drawn = np.stack([random.multinomial(200, np.array(ended) / 200, 300) / 200 for _, *ended in counts], axis=1)
        found = Resampled(counts, drawn[:, :, 0], drawn[:, :, 1], 0.95)
        off = found.line[:3] - np.array([*truth.values(), (0.0, 0.0)])
        pairs = [(0, 1), (0, 2), (1, 2)]
        ratios = [_ratio(found, off, *pair) for pair in pairs]
        held += max(ratios) <= found.reach
        own += ratios[1] <= found.bands[0][1]
    assert 0.91 <= held / 500 <= 0.98
    assert 0.91 <= own / 500 <= 0.98


def _ratio(found: Resampled, off: np.ndarray, a: int, b: int) -> float:
    """How far a difference is off, in standard errors, at the price where it is farthest: by search."""
    right, wrong = (drawn[:, a] - drawn[:, b] for drawn in (found.right, found.wrong))
    means = (off[a] - off[b])[0] - COSTS * (off[a] - off[b])[1]
    errors = [(right - x * wrong).std() for x in COSTS[::100]]
    return float((np.abs(means[::100]) / errors).max())


def test_a_band_is_the_mean_give_or_take_what_the_resamples_are_off():
    """By hand: four resamples off by .1, .1, 0 and .2; at 60% the second largest, .1, whatever the standard error. A system that
    always answers has 2r - 1 at a cost of 1, so that everything is twice as wide there."""
    right = np.array([[0.8], [0.6], [0.7], [0.9]])
    drawn = Resampled([("a", 7, 3, 0)], right, 1 - right, 0.6)
    assert drawn.band(0, 0.0) == pytest.approx((0.6, 0.8))
    assert drawn.band(0, 1.0) == pytest.approx((0.2, 0.6))
    assert Resampled([("a", 7, 3, 0)], right * 0 + 0.7, 0 * right + 0.3, 0.6).band(0, 1.0) is None
