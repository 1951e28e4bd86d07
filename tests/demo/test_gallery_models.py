"""Campaigns of language models: all four states, several samples, and a suite with a task that one model missed."""

from __future__ import annotations

import json

import assay
from assay.demo.gallery import write_data
from assay.demo.gallery_models import SAMPLES, outcomes, samples


def test_every_state_there_is(tmp_path) -> None:
    write_data(str(tmp_path), "outcomes")
    scores = assay.evaluate(
        str(tmp_path / "gold.jsonl"), str(tmp_path / "runs"), ["correct", "incorrect", "unanswered"]
    )
    for measure in ("correct", "incorrect", "unanswered"):
        assert max(scores.mean(measure).values()) > 0
    assert any('"failed"' in content for path, content in outcomes(2001).items() if path.startswith("runs/"))
    assert scores.mean("unanswered")["bold-30b"] == 0


def test_every_question_is_asked_as_often() -> None:
    made = samples(2001)
    asked = [json.loads(line)["id"] for line in made["gold.jsonl"].splitlines()]
    given = [(one["id"], one["sample"]) for one in map(json.loads, made["runs/atlas-8b.jsonl"].splitlines())]
    assert sorted(given) == sorted((question, sample) for question in asked for sample in range(1, SAMPLES + 1))


def test_one_model_missed_one_task(tmp_path) -> None:
    write_data(str(tmp_path), "suite")
    scores = assay.evaluate(str(tmp_path / "logs"), None, ["correct"])
    assert (len(scores.topics), len(scores.runs)) == (3 * 36, 4)
    assert len(list((tmp_path / "logs").iterdir())) == 11
