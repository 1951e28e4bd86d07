"""PAN's measures on a handful of problems."""

from __future__ import annotations

import pytest

from assay.measures.registry import find

TRUTH = [1, 1, 1, 0, 0, 0]
VALUE = [0.9, 0.5, 0.2, 0.7, 0.5, 0.1]
COLUMNS = {
    "truth": TRUTH,
    "value": VALUE,
    "correct": [1, 0, 0, 0, 0, 1],
    "unanswered": [0, 1, 0, 0, 1, 0],
    "true_positive": [1, 0, 0, 0, 0, 0],
    "false_positive": [0, 0, 0, 1, 0, 0],
    "false_negative": [0, 0, 1, 0, 0, 0],
    "unanswered_positive": [0, 1, 0, 0, 0, 0],
    "unanswered_negative": [0, 0, 0, 0, 1, 0],
}


def value(name: str):
    measure = find(name, "outcomes")
    columns = [COLUMNS[column] for column in measure.of]
    if measure.level == "whole":
        return measure(*columns)
    top, bottom = measure(len(TRUTH), *map(sum, columns))
    return top / bottom if bottom else None


def test_by_hand() -> None:
    # Pairs of a yes and a no: .9 beats all three, .5 ties one, loses to .7, beats .1; .2 beats only .1.
    assert value("AUC") == pytest.approx((3 + 1.5 + 1) / 9)
    assert value("c@1") == pytest.approx((2 + 2 / 6 * 2) / 6)
    assert value("F1") == pytest.approx(2 / (2 + 1 + 1))
    assert value("F0.5u") == pytest.approx(1.25 / (1.25 + 0.25 * (1 + 2) + 1))
    # The older rule: both at 0.5 are called yes, so tp 2, fp 2, fn 1, and nothing is unanswered.
    assert value("F0.5u(half=positive)") == pytest.approx(2.5 / (2.5 + 0.25 + 2))
    assert value("1-Brier") == pytest.approx(1 - (0.01 + 0.25 + 0.64 + 0.49 + 0.25 + 0.01) / 6)


def test_overall_is_the_mean_of_its_parts() -> None:
    parts = [value(name) for name in ("AUC", "c@1", "F1", "F0.5u")]
    assert value("overall") == pytest.approx((sum(parts) + value("1-Brier")) / 5)
    assert value("overall(brier=no)") == pytest.approx(sum(parts) / 4)
    older = sum(parts) - value("F0.5u") + value("F0.5u(half=positive)")
    assert value("overall(2020)") == pytest.approx(older / 4)
    assert value("overall(2014)") == pytest.approx(value("AUC") * value("c@1"))
    assert find("AUC*c@1", "outcomes") == find("overall(2014)", "outcomes")


def test_without_truth_nothing_is_defined() -> None:
    assert find("AUC", "outcomes")([None, None], [None, None]) is None
    assert find("1-Brier", "outcomes")([None], [None]) is None
    assert find("AUC", "outcomes")([1, 1], [0.4, 0.6]) is None
    assert find("F0.5u", "outcomes")(5, 0, 0, 0, 0, 0) == (0, 0)
