"""Verdicts about margins: is a run worse by more than one (the gate), do two runs differ by less than one (equivalence)?

A gate reads two one-sided bounds of each difference by itself, signed so that positive is better:

    non-inferior   the lower bound, at 2.5% (half of alpha), lies above -margin
    inferior       the upper bound, at 2.5% over all verdicts of the command, lies below -margin

If a run has many more failed or missing topics than its baseline, or lacks a whole task, the verdict is undecided (`unscored.py`).
"Non-inferior everywhere" is one claim and true only where every verdict is, so its bound needs no adjustment (an intersection-union
test; Berger 1982). "Inferior somewhere" is true where any is: its level is divided by the number of verdicts.
"""

from __future__ import annotations

from assay.analyses.comparison.pair_statistics import PairStatistics
from assay.analyses.comparison.result import Equivalence
from assay.analyses.comparison.unscored import absent_tasks, run_coverage, too_many_unscored
from assay.errors import UsageError
from assay.resampling.arithmetic import Floats


class Margins:
    """The gate's verdict and the equivalence test of each pair; a margin of None asks for neither.

    verdicts     how many verdicts the gate reaches in all, over groups of topics and measures too; default: one a pair
    max_failed   by how much a run's share of failed and missing topics may exceed its baseline's
    """

    def __init__(
        self, statistics: PairStatistics, margin: float | None, equivalence_margin: float | None, verdicts: int | None,
        max_failed: float,
    ) -> None:  # fmt: skip
        self.max_failed: float | None = max_failed if margin is not None else None
        self._statistics = statistics
        self.margin: float | None = margin
        self.equivalence_margin: float | None = equivalence_margin
        self.verdicts: int = verdicts or len(statistics.a)
        options = statistics.options
        if equivalence_margin is not None and options.alpha >= 0.5:
            raise UsageError(
                f"`equivalence={equivalence_margin}`: two one-sided tests need a confidence above .5, not "
                f"`confidence={options.confidence}`"
            )
        self._sign = -1.0 if statistics.measure.declaration.higher_is_better is False else 1.0
        self._level = 2 * options.alpha
        self._narrow = statistics.ends(self._level) if equivalence_margin is not None else None
        self._bounds = None
        if margin is not None:
            lower, upper = options.alpha / 2, options.alpha / 2 / self.verdicts
            # A measure of which less is better has its worse end on the other side.
            rates = (lower, upper) if self._sign > 0 else (upper, lower)
            self._bounds = statistics.own_bounds(*rates)

    def bounds(self, i: int) -> tuple[float, float] | None:
        """The gate's bounds of pair i, positive being better; None without a gate or an interval."""
        ends = None if self._bounds is None else self._ends(self._bounds, i)
        if ends is None:
            return None
        low, high = sorted(self._sign * end for end in ends)
        return low, high

    def gate(self, i: int) -> str | None:
        """Non-inferior, inferior or undecided; None without a gate."""
        if self.margin is None:
            return None
        bounds = self.bounds(i)
        if bounds is None or self.reason(i) is not None:
            return "undecided"
        low, high = bounds
        return "non-inferior" if low > -self.margin else "inferior" if high < -self.margin else "undecided"

    def reason(self, i: int) -> str | None:
        """Return why the failures of pair i forbid a verdict; None where they do not."""
        if self.margin is None:
            return None
        columns = self._statistics.columns
        a, b = (columns.runs[int(side[i])] for side in (self._statistics.a, self._statistics.b))
        absent = absent_tasks(columns.scores, a, b) if (self.max_failed or 0.0) < 1 else None
        if absent is not None:
            return absent
        coverages = [run_coverage(columns.scores, name) for name in (a, b)]
        return too_many_unscored(coverages[0], coverages[1], (a, b), columns.noun, self.max_failed or 0.0)

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
