"""Which questions flipped from one run to another, by hand."""

from __future__ import annotations

from sampled_tables import scored

import assay
from assay.figures.flipped_topics import FlippedTopic, FlippedTopics, flips

GOLD = {f"q{n}": "yes" for n in range(1, 13)}


def answers(**ends: str) -> dict[str, str | None]:
    """`q1="wrong"`, `q2="declined"`; the others are right."""
    said = {"wrong": "no", "declined": None}
    return {topic: said[ends[topic]] if topic in ends else "yes" for topic in GOLD}


def test_a_question_flips_where_it_becomes_right_or_is_right_no_more() -> None:
    """q1 stays wrong, q2 turns from declined to wrong: neither was right before or after. In natural order, 3 before 10."""
    old = answers(q1="wrong", q2="declined", q4="wrong", q11="declined")
    new = answers(q1="wrong", q2="wrong", q10="wrong", q3="wrong", q5="declined")
    scores = assay.evaluate(GOLD, {"old": old, "new": new}, ["accuracy"])
    assert flips(scores, "old", "new", "accuracy") == FlippedTopics(
        worse=(
            FlippedTopic("q3", "right", "wrong"),
            FlippedTopic("q10", "right", "wrong"),
            FlippedTopic("q5", "right", "declined"),
        ),
        better=(FlippedTopic("q4", "wrong", "right"), FlippedTopic("q11", "declined", "right")),
    )


def test_the_other_way_round_worse_is_better() -> None:
    scores = assay.evaluate(GOLD, {"old": answers(q1="wrong"), "new": answers(q2="wrong")}, ["accuracy"])
    found = flips(scores, "new", "old", "accuracy")
    assert found is not None
    assert ([one.topic for one in found.worse], [one.topic for one in found.better]) == (["q1"], ["q2"])


def test_of_a_ranking_the_values_changed_and_the_largest_change_is_first() -> None:
    """RR: 1 → 1/2 on t1, 1 → 1/4 on t2, the same on t3, 1/2 → 1 on t4."""
    qrels = {f"t{n}": {"d": 1} for n in range(1, 5)}

    def run(*ranks: int) -> dict[str, dict[str, float]]:
        return {
            f"t{n}": {("d" if place == rank else f"x{place}"): 10.0 - place for place in range(1, 5)}
            for n, rank in enumerate(ranks, 1)
        }

    scores = assay.evaluate(qrels, {"old": run(1, 1, 2, 2), "new": run(2, 4, 2, 1)}, ["RR"])
    assert flips(scores, "old", "new", "RR") == FlippedTopics(
        worse=(FlippedTopic("t2", 1.0, 0.25), FlippedTopic("t1", 1.0, 0.5)), better=(FlippedTopic("t4", 0.5, 1.0),)
    )


def test_partial_credit_is_a_value_too() -> None:
    runs = {"old": {"q1": [0.5], "q2": [1.0]}, "new": {"q1": [0.75], "q2": [1.0]}}
    assert flips(scored(runs, ["score"]), "old", "new", "score") == FlippedTopics((), (FlippedTopic("q1", 0.5, 0.75),))


def test_less_is_better_where_the_measure_says_so() -> None:
    """The residual of RBP is what nobody judged: the smaller, the surer."""
    values = {"old": {"t1": 0.1, "t2": 0.4}, "new": {"t1": 0.3, "t2": 0.2}}
    found = flips(assay.scores(values, measure="RBPResid(p=0.8)"), "old", "new", "RBPResid(p=0.8)")
    assert found is not None
    assert ([one.topic for one in found.worse], [one.topic for one in found.better]) == (["t1"], ["t2"])
