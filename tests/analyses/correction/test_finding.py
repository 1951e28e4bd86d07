"""The first line of `assay correct`."""

from __future__ import annotations

import pytest

from assay.analyses.correction.correct import CorrectedPair, CorrectedRun, CorrectedValue, Correction


def run(name: str, machine: float | None, value: float | None = 0.5) -> CorrectedRun:
    estimate = None if value is None else CorrectedValue(value, value - 0.1, value + 0.1)
    estimates = {"human": estimate, "ppi": estimate, "rogan_gladen": None}
    return CorrectedRun(name, "accuracy", machine, estimates, 100, 20, 0.8, None, None, None)


def pair(first: str, second: str, machine: float | None, low: float, high: float) -> CorrectedPair:
    estimates = {"human": None, "ppi": CorrectedValue((low + high) / 2, low, high), "rogan_gladen": None}
    return CorrectedPair(first, second, "accuracy", machine, estimates, 0.5)


def finding(runs, pairs=(), baseline=None) -> str:
    settings = {"confidence": 0.95, "baseline": baseline}
    result = Correction(noun="question", runs=tuple(runs), pairs=tuple(pairs), settings=settings)
    assert result.to_dict()["finding"] == result.finding
    return result.finding


def test_one_run():
    assert (
        finding([run("a", 0.7)])
        == "a: accuracy .50 as people would judge (95% interval .40 to .60), .70 by the machine."
    )
    assert finding([run("a", 0.7, None)]) == "a: people's labels are too few to correct the machine's accuracy of .700."
    assert finding([run("a", None)]) == "a: the machine's accuracy is undefined."


@pytest.mark.parametrize(
    ("compared", "said"),
    [
        (pair("a", "b", 0.1, 0.05, 0.25), "a is better than b for people too, by .15 accuracy (95% interval .05 to .25); by .10 "
         "for the machine."),
        (pair("a", "b", -0.1, -0.25, -0.05), "b is better than a for people too, by .15 accuracy (95% interval .05 to .25); by "
         ".10 for the machine."),
        (pair("a", "b", 0.1, -0.05, 0.25), "Whether a is better than b is open: by .10 accuracy for the machine, by .10 for "
         "people (95% interval −.05 to .25)."),
        (pair("a", "b", -0.1, -0.05, 0.25), "Whether b is better than a is open: by .10 accuracy for the machine, by −.10 for "
         "people (95% interval −.25 to .05)."),
        (pair("a", "b", -0.1, 0.05, 0.25), "People put a before b, by .15 accuracy (95% interval .05 to .25); the machine puts "
         "b first, by .10."),
        (pair("a", "b", None, 0.05, 0.25), "Whether a or b is better cannot be said: people's labels are too few."),
    ],
)  # fmt: skip
def test_two_runs(compared, said):
    assert finding([run("a", 0.7), run("b", 0.6)], [compared]) == said


HELD, OPEN, TURNED = pair("a", "b", 0.1, 0.05, 0.25), pair("a", "c", 0.2, -0.1, 0.1), pair("b", "c", 0.1, -0.2, -0.1)
FIRST = " They would give a, the machine's first, .50 accuracy (95% interval .40 to .60), the machine gives .70."


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([HELD] * 3, "People's labels confirm the machine's order of all 3 pairs of runs."),
        ([HELD, OPEN], "People's labels confirm the machine's order of 1 of 2 pairs of runs; 1 is open."),
        ([OPEN, OPEN], "People's labels confirm the machine's order of none of 2 pairs of runs; 2 are open."),
        ([HELD, OPEN, TURNED], "People's labels confirm the machine's order of 1 of 3 pairs of runs; 1 is open and 1 turns "
         "round (people put c before b)."),
        ([TURNED, TURNED], "People's labels confirm the machine's order of none of 2 pairs of runs; 2 turn round."),
    ],
)  # fmt: skip
def test_many_runs(pairs, said):
    assert finding([run("a", 0.7), run("b", 0.6), run("c", 0.5)], pairs) == said + FIRST


def test_a_first_place_that_is_shared_is_nobodys():
    said = finding([run("a", 0.7), run("b", 0.7), run("c", 0.5)], [HELD, HELD], baseline="b")
    assert said == "People's labels confirm the machine's order of all 2 pairs with b."
