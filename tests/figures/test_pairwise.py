"""Who met whom."""

from __future__ import annotations

import json

import assay
from assay.figures import figures_of

ROWS = [("x", "y", "a"), ("x", "y", "tie"), ("y", "x", "a"), ("y", "z", "b")]


def test_the_matrix_adds_up_both_sides():
    """x and y met three times: a win, a tie and a loss each, whoever stood first."""
    rows = [{"question": str(i), "a": a, "b": b, "winner": won} for i, (a, b, won) in enumerate(ROWS)]
    found = figures_of(assay.evaluate("\n".join(map(json.dumps, rows)).encode()))
    assert found.battles == 4
    met = {(run.run, one.other): (one.battles, one.tied, one.share) for run in found.runs for one in run.met}
    assert met == {
        ("x", "y"): (3, 1, 0.5), ("y", "x"): (3, 1, 0.5), ("y", "z"): (1, 0, 0.0), ("z", "y"): (1, 0, 1.0),
    }  # fmt: skip
