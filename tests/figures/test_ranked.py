"""Ranked retrieval: the worked example of the appendix of TREC 2001, the median run, and what a run lacks."""

from __future__ import annotations

import pytest

from assay.figures.ranked import TopicPoint, figures, topic_points


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
