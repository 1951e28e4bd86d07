"""The HTML report in a real browser: nothing is fetched, nothing fails, and everything a reader does works."""

from __future__ import annotations

import csv
import io
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

import assay
from assay.figures import palette
from assay.reports import sites
from assay.reports.model import Table

pytestmark = pytest.mark.slow

NAMES = ("<script>alert(1)</script>", "quote\"s 'n' &amp;", "emoji 😀 run", "=HYPERLINK(1)")


@pytest.fixture(scope="module")
def site(tmp_path_factory, make_report):
    """One file of 24 runs and 30 topics, run 7 empty, four runs with awkward names."""
    path = tmp_path_factory.mktemp("report") / "campaign.html"
    path.write_text(sites.to_html(make_report(24, 30, names=NAMES, empty=(6,))), "utf-8")
    return path.as_uri()


def at(site, place):
    """The address of the run at a place of the made-up campaign."""
    name = NAMES[place - 1] if place <= len(NAMES) else f"run{place:03d}"
    return f"{site}#run/{quote(name, safe='')}"


def drawn(page, name):
    page.wait_for_selector(f'[data-chart="{name}"][data-state="drawn"] .fluid > svg')
    return page.locator(f'[data-chart="{name}"] .fluid > svg').first


def parts(svg, sign, marks="path[fill*=chart]"):
    """How many parts the drawn paths have: Z ends a bar, and h0 is a dot."""
    return svg.locator(marks).evaluate_all(
        "(paths, sign) => paths.map((p) => p.getAttribute('d')).join('').split(sign).length - 1", sign
    )


def column(page, table, place):
    return page.eval_on_selector_all(
        f"#{table} tbody tr:not([hidden])", "(rows, i) => rows.map(row => row.cells[i].textContent.trim())", place
    )


def downloaded(page, selector):
    with page.expect_download() as waiting:
        page.click(selector)
    with open(waiting.value.path(), encoding="utf-8", newline="") as file:
        return file.read()


def test_every_chart_of_the_campaign_and_of_a_run_is_drawn(visit, site):
    page = visit(site)
    page.evaluate("document.getElementById('trust').open = true")
    for name in ("recall-precision", "agreement"):
        assert drawn(page, name).bounding_box()["width"] > 100
    assert page.locator("#leaderboard .mark").count() == 24
    page.goto(at(site, 2))
    for name in ("run-2-curve", "run-2-histogram", "run-2-topic-plots"):
        assert drawn(page, name).bounding_box()["height"] > 100
    # Eleven points of the run.
    assert parts(drawn(page, "run-2-curve"), "h0", "path[stroke*=leader][stroke-linecap=round]") == 11
    assert parts(drawn(page, "run-2-histogram"), "Z") == 30
    picture = page.locator('[data-chart="run-2-curve"]')
    assert picture.get_attribute("role") == "img"
    assert "from 0." in picture.get_attribute("aria-label")


def test_sorting(visit, site):
    page = visit(site)
    heading = page.locator("#measures thead th", has_text="P@10")
    place = heading.evaluate("cell => cell.cellIndex")
    heading.locator("button").click()
    values = [float(value) for value in column(page, "measures", place)]
    assert values == sorted(values, reverse=True)
    assert heading.get_attribute("aria-sort") == "descending"
    heading.locator("button").press("Enter")
    assert [float(value) for value in column(page, "measures", place)] == sorted(values)
    assert heading.get_attribute("aria-sort") == "ascending"


def test_filtering(visit, site):
    page = visit(site)
    page.fill("#measures input[type=search]", "run01 manual")
    names = column(page, "measures", 0)
    assert all("run01" in name for name in names)
    assert 0 < len(names) < 24
    assert page.locator("[data-count=measures]").inner_text() == f"{len(names)} of 24"
    page.fill("#measures input[type=search]", "")
    assert len(column(page, "measures", 0)) == 24


def test_clicking_a_run_shows_its_pages_and_back_returns(visit, site):
    page = visit(site)
    page.click("#leaderboard a:text-is('<script>alert(1)</script>')")
    page.wait_for_selector("#run-1:not([hidden])")
    assert page.locator("#run-1 h2").inner_text() == NAMES[0]
    assert page.locator("#campaign").is_hidden()
    assert page.evaluate("document.activeElement.id") == "run-1-title"
    page.go_back()
    page.wait_for_selector("#campaign:not([hidden])")


def test_choosing_a_topic(visit, site):
    page = visit(at(site, 3))
    drawn(page, "run-3-topic-plots")
    page.select_option("select[data-panels=run-3-topic-plots]", label="7")
    page.wait_for_selector('[data-chart="run-3-topic-plots"][data-drawn="run-3-topic-7"]')
    assert "Topic 7:" in page.locator("#run-3-topic-plots .panel-caption").inner_text()
    page.click("#run-3-topic-plots button[data-step='1']")
    assert "Topic 8:" in page.locator("#run-3-topic-plots .panel-caption").inner_text()


def test_two_runs_topic_by_topic(visit, site, make_report):
    page = visit(site)
    boxes = page.locator("#measures input[type=checkbox]")
    boxes.nth(0).check()
    boxes.nth(1).check()
    boxes.nth(4).check()
    assert page.locator("#measures input:checked").count() == 2
    page.click(".tray button")
    page.wait_for_selector("#compare:not([hidden])")
    svg = drawn(page, "comparison-chart")
    report = make_report(24, 30, names=NAMES, empty=(6,))
    comparison = next(b for s in report.sections for b in s.blocks if hasattr(b, "measures"))
    ap = comparison.measures[0]
    a, b = (int(page.locator(f"#compare-{name}").input_value()) for name in "ab")
    heads = column(page, "comparison-values", 0)
    assert heads == list(comparison.topics)
    for place, run in ((1, a), (2, b)):
        assert column(page, "comparison-values", place) == [f"{value:.4f}" for value in ap.topics[run]]
    differences = [x - y for x, y in zip(ap.topics[a], ap.topics[b], strict=True)]
    shown = [float(value) for value in column(page, "comparison-values", 3)]
    assert shown == pytest.approx(differences, abs=5.1e-5)
    assert parts(svg, "Z") == sum(bool(d) for d in differences)
    pair = next(p for p in ap.pairs if {p.a, p.b} == {a, b})
    sign = 1 if pair.a == a else -1
    assert f"{sign * pair.difference:+.3f}" in page.locator(".verdict").inner_text()
    page.select_option("#compare-b", label="run010")
    page.wait_for_function("() => document.getElementById('compare-title').textContent.includes('run010')")


def test_a_comparison_is_the_same_the_other_way_round_with_its_sign_changed(visit, site):
    page = visit(site + "#compare/run005/run009")
    page.wait_for_function("() => document.getElementById('compare-title').textContent.startsWith('run005')")
    one = page.locator(".verdict small").all_inner_texts()
    page.goto(site + "#compare/run009/run005")
    page.wait_for_function("() => document.getElementById('compare-title').textContent.startsWith('run009')")
    other = page.locator(".verdict small").all_inner_texts()
    low, high = (float(end) for end in one[2].split("[")[1].split("]")[0].split(","))
    assert other[2].startswith(f"interval [{-high:+.3f}, {-low:+.3f}]")


def test_tables_download_as_csv_with_more_digits_than_they_show(visit, site, make_report):
    page = visit(site)
    rows = list(csv.reader(io.StringIO(downloaded(page, "[data-csv=leaderboard]"))))
    assert rows[0] == ["Place", "Run", "AP", "AP low", "AP high"]
    report = make_report(24, 30, names=NAMES, empty=(6,))
    (board,) = report.sections[0].blocks
    found = [[*map(float, row[2:])] for row in rows[1:]]
    # A page has seven digits.
    assert found == [pytest.approx([row.value, row.low, row.high], rel=1e-6) for row in board.rows]
    # A spreadsheet must not take a run's name for a formula.
    assert "'=HYPERLINK(1)" in {row[1] for row in rows}
    rows = list(csv.reader(io.StringIO(downloaded(page, "[data-csv=measures]"))))
    assert rows[0] == ["Run", "Type", "P@10", "Rprec", "Undefined"]
    table = next(block for block in report.sections[1].blocks if isinstance(block, Table))
    assert [float(row[2]) for row in rows[1:]] == pytest.approx([row[2].value for row in table.rows], rel=1e-6)
    assert {row[4] for row in rows[1:]} == {""}


def test_charts_download_as_svg_png_and_csv(visit, site):
    page = visit(site)
    drawn(page, "recall-precision")
    svg = downloaded(page, "[data-svg=recall-precision]")
    assert svg.startswith("<svg")
    assert "var(" not in svg
    assert palette.LIGHT["leader"] in svg
    assert "%" not in svg
    texts = {node.text for node in ElementTree.fromstring(svg).iter() if node.tag.endswith("text")}
    assert {"Precision, higher is better", "Recall", "median of all runs"} <= texts
    with page.expect_download() as waiting:
        page.click("[data-png=recall-precision]")
    with open(waiting.value.path(), "rb") as file:
        head = file.read(24)
    assert head.startswith(b"\x89PNG")
    # Twice as fine as on the screen.
    wide = page.locator('[data-chart="recall-precision"] .fluid').bounding_box()["width"]
    assert int.from_bytes(head[16:20], "big") == pytest.approx(2 * wide, abs=4)
    rows = list(csv.reader(io.StringIO(downloaded(page, "[data-chart-csv=recall-precision]"))))
    assert rows[0] == ["run", "recall", "precision"]
    assert len(rows) == 1 + 25 * 11


def test_a_chart_can_be_read_as_a_table(visit, site):
    page = visit(site)
    page.evaluate("document.getElementById('trust').open = true")
    button = page.locator("[data-table=agreement]")
    button.press("Enter")
    assert button.get_attribute("aria-expanded") == "true"
    assert page.locator("#agreement .chart-data tbody tr").count() == 16
    button.press("Enter")
    assert page.locator("#agreement .chart-data").count() == 0


def test_tooltips(visit, site):
    # Tall enough that pointing at the chart does not scroll, which would hide what it shows.
    page = visit(at(site, 2), viewport={"width": 1300, "height": 2400})
    # Over the fourth of thirty topics, at any height.
    box = drawn(page, "run-2-histogram").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 3.5 / 30, box["y"] + 100)
    tip = page.locator("#tooltip")
    tip.wait_for(state="visible")
    assert "topic" in tip.inner_text()
    assert "difference" in tip.inner_text()
    page.keyboard.press("Escape")
    assert tip.is_hidden()


def test_the_keyboard_is_enough(visit, site):
    page = visit(site)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    link = page.locator("#leaderboard a").first
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("article.page:not([hidden])")


def test_light_dark_and_print_change_the_colours_of_charts_too(visit, site):
    page = visit(site, color_scheme="dark")
    ink = "getComputedStyle(document.querySelector('#leaderboard thead text')).fill"
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(17, 23, 29)"
    dark = page.evaluate(ink)
    page.emulate_media(media="print")
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    assert page.evaluate(ink) != dark
    page.emulate_media(media="screen")
    page.click("#theme")
    assert page.locator("html").get_attribute("data-theme") == "light"
    assert page.evaluate(paper) == "rgb(255, 255, 255)"


def test_printing_makes_pages(visit, site):
    page = visit(at(site, 1))
    drawn(page, "run-1-curve")
    assert page.pdf().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("hash_", "scheme"), [("", "light"), ("#run/run005", "dark"), ("#compare/run005/run006", "light")]
)
def test_axe_finds_nothing_serious(visit, site, axe, hash_, scheme):
    page = visit(site + hash_, color_scheme=scheme)
    page.wait_for_selector('.view:not([hidden]) [data-state="drawn"]')
    # The page's own policy forbids foreign scripts; the checker enters through the debugger.
    page.evaluate(axe)
    result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [
        (v["id"], v["nodes"][0]["html"][:200]) for v in result["violations"] if v["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_129_runs_of_50_topics_are_built_when_they_are_opened(visit, tmp_path, make_report):
    path = tmp_path / "large.html"
    path.write_text(sites.to_html(make_report(129, 50)), "utf-8")
    assert path.stat().st_size < 4e6
    page = visit(path.as_uri())
    drawn(page, "recall-precision")
    # 129 pages with 6,450 topic plots and 258 graphs wait without a node.
    assert page.locator("*").count() < 12_000
    assert page.locator("[data-state=drawn]").count() < 8
    stops = page.evaluate("""() => {
        const able = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")];
        const seen = able.filter((node) => node.checkVisibility());
        return seen.indexOf(document.querySelector("input[data-filter=measures]"));
    }""")
    assert 0 < stops < 40
    page.locator("#measures thead th", has_text="Rprec").locator("button").click()
    values = [float(value) for value in column(page, "measures", 3)]
    assert len(values) == 129
    assert values == sorted(values, reverse=True)
    page.evaluate("location.hash = '#run/run100'")
    drawn(page, "run-100-curve")
    assert page.locator("[data-state=drawn]").count() < 12


@pytest.mark.parametrize(("runs", "topics"), [(1, 1), (1, 5), (2, 1), (200, 3)])
def test_unusual_sizes_still_make_sense(visit, tmp_path, make_report, runs, topics):
    path = tmp_path / "odd.html"
    path.write_text(sites.to_html(make_report(runs, topics, names=NAMES)), "utf-8")
    page = visit(path.as_uri())
    drawn(page, "recall-precision")
    rows = page.locator("#leaderboard tbody tr, #leaderboard-runs tbody tr")
    assert rows.count() == page.locator("#measures tbody tr").count() == runs
    assert page.locator("#leaderboard .curve circle.mark").count() == (runs if runs > 30 else 0)
    page.goto(at(path.as_uri(), 1))
    drawn(page, "run-1-curve")


def test_without_scripts_the_campaign_is_there_to_read_and_says_what_is_not(browser, site):
    page = browser.new_page(java_script_enabled=False)
    page.goto(site)
    assert page.locator("#leaderboard tbody tr").count() == 24
    assert page.locator("noscript p").inner_text().startswith("The pages of the runs need JavaScript")
    page.close()


def test_one_participants_report_opens_on_its_page(visit, tmp_path, make_report):
    path = tmp_path / "one.html"
    path.write_text(sites.to_html(make_report(5, 4, only="run002")), "utf-8")
    page = visit(path.as_uri())
    drawn(page, "run-2-curve")
    assert page.locator("#leaderboard").count() == 0


def test_no_table_of_outcomes_is_cut_off_on_a_page_of_usual_width(visit, tmp_path):
    """Names of models are long."""
    rows = [
        {"run": name, "id": f"q{i}", "outcome": "correct" if i % (n + 2) else "incorrect", "confidence": i / 9, "task": f"t{i % 2}"}
        for n, name in enumerate(("an-organisation/a-model-of-70b-instruct-v0.3", "m2"))
        for i in range(8)
    ]  # fmt: skip
    table = tmp_path / "judged.csv"
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assay.report(None, str(table), trials=0).save(tmp_path / "report.html")
    page = visit((tmp_path / "report.html").as_uri())
    page.set_viewport_size({"width": 1200, "height": 900})
    assert page.locator("#leaderboard").evaluate("box => box.scrollWidth <= box.clientWidth + 1")
    wide = "(all) => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.closest('[id]').id)"
    assert page.eval_on_selector_all(".scroll", wide) == []
    names = "(all) => all.map(one => one.getBoundingClientRect().width)"
    assert min(page.eval_on_selector_all("#by-1-1 tbody th", names)) >= 120
