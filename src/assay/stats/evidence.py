"""Everything the data says about some pairs of runs, in arrays: intervals, p-values, corrections."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from assay.errors import UsageError
from assay.stats import corrections, intervals, tests
from assay.stats.samples import Means, Whole, slack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from assay.measures.declare import Measure
    from assay.stats.exact import Floats, Integers
    from assay.stats.intervals import Resampled
    from assay.stats.samples import Sample
    from assay.stats.tables import Prepared

TESTS = ("randomisation", "bootstrap", "t", "wilcoxon", "sign", "mcnemar")
ADJUSTMENTS = {"holm": corrections.holm, "bh": corrections.benjamini_hochberg}
RESAMPLES = 10_000
WHOLE_RESAMPLES = {"few": 2_000, "many": 500}
"""A measure of a whole run is computed anew for every resample, in Python; over 2,000 topics that takes its time."""


@dataclass(frozen=True)
class Choices:
    """How to compare; printed with the result."""

    test: str | None = None
    """The test that decides: randomisation by default; bootstrap for several pairs by a measure of a whole run."""
    correct: str | None = None
    """tukey, holm, bh or none; by default tukey for all pairs of three runs or more, holm for several others."""
    interval: str = "auto"
    confidence: float = 0.95
    resamples: int | None = None
    seed: int = 0
    tie: float = 0.0
    """Differences smaller than this count as ties in the sign test and in topics won, tied and lost."""
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.test is not None and self.test not in TESTS:
            raise UsageError(f"no test {self.test!r}; there are {', '.join(TESTS)}")
        if self.correct is not None and self.correct not in corrections.METHODS:
            raise UsageError(f"no correction {self.correct!r}; there are {', '.join(corrections.METHODS)}")
        if self.resamples is not None and self.resamples < 100:
            raise UsageError(
                f"{self.resamples} resamples are too few for an interval; use 100 at least, 10000 to publish"
            )
        if self.threads is not None and self.threads < 1:
            raise UsageError(f"threads = {self.threads}: expected 1 or more")
        if not self.tie >= 0:
            raise UsageError(f"tie = {self.tie}: expected 0 or a positive number")

    @property
    def alpha(self) -> float:
        """The level of significance that goes with the confidence."""
        return round(1 - self.confidence, 12)


@dataclass(frozen=True)
class Evidence:
    """Pair i is run a[i] against run b[i]."""

    measure: Measure
    names: list[str]
    prepared: Prepared
    a: Integers
    b: Integers
    every: bool
    """Whether these are all pairs of the runs."""
    choices: Choices
    trials: int
    draws: Floats
    pairs: Resampled
    alone: Resampled
    p: dict[str, Floats]
    exact: Any
    """Per pair: whether the randomisation test enumerated every exchange."""
    test: str
    correct: str
    tukey: corrections.Tukey | None
    adjusted: dict[str, Floats]

    @property
    def sample(self) -> Sample:
        return self.prepared.sample

    @property
    def defined(self) -> Any:
        """Per pair: whether both runs have a value."""
        return np.isfinite(self.pairs.estimates)

    @property
    def corrected_by(self) -> str:
        """The correction at work; two runs alone need none."""
        return self.correct if self.correct in self.adjusted else "none"

    @property
    def deciding(self) -> Floats:
        """The p-values that decide: of the chosen test, adjusted by the chosen correction."""
        return self.adjusted.get(self.correct, self.p[self.test])


def gather(
    measure: Measure, names: list[str], prepared: Prepared, a: Integers, b: Integers, every: bool, choices: Choices
) -> Evidence:
    """Resample, test and correct."""
    sample = prepared.sample
    trials = choices.resamples or default_resamples(sample)
    options: dict[str, Any] = {"trials": trials, "seed": choices.seed, "threads": choices.threads}
    draws = sample.bootstrap(trials, choices.seed, choices.threads)
    limits: dict[str, Any] = {"method": choices.interval, "confidence": choices.confidence, "draws": draws, **options}
    pairs = intervals.bootstrap(sample, a, b, **limits)
    alone = intervals.bootstrap(sample, np.arange(len(names)), **limits)
    exact, p = _p_values(prepared, a, b, pairs, choices, options)
    test = choices.test or ("randomisation" if "randomisation" in p else "bootstrap")
    if test not in p:
        raise UsageError(_no_such_test(test, measure, prepared, list(p)))
    tukey = None if isinstance(sample, Whole) else corrections.tukey_hsd(sample, **options)
    correct = choices.correct or _default_correction(len(a), every, tukey is not None)
    if correct == "tukey" and tukey is None:
        raise UsageError(f"{measure.name} is computed from all topics at once; use --correct holm or bh, not tukey")
    defined = np.isfinite(pairs.estimates)
    adjusted = {name: _adjusted(method, p[test], defined) for name, method in ADJUSTMENTS.items()}
    if tukey is not None and len(names) > 2:
        adjusted["tukey"] = tukey.p(a, b)
    return Evidence(
        measure, names, prepared, a, b, every, choices, trials, draws, pairs, alone, p, exact, test, correct, tukey, adjusted
    )  # fmt: skip


def default_resamples(sample: Sample) -> int:
    """10,000; for measures of whole runs 2,000, and 500 where there are more than 2,000 topics."""
    if not isinstance(sample, Whole):
        return RESAMPLES
    return WHOLE_RESAMPLES["few" if sample.units <= intervals.MANY_UNITS else "many"]


def _default_correction(pairs: int, every: bool, tukey: bool) -> str:
    if pairs == 1:
        return "none"
    return "tukey" if every and tukey else "holm"


def _adjusted(method: Callable[[Floats], Floats], p: Floats, defined: Any) -> Floats:
    """Adjusted among the pairs that can be compared; the others do not count."""
    adjusted = np.ones(len(p))
    adjusted[defined] = method(p[defined])
    return adjusted


def _p_values(
    prepared: Prepared, a: Integers, b: Integers, boot: Resampled, choices: Choices, options: dict[str, Any]
) -> tuple[Any, dict[str, Floats]]:
    """Every test that makes sense here, the cheap ones always."""
    sample = prepared.sample
    p: dict[str, Floats] = {}
    exact = np.zeros(len(a), dtype=bool)
    # On measures of whole runs each exchange recomputes both runs of each pair, so it is done for one pair or on request.
    if not isinstance(sample, Whole) or len(a) == 1 or (choices.test == "randomisation" and len(a) <= sample.runs):
        randomised = tests.randomisation_test(sample, a, b, **options)
        p["randomisation"], exact = randomised.p, randomised.exact
    p["bootstrap"] = boot.shift_p
    if isinstance(sample, Means) and prepared.cluster is None:
        d = sample.per_topic[:, a] - sample.per_topic[:, b]
        p["t"] = tests.t_test(d)
        # As R and scipy do it, on floating-point differences: ties that only decimals would show stay untied.
        scores = sample.per_topic / sample.scale
        p["wilcoxon"] = tests.wilcoxon_test(scores[:, a] - scores[:, b])
        p["sign"] = tests.sign_test(d, _tie_units(choices.tie, sample.scale))
    if prepared.correct is not None and prepared.cluster is None:
        p["mcnemar"] = tests.mcnemar_test(prepared.correct[:, a], prepared.correct[:, b])
    return exact, p


def _tie_units(tie: float, scale: int) -> int:
    """|d| < tie in exact integers; what floating point adds to tie · scale must not turn an equal into a smaller."""
    return ceil(tie * scale - 1e-6)


def _no_such_test(test: str, measure: Measure, prepared: Prepared, known: Sequence[str]) -> str:
    why = {
        "mcnemar": "the runs have no right and wrong answers",
        "randomisation": f"{measure.name} is computed anew for every exchange, too slow for so many pairs",
    }.get(test, f"{measure.name} has no value per topic")
    if prepared.cluster is not None and test != "randomisation":
        why = f"topics come in clusters ({prepared.cluster}), and this test takes them for independent"
    return f"the {test} test cannot be used: {why}; use {' or '.join(known)}"


def topic_differences(evidence: Evidence) -> tuple[Any, list[tuple[int, int, int]] | None]:
    """Per topic and pair, what separates the runs; and topics won, tied and lost by a. None for measures of whole runs."""
    sample, a, b, tie = evidence.sample, evidence.a, evidence.b, evidence.choices.tie
    if isinstance(sample, Whole):
        return None, None
    if isinstance(sample, Means):
        exact = sample.per_topic[:, a] - sample.per_topic[:, b]
        shown = exact / sample.scale
        won, tied, lost = tests.counts(exact, _tie_units(tie, sample.scale))
    else:
        shown = sample.contributions(a, b)
        won, tied, lost = tests.counts(shown)
    if evidence.measure.declaration.higher_is_better is False:
        won, lost = lost, won
    return shown, list(zip(won.tolist(), tied.tolist(), lost.tolist(), strict=True))


def smallest_differences(evidence: Evidence, i: int) -> tuple[float | None, float | None]:
    """What would have been significant in pair i, and what true difference would be found 4 times in 5.

    None where no such difference is possible: beyond the measure's range, or where the test cannot be significant at all.

    Significant: t(1 - α/2) standard errors, or the range Tukey's HSD asks for. Found: t(.8) standard errors more. Under Holm
    and Benjamini-Hochberg α is shared among the pairs, as in their first step.
    """
    error = float(evidence.pairs.errors[i])
    if not np.isfinite(error) or not can_be_significant(evidence):
        return None, None
    from scipy.special import stdtrit

    alpha = evidence.choices.alpha
    share = len(evidence.a) if evidence.corrected_by in ("holm", "bh") else 1
    quantiles = stdtrit(evidence.sample.units - 1, np.array([1 - alpha / share / 2, 0.8]))
    critical = float(quantiles[0]) * error
    if evidence.corrected_by == "tukey" and evidence.tukey is not None:
        critical = evidence.tukey.critical(alpha)
    widest = span(limits(evidence.measure, evidence.sample.values()))
    most = np.inf if widest is None else widest
    detectable = critical + float(quantiles[1]) * error
    return (
        critical if np.isfinite(critical) and critical <= most else None,
        detectable if np.isfinite(detectable) and detectable <= most else None,
    )


def limits(measure: Measure, values: Floats) -> tuple[float | None, float | None]:
    """The measure's range; none at all where the runs' values are not in it, as those of a file in percent."""
    low, high = measure.declaration.low, measure.declaration.high
    room = slack(values)
    if (low is not None and (values < low - room).any()) or (high is not None and (values > high + room).any()):
        return None, None
    return low, high


def span(limits: tuple[float | None, float | None]) -> float | None:
    """The largest difference a range leaves room for; None where it has no end."""
    low, high = limits
    return None if low is None or high is None else high - low


def can_be_significant(evidence: Evidence) -> bool:
    """Whether the smallest p-value the test can give with so few topics is below α.

    Of the 2^u exchanges of u units, two are as extreme as a run that wins everywhere: no exact test gives less than
    2/2^u, times the number of pairs under Holm. Of the shuffles of r runs, Tukey's HSD finds the same two runs at the ends
    on all units in (r(r-1))^(1-u).
    """
    units, alpha = evidence.sample.units, evidence.choices.alpha
    if evidence.corrected_by == "tukey":
        runs = len(evidence.names)
        return (runs * (runs - 1)) ** float(1 - units) < alpha
    if evidence.test in ("t", "bootstrap"):
        return True
    share = len(evidence.a) if evidence.corrected_by == "holm" else 1
    return share * 2.0 ** (1 - units) < alpha


def significantly_apart(evidence: Evidence) -> set[frozenset[str]]:
    """The pairs of runs told apart, among all pairs: what tiers are made from.

    By the correction in use where it covers all pairs; otherwise by Tukey, or for measures of whole runs by Holm.
    """
    alpha, names = evidence.choices.alpha, evidence.names
    if evidence.every:
        first, second, decided = evidence.a, evidence.b, evidence.deciding
    else:
        first, second = np.triu_indices(len(names), 1)
        if evidence.tukey is not None:
            decided = evidence.tukey.p(first, second)
        else:
            shift = intervals.bootstrap(
                evidence.sample, first, second, method="percentile", trials=evidence.trials, draws=evidence.draws
            ).shift_p
            decided = corrections.holm(np.where(np.isfinite(shift), shift, 1.0))
    return {
        frozenset((names[x], names[y]))
        for x, y, q in zip(first.tolist(), second.tolist(), decided.tolist(), strict=True)
        if q < alpha
    }
