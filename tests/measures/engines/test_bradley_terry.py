"""Strengths from battles, by hand, against a plain search, and where there are none."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.formats.answers.battles import Battle
from assay.measures.engines.bradley_terry import Fought, Paired, strengths, why_undefined


def fought(*results: tuple[str, str, float]) -> list[tuple[Battle, ...]]:
    return [(Battle(str(i), a, b, won),) for i, (a, b, won) in enumerate(results)]


def test_two_systems_are_as_far_apart_as_their_odds():
    """3 of 4: the odds are 3, and the strengths ± ln(3)/2."""
    found = strengths(fought(*[("x", "y", 1)] * 3, ("x", "y", 0)))
    assert found == pytest.approx({"x": log(3) / 2, "y": -log(3) / 2})


def test_the_side_does_not_matter():
    one, other = (
        fought(("x", "y", 1), ("x", "y", 0), ("x", "y", 1)),
        fought(("y", "x", 0), ("y", "x", 1), ("x", "y", 1)),
    )
    assert strengths(one) == pytest.approx(strengths(other))


def test_a_chain_adds_up_its_odds():
    """x beats y 2:1 and y beats z 2:1: x and z never met, and are 2 ln 2 apart."""
    found = strengths(fought(("x", "y", 1), ("x", "y", 1), ("x", "y", 0), ("y", "z", 1), ("y", "z", 1), ("y", "z", 0)))
    assert found["x"] - found["z"] == pytest.approx(2 * log(2))
    assert sum(found.values()) == pytest.approx(0, abs=1e-9)


def test_elo_is_another_scale():
    found = strengths(fought(*[("x", "y", 1)] * 10, ("x", "y", 0)), scale="elo")
    assert found["x"] - found["y"] == pytest.approx(400)
    assert found["x"] + found["y"] == pytest.approx(2000)


RESULTS = st.lists(
    st.tuples(st.sampled_from("wxyz"), st.sampled_from("wxyz"), st.sampled_from([0.0, 0.5, 1.0])).filter(lambda r: r[0] != r[1]),
    min_size=1, max_size=25,
)  # fmt: skip


def likelihood(results, beta, nu=None) -> float:
    total = 0.0
    for a, b, won in results:
        up, down = exp(beta[a]), exp(beta[b])
        tie = 0.0 if nu is None else nu * (up * down) ** 0.5
        whole = up + down + tie
        if nu is not None and won == 0.5:
            total += log(tie / whole)
        else:
            total += won * log(up / whole) + (1 - won) * log(down / whole)
    return total


@settings(max_examples=60)
@given(RESULTS, st.randoms(use_true_random=False))
def test_no_other_strengths_are_more_likely(results, random):
    """Where there is a maximum, moving anybody makes the battles less likely; where there is none, that is said."""
    found = strengths(fought(*results))
    assert bool(found) == (why_undefined(fought(*results)) == "")
    if found:
        best = likelihood(results, found)
        for _ in range(5):
            moved = {name: beta + random.uniform(-0.3, 0.3) for name, beta in found.items()}
            assert likelihood(results, moved) <= best + 1e-9


@settings(max_examples=60)
@given(RESULTS, st.randoms(use_true_random=False))
def test_no_other_strengths_are_more_likely_with_ties_of_their_own(results, random):
    found = strengths(fought(*results), ties=True)
    tied = sum(won == 0.5 for *_, won in results)
    if not found:
        return
    # ν by search: how often ties occur does not tell who is stronger.
    scales = [0.0] if not tied else np.linspace(-6, 6, 61)
    best = max(likelihood(results, found, exp(scale) if tied else 0.0) for scale in scales)
    for _ in range(5):
        moved = {name: beta + random.uniform(-0.3, 0.3) for name, beta in found.items()}
        there = max(likelihood(results, moved, exp(scale) if tied else 0.0) for scale in scales)
        assert there <= best + 5e-2


@pytest.mark.parametrize(
    ("results", "there"),
    [
        ([("x", "y", 0.5), ("x", "y", 1)], False),
        ([("x", "y", 0.5)] * 3, False),
        ([("x", "y", 0.5), ("x", "y", 1), ("y", "x", 1)], True),
        ([("x", "y", 1), ("y", "z", 1), ("z", "x", 0.5)], True),
        ([("x", "y", 1), ("y", "z", 0.5), ("z", "x", 0.5)], False),
    ],
)
def test_ties_of_their_own_need_a_circle_with_more_wins_than_ties(results, there):
    """A win and a tie of two: as likely as one likes, with a ν that grows for ever. Two wins and a tie in a circle hold it."""
    assert bool(strengths(fought(*results), ties=True)) == there


@pytest.mark.parametrize(
    ("results", "problem"),
    [
        ([("x", "y", 1)], "x never lost to, or tied with, another system. Fix: exclude it, or add battles."),
        ([("x", "y", 1), ("x", "z", 1), ("y", "z", 1), ("z", "y", 1)], "x never lost to, or tied with, another system"),
        ([("x", "y", 1), ("y", "x", 1), ("x", "z", 1), ("y", "z", 1)], "z never won or tied against x, y"),
        ([("x", "y", 0.5), ("v", "w", 0.5)], "the battles are not connected: x, y never met v, w"),
        ([], "there are no battles"),
    ],
)
def test_where_there_are_none_it_says_why(results, problem):
    assert why_undefined(fought(*results)).startswith(problem)
    assert strengths(fought(*results)) == {}


def test_a_tie_or_an_unsure_judge_connects():
    assert why_undefined(fought(("x", "y", 1), ("x", "y", 0.5))) == ""
    assert strengths(fought(("x", "y", 0.999)))["x"] == pytest.approx(log(999) / 2)


def test_weights_are_as_if_questions_were_repeated():
    results = [("x", "y", 1), ("x", "y", 0), ("y", "z", 1), ("z", "x", 0.5)]
    weighed = Paired(fought(*results))([3, 2, 1, 4])
    repeated = fought(*[results[0]] * 3, *[results[1]] * 2, results[2], *[results[3]] * 4)
    assert weighed == pytest.approx(strengths(repeated))


def test_what_was_fitted_is_remembered():
    kept = Fought(fought(("x", "y", 1), ("x", "y", 0)))
    assert strengths(kept) is strengths(kept)
    assert strengths(kept, scale="elo") is not strengths(kept)
