"""Plans from a stated variance and from scores, and what cannot be planned."""

from __future__ import annotations

import math

import made_logs
import numpy as np
import pytest

from assay.analyses.planning.plan import STATED, plan
from assay.errors import InputError, UsageError
from assay.scoring.evaluate import evaluate
from assay.scoring.score_files import scores as scores_from


def stated(**choices):
    return plan(**choices).measures[STATED]


def scores_of(matrix):
    """A score table of matrix[topic, run]."""
    return scores_from(matrix.tolist(), measure="AP")


def test_the_reverse_question_is_the_inverse():
    common = {"difference": 0.05, "variance": 0.04, "variance_of_differences": 0.027, "runs": 5}
    for method, needed in stated(**common).needed.items():
        back, fewer = (stated(**common, topics=topics).smallest for topics in (needed, needed - 1))
        assert back[method] <= 0.05 + 1e-12 < fewer[method]


def test_a_plan_from_scores_uses_the_interaction_for_pairs_and_the_whole_spread_for_anova():
    rng = np.random.default_rng(5)
    topic, run = rng.normal(0, 0.3, size=(80, 1)), rng.normal(0, 0.1, size=(1, 12))
    made = plan(scores_of(topic + run + rng.normal(0, 0.1, size=(80, 12))), difference=0.1).measures["AP"]
    assert (made.runs, made.topics) == (12, 80)
    # Topics are shared: their own spread (.09) costs the paired comparison nothing and one-way ANOVA everything.
    assert made.variance_of_differences == pytest.approx(2 * 0.01, rel=0.15)
    assert made.variance == pytest.approx(0.1, rel=0.3)
    assert made.needed["t-test"] < made.needed["anova"]


def test_a_plan_knows_its_rows_and_its_json():
    made = plan(scores_of(np.random.default_rng(1).random((9, 3))), "AP", difference=0.1)
    header, rows = made.rows()
    assert header == ["measure", "method", "topics needed", "low", "high", "smallest difference"]
    assert [row[:2] for row in rows] == [["AP", method] for method in ("t-test", "anova", "interval")]
    found = made.to_dict()
    assert (found["measures"]["AP"]["missing"], found["settings"]["drop_worst"]) == (0, 0.0)


def test_the_range_is_that_of_the_jackknife():
    """By hand: differences 1, 2, 3, 6 of two runs have a variance of 14/3, and without each 13/3, 19/3, 7 and 1."""
    made = plan(scores_of(np.array([[1.0, 0], [2, 0], [3, 0], [6, 0]])), difference=2.0).measures["AP"]
    assert made.variance_of_differences == pytest.approx(14 / 3)
    without = [math.log(v) for v in (13 / 3, 19 / 3, 7, 1)]
    mean = sum(without) / 4
    reach = math.exp(3.182446 * math.sqrt(3 / 4 * sum((v - mean) ** 2 for v in without)))
    for variance, needed in zip((14 / 3 / reach, 14 / 3 * reach), made.ranges["t-test"], strict=True):
        assert needed == stated(difference=2.0, variance_of_differences=variance).needed["t-test"]
    assert made.ranges["t-test"][0] <= made.needed["t-test"] <= made.ranges["t-test"][1]


def test_a_stated_variance_has_no_range():
    assert stated(difference=0.1, variance=0.04).ranges is None
    scores = scores_of(np.random.default_rng(1).random((9, 3)))
    assert plan(scores, difference=0.1, variance=0.04).measures["AP"].ranges is None


def test_a_variance_that_one_topic_makes_has_no_range():
    assert plan(scores_of(np.array([[0.0, 0], [0, 0], [0, 0], [1, 0]])), difference=0.5).measures["AP"].ranges is None


def test_the_power_curve_passes_through_the_topics_needed():
    """Half a standard deviation at .05 takes 34 topics for a power of .8, as every textbook's table has it."""
    curve = stated(difference=0.5, variance_of_differences=1.0, curve=True).curve
    assert [point.topics for point in curve] == sorted({point.topics for point in curve})
    assert [point.power for point in curve] == sorted(point.power for point in curve)
    assert (
        max(point.topics for point in curve if point.power < 0.8) < 34 <= min(p.topics for p in curve if p.power >= 0.8)
    )
    assert {(point.low, point.high) for point in curve} == {(None, None)}
    learnt = plan(scores_of(np.random.default_rng(1).random((9, 3))), difference=0.1, curve=True).measures["AP"].curve
    assert all(point.low <= point.power <= point.high for point in learnt)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("topics", "runs", "kind"), [(20, 2, "normal"), (20, 8, "normal"), (50, 8, "right"), (20, 2, "right")]
)
def test_the_range_holds_the_topics_needed(topics, runs, kind):
    """In at least 92% of 1,000 pilots; the table is in docs/reliability.md."""
    rng = np.random.default_rng(11)
    variance, difference = (2.0, 0.5) if kind == "normal" else (2 * 0.24, 0.1)
    needed = stated(difference=difference, variance_of_differences=variance).needed["t-test"]
    held = 0
    for _ in range(1000):
        values = (
            rng.normal(size=(topics, runs)) if kind == "normal" else (rng.random((topics, runs)) < 0.6).astype(float)
        )
        low, high = plan(scores_of(values), difference=difference).measures["AP"].ranges["t-test"]
        held += low <= needed <= high
    assert held >= 920


def test_the_worst_runs_can_be_left_out():
    scores = scores_of(np.random.default_rng(1).random((9, 4)) * np.array([0.1, 1, 1, 1]))
    assert plan(scores, difference=0.1, drop_worst=0.25).measures["AP"].runs == 3
    with pytest.raises(UsageError, match=r"`drop_worst=0\.5` chooses among runs"):
        plan(difference=0.1, variance=0.1, drop_worst=0.5)


def test_what_cannot_be_planned_says_why():
    with pytest.raises(UsageError, match="`difference=0`"):
        plan(difference=0, variance=1.0)
    with pytest.raises(UsageError, match=r"needs scores .* or a stated one, as in `variance="):
        plan(difference=0.1)
    with pytest.raises(UsageError, match=r"`power=1\.0`"):
        plan(difference=0.1, variance=1.0, power=1.0)
    with pytest.raises(UsageError, match="`runs=1`: expected a number of runs, at least 2"):
        plan(difference=0.1, variance=1.0, runs=1)
    with pytest.raises(UsageError, match="`topics=1`"):
        plan(difference=0.1, variance=1.0, topics=1)
    with pytest.raises(InputError, match="do not vary"):
        plan(difference=0.1, variance=0.0)
    with pytest.raises(UsageError, match="more than 1,000,000,000 topics"):
        plan(difference=1e-9, variance=1.0)


@pytest.mark.parametrize("step", [0.0, 0.1])
def test_differences_that_do_not_vary_are_not_planned_from_their_rounding(step):
    topic = np.array([[0.1], [0.37], [0.7], [0.6], [0.33]])
    with pytest.raises(InputError, match="the differences between runs are the same on every topic"):
        plan(scores_of(topic + step * np.arange(3)), difference=0.05)


def test_numbers_that_are_none_are_refused():
    for choices in ({"difference": math.nan}, {"difference": math.inf}, {"variance": math.nan}, {"variance": -1.0}):
        with pytest.raises(UsageError, match="expected a number"):
            plan(**{"difference": 0.05, "variance": 0.04, **choices})


def test_logs_are_scored_first(tmp_path):
    for model in ("bold", "careful"):
        made_logs.promptfoo(tmp_path, model)
    scored = plan(evaluate(tmp_path), "c@1", difference=0.05)
    made = plan(tmp_path, "c@1", difference=0.05)
    assert made.to_dict() == scored.to_dict()
    assert (made.measures["c@1"].runs, made.measures["c@1"].topics) == (2, 6)
    with pytest.raises(UsageError, match="`task=…`: only for scoring"):
        plan(difference=0.05, variance=0.1, task="outcomes")
    with pytest.raises(UsageError, match=r"`runs='runs/'`: expected a number of runs"):
        plan("qrels.txt", difference=0.05, runs="runs/")
