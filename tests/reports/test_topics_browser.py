"""From the leaderboard to a run, to a topic, to what was returned, and Back: by mouse and by keyboard, on any screen."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import assay
from assay.figures.items.question_outcomes import crossed
from assay.reports import sites

pytestmark = pytest.mark.slow

SIZES = {"desk": (1280, 900), "tablet": (768, 1024), "phone": (390, 844)}
PLACES = ("", "#run/run002", "#topic/3", "#compare/run001/run002")


@pytest.fixture(scope="module")
def document(make_report):
    return make_report(8, 12, items=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory, document):
    path = tmp_path_factory.mktemp("topics") / "campaign.html"
    path.write_text(sites.to_html(document), "utf-8")
    return path.as_uri()


def texts(page, selector):
    return page.locator(selector).all_inner_texts()


def cells(page, selector):
    return [row.locator("th, td").all_inner_texts() for row in page.locator(selector).all()]


def shown(value):
    return "n/a" if value is None else f"{value:.4f}"


def test_down_to_a_document_and_back_by_mouse(visit, site):
    page = visit(site)
    page.mouse.wheel(0, 300)
    page.wait_for_function("() => scrollY > 200")
    was = page.evaluate("scrollY")
    page.click("#leaderboard a:text-is('run003')")
    page.wait_for_selector("#run-3")
    assert page.title() == "run003 · A made-up campaign"
    page.click("#run-3-topic-table a:text-is('7')")
    page.wait_for_selector("#topic")
    assert page.title() == "Topic 7 · A made-up campaign"
    assert page.evaluate("location.hash") == "#topic/7"
    page.locator("#topic-runs details summary").first.click()
    page.wait_for_selector("#topic-runs details[open] li")
    assert page.locator("#topic-runs details[open] li").count() == 10
    page.go_back()
    page.wait_for_selector("#run-3")
    page.go_back()
    page.wait_for_selector("#campaign:not([hidden])")
    page.wait_for_function("was => Math.abs(scrollY - was) < 3", arg=was)
    assert page.title() == "A made-up campaign"
    assert page.locator("article.page").count() == 0


def test_down_to_a_topic_and_back_by_keyboard(visit, site):
    page = visit(site)
    page.locator("#leaderboard a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("article.page .run-title:focus")
    link = page.locator("article.page a[href='#topic/5']").first
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#topic-title:focus")
    fold = page.locator("#topic-runs summary").first
    fold.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#topic-runs details[open] li")
    assert page.locator("#topic-runs details[open] li").count() == 10
    page.go_back()
    page.wait_for_selector("article.page.view:not(#topic)")


def test_the_heat_map_is_walked_with_the_arrow_keys(visit, site, document):
    page = visit(site)
    canvas = page.locator("#heat-canvas")
    canvas.scroll_into_view_if_needed()
    page.wait_for_selector("#heat-key .heat-bar")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    grid = document.grid
    run = grid.order[1]
    said = page.locator("#announce").inner_text()
    assert said.startswith(f"run {grid.runs[run]}, topic 2, AP {shown(grid.measures[0].topics[run][1])}")
    page.keyboard.press("Enter")
    page.wait_for_selector("#topic")
    assert page.locator("#topic-title").inner_text() == "Topic 2"
    assert texts(page, "#topic-runs tr.chosen th") == [grid.runs[run]]


def test_a_click_on_the_heat_map_opens_the_topic(visit, site):
    page = visit(site)
    canvas = page.locator("#heat-canvas")
    canvas.scroll_into_view_if_needed()
    page.wait_for_selector("#heat-key .heat-bar")
    page.select_option("#heat-shown", "differences")
    page.select_option("#heat-topics", "median")
    canvas.click(position={"x": 150, "y": 60})
    page.wait_for_selector("#topic")


def test_a_bar_of_the_histogram_and_the_plot_of_a_topic_lead_to_it(visit, site):
    page = visit(site + "#run/run002", viewport={"width": 1300, "height": 1800})
    page.wait_for_selector('[data-chart="run-2-histogram"][data-state="drawn"]')
    page.select_option("select[data-panels=run-2-topic-plots]", label="4")
    assert page.locator(".panel-link").get_attribute("href") == "#topic/4"
    bars = page.locator('[data-chart="run-2-histogram"] .fluid > svg')
    box = bars.bounding_box()
    topics = page.evaluate("JSON.parse(document.getElementById('report-data').textContent).topics.length")
    # Over the third topic, at any height.
    bars.click(position={"x": box["width"] * 2.5 / topics, "y": 100})
    page.wait_for_selector("#topic")
    assert page.locator("#topic-title").inner_text().startswith("Topic ")


def test_a_topics_numbers_are_those_of_the_document(visit, site, document):
    grid, place = document.grid, 4
    page = visit(f"{site}#topic/{grid.topics[place]}")
    page.wait_for_selector("#topic-runs")
    measure = grid.measures[0]
    values = {run: row[place] for run, row in zip(grid.runs, measure.topics, strict=True)}
    rows = dict(zip(texts(page, "#topic-runs tbody th"), texts(page, "#topic-runs tbody td:nth-child(2)"), strict=True))
    assert rows == {run: shown(value) for run, value in values.items()}
    facts = dict(zip(texts(page, ".verdict dt"), texts(page, ".verdict dd"), strict=True))
    assert facts["Median"] == shown(measure.medians[place])
    assert facts["Best"] == shown(max(values.values()))
    assert texts(page, ".asked") == [f"What is <i>topic {grid.topics[place]}</i> about?"]


def test_halves_are_rounded_to_even_as_python_does(visit, tmp_path, make_report):
    """1/32 and 3/32 lie halfway between two numbers of four digits."""
    made = make_report(6, 2)
    values = (1 / 32, 3 / 32, 0.00005, 0.12345, 2 / 3, None)
    first = replace(made.grid.measures[0], topics=tuple((value, 0.5) for value in values))
    grid = replace(made.grid, measures=(first,))
    path = tmp_path / "halves.html"
    sections = tuple(section for section in made.sections if section.id != "comparison-section")
    path.write_text(sites.to_html(replace(made, sections=sections, grid=grid)), "utf-8")
    page = visit(path.as_uri() + "#topic/1")
    page.wait_for_selector("#topic-runs")
    rows = dict(zip(texts(page, "#topic-runs tbody th"), texts(page, "#topic-runs tbody td:nth-child(2)"), strict=True))
    assert rows == {run: shown(value) for run, value in zip(grid.runs, values, strict=True)}


def test_two_ranked_lists_are_joined_where_they_share_documents(visit, site):
    page = visit(site + "#compare/run001/run002")
    page.wait_for_selector("#compare-list details")
    page.locator("#compare-list summary").first.click()
    page.wait_for_selector("#compare-list tr.shared")
    assert page.locator("#compare-list .verdict-word.good").count() > 0
    assert "in both lists" in page.locator("#compare-list details[open]").inner_text()


def test_lists_of_two_runs_stand_by_difference_and_are_read_when_opened(visit, tmp_path, make_report):
    made = make_report(2, 60, items=True)
    path = tmp_path / "many.html"
    path.write_text(sites.to_html(made), "utf-8")
    page = visit(path.as_uri() + "#compare/run001/run002")
    page.wait_for_selector("#compare-list details")
    first, second = made.grid.measures[0].topics
    by_difference = sorted(range(60), key=lambda t: second[t] - first[t])
    named = [made.grid.topics[t] for t in by_difference]
    assert [text.split()[0] for text in texts(page, "#compare-list summary")] == named[:50]
    assert page.locator("#compare-list summary").first.inner_text().split()[1] == (
        f"{first[by_difference[0]] - second[by_difference[0]]:+.4f}"
    )
    assert page.locator("#compare-list .verdict-word").count() == 0
    page.click("#compare-list button:text-is('Show 10 more of 60')")
    assert [text.split()[0] for text in texts(page, "#compare-list summary")] == named
    assert not page.locator("#compare-list button").is_visible()


ENDS = {
    "a": ["correct"] * 55 + ["incorrect", "incorrect", "unanswered", "failed", "correct", "correct", "incorrect"],
    "b": ["correct"] * 52
    + ["incorrect"] * 4
    + ["unanswered", "correct", "correct", "failed", "incorrect", "unanswered"],
}
"""By run, how every question ended; two of them have several samples in b."""


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    """Two runs of 62 questions with samples and failures: their table, and the page of it."""
    folder = tmp_path_factory.mktemp("answers")
    for run, said in (("a", "the answer is Ada"), ("b", "the answer is <b>Bob</b>")):
        rows = []
        for place, end in enumerate(ENDS[run]):
            # The second question is a draw of two samples, the third is decided by the second and third of three.
            ends = {1: ["correct", "incorrect"], 2: ["incorrect", end, end]}.get(place, [end]) if run == "b" else [end]
            for sample, outcome in enumerate(ends, 1):
                row = {"id": f"q{place:02d}", "sample": sample, "outcome": outcome, "confidence": 0.9}
                rows.append(row if outcome in ("unanswered", "failed") else {**row, "answer": said})
        (folder / f"{run}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    scores = assay.evaluate(None, [folder / "a.jsonl", folder / "b.jsonl"])
    path = folder / "answers.html"
    path.write_text(assay.report(scores, trials=0).to_html(), "utf-8")
    return scores, path.as_uri()


def test_the_table_of_two_runs_is_the_one_that_python_counts(visit, answered):
    scores, site = answered
    page = visit(site + "#compare/a/b")
    page.wait_for_selector(".outcome-table")
    heads = texts(page, ".outcome-table thead th")[1:]
    assert heads == ["right", "wrong", "declined", "undecided", "failed"]
    rows = {row.split()[0]: row.split()[1:] for row in texts(page, ".outcome-table tbody tr")}
    found = crossed(scores, "a", "b")
    counted = tuple(tuple(map(int, rows[end][:3])) for end in ("right", "wrong", "declined"))
    assert counted == found.counts == ((51, 4, 0), (0, 1, 2), (1, 0, 0))
    assert rows["right"][3:] == ["1", "1"]
    assert rows["failed"] == ["1", "0", "0", "0", "0"]
    assert len(found.left_out) == 3


def test_a_cell_of_the_table_opens_its_questions_and_no_others(visit, answered):
    scores, site = answered
    page = visit(site + "#compare/a/b")
    page.click(".outcome-table button[aria-label='4: a right, b wrong']")
    named = list(crossed(scores, "a", "b").questions[0][1])
    assert [text.split()[0] for text in texts(page, "#compare-list summary")] == named
    page.locator("#compare-list summary").first.click()
    page.wait_for_selector("#compare-list mark")
    assert texts(page, "#compare-list mark") == ["Ada", "<", "b", ">", "Bob", "<", "/", "b", ">"]
    page.click(".outcome-table button[aria-label='51: a right, b right']")
    assert page.locator("#compare-list summary").count() == 50
    page.click("#compare-list button:text-is('Show 1 more of 51')")
    assert page.locator("#compare-list summary").count() == 51
    page.wait_for_function("() => document.activeElement.closest('#compare-list') !== null")


def test_of_more_than_a_thousand_questions_some_are_shown_at_a_time_and_any_is_found(visit, tmp_path):
    gold = {f"q{n}": "yes" for n in range(1001)}
    runs = {"a": gold, "b": {q: "no" if n % 2 else "yes" for n, q in enumerate(gold)}}
    path = tmp_path / "many.html"
    path.write_text(assay.report(gold, runs, trials=0).to_html(), "utf-8")
    page = visit(path.as_uri() + "#compare/a/b")
    page.wait_for_selector(".outcome-table")
    assert texts(page, ".outcome-table tbody tr")[0].split() == ["right", "501", "500", "0"]
    page.select_option("#compare-measure", label="UF (1 right, 0 unanswered, -1 wrong)")
    page.wait_for_function("() => document.querySelectorAll('#comparison-values tbody tr').length === 1000")
    assert "the 1000 largest differences of 1001" in page.locator("#comparison-values h3").inner_text()
    page.click(".outcome-table button[aria-label='500: a right, b wrong']")
    assert page.locator("#compare-list summary").count() == 50
    page.goto(path.as_uri() + "#topics-section")
    page.locator("#heat-canvas").scroll_into_view_if_needed()
    page.wait_for_selector("#heat-window:not([hidden])")
    assert page.locator("#heat-window span").inner_text() == "1 to 400 of 1001"
    page.focus("#heat-canvas")
    page.keyboard.press("End")
    page.focus("#heat-window [data-window='1']")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert page.locator("#heat-window span").inner_text() == "801 to 1001 of 1001"
    assert page.locator("#heat-window [data-window='1']").is_disabled()
    # Red before: the focus went with the button, and the cursor stood where there was no topic.
    assert page.evaluate("document.activeElement.dataset.window") == "-1"
    page.focus("#heat-canvas")
    page.keyboard.press("Enter")
    page.wait_for_selector("#topic-title")
    assert page.locator("#topic-title").inner_text() == "Question q1000"
    page.go_back()
    page.wait_for_selector("#campaign:not([hidden])")
    page.fill("#find-topic", "q99")
    assert page.locator("#announce").inner_text() == "11 found"
    assert texts(page, "#found-topics li")[:3] == ["q99", "q990", "q991"]
    assert texts(page, "#found-topics li")[-1] == "q999"
    page.fill("#find-topic", "nobody")
    assert texts(page, "#found-topics li") == ["none"]
    page.fill("#find-topic", "q777")
    page.press("#find-topic", "Enter")
    page.wait_for_selector("#topic-runs")
    assert page.locator("#topic-title").inner_text() == "Question q777"
    assert texts(page, "#topic-runs .given") == ["yes", "no"]


def test_facets_and_words_narrow_the_runs_together(visit, site):
    page = visit(site)
    page.select_option("select[data-of=measures]", label="manual")
    assert page.locator("#measures tbody tr:visible").count() == 3
    page.fill("input[data-filter=measures]", "run004")
    assert texts(page, "#measures tbody tr:visible th") == ["run004"]
    assert page.locator("[data-count=measures]").inner_text() == "1 of 8"


def test_a_run_pointed_at_stands_out_in_the_overlay(visit, site):
    page = visit(site)
    page.wait_for_selector('[data-chart="recall-precision"][data-state="drawn"]')
    lines = page.locator('[data-chart="recall-precision"] .marked path')
    assert lines.count() == 0
    page.locator("#measures a:text-is('run008')").hover()
    page.wait_for_function(
        """() => document.querySelectorAll('[data-chart="recall-precision"] .marked path').length === 1"""
    )


def test_on_a_phone_every_row_of_the_board_fits(visit, site):
    page = visit(site, viewport={"width": 390, "height": 844})
    for row in page.locator("#leaderboard tbody tr").all():
        for part in ("th.run a", "td.val", "td.ci", "td.plot svg"):
            box = row.locator(part).first.bounding_box()
            assert box["x"] >= 0, part
            assert box["x"] + box["width"] <= 390, part
    page.locator("#measures tbody input[type=checkbox]").first.check()
    assert page.locator(".tray").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_address_that_leads_nowhere_shows_the_campaign(visit, site):
    page = visit(site + "#run/nobody")
    page.wait_for_selector("#campaign:not([hidden])")


@pytest.mark.parametrize(("size", "scheme"), [("desk", "light"), ("tablet", "dark"), ("phone", "light")])
def test_axe_finds_nothing_serious_on_any_page_of_any_size(visit, site, axe, size, scheme):
    width, height = SIZES[size]
    for place in PLACES:
        page = visit(site + place, color_scheme=scheme, viewport={"width": width, "height": height})
        page.wait_for_selector(".view:not([hidden]) h2")
        page.wait_for_timeout(200)
        page.evaluate(axe)
        result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [v for v in result["violations"] if v["impact"] in ("serious", "critical")]
        assert [(place, v["id"], v["nodes"][0]["html"][:160]) for v in serious] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place


def test_a_topic_by_its_documents_with_the_runs_that_returned_each_and_its_best_rank(visit, site, document):
    """Counted here from what every run returned."""
    page = visit(site + "#topic/3")
    page.wait_for_selector("#topic-documents")
    (items,) = document.items.of(["3"], document.grid.runs)
    ranks = {}
    for run, entries in zip(document.grid.runs, items.entries, strict=True):
        for entry in entries:
            ranks.setdefault((entry.text, entry.verdict), []).append((entry.rank, run))
    rows = [[cell.strip() for cell in row] for row in cells(page, "#topic-documents tbody tr")]
    assert len(rows) == len(ranks)
    for name, verdict, count, best, by in rows:
        found = ranks[name.splitlines()[0], verdict.split(" ", 1)[1]]
        first = [run for rank, run in found if rank == min(found)[0]]
        more = f" and {len(first) - 3} more" if len(first) > 3 else ""
        assert (count, best, by) == (f"{len(found)} of 8", str(min(found)[0]), ", ".join(first[:3]) + more)
    assert [row[2] for row in rows] == sorted((row[2] for row in rows), reverse=True)
    page.locator("#topic-documents summary").first.click()
    listed = page.locator("#topic-documents details[open] li")
    listed.first.wait_for()
    name, verdict = rows[0][0].splitlines()[0], rows[0][1].split(" ", 1)[1]
    assert sorted(listed.all_inner_texts()) == sorted(f"{run} at rank {rank}" for rank, run in ranks[name, verdict])


def test_many_documents_are_folded_whatever_they_are_sorted_by(visit, tmp_path):
    runs = {f"r{run}": {"1": {f"d{run}-{rank}": 20.0 - rank for rank in range(10)}} for run in range(6)}
    path = tmp_path / "many.html"
    docs = {"d0-0": "a snippet"}
    assay.report({"1": {"d0-0": 1, "d0-1": 0}}, runs, ["AP"], trials=0, docs=docs).save(str(path))
    page = visit(path.as_uri() + "#topic/1")
    page.wait_for_selector("#topic-documents")
    assert page.locator("#topic-documents tbody tr").count() == 60
    seen = page.locator("#topic-documents tbody tr:visible")
    assert seen.count() == 50
    page.click("#topic-documents th button:text-is('Document')")
    assert seen.count() == 50
    page.click("#topic-documents button:text-is('All 60 documents')")
    assert seen.count() == 60
    with page.expect_download() as saved:
        page.click("#topic-documents [data-csv]")
    rows = saved.value.path().read_text("utf-8").splitlines()
    assert rows[:3] == [
        "Document,Verdict,Returned by,Best rank,by",
        "d0-0,relevant,1,1,r0",
        "d0-1,not relevant,1,2,r0",
    ]


def test_a_strip_of_values_says_where_it_begins_and_ends(visit, site, document):
    page = visit(site + "#topic/3")
    page.wait_for_selector(".strip")
    values = [row[2] for row in document.grid.measures[0].topics]
    assert page.locator(".strip text").all_text_contents() == [shown(min(values)), shown(max(values))]


def test_counts_of_a_topic_are_told_as_counts_and_their_median_as_half_of_one(visit, tmp_path):
    gold = {"1": {"a": 1, "b": 1}, "2": {"a": 1}}
    runs = {"one": {"1": {"a": 2.0}, "2": {"a": 1.0}}, "two": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}}}
    path = tmp_path / "counts.html"
    assay.report(gold, runs, ["AP", "NumRet"], trials=0).save(str(path))
    page = visit(path.as_uri() + "#topic/1")
    page.select_option("#topic-measure", label="NumRet")
    page.wait_for_selector("#topic-runs th:has-text('NumRet')")
    assert texts(page, "#topic-result .verdict dd") == ["2", "1.5", "1", "1"]
    assert [row[1:3] for row in cells(page, "#topic-runs tbody tr")] == [["2", "+0.5"], ["1", "-0.5"]]
