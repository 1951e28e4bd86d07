"""`assay evaluate` and `assay measures` on ranked retrieval, as a person types them."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli import main

GOOD = "1 Q0 a 1 9 good\n1 Q0 b 2 8 good\n2 Q0 d 1 9 good\n2 Q0 c 2 8 good\n3 Q0 e 1 1 good\n"


def test_a_table_with_the_best_marked_and_remarks_on_the_side(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-m", "P@1", "-m", "NumRet"]) == 0
    out, err = capfd.readouterr()
    assert out.splitlines() == [
        "run   topics      AP      P@1   NumRet",
        "good       3  0.6667*  0.6667*       5",
        "poor       3  0.1667   0.0000        2",
        "* highest value; `assay compare` says whether it is really better.",
    ]
    assert "poor: 2 of 3 topics missing, counted as 0 (--missing)" in err
    assert "poor: 1 topic without judgments is ignored" in err
    assert "AP is undefined on 1 topics" in err


def test_policies_and_their_denominators(here, capfd) -> None:
    def value(*flags: str) -> tuple[float | None, int]:
        assert main(["evaluate", "qrels.txt", "runs/poor.run", "-m", "AP", "-f", "json", *flags]) == 0
        run = json.loads(capfd.readouterr().out)["runs"][0]
        return run["scores"]["AP"], run["denominators"]["AP"]

    assert value() == (pytest.approx(0.5 / 3), 3)
    assert value("--missing", "skip") == (0.5, 1)
    assert value("--undefined", "skip") == (0.25, 2)
    assert main(["evaluate", "qrels.txt", "runs/poor.run", "-m", "AP", "--missing", "error"]) == 3
    assert "no results for topic '2' and 1 more" in capfd.readouterr().err


def test_common_topics_only(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "--missing", "common", "-f", "json"]) == 0
    runs = json.loads(capfd.readouterr().out)["runs"]
    assert [run["scores"]["AP"] for run in runs] == [1.0, 0.5]
    assert [run["denominators"]["AP"] for run in runs] == [1, 1]


def test_json_has_the_documented_shape(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs/good.run", "-m", "AP", "-q", "-f", "json"]) == 0
    result = json.loads(capfd.readouterr().out)
    assert result["task"] == "ranked"
    assert result["settings"]["missing"] == "zero"
    (run,) = result["runs"]
    assert (run["run"], run["file"]) == ("good", "runs/good.run")
    assert run["topics"] == {"1": {"AP": 1.0}, "2": {"AP": 1.0}, "3": {"AP": None}}
    assert run["undefined"] == {"AP": 1}


def test_per_topic_rows_end_with_the_average(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs/good.run", "-m", "nDCG", "-m", "AP", "-q", "-f", "csv"]) == 0
    rows = list(csv.reader(io.StringIO(capfd.readouterr().out)))
    assert rows[0] == ["run", "topic", "nDCG", "AP"]
    assert rows[3] == ["good", "3", "", ""]
    assert rows[4][:2] == ["good", "all"]
    assert float(rows[4][3]) == pytest.approx(2 / 3)


def test_each_run_is_followed_by_its_own_average(here, capfd) -> None:
    """Of a measure that is defined everywhere; no topic is missing."""
    Path("other.run").write_text("1 Q0 z 1 9 other\n2 Q0 d 1 9 other\n3 Q0 e 1 1 other\n")
    assert main(["evaluate", "qrels.txt", "runs/good.run", "other.run", "-m", "P@1", "-q", "-f", "tsv"]) == 0
    rows = [line.split("\t") for line in capfd.readouterr().out.splitlines()]
    assert rows == [
        ["run", "topic", "P@1"],
        *(["good", *cells] for cells in (["1", "1.0"], ["2", "1.0"], ["3", "0.0"], ["all", repr(2 / 3)])),
        *(["other", *cells] for cells in (["1", "0.0"], ["2", "1.0"], ["3", "0.0"], ["all", repr(1 / 3)])),
    ]


def test_names_when_tags_collide(here, capfd) -> None:
    Path("runs/poor.run").write_text(Path("runs/poor.run").read_text().replace("poor", "good"))
    assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-f", "tsv"]) == 0
    out, err = capfd.readouterr()
    assert [line.split("\t")[0] for line in out.splitlines()[1:]] == ["good", "poor"]
    assert "naming them by file name" in err
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "x.run").write_text(GOOD)
    assert main(["evaluate", "qrels.txt", "a/x.run", "b/x.run", "-m", "AP", "-f", "tsv"]) == 0
    assert [line.split("\t")[0] for line in capfd.readouterr().out.splitlines()[1:]] == ["a", "b"]
    assert main(["evaluate", "qrels.txt", "runs", "--name-by", "file", "-m", "AP", "-f", "tsv"]) == 0
    assert "good" in capfd.readouterr().out


@pytest.mark.parametrize("flags", [["-q"], ["-f", "parquet"]])
def test_choices_that_would_be_ignored_are_refused(here, capfd, flags) -> None:
    Path("gold.jsonl").write_text('{"id": "q1", "type": "a", "answers": ["Paris"]}\n')
    Path("answers.jsonl").write_text('{"id": "q1", "answer": "Paris"}\n')
    assert main(["evaluate", "gold.jsonl", "answers.jsonl", "--by", "type", *flags]) == 2
    assert "cannot be combined with -q or -f parquet" in capfd.readouterr().err


def test_interleaved_topics_in_a_file(here, capfd) -> None:
    lines = GOOD.splitlines(keepends=True)
    Path("mixed.run").write_text("".join(lines[::2] + lines[1::2]))
    assert main(["evaluate", "qrels.txt", "mixed.run", "-m", "AP", "-m", "nDCG", "-f", "tsv"]) == 0
    mixed = capfd.readouterr().out
    assert main(["evaluate", "qrels.txt", "runs/good.run", "-m", "AP", "-m", "nDCG", "-f", "tsv"]) == 0
    assert mixed == capfd.readouterr().out


def test_a_folder_of_submissions_each_in_its_own_folder(here, capfd) -> None:
    for team in ("team-b", "team-a"):
        Path("submissions", team).mkdir(parents=True)
        Path("submissions", team, "results.run").write_text(GOOD)
    assert main(["evaluate", "qrels.txt", "submissions", "-m", "AP", "-f", "tsv"]) == 0
    assert [line.split("\t")[0] for line in capfd.readouterr().out.splitlines()[1:]] == ["team-a", "team-b"]


def test_pipes_are_read_once(here) -> None:
    """As <(…) of a shell gives them, for gold and for a run whose topics are interleaved."""
    lines = GOOD.splitlines(keepends=True)
    Path("mixed.run").write_text("".join(lines[::2] + lines[1::2]))
    code = "import sys; from assay.cli import main; sys.exit(main())"
    command = f"{sys.executable} -c '{code}' evaluate <(cat qrels.txt) <(cat mixed.run) -m AP -f tsv"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert result.stdout.splitlines()[1].split("\t")[2] == "0.6666666666666666", result.stderr


def test_the_denominator_of_a_measure_that_leaves_topics_out(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs/good.run", "-m", "AP", "-m", "P@1", "--undefined", "skip"]) == 0
    assert "AP is undefined on 1 topics" in (err := capfd.readouterr().err)
    assert "its average is over 2 topics" in err


def test_lower_is_better_is_marked_so(here, capfd) -> None:
    Path("runs/poor.run").write_text("1 Q0 x 1 9 poor\n1 Q0 a 2 8 poor\n")
    assert main(["evaluate", "qrels.txt", "runs", "-m", "RBPResid"]) == 0
    good, poor, legend = capfd.readouterr().out.splitlines()[1:]
    assert good.endswith("*")
    assert not poor.endswith("*")
    assert legend == "* lowest value; `assay compare` says whether it is really better."


def test_missing_topics_have_no_value_where_they_are_left_out(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs/poor.run", "-m", "P@1", "-q", "--missing", "skip", "-f", "json"]) == 0
    topics = json.loads(capfd.readouterr().out)["runs"][0]["topics"]
    assert topics == {"1": {"P@1": 0.0}, "2": {"P@1": None}, "3": {"P@1": None}}


def test_judged_documents_and_holes_beside_each_measure(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-m", "P@2", "--judged-info", "-f", "tsv"]) == 0
    assert capfd.readouterr().out.splitlines()[0].split("\t")[-6:] == [
        "AP",
        "Judged",
        "Holes",
        "P@2",
        "Judged@2",
        "Holes@2",
    ]


def test_bounds_stand_beside_the_numbers(here, capfd) -> None:
    Path("hole.run").write_text("1 Q0 nobody-judged-it 1 2 hole\n")
    Path("one.txt").write_text("1 0 d1 1\n")
    assert main(["evaluate", "one.txt", "hole.run", "-m", "P@1", "--bounds", "-f", "csv"]) == 0
    assert capfd.readouterr().out.splitlines() == ["run,P@1,P@1_low,P@1_high", "hole,0.0,0.0,1.0"]
    assert main(["evaluate", "one.txt", "hole.run", "-m", "P@1", "--bounds"]) == 0
    assert "0.0000 to 1.0000" in capfd.readouterr().out
    assert main(["evaluate", "one.txt", "hole.run", "-m", "P@1", "--bounds", "-f", "json"]) == 0
    assert json.loads(capfd.readouterr().out)["bounds"]["rows"][0]["high"] == 1.0


@pytest.mark.parametrize("flags", [["-q"], ["--intervals"], ["--judged-info"], ["-f", "parquet"], ["--rankings"]])
def test_bounds_are_not_mixed_with_other_tables(here, capfd, flags) -> None:
    assert main(["evaluate", "qrels.txt", "runs", "--bounds", *flags]) == 2
    assert "--bounds" in capfd.readouterr().err


@pytest.mark.parametrize("form", ["json", "csv", "tsv"])
def test_scores_of_any_ids_come_back(tmp_path, monkeypatch, run, form) -> None:
    """Ids are bytes in run files, and 0xff is no UTF-8. A topic may be called as the row of averages is."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_bytes(b"t\xff 0 d1 1\nall 0 d1 1\n=1 0 d1 1\n")
    Path("a").write_bytes(b"t\xff Q0 d1 1 2 r\xfe\nall Q0 d2 1 2 r\xfe\nall Q0 d1 2 1 r\xfe\n=1 Q0 d1 1 1 r\xfe\n")
    assert run("evaluate", "qrels", "a", "-q", "-m", "RR", "-m", "P@1", "-f", form, "-o", f"scores.{form}")[0] == 0
    code, out, err = run("evaluate", "--scores", f"scores.{form}", "-q", "-f", "json")
    assert (code, err) == (0, "")
    [found] = json.loads(out)["runs"]
    assert found["run"] == "r\udcfe"
    assert found["topics"] == {
        "t\udcff": {"RR": 1.0, "P@1": 1.0}, "all": {"RR": 0.5, "P@1": 0.0}, "=1": {"RR": 1.0, "P@1": 1.0},
    }  # fmt: skip


def test_a_saved_matrix_of_any_ids_comes_back(tmp_path, monkeypatch, run) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_bytes(b"t\xff 0 d 1\nu 0 d 1\nv 0 d 1\n")
    for name in ("a", "b"):
        Path(name).write_bytes(b"".join(b"%s Q0 d 1 1 %s\n" % (topic, name.encode()) for topic in (b"t\xff", b"u")))
    assert run("compare", "qrels", "a", "b", "-m", "RR", "--save-scores", "rr.csv")[0] == 0
    code, out, _ = run("evaluate", "--scores", "rr.csv", "-q", "-f", "json")
    assert code == 0
    assert "t\udcff" in json.loads(out)["runs"][0]["topics"]
