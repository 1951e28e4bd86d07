"""What a reader may want to open after the finding."""

from __future__ import annotations

from types import SimpleNamespace

import assay
from assay.analyses.campaign.next_steps import next_steps
from assay.analyses.campaign.result import CampaignResults, MeasureResults, NextStep

VALUES = [[0.9, 0.8, 0.7, 0.6], [0.5, 0.9, 0.2, 0.1], [0.1, 0.1, 0.1, 0.1]]
"""a is better than b on three of four topics."""


def campaign(*others, runs=3, **fields):
    """Runs a, b, c by a first measure, compared, and by others, each with its values."""
    names = ("a", "b", "c")[:runs]
    table = [list(values) for values in zip(*VALUES[:runs], strict=True)]
    compared = assay.compare(assay.scores(table, runs=list(names))) if runs > 1 else None
    measures = [MeasureResults("AP", [sum(values) / 4 for values in VALUES[:runs]])]
    measures += [MeasureResults(f"M{i}", values) for i, values in enumerate(others)]
    return CampaignResults(names, ("1", "2", "3", "4"), measures, "", comparison=compared, **fields)


def test_the_best_two_runs_are_compared_topic_by_topic():
    first = next_steps(campaign())[0]
    assert first == NextStep("compare", "a against b", "better on 3 topics, worse on 1", ("a", "b"))


def test_a_baseline_that_is_listed_apart_is_not_one_of_the_best_two():
    from dataclasses import replace

    made = campaign()
    apart = replace(made, comparison=replace(made.comparison, apart=("a",)))
    assert next_steps(apart)[0].runs == ("b", "c")


def test_the_other_measures_say_how_many_put_another_run_first():
    same, different, shared = (3, 2, 1), (1, 2, 1), (2, 2, 1)
    for others, title, says in (
        ([same], "The other measure", "puts the same run first"),
        ([different], "The other measure", "puts another run first"),
        ([shared], "The other measure", "has no single best run"),
        ([same, same], "Other measures", "both put the same run first"),
        ([same, different], "Other measures", "1 of 2 puts another run first"),
        ([different, different], "Other measures", "2 of 2 put another run first"),
        ([same, shared], "Other measures", "1 of 2 puts the same run first"),
    ):
        assert [(step.title, step.says) for step in next_steps(campaign(*others)) if step.kind == "measures"] == [
            (title, says)
        ]
    assert "measures" not in [step.kind for step in next_steps(campaign())]


def test_trust_asks_whether_it_would_hold_where_that_was_studied():
    assert next_steps(campaign())[-1] == NextStep("trust", "Trust", "what could change it")
    studied = campaign(reliability=SimpleNamespace())
    assert next_steps(studied)[-1].says == "would it hold on 4 new topics?"


def test_one_run_has_no_next_step():
    assert next_steps(campaign(runs=1)) == []
