"""Measures of selection: by hand, and ties against every order of the tied answers."""

from __future__ import annotations

from itertools import permutations
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.measures.registry import find

HAND = [(1, 0.9), (0, 0.8), (1, 0.6), (0, 0.3)]
"""Wrong at ranks 2 and 4 of 4."""


def test_by_hand(whole) -> None:
    # Errors 0, 0, 1, 1, 2 after 0 to 4 answers: straight lines between them over 16.
    assert whole("AUGRC", HAND) == pytest.approx((0 + 0.5 + 1 + 1.5) / 16)
    # From the lowest up: wrong, right, wrong, right.
    assert whole("AUPRC_errors", HAND) == pytest.approx((1 + 2 / 3) / 2)
    # Precision of the first 1 to 4: 1, 1/2, 2/3, 1/2; perfect 1, 1, 2/3, 1/2; random 1/2.
    assert whole("PRR", HAND) == pytest.approx((8 / 12 - 1 / 2) / (19 / 24 - 1 / 2))
    # Of two rejected, 2/3 and 1/2 count.
    assert whole("PRR@0.5", HAND) == pytest.approx(1)
    assert whole("prr_0.5", HAND) == whole("PRR(reject=0.5)", HAND)


def test_estimators_of_aurc_by_hand(whole) -> None:
    assert whole("AURC(estimator=mean)", HAND) == whole("AURC", HAND) == pytest.approx((1 / 2 + 1 / 3 + 1 / 2) / 4)
    assert whole("AURC(estimator=ln)", HAND) == pytest.approx((log(5 / 2) + log(5 / 4)) / 4)
    assert whole("AURC(estimator=sele)", HAND) == pytest.approx((3 / 4 + 1 / 4) / 4)
    # Of one group the mean weight of its ranks, whoever is wrong.
    tied = [(0, 0.5), (1, 0.5)]
    assert whole("AURC(estimator=ln)", tied) == pytest.approx((log(3) + log(3 / 2)) / 2 / 2)


def test_estimators_agree_with_endlessly_many_answers(whole) -> None:
    """Of risk 1 - G at the share G of the most confident, AURC is ∫ (1 - G) ln(1/G) dG = 3/4; half of it here."""
    n = 20_000
    answers = [(int(i % 2 == 0 or (i * 7919) % n < n - i), (n - i) / n) for i in range(n)]
    values = [whole(f"AURC(estimator={name})", answers) for name in ("mean", "ln")]
    assert values[0] == pytest.approx(values[1], abs=1e-3)


tied = st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0.2, 0.5, 0.9])), min_size=1, max_size=6)


@settings(max_examples=settings().max_examples // 10)  # of up to 720 orders each
@given(tied)
def test_ties_are_the_mean_over_their_orders(whole, answers) -> None:
    """Each order made strict by nudging confidences apart, fewer than the levels are."""
    for name in ("AUGRC", "AURC(estimator=ln)", "AURC(estimator=sele)", "PRR", "PRR@0.7"):
        values = [
            whole(name, [(c, p + place / 1000) for place, (c, p) in zip(order, answers, strict=True)])
            for order in permutations(range(len(answers)))
        ]
        expected = whole(name, answers)
        if expected is None:
            assert values == [None] * len(values)
        else:
            assert expected == pytest.approx(sum(values) / len(values), abs=1e-12), name


@given(tied)
def test_augrc_by_auroc_and_precision(whole, answers) -> None:
    auroc, p = whole("AUROC", answers), sum(c for c, _ in answers) / len(answers)
    area = (0 if auroc is None else (1 - auroc) * p * (1 - p)) + (1 - p) ** 2 / 2
    assert whole("AUGRC", answers) == pytest.approx(area, abs=1e-12)


def test_undefined_and_refused(whole) -> None:
    right, wrong = [(1, 0.5), (1, 0.7)], [(0, 0.5), (0, 0.7)]
    for name in ("AUGRC", "PRR", "AUPRC_errors", "AURC(estimator=ln)"):
        assert whole(name, [], unanswered=2) is None
        assert whole(name, [(1, None), (0, 0.5)]) is None
        assert whole(name, HAND, unanswered=3) == whole(name, HAND)
    assert whole("PRR", right) is None
    assert whole("PRR", wrong) is None
    assert whole("PRR@0.3", HAND) is None
    assert whole("AUPRC_errors", right) is None
    assert whole("AUPRC_errors", wrong) == 1
    assert (whole("AUGRC", right), whole("AUGRC", wrong)) == (0, 0.5)
    for name in ("PRR@0", "PRR@1.5", "AURC(estimator=median)"):
        with pytest.raises(UsageError):
            find(name, "outcomes")
