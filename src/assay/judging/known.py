"""The right answers known to a question, and what makes two answers the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.formats.answers import plain
from assay.judging.normalising import normalise
from assay.measures.answer_view import CORRECT, INCORRECT, NIL, RIGHT, Judged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from assay.formats.answers import GoldAnswer, GoldQuestion

    Judge = Callable[[GoldQuestion, str, str | None], Judged | None]
    """A question, the text of an answer and its document to a verdict; None where nobody judged it."""
    Classes = dict[str, dict[str, int]]
    """strict and lenient → class → the best grade of an answer in it."""

WRONG = Judged(INCORRECT)


def is_nil(text: str) -> bool:
    """Whether an answer says that there is none.

    >>> is_nil(" NIL "), is_nil("nil")
    (True, False)
    """
    return text.strip() == NIL


class RightAnswer:
    """A right answer that the gold names."""

    __slots__ = ("docs", "form", "text", "verdict")

    def __init__(self, answer: GoldAnswer) -> None:
        self.text = plain(answer.text)
        self.form = normalise(self.text)
        self.docs = {*map(plain, answer.docs)}
        """The documents that support it; none where the gold does not say."""
        self.verdict = Judged(CORRECT, class_of(self.form, answer.cls), answer.grade)


def class_of(form: str, cls: object) -> str:
    """What makes two answers the same: their class, or their normalised text where they have none."""
    return f"class {plain(cls)}" if cls is not None else f"text {form}"


def right_answers(question: GoldQuestion) -> list[RightAnswer]:
    """Those of the gold that are worth something, in its order; NIL is no text to compare with."""
    return [RightAnswer(answer) for answer in question.answers if answer.grade > 0 and not is_nil(plain(answer.text))]


def equal(known: Sequence[RightAnswer], text: str) -> list[RightAnswer]:
    """The right answers that read as a text does."""
    form = normalise(text)
    return [right for right in known if right.form == form]


def classes_of(question: GoldQuestion, known: Sequence[RightAnswer], more: Sequence[Judged]) -> Classes:
    """The classes of right answers to a question: of the gold, and those its rule knows `more`; NIL where it has none."""
    gold = [right.verdict for right in known]
    if question.nil:
        grades = [answer.grade for answer in question.answers if is_nil(plain(answer.text))] or [1]
        gold += [Judged(CORRECT, NIL, grade) for grade in grades]
    return {side: _best([*gold, *more], right) for side, right in RIGHT.items()}


def _best(answers: Iterable[Judged], right: Sequence[str]) -> dict[str, int]:
    best: dict[str, int] = {}
    for answer in answers:
        if answer.judgment in right and answer.cls is not None:
            best[answer.cls] = max(answer.grade, best.get(answer.cls, 0))
    return best
