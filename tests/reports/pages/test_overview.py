"""The pages of the campaign: leaderboard, comparison, agreement."""

from __future__ import annotations

import re

import pytest

from assay.cli import main


def test_one_of_a_kind_is_said_in_the_singular(tmp_path, capsys, put):
    gold = put("q", "1 0 d1 1\n")
    assert main(["report", gold, put("r", "1 Q0 d1 1 1 alone\n")]) == 0
    said = capsys.readouterr().out
    assert "\n1 run in order of AP.\n" in said
    assert "\n1 topic;" in said
    assert not re.search(r"\b1 (run|topic|question|pair|plot|period)s\b", said)


def test_no_column_of_the_leaderboard_is_cut_off(tmp_path, visit, campaign):
    pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    out = tmp_path / "out.html"
    for task in ("outcomes", "filtering"):
        assert main([*campaign(task, tmp_path / task), "-o", str(out)]) == 0
        page = visit(out.as_uri(), viewport={"width": 1280, "height": 900})
        assert page.locator("#leaderboard .scroll").first.evaluate("box => box.scrollWidth <= box.clientWidth")
