"""The pages of the campaign: leaderboard, comparison, agreement."""

from __future__ import annotations

import re

import pytest

import assay
from assay.analyses.campaign.result import CampaignResults, MeasureResults
from assay.cli import main
from assay.figures.cost_frontier import CostFrontier
from assay.reports.model import BlockRow, Board, Chart, Note, RunPage, Span, Table
from assay.reports.pages.leaderboard import cost_sentence, with_standing
from assay.reports.pages.page_parts import page_id


def test_one_of_a_kind_is_said_in_the_singular(tmp_path, capsys, put):
    gold = put("q", "1 0 d1 1\n")
    assert main(["report", gold, put("r", "1 Q0 d1 1 1 alone\n")]) == 0
    said = capsys.readouterr().out
    assert "\nalone reaches AP 1.000 on 1 topic.\n" in said
    assert "\n1 topic;" in said
    assert not re.search(r"\b1 (run|topic|question|pair|plot|period)s\b", said)


@pytest.mark.slow
def test_no_column_of_the_leaderboard_is_cut_off(tmp_path, visit, campaign):
    out = tmp_path / "out.html"
    for task in ("outcomes", "filtering"):
        assert main([*campaign(task, tmp_path / task), "-o", str(out)]) == 0
        page = visit(out.as_uri(), viewport={"width": 1280, "height": 900})
        assert page.locator("#leaderboard").evaluate("box => box.scrollWidth <= box.clientWidth")
        assert page.locator("#measures .scroll").evaluate("box => box.scrollWidth <= box.clientWidth")


def described(said, **more):
    """Four runs with 4, 3, 2 and 1 right answers of 12, as an organiser describes them."""
    gold = {f"q{n:02d}": "yes" for n in range(12)}
    runs = {
        run: {q: "yes" if n < right else "no" for n, q in enumerate(gold)}
        for run, right in (("best", 4), ("good", 3), ("rule", 2), ("poor", 1))
    }
    scores = assay.evaluate(gold, runs, ["accuracy", "c@1"]).described(lambda run: said.get(run, {}))
    return assay.report(scores, trials=0, **more)


def board(made) -> Board:
    (block,) = made.document.sections[0].blocks
    assert isinstance(block, Board)
    return block


def section(made, name):
    return next(one for one in made.document.sections if one.id == name)


def measures(made) -> Table:
    return next(block for block in section(made, "measures-section").blocks if isinstance(block, Table))


BASELINE = {"rule": {"baseline": True}}


def test_baselines_are_ranked_among_the_others_unless_asked() -> None:
    """No two runs can be told apart, so each may have any of the four ranks."""
    shown = board(described(BASELINE))
    assert shown.ranked
    assert [(row.run, row.rank, row.tier, row.beside) for row in shown.rows] == [
        ("best", "1–4", "1", ""), ("good", "1–4", "1", ""), ("rule", "1–4", "1", "baseline"), ("poor", "1–4", "1", ""),
    ]  # fmt: skip


def test_baselines_apart_stand_last_and_count_for_no_place() -> None:
    made = described(BASELINE, baselines="apart")
    shown = board(made)
    # Intervals of ranks count all runs that were compared, so that there are places instead.
    assert not shown.ranked
    assert [(row.run, row.rank, row.tier, row.beside) for row in shown.rows] == [
        ("best", "1", "1", ""), ("good", "2", "1", ""), ("poor", "3", "1", ""), ("rule", "", "", "baseline"),
    ]  # fmt: skip
    assert [row.label if isinstance(row, Span) else row[0].text for row in measures(made).rows] == [
        "best", "good", "poor", "Baselines", "rule",
    ]  # fmt: skip
    places = {page.run: page.finding.place.partition(" (")[0] for page in made.document.pages}
    assert places == {
        "best": "best is 1st of 3", "good": "good is 2nd of 3", "rule": "rule is a baseline without a place",
        "poor": "poor is 3rd of 3",
    }  # fmt: skip
    rankings = next(block for block in section(made, "agreement-section").blocks if block.id == "rankings-1")
    assert [[cell.text for cell in row] for row in rankings.rows] == [
        ["best", "1", "1"], ["good", "2", "2"], ["poor", "3", "3"], ["rule", "", ""],
    ]  # fmt: skip
    assert "Baselines" in made.to_text()
    assert made.warnings == []


def test_where_no_run_or_every_run_is_a_baseline_all_are_ranked_and_it_is_said() -> None:
    for said in ({}, {run: {"type": "baseline"} for run in ("best", "good", "rule", "poor")}):
        made = described(said, baselines="apart")
        assert [row.rank for row in board(made).rows] == ["1–4"] * 4
        assert "all runs are ranked" in made.warnings[0]
    with pytest.raises(assay.UsageError, match="`baselines='last'`: expected 'ranked' or 'apart'"):
        described({}, baselines="last")


def test_the_board_has_the_endings_of_every_run_and_no_second_table_of_the_first_measure() -> None:
    made = described({"best": {"team": "us", "language": "en"}, "rule": {"baseline": True}})
    shown = board(made)
    assert shown.endings == ("right", "declined", "wrong")
    assert {row.run: row.counts for row in shown.rows} == {
        "best": (4, 0, 8), "good": (3, 0, 9), "rule": (2, 0, 10), "poor": (1, 0, 11),
    }  # fmt: skip
    assert [row.beside for row in shown.rows] == ["us", "", "baseline", ""]
    assert shown.direction == "higher is better"
    table = measures(made)
    assert table.of_runs
    assert [column.label for column in table.columns] == ["Run", "Language", "Baseline", "accuracy"]


def test_one_measure_and_no_characteristics_need_no_table_of_measures() -> None:
    made = assay.report(assay.scores([[0.25, 0.75], [0.5, 0.5]], runs=["a", "b"]), trials=0)
    assert [one.id for one in made.document.sections][:2] == ["leaderboard-section", "comparison-section"]


def test_the_sections_after_the_board_follow_the_order_of_the_first_screen() -> None:
    """Whether the numbers can be trusted is folded, and stands last."""
    made = described(
        {"best": {"cost": 3, "language": "en"}, "good": {"cost": 2, "language": "en"}}, group_by="language"
    )
    sections = made.document.sections
    assert [one.id for one in sections][:4] == [
        "leaderboard-section", "measures-section", "groups-section", "cost-section",
    ]  # fmt: skip
    assert made.document.grid_position == 4
    doubts = [one.id for one in sections if one.doubt]
    assert doubts == ["agreement-section", "pairs-section", "notes-section"]
    assert [one.id for one in sections][-3:] == doubts


@pytest.mark.slow
def test_facets_sorting_and_filtering_know_the_heading_of_the_baselines(tmp_path, visit) -> None:
    out = tmp_path / "out.html"
    said = {
        "best": {"kind": "a"},
        "good": {"kind": "b"},
        "poor": {"kind": "a"},
        "rule": {"kind": "c", "baseline": True},
    }
    described(said, baselines="apart").save(out)
    page = visit(out.as_uri())
    rows = page.locator("#measures tbody tr:visible")

    def named():
        return [text.split()[0] for text in rows.all_inner_texts()]

    assert named() == ["best", "good", "poor", "Baselines", "rule"]
    page.locator("#measures thead th", has_text="Run").locator("button").click()
    page.locator("#measures thead th", has_text="Run").locator("button").click()
    assert named() == ["poor", "good", "best", "Baselines", "rule"]
    page.select_option("select[data-of=measures] >> nth=0", label="a")
    assert named() == ["poor", "best"]
    page.select_option("select[data-of=measures] >> nth=0", label="c")
    assert named() == ["Baselines", "rule"]
    assert page.locator("[data-count=measures]").inner_text() == "1 of 4"
    assert page.locator("#measures tbody input[type=checkbox]").count() == 4


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
    assert cells[3][2] == "0.350"
    assert cells[4] == "en: 2 runs"
    assert [(row[0], row[3]) for row in cells[5:7]] == [("1..2", "1"), ("1..2", "1")]
    assert cells[8] == "without language: 1 run; no tiers: the group has one run"
    assert "not for the 3 groups" in groups.caption


def test_tiers_ranks_and_marks_follow_the_tests() -> None:
    """b beats a on each of 6 topics (p = 2/64); c equals b, so that neither can be told from the other."""
    values = [[i / 10, i / 10 + 0.2, i / 10 + 0.2] for i in range(6)]
    two, three = (
        board(assay.report(assay.scores([row[:count] for row in values], runs=list("abc")[:count]), trials=0))
        for count in (2, 3)
    )
    assert [(row.run, row.rank, row.tier, row.leads) for row in two.rows] == [
        ("b", "1", "1", True),
        ("a", "2", "2", False),
    ]
    assert [(row.run, row.rank, row.leads) for row in three.rows if row.run != "a"] == [
        ("b", "1–2", True),
        ("c", "1–2", True),
    ]
    assert two.alt == "score of 2 runs, best first, with 95% intervals."
    assert [row.value for row in two.rows] == pytest.approx([0.45, 0.25])
    assert all(row.low < row.value < row.high for row in two.rows)


def test_the_scale_of_the_leaderboard_spans_values_without_intervals() -> None:
    """One topic has no intervals."""
    shown = board(assay.report(assay.scores([[0.25, 0.75]], runs=["a", "b"]), trials=0))
    assert (shown.ticks, shown.domain, shown.interval) == ((0.0, 0.2, 0.4, 0.6), (0.0, 0.75), "")
    assert shown.alt == "score of 2 runs."


def test_equal_values_have_no_scale_and_undefined_ones_no_mark() -> None:
    equal = board(assay.report(assay.scores([[1 / 3, 1 / 3]], runs=["a", "b"]), trials=0))
    assert equal.ticks == ()
    assert [(row.rank, equal.value_text(row)) for row in equal.rows] == [("1..2", ".333")] * 2
    nothing = assay.report(assay.scores([[None, 0.5, 0.25]] * 3, runs=["a", "b", "c"]), trials=0)
    assert [(row.run, row.value) for row in board(nothing).rows] == [("b", 0.5), ("c", 0.25), ("a", None)]
    assert nothing.to_html().count('class="n val"') == 4


def test_counts_have_no_decimals_and_no_direction() -> None:
    gold = {"1": {"a": 1, "b": 1, "c": 0}, "2": {"a": 1, "b": 0}}
    runs = {"x": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}}, "y": {"1": {"c": 1.0}, "2": {"b": 1.0}}}
    made = assay.report(gold, runs, ["NumRelRet", "AP"], trials=0)
    shown = board(made)
    assert [(row.run, shown.value_text(row)) for row in shown.rows] == [("x", "3"), ("y", "0")]
    assert shown.direction == ""
    assert all(part in made.to_text() for part in ("NumRelRet", "Topics: 2"))
    assert "NaN" not in made.to_html().partition("<main")[2].partition("<footer")[0]


def test_negative_values_and_lower_is_better_are_shown_as_such() -> None:
    values = [[-0.3, -0.1], [-0.4, -0.2], [-0.1, -0.2], [-0.2, -0.1]]
    higher = board(assay.report(assay.scores(values, runs=["a", "b"]), trials=0))
    # Means -.25 and -.15, of standard errors .065 and .029; the higher one is first.
    assert [(row.run, higher.value_text(row)[0]) for row in higher.rows] == [("b", "−"), ("a", "−")]
    assert all(" to " in higher.interval_text(row) for row in higher.rows)
    assert higher.domain[0] < -0.25
    lower = board(assay.report(assay.scores(values, runs=["a", "b"], higher_is_better=False), trials=0))
    assert [row.run for row in lower.rows] == ["a", "b"]
    assert lower.direction == "lower is better"


def test_score_against_cost_names_the_runs_that_nobody_beats_for_less() -> None:
    said = {"best": {"cost": 40}, "good": {"cost": 2}, "rule": {"cost": 5}, "poor": {"cost": 1}}
    shown = section(described(said), "cost-section")
    (chart,) = (block for block in shown.blocks if isinstance(block, Chart) and block.id == "cost")
    assert "Best c@1 for the money: poor, good and best." in [
        block.body for block in shown.blocks if isinstance(block, Note)
    ]
    assert [(row["run"], row["cost"]) for row in chart.spec["datasets"]["front"]] == [
        ("poor", 1), ("good", 2), ("best", 40),
    ]  # fmt: skip
    assert "logarithmic" in chart.caption
    safe = section(described(said, aggregate=True), "cost-section")
    assert any(isinstance(block, Chart) and block.id == "cost" for block in safe.blocks)
    assert "cost-section" not in [one.id for one in described({"best": {"cost": 3}}).document.sections]


def test_runs_whose_cost_nobody_knows_are_named() -> None:
    shown = section(described({"best": {"cost": 3}, "good": {"cost": 2}}), "cost-section")
    (chart,) = (block for block in shown.blocks if isinstance(block, Chart) and block.id == "cost")
    assert "Not drawn, because score or cost is unknown: rule and poor." in chart.caption
    assert "logarithmic" not in chart.caption


def test_one_run_may_be_best_and_cheapest() -> None:
    assert cost_sentence("AP", CostFrontier("cost", "Cost", {"a": 1.0, "b": 2.0}, ("a",), (), False)) == (
        "a has the best AP and the lowest cost."
    )


# Means over what is defined: a 1.5/3, b 2.5/4, c 1.875/3, so b and c share the first place. Medians: .5, .75, .5625, .5.
TOPICS = ("10", "9", "2", "1")
A = (0.5, 0.75, None, 0.25)
B = (0.25, 0.75, 0.5, 1.0)
C = (0.75, None, 0.625, 0.5)
AP = MeasureResults("AP", (0.5, 0.625, 0.625), (A, B, C), tiers=("B", "A", "A"))


def campaign_by_hand(
    *measures: MeasureResults, runs: tuple[str, ...] = ("a", "b", "c"), topics: tuple[str, ...] = TOPICS
) -> CampaignResults:
    return CampaignResults(runs, topics, measures, "By hand.")


def standing(held: CampaignResults, position: int) -> RunPage:
    page = RunPage(page_id(position), held.runs[position], (), (("Team", "ours"),))
    return with_standing(page, held, position)


def tables(page: RunPage) -> list[Table]:
    (section,) = page.standing
    (row,) = section.blocks
    assert isinstance(row, BlockRow)
    return [block for block in row.blocks if isinstance(block, Table)]


def told(table: Table) -> list[str | tuple[str, ...]]:
    """The rows as they are read: a heading is a text."""
    return [row.label if isinstance(row, Span) else tuple(cell.whole_text for cell in row) for row in table.rows]


def test_the_tier_stands_before_what_is_said_of_the_run():
    held = campaign_by_hand(AP)
    assert standing(held, 0).meta == (("Tier", "B"), ("Team", "ours"))
    assert standing(held, 1).meta == (("Tier", "A"), ("Team", "ours"))
    assert standing(held, 2).meta == (("Tier", "A"), ("Team", "ours"))


def test_neighbours_are_those_of_the_leaderboard_and_the_run_without_a_value_is_last():
    def around(held: CampaignResults) -> list[tuple[str | None, str | None]]:
        return [(page.previous, page.next) for page in (standing(held, i) for i in range(3))]

    # b, c, a: the two equals by name.
    assert around(campaign_by_hand(AP)) == [("run-3", None), (None, "run-3"), ("run-2", "run-1")]
    rank = MeasureResults("Rank", (2.0, None, 1.0), tiers=("A", "", "A"), higher_is_better=False)
    assert around(campaign_by_hand(rank)) == [("run-3", "run-2"), ("run-1", None), (None, "run-1")]
    assert standing(campaign_by_hand(rank), 1).meta == (("Team", "ours"),)


def test_best_and_worst_topics_leave_out_what_equals_the_median_and_what_is_undefined():
    extremes = [tables(standing(campaign_by_hand(AP), i))[1] for i in range(3)]
    assert [column.label for column in extremes[0].columns] == ["Topic", "AP", "Median", "Difference"]
    assert told(extremes[0]) == [
        "Best against the median: none",
        "Worst against the median",
        ("1", "0.2500", "0.5000", "-0.2500"),
    ]
    assert told(extremes[1]) == [
        "Best against the median",
        ("1", "1.0000", "0.5000", "+0.5000"),
        "Worst against the median",
        ("2", "0.5000", "0.5625", "-0.0625"),
        ("10", "0.2500", "0.5000", "-0.2500"),
    ]
    assert told(extremes[2]) == [
        "Best against the median",
        ("10", "0.7500", "0.5000", "+0.2500"),
        ("2", "0.6250", "0.5625", "+0.0625"),
        "Worst against the median: none",
    ]
    links = [row[0].link for row in extremes[1].rows if isinstance(row, tuple)]
    assert links == ["topic/1", "topic/2", "topic/10"]
    median_run = campaign_by_hand(MeasureResults("AP", AP.values, (A, A, C)))
    assert [table.id for table in tables(standing(median_run, 0))] == ["run-1-headline"]


def test_where_less_is_better_the_best_topics_are_below_the_median_and_equal_ones_in_natural_order():
    # Medians of two runs are the means: 3, 3, 2; the differences of a are -1, -1, +1.
    rank = MeasureResults("Rank", (7 / 3, 3.0), ((2, 2, 3), (4, 4, 1)), digits=0, higher_is_better=False)
    page = standing(campaign_by_hand(rank, runs=("a", "b"), topics=("10", "9", "1")), 0)
    assert told(tables(page)[1]) == [
        "Best against the median",
        ("9", "2", "3", "-1"),
        ("10", "2", "3", "-1"),
        "Worst against the median",
        ("1", "3", "2", "+1"),
    ]


def test_a_measure_of_all_questions_at_once_leaves_them_to_what_has_a_value_for_each():
    """c@1 is one number: that a was right and the median was not is told by 1 for right, 0 for unanswered, -1 for wrong."""
    ended = MeasureResults("UF", (0.5, -0.5, 0.0), ((1, 1, -1, 1), (-1, 1, -1, -1), (-1, 1, -1, 1)))
    whole = MeasureResults("c@1", (0.75, 0.25, 0.5))
    held = CampaignResults(("a", "b", "c"), TOPICS, [whole], "By hand.", by_topic=[ended])
    (_, extremes) = tables(standing(held, 0))
    assert told(extremes) == [
        "Best against the median", ("10", "1", "-1", "+2"), "Worst against the median: none",
    ]  # fmt: skip
    assert len(tables(standing(campaign_by_hand(whole), 0))) == 1


def test_of_many_topics_five_stand_at_either_end():
    topics = tuple(f"t{i}" for i in range(1, 14))
    mine = (7, 6, 5, 4, 3, 2, 1, -1, -2, -3, -4, -5, -6)
    held = campaign_by_hand(MeasureResults("U", (2.0, 1.0), (mine, (0,) * 13)), runs=("a", "b"), topics=topics)
    page = standing(held, 0)
    named = [row if isinstance(row, str) else row[0] for row in told(tables(page)[1])]
    assert named[1:6] == ["t1", "t2", "t3", "t4", "t5"]
    assert named[7:] == ["t9", "t10", "t11", "t12", "t13"]


def test_the_headline_has_value_interval_place_and_median_and_a_run_alone_no_standing_among_others():
    known = MeasureResults("AP", AP.values, AP.topics, ((0.25, 0.75), (0.5, 0.75), None))
    docs = MeasureResults("NumRet", (30, 10, 20), orders_runs=False)
    rank = MeasureResults("Rank", (2.0, None, 1.0), higher_is_better=False)
    held = campaign_by_hand(known, docs, rank)
    assert told(tables(standing(held, 0))[0]) == [
        ("AP", "0.500 [0.250, 0.750]", "3", "0.625"),
        ("NumRet", "30", "", "20"),
        ("Rank", "2.000", "2", "1.500"),
    ]
    assert told(tables(standing(held, 1))[0])[2] == ("Rank", "n/a", "", "1.500")
    assert told(tables(standing(held, 2))[0])[0] == ("AP", "0.625", "1..2", "0.625")
    alone = standing(campaign_by_hand(MeasureResults("AP", (0.5,), (A,)), runs=("a",)), 0)
    assert (alone.meta, alone.previous, alone.next) == ((("Team", "ours"),), None, None)
    assert [table.id for table in tables(alone)] == ["run-1-headline"]
