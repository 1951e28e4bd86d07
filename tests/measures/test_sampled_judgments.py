"""Measures of a sampled pool by hand; tests/tasks/test_sampled.py holds them against the scripts that define them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.measures.ranked import average_precision
from assay.measures.sampled_judgments import (
    SampledView,
    extended_inferred_ap,
    inferred_ndcg,
    inferred_precision,
    inferred_relevant,
    stat_ap,
)
from assay.measures.views.ranked import RankedView


def test_a_document_stands_for_one_over_its_probability():
    view = SampledView.of([(1, None, 0.5), (0, None, 0.5), (1, None, 0.25)], unretrieved=[(1, None, 1.0)])
    assert inferred_relevant(view) == 7.0  # 2 + 4 + 1
    assert stat_ap(view) == pytest.approx((1 / 1 * 2 + (1 + 2) / 3 * 4) / 7)


def test_nothing_relevant_drawn_is_undefined():
    view = SampledView.of([(0, "1", 1.0), (-1, "1", None)])
    assert stat_ap(view) is None
    assert extended_inferred_ap(view) is None
    assert inferred_ndcg(view) is None
    assert inferred_relevant(view) == 0


def test_inferred_precision_of_a_stratum_half_drawn():
    # Of stratum 2, four in the ranking, two drawn, one of them relevant: two of four.
    ranking = [(1, "2", 0.5), (-1, "2", None), (0, "2", 0.5), (-1, "2", None), None]
    assert inferred_precision(SampledView.of(ranking), cut=5) == pytest.approx(2 / 5, abs=1e-5)
    assert inferred_precision(SampledView.of(ranking), cut=10) == pytest.approx(2 / 10, abs=1e-5)


@given(st.lists(st.sampled_from([None, 0, 1]), max_size=12), st.lists(st.sampled_from([0, 1]), max_size=4))
def test_with_every_document_drawn_stat_ap_is_ap(ranking, rest):
    ranked = RankedView.of(ranking, unretrieved=rest)
    sampled = SampledView.of([None if g is None else (g, "1", 1.0) for g in ranking], [(g, "1", 1.0) for g in rest])
    exact = average_precision(ranked)
    assert stat_ap(sampled) == (None if exact is None else pytest.approx(exact))
