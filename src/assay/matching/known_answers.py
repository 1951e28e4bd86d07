"""The right answers of a question, and when two answers are the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from assay.matching.normalisation import normalise
from assay.measures.views.answers import CORRECT, NIL, RIGHT, UNSUPPORTED, JudgedAnswer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.formats.answers.questions import GoldAnswer, GoldQuestion

Judge = Callable[["KeyQuestion", str, str | None], JudgedAnswer | None]
"""A question, the text of an answer and its document to a verdict; None where it is not judged."""


def is_nil(text: str) -> bool:
    """Return whether an answer says that there is none.

    >>> is_nil(" NIL "), is_nil("nil")
    (True, False)
    """
    return text.strip() == NIL


def class_of(form: str, cls: object) -> str:
    """Return what makes two answers the same: their class, else their normalised text."""
    from assay.formats.jsonl import plain

    return f"class {plain(cls)}" if cls is not None else f"text {form}"


class RightAnswer:
    """A right answer of the gold."""

    __slots__ = ("docs", "form", "text", "verdict")

    def __init__(self, answer: GoldAnswer) -> None:
        from assay.formats.jsonl import plain

        self.text: str = plain(answer.text)
        self.form: str = normalise(self.text)
        self.docs: set[str] = {*map(plain, answer.docs)}
        """The documents that support it; none where the gold does not say."""
        self.verdict: JudgedAnswer = JudgedAnswer(CORRECT, class_of(self.form, answer.cls), answer.grade)


class KeyQuestion:
    """One question of the key: its right answers, patterns, and the verdicts so far."""

    __slots__ = ("classes", "docs", "id", "line", "nil", "patterns", "right", "seen", "support")

    def __init__(self, question: GoldQuestion) -> None:
        from assay.formats.jsonl import plain

        self.id: str = question.id
        self.line: int | None = question.line or None
        self.right: list[RightAnswer] = [
            RightAnswer(a) for a in question.answers if a.grade > 0 and not is_nil(plain(a.text))
        ]
        """In the order of the gold; NIL is no text to compare with."""
        self.nil: list[int] = (
            [a.grade for a in question.answers if is_nil(plain(a.text))] or [1] if question.nil else []
        )
        """The grades of NIL, where there is no answer."""
        self.docs: set[str] = {plain(doc) for answer in question.answers for doc in answer.docs}
        self.support: Collection[str] = ()
        """Documents that replace those the gold names."""
        self.patterns: list[tuple[re.Pattern[str], JudgedAnswer]] = []
        """Regular expressions, each with the verdict on an answer it finds."""
        self.classes: dict[str, dict[str, int]] = {}
        """strict and lenient → class of right answers → the best grade of an answer in it; NIL is one."""
        self.seen: dict[str | bytes | tuple[str | bytes, str], JudgedAnswer | None] = {}
        """Verdicts so far, by text or the digest of a long one: the same answers come again and again from many runs."""

    def equal(self, text: str) -> list[RightAnswer]:
        """Return the right answers equal to a text after normalisation."""
        form = normalise(text)
        return [right for right in self.right if right.form == form]

    def gather(self, more: Sequence[JudgedAnswer]) -> None:
        """Collect the classes of the gold and of further right answers that the rule knows."""
        answers = [right.verdict for right in self.right] + [JudgedAnswer(CORRECT, NIL, grade) for grade in self.nil]
        for side, right in RIGHT.items():
            best = self.classes[side] = dict[str, int]()
            for answer in [*answers, *more]:
                if answer.judgment in right and answer.cls is not None:
                    best[answer.cls] = max(answer.grade, best.get(answer.cls, 0))


def supported(verdict: JudgedAnswer, doc: str | None, docs: Collection[str]) -> JudgedAnswer:
    """Return the verdict, or unsupported where the gold names documents and the answer names another.

    >>> [supported(JudgedAnswer("correct"), doc, {"d1", "d2"}).judgment for doc in ("d1", "d3", None)]
    ['correct', 'unsupported', 'correct']
    """
    if doc is None or not docs or doc in docs:
        return verdict
    return JudgedAnswer(UNSUPPORTED, verdict.cls, verdict.grade)
