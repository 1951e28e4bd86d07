"""HELM: trials are samples, perturbed copies no questions, and a statistic is chosen."""

from __future__ import annotations

import json
import shutil

import pytest
from log_reading import edited, read_log, reader_and_rows, states, told_of_questions
from made_logs import helm

import assay
from assay.errors import FormatError, InputError, UsageError
from assay.formats.answers.rows import RowTexts

REAL = "simple_mcqa:model=simple_model1,data_augmentation=robustness"


def test_expected_of_the_real_run(shared_data) -> None:
    path = shared_data("harness_logs", "helm", "0.5.16", REAL, "per_instance_stats.json")
    assert len(json.loads(path.read_text())) == 40
    name, [rows] = reader_and_rows(path)
    assert (name, rows.name, rows.task) == ("helm", "simple/model1", "simple_mcqa:data_augmentation=robustness")
    assert len(set(rows.ids)) == 10
    assert sorted(rows.samples) == [1] * 10 + [2] * 10
    assert states(rows) == "I 20"
    assert "20 of 40 rows are perturbed copies" in rows.warnings[1]
    assert "max_prob is 1 for every answer" in rows.warnings[2]
    assert rows.confidences == [None] * 20
    # Without scenario_state.json, from instances.json and display_predictions.json.
    assert rows.texts_of("id60", 2) == RowTexts("Is 70 even or odd?", "Even", None, "Answer:")


def test_the_texts_of_the_real_run(shared_data) -> None:
    [rows] = read_log(shared_data("harness_logs", "helm", "0.5.16", REAL.partition(",")[0], "per_instance_stats.json"))
    assert rows.task == "simple_mcqa"
    texts = rows.texts_of("id60", 1)
    assert (texts.question, texts.gold, texts.answer) == ("Is 70 even or odd?", "Even", "Answer:")
    assert texts.prompt.endswith("Question: Is 70 even or odd?\nA. Even\nB. Odd\nAnswer:")
    assert rows.texts_of("id999", 1) == RowTexts()


def test_a_made_run(tmp_path) -> None:
    [rows] = read_log(helm(tmp_path))
    assert (rows.name, rows.task, rows.tool) == ("made/bold", "capitals:language=en", "HELM")
    assert states(rows) == "C 7, I 4, E 1"
    assert rows.problems == {6: "HELM has no exact_match of it"}
    assert rows.confidences[:2] == [0.9, 0.8]
    assert rows.usage == {"latency": [0.5] * 12, "tokens": [15.0] * 12}
    assert rows.texts[2] == "Sydney"
    assert "outcomes are HELM's exact_match; `metric=NAME` takes another (quasi_exact_match)" in rows.warnings[0]


def of_split(rows, ids, split) -> None:
    """Put the instances of these ids into a split."""
    for row in rows:
        if row["instance_id"] in ids:
            for stat in row["stats"]:
                stat["name"]["split"] = split


def test_the_test_split_counts_and_another_is_chosen(tmp_path) -> None:
    """Red before: id2 and id4, the wrong answers, were pooled with the test split: C 7, I 4, E 1."""
    path = edited(helm(tmp_path), lambda rows: of_split(rows, ("id2", "id4"), "valid"))
    [rows] = read_log(path)
    assert (states(rows), set(rows.ids)) == ("C 7, E 1", {"id0", "id1", "id3", "id5"})
    said = (
        "4 of 12 rows are of another split (valid: 4) and are excluded; the split is test, `split=NAME` takes another"
    )
    assert f"{path}: {said}" in rows.warnings
    [rows] = read_log(path, split="valid")
    assert (states(rows), set(rows.ids)) == ("I 4", {"id2", "id4"})
    assert not any("of another split" in line for line in rows.warnings)
    with pytest.raises(InputError, match="has no split 'train'; it has test, valid"):
        read_log(path, split="train")


def test_splits_none_of_which_is_the_test_split(tmp_path) -> None:
    path = edited(helm(tmp_path), lambda rows: of_split(rows, {f"id{n}" for n in range(6)}, "valid"))
    [rows] = read_log(path)
    assert states(rows) == "C 7, I 4, E 1", "a sole split is the split, whatever it is called"
    edited(path, lambda rows: of_split(rows, ("id2", "id4"), "train"))
    with pytest.raises(InputError, match="has 2 splits, valid, train; choose one with `split=NAME`"):
        read_log(path)


def test_without_splits_there_is_nothing_to_choose(tmp_path) -> None:
    path = edited(helm(tmp_path), lambda rows: of_split(rows, {f"id{n}" for n in range(6)}, None))
    [rows] = read_log(path)
    assert states(rows) == "C 7, I 4, E 1"
    with pytest.raises(UsageError, match="`split='test'`: none of these files has a split to choose"):
        assay.evaluate(None, path, ["accuracy"], split="test")


def test_a_constant_confidence_is_none(tmp_path) -> None:
    """Red before: exp(0) = 1, which clients without log-probabilities write, gave CWS, ECE and AURC."""

    def certain(rows) -> None:
        for row in rows:
            row["stats"][3]["mean"] = 1.0

    path = edited(helm(tmp_path), certain)
    [rows] = read_log(path)
    assert rows.confidences == [None] * 12
    said = (
        "max_prob is 1 for every answer, as clients without log-probabilities write it; it is not used as a confidence"
    )
    assert f"{path}: {said}" in rows.warnings
    assert "CWS" not in {measure.name for measure in assay.evaluate(None, path).measures}


def test_the_statistic_is_chosen(tmp_path) -> None:
    path = helm(tmp_path)
    [rows] = read_log(path, metric="quasi_exact_match")
    assert states(rows) == "C 12"
    assert len(rows.warnings) == 1
    with pytest.raises(InputError, match="has no metric 'f1'; it has exact_match, quasi_exact_match"):
        read_log(path, metric="f1")


def test_several_statistics_and_none_of_them_usual(tmp_path) -> None:
    def rename(rows) -> None:
        for row in rows:
            row["stats"][4]["name"]["name"] = "f1_score"

    with pytest.raises(InputError, match="has 2 metrics, f1_score, quasi_exact_match; choose one with `metric=NAME`"):
        read_log(edited(helm(tmp_path), rename))


def test_without_a_specification_the_folder_names_the_run(tmp_path) -> None:
    path = helm(tmp_path)
    (path.parent / "run_spec.json").unlink()
    (path.parent / "scenario_state.json").unlink()
    [rows] = read_log(path)
    assert (rows.name, rows.task) == ("made_bold", "capitals:language=en")
    assert rows.texts_of("id0", 1) == RowTexts()
    [rows] = read_log(path.read_bytes())
    assert (rows.name, rows.task) == ("log", "")
    plain = shutil.copy(path, tmp_path / "stats.json")
    [rows] = read_log(plain)
    assert (rows.name, rows.task) == ("stats", "")


def test_arguments_of_the_scenario_group_the_questions(tmp_path) -> None:
    reading = told_of_questions(helm(tmp_path))
    assert len(reading.contents) == 6, "the texts of questions, to tell whether logs share them"
    assert reading.fields["capitals:language=en", "id0"] == {"language": "en"}


def test_a_sample_that_stands_twice(tmp_path) -> None:
    with pytest.raises(FormatError, match="instance id0: sample 1 of question 'id0' appears twice"):
        read_log(edited(helm(tmp_path), lambda rows: rows.append(rows[0])))


def test_a_broken_file_beside_it_is_named(tmp_path) -> None:
    path = helm(tmp_path)
    (path.parent / "run_spec.json").write_text('{"name": 3}')
    with pytest.raises(FormatError, match=r"run_spec.json: Expected `str`, got `int`"):
        read_log(path)


def test_texts_of_a_run_that_was_summarised(tmp_path) -> None:
    path = helm(tmp_path)
    states = json.loads((path.parent / "scenario_state.json").read_text())["request_states"]
    (path.parent / "scenario_state.json").unlink()
    (path.parent / "instances.json").write_text(json.dumps([state["instance"] for state in states]))
    said = [
        {
            "instance_id": state["instance"]["id"],
            "train_trial_index": state["train_trial_index"],
            "predicted_text": "perturbed"
            if "perturbation" in state["instance"]
            else f"trial {state['train_trial_index']}",
            **{key: state["instance"][key] for key in ["perturbation"] if key in state["instance"]},
        }
        for state in states
    ]
    (path.parent / "display_predictions.json").write_text(json.dumps(said))
    [rows] = read_log(path)
    assert rows.texts_of("id1", 2) == RowTexts("What is the capital of Norway?", "Oslo", None, "trial 1")
    assert rows.texts[0] == "trial 0"


def test_a_trial_has_its_own_texts(tmp_path) -> None:
    path = helm(tmp_path)

    def number(content) -> None:
        for state in content["request_states"]:
            state["result"]["completions"] = [{"text": f"trial {state['train_trial_index']}"}, {"text": "second"}]

    edited(path.parent / "scenario_state.json", number)
    [rows] = read_log(path)
    assert (rows.texts[0], rows.texts[6]) == ("trial 0", "trial 1")
