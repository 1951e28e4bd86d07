"""What is known of a question: its right answers, their classes and documents, and what NIL is worth."""

from __future__ import annotations

from assay.formats.answers.questions import GoldAnswer, GoldQuestion
from assay.matching.known_answers import KeyQuestion, class_of
from assay.measures.views.answers import JudgedAnswer


def known(*answers: GoldAnswer, **more) -> KeyQuestion:
    return KeyQuestion(GoldQuestion("q", 1, list(answers), **more))


def test_texts_that_read_alike_are_one_answer() -> None:
    found = known(GoldAnswer("La Seine"), GoldAnswer("Rhine"))
    assert [right.text for right in found.equal(" la SEINE. ")] == ["La Seine"]
    assert found.equal("Loire") == []


def test_a_class_goes_before_the_text() -> None:
    assert class_of("seine", 7) == "class 7"
    assert class_of("seine", None) == "text seine"


def test_answers_worth_nothing_and_nil_are_no_right_answers() -> None:
    found = known(GoldAnswer("x", grade=0), GoldAnswer("NIL", grade=2), GoldAnswer("y"), nil=True)
    assert [right.text for right in found.right] == ["y"]
    assert found.nil == [2]
    assert known(nil=True).nil == [1]
    assert known(GoldAnswer("y")).nil == []


def test_a_class_is_worth_its_best_answer() -> None:
    found = known(GoldAnswer("x", cls="a", grade=1), GoldAnswer("y", cls="a", grade=3))
    found.gather([JudgedAnswer("unsupported", "class b", 2)])
    assert found.classes == {"strict": {"class a": 3}, "lenient": {"class a": 3, "class b": 2}}
