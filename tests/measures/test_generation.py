"""Measures of generated answers by their nuggets, by hand."""

from __future__ import annotations

import pytest

from assay.measures.generation import AnswerView
from assay.measures.registry import find

NUGGETS = AnswerView([("vital", 1.0), ("vital", 0.5), ("vital", 0.0), ("okay", 1.0), ("okay", 0.5)])


def value(name, view):
    return find(name, "generation")(view)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("AllScore", 3 / 5),
        ("StrictAllScore", 2 / 5),
        ("VitalScore", 1.5 / 3),
        ("StrictVitalScore", 1 / 3),
        ("WeightedScore", (1.5 + 0.5 * 1.5) / (3 + 0.5 * 2)),
        ("StrictWeightedScore", (1 + 0.5) / (3 + 0.5 * 2)),
    ],
)
def test_nuggets(name, expected):
    assert value(name, NUGGETS) == pytest.approx(expected, rel=1e-14)


def test_undefined_without_vital_nuggets():
    view = AnswerView([("okay", 1.0), ("okay", 0.0)])
    assert [value(name, view) for name in ("VitalScore", "StrictVitalScore", "AllScore")] == [None, None, 0.5]
    assert value("AllScore", AnswerView()) is None


def test_nuggets_of_which_nobody_says_what_they_are_weigh_the_same():
    view = AnswerView([("", 1.0), ("", 0.0), ("", 0.5)])
    assert value("WeightedScore", view) == value("AllScore", view) == 0.5


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("all_score", "AllScore"), ("strict_vital_score", "StrictVitalScore"), ("NuggetRecall", "StrictAllScore"),
        ("nugget_coverage_weighted", "StrictWeightedScore"), ("V", "VitalScore"),
    ],
)  # fmt: skip
def test_the_names_of_the_tools(written, name):
    assert find(written, "generation").declaration.name == name
