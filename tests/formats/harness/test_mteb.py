"""MTEB: a task is a question, its score the mean over splits and subsets, as get_score() has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import agent_logs
import pytest
from log_reading import read_log, reader_and_rows, states

import assay
from assay.cli import main
from assay.errors import FormatError, InputError


def entry(value: float | None, subset: str = "default", **more: Any) -> dict[str, Any]:
    return {"main_score": value, "hf_subset": subset, "languages": ["eng-Latn"], **more}


def result(task: str = "Made", revision: str = "abc", **splits: list[Any]) -> dict[str, Any]:
    return {
        "dataset_revision": revision, "task_name": task, "mteb_version": "2.0.0", "scores": splits, "evaluation_time": 8.0,
        "kg_co2_emissions": None, "date": None,
    }  # fmt: skip


def write(folder: Path, content: dict[str, Any], model: str = "made__bold", revision: str = "rev1") -> Path:
    path = folder / "results" / model / revision / f"{content['task_name']}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2))
    return path


def test_the_mean_over_splits_and_subsets() -> None:
    """get_score() averages all three entries, and not the two splits: (.2 + .4 + .9) / 3."""
    content = result(dev=[entry(0.2, "en"), entry(0.4, "de")], test=[entry(0.9, "en")])
    name, [rows] = reader_and_rows(content)
    assert (name, rows.ids, rows.scores, rows.usage) == ("mteb", ["Made"], [pytest.approx(0.5)], {"latency": [8.0]})
    assert read_log(content, split="dev")[0].scores == [pytest.approx(0.3)]
    assert read_log(content, split="test")[0].scores == [0.9]
    with pytest.raises(InputError, match="has no split 'train'; it has dev, test"):
        read_log(content, split="train")


def test_the_mean_over_tasks(tmp_path) -> None:
    """bold: (.7 + .5) / 2; careful: (.75 + .6) / 2."""
    agent_logs.mteb(tmp_path)
    scores = assay.evaluate(tmp_path, None)
    assert [str(measure) for measure in scores.measures] == ["score", "unanswered", "coverage"]
    assert scores["score"] == {"made/bold": pytest.approx(0.6), "made/careful": pytest.approx(0.675)}
    assert list(scores.topics) == ["MadeClassification", "MadeRetrieval"]
    halved = assay.evaluate(tmp_path, None, ["score"], metric="ndcg_at_10")
    assert halved["score"] == {"made/bold": pytest.approx(0.3), "made/careful": pytest.approx(0.3375)}


def test_the_folder_names_the_model_where_nothing_else_does(tmp_path) -> None:
    write(tmp_path, result(test=[entry(0.5)]))
    for revision in ("rev1", "rev2"):
        write(tmp_path, result(test=[entry(0.25)]), "made__calm", revision)
    scores = assay.evaluate(tmp_path, None, ["score"])
    assert scores["score"] == {"made/bold": 0.5, "made/calm (rev1)": 0.25, "made/calm (rev2)": 0.25}


def test_a_large_file_whose_task_comes_last(tmp_path) -> None:
    """MTEB 1 sorted the keys. Red before: with 376 languages, the first 64 KiB did not name the task, and it was ignored."""
    more = {f"nauc_map_at_{number}_diff1": 0.5 for number in range(200)}
    content = result(test=[entry(number % 2 / 2, f"language{number}", **more) for number in range(50)])
    path = write(tmp_path, content)
    path.write_text(json.dumps(content, indent=2, sort_keys=True))
    assert path.read_text().index("task_name") > 1 << 16
    assert assay.evaluate(tmp_path, None, ["score"])["score"] == {"made/bold": 0.25}


def test_an_experiment_is_a_run_of_its_own(tmp_path) -> None:
    write(tmp_path, result(test=[entry(0.5)]))
    write(tmp_path, result(test=[entry(0.25)]), revision="rev1/experiments/short")
    scores = assay.evaluate(tmp_path, None, ["score"])
    assert scores["score"] == {"made/bold (rev1)": 0.5, "made/bold (rev1, short)": 0.25}


def test_other_languages_and_revisions_are_said(tmp_path, capsys) -> None:
    write(tmp_path, result(test=[entry(0.5, "en"), entry(0.1, "de")]), "a")
    write(tmp_path, result(test=[entry(0.5, "en")]), "b")
    assert main(["evaluate", str(tmp_path)]) == 0
    assert "have another text under the same id" in capsys.readouterr().err


def test_scores_of_any_range(tmp_path, capfd) -> None:
    """Real ones: p-MRR of Robust04InstructionRetrieval by BAAI/bge-base-en-v1.5 is -0.0753; some files have percentages."""
    for model, values in {"a": (-0.0753, 0.25, 0.4), "b": (64.0, 0.5, 1.0)}.items():
        for task, value in zip("xyz", values, strict=True):
            write(tmp_path, {**result(test=[entry(value)]), "task_name": task}, model)
    scores = assay.evaluate(tmp_path)
    assert scores["score"] == pytest.approx({"a": (-0.0753 + 0.25 + 0.4) / 3, "b": 65.5 / 3})
    assert scores["score", "a"]["x"] == -0.0753
    (pair,) = assay.compare(scores).pairs
    assert abs(pair.difference) == pytest.approx((65.5 - 0.5747) / 3)
    for interval in assay.run_intervals(scores, "score").values():
        assert interval is None or interval.low <= interval.high
    assert main(["evaluate", str(tmp_path), "-f", "every-eval-ever"]) == 0
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    ends = [line["evaluation_results"][0]["metric_config"]["max_score"] for line in lines]
    assert ends == [1.0, "Infinity"]


def test_a_score_that_could_not_be_computed_is_failed() -> None:
    [rows] = read_log(json.dumps(result(test=[entry(float("nan")), entry(0.5, "de")])).encode())
    assert (states(rows), rows.problems) == ("E 1", {0: "main_score of test/default is null"})


def test_the_description_of_a_model_is_no_result(tmp_path, capsys) -> None:
    agent_logs.mteb(tmp_path)
    path = next(tmp_path.rglob("model_meta.json"))
    assert main(["evaluate", str(path)]) == 3
    assert "describes a model of MTEB" in capsys.readouterr().err
    path.write_text('{"name": 3}')
    with pytest.raises(FormatError, match=r"model_meta.json: Expected `str \| null`"):
        assay.evaluate(tmp_path)


def test_a_task_that_was_copied(tmp_path) -> None:
    path = write(tmp_path, result(test=[entry(0.5)]))
    path.with_name("copy.json").write_text(path.read_text())
    with pytest.raises(FormatError, match="task Made: is a copy of"):
        assay.evaluate(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (result(test=[{**entry(0.5), "main_score": "high"}]), "test/default: main_score is 'high'; expected a number"),
        (result(test=[entry(0.5), entry(0.5)]), "has test/default twice"),
        (result(test=[]), "has no scores of Made"),
        (result(test=0.5), r"Expected `array`, got `float`"),  # type: ignore[arg-type]
        (
            {"mteb_dataset_name": "Made", "mteb_version": "1.2.0", "test": {"main_score": 1}},
            "is a result of MTEB before 1.11",
        ),
    ],
)
def test_what_is_wrong_is_said(content, message) -> None:
    with pytest.raises(FormatError, match=message):
        read_log(content)


def test_a_subset_without_the_main_score() -> None:
    lacking = {"hf_subset": "de", "languages": [], "accuracy": 0.5}
    content = result(test=[entry(0.5, accuracy=0.5), lacking])
    with pytest.raises(FormatError, match="test/de: has no main_score; expected one for every subset"):
        read_log(content)
    assert read_log(content, metric="accuracy")[0].scores == [0.5]
    with pytest.raises(InputError, match="has no metric 'f1'; it has accuracy"):
        read_log(content, metric="f1")


def test_a_file_that_was_cut_off(tmp_path) -> None:
    path = write(tmp_path, result(test=[entry(0.5)]))
    text = path.read_text()[:-60]
    path.write_text(text)
    with pytest.raises(FormatError, match=rf"Made.json:{text.count(chr(10)) + 1}: broken JSON"):
        assay.evaluate(tmp_path)
