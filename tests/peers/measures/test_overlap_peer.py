"""Rank-biased overlap of lists of any length, against the package `rbo`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.rank_overlap import all_overlaps
from peers import peer

pytestmark = pytest.mark.peer
rbo = peer("rbo")

LISTS = st.lists(st.sampled_from("abcdefghij"), unique=True, min_size=1, max_size=10)


@given(LISTS, LISTS, st.sampled_from([0.3, 0.5, 0.8, 0.9, 0.98]))
def test_extrapolated(first, second, p):
    expected = rbo.RankingSimilarity(first, second).rbo_ext(p=p)
    assert all_overlaps([first, second], p).rbo[0] == pytest.approx(expected, abs=1e-12)
