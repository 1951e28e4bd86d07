"""The pages of the campaign: leaderboard, comparison, agreement."""

from __future__ import annotations

import re

import pytest

import assay
from assay.cli import main
from assay.reports.model import Span


def test_one_of_a_kind_is_said_in_the_singular(tmp_path, capsys, put):
    gold = put("q", "1 0 d1 1\n")
    assert main(["report", gold, put("r", "1 Q0 d1 1 1 alone\n")]) == 0
    said = capsys.readouterr().out
    assert "\n1 run in order of AP.\n" in said
    assert "\n1 topic;" in said
    assert not re.search(r"\b1 (run|topic|question|pair|plot|period)s\b", said)


@pytest.mark.slow
def test_no_column_of_the_leaderboard_is_cut_off(tmp_path, visit, campaign):
    pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    out = tmp_path / "out.html"
    for task in ("outcomes", "filtering"):
        assert main([*campaign(task, tmp_path / task), "-o", str(out)]) == 0
        page = visit(out.as_uri(), viewport={"width": 1280, "height": 900})
        assert page.locator("#leaderboard .scroll").first.evaluate("box => box.scrollWidth <= box.clientWidth")


def described(said, **more):
    """Four runs with 4, 3, 2 and 1 right answers of 12, as an organiser describes them."""
    gold = {f"q{n:02d}": "yes" for n in range(12)}
    runs = {
        run: {q: "yes" if n < right else "no" for n, q in enumerate(gold)}
        for run, right in (("best", 4), ("good", 3), ("rule", 2), ("poor", 1))
    }
    scores = assay.evaluate(gold, runs, ["accuracy", "c@1"]).described(lambda run: said.get(run, {}))
    return assay.report(scores, trials=0, **more)


def leaderboard(made):
    section = made.document.sections[0]
    return section, next(block for block in section.blocks if getattr(block, "leaderboard", False))


BASELINE = {"rule": {"baseline": True}}


def test_baselines_are_ranked_among_the_others_unless_asked() -> None:
    _, table = leaderboard(described(BASELINE))
    assert [(row[0].text, row[1].text) for row in table.rows] == [
        ("1", "best"), ("2", "good"), ("3", "rule"), ("4", "poor"),
    ]  # fmt: skip


def test_baselines_apart_stand_last_and_count_for_no_place() -> None:
    made = described(BASELINE, baselines="apart")
    _, table = leaderboard(made)
    assert [row.label if isinstance(row, Span) else (row[0].text, row[1].text) for row in table.rows] == [
        ("1", "best"), ("2", "good"), ("3", "poor"), "Baselines", ("", "rule"),
    ]  # fmt: skip
    assert "3 runs in order of c@1, then 1 baseline without a place." in table.caption
    places = {page.run: dict(page.meta)["Place"] for page in made.document.pages}
    assert places == {"best": "1 of 3", "good": "2 of 3", "rule": "none: a baseline", "poor": "3 of 3"}
    (agreed,) = (section for section in made.document.sections if section.id == "agreement-section")
    rankings = next(block for block in agreed.blocks if block.id == "rankings-1")
    assert [[cell.text for cell in row] for row in rankings.rows] == [
        ["best", "1", "1"], ["good", "2", "2"], ["poor", "3", "3"], ["rule", "", ""],
    ]  # fmt: skip
    assert "Baselines" in made.to_text()
    assert made.warnings == []


def test_where_no_run_or_every_run_is_a_baseline_all_are_ranked_and_it_is_said() -> None:
    for said in ({}, {run: {"type": "baseline"} for run in ("best", "good", "rule", "poor")}):
        made = described(said, baselines="apart")
        assert [row[0].text for row in leaderboard(made)[1].rows] == ["1", "2", "3", "4"]
        assert "all runs are ranked" in made.warnings[0]
    with pytest.raises(assay.UsageError, match="`baselines='last'`: expected 'ranked' or 'apart'"):
        described({}, baselines="last")


@pytest.mark.slow
def test_facets_sorting_and_filtering_know_the_heading_of_the_baselines(tmp_path, visit) -> None:
    pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    out = tmp_path / "out.html"
    said = {
        "best": {"kind": "a"},
        "good": {"kind": "b"},
        "poor": {"kind": "a"},
        "rule": {"kind": "c", "baseline": True},
    }
    described(said, baselines="apart").save(out)
    page = visit(out.as_uri())
    rows = page.locator("#leaderboard tbody tr:visible")

    def named():
        return [
            text.split()[1] if len(text.split()) > 1 and text[0].isdigit() else text.split()[0]
            for text in rows.all_inner_texts()
        ]

    assert named() == ["best", "good", "poor", "Baselines", "rule"]
    page.locator("#leaderboard thead th", has_text="Run").locator("button").click()
    page.locator("#leaderboard thead th", has_text="Run").locator("button").click()
    assert named() == ["poor", "good", "best", "Baselines", "rule"]
    page.select_option("select[data-of=leaderboard] >> nth=0", label="a")
    assert named() == ["poor", "best"]
    page.select_option("select[data-of=leaderboard] >> nth=0", label="c")
    assert named() == ["Baselines", "rule"]
    assert page.locator("[data-count=leaderboard]").inner_text() == "1 of 4"
    assert page.locator("#leaderboard tbody input[type=checkbox]").count() == 4


def test_leaderboards_by_group_of_runs():
    """Six topics: de2 beats de1 everywhere (p = 2/64), so each group has tiers of its own; the median of .25 and .45 is .35."""
    values = [[i / 10, i / 10 + 0.2, i / 10 - 0.01, i / 10 - 0.01, 0.1] for i in range(6)]
    runs = ["de1", "de2", "en1", "en2", "other"]
    table = assay.scores(values, runs=runs).described(lambda run: {} if run == "other" else {"language": run[:2]})
    report = assay.report(table, group_by="language", trials=0)
    lines = [" ".join(line.split()) for line in repr(report).splitlines()]
    assert "Leaderboard by language" in lines
    groups = next(section for section in report.document.sections if section.id == "groups-section").blocks[0]
    cells = [row.label if isinstance(row, Span) else tuple(cell.text for cell in row) for row in groups.rows]
    assert cells[0] == "de: 2 runs"
    assert [(row[0], row[1], row[3]) for row in cells[1:4]] == [
        ("1", "de2", "1"),
        ("2", "de1", "2"),
        ("", "median", ""),
    ]
    assert cells[3][2] == "0.3500"
    assert cells[4] == "en: 2 runs"
    assert [(row[0], row[3]) for row in cells[5:7]] == [("1..2", "1"), ("1..2", "1")]
    assert cells[8] == "without language: 1 run; no tiers: the group has one run"
    assert "not for the 3 groups" in groups.caption


def test_the_chart_of_intervals_has_the_tiers_and_names_the_best_run() -> None:
    """b beats a on each of 6 topics (p = 2/64), so they are in two tiers; c equals b, so that none is best alone."""
    values = [[i / 10, i / 10 + 0.2, i / 10 + 0.2] for i in range(6)]
    for runs, tiers, ending in ((["a", "b"], {"b": "1", "a": "2"}, "; b is best."), (["a", "b", "c"], {}, ".")):
        made = assay.report(assay.scores([row[: len(runs)] for row in values], runs=runs), trials=0)
        (chart,) = (block for block in made.document.sections[0].blocks if block.id == "leaderboard-intervals")
        assert chart.alt == f"Dot plot of score for {len(runs)} runs with intervals{ending}"
        if tiers:
            assert {row["run"]: row["tier"] for row in chart.spec["datasets"]["runs"]} == tiers


def test_the_scale_of_the_leaderboard_spans_values_without_intervals() -> None:
    """One topic has no intervals."""
    _, table = leaderboard(assay.report(assay.scores([[0.25, 0.75]], runs=["a", "b"]), trials=0))
    assert [column.domain for column in table.columns if column.role == "value"] == [(0.25, 0.75)]
