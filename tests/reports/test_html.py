"""The HTML file as text: what is in it, what cannot be in it, how large it is."""

from __future__ import annotations

import base64
import hashlib
import html as entities
import json
import re

from report_tables import inflated

from assay.reports import html, sites
from assay.reports.model import Document, Note, Section, Span, Table, TableColumn, interval, missing, number, text

NASTY = "</script><script>alert('x')</script><!-- &amp; \" ' \u2028"


def document(*blocks):
    return sites.to_html(Document("T", sections=(Section("s", "S", blocks),)))


def stored(page):
    return json.loads(re.search(r'id="report-data">(.*?)</script>', page, re.DOTALL)[1])


def waiting(page):
    packed = json.loads(re.search(r'id="report-pages">(.*?)</script>', page, re.DOTALL)[1])
    return {address: inflated(text) for address, text in packed.items()}


def test_the_policy_names_exactly_the_scripts_and_styles_of_the_page(make_report):
    page = sites.to_html(make_report(2, 2))
    policy = entities.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    named = set(re.findall(r"'(sha256-[^']*)'", policy))
    parts = re.findall(r"<script>(.*?)</script>|<style>(.*?)</style>", page, re.DOTALL)
    found = {"sha256-" + base64.b64encode(hashlib.sha256((a or b).encode()).digest()).decode() for a, b in parts}
    assert found == named


def test_the_navigation_is_titled_campaign_with_runs_and_contents_without(make_report):
    """Red before: a rename of a class changed the title that a reader sees."""
    titles = re.findall(r'class="nav-title">([^<]*)<', sites.to_html(make_report(2, 2)))
    assert titles == ["Campaign", "Runs"]
    assert re.findall(r'class="nav-title">([^<]*)<', document(Note("n"))) == ["Contents"]


def test_nothing_is_fetched(make_report):
    page = sites.to_html(make_report(2, 2))
    markup, ours = page.split("<script>", 1)[0], html.script() + html.asset("report.css")
    assert not re.search(r'(src|href)="(?!#)', markup)
    # Namespaces are names, not addresses.
    assert "http" not in re.sub(r"http://www\.w3\.org/(2000/svg|1999/xhtml)", "", ours)
    assert "url(" not in ours
    assert "eval(" not in ours
    assert "innerHTML" not in ours


def test_names_cannot_become_markup(make_report):
    table = Table("t", NASTY, (TableColumn(NASTY, NASTY),), ((text(NASTY, hint=NASTY),), Span(NASTY)), NASTY)
    page = document(table, Note(NASTY))
    assert page.count("<script>alert") == 0
    assert page.count("</script>") == 3
    campaign = sites.to_html(make_report(2, 2, names=(NASTY,)))
    assert campaign.count("<script>alert") == 0
    assert NASTY.replace("\u2028", r"\u2028") in waiting(campaign)["values"]["runs"]


def test_half_a_character_does_not_stop_the_file_from_being_written(make_report):
    sites.to_html(make_report(2, 2, names=("broken \udcff name",))).encode("utf-8", "surrogateescape")


def test_24_runs_of_30_topics_stay_under_two_megabytes(make_report):
    assert len(sites.to_html(make_report(24, 30)).encode()) < 2e6


def test_the_same_report_gives_the_same_bytes(make_report):
    assert sites.to_html(make_report(3, 4)) == sites.to_html(make_report(3, 4))


def test_cells_keep_the_whole_number_beside_the_shown_one():
    third = 1 / 3
    table = Table(
        "t", "T", (TableColumn("a"), TableColumn("b", numeric=True), TableColumn("c", numeric=True, domain=(0.0, 1.0))),
        ((text("x"), number(third), interval(0.5, 0.25, 0.75)), (text("y"), missing("why"), number(0.5, 1))),
    )  # fmt: skip
    page = document(table)
    assert f'<td class="n" data-v="{third!r}">0.3333</td>' in page
    assert '<td class="n missing" data-hint="why">n/a</td>' in page
    assert 'data-low="0.25" data-high="0.75"' in page
    assert '<td class="n">0.5</td>' in page
