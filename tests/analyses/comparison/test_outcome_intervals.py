"""Intervals of runs by outcome: the proportion's own, and that clusters count for less."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

import assay
from assay.analyses.comparison.outcome_intervals import outcome_ends
from assay.resampling.columns import compared


def columns(cluster: bool):
    rows = [
        {"id": f"q{i}", "outcome": "correct" if (i // 5) % 4 else "incorrect", "cluster": str(i // 5)}
        for i in range(60)
    ]
    text = "\n".join(json.dumps({k: v for k, v in row.items() if cluster or k != "cluster"}) for row in rows).encode()
    scores = assay.evaluate(None, text, "accuracy")
    return compared(scores, scores.measure("accuracy"), scores.runs)


def test_mid_p_at_every_confidence_asked_for() -> None:
    ends = outcome_ends(columns(False), np.array([0.9, 0.95]), 0.95)
    for row, confidence in zip(ends, (0.9, 0.95), strict=True):
        tails = [(1 - confidence) / 2, (1 + confidence) / 2]
        reached = stats.binom.sf(45, 60, row[0]) + stats.binom.pmf(45, 60, row[0]) / 2
        assert reached.tolist() == pytest.approx(tails)


def test_clusters_of_equal_answers_are_worth_less() -> None:
    alone, together = (outcome_ends(columns(cluster), np.array([0.95]), 0.95)[0, 0] for cluster in (False, True))
    assert np.ptp(together) > 2 * np.ptp(alone)
