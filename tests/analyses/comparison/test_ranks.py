"""Intervals of ranks: boards by hand, agreement with pairs and tiers, and what has no ranks."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.analyses.comparison.compare import compare, compare_many
from assay.errors import UsageError

SIX = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06]
"""Six topics that all go one way have p = 2/64 = .031 by all 64 flips, and differ from each other."""


def board(*columns, **options):
    names = "abcdefghij"[: len(columns)]
    return compare(assay.scores(np.array(columns).T, runs=list(names)), **options)


def intervals(result):
    return {rank.run: (rank.place, rank.low, rank.high) for rank in result.ranks}


def test_two_runs_by_hand():
    """All 64 flips of six topics: a run that wins all six is significantly better, one that wins five is not."""
    low = np.array(SIX)
    assert intervals(board(low + 0.5, low)) == {"a": (1, 1, 1), "b": (2, 2, 2)}
    five = low + np.array([0.5, 0.5, 0.5, 0.5, 0.5, -0.5])
    assert intervals(board(five, low)) == {"a": (1, 1, 2), "b": (2, 1, 2)}


def test_a_pair_exactly_at_alpha_is_significant():
    """Six wins of six have p = 2/64; the level is that, or a little less."""
    low = np.array(SIX)
    at, below = (board(low + 0.5, low, confidence=1 - level) for level in (2 / 64, 2 / 64 - 1e-6))
    assert at.pairs[0].decided_by == 2 / 64
    assert intervals(at) == {"a": (1, 1, 1), "b": (2, 2, 2)}
    assert intervals(below) == {"a": (1, 1, 2), "b": (2, 1, 2)}


def test_three_runs_of_which_two_are_equal():
    """The equal runs share the first place; the third is far below on every topic."""
    low = np.array(SIX)
    result = board(low + 0.5, low + 0.5, low - 0.5)
    assert intervals(result) == {"a": (1, 1, 2), "b": (1, 1, 2), "c": (3, 3, 3)}
    assert result.ranks.may_be_first == ["a", "b"]
    assert (result.ranks.surely_in_first(2), result.ranks.possibly_in_first(1)) == (["a", "b"], ["a", "b"])


def test_four_runs_two_of_each_kind():
    low = np.array(SIX)
    other = low + np.array([0.02, -0.02, 0.01, -0.01, 0.03, -0.03])
    result = board(low + 0.5, other + 0.5, low, other)
    assert {run: ends[1:] for run, ends in intervals(result).items()} == {
        "a": (1, 2),
        "b": (1, 2),
        "c": (3, 4),
        "d": (3, 4),
    }


def test_where_lower_is_better_the_lowest_is_first():
    scores = assay.scores(
        np.array([np.array(SIX) + 1, np.array(SIX) + 2]).T, runs=["good", "bad"], measure="perplexity"
    )
    assert [(rank.run, rank.low) for rank in compare(scores).ranks] == [("good", 1), ("bad", 2)]


@pytest.mark.parametrize("seed", range(6))
def test_ranks_agree_with_pairs_and_tiers(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(rng.choice([0, 0.1, 0.3], 9), 0.2, (30, 9)).round(1)
    scores = assay.scores(values, runs=list("abcdefghi"))
    result = compare(scores, resamples=999)
    better = {(pair.better, ({pair.a, pair.b} - {pair.better}).pop()) for pair in result.pairs if pair.significant}
    for rank in result.ranks:
        assert rank.low == 1 + sum(loser == rank.run for _, loser in better)
        assert rank.high == 9 - sum(winner == rank.run for winner, _ in better)
        assert rank.low <= rank.place <= rank.high
    for run in result.runs:
        of = result.ranks.of(run.run)
        assert of.high - of.low == run.not_different
    first = result.tiers[0]
    assert set(first) <= set(result.ranks.possibly_in_first(len(first)))
    assert intervals(compare_many(scores, scores.measures[0], first=2)) == intervals(compare(scores))


def test_the_rank_of_a_run_named_beforehand_is_no_wider():
    rng = np.random.default_rng(3)
    values = rng.normal(np.linspace(0, 0.3, 12), 0.25, (40, 12))
    result = compare(assay.scores(values, runs=list("abcdefghijkl")), rank_of="f", resamples=999)
    [alone] = result.rank_of
    among_all = result.ranks.of("f")
    assert alone.run == "f"
    assert among_all.low <= alone.low <= alone.place <= alone.high <= among_all.high
    several = compare(assay.scores(values, runs=list("abcdefghijkl")), rank_of=["f", "b"], resamples=999).rank_of
    assert {rank.run for rank in several} == {"f", "b"}
    assert several.of("f").low <= alone.low
    assert alone.high <= several.of("f").high


def test_json_and_frames_have_the_ranks():
    result = board(np.array(SIX) + 0.5, np.array(SIX), top=1, rank_of="b")
    data = result.to_dict()
    assert data["ranks"] == [
        {"run": "a", "place": 1, "low": 1, "high": 1},
        {"run": "b", "place": 2, "low": 2, "high": 2},
    ]
    assert data["top"] == {"places": 1, "surely": ["a"], "possibly": ["a"]}
    assert data["rank_of"] == [{"run": "b", "place": 2, "low": 2, "high": 2}]
    assert result.ranks.to_frame("polars").rows() == [("a", 1, 1, 1), ("b", 2, 2, 2)]
    assert "place" in str(result.ranks)


@pytest.mark.parametrize(
    "choice", [{"correct": "holm"}, {"correct": "none"}, {"correct": "tukey"}, {"test": "t"}, {"baseline": "a"}]
)
def test_other_corrections_and_baselines_have_no_ranks(choice):
    columns = [np.random.default_rng(i).random(12) for i in range(4)]
    assert board(*columns, **choice).ranks is None
    with pytest.raises(UsageError, match=r"`top=2`: ranks follow from all pairs of runs"):
        board(*columns, **choice, top=2)


def test_ranks_that_cannot_be_named_say_why():
    columns = [np.random.default_rng(i).random(12) for i in range(4)]
    with pytest.raises(UsageError, match="`top=9`: expected a number of places from 1 to 4"):
        board(*columns, top=9)
    with pytest.raises(UsageError, match="unknown run"):
        board(*columns, rank_of="z")


def suite(tasks: int, questions: int, runs: int = 3) -> assay.Scores:
    """Runs of a suite: run k gets more questions right, the higher k is."""
    rows = [
        f'{{"id": "t{t}/q{q}", "task": "t{t}", "run": "r{k}", "outcome": "{"correct" if (q * 7 + t) % 10 < 3 + 2 * k else "incorrect"}"}}'
        for t in range(tasks) for q in range(questions) for k in range(runs)
    ]  # fmt: skip
    return assay.evaluate(None, "\n".join(rows).encode(), ["accuracy"])


def test_over_tasks_each_task_is_one_observation():
    scores = suite(9, 20)
    result = compare(scores, "accuracy", over="tasks")
    assert (result.topics, result.noun, result.settings["over"]) == (9, "task", "tasks")
    by_questions = compare(scores, "accuracy")
    assert {run.run: run.value for run in result.runs} == pytest.approx(
        {run.run: run.value for run in by_questions.runs}
    )
    task = assay.suite(scores, "accuracy").run("r0").tasks["t4"].value
    assert task == pytest.approx(0.3)


def test_over_tasks_needs_eight():
    with pytest.raises(UsageError, match="`over='tasks'`: needs 8 tasks that all runs have, found 7"):
        compare(suite(7, 4), "accuracy", over="tasks")
    with pytest.raises(UsageError, match="needs results of several tasks"):
        board([0.1, 0.2, 0.3], [0.2, 0.3, 0.4], over="tasks")
