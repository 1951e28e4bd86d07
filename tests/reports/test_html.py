"""The HTML file as text: what is in it, what cannot be in it, how large it is."""

from __future__ import annotations

import base64
import hashlib
import html as entities
import json
import re

from report_tables import inflated

from assay.analyses.campaign.result import NextStep
from assay.analyses.marked_text import MarkedText, mark
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


def links(page):
    """The names and targets of the contents; those in the menu after "More"."""
    contents = re.search(r'<nav class="contents".*?</nav>', page, re.DOTALL)
    return re.findall(r'<a href="#([^"]*)">([^<]*)</a>|<summary>(More)<', contents[0]) if contents else None


def test_the_contents_lead_to_every_chapter_but_the_first_screen(make_report):
    page = sites.to_html(make_report(2, 2))
    targets = [(to, name) for to, name, _ in links(page)]
    assert targets == [
        ("measures-section", "Measures"), ("topics-section", "Topics"), ("comparison-section", "Compare"), ("trust", "Trust"),
        ("", ""), ("curves-section", "Recall and precision"),
    ]  # fmt: skip
    assert all(page.count(f' id="{to}"') == 1 for to, _ in targets if to)
    assert (
        page.index('id="leaderboard-section"') < page.index('id="measures-section"') < page.index('id="topics-section"')
    )


def test_many_chapters_are_in_a_menu():
    """Of seven after the first, those that every report has stay in sight."""
    chapters = ["leaderboard-section", "measures-section", *(f"s{i}" for i in range(5)), "comparison-section"]
    page = sites.to_html(Document("T", sections=tuple(Section(name, name, (Note("n"),)) for name in chapters)))
    assert [to or more for to, _, more in links(page)] == [
        "measures-section", "comparison-section", "More", *(f"s{i}" for i in range(5)),
    ]  # fmt: skip


def test_one_chapter_needs_no_contents():
    assert links(document(Note("n"))) is None


def test_what_says_how_far_to_trust_the_numbers_is_folded_and_named():
    doubts = tuple(Section(f"d{i}", f"Doubt {i} <b>", (Note("n"),), doubt=True) for i in range(6))
    page = sites.to_html(Document("T", sections=(Section("s", "S", (Note("n"),)), *doubts)))
    (folded,) = re.findall(r'<details class="fold" id="trust">(.*?)</details>', page, re.DOTALL)
    assert re.findall(r'<section id="([^"]*)"', folded) == [section.id for section in doubts]
    named = "doubt 0 &lt;b&gt;, doubt 1 &lt;b&gt;, doubt 2 &lt;b&gt;, doubt 3 &lt;b&gt;, …"
    assert f"<summary><h2>How far can this be trusted?</h2> <span>{named}</span></summary>" in folded
    assert 'id="trust"' not in document(Note("n"))


def test_the_page_begins_with_the_finding_and_says_the_method_once():
    page = sites.to_html(
        Document(
            "T <i>", "S", (("Topics", "1"), ("Runs", "24")), (Section("s", "S", (Note("n"),)),), foot="assay 1.",
            finding=MarkedText.of(f"{mark('a<b>')} leads (AP .5)."),
            trust=("Leads of .1 count.", MarkedText.of(mark("It is open."))), rules=("95% intervals.",),
        )
    )  # fmt: skip
    main = page.partition('<main id="main"')[2]
    assert '<p class="finding"><b>a&lt;b&gt;</b> leads (AP .5).</p>' in main
    assert '<p class="trust">Leads of .1 count. <b>It is open.</b></p>' in main
    assert main.index('class="finding"') < main.index('<section id="s"') < main.index('class="trust"')
    assert page.count("95% intervals. assay 1.") == 1
    assert '<h1>T &lt;i&gt;</h1> <span class="subtitle">S · <b>1 topic</b>, 24 runs</span>' in page
    plain = document(Note("n"))
    assert not re.search(r'<p class="(finding|trust)"', plain)


def test_links_to_what_to_open_next_lead_only_to_what_the_page_has():
    steps = (
        NextStep("compare", "a against b", "better on 3 topics, worse on 1", ("a b", "c/d")),
        NextStep("measures", "Other measures", "all <3>"),
        NextStep("trust", "Trust", "what could change it"),
    )
    first, doubt = Section("s", "S", (Note("n"),)), Section("d", "D", (Note("n"),), doubt=True)
    page = sites.to_html(Document("T", sections=(first, doubt), next_steps=steps))
    assert re.findall(r'<li><a href="([^"]*)">([^<]*)</a> <span>([^<]*)</span>', page) == [
        ("#trust", "Trust", "what could change it")
    ]
    measures = Section("measures-section", "Measures", (Note("n"),))
    more = sites.to_html(Document("T", sections=(first, measures), next_steps=steps))
    assert re.findall(r'<nav class="next".*</nav>', more)[0].count("<li>") == 1
    assert "all &lt;3&gt;" in more
    assert 'class="next"' not in sites.to_html(Document("T", sections=(first,), next_steps=steps))


def test_nothing_is_fetched(make_report):
    page = sites.to_html(make_report(2, 2))
    markup, ours = page.split("<script>", 1)[0], html.script() + html.asset("report.css")
    assert not re.search(r'(src|href)="(?!#)', markup)
    # Namespaces are names, not addresses.
    assert "http" not in re.sub(r"http://www\.w3\.org/(2000/svg|1999/xhtml)", "", ours)
    assert [url for url in re.findall(r"url\(([^)]*)\)", ours) if not url.startswith("#")] == []
    embedded = re.findall(r"url\(([^)]{12})", markup)
    assert [url for url in embedded if not url.startswith(("#", "data:font/"))] == []
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


def test_cells_keep_more_digits_beside_the_shown_one():
    table = Table(
        "t", "T", (TableColumn("a"), TableColumn("b", numeric=True), TableColumn("c", numeric=True, domain=(0.0, 1.0))),
        ((text("x"), number(1 / 3), interval(0.5, 0.25, 0.75)), (text("y"), missing("why"), number(0.5, 1))),
    )  # fmt: skip
    page = document(table)
    assert '<td class="n" data-v="0.3333333">0.3333</td>' in page
    assert '<td class="n missing" data-hint="why">n/a</td>' in page
    assert 'data-low="0.25" data-high="0.75"' in page
    assert '<td class="n">0.5</td>' in page
