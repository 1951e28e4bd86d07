"""docs/organising.md is a path that can be walked: its commands, one after the other, in one folder."""

from __future__ import annotations

import shlex

import pytest
from pages import ROOT, matches

from assay.cli import commands, main
from assay.demo.data import write_demo

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "organising.md").read_text(encoding="utf-8")


def steps() -> list[tuple[str, list[str] | None]]:
    """Every command of the page in its order, and what it prints where that is shown."""
    found: list[tuple[str, list[str] | None]] = []
    kind = ""
    for line in PAGE.splitlines():
        if line.startswith("```"):
            kind = line.removeprefix("```")
        elif kind == "console" and line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        elif kind == "console":
            shown = found[-1][1]
            assert shown is not None
            shown.append(line)
        elif kind == "sh":
            found.append((line, None))
    return found


@pytest.fixture
def demo(tmp_path, monkeypatch):
    write_demo(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_path_can_be_walked(demo, capfd) -> None:
    walked: list[str] = []
    for command, shown in steps():
        words = shlex.split(command)[1:]
        walked.append(words[0])
        if words[0] == "judge":  # which ends when the assessor ends it: tests/assessing has it in a browser
            assert commands.find("judge").parser(words[1:]).parse_args(words[1:]).judge == "ann"
            continue
        assert main(words) == (3 if command.startswith("assay check") and "late.run" in command else 0), command
        printed = capfd.readouterr().out.splitlines()
        assert shown is None or matches(shown, printed), "\n".join([command, *printed])
    expected = {"plan", "check", "pool", "judge", "agree", "correct", "evaluate", "compare", "report", "pack", "items"}
    assert set(walked) == expected
    written = {path.name for path in demo.iterdir() if path.is_file()}
    assert written == {
        "rules.toml", "pool.jsonl", "open.csv", "final.qrels", "final.qrels.provenance.csv", "scores.json", "track.html", "track.pdf",
    }  # fmt: skip
    assert len(list((demo / "packages").glob("*.zip"))) == 8
    assert main(["plan", "--scores", "scores.json", "-m", "AP", "--difference", "0.05"]) == 0
    assert "To show a difference of .05 AP" in capfd.readouterr().out
