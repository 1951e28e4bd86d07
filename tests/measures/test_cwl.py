"""The measures of C/W/L by hand; against cwl-eval in tests/peers/measures."""

from __future__ import annotations

from math import log2

import pytest

import assay
from assay.errors import UsageError
from assay.measures import ED, ETU, INST
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


VIEW = RankedView.of([0, 1, None, 1, 0], unretrieved=[1])


def quantity(name: str, view=VIEW):
    return assay.measure(name)(view)


def test_the_model_is_written_as_the_measure_is() -> None:
    written = assay.measure("ETU(INST(T=2,max_rel=3),depth=50)")
    assert str(written) == "ETU(INST(T=2,max_rel=3),depth=50)"
    assert written.parameters == {"model": INST(T=2, max_rel=3), "depth": 50}
    assert (
        written == ETU(model=INST(T=2, max_rel=3), depth=50) == assay.measure("ETU(depth=50,model=INST(max_rel=3,T=2))")
    )
    assert assay.measure("EC(BPM(T=2)@10,costs=0:1,1:3)").parameters["costs"] == {0: 1, 1: 3}
    assert assay.measure("ED(P@10)") == ED(model=assay.measure("P@10"))
    assert assay.measure("EU") == assay.measure("EU")
    assert quantity("EU") == quantity("EU(INST)") == quantity("INST")


def test_expected_utility_is_the_measure_itself() -> None:
    for name in ("P@3", "RR", "INST(T=2)", "SDCG@4", "BPM(T=2)@9", "NERR9@4", "TBG"):
        assert quantity(f"EU({name})") == pytest.approx(quantity(name)), name
    assert quantity("EU(RBP(p=0.7))") == pytest.approx(quantity("RBP(p=0.7)"))
    # AP divides by what is relevant, its readers by what they find: (1/2 + 2/4)/3 and (1/2 + 2/4)/2.
    assert quantity("AP") == pytest.approx(1 / 3)
    assert quantity("EU(AP)") == pytest.approx(1 / 2)


def test_readers_of_p_at_k() -> None:
    names = [f"{letters}(P@4)" for letters in ("EU", "ETU", "EC", "ETC", "ED")]
    assert [quantity(name) for name in names] == [0.5, 2.0, 1.0, 4.0, 4.0]


def test_costs_by_grade() -> None:
    assert quantity("ETC(P@4,costs=0:2,1:10)") == 2 + 10 + 2 + 10
    assert quantity("EC(P@4,costs=0:2,1:10)") == 6.0
    # A player with 12 to spend has spent them at rank 2.
    assert quantity("ED(BPM(T=9)@12,costs=0:2,1:10)") == 2.0


def test_of_the_condensed_list() -> None:
    """Without the document that nobody judged, rank 4 is rank 3."""
    assert quantity("ETU'(P@3)") == quantity("ETU(P@3,judged_only=true)") == 2.0
    assert quantity("ETU(P@3)") == 1.0


def test_relevance_from_a_grade_on() -> None:
    graded = RankedView.of([1, 0, 2])
    assert quantity("ED(RR(rel=2))", graded) == 3.0
    assert quantity("ED(RR)", graded) == 1.0
    assert quantity("EU(P@3,gains=1:0.25,2:1)", graded) == pytest.approx(1.25 / 3)


def test_totals_are_undefined_where_nobody_stops() -> None:
    nothing = RankedView.of([0, 0], [1])
    assert quantity("ETU(RR)", nothing) is None
    assert quantity("ETC(RR)", nothing) is None
    assert (quantity("ED(RR)", nothing), quantity("EU(RR)", nothing)) == (1000.0, 0.0)


def test_the_residual_is_what_the_unjudged_could_add() -> None:
    view = RankedView.of([1, None, 0])
    # (1 - p)·p for the second rank, and p³ for all that comes after the list.
    assert quantity("ResEU(RBP(p=0.8))", view) == pytest.approx(0.2 * 0.8 + 0.8**3)
    assert quantity("ResEU(RBP(p=0.8))", view) == pytest.approx(quantity("RBPResid(p=0.8)", view))
    assert quantity("ResEU(P@3)", view) == pytest.approx(1 / 3)
    assert quantity("ResEU(P@3)", RankedView.of([1, 0, 1])) == 0.0
    # Were rank 1 relevant, the player would stop there: 1/1 in place of 1/2.
    assert quantity("ResEU(BPM(T=1)@9)", RankedView.of([None, 1])) == pytest.approx(1 - 1 / 2)


def test_the_interval_has_two_ends() -> None:
    """Judgments of what nobody judged, whatever they say, leave RBP between them."""
    low, high = (quantity(f"{end}(RBP(p=0.8))", RankedView.of([1, None, 0])) for end in ("EU", "EUMax"))
    assert (low, high) == pytest.approx((0.2, 0.2 + 0.2 * 0.8 + 0.8**3))
    for grade in (0, 1):
        assert low - 1e-12 <= quantity("RBP(p=0.8)", RankedView.of([1, grade, 0])) <= high


def test_more_to_find_may_be_worse() -> None:
    """AP's readers stop at rank 1 where nothing else is found; they would go on for what stands after a bad second rank."""
    assert quantity("EU(AP)", RankedView.of([1, 0, None])) == 1.0
    assert -0.01 < quantity("ResEU(AP)", RankedView.of([1, 0, None])) < 0


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("ETU(nDCG@10)", "nDCG has no user model here; expected one of P, RR"),
        ("ETU(RBP(p=0.8)@10)", "the user model of RBP has no cut"),
        ("ETU(INST(X=2))", "INST has no parameter 'X'"),
        ("ETU(P)", "cut must be given"),
        ("ETU(P'@3)", "as in ETU'(INST)"),
        ("EC(P@10,costs=0:0)", "costs above 0"),
        ("ETU(INST(T=2),INST(T=3),4,5,6)", "takes at most 4 values"),
    ],
)
def test_what_cannot_be_read_is_refused(name: str, problem: str) -> None:
    with pytest.raises(UsageError) as refused:
        assay.measure(name)
    assert problem in str(refused.value)
