"""Item response models of right and wrong: P(right) = 1/(1 + exp(-a(θ - b))), θ the ability of a run and normal over runs.

1PL has one a for all items, 2PL one for each (Birnbaum in Lord and Novick 1968, §17). Items are estimated by marginal maximum
likelihood with EM (Bock and Aitkin, Psychometrika 46, 1981); after every step abilities are brought back to mean 0 and variance 1
and the items with them, which leads to the same maximum in far fewer steps (Liu, Rubin and Wu, Biometrika 85, 1998).

The integral over ability is a sum over equally spaced points. Thousands of items fix the ability of a run to some hundredths, where
the points of Gauss and Hermite, half a unit apart, would fall to both sides of it; equal ones are as exact on a smooth integrand
(Trefethen and Weideman, SIAM Review 56, 2014), and are halved until no posterior is narrower than their distance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.resampling.arithmetic import Floats
from assay.settings import checked, one_of

MODELS = ("1PL", "2PL")
FEW_RUNS = 20
"""Runs below which the curve of an item follows from a handful of answers."""
REACH = 6.0
"""Standard deviations of ability that the integral covers."""
COARSE, FINEST = 0.2, 0.0125
"""The distance of the points at first, and at least."""
STEEPEST = 5.0
"""Slopes are kept within this on either side of 0, as in girth: an item that separates the runs completely has no steepest slope."""
FARTHEST = 6.0
"""Locations are kept within this on either side of 0: the integral knows no abilities beyond."""
STILL = 1e-5
"""A step that moves no slope or intercept by more ends the iteration."""
MOST_STEPS = 1000
LONGEST_STEP, TINY = 1.0, 1e-12
CELLS = 1 << 21
"""Items × points that are processed together."""


@dataclass(frozen=True)
class Fit:
    """A fitted model; NaN where an item's parameters are undefined."""

    model: str
    slope: Floats
    """a, the discrimination of each item."""
    location: Floats
    """b, the ability at which a run is as often right as wrong."""
    separated: Any
    """Items whose slope is at its bound: above some ability (nearly) all runs are right, and below wrong, or the other way round."""
    ability: Floats
    """θ of each run, its posterior mean."""
    error: Floats
    """Its posterior standard deviation."""
    log_likelihood: float
    steps: int
    converged: bool

    def information(self, theta: float) -> Floats:
        """Return the information of each item at an ability of θ."""
        return information(self.slope, self.location, theta)


def information(slope: Floats | float, location: Floats | float, theta: Floats | float) -> Any:
    """Return the information of an item at an ability of θ: a²P(1 - P), at most a²/4, where θ = b.

    >>> information(2.0, 0.5, 0.5)
    1.0
    """
    right = _probability(np.asarray(slope) * (np.asarray(theta) - np.asarray(location)))
    value = np.asarray(slope) ** 2 * right * (1 - right)
    return float(value) if value.ndim == 0 else value


def _probability(logits: Any) -> Any:
    from scipy.special import expit

    return expit(logits)


@dataclass(frozen=True)
class _ResponseMatrix:
    """The answers to the items that have both right and wrong ones."""

    right: Floats
    present: Floats | None
    """Which cells have a value; None where all do."""

    def parts(self, points: int) -> list[slice]:
        """The items in parts whose curves over so many points fit into memory."""
        size = max(1, CELLS // points)
        return [slice(start, start + size) for start in range(0, len(self.right), size)]


def model_name(text: str) -> str:
    """Return the model's name in capitals, whatever its case.

    >>> model_name("2pl")
    '2PL'
    """
    name = str(text).upper()
    return checked("irt", name if name in MODELS else text, one_of(*MODELS))


def fit(values: Floats, model: str = "2PL", progress: Callable[[int, int], None] | None = None) -> Fit:
    """A model of items × runs of zeros and ones, NaN being no answer.

    progress   hears the steps that were made, and the most there may be
    """
    model = model_name(model)
    present = np.isfinite(values)
    right = np.where(present, values, 0.0)
    if not np.isin(right, (0.0, 1.0)).all():
        raise UsageError(
            f"{model} is a model of right and wrong, and some of these values are neither: leave `irt` out"
        )
    some = (right.sum(axis=1) > 0) & (right.sum(axis=1) < present.sum(axis=1))
    if some.sum() < 2:
        raise InputError(
            f"{model} needs at least 2 items that some runs get right and some wrong, found {int(some.sum())}"
        )
    data = _ResponseMatrix(right[some], None if present[some].all() else present[some].astype(np.float64))
    share = data.right.sum(axis=1) / (data.right.shape[1] if data.present is None else data.present.sum(axis=1))
    start = np.stack([np.ones(len(share)), np.log(share / (1 - share))])
    parameters, abilities, steps, converged = _maximised(data, start, model, progress)
    if progress is not None:
        progress(MOST_STEPS, MOST_STEPS)
    slope, location, separated = np.full(len(values), np.nan), np.full(len(values), np.nan), np.zeros(len(values), bool)
    slope[some] = parameters[0]
    with np.errstate(divide="ignore"):
        location[some] = np.where(
            parameters[0] == 0, np.nan, np.clip(-parameters[1] / parameters[0], -FARTHEST, FARTHEST)
        )
    separated[some] = np.abs(parameters[0]) == STEEPEST
    return Fit(
        model, slope, location, separated, abilities.mean, abilities.error, abilities.log_likelihood, steps, converged
    )  # fmt: skip


@dataclass(frozen=True)
class _Abilities:
    """Posterior abilities of the runs, given the items."""

    points: Floats
    posterior: Floats
    mean: Floats
    error: Floats
    log_likelihood: float


def _abilities(data: _ResponseMatrix, parameters: Floats, spacing: float) -> _Abilities:
    points = np.arange(-REACH, REACH + spacing / 2, spacing)
    slopes, intercepts = parameters
    below = np.zeros((1 if data.present is None else data.right.shape[1], len(points)))
    for part in data.parts(len(points)):
        wrong = -np.logaddexp(0.0, slopes[part, None] * points + intercepts[part, None])
        below += wrong.sum(axis=0)[None, :] if data.present is None else data.present[part].T @ wrong
    logs = np.outer(data.right.T @ slopes, points) + (data.right.T @ intercepts)[:, None] + below
    logs += np.log(spacing / np.sqrt(2 * np.pi)) - points**2 / 2
    highest = logs.max(axis=1, keepdims=True)
    posterior = np.exp(logs - highest)
    sums = posterior.sum(axis=1, keepdims=True)
    posterior /= sums
    mean = posterior @ points
    error = np.sqrt(np.maximum(posterior @ points**2 - mean**2, 0.0))
    return _Abilities(points, posterior, mean, error, float((highest + np.log(sums)).sum()))


def _maximised(
    data: _ResponseMatrix, parameters: Floats, model: str, progress: Any
) -> tuple[Floats, _Abilities, int, bool]:
    """The items at the maximum, the abilities that go with them, the steps it took, and whether it was reached."""
    spacing = COARSE
    abilities, step, still = _abilities(data, parameters, spacing), 0, False
    while not still and step < MOST_STEPS:
        while abilities.error.min() < spacing and spacing > FINEST:
            spacing /= 2
            abilities = _abilities(data, parameters, spacing)
        moved = _restored(_improved(data, abilities, parameters, model), abilities)
        still = float(np.abs(moved - parameters).max()) <= STILL
        if (np.abs(moved[0]) == STEEPEST).sum() >= len(data.right) - 1:
            raise InputError(
                f"{model} cannot be fitted: nearly every item separates these {data.right.shape[1]} runs completely"
            )
        parameters = moved
        abilities, step = _abilities(data, parameters, spacing), step + 1
        if progress is not None:
            progress(step, MOST_STEPS)
    return parameters, abilities, step, still and bool(abilities.error.min() >= spacing / 2)


def _improved(data: _ResponseMatrix, abilities: _Abilities, parameters: Floats, model: str) -> Floats:
    """Return the parameters after a step of Newton's method for every item, given the posterior of abilities."""
    points = abilities.points
    powers = np.stack([np.ones(len(points)), points, points**2], axis=1)
    counts = abilities.posterior.sum(axis=0)[None, :] if data.present is None else None
    firsts, seconds = np.empty((len(data.right), 2)), np.empty((len(data.right), 3))
    for part in data.parts(len(points)):
        chance = _probability(parameters[0, part, None] * points + parameters[1, part, None])
        expected = chance * (data.present[part] @ abilities.posterior if data.present is not None else counts)
        firsts[part] = expected @ powers[:, :2]
        seconds[part] = (expected * (1 - chance)) @ powers
    of_intercept, of_slope = data.right.sum(axis=1) - firsts[:, 0], data.right @ abilities.mean - firsts[:, 1]
    both, squares, ones = seconds[:, 1], seconds[:, 2], np.maximum(seconds[:, 0], TINY)
    # The intercepts are eliminated from the equation of the slope: of one for all items, or of each.
    bent, pull = np.maximum(squares - both**2 / ones, 0.0), of_slope - both * of_intercept / ones
    if model == "1PL":
        bent, pull = (np.full(len(values), values.sum()) for values in (bent, pull))
    slope = np.clip(pull / np.maximum(bent, TINY), -LONGEST_STEP, LONGEST_STEP)
    slope = np.clip(parameters[0] + slope, -STEEPEST, STEEPEST) - parameters[0]
    intercept = np.clip((of_intercept - both * slope) / ones, -LONGEST_STEP, LONGEST_STEP)
    return parameters + np.stack([slope, intercept])


def _restored(parameters: Floats, abilities: _Abilities) -> Floats:
    """The items with abilities brought back to mean 0 and variance 1, and slopes within their bounds."""
    mean = float(abilities.mean.mean())
    deviation = float(np.sqrt((abilities.error**2 + abilities.mean**2).mean() - mean**2))
    slopes = np.clip(parameters[0] * deviation, -STEEPEST, STEEPEST)
    return np.stack([slopes, parameters[1] + parameters[0] * mean])
