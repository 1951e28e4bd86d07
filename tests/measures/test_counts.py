"""Measures from counts alone: the published table, what may be left out, and what is refused."""

from __future__ import annotations

import pytest

import assay
from assay.errors import InputError, UsageError

TABLE_3 = [
    ((237, 156, 107), 0.58, 0.47),
    ((236, 264, 0), 0.47, 0.47),
    ((187, 230, 83), 0.44, 0.37),
    ((189, 311, 0), 0.38, 0.38),
]
"""Peñas and Rodrigo, ACL 2011, table 3: correct, incorrect, unanswered; c@1; accuracy."""


@pytest.mark.parametrize(("states", "c_at_1", "accuracy"), TABLE_3)
def test_the_published_table(states, c_at_1, accuracy) -> None:
    correct, incorrect, unanswered = states
    counts = {"correct": correct, "incorrect": incorrect, "unanswered": unanswered}
    assert round(assay.measure("c@1").of_counts(**counts), 2) == c_at_1
    assert round(assay.measure("accuracy").of_counts(**counts), 2) == accuracy
    both = assay.of_counts(["c@1", "acc"], **counts)
    assert {name: round(value, 2) for name, value in both.items()} == {"c@1": c_at_1, "acc": accuracy}


def test_all_relatives_of_ten_questions() -> None:
    """6 correct, 1 incorrect, 3 unanswered, by hand."""
    expected = {
        "questions": 10, "correct": 6, "incorrect": 1, "unanswered": 3, "accuracy": 0.6, "UF": 0.5, "UF_rescaled": 0.75,
        "c@1": 0.78, "precision": 6 / 7, "coverage": 0.7, "all_unanswered_right": 0.9,
        "unanswered_as_error": (6 + 3 / 7) / 10, "Omniscience": 50, "hallucination_rate": 1 / 4, "SimpleQA_F": 12 / 17,
    }  # fmt: skip
    found = assay.of_counts(correct=6, incorrect=1, unanswered=3)
    assert found == pytest.approx(expected)
    assert isinstance(found["correct"], int)
    assert assay.of_counts("CT@0.75", correct=6, incorrect=1, unanswered=3) == pytest.approx({"CT@0.75": 0.3})


def test_n_stands_for_one_state_or_checks_all() -> None:
    c_at_1 = assay.measure("c@1")
    assert c_at_1.of_counts(correct=6, unanswered=3, n=10) == c_at_1.of_counts(correct=6, incorrect=1, n=10) == 0.78
    assert c_at_1.of_counts(correct=6, incorrect=1, unanswered=3, n=10) == 0.78
    assert assay.measure("accuracy").of_counts(correct=6, n=10) == 0.6


def test_no_questions_and_nothing_answered_are_undefined() -> None:
    assert assay.of_counts(["c@1", "correct"], correct=0, incorrect=0, unanswered=0) == {"c@1": None, "correct": 0}
    assert assay.measure("precision").of_counts(correct=0, incorrect=0, unanswered=9) is None


def test_a_measure_of_other_counts_takes_those() -> None:
    assert assay.measure("NILPrecision").of_counts(nil_returned=120, nil_correct=38, n=492) == 38 / 120
    validation = {"candidate_right": 1, "candidate_wrong": 2}
    found = assay.of_counts(correct=6, incorrect=1, unanswered=3, **validation)
    assert found["estimated_performance"] == pytest.approx((6 + 2 * 6 / 10) / 10)


@pytest.mark.parametrize(
    ("measures", "counts", "message"),
    [
        ("c@1", {"correct": 6, "incorrect": 1}, "unanswered is missing"),
        ("c@1", {"correct": 6, "n": 10}, "c@1 needs correct, unanswered and n; unanswered is missing"),
        ("c@1", {}, "correct, incorrect and unanswered are missing; give n, the number of questions, or every state, 0 included"),
        ("c@1", {"correct": -1, "incorrect": 1, "unanswered": 0}, "correct: expected a whole number of at least 0, found -1"),
        ("c@1", {"correct": 2.5, "incorrect": 1, "unanswered": 0}, "found 2.5"),
        ("c@1", {"correct": "2", "incorrect": 1, "unanswered": 0}, "found '2'"),
        ("c@1", {"correct": 6, "incorrect": 1, "unanswered": 3, "n": 11}, "correct, incorrect and unanswered add up to 10, and n is 11"),
        ("c@1", {"correct": 6, "incorrect": 5, "n": 10}, "correct and incorrect add up to 11, and n is 10"),
        ("c@1", {"correct": 6, "incorrect": 1, "unanswered": 3, "failed": 3}, "failed questions are in no denominator"),
        ("c@1", {"correct": 6, "incorrect": 1, "unanswered": 3, "wrong": 3}, "unknown count 'wrong'"),
        (None, {"correct": 6, "incorrect": 1, "unanswered": 3, "wrong": 3}, "unknown count 'wrong'"),
        ("over_refusal", {"correct": 6, "incorrect": 1, "unanswered": 3}, "over_refusal needs declined_wrongly, should_answer and n"),
        ("CWS", {"correct": 6, "incorrect": 1, "unanswered": 3}, "CWS needs correct, answered, confidence and position of every"),
        ("EM", {"correct": 6, "incorrect": 1, "unanswered": 3}, "EM is averaged over topics and needs the results of each"),
        ("AP", {"correct": 6, "incorrect": 1, "unanswered": 3}, "AP is averaged over topics"),
        ("CT", {"correct": 6, "incorrect": 1, "unanswered": 3}, "t must be given"),
        ("c@2", {"correct": 6, "incorrect": 1, "unanswered": 3}, "unknown measure 'c@2'"),
        ("NILPrecision", {"nil_returned": 3, "nil_correct": 4, "n": 9}, "the counts contradict each other: NILPrecision would be 1.333"),
    ],
)  # fmt: skip
def test_what_is_refused(measures, counts, message) -> None:
    with pytest.raises(UsageError) as refused:
        assay.of_counts(measures, **counts)
    assert message in str(refused.value)


def test_a_formula_of_a_users_own(registry) -> None:
    @assay.define.sums("Doubled", task="outcomes", of=("correct",), high=None, cite="me")
    def doubled(n: int, correct: int) -> tuple[int, int]:
        return 2 * correct, n

    @assay.define.sums("Broken", task="outcomes", of=("unanswered",), cite="me")
    def broken(n: int, unanswered: int) -> tuple[int, int]:
        return n // unanswered, 1

    assert assay.of_counts("Doubled", correct=3, n=4) == {"Doubled": 1.5}
    with pytest.raises(InputError, match="measure Broken failed: ZeroDivisionError"):
        assay.of_counts("Broken", correct=3, incorrect=1, unanswered=0)
