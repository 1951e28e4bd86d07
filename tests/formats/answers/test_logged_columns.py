"""Tables that are one run's log."""

from __future__ import annotations

import pytest

from assay.formats.answers.logged_columns import doubtful_columns, is_log_header, is_noted, is_scored, suggested_columns

INSPECT = [
    "sample_id", "eval_id", "log", "id", "epoch", "input", "target", "score_attempted", "score_partial_credit", "model_usage",
    "total_time", "working_time", "message_count", "turn_count", "error", "limit", "retries",
]  # fmt: skip


def test_a_frame_of_inspect_is_a_log():
    assert is_log_header(INSPECT)
    assert suggested_columns(INSPECT, "id", [], {"epoch": ["1", "2"]}) == (
        "`gold=None` and `columns='id=id,outcome=score_attempted,run=eval_id,sample=epoch'` read it with a line per question and sample "
        "(or another of score_attempted, score_partial_credit)"
    )


@pytest.mark.parametrize(
    "header", [["id", "gpt", "claude"], ["id", "gpt_score", "claude_score"], ["id", "epoch", "time", "m"]]
)
def test_others_are_none(header):
    assert not is_log_header(header)


@pytest.mark.parametrize(
    "name", ["epoch", "turn_count", "retries", "total_time", "error", "limit", "message_count", "", "Unnamed: 0"]
)
def test_what_is_noted(name):
    assert is_noted(name)
    assert doubtful_columns(["id", "gpt", name], ["gpt", name]) == [name]


@pytest.mark.parametrize("name", ["gpt-4", "m1", "run1", "system-a", "llama_3_70b", "timeless", "indexer"])
def test_what_may_be_a_system(name):
    assert not is_noted(name)
    assert not is_scored(name)
    assert doubtful_columns(["id", name], [name]) == []


def test_anything_beside_a_score_is_doubted():
    assert doubtful_columns(["id", "score_x", "flag"], ["flag"]) == ["flag"]
    assert doubtful_columns(["id", "score_x", "score_y"], ["score_x", "score_y"]) == []


def test_without_a_score_the_runs_that_are_left():
    assert (
        suggested_columns(["id", "a", "b", "epoch"], "id", ["a", "b"], {})
        == "`columns='id=id,runs=a+b'` names the runs"
    )
    assert suggested_columns(["id", "epoch"], "id", [], {}) == "`columns='id=id,runs=…'` names the runs"


def test_a_sample_counts_from_1():
    assert "sample" not in suggested_columns(["id", "score", "trial"], "id", [], {"trial": ["0", "1"]}).split("`")[1]
