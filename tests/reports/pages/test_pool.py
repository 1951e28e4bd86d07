"""What a pool can carry, in words and tables."""

from __future__ import annotations

import assay
from assay.reports.model import Table
from assay.reports.pages.pool import left_out_sections, pool_sections

QRELS = {"q1": {"a": 1, "b": 1, "c": 0}}
RUNS = {"one": {"q1": {"a": 3, "b": 2}}, "two": {"q1": {"b": 2, "a": 1}}, "three": {"q1": {"b": 2, "c": 1}}}


def tables(sections) -> dict[str, list[list[str]]]:
    found = [block for section in sections for block in section.blocks if isinstance(block, Table)]
    return {table.id: [[cell.text for cell in row] for row in table.rows] for table in found}


def test_the_page_begins_with_the_finding():
    result = assay.left_out(QRELS, RUNS, "AP", depth=1)
    assert left_out_sections(result)[0].blocks[0].body == (
        f"{result.finding} The rankings with and without a team have a tau of at least −.50."
    )
    pool = assay.pool(RUNS, depth=2)
    assert pool_sections(pool)[0].blocks[0].body == pool.finding


def test_tables_by_team_and_by_run():
    found = tables(left_out_sections(assay.left_out(QRELS, RUNS, "AP", depth=1)))
    assert found["pool-teams"] == [
        ["one", "1", "1", "1", "50.0%", "-0.500", "one", "-0.5000", "one", "-2"],
        ["two", "1", "0", "0", "0.0%", "1.000", "none", "0.0000", "none", "0"],
        ["three", "1", "0", "0", "0.0%", "1.000", "none", "0.0000", "none", "0"],
    ]
    assert found["pool-runs"][0] == ["one", "one", "1.0000", "0.5000", "-0.5000", "-50.0%", "1", "3"]


def test_topics_to_judge():
    made = assay.pool(RUNS, depth=2, budget=1, exclude={"q1": {"a": 1}})
    assert tables(pool_sections(made)) == {"pool-topics": [["q1", "3", "1", "1"]]}
    assert "1 documents" not in repr(made)


def test_a_report_has_the_section_where_a_depth_is_named():
    with_pool = assay.report(QRELS, RUNS, trials=0, pool_depth=1)
    assert "Teams left out of the pool" in with_pool.to_text()
    assert "Teams left out of the pool" not in assay.report(QRELS, RUNS, trials=0).to_text()
    assert "Teams left out of the pool" not in assay.report(QRELS, RUNS, trials=0, pool_depth=1, run="one").to_text()


def test_pages_that_must_not_tell_judgments_have_none_of_it():
    qrels = {f"q{i}": QRELS["q1"] for i in range(12)}
    runs = {run: dict.fromkeys(qrels, of["q1"]) for run, of in RUNS.items()}
    pages = assay.report(qrels, runs, trials=0, pool_depth=1, aggregate=True).to_text()
    assert "Teams left out of the pool" not in pages
    assert "alone found" not in pages
