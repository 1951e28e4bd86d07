"""Read answers in any format except ranked runs as entries: run, question, line, text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from assay.errors import InputError
from assay.formats.answers.rows import Rows
from assay.formats.harness.logs import LogReading
from assay.formats.recognition import Reader, reader_named
from assay.io.sources import Source


class Entry(msgspec.Struct, eq=False):
    """One answer: its run, its question, its line."""

    run: str
    id: str
    line: int | None
    text: str | None = None
    confidence: float | None = None
    sample: int | None = None


def recovery_of(format: str) -> str:
    """Return the unit in which reading continues after a fault (see `Reader.recovers`); empty if it stops."""
    return "line" if format == "labels" else reader_named(format).recovers


def reader_of(
    name: str, remarks: dict[str, None], columns: Mapping[str, str] | None
) -> Callable[[Source], list[Entry]]:
    """Return the function that reads a format as entries; remarks of the readers are added to `remarks`."""
    if name == "labels":
        return _labelled
    if name == "squad-na-prob":
        return _probabilities
    if name == "battles":
        return _battles
    reader = reader_named(name)

    def read(source: Source) -> list[Entry]:
        parts = _read(reader, source, remarks, columns)
        for part in parts:
            for kind in ("warnings", "details"):
                remarks.update(dict.fromkeys(getattr(part, kind, ())))
        return list(chain.from_iterable(map(_entries, parts)))

    return read


def _read(reader: Reader, source: Source, remarks: dict[str, None], columns: Mapping[str, str] | None) -> list[Any]:
    """Return the runs that a reader finds in a file."""
    if reader.role == "log":
        reading = FirstChoices()
        parts = reader.read(source, reading)
        remarks.update(dict.fromkeys(reading.remarks))
        return parts
    if reader.name == "answers":
        from assay.formats.answers.jsonl_answers import read_runs

        return list(read_runs(source))
    if reader.name in ("table run", "records"):
        return list(reader.read(source, columns).runs.values())
    parts: Any = reader.read(source)
    return parts if isinstance(parts, list) else [parts]


def _entries(part: Any) -> Iterator[Entry]:
    """Yield the answers of one run, whatever its reader returns."""
    if isinstance(part, Rows):
        confidences = part.values or part.confidences
        samples = part.samples or [None] * len(part.ids)
        for id, line, text, confidence, sample in zip(
            part.ids, part.lines, part.texts, confidences, samples, strict=True
        ):
            yield Entry(part.name, id, line or None, text, confidence, sample)
    elif hasattr(part, "topics"):  # sets of documents
        for topic, documents in part.topics.items():
            for document, line in documents.items():
                yield Entry(part.tag or part.name, topic, line, document)
    else:
        yield Entry(getattr(part, "run", "") or "", getattr(part, "topic", None) or getattr(part, "id", ""), part.line)


def _battles(source: Source) -> list[Entry]:
    """Return the two sides of every battle."""
    from assay.formats.answers.battles import battle_lines

    entries = [
        Entry(system, battle.question, line) for line, battle in battle_lines(source) for system in (battle.a, battle.b)
    ]
    if not entries:
        raise source.error(None, "holds no battles; expected {question, a, b, winner} a line")
    return entries


def _labelled(source: Source) -> list[Entry]:
    """Return the answers of lines with an id and a label, separated by blanks or a tab."""
    from assay.formats.lines import text_lines

    entries: list[Entry] = []
    for line, text in text_lines(source):
        identity, _, label = text.partition("\t") if "\t" in text else text.partition(" ")
        if not identity.strip() or not label.strip():
            raise source.error(line, f"found {text[:40]!r}; expected 2 fields, an id and a label")
        entries.append(Entry(source.label or source.stem, identity.strip(), line, label.strip()))
    if not entries:
        raise source.error(None, "holds no answers; expected lines of an id and a label")
    return entries


def _probabilities(source: Source) -> list[Entry]:
    """Return SQuAD's probabilities of no answer as confidences."""
    from assay.formats.answers.squad import pairs, read_na_probabilities

    probabilities = read_na_probabilities(source)
    lines = {id: line for id, _, line in pairs(source, "an object")}
    return [Entry(source.label or source.stem, id, lines[id], confidence=value) for id, value in probabilities.items()]


class FirstChoices(LogReading):
    """Take the first of several scorers or metrics, and add a remark: a log with two scorers is valid."""

    def __init__(self) -> None:
        super().__init__()
        self.remarks: list[str] = []

    def choose(self, option: str, known: Sequence[str], source: Source, default: str | None = None) -> str:
        """Return the only choice, the default, or the first."""
        try:
            return super().choose(option, known, source, default)
        except InputError as problem:
            if not known:
                raise
            self.remarks.append(str(problem))
            return known[0]
