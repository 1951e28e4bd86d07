"""The first line of a plan."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

import assay
from assay.analyses.planning.finding import of_samples, of_topics, shown_with
from assay.analyses.planning.more_samples import Split
from assay.analyses.planning.plan import STATED

AGREED = {"sensitivity": 0.9, "specificity": 0.8, "rate": 0.6}


@pytest.mark.parametrize(
    ("topics", "end"), [(None, ""), (34, "; 34 are enough"), (33, "; 33 are too few"), (1000, "; 1,000 are enough")]
)
def test_half_a_standard_deviation_takes_34_topics(topics, end):
    """As every textbook's table has it."""
    plan = assay.plan(difference=0.5, variance_of_differences=1.0, topics=topics)
    assert plan.finding == f"To show a difference of .5 between two runs, judge 34 topics{end}."
    assert plan.to_dict()["finding"] == plan.finding


@pytest.mark.parametrize(
    ("present", "asked", "end"),
    [
        (40, 40, "you have 40"),
        (90, 90, "you have 90, which may be enough"),
        (137, 137, "you have 137, which may be enough"),
        (138, 138, "you have 138, which is enough"),
        (40, 89, "89 are too few"),
        (40, 100, "100 may be enough"),
        (40, 200, "200 are enough"),
    ],
)
def test_a_range_and_whether_the_present_topics_lie_in_it(present, asked, end):
    [stated] = assay.plan(difference=0.05, variance=0.04, topics=asked).measures.values()
    plan = replace(
        stated, needed={"t-test": 111}, ranges={"t-test": (90, 138)}, components=SimpleNamespace(topics=present)
    )
    assert of_topics(plan, "AP") == (
        f"To show a difference of .05 AP between two runs, judge 90 to 138 topics (about 111); {end}."
    )
    assert of_topics(replace(plan, noun="question"), "c@1").startswith(
        "To show a difference of .05 c@1 between two runs, ask 90 to 138 questions (about 111); "
    )


def test_a_range_of_one_number_is_one_number():
    [stated] = assay.plan(difference=0.05, variance=0.04).measures.values()
    plan = replace(stated, needed={"t-test": 2}, ranges={"t-test": (2, 2)})
    assert of_topics(plan) == "To show a difference of .05 between two runs, judge 2 topics."


def test_what_the_present_topics_can_show_is_rounded_up():
    [stated] = assay.plan(difference=0.05, variance=0.04, topics=50).measures.values()
    assert shown_with(replace(stated, smallest={"t-test": 0.0841}), "AP") == (
        "With 50 topics, a difference of .085 AP or more can be shown."
    )
    assert shown_with(replace(stated, topics=None, smallest=None)) == ""


@pytest.mark.parametrize(
    ("between", "noise", "finding"),
    [
        # √(1/100) = .1; twice the questions √(1/200) = .0707; twice the samples √((.75 + .125)/100) = .0935.
        (0.75, 0.25, "Ask more questions: twice the questions bring the standard error of m (c@1) from .10 to .071, twice the "
         "samples to .094."),
        (0.1, 0.9, "More samples of each question do nearly as much as more questions: twice the questions bring the standard error of m "
         "(c@1) from .10 to .071, twice the samples to .074."),
        (0.0, 1.0, "More samples of each question do as much as more questions: twice the questions bring the standard error of m "
         "(c@1) from .10 to .071, twice the samples to .071."),
        (0.0, 0.0, "m: c@1 does not vary, neither between questions nor between samples."),
    ],
)  # fmt: skip
def test_more_questions_or_more_samples(between, noise, finding):
    split = Split(
        run="m", measure="c@1", noun="question", cluster=None, questions=100, fewest=4, most=4, value=0.5, between=between,
        within=4 * noise, noise=noise, floored=False,
    )  # fmt: skip
    assert of_samples(split) == finding


def test_labels_beside_a_judge():
    """1,170 and 1,476 by the formulas of docs/labels.md: σ² = .24, ρ² = .5."""
    plan = assay.plan_labels(width=0.05, questions=2000, **AGREED)
    assert plan.finding == (
        "For a 95% interval .05 wide, people must give 1,170 labels beside the judge, and 1,476 without it."
    )
    assert plan.to_dict()["finding"] == plan.finding
    assert assay.plan_labels(width=0.05, questions=1000, **AGREED).finding == (
        "1,000 questions are too few for a 95% interval .05 wide: with all of them labelled it is .061 wide, and 1,476 are needed."
    )
    useless = assay.plan_labels(width=0.1, correlation=-0.2, rate=0.5)
    assert useless.finding.endswith(" beside the judge, and as many without it.")


def test_of_several_runs_the_one_that_needs_most_labels():
    rows = "".join(
        f"q{i},{run},{(i + k) % 3 > 0:d},{(i + 2 * k) % 5 > 1:d}\n" for i in range(40) for k, run in enumerate("ab")
    )
    plan = assay.plan_labels(f"id,run,judge,human\n{rows}".encode(), width=0.4)
    needed = {name: plan.plans[name].needed["PPI++"] for name in "ab"}
    most = max(needed, key=lambda name: needed[name] or 0)
    assert plan.finding.startswith(
        f"For a 95% interval of {most} .4 wide, the run that needs most, people must give {needed[most]} "
    )


def test_a_stated_plan_names_no_measure():
    assert STATED not in assay.plan(difference=0.1, variance=0.04).finding
