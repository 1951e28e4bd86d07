"""Small logs of harnesses, written as the tools write them, of made models that answer six questions about capitals.

`bold` always answers: four right, two wrong. `careful` declines where bold is wrong, as far as a log can say so. Every function
writes one log of one model into a folder and returns the path of the file that assay reads.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

CAPITALS = {
    "France": "Paris",
    "Norway": "Oslo",
    "Australia": "Canberra",
    "Canada": "Ottawa",
    "Turkey": "Ankara",
    "Japan": "Tokyo",
}
REGIONS = dict(zip(CAPITALS, ["europe", "europe", "pacific", "america", "asia", "asia"], strict=True))
WRONG = {"Australia": "Sydney", "Turkey": "Istanbul"}
DECLINED = "I don't know."


def asked(country: str) -> str:
    return f"What is the capital of {country}?"


def said(model: str, country: str) -> str:
    """What a made model answers."""
    return CAPITALS[country] if country not in WRONG else WRONG[country] if model == "bold" else DECLINED


def _write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2), encoding="utf-8")
    return path


def _write_lines(path: Path, lines: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def helm(folder: Path, model: str = "bold") -> Path:
    """Six questions in two trials, each also perturbed, and wrong then: 24 rows, of which 12 count (8 right, 4 wrong).

    quasi_exact_match calls everything right. The first question has no score in the second trial: 7 right, 4 wrong, 1 failed.
    """
    place = folder / f"capitals:model=made_{model},language=en"
    perturbed = {"name": "mild_mix", "robustness": True, "fairness": False, "computed_on": "perturbed"}

    def stat(name: str, mean: float | None, copy: bool) -> dict[str, Any]:
        named = {"name": name, "split": "test", **({"perturbation": perturbed} if copy else {})}
        if mean is None:
            return {"name": named, "count": 0, "sum": 0, "sum_squared": 0}
        return {"name": named, "count": 1, "sum": mean, "sum_squared": mean**2, "min": mean, "max": mean, "mean": mean}

    rows: list[dict[str, Any]] = []
    states: list[dict[str, Any]] = []
    for trial in range(2):
        for number, country in enumerate(CAPITALS):
            for copy in (False, True):
                right = said(model, country) == CAPITALS[country] and not copy
                unscored = (trial, number, copy) == (1, 0, False)
                about = {"perturbation": perturbed} if copy else {}
                stats = [
                    stat("num_prompt_tokens", 12, copy),
                    stat("num_output_tokens", 3, copy),
                    stat("inference_runtime", 0.5, copy),
                    stat("max_prob", 0.9 - number / 10, copy),
                    stat("exact_match", None if unscored else float(right), copy),
                    stat("quasi_exact_match", 1.0, copy),
                ]
                rows.append({"instance_id": f"id{number}", **about, "train_trial_index": trial, "stats": stats})
                instance = {
                    "input": {"text": asked(country).lower() if copy else asked(country)},
                    "references": [
                        {"output": {"text": CAPITALS[country]}, "tags": ["correct"]},
                        {"output": {"text": "Atlantis"}, "tags": []},
                    ],
                    "split": "test",
                    "id": f"id{number}",
                    **about,
                }
                states.append(
                    {
                        "instance": instance,
                        "train_trial_index": trial,
                        "request": {"model": f"made/{model}", "prompt": f"Question: {asked(country)}\nAnswer:"},
                        "result": {"success": True, "completions": [{"text": said(model, country), "logprob": 0}]},
                    }
                )
    adapter = {"method": "generation", "model": f"made/{model}", "num_train_trials": 2}
    _write(place / "run_spec.json", {"name": place.name, "scenario_spec": {"args": {}}, "adapter_spec": adapter})
    _write(place / "scenario_state.json", {"adapter_spec": adapter, "request_states": states})
    return _write(place / "per_instance_stats.json", rows)


def every_eval_ever(folder: Path, model: str = "bold") -> Path:
    """Six questions and two metrics, accuracy (4 of 6) and f1 (half of it where the answer is wrong); the last one failed."""
    lines: list[Any] = []
    for number, (country, capital) in enumerate(CAPITALS.items()):
        right = said(model, country) == capital
        for metric in ("accuracy", "f1"):
            line = {
                "schema_version": "0.3.0",
                "evaluation_id": f"made/{model}/1",
                "model_id": f"made/{model}",
                "evaluation_name": "capitals",
                "evaluation_result_id": f"capitals/{metric}",
                "sample_id": f"cap-{number}",
                "sample_hash": f"{number:064x}",
                "interaction_type": "single_turn",
                "input": {"raw": asked(country), "formatted": f"Q: {asked(country)}", "reference": [capital]},
                "output": {"raw": [said(model, country)]},
                "answer_attribution": [],
                "evaluation": {"score": 1.0 if right else 0.5 * (metric == "f1"), "is_correct": right},
                "token_usage": {"input_tokens": 12, "output_tokens": 5, "total_tokens": 17},
                "performance": {"latency_ms": 250},
                "metadata": {"region": REGIONS[country]},
            }
            lines.append({**line, "error": "API error: 503"} if country == "Japan" else line)
    results = [
        {
            "evaluation_result_id": f"capitals/{metric}",
            "evaluation_name": "capitals",
            "metric_config": {"metric_name": metric, "lower_is_better": False},
            "score_details": {"score": 0.5},
        }
        for metric in ("accuracy", "f1")
    ]
    _write(folder / f"{model}.json", {"schema_version": "0.3.0", "evaluation_results": results})
    return _write_lines(folder / f"{model}_samples.jsonl", lines)


def alpaca_eval(folder: Path, model: str = "bold") -> Path:
    """Six pairs: two won, one lost, one drawn, one by three quarters, one not annotated."""
    preferences = [2.0, 2.0, 1.0, 1.5, 1.75, None]
    pairs = [
        {
            "instruction": asked(country),
            "output_1": CAPITALS[country],
            "generator_1": "made-baseline",
            "dataset": REGIONS[country],
            "output_2": said(model, country),
            "generator_2": f"made-{model}",
            "annotator": "weighted_made_judge",
            "preference": preference,
            "price_per_example": 0.01,
            "time_per_example": 2.5,
        }
        for country, preference in zip(CAPITALS, preferences, strict=True)
    ]
    return _write(folder / f"made-{model}" / "annotations.json", pairs)


def promptfoo(folder: Path, model: str = "bold") -> Path:
    """Six questions twice: bold 8 right, 4 wrong; careful 8 right, 4 unanswered, told by an assertion of weight 0.

    The last result is an error: 7 right.
    """
    results: list[Any] = []
    for index, country in enumerate(country for country in CAPITALS for _ in range(2)):
        answer, capital = said(model, country), CAPITALS[country]
        right, attempted = answer == capital, answer != DECLINED
        variables = {"country": country, "capital": capital}
        result = {
            "cost": 0.0001,
            "gradingResult": {
                "pass": right,
                "score": int(right),
                "namedScores": {"correct": int(right), "attempted": 0},
                "componentResults": [
                    {"pass": right, "score": int(right), "assertion": {"type": "icontains", "metric": "correct"}},
                    {"pass": True, "score": int(attempted), "assertion": {"metric": "attempted", "weight": 0}},
                ],
            },
            "latencyMs": 40,
            "prompt": {"raw": asked(country), "label": "What is the capital of {{country}}?"},
            "promptId": "made",
            "promptIdx": 0,
            "provider": {"id": "file://made.js", "label": f"made-{model}"},
            "response": {"output": answer, "metadata": {"confidence": 0.9 if right else 0.4}},
            "score": int(right),
            "success": right,
            "testCase": {
                "vars": variables,
                "assert": [{"type": "icontains"}],
                "metadata": {"region": REGIONS[country]},
            },
            "testIdx": index,
            "tokenUsage": {"prompt": 15, "completion": 5, "total": 20},
            "vars": variables,
            "failureReason": 0 if right else 1,
        }
        results.append(result)
    failed = {"success": False, "failureReason": 2, "error": "API error: 429", "gradingResult": None, "response": {}}
    results[-1] = {**results[-1], **failed}
    prompts = [{"raw": "What is the capital of {{country}}?", "provider": f"made-{model}"}]
    content = {
        "evalId": "eval-made",
        "results": {"version": 3, "timestamp": "2026-11-15T00:00:00Z", "prompts": prompts, "results": results},
        "config": {"description": "capitals"},
        "metadata": {"promptfooVersion": "0.121.20"},
    }
    return _write(folder / f"{model}.json", content)


def evalplus(folder: Path, model: str = "bold") -> Path:
    """Three problems with two programs each: 5 of 6 pass base, 3 of 6 plus; one passes plus and not base."""
    statuses = [
        [("pass", "pass"), ("pass", "pass")],
        [("pass", "fail"), ("pass", "pass")],
        [("fail", "pass"), ("pass", "timeout")],
    ]
    found = {
        f"HumanEval/{number}": [
            {
                "task_id": f"HumanEval/{number}",
                "solution": f"def f{number}():\n    return {place}\n",
                "base_status": base,
                "plus_status": plus,
                "base_fail_tests": [],
                "plus_fail_tests": [],
            }
            for place, (base, plus) in enumerate(several)
        ]
        for number, several in enumerate(statuses)
    }
    content = {"date": "2026-11-15 00:00", "hash": "0" * 32, "eval": found}
    return _write(folder / f"made-{model}_eval_results.json", content)


def openai_evals(folder: Path, model: str = "bold") -> Path:
    """Six samples, the report before their events, which are in no order: 4 right, 1 wrong, 1 with an error."""
    lines: list[Any] = [
        {"spec": {"completion_fns": [f"made-{model}"], "eval_name": "capitals.dev.v0", "base_eval": "capitals"}},
        {"final_report": {"accuracy": 0.8}, "run_id": "1"},
    ]
    events: list[Any] = []
    for number, (country, capital) in enumerate(CAPITALS.items()):
        answer = said(model, country)
        about = {"run_id": "1", "sample_id": f"capitals.dev.{number}"}
        prompt = [{"role": "user", "content": asked(country)}]
        events.append({**about, "type": "sampling", "data": {"prompt": prompt, "sampled": answer}})
        right = answer == capital
        match = {"correct": right, "expected": capital, "picked": answer if right else None, "sampled": answer}
        error = {**about, "type": "error", "data": {"type": "APIError", "message": "503"}}
        events.append(error if country == "Turkey" else {**about, "type": "match", "data": match})
    for number, event in enumerate(reversed(events)):
        lines.append({"run_id": event.pop("run_id"), "event_id": number, **event})
    return _write_lines(folder / f"261115_made-{model}_capitals.jsonl", lines)


def simple_evals(folder: Path, model: str = "bold") -> Path:
    """Six questions, 4 with a score of True; careful did not attempt a third, and only the whole of the log says so."""
    pages, talks = [], []
    for country, capital in CAPITALS.items():
        answer = said(model, country)
        pages.append(
            f"<h3>Prompt conversation</h3>\n<pre>{asked(country)}</pre>\n<h3>Sampled message</h3>\n<pre>{answer}</pre>\n"
            f"<h3>Results</h3>\n<p>Correct Answer: {capital}</p>\n<p>Extracted Answer: {answer}</p>\n"
            f"<p>Score: {answer == capital}</p>"
        )
        talks.append([{"role": "user", "content": asked(country)}, {"role": "assistant", "content": answer}])
    declined = 1 / 3 if model == "careful" else 0.0
    metrics = {"is_correct": 2 / 3, "is_incorrect": 1 / 3 - declined, "is_not_attempted": declined, "score:std": 0.47}
    stem = f"simpleqa_made-{model}_20261115_000000"
    _write(folder / f"{stem}.json", {**metrics, "score": 2 / 3})
    content = {"score": 2 / 3, "metrics": metrics, "htmls": pages, "convos": talks, "metadata": {}}
    return _write(folder / f"{stem}_allresults.json", content)


def deepeval(folder: Path, model: str = "bold") -> Path:
    """Six cases and two metrics: Contains (4 of 6, the last failed: 3 right, 2 wrong), Relevancy (0.75 each)."""
    cases: list[Any] = []
    for number, (country, capital) in enumerate(CAPITALS.items()):
        answer = said(model, country)
        right = answer == capital
        contains = {"name": "Contains", "threshold": 0.5, "success": right, "score": float(right)}
        if country == "Japan":
            contains = {
                "name": "Contains",
                "threshold": 0.5,
                "success": False,
                "score": None,
                "error": "judge timed out",
            }
        relevant = {"name": "Relevancy", "threshold": 0.5, "success": True, "score": 0.75}
        cases.append(
            {
                "name": f"cap-{number}",
                "input": asked(country),
                "actualOutput": answer,
                "expectedOutput": capital,
                "success": right,
                "metricsData": [contains, relevant],
                "completionTime": 0.5,
                "tokenCost": 0.001,
                "inputTokenCount": 12,
                "outputTokenCount": 3,
                "metadata": {"region": REGIONS[country], "confidence": 0.9 if right else 0.3},
            }
        )
    content = {"testCases": cases, "conversationalTestCases": [], "hyperparameters": {"model": f"made-{model}"}}
    return _write(folder / f"test_run_{model}.json", content)


WRITERS: dict[str, Callable[..., Path]] = {
    "helm": helm,
    "every-eval-ever": every_eval_ever,
    "alpaca-eval": alpaca_eval,
    "promptfoo": promptfoo,
    "evalplus": evalplus,
    "openai-evals": openai_evals,
    "simple-evals": simple_evals,
    "deepeval": deepeval,
}
"""By the name of the reader that reads it."""
