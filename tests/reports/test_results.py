"""Results as a person sees them: on a terminal, in a paper, in a notebook."""

from __future__ import annotations

import sys

import assay
from assay.reports import results
from assay.stats.comparing import compare
from assay.studies.study import reliability


def test_scores_print_as_the_leaderboard(scores):
    lines = results.text(scores).splitlines()
    assert lines[0].split() == ["run", "topics", "AP", "P@5"]
    best = max(scores.mean("AP").values())
    starred = [line.split()[0] for line in lines[1:] if f"{best:.4f}*" in line]
    assert starred == [run for run, value in scores.mean("AP").items() if value == best]
    assert len(lines) == 7


def test_a_width_wraps_sentences_and_none_leaves_them(scores):
    found = compare(scores, "AP", pairs=[("run2", "run5")])
    assert found.pairs[0].sentence in results.text(found)
    wrapped = results.text(found, width=60)
    assert found.pairs[0].sentence not in wrapped
    assert found.pairs[0].sentence in " ".join(wrapped.split())


def test_papers_get_markdown_and_latex(scores):
    assert results.markdown(scores).splitlines()[0] == "| run | topics | AP | P@5 |"
    assert r"\toprule" in results.latex(scores)
    assert results.markdown(scores).count("**") >= 4


def test_a_notebook_gets_a_fragment_that_needs_nothing(scores):
    found = reliability(scores, measures=["AP"], trials=50)
    shown = results.html(found)
    assert shown.startswith('<div class="assay">')
    assert shown.endswith("</div>")
    assert "<table>" in shown
    assert "<script" not in shown
    assert 'class="n best"' in results.html(scores)


def test_a_notebook_without_vl_convert_gets_the_curves_in_letters(scores, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    found = reliability(scores, measures=["AP"], trials=50)
    assert "<pre>Minority rate" in results.html(found)


def test_names_cannot_become_markup():
    table = assay.evaluate({"q": {"d": 1}}, {"<b>x": {"q": {"d": 1.0}}, "y": {"q": {"e": 1.0}}}, ["AP"])
    assert "<b>x" not in results.html(table)
    assert "&lt;b&gt;x" in results.html(table)
