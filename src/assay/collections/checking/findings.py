"""The findings of a file; the same fault on a million lines is one finding with a count."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from assay.errors import counted
from assay.io.escaping import message

RANKED_FORMATS = ("msmarco-run", "dpr", "kilt", "search-hits", "rank-eval")
"""Formats of ranked runs other than TREC's."""
SHOWN = 5
"""Lines of a finding that are listed; the others are counted."""
KINDS = {
    "format": "the kind of file is unknown",
    "reader": "assay cannot read it",
    "empty": "it has no content",
    "encoding": "it is not text in UTF-8",
    "fields": "a line has too few or too many fields",
    "score": "a score is not a finite number",
    "duplicate": "the same document twice in a topic, the same question answered twice",
    "unknown-topic": "a topic that is not one of the expected topics",
    "topic-prefix": "the topics differ from the expected ones by their prefix",
    "topics": "more or fewer topics than the rules expect",
    "depth": "a topic has more documents than the rules allow",
    "tags": "a run has more than one tag",
    "tag-pattern": "the tag does not match the rules",
    "same-tag": "two files have the same tag",
    "id": "an answer without an id",
    "numbering": "ids are not the numbers that the rules expect",
    "label": "an answer is not one of the labels of the rules",
    "unused-label": "a label of the rules is never used",
    "confidence": "a confidence is out of range",
    "constant-confidence": "every answer has the same confidence",
    "missing-topic": "an expected topic has no line, or no document",
    "rank": "a rank is not a whole number",
    "rank-order": "the ranks contradict the scores",
    "ties": "most documents have the same score as another",
    "unknown-document": "a document that is not in the collection",
    "remark": "a remark of assay's reader",
}
"""Every kind of finding, and its meaning."""


@dataclass(slots=True)
class Finding:
    """One kind of fault in a file, on one line or many.

    level      error or warning
    kind       a word for programs, one of `KINDS`
    count      how often it occurs
    lines      the first lines with it; none if it is about the whole file
    found      the content of the first of these lines
    expected   the content that is expected
    mend       how to fix it
    """

    level: str
    kind: str
    found: str
    expected: str
    mend: str
    count: int = 0
    lines: list[int] = field(default_factory=list[int])

    def as_dict(self) -> dict[str, Any]:
        """Return the documented JSON shape."""
        return {
            "level": self.level,
            "kind": self.kind,
            "count": self.count,
            "line": self.lines[0] if self.lines else None,
            "lines": self.lines,
            "found": self.found,
            "expected": self.expected,
            "mend": self.mend,
        }


class File:
    """A checked file: its format, its size, its findings.

    >>> file = File("a.run")
    >>> for line in (3, 8):
    ...     file.error("fields", line, "5 fields", "6 fields", "write all six", group=5)
    >>> [(finding.kind, finding.count, finding.lines) for finding in file.findings]
    [('fields', 2, [3, 8])]
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.format: str | None = None
        """The name of the recognised format, or None."""
        self.lines = 0
        """Lines, or entries, that are neither empty nor comments."""
        self.topics = 0
        self.deepest: int | None = None
        """The largest number of documents of a topic; None if topics have none."""
        self.tags: list[str] = []
        """The tags of a run, or the names of the runs in a file."""
        self.labels: list[str] = []
        """The different answers, if they are few enough to be labels."""
        self.confidences: tuple[float, float] | None = None
        """The lowest and the highest confidence."""
        self._findings: dict[tuple[str, object], Finding] = {}

    def error(
        self, kind: str, line: int | None, found: str, expected: str, mend: str, *, group: object = None, count: int = 1,
        level: str = "error",
    ) -> None:  # fmt: skip
        """Add an error; errors of the same `kind` and `group` are counted as one finding."""
        finding = self._findings.get((kind, group))
        if finding is None:
            finding = self._findings[kind, group] = Finding(
                level, kind, message(found), message(expected), message(mend)
            )
        finding.count += count
        if line is not None and len(finding.lines) < SHOWN:
            finding.lines.append(line)

    def warning(
        self, kind: str, line: int | None, found: str, expected: str, mend: str, *, group: object = None, count: int = 1
    ) -> None:
        """Add a warning, which the author should check."""
        self.error(kind, line, found, expected, mend, group=group, count=count, level="warning")

    def take(self, other: File) -> None:
        """Copy findings and sizes from another walk over the same file."""
        self._findings.update(other._findings)
        self.lines: int = other.lines
        self.tags = other.tags

    @property
    def findings(self) -> list[Finding]:
        """The findings, errors first, in the order of lines and of `KINDS`."""
        findings = self._findings.values()
        order = list(KINDS)
        return sorted(
            findings,
            key=lambda finding: (finding.level != "error", finding.lines[:1] or [0], order.index(finding.kind)),
        )

    @property
    def extent(self) -> str:
        """The format and the size, in words."""
        if self.format is None:
            return "of no known format"
        tags = f", tag {self.tags[0]}" if self.format == "trec-run" and len(self.tags) == 1 else ""
        noun = "topic" if self.format in ("trec-run", "sets", *RANKED_FORMATS) else "question"
        return f"{self.format}, {counted(self.lines, 'line')}, {counted(self.topics, noun)}{tags}"

    def count(self, level: str) -> int:
        """Return the number of findings of a level."""
        return sum(finding.level == level for finding in self._findings.values())

    def as_dict(self) -> dict[str, Any]:
        """Return the documented JSON shape."""
        return {
            "file": self.name,
            "format": self.format,
            "lines": self.lines,
            "topics": self.topics,
            "deepest": self.deepest,
            "tags": self.tags,
            "errors": self.count("error"),
            "warnings": self.count("warning"),
            "findings": [finding.as_dict() for finding in self.findings],
        }
