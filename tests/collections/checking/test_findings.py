"""Findings are gathered: one for a million lines with the same fault."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from reader_examples import EXAMPLES

import assay
from assay.cli import main
from assay.collections.checking.findings import KINDS, SHOWN, File

DOCS = Path(__file__).resolve().parents[3] / "docs" / "findings.md"


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


def test_every_kind_is_documented() -> None:
    page = DOCS.read_text(encoding="utf-8")
    assert re.findall(r"^\| `([\w-]+)` \| (?:error|warning)", page, re.MULTILINE) == list(KINDS)


RUN = b"1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n2 Q0 a 1 7 t\n"
SURE = b"".join(b'{"id": "q%d", "answer": "x", "confidence": 0.5}\n' % number for number in range(20))
PROVOKED = {
    "format": (b"what is this\n", {}),
    "reader": (b'{"question": "q", "a": "x", "b": "y", "winner": "nobody"}\n', {}),
    "empty": (b"", {}),
    "encoding": (RUN + b"2 Q0 \xe9 2 6 t\n", {}),
    "fields": (RUN + b"2 Q0 b 2 6\n", {}),
    "score": (RUN + b"2 Q0 b 2 nan t\n", {}),
    "duplicate": (RUN + b"2 Q0 a 2 6 t\n", {}),
    "unknown-topic": (RUN, {"topics": ["1"]}),
    "topic-prefix": (RUN, {"topics": ["q1", "q2"]}),
    "topics": (RUN, {"rules": {"topics": 1}}),
    "depth": (RUN, {"rules": {"depth": 1}}),
    "tags": (RUN + b"2 Q0 b 2 6 u\n", {}),
    "tag-pattern": (RUN, {"rules": {"tag": "[0-9]+"}}),
    "id": (b'{"id": "q1", "answer": "x"}\n{"answer": "y"}\n', {}),
    "numbering": (RUN, {"rules": {"numbered_from": 2}}),
    "label": (b"q1 TRUE\nq2 FALSE\nq3 PERHAPS\n", {"rules": {"labels": ["TRUE", "FALSE"]}}),
    "confidence": (b'{"id": "q1", "answer": "x", "confidence": 7}\n', {}),
}
"""By kind of error: a file that has it, and what it is held against."""
WARNED = {
    "same-tag": (RUN, {}),
    "topics": (RUN, {"rules": {"topics": 3}}),
    "unused-label": (b"q1 TRUE\nq2 TRUE\n", {"rules": {"labels": ["TRUE", "FALSE"]}}),
    "constant-confidence": (SURE, {}),
    "missing-topic": (RUN, {"topics": ["1", "2", "3"]}),
    "rank": (RUN + b"2 Q0 b x 6 t\n", {}),
    "rank-order": (RUN + b"2 Q0 b 2 8 t\n", {}),
    "ties": (b"1 Q0 a 1 9 t\n1 Q0 b 2 9 t\n", {}),
    "unknown-document": (RUN, {"docs": ["a"]}),
    "remark": (
        b'{"eval": {"T/1": [{"task_id": "T/1", "solution": "s", "base_status": "pass", "plus_status": "pass"}]}}',
        {},
    ),
}
"""The same of warnings."""


def test_every_kind_is_provoked_at_the_level_that_the_documentation_says() -> None:
    page = DOCS.read_text(encoding="utf-8")
    levels = dict(
        re.findall(
            r"^\| `([\w-]+)` \| ([^|]+) \|",
            page,
            re.MULTILINE,
        )
    )
    for kind in KINDS:
        assert ("error" in levels[kind], "warning" in levels[kind]) == (kind in PROVOKED, kind in WARNED), kind


@pytest.mark.parametrize(
    ("level", "kind"), [("error", kind) for kind in PROVOKED] + [("warning", kind) for kind in WARNED]
)
def test_every_kind_is_found(level, kind) -> None:
    """And it alone, so that a fault is told once."""
    data, held = (PROVOKED if level == "error" else WARNED)[kind]
    runs = {"one": data, "two": data} if kind == "same-tag" else {"one": data}
    *_, file = assay.check(runs, **held).files
    assert [(finding.level, finding.kind) for finding in file.findings] == [(level, kind)]


def test_the_documented_shape_of_json(tmp_path, capfd) -> None:
    """Keys and types of the example in the documentation are those of a folder of all kinds of files."""
    page = DOCS.with_name("json.md").read_text(encoding="utf-8")
    example = json.loads(re.search(r"```json\n(\{\"assay\".*?)```", page, re.DOTALL)[1])
    provoked = [data for kind, (data, _) in [*PROVOKED.items(), *WARNED.items()] if kind != "remark"]
    for number, data in enumerate(provoked):
        (tmp_path / f"{number:02d}.run").write_bytes(data)
    log = tmp_path.parent / "log.jsonl"
    log.write_text(EXAMPLES["openai-evals"] + "{broken\n")
    (tmp_path.parent / "rules.toml").write_text("depth = 100\n")
    assert main(["check", str(tmp_path), str(log), "--rules", str(tmp_path.parent / "rules.toml"), "-f", "json"]) == 3
    found = json.loads(capfd.readouterr().out)
    assert list(found) == list(example)
    files, findings = found["files"], [finding for file in found["files"] for finding in file["findings"]]
    assert len(files) == len(provoked) + 1
    for file in files:
        assert shape(file, nullable=("format", "deepest")) == shape(example["files"][0])
    for finding in findings:
        assert shape(finding, nullable=("line",)) == shape(example["files"][0]["findings"][0])
        assert finding["line"] == (finding["lines"] or [None])[0]
        assert len(finding["lines"]) <= SHOWN
    assert found["errors"] == sum(file["errors"] for file in files) == sum(one["level"] == "error" for one in findings)


def shape(found: dict, nullable: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Keys in their order, each with the type it has or, where it may be null, would have."""
    types = {"format": "str", "deepest": "int", "line": "int"}
    return [
        (key, types[key] if value is None and key in nullable else type(value).__name__) for key, value in found.items()
    ]
