"""What a measure of answers sees of one question."""

from __future__ import annotations

from assay.measures.views.answers import LENIENT, AnswerListView

VIEW = AnswerListView.of(
    ["inexact a", "unsupported a", "correct b 2", "correct b 3", "incorrect"], known={"a": 1, "b": 3}
)


def test_strict_and_lenient() -> None:
    assert (VIEW.first(), VIEW.first(LENIENT)) == (3, 2)
    assert (VIEW.distinct(), VIEW.distinct(LENIENT), VIEW.distinct(LENIENT, cut=2)) == (1, 2, 1)
    assert VIEW.known() == 2


def test_a_repeated_answer_keeps_its_rank_and_is_worth_nothing() -> None:
    ranked = VIEW.ranked()
    assert list(ranked.gained()) == [(3, 2)]
    assert ranked.num_ret == 5
    assert ranked.ideal() == [3, 1]
    assert list(VIEW.ranked(LENIENT).gained()) == [(2, 1), (3, 2)]
