"""The documentation as a site that works from a disk: gathers the pages and the finished reports, builds, and checks every link.

python docs/site.py PAGES        what mkdocs.yml calls docs_dir: the Markdown, and the reports of the gallery
python docs/site.py --check OUT  the built site: every link leads somewhere, nothing is fetched from elsewhere

`make site` does both with a generator in between. Zensical, because it reads mkdocs.yml, is maintained by the people who made
Material for MkDocs, builds these pages in two seconds, and searches from a disk.
"""

from __future__ import annotations

import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parent.parent
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md")
"""Pages outside docs/ in the repository that belong to the site."""
FONT = "src/assay/reports/assets/ibm-plex-sans.woff2"
MOVED = {"../out/gallery/": "gallery/", "../CONTRIBUTING.md": "CONTRIBUTING.md", "../CHANGELOG.md": "CHANGELOG.md"}
"""Links in the repository, and their targets in the site."""
SHIM = "https://unpkg.com/iframe-worker/shim"
"""The script that the generator would fetch for offline search; the site has its own copy."""
FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src"}


def gathered(root: Path, pages: Path) -> None:
    """Copy every page to where the generator reads it, and rewrite its links."""
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(root / "docs", pages, ignore=shutil.ignore_patterns("*.py", "*.toml", "__pycache__"))
    shutil.copy(root / FONT, pages / "look")
    for name in BESIDE:
        text = (root / name).read_text("utf-8")
        (pages / name).write_text(re.sub(r"\]\(docs/", "](", text), "utf-8")
    readme = (root / "README.md").read_text("utf-8")
    (pages / "index.md").write_text(re.sub(r"\]\(docs/", "](", readme), "utf-8")
    for page in pages.glob("*.md"):
        text = page.read_text("utf-8")
        for here, there in MOVED.items():
            text = text.replace(f"]({here}", f"]({there}")
        page.write_text(text, "utf-8")


class _Links(HTMLParser):
    """The links of a page, the URLs it fetches, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.leads: list[str] = []
        self.fetches: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.names |= {attributes[name] or "" for name in ("id", "name") if name in attributes}
        if tag == "a" and attributes.get("href"):
            self.leads.append(attributes["href"] or "")
        if tag in FETCHED and attributes.get(FETCHED[tag]) and attributes.get("rel") != "canonical":
            self.fetches.append(attributes[FETCHED[tag]] or "")


def own_shim(out: Path, shim: Path) -> None:
    """Copy the offline-search script into the site, and let every page load that copy."""
    shutil.copy(shim, out / "assets" / "iframe-worker.js")
    for page in out.glob("*.html"):
        page.write_text(page.read_text("utf-8").replace(SHIM, "assets/iframe-worker.js"), "utf-8")


def problems(out: Path) -> list[str]:
    """List broken links of the site, and everything it would fetch from elsewhere."""
    read: dict[Path, _Links] = {}

    def links(page: Path) -> _Links:
        if page not in read:
            read[page] = _Links(page.read_text("utf-8"))
        return read[page]

    found: list[str] = []
    for page in sorted(out.glob("*.html")):
        found += [
            f"{page.name}: fetches {one}" for one in links(page).fetches if urlsplit(one).scheme in ("http", "https")
        ]
        if page.name == "404.html":
            continue  # its links start at the root of whatever server it is on
        for lead in links(page).leads + links(page).fetches:
            parts = urlsplit(lead)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not target.exists():
                found.append(f"{page.name}: {lead} leads nowhere")
            elif (
                parts.fragment
                and target.suffix == ".html"
                and target.parent == out.resolve()
                and (unquote(parts.fragment) not in links(target).names)
            ):
                found.append(f"{page.name}: {lead} has no such place")
    return found


def main(words: list[str]) -> int:
    if words[0] != "--check":
        gathered(ROOT, Path(words[0]))
        return 0
    own_shim(Path(words[1]), ROOT / "node_modules" / "iframe-worker" / "shim" / "index.js")
    found = problems(Path(words[1]))
    print("\n".join(found) or "every link leads somewhere, and nothing is fetched from elsewhere", file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
