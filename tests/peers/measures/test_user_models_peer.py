"""The measures of C/W/L, and what their readers expect, against cwl-eval and ir_measures, which asks it.

cwl-eval has two numbers of its own: it says 0 for what readers gain and spend in all where none of them stops (here that is
undefined), and its dynamic BPM leaves the patience as it was, whatever `hc` says.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.measures.views.ranked import RankedView
from peers import peer

pytestmark = pytest.mark.peer

ruler = peer("cwl.ruler.cwl_ruler")
rankings = peer("cwl.ruler.ranking")
ir_measures = peer("ir_measures")
nan = float("nan")

MODELS = {
    "P@1": lambda: ruler.PrecisionCWLMetric(1),
    "P@7": lambda: ruler.PrecisionCWLMetric(7),
    "RR": ruler.RRCWLMetric,
    "AP": ruler.APCWLMetric,
    "RBP(p=0.8)": lambda: ruler.RBPCWLMetric(0.8),
    "RBP(p=0.99)": lambda: ruler.RBPCWLMetric(0.99),
    "SDCG@5": lambda: ruler.NDCGCWLMetric(5),
    "INST(T=1)": lambda: ruler.INSTCWLMetric(1.0),
    "INST(T=2.5)": lambda: ruler.INSTCWLMetric(2.5),
    "INSQ(T=3)": lambda: ruler.INSQCWLMetric(3.0),
    "BPM(T=2)@9": lambda: ruler.BPMCWLMetric(2.0, 9),
    "BPMD(T=2,hb=0.5,hc=0)@9": lambda: ruler.BPMDCWLMetric(2.0, 9, 0.5, 1.0, 0.5),
    "TBG(halflife=22)": lambda: ruler.TBGCWLMetric(22),
    "UMeasure(L=40)": lambda: ruler.UMeasureCWLMetric(40),
    "NERR8@6": lambda: ruler.NERReq8CWLMetric(6),
    "NERR9@6": lambda: ruler.NERReq9CWLMetric(6),
    "NERR10(p=0.7)": lambda: ruler.NERReq10CWLMetric(0.7),
    "NERR11(T=2)": lambda: ruler.NERReq11CWLMetric(2.0),
    "IFT-C1(T=2,b1=0.9,R1=1)": lambda: ruler.IFTGoalCWLMetric(2.0, 0.9, 1.0),
    "IFT-C2(A=0.2,b2=0.9,R2=10)": lambda: ruler.IFTRateCWLMetric(0.2, 0.9, 10.0),
    "IFT-C1-C2(T=2,b1=0.9,R1=1,A=0.2,b2=0.9,R2=10)": lambda: ruler.IFTGoalRateCWLMetric(2.0, 0.9, 1.0, 0.2, 0.9, 10.0),
}
COSTS = {0: 2.0, 1: 3.5, 2: 5.0, 3: 1.0}


def theirs(metric, grades, highest: int, depth: int, costs=None):
    """cwl-eval's five numbers, and the residual of the first."""
    gains = [nan if grade is None or grade < 0 else min(grade, highest) / highest for grade in grades]
    paid = [1.0 if costs is None else costs[max(grade or 0, 0)] for grade in grades]
    rest = 1.0 if costs is None else costs[0]
    metric.residuals = True
    metric.measure(rankings.Ranking("q", gains, paid, max_cost=rest, min_cost=rest, max_n=depth))
    return metric.get_scores(), metric.residual_expected_utility


def model_of(name: str, highest: int) -> str:
    """The same measure, with the highest grade of the scale where it has one."""
    base, at, cut = name.rpartition("@") if "@" in name else (name, "", "")
    if base in ("P", "RR", "AP") or base.startswith("RBP"):
        return name
    inside = f"max_rel={highest}"
    return (base[:-1] + f",{inside})" if base.endswith(")") else f"{base}({inside})") + at + cut


def assert_agree(grades, highest: int, depth: int, costs=None) -> None:
    view = RankedView.of(grades)
    written = f"depth={depth}" + ("" if costs is None else ",costs=" + ",".join(f"{g}:{c}" for g, c in costs.items()))
    # A binary measure has no scale: its gains are given as cwl-eval's own are.
    gains = ",gains=" + ",".join(f"{grade}:{min(grade, highest) / highest}" for grade in range(4))
    for name, make in MODELS.items():
        model = model_of(name, highest)
        scale = gains if model == name else ""
        (utility, total, cost, total_cost, read), residual = theirs(make(), grades, highest, depth, costs)
        found = [
            assay.measure(f"{quantity}({model},{written}{scale})")(view)
            for quantity in ("EU", "ETU", "EC", "ETC", "ED", "ResEU", "EUMax")
        ]
        if found[1] is None:
            assert (total, total_cost) == (0.0, 0.0)
            found[1] = found[3] = 0.0
        expected = [utility, total, cost, total_cost, read, residual, utility + residual]
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9), (name, grades)


graded = st.lists(st.sampled_from([None, -1, 0, 0, 0, 1, 2, 3]), min_size=1, max_size=30)


@settings(max_examples=60, deadline=None)
@given(graded, st.sampled_from([1, 3]), st.sampled_from([12, 60]))
def test_what_readers_expect(grades, highest, depth) -> None:
    assert_agree(grades, highest, depth)


@settings(max_examples=40, deadline=None)
@given(graded)
def test_what_readers_expect_where_documents_cost_differently(grades) -> None:
    assert_agree(grades, 3, 40, COSTS)


@pytest.fixture
def on_real_data(shared_data):
    """The small judgments and run that ir_measures tests its provider with, by topic."""
    folder = shared_data("ir_oracles", "cwl.qrels").parent
    qrels = list(ir_measures.read_trec_qrels(str(folder / "cwl.qrels")))
    run = list(ir_measures.read_trec_run(str(folder / "cwl.run")))
    return qrels, run, folder


def test_every_model_on_its_rankings(on_real_data) -> None:
    qrels, run, _ = on_real_data
    judged = {(qrel.query_id, qrel.doc_id): qrel.relevance for qrel in qrels}
    for topic in ("T1", "T2", "T3"):
        ranking = [judged.get((topic, document.doc_id)) for document in run if document.query_id == topic]
        assert len(ranking) == 10
        assert_agree(ranking, 1, 1000)
        assert_agree(ranking, 1, 10, {0: 2.0, 1: 3.5})


def test_through_ir_measures_on_its_own_data(on_real_data) -> None:
    qrels, run, folder = on_real_data
    names = [
        "SDCG(max_rel=1)@10", "BPM(max_rel=1)@10", "BPM(T=2.0,max_rel=1)@5", "INSQ(max_rel=1)", "INST(T=2.0,max_rel=1)",
        "NERR8(max_rel=1)@5", "NERR9(max_rel=1)@5", "NERR10(p=0.8,max_rel=1)", "NERR11(T=2.0,max_rel=1)",
    ]  # fmt: skip
    wanted = [ir_measures.parse_measure(name) for name in names]
    scores = assay.evaluate(folder / "cwl.qrels", folder / "cwl.run", names)
    found = list(ir_measures.cwl_eval.evaluator(wanted, qrels).iter_calc(run))
    assert len(found) == 27
    for metric in found:
        name = names[wanted.index(metric.measure)]
        assert scores[name, "R1"][metric.query_id] == pytest.approx(metric.value, rel=1e-9), metric


def test_under_ir_measures(on_real_data) -> None:
    from assay.integrations import ir_measures as under

    qrels, run, _ = on_real_data
    names = [
        "SDCG(max_rel=1)@10",
        "BPM(T=2.0,max_rel=1)@5",
        "INST(T=2.0,max_rel=1)",
        "INSQ(max_rel=2)",
        "NERR9(max_rel=2)@5",
    ]
    for measure in (*map(ir_measures.parse_measure, names), ir_measures.Compat(p=0.8)):
        assert under.PROVIDER.supports(measure)
        expected = measure.calc_aggregate(qrels, run)
        assert under.PROVIDER.calc_aggregate([measure], qrels, run)[measure] == pytest.approx(expected, rel=1e-12)


def test_the_quantities_on_ir_measures_own_data(on_real_data) -> None:
    qrels, run, folder = on_real_data
    name = "INST(T=2.0,max_rel=1)"
    quantities = [f"{q}({name})" for q in ("EU", "ETU", "EC", "ETC", "ED")]
    scores = assay.evaluate(folder / "cwl.qrels", folder / "cwl.run", quantities)
    for metric in ir_measures.cwl_eval.evaluator([ir_measures.parse_measure(name)], qrels).iter_calc(run):
        found = [scores[q, "R1"][metric.query_id] for q in quantities]
        expected = [
            metric.value, metric.expected_total_utility, metric.expected_cost, metric.expected_total_cost,
            metric.expected_items,
        ]  # fmt: skip
        assert found == pytest.approx(expected, rel=1e-9)
