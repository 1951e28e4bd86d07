"""Scores somebody else computed: they have policies, and nothing to evaluate."""

from __future__ import annotations

import pytest

import assay
from assay.tasks import get


def test_holes_are_left_out_by_default() -> None:
    scores = assay.scores([[0.5, 0.25], [1.0, None]], runs=["a", "b"], measure="AP")
    assert scores["AP"] == {"a": 0.75, "b": 0.25}
    assert get("scores").settings().as_dict() == {
        "missing": "skip",
        "undefined": "skip",
        "seed": 0,
        "higher_is_better": {},
    }


def test_there_is_nothing_to_evaluate() -> None:
    with pytest.raises(assay.UsageError, match=r"scores cannot be evaluated\. Fix: use `assay\.read_scores`"):
        assay.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, task="scores")
