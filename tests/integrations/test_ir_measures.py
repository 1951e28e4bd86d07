"""assay as a provider of ir_measures: names, and values by hand; tests/peers holds them against its own providers."""

from __future__ import annotations

import os
import subprocess
import sys
from math import log2

import pytest

ir_measures = pytest.importorskip("ir_measures")

from ir_measures import (  # noqa: E402, I001
    AP, BPM, ERR, INST, NRBP, P_IA, RBP, RR, SDCG, Compat, Judged, NumRel, P, R, SetF, SetP, StRecall, alpha_nDCG, nDCG,
)  # fmt: skip

from assay.integrations import ir_measures as under  # noqa: E402

QRELS = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 1}}
RUN = {"1": {"a": 1.0, "b": 1.0, "z": 0.5}, "9": {"a": 1.0}}


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        (AP, "AP(rel=1)"),
        (AP(rel=2) @ 10, "AP(rel=2)@10"),
        (nDCG @ 10, "nDCG(dcg=log2)@10"),
        (nDCG(gains={1: 3, 2: 1}), "nDCG(dcg=log2,gains=1:3,2:1)"),
        (SetP(relative=True), "SetRelP(rel=1)"),
        (SetP(relative=False, rel=2), "SetP(rel=2)"),
        (SetF(beta=0.5), "SetF(beta2=0.5,rel=1)"),
        (ir_measures.NumRet, "NumRet"),
        (ir_measures.NumRet(rel=2), "NumRelRet(rel=2)"),
        (ir_measures.IPrec @ 0.3, "IPrec(rel=1)@0.3"),
        (RBP(rel=1, p=0.5) @ 3, "RBP(p=0.5,rel=1)@3"),
        (SDCG(max_rel=3) @ 5, "SDCG(max_rel=3,min_rel=0)@5"),
        (Compat(p=0.8), "Compat(normalize=True,p=0.8)"),
    ],
)
def test_names(measure, name) -> None:
    assert under.written(measure) == name


def test_values_by_hand() -> None:
    # b, a, z: ties by descending id; c is not found
    found = under.PROVIDER.calc_aggregate(
        [AP, RR @ 10, P @ 1, R @ 2, nDCG, NumRel(rel=2), RBP(rel=1, p=0.5)], QRELS, RUN
    )
    assert found == {
        AP: 0.25 / 2, RR @ 10: 0.5 / 2, P @ 1: 0.0, R @ 2: 0.5 / 2, NumRel(rel=2): 1,
        nDCG: (1 / log2(3)) / (2 + 1 / log2(3)) / 2, RBP(rel=1, p=0.5): 0.25 / 2,
    }  # fmt: skip


def test_topic_by_topic_and_judged_only() -> None:
    judged_only, run = P(judged_only=True) @ 1, {"1": {"z": 2.0, "a": 1.0}}
    found = {
        (m.query_id, m.measure): m.value for m in under.PROVIDER.iter_calc([judged_only, P @ 1, Judged @ 3], QRELS, run)
    }
    assert found == {
        ("1", judged_only): 1.0, ("1", P @ 1): 0.0, ("1", Judged @ 3): 0.5,
        ("2", judged_only): 0.0, ("2", P @ 1): 0.0, ("2", Judged @ 3): 0.0,
    }  # fmt: skip


def test_what_it_has_and_has_not() -> None:
    for measure in (
        AP @ 10,
        RR(judged_only=True) @ 5,
        nDCG(dcg="exp-log2") @ 10,
        ERR @ 20,
        RBP(rel=1),
        Compat(p=0.9),
        INST(max_rel=1),
    ):
        assert under.PROVIDER.supports(measure)
    for measure in (Judged, RBP):
        assert not under.PROVIDER.supports(measure)


def test_measures_of_readers() -> None:
    """a (half of the highest grade) at rank 1, nothing at 2, c (the highest) at 3: half at once, and 1.5 in three documents."""
    run, judged = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"1": QRELS["1"]}
    scaled, player, close = SDCG(max_rel=2) @ 3, BPM(T=1.0, max_rel=2) @ 9, Compat(p=0.5)
    found = under.PROVIDER.calc_aggregate([scaled, player, close], judged, run)
    assert found[scaled] == pytest.approx((1 / 2 + 1 / log2(4)) / (1 + 1 / log2(3) + 1 / log2(4)))
    assert found[player] == pytest.approx(1.5 / 3)
    # The ideal is c, a: shared 0 of 1, 1 of 2, 2 of 3, where 1, 2 and 2 could be.
    assert found[close] == pytest.approx((0.5 / 2 + 0.25 * 2 / 3) / (1 + 0.5 + 0.25 * 2 / 3))


def test_diversity() -> None:
    """a serves subtopic x, c serves y: a alone at rank 1 finds one of two; several choices at once are each its own."""
    rows = [("1", "a", 1, "x"), ("1", "a", 0, "y"), ("1", "c", 2, "y"), ("2", "a", 0, "x")]
    qrels = [ir_measures.Qrel(*row) for row in rows]
    run = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 1.0}, "9": {"a": 1.0}}
    first, third, novel = StRecall @ 1, P_IA(rel=2) @ 3, NRBP(alpha=0.5, beta=0.5)
    patient, strict, short = NRBP(alpha=0.5, beta=1.0), P_IA @ 3, alpha_nDCG(judged_only=True) @ 2
    asked = [first, third, novel, patient, strict, short, AP]
    found = {(one.query_id, one.measure): one.value for one in under.PROVIDER.iter_calc(asked, qrels, run)}
    assert {query for query, _ in found} == {"1", "2"}
    assert [found["1", measure] for measure in asked] == pytest.approx(
        [
            1 / 2,
            1 / 3,
            0.75 * (1 + 1 / 4) / 2,
            0.5 * 2 / 2,
            1 / 3,
            1.0,
            1 / 3,
        ]  # to AP a's last judgment counts, as there
    )
    assert found["2", first] == 0.0
    assert list(under.PROVIDER.iter_calc([first], qrels, {"9": {"a": 1.0}})) == [
        ir_measures.Metric(query, first, 0) for query in ("1", "2")
    ]


def test_the_default_pipeline_asks_it_on_request() -> None:
    before = list(ir_measures.DefaultPipeline.providers)
    under.install()
    under.install()
    try:
        assert ir_measures.DefaultPipeline.providers.count(under.PROVIDER) == 1
        assert ir_measures.DefaultPipeline.providers[:2] == [ir_measures.runtime, under.PROVIDER]
        assert isinstance(ir_measures.evaluator([AP, RR @ 10], QRELS), under.AssayEvaluator)
        assert ir_measures.providers.registry["assay"] is under.PROVIDER
    finally:
        under.uninstall()
    assert ir_measures.DefaultPipeline.providers == before
    assert "assay" not in ir_measures.providers.registry


def test_a_run_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="topic '1', document 'a': the score is NaN"):
        list(under.PROVIDER.iter_calc([AP], QRELS, {"1": {"a": float("nan")}}))
    with pytest.raises(TypeError, match="which is no text"):
        list(under.PROVIDER.iter_calc([AP], {"1": {3: 1}}, RUN))


def test_a_test_for_an_experiment() -> None:
    better, worse = [0.2, 0.4, 0.6, 0.8, 1.0, 0.5], [0.1, 0.3, 0.5, 0.7, 0.9, 0.4]
    assert under.paired_test("sign")(better, worse)[1] == 2 / 2**6
    assert under.paired_test()(worse, better) == (pytest.approx(-0.1), 2 / 2**6)
    difference, p = under.paired_test("t")([1.0] * 6, [0.5] * 6)
    assert difference == 0.5
    assert p != p, "differences without variance have no t"


def test_the_order_of_measures_is_the_same_in_every_process() -> None:
    """PyTerrier's columns stand in the order in which measures come out, and ir_measures hands over a set."""
    code = f"""
import sys; sys.path[:0] = {sys.path!r}
import ir_measures
from ir_measures import AP, P, R, RR, nDCG, alpha_nDCG, ERR_IA
from assay.integrations import ir_measures as under
under.install()
for asked in ([nDCG @ 10, RR, P @ 5, AP, R @ 5, P @ 10], [ERR_IA @ 5, alpha_nDCG @ 5, AP, RR]):
    print(*dict.fromkeys(str(m.measure) for m in ir_measures.iter_calc(asked, {QRELS!r}, {RUN!r})))
print(*(m.measure for m in under.PROVIDER.iter_calc([RR, AP], {QRELS!r}, {{"1": {RUN["1"]!r}}}) if m.query_id == "1"))
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "1234"
    }
    assert found == {"AP P@10 P@5 R@5 RR nDCG@10\nERR_IA@5 alpha_nDCG@5 AP RR\nRR AP\n"}, "a list keeps its order"
