"""The pages of other tasks: the data of figures that a command writes, and a warning."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from pages import console_blocks, write_files

from assay.cli import main


def test_the_figures_the_page_writes(tmp_path, monkeypatch):
    for page in ("docs/filtering.md", "docs/tracks.md"):
        write_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    [command] = [command for _, command, _ in console_blocks("docs/tracks.md")]
    assert main(shlex.split(command)[1:]) == 0
    result = json.loads(Path("eager.json").read_text())
    (run,) = result["figures"]["runs"]
    assert run["characteristics"]["Reuters data used in training"] is False
    assert [p["mean_t10u"] for p in run["periods"]] == [(2 - 1) / 2, (2 - 1) / 2, (2 - 1) / 2, 0.0]
    assert [p["relevant"] for p in run["periods"]] == [1, 1, 1, 1]


def test_warnings_of_the_page(tmp_path, monkeypatch, capfd):
    write_files("docs/series.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["evaluate", "--task", "list", "lists.jsonl", "runs/lister.jsonl"]) == 0
    assert (
        "1 answers beyond the target of 1 questions (such as 'L1') are ignored by list accuracy"
        in capfd.readouterr().err
    )
