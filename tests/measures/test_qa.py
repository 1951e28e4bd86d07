"""Measures of answers: ranked, listed and in series, by hand, and Q-measure's properties on random lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.measures.qa import (
    confident_and_correct,
    first_rank,
    instance_f,
    instance_precision,
    instance_recall,
    list_accuracy,
    nil_returned,
    nil_rightly_returned,
    not_found,
    q_of_answers,
    questions_correct,
    reciprocal_rank,
    series_alive,
)
from assay.measures.registry import find
from assay.measures.views.answers import LENIENT, STRICT, AnswerListView, JudgedAnswer

of = AnswerListView.of

GAINS = {"3:2:1": {1: 1.0, 2: 2.0, 3: 3.0}, "flat": {1: 1.0, 2: 1.0, 3: 1.0}, "2:1.5:1": {1: 1.0, 2: 1.5, 3: 2.0}}


def test_strict_lenient_and_inexact():
    view = of(["inexact a", "unsupported a", "incorrect", "correct a"], known=["a"])
    assert (first_rank(view), first_rank(view, LENIENT)) == (4, 2)
    assert (reciprocal_rank(view), reciprocal_rank(view, LENIENT)) == (1 / 4, 1 / 2)
    assert (not_found(view), not_found(of(["inexact a"]), LENIENT)) == (0, 1)
    assert (questions_correct(view, 1), questions_correct(view, 5), questions_correct(view, 3, LENIENT)) == (0, 1, 1)


def test_a_cutoff_of_the_reciprocal_rank():
    view = of(["incorrect", "correct a"])
    assert find("RR@1", "qa")(view) == 0
    assert find("RR@2", "qa")(view) == find("MRR", "qa")(view) == 1 / 2
    assert find("NQcorrect1", "qa") == find("NQcorrect@1", "qa")
    assert find("NQcorrect1", "qa")(view) == 0


def test_no_answers_at_all():
    view = of([], known=["a"])
    assert reciprocal_rank(view) == 0
    assert first_rank(view) is None
    assert q_of_answers(view) == 0
    assert nil_returned(view) == 0


def test_nil_counts_anywhere_in_the_list_and_once():
    view = of(["incorrect", "incorrect NIL", "incorrect NIL"], known=["a"])
    assert (nil_returned(view), nil_rightly_returned(view)) == (1, 0)
    right = of(["incorrect", "correct NIL"], known=["NIL"], nil=True)
    assert (nil_returned(right), nil_rightly_returned(right), reciprocal_rank(right)) == (1, 1, 1 / 2)
    assert q_of_answers(right) == (1 + 1) / (1 + 2)


def test_confidence_is_judged_on_the_final_answer():
    lists = ["incorrect", "correct a"]
    assert of(lists, final=2, confident=True).final_is_right()
    assert not of(lists, final=1, confident=True).final_is_right()
    assert not of(["unsupported a"], confident=True).final_is_right()
    assert not of([], confident=True).final_is_right()
    assert confident_and_correct(492, 369, 284) == (284, 369)  # 75% confident, 77% of those right


def test_q_by_hand_with_duplicates():
    # a at 1, a again at 2, wrong at 3, b at 4; known a (3), b (1), c (2): ideal gains 3, 2, 1.
    view = of(["correct a 3", "correct a 3", "incorrect", "correct b 1"], known={"a": 3, "b": 1, "c": 2})
    assert q_of_answers(view) == pytest.approx((4 / (3 + 1) + (4 + 2) / (6 + 4)) / 3)
    flat = q_of_answers(view, gains=GAINS["flat"])
    assert flat == pytest.approx((2 / (1 + 1) + 4 / (3 + 4)) / 3)
    mild = q_of_answers(view, gains=GAINS["2:1.5:1"])  # ideal 2, 1.5, 1
    assert mild == pytest.approx((3 / (2 + 1) + (3 + 2) / (4.5 + 4)) / 3)


def test_q_with_a_cutoff_divides_by_what_could_be_found():
    view = of(["correct a", "correct b"], known=["a", "b", "c"])
    assert q_of_answers(view, cut=2) == 1.0
    assert q_of_answers(view) == pytest.approx(2 / 3)


def test_the_first_answer_of_a_class_counts_by_its_own_grade():
    # A B-correct wording first, the S-correct wording of the same class later: the later one is worth nothing.
    view = of(["correct a 1", "correct a 3"], known={"a": 3})
    assert q_of_answers(view) == pytest.approx(2 / (3 + 1))


def test_lenient_q_knows_the_unsupported_classes():
    answers = [JudgedAnswer("unsupported", "a"), JudgedAnswer("correct", "b")]
    view = AnswerListView(answers, {STRICT: {"b": 1}, LENIENT: {"a": 1, "b": 1}})
    assert q_of_answers(view) == pytest.approx(2 / (1 + 2))
    assert q_of_answers(view, judged=LENIENT) == 1.0


def by_the_formula(grades: list[tuple[str, int]], known: dict[str, int], gains: dict[int, float]) -> float:
    """003's appendix, rank by rank: g, cg, cig, bg, cbg as the paper defines them."""
    ideal = sorted((gains[grade] for grade in known.values()), reverse=True)
    seen: set[str] = set()
    total = cbg = 0.0
    for rank, (cls, grade) in enumerate(grades, 1):
        first = cls in known and cls not in seen
        seen.add(cls)
        g = gains[grade] if first else 0.0
        cbg += g + 1 if g > 0 else 0
        cig = sum(ideal[:rank])
        total += (cbg / (cig + rank)) if g > 0 else 0
    return total / len(known)


classes = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 3), min_size=1)


@st.composite
def lists(draw: st.DrawFn) -> tuple[list[tuple[str, int]], dict[str, int]]:
    """Ranked answers (a class, or - for a wrong one) and the classes known; an answer may be below its class's best."""
    known = draw(classes)
    answers: list[tuple[str, int]] = []
    for name in draw(st.lists(st.sampled_from([*known, "-"]), max_size=9)):
        answers.append((name, draw(st.integers(1, known.get(name, 1)))))
    return answers, known


def view_of(answers: list[tuple[str, int]], known: dict[str, int]) -> AnswerListView:
    return of([f"correct {c} {g}" if c != "-" else "incorrect" for c, g in answers], known=known)


@given(lists(), st.sampled_from(list(GAINS)))
def test_q_is_the_formula_of_the_paper(drawn: tuple[list[tuple[str, int]], dict[str, int]], name: str):
    answers, known = drawn
    expected = by_the_formula(answers, known, GAINS[name])
    assert q_of_answers(view_of(answers, known), gains=GAINS[name]) == pytest.approx(expected, abs=1e-12)


def is_ideal(answers: list[tuple[str, int]], known: dict[str, int], gains: dict[int, float]) -> bool:
    """The first R answers are of different classes, in the order of falling gain, each the best of its class."""
    top = answers[: len(known)]
    if len(top) < len(known) or {c for c, _ in top} != set(known):
        return False
    worth = [gains[grade] for _, grade in top]
    return worth == sorted((gains[grade] for grade in known.values()), reverse=True)


@given(lists(), st.sampled_from(list(GAINS)))
def test_q_is_1_for_ideal_outputs_alone(drawn: tuple[list[tuple[str, int]], dict[str, int]], name: str):
    answers, known = drawn
    value = q_of_answers(view_of(answers, known), gains=GAINS[name])
    assert (value == 1.0) == is_ideal(answers, known, GAINS[name])


@given(classes, st.lists(st.sampled_from(["-", "a", "b"]), max_size=4), st.sampled_from(list(GAINS)))
def test_q_of_an_ideal_output_is_exactly_1_whatever_follows(known: dict[str, int], tail: list[str], name: str):
    gains = GAINS[name]
    ideal = sorted(known.items(), key=lambda item: -gains[item[1]])
    rest = [(c if c in known else "-", 1) for c in tail]
    assert q_of_answers(view_of([*ideal, *rest], known), gains=gains) == 1.0


@given(classes, st.fractions(0, 1, max_denominator=97), st.fractions(0, 1, max_denominator=89))
def test_an_ideal_output_is_exactly_1_with_any_gains(known: dict[str, int], x: float, y: float):
    gains = {1: 0.1, 2: 0.1 + float(x), 3: 0.1 + float(x) + float(y)}
    ideal = sorted(known.items(), key=lambda item: -gains[item[1]])
    assert q_of_answers(view_of(ideal, known), gains=gains) == 1.0


@given(lists(), st.sampled_from(list(GAINS)))
def test_a_list_shorter_than_the_classes_has_at_most_its_share(
    drawn: tuple[list[tuple[str, int]], dict[str, int]], name: str
):
    answers, known = drawn
    value = q_of_answers(view_of(answers, known), gains=GAINS[name])
    assert value is not None
    assert value <= min(1.0, len(answers) / len(known)) + 1e-12


@given(lists())
def test_duplicates_are_worth_nothing_but_keep_their_rank(drawn: tuple[list[tuple[str, int]], dict[str, int]]):
    answers, known = drawn
    seen: set[str] = set()
    without = [(c, g) if c not in seen and not seen.add(c) else ("-", 1) for c, g in answers]
    assert q_of_answers(view_of(answers, known)) == q_of_answers(view_of(without, known))


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


def test_series_die_at_their_first_failure():
    series = ["1", "1", "1", "2", "2", "3"]
    position = [1, 2, 3, 1, 2, 1]
    found = [1, 0, 1, 1, 1, 0]
    alive = [series_alive(series, position, found, cut) for cut in (1, 2, 3, 4)]
    assert alive == [2 / 3, 1 / 2, 0.0, None]  # series 3 has one question, so after question 2 there are two series
