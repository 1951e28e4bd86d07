"""Stability and swap rates of a measure over random subsets of the topics.

Stability: how often a subset gets a pair of runs the wrong way round. Buckley and Voorhees, "Evaluating evaluation
measure stability", SIGIR 2000; Sakai's curve over the fuzziness (2004), as Peñas and Rodrigo (ACL 2011) drew it for
c@1, accuracy and UF.

Swap: how large a difference must be on one set of topics before another set of the same size agrees. Voorhees and
Buckley, "The effect of topic set size on retrieval experiment error", SIGIR 2002; Sakai's stricter rule and his table
of sensitivity (NTCIR-4 2004), as Peñas and Rodrigo (ACL 2011) used it for c@1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from operator import itemgetter
from typing import Any

import numpy as np

from assay.core.resample_reference import LEVELS
from assay.resampling.subsets import Counts

RULES = ("original", "sakai")
"""original: a swap is two differences of opposite sign. sakai: exactly one difference of zero is a swap too."""
BINS = 21
WRONG = Fraction(1, 20)
"""The swap rate that 95% confidence allows."""
SENSITIVITY = ("required_difference", "required_difference_stays", "highest", "relative", "sensitivity")
"""The attributes of `Swap` in the sensitivity table."""


@dataclass(frozen=True)
class StabilityPoint:
    """One point of the curve."""

    fuzziness: float
    minority_rate: float
    """Σ min(GT(x, y), GT(y, x)) over all comparisons: the probability of a wrong conclusion."""
    ties: float
    """Σ EQ(x, y) over all comparisons: the share without a conclusion."""


def stability(counts: Counts) -> list[StabilityPoint]:
    """Return the stability curve over f = .01 … .10.

    A pair on a subset is a tie if the values are equal or |M(x) - M(y)| < |f · max(M(x), M(y))|, otherwise
    it counts for the better run. In 10 trials of one pair, 6 for x, 3 for y and 1 tie are a minority rate of .3 and ties of .1:

    >>> import numpy as np
    >>> wins = np.array([[6] * 10 + [3] * 10])
    >>> stability(Counts(wins, np.zeros((22, 3), int), None, 10))[0]
    StabilityPoint(fuzziness=0.01, minority_rate=0.3, ties=0.1)
    """
    comparisons = len(counts.outcomes) * counts.trials
    wins = counts.outcomes.sum(axis=0).tolist()
    lesser = np.minimum(counts.outcomes[:, :LEVELS], counts.outcomes[:, LEVELS:]).sum(axis=0).tolist()
    points: list[StabilityPoint] = []
    for level, minority in enumerate(lesser):
        ties = comparisons - wins[level] - wins[LEVELS + level]
        points.append(StabilityPoint((level + 1) / 100, minority / comparisons, ties / comparisons))
    return points


@dataclass(frozen=True)
class DifferenceBin:
    """The comparisons whose difference on the first subset is in [from, from + .01), the last bin open above."""

    start: float
    comparisons: int
    swaps: int

    @property
    def rate(self) -> float | None:
        return self.swaps / self.comparisons if self.comparisons else None

    def to_dict(self) -> dict[str, float | int | None]:
        return {"from": self.start, "comparisons": self.comparisons, "swaps": self.swaps, "rate": self.rate}


@dataclass(frozen=True)
class Swap:
    """The swap rates of one measure at one size, and the row of the sensitivity table they give."""

    rule: str
    bins: list[DifferenceBin]
    zero: DifferenceBin
    """The part of bin 0 with a difference of exactly 0, which required differences ignore."""
    wrong: Fraction
    required_difference: float | None
    """Lower edge of the first non-empty bin whose rate is within the error allowed, if any."""
    required_difference_stays: float | None
    """Lower edge of the first non-empty bin from which every non-empty bin is within it: the difference to believe."""
    highest: float | None
    relative: float | None
    """The required difference divided by the highest value."""
    sensitivity: float | None
    """The share of comparisons on the first subset that reach the required difference."""

    @property
    def comparisons(self) -> int:
        return sum(b.comparisons for b in self.bins)

    @property
    def decided(self) -> list[DifferenceBin]:
        """The bins without differences of exactly 0."""
        first, zero = self.bins[0], self.zero
        return [
            DifferenceBin(first.start, first.comparisons - zero.comparisons, first.swaps - zero.swaps),
            *self.bins[1:],
        ]

    def to_dict(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "bins": [b.to_dict() for b in self.bins],
            "zero_differences": {"comparisons": self.zero.comparisons, "swaps": self.zero.swaps},
            "comparisons": self.comparisons,
            **{name: getattr(self, name) for name in SENSITIVITY},
        }


def swap(counts: Counts, *, rule: str = "original", wrong: Fraction = WRONG) -> Swap:
    """Return the swap rates by bin, and the required differences.

    100 comparisons of .00-.01, half of them swapped, and 100 of .01-.02, 5 of them swapped, require a difference of
    .01, which half of the comparisons reach:

    >>> import numpy as np
    >>> reached = np.array([[200, 55, 0], [200, 55, 0], [100, 5, 0]] + [[0, 0, 0]] * 19)
    >>> result = swap(Counts(np.zeros((1, 20), int), reached, 0.5, 200))
    >>> result.required_difference, result.relative, result.sensitivity
    (0.01, 0.02, 0.5)
    """
    cumulated = [[int(cell) for cell in row] for row in counts.edges]
    reached = [row[0] for row in cumulated]
    swapped = [row[1] + (row[2] if rule == "sakai" else 0) for row in cumulated]

    def between(low: int, high: int, start: int) -> DifferenceBin:
        beyond = (reached[high], swapped[high]) if high < len(reached) else (0, 0)
        return DifferenceBin(start / 100, reached[low] - beyond[0], swapped[low] - beyond[1])

    bins = [between(0, 2, 0)] + [between(k + 1, k + 2, k) for k in range(1, BINS)]
    decided = [b for b in (between(1, 2, 0), *bins[1:]) if b.comparisons]
    first, stays = believed(
        [(b.start, b.swaps * wrong.denominator <= b.comparisons * wrong.numerator) for b in decided]
    )
    relative = sensitivity = None
    if first is not None:
        relative = first / counts.highest if counts.highest is not None and counts.highest > 0 else None
        sensitivity = (reached[round(100 * first) + 1] if first else reached[0]) / reached[0]
    return Swap(rule, bins, between(0, 1, 0), wrong, first, stays, counts.highest, relative, sensitivity)


def believed(edges: Sequence[tuple[float, bool]]) -> tuple[float | None, float | None]:
    """Return the first edge whose bin is good, and the first from which all are.

    >>> believed([(0.0, False), (0.01, True), (0.02, False), (0.03, True), (0.04, True)])
    (0.01, 0.03)
    """
    lasting = list(takewhile(itemgetter(1), reversed(edges)))
    return next((start for start, good in edges if good), None), lasting[-1][0] if lasting else None
