"""A score that a judge gave, corrected by the few questions a person has judged too.

    PPI++   λ · mean(judge, where nobody labelled) + mean(human - λ · judge, where somebody did)

with the λ that makes it vary least, from 0 (the labels alone) to 1 (Angelopoulos, Duchi and Zrnic, PPI++: Efficient
Prediction-Powered Inference, 2023). However bad the judge is, the interval is about what people would say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.errors import InputError
from assay.stats.labelled import agreement_of


@dataclass(frozen=True)
class Corrected:
    """What a judge says of all questions, and what people would."""

    judge: float
    """The mean of the judge's scores over all questions."""
    value: float
    """The mean people would have given."""
    interval: tuple[float, float]
    confidence: float
    weight: float
    """λ: how far the judge is listened to."""
    questions: int
    labelled: int
    sensitivity: float | None
    """Of what people call right, the share the judge does too; None where scores are not all 0 or 1, or nothing is right."""
    specificity: float | None
    kappa: float | None
    """Cohen's, of judge and people."""


def corrected(judge: Sequence[float], human: Sequence[float | None], *, confidence: float = 0.95) -> Corrected:
    """A judge's mean score, corrected by people's labels.

    judge        a score per question, from 0 to 1
    human        people's score of the same question; None where nobody looked
    confidence   of the interval

    >>> found = corrected([1, 1, 0, 0, 1, 1, 0, 1], [1, 0, 0, 0, None, None, None, None])
    >>> found.judge, found.sensitivity, round(found.specificity, 4), found.kappa
    (0.625, 1.0, 0.6667, 0.5)
    """
    from scipy.special import ndtri

    said = np.asarray(judge, dtype=np.float64)
    if len(human) != len(said):
        raise InputError(f"expected a label, or None, for each of {len(said)} questions, found {len(human)}")
    seen = np.array([label is not None for label in human], dtype=bool)
    labels = np.array([label for label in human if label is not None], dtype=np.float64)
    here, elsewhere = said[seen], said[~seen]
    n, others = len(labels), len(elsewhere)
    if n < 2 or others < 2:
        raise InputError(f"{n} questions are labelled and {others} are not; a correction needs at least 2 of each")
    if min(said.min(), labels.min()) < 0 or max(said.max(), labels.max()) > 1:
        raise InputError("expected scores from 0 to 1")
    spread = (1 + n / others) * said.var(ddof=1)
    together = ((labels - labels.mean()) * (here - here.mean())).mean()
    weight = float(np.clip(together / spread, 0, 1)) if spread > 0 else 0.0
    rest = labels - weight * here
    value = weight * elsewhere.mean() + rest.mean()
    error = np.sqrt(weight**2 * elsewhere.var(ddof=1) / others + rest.var(ddof=1) / n)
    half = float(ndtri((1 + confidence) / 2) * error)
    ends = max(float(value) - half, 0.0), min(float(value) + half, 1.0)
    agreed = (
        agreement_of(here, labels) if np.isin(said, (0, 1)).all() and np.isin(labels, (0, 1)).all() else (None,) * 3
    )
    return Corrected(float(said.mean()), float(value), ends, confidence, weight, len(said), n, *agreed)
