"""assay demo: the tour runs, shows what it types, and says where the reports are."""

from __future__ import annotations

import os
import re

import pytest

from assay.cli import main
from assay.cli.commands import demo


@pytest.fixture
def short(monkeypatch):
    """The tour without the reports, which have tests of their own and take their time."""
    monkeypatch.setattr(demo, "TOUR", [step for step in demo.TOUR if not step[1].startswith("report")])


def test_every_command_of_the_tour_runs_and_is_shown(tmp_path, capfd, short) -> None:
    before = os.getcwd()
    assert main(["demo", "-o", str(tmp_path / "tour")]) == 0
    out = capfd.readouterr().out
    for title, command in demo.TOUR:
        assert title in out
        assert f"$ assay {command}" in out
    assert "rerank" in out
    assert (tmp_path / "tour" / "ranked" / "qrels.txt").exists()
    assert os.getcwd() == before


def test_the_reports_are_written_and_named(tmp_path, capfd, monkeypatch) -> None:
    written = [step for step in demo.TOUR if step[1].startswith("report")]
    assert len(written) == 4
    monkeypatch.setattr(demo, "TOUR", [(title, f"{command} --trials 20") for title, command in written[:1]])
    assert main(["demo", "-o", str(tmp_path / "tour")]) == 0
    assert f"The reports:\n  {tmp_path}/tour/ranked.html\n" in capfd.readouterr().out
    assert (tmp_path / "tour" / "ranked.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_tour_that_stops_says_where(tmp_path, capfd, monkeypatch) -> None:
    monkeypatch.setattr(demo, "TOUR", [("Nothing there.", "evaluate nowhere.txt ranked/runs")])
    assert main(["demo", "-o", str(tmp_path / "tour")]) == 3
    err = capfd.readouterr().err
    assert "nowhere.txt: cannot be read" in err
    assert "the demo stopped: assay evaluate exited with 3" in err


def test_the_demo_names_a_folder_it_cannot_write(tmp_path, capsys):
    """A traceback is no answer to a mistyped folder."""
    taken = tmp_path / "taken"
    taken.write_text("a file")
    assert main(["demo", "-o", str(taken)]) == 3
    assert f"{taken}: cannot be written" in capsys.readouterr().err


def test_the_gallery_writes_what_it_links(tmp_path, capfd, monkeypatch):
    from assay.demo import gallery

    monkeypatch.setattr(gallery, "CAMPAIGNS", {name: gallery.CAMPAIGNS[name] for name in ("scores", "context")})
    assert main(["demo", "--gallery", "-o", str(tmp_path / "all")]) == 0
    out = capfd.readouterr().out
    assert "$ assay report --scores nDCG.csv --title 'Countries of the world' -o ../../scores.html\n" in out
    assert f"{tmp_path}/all/index.html links the reports" in out
    linked = re.findall('href="([^"]+)"', (tmp_path / "all" / "index.html").read_text("utf-8"))
    assert linked == ["scores.html", "context.html"]
    assert all((tmp_path / "all" / name).read_text("utf-8").startswith("<!doctype html>") for name in linked)
    assert (tmp_path / "all" / "data" / "context" / "runs" / "insight.jsonl").exists()


@pytest.mark.slow
def test_the_gallery_is_the_same_everywhere():
    from assay.demo.gallery import CAMPAIGNS

    for campaign in CAMPAIGNS.values():
        first = campaign.files(1)
        assert first == campaign.files(1)
        assert first != campaign.files(2)
