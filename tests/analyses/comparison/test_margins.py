"""Verdicts about margins: the gate and two one-sided tests, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from assay.analyses.comparison.compare import compare
from assay.errors import UsageError


def test_two_one_sided_tests_need_a_confidence_above_one_half(random_table):
    with pytest.raises(UsageError, match=r"`equivalence=0\.1`: two one-sided tests need a confidence above"):
        compare(random_table(), equivalence=0.1, confidence=0.5)


def test_the_interval_of_equivalence_ends_where_the_measure_does(table):
    """Right on all of 5 topics against none: no difference of AP is above 1."""
    [pair] = compare(table({"old": [0.0] * 5, "new": [1.0, 1.0, 1.0, 1.0, 0.9]}), equivalence=0.1).pairs
    assert pair.equivalence.interval[1] == 1.0


@pytest.fixture
def shifted(table):
    def make(shift, **options):
        rng = np.random.default_rng(3)
        old = rng.random(40)
        columns = {"old": old.tolist(), "new": (old + rng.normal(shift, 0.02, 40)).tolist()}
        return compare(table(columns), **options).pairs[0]

    return make


@pytest.mark.parametrize(
    ("shift", "margin", "verdict"),
    [(-0.1, 0.0, "inferior"), (-0.1, 0.2, "non-inferior"), (-0.1, 0.05, "inferior"), (-0.1, 0.1, "undecided"),
     (0.1, 0.0, "non-inferior"), (0.0, 0.0, "undecided"), (0.0, 0.05, "non-inferior")],
)  # fmt: skip
def test_the_gate(shifted, shift, margin, verdict) -> None:
    assert shifted(shift, margin=margin).gate == verdict


def test_lower_may_be_better(table) -> None:
    rng = np.random.default_rng(3)
    old = rng.random(40)
    columns = {"old": old.tolist(), "new": (old + rng.normal(0.1, 0.02, 40)).tolist()}
    assert compare(table(columns, measure="RBPResid"), margin=0.01).pairs[0].gate == "inferior"


def test_two_topics_decide_nothing(table) -> None:
    """Red before: two questions failed a build while the sentence said no difference could be significant."""
    [pair] = compare(table({"a": [0.9, 0.8], "b": [0.1, 0.1]}), margin=0.0).pairs
    assert pair.gate == "undecided"


def test_a_measure_without_better_and_worse(outcomes) -> None:
    with pytest.raises(UsageError, match="needs a measure with a direction; coverage has none"):
        compare(outcomes({"a": "++-.", "b": "+--."}, measure="coverage"), margin=0.0)


def test_the_same_within(shifted) -> None:
    """Two one-sided tests at 5% are a 90% interval within the margin: d ± t* se, narrower than the 95% one."""
    same = shifted(0.0, equivalence=0.02)
    assert same.equivalence.equivalent
    assert same.equivalence.level == 0.9
    low, high = same.equivalence.interval
    assert same.interval.low < low < same.difference < high < same.interval.high
    assert "shown to differ by less than 0.02 (at 5%, two one-sided tests [" in same.sentence
    assert not shifted(0.1, equivalence=0.02).equivalence.equivalent
    assert not shifted(0.0, equivalence=0.001).equivalence.equivalent


def test_every_bound_holds_at_once(random_table) -> None:
    """Against one baseline the bounds of many runs are wider than those of one."""
    one = compare(random_table(runs=2), baseline="r0", margin=0.0).pairs[0]
    many = compare(random_table(runs=9, step=0.0), baseline="r0", margin=0.0)
    assert many.settings["correct"] == "maxt"
    assert all(pair.adjusted_by == "maxt" for pair in many.pairs)
    assert one.adjusted_by == "none"
