"""A model of topics and runs, and the probability that one run is better than another.

    y(t, r) = value(r) + topic(t) + error(t, r),   topic ~ N(0, τ²),   error ~ N(0, σ²), or N(0, σ(r)²) where runs differ

Topics are a sample of those that might have been asked, runs are the runs there are: Carterette's model of retrieval
experiments ("Model-based inference about IR systems", ICTIR 2011; "Bayesian inference for information retrieval evaluation",
ICTIR 2015). Priors, so weak that two runs are told apart as by Student's t:

    value(r)    flat
    τ           half-Cauchy, its scale A the standard deviation of a run's values over topics, all runs pooled: the topics'
                part of a spread is no more than the whole (Gelman, "Prior distributions for variance parameters in
                hierarchical models", Bayesian Analysis 1, 2006)
    σ           1/σ where all runs share one (Box and Tiao, Bayesian Inference in Statistical Analysis, 1973, §2.2)
    σ(r)        half-Cauchy with scale A each: with 1/σ(r) a run could take all of its values for the topics' own

Given the variances, what is known of the runs is exact, as every run saw every topic: value(r) - mean(r) is normal with
variance (τ² + σ(r)²)/n and covariance τ²/n. Only the variances are sampled, by Gibbs steps with Gelman's redundant factor,
topic(t) = ξ·η(t), so that a small τ does not trap a chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from assay.core.resample_reference import mix
from assay.errors import InputError, UsageError, unknown_run
from assay.random import GAMMA, purpose_key
from assay.resampling.arithmetic import Floats
from assay.settings import CONFIDENCE, POSITIVE, WHOLE, Kind, checked, one_of

VARIANCES = ("equal", "unequal")
CHAINS = 4
FEWEST_TOPICS = 3
FEWEST_DRAWS = Kind(int, "a whole number of at least 100", low=100)
AT_ONCE = 10_000_000
"""Normal probabilities that are looked up for all pairs together; each is an average, so more of them add no digit."""


@dataclass(frozen=True)
class PosteriorInterval:
    """A posterior mean and the interval around it."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class RunEffect:
    """What the model says of one run."""

    run: str
    value: PosteriorInterval
    """Expected on a topic nobody has seen."""
    effect: PosteriorInterval
    """The same, above the mean of all runs: what topics have in common does not blur it."""
    error: PosteriorInterval
    """The standard deviation of what neither run nor topic explains."""


@dataclass(frozen=True)
class Hierarchical:
    """A fitted model; arrays are in the order of `runs`."""

    runs: tuple[RunEffect, ...]
    topics: int
    topic: PosteriorInterval
    """The standard deviation of topics."""
    higher: Floats
    """higher[a, b]: the probability that run a's expected value is higher than run b's; not a number where a is b."""
    ranks: Floats
    """ranks[a, i]: the probability that i runs have a higher value than run a."""
    rhat: float
    """The largest split R-hat of the standard deviations (Gelman et al., Bayesian Data Analysis, 3rd ed., §11.4): near 1
    where the chains agree; above 1.05 more draws are needed."""
    settings: dict[str, Any]

    def probability(self, a: str, b: str) -> float:
        """That run a's expected value is higher than run b's.

        a   name of a run
        b   name of another
        """
        names = [run.run for run in self.runs]
        for name in (a, b):
            if name not in names:
                raise UsageError(unknown_run(name, names))
        if a == b:
            raise UsageError(f"{a}:{b} compares a run with itself")
        return float(self.higher[names.index(a), names.index(b)])

    def to_dict(self) -> dict[str, Any]:
        """As plain data; the diagonal of `higher` is None."""
        higher = [[None if a == b else p for b, p in enumerate(row)] for a, row in enumerate(self.higher.tolist())]
        return {
            "runs": [asdict(run) for run in self.runs], "topics": self.topics, "topic": asdict(self.topic),
            "higher": higher, "ranks": self.ranks.tolist(), "rhat": self.rhat, "settings": dict(self.settings),
        }  # fmt: skip


def hierarchical(
    values: Any, runs: Sequence[str], *, variances: str = "equal", confidence: float = 0.95, draws: int = 4000,
    warmup: int = 500, seed: int = 0,
) -> Hierarchical:  # fmt: skip
    """Fit the model of this module to a table of values.

    values       a row per topic, a column per run; no cell may be empty
    runs         the names of the runs
    variances    of the error: equal, one for all runs; unequal, one for each
    confidence   of the intervals
    draws        from the posterior, by four chains together
    warmup       steps of each chain that are thrown away before
    seed         of all that is random

    Returns
        Hierarchical   effects of runs with intervals, probabilities of pairs and of ranks, and R-hat

    Raises
        UsageError     an option out of range
        InputError     empty cells, fewer than 2 runs or 3 topics, or differences without any error

    Two runs are told apart as by Student's t: the differences are 1, 2 and 3, t = 2 / (1 / √3) = 3.464 on two degrees of
    freedom, one-sided p = .037.

    >>> fit = hierarchical([[11, 10], [22, 20], [33, 30]], ["new", "old"])
    >>> fit.runs[0].value.mean, fit.runs[0].effect.mean, round(fit.probability("new", "old"), 2)
    (22.0, 1.0, 0.96)
    """
    checked("variances", variances, one_of(*VARIANCES))
    checked("confidence", confidence, CONFIDENCE)
    checked("draws", draws, FEWEST_DRAWS)
    checked("warmup", warmup, POSITIVE)
    checked("seed", seed, WHOLE)
    table, names = _table(values, runs)
    means = table.mean(axis=0)
    centred = table - means
    _refuse_what_has_no_error(centred, names, variances)
    steps = -(-draws // CHAINS)
    sampled = list(_gibbs(centred, variances == "equal", warmup + steps, _Random(seed)))[warmup:]
    topic, errors, deviations = (np.stack([step[i] for step in sampled], axis=1) for i in range(3))
    rhat = max(_split_rhat(np.log(topic)), _split_rhat(np.log(errors)))
    topic, errors, deviations = (part.reshape(-1, part.shape[-1]) for part in (topic, errors, deviations))
    errors = np.broadcast_to(errors, deviations.shape)
    found = tuple(
        RunEffect(name, value, effect, error)
        for name, value, effect, error in zip(
            names,
            _around(means, deviations, confidence),
            _around(means - means.mean(), deviations - deviations.mean(axis=1, keepdims=True), confidence),
            _scales(errors, confidence),
            strict=True,
        )
    )
    settings = {"variances": variances, "confidence": confidence, "draws": len(topic), "warmup": warmup, "seed": seed}
    return Hierarchical(
        runs=found, topics=len(table), topic=_scales(topic, confidence)[0], higher=_higher(means, errors, len(table)),
        ranks=_ranks(means + deviations), rhat=rhat, settings=settings,
    )  # fmt: skip


def _table(values: Any, runs: Sequence[str]) -> tuple[Floats, list[str]]:
    try:
        table = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("the model needs a number for every topic and run") from None
    names = [str(run) for run in runs]
    if table.ndim != 2 or table.shape[1] != len(names):
        raise InputError(f"expected a row per topic with {len(names)} values, one per run; found shape {table.shape}")
    if len(set(names)) != len(names):
        raise InputError("two runs have the same name")
    if len(names) < 2 or len(table) < FEWEST_TOPICS:
        found = f"{len(names)} runs on {len(table)} topics"
        raise InputError(f"the model needs at least 2 runs and {FEWEST_TOPICS} topics; there are {found}")
    holes = np.argwhere(~np.isfinite(table))
    if len(holes):
        topic, run = holes[0].tolist()
        raise InputError(
            f"the model needs a number for every topic and run; {names[run]} has none on topic {topic + 1}"
        )
    return table, names


def _refuse_what_has_no_error(centred: Floats, names: list[str], variances: str) -> None:
    """Runs whose values differ by a constant leave a variance of 0, around which there is no distribution."""
    squares = (centred**2).sum(axis=0)
    both = squares[:, None] + squares
    close = both - 2 * centred.T @ centred <= 1e-12 * both
    if close.all():
        raise InputError("all runs differ by the same on every topic: there is no error to model")
    if variances == "unequal" and np.triu(close, 1).any():
        a, b = np.argwhere(np.triu(close, 1))[0].tolist()
        raise InputError(
            f"{names[a]} and {names[b]} differ by the same on every topic, which leaves them no error of their own; "
            "leave one out, or use `variances='equal'`"
        )


class _Random:
    """Uniform, normal and gamma numbers from one stream of `assay.random`, by the inverse of each distribution."""

    def __init__(self, seed: int) -> None:
        first = (purpose_key(seed, "hierarchical") + GAMMA) & ((1 << 64) - 1)
        self._key, self._used = mix(np.array([first], dtype=np.uint64)), 0

    def uniform(self, *shape: int) -> Floats:
        """In the open interval from 0 to 1."""
        number = np.arange(self._used + 1, self._used + 1 + int(np.prod(shape)), dtype=np.uint64)
        self._used += len(number)
        bits = mix(self._key + number * np.uint64(GAMMA)) >> np.uint64(11)
        return ((bits.astype(np.float64) + 0.5) * 2.0**-53).reshape(shape)

    def normal(self, *shape: int) -> Floats:
        from scipy.special import ndtri

        return np.asarray(ndtri(self.uniform(*shape)))

    def gamma(self, alpha: float, *shape: int) -> Floats:
        from scipy.special import gammaincinv

        return np.asarray(gammaincinv(alpha, self.uniform(*shape)))


def _gibbs(y: Floats, equal: bool, steps: int, random: _Random) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Per step: τ (chains × 1), σ (chains × 1, or × runs), and value(r) - mean(r) drawn given these (chains × runs).

    `y` has mean 0 in every column. A half-Cauchy σ(r) is an inverse gamma whose scale is one too (Wand, Ormerod, Padoan
    and Frühwirth, "Mean field variational Bayes for elaborate distributions", Bayesian Analysis 6, 2011).
    """
    n, k = y.shape
    widest = float((y**2).sum()) / ((n - 1) * k)
    # Chains start apart, so that R-hat can see whether they have met.
    tau = np.sqrt(widest) * np.array([[0.1], [0.3], [1.0], [3.0]])
    squared = np.repeat(widest * np.array([[3.0], [0.3], [1.0], [0.1]]), 1 if equal else k, axis=1)
    for step in range(steps):
        sigma = np.sqrt(squared)
        value = (sigma * random.normal(CHAINS, k) + tau * random.normal(CHAINS, 1)) / np.sqrt(n)
        yield tau, sigma.copy(), value  # a copy, as one of them is drawn anew below
        # Of τ = ξ·spread only the product matters; ξ is drawn anew given it, or a large τ would be slow to move.
        factor = np.sqrt(-2 * np.log(random.uniform(CHAINS, 1)) / (1 / widest + 1 / tau**2))
        spread = (tau / factor) ** 2
        precision = np.broadcast_to(1 / squared, (CHAINS, k))
        total = precision.sum(axis=1, keepdims=True)
        # einsum adds in one order; a library's matrix product may not, on another number of threads.
        pull = np.einsum("tr,cr->ct", y, precision) - (value * precision).sum(axis=1, keepdims=True)
        sharpness = factor**2 * total + 1 / spread
        eta = factor * pull / sharpness + random.normal(CHAINS, n) / np.sqrt(sharpness)
        squares = (eta**2).sum(axis=1, keepdims=True)
        sharpness = total * squares + 1 / widest
        factor = (eta * pull).sum(axis=1, keepdims=True) / sharpness + random.normal(CHAINS, 1) / np.sqrt(sharpness)
        tau = np.abs(factor) * np.sqrt((1 + squares) / 2 / random.gamma((1 + n) / 2, CHAINS, 1))
        topic = factor * eta
        if equal:
            left = ((y - value[:, None, :] - topic[:, :, None]) ** 2).sum(axis=(1, 2))[:, None]
            squared = left / 2 / random.gamma(n * k / 2, CHAINS, 1)
        else:
            run = slice(step % k, step % k + 1)
            own = y[:, step % k] - value[:, run]
            sigma[:, run], topic = _interwoven(own, topic, sigma[:, run], tau, total, pull, widest, random)
            left = ((y - value[:, None, :] - topic[:, :, None]) ** 2).sum(axis=1)
            scale = (1 / widest + 1 / sigma**2) / -np.log(random.uniform(CHAINS, k))
            squared = (left / 2 + 1 / scale) / random.gamma((1 + n) / 2, CHAINS, k)


def _interwoven(
    own: Floats, topic: Floats, sigma: Floats, tau: Floats, total: Floats, pull: Floats, widest: float, random: _Random
) -> tuple[Floats, Floats]:
    """One run's σ(r) drawn with its standardised errors held, not the topics, which follow: they are returned with it.

    Where topics lie close to one run's values neither can move alone; in turns with the other step they do (Yu and Meng, "To
    center or not to center: that is not the question", JCGS 20, 2011). Given the errors everything is normal in σ(r),
    with the half-Cauchy as a normal whose precision is random.
    """
    errors = (own - topic) / sigma
    weight = -2 * np.log(random.uniform(CHAINS, 1)) / (1 + sigma**2 / widest)
    squares = (errors**2).sum(axis=1, keepdims=True)
    sharpness = squares * (1 / tau**2 + total - 1 / sigma**2) + weight / widest
    centre = (errors * (own / tau**2 + own * total - pull)).sum(axis=1, keepdims=True) / sharpness
    drawn = centre + random.normal(CHAINS, 1) / np.sqrt(sharpness)
    # A negative σ with all errors turned round is the same state.
    return np.abs(drawn), own - drawn * errors


def _split_rhat(chains: Floats) -> float:
    """Of chains × steps × parameters, the worst parameter's."""
    half = chains.shape[1] // 2
    parts = np.concatenate([chains[:, :half], chains[:, half : 2 * half]])
    within = parts.var(axis=1, ddof=1).mean(axis=0)
    between = parts.mean(axis=1).var(axis=0, ddof=1)
    return float(np.sqrt((half - 1) / half + between / within).max())


def _around(means: Floats, deviations: Floats, confidence: float) -> list[PosteriorInterval]:
    """Posteriors are symmetric: their means are known, and both tails tell where the interval ends."""
    reach = np.quantile(np.abs(deviations), confidence, axis=0)
    return [PosteriorInterval(m, m - w, m + w) for m, w in zip(means.tolist(), reach.tolist(), strict=True)]


def _scales(drawn: Floats, confidence: float) -> list[PosteriorInterval]:
    ends = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return [PosteriorInterval(*row) for row in np.vstack([drawn.mean(axis=0), ends]).T.tolist()]


def _higher(means: Floats, errors: Floats, topics: int) -> Floats:
    """Given the variances a difference is normal with variance (σ(a)² + σ(b)²)/n: the mean of its probabilities."""
    from scipy.special import ndtr

    k = len(means)
    squared = errors[:: -(-len(errors) * k * k // 2 // AT_ONCE)] ** 2
    higher = np.full((k, k), np.nan)
    for a in range(k - 1):
        spread = np.sqrt((squared[:, a : a + 1] + squared[:, a + 1 :]) / topics)
        higher[a, a + 1 :] = ndtr((means[a] - means[a + 1 :]) / spread).mean(axis=0)
        higher[a + 1 :, a] = 1 - higher[a, a + 1 :]
    return higher


def _ranks(drawn: Floats) -> Floats:
    """The share of draws in which a run has each place, the highest value first."""
    k = drawn.shape[1]
    places = np.argsort(-drawn, axis=1, kind="stable")
    counted = np.bincount((places * k + np.arange(k)).ravel(), minlength=k * k)
    return counted.reshape(k, k) / len(drawn)
