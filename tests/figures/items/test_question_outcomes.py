"""Two runs crossed, sure mistakes, what one alone knows and what nobody does."""

from __future__ import annotations

import pytest
from sampled_tables import scored

import assay
from assay.errors import UsageError
from assay.figures.items.question_outcomes import FlippedTopic, FlippedTopics, crossed, endings, flips, reading
from assay.table.scores import Scores

OUTCOMES = [[1, 1, 0, -1, 0], [1, 0, 0, 0, -1], [0, 0, 0, -1, -1]]
CONFIDENCE = [[0.9, 0.5, 0.85, 0.1, 0.3], [0.9, 0.95, 0.7, 0.8, 0.1], [0.9, 0.5, 0.5, 0.1, 0.1]]


def table(runs="abc", confidence=True):
    """Right answers say yes, wrong ones no."""
    words = {1: "yes", 0: "no", -1: None}
    answers = {
        run: {
            f"q{n}": (words[end], sure) if confidence and end >= 0 else words[end]
            for n, (end, sure) in enumerate(zip(ends, stated, strict=True), 1)
        }
        for run, ends, stated in zip(runs, OUTCOMES, CONFIDENCE, strict=False)
    }
    return assay.evaluate({f"q{n}": "yes" for n in range(1, 6)}, answers)


def test_the_table_of_two_runs() -> None:
    found = crossed(table(), "a", "b")
    assert found.counts == ((1, 1, 0), (0, 1, 1), (0, 1, 0))
    assert found.questions == ((("q1",), ("q2",), ()), ((), ("q3",), ("q5",)), ((), ("q4",), ()))
    assert found.left_out == ()


def test_the_known_table_of_real_runs(shared_data) -> None:
    folder = shared_data("harness_logs", "core_6x500")
    scores = assay.evaluate(folder / "gold.jsonl", folder / "runs", refusal=folder / "refusals.txt")
    found = crossed(scores, "gpt-like", "claude-like")
    assert found.counts == ((272, 56, 49), (46, 27, 37), (3, 2, 8))
    assert sum(len(cell) for row in found.questions for cell in row) == 500


def test_confident_mistakes_have_a_threshold() -> None:
    mistakes = reading(table(), sure=0.3).confidently_wrong["a"]
    assert [mistake.topic for mistake in mistakes] == ["q3", "q5"]
    assert reading(table(confidence=False)).confidently_wrong == {"a": (), "b": (), "c": ()}


def test_samples_count_by_what_happened_most(jsonl) -> None:
    def rows(*ends: str):
        return [{"id": "q1", "sample": n, "outcome": end, "confidence": n / 4} for n, end in enumerate(ends, 1)]

    first = jsonl("a.jsonl", [*rows("wrong", "correct", "wrong")])
    second = jsonl("b.jsonl", [*rows("correct", "correct", "unanswered")])
    scores = assay.evaluate(None, [first, second])
    assert crossed(scores, "a", "b").counts == ((0, 0, 0), (1, 0, 0), (0, 0, 0))
    assert reading(scores, sure=0.5).confidently_wrong["a"][0].confidence == 0.5  # the mean of 1/4 and 3/4
    draw = jsonl("c.jsonl", [*rows("correct", "wrong")])
    assert crossed(assay.evaluate(None, [first, draw]), "a", "c").left_out == ("q1",)


def test_a_question_left_out_counts_as_the_policy_has_it() -> None:
    gold, runs = {"q1": "x", "q2": "y"}, {"a": {"q1": "x", "q2": "y"}, "b": {"q1": "x"}}
    assert crossed(assay.evaluate(gold, runs), "a", "b").questions[0][2] == ("q2",)
    assert crossed(assay.evaluate(gold, runs, missing="skip"), "a", "b").left_out == ("q2",)


def test_what_cannot_be_crossed_is_said(jsonl) -> None:
    ranked = assay.evaluate({"1": {"a": 1}}, {"r": {"1": {"a": 1.0}}})
    with pytest.raises(UsageError, match="no questions that end right, wrong or declined"):
        crossed(ranked, "r", "r")
    with pytest.raises(UsageError, match="unknown run 'z'"):
        crossed(table(), "a", "z")
    graded = assay.evaluate(None, jsonl("g.jsonl", [{"id": "q1", "score": 0.5}, {"id": "q2", "score": 1}]))
    with pytest.raises(UsageError, match="partial credit"):
        crossed(graded, graded.runs[0], graded.runs[0])


def test_reading_lists_of_all_runs() -> None:
    scores = table()
    found = reading(scores)
    assert found is not None
    assert (found.runs, found.sure, found.everybody_wrong) == (3, 0.8, (("q3", 3),))
    assert found.right_only_here == {"a": ("q2",), "b": (), "c": ()}
    sure = {run: [(one.topic, one.confidence) for one in mistakes] for run, mistakes in found.confidently_wrong.items()}
    assert sure == {"a": [("q3", 0.85)], "b": [("q2", 0.95), ("q4", 0.8)], "c": [("q1", 0.9)]}
    alone = reading(table("a"))
    assert alone is not None
    assert (alone.everybody_wrong, alone.right_only_here) == ((), {"a": ()})


def test_every_run_is_looked_at_once(monkeypatch) -> None:
    asked: list[tuple[str, str]] = []
    column = Scores.column
    monkeypatch.setattr(Scores, "column", lambda self, run, name: asked.append((run, name)) or column(self, run, name))
    reading(table())
    assert asked
    assert max(asked.count(("a", name)) for name in ("correct", "incorrect", "unanswered")) <= 2


def test_how_every_question_ended(jsonl) -> None:
    rows = {
        "q1": ["correct", "correct", "wrong"], "q2": ["correct", "wrong"], "q3": ["failed"], "q4": ["unanswered"],
        "q5": ["wrong", "failed"],
    }  # fmt: skip
    lines = [{"id": id, "sample": n, "outcome": end} for id, ends in rows.items() for n, end in enumerate(ends, 1)]
    first = jsonl("a.jsonl", lines)
    second = jsonl("b.jsonl", [{"id": "q1", "outcome": "correct"}, {"id": "q9", "outcome": "wrong"}])
    scores = assay.evaluate(None, [first, second], missing="skip")
    found = endings(scores)
    assert dict(zip(scores.topics, found["a"], strict=True)) == {
        "q1": "right", "q2": "undecided", "q3": "failed", "q4": "declined", "q5": "wrong", "q9": "left out",
    }  # fmt: skip
    assert dict(zip(scores.topics, found["b"], strict=True)) == {
        **dict.fromkeys(["q2", "q3", "q4", "q5"], "left out"), "q1": "right", "q9": "wrong",
    }  # fmt: skip


def test_partial_credit_ends_partly_right_and_has_no_lists(jsonl) -> None:
    graded = jsonl("g.jsonl", [{"id": "q1", "score": 0.5}, {"id": "q2", "score": 1}, {"id": "q3", "score": 0}])
    plain = jsonl("p.jsonl", [{"id": f"q{n}", "outcome": "wrong", "confidence": 0.9} for n in (1, 2, 3)])
    scores = assay.evaluate(None, [graded, plain])
    assert endings(scores) == {"g": ["partly right", "right", "wrong"], "p": ["wrong"] * 3}
    assert reading(scores) is None
    ranked = assay.evaluate({"1": {"a": 1}}, {"r": {"1": {"a": 1.0}}})
    with pytest.raises(UsageError, match="no questions that end right, wrong or declined"):
        endings(ranked)


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
