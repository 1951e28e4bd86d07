"""Decode plain runs of answers at once: JSONL of {"id", "answer" or "outcome", "confidence"}.

Return None for any other or faulty file, which `jsonl_answers` then parses line by line, with errors. Both give the same rows.
"""

from __future__ import annotations

import os
from array import array
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any

import msgspec

from assay.formats.answers.outcome_words import Words
from assay.formats.answers.rows import CORRECT, FAILED, INCORRECT, NO_VERDICT, UNANSWERED, Rows
from assay.formats.jsonl import Text
from assay.io.sources import Source

LARGEST = 32 << 20
"""Bytes of a file that is read at once."""
ESCAPED = (b"\\u006", b"\\u007")
"""How a letter of a key could be hidden."""


class _LabelLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    id: str
    answer: str | msgspec.UnsetType | None = msgspec.UNSET
    outcome: Text | msgspec.UnsetType | None = msgspec.UNSET
    confidence: Annotated[float, msgspec.Meta(ge=0, le=1)] | msgspec.UnsetType | None = msgspec.UNSET


_FIELDS = _LabelLine.__struct_fields__
_decode_lines = msgspec.json.Decoder(_LabelLine).decode_lines


def plain_rows(source: Source, words: Words) -> Rows | None:
    """Return the only run of a plain file; None where every line must be parsed by itself.

    >>> source = Source("run", data=b'{"id": "q1", "answer": "Paris", "confidence": 0.9}')
    >>> plain_rows(source, Words()).texts, plain_rows(Source("run", data=b'{"id": "q1", "answer": 7}'), Words())
    (['Paris'], None)
    """
    if source.head.shape != "json" or source.is_stream or _size(source) > LARGEST:
        return None
    content = source.read_text()
    rows = _rows(source, content, words)
    if rows is None:
        source.give_back(content)
    return rows


def _rows(source: Source, content: bytes, words: Words) -> Rows | None:
    try:
        rows = _decode_lines(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    ids, answers, outcomes, confidences = columns = [[*map(attrgetter(name), rows)] for name in _FIELDS]
    unset = [column.count(msgspec.UNSET) for column in columns]
    if not _a_line_each(content, len(ids)) or _hides_a_key(content, [len(ids) - count for count in unset]):
        return None
    if unset[1] and unset[2] and any(a is o is msgspec.UNSET for a, o in zip(answers, outcomes, strict=True)):
        return None
    states = _states(outcomes, words)
    if states is None:
        return None
    source.head.text = source.head.text.partition(b"\n")[0]  # the first line shows every field
    # Columns of numbers alone take a fraction of the memory, and of a thousand runs all may be held.
    filled: dict[str, Any] = {"ids": ids, "lines": range(1, len(ids) + 1)}
    filled["outcomes"] = states if unset[2] else array("b", states)
    if unset[3] or None in confidences:
        filled["confidences"] = [None if confidence is msgspec.UNSET else confidence for confidence in confidences]
    else:
        filled["confidences"] = array("d", confidences)
    if unset[1] == len(ids):
        filled["texts"] = _nothing(len(ids))
    else:
        filled["texts"] = [None if not text or text.isspace() else text for text in answers]  # UNSET is false, too
    return Rows(source.label or source.stem, source.name, **filled)


@lru_cache(maxsize=1)
def _nothing(size: int) -> tuple[None, ...]:
    """Return the texts of a run of outcomes alone: one shared column for all runs of as many questions."""
    return (None,) * size


def _size(source: Source) -> int:
    return len(source.data) if source.path is None else os.path.getsize(source.path)


def _a_line_each(content: bytes, objects: int) -> bool:
    """Return whether every line is one object.

    Objects of these fields contain no brace outside texts, and texts no line end: where every line begins with a brace, each
    is one whole object.
    """
    begun = content.count(b"\n{") + content.startswith(b"{")
    return begun == objects == content.count(b"\n") + (not content.endswith(b"\n"))


def _hides_a_key(content: bytes, read: list[int]) -> bool:
    """Return whether an object may repeat a key, of which the decoder keeps the last: more keys are written than were read."""
    if content.count(b":") == sum(read):
        return False
    written = [content.count(b'"%s"' % name.encode()) for name in _FIELDS]
    return written != read or any(letter in content for letter in ESCAPED)


def _states(outcomes: list[Any], words: Words) -> list[Any] | None:
    """Return the outcomes as states; None where one of them is a score or an unknown word."""
    meaning: dict[Any, int | None] = {msgspec.UNSET: None}
    for value in {*outcomes} - {msgspec.UNSET}:
        try:
            meaning[value] = words(value)[0]
        except ValueError:
            return None
        if meaning[value] not in (CORRECT, INCORRECT, UNANSWERED, FAILED, NO_VERDICT):
            return None
    return [*map(meaning.__getitem__, outcomes)]
