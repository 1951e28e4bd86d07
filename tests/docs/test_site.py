"""The site: every page has its place, links hold where pages are moved, and the check of a built site sees what is wrong."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {page.name for page in (ROOT / "docs").glob("*.md")}


@pytest.fixture(scope="module")
def site():
    found = importlib.util.spec_from_file_location("site_of_docs", ROOT / "docs" / "site.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_every_page_has_its_place(site) -> None:
    placed = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(placed) == sorted({*PAGES, "index.md", *site.BESIDE})


def test_links_hold_where_the_pages_are_moved(site, tmp_path) -> None:
    site.gathered(ROOT, tmp_path / "pages")
    pages = {page.name: page.read_text("utf-8") for page in (tmp_path / "pages").glob("*.md")}
    assert {*pages} == {*PAGES, "index.md", *site.BESIDE}
    for name, text in pages.items():
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            if not target.startswith(("http:", "https:", "gallery/", "mailto:")):
                assert (tmp_path / "pages" / target).exists(), (name, target)
    assert "gallery/ranked.html" in pages["gallery.md"]


def test_the_check_of_a_built_site(site, tmp_path) -> None:
    (tmp_path / "index.html").write_text(
        '<h1 id="top">Start</h1><a href="other.html#here">a</a><a href="https://example.org">b</a><a href="#top">c</a>'
    )
    (tmp_path / "other.html").write_text('<p id="here"></p><img src="picture%201.png">')
    (tmp_path / "picture 1.png").write_text("")
    assert site.problems(tmp_path) == []
    (tmp_path / "broken.html").write_text(
        '<a href="nowhere.html">a</a><a href="other.html#there">b</a><script src="https://cdn.example/x.js"></script>'
    )
    assert site.problems(tmp_path) == [
        "broken.html: fetches https://cdn.example/x.js",
        "broken.html: nowhere.html leads nowhere",
        "broken.html: other.html#there has no such place",
    ]


def test_what_searches_from_a_disk_lies_in_the_site(site, tmp_path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(f'<script src="{site.SHIM}"></script>')
    (tmp_path / "shim.js").write_text("// a worker")
    assert site.problems(tmp_path) == [f"index.html: fetches {site.SHIM}"]
    site.own_shim(tmp_path, tmp_path / "shim.js")
    assert site.problems(tmp_path) == []
    assert (tmp_path / "assets" / "iframe-worker.js").read_text() == "// a worker"
