"""What a test on these topics tells apart, beside what the swap method asks for."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.analyses.comparison.compare import compare
from assay.analyses.reliability.critical_difference import critical
from assay.resampling.columns import Columns


def of(values):
    scores = assay.scores(values)
    return scores, critical(Columns.of(scores, scores.measures[0]))


def test_it_is_what_compare_says() -> None:
    """Medians over pairs of t standard errors, alone by the t test, together by max-T's own intervals."""
    rng = np.random.default_rng(1)
    scores, found = of((rng.random((30, 1)) + rng.normal(0, 0.1, (30, 6))).tolist())
    alone = [pair.critical for pair in compare(scores, test="t", correct="none").pairs]
    together = [pair.critical for pair in compare(scores).pairs]
    assert found.alone == pytest.approx(float(np.median(alone)), rel=1e-6)
    assert found.together == pytest.approx(float(np.median(together)), rel=0.05)
    assert found.alone < found.together


def test_runs_that_never_differ_have_none() -> None:
    assert of([[0.5, 0.5]] * 5)[1] is None


def test_a_study_shows_both_and_names_them() -> None:
    rng = np.random.default_rng(1)
    study = assay.reliability(assay.scores((rng.random((20, 1)) + rng.normal(0, 0.1, (20, 5))).tolist()), trials=50)
    shown = str(study)
    assert "would keep its direction on another set of topics of this size" in " ".join(shown.split())
    assert "On these 20 topics, leads of about" in shown
    told = study.to_dict()["measures"]["score"]["critical"]
    assert set(told) == {"alone", "together"}
