"""Measures of rankings against scikit-learn, which is given a score for every judged document of a query, without ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.measures.views.ranked import RankedView
from peers import peer

pytestmark = pytest.mark.peer

metrics = peer("sklearn.metrics")
grades = st.lists(st.sampled_from([0, 0, 1, 2, 3]), min_size=2, max_size=15)


def scores_of(ranking) -> list[float]:
    return [float(-place) for place in range(len(ranking))]


def value(name: str, ranking) -> float | None:
    return assay.measure(name)(RankedView.of(ranking))


@settings(max_examples=100, deadline=None)
@given(grades, st.sampled_from([1, 3, 10]))
def test_graded_measures(ranking, cut) -> None:
    assert value(f"DCG@{cut}", ranking) == pytest.approx(metrics.dcg_score([ranking], [scores_of(ranking)], k=cut))
    ours = value(f"nDCG@{cut}", ranking)
    assert (0 if ours is None else ours) == pytest.approx(metrics.ndcg_score([ranking], [scores_of(ranking)], k=cut))


@settings(max_examples=100, deadline=None)
@given(st.lists(grades, min_size=1, max_size=4))
def test_measures_of_labels(rankings) -> None:
    """Several queries of one length, as multilabel samples; a sample of one class is 1 in both of theirs, and has no ranking."""
    length = min(map(len, rankings))
    relevant = [[int(grade > 0) for grade in ranking[:length]] for ranking in rankings]
    mixed = [ranking for ranking in relevant if 0 < sum(ranking) < length]
    if not mixed:
        return
    scores = [scores_of(ranking) for ranking in mixed]
    ap = [value("AP", ranking) for ranking in mixed]
    assert np.mean(ap) == pytest.approx(metrics.label_ranking_average_precision_score(mixed, scores))
    assert ap[0] == pytest.approx(metrics.average_precision_score(mixed[0], scores[0]))
    wrong = [1 - value("PairAccuracy", ranking) for ranking in mixed]
    assert np.mean(wrong) == pytest.approx(metrics.label_ranking_loss(mixed, scores))
    assert value("PairAccuracy", mixed[0]) == pytest.approx(metrics.roc_auc_score(mixed[0], scores[0]))


def test_where_a_sample_has_one_class() -> None:
    assert metrics.label_ranking_average_precision_score([[0, 0]], [[2.0, 1.0]]) == 1.0
    assert value("AP", [0, 0]) is None
    assert value("PairAccuracy", [1, 1]) is None


@settings(max_examples=60, deadline=None)
@given(st.lists(st.permutations(range(4)), min_size=1, max_size=6), st.sampled_from([1, 2, 3]))
def test_top_k_accuracy_is_success(orders, cut) -> None:
    """The right class of every sample is 0; a class higher up in the order has a higher score."""
    scores = np.array([[-order.index(label) for label in range(4)] for order in orders], float)
    theirs = metrics.top_k_accuracy_score([0] * len(orders), scores, k=cut, labels=range(4))
    ours = [value(f"Success@{cut}", [int(label == 0) for label in order]) for order in orders]
    assert np.mean(ours) == pytest.approx(theirs)


def test_equal_scores_are_averaged_there() -> None:
    """Two documents tied at the top, one of them relevant: each rank gains half of it; here the higher id is first."""
    assert metrics.ndcg_score([[1, 0]], [[1.0, 1.0]]) == pytest.approx((1 / 2 + 1 / 2 / np.log2(3)) / 1)
    assert assay.evaluate({"q": {"a": 1, "b": 0}}, {"r": {"q": {"a": 1.0, "b": 1.0}}}, "nDCG")["nDCG"] == {
        "r": pytest.approx(1 / np.log2(3))
    }
