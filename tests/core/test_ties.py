"""The order of tied documents, by hand and as the C core has it."""

from __future__ import annotations

from math import inf, nan

import pytest

from assay.core.ties import best_first
from assay.tasks.ranked_dicts import check_scores


def test_ties_go_to_the_larger_document_id():
    documents = [(1.0, "a"), (2.0, "c"), (1.0, "b")]
    assert best_first(documents) == [(2.0, "c"), (1.0, "b"), (1.0, "a")]
    assert best_first(documents, ascending_ids=True) == [(2.0, "c"), (1.0, "a"), (1.0, "b")]


def test_ids_are_compared_as_bytes_and_not_as_numbers_or_words():
    ids = ["d10", "d9", "D1", "é", "d", "d1\x00", "𝄞", "\uffff"]
    ranked = [document for _, document in best_first((0.0, document) for document in ids)]
    assert ranked == sorted(ids, key=str.encode, reverse=True)
    assert ranked == ["𝄞", "\uffff", "é", "d9", "d10", "d1\x00", "d", "D1"]


def test_bytes_that_are_not_utf_8_have_a_place_too():
    assert best_first([(1.0, b"a\x80"), (1.0, b"a\xff"), (1.0, b"a")]) == [
        (1.0, b"a\xff"),
        (1.0, b"a\x80"),
        (1.0, b"a"),
    ]


@pytest.mark.parametrize("ascending_ids", [False, True])
def test_scores_decide_first(ascending_ids: bool):
    documents = [(-inf, "d"), (-1.0, "c"), (inf, "a"), (1e-300, "b")]
    ranked = best_first(documents, ascending_ids=ascending_ids)
    assert [document for _, document in ranked] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(("ascending_ids", "order"), [(False, ["b", "a"]), (True, ["a", "b"])])
def test_zero_and_minus_zero_are_equal_scores(ascending_ids: bool, order: list[str]):
    for scores in ((0.0, -0.0), (-0.0, 0.0)):
        ranked = best_first(zip(scores, ["a", "b"], strict=True), ascending_ids=ascending_ids)
        assert [document for _, document in ranked] == order


def test_what_follows_score_and_id_does_not_order():
    first, second = (1.0, "a", 2), (1.0, "a", 1)
    assert best_first([first, second]) == [first, second]
    assert best_first([second, first], ascending_ids=True) == [second, first]


def test_no_documents_and_integers():
    assert best_first([]) == []
    assert best_first([(2**60, "a"), (2**60 + 1, "b")]) == [(2**60 + 1, "b"), (2**60, "a")]


def test_a_nan_is_refused_before_documents_are_ordered():
    with pytest.raises(ValueError, match="the score is NaN"):
        check_scores("301", {"a": nan, "b": 1.0})
