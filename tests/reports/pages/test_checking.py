"""Findings in words: where, how often, and what is said of files in order."""

from __future__ import annotations

import assay
from assay.reports.pages.checking import sections


def told(*runs: bytes) -> list[tuple[str, list[str]]]:
    return [(section.title, [note.body for note in section.blocks]) for section in sections(assay.check(list(runs)))]


def test_a_section_for_every_file_with_findings_and_a_line_for_all() -> None:
    bad, good = b"1 Q0 a 1 x t\n" * 8, b"1 Q0 a 1 9 u\n"
    (title, notes), (_, last) = told(bad, good)
    assert title == "<data>: 2 errors, 0 warnings (trec-run, 8 lines, 1 topic, tag t)"
    assert notes[0].startswith("error score, 8 times, lines 1, 2, 3, 4, 5 …: found score 'x'; expected a finite number")
    assert notes[1].startswith("error duplicate, 7 times, lines 2, 3, 4, 5, 6 …: found document a")
    assert last == ["2 files checked: 2 errors, 0 warnings; 1 in order."]


def test_what_has_no_lines_names_none() -> None:
    [(title, notes), _] = told(b"1 0 a 1\n")
    assert title == "<data>: 1 error, 0 warnings (of no known format)"
    assert notes[0].startswith("error format: found judgments of documents")
    [(_, remarks), _] = told(b'{"id": "p1", "value": [0.5]}\n')
    assert remarks == ["warning remark: 1 values are lists of one number; the number was read."]


def test_one_file_in_order_says_what_it_is() -> None:
    [(_, notes)] = told(b'{"id": "q1", "answer": "x"}\n')
    assert notes == ["1 file checked: nothing found.", "<data>: answers, 1 line, 1 question."]
