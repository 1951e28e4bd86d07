"""The frontier of value and cost with its uncertainty, and what a cheaper run gives up."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.cli import main
from assay.errors import UsageError


def table(**runs: list[tuple[str, float]]) -> assay.Scores:
    """Runs as (outcome, cost) of each question."""
    lines = {
        name: "\n".join(json.dumps({"id": f"q{i}", "outcome": o, "cost": c}) for i, (o, c) in enumerate(row)).encode()
        for name, row in runs.items()
    }
    return assay.evaluate(None, lines, "accuracy")


def shares(scores: assay.Scores, **options) -> dict[str, float]:
    return {run.run: run.share for run in assay.compare(scores, cost=True, **options).cost.runs}


def test_a_dearer_run_is_on_the_frontier_where_the_question_it_wins_is_drawn() -> None:
    """Of three questions the one is drawn with 1 - (2/3)³ = 19/27; the cheaper run is always on it."""
    scores = table(a=[("correct", 10)] * 3, b=[("incorrect", 1.6), ("correct", 1.6), ("correct", 1.6)])
    found = shares(scores)
    assert found["b"] == 1.0
    assert found["a"] == pytest.approx(19 / 27, abs=0.03)


def test_costs_are_those_of_the_questions_drawn() -> None:
    """Equal runs; a costs as many dollars as the third question is drawn, k, and b one. a is on the frontier where k ≤ 1
    (8/27 + 12/27), b where k ≥ 1 (19/27)."""
    scores = table(a=[("correct", 0), ("correct", 0), ("correct", 3)], b=[("correct", 1)] * 3)
    found = shares(scores)
    assert found["a"] == pytest.approx(20 / 27, abs=0.03)
    assert found["b"] == pytest.approx(19 / 27, abs=0.03)


def test_the_loss_is_the_end_of_the_pairs_interval() -> None:
    """16 of 100 dollars: 84% less. The loss at most is the lower end of b - a."""
    right = ["correct"] * 80 + ["incorrect"] * 20
    scores = table(a=[(o, 100) for o in right], b=[(o, 16) for o in ["incorrect"] * 3 + right[3:]])
    result = assay.compare(scores, cost=True)
    [pair], [saving] = result.pairs, result.cost.savings
    assert (pair.a, pair.b) == ("b", "a")
    assert saving.saves == pytest.approx(0.84)
    assert saving.at_most_worse == -pair.interval.low
    assert (
        saving.sentence
        == f"b costs 84% less than a and is at most {f'{-pair.interval.low:.3f}'[1:]} accuracy worse (95%)."
    )
    assert result.to_dict()["cost"]["savings"][0]["sentence"] == saving.sentence


def test_where_less_is_better_the_other_end() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal([10.0, 12.0], 1.0, (50, 2))
    scores = assay.scores(values, runs=["large", "small"], measure="WER").described(
        lambda run: {"size": {"large": "70B", "small": "7B"}[run]}
    )
    result = assay.compare(scores, cost="size")
    [pair], [saving] = result.pairs, result.cost.savings
    assert (pair.a, pair.b, saving.run, saving.than) == ("small", "large", "small", "large")
    assert saving.at_most_worse == pair.interval.high
    assert saving.sentence.startswith("small is 90% smaller than large and is at most ")
    assert shares(scores) == {"small": 1.0, "large": 1.0}


def test_questions_without_a_cost_are_in_no_mean() -> None:
    rows = [{"id": f"q{i}", "outcome": "correct", **({"cost": 2} if i else {})} for i in range(10)]
    other = [{"id": f"q{i}", "outcome": "correct", "cost": 3} for i in range(10)]
    lines = {name: "\n".join(map(json.dumps, r)).encode() for name, r in (("a", rows), ("b", other), ("c", other))}
    lines["c"] = lines["c"].replace(b', "cost": 3', b"")
    money = assay.compare(assay.evaluate(None, lines, "accuracy"), cost=True).cost
    assert [(run.run, run.cost, run.on_frontier, run.share) for run in money.runs] == [
        ("a", 2, True, 1),
        ("b", 3, False, 0),
    ]
    assert money.unknown == ["c"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"cost": "latency"}, "no run has it; there is cost"),
        ({"cost": True, "incomplete": "pairs"}, "cannot be combined with cost"),
        ({"cost": True, "over": "tasks"}, "cannot be combined with `cost`"),
    ],
)
def test_what_is_refused(options, problem) -> None:
    scores = table(a=[("correct", 1)] * 3, b=[("correct", 2)] * 3)
    with pytest.raises(UsageError, match=problem):
        assay.compare(scores, **options)


def test_on_the_command_line_and_in_a_report(tmp_path, capsys) -> None:
    rng = np.random.default_rng(2)
    rows = [
        f"{run},q{i},{'correct' if rng.random() < p else 'incorrect'},{cost}"
        for run, p, cost in (("A", 0.8, 0.5), ("B", 0.78, 0.08), ("C", 0.5, 0.3)) for i in range(100)
    ]  # fmt: skip
    path = tmp_path / "costs.csv"
    path.write_text("run,id,outcome,cost\n" + "\n".join(rows) + "\n")
    assert main(["compare", "--judged", str(path), "-m", "accuracy", "--cost"]) == 0
    text = capsys.readouterr().out
    assert main(["compare", "--judged", str(path), "-m", "accuracy", "--cost", "-f", "json"]) == 0
    money = json.loads(capsys.readouterr().out)["cost"]
    assert [(run["run"], run["on_frontier"]) for run in money["runs"]] == [("B", True), ("C", False), ("A", True)]
    [sentence] = [saving["sentence"] for saving in money["savings"] if saving["run"] == "B"]
    assert sentence.startswith("B costs 84% less than A and is at most ")
    assert sentence in text
    assert main(["compare", "--judged", str(path), "-m", "accuracy", "--cost", "tokens"]) == 2
    report = tmp_path / "report.txt"
    assert main(["report", "--judged", str(path), "-m", "accuracy", "-o", str(report)]) == 0
    assert sentence in report.read_text()


def test_a_report_of_many_runs_has_it_too() -> None:
    rng = np.random.default_rng(3)
    values = np.clip(rng.normal(0.5 + 0.01 * np.arange(40), 0.1, (30, 40)), 0, 1)
    scores = assay.scores(values, runs=[f"r{i}" for i in range(40)]).described(lambda run: {"price": 1 + int(run[1:])})
    text = assay.report(scores, trials=0).to_text(100)
    assert "Share of 2,000 resamples in which no other run is at least as good and cheaper: r0 100%" in " ".join(
        text.split()
    )
    assert " less than r" in text


def test_within_each_task_costs_are_the_tasks_own() -> None:
    lines = {
        name: "\n".join(
            json.dumps({"id": f"{task}{i}", "task": task, "outcome": "correct" if i % 3 else "incorrect", "cost": cost * dear})
            for task, dear in (("easy", 1), ("hard", 10)) for i in range(12)
        ).encode()
        for name, cost in (("a", 4), ("b", 1))
    }  # fmt: skip
    groups = assay.compare_by(assay.evaluate(None, lines, "accuracy"), "task", "accuracy", cost=True).groups
    found = {group.label: [(run.run, run.cost) for run in group.comparison.cost.runs] for group in groups}
    assert found == {"easy": [("b", 1), ("a", 4)], "hard": [("b", 10), ("a", 40)]}
