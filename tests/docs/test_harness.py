"""docs/harness.md and the pages of tools: the report of the first page, and a section for every tool that is read."""

from __future__ import annotations

import re

import tutorial_logs
from pages import ROOT

from assay.cli import main
from assay.formats.recognition import readers


def test_the_report_of_the_first_page(monkeypatch, capfd, tmp_path) -> None:
    tutorial_logs.write(tmp_path, "logs")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/harness.md").read_text(encoding="utf-8")
    assert "assay report logs/ -o report.html\nassay compare logs/ -m c@1\n" in text
    assert main(["report", "logs/", "-o", "report.html"]) == 0
    assert "made/careful" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert main(["compare", "logs/", "-m", "c@1"]) == 0


def test_every_reader_of_logs_has_its_section() -> None:
    def plain(name: str) -> str:
        return re.sub(r"[^a-z]", "", name.lower())

    text = "".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in ("log_tools.md", "agents.md"))
    titles = [plain(title) for title in re.findall(r"^## (.*)", text, re.MULTILINE)]
    for reader in readers():
        if reader.role == "log":
            name = {"lm-eval": "lm-evaluation-harness"}.get(reader.name, reader.name)
            assert plain(name) in titles, name
