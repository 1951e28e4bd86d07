"""What the figures' tests share: files of a campaign, and a table with all that a task's figures need."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import assay
from assay.figures import task_figures
from assay.scoring.evaluate import extended
from assay.table.scores import Scores
from assay.tasks import get


@pytest.fixture
def put(tmp_path: Path) -> Callable[[str, str], str]:
    """Write a file and say where it is."""

    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


@pytest.fixture
def jsonl(put) -> Callable[[str, list[dict[str, object]]], str]:
    return lambda name, rows: put(name, "".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def scored() -> Callable[..., Scores]:
    def score(task: str, gold: str, *runs: str, **settings: object) -> Scores:
        declared = task_figures(get(task))
        return extended(
            assay.evaluate(gold, list(runs), declared.measures, task=task, **settings), (), declared.columns
        )

    return score
