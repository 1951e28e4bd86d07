"""docs/gallery.md: every report it links is one that the gallery writes, by the command it shows."""

from __future__ import annotations

import re

from pages import ROOT

from assay.demo.gallery import CAMPAIGNS

TEXT = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
MADE = "../out/gallery/"


def test_every_report_is_linked_and_every_link_is_a_report() -> None:
    linked = re.findall(rf"\]\({re.escape(MADE)}([^)]+)\)", TEXT)
    assert linked == ["index.html", *(f"{name}.html" for name in CAMPAIGNS)]


def test_each_is_described_in_its_own_words_and_shown_with_its_command() -> None:
    for name, one in CAMPAIGNS.items():
        section = TEXT.partition(f"## {one.title}\n")[2].partition("\n## ")[0]
        assert one.shows in section
        assert " ".join(["assay", "report", *one.sources, *one.texts, "-o", f"{name}.html"]) in section
        assert f"](pictures/gallery-{name}.png)" in section
