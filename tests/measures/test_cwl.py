"""The measures of C/W/L by hand; against cwl-eval in tests/peers/measures."""

from __future__ import annotations

from math import log2

import pytest

import assay
from assay.errors import UsageError
from assay.measures.views.ranked import RankedView


def value(name: str, ranking, unretrieved=(), level: int = 1) -> float:
    return assay.measure(name)(RankedView.of(ranking, unretrieved, level=level))


SQUARES = sum(1 / r**2 for r in range(1, 1001))


def test_inst_and_insq() -> None:
    """Found at once, INST's reader sees rank r with 1/r²; INSQ's with 4/(r + 1)², whatever is found."""
    assert value("INST", [1]) == pytest.approx(1 / SQUARES)
    later = sum(4 / (r + 1) ** 2 for r in range(1, 1001))
    assert value("INSQ", [1]) == value("INSQ(T=1)", [1]) == pytest.approx(1 / later)
    # Not found at rank 1: on with (2/3)²; found at rank 2, on with (2/3)², (3/4)², …: rank r ≥ 2 is seen with 16/(9·r²).
    assert value("INST", [0, 1]) == pytest.approx((4 / 9) / (1 + 16 / 9 * (SQUARES - 1)))


def test_grades_count_where_the_scale_is_given() -> None:
    # Half of what is wanted at rank 1: 1 + T + T(1) = 2.5, on with (1.5/2.5)²; then (2.5/3.5)² …: rank r is seen with (1.5/(r + .5))².
    seen = sum((1.5 / (r + 0.5)) ** 2 for r in range(1, 1001))
    assert value("INST(max_rel=2)", [1]) == pytest.approx(0.5 / seen)
    assert value("INST(max_rel=2)", [3]) == value("INST", [3]) == value("INST", [1])
    assert value("INST", [1], level=2) == 0.0


def test_bpm() -> None:
    assert value("BPM(T=2)@10", [0, 1, 1, 1]) == pytest.approx(2 / 3)
    assert value("BPM(T=2)@2", [0, 1, 1, 1]) == 0.5
    # 1 at rank 1: the goal of 1 is reached at once. Nothing at rank 1: the goal falls to .5 and patience to 1.5, spent at rank 2.
    assert value("BPMD@2", [1, 0]) == 1.0
    assert value("BPMD@2", [0, 1, 1]) == 0.5
    # Patience alone changes: 4, 3 after nothing at rank 1, 2 after rank 2, spent at rank 3 or, with 2 left, at rank 2.
    assert value("BPMD(T=9,hb=0,hc=2)@4", [0, 0, 0, 1]) == 0.0
    assert value("BPMD(T=9,hb=0,hc=2)@3", [1, 1, 0, 1, 1]) == pytest.approx(3 / 4)


def test_scaled_dcg_does_not_ask_how_many_are_relevant() -> None:
    expected = (1 + 1 / log2(4)) / (1 + 1 / log2(3) + 1 / log2(4))
    assert value("SDCG@3", [1, 0, 1, 1]) == pytest.approx(expected)
    assert value("SDCG@3", [1, 0, 1, 1], [1, 1, 1]) == pytest.approx(expected)


def test_time_and_text() -> None:
    assert value("TBG(halflife=2)", [0, 0, 1]) == pytest.approx(0.5 * (1 - 2**-0.5))
    assert (
        value("UMeasure(L=4)", [0, 1, 1])
        == value("U-measure(L=4)", [0, 1, 1])
        == pytest.approx((3 + 2) / (4 + 3 + 2 + 1))
    )


def test_nearly_err() -> None:
    # Gains .5 and 1 at ranks 1 and 3; seen: 1, .5, .5; 1, .25, .25·(2/3); 1, .4, .4·.8, 0.
    ranking = [1, 0, 2, 2]
    assert value("NERR8(max_rel=2)@3", ranking) == pytest.approx((0.5 + 0.5) / 2)
    assert value("NERR9(max_rel=2)@3", ranking) == pytest.approx((0.5 + 1 / 6) / (1.25 + 1 / 6))
    assert value("NERR9@2", [0, 0, 1]) == value("NERR8@2", [0, 0, 1]) == 0.0  # rank 3 is not read
    assert value("NERR9@3", [0, 0, 1]) == pytest.approx((1 / 3) / (1 + 1 / 2 + 1 / 3))
    assert value("NERR10(p=0.8,max_rel=2)", ranking) == pytest.approx((0.5 + 0.32) / 1.72)
    assert value("NERR11(max_rel=2)", ranking) == pytest.approx((0.5 + 1 / 8) / (1 + 2 / 9 + 1 / 8))


def test_foraging() -> None:
    """A sharp goal (R1 large) stops where it is reached; a sharp rate goes on while it is met."""
    assert value("IFT-C1(T=1.5,b1=1,R1=900)", [0, 1, 1, 0]) == pytest.approx(2 / 3)
    assert value("IFT-C2(A=0.9,b2=1,R2=900)", [1, 1, 0, 1]) == pytest.approx(2 / 3)
    assert value("IFT-C1-C2(T=1.5,b1=1,R1=900,A=0.9,b2=1,R2=900)", [1, 0, 1]) == pytest.approx(1 / 2)


NAMES = ["INST", "INSQ", "BPM@5", "BPMD@5", "SDCG@5", "TBG", "UMeasure", "NERR8@5", "NERR9@5", "NERR10", "NERR11"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_found_is_worth_nothing(name: str) -> None:
    assert value(name, [0, None], [1]) == value(name, [], []) == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_a_list_of_the_best_is_worth_1(name: str) -> None:
    assert value(name, [1] * 1000) == pytest.approx(1.0)


def test_what_makes_no_sense_is_refused() -> None:
    for name in ("INST(T=0)", "TBG(halflife=-1)", "UMeasure(L=0)"):
        with pytest.raises(UsageError, match="above 0"):
            assay.measure(name)
    with pytest.raises(UsageError, match="cut must be given"):
        assay.measure("BPM")
