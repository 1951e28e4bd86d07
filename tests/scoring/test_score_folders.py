"""Scores from a store, or from any folder of Parquet, are those that a file of scores would hold."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from stored_runs import assert_same, run_text, write_runs

import assay
from assay.cli import main
from assay.errors import InputError

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    write_runs(tmp_path)
    monkeypatch.chdir(tmp_path)


def evaluate(*words):
    assert main(["evaluate", "qrels", "runs", "-m", "AP", "-m", "nDCG@10", *words]) == 0


@pytest.mark.parametrize("choices", [[], ["--missing", "skip"], ["--missing", "common"]])
def test_a_store_reads_as_the_parquet_file_of_the_same_evaluation(choices, capfd):
    evaluate("--store", "S", *choices)
    evaluate("-o", "scores.parquet", *choices)
    assert_same(assay.read_scores("S"), assay.read_scores("scores.parquet"))
    assert_same(assay.read_scores("S", "AP"), assay.read_scores("scores.parquet", "AP"))
    (only,) = Path("S").iterdir()
    assert_same(assay.read_scores(only), assay.read_scores("scores.parquet"))


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "-m", "AP", "-f", "json"],
        ["reliability", "-m", "AP", "--trials", "50", "-f", "json"],
        ["evaluate", "-q", "-f", "csv"],
        ["report", "--title", "Scores", "-o", "report.txt"],
    ],
)
def test_every_command_takes_it(words, capfd):
    evaluate("--store", "S")
    evaluate("-o", "scores.parquet")
    capfd.readouterr()

    def made(scores):
        assert main([words[0], "--scores", scores, *words[1:]]) == 0
        written = Path("report.txt")
        text = written.read_text() if written.exists() else capfd.readouterr().out
        written.unlink(missing_ok=True)
        return text

    assert made("S") == made("scores.parquet")


def test_it_is_the_last_table_in_its_order_under_its_names(capfd):
    evaluate("--store", "S")
    Path("runs/r0.run").unlink()
    Path("runs/new.run").write_text(run_text("r0", seed="again"))
    evaluate("--store", "S", "--name-by", "file")
    fresh = assay.evaluate("qrels", "runs", ["AP", "nDCG@10"], name_by="file")
    assert assay.read_scores("S")["AP"] == fresh["AP"]
    assert fresh.runs == ["new", "r1", "r2", "r3", "r4"]
    assert len(list(Path("S").rglob("*.parquet"))) == 6
    assay.evaluate("qrels", ["runs/r3.run", "runs/r1.run"], ["AP", "nDCG@10"], store="S")
    assert assay.read_scores("S").runs == ["r3", "r1"]


def test_measures_of_whole_runs_are_made_of_what_is_there(capfd):
    Path("gold.jsonl").write_text("".join(f'{{"id": "{n}", "answers": ["{n}"]}}\n' for n in range(4)))
    Path("a.jsonl").write_text('{"id": "0", "answer": "0"}\n{"id": "1", "answer": "7"}\n{"id": "2", "answer": null}\n')
    assay.evaluate("gold.jsonl", "a.jsonl", ["c@1", "accuracy"], task="outcomes", store="S")
    # One right, one wrong, two without an answer of four: (1 + 2 * 1/4) / 4.
    assert assay.read_scores("S", ["c@1"])["c@1"] == {"a": 0.375}


def test_a_store_of_several_evaluations_asks_which(capfd):
    evaluate("--store", "S")
    evaluate("--store", "S", "--level", "2")
    with pytest.raises(InputError, match=r"S: has 2 evaluations\. Fix: give one of them: S/evaluation=") as said:
        assay.read_scores("S")
    for folder in Path("S").iterdir():
        assert f"{folder} (ranked, AP, nDCG@10, missing=zero" in str(said.value)
        assert assay.read_scores(folder).runs == ["r0", "r1", "r2", "r3", "r4"]
    assert "level=2" in str(said.value)


def test_of_evaluations_the_one_of_todays_numbers_is_meant(capfd):
    evaluate("--store", "S")
    (folder,) = Path("S").iterdir()
    shutil.copytree(folder, "S/evaluation=old")
    about = json.loads((folder / "about.json").read_text())
    Path("S/evaluation=old/about.json").write_text(json.dumps({**about, "numbers": 0}))
    assert assay.read_scores("S").runs == ["r0", "r1", "r2", "r3", "r4"]


def test_what_is_not_there_or_damaged_is_said(capfd):
    evaluate("--store", "S")
    (folder,) = Path("S").iterdir()
    path = next(iter(sorted(folder.glob("*.parquet"))))
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match=r"the scores of r\d are damaged .*; evaluate again"):
        assay.read_scores("S")
    path.unlink()
    with pytest.raises(InputError, match=r"the scores of r\d are missing"):
        assay.read_scores("S")
    (folder / "table.json").write_text("{")
    with pytest.raises(InputError, match=r"table\.json: cannot be read: .*; evaluate again"):
        assay.read_scores("S")
    (folder / "table.json").unlink()
    with pytest.raises(InputError, match="the evaluation did not finish"):
        assay.read_scores("S")


def test_any_partitioned_data_set():
    for run, values in (("a", [0.5, None]), ("b", [0.25, 1.0])):
        folder = Path(f"data/run={run}")
        folder.mkdir(parents=True)
        parquet.write_table(pyarrow.table({"topic": ["1", "2"], "AP": values}), folder / "part-0.parquet")
    assert assay.read_scores("data")["AP"] == {"a": 0.5, "b": 0.625}


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"topic": ["1"], "AP": [1.0]}, "data: expected columns run and topic, found topic, AP"),
        ({"run": ["a", "a"], "topic": ["1", "1"], "AP": [1.0, 2.0]}, "data: run a, topic 1: AP is given twice"),
        ({"run": ["a"], "topic": ["1"], "AP": [float("nan")]}, "data: run a, topic 1: AP is nan, not a number"),
    ],
)
def test_a_data_set_that_is_wrong(columns, said):
    Path("data").mkdir()
    parquet.write_table(pyarrow.table(columns), "data/x.parquet")
    with pytest.raises(InputError, match=said):
        assay.read_scores("data")


def test_a_folder_of_something_else():
    with pytest.raises(InputError, match="runs: not readable as Parquet"):
        assay.read_scores("runs")
    Path("empty").mkdir()
    with pytest.raises(InputError, match="empty: is a folder without Parquet files"):
        assay.read_scores("empty")
