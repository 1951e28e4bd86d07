"""Every page is of one of four kinds, is called the same everywhere, and a how-to is short."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pages import ROOT

yaml = pytest.importorskip("yaml")
KINDS = ("Tutorials", "How to", "Reference", "Explanation")
MAX_LINES_OF_HOW_TO = 150
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md")
"""Pages of the site that are not in docs/."""
NAV = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]


def leaves(entry: Any) -> list[tuple[str, str]]:
    """(name, page) of every page below an entry of the navigation."""
    found: list[tuple[str, str]] = []
    for name, content in entry.items():
        found += (
            [(name, content)] if isinstance(content, str) else [leaf for inner in content for leaf in leaves(inner)]
        )
    return found


BY_KIND = {kind: leaves(entry) for entry in NAV for kind in entry if kind != "Start"}
NAMES = {page: name for pages in BY_KIND.values() for name, page in pages}
PAGES = sorted(path.name for path in (ROOT / "docs").glob("*.md"))
EVERYWHERE = ["README.md", *BESIDE, *(f"docs/{page}" for page in PAGES)]


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def test_every_page_has_one_place_in_one_kind() -> None:
    assert tuple(BY_KIND) == KINDS
    assert sorted(page for pages in BY_KIND.values() for _, page in pages) == sorted([*PAGES, *BESIDE])


def test_a_page_is_called_as_in_the_navigation() -> None:
    headings = {page: text_of(f"docs/{page}").partition("\n")[0] for page in PAGES}
    assert headings == {page: f"# {NAMES[page]}" for page in PAGES}


def test_a_how_to_is_short() -> None:
    lengths = {page: len(text_of(f"docs/{page}").splitlines()) for _, page in BY_KIND["How to"]}
    assert {page: lines for page, lines in lengths.items() if lines > MAX_LINES_OF_HOW_TO} == {}


def test_links_have_titles_and_nothing_is_owned_by_owner() -> None:
    wrong = {page: re.findall(r"\[[\w./-]+\.(?:md|json|py|toml)\]\(|OWNER/", text_of(page)) for page in EVERYWHERE}
    assert {page: links for page, links in wrong.items() if links} == {}


def test_the_readme_lists_every_page_by_its_kind() -> None:
    section = text_of("README.md").partition("\n## Documents\n")[2]
    for kind, pages in BY_KIND.items():
        rows = "\n".join(line for line in section.splitlines() if line.startswith(f"| {kind}"))
        listed = re.findall(r"\[([^]]+)\]\((?:docs/)?(\w+\.md)\)", rows)
        assert listed == pages, kind
