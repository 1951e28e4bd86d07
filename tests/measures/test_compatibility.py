"""Compatibility by hand; against ir_measures, and its given values, in tests/peers/measures."""

from __future__ import annotations

import pytest

import assay
from assay.errors import UsageError
from assay.measures.views.ranked import RankedView


def value(name: str, ranking, unretrieved=()) -> float | None:
    return assay.measure(name)(RankedView.of(ranking, unretrieved))


def test_by_hand() -> None:
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
