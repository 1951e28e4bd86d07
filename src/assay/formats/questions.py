"""Questions with their right answers, one a line of JSONL, or {id: answer} in Python.

{"id": "q1", "type": "factoid", "answers": [{"text": "Paris", "class": "a"}], "patterns": ["^Paris"], "nil": false,
 "cluster": "passage-4"}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from assay.errors import FormatError, InputError
from assay.formats.jsonl import Id, Text, plain, typed_lines
from assay.formats.readers import reads

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.formats.sources import Head, Source

NIL = "NIL"
"""The answer that there is none."""


class GoldAnswer(msgspec.Struct, rename={"cls": "class"}):
    """One known answer; answers of the same class are the same answer in other words."""

    text: Text
    cls: Id | None = None
    grade: int = 1
    docs: list[Id] = []


class _GoldLine(msgspec.Struct):
    id: Id
    answers: list[GoldAnswer | str] = []
    answer: Text | None = None
    patterns: list[str] = []
    nil: bool = False
    type: Id | None = None
    cluster: Id | None = None
    target: int | None = None


class GoldQuestion:
    """A question of the gold: `fields` holds type, cluster and whatever else the line says."""

    __slots__ = ("answers", "fields", "id", "line", "nil", "patterns", "target")

    def __init__(
        self,
        id: str,
        line: int,
        answers: list[GoldAnswer],
        patterns: list[str] | None = None,
        nil: bool = False,
        target: int | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        self.id = id
        self.line = line
        self.answers = answers
        self.patterns = patterns or []
        self.nil = nil
        self.target = target
        self.fields = dict(fields or {})


FIELDS = frozenset(_GoldLine.__struct_fields__)
OTHERS = ("judgment", "nuggets", "same", "is_human", "label")
"""Fields of other gold that has ids."""


def _questions(head: Head) -> bool:
    """a first line with an `id`, and `answers`, `answer`, `patterns`, `nil` or none of the fields other gold has."""
    answers = head.has("answers", "answer", "patterns", "nil") and not head.has("judgment", "nuggets")
    return head.has("id") and (answers or not head.has(*OTHERS))


@reads("questions", role="gold", task="outcomes", yields="questions with their right answers", recognises=_questions)
def read_questions(source: Source, need_answers: bool = True) -> list[GoldQuestion]:
    """The questions of a gold file, in its order."""
    questions: list[GoldQuestion] = []
    first: dict[str, int] = {}
    for line, row, found in typed_lines(source, _GoldLine):
        identity = plain(row.id)
        if identity in first:
            raise FormatError(source.name, line, f"question {identity!r} stands already on line {first[identity]}")
        first[identity] = line
        known = [a if isinstance(a, GoldAnswer) else GoldAnswer(a) for a in row.answers]
        if row.answer is not None:
            known.append(GoldAnswer(row.answer))
        nil = row.nil or any(answer.text == NIL for answer in known)
        if need_answers and not known and not row.patterns and not nil:
            raise FormatError(
                source.name,
                line,
                f'question {identity!r} has no answers; expected "answers", "patterns" or "nil": true',
            )
        named = {"type": row.type, "cluster": row.cluster}
        fields: dict[str, Any] = {name: plain(value) for name, value in named.items() if value is not None}
        fields.update({name: value for name, value in found.items() if name not in FIELDS})
        questions.append(GoldQuestion(identity, line, known, row.patterns, nil, row.target, fields))
    if not questions:
        raise FormatError(source.name, None, "holds no questions; expected a JSON object a line")
    return questions


def is_flat(head: Head) -> bool:
    """a dict whose values are no dicts."""
    return head.shape == "mapping" and not any(isinstance(value, dict) for value in head.values)


@reads("question dict", role="gold", task="outcomes", yields="{id: answer} or {id: [answers]}", recognises=is_flat)
def gold_from_python(source: Source) -> list[GoldQuestion]:
    """{id: answer} or {id: [answers]}, the answer NIL for a question that has none.

    >>> from assay.formats.sources import Source
    >>> [question.nil for question in gold_from_python(Source("gold", data={"q1": ["Paris"], "q2": "NIL"}))]
    [False, True]
    """
    questions: list[GoldQuestion] = []
    for identity, answers in entries(source):
        several = list(cast("list[Any]", answers)) if isinstance(answers, list | tuple | set) else [answers]
        known = [GoldAnswer(answer) for answer in several if answer not in (None, NIL)]
        if not known and NIL not in several:
            raise InputError(f"{source.name}: question {identity!r} has no answers; expected an answer, a list or NIL")
        questions.append(GoldQuestion(identity, 0, known, nil=NIL in several))
    return questions


def entries(source: Source) -> list[tuple[str, Any]]:
    """Id and value of everything a dict holds, ids as text."""
    data: Any = source.data
    if not isinstance(data, dict) or not data:
        raise InputError(f"{source.name}: expected a path, bytes, a data frame or {{id: answer}}, found {data!r:.40}")
    return [(plain(identity), value) for identity, value in cast("dict[Any, Any]", data).items()]
