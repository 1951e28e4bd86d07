"""From topic values to one number."""

from __future__ import annotations

import pytest

from assay.aggregation import AVERAGES, geometric, mean, total


def test_averages_of_nothing_are_undefined_and_a_sum_of_nothing_is_0() -> None:
    assert {name: average([]) for name, average in AVERAGES.items()} == {"mean": None, "sum": 0, "geometric": None}


def test_by_hand() -> None:
    assert mean([0.25, 0.5, 0.75]) == 0.5
    assert total([2, 3, 4]) == 9
    assert geometric([0.2, 0.4, 0.1]) == pytest.approx(0.2)


def test_a_topic_worth_0_counts_a_hundred_thousandth_in_a_geometric_mean() -> None:
    assert geometric([0.0, 1.0]) == pytest.approx(1e-5**0.5)


def test_a_mean_is_added_up_in_topic_order() -> None:
    """As trec_eval does, to the last digit: 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1."""
    assert mean([0.1, 0.2, 0.3]) == (0.1 + 0.2 + 0.3) / 3 != mean([0.3, 0.2, 0.1])
