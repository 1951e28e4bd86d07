"""Score against cost on the page of the leaderboard."""

from __future__ import annotations

import assay
from assay.figures.cost_frontier import CostFrontier
from assay.reports.model import Chart, Note
from assay.reports.pages.costs import cost_sentence


def described(said, **more):
    """Four runs with 4, 3, 2 and 1 right answers of 12, as an organiser describes them."""
    gold = {f"q{n:02d}": "yes" for n in range(12)}
    runs = {
        run: {q: "yes" if n < right else "no" for n, q in enumerate(gold)}
        for run, right in (("best", 4), ("good", 3), ("rule", 2), ("poor", 1))
    }
    scores = assay.evaluate(gold, runs, ["accuracy", "c@1"]).described(lambda run: said.get(run, {}))
    return assay.report(scores, trials=0, **more)


def leaderboard(made):
    return made.document.sections[0]


def test_score_against_cost_names_the_runs_that_nobody_beats_for_less() -> None:
    said = {"best": {"cost": 40}, "good": {"cost": 2}, "rule": {"cost": 5}, "poor": {"cost": 1}}
    section = leaderboard(described(said))
    (chart,) = (block for block in section.blocks if isinstance(block, Chart) and block.id == "cost")
    assert "Best c@1 for the money: poor, good and best." in [
        block.body for block in section.blocks if isinstance(block, Note)
    ]
    assert [(row["run"], row["cost"]) for row in chart.spec["datasets"]["front"]] == [
        ("poor", 1), ("good", 2), ("best", 40),
    ]  # fmt: skip
    assert "logarithmic" in chart.caption
    safe = leaderboard(described(said, aggregate=True))
    assert any(isinstance(block, Chart) and block.id == "cost" for block in safe.blocks)
    without = leaderboard(described({"best": {"cost": 3}}))
    assert not any(isinstance(block, Chart) and block.id == "cost" for block in without.blocks)


def test_runs_whose_cost_nobody_knows_are_named() -> None:
    section = leaderboard(described({"best": {"cost": 3}, "good": {"cost": 2}}))
    (chart,) = (block for block in section.blocks if isinstance(block, Chart) and block.id == "cost")
    assert "Not drawn, because score or cost is unknown: rule and poor." in chart.caption
    assert "logarithmic" not in chart.caption


def test_one_run_may_be_best_and_cheapest() -> None:
    assert cost_sentence("AP", CostFrontier("Cost", {"a": 1.0, "b": 2.0}, ("a",), (), False)) == (
        "a has the best AP and the lowest cost."
    )
