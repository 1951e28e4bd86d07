"""Views by subtopic: what is relevant to what, and the ideal ranking."""

from __future__ import annotations

from assay.measures.views.subtopics import Subtopics, SubtopicView


def ideal(
    documents: dict[str, set[int]], alpha: float = 0.5, depth: int | None = None, **weights: float
) -> list[float]:
    known = [(name, {str(one): 1 for one in covered}) for name, covered in documents.items()]
    return Subtopics(known, weights or None).relevance(1).ideal(alpha, depth)


def test_the_ideal_takes_what_adds_most():
    # {1, 2} adds 2; then {1, 3} adds ½ + 1; then {1, 2} again ¼ + ½, and what is relevant to nothing is not there.
    assert ideal({"a": {1, 2}, "b": {1, 2}, "c": {1, 3}, "d": set()}) == [2.0, 1.5, 0.75]
    assert ideal({"a": {1, 2}, "b": {1, 2}, "c": {1, 3}}, depth=2) == [2.0, 1.5]


def test_the_ideal_can_be_worked_out_further_when_somebody_looks_further():
    relevance = Subtopics([("a", {"1": 1}), ("b", {"1": 1}), ("c", {"2": 1})]).relevance(1)
    assert relevance.ideal(0.5, 1) == [1.0]
    assert relevance.ideal(0.5, None) == [1.0, 1.0, 0.5]
    assert relevance.ideal(0.5, 2) == [1.0, 1.0]
    assert relevance.ideal(0.0, None) == [1.0, 1.0, 1.0]


def test_of_documents_that_add_the_same_the_highest_id_comes_first():
    # Each adds 2 at first. Behind {1, 2} the others add 1½ each; behind {1, 3}, {2, 4} adds 2 again and {1, 2} only 1.
    assert ideal({"z": {1, 2}, "b": {1, 3}, "c": {2, 4}}) == [2.0, 1.5, 1.5]
    assert ideal({"a": {1, 2}, "b": {1, 3}, "c": {2, 4}}) == [2.0, 2.0, 1.0]
    # Of the two {1, 2} it is z that decides.
    assert ideal({"a": {1, 2}, "z": {1, 2}, "m": {1, 3}, "n": {2, 4}}) == [2.0, 1.5, 1.5, 0.5]


def test_weights_choose_the_ideal():
    assert ideal({"a": {1}, "b": {2}}, **{"1": 0.25, "2": 0.75}) == [0.75, 0.25]


def test_subtopics_stand_in_the_order_of_their_numbers():
    relevance = Subtopics([("a", {"10": 1}), ("b", {"9": 1, "x": 1}), ("c", {"10": 1, "9": 0})]).relevance(1)
    assert relevance.by_number == [(1,), (0, 2), (1,)]
    assert relevance.counts == [1, 2, 1]


def test_a_subtopic_without_a_relevant_document_counts_nowhere():
    subtopics = Subtopics([("a", {"1": 2, "2": 0}), ("b", {"2": -1, "3": 1})])
    assert subtopics.relevance(1).counts == [1, 1]
    assert subtopics.relevance(2).counts == [1]
    assert subtopics.relevance(3).counts == []
    assert subtopics.relevance(-1).counts == [1, 1, 1]  # 0 on: below it, nobody judged


def test_a_view_is_one_of_ranked_retrieval_with_the_best_grade():
    view = SubtopicView.of([{1: 1, 2: 3}, None, set(), {2: 2}], unretrieved=[{3: 1}, set()])
    assert view.pooled() == [(1, 3), (3, 0), (4, 2)]
    assert (view.relevant(), view.relevant(2), view.num_rel(), view.num_ret) == ([1, 4], [1, 4], 3, 4)
    assert view.covering(2) == [(1, (0,)), (4, (0,))]
    assert view.covering() == [(1, (0, 1)), (4, (1,))]
