"""Choices by log-likelihood."""

from __future__ import annotations

from math import exp, inf, isnan

import pytest

from assay.formats.harness.log_likelihoods import best, number, numbers, per_length, probability


@pytest.mark.parametrize("value", [None, True, "x", [], {}, 10**400])
def test_what_is_no_number(value):
    assert isnan(number(value))
    assert numbers([value, -1.0]) is None


def test_texts_of_numbers():
    assert (number("-inf"), number(2), numbers(["-1.5", -2]), numbers("-1")) == (-inf, 2.0, [-1.5, -2.0], None)


def test_the_first_of_equal_ones_is_best():
    assert (best([-2.0, -1.0, -1.0]), best([-inf, -inf])) == (1, 0)


def test_no_length_no_rate():
    assert per_length([-1.0, -2.0], [1]) is None
    assert per_length([-1.0, -2.0], [1, 0]) is None


def test_probabilities_are_a_softmax():
    logs = [-1000.0, -1001.0, -1003.0]
    assert probability(logs, 1) == pytest.approx(exp(-1) / (1 + exp(-1) + exp(-3)))
    assert sum(probability(logs, place) or 0 for place in range(3)) == pytest.approx(1)


@pytest.mark.parametrize("logs", [[-1.0], [-inf, -inf]])
def test_nothing_was_chosen(logs):
    assert probability(logs, 0) is None
