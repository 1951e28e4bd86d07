"""Stability: how often a random subset of the topics gets a pair of runs the wrong way round.

Buckley and Voorhees, "Evaluating evaluation measure stability", SIGIR 2000; Sakai's curve over the fuzziness (2004), as
Peñas and Rodrigo (ACL 2011) drew it for c@1, accuracy and UF.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.resampling.kernels import LEVELS
from assay.resampling.subsets import Counts


@dataclass(frozen=True)
class StabilityPoint:
    """One point of the curve."""

    fuzziness: float
    minority_rate: float
    """Σ min(GT(x, y), GT(y, x)) over all comparisons: the chance of a wrong conclusion."""
    ties: float
    """Σ EQ(x, y) over all comparisons: how often no conclusion is reached."""

    def to_dict(self) -> dict[str, float]:
        return {"fuzziness": self.fuzziness, "minority_rate": self.minority_rate, "ties": self.ties}


def stability(counts: Counts) -> list[StabilityPoint]:
    """The curve over f = .01 … .10.

    A pair on a subset is a tie where the values are equal or |M(x) - M(y)| < |f · max(M(x), M(y))|, else it counts
    for the better run. In 10 trials of one pair, 6 for x, 3 for y and 1 tie are a minority rate of .3 and ties of .1:

    >>> import numpy as np
    >>> from assay.resampling.subsets import Counts
    >>> wins = np.array([[6] * 10 + [3] * 10])
    >>> stability(Counts(wins, np.zeros((22, 3), int), None, 10))[0]
    StabilityPoint(fuzziness=0.01, minority_rate=0.3, ties=0.1)
    """
    comparisons = len(counts.outcomes) * counts.trials
    points: list[StabilityPoint] = []
    for level in range(LEVELS):
        first, second = counts.outcomes[:, level], counts.outcomes[:, LEVELS + level]
        minority = sum(min(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True))
        ties = comparisons - int(first.sum()) - int(second.sum())
        points.append(StabilityPoint((level + 1) / 100, minority / comparisons, ties / comparisons))
    return points
