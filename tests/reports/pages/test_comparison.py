"""The pages of a comparison: tables and sentences."""

from __future__ import annotations

import re
from types import SimpleNamespace

from assay.analyses.comparison import sentences
from assay.analyses.comparison.compare import compare
from assay.reports.pages import comparison
from assay.reports.text import sections_text


def test_a_comparison_prints_values_tiers_differences_and_sentences(scores):
    found = compare(scores, "AP")
    shown = sections_text(comparison.sections(found))
    for run in found.runs:
        assert re.search(rf"^{run.tier} +{run.run} +{run.value:.4f} \[", shown, re.MULTILINE)
    for pair in found.pairs:
        assert re.search(rf"^{pair.a} +{pair.b} +{pair.difference:.4f}", shown, re.MULTILINE)
    assert found.pairs[0].sentence in shown
    assert "Tiers: a new tier starts where a run is significantly worse than the tier's best" in shown
    assert "runs within a tier may differ, and equal runs may stand in different tiers" in shown


def test_a_pair_prints_every_p_and_the_topics_that_moved(scores):
    found = compare(scores, "AP", pairs=[("run2", "run5")])
    shown = sections_text(comparison.sections(found))
    assert found.pairs[0].sentence in shown
    assert "p: randomisation" in shown
    assert "Topics that moved most, run2 - run5:" in shown


def test_many_runs_print_their_tiers_and_the_first_sentences(monkeypatch, scores):
    monkeypatch.setattr(comparison, "MAX_LISTED_PAIRS", 14)
    monkeypatch.setattr(sentences, "MAX_LISTED_PAIRS", 14)
    found = compare(scores, "AP")
    shown = sections_text(comparison.sections(found))
    assert sum(pair.sentence in shown for pair in found.pairs) == sentences.FIRST_PAIRS
    assert "Differences in AP" not in shown
    assert "the CSV and JSON forms list them all" in shown


def test_an_always_valid_interval_says_since_when_it_excludes_0():
    seen = {"low": 0.1, "high": 0.3, "halves": (0.2, 0.4)}
    for growing, shown in (
        (None, "n/a"), ({**seen, "first": 12}, "[0.1000, 0.3000], excludes 0 since 12"),
        ({**seen, "first": None}, "[0.1000, 0.3000], holds 0"),
        ({**seen, "low": None, "first": None}, "drifts: 0.2000, then 0.4000"),
    ):  # fmt: skip
        pair = SimpleNamespace(growing=growing and SimpleNamespace(**growing))
        assert comparison.look(pair).text == shown
