"""Every task's finished report in a real browser, and on a phone: nothing complains, nothing is cut off, and the way down from
the leaderboard to a document or an answer leads back, by mouse and by keyboard alone."""

from __future__ import annotations

import pytest

from assay.demo.gallery import CAMPAIGNS
from assay.reports import model

pytestmark = pytest.mark.slow

PHONE, TABLET, DESK = {"width": 390, "height": 844}, {"width": 768, "height": 1024}, {"width": 1280, "height": 900}
WALKS = {"ranked": ("by-hand", "li"), "outcomes": ("bold-30b", ".answer")}
"""A run with a topic worth opening, and what was returned there."""


@pytest.fixture
def places(gallery, visit):
    """A campaign's page, and the addresses of the first run, of a topic in the middle, and of two runs side by side."""

    def opened(name, **options):
        page = visit(gallery(name).as_uri(), **options)
        data = page.evaluate("JSON.parse(document.getElementById('report-data').textContent)")
        runs, topics = [one[0] for one in data["pages"]], [model.address("topic", name) for name in data["topics"]]
        both = "/".join(["compare", *(run.removeprefix("run/") for run in runs[:2])])
        return page, {
            "campaign": "#campaign",
            "run": f"#{runs[0]}",
            "topic": f"#{topics[len(topics) // 2]}",
            "compare": f"#{both}",
        }

    return opened


def settled(page):
    page.wait_for_selector(".view:not([hidden]) h2")
    page.wait_for_function(
        """() => [...document.querySelectorAll(".view:not([hidden]) .chart")]
            .every((chart) => chart.dataset.state === "drawn" || !chart.checkVisibility())"""
    )


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_every_page_of_every_task_on_a_phone_a_tablet_and_a_desk(places, axe, name):
    """Light and dark in turn, so that both are seen; the pages themselves complain to `visit`."""
    scheme = "dark" if [*CAMPAIGNS].index(name) % 2 else "light"
    page, addresses = places(name, viewport=PHONE, color_scheme=scheme)
    page.evaluate(axe)
    for kind, address in addresses.items():
        page.evaluate("(to) => { location.hash = to; }", address)
        page.wait_for_selector(
            "#campaign:not([hidden])" if kind == "campaign" else ".view:not([hidden]):not(#campaign)"
        )
        if kind == "campaign":
            page.evaluate("() => { for (const fold of document.querySelectorAll('details.fold')) fold.open = true; }")
        for size in (DESK, TABLET, PHONE):
            page.set_viewport_size(size)
            settled(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (kind, size)
            seen = "document" if kind == "campaign" else "'.view:not([hidden])'"
            found = page.evaluate(f"axe.run({seen}, {{resultTypes: ['violations']}})")["violations"]
            serious = [v for v in found if v["impact"] in ("serious", "critical")]
            assert [(kind, size["width"], v["id"], v["nodes"][0]["html"][:160]) for v in serious] == []


@pytest.mark.parametrize("name", ["ranked", "outcomes", "scores"])
def test_on_a_phone_the_first_screen_is_the_finding_and_every_run_can_be_chosen(places, name):
    """The finding, then how far to trust it, then the board; the contents stand below."""
    page, _ = places(name, viewport=PHONE)
    tops = [
        page.locator(part).first.bounding_box()["y"] for part in (".finding", ".trust", "#leaderboard", ".contents")
    ]
    assert tops == sorted(tops)
    assert tops[0] < PHONE["height"] / 4
    for row in page.locator("#leaderboard tbody tr").all():
        for part in ("th.run a", "td.val", "td.plot svg"):
            box = row.locator(part).first.bounding_box()
            assert box["x"] >= 0, part
            assert box["x"] + box["width"] <= PHONE["width"], part
    if name != "scores":
        for box in page.locator("#measures tbody input[type=checkbox]").all():
            box.click()  # a click fails where something lies over the box
        assert page.locator("#measures input:checked").count() == 2


@pytest.mark.parametrize("name", WALKS)
def test_from_the_leaderboard_to_what_was_returned_and_back_by_mouse(places, name):
    run, returned = WALKS[name]
    page, _ = places(name, viewport=DESK)
    page.click(f"#leaderboard a:text-is('{run}')")
    page.wait_for_selector(f".run-title:text-is('{run}')")
    page.locator("article.page a[href^='#topic/']").first.click()
    page.wait_for_selector("#topic-runs")
    for fold in page.locator("#topic-runs tr.chosen summary").all():
        fold.click()
    page.wait_for_selector(f"#topic-runs tr.chosen {returned}")
    page.go_back()
    page.wait_for_selector(f".run-title:text-is('{run}')")
    page.go_back()
    page.wait_for_selector("#campaign:not([hidden])")


def tab_to(page, wanted, most=400):
    """Press Tab until the focus is on what is wanted; nothing but the keyboard moves it."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"{wanted} was not reached by {most} presses of Tab")


@pytest.mark.parametrize("name", WALKS)
def test_from_the_leaderboard_to_what_was_returned_and_back_by_keyboard_alone(places, name):
    run, returned = WALKS[name]
    page, _ = places(name, viewport=DESK)
    tab_to(page, f"#leaderboard a[href='#run/{run}']")
    page.keyboard.press("Enter")
    page.wait_for_selector("article.page .run-title:focus")
    tab_to(page, "article.page a[href^='#topic/']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#topic-title:focus")
    if name == "ranked":
        tab_to(page, "#topic-runs tr.chosen summary")
        page.keyboard.press("Enter")
    page.wait_for_selector(f"#topic-runs tr.chosen {returned}")
    tab_to(page, "a[rel=next], a[rel=prev]")  # a browser without a window has no keys of its own for Back
    page.go_back()
    page.wait_for_selector(f".run-title:text-is('{run}')")
    page.go_back()
    page.wait_for_selector("#campaign:not([hidden])")


def test_what_nobody_knows_is_not_called_nothing(places):
    """Of a table of numbers, and of judgments by groups, no page says what was returned."""
    for name in ("scores", "judgment-groups"):
        page, addresses = places(name)
        page.goto(page.url.partition("#")[0] + addresses["topic"])
        page.wait_for_selector("#topic-runs")
        assert page.locator("#topic-runs th", has_text="Returned").count() == 0
        page.goto(page.url.partition("#")[0] + addresses["compare"])
        page.wait_for_selector("#comparison-values")
        assert page.locator("#compare-items section").count() == 0
