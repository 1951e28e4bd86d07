"""docs/diversity.md: its files are written, its commands and sessions run, and what they print is what the page shows."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from pages import ROOT, console_blocks, matches, write_files

from assay.cli import main

PAGE = (ROOT / "docs" / "diversity.md").read_text(encoding="utf-8")
COMMANDS = [(command, expected) for _, command, expected in console_blocks("docs/diversity.md")]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files("docs/diversity.md", tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("command", "expected"), COMMANDS)
def test_every_command_prints_what_the_page_shows(capfd, command: str, expected):
    assert main(shlex.split(command)[1:]) == 0
    printed = capfd.readouterr().out.splitlines()
    assert matches(expected, printed), "\n".join(printed)


def test_the_example_worked_out_by_hand(capfd):
    assert main(["evaluate", "qrels.txt", "animals.run", "-m", "alpha-nDCG@3", "--per-topic", "-f", "csv"]) == 0
    assert "animals,1,0.96519" in capfd.readouterr().out


def test_the_session_runs():
    session = doctest.DocTestParser().get_doctest(
        "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)), {}, "diversity", "diversity", 0
    )
    assert session.examples
    assert doctest.DocTestRunner().run(session).failed == 0
