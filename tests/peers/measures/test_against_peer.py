"""What docs/against.toml says the peers list is what they list now; and the measures that no other file holds against them.

Where a peer has added a measure, its first test turns red: give it a name here, or a note with the reason why it has none.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import tomllib
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteb_module import metrics_of_mteb
from package_source import calls, classes, first_text, listed
from sentence_transformers_scores import scores_of

import assay
from assay.measures.registry import find
from assay.measures.views.ranked import RankedView
from peers import peer

pytestmark = pytest.mark.peer

RECORDED = tomllib.loads((Path(__file__).parents[3] / "docs" / "against.toml").read_text(encoding="utf-8"))
QRELS = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"b": 1, "d": 1}}
RUN = {"1": {"a": 1.0, "b": 3.0, "x": 2.0}, "2": {"b": 4.0, "x": 2.5, "d": 2.0}}


def functions_of(module) -> set[str]:
    """The public functions that a module defines itself."""
    found = inspect.getmembers(module, inspect.isfunction)
    return {name for name, one in found if one.__module__ == module.__name__ and not name.startswith("_")}


def of_ir_measures() -> set[str]:
    return set(peer("ir_measures").measures.registry)


def of_ranx() -> set[str]:
    metrics = peer("ranx").metrics
    names = re.findall(r'metric == "([^"]+)"', inspect.getsource(metrics.metric_switch))
    told = {metrics.metric_switch(name).__name__ for name in names}
    return {*names, *(name for name in metrics.__all__ if name not in told)}


def of_ntcireval() -> set[str]:
    return {name for name, _ in inspect.getmembers(peer("pyNTCIREVAL.metrics"), inspect.isclass)}


def of_cwl_eval() -> set[str]:
    base = peer("cwl.ruler.measures.cwl_metrics").CWLMetric
    found: set[str] = set()
    for module in pkgutil.iter_modules(peer("cwl.ruler.measures").__path__, "cwl.ruler.measures."):
        classes = inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
        found |= {name for name, one in classes if issubclass(one, base)}
    return found


def of_ndeval() -> set[str]:
    return set(peer("pyndeval").SUPPORTED_MEASURES)


def of_mteb() -> set[str]:
    """The keys of its scores, and the functions that make them."""
    mteb = metrics_of_mteb()
    keys = {key for key in scores_of_mteb() if "_at_1_" not in key and not key.endswith("_at_1")}
    for function in (mteb.recall_cap, mteb.hole, mteb.top_k_accuracy):
        keys |= set(function(QRELS, RUN, [10]))
    followed = re.findall(r'followir_scores\["([\w-]+)"\] = p_mrr', inspect.getsource(mteb.evaluate_p_mrr_change))
    return {*keys, *followed, *functions_of(mteb)}


def scores_of_mteb(qrels=QRELS, run=RUN) -> dict[str, float]:
    mteb = metrics_of_mteb()
    told = mteb.calculate_retrieval_scores(run, qrels, [1, 10])
    told.pop("all_scores")
    return mteb.make_score_dict(_map=told.pop("map"), **told, task_scores={})


def of_relplot() -> set[str]:
    return functions_of(peer("relplot").metrics)


def of_uncertainty_calibration() -> set[str]:
    return functions_of(peer("calibration").utils)


def of_scikit_learn() -> set[str]:
    return functions_of(peer("sklearn.metrics._ranking"))


def of_torchmetrics() -> set[str]:
    return listed("torchmetrics", "retrieval/__init__.py")


def of_sentence_transformers() -> set[str]:
    return {*scores_of({"q": {"a"}}, {"q": {"a": 1.0}}, [10])}


def of_lm_eval() -> set[str]:
    registered = ("register_metric", "register_aggregation")
    return {first_text(call) for name in registered for call in calls("lm_eval", "api/metrics.py", name)} - {None}


def of_helm() -> set[str]:
    """Names made of parts (f-strings) are the counts of reasons to stop."""
    folder, ranking = "benchmark/metrics", ("RECIP_RANK", "SUCCESS", "RECALL", "NDCG_CUT")
    named = {first_text(call) for call in calls("helm", f"{folder}/basic_metrics.py", "MetricName")} - {None}
    mapped = listed("helm", f"{folder}/evaluate_reference_metrics.py", "metric_fn_mapping")
    ranked = [listed("helm", f"{folder}/ranking_metrics.py", f"{name}_MEASURE") for name in ranking]
    return named.union(mapped, *ranked)


def of_ragas() -> set[str]:
    files = ("metrics/_context_precision.py", "metrics/_context_recall.py")
    by_id = {name for file in files for name in classes("ragas", file) if name.startswith("IDBased")}
    return listed("ragas", "metrics/collections/__init__.py") | by_id


def of_deepeval() -> set[str]:
    return listed("deepeval", "metrics/__init__.py")


def of_inspect() -> set[str]:
    return listed("inspect_ai", "scorer/__init__.py")


LISTS = {
    "ir_measures": of_ir_measures, "ranx": of_ranx, "NTCIREVAL": of_ntcireval, "cwl-eval": of_cwl_eval, "ndeval": of_ndeval,
    "MTEB": of_mteb, "relplot": of_relplot, "uncertainty-calibration": of_uncertainty_calibration,
    "scikit-learn": of_scikit_learn, "torchmetrics": of_torchmetrics, "sentence-transformers": of_sentence_transformers,
    "lm-eval": of_lm_eval, "HELM": of_helm, "RAGAS": of_ragas, "DeepEval": of_deepeval, "Inspect": of_inspect,
}  # fmt: skip


def test_every_peer_is_asked() -> None:
    assert {*LISTS} == {name for name, told in RECORDED.items() if told.get("packaged", True)}


@pytest.mark.parametrize("name", LISTS)
def test_the_recorded_list_is_the_peers_own(name) -> None:
    told = RECORDED[name]
    assert {*told["measures"], *told["nothing"]} == LISTS[name]()


OTHER_NAMES = ["MAP", "MRR", "NDCG@5", "BPref", "RPrec", "Precision@5", "Recall@5", "NumRelRet", "SetRelP"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([None, 0, 0, 1, 2]), min_size=1, max_size=15))
def test_other_names_of_ir_measures(ranking) -> None:
    ir_measures = peer("ir_measures")
    judged = {"q": {"missed": 1, "other": 0, **{f"d{i}": g for i, g in enumerate(ranking) if g is not None}}}
    run = {"q": {f"d{i}": -float(i) for i in range(len(ranking))}}
    found = assay.evaluate(judged, {"r": run}, OTHER_NAMES)
    for name in OTHER_NAMES:
        base, _, cut = name.partition("@")
        measure = getattr(ir_measures, base) @ int(cut) if cut else getattr(ir_measures, base)
        [theirs] = measure.iter_calc(judged, run)
        assert found[name, "r"]["q"] == pytest.approx(theirs.value, abs=1e-12), name


grades = st.lists(st.sampled_from([None, 0, 0, 1, 2]), min_size=1, max_size=15)


@settings(max_examples=80, deadline=None)
@given(grades, st.sampled_from(["", "@1", "@5"]), st.sampled_from([1, 2]))
def test_accuracy_of_ir_measures_is_the_order_of_pairs(ranking, cut, rel) -> None:
    ir_measures = peer("ir_measures")
    ours = find(f"PairAccuracy(rel={rel}){cut}")(RankedView.of(ranking))
    judged = {"q": {"other": 0, **{f"d{i}": grade for i, grade in enumerate(ranking) if grade is not None}}}
    run = {"q": {f"d{i}": -float(i) for i in range(len(ranking))}}
    measure = ir_measures.parse_measure(f"Accuracy(rel={rel}){cut}")
    try:
        theirs = [m.value for m in ir_measures.accuracy.evaluator([measure], judged).iter_calc(run)]
    except ZeroDivisionError:  # a list of relevant documents alone
        theirs = []
    assert ours == (pytest.approx(theirs[0], abs=1e-12) if theirs else None)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=1, max_size=12))
def test_err_of_ntcireval(ranking) -> None:
    """With the gains 1, 3 and 7 its chance to be satisfied is (2^g - 1)/2^3."""
    levels = [sum(grade == level for grade in ranking) for level in range(4)]
    theirs = peer("pyNTCIREVAL.metrics").ERR(levels, [1, 3, 7]).compute([(str(i), g) for i, g in enumerate(ranking)])
    assert find("ERR(max=3)")(RankedView.of(ranking)) == pytest.approx(theirs, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([0, 1]), min_size=1, max_size=12), st.sampled_from([0.1, 0.25, 1.0]))
def test_net_present_value_is_rank_biased_precision(ranking, rate) -> None:
    metric = peer("cwl.ruler.measures.cwl_npv").NPVCWLMetric(rate)
    told = peer("cwl.ruler.ranking").Ranking("q", [float(g) for g in ranking], [1.0] * len(ranking), max_n=1000)
    metric.measure(told)
    ours = find(f"RBP(p={1 / (1 + rate)},rel=1)")(RankedView.of(ranking))
    assert ours == pytest.approx(metric.expected_utility, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(grades)
def test_interpolated_precision_at_recall_of_ranx(ranking) -> None:
    ranx = peer("ranx")
    view = RankedView.of(ranking, unretrieved=[1])
    judged = {"q": {"missed": 1, **{f"d{i}": grade for i, grade in enumerate(ranking) if grade is not None}}}
    run = {"q": {f"d{i}": -float(i) for i in range(len(ranking))}}
    theirs = ranx.metrics.interpolated_precision_at_recall(
        ranx.Qrels(judged).to_typed_list(), ranx.Run(run).to_typed_list()
    )
    ours = [find(f"IPrec(cut=trunc)@{level / 10}")(view) for level in range(11)]
    assert ours == pytest.approx([float(value) for value in theirs[0]], abs=1e-12)


SCORES = [
    "ndcg_at_10",
    "map_at_10",
    "recall_at_10",
    "precision_at_10",
    "mrr_at_10",
    "hit_rate_at_10",
    "nauc_ndcg_at_10_max",
    "nauc_map_at_10_max",
    "nauc_recall_at_10_max",
    "nauc_precision_at_10_max",
    "nauc_mrr_at_10_max",
    "nauc_ndcg_at_10_std",
    "nauc_map_at_10_std",
    "nauc_recall_at_10_std",
    "nauc_precision_at_10_std",
    "nauc_mrr_at_10_std",
    "nauc_ndcg_at_10_diff1",
    "nauc_map_at_10_diff1",
    "nauc_recall_at_10_diff1",
    "nauc_precision_at_10_diff1",
    "nauc_mrr_at_10_diff1",
]


@st.composite
def pairs_of_topics(draw: st.DrawFn):
    """Topics in pairs, `0_q1` and `0_q2`, as NevIR has them, without ties."""
    documents = [f"d{i}" for i in range(14)]
    topics = [f"{number}_q{which}" for number in range(draw(st.integers(1, 5))) for which in (1, 2)]
    judged = st.dictionaries(st.sampled_from(documents), st.integers(0, 2), max_size=8)
    order = st.lists(st.sampled_from(documents), min_size=1, max_size=14, unique=True)
    run = {topic: {d: float(-i) for i, d in enumerate(draw(order))} for topic in topics}
    return {topic: {**draw(judged), "d0": 1} for topic in topics}, run


@settings(max_examples=40, deadline=None)
@given(pairs_of_topics())
def test_every_score_of_mteb_under_its_own_name(data) -> None:
    theirs = scores_of_mteb(*data)
    found = assay.evaluate(data[0], {"r": data[1]}, [*SCORES, "R@1"]).summary()["r"]
    for name in SCORES:
        if not name.startswith("nauc"):  # rounded to five digits there, but for mrr
            assert found[name].value == pytest.approx(theirs[name], abs=6e-6), name
        elif found[name].value is not None and abs(theirs[name]) < 1e6:  # the best curve may be flat but for rounding
            assert found[name].value == pytest.approx(theirs[name], abs=1e-6), name
    assert found["R@1"].value == pytest.approx(theirs["accuracy"], abs=6e-6)


@settings(max_examples=40, deadline=None)
@given(pairs_of_topics())
def test_what_mteb_makes_of_topics_that_belong_together(data) -> None:
    """paired_accuracy and robustness_at_10 are the lowest value of the topics of one id, averaged; so from a table of scores."""
    mteb = metrics_of_mteb()
    qrels, run = data
    table = assay.evaluate(qrels, {"r": run}, ["R@1", "nDCG@10"])
    per_topic = mteb.calculate_retrieval_scores(run, qrels, [1, 10])["all_scores"]

    def lowest(measure: str) -> float:
        values: dict[str, list[float]] = {}
        for topic, value in table[measure, "r"].items():
            values.setdefault(topic.partition("_")[0], []).append(value)
        return mean(map(min, values.values()))

    assert lowest("nDCG@10") == pytest.approx(mteb.robustness_at_10(qrels, run, per_topic), abs=1e-9)
    whole = mean(
        min(table["R@1", "r"][f"{n}_q{which}"] == 1 for which in (1, 2)) for n in {t.partition("_")[0] for t in qrels}
    )
    assert whole == pytest.approx(mteb.paired_accuracy(qrels, run, per_topic))


@settings(max_examples=40, deadline=None)
@given(pairs_of_topics())
def test_hole_of_mteb_is_what_is_unjudged_where_there_is_one_topic(data) -> None:
    qrels, run = ({"0_q1": one["0_q1"]} for one in data)
    theirs = metrics_of_mteb().hole(qrels, run, [3, 10])
    found = assay.evaluate(qrels, {"r": run}, ["Unjudged@3", "Unjudged@10"])
    for cut in (3, 10):
        assert list(found[f"Unjudged@{cut}", "r"].values()) == pytest.approx(theirs[f"Hole_at_{cut}"])


answers = st.lists(
    st.tuples(st.integers(0, 1), st.floats(0.001, 0.998)),
    min_size=60,
    max_size=90,
    unique_by=lambda pair: pair[1],
)


def value(name: str, correct, confidence) -> float:
    measure = find(name, "outcomes")
    return measure(list(map(int, correct)), [1] * len(correct), list(map(float, confidence)))


@settings(max_examples=60, deadline=None)
@given(answers, st.sampled_from([5, 8, 10]))
def test_binned_ece_of_relplot(drawn, bins) -> None:
    metrics = peer("relplot").metrics
    correct, confidence = (np.array(column, float) for column in zip(*drawn, strict=True))
    if np.any(np.abs(confidence * bins - np.round(confidence * bins)) < 1e-9):
        return  # at an edge its own division decides
    ours = value(f"ECE(bins={bins},closed=left)", correct, confidence)
    assert ours == pytest.approx(metrics.binnedECE(confidence, correct, bins), abs=1e-12)
    assert ours + 1 / bins == pytest.approx(metrics.binnedECEw(confidence, correct, bins), abs=1e-12)
    fixed = [one(confidence, correct, 0.05) for one in (metrics.smECE_sigma, metrics.smooth_ece)]
    assert fixed[0] == fixed[1]


@settings(max_examples=60, deadline=None)
@given(answers)
def test_the_errors_of_uncertainty_calibration(drawn) -> None:
    calibration = peer("calibration")
    correct, confidence = (np.array(column) for column in zip(*drawn, strict=True))
    both = np.column_stack([1 - confidence, confidence])
    right = np.where(correct == 1, both.argmax(axis=1), 1 - both.argmax(axis=1))
    top = both.max(axis=1)
    ours = value("RMSCEd(bins=15,binning=mass)", correct, confidence)
    for function in (calibration.get_calibration_error, calibration.lower_bound_scaling_ce):
        assert ours == pytest.approx(function(confidence, correct), abs=1e-7), function
    if len({*top}) == len(top):
        ours = value("RMSCEd(bins=15,binning=mass)", correct, top)
        for function in (calibration.get_top_calibration_error, calibration.lower_bound_scaling_top_ce):
            assert ours == pytest.approx(function(both, right), abs=1e-7), function
    assert value("ECE(bins=15)", correct, confidence) == pytest.approx(
        calibration.get_ece(confidence, correct, mode="marginal")
    )
    assert value("Brier", correct, top) == pytest.approx(calibration.utils.eval_top_mse(top, both, right))


def test_uncertainty_calibration_has_no_accuracy_yet() -> None:
    with pytest.raises(NameError):
        peer("calibration").get_accuracy(np.array([[0.2, 0.8]]), np.array([1]))
