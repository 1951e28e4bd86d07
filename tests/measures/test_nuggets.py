"""Measures of nuggets, by hand."""

from __future__ import annotations

import pytest

from assay.errors import UsageError
from assay.measures.nuggets import NuggetView, nugget_f, nugget_precision, nugget_recall, pyramid_f, pyramid_recall
from assay.measures.registry import find


def test_nugget_f_by_hand():
    # 3 vital of which 2 returned, and 1 okay one: allowance 300; 450 non-white characters.
    view = NuggetView(vital=["1", "2", "3"], returned=["1", "2", "9"], length=450)
    assert nugget_recall(view) == 2 / 3
    assert nugget_precision(view) == 300 / 450
    p = r = 2 / 3
    assert nugget_f(view) == pytest.approx(10 * p * r / (9 * p + r))
    short = NuggetView(vital=["1", "2"], returned=["1"], length=100)
    assert nugget_precision(short) == 1.0
    assert nugget_f(short) == pytest.approx(10 * 0.5 / (9 + 0.5))  # β = 3
    assert nugget_f(short, beta=5.0) == pytest.approx(26 * 0.5 / (25 + 0.5))  # TREC 2003
    assert find("F(beta=5)", "nuggets")(short) == nugget_f(short, beta=5.0)


def test_one_character_too_many():
    assert nugget_precision(NuggetView([], ["1"], 100)) == 1.0
    assert nugget_precision(NuggetView([], ["1"], 101)) == 100 / 101


def test_saying_nothing_is_not_precise():
    """A question left out counts 0 in every measure, and so does an answer of no length."""
    assert nugget_precision(NuggetView(["1"], [], 0)) == 0.0


def test_nuggets_at_the_edges():
    assert nugget_f(NuggetView(vital=[], returned=["1"], length=10)) is None
    assert nugget_f(NuggetView(vital=["1"], returned=[], length=0)) == 0
    assert nugget_f(NuggetView(vital=["1"], returned=[], length=50)) == 0  # allowance 0: precision 0 too


def test_pyramid_by_hand():
    # Votes 5, 3, 1, 1: weights 1, .6, .2, .2, in all 2. The second and the third returned: .8 of 2.
    votes = {"a": 5, "b": 3, "c": 1, "d": 1}
    view = NuggetView(vital=["a"], returned=["b", "c"], length=400, votes=votes)
    assert pyramid_recall(view) == pytest.approx((0.6 + 0.2) / 2)
    assert pyramid_f(view) == pytest.approx(10 * 0.5 * 0.4 / (9 * 0.5 + 0.4))
    assert pyramid_recall(NuggetView(["a"], ["a"], 10)) is None
    assert pyramid_f(NuggetView(["a"], ["a"], 10, votes={"a": 0})) is None


@pytest.mark.parametrize("name", ["NuggetF", "PyramidF"])
@pytest.mark.parametrize("beta", ["-1", "1e6"])
def test_a_beta_that_has_no_meaning(name: str, beta: str):
    with pytest.raises(UsageError, match="expected a number from 0 to 1000"):
        find(f"{name}(beta={beta})", "nuggets")
