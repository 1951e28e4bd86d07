"""PAN's yes/no problems (2013 to 2025): truth and answers, as JSONL or as the text files of the early years.

truth.jsonl     {"id": "p1", "same": true}          also "is_human" (2024) and "label" (2025); true, false, 1 or 0
answers.jsonl   {"id": "p1", "value": 0.73}         exactly 0.5 leaves the problem unanswered
truth.txt       EN001 Y
answers.txt     EN001 0.73                          or Y and N
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from assay.formats.answers.rows import Rows, confidence_of
from assay.formats.jsonl import json_lines, plain
from assay.formats.lines import text_lines
from assay.formats.object_ids import note_line
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

TRUTH_FIELDS = ("same", "is_human", "label")
YES_NO = {"Y": 1, "N": 0, "YES": 1, "NO": 0, "TRUE": 1, "FALSE": 0, "1": 1, "0": 0}


class YesNo(msgspec.Struct, eq=False):
    """One yes/no problem of the truth."""

    id: str
    line: int
    truth: int
    fields: dict[str, Any]


def _truth(head: Head) -> bool:
    """a first line with an `id` and `same`, `is_human` or `label`; or of two words, the second Y or N."""
    if head.shape == "json":
        return head.has("id") and head.has(*TRUTH_FIELDS) and not head.has("answers", "answer", "patterns", "nil")
    return len(head.words) == 2 and head.words[1].upper() in (b"Y", b"N")


@reads(
    "pan-truth",
    role="gold",
    task="outcomes",
    yields="PAN's yes/no problems with their truth",
    recognises=_truth,
    shapes="text json table",
    after=("qrels",),
)
def read_truth(source: Source) -> list[YesNo]:
    """Read the problems of a truth file, in its order."""
    problems: list[YesNo] = []
    first: dict[str, int] = {}
    for line, identity, record in _records(source, "problems"):
        note_line(first, identity, source, line, f"problem {identity!r}")
        name = next((field for field in TRUTH_FIELDS if field in record), None)
        if name is None:
            raise source.error(line, f"problem {identity!r} has no truth; expected same, is_human or label")
        truth = YES_NO.get(plain(record[name]).upper())
        if truth is None:
            raise source.error(line, f"{name} {record[name]!r}: expected true or false")
        fields = {key: value for key, value in record.items() if key not in ("id", name)}
        problems.append(YesNo(identity, line, truth, fields))
    return problems


def _values(head: Head) -> bool:
    """a first line with an `id` and a `value`; or of two words, the second a number from 0 to 1, Y or N."""
    if head.shape == "json":
        return head.has("id") and head.has("value")
    return len(head.words) == 2 and re.fullmatch(rb"[01]?\.[0-9]*|[01]|[YyNn]", head.words[1]) is not None


@reads(
    "pan-answers",
    role="run",
    task="outcomes",
    yields="PAN's yes/no answers with their values",
    recognises=_values,
    shapes="text json table",
    after=("trec-run",),
    recovers="line",
)
def read_values(source: Source) -> Rows:
    """Read one run of yes/no answers: `values` as stated, each from 0 to 1."""
    rows = Rows(source.label or source.stem, source.name)
    lists = 0
    for line, identity, fields in _records(source, "answers"):
        value: Any = fields.get("value")
        if isinstance(value, list) and len(value) == 1:
            lists += 1
            value = value[0]
        if value is None or isinstance(value, (bool, list, dict)):
            raise source.error(line, f"problem {identity!r}: value {value!r}: expected a number from 0 to 1")
        if isinstance(value, str) and value.upper() in YES_NO and not value.isdigit():
            value = YES_NO[value.upper()]
        rows.add(identity, line, value=confidence_of(value, source.name, line, "value"))
    if lists:
        rows.details.append(f"{source.name}: {lists} values are lists of one number; the number was read")
    return rows


def _records(source: Source, holding: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield line, id and fields of every record, JSONL or text."""
    if source.head.shape == "json":
        for line, fields in json_lines(source, holding):
            identity = fields.pop("id", None)
            if not isinstance(identity, (str, int)) or isinstance(identity, bool):
                raise source.error(line, f'expected an "id" (a text or a whole number), found {identity!r:.40}')
            yield line, plain(identity), fields
        return
    line = 0
    for line, text in text_lines(source):
        words = text.split()
        if len(words) != 2:
            raise source.error(line, f"expected a problem and its answer, found {len(words)} words")
        yield line, words[0], {"value": words[1], "label": words[1]}
    if not line:
        raise source.error(None, f"holds no {holding}; expected a JSON object a line")
