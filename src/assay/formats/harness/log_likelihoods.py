"""Multiple choice by log-likelihood: the chosen option, and its probability."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, isfinite, isnan, nan
from typing import Any


def numbers(texts: Any) -> list[float] | None:
    """Return log-likelihoods from numbers or texts of numbers; None where one is neither.

    >>> numbers(["-1.5", -2]), numbers([None, -2.0])
    ([-1.5, -2.0], None)
    """
    if not isinstance(texts, list):
        return None
    values = [number(value) for value in texts]  # pyright: ignore[reportUnknownVariableType]
    return None if any(map(isnan, values)) else values


def number(value: Any) -> float:
    """Return a number, also from text; NaN for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return nan
    try:
        return float(value)
    except (ValueError, OverflowError):
        return nan


def warn_of_contradictions(name: str, count: int, metric: str) -> list[str]:
    """Return the warning on questions whose log-likelihoods choose otherwise than their metric says."""
    if not count:
        return []
    return [
        f"{name}: what was chosen cannot be told for {count} questions, whose log-likelihoods disagree with their {metric}; "
        "they have no confidence"
    ]


def best(values: Sequence[float]) -> int:
    """Return the index of the largest value, the first of ties, as numpy's argmax does."""
    return max(range(len(values)), key=values.__getitem__)


def per_length(logs: Sequence[float], lengths: Sequence[int]) -> list[float] | None:
    """Divide log-likelihoods by the lengths of the choices; None where a length is 0.

    >>> per_length([-3.0, -4.0], [3, 8]), per_length([-3.0], [0])
    ([-1.0, -0.5], None)
    """
    if len(logs) != len(lengths) or not all(lengths):
        return None
    return [log / length for log, length in zip(logs, lengths, strict=True)]


def probability(logs: Sequence[float], choice: int) -> float | None:
    """Return the softmax probability of a choice among all choices.

    >>> round(probability([-1.0, -1.0, -1.0, -1.0], 2), 3), probability([-1.0], 0)
    (0.25, None)
    """
    top = max(logs)
    # A sole choice was not chosen, and where none is possible nothing is known.
    if len(logs) < 2 or not isfinite(top):
        return None
    return exp(logs[choice] - top) / sum(exp(log - top) for log in logs)
