"""assay's metrics inside lm-evaluation-harness, in evaluations of a model with canned answers on a local task: against counts by
hand, and against `assay.evaluate` of the samples that the harness wrote.

`make peers` makes the environment; elsewhere this is skipped.
"""

# ruff: noqa: E402, what is imported is known to be there by then

from __future__ import annotations

import json
import math

import pytest
from pages import ROOT, write_files

import assay

pytestmark = pytest.mark.peer
lm_eval = pytest.importorskip("lm_eval")

from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager
from lm_eval.utils import make_table

from assay.errors import UsageError

RIGHT = {"France": "Paris", "Norway": "Oslo", "Peru": "Lima", "Kiribati": "South Tarawa", "Australia": "Canberra"}
SAID = {"France": "paris", "Norway": "Oslo", "Peru": "Lima", "Kiribati": "Well, I don't know.", "Australia": "Sydney"}
"""3 right, 1 wrong, 1 unanswered."""
BY_HAND = {"c_at_1": (3 + 1 * 3 / 5) / 5, "coverage": 4 / 5, "precision_answered": 3 / 4, "uf": 2 / 5}
NAMES = {"c_at_1": "c@1", "coverage": "coverage", "precision_answered": "precision", "uf": "UF"}

UTILS = """
from assay.integrations.lm_eval import c_at_1

def judged(doc, results):
    said = results[0]
    state = "N" if "know" in said else "C" if said.lower() in map(str.lower, doc["answers"]) else "I"
    return dict.fromkeys(["c_at_1", "coverage", "precision_answered", "uf"], state)

def lenient(items):
    return c_at_1(items, right_from=0.5)

def graded(doc, results):
    return {"c_at_1": 0.5 if results[0] == "Sydney" else "N" if "know" in results[0] else "C"}
"""
TASK = """
task: {name}
dataset_path: json
dataset_kwargs:
  data_files:
    test: {folder}/capitals.jsonl
test_split: test
output_type: generate_until
doc_to_text: "{{{{country}}}}"
doc_to_target: {target}
generation_kwargs:
  until: ["\\n"]
"""
REFUSAL = 'refusal: "I don\'?t know"'
METRIC = """  - metric: {name}
    aggregation: {aggregation}
    ignore_case: true
    {refusal}
"""


class Canned(LM):
    def generate_until(self, requests):
        return [SAID[request.args[0]] for request in requests]

    def loglikelihood(self, requests):
        raise NotImplementedError

    def loglikelihood_rolling(self, requests):
        raise NotImplementedError


@pytest.fixture(autouse=True)
def _offline(monkeypatch, tmp_path) -> None:
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


def metrics(refusal: str = REFUSAL) -> str:
    """All four, of which the first brings the module along and the others are known by name."""
    listed = {name: name for name in NAMES} | {"c_at_1": "!function utils.c_at_1"}
    return "metric_list:\n" + "".join(
        METRIC.format(name=name, aggregation=aggregation, refusal=refusal) for name, aggregation in listed.items()
    )


def run(folder, rest: str, target: str = '"{{answer}}"'):
    """The results of the task, and the folder with what the harness wrote."""
    rows = [{"country": country, "answer": answer, "answers": [answer]} for country, answer in RIGHT.items()]
    (folder / "capitals.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "utils.py").write_text(UTILS)
    (folder / "capitals.yaml").write_text(TASK.format(name="capitals", folder=folder, target=target) + rest)
    tasks = TaskManager(include_path=str(folder), include_defaults=False)
    found = lm_eval.simple_evaluate(model=Canned(), tasks=["capitals"], task_manager=tasks, bootstrap_iters=100)
    samples = found.pop("samples")
    tracker = EvaluationTracker(output_path=str(folder / "out"))
    tracker.general_config_tracker.model_name = tracker.general_config_tracker.model_name_sanitized = "canned"
    tracker.save_results_aggregated(results=found, samples=samples)
    tracker.save_results_samples(task_name="capitals", samples=samples["capitals"])
    return found["results"]["capitals"] | {"better": found["higher_is_better"]["capitals"]}, folder / "out"


def stated(results) -> dict[str, float]:
    return {name: results[f"{name},none"] for name in NAMES}


def of_the_samples(out) -> dict[str, float]:
    scores = assay.evaluate(str(out), None, list(NAMES.values()), metric="c_at_1")
    return {name: scores[measure]["canned"] for name, measure in NAMES.items()}


def test_metrics_and_aggregations_of_a_task_file(tmp_path) -> None:
    results, out = run(tmp_path, metrics())
    assert stated(results) == pytest.approx(BY_HAND)
    assert stated(results) == of_the_samples(out)
    assert results["better"] == {"c_at_1": True, "coverage": None, "precision_answered": True, "uf": True}
    assert results["c_at_1_stderr,none"] == "N/A", "if the harness learns to make one, docs/lm_eval.md is out of date"


def test_outcomes_of_a_tasks_own(tmp_path) -> None:
    results, out = run(tmp_path, "process_results: !function utils.judged\n" + metrics(), target="answers")
    assert stated(results) == pytest.approx(BY_HAND)
    assert stated(results) == of_the_samples(out)


def test_several_targets_would_lose_abstentions(tmp_path) -> None:
    with pytest.raises(UsageError, match=r"several targets.*process_results that returns C, I or N"):
        run(tmp_path, metrics(), target="answers")


def test_what_no_answer_looks_like_must_be_said(tmp_path) -> None:
    with pytest.raises(UsageError, match='refusal: "I don'):
        run(tmp_path, metrics(refusal=""))


def test_partial_credit(tmp_path) -> None:
    graded = "process_results: !function utils.graded\nmetric_list:\n  - metric: c_at_1\n    higher_is_better: true\n"
    with pytest.raises(UsageError, match=r"`right_from=0\.5`"):
        run(tmp_path, graded + "    aggregation: !function utils.c_at_1\n")
    results, out = run(tmp_path, graded + "    aggregation: !function utils.lenient\n")
    assert results["c_at_1,none"] == (4 + 1 * 4 / 5) / 5
    assert assay.evaluate(str(out), None, ["c@1"], right_from=0.5)["c@1"] == {"canned": results["c_at_1,none"]}


def test_undefined_is_no_number(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(globals(), "SAID", dict.fromkeys(RIGHT, "I don't know"))
    results, _ = run(tmp_path, metrics())
    assert math.isnan(results["precision_answered,none"])
    assert results["c_at_1,none"] == 0.0


def test_the_example_of_the_page(tmp_path, monkeypatch) -> None:
    write_files("docs/lm_eval.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    capitals = {**RIGHT, "Japan": "Tokyo", "Kiribati": "Tarawa"}
    rows = [{"country": country, "capital": capital} for country, capital in capitals.items()]
    (tmp_path / "capitals.jsonl").write_text("\n".join(map(json.dumps, rows)))
    declined = dict.fromkeys(["Australia", "Kiribati"], "I don't know")
    asked = {f"What is the capital of {country}?": city for country, city in {**capitals, **declined}.items()}
    monkeypatch.setitem(globals(), "SAID", asked)
    tasks = TaskManager(include_path=str(tmp_path), include_defaults=False)
    table = make_table(lm_eval.simple_evaluate(model=Canned(), tasks=["capitals"], task_manager=tasks))
    assert table.strip() in (ROOT / "docs/lm_eval.md").read_text(encoding="utf-8")
