"""Ranked retrieval against programs nobody here wrote: pytrec_eval, ir_measures' gdeval and Judged, pyNTCIREVAL."""

from __future__ import annotations

import lzma

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.measures.trec_eval_columns import columns, select_measures
from assay.measures.views.ranked import RankedView

pytestmark = pytest.mark.peer

pytrec_eval = pytest.importorskip("pytrec_eval")

DOCUMENTS = [f"d{i}" for i in range(25)]
GRADES = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 4])


@st.composite
def collection(draw: st.DrawFn, grades=GRADES):
    """Judgments and a run for a few topics, with ties on purpose."""
    topics = [f"q{i}" for i in range(draw(st.integers(1, 4)))]
    score = st.one_of(st.integers(-2, 3).map(float), st.floats(-10, 10, width=32), st.sampled_from([0.5, 0.500000001]))
    judgments = {t: draw(st.dictionaries(st.sampled_from(DOCUMENTS), grades, min_size=1, max_size=20)) for t in topics}
    run = {t: draw(st.dictionaries(st.sampled_from(DOCUMENTS), score, min_size=1, max_size=20)) for t in topics}
    return judgments, run


@st.composite
def partly_judged(draw: st.DrawFn):
    """Documents that were pooled and not judged among the others; pytrec_eval crashes on a topic of such alone."""
    judgments, run = draw(collection(grades=st.sampled_from([-2, -1, -1, 0, 0, 1, 1, 2, 3])))
    return {topic: {**judged, "missed": draw(st.integers(0, 2))} for topic, judged in judgments.items()}, run


def compat_9(judgments, run) -> dict[str, dict[str, float]]:
    """Per topic, what `assay trec_eval --compat 9` computes before it prints."""
    from assay.io.sources import Source
    from assay.tasks import ranked
    from assay.tasks.ranked_runs import rank_run

    chosen = columns(select_measures(sorted(pytrec_eval.supported_measures), 9), 9, 0)
    gold = ranked.read(Source("gold", data=judgments), (), ranked.RankedSettings())
    source = Source("run", data=run)
    views = ranked.RankedViews(gold, rank_run(source, gold.core, float32=True), source, level=1)
    return {
        topic: {column.name: column.function(view) or 0.0 for column in chosen if column.kind != "text"}
        for topic, view in zip(gold.topics, views, strict=True)
    }


def assert_agree(judgments, run) -> None:
    theirs = pytrec_eval.RelevanceEvaluator(judgments, pytrec_eval.supported_measures).evaluate(run)
    ours = compat_9(judgments, run)
    summary_only = {"runid", "relstring", "num_q", "gm_map", "gm_bpref"}
    for topic, values in theirs.items():
        assert set(values) - summary_only <= set(ours[topic])
        for name in set(values) - summary_only:
            assert ours[topic][name] == pytest.approx(values[name], rel=1e-12, abs=1e-12), (topic, name)


@settings(max_examples=250, deadline=None)
@given(collection())
def test_every_measure_of_pytrec_eval_per_topic(data) -> None:
    assert_agree(*data)


@settings(max_examples=150, deadline=None)
@given(partly_judged())
def test_every_measure_per_topic_where_some_documents_are_pooled_and_not_judged(data) -> None:
    assert_agree(*data)


@settings(max_examples=100, deadline=None)
@given(partly_judged(), st.sampled_from([1, 2, 3]), st.booleans())
def test_measures_at_a_level_and_over_judged_documents_alone(data, level, judged_only) -> None:
    judgments, run = data
    run = {t: {d: round(s, 3) for d, s in documents.items()} for t, documents in run.items()}
    same = {
        "AP": "map", "GMAP": "map", "RR": "recip_rank", "P@5": "P_5", "R@10": "recall_10", "Rprec": "Rprec", "Bpref": "bpref",
        "GMBpref": "bpref", "Success@1": "success_1", "AP@10": "map_cut_10", "infAP": "infAP", "SetP": "set_P",
        "SetR": "set_recall", "SetF": "set_F", "SetAP": "set_map", "SetRelP": "set_relative_P", "RelP@5": "relative_P_5",
        "RprecMult@0.4": "Rprec_mult_0.40", "binG": "binG", "NumRel": "num_rel", "NumRelRet": "num_rel_ret", "NumRet": "num_ret",
        "NumNonrelRet": "num_nonrel_judged_ret", "Utility": "utility", "nDCG": "ndcg", "nDCG@10": "ndcg_cut_10",
    }  # fmt: skip
    evaluator = pytrec_eval.RelevanceEvaluator(
        judgments, pytrec_eval.supported_measures, relevance_level=level, judged_docs_only_flag=judged_only
    )
    theirs = evaluator.evaluate(run)
    scores = assay.evaluate(judgments, run, measures=list(same), level=level, judged_only=judged_only)
    for ours, name in same.items():
        for topic, value in scores.values(ours, "run").items():
            assert (value or 0.0) == pytest.approx(theirs[topic][name], rel=1e-12, abs=1e-12), (topic, ours)


@settings(max_examples=100, deadline=None)
@given(partly_judged())
def test_averages_over_topics(data) -> None:
    """Means, sums and the geometric means, which pytrec_eval leaves as sums of logarithms to its own aggregation."""
    judgments, run = data
    run = {t: {d: round(s, 3) for d, s in documents.items()} for t, documents in run.items()}
    same = {
        "AP": "map", "GMAP": "gm_map", "GMBpref": "gm_bpref", "Bpref": "bpref", "P@10": "P_10", "NumRelRet": "num_rel_ret",
        "NumRel": "num_rel", "NumRet": "num_ret", "NumQ": "num_q", "RR": "recip_rank",
    }  # fmt: skip
    theirs = pytrec_eval.RelevanceEvaluator(judgments, pytrec_eval.supported_measures).evaluate(run)
    scores = assay.evaluate(judgments, run, measures=list(same))
    for ours, name in same.items():
        expected = pytrec_eval.compute_aggregated_measure(name, [values[name] for values in theirs.values()])
        assert scores.mean(ours)["run"] == pytest.approx(expected, rel=1e-12, abs=1e-12), ours


@settings(max_examples=100, deadline=None)
@given(collection(grades=st.sampled_from([0, 1])))
def test_the_default_agrees_where_9_and_10_agree(data) -> None:
    judgments, run = data
    run = {t: {d: round(s, 3) for d, s in documents.items()} for t, documents in run.items()}
    same = {
        "AP": "map", "RR": "recip_rank", "P@5": "P_5", "R@10": "recall_10", "nDCG": "ndcg", "nDCG@5": "ndcg_cut_5",
        "Rprec": "Rprec", "Bpref": "bpref", "Success@5": "success_5", "AP@10": "map_cut_10", "infAP": "infAP", "SetP": "set_P",
        "SetR": "set_recall", "SetF": "set_F", "SetAP": "set_map", "G": "G", "binG": "binG", "NumRel": "num_rel",
    }  # fmt: skip
    theirs = pytrec_eval.RelevanceEvaluator(judgments, pytrec_eval.supported_measures).evaluate(run)
    scores = assay.evaluate(judgments, run, measures=list(same))
    for ours, name in same.items():
        for topic, value in scores.values(ours, "run").items():
            assert (value or 0.0) == pytest.approx(theirs[topic][name], rel=1e-12, abs=1e-12), (topic, ours)


def test_real_runs_per_topic(shared_data) -> None:
    folder = shared_data("trec_covid_r1")
    judgments: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.txt").read_text().splitlines():
        topic, _, document, grade = line.split()
        judgments.setdefault(topic, {})[document] = int(grade)
    for path in sorted((folder / "runs").iterdir())[::6]:
        run: dict[str, dict[str, float]] = {}
        for line in lzma.decompress(path.read_bytes()).decode().splitlines():
            topic, _, document, _, score, _ = line.split()
            run.setdefault(topic, {})[document] = float(score)
        assert_agree(judgments, run)


@settings(max_examples=15, deadline=None)
@given(collection())
def test_gdeval(data) -> None:
    """ERR and nDCG with 2^grade - 1 as the TREC Web track's script computes them (it prints five digits)."""
    ir_measures = pytest.importorskip("ir_measures")
    if not ir_measures.gdeval.is_available():
        pytest.skip("gdeval needs perl")
    from ir_measures import ERR, nDCG

    judgments, run = data
    # gdeval wants topics to be numbers and breaks ties its own way, so every score is made different.
    judgments = {t[1:]: judged for t, judged in judgments.items()}
    run = {t[1:]: {d: 100.0 - i for i, d in enumerate(documents)} for t, documents in run.items()}
    pairs = {"ERR@10": ERR @ 10, "nDCG(dcg=exp-log2)@10": nDCG(dcg="exp-log2") @ 10}
    scores = assay.evaluate(judgments, run, measures=list(pairs))
    theirs = list(ir_measures.gdeval.iter_calc(list(pairs.values()), judgments, run))
    for ours, name in pairs.items():
        expected = {m.query_id: m.value for m in theirs if m.measure == name}
        for topic, value in scores.values(ours, "run").items():
            assert (value or 0.0) == pytest.approx(expected[topic], abs=6e-6), (topic, ours)


@settings(max_examples=60, deadline=None)
@given(collection())
def test_judged_and_names_of_ir_measures(data) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    judgments, run = data
    names = ["Judged@5", "Judged@10", "P(rel=2)@5", "AP(rel=2)", "RR", "R(rel=2)@10", "nDCG@10", "Rprec(rel=2)", "Bpref", "SetP",
             "SetR", "SetF", "Success@5", "NumRel", "NumQ", "infAP", "AP(rel=3)@10", "Bpref(rel=2)"]  # fmt: skip
    parsed = [ir_measures.parse_measure(name) for name in names]
    # Its Judged provider breaks ties by file order, so every score is made different.
    run = {t: {d: 100.0 - i for i, d in enumerate(documents)} for t, documents in run.items()}
    scores = assay.evaluate(judgments, run, measures=names)
    for metric in ir_measures.iter_calc(parsed, judgments, run):
        ours = scores.values(names[parsed.index(metric.measure)], "run")[metric.query_id]
        assert (ours or 0.0) == pytest.approx(metric.value, rel=1e-12, abs=1e-12), metric


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=1, max_size=12),
    st.lists(st.sampled_from([0, 1, 2, 3]), max_size=6),
    st.sampled_from([None, 3, 5, 20]),
)
def test_ntcireval(ranking, unretrieved, cut) -> None:
    """Q-measure (β = 1, gains 1, 2, 3) and RBP as NTCIREVAL's Python port computes them."""
    metrics = pytest.importorskip("pyNTCIREVAL.metrics")
    view = RankedView.of(ranking, unretrieved)
    levels = [view.judgments.grades.count(g) for g in range(4)]
    labelled = [(str(i), grade) for i, grade in enumerate(ranking)]
    if sum(levels[1:]):
        q = metrics.QMeasure(levels, [1, 2, 3], 1.0, cutoff=cut)
        assert assay.measure("Q" if cut is None else f"Q@{cut}")(view) == pytest.approx(q.compute(labelled), abs=1e-12)
    if levels[3]:  # it scales gains by the highest level of the scale, we by the highest of the topic
        rbp = metrics.RBP(levels, [1, 2, 3], 0.8)
        assert assay.measure("RBP(p=0.8)")(view) == pytest.approx(rbp.compute(labelled), abs=1e-12)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=1, max_size=12),
    st.lists(st.sampled_from([0, 1, 2, 3]), max_size=6),
    st.sampled_from([3, 5, 20]),
)
def test_more_of_ntcireval(ranking, unretrieved, cut) -> None:
    """AP, RR, P, hit and Microsoft's nDCG, whose discount is 1/log(rank + 1)."""
    metrics = pytest.importorskip("pyNTCIREVAL.metrics")
    view = RankedView.of(ranking, unretrieved)
    levels = [view.judgments.grades.count(g) for g in range(4)]
    if not sum(levels[1:]):
        return
    labelled = [(str(i), grade) for i, grade in enumerate(ranking)]
    pairs = {
        "AP": metrics.AP(levels, [1, 2, 3]),
        f"P@{cut}": metrics.Precision(cut),
        "RR": metrics.RR(),
        f"Success@{cut}": metrics.Hit(cut),
        f"nDCG@{cut}": metrics.MSnDCG(levels, [1, 2, 3], cutoff=cut),
        f"nDCG(gains=1:1,2:3,3:7)@{cut}": metrics.MSnDCG(levels, [1, 3, 7], cutoff=cut),
    }
    for name, metric in pairs.items():
        assert assay.measure(name)(view) == pytest.approx(metric.compute(labelled), abs=1e-12), name


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=2, max_size=20), st.sampled_from([2, 5, 30]))
def test_scikit_learn_on_a_ranking_without_ties(documents, cut) -> None:
    """Every document is judged; those that are not retrieved stand below the rest for scikit-learn, and so enter AP there."""
    from sklearn.metrics import (
        average_precision_score,
        dcg_score,
        fbeta_score,
        ndcg_score,
        precision_score,
        recall_score,
    )

    grades = [grade for grade, _ in documents]
    scores = [float(len(documents) - i) for i in range(len(documents))]
    view = RankedView.of(grades)
    assert assay.measure(f"DCG@{cut}")(view) == pytest.approx(dcg_score([grades], [scores], k=cut))
    if not any(grades):
        return
    assert assay.measure(f"nDCG@{cut}")(view) == pytest.approx(ndcg_score([grades], [scores], k=cut))
    relevant = [int(grade > 0) for grade in grades]
    assert assay.measure("AP")(view) == pytest.approx(average_precision_score(relevant, scores))
    kept = [kept for _, kept in documents]
    chosen = RankedView.of(
        [grade for grade, kept in documents if kept], unretrieved=[grade for grade, kept in documents if not kept]
    )
    for name, function in (
        ("SetP", precision_score),
        ("SetR", recall_score),
        ("SetF", lambda a, b, zero_division: fbeta_score(a, b, beta=1, zero_division=zero_division)),
        ("SetF(beta=2)", lambda a, b, zero_division: fbeta_score(a, b, beta=2, zero_division=zero_division)),
    ):
        assert assay.measure(name)(chosen) == pytest.approx(function(relevant, kept, zero_division=0)), name


@settings(max_examples=60, deadline=None)
@given(collection())
def test_reciprocal_rank_of_ms_marco(data) -> None:
    """The MS MARCO script of ir_measures, which breaks ties by file order, so every score is made different."""
    ir_measures = pytest.importorskip("ir_measures")
    judgments, run = data
    run = {t: {d: 100.0 - i for i, d in enumerate(documents)} for t, documents in run.items()}
    scores = assay.evaluate(judgments, run, measures=["RR@10", "RR(rel=2)@5"])
    for ours, theirs in (("RR@10", ir_measures.RR @ 10), ("RR(rel=2)@5", ir_measures.RR(rel=2) @ 5)):
        for metric in ir_measures.msmarco.iter_calc([theirs], judgments, run):
            assert scores.values(ours, "run")[metric.query_id] == pytest.approx(metric.value, rel=1e-12), metric
