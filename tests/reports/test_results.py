"""Results as a person sees them: on a terminal, in a paper, in a notebook."""

from __future__ import annotations

import assay
from assay.analyses.comparison.compare import compare
from assay.reports import results


def test_scores_print_as_the_leaderboard(scores):
    lines = results.text(scores).splitlines()
    assert lines[0].split() == ["run", "topics", "AP", "P@5"]
    best = max(scores.mean("AP").values())
    starred = [line.split()[0] for line in lines[1:] if f"{best:.4f}*" in line]
    assert starred == [run for run, value in scores.mean("AP").items() if value == best]
    assert len(lines) == 7


def test_a_run_alone_is_not_marked_as_best():
    assert "*" not in results.text(assay.evaluate({"q": {"d": 1}}, {"only": {"q": {"d": 1.0}}}, ["AP"]))


def test_a_width_wraps_sentences_and_none_leaves_them(scores):
    found = compare(scores, "AP", pairs=[("run2", "run5")])
    assert found.pairs[0].sentence in results.text(found)
    wrapped = results.text(found, width=60)
    assert found.pairs[0].sentence not in wrapped
    assert found.pairs[0].sentence in " ".join(wrapped.split())
