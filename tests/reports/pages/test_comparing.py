"""The pages of a comparison: how its intervals were made."""

from __future__ import annotations

import re
from dataclasses import replace

from assay.analyses.comparison.compare import compare
from assay.reports import results
from assay.reports.pages.comparing import made_by, tier_rule
from assay.stats.bootstrap_intervals import Interval


def test_intervals_name_the_methods_that_made_them():
    found = [Interval(0, 1, 0.95, "studentised bootstrap"), None, Interval(0, 1, 0.95, "jackknife t")]
    assert made_by(found, "95% intervals", ", seed 0") == "95% intervals by studentised bootstrap; jackknife t, seed 0."
    assert made_by(found[2:], "95% intervals", ", seed 0") == "95% intervals by jackknife t."


def test_a_comparison_prints_values_tiers_differences_and_sentences(scores):
    found = compare(scores, "AP")
    shown = results.text(found)
    for run in found.runs:
        assert re.search(rf"^{run.tier} +{run.run} +{run.value:.4f} \[", shown, re.MULTILINE)
    for pair in found.pairs:
        assert re.search(rf"^{pair.a} +{pair.b} +{pair.difference:.4f}", shown, re.MULTILINE)
    assert found.pairs[0].sentence in shown
    assert "Tiers: a tier ends at the first run significantly below its best" in shown
    assert "runs of one tier are not shown to be equal" in shown


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


def test_tiers_say_of_how_many_topics_they_are_where_some_are_left_out(scores):
    found = compare(scores, "AP")
    assert tier_rule(found).startswith("Tiers: a tier ends")
    some = tier_rule(replace(found, left_out=1500))
    assert some.startswith("Tiers on the 12 of 1,512 topics on which every run has a value: a tier ends")
