"""Definition questions as JSONL: the nuggets of the gold, and answers with the nuggets found in them.

    gold    {"id": "1901", "nuggets": [{"id": "1", "text": "born 1828", "vital": true, "votes": 4}, {"id": "2"}]}
    run     {"id": "1901", "answer": "He was born in 1828 …", "nuggets": ["1"]}
            {"id": "1902", "answers": [{"text": "…", "nuggets": ["2"]}, "…"], "length": 312}

A nugget may have `patterns`: regular expressions that find it in answers without a list of nuggets. `length` counts non-white
characters; by default it is computed from the texts.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from assay.errors import FormatError
from assay.formats.answers.questions import compile_pattern
from assay.formats.jsonl import Id, plain, typed_lines
from assay.formats.object_ids import note_line
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source


class _GoldNugget(msgspec.Struct):
    id: Id
    vital: bool = False
    votes: int | None = None
    text: str = ""
    patterns: list[str] = []


class _NuggetGoldLine(msgspec.Struct):
    id: Id
    nuggets: list[_GoldNugget]


class _Piece(msgspec.Struct):
    text: str
    nuggets: list[Id] | None = None


class _NuggetRunLine(msgspec.Struct):
    id: Id
    answer: str | None = None
    answers: list[_Piece | str] | None = None
    nuggets: list[Id] | None = None
    length: int | None = None


class NuggetQuestion(msgspec.Struct, eq=False):
    """The nuggets of one question, with the vital ones, votes and search patterns."""

    id: str
    line: int
    nuggets: list[str] = []
    vital: list[str] = []
    votes: dict[str, int] = {}
    patterns: list[tuple[str, re.Pattern[str]]] = []
    fields: dict[str, Any] = {}
    texts: dict[str, str] = {}
    """The texts of nuggets that have one."""


class NuggetAnswer(msgspec.Struct, eq=False):
    """The answer of a run to one question. `nuggets` are the stated ones, None where none are stated."""

    id: str
    line: int
    texts: list[str]
    nuggets: list[str] | None
    length: int


def non_white(text: str) -> int:
    """Return the length of a text without white space.

    >>> non_white("born\\tin 1828\\n")
    10
    """
    return sum(not character.isspace() for character in text)


def _nuggets(head: Head) -> bool:
    """a first line with an `id` and `nuggets`."""
    return head.has("id") and head.has("nuggets") and not head.has("judgment")


@reads(
    "nuggets",
    role="gold",
    task="nuggets",
    yields="definition questions and their nuggets",
    recognises=_nuggets,
    shapes="json",
    markers=("nuggets",),
    after=("nugget-list", "squad"),
)
def read_nuggets(source: Source) -> list[NuggetQuestion]:
    """Read the questions of a gold file, in its order."""
    questions: list[NuggetQuestion] = []
    lines: dict[str, int] = {}
    for line, row, fields in typed_lines(source, _NuggetGoldLine, "questions"):
        question = NuggetQuestion(plain(row.id), line)
        note_line(lines, question.id, source, line, f"question {question.id!r}")
        questions.append(question)
        if not row.nuggets:
            raise source.error(line, f"question {question.id!r} has no nuggets; expected at least one")
        for nugget in row.nuggets:
            _add(question, nugget, source.name, line)
        question.fields = {
            name: value for name, value in fields.items() if name not in _NuggetGoldLine.__struct_fields__
        }
    return questions


def _add(question: NuggetQuestion, nugget: _GoldNugget, name: str, line: int) -> None:
    identity = plain(nugget.id)
    if identity in question.nuggets:
        raise FormatError(name, line, f"question {question.id!r} has the nugget {identity!r} twice")
    if nugget.votes is not None and nugget.votes < 0:
        raise FormatError(name, line, f"nugget {identity!r} has {nugget.votes} votes; expected 0 or more")
    question.nuggets.append(identity)
    if nugget.text:
        question.texts[identity] = nugget.text
    if nugget.vital:
        question.vital.append(identity)
    if nugget.votes is not None:
        question.votes[identity] = nugget.votes
    question.patterns += [(identity, compile_pattern(pattern, name, line)) for pattern in nugget.patterns]


def _found(head: Head) -> bool:
    """a first line with an `id`, `nuggets`, and `answer`, `answers` or `length`."""
    return head.has("id") and head.has("nuggets") and head.has("answer", "answers", "length")


@reads(
    "nugget-run",
    role="run",
    task="nuggets",
    yields="answers with the nuggets found in them",
    recognises=_found,
    shapes="json",
    markers=("nuggets",),
    recovers="line",
)
def read_nugget_run(source: Source) -> list[NuggetAnswer]:
    """Read the answers of a run, in its order."""
    answers: list[NuggetAnswer] = []
    lines: dict[str, int] = {}
    for line, row, fields in typed_lines(source, _NuggetRunLine, "answers"):
        identity = plain(row.id)
        note_line(lines, identity, source, line, f"question {identity!r}")
        answers.append(_answer(row, identity, fields, source.name, line))
    return answers


def _answer(row: _NuggetRunLine, identity: str, fields: dict[str, Any], name: str, line: int) -> NuggetAnswer:
    if "answer" in fields and "answers" in fields:
        raise FormatError(name, line, f"question {identity!r} has both answer and answers; expected one of them")
    if "answer" not in fields and "answers" not in fields and row.length is None:
        raise FormatError(name, line, f"question {identity!r} gives no answer; expected answer, answers or a length")
    if row.length is not None and row.length < 0:
        raise FormatError(name, line, f"length {row.length}: expected 0 or more")
    pieces = [_Piece(piece) if isinstance(piece, str) else piece for piece in row.answers or []]
    texts = [piece.text for piece in pieces] + ([row.answer] if row.answer is not None else [])
    stated = [plain(n) for piece in pieces for n in piece.nuggets or []] + [plain(n) for n in row.nuggets or []]
    silent = row.nuggets is None and all(piece.nuggets is None for piece in pieces)
    length = sum(map(non_white, texts)) if row.length is None else row.length
    # An empty answer contains no nugget and needs no judge.
    return NuggetAnswer(identity, line, texts, None if silent and length else stated, length)
