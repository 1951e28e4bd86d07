"""The pages of generated answers: which run holds which nugget, and every question."""

from __future__ import annotations

import json

import assay


def test_the_matrix_tells_whole_part_and_nothing_apart(text):
    lines = text("generation")
    assert "Nugget Importance r1 r2 Whole In part" in lines
    assert "a vital ● ◐ 1 1" in lines
    assert "b okay ◐ ○ 0 1" in lines
    assert "1: Who?" in lines
    assert any("● in the answer" in line for line in lines)


def test_a_runs_own_page(text):
    lines = text("generation", "--run", "r1")
    assert "Strict vital score 1.0000" in lines
    assert "Citation recall, weighted 0.2500" in lines
    assert not any(line.startswith("Sentence precision") for line in lines)
    assert "Strict vital score against the median" in lines
    # Two nuggets whole, one in part, two sentences of which one cites.
    assert any(line.startswith("1 2 1 0 2 1 1.0000") for line in lines)


def test_many_runs_go_on_in_further_tables(tmp_path):
    nuggets = [{"text": "a", "importance": "vital", "assignment": "support"}]
    rows = [{"qid": q, "run_id": f"run{n}", "nuggets": nuggets} for n in range(8) for q in "12"]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    document = assay.report(str(tmp_path / "a.jsonl"), trials=0).document
    [section] = [section for section in document.sections if section.id == "nuggets-section"]
    tables = [block for block in section.blocks if hasattr(block, "columns")]
    assert [table.title for table in tables] == ["Nuggets by run, 1 of 2", "Nuggets by run, 2 of 2"]
    shown = [column.label for table in tables for column in table.columns if column.label.startswith("run")]
    assert shown == [f"run{n}" for n in range(8)]
