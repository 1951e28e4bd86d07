"""What runs cost, from logs and from organisers, and which of them nobody beats for less."""

from __future__ import annotations

import pytest
from sampled_tables import scored

import assay
from assay.figures.cost_frontier import frontier, spending


def used(word: str, **usage: float):
    """One answer, right or wrong, and what it took."""
    return [{"value": word, "usage": usage}]


def described(said):
    """Three runs with 1, 2 and 3 of three right answers, as an organiser describes them."""
    gold = {f"q{n}": "yes" for n in range(3)}
    answers = {
        run: {f"q{n}": "yes" if n < right else "no" for n in range(3)}
        for run, right in zip("abc", (1, 2, 3), strict=True)
    }
    return assay.evaluate(gold, answers, ["accuracy"]).described(lambda run: said[run])


def test_the_mean_cost_of_a_question_is_over_those_that_the_log_tells_it_of() -> None:
    """a: (0.001 + 0.003)/2 a question; b: 0.0005, of one question only. Of 1,000 questions 2 and 0.5 dollars."""
    runs = {
        "a": {"q0": used("C", cost=0.001), "q1": used("C", cost=0.003)},
        "b": {"q0": used("C", cost=0.0005), "q1": ["I"]},
        "c": {"q0": ["C"], "q1": ["C"]},
    }
    found = spending(scored(runs, ["accuracy"]), "accuracy")
    assert found is not None
    assert found.label == "Dollars per 1,000 questions"
    assert found.costs == pytest.approx({"a": 2.0, "b": 0.5})
    assert (found.frontier, found.unknown, found.wide) == (("b", "a"), ("c",), False)


def test_samples_of_a_question_cost_their_mean() -> None:
    runs = {
        "a": {"q0": [*used("C", tokens=10), *used("I", tokens=30)], "q1": used("C", tokens=40)},
        "b": {"q0": used("I", tokens=1), "q1": used("I", tokens=2)},
    }
    found = spending(scored(runs, ["accuracy"]), "accuracy")
    assert found is not None
    assert (found.label, found.costs) == ("Tokens per question", {"a": 30.0, "b": 1.5})


def test_seconds_too_short_to_tell_apart_are_milliseconds() -> None:
    runs = {"a": {"q0": used("C", latency=0.004)}, "b": {"q0": used("I", latency=0.5)}}
    found = spending(scored(runs, ["accuracy"]), "accuracy")
    assert found is not None
    assert (found.label, found.costs, found.wide) == ("Milliseconds per question", {"a": 4.0, "b": 500.0}, True)


def test_a_real_log_costs_what_its_measure_says(shared_data) -> None:
    scores = assay.evaluate(None, shared_data("harness_logs", "promptfoo", "results.json"), ["accuracy", "latency"])
    found = spending(scores, "accuracy")
    assert found is not None
    assert found.label == "Milliseconds per question"
    assert found.costs == pytest.approx({run: 1000 * seconds for run, seconds in scores["latency"].items()})


def test_what_most_runs_have_is_taken_and_dollars_before_tokens() -> None:
    both = {"cost": 0.5, "tokens": 9.0}
    runs = {
        "a": {"q0": used("C", **both)},
        "b": {"q0": used("I", cost=0.25, tokens=5.0)},
        "c": {"q0": used("C", tokens=7.0)},
    }
    found = spending(scored(runs, ["accuracy"]), "accuracy")
    assert found is not None
    assert found.label == "Tokens per question"
    del runs["c"]
    found = spending(scored(runs, ["accuracy"]), "accuracy")
    assert found is not None
    assert (found.label, found.costs) == ("Dollars per question", {"a": 0.5, "b": 0.25})


def test_an_organiser_says_what_runs_cost_or_how_large_they_are() -> None:
    priced = spending(described({"a": {"Price": 1}, "b": {"Price": "$3"}, "c": {"Price": 30}}), "accuracy")
    assert priced is not None
    assert (priced.label, priced.costs, priced.wide) == ("Price", {"a": 1.0, "b": 3.0, "c": 30.0}, True)
    sized = spending(described({"a": {"size": "7B"}, "b": {"size": "350M"}, "c": {"size": "big"}}), "accuracy")
    assert sized is not None
    assert (sized.costs, sized.frontier, sized.unknown) == ({"a": 7e9, "b": 3.5e8}, ("b",), ("c",))


@pytest.mark.parametrize(
    "said",
    [
        {"a": {}, "b": {}, "c": {}},
        {"a": {"size": 7}, "b": {"size": "70B"}, "c": {}},
        {"a": {"cost": 2}, "b": {"cost": 2}, "c": {}},
        {"a": {"cost": True}, "b": {"cost": -1}, "c": {"cost": 3}},
    ],
    ids=["nothing said", "units that may differ", "the same of all", "no numbers"],
)
def test_where_nobody_can_tell_there_is_nothing_to_show(said) -> None:
    assert spending(described(said), "accuracy") is None


def test_where_less_is_better_the_frontier_falls() -> None:
    answers = {"a": {"q0": "no", "q1": "no"}, "b": {"q0": "yes", "q1": "no"}, "c": {"q0": "yes", "q1": "no"}}
    scores = assay.evaluate({"q0": "yes", "q1": "yes"}, answers, ["incorrect"])
    found = spending(scores.described(lambda run: {"cost": ord(run)}), "incorrect")
    assert found is not None
    assert found.frontier == ("a", "b")


def test_nothing_is_better_by_a_measure_without_better_and_worse() -> None:
    runs = {"a": {"q0": used("C", tokens=1)}, "b": {"q0": used("I", tokens=2)}}
    assert spending(scored(runs, ["questions"]), "questions") is None


def test_nobody_beats_the_frontier() -> None:
    assert frontier({"a": 2, "b": 2, "c": 1}, {"a": 0.5, "b": 0.4, "c": 0.5}) == ("c",)
    assert frontier({"a": 2, "b": 1}, {"a": 0.5, "b": 0.4}) == ("b", "a")
