"""The options of a comparison, checked when they are made."""

from __future__ import annotations

from dataclasses import dataclass

from assay.analyses.comparison import paired_tests
from assay.errors import UsageError
from assay.settings import CONFIDENCE, NOT_NEGATIVE, POSITIVE, WHOLE, checked, one_of
from assay.stats import bootstrap_intervals, multiple_comparisons
from assay.stats.multiple_comparisons import NONE

AUTO = "auto"
MIN_RESAMPLES = 100


@dataclass(frozen=True, kw_only=True)
class ComparisonOptions:
    """How to compare; printed with the result. `PairStatistics` chooses what is None from the data."""

    seed: int
    test: str | None = None
    correct: str | None = None
    interval: str = AUTO
    confidence: float = 0.95
    resamples: int | None = None
    tie: float = 0.0
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.test is not None:
            checked("test", self.test, one_of(*paired_tests.declared()))
        if self.correct is not None:
            checked("correct", self.correct, one_of(*multiple_comparisons.declared(), NONE))
        checked("interval", self.interval, one_of(AUTO, *bootstrap_intervals.KINDS))
        if self.interval != AUTO and self.test not in (None, "bootstrap"):
            raise UsageError(
                f"`interval={self.interval!r}`: is the bootstrap's, and would not agree with the p of `test={self.test!r}`; "
                "leave one of them out"
            )
        checked("confidence", self.confidence, CONFIDENCE)
        if self.resamples is not None and checked("resamples", self.resamples, WHOLE) < MIN_RESAMPLES:
            raise UsageError(
                f"`resamples={self.resamples}`: too few for an interval; use 100 at least, 10000 to publish"
            )
        if self.threads is not None:
            checked("threads", self.threads, POSITIVE)
        checked("tie", self.tie, NOT_NEGATIVE)

    @property
    def alpha(self) -> float:
        """The level of significance that goes with the confidence."""
        return round(1 - self.confidence, 12)

    @property
    def chosen_test(self) -> str | None:
        """The test that was chosen; a kind of bootstrap interval chooses the bootstrap."""
        return "bootstrap" if self.interval != AUTO else self.test
