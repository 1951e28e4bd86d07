"""The results file beside samples of lm-evaluation-harness."""

from __future__ import annotations

import json

import pytest
from damaged_logs import altered
from hypothesis import given

from assay.formats.harness.lm_eval_results import named
from assay.io.sources import Source

DATE = "2025-01-02T03-04-05.678901"
RESULTS = {
    "model_name": "org/m", "lm_eval_version": "0.4.9", "config": {"model_args": "pretrained=org/m"},
    "configs": {"cap": {"filter_list": [{"name": "strict"}, {"name": "loose"}], "target_delimiter": ": "}},
    "group_subtasks": {"cap": [], "world": ["cap", "rivers"]}, "higher_is_better": {"cap": {"acc": True, "loss": False}},
    "n-samples": {"cap": {"original": 9, "effective": 3}},
}  # fmt: skip


@pytest.fixture
def beside(tmp_path):
    def write(results, name=f"results_{DATE}.json"):
        (tmp_path / name).write_text(json.dumps(results))
        return Source("samples", path=str(tmp_path / f"samples_cap_{DATE}.jsonl"))

    return write


def test_all_it_says(beside):
    found = named(beside(RESULTS))
    assert (found.run, found.task, found.date, found.version) == ("org/m", "cap", DATE, "0.4.9")
    assert (found.filters, found.group, found.delimiter) == (["strict", "loose"], "world", ": ")
    assert (found.lower, found.asked, found.warnings) == (["loss"], 9, [])


def test_the_results_of_another_date_are_not_its_own(beside, tmp_path):
    found = named(beside(RESULTS, "results_2020-01-01T00-00-00.json"))
    assert (found.run, found.filters) == (tmp_path.name, [])


def test_a_task_may_have_the_date_of_nothing_else(tmp_path):
    source = Source("x", path=str(tmp_path / "m" / f"samples_a_b_2_{DATE}.jsonl"))
    assert (named(source).task, named(source).run) == ("a_b_2", "m")


def test_constants_of_python_are_no_harm(beside):
    assert named(beside({**RESULTS, "results": {"cap": {"acc": float("nan"), "x": [float("-inf")]}}})).run == "org/m"


def test_arguments_as_an_object(beside):
    assert named(beside({**RESULTS, "config": {"model_args": {"pretrained": "org/m"}}})).run == "org/m"


@pytest.mark.parametrize(
    ("arguments", "run"),
    [("model=gpt,seed=1", "gpt"), ("backend=x", "backend=x"), ("pretrained=a/b,dtype=float", "a/b")],
)
def test_a_model_by_its_arguments(tmp_path, arguments, run):
    (tmp_path / "results.json").write_text(json.dumps({"configs": {"cap": {}}, "config": {"model_args": arguments}}))
    before = arguments.replace("/", "__").replace("=", "__")
    assert named(Source("x", path=str(tmp_path / f"{before}_cap.jsonl"))).run == run


@given(altered([RESULTS]))
def test_any_results_file_is_no_error(tmp_path_factory, records):
    folder = tmp_path_factory.mktemp("model")
    (folder / f"results_{DATE}.json").write_text(json.dumps(records[0]))
    found = named(Source("x", path=str(folder / f"samples_cap_{DATE}.jsonl")))
    assert found.task == "cap"
    assert found.run in ("org/m", "x", folder.name)


def test_a_name_that_ends_in_none_of_the_results_tasks_is_its_own_task(tmp_path):
    (tmp_path / "results.json").write_text(json.dumps(RESULTS))
    found, known = (named(Source("x", path=str(tmp_path / f"m_{task}.jsonl"))) for task in ("other", "cap"))
    assert (found.run, found.task, known.task) == ("m_other", "m_other", "cap")
    assert "nothing tells its task" in found.warnings[0]
