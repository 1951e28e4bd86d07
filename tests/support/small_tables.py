"""A table of topics × runs made by hand, for models of it."""

from __future__ import annotations

RUNS = ("a", "b", "c", "d")
TOPICS_BY_RUNS = [
    [0.42, 0.35, 0.51, 0.22],
    [0.10, 0.08, 0.05, 0.31],
    [0.77, 0.70, 0.64, 0.80],
    [0.55, 0.49, 0.61, 0.20],
    [0.31, 0.33, 0.28, 0.45],
    [0.66, 0.52, 0.70, 0.41],
    [0.24, 0.20, 0.33, 0.02],
    [0.91, 0.83, 0.78, 0.66],
    [0.38, 0.36, 0.47, 0.51],
    [0.15, 0.17, 0.09, 0.03],
    [0.59, 0.44, 0.62, 0.28],
    [0.48, 0.43, 0.40, 0.60],
]
"""Run b follows a closely and a little below, d goes its own way: with unequal variances the error of d is the largest."""
