"""Measures of a ranking with grades, by hand."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
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
