"""Where a run stands: place, tier, neighbours, and its best and worst topics against the median."""

from __future__ import annotations

from assay.analyses.campaign.result import CampaignResults, MeasureResults
from assay.reports.model import BlockRow, RunPage, Span, Table
from assay.reports.pages.page_parts import page_id
from assay.reports.pages.standing import with_standing

# Means over what is defined: a 1.5/3, b 2.5/4, c 1.875/3, so b and c share the first place. Medians: .5, .75, .5625, .5.
TOPICS = ("10", "9", "2", "1")
A = (0.5, 0.75, None, 0.25)
B = (0.25, 0.75, 0.5, 1.0)
C = (0.75, None, 0.625, 0.5)
AP = MeasureResults("AP", (0.5, 0.625, 0.625), (A, B, C), tiers=("B", "A", "A"))


def campaign(
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


def test_place_and_tier_stand_before_what_is_said_of_the_run_and_equals_share_a_place():
    held = campaign(AP)
    assert standing(held, 0).meta == (("Place", "3 of 3"), ("Tier", "B"), ("Team", "ours"))
    assert standing(held, 1).meta == (("Place", "1..2 of 3"), ("Tier", "A"), ("Team", "ours"))
    assert standing(held, 2).meta == (("Place", "1..2 of 3"), ("Tier", "A"), ("Team", "ours"))


def test_neighbours_are_those_of_the_leaderboard_and_the_run_without_a_value_is_last():
    def around(held: CampaignResults) -> list[tuple[str | None, str | None]]:
        return [(page.previous, page.next) for page in (standing(held, i) for i in range(3))]

    # b, c, a: the two equals by name.
    assert around(campaign(AP)) == [("run-3", None), (None, "run-3"), ("run-2", "run-1")]
    rank = MeasureResults("Rank", (2.0, None, 1.0), tiers=("A", "", "A"), higher_is_better=False)
    assert around(campaign(rank)) == [("run-3", "run-2"), ("run-1", None), (None, "run-1")]
    assert standing(campaign(rank), 1).meta == (("Place", "none: no value"), ("Team", "ours"))
    assert standing(campaign(rank), 0).meta[0] == ("Place", "2 of 3")


def test_best_and_worst_topics_leave_out_what_equals_the_median_and_what_is_undefined():
    extremes = [tables(standing(campaign(AP), i))[1] for i in range(3)]
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
    median_run = campaign(MeasureResults("AP", AP.values, (A, A, C)))
    assert [table.id for table in tables(standing(median_run, 0))] == ["run-1-headline"]


def test_where_less_is_better_the_best_topics_are_below_the_median_and_equal_ones_in_natural_order():
    # Medians of two runs are the means: 3, 3, 2; the differences of a are -1, -1, +1.
    rank = MeasureResults("Rank", (7 / 3, 3.0), ((2, 2, 3), (4, 4, 1)), digits=0, higher_is_better=False)
    page = standing(campaign(rank, runs=("a", "b"), topics=("10", "9", "1")), 0)
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
    assert len(tables(standing(campaign(whole), 0))) == 1


def test_of_many_topics_five_stand_at_either_end():
    topics = tuple(f"t{i}" for i in range(1, 14))
    mine = (7, 6, 5, 4, 3, 2, 1, -1, -2, -3, -4, -5, -6)
    held = campaign(MeasureResults("U", (2.0, 1.0), (mine, (0,) * 13)), runs=("a", "b"), topics=topics)
    page = standing(held, 0)
    named = [row if isinstance(row, str) else row[0] for row in told(tables(page)[1])]
    assert named[1:6] == ["t1", "t2", "t3", "t4", "t5"]
    assert named[7:] == ["t9", "t10", "t11", "t12", "t13"]


def test_the_headline_has_value_interval_place_and_median_and_a_run_alone_no_standing_among_others():
    known = MeasureResults("AP", AP.values, AP.topics, ((0.25, 0.75), (0.5, 0.75), None))
    docs = MeasureResults("NumRet", (30, 10, 20), orders_runs=False)
    rank = MeasureResults("Rank", (2.0, None, 1.0), higher_is_better=False)
    held = campaign(known, docs, rank)
    assert told(tables(standing(held, 0))[0]) == [
        ("AP", "0.5000 [0.2500, 0.7500]", "3", "0.6250"),
        ("NumRet", "30", "", "20"),
        ("Rank", "2.0000", "2", "1.5000"),
    ]
    assert told(tables(standing(held, 1))[0])[2] == ("Rank", "n/a", "", "1.5000")
    assert told(tables(standing(held, 2))[0])[0] == ("AP", "0.6250", "1..2", "0.6250")
    alone = standing(campaign(MeasureResults("AP", (0.5,), (A,)), runs=("a",)), 0)
    assert (alone.meta, alone.previous, alone.next) == ((("Team", "ours"),), None, None)
    assert [table.id for table in tables(alone)] == ["run-1-headline"]
