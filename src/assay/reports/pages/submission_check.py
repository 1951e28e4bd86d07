"""Findings of a check, file by file, as a person reads them: what, where, and what to do about it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from assay.collections.checking.check import Checked
from assay.collections.checking.findings import File, Finding
from assay.errors import shorten_list
from assay.reports import model
from assay.reports.model import Block, Cell, Note, Section, Span, Table, TableColumn, TableRow, counted, numbers

MOST_LISTED = 200
"""Findings that a page lists."""
MOST_NAMED = 5
"""Files that the heading of their common findings names; the table of files has all."""


def sections(found: Checked) -> list[Section]:
    """A section for every file with findings; those in order are one line."""
    wrong = [file for file in found.files if file.findings]
    right = [file for file in found.files if not file.findings]
    made = [_section(number, file) for number, file in enumerate(wrong, 1)]
    told = f"{counted(len(found.files), 'file')} checked: {_summary(found.errors, found.warnings)}"
    if wrong and right:
        told += f"; {len(right):,} in order"
    blocks: list[Block] = [Note(told + ".")]
    if len(found.files) == 1 and right:
        blocks.append(Note(f"{right[0].name}: {_size(right[0])}."))
    return [*made, Section("check", "", tuple(blocks))]


def report_section(found: Checked) -> Section:
    """The submissions of a report: every file, and under the name of each what was found in it."""
    names = _short([file.name for file in found.files])
    wrong = [(name, file) for name, file in zip(names, found.files, strict=True) if file.findings]
    many = len(found.files)
    if not wrong:
        told = f"{counted(many, 'file')} checked: all in order."
    else:
        told = f"{counted(many, 'file')} checked: {_summary(found.errors, found.warnings)}; {many - len(wrong):,} in order."
    blocks: list[Block] = [Note(told), _files(names, found.files)]
    return Section("check-section", "The submissions", (*blocks, _findings(wrong)) if wrong else tuple(blocks))


def _short(names: Sequence[str]) -> list[str]:
    """Files by their own names: in which folder of an organiser's disk one lies is told only where two are called the same.

    >>> _short(["runs/a.run", "runs/b.run"]), _short(["old/a.run", "new/a.run"])
    (['a.run', 'b.run'], ['old/a.run', 'new/a.run'])
    """
    last = [os.path.basename(name) or name for name in names]
    count = Counter(last)
    return [short if count[short] == 1 else name for short, name in zip(last, names, strict=True)]


def _files(names: Sequence[str], files: Sequence[File]) -> Table:
    rows = tuple(
        (
            model.text(name), model.text(file.format or "unknown"), model.count(file.lines), model.count(file.topics),
            model.number(None) if file.deepest is None else model.count(file.deepest),
            model.text(", ".join(file.tags[:2]) + (" …" if len(file.tags) > 2 else "")),
            model.text(_summary(file.count("error"), file.count("warning"), "in order")),
        )
        for name, file in zip(names, files, strict=True)
    )  # fmt: skip
    columns = (
        TableColumn("File"), TableColumn("Format"), *numbers("Lines", "Topics", "Deepest"), TableColumn("Tag"), TableColumn("Found"),
    )  # fmt: skip
    caption = "Every file as it was submitted; Deepest are the documents of the topic that has most."
    return Table("check-files", "Files", columns, rows, caption, sortable=True)


def _findings(wrong: Sequence[tuple[str, File]]) -> Table:
    """Files with the same findings share them: what everybody left out is told once."""
    alike: dict[tuple[tuple[Cell, ...], ...], list[str]] = {}
    for name, file in wrong:
        alike.setdefault(tuple(map(_row, file.findings)), []).append(name)
    rows: list[TableRow] = []
    listed, total = 0, sum(map(len, alike))
    for found, names in alike.items():
        shown = found[: MOST_LISTED - listed]
        listed += len(shown)
        rows += [Span(shorten_list(names, MOST_NAMED)), *shown] if shown else []
    columns = (
        TableColumn("Level"),
        TableColumn("Kind"),
        *numbers("Times", "Line"),
        TableColumn("Found, and how to mend it"),
    )
    caption = "An error makes a submission invalid; a warning is for its author to look at. Lines with the same fault are one finding"
    more = f" The first {listed} of {total}; `assay check` lists all." if listed < total else ""
    return Table("check-findings", "Findings", columns, tuple(rows), f"{caption}, with the first of its lines.{more}")


def _row(finding: Finding) -> tuple[Cell, ...]:
    mend = "" if finding.kind == "remark" else f" To mend it: {finding.mend}."
    line = model.text("") if not finding.lines else model.count(finding.lines[0])
    told = f"{finding.found[:1].upper()}{finding.found[1:]}{'' if finding.found.endswith('…') else '.'}{mend}"
    return model.text(finding.level), model.text(finding.kind), model.count(finding.count), line, model.text(told)


def _section(number: int, file: File) -> Section:
    title = f"{file.name}: {_summary(file.count('error'), file.count('warning'))} ({_size(file)})"
    return Section(f"check-{number}", title, tuple(Note(_told(finding)) for finding in file.findings))


def _summary(errors: int, warnings: int, nothing: str = "nothing found") -> str:
    if not errors and not warnings:
        return nothing
    return f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"


def _size(file: File) -> str:
    if file.format is None:
        return "of no known format"
    tags = f", tag {file.tags[0]}" if file.format == "trec-run" and len(file.tags) == 1 else ""
    noun = "topic" if file.format in ("trec-run", "sets") else "question"
    return f"{file.format}, {counted(file.lines, 'line')}, {counted(file.topics, noun)}{tags}"


def _told(finding: Finding) -> str:
    """One finding in one line."""
    if finding.kind == "remark":
        return f"{finding.level} remark: {finding.found}."
    return (
        f"{finding.level} {finding.kind}{_where(finding)}: found {finding.found}; expected {finding.expected}. "
        f"To mend it: {finding.mend}."
    )


def _where(finding: Finding) -> str:
    """The lines it stands on, the first of them named.

    >>> finding = Finding("error", "fields", "5 fields", "6 fields", "write all six")
    >>> finding.count, finding.lines = 12, [3, 8]
    >>> _where(finding)
    ', 12 times, lines 3, 8 …'
    """
    times = f", {finding.count:,} times" if finding.count > 1 else ""
    if not finding.lines:
        return times
    more = " …" if finding.count > len(finding.lines) else ""
    lines = ", ".join(map(str, finding.lines))
    return f"{times}, {'lines' if len(finding.lines) > 1 else 'line'} {lines}{more}"
