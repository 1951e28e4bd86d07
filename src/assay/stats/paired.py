"""How a paired test is declared: what it is handed, and so when it can be used; what sentences call it.

    @paired_test("wilcoxon", label="Wilcoxon", needs="values per topic")
    def wilcoxon_test(differences): ...        # a p-value per pair

What a test may need is in `NEEDS`. The choices of commands, the order of outputs and the words of a refusal follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.resampling.columns import Columns
from assay.resampling.integers import Floats, Integers
from assay.stats.intervals import Resampled


@dataclass(frozen=True)
class Pairs:
    """Pairs of runs to be tested, run a[i] against run b[i], and what there is to test them on."""

    columns: Columns
    a: Integers
    b: Integers
    bootstrap: Resampled
    resamples: int
    seed: int = 0
    threads: int | None = None
    tie: float = 0.0
    chosen: str | None = None
    """The test somebody asked for."""

    @property
    def tie_units(self) -> int:
        """|d| < tie in exact integers; what floating point adds to tie · scale must not turn an equal into a smaller."""
        return ceil(self.tie * self.columns.sample.unit - 1e-6) if self.columns.sample.can("values") else 0

    @property
    def differences(self) -> Any:
        """What separates the runs on each topic: topics × pairs, in exact integers where topics have values."""
        return self.columns.sample.topic_differences(self.a, self.b)


@dataclass(frozen=True)
class Levels:
    """p-values, and which of them are exact because everything that could have happened was enumerated."""

    p: Floats
    exact: NDArray[np.bool_]


@dataclass(frozen=True)
class Need:
    """What a test is handed, and why that may not be there."""

    hands: Callable[[Pairs], tuple[Any, ...]]
    lacks: Callable[[Pairs], str | None]
    resampled: bool = False


def _independent(pairs: Pairs) -> str | None:
    columns = pairs.columns
    if columns.cluster is None:
        return None
    return f"{columns.noun}s come in clusters ({columns.cluster}), and this test takes them for independent"


def _no_values(pairs: Pairs) -> str | None:
    columns = pairs.columns
    without = None if columns.sample.can("values") else f"{columns.measure.name} has no value per {columns.noun}"
    return _independent(pairs) or without


def _no_outcomes(pairs: Pairs) -> str | None:
    without = None if pairs.columns.correct is not None else "the runs have no right and wrong answers"
    return _independent(pairs) or without


def _too_slow(pairs: Pairs) -> str | None:
    sample = pairs.columns.sample
    few = len(pairs.a) == 1 or (pairs.chosen == "randomisation" and len(pairs.a) <= sample.runs)
    if sample.can("add") or few:
        return None
    return f"{pairs.columns.measure.name} is computed anew for every exchange, too slow for so many pairs"


NEEDS: Mapping[str, Need] = {
    "values per topic": Need(lambda pairs: (pairs.columns.sample.value_differences(pairs.a, pairs.b),), _no_values),
    "exact values per topic": Need(lambda pairs: (pairs.differences,), _no_values),
    "wins and ties per topic": Need(lambda pairs: (pairs.differences, pairs.tie_units), _no_values),
    "right and wrong answers": Need(
        lambda pairs: (pairs.columns.correct[:, pairs.a], pairs.columns.correct[:, pairs.b]), _no_outcomes
    ),
    "exchanges": Need(
        lambda pairs: (pairs.columns.sample, pairs.a, pairs.b, pairs.resamples, pairs.seed, pairs.threads),
        _too_slow,
        resampled=True,
    ),
    "a bootstrap": Need(lambda pairs: (pairs.bootstrap,), lambda pairs: None, resampled=True),
}


@dataclass(frozen=True)
class PairedTest:
    """A declared test; `needs` is a name in `NEEDS`."""

    name: str
    label: str
    """What sentences call it."""
    needs: str
    function: Callable[..., Any]
    least_p: Callable[[int], float]
    """The smallest p it can give over so many topics (or clusters of them)."""

    @property
    def resampled(self) -> bool:
        return NEEDS[self.needs].resampled

    def lacks(self, pairs: Pairs) -> str | None:
        """Why it cannot be used on these pairs; None where it can."""
        return NEEDS[self.needs].lacks(pairs)

    def __call__(self, pairs: Pairs) -> Levels:
        found = self.function(*NEEDS[self.needs].hands(pairs))
        return found if isinstance(found, Levels) else Levels(np.asarray(found), np.zeros(len(pairs.a), dtype=bool))


_DECLARED: dict[str, PairedTest] = {}


def declared() -> Mapping[str, PairedTest]:
    """Every test by name, in the order in which outputs list them.

    >>> from assay.stats import tests
    >>> list(tests.declared())
    ['randomisation', 'bootstrap', 't', 'wilcoxon', 'sign', 'mcnemar']
    """
    return _DECLARED


def any_p(units: int) -> float:
    """The least p of a test with a continuous distribution."""
    del units
    return 0.0


def all_one_way(units: int) -> float:
    """The least p of a test of 2^u signs or exchanges: two of them are as extreme as a run that wins everywhere."""
    return 2.0 ** (1 - units)


def paired_test(
    name: str, *, label: str, needs: str, least_p: Callable[[int], float] = any_p
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a test: a function from what it needs to a p-value per pair."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        _DECLARED[name] = PairedTest(name, label, needs, function, least_p)
        return function

    return declare
