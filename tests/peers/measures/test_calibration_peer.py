"""Calibration errors and Brier's parts against relplot, uncertainty-calibration and scikit-learn.

relplot's smooth ECE looks at 200 points, cuts its kernel off half a unit from its centre and finds the width to 1/1024; ours
looks at 2,049, mirrors the whole kernel and finds the width to 1e-8. They differ by what that comes to: 0.0015 on real data,
and more only where the width is above a quarter, of which relplot's cut kernel is no Gaussian any more. One difference is of
substance: mirrored at 0 and 1, relplot's mesh has its end points once and all others twice, so that an answer with a confidence
of exactly 0 or 1 weighs half as much as one at 0.999. Ours weighs it whole, so the two are compared on confidences kept within
[0.001, 0.999].
"""

from __future__ import annotations

import csv
import lzma

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.measures.registry import find
from peers import peer

pytestmark = pytest.mark.peer


def value(name: str, correct, confidence) -> float:
    measure = find(name, "outcomes")
    return measure(list(map(int, correct)), [1] * len(correct), list(map(float, confidence)))


def binned(confidence, correct, bins: int, mass: bool = False):
    """The answers in uncertainty-calibration's bins, those that are not empty."""
    utils = peer("calibration").utils
    edges = (utils.get_equal_bins if mass else utils.get_equal_prob_bins)(list(confidence), num_bins=bins)
    found = utils.bin(list(zip(confidence, correct, strict=True)), edges)
    return [cell for cell in found if len(cell)]


@pytest.fixture(scope="session")
def stated(shared_data):
    """By model: correctness and stated confidence of 12,032 questions of MMLU-Pro; of 11 models on 6,706 other ones."""
    folder = "llm_calibration_mmlu_pro"
    with lzma.open(shared_data(folder, "answers.csv.xz"), "rt") as answers:
        right = list(csv.DictReader(answers))
    runs: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    with lzma.open(shared_data(folder, "verbal_numerical.csv.xz"), "rt") as verbal:
        said = list(csv.DictReader(verbal))
    for model in [name for name in said[0] if name not in ("id", "category", "gold")][:12]:
        pairs = [
            (int(key[model] == key["gold"]), float(row[model]))
            for key, row in zip(right, said, strict=True)
            if key[model] not in ("", "EMPTY") and row[model] and 0 <= float(row[model]) <= 1
        ]
        if len(pairs) > 1000:
            runs[model] = tuple(map(np.array, zip(*pairs, strict=True)))
    with shared_data("llm_confidence", "llm-confidence-correct.csv").open(newline="") as file:
        by_model: dict[str, list[tuple[int, float]]] = {}
        for row in csv.DictReader(file):
            by_model.setdefault(row["llm"], []).append((int(row["correct"] == "TRUE"), float(row["stated_confidence"])))
    runs.update({model: tuple(map(np.array, zip(*pairs, strict=True))) for model, pairs in by_model.items()})
    assert len(runs) >= 20
    return runs


def test_smooth_ece_on_real_confidences(stated) -> None:
    relplot = peer("relplot")
    compared = 0
    for model, (correct, free) in stated.items():
        confidence = free.clip(0.001, 0.999)
        theirs = relplot.smECE(confidence, correct)
        if theirs < 0.25:
            compared += 1
            assert value("smECE", correct, confidence) == pytest.approx(theirs, abs=0.0015), model
        for sigma in (0.02, 0.05, 0.1):
            fixed = relplot.metrics.smECE_sigma(confidence, correct, sigma)
            assert value(f"smECE(sigma={sigma})", correct, confidence) == pytest.approx(fixed, abs=0.002), model
    assert compared >= 8


def test_half_the_weight_of_certainty() -> None:
    """Two wrong answers, at 1 and at 0.5: gaps of 1 and 0.5, far apart, so (1 + 0.5) / 2; relplot gives (0.5 + 0.5) / 1.5."""
    correct, confidence = np.array([0, 0]), np.array([1.0, 0.5])
    assert value("smECE(sigma=0.05)", correct, confidence) == pytest.approx(0.75, abs=1e-9)
    assert peer("relplot").metrics.smECE_sigma(confidence, correct, 0.05) == pytest.approx(2 / 3, abs=0.02)


many = st.lists(
    st.tuples(st.integers(0, 1), st.one_of(st.floats(0, 1), st.integers(0, 20).map(lambda i: i / 20))),
    min_size=2,
    max_size=60,
)


@settings(max_examples=60, deadline=None)
@given(many, st.sampled_from([0.03, 0.05]), st.booleans())
def test_smooth_ece_of_any_answers(drawn, sigma, inside) -> None:
    relplot = peer("relplot")
    correct, confidence = (np.array(column, float) for column in zip(*drawn, strict=True))
    # It sums over its 200 points, the two ends as much as the others: up to one part in 25 too much where answers lie there.
    confidence = confidence.clip(0.2, 0.8) if inside else confidence.clip(0.001, 0.999)
    theirs = relplot.metrics.smECE_sigma(confidence, correct, sigma)
    assert value(f"smECE(sigma={sigma})", correct, confidence) == pytest.approx(theirs, abs=0.003 if inside else 0.04)


@settings(max_examples=150, deadline=None)
@given(many, st.sampled_from([1, 3, 10, 15]))
def test_errors_over_bins_of_any_answers(drawn, bins) -> None:
    calibration = peer("calibration")
    correct, confidence = (np.array(column) for column in zip(*drawn, strict=True))
    # Its edges are i/bins and ours i·(1/bins), as numpy.linspace has them: they may differ in the last bit.
    edges = np.arange(bins + 1) / bins
    assume(np.abs(confidence[:, None] - edges).min() > 1e-12 or np.array_equal(edges, np.linspace(0, 1, bins + 1)))
    ours = calibration.get_ece_em(confidence, correct, num_bins=bins, mode="marginal")
    assert value(f"adaptive_ECE(bins={bins})", correct, confidence) == pytest.approx(ours, abs=1e-12)
    for binning in ("width", "mass"):
        cells = binned(confidence, correct, bins, binning == "mass")
        inside = f"(bins={bins},binning={binning})"
        most = max(abs(calibration.utils.difference_mean(cell)) for cell in cells)
        assert value(f"MCE{inside}", correct, confidence) == pytest.approx(most, abs=1e-12)
        root = calibration.utils.plugin_ce(cells, power=2)
        assert value(f"RMSCE{inside}", correct, confidence) == pytest.approx(root, abs=1e-9)
        square = max(0.0, calibration.utils.unbiased_square_ce(cells))
        assert value(f"RMSCEd{inside}", correct, confidence) ** 2 == pytest.approx(square, abs=1e-12)


def test_errors_over_bins_on_real_confidences(stated) -> None:
    calibration = peer("calibration")
    for model, (correct, confidence) in stated.items():
        for bins in (10, 15, 100):
            ours = calibration.get_ece_em(confidence, correct, num_bins=bins, mode="marginal")
            assert value(f"adaptive_ECE(bins={bins})", correct, confidence) == pytest.approx(ours, abs=1e-12), model
            cells = binned(confidence, correct, bins, mass=True)
            inside = f"(bins={bins},binning=mass)"
            root = calibration.utils.plugin_ce(cells, power=2)
            assert value(f"RMSCE{inside}", correct, confidence) == pytest.approx(root, abs=1e-12), model
            debiased = calibration.utils.unbiased_l2_ce(cells)
            assert value(f"RMSCEd{inside}", correct, confidence) == pytest.approx(debiased, abs=1e-12), model
            most = max(abs(calibration.utils.difference_mean(cell)) for cell in cells)
            assert value(f"MCE{inside}", correct, confidence) == pytest.approx(most, abs=1e-12), model


def test_briers_parts_add_up_to_scikit_learns_brier(stated) -> None:
    brier = peer("sklearn.metrics").brier_score_loss
    for model, (correct, confidence) in stated.items():
        whole = brier(correct, confidence)
        for inside in ("", "(bins=10)", "(bins=7)"):
            parts = [value(f"{name}{inside}", correct, confidence) for name in ("REL", "RES")]
            total = parts[0] - parts[1] + value("UNC", correct, confidence)
            assert total == pytest.approx(whole, abs=1e-12), (model, inside)
        # Over the distinct confidences reliability is the square of the root of uncertainty-calibration's mean square.
        # It cannot part 0.7 from 0.7000000000000001, which both occur.
        near = confidence.round(6)
        root = peer("calibration").utils.get_binning_ce(near, correct, p=2, debias=False)
        assert value("REL", correct, near) == pytest.approx(root**2, abs=1e-12), model
