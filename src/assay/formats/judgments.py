"""What assessors said of answers, one judgment a line of JSONL.

{"id": "q1", "text": "Paris", "judgment": "correct", "class": "a"}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from assay.errors import FormatError
from assay.formats.jsonl import Id, Text, plain, typed_lines
from assay.formats.readers import reads

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from assay.formats.sources import Head, Source


class Judgment(msgspec.Struct, rename={"cls": "class"}):
    """What an assessor said of one answer text to one question."""

    id: Id
    text: Text
    judgment: Literal["correct", "unsupported", "inexact", "incorrect"]
    doc: Id | None = None
    cls: Id | None = None
    grade: int = 1


def _judgments(head: Head) -> bool:
    """a first line with an `id` and a `judgment`."""
    return head.has("id") and head.has("judgment")


@reads("judgments", role="gold", task="qa", yields="judgments of answers, as gold or beside it", recognises=_judgments)
def read_judgments(source: Source, asked: Container[str] | None = None, gold: str = "") -> list[Judgment]:
    """The judgments of a file, in its order; two that contradict each other, or a question nobody asked, are errors."""
    return [judgment for _, judgment in judgment_lines(source, asked, gold)]


def judgment_lines(
    source: Source, asked: Container[str] | None = None, gold: str = ""
) -> Iterator[tuple[int, Judgment]]:
    """The same, each with its physical line."""
    first: dict[tuple[str, str, str | None], tuple[int, str]] = {}
    for line, judgment, _ in typed_lines(source, Judgment):
        key = (plain(judgment.id), plain(judgment.text), None if judgment.doc is None else plain(judgment.doc))
        if asked is not None and key[0] not in asked:
            raise FormatError(source.name, line, f"judges question {key[0]!r}, which is not in {gold}")
        before = first.setdefault(key, (line, judgment.judgment))
        if before[1] != judgment.judgment:
            raise FormatError(
                source.name,
                line,
                f"{plain(judgment.text)!r} to question {key[0]!r} is {judgment.judgment} here and {before[1]} on "
                f"line {before[0]}; keep one of them",
            )
        yield line, judgment
    if not first:
        raise FormatError(source.name, None, "holds no judgments; expected a JSON object a line")
