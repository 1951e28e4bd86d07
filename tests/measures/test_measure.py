"""A measure as a value: written as a name or in Python, and called."""

from __future__ import annotations

import pytest

import assay
from assay.measures import AP, CWS, RBP, IPrec, IPrecAvg, P, Q, U, c_at_1, confidence_target, nDCG
from assay.measures.views.ranked import RankedView


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("nDCG@10", "ndcg_cut_10"), ("AP", "map"), ("AP@20", "map_cut_20"), ("P@5", "P_5"), ("R@1000", "recall_1000"),
        ("IPrec@0.1", "iprec_at_recall_0.10"), ("Success@1", "success_1"), ("RR", "recip_rank"), ("SetF", "set_F"),
        ("P(rel=2)@5", "P( rel = 2 )@5"), ("AP'", "AP(judged_only=true)"), ("nDCG'@10", "nDCG(judged_only=True)@10"),
        ("P'(rel=2)@5", "P(rel=2,judged_only=true)@5"), ("Q′", "Q'"), ("map", "AP(judged_only=false)"),
        ("P(rel=2)@5", "P(2)@5"), ("U(a=3,b=2)", "U(3,2)"), ("nDCG(dcg='exp-log2')@5", "nDCG(dcg=exp-log2)@5"),
    ],
)  # fmt: skip
def test_the_same_measure_under_both_conventions(one, other) -> None:
    assert assay.measure(one) == assay.measure(other)
    assert str(assay.measure(other)) == other


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (AP, "AP"), (nDCG @ 10, "nDCG@10"), (P(rel=2) @ 5, "P(rel=2)@5"), (P(cut=5, rel=2), "P(cut=5,rel=2)"),
        (RBP(p=0.8), "RBP(p=0.8)"), (IPrec @ 0.1, "IPrec@0.1"), (IPrecAvg(levels=(0.25, 0.5)), "IPrecAvg(levels=0.25/0.5)"),
        (Q(gains={1: 1, 2: 1.5, 3: 2}), "Q(gains=1:1,2:1.5,3:2)"), (nDCG(dcg="exp-log2") @ 5, "nDCG(dcg=exp-log2)@5"),
        (c_at_1, "c@1"), (CWS(ties="file"), "CWS(ties=file)"), (confidence_target @ 0.75, "confidence_target@0.75"),
        (U(a=3, b=2), "U(a=3,b=2)"),
    ],
)  # fmt: skip
def test_a_value_is_the_measure_of_its_text(value, text) -> None:
    written = assay.measure(text)
    assert value == written
    assert hash(value) == hash(written)
    assert (str(value), value.name) == (text, text)
    assert repr(value) == repr(written)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda: P @ 0, "at least 1"),
        (lambda: P(k=3), "has no parameter 'k'; it has cut, rel"),
        (lambda: P(cut=5) @ 10, "cut is given twice"),
        (lambda: (P @ 5)(rel=2), "in brackets, once, and then @"),
        (lambda: c_at_1 @ 5, "c@1 has no parameter 'cut'"),
    ],
)
def test_values_that_mean_nothing_are_explained(write, message) -> None:
    with pytest.raises(assay.UsageError) as caught:
        write()
    assert message in str(caught.value)


def test_called_with_a_view_a_value_is_a_number() -> None:
    view = RankedView.of([1, 0, 2])
    assert AP(view) == (1 + 2 / 3) / 2
    assert (P(rel=2) @ 2)(view) == 0.0


GOLD = {"q1": {"a": 1, "b": 0}}
RUNS = {"r": {"q1": {"b": 2.0, "a": 1.0}}}


def test_values_are_taken_wherever_names_are() -> None:
    scores = assay.evaluate(GOLD, RUNS, [AP, P @ 1, "RR"])
    assert [m.name for m in scores.measures] == ["AP", "P@1", "RR"]
    assert scores.mean(AP) == {"r": 0.5}
    assert scores.mean(P @ 1) == {"r": 0.0}


def test_a_value_without_what_it_needs_is_refused_where_it_is_used() -> None:
    with pytest.raises(assay.UsageError, match="cut must be given, as in P@10"):
        assay.evaluate(GOLD, RUNS, [P(rel=2)])


def test_a_prime_is_the_measure_of_the_condensed_list() -> None:
    view = RankedView.of([None, 1, -1, 0, 1])
    assert assay.measure("AP'")(view) == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert assay.measure("P'@2")(view) == 1 / 2
    assert assay.measure("AP'") != assay.measure("AP")
    assert AP(judged_only=True)(view) == assay.measure("AP'")(view)
