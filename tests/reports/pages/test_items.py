"""The pages of items: what is suspicious leads to its own page; nothing is said of what is not there."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.analyses.items import Items
from assay.reports.charts.reliability import SIZES
from assay.reports.model import Chart, Note, Table
from assay.reports.pages.items import MAX_DOTS, report_section, sections, summary


def found_of(values, **more) -> Items:
    values = np.asarray(values, dtype=float)
    return assay.items(
        assay.scores(values.tolist(), runs=[f"r{i}" for i in range(values.shape[1])], measure="right"), **more
    )


@pytest.fixture(scope="module")
def planted() -> Items:
    steps = np.array([[float(run > item % 29) for run in range(30)] for item in range(60)])
    return found_of(np.vstack([steps, 1 - steps[14:15], np.zeros((1, 30)), np.ones((1, 30))]), top=3)


def blocks(section, kind):
    return [block for block in section.blocks if isinstance(block, kind)]


def test_the_summary_counts(planted) -> None:
    said = summary(planted)
    assert said.startswith(
        "63 topics, 30 runs, by right. No run gets 1 right and every run gets 1: these separate no runs."
    )
    assert "Of 1 with a negative discrimination 1 is significant at a false discovery rate of" in said


def dots(chart: Chart) -> list[dict]:
    """The dots; those that are named stand in another data set too."""
    return [row for name in SIZES for row in chart.spec["datasets"][name]]


def test_a_suspicious_item_leads_to_its_page(planted) -> None:
    section = report_section(planted, "how.")
    (table,) = blocks(section, Table)
    assert [cell.text for cell in table.rows[0]][:3] == ["61", "50.0%", "30"]
    assert table.rows[0][0].link == "topic/61"
    assert table.rows[0][-1].text == "suspicious"
    (chart,) = blocks(section, Chart)
    assert sum(row["many"] for row in dots(chart)) == 61
    assert "2 on which all runs agree have none." in chart.caption


def test_items_at_one_place_are_a_larger_dot_and_the_caption_says_so() -> None:
    """Every row of a triangle has its own share of right runs; a second triangle puts two items at each place."""
    steps = np.array([[float(run > item) for run in range(12)] for item in range(11)])
    alone, twice = (
        blocks(report_section(found_of(rows), "how."), Chart)[0] for rows in (steps, np.vstack([steps, steps]))
    )
    assert "A larger dot is several topics." not in alone.caption
    assert "A larger dot is several topics." in twice.caption


def test_nothing_negative_has_no_table() -> None:
    steps = np.array([[float(run > item % 9) for run in range(10)] for item in range(30)])
    section = report_section(found_of(steps), "how.")
    assert blocks(section, Table) == []
    assert blocks(section, Note)[0].body.startswith(
        "No topic is suspicious: on none of 30 topics do good runs do worse than others."
    )


def test_of_very_many_all_suspicious_are_drawn() -> None:
    steps = np.array([[float(run > item % 29) for run in range(30)] for item in range(2 * MAX_DOTS)])
    found = found_of(np.vstack([steps, 1 - steps[13:16]]))
    chart = blocks(sections(found)[0], Chart)[0]
    drawn = dots(chart)
    assert sum(row["many"] for row in drawn if row["kind"] == "suspicious") == 3
    assert sum(row["many"] for row in drawn) <= MAX_DOTS + 3
    assert "one in 3 of the others" in chart.caption


def test_curves_and_what_to_keep_are_sections_of_their_own() -> None:
    draw = np.random.default_rng(4)
    chance = 1 / (1 + np.exp(-1.2 * (draw.normal(0, 1, 16) - np.linspace(-1.5, 1.5, 40)[:, None])))
    found = found_of((draw.random((40, 16)) < chance).astype(float), irt="1PL", keep=8)
    made = {section.id: section for section in sections(found)}
    assert list(made) == ["items-section", "items-hard-section", "items-irt-section", "items-kept-section"]
    assert blocks(made["items-irt-section"], Note)[0].kind == "warning"
    names = [table.id for table in blocks(made["items-irt-section"], Table)]
    assert names == ["items-curves", "items-test", "items-abilities"]
    (kept,) = blocks(made["items-kept-section"], Table)
    assert [row[0].text for row in kept.rows] == ["anchors", "as many at random"]
    assert made["items-kept-section"].title == "A short test of 8 topics"
    auto = {section.id: section for section in sections(found_of(found_values(found), keep="auto", tau=0.5))}
    assert "0.5 or more" in blocks(auto["items-kept-section"], Note)[0].body
    never = {section.id: section for section in sections(found_of(found_values(found), keep="auto", tau=1))}
    assert "No size up to half of the topics reaches a tau of 1" in blocks(never["items-kept-section"], Note)[0].body


def found_values(found: Items) -> np.ndarray:
    draw = np.random.default_rng(len(found.items))
    return (draw.random((60, 16)) < np.linspace(0.1, 0.9, 16)).astype(float)


def test_a_report_has_them_where_there_are_runs_enough() -> None:
    steps = np.array([[float(run > item % 5) for run in range(6)] for item in range(12)])
    many = assay.scores(steps.tolist(), runs=[f"r{i}" for i in range(6)], measure="right")
    few = assay.scores(steps[:, :4].tolist(), runs=[f"r{i}" for i in range(4)], measure="right")
    assert "items-section" in [one.id for one in assay.report(many, trials=0).document.sections]
    assert "items-section" not in [one.id for one in assay.report(few, trials=0).document.sections]


def test_pages_from_which_no_judgment_can_be_told_have_none() -> None:
    qrels = {str(t): {"d": 1} for t in range(12)}
    runs = {f"r{r}": {str(t): {"d": 1.0, "e": 2.0 if (t + r) % 3 else 0.0} for t in range(12)} for r in range(6)}
    plain, hidden = (assay.report(qrels, runs, ["RR"], trials=0, aggregate=hide).document for hide in (False, True))
    assert "items-section" in [one.id for one in plain.sections]
    assert "items-section" not in [one.id for one in hidden.sections]
