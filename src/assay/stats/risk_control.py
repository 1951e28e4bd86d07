"""Risk control: the confidence above which at most a given share of answers is wrong, as a guarantee (Learn then Test).

A threshold chosen because the risk on these questions is low guarantees nothing about new ones. Learn then Test (Angelopoulos,
Bates, Candès, Jordan and Lei, Learn then Test: Calibrating Predictive Algorithms to Achieve Risk Control, Annals of Applied
Statistics 2025) tests, for each threshold, the hypothesis that more than the share `risk` of the answers with at least that
confidence would be wrong. All thresholds whose hypothesis is rejected are guaranteed at once, with probability `confidence`.

    thresholds   GRID, fixed before any data is seen: two decimals, and finer ones near 0 and 1
    p-value      exact binomial: with k such answers of which w are wrong, the probability of at most w wrong in k at a rate of
                 `risk`. Given k, the answers above a fixed threshold are independent draws where questions are.
    order        fixed-sequence testing from the highest threshold down: a rejected hypothesis passes its level on to the next.
                 One confident error at the top of a single chain would lose the whole level, so five chains start at fixed
                 places with a fifth each, and levels of chains that meet add up (the fallback procedure: Wiens and Dmitrienko,
                 Journal of Biopharmaceutical Statistics 2005).

Questions must be independent draws; risk may depend on confidence in any way. `benchmarks/guarantee_coverage.py` measures how
often the guarantee holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log
from typing import Any

import numpy as np

FINE = [round(step * 1e-4, 4) for step in range(1, 10)] + [round(step * 1e-3, 3) for step in range(1, 10)]
GRID = tuple(sorted({0.0, *FINE, *(round(step / 100, 2) for step in range(1, 101)), *(round(1 - x, 4) for x in FINE)}))[
    ::-1
]
"""Thresholds, the highest first. They must not depend on the answers."""
STARTS = (0.99, 0.95, 0.9, 0.7, 0.4)
"""Where a chain of tests begins, each with an equal part of the level."""


@dataclass(frozen=True, slots=True)
class TestedThreshold:
    """One tested threshold."""

    threshold: float
    answers: int
    """With at least that confidence."""
    wrong: int
    p: float
    level: float
    """The hypothesis is rejected if p is at most this."""
    promised: bool


def ladder(correct: Any, confidence: Any, risk: float, level: float) -> list[TestedThreshold]:
    """Test every threshold of GRID that has answers, in order.

    correct      of each answer given, 1 or 0
    confidence   of each answer given
    risk         the accepted share of wrong answers
    level        the probability of any mistaken rejection

    Fifty right answers at 0.95 and fifty wrong ones at 0.2. At the two starts from 0.9 the p-value is 0.9⁵⁰ = 0.005, below a
    fifth of 0.1; at 0.2, 50 of 100 are wrong:

    >>> steps = ladder([1] * 50 + [0] * 50, [0.95] * 50 + [0.2] * 50, 0.1, 0.1)
    >>> [(step.threshold, step.answers, round(step.p, 3), round(step.level, 2)) for step in steps if step.threshold in (0.95, 0.9)]
    [(0.95, 50, 0.005, 0.02), (0.9, 50, 0.005, 0.04)]
    >>> min(step.threshold for step in steps if step.promised)
    0.21
    """
    from scipy.special import bdtr

    stated = np.sort(np.asarray(confidence, dtype=np.float64))
    errors = np.sort(np.asarray(confidence, dtype=np.float64)[np.asarray(correct) == 0])
    above, wrong = (len(column) - np.searchsorted(column, GRID, side="left") for column in (stated, errors))
    steps: list[TestedThreshold] = []
    carried = 0.0
    for threshold, k, w in zip(GRID, above.tolist(), wrong.tolist(), strict=True):
        threshold_level = carried + (level / len(STARTS) if threshold in STARTS else 0.0)
        p = float(bdtr(w, k, risk)) if k else 1.0
        promised = 0 < threshold_level >= p  # at level 0 even a p-value that underflows to 0 rejects nothing
        carried = threshold_level if promised else 0.0
        if k:
            steps.append(TestedThreshold(threshold, k, w, p, threshold_level, promised))
    return steps


def fewest_answers(risk: float, level: float) -> int:
    """Return how many answers without an error a guarantee needs: (1 - risk)^k at most a start's part of the level.

    >>> fewest_answers(0.05, 0.1)  # 0.95⁷⁶ = 0.0203 and 0.95⁷⁷ = 0.0193
    77
    """
    return ceil(log(level / len(STARTS)) / log(1 - risk) - 1e-9)
