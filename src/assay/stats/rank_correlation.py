"""Rank correlation of two rankings of the same runs. Higher scores rank first; equal scores are ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement

import numpy as np

from assay.errors import InputError
from assay.parameters import public
from assay.resampling.arithmetic import Floats
from assay.settings import BETWEEN, checked

Ranking = Sequence[float] | Floats
"""A score per run."""


def _pair(x: Ranking, y: Ranking) -> tuple[Floats, Floats]:
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.shape != second.shape or first.ndim != 1:
        raise InputError(f"expected two rankings of the same runs, found {first.size} and {second.size} scores")
    if len(first) < 2:
        raise InputError(f"a ranking needs at least 2 runs; found {len(first)}")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise InputError("a run without a score cannot be ranked. Fix: omit it from both rankings.")
    return first, second


def kendall_tau_b(x: Ranking, y: Ranking) -> float | None:
    """Return Kendall's τ-b = (C - D)/√((P - ties in x)(P - ties in y)) over all P pairs; None if either is all ties.

    >>> kendall_tau_b([3, 2, 1], [3, 1, 2])  # 2 concordant, 1 discordant
    0.3333333333333333
    """
    first, second = _pair(x, y)
    upper = np.triu_indices(len(first), 1)
    signs = np.sign(first[:, None] - first[None, :])[upper]
    others = np.sign(second[:, None] - second[None, :])[upper]
    bottom = np.count_nonzero(signs) * np.count_nonzero(others)
    return float((signs * others).sum() / np.sqrt(bottom)) if bottom else None


def tau_ap(x: Ranking, truth: Ranking) -> float:
    """Return τ_AP of a ranking against a reference: errors near the top cost more (Yilmaz, Aslam and Robertson, SIGIR 2008).

    τ_AP = 2/(N-1) Σ_{i=2..N} C(i)/(i-1) - 1, C(i) the runs ranked above place i of x that the reference also ranks
    above the run there. Ties in either count as the mean over every order of the tied runs: half a pair each.

    >>> round(tau_ap([3, 2, 1], [3, 1, 2]), 6)  # C(2) = 1, C(3) = 1: 2/2 (1/1 + 1/2) - 1
    0.5
    """
    scores, reference = _pair(x, truth)
    n = len(scores)
    total = 0.0
    above = 0
    for score in np.unique(scores)[::-1]:
        group = np.flatnonzero(scores == score)
        higher = np.flatnonzero(scores > score)
        # Tied runs are equally likely at each of their places, so the mean number of right orders counts.
        right = (np.sign(reference[higher][:, None] - reference[group][None, :]) + 1).sum() / 2 / len(group)
        for j in range(len(group)):
            place = above + j + 1
            if place > 1:
                total += (right + j / 2) / (place - 1)
        above += len(group)
    return float(2 / (n - 1) * total - 1)


def rbo(x: Ranking, y: Ranking, p: float = 0.9) -> float:
    """Return the rank-biased overlap of two rankings of the same runs, extrapolated (Webber, Moffat and Zobel, TOIS 2010, eq. 23).

    RBO = (1-p)/p Σ_{d=1..n} p^d X(d)/d + p^n, X(d) the overlap of the first d. A run tied over places t to b is in
    the first d with the share (d-t+1)/(b-t+1): the mean over every order of tied runs (RBO^a, Corsi and Urbano 2024).

    >>> rbo([3, 2, 1], [3, 2, 1])
    1.0
    >>> round(rbo([2, 1], [1, 2], p=0.5), 6)  # X(1) = 0, X(2) = 2: 1 · (0.25 · 1) + 0.25
    0.5
    """
    checked("p", p, BETWEEN)
    first, second = _pair(x, y)
    n = len(first)
    depth = np.arange(1, n + 1)
    overlap = (_share_in_top(first) * _share_in_top(second)).sum(axis=0)
    return float((1 - p) / p * (p**depth * overlap / depth).sum() + p**n * overlap[-1] / n)


def _share_in_top(scores: Floats) -> Floats:
    """Return for each run and depth d the share of the run in the first d places."""
    top = (scores[None, :] > scores[:, None]).sum(axis=1)[:, None]
    size = (scores[None, :] == scores[:, None]).sum(axis=1)[:, None]
    depth = np.arange(1, len(scores) + 1)[None, :]
    return np.clip((depth - top) / size, 0.0, 1.0)


def taus(rankings: Mapping[str, Sequence[float | None]]) -> dict[tuple[str, str], float | None]:
    """Return Kendall's tau-b of every pair of rankings, higher being better, over the runs with a value in both.

    >>> taus({"AP": [0.3, 0.2, 0.1], "RR": [0.9, None, 1.0]})["AP", "RR"]
    -1.0
    """
    by_pair: dict[tuple[str, str], float | None] = {}
    for x, y in combinations_with_replacement(rankings, 2):
        both = [(a, b) for a, b in zip(rankings[x], rankings[y], strict=True) if a is not None and b is not None]
        by_pair[x, y] = kendall_tau_b([a for a, _ in both], [b for _, b in both]) if len(both) > 1 else None
    return by_pair


@public
def agreement(
    first: Mapping[str, float | None], second: Mapping[str, float | None], p: float = 0.9
) -> dict[str, float | None] | None:
    """Measure how alike two rankings of runs are, over the runs with a value in both.

    first    {run: value}, higher being better: `scores.upwards("AP")`, or the `upwards` of a comparison
    second   another, such as another measure's or another collection's
    p        the persistence of rank-biased overlap

    Returns
        dict         the number of shared runs, Kendall's tau-b, tau-AP with the second ranking as reference, and rank-biased
                     overlap; None if fewer than 2 runs are shared

    Raises
        UsageError   `p` is not between 0 and 1

    >>> agreement({"a": 0.3, "b": 0.2}, {"a": 0.9, "b": 0.5, "c": 1.0})
    {'runs': 2, 'tau_b': 1.0, 'tau_ap': 1.0, 'rbo': 1.0}
    """
    shared = [run for run, value in first.items() if value is not None and second.get(run) is not None]
    if len(shared) < 2:
        return None
    x, y = ([float(ranking[run] or 0) for run in shared] for ranking in (first, second))
    return {"runs": len(shared), "tau_b": kendall_tau_b(x, y), "tau_ap": tau_ap(x, y), "rbo": rbo(x, y, p)}
