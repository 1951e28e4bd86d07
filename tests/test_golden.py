"""The figures of a release do not change by accident: whoever changes one raises the version of the numbers and says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpus import figures, path_of

from assay._version import NUMBERS, __version__
from assay.cli import main
from assay.demo.gallery import CAMPAIGNS

CHANGED = (
    "numbers changed: if they should, raise NUMBERS in src/assay/_version.py, list them in CHANGELOG under Numbers, and write "
    "the new figures with `make corpus`"
)


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_figures_are_those_of_this_version_of_the_numbers(name, tmp_path) -> None:
    kept = json.loads(path_of().read_text("utf-8"))[name]
    assert figures(name, str(tmp_path)) == kept, CHANGED


def test_the_version_is_told_with_every_number(capsys, tmp_path, monkeypatch) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith(f"assay {__version__}, numbers {NUMBERS} (")
    (tmp_path / "q").write_text("1 0 a 1\n2 0 a 1\n")
    for run, score in (("x", 1), ("y", 2)):
        (tmp_path / run).write_text(f"1 Q0 a 1 {score} {run}\n2 Q0 b 1 2 {run}\n2 Q0 a 2 1 {run}\n")
    monkeypatch.chdir(tmp_path)
    for command in (
        ["evaluate", "q", "x", "y"],
        ["compare", "q", "x", "y"],
        ["compare", "q", "x", "y", "-m", "AP", "-m", "P@5"],
    ):
        main([*command, "-f", "json"])
        told = json.loads(capsys.readouterr().out)
        assert (told["assay"], told["numbers"]) == (__version__, NUMBERS), command


def test_changes_are_listed() -> None:
    text = (Path(__file__).parents[1] / "CHANGELOG.md").read_text("utf-8")
    newest = text.split("\n## ")[1]
    assert newest.startswith(__version__)
    assert "\n### Numbers\n" in newest
