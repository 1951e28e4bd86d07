"""Findings of a check, file by file, as a person reads them: what, where, and what to do about it."""

from __future__ import annotations

from assay.checking.check import Checked
from assay.checking.findings import File, Finding
from assay.reports.model import Block, Note, Section, counted


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


def _section(number: int, file: File) -> Section:
    title = f"{file.name}: {_summary(file.count('error'), file.count('warning'))} ({_size(file)})"
    return Section(f"check-{number}", title, tuple(Note(_told(finding)) for finding in file.findings))


def _summary(errors: int, warnings: int) -> str:
    if not errors and not warnings:
        return "nothing found"
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
