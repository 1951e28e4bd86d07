"""How the samples of a question become the numbers of a run."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampled_tables import BOLD, right_of, scored

import assay
from assay.errors import InputError, UsageError
from assay.table.repeats import MAX_CELLS, added, described, flattened, multiple


def test_numbers_of_samples_have_a_common_multiple():
    assert multiple([4, 6, 0], range(3)) == 12
    assert multiple([4, 6, 0], [0, 2]) == 4
    assert multiple([0, 0], range(2)) == 1
    assert multiple([], []) == 1


def test_questions_that_failed_every_time_enter_no_sum():
    assert added([[1, 0, 3]], [2, 0, 3], range(3)) == (12, [9])  # 6 · 1/2 + 6 · 3/3, of 2 · 6
    assert added([[5]], [0], [0]) == (0, [0])
    assert flattened([[(1, 0), ()]], [2, 0]) == [[1, 0]]


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6)).map(lambda t: (t[0], min(t))), min_size=1, max_size=8))
def test_every_question_weighs_the_same(questions):
    counts, right = [m for m, _ in questions], [c for _, c in questions]
    n, [total] = added([right], counts, range(len(counts)))
    assert Fraction(total, n) == sum(Fraction(c, m) for m, c in questions) / len(questions)
    cells = [tuple([1] * c + [0] * (m - c)) for m, c in questions]
    [flat] = flattened([cells], counts)
    assert Fraction(sum(flat), len(flat)) == Fraction(total, n)


def test_what_would_take_too_many_cells_is_refused():
    counts = [7, 11, 13, 17, 19, 23, 29]
    assert multiple(counts, range(7)) * 7 > MAX_CELLS
    with pytest.raises(UsageError, match="7 different numbers of samples, from 7 to 29"):
        flattened([[tuple(range(count)) for count in counts]], counts)


def test_numbers_of_samples_in_words():
    assert described([4, 4, 4], "question") == "3 questions × 4 samples"
    assert described([4, 0, 3], "question") == "3 questions × 3 to 4 samples"
    assert described([1], "question") == "1 question × 1 sample"
    assert described([0], "question") == "1 question × 0 samples"
    assert described([2, 3], "question", 12) == "12 questions × 2 to 3 samples"


@pytest.fixture(scope="module")
def bold():
    """12 questions × 4 samples, 32 right; the numbers stand in the log of the tool itself."""
    names = ["accuracy", "score", "c@1", "pass@2", "pass^2", "pass^4", "correct", "incorrect", "questions"]
    return scored({"bold": right_of(BOLD)}, names)


class TestTheCheckOfTheSpec:
    def test_values(self, bold):
        values = {name: bold[name]["bold"] for name in ("pass@2", "pass^2", "pass^4")}
        assert {name: round(value, 4) for name, value in values.items()} == {
            "pass@2": 0.8889, "pass^2": 0.4444, "pass^4": 0.25,
        }  # fmt: skip
        assert bold["accuracy"]["bold"] == bold["score"]["bold"] == pytest.approx(2 / 3)
        assert (bold["correct"]["bold"], bold["incorrect"]["bold"], bold["questions"]["bold"]) == (32, 16, 12)

    def test_the_standard_error_is_that_of_questions(self, bold):
        """Var of the means is (96/9)/16/11, so 0.0711 over 12 questions; 48 independent answers would have 0.068."""
        for name in ("accuracy", "score", "c@1"):
            interval = assay.run_intervals(bold, name)["bold"]
            assert round(interval.standard_error, 4) == 0.0711

    def test_the_interval_is_as_wide_as_questions_make_it(self):
        """Answers to a question that are all the same are one answer: four of each change nothing."""
        once = scored({"r": right_of([1] * 8 + [0] * 4, 1)}, ["accuracy", "score"])
        four = scored({"r": right_of([4] * 8 + [0] * 4)}, ["accuracy", "score"])
        ends = [assay.run_intervals(scores, "accuracy")["r"] for scores in (once, four)]
        assert ends[0].standard_error == pytest.approx(ends[1].standard_error)
        assert ends[1].high - ends[1].low > 3 * ends[1].standard_error
        assert ends[1].standard_error == pytest.approx((8 / 12 * 4 / 12 / 11) ** 0.5)


def test_what_is_said_of_repeats():
    both = scored({"a": right_of([4, 2]), "b": right_of([3, 3])}, ["accuracy"])
    assert both.remarks()[0] == "2 questions × 4 samples"
    assert both.extent() == "2 questions × 4 samples"
    apart = scored({"a": right_of([4, 2]), "b": {"q00": "CE", "q01": "E"}}, ["accuracy"])
    assert apart.remarks()[0] == "a: 2 questions × 4 samples"
    assert not any(line.startswith("b: 2 questions ×") for line in apart.remarks())
    assert apart.extent() == "2 questions × 1 to 4 samples"
    assert apart.extent(["b"]) == "2 questions"
    told = [run["samples"] for run in apart.to_dict()["runs"]]
    assert told == [
        {"fewest": 4, "most": 4, "scored": 8, "failed": 0},
        {"fewest": 1, "most": 1, "scored": 1, "failed": 2},
    ]
    plain = scored({"a": right_of([1, 0], 1)}, ["accuracy"])
    assert plain.extent() == "2 questions"
    assert "samples" not in plain.to_dict()["runs"][0]


def test_failed_samples_are_in_no_denominator():
    scores = scored({"r": {"q0": "CCE", "q1": "EEE", "q2": "CIE"}}, ["accuracy", "c@1", "questions", "pass@2"])
    assert scores["accuracy"]["r"] == 0.75
    assert scores["questions"]["r"] == 2
    assert scores["pass@2"]["r"] == 1.0
    assert scores.status("r", "pass@2") == ["scored", "failed", "scored"]
    assert "5 samples errored" in scores.remarks()[1]


def test_compare_warns_of_unequal_failures():
    a, b = right_of([4, 3, 2, 1, 0]), {**right_of([3, 3, 3, 1, 1]), "q01": "EEEE", "q04": "EEEE"}
    found = assay.compare(scored({"a": a, "b": b}, ["accuracy"]), "accuracy")
    assert (found.topics, found.left_out) == (3, 2)
    assert found.pairs[0].difference == pytest.approx((3 + 3 + 1) / 12 - (4 + 2 + 1) / 12)
    assert found.extent == "3 questions × 4 samples"
    assert "2 runs on 3 questions × 4 samples" in repr(found)
    assert found.notes == [
        "2 questions are missing, undefined or failed for some run and left out for all",
        "a failed on none of 5 questions, b failed on 2 of 5 questions: the comparison is over 3 questions, and failures that "
        "depend on the question bias it",
    ]
    same = assay.compare(scored({"a": {**a, "q01": "E"}, "b": {**b, "q04": "CCCC"}}, ["accuracy"]), "accuracy")
    assert same.notes[1].endswith("the comparison is over 4 questions")


def test_missing_questions_count_as_their_policy_says():
    runs = {"a": right_of([4, 2, 2]), "b": {"q00": "CCCC", "q01": "CCII"}}
    assert scored(runs, ["accuracy"])["accuracy"]["b"] == pytest.approx(1.5 / 3)
    assert scored(runs, ["accuracy"], missing="skip")["accuracy"] == pytest.approx({"a": 2 / 3, "b": 0.75})
    assert scored(runs, ["accuracy"], missing="common")["accuracy"] == pytest.approx({"a": 0.75, "b": 0.75})
    wrong = scored(runs, ["incorrect", "unanswered"], missing="incorrect")
    assert (wrong["incorrect"]["b"], wrong["unanswered"]["b"]) == (6, 0)
    unanswered = scored(runs, ["incorrect", "unanswered", "pass@2"])
    assert (unanswered["incorrect"]["b"], unanswered["unanswered"]["b"]) == (2, 4)
    assert unanswered["pass@2"]["b"] == pytest.approx((1 + 5 / 6) / 3)


def test_a_run_that_failed_everywhere_has_no_number():
    scores = scored({"a": right_of([4, 2]), "b": {"q00": "EE", "q01": "EE"}}, ["accuracy", "score"])
    assert scores["accuracy"]["b"] is scores["score"]["b"] is None
    assert assay.run_intervals(scores, "accuracy")["b"] is None
    with pytest.raises(InputError, match=r"accuracy is defined for .* on no common question"):
        assay.compare(scores, "accuracy")
