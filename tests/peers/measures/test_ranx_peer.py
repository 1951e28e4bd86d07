"""Every measure of ranx under ranx's own name, against ranx.

ranx sorts by the score alone, so documents with one score stand in any order: there are no ties here. A topic without a relevant
document is 0 there and undefined here, and its rbp takes a grade as it stands, so that it may be above 1: grades are 0 and 1 where
that is compared.
"""

from __future__ import annotations

import lzma

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from peers import peer

pytestmark = pytest.mark.peer
ranx = peer("ranx")

DOCUMENTS = [f"d{i}" for i in range(25)]
CUT = [
    f"{name}@{cut}" for name in ("hits", "hit_rate", "precision", "recall", "f1", "mrr", "map", "dcg", "dcg_burges", "ndcg", "ndcg_burges")
    for cut in (1, 3, 10, 30)
]  # fmt: skip
NAMES = [*CUT, "hits", "f1", "r-precision", "mrr", "map", "dcg", "dcg_burges", "ndcg", "ndcg_burges", "bpref"]
WHOLE = {"precision": "SetP", "recall": "SetR", "hit_rate": "Success@1000"}
"""What a name without a cutoff is called here."""
RBP = ["rbp.5", "rbp.95"]


@st.composite
def collection(draw: st.DrawFn, highest: int):
    """A few topics, each with a document that is relevant and one that is not; scores without ties."""
    topics = [f"q{i}" for i in range(draw(st.integers(1, 4)))]
    judged = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, highest), max_size=20)
    order = st.lists(st.sampled_from([*DOCUMENTS, "other"]), min_size=1, max_size=20, unique=True)
    return (
        {t: {**draw(judged), "missed": 1, "other": 0} for t in topics},
        {t: {d: 100.0 - i for i, d in enumerate(draw(order))} for t in topics},
    )


def assert_agree(judgments, run, names: dict[str, str]) -> None:
    theirs = ranx.evaluate(ranx.Qrels(judgments), ranx.Run(run), list(names), return_mean=False)
    scores = assay.evaluate(judgments, {"r": run}, list(names.values()))
    topics = sorted(judgments)
    for name, ours in names.items():
        values = np.atleast_1d(theirs[name])
        assert [scores[ours, "r"][t] for t in topics] == pytest.approx(list(values), rel=1e-12, abs=1e-12), name


def test_its_objects_are_read() -> None:
    judgments, run = {"q1": {"d1": 1, "d3": 2}, "q2": {"d2": 1}}, {"q1": {"d9": 0.9, "d1": 0.5}, "q2": {"d2": 0.3}}
    qrels, ranked = ranx.Qrels(judgments), ranx.Run(run, name="bm25")
    assert (
        assay.evaluate(qrels, ranked, ["map"])["map"]
        == {"bm25": ranx.evaluate(qrels, ranked, "map")}
        == {"bm25": 0.625}
    )
    assert assay.evaluate(qrels, {"mine": ranked}, ["map"])["map"] == {"mine": 0.625}


@settings(max_examples=60, deadline=None)
@given(collection(highest=3))
def test_every_name(data) -> None:
    assert_agree(*data, {name: name for name in NAMES} | WHOLE)


@settings(max_examples=40, deadline=None)
@given(collection(highest=1))
def test_rank_biased_precision(data) -> None:
    assert_agree(*data, {name: name for name in RBP})


@settings(max_examples=20, deadline=None)
@given(collection(highest=3))
def test_a_level_of_relevance(data) -> None:
    judgments, run = data
    judgments = {topic: {**judged, "missed": 2} for topic, judged in judgments.items()}
    pairs = {
        "precision@3-l2": "P(rel=2)@3",
        "recall@3-l2": "recall(rel=2)@3",
        "f1@3-l2": "f1(rel=2)@3",
        "map-l2": "map(rel=2)",
    }
    assert_agree(judgments, run, pairs)


def test_a_graded_rbp_of_theirs_is_no_share() -> None:
    judgments, run = {"q": {"a": 3, "b": 0}}, {"q": {"a": 2.0, "b": 1.0}}
    assert ranx.evaluate(judgments, run, "rbp.5") == pytest.approx(1.5)
    assert assay.evaluate(judgments, {"r": run}, ["rbp.5"])["rbp.5", "r"]["q"] == 0.5


def test_real_runs(shared_data) -> None:
    """Three of the runs of TREC-COVID's first round; scores that tie are told apart as assay tells them, by the id."""
    judgments: dict[str, dict[str, int]] = {}
    for line in shared_data("trec_covid_r1", "qrels.txt").read_text().splitlines():
        topic, _, document, grade = line.split()
        judgments.setdefault(topic, {})[document] = max(int(grade), 0)
    for path in sorted(shared_data("trec_covid_r1", "runs").iterdir())[:3]:
        lists: dict[str, list[tuple[float, str]]] = {}
        with lzma.open(path, "rt") if path.suffix == ".xz" else path.open() as lines:
            for topic, _, document, _, score, _ in map(str.split, lines):
                lists.setdefault(topic, []).append((float(score), document))
        run = {t: {d: 1e4 - i for i, (_, d) in enumerate(sorted(lists[t], reverse=True))} for t in judgments}
        assert len(run) == 30
        assert_agree(judgments, run, {name: name for name in NAMES} | WHOLE)
        binary = {t: {d: min(grade, 1) for d, grade in judged.items()} for t, judged in judgments.items()}
        assert_agree(binary, run, {name: name for name in RBP})
