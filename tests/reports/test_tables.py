"""Tables as text: lined up for the terminal, quoted for programs, escaped for papers."""

from __future__ import annotations

import math

import pytest

import assay
from assay.reports import results, tables


def test_papers_get_markdown_and_latex(scores):
    assert results.markdown(scores).splitlines()[0] == "| run | topics | AP | P@5 |"
    assert r"\toprule" in results.latex(scores)
    alone = assay.evaluate({"q": {"d": 1}}, {"a": {"q": {"d": 2.0}}, "b": {"q": {"e": 1.0}}}, ["AP", "P@5"])
    assert results.markdown(alone).count("**") == 4  # two cells


CELLS = [0.1, 0.0, -0.0, 1 / 3, 1e-7, None, 3, "a", "=1", 'say "b,c"', "d\te", "", math.inf]


@pytest.mark.parametrize("separator", [",", "\t"])
@pytest.mark.parametrize("together", [1, 2, 1000])
def test_a_cell_is_the_same_whatever_stands_above_it(monkeypatch, separator, together):
    """A column is written at once, numbers by the core; each cell is what it is alone."""
    alone = [tables.separated(["x"], [[cell]], separator).splitlines()[1] for cell in CELLS]
    monkeypatch.setattr(tables, "ROWS_AT_ONCE", together)
    for first, begin in zip(CELLS, alone, strict=True):
        rows = [[first, "q", cell] for cell in (first, *CELLS, first)]
        lines = tables.separated(["x", "y", "z"], rows, separator).splitlines()
        assert lines[1:] == [separator.join([begin, "q", text]) for text in (begin, *alone, begin)]
    assert tables.separated(["z"], [[-0.0]] * 3 + [[0.0]], separator) == "z\n-0.0\n-0.0\n-0.0\n0.0\n"
    assert tables.separated(["z"], [], separator) == "z\n"
