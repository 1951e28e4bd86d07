"""Every figure that the real logs are known to give: counted by their own tools, or by hand from the raw samples."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import assay

OLD = {"correct": 6, "incorrect": 2, "unanswered": 2, "accuracy": 0.6}
STANDARD_ERROR = "standard error"
ROWS = {
    "inspect_ai/0.3.285/capitals_cautious.eval, score": [
        ("inspect_ai/0.3.285/capitals_cautious.eval", {"scorer": "attempted"},
         {"correct": 7, "incorrect": 1, "unanswered": 4, "accuracy": 0.5833, "c@1": 0.7778}),
    ],
    "the same, `.json`": [
        ("inspect_ai/0.3.285/capitals_cautious.json", {"scorer": "attempted"},
         {"correct": 7, "incorrect": 1, "unanswered": 4, "accuracy": 0.5833, "c@1": 0.7778}),
    ],
    "capitals_bold.eval, `attempted`": [
        ("inspect_ai/0.3.285/capitals_bold.eval", {"scorer": "attempted"},
         {"correct": 6, "incorrect": 6, "unanswered": 0, "c@1": 0.5}),
    ],
    "the same two, `partial_credit`": [
        ("inspect_ai/0.3.285/capitals_cautious.eval", {"scorer": "partial_credit"}, {"score": 0.6042}),
        ("inspect_ai/0.3.285/capitals_bold.eval", {"scorer": "partial_credit"}, {"score": 0.6250}),
    ],
    "capitals_epochs4_mean_cautious.eval": [
        (f"inspect_ai/0.3.285/capitals_epochs4_mean_cautious.{ending}", {"scorer": "attempted"},
         {"questions": 12, "correct": 28, "incorrect": 2, "unanswered": 18, "accuracy": 0.5833, "c@1": 0.8021,
          "pass@2": 0.8333, "pass^2": 0.3333, "pass^4": 0.1667, STANDARD_ERROR: 0.0711})
        for ending in ("eval", "json.gz")
    ],
    "capitals_epochs4_mean_bold.eval": [
        ("inspect_ai/0.3.285/capitals_epochs4_mean_bold.eval", {"scorer": "attempted"},
         {"correct": 32, "incorrect": 16, "accuracy": 0.6667, "pass@2": 0.8889, "pass^2": 0.4444, "pass^4": 0.25,
          STANDARD_ERROR: 0.0711}),
    ],
    "capitals_mc_cautious.eval, `choice`": [
        ("inspect_ai/0.3.285/capitals_mc_cautious.eval", {}, {"correct": 8, "incorrect": 4, "unparsed": 3}),
        ("inspect_ai/0.3.285/capitals_mc_cautious.eval", {"unparsed": "unanswered"},
         {"correct": 8, "incorrect": 1, "unanswered": 3, "unparsed": 3}),
    ],
    "capitals_model_graded_partial_bold.eval": [
        ("inspect_ai/0.3.285/capitals_model_graded_partial_bold.eval", {}, {"score": 0.7917}),
        ("inspect_ai/0.3.285/capitals_model_graded_partial_bold.eval", {"right_from": 0.5}, {"correct": 10, "incorrect": 2}),
        ("inspect_ai/0.3.285/capitals_model_graded_partial_bold.eval", {"right_from": 0.6}, {"correct": 9, "incorrect": 3}),
    ],
    "capitals_one_sample_error_bold.eval": [
        ("inspect_ai/0.3.285/capitals_one_sample_error_bold.eval", {"scorer": "attempted"},
         {"questions": 11, "correct": 5, "incorrect": 6, "accuracy": 0.4545, "failed": ["cap-7"]}),
    ],
    "capitals_limit5_bold.eval": [
        ("inspect_ai/0.3.285/capitals_limit5_bold.eval", {"scorer": "attempted"},
         {"questions": 5, "correct": 4, "incorrect": 1}),
    ],
    "unparsed_judge_nan.eval, `model_graded_fact`": [
        ("inspect_ai/0.3.285/unparsed_judge_nan.eval", {"scorer": "model_graded_fact"},
         {"questions": 4, "correct": 3, "incorrect": 1, "accuracy": 0.75, "failed": 1}),
    ],
    "simpleqa_inspect_evals_0.26.0_epochs2.eval": [
        ("inspect_ai/0.3.285/simpleqa_inspect_evals_0.26.0_epochs2.eval", {},
         {"questions": 6, "correct": 6, "incorrect": 2, "unanswered": 4, "accuracy": 0.5, "coverage": 0.6667,
          "SimpleQA_F": 0.6}),
    ],
    "inspect_ai/0.3.33, 0.3.110 `capitals_old_epochs2`": [
        (f"inspect_ai/{file}", {"scorer": "attempted"}, {**OLD, "questions": 5, STANDARD_ERROR: 0.2449})
        for file in (
            "0.3.33/capitals_old_epochs2.json", "0.3.110/capitals_old_epochs2.json", "0.3.110/capitals_old_epochs2.eval",
        )
    ],
    "lm_eval/0.4.13 capitals_mc, acc": [
        (f"lm_eval/0.4.13/quizzer-{model}/samples_capitals_mc_2*", {"metric": metric}, {"questions": 12, "correct": right})
        for model, metric, right in (
            ("bold", "acc", 10), ("cautious", "acc", 10), ("bold", "acc_norm", 8), ("cautious", "acc_norm", 11),
        )
    ],
    "lm_eval/0.4.13 capitals_gen, exact_match": [
        (f"lm_eval/0.4.13/quizzer-{model}/samples_capitals_gen_2*", {"filter": name}, {"questions": 12, **expected})
        for model, name, expected in (
            ("bold", "strict-match", {"correct": 7, "unparsed": 2}), ("bold", "flexible-extract", {"correct": 9}),
            ("bold", "maj@3", {"correct": 8}), ("cautious", "strict-match", {"correct": 2, "unparsed": 9}),
            ("cautious", "flexible-extract", {"correct": 5}), ("cautious", "maj@3", {"correct": 5}),
        )
    ],
    "openai_evals": [("openai_evals/*.jsonl", {}, {"questions": 6, "correct": 4, "accuracy": 0.6667})],
    "lighteval capitals_mc": [
        ("lighteval/0.13.0/details/dummy/*/details_capitals_mc*", {"metric": "acc"}, {"questions": 12, "accuracy": 0.0833}),
    ],
    "evalplus, 3 x 3": [
        ("evalplus/samples_eval_results.json", {"metric": "base"}, {"pass@1": 0.6667, "pass@2": 0.8889}),
        ("evalplus/samples_eval_results.json", {"metric": "plus"}, {"pass@1": 0.4444}),
    ],
    "simple_evals": [("simple_evals/*_allresults.json", {}, {"accuracy": 0.625, "questions": 8})],
}  # fmt: skip
"""By what the row of the document begins with: file, settings, expected."""
CASES = [pytest.param(*case, id=f"{row}-{number}") for row, cases in ROWS.items() for number, case in enumerate(cases)]
ELSEWHERE = ("status_error_2_of_12", "lm_eval/0.4.13 capitals_group", "helm", "promptfoo", "judge_with", "core_6x500")
"""Rows with a test of their own below, or in tests/stats/test_correcting.py (judge_with_human_labels)."""


@pytest.fixture
def logs(shared_data):
    return shared_data("harness_logs")


@pytest.mark.parametrize(("file", "settings", "expected"), CASES)
def test_a_log_gives_its_figures(file, settings, expected, logs) -> None:
    [path] = logs.glob(file)
    measures = [name for name in expected if name not in ("failed", STANDARD_ERROR)]
    scores = assay.evaluate(str(path), None, measures, **settings)
    [run] = scores.runs
    for name in measures:
        value = scores[name][run]
        assert (value if isinstance(value, int) else round(value, 4)) == expected[name], name
    failed = scores.run(run).notes.failures or {}
    if "failed" in expected:
        assert list(failed) == expected["failed"] or len(failed) == expected["failed"]
    if STANDARD_ERROR in expected:
        interval = assay.run_intervals(scores, "accuracy")[run]
        assert interval is not None
        assert round(interval.standard_error, 4) == expected[STANDARD_ERROR]


def test_every_row_has_a_test(logs) -> None:
    text = (logs / "EXPECTED.md").read_text(encoding="utf-8")
    rows = [row.strip() for row in re.findall(r"^\| *(.*?) *\|", text, re.MULTILINE)][2:]
    assert len(rows) >= 20
    for row in rows:
        assert any(row.startswith(name) for name in (*ROWS, *ELSEWHERE)), row


def test_a_run_that_failed_as_a_whole(logs) -> None:
    with pytest.raises(assay.InputError, match="has no scores: 2 of its 2 samples failed"):
        assay.evaluate(str(logs / "inspect_ai" / "0.3.285" / "status_error_2_of_12.eval"))


def test_a_group_of_tasks_by_its_parts(logs) -> None:
    """capitals_group of the cautious model: 0.8333 over its two subtasks of six questions each."""
    folder = logs / "lm_eval" / "0.4.13" / "quizzer-cautious"
    parts = [str(path) for path in folder.glob("samples_capitals_mc_[ns]*")]
    scores = assay.evaluate(parts[0], parts[1:], ["accuracy"], metric="acc")
    assert round(scores["accuracy"]["quizzer-cautious"], 4) == 0.8333
    assert round(assay.suite(scores, "accuracy").runs[0].macro, 4) == 0.8333


def test_perturbed_copies_are_no_questions(logs) -> None:
    """40 rows of HELM are 10 instances in 2 trials, each beside its perturbed copy."""
    [folder] = (logs / "helm" / "0.5.16").glob("*robustness")
    scores = assay.evaluate(str(folder), None, ["questions"])
    [run] = scores.runs
    assert scores["questions"][run] == 10
    assert scores.run(run).samples == [2] * 10
    assert any("20 of 40 rows are perturbed copies" in line for line in scores.remarks())


def test_prompts_and_providers_are_runs(logs) -> None:
    scores = assay.evaluate(str(logs / "promptfoo" / "results.json"), None, ["correct", "incorrect", "unanswered"])
    found = {run: tuple(scores[name][run] for name in ("correct", "incorrect", "unanswered")) for run in scores.runs}
    assert found == {
        "made-bold [prompt 0]": (10, 2, 0),
        "made-bold [prompt 1]": (12, 0, 0),
        "made-careful [prompt 2]": (2, 0, 10),
        "made-careful [prompt 3]": (12, 0, 0),
    }
    assert len(scores.topics) == 6


def test_refusals_in_words(logs) -> None:
    folder = logs / "core_6x500"
    names = ["correct", "incorrect", "unanswered"]
    scores = assay.evaluate(
        str(folder / "gold.jsonl"), str(folder / "runs"), names, refusal=str(folder / "refusals.txt")
    )
    assert [scores[name]["gpt-like"] for name in names] == [377, 110, 13]
    assert [scores[name]["claude-like"] for name in names] == [321, 85, 94]
    states = [
        [next(i for i, name in enumerate(names) if scores.column(run, name)[q]) for q in range(500)]
        for run in ("gpt-like", "claude-like")
    ]
    both = Counter(zip(*states, strict=True))
    assert [[both[x, y] for y in range(3)] for x in range(3)] == [[272, 56, 49], [46, 27, 37], [3, 2, 8]]


def test_a_judge_alone(logs) -> None:
    scores = assay.evaluate(None, str(logs / "judge_with_human_labels" / "judge.csv"), ["accuracy"])
    assert scores["accuracy"]["judge"] == 0.745
