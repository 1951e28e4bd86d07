"""The first lines of a threshold, a guarantee and a price."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import assay
from assay.analyses.abstention.price import LeadEvidence

WORDS = {"r": "correct", "w": "incorrect", "u": "unanswered"}


@pytest.fixture(scope="module")
def threshold():
    """Ten right answers with a confidence of .9, ten wrong ones with .2: declining the wrong half makes c@1 .5 (1 + .5)."""
    graded = [("correct", "0.9"), ("incorrect", "0.2")] * 10
    lines = [f"m,{i},{','.join(answer)}" for i, answer in enumerate(graded)]
    return assay.threshold(None, "\n".join(["run,id,outcome,confidence", *lines]).encode(), folds=2, resamples=100)


@pytest.mark.parametrize(
    ("changes", "finding"),
    [
        ({"interval": (0.1, 0.4)}, "Let m decline below a confidence of .9: c@1 rises from .50 to .75 on held-out questions "
         "(95% interval of "
         "the gain .10 to .40)."),
        ({"interval": (0.001, 0.4)}, "Let m decline below a confidence of .9: c@1 rises from .50 to .75 on held-out questions "
         "(95% interval of "
         "the gain .001 to .400)."),
        ({"interval": (0.0, 0.4)}, "There is no evidence that declining helps m: with the best threshold, .9, c@1 rises from .50 to .75 on "
         "held-out questions (95% interval of the gain .00 to .40)."),
        ({"interval": (-0.4, -0.1), "held_out": 0.25, "gain": -0.25}, "Declining does not help m: with the best threshold, .9, "
         "c@1 falls from "
         ".50 to .25 on held-out questions (95% interval of the gain −.40 to −.10)."),
        ({"interval": (-0.2, 0.2), "held_out": 0.5, "gain": 0.0}, "There is no evidence that declining helps m: with the best "
         "threshold, .9, "
         "c@1 stays at .50 on held-out questions (95% interval of the gain −.20 to .20)."),
        ({"interval": None}, "Whether declining helps m cannot be said: below .9 c@1 rises from .500 to .750 on held-out "
         "questions, with no "
         "interval."),
        ({"interval": None, "gain": None, "held_out": None}, "Whether declining helps m cannot be said: c@1 is undefined here. "
         "Best here is to "
         "decline below .9."),
        ({"threshold": 0.0}, "Let m decline nothing more: no threshold gives it a better c@1."),
    ],
)  # fmt: skip
def test_a_threshold_and_whether_it_helps(threshold, changes, finding):
    assert (threshold.threshold, threshold.as_is, threshold.held_out) == (0.9, 0.5, 0.75)
    result = replace(threshold, **changes)
    assert result.finding == finding
    assert result.to_dict()["finding"] == finding


def test_a_guarantee_or_why_there_is_none():
    """1 wrong of 91 where 10% would be: 0.9⁹¹ + 91 · 0.1 · 0.9⁹⁰ = 0.0008, below a fifth of 0.1; one wrong answer at .3 ends it."""
    pairs = [("correct", 0.95)] * 90 + [("incorrect", 0.95)] + [("incorrect", 0.3)] * 20 + [("unanswered", "")] * 9
    lines = "\n".join(["id,outcome,confidence", *(f"{i},{said},{sure}" for i, (said, sure) in enumerate(pairs))])
    result = assay.threshold(None, {"m": lines.encode()}, risk=0.1, confidence=0.9)
    assert result.finding == (
        "Let m answer only from a confidence of .31 on (91 of 120 questions): with 90% probability, at most 10% of the answers are wrong "
        "on questions drawn as these were."
    )
    assert result.to_dict()["finding"] == result.finding
    all_of_it = replace(result, threshold=0.0, answers=111)
    assert all_of_it.finding.startswith(
        "Let m answer everything it answers now (111 of 120 questions): with 90% probability"
    )
    none = replace(result, threshold=None, coverage=None, answers=None, wrong=None)
    assert none.finding == none.promise
    assert none.finding.startswith("No threshold can be promised")


def priced(**runs: str):
    lines = [f"{run},{i},{WORDS[end]}" for run, ended in runs.items() for i, end in enumerate(ended)]
    return assay.price(None, "\n".join(["run,id,outcome", *lines]).encode(), resamples=50)


def leads(*runs: tuple[str, ...], shown=()) -> tuple[LeadEvidence, ...]:
    ends = [Fraction(i, len(runs)) for i in range(len(runs) + 1)]
    return tuple(
        LeadEvidence(ends[i], ends[i + 1], names, (0.1, 0.2) if i in shown else None, (0.1, 0.9))
        for i, names in enumerate(runs)
    )


def test_the_price_of_a_wrong_answer_in_right_ones():
    """By hand: 6 right and 4 wrong against 5 and 1 of 10 meet at x = 1/3; 5 = x, above which declining is better."""
    result = priced(bold="rrrrrrwwww", shy="rrrrrwuuuu")
    assert result.finding.startswith(
        "bold leads while a wrong answer costs less than .33 of a right one; shy leads from there to 5.0 right ones; above that no run is "
        "better than declining everything."
    )
    assert result.to_dict()["finding"] == result.finding


@pytest.mark.parametrize(
    ("led", "finding"),
    [
        (leads(("a",)), "Whatever a wrong answer costs, a leads. This is not significant at any price."),
        (leads(("a",), shown={0}), "Whatever a wrong answer costs, a leads. This is significant at some prices."),
        (leads(("a", "b")), "Whatever a wrong answer costs, a and b share the lead. This is not significant at any price."),
        (leads(()), "Whatever a wrong answer costs, no run is better than declining everything. This is not significant at any price."),
        (leads(("a",), ("b",)), "a leads while a wrong answer costs less than 1.0 right ones; above that b leads. No lead is significant."),
        (leads(("a",), ("b",), shown={0, 1}), "a leads while a wrong answer costs less than 1.0 right ones; above that b leads. Each is "
         "significantly ahead at some prices."),
        (leads(("a",), (), shown={1}), "a leads while a wrong answer costs less than 1.0 right ones; above that no run is "
         "better than declining "
         "everything. Only declining everything is significantly ahead, at some prices."),
        (leads(("a",), ("b",), ("c",), ()), "a leads while a wrong answer costs less than .33 of a right one, and above 3.0 "
         "right ones no run is "
         "better than declining everything; between, the leader changes 2 times. No lead is significant."),
    ],
)  # fmt: skip
def test_leads_and_which_are_significant(led, finding):
    assert replace(priced(a="rrw", b="rru"), leads=led).finding == finding


def test_one_run_is_measured_against_declining_everything():
    """3 right, 1 wrong: better than 0 up to a cost of 3."""
    assert priced(a="rrrw").finding.startswith(
        "a is better than declining everything while a wrong answer costs less than 3.0 right ones; above that no run is better"
    )


def test_what_could_not_be_resampled_has_no_evidence():
    bare = tuple(replace(lead, surest=None) for lead in leads(("a",), ("b",)))
    assert replace(priced(a="rrw", b="rru"), leads=bare).finding == (
        "a leads while a wrong answer costs less than 1.0 right ones; above that b leads."
    )
