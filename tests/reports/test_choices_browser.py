"""What a reader chooses: the curves of some runs, a group with its median, and the index page of a team."""

from __future__ import annotations

import io
import zipfile

import pytest

import assay
from assay.reports.packages import packages

pytestmark = pytest.mark.slow

TOPICS = [f"q{number}" for number in range(1, 13)]
GOLD = {topic: {"d1": 1, "d2": 1, "d3": 0} for topic in TOPICS}
ORDERS = {"best": "123", "good": "132", "fair": "312", "poor": "321"}
RUNS = {
    name: {topic: {f"d{document}": -float(rank) for rank, document in enumerate(order)} for topic in TOPICS}
    for name, order in ORDERS.items()
}
TEAMS = {"best": "Uni A", "good": "Uni A", "fair": "Uni B", "poor": "Uni B"}


@pytest.fixture(scope="module")
def report():
    scores = assay.evaluate(GOLD, RUNS, ["AP", "RR", "P@1"]).described(lambda run: {"team": TEAMS[run]})
    return assay.report(scores, trials=0, group_by="team", topics={topic: f"Title of {topic}" for topic in TOPICS})


@pytest.fixture(scope="module")
def site(report, tmp_path_factory):
    path = tmp_path_factory.mktemp("choices") / "report.html"
    report.save(path)
    return path.as_uri()


def test_the_curves_of_chosen_runs_lie_over_each_other(visit, site) -> None:
    page = visit(site)
    page.click(".curve-choice summary")
    for run in ("best", "poor"):
        page.check(f'.curve-runs input[value="{run}"]')
    picture = page.locator("#chosen-curves svg.curves-picture")
    assert picture.get_attribute("aria-label") == "Recall-precision curves of best, poor"
    assert picture.locator("polyline").count() == 2
    page.uncheck('.curve-runs input[value="best"]')
    assert picture.locator("polyline").count() == 1


def test_the_page_of_two_runs_has_both_curves(visit, site) -> None:
    page = visit(f"{site}#compare/best/fair")
    page.wait_for_selector("#compare-curves polyline", state="attached")
    assert page.locator("#compare-curves polyline").count() == 2
    assert page.locator("#compare-curves .legend").inner_text().split() == ["best", "fair"]


def test_a_chosen_group_has_its_median_and_its_own_board(visit, site) -> None:
    page = visit(site)
    page.locator('select[data-of="measures"]').first.select_option("Uni B")
    # fair finds its first relevant document at rank 2, poor too: RR 1/2 each, and nothing at rank 1.
    assert page.locator("#measures tfoot").inner_text().split("\t")[:1] == ["Median of 2 runs"]
    assert "0.500" in page.locator("#measures tfoot").inner_text()
    page.select_option('select[data-of="group-leaderboards"]', "Uni B")
    seen = page.locator("#group-leaderboards tbody tr:visible").all_inner_texts()
    assert len(seen) == 4  # heading, two runs, median
    assert seen[0].startswith("Uni B")


def test_the_heat_map_finds_topics_by_their_titles(visit, site) -> None:
    page = visit(site)
    page.fill("#find-topic", "title of q12")
    assert page.locator("#found-topics a").all_inner_texts() == ["q12 Title of q12"]


@pytest.mark.parametrize("width", [1280, 390])
def test_the_index_of_a_team_leads_to_its_runs(visit, report, tmp_path, axe, width) -> None:
    data = dict(packages(report, forms=["html"]))["Uni_A.zip"]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(tmp_path)
    page = visit((tmp_path / "index.html").as_uri(), viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate(axe)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    assert [one["id"] for one in found["violations"] if one["impact"] in ("serious", "critical")] == []
    assert page.locator("tr.own a").evaluate_all("links => links.map((link) => link.getAttribute('href'))") == [
        "./best.html", "./good.html",
    ]  # fmt: skip
    assert (tmp_path / "best.html").exists()
