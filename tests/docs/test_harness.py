"""docs/harness.md: its commands run on logs made here, and what they print is what the page shows, on both streams."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
import tutorial_logs
from pages import ROOT, console_blocks, matches, write_files

from assay.cli import main
from assay.formats.recognition import readers

PAGE = "docs/harness.md"
COMMANDS = [pytest.param(command, shown, id=f"{PAGE}:{number}") for number, command, shown in console_blocks(PAGE)]


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    pytest.importorskip("pyarrow", reason="lighteval's logs are Parquet")
    folder = tmp_path_factory.mktemp("logs")
    tutorial_logs.write(folder)
    write_files(PAGE, folder)
    return folder


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_commands_print_what_the_page_shows(command, shown, written, monkeypatch, capfd) -> None:
    """Lines that begin with `assay:` are said on standard error; the rest is all of standard output."""
    monkeypatch.chdir(written)
    said = [line for line in shown if line.startswith("assay: ")]
    printed = [line for line in shown if line not in said]
    code = main(shlex.split(command)[1:])
    out, err = capfd.readouterr()
    assert code == (0 if printed else 3)
    assert matches(printed, out.splitlines()), out
    assert [line for line in err.splitlines() if line in said] == said, err


def test_the_report_of_the_first_page(written, monkeypatch, capfd, tmp_path) -> None:
    monkeypatch.chdir(written)
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    assert "assay report logs/ -o report.html\nassay compare logs/ -m c@1\n" in text
    assert main(["report", "logs/", "-o", str(tmp_path / "report.html")]) == 0
    assert "made/careful" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert main(["compare", "logs/", "-m", "c@1"]) == 0


def test_the_python_on_the_page(written, monkeypatch) -> None:
    monkeypatch.chdir(written)
    results = doctest.testfile(str(ROOT / PAGE), module_relative=False, verbose=False)
    assert (results.failed, results.attempted > 3) == (0, True)


def test_every_reader_of_logs_has_its_section() -> None:
    def plain(name: str) -> str:
        return re.sub(r"[^a-z]", "", name.lower())

    titles = [
        plain(title) for title in re.findall(r"^## (.*)", (ROOT / PAGE).read_text(encoding="utf-8"), re.MULTILINE)
    ]
    for reader in readers():
        if reader.role == "log":
            name = {"lm-eval": "lm-evaluation-harness"}.get(reader.name, reader.name)
            assert plain(name) in titles, name
