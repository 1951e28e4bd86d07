"""Measures averaged over judgment groups, by hand."""

from __future__ import annotations

import pytest

from assay.measures import judgment_groups as measures
from assay.measures.preference_views import JudgmentGroupView


def test_judgment_groups_by_hand():
    """Relevant for one judge at ranks 1 and 4 (R = 3), for the other at rank 2 (R = 1)."""
    judges = [{"a": 1, "b": 0, "d": 2, "gone": 1}, {"b": 1, "c": -1}]
    view = JudgmentGroupView(judges, {"a": 1, "b": 2, "c": 3, "d": 4}, num_ret=10)
    assert measures.average_precision_over_groups(view) == pytest.approx(((1 / 1 + 2 / 4) / 3 + 1 / 2) / 2)
    assert measures.precision_over_groups(view, cut=2) == (1 / 2 + 1 / 2) / 2
    assert measures.precision_over_groups(view, cut=20) == pytest.approx((2 / 20 + 1 / 20) / 2)
    # ⌊1·3 + .9⌋ = 3 documents hold 1; ⌊1·1 + .9⌋ = 1 holds none.
    assert measures.r_precision_multiple_over_groups(view, multiple=1.0) == pytest.approx((1 / 3 + 0) / 2)
    # ⌊.05·3 + .9⌋ = 1 holds 1; ⌊.05·1 + .9⌋ = 0 documents.
    assert measures.r_precision_multiple_over_groups(view, multiple=0.05) == (1 / 1 + 0) / 2


def test_a_judge_who_found_nothing_counts_as_zero():
    view = JudgmentGroupView([{"a": 0}, {"a": 1}], {"a": 1}, num_ret=1)
    assert measures.average_precision_over_groups(view) == 0.5
    assert measures.r_precision_multiple_over_groups(view, multiple=2.0) == 0.25
    nobody = JudgmentGroupView([{"a": 0}, {"a": -1}], {"a": 1}, num_ret=1)
    assert measures.average_precision_over_groups(nobody) is None
    assert measures.r_precision_multiple_over_groups(nobody, multiple=2.0) is None
    assert measures.precision_over_groups(nobody, cut=1) == 0.0
