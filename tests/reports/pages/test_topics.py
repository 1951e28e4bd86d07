"""Runs × topics: the values of the scores, topic by topic in natural order, or nothing where nobody could read them."""

from __future__ import annotations

from typing import Any

from assay.analyses.campaign.result import CampaignResults, MeasureResults, RunPair
from assay.reports.model import Grid
from assay.reports.pages.topics import HARDEST_TOPICS, MAX_LISTED_TOPICS, grid, measure_values
from assay.reports.report import report

TOPICS = ("10", "9", "2", "1")
RUNS = ("a", "b", "c")
A = (0.5, 0.75, None, 0.25)
B = (0.25, 0.75, None, 1.0)
C = (0.75, None, None, 0.5)
AP = MeasureResults("AP", (0.5, 2 / 3, 0.625), (A, B, C))


def made(*measures: MeasureResults, **more: Any) -> Grid:
    found = grid(CampaignResults(RUNS, TOPICS, measures, "By hand.", **more))
    assert found is not None
    return found


def test_the_values_are_those_of_the_scores_in_the_natural_order_of_the_topics():
    found = made(AP, fields={"Question": ("ten", "nine", "two", "one")})
    assert found.topics == ("1", "2", "9", "10")
    assert (found.runs, found.order) == (RUNS, (1, 2, 0))
    (measure,) = found.measures
    assert measure.topics == ((0.25, None, 0.75, 0.5), (1.0, None, 0.75, 0.25), (0.5, None, None, 0.75))
    assert measure.runs == (0.5, 2 / 3, 0.625)
    assert measure.medians == (0.5, None, 0.75, 0.5)
    assert found.fields == {"Question": ("one", "two", "nine", "ten")}
    assert found.caption == "AP of 3 runs on 4 topics. By hand."
    assert "hardest" not in found.table.caption


def test_each_topic_has_its_median_best_worst_spread_and_best_run_and_equals_are_counted():
    rows = [tuple(cell.text for cell in row) for row in made(AP).table.rows if isinstance(row, tuple)]
    assert rows[0] == ("1", "0.5000", "1.0000", "0.2500", "0.7500", "b")
    assert rows[1][:5] == ("2", "n/a", "n/a", "n/a", "n/a")
    assert rows[2] == ("9", "0.7500", "0.7500", "0.7500", "0.0000", "2 runs")
    assert rows[3] == ("10", "0.5000", "0.7500", "0.2500", "0.5000", "c")
    links = [row[0].link for row in made(AP).table.rows if isinstance(row, tuple)]
    assert links == ["topic/1", "topic/2", "topic/9", "topic/10"]


def test_where_less_is_better_the_least_is_best_and_the_spread_is_no_less_than_zero():
    rank = MeasureResults(
        "Rank", (1.0, 1.0, 1.0), ((4, 1, 1, 1), (2, 1, 1, 1), (3, 1, 1, 1)), digits=0, higher_is_better=False
    )
    rows = [tuple(cell.text for cell in row) for row in made(rank).table.rows if isinstance(row, tuple)]
    assert rows[3] == ("10", "3", "2", "4", "2", "b")
    assert rows[0] == ("1", "1", "1", "1", "0", "3 runs")


def test_a_measure_without_values_by_topic_is_left_out_unless_pairs_of_runs_are_known():
    whole = MeasureResults("c@1", (0.5, 0.25, 0.75))
    paired = MeasureResults("CWS", (0.5, 0.25, 0.75), pairs=(RunPair(0, 1, 0.25, p=0.5),))
    held = CampaignResults(RUNS, TOPICS, [whole, paired, AP], "By hand.", pair_rule="By permutation.")
    told = measure_values(held, held.measures)
    assert [(one.name, one.topics != (), one.pairs_caption) for one in told] == [
        ("CWS", False, "By permutation."),
        ("AP", True, ""),
    ]
    found = made(whole, paired, by_topic=(AP,))
    assert [one.name for one in found.measures] == ["AP"]
    assert grid(CampaignResults(RUNS, TOPICS, [whole, paired], "By hand.")) is None


def test_of_more_topics_than_anybody_reads_the_hardest_are_listed():
    def of(number: int) -> Grid | None:
        names, values = [f"t{i}" for i in range(number)], [1 - i / number for i in range(number)]
        return grid(CampaignResults(("a",), names, [MeasureResults("AP", (0.5,), (values,))], "By hand."))

    last, more = of(MAX_LISTED_TOPICS), of(MAX_LISTED_TOPICS + 1)
    assert last is not None
    assert more is not None
    assert len(last.topics) == len(last.table.rows) == MAX_LISTED_TOPICS == 1000
    assert len(more.topics) == 1001
    assert [row[0].text for row in more.table.rows[:2]] == ["t1000", "t999"]
    assert len(more.table.rows) == HARDEST_TOPICS
    assert "The 200 hardest of 1,001 topics; search by name finds the others." in more.table.caption
    assert of(0) is not None


def test_a_grid_of_one_run_keeps_the_medians_of_all():
    found = made(AP)
    one = found.of([RUNS[1]])
    assert one.runs == (RUNS[1],)
    assert one.order == (0,)
    assert one.measures[0].topics == (found.measures[0].topics[1],)
    assert one.measures[0].medians == found.measures[0].medians


def test_a_report_of_runs_has_their_scores_in_its_grid():
    gold = {"10": {"d1": 1, "d2": 0}, "9": {"d1": 1, "d2": 1}}
    runs = {
        "x": {"10": {"d1": 2.0, "d2": 1.0}, "9": {"d1": 1.0}},
        "y": {"10": {"d2": 2.0, "d1": 1.0}, "9": {"d1": 2.0, "d2": 1.0}},
    }
    found = report(gold, runs, ["AP", "RR"], trials=20).document.grid
    assert found is not None
    assert (found.topics, found.runs) == (("9", "10"), ("x", "y"))
    # AP of x on 9: one of two found, at rank 1; of y on 10: the one at rank 2.
    by_name = {one.name: one.topics for one in found.measures}
    assert by_name["AP"] == ((0.5, 1.0), (1.0, 0.5))
    assert by_name["RR"] == ((1.0, 1.0), (1.0, 0.5))


def test_where_the_measure_is_undefined_for_all_nobody_is_best():
    rows = {row[0].text: row for row in made(AP).table.rows if isinstance(row, tuple)}
    assert [cell.text for cell in rows["2"][1:]] == ["n/a"] * 5
    assert rows["2"][-1].kind == "missing"
