"""Measures of filtering, by hand on small topics and by their ranges on all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.measures.filtering import (
    SetView,
    linear_utility,
    set_precision,
    set_recall,
    t10f,
    t10su,
    t10u,
    t11su,
    zero_returns,
)
from assay.measures.registry import find


def topic(hits: int, missed: int, false: int) -> SetView:
    return SetView(hits, hits + missed, hits + false)


topics = st.builds(topic, st.integers(0, 300), st.integers(0, 300), st.integers(0, 900))


@pytest.mark.parametrize(
    ("hits", "missed", "false", "f", "u"),
    [
        (0, 0, 0, 0, 0),
        (0, 9, 0, 0, 0),
        (0, 0, 3, 0, -3),
        (0, 9, 3, 0, -3),
        (2, 0, 0, 1, 4),
        (2, 2, 1, 2.5 / 4, 3),  # 1.25·2/(.25·2 + 1 + 1.25·2)
        (1, 4, 4, 1.25 / 6.25, -2),
        (10, 30, 5, 12.5 / 25, 15),
    ],
)
def test_t10f_and_t10u_by_hand(hits: int, missed: int, false: int, f: float, u: int):
    view = topic(hits, missed, false)
    assert t10f(view) == pytest.approx(f, abs=1e-15)
    assert t10u(view) == u


@given(topics)
def test_t10f_is_the_formula_of_the_track(view: SetView):
    if view.hits == view.false == 0:
        assert t10f(view) == 0
    else:
        assert t10f(view) == pytest.approx(1.25 * view.hits / (0.25 * view.missed + view.false + 1.25 * view.hits))


@given(topics)
def test_t10f_is_f_with_beta_one_half(view: SetView):
    precision, recall = set_precision(view), set_recall(view) or 0.0
    expected = 1.25 * precision * recall / (0.25 * precision + recall) if precision else 0.0
    assert t10f(view) == pytest.approx(expected)


def test_both_ends_of_the_scale_of_t10su():
    assert t10su(topic(50, 0, 0)) == 1.0  # 2R: all that is relevant and nothing else
    assert t10su(topic(0, 50, 100)) == 0.0  # exactly MinU
    assert t10su(topic(0, 50, 101)) == t10su(topic(0, 50, 5000)) == 0.0  # not below it
    assert t10su(topic(0, 50, 99)) == 1 / 200
    assert t10su(topic(0, 0, 0)) == 1.0  # nothing to find, nothing retrieved: (0 + 100)/(0 + 100)
    assert t10su(topic(10, 40, 5), min=-50.0) == (15 + 50) / (100 + 50)


def test_t11su_by_hand():
    assert t11su(topic(4, 0, 0)) == 1.0
    assert t11su(topic(0, 4, 0)) == 0.5 / 1.5
    assert t11su(topic(0, 4, 4)) == 0.0  # -4/8 is MinNU
    assert t11su(topic(0, 4, 400)) == 0.0
    assert t11su(topic(2, 2, 2)) == pytest.approx((2 / 8 + 0.5) / 1.5)
    assert t11su(topic(0, 0, 7)) is None


@given(topics)
def test_scaled_utilities_stay_on_their_scale(view: SetView):
    assert 0 <= t10su(view) <= 1
    scaled = t11su(view)
    assert scaled is None or 0 <= scaled <= 1


@given(topics, st.integers(0, 9), st.integers(0, 9))
def test_any_linear_utility(view: SetView, a: int, b: int):
    assert linear_utility(view, a, b) == a * view.hits - b * view.false
    assert find("U(a=2,b=1)", "filtering")(view) == t10u(view)
    assert find("U", "filtering")(view) == t10u(view)


def test_an_empty_set_has_precision_0_and_is_counted():
    assert set_precision(topic(0, 4, 0)) == 0.0
    assert zero_returns(topic(0, 4, 0)) == 1
    assert zero_returns(topic(0, 4, 1)) == 0


def test_recall_without_relevant_documents_is_undefined():
    assert set_recall(topic(0, 0, 3)) is None


def test_a_minimum_of_0_is_refused():
    with pytest.raises(Exception, match="below 0"):
        find("T10SU(min=0)", "filtering")


def test_counts_by_hand():
    view = topic(4, 3, 2)
    counts = {"NumRet": 6, "NumRelRet": 4, "NumRel": 7, "SetP": 4 / 6, "SetR": 4 / 7}
    assert {name: find(name, "filtering")(view) for name in counts} == counts
