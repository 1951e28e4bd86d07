"""Exponential gains under ranx's names, by hand; tests/peers/measures/test_ranx_peer.py holds them against ranx."""

from __future__ import annotations

from math import log2

import pytest

import assay
from assay.measures.burges import dcg_burges, ndcg_burges
from assay.measures.views.ranked import RankedView

VIEW = RankedView.of([1, None, 3], unretrieved=[2])


def test_a_grade_is_worth_a_power_of_two() -> None:
    assert dcg_burges(VIEW) == 1 + 7 / 2
    assert dcg_burges(VIEW, cut=2) == 1
    assert ndcg_burges(VIEW) == pytest.approx((1 + 7 / 2) / (7 + 3 / log2(3) + 1 / 2))
    assert ndcg_burges(VIEW, cut=1) == pytest.approx(1 / 7)
    assert ndcg_burges(RankedView.of([0])) is None


@pytest.mark.parametrize("cut", ["", "@1", "@3"])
def test_it_is_what_ndcg_says_with_that_gain(cut) -> None:
    assert assay.measure(f"ndcg_burges{cut}")(VIEW) == assay.measure(f"nDCG(dcg=exp-log2){cut}")(VIEW)
    assert assay.measure(f"dcg_burges{cut}")(VIEW) == assay.measure(f"DCG(dcg=exp-log2){cut}")(VIEW)
