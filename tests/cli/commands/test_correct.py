"""`assay correct`, as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.cli import main
from assay.demo import data


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in data.verdicts(2001, 200, 60).items():
        Path(name).write_text(text)


def test_a_table_and_labels(capsys) -> None:
    assert main(["correct", "machine.csv", "--human", "human.csv", "-m", "c@1"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Whether new is better than old is open: by ")
    assert "c@1: machine  people" in shown
    assert "random sample" in shown
    assert main(["correct", "machine.csv", "--human", "human.csv", "-m", "c@1", "-v"]) == 0
    whole = capsys.readouterr().out
    assert whole.count(shown.splitlines()[0]) == 1
    assert "c@1, corrected for the judge" in whole
    assert "By the machine: new > old." in whole


def test_json_csv_and_pages(capsys) -> None:
    words = ["correct", "machine.csv", "--human", "human.csv"]
    assert main([*words, "-f", "json"]) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert [(one["run"], one["measure"]) for one in found["runs"]] == [
        (r, m) for m in ("accuracy", "c@1") for r in ("old", "new")
    ]
    assert "random sample" in told.err
    assert main([*words, "-f", "csv"]) == 0
    assert capsys.readouterr().out.startswith("run,against,measure,estimate,value,low,high,labels,weight")
    assert main([*words, "-o", "correct.html"]) == 0
    assert "Corrected for the judge" in Path("correct.html").read_text(encoding="utf-8")
    assert main([*words, "-o", "correct.html", "-f", "json"]) == 2
    assert "is a page" in capsys.readouterr().err


def test_bad_input(capsys) -> None:
    Path("human.csv").write_text("run,id,human\nold,v000,1\nold,v999,0\n")
    assert main(["correct", "machine.csv", "--human", "human.csv"]) == 3
    assert "human.csv:3: labels question 'v999', which old was not asked" in capsys.readouterr().err
    assert main(["correct", "machine.csv"]) == 2
    with pytest.raises(SystemExit):
        main(["correct", "--scores", "x.csv"])


def test_clusters_of_one_table(tmp_path, capsys) -> None:
    path = tmp_path / "judge.csv"
    lines = ["id,judge,human,page", *(f"q{i},{i % 3 > 0:d},{i % 2 if i < 40 else ''},{i // 4}" for i in range(80))]
    path.write_text("\n".join(lines), encoding="utf-8")
    widths = {}
    for cluster in ("page", "none"):
        assert main(["correct", str(path), "--cluster", cluster, "-f", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["settings"]["cluster"] == (None if cluster == "none" else "page")
        low, high = found["runs"][0]["human"]["interval"]
        widths[cluster] = high - low
    assert widths["page"] != widths["none"]
