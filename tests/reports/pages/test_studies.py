"""The pages of a study and of a plan, as the terminal prints them."""

from __future__ import annotations

import re

from assay.reports import results
from assay.studies.planning import plan
from assay.studies.study import reliability


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
