"""Questions of the gold: right answers, judgments of answers, TREC's patterns.

    questions   {"id": "q1", "type": "factoid", "answers": [{"text": "Paris", "class": "a"}], "patterns": ["^Paris"],
                "nil": false, "should_decline": false, "cluster": "passage-4"}, one a line of JSONL; or {id: answer} in
                Python
    judgments   {"id": "q1", "text": "Paris", "judgment": "correct", "class": "a"}, one a line of JSONL
    patterns    1394 \\bParis\\b              a question number, then a regular expression up to the end of the line
    support     1394 APW19990822.0152 …     a question number, then documents that hold its answer

A question may have several lines of patterns or support. The answer or pattern NIL says that the collection has none.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Container, Iterator
from typing import Any, Literal

import msgspec

from assay.errors import FormatError, InputError
from assay.formats.answers.rows import SHOULD_DECLINE
from assay.formats.jsonl import Id, Text, plain, typed_lines
from assay.formats.lines import text_lines
from assay.formats.object_ids import check_unique, id_text, note_line
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

NIL = "NIL"
"""The answer that there is none."""
"""The field of a question that must be declined, and not answered."""
TRUE, FALSE = ("true", "yes", "1", "1.0"), ("false", "no", "0", "0.0", "", "none", "null", "nan")


class GoldAnswer(msgspec.Struct, rename={"cls": "class"}):
    """One right answer; answers of one class are the same answer in other words."""

    text: Text
    cls: Id | None = None
    grade: int = 1
    docs: list[Id] = []


class _QuestionLine(msgspec.Struct):
    id: Id
    answers: list[GoldAnswer | str] = []
    answer: Text | None = None
    patterns: list[str] = []
    nil: bool = False
    should_decline: bool = False
    type: Id | None = None
    cluster: Id | None = None
    target: int | None = None


class GoldQuestion(msgspec.Struct, eq=False):
    """A question of the gold; `fields` holds type, cluster and any other field."""

    id: str
    line: int
    answers: list[GoldAnswer]
    patterns: list[str] = []
    nil: bool = False
    target: int | None = None
    fields: dict[str, Any] = {}


FIELDS = frozenset(_QuestionLine.__struct_fields__)
OTHERS = ("judgment", "nuggets", "same", "is_human", "label", "winner")
"""Fields of other gold that has ids."""


def _questions(head: Head) -> bool:
    """a first line with an `id`, and `answers`, `answer`, `patterns`, `nil` or none of the fields other gold has."""
    answers = head.has("answers", "answer", "patterns", "nil") and not head.has("judgment", "nuggets")
    return head.has("id") and (answers or not head.has(*OTHERS))


@reads(
    "questions",
    role="gold",
    task="outcomes",
    yields="questions with their right answers",
    recognises=_questions,
    shapes="json array",
    after=("nuggets", "kilt-gold", "dpr-gold"),
)
def read_questions(source: Source, need_answers: bool = True) -> list[GoldQuestion]:
    """Return the questions of a gold file, in its order."""
    questions: list[GoldQuestion] = []
    first: dict[str, int] = {}
    for line, row, row_fields in typed_lines(source, _QuestionLine, "questions"):
        identity = plain(row.id)
        note_line(first, identity, source, line, f"question {identity!r}")
        known = [a if isinstance(a, GoldAnswer) else GoldAnswer(a) for a in row.answers]
        if row.answer is not None:
            known.append(GoldAnswer(row.answer))
        nil = row.nil or any(answer.text == NIL for answer in known)
        # Only declining is right; a known answer is kept for reports.
        nil = nil or (row.should_decline and not known and not row.patterns)
        if need_answers and not known and not row.patterns and not nil:
            expected = 'expected "answers", "patterns", "nil": true or "should_decline": true'
            raise source.error(line, f"question {identity!r} has no answers; {expected}")
        named = {"type": row.type, "cluster": row.cluster}
        fields: dict[str, Any] = {name: plain(value) for name, value in named.items() if value is not None}
        fields.update(
            {name: value for name, value in row_fields.items() if name not in FIELDS or name == SHOULD_DECLINE}
        )
        questions.append(GoldQuestion(identity, line, known, row.patterns, nil, row.target, fields))
    return questions


def says_decline(value: object) -> bool:
    """Return whether a cell asks to decline its question; raise ValueError where unclear.

    >>> says_decline("TRUE"), says_decline(0), says_decline("")
    (True, False, False)
    """
    text = plain(value).strip().lower()
    if text not in (*TRUE, *FALSE):
        raise ValueError(f"{SHOULD_DECLINE} {value!r:.40}: expected true or false")
    return text in TRUE


def is_flat(head: Head) -> bool:
    """a dict whose values are no dicts or sets."""
    return head.shape == "mapping" and not any(isinstance(value, (dict, set, frozenset)) for value in head.values)


@reads(
    "question dict",
    role="gold",
    task="outcomes",
    yields="{id: answer} or {id: [answers]}",
    recognises=is_flat,
    shapes="mapping",
    after=("rank-eval-request",),
)
def gold_from_python(source: Source) -> list[GoldQuestion]:
    """Read {id: answer} or {id: [answers]}; the answer NIL marks a question without one.

    >>> from assay.io.sources import Source
    >>> [question.nil for question in gold_from_python(Source("gold", data={"q1": ["Paris"], "q2": "NIL"}))]
    [False, True]
    """
    questions: list[GoldQuestion] = []
    for identity, answers in entries(source):
        several: list[Any] = list(answers) if isinstance(answers, list | tuple | set) else [answers]
        several = [answer for answer in several if answer is not None and answer == answer]  # no None, no NaN
        known = [GoldAnswer(answer) for answer in several if answer != NIL]
        if not known and NIL not in several:
            raise InputError(f"{source.name}: question {identity!r} has no answers; expected an answer, a list or NIL")
        questions.append(GoldQuestion(identity, 0, known, nil=NIL in several))
    return questions


def entries(source: Source) -> list[tuple[str, Any]]:
    """Yield id and value of a dict, ids as text."""
    data: Any = source.data
    if not isinstance(data, dict) or not data:
        raise InputError(f"{source.name}: expected a path, bytes, a data frame or {{id: answer}}, found {data!r:.40}")
    ids = [id_text(identity, source.name) for identity in data]
    check_unique(ids, "question", source.name)
    return list(zip(ids, data.values(), strict=True))


class Judgment(msgspec.Struct, rename={"cls": "class"}):
    """An assessor's judgment of one answer to one question."""

    id: Id
    text: Text
    judgment: Literal["correct", "unsupported", "inexact", "incorrect"]
    doc: Id | None = None
    cls: Id | None = None
    grade: int = 1


def _judgments(head: Head) -> bool:
    """a first line with an `id` and a `judgment`."""
    return head.has("id") and head.has("judgment")


@reads(
    "judgments",
    role="gold",
    task="qa",
    yields="judgments of answers, as gold or beside it",
    recognises=_judgments,
    shapes="json array",
    markers=("judgment",),
    after=("nugget-list", "squad"),
)
def read_judgments(source: Source, asked: Container[str] | None = None, gold: str = "") -> list[Judgment]:
    """Return the judgments of a file; contradictions and unknown questions are errors."""
    return [judgment for _, judgment in judgment_lines(source, asked, gold)]


def judgment_lines(
    source: Source, asked: Container[str] | None = None, gold: str = ""
) -> Iterator[tuple[int, Judgment]]:
    """Yield the judgments with their physical lines."""
    first: dict[tuple[str, str, str | None], tuple[int, str]] = {}
    for line, judgment, _ in typed_lines(source, Judgment, "judgments"):
        key = (plain(judgment.id), plain(judgment.text), None if judgment.doc is None else plain(judgment.doc))
        if asked is not None and key[0] not in asked:
            raise source.error(line, f"judges question {key[0]!r}, which is not in {gold}")
        before = first.setdefault(key, (line, judgment.judgment))
        if before[1] != judgment.judgment:
            both = f"{judgment.judgment} here and {before[1]} on line {before[0]}"
            raise source.error(line, f"{key[1]!r} to question {key[0]!r} is {both}; keep one of them")
        yield line, judgment


def compile_pattern(pattern: str, file: str, line: int | None) -> re.Pattern[str]:
    """Compile a pattern, ignoring case as TREC's scripts do; an error names its place."""
    try:
        with warnings.catch_warnings():
            # A FutureWarning on [[ concerns Python's plans, not the user.
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(pattern, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError) as problem:
        raise FormatError(file, line, f"{pattern!r} is no regular expression: {problem}") from None


@reads("patterns", role="gold", task="qa", yields="TREC answer patterns: a question, then a regular expression, a line")
def read_patterns(source: Source) -> list[GoldQuestion]:
    """Return the questions of a pattern file with their patterns, which are checked."""
    questions: dict[str, GoldQuestion] = {}
    for line, text in text_lines(source):
        number, *rest = text.split(None, 1)
        if not rest:
            raise source.error(line, f"question {number!r} has no pattern; expected a regular expression")
        pattern = rest[0].strip()
        compile_pattern(pattern, source.name, line)
        question = questions.setdefault(number, GoldQuestion(number, line, []))
        if pattern == NIL:
            question.nil = True
        elif pattern not in question.patterns:
            question.patterns.append(pattern)
    if not questions:
        raise InputError(f"{source.name}: is empty; expected lines of a question number and a regular expression")
    return list(questions.values())


@reads("support", role="beside", yields="documents that support answers: a question, then documents, a line")
def read_support(source: Source, known: Collection[str]) -> dict[str, set[str]]:
    """Return, by question, the documents that support an answer."""
    support: dict[str, set[str]] = {}
    for line, text in text_lines(source):
        number, *documents = text.split()
        if not documents:
            raise source.error(line, f"question {number!r} has no document; expected one or more")
        if number not in known:
            raise source.error(line, f"question {number!r} is not in the gold")
        support.setdefault(number, set()).update(documents)
    if not support:
        raise InputError(f"{source.name}: is empty; expected lines of a question number and documents")
    return support
