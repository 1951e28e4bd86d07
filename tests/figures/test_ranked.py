"""Ranked retrieval: the worked example of the appendix of TREC 2001, the median run, and what a run lacks."""

from __future__ import annotations

import pytest

from assay.figures import task_figures
from assay.figures.ranked import TopicPoint, cumulative, figures, topic_points
from assay.tasks import get


@pytest.fixture
def campaign(put, scored):
    """Topic 1 has relevant documents at ranks 1, 2, 4 and 15 of the run best; the run other has it reversed and lacks topic 2."""
    gold = "".join(f"1 0 d{i} {int(i in (1, 2, 4, 15))}\n" for i in range(1, 16)) + "2 0 d1 1\n"
    best = "".join(f"1 Q0 d{i} 0 {-i} best\n" for i in range(1, 16)) + "2 Q0 x 0 2 best\n2 Q0 d1 0 1 best\n"
    other = "".join(f"1 Q0 d{i} 0 {i} other\n" for i in range(1, 16))
    return lambda **settings: figures(scored("ranked", put("q", gold), put("b", best), put("o", other), **settings))


def test_the_tables_of_a_run(campaign) -> None:
    found = campaign()
    best, other = found.runs
    assert (found.topics, found.relevant) == (("1", "2"), (4, 1))
    assert (best.topics, best.retrieved, best.relevant, best.relevant_retrieved) == (2, 17, 5, 5)
    assert best.ranks == ((1, 2, 4, 15), (2,))
    assert best.topic_average_precision == pytest.approx(((1 + 1 + 3 / 4 + 4 / 15) / 4, 1 / 2))
    # Topic 2 has precision 1/2 at every level of recall, and R-precision 0.
    assert best.recall_levels[5] == (1 + 1 / 2) / 2
    assert best.recall_levels[7] == (3 / 4 + 1 / 2) / 2
    assert best.r_precision == (3 / 4 + 0) / 2
    assert dict(best.cutoffs)[5] == pytest.approx((3 / 5 + 1 / 5) / 2)
    assert other.ranks == ((1, 12, 14, 15), None)


def test_the_median_and_what_separates_a_run_from_it(campaign) -> None:
    found = campaign()
    first = (1 + 2 / 12 + 3 / 14 + 4 / 15) / 4
    best = (1 + 1 + 3 / 4 + 4 / 15) / 4
    assert found.median == pytest.approx(((first + best) / 2, 1 / 4))
    assert found.runs[1].difference == pytest.approx(((first - best) / 2, -1 / 4))


def test_a_topic_left_out_has_no_value_and_no_difference(campaign) -> None:
    found = campaign(missing="skip")
    assert (found.runs[1].topics, found.runs[1].topic_average_precision[1], found.runs[1].difference[1]) == (
        1,
        None,
        None,
    )
    assert found.median[1] == 1 / 2


def test_the_points_of_a_topic() -> None:
    assert topic_points([2, 3], 4) == (TopicPoint(2, 0.25, 0.5, 2 / 3), TopicPoint(3, 0.5, 2 / 3, 2 / 3))
    assert topic_points([], 4) == ()


RANKS = {"a": 1, "b": 2, "c": 4, "m": 5, "n": 10}
"""Where each run has the one relevant document, so that its average precision is 1 over the rank."""


def test_the_median_of_runs_of_the_same_type_beside_that_of_all(put, scored) -> None:
    texts = {
        run: "".join(f"1 Q0 {'d' if i == rank else f'x{i}'} 0 {-i} {run}\n" for i in range(1, 11))
        for run, rank in RANKS.items()
    }
    scores = scored("ranked", put("q", "1 0 d 1\n"), *(put(run, text) for run, text in texts.items()))
    told = {"a": "automatic", "b": "Automatic ", "c": "automatic", "m": "manual", "n": "manual"}
    a, b, _, m, _ = figures(scores.described(lambda run: {"type": told[run]})).runs
    assert (b.type, b.corresponding.medians, b.corresponding.differences) == ("automatic", (0.5,), (0.0,))
    assert a.corresponding_runs == 3
    assert (b.difference, a.corresponding.above) == ((0.25,), 1), "the median of all five runs is 1/4"
    assert m.corresponding.medians == pytest.approx((0.15,))
    # A type that says nothing: all runs have it, only one has it, or none is given.
    for types in (dict.fromkeys(RANKS, "automatic"), {"a": "manual"}, {}):
        described = scores.described(lambda run, types=types: {"run_type": types[run]} if run in types else {})
        assert figures(described).runs[0].corresponding is None


def test_table_6(put, scored):
    """145 topics: 102 at rank 1, 128 in the top 10, 7 not in the top 100."""
    ranks = [1] * 102 + [10] * 26 + [11] * 10 + [101] * 3 + [0] * 4
    gold = put("q", "".join(f"{t} 0 home 1\n" for t in range(145)))
    lines = [f"{t} Q0 d{i} 0 {-i} tnout10epCAU\n" if i != rank else f"{t} Q0 home 0 {-i} tnout10epCAU\n"
             for t, rank in enumerate(ranks) for i in range(1, max(rank, 1) + 1)]  # fmt: skip
    scores = scored("known-item", gold, put("r", "".join(lines)))
    (run,) = task_figures(get("known-item")).figures(scores).runs
    counts = (run.found_at_1, run.found_in_10, run.not_found_in_100)
    assert [(one.count, round(one.percent, 1)) for one in counts] == [(102, 70.3), (128, 88.3), (7, 4.8)]
    assert run.topics == 145
    assert run.mean_reciprocal_rank == pytest.approx((102 + 26 / 10 + 10 / 11 + 3 / 101) / 145)
    assert (run.cumulative[0], run.cumulative[8], run.cumulative[9]) == (
        100 * 102 / 145,
        100 * 102 / 145,
        100 * 128 / 145,
    )
    assert run.cumulative[99] == 100 * 138 / 145
    assert len(run.cumulative) == 100


def test_a_curve_includes_its_last_rank():
    assert cumulative([2, 100], upto=100)[98:] == [50.0, 100.0]


def test_the_median_curve(put, scored):
    gold = put("q", "1 0 a 1\n2 0 a 1\n")
    runs = [
        put("r1", "1 Q0 a 1 9 r1\n2 Q0 a 1 9 r1\n"),
        put("r2", "1 Q0 b 1 9 r2\n1 Q0 a 2 8 r2\n2 Q0 b 1 9 r2\n"),
        put("r3", "1 Q0 b 1 9 r3\n1 Q0 c 2 8 r3\n1 Q0 a 3 7 r3\n2 Q0 b 1 9 r3\n"),
    ]
    figures = task_figures(get("known-item")).figures(scored("known-item", gold, *runs))
    assert figures.median_ranks == (2, None)
    assert figures.median_cumulative[:3] == (0.0, 50.0, 50.0)


def test_a_curve_leaves_out_what_the_mean_leaves_out(put, scored):
    gold = put("q", "1 0 a 1\n2 0 a 1\n")
    run = put("r1", "1 Q0 a 1 9 r1\n")
    for missing, found in {"zero": 50.0, "skip": 100.0}.items():
        (figures,) = task_figures(get("known-item")).figures(scored("known-item", gold, run, missing=missing)).runs
        assert (figures.cumulative[0], figures.found_at_1.percent) == (found, found)


def test_a_topic_left_out_for_all_runs_is_not_the_median_runs_either(put, scored):
    gold = put("q", "1 0 a 1\n2 0 a 1\n")
    runs = [put("r1", "1 Q0 a 1 9 r1\n2 Q0 a 1 9 r1\n"), put("r2", "1 Q0 a 1 9 r2\n")]
    figures = task_figures(get("known-item")).figures(scored("known-item", gold, *runs, missing="common"))
    assert figures.runs[0].cumulative[0] == 100.0
    assert figures.median_cumulative[0] == 100.0
