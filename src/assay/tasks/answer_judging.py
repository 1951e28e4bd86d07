"""How a listed answer is judged four ways: correct, unsupported, inexact, incorrect; with its class and grade.

    judgments   what assessors said of each answer
    exact       equal to a gold answer after normalisation
    patterns    matched by a regular expression of the question

With exact matching and patterns, an answer is unsupported where it names a document, the gold names documents, and its
own is not among them. NIL is right where the gold says that there is no answer. Normalisation, classes and the choice
of the rule are those of `judging.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import FormatError
from assay.formats.jsonl import plain
from assay.formats.patterns import compiled
from assay.measures.answer_view import CORRECT, INCORRECT, LENIENT, NIL, RIGHT, STRICT, UNSUPPORTED, Judged
from assay.tasks import judging

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping, Sequence

    from assay.formats.judgments import Judgment
    from assay.formats.questions import GoldQuestion

    Judge = Callable[[GoldQuestion, str, str | None], Judged | None]
    """An answer's text and document to a judgment; None where nobody judged it."""
    _Known = tuple[str, int, set[str]]
    """Class, grade and documents of a gold answer."""
    Classes = dict[str, dict[str, int]]
    """strict and lenient → class → the best grade of an answer in it."""

SIDES = "strict counts unsupported as incorrect, lenient as correct; inexact is incorrect in both"
DESCRIPTIONS = {
    "judgments": f"the judgments file; {SIDES}",
    "exact": f"exact match {judging.NORMALISED}; an answer whose document the gold does not name is unsupported; "
    + SIDES,
    "patterns": "regular expressions searched anywhere in the answer, case ignored; for questions without any, exact "
    f"match {judging.NORMALISED}; an answer whose document does not support the question is unsupported; {SIDES}",
}
RULES = ("auto", *DESCRIPTIONS)
WRONG = Judged(INCORRECT)


class JudgmentsFile:
    """What assessors said, found by question, text and document; it remembers which judgments were asked for."""

    def __init__(self, name: str, rows: Sequence[tuple[int, Judgment]]) -> None:
        self.name = name
        self.rows = rows
        self.used: set[int] = set()
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

    def find(self, question: str, text: str, doc: str | None) -> Judgment | None:
        """The judgment of an answer with its document, or else of its text whatever the document."""
        places = self._places.get((question, text.strip(), doc)) or self._places.get((question, text.strip(), None))
        if not places:
            return None
        self.used.update(places)
        return self.rows[places[0]][1]

    def check_used(self) -> None:
        """A judgment of an answer that no run gave is a slip: of the text, of the question, or of the runs given."""
        for place, (line, judgment) in enumerate(self.rows):
            if place not in self.used:
                more = len(self.rows) - len(self.used) - 1
                others = f" (and {more} more like it)" if more else ""
                document = f" with document {plain(judgment.doc)!r}" if judgment.doc is not None else ""
                raise FormatError(
                    self.name,
                    line,
                    f"judges the answer {plain(judgment.text)!r}{document} to question {plain(judgment.id)!r}, which no "
                    f"run gave{others}; correct it, or `unused_judgments='ignore'` if it is for more runs",
                )


def by_exact_match(questions: Sequence[GoldQuestion], support: Mapping[str, set[str]] | None = None) -> Judge:
    """Equal texts after normalisation; of several equal gold answers, one that the document supports.

    The documents of `support`, where it knows the question, stand in for the gold's own.
    """
    listed = support or {}
    known = {question.id: _texts(question) for question in questions}

    def judge(question: GoldQuestion, text: str, doc: str | None) -> Judged:
        same = known[question.id].get(judging.normalise(text))
        if same is None:
            return WRONG
        for cls, grade, own in same:
            docs = listed.get(question.id) or own
            if doc is None or not docs or doc in docs:
                return Judged(CORRECT, cls, grade)
        return Judged(UNSUPPORTED, *same[0][:2])

    return judge


def _texts(question: GoldQuestion) -> dict[str, list[_Known]]:
    """Normalised text → the gold answers worth something that read so."""
    found: dict[str, list[_Known]] = {}
    for answer in question.answers:
        text = plain(answer.text)
        if answer.grade > 0 and text.strip() != NIL:
            known = (judging.class_of(text, answer.cls), answer.grade, {*map(plain, answer.docs)})
            found.setdefault(judging.normalise(text), []).append(known)
    return found


class _Pattern:
    """A regular expression with the class it stands for: that of a gold answer it matches, else its own."""

    def __init__(self, question: GoldQuestion, pattern: str, expression: re.Pattern[str]) -> None:
        self.expression = expression
        self.cls, self.grade = f"pattern {pattern}", 1
        for answer in question.answers:
            text = plain(answer.text)
            if answer.grade > 0 and expression.search(text):
                self.cls, self.grade = judging.class_of(text, answer.cls), answer.grade
                break


def compile_patterns(name: str, questions: Sequence[GoldQuestion]) -> dict[str, list[_Pattern]]:
    """By question its patterns; a broken one is an error that names its line."""
    return {
        question.id: [_Pattern(question, p, compiled(p, name, question.line or None)) for p in question.patterns]
        for question in questions
    }


def by_patterns(
    questions: Sequence[GoldQuestion], patterns: Mapping[str, list[_Pattern]], support: Mapping[str, set[str]]
) -> Judge:
    """The first pattern that matches anywhere in the answer; questions without patterns by exact match."""
    exact = by_exact_match(questions, support)
    documents = {
        question.id: support.get(question.id) or {plain(doc) for answer in question.answers for doc in answer.docs}
        for question in questions
    }

    def judge(question: GoldQuestion, text: str, doc: str | None) -> Judged | None:
        if not question.patterns:
            return exact(question, text, doc)
        for pattern in patterns[question.id]:
            if pattern.expression.search(text):
                supported = doc is None or not documents[question.id] or doc in documents[question.id]
                same = exact(question, text, None) or WRONG
                cls, grade = (same.cls, same.grade) if same.judgment == CORRECT else (pattern.cls, pattern.grade)
                return Judged(CORRECT if supported else UNSUPPORTED, cls, grade)
        return WRONG

    return judge


def by_judgments(questions: Sequence[GoldQuestion], file: JudgmentsFile) -> Judge:
    """What the file says; a judged text without a class has that of the equal gold answer, or is a class of its own."""
    texts = {question.id: _texts(question) for question in questions}

    def judge(question: GoldQuestion, text: str, doc: str | None) -> Judged | None:
        found = file.find(question.id, text, doc)
        return None if found is None else Judged(found.judgment, _judged_class(found, texts), found.grade)

    return judge


def _judged_class(judgment: Judgment, texts: Mapping[str, Mapping[str, list[_Known]]]) -> str:
    text = plain(judgment.text)
    if text.strip() == NIL:
        return NIL
    same = texts[plain(judgment.id)].get(judging.normalise(text)) if judgment.cls is None else None
    return same[0][0] if same else judging.class_of(text, judgment.cls)


def with_nil(judge: Judge, known: Mapping[str, Classes]) -> Judge:
    """NIL is right where the question has no answer, and wrong where a correct answer is known; else as judged.

    An unsupported answer does not show that the collection has one.
    """

    def judged(question: GoldQuestion, text: str, doc: str | None) -> Judged | None:
        if text.strip() != NIL:
            return judge(question, text, doc)
        asked = judge(question, NIL, doc)  # marks an assessor's judgment of NIL as used
        if question.nil:
            return Judged(CORRECT, NIL, known[question.id][STRICT][NIL], nil=True)
        return Judged(INCORRECT, nil=True) if asked is not None or known[question.id][STRICT] else None

    return judged


def classes_of(question: GoldQuestion, patterns: Sequence[_Pattern], judged: Sequence[Judged]) -> Classes:
    """The right answers known to a question: of the gold, of its patterns, of the judgments; NIL where it has none."""
    gold = [(cls, grade) for same in _texts(question).values() for cls, grade, _ in same]
    gold += [(p.cls, p.grade) for p in patterns]
    if question.nil:
        gold += [(NIL, answer.grade) for answer in question.answers if plain(answer.text).strip() == NIL] or [(NIL, 1)]
    classes: Classes = {}
    for side in (STRICT, LENIENT):
        best = classes[side] = dict[str, int]()
        right = [(a.cls, a.grade) for a in judged if a.judgment in RIGHT[side] and a.cls is not None]
        for cls, grade in [*gold, *right]:
            best[cls] = max(grade, best.get(cls, 0))
    return classes
