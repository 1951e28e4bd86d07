"""Measures of lists of answers, by hand."""

from __future__ import annotations

import pytest

from assay.errors import UsageError
from assay.measures.answer_view import AnswerListView
from assay.measures.declare import find
from assay.measures.lists import instance_f, instance_precision, instance_recall, list_accuracy

of = AnswerListView.of


def test_accuracy_counts_distinct_instances_up_to_the_target():
    answers = ["correct a", "correct a", "incorrect", "correct b", "correct c"]
    assert list_accuracy(of(answers, target=4)) == 2 / 4
    assert list_accuracy(of(answers, target=5)) == 3 / 5
    assert list_accuracy(of(answers, target=10)) == 3 / 10
    assert list_accuracy(of(answers)) is None


def test_duplicates_stay_in_the_denominator_of_precision():
    view = of(["correct a", "correct a", "correct b", "incorrect"], known=["a", "b", "c"])
    assert instance_precision(view) == 2 / 4
    assert instance_recall(view) == 2 / 3
    assert instance_f(view) == pytest.approx(2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3))
    assert instance_f(view, beta=2.0) == pytest.approx(5 * (1 / 2) * (2 / 3) / (4 * (1 / 2) + 2 / 3))


def test_an_empty_list_is_worth_0_and_unknown_answers_are_undefined():
    assert (instance_precision(of([], known=["a"])), instance_f(of([], known=["a"]))) == (0, 0)
    assert instance_recall(of(["incorrect"])) is None
    assert instance_f(of(["incorrect"])) is None


@pytest.mark.parametrize("beta", ["-1", "1e6"])
def test_a_beta_that_has_no_meaning(beta: str):
    with pytest.raises(UsageError, match="expected a number from 0 to 1000"):
        find(f"InstanceF(beta={beta})", "list")
