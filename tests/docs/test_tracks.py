"""docs/tracks.md: its files are written, its commands run, and what they print is what the page shows."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from assay.cli import main

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "tracks.md").read_text(encoding="utf-8")
FILES = re.compile(r"^`([\w./-]+)`:\n\n```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
SESSIONS = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """Every command of the page with the output shown below it."""
    parts = [part for session in SESSIONS.findall(PAGE) for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in FILES.findall(PAGE):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("command", "output"), commands())
def test_every_command_prints_what_the_page_shows(capfd, command: str, output: str):
    words = shlex.split(command)
    assert words[0] == "assay"
    assert main(words[1:]) == 0
    assert [line.rstrip() for line in capfd.readouterr().out.splitlines()] == output.splitlines()


def test_the_figures_the_page_writes(capfd):
    command = next(command for command, _ in commands() if "--figures" in command)
    assert main(shlex.split(command)[1:]) == 0
    result = json.loads(Path("eager.json").read_text())
    (run,) = result["figures"]["runs"]
    assert run["characteristics"]["Reuters data used in training"] is False
    assert [p["mean_t10u"] for p in run["periods"]] == [(2 - 1) / 2, (2 - 1) / 2, (2 - 1) / 2, 0.0]
    assert [p["relevant"] for p in run["periods"]] == [1, 1, 1, 1]


def test_warnings_of_the_page(capfd):
    assert main(["evaluate", "--task", "list", "lists.jsonl", "runs/lister.jsonl"]) == 0
    assert (
        "1 answers beyond the target of 1 questions (such as 'L1') are ignored by list accuracy"
        in capfd.readouterr().err
    )
