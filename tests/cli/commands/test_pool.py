"""`assay pool`, as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.cli import main

ONE = "q Q0 a 1 3 us-one\nq Q0 b 2 2 us-one\nq Q0 c 3 1 us-one\n"
TWO = "q Q0 d 1 3 us-two\nq Q0 b 2 2 us-two\n"
THREE = "q Q0 e 1 3 them-one\nq Q0 b 2 2 them-one\n"
QRELS = "q 0 a 1\nq 0 b 1\nq 0 c 0\nq 0 d 0\nq 0 e 1\n"


@pytest.fixture
def runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    for name, lines in {"one": ONE, "two": TWO, "three": THREE}.items():
        Path(f"runs/{name}.run").write_text(lines)
    Path("qrels.txt").write_text(QRELS)
    Path("runs.toml").write_text(
        '[us-one]\norganisation = "us"\n[us-two]\norganisation = "us"\npriority = 1\n[them-one]\norganisation = "them"\n'
    )


def documents(text: str) -> list[str]:
    return sorted(json.loads(line)["document"] for line in text.splitlines())


def test_lines_to_standard_output_and_a_sentence_to_the_person(runs, capfd):
    assert main(["pool", "runs", "--depth", "1"]) == 0
    out, err = capfd.readouterr()
    assert documents(out) == ["a", "d", "e"]
    assert err == "assay: Judge 3 documents: all of one topic, from 3 runs.\n"
    assert main(["pool", "runs", "--depth", "1", "-f", "table"]) == 0
    out, err = capfd.readouterr()
    assert out.splitlines()[0] == "Judge 3 documents: all of one topic, from 3 runs."
    assert err == ""


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--strategy", "rbp", "--budget", "1"], ["b"]),
        (["--strategy", "rbp", "--budget", "3", "-p", "0.1"], ["a", "d", "e"]),
        (["--depth", "2", "--exclude", "qrels.txt"], []),
        (["--depth", "1", "--characteristics", "runs.toml", "--runs-per-team", "1"], ["d", "e"]),
        (["--depth", "1", "--team-from", "[a-z]+", "--runs-per-team", "1"], ["a", "e"]),
        (["--strategy", "mtf", "--budget", "4", "--grades", "qrels.txt", "--level", "2"], None),
        (["--strategy", "sample", "--strata", "1:1,3:0.5", "--seed", "4"], None),
    ],
)
def test_options(runs, capfd, options, expected):
    assert main(["pool", "runs", *options]) == 0
    found = documents(capfd.readouterr().out)
    assert found == expected if expected is not None else len(found) == 4


def test_files_and_folders(runs, capfd):
    assert main(["pool", "runs", "--depth", "1", "-o", "pool.jsonl"]) == 0
    assert main(["pool", "runs", "--depth", "1", "-o", "pool.json"]) == 0
    assert main(["pool", "runs", "--depth", "1", "-o", "assessors/"]) == 0
    assert main(["pool", "runs", "--depth", "1", "-o", "pool.csv"]) == 0
    lines = [json.loads(line)["document"] for line in Path("pool.jsonl").read_text().splitlines()]
    assert Path("assessors/q.txt").read_text().split() == lines
    assert json.loads(Path("pool.json").read_text())["topics"]["q"]["documents"] == lines
    assert Path("pool.csv").read_text().split() == ["topic,document", *(f"q,{one}" for one in lines)]
    assert capfd.readouterr().out == ""
    assert main(["pool", "runs", "--depth", "1", "-o", "assessors"]) == 3
    assert "exists already" in capfd.readouterr().err


def test_a_judged_sample_is_scored(runs, capfd):
    for form in ("prels", "strata"):
        sampled = ["--strategy", "sample", "--strata", "1:1,3:0.5", "--grades", "qrels.txt", "-o", f"judged.{form}"]
        assert main(["pool", "runs", *sampled]) == 0
        assert main(["evaluate", f"judged.{form}", "runs", "-m", "statAP"]) == 0
    assert "statAP" in capfd.readouterr().out


def test_what_the_pool_can_carry(runs, capfd):
    asked = ["pool", "runs", "--judged", "qrels.txt", "--characteristics", "runs.toml"]
    assert main(asked) == 0
    out = capfd.readouterr().out
    assert out.startswith(
        "Each of us and them alone found 1 of 3 relevant documents. Unpooled, us-one would lose most: AP .250, not .667"
    )
    assert "Every run without its own team" not in out
    assert main([*asked, "-v"]) == 0
    assert "Every run without its own team" in capfd.readouterr().out
    assert main([*asked, "-f", "json", "-m", "P@1"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [(team["team"], team["unique_relevant"]) for team in found["teams"]] == [("us", 1), ("them", 1)]
    assert found["measure"] == "P@1"
    assert main([*asked, "-f", "csv"]) == 0
    assert len(capfd.readouterr().out.splitlines()) == 1 + 2 * 3


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--strategy", "mtf"], 2, "--budget"),
        (["--depth", "0"], 2, "--depth 0"),
        (["--budget", "-1"], 2, "--budget -1"),
        (["--strata", "5:1"], 2, "has none"),
        (["--strategy", "sample", "--strata", "5"], 2, "depths that rise"),
        (["--runs-per-team", "1"], 2, "--characteristics or --team-from"),
        (["--team-from", "("], 2, "is no regular expression"),
        (["--exclude", "none.txt"], 3, "none.txt"),
        (["--exclude", "runs.toml"], 3, "runs.toml:1: expected 4 fields"),
        (["-m", "AP"], 2, "-m needs --judged"),
        (["--judged", "qrels.txt", "--budget", "3"], 2, "--budget cannot be combined with --judged"),
        (["--judged", "qrels.txt", "-p", "0.5"], 2, "-p cannot be combined with --judged"),
        (["--judged", "qrels.txt", "-f", "jsonl"], 2, "cannot be combined with --judged; expected one of table"),
        (["--judged", "qrels.txt", "-m", "Nothing"], 2, "Nothing"),
        (["-o", "j.prels"], 2, "--strategy sample and --grades"),
        (["-o", "runs", "-f", "csv"], 2, "is a folder"),
        (["-o", "runs"], 3, "exists already"),
        (["-o", "runs/one.run"], 2, "would overwrite the input"),
        (["-o", "qrels.txt", "--exclude", "qrels.txt"], 2, "would overwrite the input"),
    ],
)
def test_refused(runs, capfd, options, code, said):
    assert main(["pool", "runs", *options]) == code
    out, err = capfd.readouterr()
    assert said in err
    assert not out
    assert Path("runs/one.run").read_text() == ONE
    assert Path("qrels.txt").read_text() == QRELS


@pytest.mark.parametrize("strategy", ["depth", "mtf", "sample"])
def test_ids_that_are_not_utf8(tmp_path, capfd, strategy):
    """0xff is no UTF-8; JSON has such a byte as a lone surrogate."""
    (tmp_path / "a.run").write_bytes(b"t\xff Q0 d\xff 1 2.0 a\n")
    budget = ["--budget", "1"] if strategy == "mtf" else []
    assert main(["pool", str(tmp_path / "a.run"), "--strategy", strategy, *budget]) == 0
    row = json.loads(capfd.readouterr().out)
    assert (row["topic"], row["document"]) == ("t\udcff", "d\udcff")


def test_teams_are_found_by_the_files_names(runs, capfd):
    """Sections named after the files: of two teams, one with two runs, by tag there would be three."""
    Path("files.toml").write_text(
        '[one]\norganisation = "us"\n[two]\norganisation = "us"\npriority = 1\n[three]\norganisation = "them"\n[zzz]\nteam = "x"\n'
    )
    teams = ["--characteristics", "files.toml"]
    assert main(["pool", "runs", "--depth", "1", *teams, "--runs-per-team", "1", "--name-by", "file"]) == 0
    out, err = capfd.readouterr()
    assert documents(out) == ["d", "e"]
    assert err.splitlines() == [
        "assay: files.toml: 1 of 4 sections matches no run: zzz; the runs are one, three, two (--name-by)",
        "assay: Judge 2 documents: all of one topic, from 2 runs.",
    ]
    assert main(["pool", "runs", "--judged", "qrels.txt", *teams, "--name-by", "file", "-f", "json"]) == 0
    out, err = capfd.readouterr()
    assert {team["team"]: team["runs"] for team in json.loads(out)["teams"]} == {
        "us": ["one", "two"],
        "them": ["three"],
    }
    assert "1 of 4 sections matches no run: zzz" in err
    assert main(["pool", "runs", "--depth", "1", *teams]) == 0
    assert "4 of 4 sections match no run: one, two, three and 1 more; the runs are us-one" in capfd.readouterr().err
