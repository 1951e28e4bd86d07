"""Filtering: the figures of the appendix of TREC 2001, medians among subtasks and utility over periods by hand."""

from __future__ import annotations

import pytest

import assay
from assay.figures import task_figures
from assay.table.scores import Scores
from assay.tasks import get

QRELS = "R1 0 10 1\nR1 0 20 1\nR2 0 15 1\n"


@pytest.fixture
def campaign(put, scored):
    def make(described: dict[str, dict[str, str]], **settings: object) -> Scores:
        texts = {"a": "R1 10\nR1 20\n", "b": "R1 10\nR1 11\nR2 15\n", "c": "R2 99\n"}
        runs = [put(name, text) for name, text in texts.items()]
        scores = scored("filtering", put("q", QRELS), *runs, **settings)
        return scores.described(lambda run: described.get(run, {}))

    return make


def test_table_5(campaign):
    figures = task_figures(get("filtering")).figures(campaign({"b": {"subtask": "adaptive"}}))
    run = figures.runs[1]
    assert (run.run, run.subtask, run.topics, run.retrieved, run.relevant, run.relevant_retrieved) == (
        "b",
        "adaptive",
        2,
        3,
        3,
        2,
    )
    assert (run.macro_recall, run.macro_precision, run.zero_returns) == (0.75, 0.75, 0)
    assert run.mean_t10su == pytest.approx((101 / 104 + 102 / 102) / 2)
    assert run.mean_f_beta == pytest.approx((1.25 / (0.25 + 1 + 1.25) + 1) / 2)
    assert run.periods is None
    assert figures.runs[0].zero_returns == 1


def test_against_the_median_in_both_measures_where_neither_was_aimed_at(campaign):
    figures = task_figures(get("filtering")).figures(campaign({}))
    f, u = figures.runs[0].against_median
    assert (f.measure, u.measure) == ("T10F", "T10U")
    assert u.values == (4, 0)
    assert u.medians == (1, 0)  # 4, 1, 0 and 0, 2, -1
    assert u.differences == (3, 0)


def test_among_runs_of_the_same_subtask_and_in_the_measure_aimed_at(campaign):
    described = {
        "a": {"subtask": "batch", "optimized_for": "T10U"},
        "b": {"subtask": "batch", "optimised_for": "F-beta"},
        "c": {"subtask": "adaptive", "optimized_for": "neither"},
    }
    a, b, c = task_figures(get("filtering")).figures(campaign(described)).runs
    assert [(d.measure, d.medians) for d in a.against_median] == [("T10U", (2.5, 1.0))]
    assert [d.measure for d in b.against_median] == ["T10F"]
    assert [(d.measure, d.differences) for d in c.against_median] == [("T10F", (0.0, 0.0)), ("T10U", (0, 0))]


def test_the_median_of_all_runs_beside_that_of_corresponding_ones(campaign):
    """T10U on R1 and R2: a 4, 0; b 1, 2; c 0, -1. The median of all is 1, 0."""
    described = {"a": {"subtask": "batch"}, "b": {"subtask": "batch"}, "c": {"subtask": "adaptive"}}
    a, *_ = task_figures(get("filtering")).figures(campaign(described)).runs
    assert (a.against_median[1].medians, a.against_all[1].medians) == ((2.5, 1.0), (1, 0))
    same_subtask = {"a": {"type": "automatic"}, "b": {"type": "manual"}, "c": {"type": "automatic"}}
    a, b, _ = task_figures(get("filtering")).figures(campaign(same_subtask)).runs
    assert (a.against_median[1].medians, a.peers) == ((2.0, -0.5), 2)
    assert (b.against_median[1].medians, b.against_all[1].differences) == ((1, 2), (0, 2))
    assert task_figures(get("filtering")).figures(campaign({})).runs[0].against_all == (), "all runs correspond"


def test_a_subtask_is_the_same_however_it_is_written(campaign):
    described = {"a": {"subtask": "adaptive"}, "b": {"subtask": "Adaptive "}, "c": {"subtask": "batch"}}
    a, *_ = task_figures(get("filtering")).figures(campaign(described)).runs
    assert a.against_median[1].medians == (2.5, 1.0)  # T10U of a and b: 4, 1 and 0, 2


def test_an_unknown_aim(campaign):
    with pytest.raises(assay.InputError, match="characteristics of a: optimized_for = 'speed'; expected T10U"):
        task_figures(get("filtering")).figures(campaign({"a": {"optimized_for": "speed"}}))


def test_utility_over_periods(campaign, put):
    boundaries = put("boundaries.txt", "10\n15\n20\n")
    scores = campaign({"c": {"subtask": "batch"}}, periods=boundaries)
    a, b, c = task_figures(get("filtering")).figures(scores).runs
    assert a.periods is not None
    assert [p.label for p in a.periods] == ["up to 10", "10 to 15", "15 to 20", "after 20"]
    assert [p.mean_t10u for p in a.periods] == [1.0, 0.0, 1.0, 0.0]
    # Up to 10: R1 gets its one document (1), R2 has none (1). 10 to 15: R1 has none (1), R2 misses one: 100/102.
    assert [p.mean_t10su for p in a.periods] == [1.0, pytest.approx((1 + 100 / 102) / 2), 1.0, 1.0]
    assert [(p.relevant, p.relevant_retrieved, p.retrieved) for p in a.periods] == [
        (1, 1, 1),
        (1, 0, 0),
        (1, 1, 1),
        (0, 0, 0),
    ]
    assert b.periods is not None
    assert [p.mean_t10u for p in b.periods] == [1.0, (-1 + 2) / 2, 0.0, 0.0]
    assert c.periods is None  # a batch run has no history


def test_periods_leave_out_what_the_mean_leaves_out(campaign, put):
    boundaries = put("boundaries.txt", "10\n")
    scores = campaign({}, periods=boundaries, missing="skip")
    a = task_figures(get("filtering")).figures(scores).runs[0]
    assert a.periods is not None
    assert [(p.mean_t10u, p.relevant) for p in a.periods] == [(2.0, 1), (2.0, 1)]  # R1 alone
