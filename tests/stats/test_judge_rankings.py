"""The runs under each judge."""

from __future__ import annotations

import pytest

import assay
from assay.stats.judge_rankings import Move, places, two_rankings

TOPICS = [f"q{i}" for i in range(12)]
RUNS = {
    "x": {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in TOPICS},
    "y": {topic: {"b": 3.0, "c": 2.0, "a": 1.0} for topic in TOPICS},
    "z": {topic: {"c": 3.0, "b": 2.0, "a": 1.0} for topic in TOPICS},
}
LIKES_A = {topic: {"a": 1, "b": 0, "c": 0} for topic in TOPICS}
LIKES_B = {topic: {"a": 0, "b": 1, "c": 0} for topic in TOPICS}


def test_judges_of_opposite_taste() -> None:
    """RR under a: x 1, y and z 1/3. Under b: y 1, x and z 1/2. So x : y is reversed; x : z is sure under a and a tie under b;
    y : z is a tie under a and sure under b."""
    found = assay.agree({"a": LIKES_A, "b": LIKES_B}, runs=RUNS, measure="RR", resamples=0).rankings
    assert found is not None
    assert (found.measure, found.judged, found.topics) == ("RR", 36, 12)
    assert found.scores["a"] == pytest.approx({"x": 1, "y": 1 / 3, "z": 1 / 3})
    assert found.scores["b"] == pytest.approx({"x": 1 / 2, "y": 1, "z": 1 / 2})
    (pair,) = found.pairs
    assert (pair.runs, pair.compared, pair.significant) == (3, 3, (2, 2))
    assert (pair.kept, pair.undecided, pair.turned, pair.reversed) == (0, 2, 0, 1)
    assert (pair.rise, pair.fall) == (Move("y", 2, 1), Move("x", 1, 2))
    assert pair.tau_b == pytest.approx(-1 / 2)  # one discordant pair, a tie in each ranking: -1/√(2 · 2)


def test_judges_of_one_mind_move_nothing() -> None:
    (pair,) = assay.agree({"a": LIKES_A, "b": LIKES_A}, runs=RUNS, measure="RR", resamples=0).rankings.pairs
    assert (pair.rise, pair.fall, pair.kept, pair.reversed) == (None, None, 2, 0)
    assert pair.tau_b == 1.0


def test_turned_is_the_other_winner_without_significance() -> None:
    """Under b, y is ahead of x on two topics of twelve and level on the others."""
    mixed = {**{topic: dict.fromkeys("abc", 0) for topic in TOPICS}, **{topic: LIKES_B[topic] for topic in TOPICS[:2]}}
    (pair,) = assay.agree(
        {"a": LIKES_A, "b": mixed}, runs={"x": RUNS["x"], "y": RUNS["y"]}, measure="RR", resamples=0
    ).rankings.pairs
    assert (pair.significant, pair.turned, pair.reversed, pair.undecided) == ((1, 0), 1, 0, 0)


def test_the_reference_of_tau_ap_is_the_first_judge() -> None:
    one = assay.compare(assay.scores([[3, 2, 1]] * 4, runs=["x", "y", "z"]))
    two = assay.compare(assay.scores([[2, 1, 3]] * 4, runs=["x", "y", "z"]))
    found = two_rankings("a", "b", one, two)
    # b puts z, x, y: x has one above, wrongly; y has z above wrongly and x rightly. 2/2 (0/1 + 1/2) - 1
    assert found.tau_ap == pytest.approx(-0.5)


def test_a_run_without_a_value_has_no_place() -> None:
    assert places({"a": 1.0, "b": None, "c": 2.0}) == {"a": 2, "c": 1}


@pytest.mark.parametrize(
    ("judges", "more", "error", "told"),
    [
        ({"a": LIKES_A, "b": LIKES_B}, {"runs": {"x": RUNS["x"]}}, assay.UsageError, "at least 2 runs; found x"),
        ({"a": {"q": {"d": 0.5, "e": 1}}, "b": {"q": {"d": 1, "e": 1}}}, {"runs": RUNS}, assay.UsageError, "whole grades"),
        ({"a": {"q": {"d": "no"}}, "b": {"q": {"d": "yes"}}}, {"runs": RUNS}, assay.UsageError, "words rank no runs"),
        ({"a": LIKES_A, "b": LIKES_B}, {"measure": "AP"}, assay.UsageError, "ranks runs, and there are none"),
        (
            {"a": {"q": {"d": 1}}, "b": {"q": {"d": 1, "e": 1}}, "c": {"q": {"e": 0}}}, {"runs": RUNS}, assay.InputError,
            "judged by every judge",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_ranked(judges, more, error, told) -> None:
    with pytest.raises(error, match=told):
        assay.agree(judges, resamples=0, **more)
