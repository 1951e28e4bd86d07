"""Judgments of answers by assessors, looked up by question, text and document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assay.errors import FormatError
from assay.formats.answers.questions import GoldQuestion, Judgment
from assay.formats.jsonl import plain
from assay.matching.known_answers import KeyQuestion, class_of, is_nil
from assay.matching.normalisation import normalise
from assay.measures.views.answers import CORRECT, NIL, JudgedAnswer

Row = tuple[int, Judgment]
"""A judgment, after its line."""


def questions_judged(rows: Iterable[Row]) -> list[GoldQuestion]:
    """Return the questions of a judgments file; a question with a correct NIL has no answer in the collection."""
    questions: dict[str, GoldQuestion] = {}
    for line, judgment in rows:
        question = questions.setdefault(plain(judgment.id), GoldQuestion(plain(judgment.id), line, []))
        question.nil |= is_nil(plain(judgment.text)) and judgment.judgment == CORRECT
    return list(questions.values())


def _contradiction(judgment: Judgment, question: KeyQuestion, gold: str) -> str:
    """Return what is wrong with a judgment of NIL or beside NIL, given the gold."""
    text, right = plain(judgment.text), judgment.judgment == CORRECT
    if is_nil(text) and right and not question.nil:
        return f'NIL is correct here, but question {question.id!r} of {gold} is not "nil": true'
    if is_nil(text) and question.nil and not right:
        return f"NIL is {judgment.judgment} here, but question {question.id!r} has no answer, so it is correct"
    if right and question.nil and not is_nil(text):
        return f"{text!r} is correct here, but so is NIL to question {question.id!r}; keep one"
    return ""


class Assessors:
    """The judgments of a file as verdicts; it records which of them were used."""

    def __init__(self, name: str, rows: Sequence[Row], gold: str, known: Mapping[str, KeyQuestion]) -> None:
        self._name = name
        self._rows = rows
        self._used: set[int] = set()
        self._places: dict[tuple[str, str, str | None], list[int]] = {}
        self._verdicts: list[JudgedAnswer] = []
        self.by_question: dict[str, list[JudgedAnswer]] = {}
        """All verdicts there are on the answers to each question."""
        for place, (line, row) in enumerate(rows):
            question, text = plain(row.id), plain(row.text)
            same = self._places.setdefault((question, text.strip(), None if row.doc is None else plain(row.doc)), [])
            same.append(place)
            first_line, first = rows[same[0]]
            problem = _contradiction(row, known[question], gold)
            if (row.judgment, row.cls, row.grade) != (first.judgment, first.cls, first.grade):
                problem = (
                    f"{text!r} to question {question!r} has another judgment, class or grade on line {first_line}; "
                    "keep one of them"
                )
            if problem:
                raise FormatError(name, line, problem)
            self._verdicts.append(JudgedAnswer(row.judgment, _class_of(row, known[question]), row.grade))
            self.by_question.setdefault(question, []).append(self._verdicts[-1])

    def judge(self, question: KeyQuestion, text: str, doc: str | None) -> JudgedAnswer | None:
        """Return the judgment of an answer with its document, else of its text with any document."""
        text = text.strip()
        places = self._places.get((question.id, text, doc)) or self._places.get((question.id, text, None))
        if not places:
            return None
        self._used.update(places)
        return self._verdicts[places[0]]

    def check_used(self) -> None:
        """Refuse judgments of answers that no run gave: a slip in text, question or runs."""
        used, self._used = self._used, set()  # the next runs begin anew
        for place, (line, row) in enumerate(self._rows):
            if place not in used:
                more = len(self._rows) - len(used) - 1
                others = f" (and {more} more like it)" if more else ""
                document = f" with document {plain(row.doc)!r}" if row.doc is not None else ""
                raise FormatError(
                    self._name,
                    line,
                    f"judges the answer {plain(row.text)!r}{document} to question {plain(row.id)!r}, which no run gave"
                    f"{others}; correct it, or `unused_judgments='ignore'` if it is for more runs",
                )


def _class_of(judgment: Judgment, question: KeyQuestion) -> str | None:
    """Return the stated class, that of an equal gold answer, or its own."""
    text = plain(judgment.text)
    if is_nil(text):
        return NIL
    same = question.equal(text) if judgment.cls is None else []
    return same[0].verdict.cls if same else class_of(normalise(text), judgment.cls)
