"""Figures others published, from their own files, through the command line."""

from __future__ import annotations

import csv
import json

import pytest

from assay.cli import main


def evaluate(capfd, *words: object) -> dict:
    assert main(["evaluate", *map(str, words), "-f", "json"]) == 0
    return json.loads(capfd.readouterr().out)


def rows_of(path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_pan_2020_official_results(shared_data, capfd) -> None:
    folder = shared_data("pan20_av")
    names = ["correct", "incorrect", "unanswered", "c@1", "AUC", "F1", "F0.5u", "F0.5u(half=positive)", "overall(2020)"]
    measures = [word for name in names for word in ("-m", name)]
    result = evaluate(capfd, folder / "truth.jsonl", f"{folder}/submissions/*/answers.jsonl", *measures)
    found = {run["run"]: run["scores"] for run in result["runs"]}
    expected = rows_of(folder / "expected_official.csv")
    assert len(found) == len(expected) == 13
    for row in expected:
        scores = found[row["system"]]
        counts = [int(row[name]) for name in ("correct", "incorrect", "unanswered")]
        assert [scores["correct"], scores["incorrect"], scores["unanswered"]] == counts
        for name, column in (
            ("c@1", "c@1_official"),
            ("AUC", "auc_official"),
            ("F1", "F1_official"),
            ("F0.5u(half=positive)", "F0.5u_official"),
            ("overall(2020)", "overall_official"),
        ):
            assert scores[name] == pytest.approx(float(row[column]), abs=1e-9), (row["system"], name)
        if not counts[2]:
            assert scores["F0.5u"] == pytest.approx(float(row["F0.5u_official"]), abs=1e-9)
        else:
            assert abs(scores["F0.5u"] - float(row["F0.5u_official"])) > 1e-4, "the corrected rule gives another figure"


def test_pan_2020_corrected_f05u_by_recounting(shared_data, capfd) -> None:
    folder = shared_data("pan20_av")
    run = folder / "submissions" / "kipnis20-small" / "answers.jsonl"
    truth = {json.loads(line)["id"]: json.loads(line)["same"] for line in (folder / "truth.jsonl").open()}
    values = {json.loads(line)["id"]: json.loads(line)["value"] for line in run.open()}
    tp = sum(values[i] > 0.5 and same for i, same in truth.items())
    fp = sum(values[i] > 0.5 and not same for i, same in truth.items())
    fn = sum(values[i] < 0.5 and same for i, same in truth.items())
    nu = sum(values[i] == 0.5 for i in truth)
    result = evaluate(capfd, folder / "truth.jsonl", run, "-m", "F0.5u")
    expected = 1.25 * tp / (1.25 * tp + 0.25 * (fn + nu) + fp)
    assert result["runs"][0]["scores"]["F0.5u"] == pytest.approx(expected, abs=1e-12)


def test_a_value_in_a_list_is_read_with_a_warning(shared_data, capfd) -> None:
    folder = shared_data("pan20_av")
    run = folder / "submissions" / "ordonez20-large" / "answers.jsonl"
    assert main(["evaluate", str(folder / "truth.jsonl"), str(run), "-m", "c@1", "-f", "json"]) == 0
    printed = capfd.readouterr()
    assert "14311 values are lists of one number" in printed.out
    assert printed.err == "", "a remark that changes no number is in the JSON alone"


QUESTION_SETS = {
    "BoolQ": "boolq_valid",
    "HaluEval": "halu_eval_qa",
    "LSAT": "lsat_ar_test",
    "SAT": "sat_en",
    "SciQ": "sciq_test",
}
MODELS = {
    "Claude-Haiku-3": "claude-3-haiku-20240307",
    "Claude-Sonnet-3.7": "claude-3-7-sonnet-20250219",
    "Claude-Sonnet-4": "claude-sonnet-4-20250514",
    "DeepSeek-R1": "deepseek-r1",
    "DeepSeek-V3": "deepseek-v3",
    "GPT-4o": "gpt-4o",
    "GPT-o3": "o3-2025-04-16",
    "Gemini-2.5-Flash": "gemini-2.5-flash",
    "Gemini-2.5-Pro": "gemini-2.5-pro",
    "Llama-70B": "Meta-Llama-3.1-70B-Instruct",
    "Llama-8B": "Meta-Llama-3.1-8B-Instruct",
}


@pytest.mark.slow
def test_llm_confidence_table_1(shared_data, capfd) -> None:
    folder = shared_data("llm_confidence")
    columns = "run=llm,id=qset+question_id,confidence=stated_confidence,outcome=correct"
    file = folder / "llm-confidence-correct.csv"
    measures = ["-m", "accuracy", "-m", "mean_confidence", "-m", "ECE", "-m", "overconfidence"]
    result = evaluate(capfd, "--judged", file, "--columns", columns, "--missing", "common", "--by", "qset", *measures)
    found = {(row["value"], row["run"]): row for row in result["by"]["rows"]}
    compared = 0
    for row in rows_of(folder / "expected_table1.csv"):
        if row["qset"] not in QUESTION_SETS:
            continue
        got = found[QUESTION_SETS[row["qset"]], MODELS[row["llm"]]]
        assert got["questions"] == int(row["num_tot"])
        for name, column in (
            ("accuracy", "accuracy"),
            ("mean_confidence", "confidence"),
            ("ECE", "ece"),
            ("overconfidence", "overconfidence"),
        ):
            assert got["scores"][name] == pytest.approx(float(row[column]), abs=1e-6), (row["qset"], row["llm"], name)
        compared += 1
    assert compared == 55


@pytest.mark.slow
def test_mmlu_pro_counts(shared_data, capfd) -> None:
    folder = shared_data("mmlu_pro")
    measures = ["-m", "unanswered", "-m", "accuracy", "-m", "questions"]
    result = evaluate(capfd, folder / "predictions.csv", *measures, "--missing", "skip")
    found = {run["run"]: run for run in result["runs"]}
    expected = rows_of(folder / "per_model_counts.csv")
    assert len(found) == len(expected) == 29
    for row in expected:
        scores = found[row["model"]]["scores"]
        assert scores["unanswered"] == int(row["no_answer_extracted"])
        assert round(scores["accuracy"], 4) == float(row["acc_over_answered_set"])
        assert scores["questions"] == int(row["questions"])
        assert found[row["model"]]["missing"] == 12032 - int(row["questions"])
    assert "option letter" in result["runs"][0]["judging"]


@pytest.mark.slow
def test_absent_answers_follow_the_policy(shared_data, capfd) -> None:
    file = shared_data("mmlu_pro", "predictions.csv")
    counts = {}
    for policy in ("unanswered", "incorrect", "skip", "common"):
        result = evaluate(
            capfd, file, "--missing", policy, "-m", "questions", "-m", "correct", "-m", "incorrect", "-m", "unanswered"
        )
        counts[policy] = {run["run"]: run["scores"] for run in result["runs"]}["DeepSeek-Coder-V2"]
    gone = 12032 - 10351
    right = counts["skip"]["correct"]
    assert counts["unanswered"]["correct"] == counts["incorrect"]["correct"] == right
    assert counts["skip"]["questions"] == 10351
    everywhere = [row for row in rows_of(file) if "ABSENT" not in row.values()]
    assert counts["common"]["questions"] == len(everywhere) < 10351
    assert counts["common"]["correct"] == sum(row["DeepSeek-Coder-V2"] == row["gold"] for row in everywhere)
    assert counts["unanswered"]["unanswered"] == counts["skip"]["unanswered"] + gone
    assert counts["incorrect"]["incorrect"] == counts["skip"]["incorrect"] + gone
    assert main(["evaluate", str(file), "--missing", "error"]) == 3
    assert "'DeepSeek-Coder-V2' has no results for question" in capfd.readouterr().err
