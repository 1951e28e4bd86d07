"""docs/preferences.md: its files are written, its commands run, and what they print is what the page shows."""

from __future__ import annotations

import doctest
import shlex

import pytest
from pages import ROOT, console_blocks, matches, write_files

from assay.cli import main

PAGE = "docs/preferences.md"


@pytest.mark.parametrize(
    ("command", "expected"), [(command, expected) for _, command, expected in console_blocks(PAGE)]
)
def test_every_command_prints_what_the_page_shows(tmp_path, monkeypatch, capfd, command, expected) -> None:
    write_files(PAGE, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)[1:]) == 0
    printed = capfd.readouterr().out.splitlines()
    assert matches(expected, [line.rstrip() for line in printed]), "\n".join(printed)


def test_the_python_on_the_page() -> None:
    results = doctest.testfile(str(ROOT / PAGE), module_relative=False)
    assert (results.failed, results.attempted) == (0, 5)
    assert len(console_blocks(PAGE)) == 4
