"""Qrels and runs of three fields a line, as MS MARCO writes its runs.

    qrels     q1 d7 1       topic, document, grade
    run       q1 d7 1       topic, document, rank: whole numbers that rise from 1 (or 0) in each topic
    run       q1 d7 12.5    topic, document, score

The place of a file decides whether it is qrels or a run. In a run the first 64 KiB decide between ranks and scores; where they fit both
(3, 2, 1 in a topic) or neither (scores that rise everywhere, as distances do), the file is refused. What was assumed is printed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import chain, groupby, pairwise
from typing import TypeVar

from assay.errors import InputError
from assay.formats.lines import field_lines, parse_number
from assay.formats.ranked.trec import has_three_fields
from assay.formats.recognition import reads
from assay.io.heads import BOM, Head
from assay.io.sources import HEAD, Source

Number = TypeVar("Number", int, float)
QRELS_FIELDS = "topic, document, grade"
RUN_FIELDS = "topic, document, rank or score"
ADVICE = "write the six fields of TREC: topic, Q0, document, rank, score, tag"


def _qrels(head: Head) -> bool:
    """a first line of 3 fields, the last a number."""
    return has_three_fields(head)


@reads(
    "msmarco-qrels",
    role="gold",
    task="ranked",
    yields=f"judgments of documents: {QRELS_FIELDS}",
    recognises=_qrels,
    shapes="text table",
    after=("qrels", "pan-truth", "table"),
)
def read_grades(source: Source) -> dict[str, dict[str, int]]:
    """Return {topic: {document: grade}}.

    >>> from assay.io.sources import Source
    >>> read_grades(Source("qrels", data=b"q1 d7 1\\nq1 d8 0\\n"))
    {'q1': {'d7': 1, 'd8': 0}}
    """
    grades: dict[str, dict[str, int]] = {}
    for line, topic, document, text in _fields(source, QRELS_FIELDS):
        grade = parse_number(text)
        if not (abs(grade) < 1e9 and grade == int(grade)):
            run = " (a run is given after the gold)" if grade == grade else ""
            raise source.error(line, f"expected a whole number as grade (field 3), found {text!r}{run}")
        _add(grades.setdefault(topic, {}), topic, document, int(grade), source, line)
    if not grades:
        raise source.error(None, f"is empty; expected lines of 3 fields ({QRELS_FIELDS})")
    if _are_ranks(grades):
        raise InputError(
            f"{source.name}: field 3 counts 1, 2, 3 in every topic, as the ranks of a run do; the judgments are given first. Fix: give "
            "the run after them, or write judgments with the four fields of TREC: topic, 0, document, grade"
        )
    source.assumptions[f"3 fields a line, read as {QRELS_FIELDS}"] = None
    return grades


def _are_ranks(grades: dict[str, dict[str, int]]) -> bool:
    """Return whether the grades of every topic count up from 0 or 1, line by line, to 3 or more in some topic.

    >>> _are_ranks({"q1": {"a": 1, "b": 2, "c": 3}, "q2": {"a": 1}}), _are_ranks({"q1": {"a": 1, "b": 2, "c": 2}})
    (True, False)
    """
    columns = [list(of_topic.values()) for of_topic in grades.values()]
    counts = all(values[0] in (0, 1) and values == [*range(values[0], values[0] + len(values))] for values in columns)
    return counts and max(map(len, columns)) >= 3


def _run(head: Head) -> bool:
    """a first line of 3 fields, the last a number."""
    return has_three_fields(head)


@reads(
    "msmarco-run",
    role="run",
    task="ranked",
    yields=f"ranked documents: {RUN_FIELDS}",
    recognises=_run,
    shapes="text table",
    after=("trec-run", "pan-answers", "table run"),
)
def read_scores(source: Source) -> dict[str, dict[str, float]]:
    """Return {topic: {document: score}}; a rank becomes the score -rank.

    >>> from assay.io.sources import Source
    >>> read_scores(Source("run", data=b"q1 d7 1\\nq1 d8 2\\n"))
    {'q1': {'d7': -1.0, 'd8': -2.0}}
    """
    scores: dict[str, dict[str, float]] = {}
    for line, topic, document, score in scored_lines(source):
        _add(scores.setdefault(topic, {}), topic, document, score, source, line)
    if not scores:
        raise source.error(None, f"is empty; expected lines of 3 fields ({RUN_FIELDS})")
    return scores


def scored_lines(source: Source) -> Iterator[tuple[int, str, str, float]]:
    """Yield physical line, topic, document and score of every line of a run, checked."""
    third = _third_field(source)
    for line, topic, document, text in _fields(source, f"topic, document, {third}"):
        if third == "rank" and not _is_rank(text):
            expected = "expected a rank (a whole number in field 3) as in the first lines"
            raise source.error(line, f"{expected}, found {text!r}")
        score = parse_number(text)
        if score != score:
            raise source.error(line, f"expected a number as score (field 3), found {text!r}")
        yield line, topic, document, -score if third == "rank" else score


def packed_topics(source: Source) -> Iterator[tuple[bytes, bytes, array[float]]]:
    """Yield topic, documents between zero bytes, and scores, of successive lines of a topic; a ValueError for anything unusual.

    7 million lines take 6 s, line by line 20 s.
    """
    is_rank = _third_field(source) == "rank"
    before: bytes | None = None
    documents: list[bytes] = []
    scores = array("d")
    for rows in _rows(source):
        topics, ids, texts = zip(*rows, strict=True)
        joined = b"".join(texts)
        if b"_" in joined or (is_rank and not joined.isdigit()):
            raise ValueError(joined)
        numbers = array("d", map(float, texts))
        start = 0
        for topic, group in groupby(topics):
            end = start + sum(1 for _ in group)
            if topic != before:
                if before is not None:
                    yield before, b"\0".join(documents), scores
                before, documents, scores = topic, [], array("d")
            documents += ids[start:end]
            scores.extend(-number for number in numbers[start:end]) if is_rank else scores.extend(numbers[start:end])
            start = end
    if before is not None:
        yield before, b"\0".join(documents), scores


def _rows(source: Source) -> Iterator[list[list[bytes]]]:
    """Yield the fields of many lines at a time, three each."""
    rest = b""
    for number, chunk in enumerate(chain(source.text(), [b"\n"])):
        text, _, rest = (rest + (chunk if number else chunk.removeprefix(BOM))).rpartition(b"\n")
        if b"\0" in text:
            raise ValueError(text)
        rows = [row for row in map(bytes.split, text.split(b"\n")) if row and not row[0].startswith(b"#")]
        if {*map(len, rows)} - {3}:
            raise ValueError(rows)
        if rows:
            yield rows


def _fields(source: Source, names: str) -> Iterator[tuple[int, str, str, str]]:
    for line, fields in field_lines(source):
        if len(fields) != 3:
            raise source.error(line, f"expected 3 fields ({names}) as on the first line, found {len(fields)}")
        topic, document, text = fields
        yield line, topic, document, text


def _add(documents: dict[str, Number], topic: str, document: str, value: Number, source: Source, line: int) -> None:
    if document in documents:
        raise source.error(line, f"document {document} appears a second time in topic {topic}; remove one of the two")
    documents[document] = value


def _third_field(source: Source) -> str:
    """Return what the third field of a run is, rank or score; refuse a run where it could be either.

    >>> _third_field(Source("a", data=b"q1 d1 1\\nq1 d2 2\\n")), _third_field(Source("b", data=b"q1 d1 7.5\\nq1 d2 3\\n"))
    ('rank', 'score')
    """
    topics = _third_fields(source.head)
    several = [texts for texts in topics if len(texts) > 1]
    steps = [b - a for texts in several for a, b in pairwise(map(parse_number, texts))]
    third = "score"
    if _may_be_ranks(topics):
        if not all(step > 0 for step in steps):
            found = f"field 3 may be a rank or a score ({', '.join(several[0][:3])} in the first topic)"
            raise InputError(f"{source.name}: {found}; expected ranks that rise from 1 in each topic. Fix: {ADVICE}")
        third = "rank"
    elif any(step > 0 for step in steps) and all(step >= 0 for step in steps):
        found = f"field 3 rises down the lines of every topic ({', '.join(several[0][:3])} …) and is no rank from 1 on"
        raise InputError(f"{source.name}: {found}; a distance would be the wrong way round as a score. Fix: {ADVICE}")
    source.assumptions[f"3 fields a line, read as topic, document, {third}"] = None
    return third


def _may_be_ranks(topics: list[list[str]]) -> bool:
    """Return whether the numbers of every topic are whole, different, and from 0 or 1 on."""
    return all(
        all(map(_is_rank, texts)) and len(set(texts)) == len(texts) and min(map(int, texts)) in (0, 1)
        for texts in topics
    )


def _is_rank(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _third_fields(head: Head) -> list[list[str]]:
    """Return the third fields of the first lines, by topic; of a file longer than its head, without the last line and topic."""
    lines = head.text.splitlines()
    is_cut = len(head.text) > HEAD // 2
    topics: dict[bytes, list[str]] = {}
    for line in lines[:-1] if is_cut else lines:
        words = line.split()
        if len(words) == 3 and not words[0].startswith(b"#"):
            topics.setdefault(words[0], []).append(words[2].decode(errors="replace"))
    return list(topics.values())
