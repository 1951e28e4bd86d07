"""Columns as lists and as arrays: the same bits, and no numpy before it pays."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.measures.engines import vectors
from assay.measures.registry import declarations, find

KNOWN = {"correct", "answered", "confidence", "position", "answer_correct", "answer_confidence", "truth", "value"}


@given(st.integers(0, 1200), st.integers(0, 2**32))
def test_lists_add_up_as_arrays_do(size, seed) -> None:
    values = (np.random.default_rng(seed).standard_normal(size) * 10.0 ** (seed % 7)).tolist()
    assert vectors.total(values) == vectors.total(np.array(values))


def columns(size: int, seed: int) -> dict[str, list]:
    rng = np.random.default_rng(seed)
    confidence = rng.random(size).round(3 if seed % 2 else 17).tolist()
    answered = (rng.random(size) < 0.8).astype(int).tolist()
    correct = [int(given and rng.random() < p) for given, p in zip(answered, confidence, strict=True)]
    return {
        "correct": correct,
        "answered": answered,
        "confidence": [p if given else None for given, p in zip(answered, confidence, strict=True)],
        "position": rng.permutation(size).tolist(),
        "answer_correct": [c if given else () for given, c in zip(answered, correct, strict=True)],
        "answer_confidence": [p if given else () for given, p in zip(answered, confidence, strict=True)],
        "truth": (rng.random(size) < 0.5).astype(int).tolist(),
        "value": confidence,
    }


WHOLE = [d for d in declarations("outcomes") if d.level == "whole" and set(d.of) <= KNOWN]


@pytest.mark.parametrize("size", [0, 1, 2, 7, 8, 9, 63, 128, 129, 300, 1001])
def test_every_measure_of_a_whole_run_gives_the_same_bits_either_way(size, monkeypatch) -> None:
    assert len(WHOLE) >= 14
    for seed in range(4):
        cells = columns(size, seed)
        for declaration in WHOLE:
            measure = find(f"{declaration.name}@0.2" if declaration.required else declaration.name, "outcomes")
            as_arrays = measure(*(cells[name] for name in measure.of))
            with monkeypatch.context() as patch:
                patch.setattr(vectors, "use_arrays", lambda size: False)
                as_lists = measure(*(cells[name] for name in measure.of))
            assert repr(as_lists) == repr(as_arrays), (measure, seed)
            assert as_lists is None or type(as_lists) is float, measure


def loaded(code: str) -> list[str]:
    heavy = ("numpy", "scipy", "dataclasses", "rich", "pathlib", "concurrent.futures")
    shown = f"print(json.dumps([m for m in {heavy!r} if m in set(sys.modules) - before]))"
    code = f"import sys, json\nbefore = set(sys.modules)\n{code}\n{shown}"
    return json.loads(subprocess.check_output([sys.executable, "-c", code], text=True).splitlines()[-1])


def test_numpy_is_loaded_where_a_column_is_large() -> None:
    code = "from assay.measures.engines import vectors; vectors.vector([0.5] * (vectors.LARGE {}))"
    assert loaded(code.format("- 1")) == []
    assert loaded(code.format("")) == ["numpy"]


@pytest.mark.parametrize("more", [[], ["-m", "c@1"], ["-m", "ECE", "-m", "r", "-m", "AUROC", "-m", "log_score"]])
def test_evaluating_answers_needs_no_numpy(tmp_path, more) -> None:
    from assay.demo.data import write_demo

    write_demo(str(tmp_path))
    arguments = ["evaluate", str(tmp_path / "answers/gold.jsonl"), str(tmp_path / "answers/runs"), *more]
    assert loaded(f"from assay.cli import main\nmain({arguments!r})") == []
