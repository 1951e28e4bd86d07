"""The pages of `assay check`: findings by file, and a section of a report."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from assay.collections.checking.check import Checked
from assay.collections.checking.findings import File, Finding
from assay.errors import shorten_list
from assay.reports import model
from assay.reports.model import Block, Cell, Note, Section, Span, Table, TableColumn, TableRow, counted, numbers

MAX_LISTED_FINDINGS = 200
"""Findings listed on a page."""
MAX_NAMED_FILES = 5
"""Files named in the heading above findings that they share."""


def sections(checked: Checked) -> list[Section]:
    """Return which files are valid, then a section per file with findings, those with errors first.

    Files that share all findings share a section.
    """
    wrong = sorted((file for file in checked.files if file.findings), key=lambda file: not file.count("error"))
    blocks: list[Block] = [Note(checked.finding)]
    if len(checked.files) == 1:
        return [Section("check", "", (*blocks, *(Note(_line(finding)) for file in wrong for finding in file.findings)))]
    blocks.append(Note(_counts(checked)))
    alike: dict[tuple[str, ...], list[File]] = {}
    for file in wrong:
        alike.setdefault(tuple(map(_line, file.findings)), []).append(file)
    sections = (_section(number, lines, files) for number, (lines, files) in enumerate(alike.items(), 1))
    return [Section("check", "", tuple(blocks)), *sections]


def _counts(checked: Checked) -> str:
    many, wrong = len(checked.files), sum(bool(file.findings) for file in checked.files)
    if not wrong:
        return f"{counted(many, 'file')} checked: all in order."
    return f"{counted(many, 'file')} checked: {_summary(checked.errors, checked.warnings)}; {many - wrong:,} in order."


def report_section(checked: Checked) -> Section:
    """Return a report's section on the submissions: every file and its findings."""
    names = _short([file.name for file in checked.files])
    wrong = [(name, file) for name, file in zip(names, checked.files, strict=True) if file.findings]
    blocks: list[Block] = [Note(checked.finding), Note(_counts(checked)), _files(names, checked.files)]
    return Section("check-section", "The submissions", (*blocks, _findings(wrong)) if wrong else tuple(blocks))


def _short(names: Sequence[str]) -> list[str]:
    """Return the files' base names; folders are added only where two names are equal.

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
            model.count(file.deepest),
            model.text(", ".join(file.tags[:2]) + (" …" if len(file.tags) > 2 else "")),
            model.text(_summary(file.count("error"), file.count("warning"), "in order")),
        )
        for name, file in zip(names, files, strict=True)
    )  # fmt: skip
    columns = (
        TableColumn("File"), TableColumn("Format"), *numbers("Lines", "Topics", "Deepest"), TableColumn("Tag"), TableColumn("Found"),
    )  # fmt: skip
    caption = "Every file as it was submitted. Deepest: the most documents of any topic."
    return Table("check-files", "Files", columns, rows, caption, sortable=True)


def _findings(wrong: Sequence[tuple[str, File]]) -> Table:
    """List the findings once for files that share them."""
    alike: dict[tuple[tuple[Cell, ...], ...], list[str]] = {}
    for name, file in wrong:
        alike.setdefault(tuple(map(_row, file.findings)), []).append(name)
    rows: list[TableRow] = []
    listed, total = 0, sum(map(len, alike))
    for findings, names in alike.items():
        shown = findings[: MAX_LISTED_FINDINGS - listed]
        listed += len(shown)
        rows += [Span(shorten_list(names, MAX_NAMED_FILES)), *shown] if shown else []
    columns = (
        TableColumn("Level"),
        TableColumn("Kind"),
        *numbers("Times", "Line"),
        TableColumn("Finding and fix"),
    )
    caption = "An error makes a submission invalid; a warning is for its author to check. Lines with the same error are one finding"
    more = f" The first {listed} of {total}; `assay check` lists all." if listed < total else ""
    return Table("check-findings", "Findings", columns, tuple(rows), f"{caption}, with the first of its lines.{more}")


def _row(finding: Finding) -> tuple[Cell, ...]:
    fix = "" if finding.kind == "remark" else f" Fix: {finding.mend}."
    line = model.text("") if not finding.lines else model.count(finding.lines[0])
    text = f"{finding.found[:1].upper()}{finding.found[1:]}{'' if finding.found.endswith('…') else '.'}{fix}"
    return model.text(finding.level), model.text(finding.kind), model.count(finding.count), line, model.text(text)


def _section(number: int, lines: Sequence[str], files: Sequence[File]) -> Section:
    """Return the findings of a file, or once those of several files that share all of them."""
    first = files[0]
    title = f"{first.name}: {_summary(first.count('error'), first.count('warning'))} ({first.extent})"
    if len(files) > 1:
        names = shorten_list([file.name for file in files], MAX_NAMED_FILES)
        each = _summary(first.count("error"), first.count("warning"))
        title = f"{counted(len(files), 'file')} with the same findings, {each} each: {names}"
    return Section(f"check-{number}", title, tuple(map(Note, lines)))


def _summary(errors: int, warnings: int, nothing: str = "nothing found") -> str:
    if not errors and not warnings:
        return nothing
    return f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"


def _line(finding: Finding) -> str:
    """Return a finding as one line."""
    if finding.kind == "remark":
        return f"{finding.level} remark: {finding.found}."
    return (
        f"{finding.level} {finding.kind}{_where(finding)}: found {finding.found}; expected {finding.expected}. "
        f"Fix: {finding.mend}."
    )


def _where(finding: Finding) -> str:
    """Return the lines of a finding, the first of them named.

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
