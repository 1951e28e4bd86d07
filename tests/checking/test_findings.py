"""Findings are gathered: one for a million lines with the same fault."""

from __future__ import annotations

import re
from pathlib import Path

from assay.checking import findings
from assay.checking.findings import KINDS, SHOWN, File

DOCS = Path(__file__).resolve().parents[2] / "docs" / "organising.md"


def test_a_million_lines_are_one_finding() -> None:
    file = File("a.run")
    for line in range(1, 1_000_001):
        file.error("fields", line, "5 fields", "6 fields", "write all six", group=5)
    file.error("fields", 7, "7 fields", "6 fields", "write all six", group=7)
    five, seven = file.findings
    assert (five.count, five.lines, seven.count) == (1_000_000, [1, 2, 3, 4, 5], 1)
    assert len(five.lines) == SHOWN
    assert (file.count("error"), file.count("warning")) == (2, 0)


def test_errors_come_first_and_then_lines() -> None:
    file = File("a.run")
    file.warning("ties", 1, "", "", "")
    file.error("score", 9, "", "", "")
    file.error("fields", 4, "", "", "")
    file.error("empty", None, "", "", "")
    assert [finding.kind for finding in file.findings] == ["empty", "fields", "score", "ties"]


def test_what_is_found_cannot_command_a_terminal_and_is_not_endless() -> None:
    file = File("a.run")
    file.error("duplicate", 1, "document \x1b[31m" + "x" * 10_000, "", "")
    [finding] = file.findings
    assert "\x1b" not in finding.found
    assert len(finding.found) < 2_100


def test_every_kind_is_documented_and_used() -> None:
    page = DOCS.read_text(encoding="utf-8")
    assert re.findall(r"^\| `([\w-]+)` \| (?:error|warning)", page, re.MULTILINE) == list(KINDS)
    folder = Path(findings.__file__).parent
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py") if path.name != "findings.py")
    assert [kind for kind in KINDS if f'"{kind}"' not in code] == []
