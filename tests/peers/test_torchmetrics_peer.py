"""Measures of rankings against torchmetrics' retrieval metrics, which see the documents of a list and nothing else.

`make peers-torchmetrics` makes the environment; elsewhere this is skipped.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.measures.views.ranked import RankedView

pytestmark = pytest.mark.peer
torch = pytest.importorskip("torch")
retrieval = pytest.importorskip("torchmetrics.retrieval")

rankings = st.lists(st.sampled_from([0, 0, 1]), min_size=2, max_size=12)


def theirs(metric, ranking) -> float:
    """The metric of one query whose documents have descending scores above 0."""
    scores = torch.tensor([float(len(ranking) - place) for place in range(len(ranking))])
    return float(metric(scores, torch.tensor(ranking), indexes=torch.zeros(len(ranking), dtype=torch.long)))


def ours(name: str, ranking) -> float:
    """Undefined is 0 in torchmetrics, whose `empty_target_action` is `neg` unless set."""
    return assay.measure(name)(RankedView.of(ranking)) or 0.0


@settings(max_examples=150, deadline=None)
@given(rankings, st.sampled_from([1, 3, 20]))
def test_lists_that_hold_all_relevant_documents(ranking, cut) -> None:
    same = {
        f"Success@{cut}": retrieval.RetrievalHitRate(top_k=cut),
        f"RR@{cut}": retrieval.RetrievalMRR(top_k=cut),
        f"nDCG@{cut}": retrieval.RetrievalNormalizedDCG(top_k=cut),
        f"P@{cut}": retrieval.RetrievalPrecision(top_k=cut),
        f"R@{cut}": retrieval.RetrievalRecall(top_k=cut),
        f"PairAccuracy@{cut}": retrieval.RetrievalAUROC(top_k=cut),
        f"EU(AP,depth={cut})": retrieval.RetrievalMAP(top_k=cut),
        "AP": retrieval.RetrievalMAP(),
        "Rprec": retrieval.RetrievalRPrecision(),
        "SetP": retrieval.RetrievalPrecision(),
    }
    for name, metric in same.items():
        assert ours(name, ranking) == pytest.approx(theirs(metric, ranking), abs=1e-6), name


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=2, max_size=10), st.sampled_from([1, 3, 20]))
def test_graded_gains(ranking, cut) -> None:
    assert ours(f"nDCG@{cut}", ranking) == pytest.approx(
        theirs(retrieval.RetrievalNormalizedDCG(top_k=cut), ranking), abs=1e-6
    )


@settings(max_examples=60, deadline=None)
@given(rankings)
def test_the_precision_recall_curve_is_p_and_r_at_each_rank(ranking) -> None:
    metric = retrieval.RetrievalPrecisionRecallCurve(max_k=len(ranking))
    scores = torch.tensor([float(len(ranking) - place) for place in range(len(ranking))])
    metric.update(scores, torch.tensor(ranking), indexes=torch.zeros(len(ranking), dtype=torch.long))
    precisions, recalls, cuts = metric.compute()
    if sum(ranking):
        assert [ours(f"P@{cut}", ranking) for cut in cuts.tolist()] == pytest.approx(precisions.tolist(), abs=1e-6)
        assert [ours(f"R@{cut}", ranking) for cut in cuts.tolist()] == pytest.approx(recalls.tolist(), abs=1e-6)


class TestWhereTheyDiffer:
    def test_map_at_k_divides_by_the_relevant_documents_in_the_first_k(self) -> None:
        ranking = [1, 0, 1, 1]
        assert theirs(retrieval.RetrievalMAP(top_k=2), ranking) == 1.0
        assert (ours("AP_cap@2", ranking), ours("AP@2", ranking)) == (0.5, pytest.approx(1 / 3))

    def test_a_score_of_0_or_below_is_not_retrieved_as_relevant(self) -> None:
        """Not so of its hit rate, nDCG, R-precision and AUROC."""
        query = {"indexes": torch.tensor([0, 0])}
        scores, relevant = torch.tensor([0.0, -1.0]), torch.tensor([1, 0])
        for metric in (
            retrieval.RetrievalMAP,
            retrieval.RetrievalMRR,
            retrieval.RetrievalPrecision,
            retrieval.RetrievalRecall,
        ):
            assert float(metric()(scores, relevant, **query)) == 0.0
        for metric in (retrieval.RetrievalHitRate, retrieval.RetrievalNormalizedDCG, retrieval.RetrievalRPrecision):
            assert float(metric()(scores, relevant, **query)) == 1.0
        found = assay.evaluate({"q": {"a": 1}}, {"r": {"q": {"a": 0.0, "b": -1.0}}}, ["AP", "RR", "P@1", "R@1"])
        assert [found[name]["r"] for name in ("AP", "RR", "P@1", "R@1")] == [1.0] * 4

    def test_fall_out_has_no_measure_here(self) -> None:
        assert theirs(retrieval.RetrievalFallOut(top_k=2), [1, 0, 0]) == 0.5
