"""What the pages of all tasks share: names as text, facts beside figures, tables by topic."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from assay.cli import main


@pytest.mark.slow
def test_topics_with_awkward_names_show_as_text(tmp_path, visit, put):
    topic, run = "<script>alert(2)</script>\"'&", "<img/src=x/onerror=alert(3)>😀"
    gold = put("q", f"{topic} 0 d1 1\n2 0 d1 1\n")
    first = put("r", f"{topic} Q0 d1 1 2 {run}\n2 Q0 d1 1 2 {run}\n")
    second = put("s", f"{topic} Q0 d0 1 2 plain\n2 Q0 d1 1 2 plain\n")
    out = tmp_path / "out.html"
    assert main(["report", gold, first, second, "-o", str(out)]) == 0
    # Tall enough that pointing at the chart does not scroll, which would hide what it shows.
    page = visit(f"{out.as_uri()}#run/{quote(run, safe='')}", viewport={"width": 1300, "height": 1600})
    page.wait_for_selector("#run-1")
    assert page.locator("#run-1 h2").inner_text() == run
    assert page.locator("#run-1-topic-table tbody th").all_inner_texts() == ["2", topic]
    page.goto(f"{out.as_uri()}#compare/{quote(run, safe='')}/plain")
    page.wait_for_selector("#comparison-values")
    assert page.locator("#comparison-values tbody th").all_inner_texts() == ["2", topic]
    page.wait_for_selector('[data-chart="comparison-chart"][data-state="drawn"]')
    chart = page.locator('[data-chart="comparison-chart"] .fluid > svg')
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    # Of two bars, the first is that of the topic with the hostile name.
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 3)
    page.locator("#tooltip").wait_for(state="visible")
    assert topic in page.locator("#tooltip").inner_text()
    assert main(["report", gold, first, "-o", str(tmp_path / "out.pdf")]) == 0


@pytest.mark.slow
def test_a_long_name_leaves_room_for_what_stands_beside_it(tmp_path, visit, put):
    gold = put("q", "1 0 d1 1\n")
    out = tmp_path / "out.html"
    assert main(["report", gold, put("r", f"1 Q0 d1 1 1 {'averylongname' * 12}\n"), "-o", str(out)]) == 0
    page = visit(f"{out.as_uri()}#run/{'averylongname' * 12}")
    page.wait_for_selector('#run-1 [data-state="drawn"]')
    table = page.locator("#run-1-table-1 table, table#run-1-table-1").first
    assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")
    # "Number of topics" in at most two lines, not a letter a line.
    assert table.locator("tr").nth(1).bounding_box()["height"] < 70
