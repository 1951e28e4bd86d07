"""Precision at levels of recall, by hand and in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.measures.interpolated import interpolated_precisions, recall_cutoff
from assay.measures.views.ranked import RankedView

VIEW = RankedView.of([1, 0, 1, 0, 0, 1], unretrieved=[1])
"""Precision 1, 2/3 and 1/2 after 1, 2 and 3 of 4 relevant documents; the fourth is never found."""


@pytest.mark.parametrize(
    ("recall", "expected"), [("0", 1), ("0.25", 1), ("0.26", 2 / 3), ("0.5", 2 / 3), ("0.75", 1 / 2), ("1", 0)]
)
def test_iprec_by_hand(recall, expected) -> None:
    assert assay.measure(f"IPrec@{recall}")(VIEW) == expected


def test_iprec_avg_by_hand() -> None:
    # .0 .1 .2 need at most 1 document, .3 .4 .5 need 2, .6 .7 need 3, .8 .9 1.0 all 4.
    assert assay.measure("IPrecAvg")(VIEW) == pytest.approx((3 * 1 + 3 * 2 / 3 + 2 * 1 / 2) / 11)
    assert assay.measure("IPrecAvg(levels=.25/.75)")(VIEW) == (1 + 1 / 2) / 2
    assert assay.measure("IPrecAvg")(RankedView.of([0])) is None


def test_a_later_higher_precision_counts_before() -> None:
    assert interpolated_precisions(RankedView.of([0, 0, 1, 1, 1])) == [3 / 5, 3 / 5, 3 / 5, 3 / 5]


def test_three_rules_for_the_cutoff() -> None:
    assert [recall_cutoff(0.3, 10, rule) for rule in ("ceil", "lround", "trunc")] == [3, 3, 3]
    assert [recall_cutoff(0.1, 4, rule) for rule in ("ceil", "lround", "trunc")] == [1, 0, 1]
    # .7 · 90 is 62.99999999999999 in doubles
    assert recall_cutoff(0.7, 90, "ceil") == 63


@given(st.decimals(0, 1, places=4), st.integers(1, 5000))
def test_the_exact_rule_reads_decimals(level, relevant) -> None:
    assert recall_cutoff(float(level), relevant, "ceil") == ceil(Fraction(level) * relevant)
