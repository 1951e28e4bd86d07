"""Pages that bring files of their own: their commands and sessions run on these files, and print what the page shows."""

from __future__ import annotations

import doctest
import shlex

import pytest
import tutorial_logs
from pages import PAGES_WITH_FILES, console_blocks, matches, python_session, write_files

from assay.cli import main

COMMANDS = [
    pytest.param(page, command, shown, id=f"{page}:{number}")
    for page in PAGES_WITH_FILES
    for number, command, shown in console_blocks(f"docs/{page}")
]
SESSIONS = {page: python_session(f"docs/{page}") for page in PAGES_WITH_FILES}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The folder of a page: logs of every tool, the files of the pages that it builds on, and its own."""
    pytest.importorskip("pyarrow", reason="lighteval's logs are Parquet")
    made = {}

    def folder(page):
        if page not in made:
            made[page] = tmp_path_factory.mktemp("files")
            for source in (*PAGES_WITH_FILES[page], page):
                write_files(f"docs/{source}", made[page])
            tutorial_logs.write(made[page])
        return made[page]

    return folder


@pytest.mark.parametrize(("page", "command", "shown"), COMMANDS)
def test_commands_print_what_the_page_shows(page, command, shown, folders, monkeypatch, capfd) -> None:
    """Lines that begin with `assay:` are said on standard error; the rest is all of standard output."""
    monkeypatch.chdir(folders(page))
    said = [line for line in shown if line.startswith("assay: ")]
    printed = [line for line in shown if line not in said]
    code = main(shlex.split(command)[1:])
    out, err = capfd.readouterr()
    assert code == (3 if said and not printed else 0), err
    assert matches(printed, out.splitlines()), out
    assert [line for line in err.splitlines() if line in said] == said, err


@pytest.mark.parametrize("page", [page for page, session in SESSIONS.items() if session.examples])
def test_the_python_on_the_page(page, folders, monkeypatch) -> None:
    monkeypatch.chdir(folders(page))
    assert doctest.DocTestRunner().run(SESSIONS[page]).failed == 0
