"""Read the judgments of several judges into one table: pairs of topic and document × judges."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.errors import FormatError, InputError, UsageError, counted
from assay.formats.auxiliary.human_labels import CLUSTER, grades_of_answers, has_column, is_verdict_table
from assay.formats.auxiliary.judges import GradeRecord, grade_of, is_qrels, number_of, read_assessments, read_pairs
from assay.io.atomic_files import identity
from assay.io.heads import is_mapping
from assay.io.sources import Source, expand, path_of, source_of
from assay.resampling.arithmetic import Integers

MAX_CATEGORIES = 200
"""With more grades than these a confusion table is too sparse to count."""
Pair = tuple[str, str]
"""A topic and a document."""
Place = tuple[str, int | None]
"""A file and its line."""


@dataclass(frozen=True, slots=True)
class GradeScale:
    """The categories in order; `values` are the numbers that distances use, None without an order."""

    labels: tuple[str, ...]
    values: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class JudgeTable:
    """`codes[i, j]` is the category that judge j gave pair i, or -1."""

    judges: tuple[str, ...]
    topics: tuple[str, ...]
    pairs: tuple[Pair, ...]
    topic_of: Integers
    """By pair, the index of its topic."""
    codes: Integers
    scale: GradeScale
    notes: tuple[str, ...]
    noun: str = "document"
    """What the judges judged: documents, or answers to questions."""
    unit: str = "topic"
    """What groups them, and is resampled: topics, questions, or clusters of questions."""

    def grades(self, judge: int, rows: Integers) -> dict[str, dict[str, int]]:
        """Return a judge's grades of some pairs as qrels; grades must be whole numbers."""
        qrels: dict[str, dict[str, int]] = {}
        values = [] if self.scale.values is None else list(map(int, self.scale.values))
        codes: list[int] = self.codes[rows, judge].tolist()
        for row, code in zip(rows.tolist(), codes, strict=True):
            topic, document = self.pairs[row]
            qrels.setdefault(topic, {})[document] = values[code]
        return qrels


def gathered(
    judgments: Any, *, scale: Any = None, at: Any = None, pool: Any = None, second_field: bool | None = None
) -> JudgeTable:
    """Read and check the judgments of `assay.agree`, with its options."""
    sources = _sources(judgments)
    _check_once(sources)
    alone = len(sources) == 1 and is_qrels(sources[0])
    given_scale = scale_of(scale)
    allowed = None if pool is None else read_pairs(source_of(pool, None if path_of(pool) is not None else "<pool>"))
    collected = _Collected(given_scale, allowed)
    verdicts = sum(map(is_verdict_table, sources))
    if verdicts not in (0, len(sources)):
        raise UsageError("expected judgments of documents, or of answers (id, judge, human), found both")
    for source in sources:
        if verdicts:
            records = grades_of_answers(source, as_written=given_scale is not None)
        else:
            records = read_assessments(source, alone if second_field is None else second_field)
        collected.add(source, records)
    if len(collected.judges) < 2:
        only = next(iter(collected.judges))
        raise UsageError(
            f"agreement needs at least 2 judges, found only {only!r}. Fix: give a qrels file per judge, a table with a column "
            "`judge`, or one qrels file whose second field names the judge."
        )
    collected.check()
    used_scale = given_scale or _observed_scale(collected.first)
    collected.notes += _below_zero(collected.judges, used_scale)
    table = _table(collected, used_scale, at)
    if not verdicts:
        return table
    return replace(table, noun="answer", unit=CLUSTER if has_column(sources[0], CLUSTER) else "question")


def _check_once(sources: Sequence[Source]) -> None:
    """Refuse a file that is given twice, under any name or link: a judge agrees with itself."""
    first: dict[object, Source] = {}
    for source in sources:
        if source.path is None:
            continue
        before = first.setdefault(identity(source.path) or source.path, source)
        if before is not source:
            same = f"{before.name} and {source.name} are the same file"
            problem = f"{source.name} is given twice" if before.name == source.name else same
            raise UsageError(f"{problem}; expected the judgments of each judge once")


def _below_zero(judges: Mapping[str, Mapping[Pair, str]], scale: GradeScale) -> list[str]:
    """Note that negative grades count as grades here and as unjudged in `assay evaluate`."""
    low = {label for label in scale.labels if (number_of(label) or 0) < 0}
    count = sum(grade in low for grades in judges.values() for grade in grades.values()) if low else 0
    if not count:
        return []
    some = f"{counted(count, 'judgment')} {'has a grade' if count == 1 else 'have grades'} below 0"
    return [f"{some}, which counts as a grade here; `assay evaluate` treats such a document as unjudged"]


def _sources(judgments: Any) -> list[Source]:
    """Return a source per file: paths, folders and globs, NAME=FILE, {judge: judgments}, or tables."""
    if is_mapping(judgments) and any(path_of(item) is not None or _is_judgments(item) for item in judgments.values()):
        return [_labelled(item, str(name)) for name, item in judgments.items()]
    sources: list[Source] = []
    for thing in judgments if isinstance(judgments, list | tuple) else [judgments]:
        path = path_of(thing)
        if path is not None and "=" in path and not os.path.exists(path):
            name, _, path = path.partition("=")
            sources.append(Source(path, path=path, label=name))
        elif path is not None:
            sources += expand([path])
        else:
            sources.append(thing if isinstance(thing, Source) else Source("<judgments>", data=source_of(thing).data))
    if not sources:
        raise UsageError("expected judgments: a qrels file per judge, or a table with a column `judge`")
    return sources


def _is_judgments(thing: Any) -> bool:
    """Whether a value of a dict is a judge's judgments: {topic: {document: grade}}, bytes or a frame."""
    if is_mapping(thing):
        return any(is_mapping(inner) for inner in thing.values())
    return isinstance(thing, bytes | bytearray) or hasattr(thing, "columns")


def _labelled(thing: Any, name: str) -> Source:
    path = path_of(thing)
    return Source(path, path=path, label=name) if path is not None else source_of(thing, name)


class _Collected:
    """Collects judgments; the last of two by one judge on one pair counts."""

    def __init__(self, scale: GradeScale | None, pool: set[Pair] | None) -> None:
        self.judges: dict[str, dict[Pair, str]] = {}
        self.first: dict[str, Place] = {}
        """The place of each grade's first occurrence."""
        self.notes: list[str] = []
        self._scale, self._pool = scale, pool
        self._files: dict[str, str] = {}
        self._outside: list[tuple[Place, GradeRecord]] = []
        self._off: list[tuple[Place, GradeRecord]] = []

    def add(self, source: Source, records: Iterable[GradeRecord]) -> None:
        """Add a file."""
        seen: dict[tuple[str, Pair], int | None] = {}
        twice: dict[str, list[tuple[int | None, GradeRecord]]] = {}
        for record in records:
            judge = self._judge(source, record.judge)
            place, pair = (source.name, record.line), (record.topic, record.document)
            if self._pool is not None and pair not in self._pool:
                self._outside.append((place, record))
            if self._scale is not None and record.grade not in self._scale.labels:
                self._off.append((place, record))
            grades = self.judges.setdefault(judge, {})
            if pair in grades:
                twice.setdefault(judge, []).append((seen.get((judge, pair)), record))
            grades[pair] = record.grade
            seen[judge, pair] = record.line
            self.first.setdefault(record.grade, place)
        for judge, again in twice.items():
            before, record = again[0]
            lines = f", lines {before} and {record.line}" if before is not None else ""
            pairs = len({(record.topic, record.document) for _, record in again})
            self.notes.append(
                f"{source.name}: {judge} judged {counted(pairs, 'pair')} twice (first topic {record.topic}, document "
                f"{record.document}{lines}); the last judgment counts"
            )

    def _judge(self, source: Source, named: str | None) -> str:
        if named is not None:
            if source.label is not None:
                raise UsageError(f"{source.label}={source.name}: the file names its judges. Fix: omit {source.label}=.")
            return named
        judge = source.label or source.stem.removesuffix(".qrels") or source.stem
        if self._files.setdefault(judge, source.name) != source.name:
            raise UsageError(
                f"{self._files[judge]} and {source.name} are both called {judge!r}. Fix: name them, as in ann={source.name}."
            )
        return judge

    def check(self) -> None:
        """Refuse pairs outside the pool, and grades outside the scale."""
        if self._outside:
            (name, line), record = self._outside[0]
            raise FormatError(
                name, line, f"topic {record.topic}, document {record.document} is not in the pool{_more(self._outside)}. "
                "Fix: correct the judgment, or omit `pool`.",
            )  # fmt: skip
        if self._off and self._scale is not None:
            (name, line), record = self._off[0]
            labels = self._scale.labels
            known = ", ".join(labels) if len(labels) <= 10 else f"{labels[0]} to {labels[-1]}"
            raise FormatError(
                name, line, f"{record.judge or 'the judge'} gives topic {record.topic}, document {record.document} the "
                f"grade {record.grade!r}{_more(self._off)}; the scale is {known}",
            )  # fmt: skip


def _more(records: Sequence[object]) -> str:
    return f" (and {len(records) - 1} more like it)" if len(records) > 1 else ""


def scale_of(given: Any) -> GradeScale | None:
    """Parse a scale: 0-3, a list of numbers, or words in order.

    >>> scale_of("0-3").values, scale_of("no,partly,yes").values
    ((0.0, 1.0, 2.0, 3.0), (0.0, 1.0, 2.0))
    """
    if given is None:
        return None
    if isinstance(given, str):
        ends = re.fullmatch(r"\s*(-?\d{1,9})\s*-\s*(-?\d{1,9})\s*", given)
        if ends is not None and int(ends[2]) - int(ends[1]) >= MAX_CATEGORIES:
            raise UsageError(f"`scale={given!r}`: expected at most {MAX_CATEGORIES} grades")
        given = range(int(ends[1]), int(ends[2]) + 1) if ends is not None else given.split(",")
    labels = tuple(grade_of(str(grade)) for grade in given)
    if len(set(labels)) != len(labels) or len(labels) < 2 or not all(labels):
        raise UsageError(f"`scale={','.join(labels)!r}`: expected at least 2 different grades, as 0-3 or no,partly,yes")
    numbers = [number_of(label) for label in labels]
    if None in numbers:
        return GradeScale(labels, tuple(float(place) for place in range(len(labels))))
    ordered = sorted(zip(numbers, labels, strict=True), key=lambda pair: pair[0] or 0.0)
    return GradeScale(tuple(label for _, label in ordered), tuple(float(value or 0) for value, _ in ordered))


def _observed_scale(first: Mapping[str, Place]) -> GradeScale:
    """Return the scale of the grades that occur; words have no order."""
    numbers = {label: number_of(label) for label in first}
    words = [label for label, value in numbers.items() if value is None]
    if words and len(words) < len(numbers):
        name, line = first[words[0]]
        raise FormatError(
            name,
            line,
            f"expected a number as grade, like other grades, found {words[0]!r}; `scale` declares the grades",
        )
    if len(first) > MAX_CATEGORIES:
        raise InputError(
            f"the judgments have {len(first)} different grades; expected at most {MAX_CATEGORIES}. Fix: set `at` for two grades."
        )
    if words:
        return GradeScale(tuple(sorted(words)), None)
    ordered = sorted(numbers, key=lambda label: numbers[label] or 0.0)
    return GradeScale(tuple(ordered), tuple(float(numbers[label] or 0) for label in ordered))


def _cut(scale: GradeScale, at: Any) -> float:
    """Return the lowest value of a grade that counts as relevant."""
    label = grade_of(str(at))
    value = number_of(label)
    if scale.values is None:
        raise UsageError(f"`at={at!r}`: the grades are words without an order; `scale` gives it")
    if value is None and label not in scale.labels:
        raise UsageError(f"`at={at!r}`: expected one of {', '.join(scale.labels)}")
    return scale.values[scale.labels.index(label)] if label in scale.labels else float(value or 0)


def _table(collected: _Collected, scale: GradeScale, at: Any) -> JudgeTable:
    judges = tuple(collected.judges)
    pairs = tuple(dict.fromkeys(pair for grades in collected.judges.values() for pair in grades))
    topics = tuple(dict.fromkeys(topic for topic, _ in pairs))
    place = {label: code for code, label in enumerate(scale.labels)}
    if at is not None:
        cut = _cut(scale, at)
        place = {label: int(value >= cut) for label, value in zip(scale.labels, scale.values or (), strict=True)}
        scale = GradeScale((f"below {at}", f"{at} or more"), (0.0, 1.0))
    row = {pair: i for i, pair in enumerate(pairs)}
    codes = np.full((len(pairs), len(judges)), -1, dtype=np.int64)
    for column, grades in enumerate(collected.judges.values()):
        codes[[row[pair] for pair in grades], column] = [place[label] for label in grades.values()]
    number = {topic: i for i, topic in enumerate(topics)}
    topic_of = np.array([number[topic] for topic, _ in pairs], dtype=np.int64)
    if not ((codes >= 0).sum(axis=1) > 1).any():
        a, b = (" ".join(next(iter(collected.judges[judge]))) for judge in judges[:2])
        raise InputError(
            f"no pair of topic and document was judged by two judges: {judges[0]} judged {a}, {judges[1]} judged {b}; "
            "expected judgments of the same documents"
        )
    return JudgeTable(judges, topics, pairs, topic_of, codes, scale, tuple(collected.notes))
