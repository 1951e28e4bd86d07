"""Verdicts about margins, read off the intervals: is a run worse by more than one, do two runs differ by less than one?"""

from __future__ import annotations

from assay.analyses.comparison.pair_statistics import PairStatistics
from assay.analyses.comparison.result import Equivalence
from assay.errors import UsageError
from assay.resampling.arithmetic import Floats


class Margins:
    """The gate's verdict and the equivalence test of each pair; a margin of None asks for neither."""

    def __init__(self, statistics: PairStatistics, margin: float | None, equivalence_margin: float | None) -> None:
        self._statistics, self.margin, self.equivalence_margin = statistics, margin, equivalence_margin
        options = statistics.options
        if equivalence_margin is not None and options.alpha >= 0.5:
            raise UsageError(
                f"`equivalence={equivalence_margin}`: two one-sided tests need a confidence above .5, not "
                f"`confidence={options.confidence}`"
            )
        self._sign = -1.0 if statistics.measure.declaration.higher_is_better is False else 1.0
        self._level = 2 * options.alpha
        self._narrow = statistics.ends(self._level) if equivalence_margin is not None else None

    def gate(self, i: int) -> str | None:
        """Non-inferior where the whole interval lies above -margin, inferior where it lies below, else undecided."""
        if self.margin is None:
            return None
        ends = self._ends((self._statistics.low, self._statistics.high), i)
        if ends is None:
            return "undecided"
        low, high = sorted(self._sign * end for end in ends)
        return "non-inferior" if low > -self.margin else "inferior" if high < -self.margin else "undecided"

    def equivalence(self, i: int) -> Equivalence | None:
        """Two one-sided tests at α: a two-sided interval at 2α that lies within the margin."""
        if self._narrow is None or self.equivalence_margin is None:
            return None
        ends = self._ends(self._narrow, i)
        margin = self.equivalence_margin
        same = ends is not None and -margin < ends[0] and ends[1] < margin
        return Equivalence(margin, ends, round(1 - self._level, 12), same)

    def _ends(self, ends: tuple[Floats, Floats], i: int) -> tuple[float, float] | None:
        return self._statistics.within_range(float(ends[0][i]), float(ends[1][i]))
