"""Declaring a measure, writing it, and finding it again within a task."""

from __future__ import annotations

import pytest

import assay
from assay.measures import (
    AP,
    CWS,
    RBP,
    RR,
    IPrec,
    IPrecAvg,
    P,
    Q,
    Success,
    U,
    c_at_1,
    confidence_target,
    declare,
    define,
    nDCG,
)
from assay.measures.declare import TASKS, find, resolve, value
from assay.measures.parameters import positive
from assay.measures.view import RankedView


def test_a_keyword_only_parameter_keeps_its_default(registry) -> None:
    @define.topic("Deep", parameters={"cut": positive, "depth": positive}, cite="this test")
    def deep(view, cut, *, depth=3):
        return cut * depth

    assert find("Deep@2").declaration.defaults == {"depth": 3}
    assert find("Deep@2")(None) == 6
    assert find("Deep(depth=5)@2")(None) == 10
    with pytest.raises(assay.UsageError, match="cut must be given"):
        find("Deep")


def test_three_levels(registry) -> None:
    @define.topic("Last", cite="this test")
    def last(view):
        return max(view.relevant(), default=0)

    @define.sums("half", task="outcomes", of=("correct",), cite="this test")
    def half(n, correct):
        return correct, 2 * n

    @define.whole("spread", task="outcomes", of=("confidence",), cite="this test")
    def spread(confidence):
        return max(confidence) - min(confidence)

    assert [find(name).level for name in ("Last", "half", "spread")] == ["topic", "sums", "whole"]
    assert find("Last")(RankedView.of([1, 0, 1])) == 3
    assert find("half")(4, 2) == (2, 8)
    assert find("spread")([0.25, 0.75]) == 0.5
    assert value("half") == find("half")


def test_a_name_belongs_to_one_measure_of_a_task(registry) -> None:
    with pytest.raises(assay.UsageError, match="'map' is taken by AP"):
        define.topic("Mine", aliases=("map",), cite="this test")(lambda view: 0.0)


def test_every_keyword_of_a_declaration_is_documented() -> None:
    import inspect

    for level in (define.topic, define.sums, define.whole):
        for name in inspect.signature(level).parameters:
            assert f" {name}" in (level.__doc__ or ""), name


def test_a_value_means_the_measure_of_the_task_it_is_used_in() -> None:
    assert resolve(RR, "ranked") is RR
    assert resolve(RR, "qa") == find("RR", "qa") != find("RR", "ranked")
    assert resolve(RR @ 3, "known-item") == find("RR@3", "known-item")
    assert resolve("RR", "qa") == find("RR", "qa")
    assert resolve(Success @ 2, "known-item").declaration.task == "known-item"
    with pytest.raises(assay.UsageError, match="unknown measure 'P@5' for the task 'outcomes'"):
        resolve(P @ 5, "outcomes")


def test_declarations_stand_in_the_order_of_the_tasks(monkeypatch) -> None:
    """Whichever module happened to be imported first."""
    expected = [(d.task, d.name) for d in declare.declarations()]
    monkeypatch.setattr(declare, "_declared", dict(reversed(declare._declared.items())))
    assert [(d.task, d.name) for d in declare.declarations()] == expected
    assert list(dict.fromkeys(task for task, _ in expected)) == list(TASKS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("APP", "did you mean AP"),
        ("P", "cut must be given, as in P@10"),
        ("P@0", "at least 1"),
        ("P@x", "at least 1"),
        ("P(k=3)@5", "has no parameter 'k'; it has cut, rel"),
        ("P(2,3)@5", "at most 1 values"),
        ("nDCG(gains=3)@5", "grade:gain"),
        ("nDCG(dcg=x)", "expected one of log2, exp-log2"),
        ("RBP(p=1.5)", "from 0 to 1"),
        ("Utility(hit=inf)", "between -1e9 and 1e9"),
        ("SetF(beta=1e200)", "between -1e9 and 1e9"),
        ("Utility(hit=nan)", "between -1e9 and 1e9"),
        ("P(rel=x)@5", "whole number"),
        ("P(rel=1_0)@5", "whole number"),
        ("P(cut=5)@10", "cut is given twice"),
        ("P(rel=2,rel=3)@5", "rel is given twice"),
        ("nDCG(gains=1:1,1:2)", "grade 1 is given twice"),
        ("ERR(max=2000)", "from 1 to 1000"),
        ("AP(judged_only=2)", "judged_only=2: expected true or false"),
        ("AP'(judged_only=true)", "the prime says judged_only already"),
        ("accuracy(judged_only=true)", "has no parameter 'judged_only'"),
        ("c@1'", "unknown measure"),
    ],
)
def test_names_that_mean_nothing_are_explained(text, message) -> None:
    with pytest.raises(assay.UsageError) as caught:
        assay.measure(text)
    assert message in str(caught.value)


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


def test_an_example_of_a_parameter_is_one_that_is_taken() -> None:
    """Red before: `coverage_at_risk` was to be written with @10, and its risk is a share."""
    for name, task in (("P", "ranked"), ("coverage_at_risk", "outcomes")):
        with pytest.raises(assay.UsageError) as refused:
            find(name, task)
        assert find(str(refused.value).rpartition("as in ")[2], task)


def test_a_prime_is_the_measure_of_the_condensed_list() -> None:
    view = RankedView.of([None, 1, -1, 0, 1])
    assert assay.measure("AP'")(view) == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert assay.measure("P'@2")(view) == 1 / 2
    assert assay.measure("AP'") != assay.measure("AP")
    assert AP(judged_only=True)(view) == assay.measure("AP'")(view)
