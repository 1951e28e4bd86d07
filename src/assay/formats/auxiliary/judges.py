"""Judgments of the same documents by several judges, in one of these forms:

qrels    301 0 FBIS3-1 1                        a file a judge; or 301 ann FBIS3-1 1, the second field naming the judge
long     topic,document,judge,grade             CSV, TSV, JSONL, Parquet or a data frame, a judgment a row
wide     topic,document,ann,bob,umbrela         a column a judge, an empty cell where one did not judge

A grade is a number, or in tables a word. A JSON object with "undo": true, as `assay judge` writes it, undoes the last judgment of its
judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from assay.errors import InputError
from assay.formats import frames
from assay.formats.frames import as_frame, cell_lines, check_ids, table_rows
from assay.formats.jsonl import json_lines, plain
from assay.formats.lines import field_lines
from assay.formats.object_ids import id_text
from assay.formats.ranked.trec import QRELS_LINE, nested
from assay.formats.recognition import reads
from assay.io.heads import is_mapping
from assay.io.sources import Source

JUDGE = ("judge", "assessor", "annotator", "rater", "judge_id", "assessor_id", "annotator_id", "worker", "worker_id")
PEOPLE = ("human", "person")
"""A column so called has people's grades: then a column `judge` has a machine's, and not the judges' names."""
EXPECTED = f"expected qrels ({QRELS_LINE}), or a table or JSON objects with topic, document, judge and grade"
GRADE_LIMIT = 10**9
"""Grades are smaller in absolute value."""


class GradeRecord(NamedTuple):
    """One judgment; no judge where the file is one judge's."""

    line: int | None
    judge: str | None
    topic: str
    document: str
    grade: str


@reads("assessments", role="beside", yields="grades of several judges: topic, document, judge, grade")
def read_assessments(source: Source, second_field: bool = False) -> list[GradeRecord]:
    """Read every judgment of a source; with `second_field`, the second field of qrels names the judge."""
    shape = source.head.shape
    if shape in ("table", "parquet", "frame"):
        records = list(_table(source))
    elif shape == "array" or (shape == "json" and not _is_nested(source)):
        records = read_records(source)
    elif shape in ("json", "mapping"):
        records = list(_nested(source))
    elif shape == "text":
        records = list(_qrels(source, second_field))
    elif not source.is_bytes:
        raise source.error(None, f"{EXPECTED}, found {type(source.data).__name__}")
    else:
        raise source.error(None, f"is no text; {EXPECTED}")
    if not records:
        raise source.error(None, f"holds no judgments; {EXPECTED}")
    return records


def read_records(source: Source) -> list[GradeRecord]:
    """Read the judgments of JSON objects, without those that were undone."""
    records: list[GradeRecord] = []
    for line, row in json_lines(source, "judgments"):
        if row.get("undo") is True:
            _undo(source, line, row, records)
        else:
            records.append(_record(source, line, row))
    return records


def grades_of(source: Source) -> dict[str, dict[str, int]]:
    """Return the final grades of one judge's file: undone judgments are dropped, and of repeated ones the last counts.

    >>> lines = b'{"topic": "1", "document": "a", "grade": 0, "judge": "ann"}\\n{"topic": "1", "document": "a", "grade": 2, "judge": "ann"}'
    >>> grades_of(Source("ann.judgments.jsonl", data=lines))
    {'1': {'a': 2}}
    """
    grades: dict[str, dict[str, int]] = {}
    judge: str | None = None
    for number, record in enumerate(read_records(source)):
        judge = record.judge if not number else judge
        if record.judge != judge:
            expected = "expected one judge's; `assay agree --adjudicate` makes one of several"
            raise source.error(
                record.line, f"is a judgment of {record.judge}, and those before are of {judge}; {expected}"
            )
        value = number_of(record.grade)
        if value is None or value != int(value):
            raise source.error(record.line, f"expected a whole number as grade, found {record.grade!r}")
        grades.setdefault(record.topic, {})[record.document] = int(value)
    if not grades:
        raise source.error(None, "holds no judgments: every one was undone")
    return grades


def _undo(source: Source, line: int, row: Mapping[str, Any], records: list[GradeRecord]) -> None:
    """Undo the last judgment of a judge, so that the one before it counts again."""
    topic, document = _pair(source, line, row)
    judge = None if _first(row, JUDGE) is None else id_of(source, line, row, JUDGE, "judge")
    last = next((place for place in range(len(records) - 1, -1, -1) if records[place].judge == judge), None)
    if last is None or (records[last].topic, records[last].document) != (topic, document):
        before = "there is none before it" if last is None else f"which is of document {records[last].document!r}"
        raise source.error(
            line,
            f"undoes a judgment of topic {topic!r}, document {document!r}; expected the last one of {judge}, {before}",
        )
    del records[last]


def is_qrels(source: Source) -> bool:
    """Return whether a source has a second field that may name the judge."""
    return source.is_bytes and source.head.shape == "text"


def grade_of(text: str) -> str:
    """Normalise a grade: a whole number loses its decimals, a word is kept.

    >>> grade_of(" 2.0 "), grade_of("0.5"), grade_of("partly"), grade_of("-1")
    ('2', '0.5', 'partly', '-1')
    """
    text = text.strip()
    value = number_of(text)
    return text if value is None else str(int(value)) if value == int(value) else repr(value)


def number_of(text: str) -> float | None:
    """Return a grade as a number; None for a word.

    >>> number_of("2"), number_of("nan"), number_of("yes")
    (2.0, None, None)
    """
    value = _number(text)
    return value if value is not None and isfinite(value) and abs(value) < GRADE_LIMIT else None


def _grade(source: Source, line: int | None, text: str) -> str:
    """Normalise a grade of a table; refuse numbers out of range, which are not words either."""
    if number_of(text) is None and _number(text) is not None:
        raise source.error(
            line,
            f"the grade {text.strip()!r} is not between -{GRADE_LIMIT} and {GRADE_LIMIT}; leave out what was not judged",
        )
    return grade_of(text)


def _number(text: str) -> float | None:
    try:
        return float(text if "_" not in text else "")
    except ValueError:
        return None


def _qrels(source: Source, second_field: bool) -> Iterator[GradeRecord]:
    for line, fields in field_lines(source):
        if len(fields) != 4:
            raise source.error(line, f"expected 4 fields ({QRELS_LINE}), found {len(fields)}")
        topic, second, document, grade = fields
        value = number_of(_grade(source, line, grade))
        if value is None or value != int(value):
            raise source.error(line, f"expected a whole number as grade (field 4), found {grade!r}")
        yield GradeRecord(line, second if second_field else None, topic, document, grade_of(grade))


def _is_nested(source: Source) -> bool:
    return any(is_mapping(value) for value in source.head.record.values()) or not source.head.record


def _nested(source: Source) -> Iterator[GradeRecord]:
    for topic, documents in nested(source, frames.GRADE).items():
        if not is_mapping(documents):
            raise InputError(
                f"{source.name}: topic {topic}: expected a mapping from document to grade, found {documents!r:.40}"
            )
        for document, grade in documents.items():
            if grade is None or isinstance(grade, list | dict):
                raise InputError(
                    f"{source.name}: topic {topic}, document {document}: expected a grade, found {grade!r:.40}"
                )
            where = f"{source.name}: topic {topic}"
            yield GradeRecord(
                None, None, id_text(topic, source.name), id_text(document, where), _grade(source, None, plain(grade))
            )


def _table(source: Source) -> Iterator[GradeRecord]:
    source = as_frame(source)
    names, rows = table_rows(source)
    check_ids(source, [place for place, name in enumerate(names) if name in (*frames.TOPIC, *frames.DOCUMENT)])
    judges = wide_judges(names)
    for line, cells in rows:
        row = {name: cell.strip() for name, cell in zip(names, cells, strict=True)}
        if not judges:
            yield _record(source, line, row)
            continue
        topic, document = _pair(source, line, row)
        yield from (
            GradeRecord(line, judge, topic, document, _grade(source, line, row[judge]))
            for judge in judges
            if row[judge]
        )


def wide_judges(names: Sequence[str]) -> list[str]:
    """Return the columns that are judges: all but topic and document, unless one has the grades, or the judges' names.

    >>> wide_judges(["topic", "doc", "ann", "bob"]), wide_judges(["topic", "doc", "judge", "grade"])
    (['ann', 'bob'], [])
    >>> wide_judges(["topic", "doc", "judge", "human"])
    ['judge', 'human']
    """
    grades = {*names} & {*frames.GRADE}
    if grades or ({*names} & {*JUDGE} and not {*names} & {*PEOPLE}):
        return []
    return [name for name in names if name and name not in (*frames.TOPIC, *frames.DOCUMENT)]


def _record(source: Source, line: int, row: Mapping[str, Any]) -> GradeRecord:
    topic, document = _pair(source, line, row)
    named = _first(row, JUDGE)
    grade = _first(row, frames.GRADE)
    if grade is None or isinstance(grade, list | dict) or not plain(grade).strip():
        raise source.error(
            line, f"expected a grade, one of {', '.join(frames.GRADE)}, found none; leave out what was not judged"
        )
    judge = None if named is None else id_of(source, line, row, JUDGE, "judge")
    return GradeRecord(line, judge, topic, document, _grade(source, line, plain(grade)))


def _first(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((row[name] for name in names if row.get(name) is not None), None)


def _pair(source: Source, line: int, row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the topic and the document of a row."""
    topic = id_of(source, line, row, frames.TOPIC, "topic")
    return topic, id_of(source, line, row, frames.DOCUMENT, "document")


def id_of(source: Source, line: int, row: Mapping[str, Any], names: Sequence[str], what: str) -> str:
    value = _first(row, names)
    text = "" if value is None or isinstance(value, list | dict) else plain(value).strip()
    if not text:
        raise source.error(line, f"expected a {what}, one of {', '.join(names[:4])}, found none")
    return text


def read_pairs(source: Source) -> set[tuple[str, str]]:
    """Read the pairs of topic and document of a pool: a table, JSON objects, lines of two fields, or qrels."""
    return {(topic, document) for _, topic, document in pairs_of(source)}


def pairs_of(source: Source) -> Iterator[tuple[int, str, str]]:
    """Yield physical line, topic and document of every pair, in the order of the source."""
    shape = source.head.shape
    if shape == "text":
        for line, fields in field_lines(source):
            if len(fields) < 2:
                raise source.error(line, f"expected a topic and a document, found {fields[0]!r} alone")
            yield line, fields[0], fields[1] if len(fields) == 2 else fields[2]
        return
    if shape in ("table", "parquet", "frame"):
        lines = cell_lines(source)
        _, header = next(lines)
        rows: Any = ((line, dict(zip(header, cells, strict=False))) for line, cells in lines)
    else:
        rows = json_lines(source, "pool")
    for line, row in rows:
        yield line, *_pair(source, line, row)
