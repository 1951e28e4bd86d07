"""Reading scores does not hold what was asked and said: of logs with a line a result, one line at a time is in memory."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest

from assay.formats.harness.logs import LogReading
from assay.formats.recognition import recognise
from assay.io.sources import Source

LONG = "word " * 20_000
MANY = 60


def _lm_eval(at: int) -> list[dict[str, Any]]:
    asked = {"gen_args_0": {"arg_0": LONG, "arg_1": {}}}
    return [{
        "doc_id": at, "doc": {"question": f"q{at}"}, "target": "x", "arguments": asked, "resps": [[LONG]],
        "filtered_resps": [LONG], "filter": "none", "metrics": ["exact_match"], "exact_match": 1.0, "doc_hash": f"{at:064x}",
    }]  # fmt: skip


def _promptfoo(at: int) -> list[dict[str, Any]]:
    return [{
        "promptIdx": 0, "testIdx": at, "promptId": "p", "provider": {"id": "m"}, "vars": {"q": at}, "success": True,
        "prompt": {"raw": LONG, "label": "p"}, "response": {"output": LONG},
    }]  # fmt: skip


def _openai_evals(at: int) -> list[dict[str, Any]]:
    event = {"run_id": "r", "sample_id": f"t.{at}"}
    asked = {"prompt": [{"role": "user", "content": LONG}], "sampled": [LONG]}
    return [
        {**event, "event_id": 2 * at, "type": "sampling", "data": asked},
        {
            **event,
            "event_id": 2 * at + 1,
            "type": "match",
            "data": {"correct": True, "expected": LONG, "sampled": LONG},
        },
    ]


def _every_eval_ever(at: int) -> list[dict[str, Any]]:
    return [{
        "schema_version": "0.3.0", "evaluation_id": "e", "evaluation_name": "t", "model_id": "m", "sample_id": str(at),
        "input": {"raw": LONG}, "output": {"raw": [LONG]}, "evaluation": {"score": 1.0, "is_correct": True},
    }]  # fmt: skip


@pytest.mark.parametrize("lines", [_lm_eval, _promptfoo, _openai_evals, _every_eval_ever])
def test_completions_are_not_held(lines, tmp_path) -> None:
    """Red before for promptfoo and OpenAI evals, which held all of them."""
    path = tmp_path / "samples_t_2026-11-15T06-39-13.217789.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for at in range(MANY) for line in lines(at)))
    source = Source(str(path), path=str(path))
    reader = recognise(source, "log")
    assert reader is not None
    reader.read(source, LogReading())  # what is made once is made before anything is counted
    tracemalloc.start()
    try:
        [rows] = reader.read(source, LogReading())
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert rows.outcomes == [1] * MANY
    assert kept < len(LONG)
    assert most < path.stat().st_size / 2
    assert LONG in (rows.texts_of("t.0" if lines is _openai_evals else rows.ids[0], 1).answer or "")
