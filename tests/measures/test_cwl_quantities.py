"""What readers expect, as measures: names, parameters and values by hand; against cwl-eval in tests/peers/measures."""

from __future__ import annotations

import pytest

import assay
from assay.errors import UsageError
from assay.measures import ED, ETU, INST
from assay.measures.views.ranked import RankedView

VIEW = RankedView.of([0, 1, None, 1, 0], unretrieved=[1])


def value(name: str, view=VIEW):
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
    assert value("EU") == value("EU(INST)") == value("INST")


def test_expected_utility_is_the_measure_itself() -> None:
    for name in ("P@3", "RR", "INST(T=2)", "SDCG@4", "BPM(T=2)@9", "NERR9@4", "TBG"):
        assert value(f"EU({name})") == pytest.approx(value(name)), name
    assert value("EU(RBP(p=0.7))") == pytest.approx(value("RBP(p=0.7)"))
    # AP divides by what is relevant, its readers by what they find: (1/2 + 2/4)/3 and (1/2 + 2/4)/2.
    assert value("AP") == pytest.approx(1 / 3)
    assert value("EU(AP)") == pytest.approx(1 / 2)


def test_readers_of_p_at_k() -> None:
    names = [f"{quantity}(P@4)" for quantity in ("EU", "ETU", "EC", "ETC", "ED")]
    assert [value(name) for name in names] == [0.5, 2.0, 1.0, 4.0, 4.0]


def test_costs_by_grade() -> None:
    assert value("ETC(P@4,costs=0:2,1:10)") == 2 + 10 + 2 + 10
    assert value("EC(P@4,costs=0:2,1:10)") == 6.0
    # A player with 12 to spend has spent them at rank 2.
    assert value("ED(BPM(T=9)@12,costs=0:2,1:10)") == 2.0


def test_of_the_condensed_list() -> None:
    """Without the document that nobody judged, rank 4 is rank 3."""
    assert value("ETU'(P@3)") == value("ETU(P@3,judged_only=true)") == 2.0
    assert value("ETU(P@3)") == 1.0


def test_relevance_from_a_grade_on() -> None:
    graded = RankedView.of([1, 0, 2])
    assert value("ED(RR(rel=2))", graded) == 3.0
    assert value("ED(RR)", graded) == 1.0
    assert value("EU(P@3,gains=1:0.25,2:1)", graded) == pytest.approx(1.25 / 3)


def test_totals_are_undefined_where_nobody_stops() -> None:
    nothing = RankedView.of([0, 0], [1])
    assert value("ETU(RR)", nothing) is None
    assert value("ETC(RR)", nothing) is None
    assert (value("ED(RR)", nothing), value("EU(RR)", nothing)) == (1000.0, 0.0)


def test_the_residual_is_what_the_unjudged_could_add() -> None:
    view = RankedView.of([1, None, 0])
    # (1 - p)·p for the second rank, and p³ for all that comes after the list.
    assert value("ResEU(RBP(p=0.8))", view) == pytest.approx(0.2 * 0.8 + 0.8**3)
    assert value("ResEU(RBP(p=0.8))", view) == pytest.approx(value("RBPResid(p=0.8)", view))
    assert value("ResEU(P@3)", view) == pytest.approx(1 / 3)
    assert value("ResEU(P@3)", RankedView.of([1, 0, 1])) == 0.0
    # Were rank 1 relevant, the player would stop there: 1/1 in place of 1/2.
    assert value("ResEU(BPM(T=1)@9)", RankedView.of([None, 1])) == pytest.approx(1 - 1 / 2)


def test_the_interval_has_two_ends() -> None:
    """Judgments of what nobody judged, whatever they say, leave RBP between them."""
    low, high = (value(f"{end}(RBP(p=0.8))", RankedView.of([1, None, 0])) for end in ("EU", "EUMax"))
    assert (low, high) == pytest.approx((0.2, 0.2 + 0.2 * 0.8 + 0.8**3))
    for grade in (0, 1):
        assert low - 1e-12 <= value("RBP(p=0.8)", RankedView.of([1, grade, 0])) <= high


def test_more_to_find_may_be_worse() -> None:
    """AP's readers stop at rank 1 where nothing else is found; they would go on for what stands after a bad second rank."""
    assert value("EU(AP)", RankedView.of([1, 0, None])) == 1.0
    assert -0.01 < value("ResEU(AP)", RankedView.of([1, 0, None])) < 0


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
