"""What assessors said: a file of judgments, found by question, text and document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import FormatError
from assay.formats.answers import GoldQuestion, json_lines, plain, read_judgments
from assay.formats.sources import Source
from assay.judging.known import class_of, equal, is_nil
from assay.judging.normalising import normalise
from assay.measures.answer_view import CORRECT, NIL, Judged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assay.formats.answers import Judgment
    from assay.judging.known import RightAnswer

    Row = tuple[int, Judgment]
    """A judgment, after its line."""


def read_rows(source: Source) -> list[Row]:
    """The judgments of a file, each with its line."""
    held = Source(source.name, data=source.read())
    return [(line, judgment) for (line, _), judgment in zip(json_lines(held), read_judgments(held), strict=True)]


def questions_judged(rows: Iterable[Row]) -> list[GoldQuestion]:
    """The questions a judgments file knows; one to which NIL is a correct answer has none in the collection."""
    questions: dict[str, GoldQuestion] = {}
    for line, judgment in rows:
        question = questions.setdefault(plain(judgment.id), GoldQuestion(plain(judgment.id), line, []))
        question.nil |= is_nil(plain(judgment.text)) and judgment.judgment == CORRECT
    return list(questions.values())


def check_against(gold: str, questions: Mapping[str, GoldQuestion], name: str, rows: Iterable[Row]) -> None:
    """Judgments of questions nobody asked, and of NIL that contradict the gold or each other, are errors."""
    for line, judgment in rows:
        question, text = questions.get(plain(judgment.id)), plain(judgment.text)
        right, problem = judgment.judgment == CORRECT, ""
        if question is None:
            problem = f"judges question {plain(judgment.id)!r}, which is not in {gold}"
        elif is_nil(text) and right and not question.nil:
            problem = f'NIL is correct here, but question {question.id!r} of {gold} is not "nil": true'
        elif is_nil(text) and question.nil and not right:
            problem = f"NIL is {judgment.judgment} here, but question {question.id!r} has no answer, so it is correct"
        elif right and question.nil and not is_nil(text):
            problem = f"{text!r} is correct here, but so is NIL to question {question.id!r}; keep one"
        if problem:
            raise FormatError(name, line, problem)


class Assessors:
    """The judgments as verdicts; it remembers which of them were asked for."""

    def __init__(self, name: str, rows: Sequence[Row], known: Mapping[str, Sequence[RightAnswer]]) -> None:
        self.name = name
        self.rows = rows
        self.verdicts = [Judged(row.judgment, _class_of(row, known), row.grade) for _, row in rows]
        self._used: set[int] = set()
        self._places: dict[tuple[str, str, str | None], list[int]] = {}
        for place, (line, row) in enumerate(rows):
            key = (plain(row.id), plain(row.text).strip(), None if row.doc is None else plain(row.doc))
            same = self._places.setdefault(key, [])
            same.append(place)
            first_line, first = rows[same[0]]
            if (row.judgment, row.cls, row.grade) != (first.judgment, first.cls, first.grade):
                raise FormatError(
                    name,
                    line,
                    f"{plain(row.text)!r} to question {key[0]!r} has another judgment, class or grade on line {first_line}; "
                    "keep one of them",
                )

    def judge(self, question: GoldQuestion, text: str, doc: str | None) -> Judged | None:
        """What was said of an answer with its document, or else of its text whatever the document."""
        text = text.strip()
        places = self._places.get((question.id, text, doc)) or self._places.get((question.id, text, None))
        if not places:
            return None
        self._used.update(places)
        return self.verdicts[places[0]]

    def by_question(self) -> dict[str, list[Judged]]:
        """All verdicts there are on the answers to each question."""
        found: dict[str, list[Judged]] = {}
        for (_, row), verdict in zip(self.rows, self.verdicts, strict=True):
            found.setdefault(plain(row.id), []).append(verdict)
        return found

    def check_used(self) -> None:
        """A judgment of an answer that no run gave is a slip: of the text, of the question, or of the runs given."""
        for place, (line, row) in enumerate(self.rows):
            if place not in self._used:
                more = len(self.rows) - len(self._used) - 1
                others = f" (and {more} more like it)" if more else ""
                document = f" with document {plain(row.doc)!r}" if row.doc is not None else ""
                raise FormatError(
                    self.name,
                    line,
                    f"judges the answer {plain(row.text)!r}{document} to question {plain(row.id)!r}, which no run gave"
                    f"{others}; correct it, or `unused_judgments='ignore'` if it is for more runs",
                )


def _class_of(judgment: Judgment, known: Mapping[str, Sequence[RightAnswer]]) -> str | None:
    """The one stated, that of an equal gold answer, or its own."""
    text = plain(judgment.text)
    if is_nil(text):
        return NIL
    same = equal(known[plain(judgment.id)], text) if judgment.cls is None else []
    return same[0].verdict.cls if same else class_of(normalise(text), judgment.cls)
