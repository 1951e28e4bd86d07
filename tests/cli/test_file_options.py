"""No command writes over what it reads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assay.cli import commands, main
from assay.cli.file_options import input_file, output_file

MATRIX = "topic,a,b\n1,0.5,1\n2,1,0.2\n3,0.4,0.3\n"


def with_measure(*words: str) -> list[str]:
    return [*words, "-m", "AP"]


@pytest.mark.parametrize("command", ["evaluate", "compare", "reliability", "report"])
@pytest.mark.parametrize(
    ("sources", "output"),
    [
        (["qrels.txt", "runs/good.run", "runs/poor.run"], "runs/good.run"),
        (["qrels.txt", "runs/good.run", "runs/poor.run"], "./runs/../qrels.txt"),
        (["qrels.txt", "runs"], "runs/poor.run"),
        (["qrels.txt", "runs/*.run"], "runs/poor.run"),
        (["qrels.txt", "runs"], "link.html"),
        (["link.html", "runs"], "qrels.txt"),
        (["qrels.txt", "runs"], "hard.html"),
    ],
)
def test_an_output_that_is_an_input(here, capfd, command, sources, output) -> None:
    Path("link.html").symlink_to("qrels.txt")
    os.link("runs/good.run", "hard.html")
    kept = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    assert main(with_measure(command, *sources, "-o", output)) == 2
    assert "would overwrite the input" in capfd.readouterr().err
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == kept


def test_files_of_options_are_inputs_too(here, capfd) -> None:
    Path("ap.csv").write_text(MATRIX)
    Path("runs.toml").write_text('[good]\na = "b"\n')
    Path("mine.py").write_text("")
    Path("q.jsonl").write_text('{"id": "q1", "answers": ["x"]}\n')
    ranked = ["evaluate", "qrels.txt", "runs"]
    for words, output in (
        (["compare", "--scores", "AP=ap.csv"], "ap.csv"),
        (["compare", "--scores", "ap.csv", "--against", "ap.csv"], "ap.csv"),
        ([*ranked, "--characteristics", "runs.toml"], "runs.toml"),
        ([*ranked, "--plugin", "mine.py"], "mine.py"),
        (["evaluate", "q.jsonl", "q.jsonl", "--refusal", "mine.py"], "mine.py"),
    ):
        before = Path(output).read_bytes()
        assert main([*words, "-o", output]) == 2, words
        assert f"-o {output}: would overwrite the input" in capfd.readouterr().err
        assert Path(output).read_bytes() == before
    assert main(["compare", "--scores", "ap.csv", "--save-scores", "ap.csv"]) == 2
    assert "--save-scores ap.csv: would overwrite the input" in capfd.readouterr().err


def test_every_option_that_names_a_file_is_guarded() -> None:
    for command in commands.every():
        for option in command.parser(["--help", "all"]).options():
            if "FILE" in str(option.metavar):
                assert option.type in (input_file, output_file), f"assay {command.name} {option.option_strings}"


def test_the_two_outputs_are_two_files(here, capfd) -> None:
    Path("ap.csv").write_text(MATRIX)
    assert main(["compare", "--scores", "ap.csv", "--save-scores", "x.csv", "-o", "./x.csv"]) == 2
    assert "-o writes the same file" in capfd.readouterr().err
    assert not Path("x.csv").exists()


def test_streams_that_are_inputs(here, process) -> None:
    import subprocess
    import sys

    code = "import sys; from assay.cli import main; sys.exit(main())"
    words = [sys.executable, "-c", code, "evaluate", "qrels.txt"]
    before = Path("runs/good.run").read_bytes()
    with open("runs/good.run", "ab") as appended:
        done = subprocess.run([*words, "runs"], stdout=appended, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr[:63]) == (2, "assay evaluate: standard output: would overwrite the input runs")
    with open("runs/good.run", "rb") as read:
        done = subprocess.run(
            [*words, "-", "-o", "runs/good.run"], stdin=read, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert "would overwrite the input standard input" in done.stderr
    assert Path("runs/good.run").read_bytes() == before


def test_a_name_that_happens_to_be_a_file_is_no_input(here) -> None:
    Path("AP").write_text("old")
    assert main(with_measure("evaluate", "qrels.txt", "runs", "-f", "tsv", "-o", "AP")) == 0
    assert Path("AP").read_text().startswith("run\ttopics\tAP")


def test_a_number_is_no_input(here) -> None:
    (here / "plan.txt").write_text("of last year")
    words = ["plan", "--variance", "0.04", "--difference", "0.05", "--topics", "50", "-o", "plan.txt"]
    assert main(words) == 0
    assert "50 topics" in (here / "plan.txt").read_text()


def test_a_read_only_file_is_refused_before_any_work(here, capfd) -> None:
    Path("out.json").write_text("old")
    Path("out.json").chmod(0o444)
    for words in (["evaluate"], ["report", "-o", "out.html"], ["compare", "--save-scores", "out.json"]):
        output = [] if "-o" in words or "--save-scores" in words else ["-o", "out.json"]
        if "report" in words:
            Path("out.html").write_text("old")
            Path("out.html").chmod(0o400)
        assert main(with_measure(*words[:1], "nowhere", "runs", *words[1:], *output)) == 3
        assert "cannot be written: it is read-only" in capfd.readouterr().err
    assert Path("out.json").read_text() == "old"
