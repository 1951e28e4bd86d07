"""Qrels of a diversity track, which judge documents for each subtopic (intent, aspect) of a topic, and weights of subtopics.

qrels     201 1 clueweb12-0000tw-05-12114 1     topic, subtopic, document, grade
          {"201": {"1": {"clueweb12-0000tw-05-12114": 1}}}, or a frame with a column `subtopic`
weights   201 1 0.4                             topic, subtopic, weight
          {"201": {"1": 0.4}}

Ordinary qrels also have four fields, and judge a document of a topic once. A file is read as subtopics if its first lines judge a
document under two second fields, or if `--task diversity` is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.errors import InputError
from assay.formats import frames
from assay.formats.frames import is_null
from assay.formats.lines import field_lines, parse_number
from assay.formats.object_ids import id_text
from assay.formats.ranked.preferences import JudgmentGroups, graded_rows
from assay.formats.ranked.trec import LINES, has_header, names_subtopics, nested, whole_grade
from assay.formats.recognition import reads
from assay.io.heads import Head, is_mapping
from assay.io.sources import Source

SUBTOPIC = ("subtopic", "subtopic_id", "intent", "aspect", "iteration")
"""Names of the column of subtopics; ir_measures calls it iteration."""
Weights = dict[str, dict[str, float]]


def _subtopics(head: Head) -> bool:
    """4 fields, and a document of a topic judged under two second fields; three levels of dicts; a header, named tuples or a frame
    with a column `subtopic`."""
    documents = head.shape not in ("frame", "table", "rows") or not {*frames.DOCUMENT}.isdisjoint(head.columns)
    return documents and names_subtopics(head)


@reads(
    "subtopics",
    role="gold",
    task="diversity",
    yields="judgments by subtopic: topic, subtopic, document, grade",
    recognises=_subtopics,
    shapes="text table json mapping rows frame",
    after=("qrels",),
)
def read_subtopics(source: Source) -> JudgmentGroups:
    """Return topic -> subtopic -> document -> grade.

    >>> from assay.io.sources import Source
    >>> read_subtopics(Source("qrels.txt", data=b"201 1 d1 1\\n201 2 d1 0\\n"))
    {'201': {'1': {'d1': 1}, '2': {'d1': 0}}}
    """
    if has_header(source.head) or source.head.shape in ("frame", "rows"):
        return _from_rows(source)
    if source.head.shape in LINES:
        return graded_rows(source, "subtopic")
    judgments: JudgmentGroups = {}
    for topic, subtopics in _below(nested(source, frames.GRADE), f"{source.name}: expected topics"):
        judged = _new(judgments, topic, f"{source.name}: two topics")
        for subtopic, documents in _below(subtopics, f"{source.name}: topic {topic}: expected subtopics"):
            where = f"{source.name}: topic {topic}, subtopic {subtopic}"
            grades = _new(judged, subtopic, f"{source.name}: topic {topic}: two subtopics")
            for document, grade in _below(documents, f"{where}: expected documents"):
                identity = id_text(document, where)
                if identity in grades:
                    raise InputError(
                        f"{where}: two documents have the same id {identity!r} as text; expected each once"
                    )
                grades[identity] = whole_grade(grade, topic, document, source)
    if not judgments:
        raise InputError(f"{source.name}: is empty; expected topics that hold subtopics that hold documents")
    return judgments


def _new(level: dict[str, dict[str, Any]], key: Any, two: str) -> dict[str, Any]:
    identity = id_text(key, two)
    if identity in level:
        raise InputError(f"{two} have the same id {identity!r} as text; expected each once")
    level[identity] = {}
    return level[identity]


def _below(level: Any, expected: str) -> list[tuple[Any, Any]]:
    if not is_mapping(level):
        raise InputError(f"{expected} in a mapping, found {type(level).__name__}")
    return list(level.items())


def _from_rows(source: Source) -> JudgmentGroups:
    _, rows = frames.rows_of(source, "nested dicts", frames.TOPIC, SUBTOPIC, frames.DOCUMENT, frames.GRADE)
    judgments: JudgmentGroups = {}
    for where, row in rows:
        if any(map(is_null, row)) or "" in row:
            raise InputError(f"{where}: found an empty cell; expected topic, subtopic, document, grade")
        topic, subtopic, document = (id_text(cell, where) for cell in row[:3])
        grades = judgments.setdefault(topic, {}).setdefault(subtopic, {})
        if document in grades:
            twice = f"document {document} is judged a second time for subtopic {subtopic} of topic {topic}"
            raise InputError(f"{where}: {twice}; keep one judgment")
        grade = parse_number(row[3]) if source.head.shape == "table" else row[3]
        grades[document] = whole_grade(row[3] if grade != grade else grade, topic, document, source)
    if not judgments:
        raise InputError(f"{source.name}: is empty; expected a row per judgment")
    return judgments


@reads("intent-weights", role="beside", yields="how much each subtopic counts: topic, subtopic, weight")
def read_weights(source: Source) -> Weights:
    """Return topic -> subtopic -> weight; only the ratios within a topic count.

    >>> from assay.io.sources import Source
    >>> read_weights(Source("weights.txt", data=b"201 1 0.75\\n201 2 .25\\n"))
    {'201': {'1': 0.75, '2': 0.25}}
    """
    if is_mapping(source.data):
        mapping: Mapping[Any, Any] = source.data
        rows = [
            (
                f"{source.name}: topic {topic}, subtopic {subtopic}",
                id_text(topic, source.name),
                id_text(subtopic, f"{source.name}: topic {topic}"),
                weight,
            )
            for topic, subtopics in mapping.items()
            for subtopic, weight in _below(subtopics, f"{source.name}: topic {topic}: expected subtopics")
        ]
    else:
        rows: list[tuple[str, str, str, Any]] = []
        for line, fields in field_lines(source):
            if len(fields) != 3:
                raise source.error(line, f"expected 3 fields (topic, subtopic, weight), found {len(fields)}")
            topic, subtopic, weight = fields
            rows.append((f"{source.name}:{line}", topic, subtopic, weight))
    weights: Weights = {}
    for where, topic, subtopic, weight in rows:
        known = weights.setdefault(topic, {})
        if subtopic in known:
            raise InputError(f"{where}: subtopic {subtopic} of topic {topic} has a weight already; keep one")
        known[subtopic] = _weight(weight, where)
    if not weights:
        raise InputError(f"{source.name}: is empty; expected lines of 3 fields (topic, subtopic, weight)")
    return weights


def _weight(value: Any, where: str) -> float:
    weight = parse_number(value)
    if not 0 <= weight <= 1e9:
        raise InputError(f"{where}: expected a weight (a number from 0 on), found {value!r}")
    return weight
