"""nDCG and its relatives, by hand."""

from __future__ import annotations

from math import log2

import pytest

import assay
from assay.measures.ndcg import dcg_burges, ndcg_burges
from assay.measures.views.ranked import RankedView

VIEW = RankedView.of([2, 0, 1, None, 1], unretrieved=[2])
"""Gains 2, 0, 1, -, 1; ideally 2, 2, 1, 1."""
DCG = 2 + 1 / 2 + 1 / log2(6)
IDEAL_2, IDEAL_3, IDEAL = 2 + 2 / log2(3), 2 + 2 / log2(3) + 1 / 2, 2 + 2 / log2(3) + 1 / 2 + 1 / log2(5)
SKEWED = RankedView.of([1, None, 3], unretrieved=[2])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("DCG", DCG),
        ("DCG@3", 2 + 1 / 2),
        ("DCG(gains=1:10)@3", 2 + 10 / 2),
        ("DCG(dcg=exp-log2)@3", 3 + 1 / 2),
        ("IDCG", IDEAL),
        ("IDCG@2", IDEAL_2),
        ("nDCG", DCG / IDEAL),
        ("nDCG@3", 2.5 / IDEAL_3),
        ("nDCG(dcg=exp-log2)", (3 + 1 / 2 + 1 / log2(6)) / (3 + 3 / log2(3) + 1 / 2 + 1 / log2(5))),
        ("binary_nDCG", (1 + 1 / 2 + 1 / log2(6)) / (1 + 1 / log2(3) + 1 / 2 + 1 / log2(5))),
        ("binary_nDCG(rel=2)@1", 1),
        ("binary_nDCG@3", (1 + 1 / 2) / (1 + 1 / log2(3) + 1 / 2)),
        ("nDCGrel", (1 + 2.5 / IDEAL_3 + DCG / IDEAL + DCG / IDEAL) / 4),
        ("Rndcg", (2 / IDEAL_2 + 2.5 / IDEAL) / 2),  # the ideal gain changes after ranks 2 and 4
    ],
)
def test_by_hand(name, expected) -> None:
    assert assay.measure(name)(VIEW) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("name", ["nDCG", "binary_nDCG", "nDCGrel", "Rndcg"])
def test_undefined_without_a_gain(name) -> None:
    assert assay.measure(name)(RankedView.of([0, -1, None])) is None
    assert assay.measure(name)(RankedView.of([0, -1, None], unretrieved=[1])) == 0


def test_a_gain_beyond_any_number_is_refused() -> None:
    with pytest.raises(assay.UsageError, match="overflows"):
        assay.measure("nDCG(dcg=exp-log2)")(RankedView.of([1100]))


def test_a_grade_is_worth_a_power_of_two() -> None:
    assert dcg_burges(SKEWED) == 1 + 7 / 2
    assert dcg_burges(SKEWED, cut=2) == 1
    assert ndcg_burges(SKEWED) == pytest.approx((1 + 7 / 2) / (7 + 3 / log2(3) + 1 / 2))
    assert ndcg_burges(SKEWED, cut=1) == pytest.approx(1 / 7)
    assert ndcg_burges(RankedView.of([0])) is None


@pytest.mark.parametrize("cut", ["", "@1", "@3"])
def test_it_is_what_ndcg_says_with_that_gain(cut) -> None:
    assert assay.measure(f"ndcg_burges{cut}")(SKEWED) == assay.measure(f"nDCG(dcg=exp-log2){cut}")(SKEWED)
    assert assay.measure(f"dcg_burges{cut}")(SKEWED) == assay.measure(f"DCG(dcg=exp-log2){cut}")(SKEWED)
