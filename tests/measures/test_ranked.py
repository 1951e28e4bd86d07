"""Measures of a ranking where a document is relevant or not, by hand."""

from __future__ import annotations

from math import log, log2

import pytest

import assay
from assay.measures.ranked import f1, hits, pair_accuracy, relevance_string
from assay.measures.views.ranked import RankedView

VIEW = RankedView.of([0, 1, None, 2, 0, 1], unretrieved=[1, 0])
"""Relevant at ranks 2, 4 and 6, R = 4; judged non-relevant at 1 and 5, N = 3; rank 3 is not judged."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("AP", (1 / 2 + 2 / 4 + 3 / 6) / 4),
        ("AP@4", (1 / 2 + 2 / 4) / 4),
        ("AP(rel=2)", 1 / 4),
        ("AP_cap@2", (1 / 2) / 2),
        ("AP_cap@4", (1 / 2 + 2 / 4) / 4),
        ("AP_cap@6", (1 / 2 + 2 / 4 + 3 / 6) / 4),
        ("AP_cap(rel=2)@3", 0),
        ("GMAP", (1 / 2 + 2 / 4 + 3 / 6) / 4),
        ("RR", 1 / 2),
        ("RR@1", 0),
        ("P@5", 2 / 5),
        ("P@20", 3 / 20),
        ("R@5", 2 / 4),
        ("RelP@3", 1 / 3),
        ("RelP@5", 2 / 4),
        ("Success@1", 0),
        ("Success@2", 1),
        ("Rprec", 2 / 4),
        ("RprecMult@0.5", 1 / 2),  # ⌊.5·4 + .9⌋ = 2 documents
        ("RprecMult@2", 3 / 8),
        ("Bpref", ((1 - 1 / 3) + (1 - 1 / 3) + (1 - 2 / 3)) / 4),
        ("GMBpref", ((1 - 1 / 3) + (1 - 1 / 3) + (1 - 2 / 3)) / 4),
        ("infAP", (1 / 2 + 1 / 2 * 1e-5 / 1.00002 + (1 / 4 + 2 / 4 / 2) + (1 / 6 + 4 / 6 / 2)) / 4),
        ("binG", (1 / log2(3) + 1 / log2(4) + 1 / log2(5)) / 4),
        ("yaap", log((1 + 1.5) / (1 + 4 - 1.5))),
        ("Judged@4", 3 / 4),
        ("Judged@20", 5 / 6),
        ("Judged", 5 / 6),
        ("Holes", 1),
        ("Holes@1", 0),
        ("Unjudged@20", 1 / 20),
    ],
)
def test_by_hand(name, expected) -> None:
    assert assay.measure(name)(VIEW) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    "name", ["AP", "AP_cap@5", "GMAP", "R@5", "RelP@5", "Rprec", "RprecMult@1", "Bpref", "GMBpref", "infAP", "binG"]
)
def test_undefined_without_a_relevant_document_and_0_with_none_retrieved(name) -> None:
    assert assay.measure(name)(RankedView.of([0, None, -1])) is None
    assert assay.measure(name)(RankedView.of([0, None, -1], unretrieved=[1])) == 0


def test_a_document_pooled_and_not_judged_is_neither_relevant_nor_judged() -> None:
    view = RankedView.of([-1, 1])
    assert assay.measure("Bpref")(view) == 1
    assert assay.measure("Judged@2")(view) == 1 / 2
    # Precision at rank 2: 1/2 + 1/2 · (1 pooled above / 1) · ε/2ε
    assert assay.measure("infAP")(view) == pytest.approx(1 / 2 + 1 / 2 * 1 / 2)


def test_bpref_has_its_bound_from_the_smaller_of_r_and_n() -> None:
    # R = 1, N = 3: any one non-relevant document above the relevant one costs everything.
    assert assay.measure("Bpref")(RankedView.of([0, 1], unretrieved=[0, 0])) == 0


def test_relevance_string() -> None:
    assert relevance_string(VIEW) == "01-201"
    assert relevance_string(VIEW, 2) == "01"


MIXED = RankedView.of([2, 0, None, 1, 1], unretrieved=[1])


@pytest.mark.parametrize(
    ("cut", "rel", "expected"), [(None, None, 3), (1, None, 1), (4, None, 2), (9, None, 3), (9, 2, 1)]
)
def test_hits(cut, rel, expected) -> None:
    assert hits(MIXED, cut=cut, rel=rel) == expected


def test_hits_of_topics_are_averaged() -> None:
    gold, run = {"1": {"a": 1, "b": 1}, "2": {"a": 1}}, {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1.0}}
    found = assay.evaluate(gold, {"r": run}, ["hits@5", "NumRelRet"]).summary()["r"]
    assert (found["hits@5"].value, found["NumRelRet"].value) == (1.0, 2)


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    p, r = 2 / 4, 2 / 4  # two of the first four, of four relevant ones
    assert f1(MIXED, cut=4) == 2 * p * r / (p + r)
    assert f1(MIXED, cut=10) == pytest.approx(2 * 0.3 * 0.75 / (0.3 + 0.75))
    assert f1(MIXED) == pytest.approx(2 * 0.6 * 0.75 / (0.6 + 0.75)) == assay.measure("SetF")(MIXED)
    assert f1(MIXED, cut=2, rel=2) == pytest.approx(2 * 0.5 * 1 / 1.5)
    assert f1(RankedView.of([0], unretrieved=[1]), cut=1) == 0.0
    assert f1(RankedView.of([0, None]), cut=1) is None


def test_pair_accuracy() -> None:
    # relevant at 1, 4, 5; others at 2, 3: of 6 pairs the first document wins 2, the others none
    assert pair_accuracy(MIXED) == pytest.approx(2 / 6)
    assert pair_accuracy(MIXED, cut=4) == pytest.approx(2 / 4)
    assert pair_accuracy(MIXED, rel=2) == 1.0
    assert pair_accuracy(MIXED, cut=1) is None
    assert pair_accuracy(RankedView.of([0, None], unretrieved=[1])) is None


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("accuracy", "Success"), ("precision", "P"), ("recall", "R"), ("mrr", "RR"), ("map", "AP_cap"), ("ndcg", "binary_nDCG")],
)  # fmt: skip
def test_names_of_sentence_transformers(theirs, ours) -> None:
    """Its map@k divides by min(k, R) and its ndcg@k has no grades: neither is AP or nDCG at k."""
    for similarity in ("cosine", "dot", "euclidean", "manhattan", "maxsim", "meanmaxsim"):
        assert assay.measure(f"{similarity}_{theirs}@10") == assay.measure(f"{ours}@10")


def test_accuracy_is_what_each_tool_calls_so() -> None:
    """In capitals the pairs of ir_measures; in small letters, at a cutoff, the hits of sentence-transformers; else outcomes."""
    assert assay.measure("Accuracy") == assay.measure("PairAccuracy")
    assert assay.measure("Accuracy@5") == assay.measure("PairAccuracy@5")
    assert assay.measure("accuracy@5") == assay.measure("Success@5")
    assert assay.measure("accuracy").declaration.task == "outcomes"
