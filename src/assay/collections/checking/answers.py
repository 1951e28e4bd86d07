"""Check answers in every format except ranked runs, reporting every faulty line with the reader's message.

A file is read as an evaluation reads it. If that fails and its parts are independent, the same reader reads each part alone; the
valid parts are then checked together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from assay.collections.checking.entries import Entry, reader_of, recovery_of
from assay.collections.checking.expectations import Expectations, check_topics
from assay.collections.checking.findings import File
from assay.collections.checking.recovery import FilePart, joined, parts, read_without_faults
from assay.errors import AssayError, FormatError
from assay.io.sources import Source

MAX_LABELS = 12
"""Different answers, each several times, that may be labels."""
MIN_ANSWERS = 10
"""With fewer answers, equal confidences or few different answers are no finding."""
SEVERAL = ("sets", "battles")
"""Formats in which a question may have several lines."""
MAX_BATCH = 1 << 10
"""Parts of a file that are read together."""
EXPECTED = re.compile(r"[;:,]? \bexpected ")
VARIABLE_PARTS = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|-?\b[0-9][0-9.e+-]*|\b(?:None|True|False|nan|inf)\b|\(.*\)"""
)
"""Ids and numbers, in which messages on the same fault differ."""
NO_UTF8 = re.compile("[\udc80-\udcff]")
"""Bytes that are not UTF-8, as surrogates."""
FIRST_ALONE = "; the file cannot be read beyond this error, so there may be others"
CONSTANT = re.compile("every answer has the confidence")


def check_answers(source: Source, file: File, expectations: Expectations) -> None:
    """Report every finding of a file of answers, judged answers or a log, read as `file.format` says."""
    remarks: dict[str, None] = {}
    reader = reader_of(file.format or "", remarks, expectations.columns)
    try:
        entries = reader(source)
    except AssayError as problem:
        entries = list(_part_by_part(source, file, expectations, reader))
        if not entries and not file.count("error"):
            entries = _without_faults(source, file, reader)
            remarks.clear()  # remarks on a log without its faulty samples would mislead
        if not file.count("error"):  # every part is valid: the fault is in the file as a whole
            _report(file, problem, getattr(problem, "line", None), first=True)
    for remark in remarks:
        if not CONSTANT.search(remark):  # a separate finding
            message = remark.removeprefix(f"{file.name}: ")
            file.warning("remark", None, message, "no remark", "check whether this is intended", group=remark)
    check_entries(entries, file, expectations)


def check_entries(entries: list[Entry], file: File, expectations: Expectations) -> None:
    """Report duplicates, unexpected and missing topics, labels and confidences."""
    file.lines = file.lines or len(entries) // (2 if file.format == "battles" else 1)
    file.tags = list(dict.fromkeys(entry.run for entry in entries))
    first: dict[tuple[str, str, int | None], int | None] = {}
    topics: dict[str, tuple[int | None, int]] = {}
    for entry in entries:
        key = entry.run, entry.id, entry.sample
        if key in first and file.format not in SEVERAL:
            before = f", first on line {first[key]}" if first[key] is not None else ""
            message = f"question {entry.id} a second time{before}"
            mend = "remove one of the two; number several samples of a question by `sample`"
            file.error("duplicate", entry.line, message, "every question once", mend)
        first.setdefault(key, entry.line)
        if (byte := NO_UTF8.search(entry.id + (entry.text or ""))) is not None:
            message = f"the byte 0x{ord(byte[0]) - 0xDC00:02x}, which is not UTF-8"
            file.error("encoding", entry.line, message, "text in UTF-8", "save the file as UTF-8")
        line, count = topics.get(entry.id, (entry.line, 0))
        topics[entry.id] = line, count + 1
    check_topics(file, topics, expectations, "topic" if file.format in ("sets", "nugget-assignments") else "question")
    _check_labels(entries, file, expectations)
    _check_confidences(entries, file, expectations)


def _check_labels(entries: list[Entry], file: File, expectations: Expectations) -> None:
    if file.format == "sets":
        return  # its texts are documents
    labels_given = {entry.text for entry in entries if entry.text is not None}
    if len(entries) >= MIN_ANSWERS and len(labels_given) <= MAX_LABELS and 4 * len(labels_given) <= len(entries):
        file.labels = sorted(labels_given)
    labels = expectations.rules.labels
    if labels is None:
        return
    expected = f"one of {', '.join(labels)}"
    for entry in entries:
        if entry.text is not None and entry.text not in labels:
            message = f"answer {entry.text!r:.80}"
            file.error("label", entry.line, message, expected, "write exactly one of these labels")
    unused = [label for label in labels if label not in labels_given]
    if unused and entries:
        message = f"{', '.join(unused)} never used"
        mend = "check whether the system can return it"
        file.warning("unused-label", None, message, "every label at least once", mend, count=len(unused))


def _check_confidences(entries: list[Entry], file: File, expectations: Expectations) -> None:
    confident = [entry for entry in entries if entry.confidence is not None]
    values = [entry.confidence for entry in confident if entry.confidence is not None]
    if not values:
        return
    file.confidences = min(values), max(values)
    low, high = expectations.rules.confidence
    for entry, value in zip(confident, values, strict=True):
        if not low <= value <= high:
            expected, mend = f"a number from {low:g} to {high:g}", "scale the confidences to this range"
            file.error("confidence", entry.line, f"confidence {value:g}", expected, mend)
    by_run: dict[str, list[float]] = {}
    for entry, value in zip(confident, values, strict=True):
        by_run.setdefault(entry.run, []).append(value)
    for run, stated in by_run.items():
        if len(set(stated)) == 1 and len(stated) >= MIN_ANSWERS:
            message = f"{run}: all {len(stated):,} confidences are {stated[0]:g}"
            mend = "leave the confidences out if the system has none: a constant looks like a measured confidence"
            file.warning("constant-confidence", None, message, "confidences that differ", mend)


def _part_by_part(
    source: Source, file: File, expectations: Expectations, reader: Callable[[Source], list[Entry]]
) -> Iterator[Entry]:
    """Yield the answers of all parts that can be read alone, and report the others.

    A batch doubles after parts without a fault and halves after one with a fault.
    """
    unit = recovery_of(file.format or "")
    waiting = parts(source, file.format or "", expectations)
    pending: list[FilePart] = []
    size = 1
    while pending := pending or list(islice(waiting, size)):
        part = pending[0] if size == 1 else joined(pending[:size])
        problem = None
        try:
            read = reader(Source(source.name, data=part.data, label=source.label or source.stem))
        except AssayError as refused:
            problem, read = refused, None
        if size > 1 and (read is None or any(entry.line is None for entry in read)):
            size //= 2  # the faulty part of the batch is unknown
            continue
        file.lines += len(pending[:size])
        if problem is not None:
            line = getattr(problem, "line", None)
            _report(file, problem, part.line(line), place=None if part.lines else part.question())
            if line == 1 and part.wrap.lines:
                return  # an error of the header would repeat for every row
            # The question of an unreadable answer is not missing.
            question = part.question()
            read = [] if question is None else [Entry(source.label or source.stem, question, None)]
        for entry in read or ():
            entry.line = part.line(None if unit == "report" else entry.line)
            yield entry
        del pending[:size]
        if part.wrap.between is not None and problem is None:
            size = min(2 * size, MAX_BATCH)


def _without_faults(source: Source, file: File, reader: Callable[[Source], list[Entry]]) -> list[Entry]:
    """Read a log whose samples depend on each other, without its faulty samples, which are reported."""
    last: list[AssayError] = []

    def report(problem: AssayError, message: str) -> None:
        last.append(problem)
        _report(file, problem, getattr(problem, "line", None), message)

    entries, stopped = read_without_faults(source, file.format or "", reader, report)
    if last and stopped is not None:
        _report(file, stopped, getattr(stopped, "line", None), first=True)
    return entries


def _report(
    file: File,
    problem: AssayError,
    line: int | None,
    message: str | None = None,
    *,
    place: str | None = None,
    first: bool = False,
) -> None:
    """Report a reader's error as a finding; messages that differ only in ids and numbers are one finding.

    message   the message with its place corrected
    place     where the fault is, in files without lines
    first     whether reading stopped at the fault
    """
    text = problem.problem if isinstance(problem, FormatError) else str(problem).removeprefix(f"{file.name}: ")
    if message is not None:
        text = message.removeprefix(f"{file.name}: ").removeprefix(f"{file.name}:{line}: ")
    problem_text, expected = _split_message(text)
    expected, _, mend = expected.partition("; ")
    kind = _kind(text)
    problem_text = f"{problem_text} fields" if kind == "fields" and problem_text.isdigit() else problem_text
    file.error(
        kind,
        line,
        problem_text if place is None else f"{place}: {problem_text}",
        expected or _USUAL.get(kind, "the format's syntax"),
        (mend or _MEND[kind]) + (FIRST_ALONE if first and kind not in ("empty", "duplicate") else ""),
        group=(VARIABLE_PARTS.sub("…", text), first),
    )


def _split_message(text: str) -> tuple[str, str]:
    """Split a reader's message into the found and the expected content.

    >>> _split_message("confidence 7: expected a number from 0 to 1; divide percentages by 100")
    ('confidence 7', 'a number from 0 to 1; divide percentages by 100')
    >>> _split_message("holds a zero byte; expected UTF-8")
    ('a zero byte', 'UTF-8')
    >>> _split_message("expected 6 fields, found 5")
    ('5', '6 fields')
    """
    between = EXPECTED.search(text)
    if between is not None and between.start():
        return text[: between.start()].removeprefix("found ").removeprefix("holds "), text[between.end() :]
    expected, comma, finding = text.partition(", found ")
    return (finding, expected.removeprefix("expected ")) if comma else (text, "")


_WORDS = {
    "encoding": r"is not UTF-8|zero byte|half a character",
    "empty": r"\bholds no\b|\bis empty\b",
    "id": r"field `id`|expected an \"id\"|has no name|names no topic|no column for the question's id",
    "duplicate": r"twice|is already|a second time",
    "confidence": r"confidence|\bprobability of\b|\bvalue .*from 0 to 1",
    "fields": r"fields|columns|cells|\bwords\b|JSON|CSV",
}
"""Patterns in readers' messages by kind of fault; the first match counts."""
_MEND = {
    "encoding": "save the file as UTF-8",
    "empty": "submit the answers themselves",
    "id": "give every answer the id of its question",
    "duplicate": "remove one of the two",
    "confidence": "write a number from 0 to 1, or leave it out",
    "fields": "write the line like the others",
    "reader": "see docs/formats.md",
}


_USUAL = {"id": "an answer with the id of its question", "duplicate": "every question once"}
"""Expected content if the reader's message does not name it."""


def _kind(text: str) -> str:
    return next((kind for kind, words in _WORDS.items() if re.search(words, text)), "reader")
