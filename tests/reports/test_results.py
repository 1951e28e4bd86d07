"""Results as a person sees them: on a terminal, in a paper, in a notebook."""

from __future__ import annotations

import random
import re
import sys

import pytest

import assay
from assay.reports import results
from assay.stats.comparing import compare
from assay.studies.planning import plan
from assay.studies.study import reliability


@pytest.fixture(scope="module")
def scores():
    """Six runs over twelve topics, each worse than the one before."""
    chance = random.Random(7)
    qrels = {f"t{t}": {f"d{d}": int(d % 4 == t % 4) for d in range(24)} for t in range(12)}
    runs = {
        f"run{r}": {
            topic: {document: grade * (3.0 - r / 2) + 2 * chance.random() for document, grade in judged.items()}
            for topic, judged in qrels.items()
        }
        for r in range(6)
    }
    return assay.evaluate(qrels, runs, ["AP", "P@5"])


def test_scores_print_as_the_leaderboard(scores):
    lines = results.text(scores).splitlines()
    assert lines[0].split() == ["run", "topics", "AP", "P@5"]
    best = max(scores.mean("AP").values())
    starred = [line.split()[0] for line in lines[1:] if f"{best:.4f}*" in line]
    assert starred == [run for run, value in scores.mean("AP").items() if value == best]
    assert len(lines) == 7


def test_a_comparison_prints_values_tiers_differences_and_sentences(scores):
    found = compare(scores, "AP")
    shown = results.text(found)
    for run in found.runs:
        assert re.search(rf"^{run.tier} +{run.run} +{run.value:.4f} \[", shown, re.MULTILINE)
    for pair in found.pairs:
        assert re.search(rf"^{pair.a} +{pair.b} +{pair.difference:.4f}", shown, re.MULTILINE)
    assert found.pairs[0].sentence in shown
    assert "Tiers: a run is in the best tier" in shown


def test_a_pair_prints_every_p_and_the_topics_that_moved(scores):
    found = compare(scores, "AP", pairs=[("run2", "run5")])
    shown = results.text(found)
    assert found.pairs[0].sentence in shown
    assert "p: randomisation" in shown
    assert "Topics that moved most, run2 - run5:" in shown


def test_many_runs_print_their_tiers_and_the_first_sentences(monkeypatch, scores):
    from assay.reports.pages import comparing

    monkeypatch.setattr(comparing, "MANY_PAIRS", 14)
    found = compare(scores, "AP")
    shown = results.text(found)
    assert sum(pair.sentence in shown for pair in found.pairs) == comparing.FIRST_PAIRS
    assert "Differences in AP" not in shown
    assert "the CSV and JSON forms list them all" in shown


def test_a_study_prints_tables_curves_and_a_sentence_a_measure(scores):
    found = reliability(
        scores, measures=["AP", "P@5"], trials=50, size=[3, 4, 6], discrimination=("bootstrap", "tukey")
    )
    shown = results.text(found)
    for name, one in found.measures.items():
        at = one.at[-1]
        assert f"{100 * at.stability[4].minority_rate:.2f}%" in shown
        assert re.search(rf"^{name} +6 ", shown, re.MULTILINE)
        assert f"{one.discrimination[0].separated(0.05):.1%}" in shown
    assert shown.count("A AP   B P@5") == 5  # stability, swap, sizes, two tests
    assert shown.count("Your best two runs") == 2


def test_two_sizes_draw_a_curve_over_sizes_and_one_does_not(scores):
    for sizes, drawn in (([6], 0), ([3, 6], 1)):
        found = reliability(scores, measures=["AP"], trials=50, size=sizes)
        assert results.text(found).count("Difference to believe\n") == drawn


def test_a_study_without_swaps_says_what_is_wrong_and_tied(scores):
    found = reliability(scores, measures=["AP"], trials=50, size=10, no_swap=True)
    point = found.measures["AP"].at[0].stability[4]
    said = f"AP gets {point.minority_rate:.1%} of the comparisons wrong and calls {point.ties:.1%} ties (f = 0.05)."
    assert said in results.text(found)
    assert "Swaps" not in results.text(found)


def test_a_plan_prints_what_each_method_needs():
    found = plan(difference=0.05, variance=0.04, topics=50)
    [one] = found.measures.values()
    shown = results.text(found)
    for method in ("t-test", "anova", "interval"):
        assert re.search(rf"^{method} +{one.needed[method]} +{one.smallest[method]:.4f}$", shown, re.MULTILINE)
    assert f"take {one.needed['t-test']} topics to tell apart" in shown


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


def test_names_cannot_become_markup(scores):
    table = assay.evaluate({"q": {"d": 1}}, {"<b>x": {"q": {"d": 1.0}}, "y": {"q": {"e": 1.0}}}, ["AP"])
    assert "<b>x" not in results.html(table)
    assert "&lt;b&gt;x" in results.html(table)
