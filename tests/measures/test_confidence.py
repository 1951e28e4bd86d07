"""Measures of confidence against their definitions: all orders of ties, all pairs, scipy, counting by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.measures.engines.vectors import expected_hits, tie_groups
from assay.measures.registry import declarations, find

LEVELS = [0.0, 0.25, 0.5, 0.75, 1.0]
answer = st.tuples(st.integers(0, 1), st.sampled_from(LEVELS))
free = st.tuples(st.integers(0, 1), st.floats(0, 1))
small = st.lists(answer, min_size=1, max_size=6)
many = st.lists(st.one_of(answer, free), min_size=1, max_size=40)


def cws_of_order(correct, n: int) -> Fraction:
    right, total = 0, Fraction(0)
    for i in range(1, n + 1):
        right += correct[i - 1] if i <= len(correct) else 0
        total += Fraction(right, i)
    return total / n


def mean_over_orders(answers, n: int) -> Fraction:
    """CWS of every order in which no answer stands before a more confident one, averaged exactly."""
    orders = [
        order for order in permutations(answers) if all(first[1] >= second[1] for first, second in pairwise(order))
    ]
    return sum((cws_of_order([c for c, _ in order], n) for order in orders), Fraction(0)) / len(orders)


@settings(max_examples=60)
@given(small, st.integers(0, 2))
def test_cws_under_ties_is_the_mean_over_all_orders(whole, answers, unanswered) -> None:
    n = len(answers) + unanswered
    exact = mean_over_orders(answers, n)
    correct, confidence = (np.array(column, dtype=float) for column in zip(*answers, strict=True))
    numerators, denominators = expected_hits(*tie_groups(correct, confidence))
    hits = [Fraction(int(a), int(b)) for a, b in zip(numerators, denominators, strict=True)]
    hits += [hits[-1]] * unanswered
    assert sum((hit / i for i, hit in enumerate(hits, 1)), Fraction(0)) / n == exact
    found = whole("CWS", answers, unanswered)
    if any(p > 0 for _, p in answers):
        assert found == pytest.approx(float(exact), rel=1e-13)
    else:
        assert found is None


def test_cws_by_hand(whole) -> None:
    answers = [(1, 0.9), (0, 0.8), (1, 0.1)]
    assert whole("CWS", answers) == pytest.approx((1 + 1 / 2 + 2 / 3) / 3)
    assert whole("CWS", answers, unanswered=1) == pytest.approx((1 + 1 / 2 + 2 / 3 + 2 / 4) / 4)


def test_cws_in_file_order(whole) -> None:
    tied = [(0, 0.5), (1, 0.5)]
    assert whole("CWS(ties=file)", tied) == pytest.approx((0 + 1 / 2) / 2)
    assert whole("CWS(ties=file)", tied[::-1]) == pytest.approx((1 + 1 / 2) / 2)
    measure = find("CWS(ties=file)", "outcomes")
    assert measure([0, 1], [1, 1], [0.5, 0.5], [7, 3]) == pytest.approx((1 + 1 / 2) / 2)


@given(many)
def test_equal_confidences_give_the_accuracy(whole, answers) -> None:
    same = [(c, 0.5) for c, _ in answers]
    assert whole("CWS", same) == pytest.approx(sum(c for c, _ in same) / len(same))


@given(many)
def test_aurc_is_one_minus_cws_of_the_answered(whole, answers) -> None:
    cws = whole("CWS", answers)
    if cws is not None:
        assert whole("AURC", answers) == pytest.approx(1 - cws, abs=1e-12)
        assert whole("AURC", answers, unanswered=3) == pytest.approx(1 - cws, abs=1e-12)


@given(many)
def test_excess_aurc_is_0_only_for_a_perfect_order(whole, answers) -> None:
    excess = whole("excess_AURC", answers)
    worst_right = min((p for c, p in answers if c), default=2.0)
    best_wrong = max((p for c, p in answers if not c), default=-1.0)
    if worst_right > best_wrong:
        assert excess == pytest.approx(0, abs=1e-12)
    else:
        assert excess > 0


@given(many)
def test_auroc_is_the_share_of_pairs_in_order(whole, answers) -> None:
    right = [p for c, p in answers if c]
    wrong = [p for c, p in answers if not c]
    found = whole("AUROC", answers, unanswered=1)
    if not right or not wrong:
        assert found is None
    else:
        halves = sum(2 * (a > b) + (a == b) for a in right for b in wrong)
        assert Fraction(found).limit_denominator(10**6) == Fraction(halves, 2 * len(right) * len(wrong))


@given(many)
def test_pearson_against_scipy(whole, answers) -> None:
    from scipy.stats import pearsonr

    correct, confidence = zip(*answers, strict=True)
    found = whole("r", answers, unanswered=2)
    if len(answers) < 2 or len(set(correct)) < 2 or len(set(confidence)) < 2:
        assert found is None
    elif np.ptp(confidence) > 1e-6:  # below that scipy warns that its own result is inexact
        assert found == pytest.approx(pearsonr(confidence, correct).statistic, abs=1e-9)


def test_pearson_takes_every_answer_of_a_list() -> None:
    measure = find("r", "outcomes")
    spread = measure([(1, 0), (), 1, (0, 1)], [(0.9, 0.3), (), 0.6, (0.2, 0.7)])
    assert spread == pytest.approx(measure([1, 0, 1, 0, 1], [0.9, 0.3, 0.6, 0.2, 0.7]))


@given(many, st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]))
def test_coverage_at_risk_tries_every_threshold(whole, answers, risk) -> None:
    best = 0
    for level in {p for _, p in answers}:
        kept = [c for c, p in answers if p >= level]
        if len(kept) - sum(kept) <= risk * len(kept):
            best = max(best, len(kept))
    assert whole(f"coverage_at_risk@{risk}", answers, unanswered=2) == best / (len(answers) + 2)


def test_k1_by_hand(whole) -> None:
    # 4 questions: right at .9, wrong at .5, wrong at 0 (as good as unanswered), unanswered.
    assert whole("K1", [(1, 0.9), (0, 0.5), (0, 0.0)], unanswered=1) == pytest.approx((0.9 - 0.5) / 4)
    assert whole("K1", [(0, 0.0), (1, 0.0)]) == 0.0
    measure = find("K1", "outcomes")
    assert measure([1, 0], [1, 0], [0.8, 0.9]) == pytest.approx(0.4), "an unanswered question adds 0"
    assert measure([1, 0], [1, 1], [0.8, None]) is None
    assert measure([0, 0], [0, 0], [None, None]) == 0.0


def test_nothing_answered_has_no_confidence(whole) -> None:
    for name in ("CWS", "Brier", "log_score", "ECE", "AUROC", "AURC", "excess_AURC", "mean_confidence", "r"):
        assert whole(name, [], unanswered=3) is None, name


def test_an_answer_without_confidence_makes_the_measures_undefined(whole) -> None:
    for name in ("CWS", "K1", "Brier", "log_score", "ECE", "AUROC", "AURC", "coverage_at_risk@0.1", "r"):
        assert whole(name, [(1, 0.5), (0, None), (1, 0.9)]) is None, name


@given(many, st.integers(0, 3))
def test_every_measure_of_a_run_stays_in_its_declared_range(whole, answers, unanswered) -> None:
    known = {"correct", "answered", "confidence", "position", "answer_correct", "answer_confidence"}
    tried = 0
    for declaration in declarations("outcomes"):
        if declaration.level != "whole" or not set(declaration.of) <= known:
            continue
        written = f"{declaration.name}@0.2" if declaration.required else declaration.name
        found = whole(written, answers, unanswered)
        tried += 1
        if found is not None:
            assert declaration.low is None or found >= declaration.low - 1e-12, written
            assert declaration.high is None or found <= declaration.high + 1e-12, written
    assert tried >= 12


@given(many, st.randoms())
def test_the_order_of_the_questions_does_not_matter(whole, answers, random) -> None:
    shuffled = list(answers)
    random.shuffle(shuffled)
    for name in ("CWS", "K1", "r", "ECE", "AUROC", "AURC", "Brier", "coverage_at_risk@0.2"):
        first, second = whole(name, answers), whole(name, shuffled)
        assert (first is None) == (second is None)
        if first is not None:
            assert first == pytest.approx(second, abs=1e-12), name


def test_coverage_at_a_risk_just_met(whole) -> None:
    """29 wrong of 100 is a risk of 0.29, though 0.29 · 100 is below 29 in doubles."""
    assert whole("coverage_at_risk@0.29", [(1, 0.5)] * 71 + [(0, 0.5)] * 29) == 1.0
