"""docs/nonresponse.md: its files are written, its commands run, and what they print is what the page shows."""

from __future__ import annotations

import doctest
import re
import shlex

import pytest
import tutorial_logs
from pages import ROOT, write_files

from assay.cli import main

PAGE = ROOT / "docs" / "nonresponse.md"
SESSIONS = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """Every command of the page with the output shown below it."""
    found = []
    for session in SESSIONS.findall(PAGE.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.fixture
def folder(tmp_path, monkeypatch):
    tutorial_logs.write(tmp_path, "logs")
    write_files("docs/nonresponse.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_has_commands() -> None:
    assert len(commands()) >= 15


@pytest.mark.parametrize(("command", "output"), commands())
def test_every_command_prints_what_the_page_shows(folder, capfd, command, output) -> None:
    words = shlex.split(command)
    assert words[0] == "assay"
    assert main(words[1:]) == 0
    assert [line.rstrip() for line in capfd.readouterr().out.splitlines()] == output.splitlines()


def test_the_python_on_the_page() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False, verbose=False)
    assert results.failed == 0
    assert results.attempted > 4


def test_remarks_of_the_page(folder, capfd) -> None:
    assert main(["evaluate", "logs/"]) == 0
    assert "(japan: APIError: 503)" in capfd.readouterr().err
    assert main(["evaluate", "gold.jsonl", "runs/"]) == 0
    said = capfd.readouterr().err
    assert "careful: 2 of 10 questions missing, counted as unanswered" in said
    assert "judged by" not in said
    assert main(["threshold", "gold.jsonl", "runs/polite.jsonl", "-m", "c@1", "--seed", "1"]) == 0
    assert "the 95% interval of the gain includes 0" in capfd.readouterr().err
