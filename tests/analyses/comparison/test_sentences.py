"""Sentences about a comparison: the methods behind its intervals, and the topics behind its tiers."""

from __future__ import annotations

from dataclasses import replace

import assay
from assay.analyses.comparison.compare import compare
from assay.analyses.comparison.sentences import decided_by, made_by, shared, tier_rule
from assay.stats.bootstrap_intervals import Interval

GOLD = {f"q{n}": "yes" for n in range(12)}
RUNS = {f"r{right}": {q: "yes" if n < right else "no" for n, q in enumerate(GOLD)} for right in (3, 6, 9)}


def test_intervals_name_the_methods_that_made_them():
    found = [Interval(0, 1, 0.95, "studentised bootstrap"), None, Interval(0, 1, 0.95, "jackknife t")]
    assert made_by(found, "95% intervals", ", seed 0") == "95% intervals by studentised bootstrap; jackknife t, seed 0."
    assert made_by(found[2:], "95% intervals", ", seed 0") == "95% intervals by jackknife t."


def test_tiers_name_the_topics_they_are_of_where_some_are_left_out():
    result = compare(assay.evaluate(GOLD, RUNS, ["accuracy"]), "accuracy")
    assert tier_rule(result).startswith("Tiers: a new tier starts")
    fewer = replace(result, left_out=1500)
    assert shared(fewer) == " on the 12 of 1,512 questions on which every run has a value"
    assert tier_rule(fewer).startswith(f"Tiers{shared(fewer)}: a new tier starts")


def test_the_test_and_the_correction_that_decide_are_named_with_the_number_of_pairs():
    scores = assay.evaluate(GOLD, RUNS, ["accuracy"])
    assert decided_by(compare(scores, "accuracy", correct="holm")).endswith(" over 3 pairs")
    plain = compare(scores, "accuracy", correct="none")
    assert decided_by(plain) == plain.settings["test"]
