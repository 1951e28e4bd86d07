"""What reads each format that is no ranked run, and the answers in what it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from assay.formats.answers.rows import Rows
from assay.formats.recognition import Reader, reader_named
from assay.io.sources import Source


class Entry:
    """One answer: whose, to which question, where it stands."""

    __slots__ = ("confidence", "id", "line", "run", "sample", "text")

    def __init__(
        self, run: str, id: str, line: int | None, text: str | None = None, confidence: float | None = None,
        sample: int | None = None,
    ) -> None:  # fmt: skip
        self.run = run
        self.id = id
        self.line = line
        self.text = text
        self.confidence = confidence
        self.sample = sample


def recovery_of(format: str) -> str:
    """The unit that is read behind a fault (see `Reader.recovers`); nothing where the first fault is the last that is told."""
    return "line" if format == "labels" else reader_named(format).recovers


def reader_of(
    name: str, remarks: dict[str, None], columns: Mapping[str, str] | None
) -> Callable[[Source], list[Entry]]:
    """What reads a format and gives its answers; what the readers remark on is added to `remarks`."""
    if name == "labels":
        return _labelled
    if name == "squad-na-prob":
        return _probabilities
    if name == "battles":
        return _battles
    reader = reader_named(name)

    def read(source: Source) -> list[Entry]:
        found = _read(reader, source, remarks, columns)
        for part in found:
            remarks.update(dict.fromkeys(getattr(part, "warnings", ())))
        return list(chain.from_iterable(map(_entries, found)))

    return read


def _read(reader: Reader, source: Source, remarks: dict[str, None], columns: Mapping[str, str] | None) -> list[Any]:
    """Whatever a reader returns, as a list: several runs of one file, or one."""
    if reader.role == "log":
        from assay.collections.checking.default_choices import FirstChoices

        reading = FirstChoices()
        found = reader.read(source, reading)
        remarks.update(dict.fromkeys(reading.remarks))
        return found
    if reader.name == "answers":
        from assay.formats.answers.jsonl_answers import read_runs

        return list(read_runs(source))
    if reader.name == "table run":
        return list(reader.read(source, columns).runs.values())
    found: Any = reader.read(source)
    return found if isinstance(found, list) else [found]


def _entries(found: Any) -> Iterator[Entry]:
    """The answers of what a reader made."""
    if isinstance(found, Rows):
        confidences = found.values or found.confidences
        samples = found.samples or [None] * len(found.ids)
        for id, line, text, confidence, sample in zip(
            found.ids, found.lines, found.texts, confidences, samples, strict=True
        ):
            yield Entry(found.name, id, line or None, text, confidence, sample)
    elif hasattr(found, "topics"):  # sets of documents
        for topic, documents in found.topics.items():
            for document, line in documents.items():
                yield Entry(found.tag or found.name, topic, line, document)
    else:
        yield Entry(getattr(found, "run", "") or "", getattr(found, "topic", None) or found.id, found.line)


def _battles(source: Source) -> list[Entry]:
    """The two sides of every battle."""
    from assay.formats.answers.battles import battle_lines

    found = [
        Entry(system, battle.question, line) for line, battle in battle_lines(source) for system in (battle.a, battle.b)
    ]
    if not found:
        raise source.error(None, "holds no battles; expected {question, a, b, winner} a line")
    return found


def _labelled(source: Source) -> list[Entry]:
    """Lines of an id and a label between blanks or a tab."""
    from assay.formats.lines import text_lines

    found: list[Entry] = []
    for line, text in text_lines(source):
        identity, _, label = text.partition("\t") if "\t" in text else text.partition(" ")
        if not identity.strip() or not label.strip():
            raise source.error(line, f"found {text[:40]!r}; expected 2 fields, an id and a label")
        found.append(Entry(source.label or source.stem, identity.strip(), line, label.strip()))
    if not found:
        raise source.error(None, "holds no answers; expected lines of an id and a label")
    return found


def _probabilities(source: Source) -> list[Entry]:
    """SQuAD's probabilities of no answer, which are confidences that there is none."""
    from assay.formats.answers.squad import pairs, read_na_probabilities

    found = read_na_probabilities(source)
    lines = {id: line for id, _, line in pairs(source, "an object")}
    return [Entry(source.label or source.stem, id, lines[id], confidence=value) for id, value in found.items()]
