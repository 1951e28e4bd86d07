"""Hits, their F1 and pairs in the right order, by hand; tests/peers/measures holds them against ranx and ir_measures."""

from __future__ import annotations

import pytest

import assay
from assay.measures.first_ranks import f1, hits, pair_accuracy
from assay.measures.views.ranked import RankedView

VIEW = RankedView.of([2, 0, None, 1, 1], unretrieved=[1])


@pytest.mark.parametrize(
    ("cut", "rel", "expected"), [(None, None, 3), (1, None, 1), (4, None, 2), (9, None, 3), (9, 2, 1)]
)
def test_hits(cut, rel, expected) -> None:
    assert hits(VIEW, cut=cut, rel=rel) == expected


def test_hits_of_topics_are_averaged() -> None:
    gold, run = {"1": {"a": 1, "b": 1}, "2": {"a": 1}}, {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1.0}}
    found = assay.evaluate(gold, {"r": run}, ["hits@5", "NumRelRet"]).summary()["r"]
    assert (found["hits@5"].value, found["NumRelRet"].value) == (1.0, 2)


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    p, r = 2 / 4, 2 / 4  # two of the first four, of four relevant ones
    assert f1(VIEW, cut=4) == 2 * p * r / (p + r)
    assert f1(VIEW, cut=10) == pytest.approx(2 * 0.3 * 0.75 / (0.3 + 0.75))
    assert f1(VIEW) == pytest.approx(2 * 0.6 * 0.75 / (0.6 + 0.75)) == assay.measure("SetF")(VIEW)
    assert f1(VIEW, cut=2, rel=2) == pytest.approx(2 * 0.5 * 1 / 1.5)
    assert f1(RankedView.of([0], unretrieved=[1]), cut=1) == 0.0
    assert f1(RankedView.of([0, None]), cut=1) is None


def test_pair_accuracy() -> None:
    # relevant at 1, 4, 5; others at 2, 3: of 6 pairs the first document wins 2, the others none
    assert pair_accuracy(VIEW) == pytest.approx(2 / 6)
    assert pair_accuracy(VIEW, cut=4) == pytest.approx(2 / 4)
    assert pair_accuracy(VIEW, rel=2) == 1.0
    assert pair_accuracy(VIEW, cut=1) is None
    assert pair_accuracy(RankedView.of([0, None], unretrieved=[1])) is None
