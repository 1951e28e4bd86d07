"""Boards with missing cells: pairs on what both have, against brute force; adjusted means; what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.analyses.comparison.incomplete import compare_incomplete
from assay.analyses.comparison.options import ComparisonOptions
from assay.errors import InputError, UsageError


def board(values, **options):
    names = [f"r{i}" for i in range(np.asarray(values).shape[1])]
    scores = assay.scores(np.asarray(values, dtype=float), runs=names, higher_is_better=True)
    return assay.compare(scores, incomplete="pairs", seed=0, **options)


def as_lines(runs):
    """The runs as files of answers in JSON lines."""
    return {name: "\n".join(map(json.dumps, rows)).encode() for name, rows in runs.items()}


def with_gaps(rng, topics: int, runs: int, share: float) -> np.ndarray:
    values = rng.normal(0, 0.2, (topics, 1)) + rng.normal(0, 0.1, (topics, runs)) + np.linspace(0, 0.15, runs)
    values[rng.random(values.shape) < share] = np.nan
    return values


@pytest.mark.parametrize("seed", range(3))
def test_without_gaps_all_is_as_when_topics_are_dropped(seed):
    rng = np.random.default_rng(seed)
    values = with_gaps(rng, 20, 6, 0.0)
    names = [f"r{i}" for i in range(6)]
    plain = assay.compare(assay.scores(values, runs=names, higher_is_better=True), seed=0)
    paired = board(values)
    for one, other in zip(plain.pairs, paired.pairs, strict=True):
        assert (one.a, one.b, one.significant) == (other.a, other.b, other.significant)
        assert one.p["randomisation"] == other.p["randomisation"]
        assert abs(one.adjusted["maxt"] - other.adjusted["maxt"]) <= 2e-4  # normal scores are interpolated
        assert one.interval.low == pytest.approx(other.interval.low, abs=1e-6)
        assert one.interval.high == pytest.approx(other.interval.high, abs=1e-6)
    assert plain.tiers == paired.tiers
    assert list(plain.ranks) == list(paired.ranks)
    assert paired.contradictions == []


def test_a_run_without_the_hard_topics_is_put_where_it_belongs():
    """b lacks the ten topics on which everybody has .1; on the other 14 it is .05 below a, and far above it in its raw mean."""
    easy = np.where(np.arange(24) < 10, 0.1, 0.9)
    wobble = np.tile([0.001, -0.001], 12)
    values = np.stack([easy + wobble, easy - 0.05, easy - 0.3], axis=1)
    values[:10, 1] = np.nan
    result = board(values)
    assert [run.run for run in result.runs] == ["r0", "r1", "r2"]
    by_name = {run.run: run for run in result.runs}
    assert by_name["r1"].raw == pytest.approx(0.85)
    assert by_name["r0"].raw == pytest.approx((10 * 0.1 + 14 * 0.9) / 24)
    assert by_name["r1"].value == pytest.approx(by_name["r0"].value - 0.05, abs=1e-3)
    assert (by_name["r1"].entered, by_name["r0"].entered) == (14, 24)
    assert result.pair("r0", "r1").topics == 14
    assert [(rank.low, rank.high) for rank in result.ranks] == [(1, 1), (2, 2), (3, 3)]


def test_pairs_that_share_too_little_are_not_compared_and_widen_ranks():
    """The first and the last run share 11 topics, one too few; both are compared with the second."""
    wobble = np.tile([0.01, -0.01], 20)[:, None]
    values = np.array([0.9, 0.5, 0.1]) + wobble * [1, -1, 0]
    values[20:, 0] = np.nan
    values[:9, 2] = np.nan
    result = board(values)
    alone = result.pair("r0", "r2")
    assert (alone.difference, alone.interval, alone.significant) == (None, None, False)
    assert alone.sentence == "r0 and r2 cannot be compared: they share 11 topics, fewer than 12."
    assert [(rank.run, rank.low, rank.high) for rank in result.ranks] == [("r0", 1, 2), ("r1", 2, 2), ("r2", 2, 3)]
    assert any("1 of 3 pairs share fewer than 12 topics" in note for note in result.notes)


def contradicting() -> np.ndarray:
    """a beats b by .1 on the 12 topics that both have; through d, b is far better than a.

    On 12 topics of its own a loses .4 to d, and on 12 others b wins .4 over d.
    """
    wobble = np.tile([0.01, -0.01], 18)
    values = np.full((36, 3), np.nan)
    values[:12, 0], values[:12, 1] = 0.5 + wobble[:12], 0.4
    values[12:24, 0], values[12:24, 2] = 0.1 + wobble[12:24], 0.5
    values[24:, 1], values[24:, 2] = 0.9 + wobble[24:], 0.5
    return values


def test_an_order_against_a_pairs_own_test_is_named():
    result = board(contradicting())
    above, below = (next(run for run in result.runs if run.run == name) for name in ("r1", "r0"))
    assert above.value > below.value
    pair = result.pair("r1", "r0")
    assert (pair.significant, pair.better) == (True, "r0")
    assert pair.difference == pytest.approx(-0.1)
    assert result.contradictions == [{"above": "r1", "below": "r0"}]
    assert result.to_dict()["contradictions"] == result.contradictions
    assert any("ordered against their own comparison: r1 above r0" in note for note in result.notes)
    # r1 beats r2, r0 beats r1, r2 beats r0: each may be anywhere from 2 to 2 by counting, and its interval holds its place.
    assert all(rank.low <= rank.place <= rank.high for rank in result.ranks)
    assert [(rank.run, rank.place, rank.low, rank.high) for rank in result.ranks] == [
        ("r1", 1, 1, 2), ("r2", 2, 2, 2), ("r0", 3, 2, 3),
    ]  # fmt: skip


def test_runs_that_never_differ_may_yet():
    """Twenty questions, both right on all: .05 of them at most could differ by the rule of three (.025^(1/20) = .8316)."""
    right = [{"id": f"q{i}", "outcome": "correct"} for i in range(20)]
    third = [{"id": f"q{i}", "outcome": "correct" if i % 2 else "incorrect"} for i in range(18)]
    scores = assay.evaluate(None, as_lines({"a": right, "b": right, "c": third}), "accuracy", missing="skip")
    result = assay.compare(scores, "accuracy", incomplete="pairs", seed=0)
    pair = result.pair("a", "b")
    assert pair.interval.low < -0.1
    assert pair.interval.high > 0.1
    assert not pair.significant


def test_over_tasks_a_model_without_a_task_is_kept():
    """Ten tasks; r2 took part in nine: dropping would leave nine tasks for all, pairs keep ten for the others."""
    rows = [
        {"task": f"t{t}", "id": f"t{t}-{i}", "model": model, "score": 0.05 * t + 0.2 * rank + 0.01 * ((i + t) % 3)}
        for t in range(10) for i in range(4) for rank, model in enumerate(("r0", "r1", "r2")) if (model, t) != ("r2", 9)
    ]  # fmt: skip
    runs = {model: [row for row in rows if row["model"] == model] for model in ("r0", "r1", "r2")}
    scores = assay.evaluate(None, as_lines(runs), "score", missing="skip")
    dropped = assay.compare(scores, "score", over="tasks", seed=0)
    kept = assay.compare(scores, "score", over="tasks", incomplete="pairs", seed=0)
    assert (dropped.topics, kept.topics) == (9, 10)
    assert [kept.pair(*pair).topics for pair in (("r1", "r0"), ("r2", "r0"))] == [10, 9]
    assert {run.run: run.entered for run in kept.runs} == {"r0": 10, "r1": 10, "r2": 9}
    assert (kept.settings["over"], kept.settings["incomplete"]) == ("tasks", "pairs")


@pytest.mark.parametrize("seed", range(4))
def test_intervals_agree_with_verdicts_and_ranks_with_both(seed):
    rng = np.random.default_rng(seed)
    result = board(with_gaps(rng, 40, 8, 0.25))
    better = {run.run: 0 for run in result.runs}
    worse = {run.run: 0 for run in result.runs}
    for pair in result.pairs:
        if pair.difference is None:
            continue
        assert pair.interval.low <= pair.difference <= pair.interval.high
        assert pair.significant == (not pair.interval.low <= 0 <= pair.interval.high) == (pair.decided_by <= 0.05)
        if pair.significant:
            worse[pair.better] += 1
            better[pair.b if pair.better == pair.a else pair.a] += 1
    for rank in result.ranks:
        assert rank.low == min(1 + better[rank.run], rank.place)
        assert rank.high == max(8 - worse[rank.run], rank.place)


def test_the_same_on_any_number_of_threads():
    values = with_gaps(np.random.default_rng(1), 30, 6, 0.2)
    assert board(values, threads=1).to_dict() == board(values, threads=4).to_dict()


def test_runs_with_more_gaps_and_lower_scores_are_warned_of():
    values = with_gaps(np.random.default_rng(2), 40, 8, 0.0)
    for run in range(8):
        values[: 2 * (7 - run), run] = np.nan
    assert any(
        "runs with more missing cells score lower (Spearman -0.95, p 0.00026)" in note for note in board(values).notes
    )
    assert not any("missing cells" in note for note in board(with_gaps(np.random.default_rng(2), 40, 8, 0.0)).notes)


@pytest.mark.parametrize(
    ("choice", "named"),
    [
        ({"baseline": "r0"}, "baseline"), ({"margin": 0.1}, "margin"), ({"growing": True}, "growing"),
        ({"correct": "holm"}, "max-T"), ({"test": "t"}, "randomisation"), ({"rank_of": "r0"}, "rank_of"), ({"top": 9}, "places"),
    ],
)  # fmt: skip
def test_what_does_not_go_with_missing_cells_is_refused(choice, named):
    values = with_gaps(np.random.default_rng(0), 20, 3, 0.1)
    with pytest.raises(UsageError, match=named):
        board(values, **choice)


def test_runs_without_a_common_topic_are_refused_by_name():
    values = np.full((40, 3), np.nan)
    values[:20, :2] = np.random.default_rng(0).random((20, 2))
    values[20:, 2] = 0.5
    with pytest.raises(InputError, match="r2 share no topic with r0"):
        board(values)


def test_no_two_runs_share_enough():
    values = np.random.default_rng(0).random((11, 2))
    with pytest.raises(InputError, match="no two runs share 12 topics"):
        board(values)


def test_clusters_are_refused():
    scores = assay.scores(np.random.default_rng(0).random((20, 2)), runs=["a", "b"], higher_is_better=True)
    with pytest.raises(UsageError, match="cannot be combined with clusters"):
        compare_incomplete(scores, scores.measures[0], ["a", "b"], ComparisonOptions(seed=0), cluster="passage")
