"""Findings in words: where, how often, and what is said of files in order."""

from __future__ import annotations

import assay
from assay.reports.model import Span, Table
from assay.reports.pages import submission_check
from assay.reports.pages.submission_check import report_section, sections


def told(*runs: bytes) -> list[tuple[str, list[str]]]:
    return [(section.title, [note.body for note in section.blocks]) for section in sections(assay.check(list(runs)))]


def test_a_section_for_every_file_with_findings_and_a_line_for_all() -> None:
    bad, good = b"1 Q0 a 1 x t\n" * 8, b"1 Q0 a 1 9 u\n"
    (_, first), (title, notes) = told(bad, good)
    assert title == "<data>: 2 errors, 0 warnings (trec-run, 8 lines, 1 topic, tag t)"
    assert notes[0].startswith("error score, 8 times, lines 1, 2, 3, 4, 5 …: found score 'x'; expected a finite number")
    assert notes[1].startswith("error duplicate, 7 times, lines 2, 3, 4, 5, 6 …: found document a")
    assert first == ["1 of 2 files is not valid: <data>.", "2 files checked: 2 errors, 0 warnings; 1 in order."]


def test_files_with_the_same_findings_share_a_section(tmp_path) -> None:
    for name, lines in (("a", "1 Q0 a 1 x t\n"), ("b", "1 Q0 a 1 x u\n"), ("c", "1 Q0 a 1 9 v\n1 Q0 a 2 8 v\n")):
        (tmp_path / f"{name}.run").write_text(lines)
    names = [str(tmp_path / f"{name}.run") for name in "abc"]
    first, both, alone = sections(assay.check(names))
    assert first.title == ""
    assert both.title == f"2 files with the same findings, 1 error, 0 warnings each: {names[0]}, {names[1]}"
    assert len(both.blocks) == 1
    assert alone.title.startswith(f"{names[2]}: 1 error, 0 warnings (")


def test_what_has_no_lines_names_none() -> None:
    [(_, (first, *notes))] = told(b"1 0 a 1\n")
    assert first == "<data> is not valid: 1 error."
    assert notes[0].startswith("error format: found judgments of documents")
    [(_, (first, *remarks))] = told(b'{"id": "p1", "value": [0.5]}\n')
    assert first == "<data> is valid, with 1 warning in 1 line."
    assert remarks == ["warning remark: 1 values are lists of one number; the number was read."]


def test_one_file_in_order_says_what_it_is() -> None:
    [(_, notes)] = told(b'{"id": "q1", "answer": "x"}\n')
    assert notes == ["<data> is valid: answers, 1 line, 1 question."]


def tables(section) -> dict[str, list[list[str]]]:
    found = [block for block in section.blocks if isinstance(block, Table)]
    return {
        table.id: [[row.label] if isinstance(row, Span) else [cell.text for cell in row] for row in table.rows]
        for table in found
    }


def test_the_section_of_a_report_names_every_file(tmp_path) -> None:
    for name, lines in (("bad", "1 Q0 a 1 x t\n" * 3), ("worse", "1 Q0 a 1 x u\n" * 3), ("good", "1 Q0 a 1 9 v\n")):
        (tmp_path / f"{name}.run").write_text(lines)
    section = report_section(assay.check([str(tmp_path)]))
    assert [note.body for note in section.blocks[:2]] == [
        f"2 of 3 files are not valid: {tmp_path}/bad.run and {tmp_path}/worse.run.",
        "3 files checked: 4 errors, 0 warnings; 1 in order.",
    ]
    found = tables(section)
    assert found["check-files"] == [
        ["bad.run", "trec-run", "3", "1", "3", "t", "2 errors, 0 warnings"],
        ["good.run", "trec-run", "1", "1", "1", "v", "in order"],
        ["worse.run", "trec-run", "3", "1", "3", "u", "2 errors, 0 warnings"],
    ]
    span, score, duplicate = found["check-findings"]
    assert span == ["bad.run, worse.run"]  # with the same findings
    assert score[:4] == ["error", "score", "3", "1"]
    assert score[4].startswith("Score 'x'. Fix: ")
    assert duplicate[:4] == ["error", "duplicate", "2", "2"]


def test_the_section_of_a_report_where_all_is_in_order() -> None:
    section = report_section(assay.check({"a": b"1 Q0 a 1 9 v\n"}))
    assert [note.body for note in section.blocks[:2]] == [
        "a is valid: trec-run, 1 line, 1 topic, tag v.",
        "1 file checked: all in order.",
    ]
    assert list(tables(section)) == ["check-files"]


def test_a_page_lists_so_many_findings_and_says_so(monkeypatch) -> None:
    monkeypatch.setattr(submission_check, "MAX_LISTED_FINDINGS", 1)
    section = report_section(assay.check([b"1 Q0 a 1 x t\n" * 3, b"1 Q0 a 1 x t\n1 Q0 b 2 1\n"]))
    assert len(tables(section)["check-findings"]) == 2
    assert "The first 1 of" in section.blocks[-1].caption
