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

from assay.measures.declare import find

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
