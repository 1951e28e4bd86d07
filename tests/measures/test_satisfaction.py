"""Readers who stop when satisfied, by hand; nERR against pyNTCIREVAL in tests/peers/measures."""

from __future__ import annotations

import pytest

import assay
from assay.errors import UsageError
from assay.measures.views.ranked import RankedView


def value(name: str, ranking, unretrieved=()) -> float | None:
    return assay.measure(name)(RankedView.of(ranking, unretrieved))


def test_undefined_where_nothing_is_worth_anything() -> None:
    assert value("nERR@10", [0, None], [0, -1]) is None
    assert value("nERR(gains=1:0)", [1]) is None
    assert value("nERR@10", [0, None], [1]) == 0.0


def test_nerr_with_the_gains_of_ntcireval() -> None:
    # Grades 1 and 2 of a scale 1:2:3 satisfy with 1/4 and 2/4; 1/4·(1/2) + (1 - 1/4)·(2/4)·(1/3), over 2/4 + (1/2)·(1/4)·(1/2).
    assert value("nERR(gains=1:1,2:2,3:3)", [0, 1, 2]) == pytest.approx((1 / 8 + 1 / 8) / (1 / 2 + 1 / 16))
    assert value("nERR(gains=1:1,2:2,3:3)@2", [0, 1, 2]) == pytest.approx((1 / 8) / (1 / 2 + 1 / 16))


def test_nerr_is_err_over_its_best() -> None:
    view, best = RankedView.of([1, 0, 3], [2]), RankedView.of([3, 2, 1])
    for at in ("", "@2"):
        found, err = assay.measure(f"nERR(max=3){at}"), assay.measure(f"ERR(max=3){at}")
        assert found(view) == pytest.approx(err(view) / err(best))


def test_irbu_is_err_with_another_worth_of_a_rank() -> None:
    # Grade 1 on a scale up to 1 satisfies half: .9²·(1/2) + .9³·(1/4).
    assert value("iRBU(max=1,p=0.9)", [0, 1, 1]) == pytest.approx(0.81 / 2 + 0.729 / 4)
    assert value("iRBU(max=1,p=0.9)@2", [0, 1, 1]) == pytest.approx(0.81 / 2)
    assert value("iRBU(max=1)", [1]) == pytest.approx(0.99 / 2)
    assert value("iRBU", [], [1]) == 0.0


@pytest.mark.parametrize("name", ["nERR", "iRBU"])
def test_a_grade_above_the_scale_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="grade 2, above max=1; write max=2"):
        value(f"{name}(max=1)", [2])
    with pytest.raises(UsageError, match="grade 5, which has no gain"):
        value(f"{name}(gains=1:1,2:3)", [5])
