"""Learn then Test: the tests by hand, and the guarantee against systems whose risk is known."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from assay.stats.risk_control import GRID, STARTS, fewest_answers, ladder


def test_thresholds_are_fixed_and_fall() -> None:
    assert list(GRID) == sorted(set(GRID), reverse=True)
    assert {0.0, 0.001, 0.5, 0.99, 0.999, 0.9999, 1.0, *STARTS, *(i / 100 for i in range(101))} <= set(GRID)


def test_p_values_are_binomial_tails() -> None:
    steps = ladder([1] * 9 + [0] + [1] * 20, [0.97] * 10 + [0.6] * 20, 0.2, 0.1)
    by = {step.threshold: step for step in steps}
    assert 0.98 not in by, "nobody is so sure"
    assert (by[0.97].answers, by[0.97].wrong) == (10, 1)
    assert by[0.97].p == pytest.approx(0.8**10 + 10 * 0.2 * 0.8**9)
    assert by[0.6].p == pytest.approx(sum(comb(30, w) * 0.2**w * 0.8 ** (30 - w) for w in (0, 1)))


def test_levels_begin_at_the_starts_and_are_carried_on() -> None:
    """200 right answers at 0.92, 1,000 wrong ones at 0.5: refused from 0.92 on, where no level has begun, to 0.51."""
    steps = {step.threshold: step for step in ladder([1] * 200 + [0] * 1000, [0.92] * 200 + [0.5] * 1000, 0.1, 0.1)}
    assert steps[0.92].level == 0
    assert not steps[0.92].promised
    assert [steps[t].level for t in (0.9, 0.89, 0.71, 0.7, 0.51, 0.5)] == pytest.approx(
        [0.02, 0.02, 0.02, 0.04, 0.04, 0.04]
    )
    assert [steps[t].promised for t in (0.9, 0.51, 0.5, 0.4)] == [True, True, False, False]
    assert steps[0.49].level == 0, "a hypothesis that stands passes nothing on"
    assert steps[0.4].level == pytest.approx(0.02)


def kept(right, risk: float, n: int, draws: int, seed: int) -> tuple[float, float]:
    """How often nothing was promised that is not so, and how often something was; confidences are even on [0, 1]."""
    random = np.random.default_rng(seed)
    grid = (np.arange(100_000) + 0.5) / 100_000
    wrong = np.cumsum((1 - right(grid))[::-1])[::-1]
    broken = promised = 0
    for _ in range(draws):
        stated = random.random(n)
        correct = (random.random(n) < right(stated)).astype(int)
        found = [step.threshold for step in ladder(correct, stated, risk, 0.1) if step.promised]
        if found:
            promised += 1
            at = min(int(min(found) * len(grid)), len(grid) - 1)
            broken += wrong[at] / (len(grid) - at) > risk
    return 1 - broken / draws, promised / draws


@pytest.mark.parametrize("seed", [1, 2])
def test_the_promise_is_kept_and_is_one(seed) -> None:
    """Right with the fourth root of what is stated: the risk of all is 0.2, of the surest half 0.073. Less three standard
    errors of 250 draws."""
    held, promised = kept(lambda p: p**0.25, 0.1, 600, 250, seed)
    assert held >= 0.9 - 3 * np.sqrt(0.09 / 250)
    assert promised > 0.8


def test_the_promise_is_kept_where_every_one_would_be_broken() -> None:
    """At a risk just above the one promised, whatever was stated, a promise is broken whenever it is made: the worst case."""
    held, promised = kept(lambda p: 0 * p + 0.899, 0.1, 600, 400, 3)
    assert held == pytest.approx(1 - promised)
    assert held >= 0.9 - 3 * np.sqrt(0.09 / 400)
    assert promised > 0.01, "or the level is not used"


def test_the_promise_is_kept_where_the_surest_are_wrong() -> None:
    """Risk falls as confidence does: nothing is assumed of it."""
    held, _ = kept(lambda p: np.where(p > 0.95, 0.5, 0.95), 0.075, 800, 250, 4)
    assert held >= 0.9 - 3 * np.sqrt(0.09 / 250)


def test_without_a_level_nothing_is_promised_however_small_p_is() -> None:
    """2,000 right answers at 0.3: 0.5²⁰⁰⁰ is less than any number that can be written, but no level has come so far."""
    [*_, last] = ladder([1] * 2000, [0.3] * 2000, 0.5, 0.1)
    assert (last.p, last.level, last.promised) == (0.0, 0.0, False)


def test_fewest_answers_without_an_error() -> None:
    assert fewest_answers(0.05, 0.1) == 77
