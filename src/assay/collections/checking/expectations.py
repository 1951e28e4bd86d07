"""What a submission is held against, and the looks that every kind of file gets: its topics, and the numbers they bear."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from assay.collections.checking.findings import File
from assay.collections.checking.rules import Rules
from assay.errors import shorten_list
from assay.io.sources import Source

NAMED = 3
"""Ids that a finding names; the others are counted."""
REPORTED = 1 << 14
"""After how many lines whoever waits is told."""


class Expectations:
    """The rules, the topics that were asked for, the documents there are, what the columns of tables are called; and who is
    told how many bytes have been read."""

    def __init__(
        self,
        rules: Rules | None = None,
        topics: Sequence[str] | None = None,
        documents: frozenset[str] | None = None,
        read: Callable[[int], None] | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> None:
        self.rules = rules or Rules()
        self.topics = topics
        self.documents = documents
        self.read = read or (lambda size: None)
        self.columns = columns


def numbered(source: Source, wanted: Expectations) -> Iterator[tuple[int, bytes]]:
    """Every line with its number, told to whoever waits as it is read."""
    size = 0
    for number, raw in enumerate(source.lines(), 1):
        size += len(raw) + 1
        if number % REPORTED == 0:
            wanted.read(size)
            size = 0
        yield number, raw
    wanted.read(size)


Topics = Mapping[str, tuple[int | None, int]]
"""By topic, the line it begins on and how many lines it has."""


def look_at_topics(file: File, found: Topics, wanted: Expectations, noun: str = "topic") -> None:
    """Topics nobody asked for, topics that are missing, and how many there are."""
    file.topics = len(found)
    rules = wanted.rules
    if wanted.topics is not None:
        asked = set(wanted.topics)
        for topic, (line, count) in found.items():
            if topic not in asked:
                told = f"{noun} {topic}"
                expected = f"one of the {len(asked):,} {noun}s that were asked for"
                mend = f"correct the id as the {noun}s have it, or leave its lines out"
                file.error("unknown-topic", line, told, expected, mend, count=count)
        missing = [topic for topic in dict.fromkeys(wanted.topics) if topic not in found]
        if missing:
            told = f"{len(missing):,} of {len(asked):,} {noun}s missing: {shorten_list(missing, NAMED)}"
            mend = f"submit something for them; a {noun} without a line counts as one with nothing found"
            file.warning("missing-topic", None, told, f"every {noun} that was asked for", mend, count=len(missing))
    # Those that are missing have been named where it is known which were asked for.
    if rules.topics is not None and (
        len(found) > rules.topics or (len(found) < rules.topics and wanted.topics is None)
    ):
        tell = file.error if len(found) > rules.topics else file.warning
        mend = f"leave out the {noun}s nobody asked for" if len(found) > rules.topics else f"submit every {noun}"
        tell("topics", None, f"{len(found):,} {noun}s", f"{rules.topics:,}, as the rules say", mend)
    if rules.numbered_from is not None:
        _look_at_numbers(file, found, rules.numbered_from, noun)


def _look_at_numbers(file: File, found: Topics, first: int, noun: str) -> None:
    """Ids that are no numbers or come too early, and numbers that are left out."""
    expected = f"whole numbers from {first} on, none left out"
    mend = "number them as they were given"
    numbers: dict[int, int | None] = {}
    for identity, (line, _) in found.items():
        number = int(identity) if identity.isascii() and identity.isdecimal() and len(identity) < 19 else None
        if number is None or number < first:
            file.error("numbering", line, f"{noun} {identity}", expected, mend, group="which")
        else:
            numbers[number] = line
    before = first - 1
    for number in sorted(numbers):
        if number > before + 1:
            left = shorten_list(range(before + 1, number), NAMED)
            told = f"no {left} before {number}"
            file.error("numbering", numbers[number], told, expected, mend, group="left out", count=number - before - 1)
        before = number
