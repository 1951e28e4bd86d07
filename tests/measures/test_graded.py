"""Measures of a ranking with grades, by hand."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.errors import UsageError
from assay.measures.views.ranked import RankedView

VIEW = RankedView.of([2, 0, 1, None, 1], unretrieved=[2])
"""Gains 2, 0, 1, -, 1; ideally 2, 2, 1, 1."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("G", (2 / log2(2 + 2 - 2) + 1 / log2(2 + 5 - 3) + 1 / log2(2 + 7 - 4)) / 6),
        ("RBP(p=0.5)", 0.5 * (1 + 0.25 / 2 + 0.0625 / 2)),
        ("RBPResid(p=0.5)", 0.5**5 + 0.5 * 0.5**3),
        ("ERR(max=2)", 3 / 4 + 1 / 3 * 1 / 4 * 1 / 4 + 1 / 5 * 1 / 4 * 3 / 4 * 1 / 4),
        ("ERR(max=2)@3", 3 / 4 + 1 / 3 * 1 / 4 * 1 / 4),
        ("Q", (3 / 3 + 5 / 8 + 7 / 11) / 4),
        ("Q@3", (3 / 3 + 5 / 8) / 3),
    ],
)
def test_by_hand(name, expected) -> None:
    assert assay.measure(name)(VIEW) == pytest.approx(expected, rel=1e-14)


def test_a_grade_beyond_the_scale_is_refused() -> None:
    with pytest.raises(assay.UsageError, match="write ERR\\(max=5\\)"):
        assay.measure("ERR")(RankedView.of([5]))


@pytest.mark.parametrize("name", ["G", "Q"])
def test_undefined_without_a_gain(name) -> None:
    assert assay.measure(name)(RankedView.of([0, -1, None])) is None
    assert assay.measure(name)(RankedView.of([0, -1, None], unretrieved=[1])) == 0


@given(st.lists(st.sampled_from([0, 1, 2, 3]), max_size=10), st.lists(st.sampled_from([1, 2, 3]), max_size=5))
def test_q_measure_is_1_only_for_the_ideal(ranking, unretrieved) -> None:
    view = RankedView.of(ranking, unretrieved)
    relevant = view.num_rel()
    if not relevant:
        return
    q = assay.measure("Q")(view)
    first = ranking[:relevant]
    ideal = not any(g > 0 for g in unretrieved) and first == sorted(first, reverse=True) and len(first) == relevant
    assert (q == pytest.approx(1.0, abs=1e-12)) == (ideal and min(first) > 0)
    if len(ranking) < relevant:
        assert q <= len(ranking) / relevant + 1e-12


def test_rbp_by_hand() -> None:
    view = RankedView.of([2, 1, 0, 1], unretrieved=[2])
    assert assay.measure("RBP(p=0.5,rel=1)")(view) == 0.5 * (1 + 0.5 + 0.125)
    assert assay.measure("RBP(p=0.5,rel=2)")(view) == 0.5
    assert assay.measure("RBP(p=0.5)")(view) == 0.5 * (1 + 0.5 * 0.5 + 0.5 * 0.125)
    assert assay.measure("RBP(p=0.5,rel=1)@2")(view) == 0.75
    assert assay.measure("RBP(p=0.5,gains=0:2,1:2,2:2)")(view) == 0.5 * (1 + 0.5 + 0.25 + 0.125)
    huge = RankedView.of([999999999, 1])
    assert assay.measure("RBP(p=0.5)")(huge) == pytest.approx(0.5)


def test_q_weighs_gains_by_beta() -> None:
    """Gain 2 at rank 2 of an ideal 2, 1: (2β + 1)/(3β + 2) over the two relevant documents; β = 0 is AP."""
    view = RankedView.of([0, 2], unretrieved=[1])
    assert assay.measure("Q(beta=2)")(view) == (4 + 1) / (6 + 2) / 2
    assert assay.measure("Q(beta=0)")(view) == assay.measure("AP")(view)


def value(name: str, ranking, unretrieved=()) -> float | None:
    return assay.measure(name)(RankedView.of(ranking, unretrieved))


def test_compatibility_by_hand() -> None:
    # Ideal: the 2 at rank 3, then the 1 at rank 1, then the 1 not retrieved. Shared: 0 of 1, 1 of 2, 2 of 3; at most 1, 2, 3.
    weights = (1, 0.5, 0.25)
    shared = weights[1] * 1 / 2 + weights[2] * 2 / 3
    assert value("Compat(p=0.5)", [1, 0, 2], [1]) == pytest.approx(shared / sum(weights))
    assert value("Compat(p=0.5,normalize=False)", [1, 0, 2], [1]) == pytest.approx(shared / sum(weights))


def test_an_ideal_shorter_than_the_list() -> None:
    # One relevant document, first: shared 1 of 1, 1 of 2, 1 of 3, and no ranking shares more.
    assert value("Compat(p=0.5)", [1, 0, 0]) == pytest.approx(1.0)
    most = (1 + 0.5 / 2 + 0.25 / 3) / 1.75
    assert value("Compat(p=0.5,normalize=False)", [1, 0, 0]) == pytest.approx(most)


def test_the_run_s_own_order_within_a_grade_is_ideal() -> None:
    assert value("Compat", [2, 2, 1, 1]) == pytest.approx(1.0)
    assert value("Compat", [1, 2]) < 1.0


def test_two_of_a_grade_take_two_places_of_the_ideal() -> None:
    # Ideal: the 2, then both 1s: shared 0 of 1, 1 of 2 (the first 1), 3 of 3.
    assert value("Compat(p=0.5)", [1, 1, 2]) == pytest.approx((0.5 / 2 + 0.25) / 1.75)


def test_an_ideal_longer_than_the_list() -> None:
    # Shared 1 of 1 and 1 of 2, where an ideal list would share 2 of 2.
    assert value("Compat(p=0.5)", [1], [1]) == pytest.approx((1 + 0.5 / 2) / (1 + 0.5))


def test_undefined_where_nothing_is_relevant() -> None:
    assert value("Compat", [0, None], [-1]) is None
    assert value("Compat", [0], [1]) == value("Compat", [], [1]) == 0.0


def test_normalize_is_true_or_false() -> None:
    with pytest.raises(UsageError, match="True or False"):
        assay.measure("Compat(normalize=maybe)")
