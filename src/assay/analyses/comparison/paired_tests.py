"""Tests of whether two runs differ, paired by topic. All are two-sided.

A test is a function and its declaration; the choices of commands, the order of outputs and the words of a refusal follow:

    @paired_test("wilcoxon", label="Wilcoxon", needs="values per topic")
    def wilcoxon_test(differences): ...        # a p-value per pair, NaN where it cannot say

What a test may need is in `NEEDS`. A test with an interval that agrees with it says what is needed of it at any level;
one without stands beside no interval at all. Differences are exact integers, so that what counts as a tie or a zero is never a
matter of floating point; only Wilcoxon's are handed in floating point, to agree with programs that rank those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.resampling.arithmetic import Floats, Integers
from assay.resampling.columns import Columns
from assay.resampling.sign_flips import CLOSE, SignFlips, t_of
from assay.stats.bootstrap_intervals import Bootstrap

MANY_UNITS = 2000
"""Over more topics, what takes long and decides nothing is left out unless it is asked for."""


@dataclass(frozen=True)
class PairedData:
    """The data of paired tests: pair i is run a[i] against run b[i]."""

    columns: Columns
    a: Integers
    b: Integers
    flips: SignFlips
    r: Floats
    """r of each pair (see `resampling/sign_flips.py`)."""
    errors: Floats
    """The standard errors of the differences."""
    bootstrap: Bootstrap
    tie: float = 0.0
    chosen: str | None = None
    """The test that was chosen by name."""

    @property
    def tie_units(self) -> int:
        """|d| < tie in exact integers; what floating point adds to tie · scale must not turn an equal into a smaller."""
        if not self.columns.resampler.can("values"):
            return 0
        # No difference reaches 2⁶²: whatever is more makes a tie of every topic.
        return ceil(min(self.tie * self.columns.resampler.unit - 1e-6, 2.0**62))

    @cached_property
    def differences(self) -> Any:
        """What separates the runs on each topic: topics × pairs, in exact integers where topics have values."""
        return self.columns.resampler.topic_differences(self.a, self.b)


Ends = Callable[[PairedData, Floats], tuple[Floats, Floats]]


@dataclass(frozen=True)
class Need:
    """The data a test needs, and why a comparison may lack them."""

    hands: Callable[[PairedData], tuple[Any, ...]]
    lacks: Callable[[PairedData], str | None]
    resampled: bool = False


def _independent(pairs: PairedData) -> str | None:
    columns = pairs.columns
    if columns.cluster is None:
        return None
    return f"{columns.noun}s come in clusters ({columns.cluster}), and this test takes them for independent"


def _no_values(pairs: PairedData) -> str | None:
    reason, columns = _independent(pairs), pairs.columns
    return (
        reason
        if columns.resampler.can("values")
        else reason or f"{columns.measure.name} has no value per {columns.noun}"
    )


def _no_outcomes(pairs: PairedData) -> str | None:
    reason, measure = _independent(pairs), pairs.columns.measure
    columns = pairs.columns
    if columns.correct is None:
        several = f"{columns.noun}s have several samples, and it takes each for right or wrong"
        return reason or ("the runs have no right and wrong answers" if columns.counts is None else several)
    if measure.of != ("correct",) or measure.average == "sum":
        return reason or f"it tests whether runs have as many right answers, which is accuracy and not {measure.name}"
    return reason


def _too_slow(pairs: PairedData) -> str | None:
    resampler = pairs.columns.resampler
    if pairs.chosen == "bootstrap" or (resampler.can("add") and (len(pairs.a) == 1 or resampler.units <= MANY_UNITS)):
        return None
    return "it takes its time on so many resamples, and is made where it is asked for: `test='bootstrap'`"


NEEDS: Mapping[str, Need] = {
    "values per topic": Need(lambda pairs: (pairs.columns.resampler.value_differences(pairs.a, pairs.b),), _no_values),
    "exact values per topic": Need(lambda pairs: (pairs.differences,), _no_values),
    "wins and ties per topic": Need(lambda pairs: (pairs.differences, pairs.tie_units), _no_values),
    "right and wrong answers": Need(
        lambda pairs: (pairs.columns.correct[:, pairs.a], pairs.columns.correct[:, pairs.b]), _no_outcomes
    ),
    "sign flips": Need(lambda p: (p.flips, p.r, p.a, p.b), lambda pairs: None, resampled=True),
    "a bootstrap": Need(lambda pairs: (pairs.bootstrap,), _too_slow, resampled=True),
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
    ends: Ends | None
    """The interval of each pair at its own level, which leaves out 0 exactly where p is at most that level."""

    @property
    def resampled(self) -> bool:
        return NEEDS[self.needs].resampled

    def lacks(self, pairs: PairedData) -> str | None:
        """Why it cannot be used on these pairs; None where it can."""
        return NEEDS[self.needs].lacks(pairs)

    def __call__(self, pairs: PairedData) -> Floats:
        return np.asarray(self.function(*NEEDS[self.needs].hands(pairs)))


_DECLARED: dict[str, PairedTest] = {}


def declared() -> Mapping[str, PairedTest]:
    """Every test by name, in the order in which outputs list them.

    >>> list(declared())
    ['randomisation', 'bootstrap', 't', 'wilcoxon', 'sign', 'mcnemar']
    """
    return _DECLARED


def all_one_way(units: int) -> float:
    """The least p of a test of 2^u signs or exchanges: two of them are as extreme as a run that wins everywhere."""
    return 2.0 ** (1 - units)


def paired_test(
    name: str, *, label: str, needs: str, least_p: Callable[[int], float] = lambda units: 0.0, ends: Ends | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a test: a function from what it needs to a p-value per pair; `least_p` is 0 for continuous distributions."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        _DECLARED[name] = PairedTest(name, label, needs, function, least_p, ends)
        return function

    return declare


def _flipped_ends(pairs: PairedData, levels: Floats) -> tuple[Floats, Floats]:
    return around(pairs, pairs.flips.critical(levels, pairs.a, pairs.b), levels)


def around(pairs: PairedData, critical: Floats, levels: Floats, family: int = 1) -> tuple[Floats, Floats]:
    """Difference ± t standard errors, t from what r must exceed.

    Where no flip could be significant at its level, Student's t (shared by a family of so many pairs) says how wide an
    interval of that level is at the least, and it reaches 0: the data itself is one of the flips. Equal
    differences have no spread to go by: their interval is as wide, for the difference, as r must be, and at the
    least what one more topic without any difference would make it.
    """
    from scipy.special import stdtrit

    flips, values = pairs.flips, pairs.columns.resampler.values()
    difference, units = values[pairs.a] - values[pairs.b], flips.units
    equal = (pairs.r >= 1 - 1e-12) & (pairs.errors <= 1e-9 * np.abs(difference))
    t = t_of(np.minimum(critical, 1.0), units)
    unreachable = (flips.least_p(pairs.a, pairs.b) > levels) | np.isinf(t)
    student = np.asarray(stdtrit(units - 1, 1 - levels / family / 2))
    seen = np.divide(np.abs(difference), pairs.errors, out=np.zeros(len(levels)), where=pairs.errors > 0)
    widest = np.maximum(np.where(np.isfinite(t), t, 0.0), np.maximum(student, seen * (1 + CLOSE)))
    t = np.where(unreachable, widest, t)
    shares = np.where(unreachable, np.maximum(student / (units + 1), 1.0), np.maximum(critical, 1 / (units + 1)))
    half = np.where(equal, shares * np.abs(difference), np.where(pairs.errors > 0, t * pairs.errors, 0.0))
    return difference - half, difference + half


@paired_test("randomisation", label="randomisation", needs="sign flips", least_p=all_one_way, ends=_flipped_ends)
def randomisation_test(flips: SignFlips, r: Floats, a: Integers, b: Integers) -> Floats:
    """Fisher's randomisation test: the signs of the differences flipped at random, studentised (see `resampling/sign_flips.py`).

    For a mean over topics this exchanges the two runs' labels on topics (Smucker et al., CIKM 2007). p is the share of
    flips at least as extreme as what was seen. All 2^m are made where two runs differ on m ≤ 16 topics; otherwise
    p = (1 + count)/(1 + resamples), never 0.

    >>> flips, a, b = SignFlips(np.array([[0.5, 0.25], [0.75, 0.25], [0.5, 0.25]]), resamples=100), np.array([0]), np.array([1])
    >>> randomisation_test(flips, flips.seen(a, b), a, b).tolist()  # 2 of 2**3
    [0.25]
    """
    return flips.p(r, a, b)


@paired_test(
    "bootstrap", label="bootstrap", needs="a bootstrap", ends=lambda pairs, levels: pairs.bootstrap.ends(levels)
)
def shift_bootstrap(bootstrap: Bootstrap) -> Floats:
    """The shift method: how often a resample differs from the estimate by at least the estimate.

    Where a kind of interval is asked for, the p that goes with it. Equal differences have no spread: p is then 1 if they
    are all 0 and not a number otherwise.
    """
    return bootstrap.p()


def binomial_two_sided(fewer: Any, total: Any) -> Floats:
    """Twice the probability of at most `fewer` heads in `total` fair throws, at most 1.

    >>> binomial_two_sided(np.array([1]), np.array([6])).tolist()  # 2 (1 + 6) / 64
    [0.21875]
    """
    from scipy.special import betainc

    fewer, total = np.asarray(fewer, dtype=np.float64), np.asarray(total, dtype=np.float64)
    tail = np.where(total > fewer, betainc(np.maximum(total - fewer, 1), fewer + 1, 0.5), 1.0)
    return np.minimum(1.0, 2 * tail)


def counts(differences: Integers | Floats, tie: float = 0) -> tuple[Integers, Integers, Integers]:
    """Topics won, tied and lost, per column. |d| < tie is a tie, and so is d = 0.

    >>> [int(x[0]) for x in counts(np.array([[3], [0], [-1], [-5]]), tie=2)]
    [1, 2, 1]
    """
    tied = (np.abs(differences) < tie) | (differences == 0)
    won = (~tied & (differences > 0)).sum(axis=0)
    return won, tied.sum(axis=0), len(differences) - won - tied.sum(axis=0)


def _student(pairs: PairedData, levels: Floats) -> tuple[Floats, Floats]:
    from scipy.special import stdtrit

    d = pairs.differences / pairs.columns.resampler.unit
    half = np.asarray(stdtrit(len(d) - 1, 1 - levels / 2)) * d.std(axis=0, ddof=1) / np.sqrt(len(d))
    return d.mean(axis=0) - half, d.mean(axis=0) + half


@paired_test("t", label="paired t", needs="exact values per topic", ends=_student)
def t_test(differences: Integers) -> Floats:
    """Student's paired t: the mean difference over its standard error, n - 1 degrees of freedom.

    Equal differences have no spread: p is 1 if they are all 0 and not a number otherwise.

    >>> t_test(np.array([[1], [2], [3]])).round(6).tolist()  # t = 2 / (1 / √3) = 3.464, 2 df
    [0.07418]
    """
    from scipy.special import stdtr

    n = len(differences)
    d = differences.astype(np.float64)
    # Whether there is any spread is decided on the integers: the float mean of equal numbers may differ from them.
    constant = (differences == differences[:1]).all(axis=0)
    deviation = np.where(constant, 1.0, d.std(axis=0, ddof=1))
    p = 2 * stdtr(n - 1, -np.abs(d.mean(axis=0)) / (deviation / np.sqrt(n)))
    return np.where(constant, np.where(differences[0] == 0, 1.0, np.nan), p)


def _least_wilcoxon(units: int) -> float:
    """Exact, or where all differences are tied: the variance is then n(n + 1)²/16, and z = (n - 2/(n + 1))/√n."""
    from scipy.special import ndtr

    tied = 2 * float(ndtr(-(units - 2 / (units + 1)) / units**0.5))
    return min(all_one_way(units), tied)


@paired_test("wilcoxon", label="Wilcoxon", needs="values per topic", least_p=_least_wilcoxon)
def wilcoxon_test(differences: Integers | Floats) -> Floats:
    """Wilcoxon's signed-rank test, zeros dropped.

    Exact under 50 differences without ties or zeros; otherwise the normal approximation with the variance corrected for
    ties and a continuity correction of one half. That is the rule of R's wilcox.test.

    >>> wilcoxon_test(np.array([[1], [2], [3], [4]])).tolist()  # 2 / 2**4
    [0.125]
    """
    from assay.stats.signed_ranks import signed_rank_test

    return signed_rank_test(differences)


@paired_test("sign", label="sign test", needs="wins and ties per topic", least_p=all_one_way)
def sign_test(differences: Integers, tie: int = 0) -> Floats:
    """The sign test, ties dropped: topics × pairs of exact differences to p per pair.

    >>> sign_test(np.array([[1], [1], [1], [1], [1], [-1]])).tolist()
    [0.21875]
    """
    won, _, lost = counts(differences, tie)
    return binomial_two_sided(np.minimum(won, lost), won + lost)


@paired_test("mcnemar", label="McNemar", needs="right and wrong answers", least_p=all_one_way)
def mcnemar_test(correct_a: NDArray[np.bool_], correct_b: NDArray[np.bool_]) -> Floats:
    """McNemar's exact test: among questions only one of the two runs got right, are the sides even?

    >>> a, b = np.array([[1], [1], [1], [0], [1]], dtype=bool), np.array([[0], [0], [0], [0], [1]], dtype=bool)
    >>> mcnemar_test(a, b).tolist()
    [0.25]
    """
    only_a, only_b = (correct_a & ~correct_b).sum(axis=0), (~correct_a & correct_b).sum(axis=0)
    return binomial_two_sided(np.minimum(only_a, only_b), only_a + only_b)
