"""The pages of a study, as the terminal prints them."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from assay.analyses.reliability.reliability import MeasureStudy, Reliability, SizeResult, reliability
from assay.reports import results
from assay.reports.pages.studies import required_difference
from assay.stats.stability import DifferenceBin, StabilityPoint, Swap

REPEATED = "a statement about repeating the comparison on another set of topics of this size"


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


def test_what_to_believe_is_where_the_rates_stay_low(scores):
    """A rate that is low once and high again is not to be believed: .03 and not .01."""
    found = reliability(scores, measures=["AP"], trials=50, size=6)
    one = found.measures["AP"]
    [at] = one.at
    at = replace(at, swap=replace(at.swap, required_difference=0.01, required_difference_stays=0.03))
    found = replace(found, measures={"AP": replace(one, at=[at])})
    shown = results.text(found)
    assert "With 6 topics, believe a difference in AP of at least 0.03 (measured)" in shown
    said = required_difference(found, "AP", 12)
    assert "a difference of at least 0.03 stays the same way round at 95% confidence on two sets of 6 topics" in said
    never = replace(at, swap=replace(at.swap, required_difference=0.01, required_difference_stays=None))
    none = replace(found, measures={"AP": replace(one, at=[never])})
    assert "no AP difference is large enough to believe" in results.text(none)
    assert "no difference seen on two sets of 6 topics stays the same way round" in required_difference(none, "AP", 12)


def test_the_leaderboard_speaks_of_the_topics_there_are_and_agrees_with_the_tables(scores):
    """Twelve topics: the critical difference is about all of them, the believable one about twelve others."""
    found = reliability(scores, measures=["AP"], trials=50, size=6)
    one = found.measures["AP"]
    beyond = replace(one.extrapolation, required_difference=0.05, interval=(0.04, 0.07))
    found = replace(found, measures={"AP": replace(one, extrapolation=beyond)})
    said = required_difference(found, "AP", 12)
    assert said.startswith("The critical difference: on these 12 topics, two runs are told apart that differ by about")
    assert (
        f" {one.critical.alone:.2g} in AP, or by about {one.critical.together:.2g} where all 15 pairs are tested"
        in said
    )
    assert f"The believable difference, {REPEATED}: with 12 topics about 0.05 would stay the same way round" in said
    assert "95% interval 0.04 to 0.07" in said
    assert "`" not in said
    some = required_difference(found, "AP", 20)
    assert some.startswith("The critical difference: on the 12 of 20 topics on which every run has a value, two runs")


def test_an_extrapolation_is_said_with_its_interval(scores):
    found = reliability(scores, measures=["AP"], trials=50, size=6)
    one = found.measures["AP"]
    for answer, ends, said in (
        (0.05, (0.04, 0.07), "about 0.05 (extrapolated, 95% interval 0.04 to 0.07)."),
        (0.2, (0.14, None), "about 0.20 (extrapolated, 95% interval 0.14 to none)."),
        (None, (0.18, None), "none up to 0.20 (extrapolated, 95% interval 0.18 to none)."),
        (0.05, None, "about 0.05 (extrapolated)."),
    ):
        beyond = replace(one.extrapolation, required_difference=answer, interval=ends)
        shown = results.text(replace(found, measures={"AP": replace(one, extrapolation=beyond)}))
        assert f"; with your {found.topics}, {said}" in shown
        assert f"A difference to believe is {REPEATED}." in shown


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


class TestAdvice:
    """Which difference to believe, and from how many pairs of runs on."""

    @staticmethod
    def study(runs: int, first: float | None = 0.06, stays: float | None = 0.16) -> Reliability:
        bins = [DifferenceBin(k / 100, 100, 2 if k in (6, 7) or k >= 16 else 8) for k in range(21)]
        swap = Swap("original", bins, DifferenceBin(0.0, 0, 0), Fraction(1, 20), first, stays, 0.8, 0.075, 0.7)
        points = [StabilityPoint(k / 100, 0.01, 0.1) for k in range(1, 11)]
        one = MeasureStudy(
            name="AP", at=[SizeResult(size=24, stability=points, swap=swap)], extrapolation=None,
            best=[("r0", 0.5), ("r1", 0.4)], missing=0, undefined=0,
        )  # fmt: skip
        return Reliability(
            runs=[f"r{i}" for i in range(runs)], noun="topic", topics=48, sizes=[24], trials=100, seed=0, rule="original",
            confidence=0.95, measures={"AP": one}, settings={},
        )  # fmt: skip

    def test_the_table_leads_with_the_difference_from_which_all_bins_stay(self):
        study = self.study(5)
        lines = repr(study).splitlines()
        head = next(line.split() for line in lines if "stays from" in line)
        row = next(line.split() for line in lines if line.startswith("AP "))
        assert head[:4] == ["measure", "stays", "from", "difference"]
        assert row[:3] == ["AP", "0.16", "0.06"]
        assert "believe a difference in AP of at least 0.16" in repr(study)
        assert "at least 0.16 stays the same way round" in required_difference(study, "AP", 48)

    def test_below_ten_pairs_there_is_no_advice(self):
        few, enough = self.study(4), self.study(5)
        assert (few.to_dict()["too_few_pairs"], enough.to_dict()["too_few_pairs"]) == (True, False)
        for text in (repr(few), required_difference(few, "AP", 48)):
            assert "too few pairs to advise" in text
            assert "(6 pairs of 4 runs, fewer than 10)" in text
            assert not re.search(r"at least 0\.\d\d|believe a difference|difference to believe at", text)
        for text in (repr(enough), required_difference(enough, "AP", 48)):
            assert "too few pairs" not in text
