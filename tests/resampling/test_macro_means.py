"""Macro means as a resampler: each task weighs the same, in the value, in a resample and by question."""

from __future__ import annotations

import numpy as np
import pytest

from assay.resampling.macro_means import MacroMeanResampler
from assay.resampling.resamplers import MeanResampler, SumsResampler

A, B = np.array([0]), np.array([1])
VALUES = np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [1.0, 0.5], [1.0, 0.0], [0.0, 0.5]])
ROWS = [np.arange(2), np.arange(2, 6)]


def sample(clusters=None) -> MacroMeanResampler:
    """Two questions and four: (1/2 + 3/4)/2 and (0 + 2/4)/2."""
    return MacroMeanResampler([MeanResampler(VALUES[rows]) for rows in ROWS], ROWS, clusters)


def test_the_value_is_the_mean_over_tasks_and_so_is_the_spread() -> None:
    assert sample().values().tolist() == [0.625, 0.25]
    assert sample().linear.mean(axis=0) == pytest.approx([0.625, 0.25])
    assert sample().bootstrap(4000, 0).mean(axis=0) == pytest.approx([0.625, 0.25], abs=0.02)
    assert sample(["p", "q", "r", "r", "s", "s"]).values().tolist() == [0.625, 0.25]


def test_a_question_moves_the_mean_by_its_share_of_its_task() -> None:
    """1/(2 tasks × 2 questions) and 1/(2 × 4)."""
    made = sample()
    moved = made.topic_differences(A, B)[:, 0] / made.unit
    assert moved == pytest.approx([1 / 4, 0, 0, 0.5 / 8, 1 / 8, -0.5 / 8])


def test_a_run_without_a_value_on_a_task_has_no_macro_mean() -> None:
    """Precision, right of answered: y answers nothing of the second task."""
    counts = np.array(
        [[[1, 1], [1, 1]], [[0, 1], [1, 1]], [[1, 1], [0, 0]], [[1, 1], [0, 0]], [[0, 1], [0, 0]], [[1, 1], [0, 0]]]
    )
    precision = [SumsResampler(counts[rows], lambda n, right, answered: (right, answered)) for rows in ROWS]
    made = MacroMeanResampler(precision, ROWS)
    assert made.values()[0] == (0.5 + 0.75) / 2
    assert np.isnan(made.values()[1])
    assert np.isnan(made.bootstrap(10, 0)[:, 1]).all()
    assert np.isnan(made.linear[:, 1]).all()
    assert not made.can("values")
    assert made.can("differences")
