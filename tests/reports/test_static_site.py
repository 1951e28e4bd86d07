"""A report as a folder for any static host."""

from __future__ import annotations

import re
import struct
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from report_tables import inflated

import assay
from assay.errors import InputError
from assay.reports.sites import MARK
from assay.reports.static_site import file_of, save_site

HOSTILE = '"><script>alert(1)</script>'
NAMES = ("bm25", "BM25", "a/b", HOSTILE)
"""Runs whose names differ by case, hold a slash, or are markup."""


@pytest.fixture(scope="module")
def report():
    """On every topic each run finds d1, the first run at rank 1 and the last at rank 4."""
    qrels = {f"q{i}": {"d1": 1} for i in range(12)}
    runs = {
        name: {q: {f"x{j}": 9.0 - j for j in range(k)} | {"d1": 1.0} for q in qrels} for k, name in enumerate(NAMES)
    }
    return assay.report(qrels, runs, ["RR", "P@5"], title="Made <up>", trials=0)


@pytest.fixture(scope="module")
def site(report, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("host") / "site"
    report.save(f"{path}/")
    return path


def test_every_run_topic_and_chart_has_an_address_of_its_own(site):
    leads = {path.relative_to(site).as_posix(): path.read_text() for path in site.glob("*/*.html")}
    runs = [page for name, page in leads.items() if name.startswith("run/")]
    targets = {unquote(unescape(re.search(r"url=\.\./index\.html#([^\"]*)", page)[1])) for page in runs}
    assert targets == {f"run/{name}" for name in NAMES}
    assert len({name.lower() for name in leads}) == len(leads), "no two differ by case alone"
    assert sum(name.startswith("topic/") for name in leads) == 12
    assert "chart/leaderboard.html" in leads
    for page in leads.values():
        assert "<script" not in page
        assert "Content-Security-Policy" in page


def test_a_link_shows_the_finding_and_a_picture(site, report):
    head = (site / "index.html").read_text().partition("</head>")[0]
    described = unescape(re.search(r'property="og:description" content="([^"]*)"', head)[1])
    assert described == report.document.finding
    assert described.startswith("bm25 leads by .50 (RR 1.000")
    assert '<meta property="og:image" content="card.png">' in head
    picture = (site / "card.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)


def test_the_page_finds_its_data_beside_it(site):
    page = (site / "index.html").read_text()
    files = re.findall(r'"([0-9a-f]{16}\.js)"', page)
    assert files
    sheets: dict[str, str] = {}
    for name in dict.fromkeys(files):
        script = (site / "data" / name).read_text()
        assert script.startswith("assaySheets({")
        sheets |= dict(re.findall(r'"([^"]+)":\s*"([^"]+)"', script))
    assert {unquote(name) for name in sheets if name.startswith("run/")} == {f"run/{name}" for name in NAMES}
    assert inflated(sheets["run/bm25"])["title"] == "bm25"
    assert not re.search(r"https?://", re.sub(r"http://www\.w3\.org/\S+", "", page)), (
        "nothing is fetched from elsewhere"
    )


def test_a_chart_stands_alone(site, report):
    page = (site / "chart" / "leaderboard.html").read_text()
    assert '<link rel="stylesheet" href="../report.css">' in page
    assert "font-face" in (site / "report.css").read_text()
    assert HOSTILE not in page
    assert page.count('class="run"') - 1 == len(NAMES)


def test_only_a_site_of_ours_is_replaced(report, tmp_path, site):
    other = tmp_path / "mine"
    other.mkdir()
    (other / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match=r"exists and is not a site that assay wrote\. Fix: move it"):
        report.save(f"{other}/")
    assert [path.name for path in other.iterdir()] == ["thesis.txt"]
    again = tmp_path / "again"
    report.save(f"{again}/")
    (again / "run" / "old.html").write_text("of an earlier report")
    report.save(f"{again}/")
    assert not (again / "run" / "old.html").exists()
    assert (again / MARK).exists()
    assert {path.name for path in tmp_path.iterdir()} == {"mine", "again"}, "no part is left"
    assert {path.relative_to(again): path.read_bytes() for path in again.rglob("*") if path.is_file()} == {
        path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()
    }


def test_what_cannot_be_written_leaves_the_earlier_site(report, tmp_path, monkeypatch):
    path = tmp_path / "site"
    report.save(f"{path}/")
    before = (path / "index.html").read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("assay.reports.static_site._write", full)
    with pytest.raises(InputError, match=r"site: cannot be written: No space left on device"):
        save_site(report.document, path)
    assert (path / "index.html").read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["site"]


def test_without_typst_there_is_a_site_without_a_picture(report, tmp_path, monkeypatch):
    from assay.errors import UsageError

    def missing(*_, **__):
        raise UsageError("PNG needs typst: pip install 'assay-eval[report]'")

    monkeypatch.setattr("assay.reports.static_site.compile_typst", missing)
    [warning] = save_site(report.document, tmp_path / "site")
    assert warning == "no picture for link previews: PNG needs typst: pip install 'assay-eval[report]'"
    assert "og:image" not in (tmp_path / "site" / "index.html").read_text()


def test_names_of_files_are_safe_everywhere():
    names = ["run/bm25", "run/BM25", "run/a%2Fb", "run/A%2Fb", "run/..", "run/%2E%2E", "topic/%C3%A9"]
    files = [file_of(name) for name in names]
    assert len({name.lower() for name in files}) == len(names)
    for name in files:
        assert re.fullmatch(r"(run|topic)/[\w~.-]+", name, re.ASCII)
        assert not name.partition("/")[2].startswith(".")


@pytest.mark.slow
def test_a_browser_follows_an_address_to_a_run(site, browser):
    page = browser.new_page()
    page.goto((site / "run" / "bm25.html").as_uri())
    page.wait_for_selector("h2.run-title")
    assert page.inner_text("h2.run-title") == "bm25"
    page.fill("#find", "q1")
    page.keyboard.press("Enter")
    page.wait_for_selector("h2.run-title:has-text('q1')")
    page.close()
