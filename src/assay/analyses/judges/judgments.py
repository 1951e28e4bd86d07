"""The judgments of several judges side by side: which pair of topic and document got which grade from whom."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import FormatError, InputError, UsageError
from assay.formats.auxiliary.judges import GradeRecord, grade_of, is_qrels, number_of, read_assessments, read_pairs
from assay.io.atomic_files import identity
from assay.io.heads import is_mapping
from assay.io.sources import Source, expand, path_of, source_of
from assay.resampling.arithmetic import Integers

MOST_CATEGORIES = 200
"""Beyond which grades are measurements, and a table of who gave which has nothing to count."""
Pair = tuple[str, str]
"""A topic and a document."""
Place = tuple[str, int | None]
"""A file and its line."""


@dataclass(frozen=True, slots=True)
class GradeScale:
    """The categories, in their order where they have one: `values` are what distances are measured on."""

    labels: tuple[str, ...]
    values: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class JudgeTable:
    """`codes[i, j]` is the category that judge j gave to pair i, -1 where there is none."""

    judges: tuple[str, ...]
    topics: tuple[str, ...]
    pairs: tuple[Pair, ...]
    topic_of: Integers
    """By pair, the place of its topic."""
    codes: Integers
    scale: GradeScale
    notes: tuple[str, ...]

    def grades(self, judge: int, rows: Integers) -> dict[str, dict[str, int]]:
        """What a judge said of some pairs, as qrels, grades being whole numbers."""
        found: dict[str, dict[str, int]] = {}
        values = [] if self.scale.values is None else list(map(int, self.scale.values))
        codes: list[int] = self.codes[rows, judge].tolist()
        for row, code in zip(rows.tolist(), codes, strict=True):
            topic, document = self.pairs[row]
            found.setdefault(topic, {})[document] = values[code]
        return found


def gathered(
    judgments: Any, *, scale: Any = None, at: Any = None, pool: Any = None, second_field: bool | None = None
) -> JudgeTable:
    """Read, check and lay side by side; the options are those of `assay.agree`."""
    sources = _sources(judgments)
    _check_once(sources)
    alone = len(sources) == 1 and is_qrels(sources[0])
    asked = scale_of(scale)
    allowed = None if pool is None else read_pairs(source_of(pool, None if path_of(pool) is not None else "<pool>"))
    collected = _Collected(asked, allowed)
    for source in sources:
        said = read_assessments(source, alone if second_field is None else second_field)
        collected.add(source, said)
    if len(collected.judges) < 2:
        only = next(iter(collected.judges))
        raise UsageError(
            f"agreement needs at least 2 judges; found {only!r} alone. Give a file of qrels a judge, a table with a column "
            "`judge`, or one qrels file whose second field names the judge"
        )
    collected.check()
    made = asked or _seen(collected.first)
    collected.notes += _below_zero(collected.judges, made)
    return _laid(collected, made, at)


def _check_once(sources: Sequence[Source]) -> None:
    """A file counts once, by whatever name or link it is given: a judge agrees with itself."""
    first: dict[object, Source] = {}
    for source in sources:
        if source.path is None:
            continue
        before = first.setdefault(identity(source.path) or source.path, source)
        if before is not source:
            told = (
                f"{source.name} is given twice"
                if before.name == source.name
                else f"{before.name} and {source.name} are the same file"
            )
            raise UsageError(f"{told}; expected the judgments of each judge once")


def _below_zero(judges: Mapping[str, Mapping[Pair, str]], scale: GradeScale) -> list[str]:
    """What is said of grades that mean different things to different people."""
    low = {label for label in scale.labels if (number_of(label) or 0) < 0}
    count = sum(grade in low for own in judges.values() for grade in own.values()) if low else 0
    if not count:
        return []
    some = f"{_counted(count, 'judgment')} {'has a grade' if count == 1 else 'have grades'} below 0"
    return [f"{some}: a grade like the others here; `assay evaluate` takes such a document for one that nobody judged"]


def _sources(judgments: Any) -> list[Source]:
    """One source a file: paths, folders and globs, NAME=FILE, {judge: judgments}, or tables."""
    if is_mapping(judgments) and any(path_of(one) is not None or _is_judgments(one) for one in judgments.values()):
        return [_labelled(one, str(name)) for name, one in judgments.items()]
    things = list(judgments) if isinstance(judgments, list | tuple) else [judgments]
    found: list[Source] = []
    for thing in things:
        path = path_of(thing)
        if path is not None and "=" in path and not os.path.exists(path):
            name, _, path = path.partition("=")
            found.append(Source(path, path=path, label=name))
        elif path is not None:
            found += expand([path])
        else:
            found.append(thing if isinstance(thing, Source) else Source("<judgments>", data=source_of(thing).data))
    if not found:
        raise UsageError("expected judgments: qrels files, one a judge, or a table with a column `judge`")
    return found


def _is_judgments(thing: Any) -> bool:
    """Whether a value of a dict is itself a judge's judgments: {topic: {document: grade}}, bytes or a frame."""
    if is_mapping(thing):
        return any(is_mapping(inner) for inner in thing.values())
    return isinstance(thing, bytes | bytearray) or hasattr(thing, "columns")


def _labelled(thing: Any, name: str) -> Source:
    path = path_of(thing)
    return Source(path, path=path, label=name) if path is not None else source_of(thing, name)


class _Collected:
    """Judgments as they are read: the last of two by one judge on one pair counts."""

    def __init__(self, scale: GradeScale | None, pool: set[Pair] | None) -> None:
        self.judges: dict[str, dict[Pair, str]] = {}
        self.first: dict[str, Place] = {}
        """Where each grade was seen first."""
        self.notes: list[str] = []
        self._scale, self._pool = scale, pool
        self._files: dict[str, str] = {}
        self._outside: list[tuple[Place, GradeRecord]] = []
        self._off: list[tuple[Place, GradeRecord]] = []

    def add(self, source: Source, said: Iterable[GradeRecord]) -> None:
        """One more file."""
        seen: dict[tuple[str, Pair], int | None] = {}
        twice: dict[str, list[tuple[int | None, GradeRecord]]] = {}
        for one in said:
            judge = self._judge(source, one.judge)
            place, pair = (source.name, one.line), (one.topic, one.document)
            if self._pool is not None and pair not in self._pool:
                self._outside.append((place, one))
            if self._scale is not None and one.grade not in self._scale.labels:
                self._off.append((place, one))
            own = self.judges.setdefault(judge, {})
            if pair in own:
                twice.setdefault(judge, []).append((seen.get((judge, pair)), one))
            own[pair] = one.grade
            seen[judge, pair] = one.line
            self.first.setdefault(one.grade, place)
        for judge, again in twice.items():
            before, one = again[0]
            lines = f", lines {before} and {one.line}" if before is not None else ""
            pairs = len({(one.topic, one.document) for _, one in again})
            self.notes.append(
                f"{source.name}: {judge} judged {_counted(pairs, 'pair')} a second time (first topic {one.topic}, document "
                f"{one.document}{lines}); the last judgment counts"
            )

    def _judge(self, source: Source, named: str | None) -> str:
        if named is not None:
            if source.label is not None:
                raise UsageError(
                    f"{source.label}={source.name}: the file names its judges itself; give it without {source.label}="
                )
            return named
        judge = source.label or source.stem.removesuffix(".qrels") or source.stem
        if self._files.setdefault(judge, source.name) != source.name:
            raise UsageError(
                f"{self._files[judge]} and {source.name} are both called {judge!r}; name them, as in ann={source.name}"
            )
        return judge

    def check(self) -> None:
        """Refuse what nobody asked to be judged, and grades that are none."""
        if self._outside:
            (name, line), one = self._outside[0]
            raise FormatError(
                name, line, f"topic {one.topic}, document {one.document} is not in the pool{_more(self._outside)}; correct the "
                "judgment, or leave `pool` out",
            )  # fmt: skip
        if self._off and self._scale is not None:
            (name, line), one = self._off[0]
            labels = self._scale.labels
            known = ", ".join(labels) if len(labels) <= 10 else f"{labels[0]} to {labels[-1]}"
            raise FormatError(
                name, line, f"{one.judge or 'the judge'} gives topic {one.topic}, document {one.document} the grade {one.grade!r}"
                f"{_more(self._off)}; the scale is {known}",
            )  # fmt: skip


def _more(found: Sequence[object]) -> str:
    return f" (and {len(found) - 1} more like it)" if len(found) > 1 else ""


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def scale_of(given: Any) -> GradeScale | None:
    """The scale a person names: 0-3, a list of numbers, or of words in their order.

    >>> scale_of("0-3").values, scale_of("no,partly,yes").values
    ((0.0, 1.0, 2.0, 3.0), (0.0, 1.0, 2.0))
    """
    if given is None:
        return None
    if isinstance(given, str):
        ends = re.fullmatch(r"\s*(-?\d{1,9})\s*-\s*(-?\d{1,9})\s*", given)
        if ends is not None and int(ends[2]) - int(ends[1]) >= MOST_CATEGORIES:
            raise UsageError(f"`scale={given!r}`: expected at most {MOST_CATEGORIES} grades")
        given = range(int(ends[1]), int(ends[2]) + 1) if ends is not None else given.split(",")
    labels = tuple(grade_of(str(one)) for one in given)
    if len(set(labels)) != len(labels) or len(labels) < 2 or not all(labels):
        raise UsageError(f"`scale={','.join(labels)!r}`: expected at least 2 different grades, as 0-3 or no,partly,yes")
    numbers = [number_of(label) for label in labels]
    if None in numbers:
        return GradeScale(labels, tuple(float(place) for place in range(len(labels))))
    ordered = sorted(zip(numbers, labels, strict=True), key=lambda one: one[0] or 0.0)
    return GradeScale(tuple(label for _, label in ordered), tuple(float(value or 0) for value, _ in ordered))


def _seen(first: Mapping[str, Place]) -> GradeScale:
    """The grades there are; words have no order unless somebody gives it."""
    numbers = {label: number_of(label) for label in first}
    words = [label for label, value in numbers.items() if value is None]
    if words and len(words) < len(numbers):
        name, line = first[words[0]]
        raise FormatError(
            name,
            line,
            f"expected a number as grade, as others are, found {words[0]!r}; `scale` says which grades there are",
        )
    if len(first) > MOST_CATEGORIES:
        raise InputError(
            f"the judgments hold {len(first)} different grades; expected at most {MOST_CATEGORIES}. `at` makes two of them"
        )
    if words:
        return GradeScale(tuple(sorted(words)), None)
    ordered = sorted(numbers, key=lambda label: numbers[label] or 0.0)
    return GradeScale(tuple(ordered), tuple(float(numbers[label] or 0) for label in ordered))


def _cut(scale: GradeScale, at: Any) -> float:
    """The value from which on a grade counts as relevant."""
    named = grade_of(str(at))
    value = number_of(named)
    if scale.values is None or (value is None and named not in scale.labels):
        ordered = (
            "the grades are words without an order; `scale` gives it"
            if scale.values is None
            else f"expected one of {', '.join(scale.labels)}"
        )
        raise UsageError(f"`at={at!r}`: {ordered}")
    return scale.values[scale.labels.index(named)] if named in scale.labels else float(value or 0)


def _laid(collected: _Collected, scale: GradeScale, at: Any) -> JudgeTable:
    judges = tuple(collected.judges)
    pairs = tuple(dict.fromkeys(pair for own in collected.judges.values() for pair in own))
    topics = tuple(dict.fromkeys(topic for topic, _ in pairs))
    place = {label: code for code, label in enumerate(scale.labels)}
    if at is not None:
        cut = _cut(scale, at)
        place = {label: int(value >= cut) for label, value in zip(scale.labels, scale.values or (), strict=True)}
        scale = GradeScale((f"below {at}", f"{at} or more"), (0.0, 1.0))
    row = {pair: i for i, pair in enumerate(pairs)}
    codes = np.full((len(pairs), len(judges)), -1, dtype=np.int64)
    for column, own in enumerate(collected.judges.values()):
        codes[[row[pair] for pair in own], column] = [place[label] for label in own.values()]
    number = {topic: i for i, topic in enumerate(topics)}
    topic_of = np.array([number[topic] for topic, _ in pairs], dtype=np.int64)
    if not ((codes >= 0).sum(axis=1) > 1).any():
        one, two = (next(iter(collected.judges[judge])) for judge in judges[:2])
        raise InputError(
            f"no pair of topic and document was judged by two judges: {judges[0]} judged {' '.join(one)}, {judges[1]} judged "
            f"{' '.join(two)}; are these judgments of the same documents?"
        )
    return JudgeTable(judges, topics, pairs, topic_of, codes, scale, tuple(collected.notes))
