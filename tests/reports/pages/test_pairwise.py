"""The pages of pairwise preferences."""

from __future__ import annotations

import json

import assay
from assay.reports.text import sections_text


def report(systems: int = 3):
    names = [f"s{i:02}" for i in range(systems)]
    rows = [
        {"question": f"q{i}", "a": a, "b": b, "winner": "a" if (i + len(a + b) + k) % 3 else "b"}
        for i in range(6)
        for k, (a, b) in enumerate((names[j], names[(j + 1) % systems]) for j in range(systems))
    ]
    return assay.report("\n".join(map(json.dumps, rows)).encode(), trials=0)


def test_the_campaign_has_the_matrix_and_every_run_its_opponents():
    document = report().document
    [section] = [one for one in document.sections if one.id == "wins-section"]
    assert "18 battles; 3 of 3 pairs of systems met." in sections_text([section])
    assert section.blocks[-1].title == "Win matrix"
    titles = [[one.title for one in page.sections] for page in document.pages]
    assert all("Opponents" in own for own in titles)


def test_a_matrix_nobody_can_read_is_not_drawn():
    [section] = [one for one in report(26).document.sections if one.id == "wins-section"]
    assert "26 systems are too many for one matrix" in sections_text([section])
