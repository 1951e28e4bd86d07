"""Measures of what lies behind the counts, in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from assay.measures.registry import find


def value(name: str, nac: int, naw: int, nu: int, **more: int) -> Fraction | None:
    """A sums-level measure of these counts, exactly."""
    measure = find(name, "outcomes")
    columns = {"correct": nac, "incorrect": naw, "unanswered": nu, **more}
    top, bottom = measure(nac + naw + nu, *(columns[column] for column in measure.of))
    return Fraction(top, bottom) if bottom else None


def test_validation_by_hand() -> None:
    """10 questions: 3 right, 1 wrong, 6 rejected: 2 candidates right, 3 wrong, 1 empty."""
    columns = {"candidate_right": 2, "candidate_wrong": 3}
    assert value("rejected_wrongly", 3, 1, 6, **columns) == 2
    assert value("rejected_rightly", 3, 1, 6, **columns) == 3
    assert value("rejected_empty", 3, 1, 6, **columns) == 1
    assert value("precision", 3, 1, 6) == Fraction(3, 4)
    assert value("validation_recall", 3, 1, 6, **columns) == Fraction(3, 5)
    precision, recall = Fraction(3, 4), Fraction(3, 5)
    assert value("validation_F", 3, 1, 6, **columns) == 2 * precision * recall / (precision + recall)
    assert value("estimated_performance", 3, 1, 6, **columns) == (3 + 3 * Fraction(3, 10)) / 10


def test_validation_is_undefined_without_candidates() -> None:
    for name in ("validation_recall", "validation_F", "estimated_performance"):
        assert value(name, 3, 1, 6, candidate_right=0, candidate_wrong=0) is None
        assert value(name, 3, 1, 0, candidate_right=0, candidate_wrong=0) is not None


def test_validation_f_is_0_where_nothing_let_through_is_right() -> None:
    """And undefined where there is nothing to be right about, which is what its page says."""
    for nac, naw, right in product(range(3), repeat=3):
        columns = {"candidate_right": right, "candidate_wrong": 1}
        precision = value("precision", nac, naw, right + 1)
        recall = value("validation_recall", nac, naw, right + 1, **columns)
        found = value("validation_F", nac, naw, right + 1, **columns)
        if precision is None and recall is None:
            assert found is None
        elif not nac:
            assert found == 0
        else:
            assert found == 2 * precision * recall / (precision + recall)
    said = find("validation_F", "outcomes").declaration.undefined
    assert said.startswith("where precision and recall are both undefined, or where questions are unanswered")


def test_arrays_of_counts_go_through_whole() -> None:
    counts = np.array(list(product(range(3), repeat=5))).T
    for name in ("validation_recall", "validation_F", "estimated_performance"):
        measure = find(name, "outcomes")
        named = dict(
            zip(("correct", "incorrect", "unanswered", "candidate_right", "candidate_wrong"), counts, strict=True)
        )
        columns = [named[column] for column in measure.of]
        tops, bottoms = measure(np.full(counts.shape[1], 9), *columns)
        each = [measure(9, *map(int, row)) for row in zip(*columns, strict=True)]
        assert list(zip(tops.tolist(), bottoms.tolist(), strict=True)) == each
