"""The scores of sentence-transformers under its names: its evaluator's own method on made results, without a model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentence_transformers_scores import scores_of

import assay

pytestmark = pytest.mark.peer

NAMES = ("cosine_accuracy", "cosine_precision", "cosine_recall", "cosine_mrr", "cosine_ndcg", "cosine_map")


documents = st.integers(0, 19).map("d{}".format)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sets(documents, min_size=1), st.permutations(range(20))), min_size=1, max_size=4))
def test_every_score_under_its_own_name(queries) -> None:
    cuts = [1, 3, 10]
    relevant = {f"q{number}": found for number, (found, _) in enumerate(queries)}
    results = {
        f"q{number}": {f"d{d}": -float(place) for place, d in enumerate(order)}
        for number, (_, order) in enumerate(queries)
    }
    theirs = scores_of(relevant, results, cuts)
    names = [f"{name}@{cut}" for name in NAMES for cut in cuts]
    assert {*theirs} == {*names}
    gold = {query: dict.fromkeys(found, 1) for query, found in relevant.items()}
    ours = assay.evaluate(gold, {"r": results}, names)
    for name in names:
        assert ours[name]["r"] == pytest.approx(theirs[name], abs=1e-12), name


def test_where_names_would_mislead() -> None:
    """Three relevant documents of which the first two are found first: AP@2 divides by 3, its map@2 by 2."""
    gold, run = {"q": {"a": 1, "b": 2, "c": 1}}, {"q": {"a": 3.0, "b": 2.0, "x": 1.0}}
    theirs = scores_of({"q": {"a", "b", "c"}}, run, [2])
    ours = assay.evaluate(gold, {"r": run}, ["AP@2", "nDCG@2", "cosine_map@2", "cosine_ndcg@2"])
    assert (theirs["cosine_map@2"], theirs["cosine_ndcg@2"]) == (1.0, 1.0)
    assert (ours["cosine_map@2"]["r"], ours["cosine_ndcg@2"]["r"]) == (1.0, 1.0)
    assert ours["AP@2"]["r"] == pytest.approx(2 / 3)
    assert ours["nDCG@2"]["r"] == pytest.approx((1 + 2 / np.log2(3)) / (2 + 1 / np.log2(3)))
