"""Measures of whole runs by the core, by hand; tests/resampling/test_answers.py holds them to their functions."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core import binding
from assay.core.whole_runs import Answers, measured
from assay.measures.registry import declarations


def test_the_core_has_the_measures_that_are_declared() -> None:
    found = {one.kernel for one in declarations() if one.kernel and one.level == "whole"}
    assert found == set(binding.WHOLES)


def answers() -> Answers:
    """Right at .9, wrong and right tied at .5, one question not answered: bins of .5, so that all but the last share one."""
    return Answers(
        order=np.array([[4 * 0 + 2 + 1, 4 * 1, 4 * 2 + 2 + 1, 0]], np.uint32),
        stated=np.array([3]), answered=np.array([3]), positive=np.array([3]), enters=None,
        bin=np.array([[1, 0, 0, 2]], np.int32), hit=np.array([[1.0, 0.0, 1.0, 1.0]]),
        confidence=np.array([[0.9, 0.5, 0.5, 0.0]]), bins=2,
    )  # fmt: skip


@pytest.mark.skipif(binding.LIBRARY is None, reason="needs the core")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("CWS", [(1 + 1.5 / 2 + 2 / 3 + 2 / 4) / 4, (1 + 1) / 2, float("nan")]),
        ("AUROC", [1.5 / 2, float("nan"), float("nan")]),
        ("ECE", [(0.1 + 0.0) / 3, 0.1, float("nan")]),
    ],
)
def test_once_each_the_first_twice_and_nothing_answered(name, expected) -> None:
    """The second trial draws the best answer twice; the third, what is not answered; there is none without trials."""
    draws = [np.arange(4), np.array([0, 0]), np.array([3])]
    assert measured(name, answers(), draws)[:, 0] == pytest.approx(expected, nan_ok=True)
    assert measured(name, answers(), []).shape == (0, 1)


@pytest.mark.skipif(binding.LIBRARY is None, reason="needs the core")
def test_no_memory_is_said(monkeypatch) -> None:
    class Full:
        @staticmethod
        def assay_whole(*_):
            return binding.MEMORY

    monkeypatch.setattr(binding, "LIBRARY", Full)
    with pytest.raises(MemoryError, match="1 resamples of 4 questions"):
        measured("CWS", answers(), [np.arange(4)])
