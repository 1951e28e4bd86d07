"""The pages of a study, as the terminal prints them."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

from assay.analyses.reliability.newly_correct_answers import NewlyJudged, ShareResult, Shift, TrialMean
from assay.analyses.reliability.reliability import reliability
from assay.analyses.reliability.sentences import required_difference
from assay.reports import results
from assay.reports.pages import reliability as pages

REPEATED = "another set of topics of this size"


def test_a_study_prints_tables_curves_and_a_sentence_a_measure(scores):
    found = reliability(
        scores, measures=["AP", "P@5"], trials=50, size=[3, 4, 6], discrimination=("bootstrap", "tukey")
    )
    shown = results.text(found, verbose=True)
    for name, one in found.measures.items():
        at = one.at[-1]
        assert f"{100 * at.stability[4].minority_rate:.2f}%" in shown
        assert re.search(rf"^{name} +6 ", shown, re.MULTILINE)
        assert f"{one.discrimination[0].separated(0.05):.1%}" in shown
    assert shown.count("A AP   B P@5") == 5  # stability, swap, sizes, two tests
    assert shown.count("Your best two runs") == 2


def test_what_to_believe_is_where_the_rates_stay_low(scores):
    """A rate that is low once and high again is not to be believed: .03 and not .01."""
    found = reliability(scores, measures=["AP"], trials=50, size=6)
    one = found.measures["AP"]
    [at] = one.at
    at = replace(at, swap=replace(at.swap, required_difference=0.01, required_difference_stays=0.03))
    found = replace(found, measures={"AP": replace(one, at=[at])})
    shown = results.text(found, verbose=True)
    assert "With 6 topics, believe a difference in AP of at least .03 (measured)" in shown
    said = required_difference(found, "AP", 12)
    assert "measured on two sets of 6, a lead of .03 or more holds at 95% confidence" in said
    never = replace(at, swap=replace(at.swap, required_difference=0.01, required_difference_stays=None))
    none = replace(found, measures={"AP": replace(one, at=[never])})
    assert "no AP difference is large enough to believe" in results.text(none, verbose=True)
    assert "measured on two sets of 6, no lead holds at 95% confidence" in required_difference(none, "AP", 12)


def test_the_leaderboard_speaks_of_the_topics_there_are_and_agrees_with_the_tables(scores):
    """Twelve topics: significance is about these, the lead that would hold about twelve others."""
    found = reliability(scores, measures=["AP"], trials=50, size=6)
    one = found.measures["AP"]
    beyond = replace(one.extrapolation, required_difference=0.05, interval=(0.04, 0.07))
    found = replace(found, measures={"AP": replace(one, extrapolation=beyond)})
    said = required_difference(found, "AP", 12)
    assert (round(one.critical.together, 2), round(one.critical.alone, 3)) == (0.11, 0.074)
    assert said.startswith(
        "On these 12 topics, leads in AP of about .11 or more are significant when all 15 pairs are tested, "
        "and of about .074 when one pair is"
    )
    assert "On 12 new topics, a lead of about .05 or more would probably hold (extrapolated" in said
    assert "95% interval .04 to .07" in said
    assert "`" not in said
    some = required_difference(found, "AP", 20)
    assert some.startswith("On the 12 of 20 topics on which every run has a value, leads in AP of")


def test_an_extrapolation_is_said_with_its_interval(scores):
    found = reliability(scores, measures=["AP"], trials=50, size=6)
    one = found.measures["AP"]
    for answer, ends, said in (
        (0.05, (0.04, 0.07), "about .05 (extrapolated, 95% interval .04 to .07)."),
        (0.2, (0.14, None), "about .20 (extrapolated, 95% interval .14 to none)."),
        (None, (0.18, None), "none up to .20 (extrapolated, 95% interval .18 to none)."),
        (0.05, None, "about .05 (extrapolated)."),
    ):
        beyond = replace(one.extrapolation, required_difference=answer, interval=ends)
        shown = results.text(replace(found, measures={"AP": replace(one, extrapolation=beyond)}), verbose=True)
        assert f"; with your {found.topics}, {said}" in shown
        assert f"A difference to believe would keep its direction on {REPEATED}." in shown


def test_two_sizes_draw_a_curve_over_sizes_and_one_does_not(scores):
    for sizes, drawn in (([6], 0), ([3, 6], 1)):
        found = reliability(scores, measures=["AP"], trials=50, size=sizes)
        assert results.text(found).count("\nDifference to believe, lower is better\n") == drawn
        assert len(re.findall(r"^AP +(?:3|6) ", results.text(found), re.MULTILINE)) == 2 * drawn


def test_a_study_without_swaps_says_what_is_wrong_and_tied(scores):
    found = reliability(scores, measures=["AP"], trials=50, size=10, no_swap=True)
    point = found.measures["AP"].at[0].stability[4]
    said = f"AP gets {point.minority_rate:.1%} of the comparisons wrong and calls {point.ties:.1%} ties (f = .05)."
    assert said in results.text(found, verbose=True)
    assert "Swaps" not in results.text(found, verbose=True)
    first = results.text(found).splitlines()[0]
    assert first == (
        f"On 10 topics, AP puts two runs in the wrong order in {point.minority_rate:.1%} of comparisons and calls {point.ties:.1%} ties; "
        "your best two are tied."
    )


def test_the_finding_and_a_row_per_share_and_measure():
    ranked = Shift(
        change=TrialMean(value=0.0125, error=0.0004), runs={"a": 0.0, "b": 0.025}, tau_b=TrialMean(value=0.9, error=0.01), lowest_tau_b=0.5,
        reversed=TrialMean(value=0.05, error=0.01), best_stays=0.97,
    )  # fmt: skip
    tied = Shift(
        change=TrialMean(value=-0.01, error=0.0), runs={"a": -0.01, "b": -0.01}, tau_b=None, lowest_tau_b=None, reversed=None,
        best_stays=1.0,
    )  # fmt: skip
    found = NewlyJudged(
        headline="RR", runs=["a", "b"], noun="question", questions=40, wrong=120, trials=200, seed=3,
        shares=[ShareResult(share=0.05, answers=6, measures={"RR": ranked, "Q": tied})], settings={},
    )  # fmt: skip
    text = repr(found)
    assert text.startswith(
        "If 5% of the answers judged wrong were right, the ranking of the 2 runs by RR would keep a tau of 0.90: 5.0% of the pairs "
        "change their order, and scores change by +0.0125."
    )
    rows = [line.split() for line in text.splitlines() if line.startswith("5% (6)")]
    assert rows[0][2:] == ["RR", "+0.0125", "±", "0.0004", "0.900", "±", "0.010", "0.500", "5.0%", "97.0%"]
    assert rows[1][2:] == ["Q", "-0.0100", "±", "0.0000", "n/a", "n/a", "n/a", "100.0%"]
    assert "2 runs on 40 questions; 120 distinct answers judged incorrect." in " ".join(text.split())


def test_a_fitted_curve_is_shown_at_the_largest_size_measured_and_at_all_topics(scores):
    study = reliability(scores, measures=["AP"], trials=20, size=6)
    beyond = SimpleNamespace(
        required_difference=0.0, size=40, points=[[(10, 0.2), (20, 0.1)], []], fitted=lambda k, size: size / 1000
    )
    study = replace(study, measures={"AP": replace(study.measures["AP"], extrapolation=beyond)})
    [fits] = pages._fits(study)
    assert [cell.text for cell in fits.rows[0]] == ["AP", "0.00", "10, 20", "10.00%", "2.00%", "4.00%"]
