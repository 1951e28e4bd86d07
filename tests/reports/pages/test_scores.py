"""The page of a run of which only numbers are known."""

from __future__ import annotations

import re

import pytest

from assay.reports.report import report


@pytest.mark.slow
def test_a_table_of_numbers_alone_has_a_report(tmp_path, visit, put):
    """No gold and no runs, so no figures of its own: leaderboard, comparison, agreement, reliability, values by topic."""
    import assay

    values = {"AP": [[0.5, 0.1], [0.6, 0.2], [0.4, 0.2], [0.9, 0.3], [0.5, 0.1], [0.7, 0.6]]}
    matrix = put("ap.csv", "topic,good,bad\n" + "".join(f"t{i},{a},{b}\n" for i, (a, b) in enumerate(values["AP"])))
    made = report(assay.read_scores(matrix), trials=50)
    titles = [section.title for section in made.document.sections]
    assert titles[0] == "Leaderboard"
    assert "What to believe" in titles
    assert [page.run for page in made.document.pages] == ["good", "bad"]
    shown = re.sub(r" +", " ", made.to_text())
    assert "t3 0.9000" in shown
    assert "6 topics" in shown
    made.save(tmp_path / "out.html")
    page = visit((tmp_path / "out.html").as_uri() + "#run/bad")
    page.wait_for_selector("#run-2")
    assert page.locator("#run-2-values-1 tbody tr").count() == 6
