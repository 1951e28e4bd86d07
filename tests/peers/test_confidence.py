"""Calibration and selection against packages nobody here wrote.

scikit-learn agrees on AUROC, the Brier score, the log score and, through calibration_curve, on ECE: its bins are
right-closed with edges numpy.linspace(0, 1, bins + 1), as ours. uncertainty-calibration (Kumar, Liang and Ma 2019) agrees
on ECE, and its area under the coverage-accuracy curve is 1 - AURC where no confidences are tied; under ties it takes the
order numpy happens to sort in, where assay takes the expected value. torch-uncertainty's AURC is another number: a
trapezoid over m - 1 steps rather than the mean of m risks.
"""

from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.measures.registry import find

pytestmark = pytest.mark.peer


def value(name: str, correct, confidence) -> float:
    measure = find(name, "outcomes")
    columns = {"correct": correct, "answered": [1] * len(correct), "confidence": confidence}
    columns["position"] = list(range(len(correct)))
    return measure(*(list(columns[column]) for column in measure.of))


def samples():
    """Continuous confidences, coarse ones with many ties, and ones that sit on the edges of bins."""
    rng = np.random.default_rng(5)
    for size in (2, 7, 100, 1000):
        free = rng.random(size)
        for confidence in (free, free.round(1), free.round(2), np.floor(free * 20) / 20):
            correct = (rng.random(size) < confidence).astype(int)
            correct[:2] = 0, 1
            yield correct, confidence


def test_scikit_learn() -> None:
    from sklearn.calibration import calibration_curve
    from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

    for correct, confidence in samples():
        assert value("AUROC", correct, confidence) == pytest.approx(roc_auc_score(correct, confidence), abs=1e-12)
        assert value("Brier", correct, confidence) == pytest.approx(brier_score_loss(correct, confidence), abs=1e-12)
        assert value("log_score", correct, confidence) == pytest.approx(-log_loss(correct, confidence), abs=1e-9)
        for bins in (5, 10, 15):
            right, stated = calibration_curve(correct, confidence, n_bins=bins)
            place = np.searchsorted(np.linspace(0, 1, bins + 1)[1:-1], confidence)
            sizes = np.bincount(place, minlength=bins)
            ece = np.sum(sizes[sizes > 0] * np.abs(right - stated)) / len(correct)
            assert value(f"ECE(bins={bins})", correct, confidence) == pytest.approx(ece, abs=1e-12)


def test_uncertainty_calibration() -> None:
    calibration = pytest.importorskip("calibration")

    for correct, confidence in samples():
        for bins in (5, 10):
            ece = calibration.get_ece(confidence, correct, num_bins=bins, mode="marginal")
            assert value(f"ECE(bins={bins})", correct, confidence) == pytest.approx(ece, abs=1e-12)
        if len(set(confidence)) == len(confidence):
            area, _ = calibration.utils.get_selective_stats(confidence, correct)
            assert 1 - value("AURC", correct, confidence) == pytest.approx(area, abs=1e-12)
            assert value("CWS", correct, confidence) == pytest.approx(area, abs=1e-12)


def test_debiased_ece_against_uncertainty_calibration() -> None:
    """Its estimate is drawn 20,000 times where ours is the mean in closed form; it wants two answers in every bin."""
    calibration = pytest.importorskip("calibration")

    random = np.random.default_rng(8)
    for power in (1.0, 0.5, 3.0):
        confidence = random.random(300)
        correct = (random.random(300) < confidence**power).astype(int)
        binned = calibration.utils.bin(list(zip(confidence, correct, strict=True)), [0.2, 0.4, 0.6, 0.8, 1.0])
        np.random.seed(1)
        theirs = calibration.utils.normal_debiased_ce(binned, power=1, resamples=20_000)
        assert value("ECEd(bins=5)", correct, confidence) == pytest.approx(max(theirs, 0), abs=0.001)


def test_uncertainty_calibration_on_real_confidences(shared_data) -> None:
    calibration = pytest.importorskip("calibration")

    # Its edges are i/10, ours numpy.linspace(0, 1, 11) as in the published table: they differ in the last bit at 0.3, 0.6
    # and 0.7, and 436 of the answers state a confidence of exactly 0.7000000000000001 or 0.6000000000000001.
    between = {0.6000000000000001, 0.7000000000000001}
    left_out = 0
    by_model: dict[str, tuple[list[int], list[float]]] = {}
    with shared_data("llm_confidence", "llm-confidence-correct.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if float(row["stated_confidence"]) in between:
                left_out += 1
                continue
            correct, confidence = by_model.setdefault(row["llm"], ([], []))
            correct.append(int(row["correct"] == "TRUE"))
            confidence.append(float(row["stated_confidence"]))
    assert len(by_model) == 11
    assert left_out == 436
    for correct, confidence in by_model.values():
        ece = calibration.get_ece(np.array(confidence), np.array(correct), num_bins=10, mode="marginal")
        assert value("ECE", correct, confidence) == pytest.approx(ece, abs=1e-12)


answers = st.lists(
    st.tuples(st.integers(0, 1), st.one_of(st.floats(0, 1), st.integers(0, 20).map(lambda i: i / 20))),
    min_size=2,
    max_size=60,
)


@settings(max_examples=150, deadline=None)
@given(answers)
def test_any_confidences_against_scikit_learn_and_scipy(drawn) -> None:
    from scipy.stats import pearsonr
    from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

    correct, confidence = (np.array(column) for column in zip(*drawn, strict=True))
    assume(0 < correct.sum() < len(correct))
    assert value("AUROC", correct, confidence) == pytest.approx(roc_auc_score(correct, confidence), abs=1e-12)
    assert value("Brier", correct, confidence) == pytest.approx(brier_score_loss(correct, confidence), abs=1e-12)
    assert value("log_score", correct, confidence) == pytest.approx(-log_loss(correct, confidence), abs=1e-9)
    if np.ptp(confidence) > 1e-6:  # below that scipy warns that its own result is inexact
        r = find("Pearson", "outcomes")(correct.tolist(), confidence.tolist())
        assert r == pytest.approx(pearsonr(correct, confidence).statistic, abs=1e-9)


@settings(max_examples=150, deadline=None)
@given(answers, st.sampled_from([1, 4, 10, 15]))
def test_any_confidences_against_uncertainty_calibration(drawn, bins) -> None:
    calibration = pytest.importorskip("calibration")

    correct, confidence = (np.array(column) for column in zip(*drawn, strict=True))
    # Its edges are i/bins and ours i·(1/bins), as numpy.linspace has them: they may differ in the last bit.
    edges = np.arange(bins + 1) / bins
    assume(np.abs(confidence[:, None] - edges).min() > 1e-12 or np.array_equal(edges, np.linspace(0, 1, bins + 1)))
    ece = calibration.get_ece(confidence, correct, num_bins=bins, mode="marginal")
    assert value(f"ECE(bins={bins})", correct, confidence) == pytest.approx(ece, abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(answers)
def test_yes_no_problems_against_scikit_learn(drawn) -> None:
    """PAN's AUC, 1-Brier and F1, where nothing is left at 0.5."""
    from sklearn.metrics import brier_score_loss, f1_score, roc_auc_score

    truth, values = (np.array(column) for column in zip(*drawn, strict=True))
    assume(0 < truth.sum() < len(truth) and not (values == 0.5).any())
    said = values > 0.5
    assert find("AUC", "outcomes")(truth.tolist(), values.tolist()) == pytest.approx(
        roc_auc_score(truth, values), abs=1e-12
    )
    complement = find("1-Brier", "outcomes")(truth.tolist(), values.tolist())
    assert complement == pytest.approx(1 - brier_score_loss(truth, values), abs=1e-12)
    counts = [int(np.sum(said & (truth == 1))), int(np.sum(said & (truth == 0))), int(np.sum(~said & (truth == 1)))]
    top, bottom = find("F1", "outcomes")(len(truth), *counts)
    assert top / bottom == pytest.approx(f1_score(truth, said), abs=1e-12)
