"""The graded measures of NTCIR, by hand; against pyNTCIREVAL in tests/peers/measures."""

from __future__ import annotations

from math import e, log

import pytest

import assay
from assay.errors import UsageError
from assay.measures.views.ranked import RankedView


def value(name: str, ranking, unretrieved=()) -> float | None:
    return assay.measure(name)(RankedView.of(ranking, unretrieved))


def test_o_measure_looks_at_the_first_relevant_document() -> None:
    assert value("O-measure", [None, 2, 3], [3]) == (1 + 2) / (2 + 6)
    assert value("O(beta=10)", [None, 2, 3], [3]) == (1 + 20) / (2 + 60)
    assert value("O-measure", [0, 0], [1]) == 0.0


def test_p_measure_looks_at_the_best_document_retrieved() -> None:
    ranking, left = [1, 0, 2, 2], [3]  # the best retrieved stands at 3; cumulated ideal gain there is 3 + 2 + 2
    assert value("P-measure", ranking, left) == (2 + 3) / (3 + 7)
    assert value("P-plus", ranking, left) == pytest.approx(((1 + 1) / (1 + 3) + (2 + 3) / (3 + 7)) / 2)
    assert value("P+", [0], left) == value("P-measure", [0], left) == 0.0


def test_the_best_is_the_highest_grade_whatever_it_gains() -> None:
    """With flat gains the first relevant document is worth as much, and is still not the one preferred."""
    assert value("P-measure(gains=1:1,2:1)", [1, 0, 2]) == (2 + 2) / (3 + 2)


def test_ncu_is_ap_and_q_where_everybody_stops_alike() -> None:
    ranking, left = [0, 1, 3, None, 2], [1, 2]
    view = RankedView.of(ranking, left)
    assert value("NCUgu,P(stops=1:1,2:1,3:1)", ranking, left) == pytest.approx(assay.measure("AP")(view))
    assert value("NCUgu,BR(stops=1:1,2:1,3:1)", ranking, left) == pytest.approx(assay.measure("Q")(view))
    assert value("NCUrb,P(gamma=1)", ranking, left) == pytest.approx(assay.measure("AP")(view))
    assert value("NCUrb,BR(gamma=1)", ranking, left) == pytest.approx(assay.measure("Q")(view))


def test_ncu_where_they_do_not() -> None:
    ranking, left = [0, 1, 3], [2]  # precision 1/2 and 2/3; blended (1 + 1)/(2 + 5) and (2 + 4)/(3 + 6)
    assert value("NCUguP", ranking, left) == pytest.approx((1 * 1 / 2 + 3 * 2 / 3) / 6)
    assert value("NCUguP(stops=1:0,2:1,3:1)", ranking, left) == pytest.approx((2 / 3) / 2)
    assert value("NCUguBR", ranking, left) == pytest.approx((1 * 2 / 7 + 3 * 6 / 9) / 6)
    assert value("NCUrbP(gamma=0.5)", ranking, left) == pytest.approx((1 / 2 + 0.5 * 2 / 3) / 1.75)
    assert value("NCUrbBR(gamma=0.5)", ranking, left) == pytest.approx((2 / 7 + 0.5 * 6 / 9) / 1.75)


def test_a_better_document_moved_up_may_lower_graded_ncu() -> None:
    """Grades 1 and 2 at ranks 3 and 4: blended (1 + 1)/(3 + 3) and (2 + 3)/(4 + 3); moved, (1 + 2)/(3 + 3) at the first."""
    assert value("NCUguBR", [0, 0, 1, 2]) == pytest.approx((1 * 2 / 6 + 2 * 5 / 7) / 3)
    assert value("NCUguBR", [0, 0, 2, 1]) == pytest.approx((2 * 3 / 6 + 1 * 5 / 7) / 3)
    assert value("NCUguBR", [0, 0, 2, 1]) < value("NCUguBR", [0, 0, 1, 2])


def test_stop_values_that_stop_nobody_leave_it_undefined() -> None:
    assert value("NCUguP(stops=1:0)", [1]) is None
    with pytest.raises(UsageError, match="no stop value below 0"):
        assay.measure("NCUguP(stops=1:-1)")


def test_the_discount_of_2002_begins_at_its_base() -> None:
    ranking = [0, 0, 1, 0, 1]  # with base 4, ranks 1 to 4 are not discounted
    assert value("JKnDCG(logb=4)", ranking) == pytest.approx((1 + 1 / log(5, 4)) / 2)
    assert value("JKnDCG(logb=0)", ranking) == pytest.approx((1 / log(3) + 1 / log(5)) / 2)
    assert value("JKnDCG(logb=4)@4", ranking) == 0.5
    assert assay.measure("JKnDCG(logb=0)").parameters == {"logb": e}
    with pytest.raises(UsageError, match="above 1, or 0 for e"):
        assay.measure("JKnDCG(logb=1)")


NAMES = [
    "O-measure",
    "P-measure",
    "P-plus",
    "NCUgu,P",
    "NCUgu,BR",
    "NCUrb,P",
    "NCUrb,BR",
    "nERR@10",
    "JKnDCG",
    "MSnDCG@10",
]


@pytest.mark.parametrize("name", NAMES)
def test_undefined_where_nothing_is_worth_anything(name: str) -> None:
    assert value(name, [0, None], [0, -1]) is None
    assert value(name, [0, None], [1]) == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_an_ideal_ranking_is_worth_1(name: str) -> None:
    assert value(name, [3, 2, 1, 0]) == pytest.approx(1.0)


def test_msndcg_is_ndcg() -> None:
    assert assay.measure("MSnDCG@0010") == assay.measure("nDCG@10")


def test_undefined_where_nothing_satisfies() -> None:
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
