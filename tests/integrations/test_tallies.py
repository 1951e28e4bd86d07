"""Outcomes in memory, against counts by hand."""

from __future__ import annotations

import math

import pytest

from assay.errors import UsageError
from assay.formats.harness.logs import LogReading
from assay.integrations.tallies import MEASURES, value_of
from assay.io.sources import Source
from assay.measures.registry import find


def log(*samples, **more):
    """Of (question, value) pairs."""
    made = LogReading().log(Source("made", data=b""), "a tool")
    for question, value in samples:
        made.add(question, run="made", value=value, **more)
    return made


def value(measure: str, values: str, **more) -> float:
    return value_of(measure, log(*[(f"q{i}", word) for i, word in enumerate(values.split())]), **more)


def test_counts_by_hand() -> None:
    assert value("c@1", "C C I N") == (2 + 1 * 2 / 4) / 4
    assert value("coverage", "C C I N") == 3 / 4
    assert value("precision", "C C I N") == 2 / 3
    assert value("UF", "C C I N") == 1 / 4


def test_a_failure_is_in_no_denominator() -> None:
    assert value("c@1", "C C I N nan error") == value("c@1", "C C I N")
    assert math.isnan(value("c@1", "nan nan"))


def test_undefined_is_nan() -> None:
    assert math.isnan(value("precision", "N N"))
    assert value("c@1", "N N") == 0.0


def test_each_question_weighs_the_same() -> None:
    samples = [("a", "C"), ("a", "N"), ("a", "nan"), ("b", "C"), ("c", "nan")]
    assert value_of("coverage", log(*samples)) == (1 / 2 + 1) / 2
    assert value_of("c@1", log(*samples)) == (3 / 4) * (1 + 1 / 4)


def test_partial_credit_needs_a_threshold() -> None:
    with pytest.raises(UsageError, match=r"`right_from=0\.5`"):
        value("c@1", "C P N I")
    assert value("UF", "C P N I", right_from=0.5) == 1 / 4
    assert value("UF", "C P N I", right_from=0.75) == -1 / 4
    assert value("UF", "C I N I", right_from=0.75) == -1 / 4, "nothing to hold against it is no mistake"


def test_the_names_are_of_measures() -> None:
    for name, measure in MEASURES.items():
        assert name.isidentifier()
        assert find(measure, "outcomes").level == "sums"
