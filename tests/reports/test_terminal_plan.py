"""What `assay plan` prints below its first line."""

from __future__ import annotations

import assay
from assay.reports import results


def test_topics_by_difference():
    """Half a standard deviation takes 34 topics, .3, .4, .7 and 1 of one 90, 52, 19 and 10: the usual tables of the paired t-test."""
    lines = results.text(assay.plan(difference=0.5, variance_of_differences=1.0)).splitlines()
    assert lines[2].split() == ["difference", "to", "show", ".3", ".4", ".5", ".7", "1.0"]
    assert lines[4].split() == ["topics", "needed", "90", "52", "34", "19", "10"]
    assert lines[6:] == [
        "Paired t-test, 95% confidence, power 80%. Stated variance of differences 1.",
        "More: -v (ANOVA, intervals, variance components)",
    ]


def test_a_range_has_a_row_and_each_measure_too():
    rows = [[0.1 * ((3 * topic + run) % 7), 0.2 * ((topic + 2 * run) % 5)] for run in range(2) for topic in range(6)]
    table = assay.scores([[first, second] for first, second in rows], runs=["a", "b"], measure="AP")
    lines = results.text(assay.plan(table, difference=0.1)).splitlines()
    assert [line.split("  ")[0] for line in lines[4:6]] == ["topics needed (AP)", "range"]
    needed = lines[4].replace(",", "").split()[-5:]
    assert list(map(int, needed)) == sorted(map(int, needed), reverse=True)


def test_labels_and_details_with_verbose():
    plan = assay.plan_labels(width=0.05, sensitivity=0.9, specificity=0.8, rate=0.6, questions=2000)
    brief, whole = results.text(plan), results.text(plan, verbose=True)
    assert brief.splitlines()[0] == whole.splitlines()[0] == plan.finding
    assert whole.count(plan.finding) == 1
    assert "The judge saves 306." in whole
    assert "The judge saves" not in brief
