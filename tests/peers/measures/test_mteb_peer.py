"""What MTEB computes of a retriever, against MTEB's own module, which needs none of the models that MTEB asks for."""

from __future__ import annotations

import lzma

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteb_module import metrics_of_mteb

import assay
from assay import pytrec_eval as ours
from peers import peer

pytestmark = pytest.mark.peer
peer("pytrec_eval")

mteb = metrics_of_mteb()
TOPICS = [f"q{i}" for i in range(12)]
DOCUMENTS = [f"d{i}" for i in range(8)]
CUT = [1, 3, 5, 10]


@st.composite
def collection(draw):
    grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 2), min_size=1, max_size=6)
    scores = st.dictionaries(
        st.sampled_from(DOCUMENTS), st.integers(0, 12).map(lambda n: n / 4), min_size=1, max_size=8
    )
    topics = TOPICS[: draw(st.integers(2, 12))]
    return {t: {**draw(grades), "seen": 1} for t in topics}, {t: draw(scores) for t in topics}


@settings(max_examples=60, deadline=None)
@given(collection())
def test_nauc_of_every_kind(made):
    qrels, run = made
    names = [
        f"nauc_{of}_at_{cut}_{by}" for of in ("ndcg", "map", "recall", "mrr") for cut in (1, 5) for by in ("max", "std", "diff1")
    ]  # fmt: skip
    found = assay.evaluate(qrels, {"r": run}, names).summary()["r"]
    confidence = [mteb.confidence_scores(list(run[topic].values())) for topic in qrels]
    for name in names:
        _, of, _, cut, by = name.split("_")
        values = assay.evaluate(qrels, {"r": run}, [f"{of}_at_{cut}"])[f"{of}_at_{cut}", "r"]
        expected = mteb.nauc(np.array([one[by] for one in confidence]), np.array([values[topic] for topic in qrels]))
        if np.isnan(expected):
            assert found[name].value is None
        elif found[name].value is None:
            assert (
                expected == pytest.approx(0, abs=1e-3) or abs(expected) > 1e9
            )  # the best curve is flat but for rounding
        else:
            assert found[name].value == pytest.approx(expected, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(collection())
def test_the_names_of_mteb(made):
    qrels, run = made
    capped, hits, ranks = (
        mteb.recall_cap(qrels, run, CUT),
        mteb.top_k_accuracy(qrels, run, CUT),
        mteb.mrr(qrels, run, CUT),
    )
    names = [f"{name}_at_{cut}" for name in ("R_cap", "hit_rate", "mrr") for cut in CUT]
    found = assay.evaluate(qrels, {"r": run}, [*names, *(f"accuracy_at_{cut}" for cut in CUT)])
    for cut in CUT:
        assert list(found[f"R_cap_at_{cut}", "r"].values()) == pytest.approx(
            _by_id(qrels, run, capped[f"R_cap_at_{cut}"])
        )
        assert list(found[f"mrr_at_{cut}", "r"].values()) == pytest.approx(_by_id(qrels, run, ranks[f"MRR@{cut}"]))
        # A topic without a hit has no entry in theirs, not 0.
        assert sum(found[f"accuracy_at_{cut}", "r"].values()) == sum(hits[f"Accuracy@{cut}"])
        assert found[f"hit_rate_at_{cut}", "r"] == found[f"accuracy_at_{cut}", "r"]


def _by_id(qrels, run, values):
    """Theirs stand in the order of the run, ours by id."""
    order = dict(zip(run, values, strict=True))
    return [order[topic] for topic in sorted(qrels, key=str.encode)]


@settings(max_examples=40, deadline=None)
@given(collection(), collection(), st.data())
def test_p_mrr(one, two, data):
    topics = [topic for topic in one[1] if topic in two[1]]
    before = {f"{topic}-og": one[1][topic] for topic in topics}
    after = {f"{topic}-changed": two[1][topic] for topic in topics}
    changed = {t: data.draw(st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=3, unique=True)) for t in topics}
    expected = mteb.calculate_pmrr(before, after, changed)
    assert assay.p_mrr({"r": {**before, **after}}, changed).rows()[1][0][-1] == pytest.approx(expected)


def test_real_runs_through_all_of_theirs(shared_data):
    """TREC-COVID's runs by MTEB's own evaluation, which has its numbers from pytrec_eval."""
    gold = shared_data("trec_covid_r1", "qrels.txt")
    with gold.open() as lines:
        qrels = {topic: dict(grades) for topic, grades in ours.parse_qrel(lines).items()}
    names = [f"nauc_{of}_at_10_{by}" for of in ("ndcg", "map", "recall", "mrr") for by in ("max", "std", "diff1")]
    plain = ["ndcg_at_10", "map_at_10", "recall_at_10", "precision_at_10", "hit_rate_at_10", "mrr_at_10"]
    for path in sorted(shared_data("trec_covid_r1", "runs").iterdir())[:3]:
        with lzma.open(path, "rt") as lines:
            run = dict(ours.parse_run(lines))
        theirs = mteb.calculate_retrieval_scores(run, qrels, [10])
        found = assay.evaluate(str(gold), {"r": str(path)}, [*names, *plain]).summary()["r"]
        naucs = {
            key.lower().replace("@", "_at_"): value for key, value in {**theirs["naucs"], **theirs["naucs_mrr"]}.items()
        }
        for name in names:
            assert found[name].value == pytest.approx(naucs[name], abs=1e-6), name
        for name, kind in zip(plain, ("ndcg", "map", "recall", "precision", "hit_rate", "mrr"), strict=True):
            assert found[name].value == pytest.approx(next(iter(theirs[kind].values())), abs=6e-6), name
