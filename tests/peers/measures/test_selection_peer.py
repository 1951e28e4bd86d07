"""AUGRC, PRR, AURC's estimators and AUPRC of errors against scikit-learn and LM-Polygraph.

LM-Polygraph orders tied answers as numpy sorts them and draws a thousand random orders; ours are expected values. So it is
asked where nothing is tied, and for the area of its own random orders within their error. Where the perfect order is no better
than a random one it returns the area itself, and PRR is undefined.
"""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.measures.registry import find
from peers import peer

pytestmark = pytest.mark.peer


def value(name: str, correct, confidence) -> float:
    measure = find(name, "outcomes")
    return measure(list(map(int, correct)), [1] * len(correct), list(map(float, confidence)))


@pytest.fixture(scope="module")
def polygraph():
    """LM-Polygraph's two modules for this, without the models that importing its package would load."""
    found = importlib.util.find_spec("lm_polygraph")
    if found is None or found.origin is None:
        return peer("lm_polygraph")
    folder = found.origin.rpartition("/")[0] + "/ue_metrics"
    before = dict(sys.modules)
    package = ModuleType("ue_metrics")
    package.__path__ = [folder]
    sys.modules["ue_metrics"] = package
    try:
        area = importlib.import_module("ue_metrics.pred_rej_area")
        yield area.PredictionRejectionArea, importlib.import_module("ue_metrics.ue_metric")
    finally:
        for name in set(sys.modules) - set(before):
            if name.startswith("ue_metrics"):
                del sys.modules[name]


untied = st.lists(st.floats(0, 1), min_size=3, max_size=50, unique=True)


@settings(max_examples=100, deadline=None)
@given(untied, st.randoms(use_true_random=False), st.sampled_from([1.0, 0.5, 0.8]))
def test_prr_of_any_answers(polygraph, confidence, random, reject) -> None:
    area, metric = polygraph
    correct = [random.randint(0, 1) for _ in confidence]
    ours = value(f"PRR(reject={reject})" if reject < 1 else "PRR", correct, confidence)
    if ours is None:
        assert len(set(correct)) == 1 or int(reject * len(correct)) < 2
        return
    uncertainty = [-p for p in confidence]
    by_confidence, perfect = (area(reject)(order, correct) for order in (uncertainty, [-c for c in correct]))
    exact = metric.normalize_metric(by_confidence, perfect, sum(correct) / len(correct))
    assert ours == pytest.approx(exact, abs=1e-9)


def logits(shared_data, models: int):
    """Correctness and log-probabilities to 4 decimals, made distinct, of some models on MMLU-Pro."""
    import csv
    import lzma

    folder = "llm_calibration_mmlu_pro"
    with lzma.open(shared_data(folder, "answers.csv.xz"), "rt") as answers:
        right = list(csv.DictReader(answers))
    with lzma.open(shared_data(folder, "logit_4dp.csv.xz"), "rt") as file:
        said = list(csv.DictReader(file))
    names = [name for name in said[0] if name not in ("id", "category", "gold") and said[0][name]]
    for model in names[:models]:
        pairs = [
            (int(key[model] == key["gold"]), float(row[model]))
            for key, row in zip(right, said, strict=True)
            if key[model] not in ("", "EMPTY") and row[model] and 0 <= float(row[model]) <= 1
        ]
        yield model, *(np.array(column) for column in zip(*pairs, strict=True))


def test_prr_on_real_confidences(shared_data, polygraph) -> None:
    area, metric = polygraph
    for model, correct, confidence in logits(shared_data, 6):
        apart = (np.argsort(np.argsort(confidence, kind="stable")) + 0.5) / len(confidence)
        perfect = area()([-c for c in correct], correct)
        drawn = metric.get_random_scores(area(), correct[:2000], num_iter=50)
        assert drawn == pytest.approx(correct[:2000].mean(), abs=0.02)
        theirs = metric.normalize_metric(area()(-apart, correct), perfect, correct.mean())
        assert value("PRR", correct, apart) == pytest.approx(theirs, abs=1e-9), model


def test_augrc_and_auprc_on_real_confidences(shared_data) -> None:
    metrics = peer("sklearn.metrics")
    for model, correct, confidence in logits(shared_data, 10):
        p = correct.mean()
        area = (1 - metrics.roc_auc_score(correct, confidence)) * p * (1 - p) + (1 - p) ** 2 / 2
        assert value("AUGRC", correct, confidence) == pytest.approx(area, abs=1e-12), model
        found = metrics.average_precision_score(1 - correct, -confidence)
        assert value("AUPRC_errors", correct, confidence) == pytest.approx(found, abs=1e-12), model


answers = st.lists(
    st.tuples(st.integers(0, 1), st.one_of(st.floats(0, 1), st.integers(0, 20).map(lambda i: i / 20))),
    min_size=2,
    max_size=60,
)


@settings(max_examples=150, deadline=None)
@given(answers)
def test_areas_of_any_answers_against_scikit_learn(drawn) -> None:
    metrics = peer("sklearn.metrics")
    correct, confidence = (np.array(column) for column in zip(*drawn, strict=True))
    if correct.all():
        assert value("AUPRC_errors", correct, confidence) is None
        assert value("AUGRC", correct, confidence) == 0
        return
    found = metrics.average_precision_score(1 - correct, -confidence)
    assert value("AUPRC_errors", correct, confidence) == pytest.approx(found, abs=1e-12)
    # The area under straight lines from each threshold to the next, where tied answers enter together.
    levels = np.unique(confidence)[::-1]
    kept = [0.0, *((confidence >= level).mean() for level in levels)]
    wrong = [0.0, *(((confidence >= level) & (correct == 0)).mean() for level in levels)]
    assert value("AUGRC", correct, confidence) == pytest.approx(metrics.auc(kept, wrong), abs=1e-12)
