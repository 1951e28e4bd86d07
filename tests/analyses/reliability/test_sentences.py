"""Sentences about reliability: which difference to believe, and from how many pairs of runs on."""

from __future__ import annotations

import re
from fractions import Fraction

from assay.analyses.reliability.reliability import MeasureStudy, Reliability, SizeResult
from assay.analyses.reliability.sentences import required_difference
from assay.reports.results import text
from assay.stats.stability import DifferenceBin, StabilityPoint, Swap


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
        lines = text(study, verbose=True).splitlines()
        head = next(line.split() for line in lines if "stays from" in line)
        [_, row] = [line.split() for line in lines if line.startswith("AP ")]
        assert head[:4] == ["measure", "stays", "from", "difference"]
        assert row[:3] == ["AP", "0.16", "0.06"]
        assert "believe a difference in AP of at least .16" in text(study, verbose=True)
        assert "a lead of .16 or more holds at 95% confidence" in required_difference(study, "AP", 48)

    def test_below_ten_pairs_there_is_no_advice(self):
        few, enough = self.study(4), self.study(5)
        assert (few.to_dict()["too_few_pairs"], enough.to_dict()["too_few_pairs"]) == (True, False)
        for said in (text(few, verbose=True), required_difference(few, "AP", 48)):
            assert "too few pairs to advise" in said
            assert "(6 pairs of 4 runs, fewer than 10)" in said
            assert not re.search(r"at least \.\d\d|believe a difference|difference to believe at", said)
        for said in (text(enough, verbose=True), required_difference(enough, "AP", 48)):
            assert "too few pairs" not in said

    def test_where_no_difference_stays_the_confidence_is_said(self):
        said = required_difference(self.study(5, None, None), "AP", 48)
        assert (
            "no AP difference is large enough to believe at 95% confidence (measured)"
            in text(self.study(5, None, None), verbose=True) + said
        )
