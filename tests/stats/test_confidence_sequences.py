"""Confidence sequences: against the authors' program, against plain loops, and under the eyes of those who peek."""

from __future__ import annotations

import json
from math import log, log1p, sqrt

import numpy as np
import pytest
from scipy import stats

from assay.errors import InputError, UsageError
from assay.stats.confidence_sequences import compare_sequence, confidence_sequence

TWELVE = [0.42, 0.10, 0.77, 0.55, 0.31, 0.66, 0.24, 0.91, 0.38, 0.15, 0.59, 0.48]
PUBLISHED = [
    (TWELVE * 4, {5: (0.101, 0.83275), 12: (0.24375, 0.71025), 24: (0.318, 0.623), 48: (0.364, 0.5675)}),
    ([1.0] * 24, {5: (0.314, 1.0), 12: (0.58125, 1.0), 24: (0.7505, 1.0)}),
    ([1.0, 1.0, 1.0, 0.0] * 10, {5: (0.19475, 1.0), 12: (0.3975, 1.0), 24: (0.498, 0.959), 40: (0.55175, 0.931)}),
]
"""By the authors' own program, confseq 0.0.11: betting_cs(x, alpha=0.05, breaks=4000, running_intersection=True), whose ends
are those of the means not refuted on a grid of 1/4000, moved outwards by 1/4000."""


@pytest.mark.parametrize(("values", "expected"), PUBLISHED)
def test_the_authors_program_says_the_same(values, expected) -> None:
    found = confidence_sequence(values)
    for t, (low, high) in expected.items():
        room = (high - low) / 200
        assert low - room <= found.low[t - 1] <= low + 1 / 4000
        assert high - 1 / 4000 <= found.high[t - 1] <= high + room


def test_two_values_by_hand() -> None:
    """(1 + p u)(1 + q u) = 40 with u = 1 - m, and the bets p and q before the first and the second of two ones."""
    p = sqrt(2 * log(40) / (0.25 * log(2)))
    q = sqrt(2 * log(40) / ((0.25 + 0.25**2) / 2 * 2 * log(3)))
    u = (-(p + q) + sqrt((p + q) ** 2 + 4 * p * q * 39)) / (2 * p * q)
    found = confidence_sequence([1.0, 1.0])
    assert found.low[0] == 0
    assert 1 - u - 1 / 1000 <= found.low[1] <= 1 - u
    assert found.high.tolist() == [1, 1]


def loop(values, m, alpha):
    """The two capitals, in the words of the paper."""
    above = below = 0.0
    capitals, total, spread = [], 0.5, 0.25
    for t, x in enumerate(values, 1):
        bet = sqrt(2 * log(2 / alpha) / (spread / t * t * log(1 + t)))
        above += log1p(min(bet, 0.5 / m) * (x - m))
        below += log1p(-min(bet, 0.5 / (1 - m)) * (x - m))
        total += x
        spread += (x - total / (t + 1)) ** 2
        capitals.append((above, below))
    return np.array(capitals)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_plain_loops_refute_what_is_left_out_and_nothing_much_inside(confidence) -> None:
    values = np.random.default_rng(4).beta(0.5, 3, 1500).round(3)
    found = confidence_sequence(values, confidence=confidence)
    alpha = 1 - confidence
    enough = log(2 / alpha)
    for t in (1, 7, 16, 17, 60, 300, 777, 1500):
        for side, ends, inwards in ((0, found.low, 1), (1, found.high, -1)):
            end = ends[t - 1]
            if 0 < end < 1:
                assert loop(values[:t], end, alpha)[:, side].max() >= enough
            since = int(np.argmax(ends == end))
            room = (found.high[since] - found.low[since]) / 200
            assert loop(values[:t], end + inwards * room, alpha)[:, side].max() < enough


def test_intervals_never_grow_and_hold_their_estimates() -> None:
    values = np.random.default_rng(5).random(700)
    found = confidence_sequence(values)
    assert (np.diff(found.low) >= 0).all()
    assert (np.diff(found.high) <= 0).all()
    assert ((found.low <= found.estimate) & (found.estimate <= found.high)).all()
    assert found.estimate[-1] == pytest.approx(values.mean())
    assert found.high[-1] - found.low[-1] < 0.2
    assert found.empty is None


def test_a_look_does_not_depend_on_what_comes_later() -> None:
    values = np.random.default_rng(6).random(400)
    early, late = confidence_sequence(values[:250]), confidence_sequence(values)
    assert late.low[:250] == pytest.approx(early.low, abs=1e-12)
    assert late.high[:250] == pytest.approx(early.high, abs=1e-12)


def test_turned_round_and_stretched() -> None:
    values = np.array(TWELVE * 5)
    plain, turned = confidence_sequence(values), confidence_sequence(1 - values)
    assert turned.low == pytest.approx(1 - plain.high, abs=1e-12)
    stretched = confidence_sequence(20 * values - 10, low=-10, high=10)
    assert stretched.low == pytest.approx(20 * plain.low - 10, abs=1e-9)
    assert stretched.high == pytest.approx(20 * plain.high - 10, abs=1e-9)


def test_more_confidence_wider_intervals() -> None:
    wide, narrow = confidence_sequence(TWELVE * 3, confidence=0.99), confidence_sequence(TWELVE * 3, confidence=0.8)
    assert (wide.low <= narrow.low).all()
    assert wide.high[-1] - wide.low[-1] > narrow.high[-1] - narrow.low[-1]


def test_values_without_one_mean_leave_none() -> None:
    found = confidence_sequence([0.0] * 100 + [1.0] * 400)
    assert 100 < found.empty < 500
    assert np.isnan(found.low[found.empty - 1 :]).all()
    assert np.isfinite(found.high[: found.empty - 1]).all()
    assert found.excludes(0.5) < 100
    data = found.to_dict()
    json.dumps(data, allow_nan=False)
    assert data["estimate"][-1] is None
    assert data["empty"] == found.empty


def test_two_runs_are_compared_by_their_differences() -> None:
    rng = np.random.default_rng(7)
    b = rng.random(300) * 0.6
    a = np.clip(b + rng.normal(0.2, 0.1, 300), 0, 1)
    found, other = compare_sequence(a, b), compare_sequence(b, a)
    expected = confidence_sequence(a - b, low=-1, high=1)
    assert found.difference.low.tolist() == expected.low.tolist()
    first = int(np.argmax(expected.low > 0)) + 1
    assert (found.first, found.higher) == (first, "a")
    assert found.difference.low[first - 2] <= 0 < found.difference.low[first - 1]
    assert (other.first, other.higher) == (first, "b")
    assert other.difference.high[first - 1] == pytest.approx(-found.difference.low[first - 1])
    same = compare_sequence(a, a)
    assert (same.first, same.higher) == (None, None)
    assert same.difference.estimate[-1] == 0
    json.dumps(same.to_dict(), allow_nan=False)
    percent = compare_sequence(100 * a, 100 * b, high=100)
    assert percent.first == first


KINDS = {
    "Bernoulli(.5)": (0.5, lambda rng, n: (rng.random(n) < 0.5) * 1.0),
    "Bernoulli(.9)": (0.9, lambda rng, n: (rng.random(n) < 0.9) * 1.0),
    "Bernoulli(.99)": (0.99, lambda rng, n: (rng.random(n) < 0.99) * 1.0),
    "Beta(2, 5)": (2 / 7, lambda rng, n: rng.beta(2, 5, n)),
    "uniform": (0.5, lambda rng, n: rng.random(n)),
}


@pytest.mark.slow
def test_peeking_after_every_value_errs_no_more_than_promised() -> None:
    looks, samples = 300, 60
    ours, naive = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)
    n = np.arange(1, looks + 1)
    for kind, (truth, draw) in KINDS.items():
        rng = np.random.default_rng(8)
        for _ in range(samples):
            x = draw(rng, looks)
            found = confidence_sequence(x)
            ours[kind] += found.excludes(truth) is not None or found.empty is not None
            mean = np.cumsum(x) / n
            error = np.sqrt(np.maximum(np.cumsum(x * x) / n - mean**2, 0) / np.maximum(n - 1, 1))
            naive[kind] += bool((np.abs(mean - truth) > stats.t.ppf(0.975, np.maximum(n - 1, 1)) * error)[9:].any())
    # Sixty samples of a rate of 5% have more than ten errors one time in a thousand; all 300 more than 28.
    assert max(ours.values()) <= 10
    assert sum(ours.values()) <= 28
    assert min(naive.values()) >= 0.2 * samples


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "values: expected a list of numbers, one at least"),
        ([[0.1, 0.2]], r"found shape \(1, 2\)"),
        ([0.5, 1.5], "values: number 2 is 1.5, outside of `low=0` to `high=1`"),
        ([0.5, float("nan")], "values: number 2 is nan"),
        (["x"], "values: expected a list of numbers"),
    ],
)
def test_values_that_cannot_be_used(values, message) -> None:
    with pytest.raises(InputError, match=message):
        confidence_sequence(values)


def test_choices_are_checked() -> None:
    with pytest.raises(UsageError, match="`confidence=95`: expected a number between 0 and 1"):
        confidence_sequence([0.5], confidence=95)
    with pytest.raises(UsageError, match=r"`low=1\.0`, `high=0\.0`: expected two numbers, the first below the second"):
        confidence_sequence([0.5], low=1.0, high=0.0)
    with pytest.raises(UsageError, match="`high='x'`: expected a number"):
        confidence_sequence([0.5], high="x")
    with pytest.raises(UsageError, match=r"`low=nan`, `high=1\.0`: expected two numbers"):
        confidence_sequence([0.5], low=float("nan"))
    with pytest.raises(InputError, match="a has 2 values, b has 1"):
        compare_sequence([0.5, 0.5], [0.5])
    with pytest.raises(InputError, match="b: number 1 is 2, outside"):
        compare_sequence([0.5], [2.0])
