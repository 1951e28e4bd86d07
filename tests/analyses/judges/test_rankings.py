"""The runs under each judge."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

import assay
from assay.analyses.judges.rankings import Move, places, two_rankings
from assay.errors import UsageError

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
        ({"a": {"q": {"d": 0.5, "e": 1}}, "b": {"q": {"d": 1, "e": 1}}}, {"runs": RUNS}, assay.UsageError, "whole numbers as grades"),
        ({"a": {"q": {"d": "no"}}, "b": {"q": {"d": "yes"}}}, {"runs": RUNS}, assay.UsageError, "ordered words as grades"),
        ({"a": LIKES_A, "b": LIKES_B}, {"measure": "AP"}, assay.UsageError, "needs runs to rank"),
        (
            {"a": {"q": {"d": 1}}, "b": {"q": {"d": 1, "e": 1}}, "c": {"q": {"e": 0}}}, {"runs": RUNS}, assay.InputError,
            "judged by every judge",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_ranked(judges, more, error, told) -> None:
    with pytest.raises(error, match=told):
        assay.agree(judges, resamples=0, **more)


def tau_b_of(x, y):
    signs = [((a > b) - (a < b), (c > d) - (c < d)) for (a, c), (b, d) in combinations(list(zip(x, y, strict=True)), 2)]
    ties = [sum(one[side] != 0 for one in signs) for side in (0, 1)]
    return sum(one * other for one, other in signs) / (ties[0] * ties[1]) ** 0.5


def tau_ap_of(x, truth):
    """Yilmaz, Aslam and Robertson: 2/(n-1) Σ C(i)/(i-1) - 1 over the ranking x, C(i) of those above being above in truth."""
    order = sorted(range(len(x)), key=lambda i: -x[i])
    parts = [sum(truth[above] > truth[i] for above in order[:place]) / place for place, i in enumerate(order) if place]
    return 2 * sum(parts) / len(parts) - 1


def rbo_of(x, y, p=0.9):
    """Webber, Moffat and Zobel's extrapolated overlap of two whole rankings: (1-p) Σ p^(d-1) X(d)/d, and X(n)/n p^n beyond."""
    one, two = (sorted(range(len(of)), key=lambda i: -of[i]) for of in (x, y))
    parts = [len({*one[:d]} & {*two[:d]}) / d for d in range(1, len(x) + 1)]
    return (1 - p) * sum(p ** (d - 1) * part for d, part in enumerate(parts, 1)) + parts[-1] * p ** len(x)


@pytest.mark.parametrize("seed", range(6))
def test_against_each_judge_evaluated_and_compared_alone(seed) -> None:
    """Everything once more from the definitions: judges' judgments of what all of them judged, runs scored under each, each two runs
    compared, and the winners counted by hand."""
    rng = random.Random(seed)
    documents = [f"d{i}" for i in range(12)]
    truth = {topic: {d: int(rng.random() < 0.4) for d in documents} for topic in TOPICS}
    judges = {
        name: {
            t: {d: g if rng.random() > noise else 1 - g for d, g in of.items() if rng.random() < 0.9}
            for t, of in truth.items()
        }
        for name, noise in {"ann": 0.02, "bob": 0.3, "eve": 0.6}.items()
    }
    runs = {
        f"r{number}": {t: {d: quality * truth[t][d] + rng.random() for d in documents} for t in TOPICS}
        for number, quality in enumerate((0, 0.2, 0.5, 0.9, 1.5))
    }
    shared = {t: [d for d in documents if all(d in judge[t] for judge in judges.values())] for t in TOPICS}
    alone = {
        name: assay.evaluate({t: {d: judge[t][d] for d in shared[t]} for t in TOPICS}, runs, ["nDCG"])
        for name, judge in judges.items()
    }
    found = assay.agree(judges, runs=runs, measure="nDCG", resamples=0).rankings
    assert found is not None
    assert found.judged == sum(map(len, shared.values()))
    assert [(pair.first, pair.second) for pair in found.pairs] == list(combinations(judges, 2))
    for pair in found.pairs:
        one, two = (alone[name].mean("nDCG") for name in (pair.first, pair.second))
        assert (found.scores[pair.first], found.scores[pair.second]) == (pytest.approx(one), pytest.approx(two))
        x, y = ([of[run] for run in runs] for of in (one, two))
        assert pair.tau_b == pytest.approx(tau_b_of(x, y))
        assert pair.tau_ap == pytest.approx(tau_ap_of(y, x))
        assert pair.rbo == pytest.approx(rbo_of(x, y))
        before, after = ({run: 1 + sum(v > of[run] for v in of.values()) for run in runs} for of in (one, two))
        moved = {run: before[run] - after[run] for run in runs}
        rise = 0 if pair.rise is None else pair.rise.before - pair.rise.after
        fall = 0 if pair.fall is None else pair.fall.before - pair.fall.after
        assert (rise, fall) == (max(0, *moved.values()), min(0, *moved.values()))
        said = [
            {frozenset((c.a, c.b)): (c.better, c.significant) for c in assay.compare(alone[name], "nDCG").pairs}
            for name in (pair.first, pair.second)
        ]
        counts = dict.fromkeys(("kept", "undecided", "turned", "reversed"), 0)
        for who, (winner, sure) in said[0].items():
            other, sure_too = said[1][who]
            if sure or sure_too:
                names = ("reversed", "kept") if sure and sure_too else ("turned", "undecided")
                counts[names[winner == other]] += 1
        assert {name: getattr(pair, name) for name in counts} == counts
        assert pair.significant == tuple(sum(sure for _, sure in of.values()) for of in said)


def test_runs_are_scored_at_the_level_that_is_asked_for() -> None:
    """Of grades 1 and 2 only b is relevant from 2 on: RR of x, y, z is 1/2, 1, 1/2, and at level 1 it is 1 throughout."""
    graded = {topic: {"a": 1, "b": 2, "c": 1} for topic in TOPICS}
    given = {"runs": RUNS, "measure": "RR", "resamples": 0}
    found = assay.agree({"one": graded, "two": graded}, level=2, **given)
    assert found.rankings.scores["one"] == pytest.approx({"x": 1 / 2, "y": 1, "z": 1 / 2})
    assert found.settings["level"] == 2
    plain = assay.agree({"one": graded, "two": graded}, **given).rankings
    assert plain.scores["one"] == pytest.approx({"x": 1, "y": 1, "z": 1})
    with pytest.raises(UsageError, match="`level=2` is a setting for scoring runs"):
        assay.agree({"one": graded, "two": graded}, level=2)
