"""What a reader of pages met: code as headings, tables of one name, values that no question has, curves of nothing."""

from __future__ import annotations

import assay
from assay.analyses.campaign.result import CampaignResults, MeasureResults
from assay.analyses.reliability.reliability import reliability
from assay.reports.model import ComparisonBlock, Span, Table
from assay.reports.pages.leaderboard import agreement
from assay.reports.pages.page_parts import heading, hint_of
from assay.reports.pages.reliability import reliability_sections

GOLD = {f"q{n:02d}": "yes" for n in range(12)}
RUNS = {f"r{right}": {q: "yes" if n < right else "no" for n, q in enumerate(GOLD)} for right in (3, 9, 6)}


def test_a_heading_has_words_and_its_hint_the_code() -> None:
    measure = MeasureResults("NotFound(judged=lenient)", (), hint="Questions without an answer.")
    assert heading(measure).label == "not found, lenient"
    assert heading(measure).hint == "NotFound(judged=lenient): Questions without an answer."
    assert hint_of(MeasureResults("AP", (), hint="Average precision.")) == "Average precision."


def test_each_of_several_tables_is_named_after_its_measures() -> None:
    many = [MeasureResults(f"P@{n}", (0.5, 0.25)) for n in range(1, 12)]
    section = agreement(CampaignResults(("a", "b"), ("t",), many, ""))
    assert section is not None
    titles = [block.title for block in section.blocks if isinstance(block, Table)]
    assert titles == ["Rankings side by side: P@1 to P@9", "Rankings side by side: P@10 to P@11"]


def test_questions_have_their_outcomes_and_no_points() -> None:
    document = assay.report(GOLD, RUNS, trials=0).document
    assert document.grid is not None
    assert [column.label for column in document.grid.table.columns] == ["Question", "Right", "Wrong", "Declined"]
    # q00 to q02 all get right, q03 to q05 two of three, q06 to q08 the best run alone, the others nobody.
    counts = {row[0].text: [cell.value for cell in row[1:]] for row in document.grid.table.rows}
    assert (counts["q00"], counts["q03"], counts["q06"], counts["q11"]) == ([3, 0, 0], [2, 1, 0], [1, 2, 0], [0, 3, 0])
    pages = {page.run: page for page in document.pages}
    [table] = [
        part
        for block in pages["r9"].standing[0].blocks
        for part in block.blocks
        if part.title == "Best and worst questions"
    ]
    rows = [row.label if isinstance(row, Span) else tuple(cell.text for cell in row) for row in table.rows]
    assert rows == [
        "Right where few are", ("q06", "right", "1 of 3"), ("q07", "right", "1 of 3"), ("q08", "right", "1 of 3"),
        "Not right where most are: none",
    ]  # fmt: skip


def test_two_runs_are_compared_from_the_best_two() -> None:
    document = assay.report(GOLD, RUNS, trials=0).document
    [block] = [part for section in document.sections for part in section.blocks if isinstance(part, ComparisonBlock)]
    assert [block.runs[place] for place in block.first] == ["r9", "r6"]


def test_stability_is_left_out_where_no_subset_disagrees() -> None:
    # One run is better on every topic by far: no subset of the topics ranks them otherwise.
    scores = assay.scores({"a": dict.fromkeys(GOLD, 0.9), "b": dict.fromkeys(GOLD, 0.1)})
    titles = [section.title for section in reliability_sections(reliability(scores, trials=50), every=False)]
    assert not any(title.startswith("Stability") for title in titles)
    close = assay.scores(
        {"a": {q: n % 2 for n, q in enumerate(GOLD)}, "b": {q: (n + 1) % 2 for n, q in enumerate(GOLD)}}
    )
    titles = [section.title for section in reliability_sections(reliability(close, trials=50), every=False)]
    assert any(title.startswith("Stability") for title in titles)
