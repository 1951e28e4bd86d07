"""Whether labelled questions are like the others: a field of theirs at a time, and strata that make them alike.

Labels of easy questions say little about difficult ones. A field with numbers is compared by its means, another by the shares of its
values. Strata are the values, or quarters of the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from assay.resampling.arithmetic import Floats, Integers
from assay.resampling.sign_flips import CLOSE
from assay.stats.labelled_verdicts import Flags

MAX_VALUES = 20
"""A field with more different words is no type of question, but a name of each."""
FEW_NUMBERS = 8
"""Up to so many different numbers are values, such as a number of hops; more are cut into quarters."""
MIN_EXPECTED = 5
"""Values of which fewer questions are expected among the labelled are tested together."""
NO_VALUE = "no value"


class Imbalance(NamedTuple):
    """How the labelled questions differ from the others in a field."""

    p: float
    """Of a test of two means, or of shares (χ²)."""
    value: str | None
    """The value whose shares differ most; None of numbers."""
    labelled: float
    """The share of this value among the labelled, or the mean of numbers."""
    others: float


class Strata(NamedTuple):
    """Groups of questions by a field."""

    numbers: Integers
    """Of each question, counted from 0."""
    labels: list[str]
    """What to call each group."""


def as_numbers(values: Sequence[Any]) -> Floats | None:
    """Return a field as numbers, NaN where a question has none; None where it is not one of numbers, or of few different ones.

    >>> as_numbers(["law", "art"]) is None, as_numbers([1, 2, 2]) is None
    (True, True)
    >>> as_numbers([str(n / 2) for n in range(9)])[:3].tolist()
    [0.0, 0.5, 1.0]
    """
    try:
        numbers = np.array([np.nan if value in (None, "") else float(value) for value in values])
    except (TypeError, ValueError):
        return None
    known = numbers[np.isfinite(numbers)]
    return numbers if len(np.unique(known)) > FEW_NUMBERS else None


def strata_of(values: Sequence[Any]) -> Strata | None:
    """Group questions by the values of a field, or by quarters of its numbers; None where it has one value, or too many.

    >>> strata_of(["law", None, "law", "art"])
    Strata(numbers=array([1, 2, 1, 0]), labels=['art', 'law', 'no value'])
    >>> strata_of([1.5 * n for n in range(12)]).labels
    ['0 to 3', '4.5 to 7.5', '9 to 12', '13.5 to 16.5']
    """
    numbers = as_numbers(values)
    if numbers is None:
        words = [NO_VALUE if value in (None, "") else str(value) for value in values]
        labels = sorted({*words} - {NO_VALUE}) + ([NO_VALUE] if NO_VALUE in words else [])
        place = {label: number for number, label in enumerate(labels)}
        groups = np.array([place[word] for word in words], dtype=np.int64)
    else:
        known = np.isfinite(numbers)
        cuts = np.quantile(numbers[known], [0.25, 0.5, 0.75])
        groups = np.where(known, np.searchsorted(cuts, numbers, side="left"), 4)
        used, groups = np.unique(groups, return_inverse=True)
        labels = [
            NO_VALUE if group == 4 else f"{numbers[groups == place].min():.4g} to {numbers[groups == place].max():.4g}"
            for place, group in enumerate(used.tolist())
        ]
    return Strata(groups, labels) if 1 < len(labels) <= MAX_VALUES else None


def imbalance(values: Sequence[Any], labelled: Flags, cluster_size: float = 1.0) -> Imbalance | None:
    """Test whether labelled questions differ from the others in a field; None where it cannot be tested.

    cluster_size   the mean number of labelled questions of a cluster, by which the statistic is divided

    Of 40 labelled questions 30 are about law, of 160 others 40: χ² = 200 · (30·120 - 10·40)²/(40·160·70·130) = 35.16.

    >>> law = np.array([True] * 30 + [False] * 10 + [True] * 40 + [False] * 120)
    >>> found = imbalance(["law" if one else "art" for one in law], np.arange(200) < 40)
    >>> found.value, found.labelled, found.others, f"{found.p:.2g}"
    ('law', 0.75, 0.25, '3e-09')
    """
    from scipy.special import chdtrc, ndtr

    numbers = as_numbers(values)
    if numbers is not None:
        known = np.isfinite(numbers)
        here, there = numbers[labelled & known], numbers[~labelled & known]
        if min(len(here), len(there)) < 2:
            return None
        variance = numbers[known].var(ddof=1) * (1 / len(here) + 1 / len(there)) * cluster_size
        z = abs(here.mean() - there.mean()) / np.sqrt(variance)
        return Imbalance(float(2 * ndtr(-z)), None, float(here.mean()), float(there.mean()))
    strata = strata_of(values)
    if strata is None or not 0 < labelled.sum() < len(labelled):
        return None
    counts = np.array(
        [np.bincount(strata.numbers[of], minlength=len(strata.labels)) for of in (labelled, ~labelled)], np.float64
    )
    shares = counts / counts.sum(axis=1, keepdims=True)
    apart = shares[0] - shares[1]
    most = int((np.abs(apart) + CLOSE * np.sign(apart)).argmax())  # of two values, the one with more labels
    rare = counts.sum(axis=0) * counts[0].sum() / counts.sum() < MIN_EXPECTED
    tested = np.column_stack([counts[:, ~rare], counts[:, rare].sum(axis=1)]) if rare.any() else counts
    expected = tested.sum(axis=1, keepdims=True) * tested.sum(axis=0) / tested.sum()
    if tested.shape[1] < 2 or (expected == 0).any():
        return None
    statistic = ((tested - expected) ** 2 / expected).sum() / cluster_size
    p = float(chdtrc(tested.shape[1] - 1, statistic))
    return Imbalance(p, strata.labels[most], float(shares[0, most]), float(shares[1, most]))
