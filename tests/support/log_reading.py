"""Logs as assay reads them, for tests."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from assay.formats.answers.outcome_words import Words
from assay.formats.answers.rows import Rows
from assay.formats.harness.logs import LogReading
from assay.formats.recognition import recognise
from assay.io.sources import Source

LETTERS = "UCIMEG"
"""By state: unanswered, correct, incorrect, missing, error, graded."""


def read_log(
    thing: Path | bytes | Any, words: str | None = None, partial: bool = False, **choices: str | None
) -> list[Rows]:
    """The runs of a log, read by the reader that recognises it; anything but a path and bytes is written as JSON."""
    return reader_and_rows(thing, words, partial, **choices)[1]


def reader_and_rows(
    thing: Path | bytes | Any, words: str | None = None, partial: bool = False, **choices: str | None
) -> tuple[str, list[Rows]]:
    if isinstance(thing, Path):
        source = Source(str(thing), path=str(thing))
    else:
        source = Source("log.json", data=thing if isinstance(thing, bytes) else json.dumps(thing).encode())
    reader = recognise(source, "log")
    assert reader is not None, "no reader knows this log"
    return reader.name, reader.read(source, LogReading(choices, Words(words), partial=partial))


def told_of_questions(path: Path, **choices: str | None) -> LogReading:
    """What a reading knows of the questions of a log."""
    source, reading = Source(str(path), path=str(path)), LogReading(choices)
    reader = recognise(source, "log")
    assert reader is not None
    reader.read(source, reading)
    return reading


def states(rows: Rows) -> str:
    """How many samples ended how: `C 4, I 2`."""
    counts = Counter(LETTERS[outcome or 0] for outcome in rows.outcomes)
    return ", ".join(f"{letter} {counts[letter]}" for letter in "CIUEG" if counts[letter])


def by_question(rows: Rows) -> dict[str, tuple[int, int]]:
    """By question: how many of its samples are right, and how many there are."""
    found: dict[str, tuple[int, int]] = {}
    for identity, outcome in zip(rows.ids, rows.outcomes, strict=True):
        right, every = found.get(identity, (0, 0))
        found[identity] = right + (outcome == 1), every + 1
    return found


def edited(path: Path, change: Any) -> Path:
    """A JSON file after `change` was made to its content."""
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    return path
