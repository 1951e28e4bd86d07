"""Agreement coefficients from additive counts per topic: over all topics, one topic, or bootstrap samples of topics."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import NDArray

from assay.analyses.judges.judgments import GradeScale, JudgeTable
from assay.core import resample as kernels
from assay.resampling.arithmetic import Floats, Integers
from assay.stats.agreement_coefficients import (
    cohen_kappa,
    distances,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    ordinal_distances,
)  # fmt: skip

KAPPAS = ("kappa", "kappa_linear", "kappa_quadratic")
COEFFICIENTS = ("raw", *KAPPAS, "fleiss", "AC1", "alpha", "alpha_ordinal", "alpha_interval")
PURPOSE = "agreement"
Draws = Floats | NDArray[np.uint16]
CHUNK = 1 << 22
"""Cells of the matrix of draws that are converted to floating point at once."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of a group of judges by topic (the first axis); `confusion` of two judges only."""

    coincidences: Floats
    usage: Floats
    agreeing: Floats
    shared: Floats
    judged: Floats
    confusion: Floats | None

    def flat(self) -> Floats:
        """Return all counts as a row per topic."""
        parts = [self.coincidences, self.usage, self.agreeing, self.shared, self.judged, self.confusion]
        return np.concatenate([part.reshape(len(self.shared), -1) for part in parts if part is not None], axis=1)


def tallied(judged: JudgeTable, columns: list[int]) -> Tally:
    """Count the grades of some judges, topic by topic."""
    k, topics = len(judged.scale.labels), len(judged.topics)
    codes = judged.codes[:, columns]
    grades = np.zeros((len(codes), k))
    for column in codes.T:
        rows = np.flatnonzero(column >= 0)
        grades[rows, column[rows]] += 1
    m = grades.sum(axis=1)
    several = m > 1
    coincidences, usage = np.zeros((topics, k, k)), np.zeros((topics, k))
    order = np.argsort(judged.topic_of, kind="stable")
    for topic, rows in enumerate(np.split(order, np.searchsorted(judged.topic_of[order], np.arange(1, topics)))):
        usage[topic] = (grades[rows] / np.maximum(m[rows], 1)[:, None]).sum(axis=0)
        paired = rows[several[rows]]
        weighed = grades[paired] / (m[paired] - 1)[:, None]
        coincidences[topic] = weighed.T @ grades[paired] - np.diag(weighed.sum(axis=0))
    pairs = np.where(several, m * (m - 1), 1)
    agreeing = np.where(several, (grades * (grades - 1)).sum(axis=1) / pairs, 0.0)

    def by_topic(values: Floats) -> Floats:
        return np.bincount(judged.topic_of, weights=values, minlength=topics).astype(np.float64)

    return Tally(
        coincidences, usage, by_topic(agreeing), by_topic(several.astype(float)), by_topic((m > 0).astype(float)),
        _confusion(judged, codes) if len(columns) == 2 else None,
    )  # fmt: skip


def _confusion(judged: JudgeTable, codes: Integers) -> Floats:
    k, topics = len(judged.scale.labels), len(judged.topics)
    both = (codes >= 0).all(axis=1)
    cells = (judged.topic_of[both] * k + codes[both, 0]) * k + codes[both, 1]
    return np.bincount(cells, minlength=topics * k * k).astype(np.float64).reshape(topics, k, k)


def closed(sums: Floats, scale: GradeScale) -> dict[str, Floats]:
    """Return the coefficients of sums in the layout of `Tally.flat`; NaN for those that need an order if there is none."""
    k = len(scale.labels)
    shape = sums.shape[:-1]
    coincidences = sums[..., : k * k].reshape(*shape, k, k)
    usage, (agreeing, shared, judged) = (
        sums[..., k * k : k * k + k],
        np.moveaxis(sums[..., k * k + k : k * k + k + 3], -1, 0),
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.where(shared > 0, agreeing / shared, np.nan)
        shares = np.where(judged[..., None] > 0, usage / judged[..., None], np.nan)
    nothing = np.full(shape, np.nan)
    plain = distances(range(k), 0)
    linear, square = (None, None) if scale.values is None else (distances(scale.values, 1), distances(scale.values, 2))
    coefficients = {"raw": observed}
    if sums.shape[-1] > k * k + k + 3:
        confusion = sums[..., k * k + k + 3 :].reshape(*shape, k, k)
        for name, apart in zip(KAPPAS, (plain, linear, square), strict=True):
            coefficients[name] = nothing if apart is None else cohen_kappa(confusion, apart)
    coefficients |= {
        "fleiss": fleiss_kappa(observed, shares),
        "AC1": gwet_ac1(observed, shares),
        "alpha": krippendorff_alpha(coincidences, plain),
        "alpha_ordinal": nothing
        if square is None
        else krippendorff_alpha(coincidences, ordinal_distances(coincidences)),
        "alpha_interval": nothing if square is None else krippendorff_alpha(coincidences, square),
    }
    return coefficients


def draws(topics: int, resamples: int, seed: int) -> Draws:
    """Return how often each topic is drawn in each resample; as 16-bit integers if floating point would take much memory."""
    small = resamples * topics <= CHUNK
    counts: Draws = np.zeros((resamples, topics), np.float64) if small else np.zeros((resamples, topics), np.uint16)
    for trial in range(resamples):
        rows = kernels.bootstrap_rows(topics, trial=trial, seed=seed, purpose=PURPOSE)
        counts[trial] = np.bincount(rows, minlength=topics)
    return counts


def resampled(flat: Floats, counts: Draws, scale: GradeScale) -> dict[str, Floats]:
    """Return the coefficients of every resample."""
    step = max(1, CHUNK // max(flat.shape))
    parts = [
        closed(counts[i : i + step].astype(np.float64, copy=False) @ flat, scale) for i in range(0, len(counts), step)
    ]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]} if parts else {}


def ends(values: Floats, confidence: float) -> tuple[float, float] | None:
    """Return the percentile interval of the resamples with a value; None if fewer than half have one.

    >>> ends(np.arange(99.0), 0.9)  # the 5th lowest and the 5th highest
    (4.0, 94.0)
    """
    known = np.sort(values[np.isfinite(values)])
    place = floor((1 - confidence) / 2 * (len(known) + 1) + 1e-9)
    if 2 * len(known) < len(values) or place < 1:
        return None
    return float(known[place - 1]), float(known[-place])
