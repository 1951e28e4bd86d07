"""Problems of a few runs and topics, written as one reads them."""

from __future__ import annotations

import numpy as np

from assay.resampling.resamplers import MeanResampler, SumsResampler
from assay.resampling.subsets import Counts, Subsets
from assay.stats.stability import swap

ACCURACY = ("accuracy", "C", lambda n, correct: (correct, n))
C_AT_1 = ("c@1", "CU", lambda n, c, u: (c * (n + u), n * n))
UF = ("UF", "CW", lambda n, c, w: (c - w, n))


def problem_of(rows, measures=(ACCURACY, C_AT_1, UF)):
    """Measures of outcomes: a name, the outcomes that are counted, and the formula."""
    table = np.array([list(row) for row in rows]).T
    samples = {
        name: SumsResampler(np.stack([table == outcome for outcome in counted], axis=2), formula)
        for name, counted, formula in measures
    }
    return Subsets([f"r{i}" for i in range(len(rows))], samples)


def averages(matrix, name="M"):
    """One measure that is a mean over topics; matrix[run][topic]."""
    return Subsets([f"r{i}" for i in range(len(matrix))], {name: MeanResampler(np.array(matrix, float).T)})


def swap_of(*bins):
    """Swap rates given as (comparisons, swaps) of bin 0's differences of exactly 0, of the rest of bin 0, of bin 1 …"""
    edges = [[sum(row[k] for row in bins[i:]) for k in (0, 1)] + [0] for i in range(len(bins))]
    return swap(Counts(np.zeros((1, 20), int), np.array(edges + [[0, 0, 0]] * (22 - len(bins))), 0.5, 100))
