"""assay under ir_measures against ir_measures' own providers, and under PyTerrier's experiments.

`make peers` makes an environment with PyTerrier; elsewhere its tests are skipped.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.peer
ir_measures = pytest.importorskip("ir_measures")

from ir_measures import AP, ERR, RBP, RR, Judged, NumRel, P, nDCG  # noqa: E402

from assay.integrations import ir_measures as under  # noqa: E402

WRITTEN = """
AP  AP@10  AP(rel=2)  AP(judged_only=True)@5  P@5  P(rel=2,judged_only=True)@5  P@100  RR  RR@10  RR(rel=2)@3  nDCG  nDCG@10
nDCG(judged_only=True)@5  R@10  R(rel=2)@5  Bpref  Bpref(rel=2)  NumQ  NumRel  NumRet  NumRet(rel=1)  NumRet(rel=2)  SetAP  SetF
SetF(beta=2.0)  SetP  SetP(relative=True)  SetR  Success@3  IPrec@0.3  IPrec@0.1  infAP  Judged@3  Judged@10  Rprec  Rprec(judged_only=True)
"""
MEASURES = [*map(ir_measures.parse_measure, WRITTEN.split()), nDCG(gains={0: 0, 1: 3, 2: 1}) @ 10]
DOCUMENTS = [f"d{i}" for i in range(25)]


@st.composite
def collection(draw: st.DrawFn):
    """Judgments and a run without ties, some topics in one of them only; a document of the highest level in each."""
    topics = [str(i) for i in range(draw(st.integers(1, 4)))]
    judged = st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([0, 0, 1, 1, 2]), max_size=20)
    judgments = {t: {**draw(judged), "missed": 2} for t in topics[: draw(st.integers(1, 4))]}
    order = st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=20, unique=True)
    return judgments, {t: {d: 100.0 - i for i, d in enumerate(draw(order))} for t in topics}


def values(provider, measures, judgments, run) -> dict:
    return {(m.query_id, m.measure): m.value for m in provider.iter_calc(measures, judgments, run)}


def values_of_each(measures, judgments, run) -> dict:
    """What ir_measures says of each measure alone: together, as the order of a set has it, nDCG and NumRet may be computed with
    the gains and the judged documents of another measure."""
    found = [values(ir_measures.DefaultPipeline, [measure], judgments, run) for measure in measures]
    return {key: value for part in found for key, value in part.items()}


@settings(max_examples=60, deadline=None)
@given(collection())
def test_every_measure_topic_by_topic(data) -> None:
    expected = values_of_each(MEASURES, *data)
    found = values(under.PROVIDER, MEASURES, *data)
    # 0/0 is a number nowhere but in pytrec_eval
    assert found == {key: value if value == value else 0.0 for key, value in expected.items()}


@settings(max_examples=50, deadline=None)
@given(collection())
def test_aggregates(data) -> None:
    expected = {measure: measure.calc_aggregate(*data) for measure in MEASURES}
    assert under.PROVIDER.calc_aggregate(MEASURES, *data) == pytest.approx(expected, rel=1e-14)


@settings(max_examples=10, deadline=None)
@given(collection())
def test_gdeval_prints_five_digits_of_the_same(data) -> None:
    if not ir_measures.gdeval.is_available():
        pytest.skip("gdeval needs perl")
    measures = [ERR @ 10, nDCG(dcg="exp-log2") @ 10]
    expected = values(ir_measures.DefaultPipeline, measures, *data)
    assert values(under.PROVIDER, measures, *data) == pytest.approx(expected, abs=6e-6)


def test_rbp_is_that_of_cwl_eval() -> None:
    if not ir_measures.cwl_eval.is_available():
        pytest.skip("needs cwl-eval")
    data = {"1": {"a": 1, "b": 0, "c": 2}}, {"1": {"b": 3.0, "a": 2.0, "c": 1.0}}
    for measure in (RBP(rel=1), RBP(rel=2, p=0.5)):
        expected = ir_measures.cwl_eval.calc_aggregate([measure], *data)[measure]
        assert under.PROVIDER.calc_aggregate([measure], *data)[measure] == pytest.approx(expected, abs=1e-6)


def test_ties_under_a_cutoff_are_where_it_differs_from_itself() -> None:
    """ir_measures asks one provider for RR and another for RR@10, and they break ties in opposite ways."""
    judgments, run = {"1": {"a": 1}}, {"1": {"a": 1.0, "b": 1.0}}
    assert ir_measures.calc_aggregate([RR, RR @ 10], judgments, run) == {RR: 0.5, RR @ 10: 1.0}
    assert under.PROVIDER.calc_aggregate([RR, RR @ 10], judgments, run) == {RR: 0.5, RR @ 10: 0.5}
    assert ir_measures.calc_aggregate([P @ 1, Judged @ 1], judgments, run) == {P @ 1: 0.0, Judged @ 1: 1.0}
    assert under.PROVIDER.calc_aggregate([P @ 1, Judged @ 1], judgments, run) == {P @ 1: 0.0, Judged @ 1: 0.0}


def test_a_level_reaches_every_measure() -> None:
    """ir_measures has no provider for NumRel at a level."""
    assert not ir_measures.DefaultPipeline.supports(NumRel(rel=2))
    assert under.PROVIDER.calc_aggregate([NumRel(rel=2)], {"1": {"a": 1, "b": 2}}, {"1": {"a": 1.0}}) == {
        NumRel(rel=2): 1
    }


@pytest.fixture
def experiment():
    """PyTerrier's `Experiment` on three made-up runs of eight topics; frames need no Java."""
    pt = pytest.importorskip("pyterrier")
    import pandas as pd

    topics = pd.DataFrame([(f"q{i}", f"query {i}") for i in range(8)], columns=["qid", "query"])
    qrels = pd.DataFrame([(f"q{i}", "d1", 1) for i in range(8)], columns=["qid", "docno", "label"])

    def run(places: list[int]):
        rows = [
            (f"q{i}", f"query {i}", "d1" if rank == place else f"x{rank}", rank, 10.0 - rank)
            for i, place in enumerate(places)
            for rank in range(4)
        ]
        return pd.DataFrame(rows, columns=["qid", "query", "docno", "rank", "score"])

    runs = [run([1] * 8), run([0] * 8), run([0, 0, 0, 0, 1, 1, 2, 3])]

    def call(measures, **more):
        # PyTerrier's as it is by then: another may be installed
        return pt.Experiment(runs, topics, qrels, measures, names=["base", "best", "mixed"], **more)

    call.given = {"runs": runs, "topics": topics, "qrels": qrels, "names": ["base", "best", "mixed"]}
    return call


def test_experiments_run_on_assay(experiment) -> None:
    measures = [AP, nDCG @ 10, RR @ 10, P @ 1]
    before = experiment(measures)
    asked: list[int] = []
    under.install()
    try:
        original = under.AssayEvaluator._iter_calc
        under.AssayEvaluator._iter_calc = lambda self, run: asked.append(1) or original(self, run)  # type: ignore[method-assign]
        after = experiment(measures)
    finally:
        under.AssayEvaluator._iter_calc = original  # type: ignore[method-assign]
        under.uninstall()
    assert len(asked) == 3
    assert after.equals(before[after.columns])
    assert after.set_index("name").loc["base", "RR@10"] == 0.5


def test_experiments_take_the_test_from_assay(experiment) -> None:
    found = experiment([RR @ 10], baseline=0, test=under.paired_test("sign"), correction="holm")
    found = found.set_index("name")
    # best wins on all eight topics; mixed wins four and loses two
    assert found.loc["best", "RR@10 p-value"] == 2 / 2**8
    assert found.loc["mixed", "RR@10 p-value"] == pytest.approx(2 * (1 + 6 + 15) / 2**6)
    assert found.loc["best", "RR@10 p-value corrected"] == 4 / 2**8


def test_a_test_that_has_no_p_says_so(experiment) -> None:
    found = experiment([RR @ 10], baseline=0, test=under.paired_test("t")).set_index("name")
    assert math.isnan(found.loc["best", "RR@10 p-value"]), "best differs from base by the same on every topic"


@pytest.mark.parametrize("plan", ["linear", "tree"])
def test_experiments_take_the_correction_from_assay(experiment, plan) -> None:
    from assay.integrations import pyterrier

    per_query = experiment([RR @ 10, P @ 1], perquery=True)
    pyterrier.install()
    try:
        measures = [RR @ 10, P @ 1]
        asked = {"baseline": 0, "test": "randomisation", "correction": "maxt", "plan": plan, "verbose": False}
        found = experiment(measures, **asked).set_index("name")
        theirs = experiment(measures, baseline=0, test="wilcoxon", correction="fdr_by").set_index("name")
    finally:
        pyterrier.uninstall()
    assert set(found.columns) == set(theirs.columns)
    for measure in map(str, measures):
        told = pyterrier.compare(per_query, measure, baseline="base")
        for run in ("best", "mixed"):
            pair = told.pair(run, "base")
            assert found.loc[run, f"{measure} p-value"] == pair.p["randomisation"]
            assert found.loc[run, f"{measure} p-value corrected"] == pair.adjusted["maxt"]
            assert found.loc[run, f"{measure} reject"] == pair.significant
            assert found.loc[run, measure] == theirs.loc[run, measure]


def test_all_pairs_of_an_experiment_are_compared_jointly(experiment) -> None:
    from assay.integrations import pyterrier

    comparison = pyterrier.compare(experiment([RR @ 10], perquery=True))
    assert comparison.pair("best", "base").significant
    assert not comparison.pair("mixed", "base").significant


def test_the_page_says_what_runs(experiment, capsys) -> None:
    import re

    from pages import ROOT

    section = (ROOT / "docs/ir_measures.md").read_text(encoding="utf-8").partition("## Under PyTerrier\n")[2]
    blocks = re.findall(r"^```\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 2
    names = {**experiment.given, "AP": AP, "nDCG": nDCG}
    exec("\n".join(blocks) + "\nunder.uninstall()", names)
    assert capsys.readouterr().out.startswith("best leads by .30 (AP 1.000). mixed cannot be told apart from it.")
