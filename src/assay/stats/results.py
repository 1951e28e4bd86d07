"""What a comparison says, as plain objects: differences, intervals, p-values, tiers, and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log10

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from assay.stats.intervals import Interval


@dataclass(frozen=True)
class Moved:
    """One topic, and by how much the two runs differ there (for sums: by how much it moves the measure)."""

    topic: str
    difference: float


@dataclass(frozen=True)
class RunResult:
    """One run of the leaderboard."""

    run: str
    value: float | None
    interval: Interval | None
    tier: int | None
    """1 is the best; None where the run has no value."""
    missing: int
    undefined: int
    """On how many topics of the table the run has no result, and on how many others the measure has no value."""


@dataclass(frozen=True)
class PairResult:
    """Run a against run b: difference = a - b."""

    a: str
    b: str
    difference: float | None
    interval: Interval | None
    p: dict[str, float]
    exact: bool
    """Whether the randomisation test enumerated every exchange."""
    adjusted: dict[str, float]
    decided_by: float | None
    """The p-value that decides: of the chosen test, adjusted by the chosen correction."""
    significant: bool
    better: str | None
    """The better run by the estimate, or None where they are equal or the measure has no better."""
    won: int | None
    tied: int | None
    lost: int | None
    moved: list[Moved]
    critical: float | None
    """The smallest difference that would have been significant, given this spread over topics; None where none would."""
    detectable: float | None
    """The true difference the test would find 4 times in 5; None where the measure's range does not hold it."""
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "a": self.a,
            "b": self.b,
            "difference": self.difference,
            "interval": None if self.interval is None else [self.interval.low, self.interval.high],
            "method": None if self.interval is None else self.interval.method,
            "p": self.p,
            "exact": self.exact,
            "adjusted": self.adjusted,
            "significant": self.significant,
            "better": self.better,
            "won": self.won,
            "tied": self.tied,
            "lost": self.lost,
            "moved": [{"topic": m.topic, "difference": m.difference} for m in self.moved],
            "critical": self.critical,
            "detectable": self.detectable,
            "sentence": self.sentence,
        }


@dataclass(frozen=True)
class Comparison:
    """Runs compared by one measure on the topics they share."""

    measure: str
    topics: int
    units: int
    """What was resampled: topics, or clusters of them."""
    left_out: int
    undefined_resamples: int
    runs: list[RunResult]
    """Best first."""
    pairs: list[PairResult]
    tiers: list[list[str]]
    significant: dict[str, dict[str, float]]
    """Per test, the share of the pairs significant at .01 and at .05, unadjusted; `tukey` is adjusted by nature."""
    settings: dict[str, Any]
    notes: list[str]

    def pair(self, a: str, b: str) -> PairResult:
        """The result of one pair, as it was compared."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
        raise KeyError(f"{a} was not compared with {b}, in this order")

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        return {
            "measure": self.measure,
            "topics": self.topics,
            "units": self.units,
            "left_out": self.left_out,
            "undefined_resamples": self.undefined_resamples,
            "runs": [
                {
                    "run": r.run,
                    "value": r.value,
                    "interval": None if r.interval is None else [r.interval.low, r.interval.high],
                    "tier": r.tier,
                    "missing": r.missing,
                    "undefined": r.undefined,
                }
                for r in self.runs
            ],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "tiers": self.tiers,
            "significant": self.significant,
            "settings": self.settings,
            "notes": self.notes,
        }

    def __str__(self) -> str:
        return "\n".join(pair.sentence for pair in self.pairs)


def digits_for(error: float | None) -> int:
    """Decimals that two significant digits of the standard error justify; at least 2, at most 8.

    >>> digits_for(0.0156), digits_for(3.2), digits_for(0)
    (3, 2, 3)
    """
    if not error or error <= 0:
        return 3
    return min(8, max(2, ceil(-log10(error)) + 1))


def shown_p(p: float) -> str:
    """A p-value as papers print it.

    >>> shown_p(0.0023), shown_p(0.59), shown_p(0.0004), shown_p(1.0), shown_p(0.0499)
    ('= .002', '= .59', '< .001', '= 1', '= .0499')
    """
    if p < 0.001:
        return "< .001"
    if p >= 0.995:
        return "= 1"
    digits = 2 if p >= 0.0995 else 3
    # .0499 shown as .050 would contradict "significant at .05".
    if p < 0.05 <= float(f"{p:.{digits}f}") or p < 0.01 <= float(f"{p:.{digits}f}"):
        digits = 4
    return "= " + f"{p:.{digits}f}".removeprefix("0")


def signed(value: float, digits: int) -> str:
    """A number without a negative zero.

    >>> signed(-0.0312, 3), signed(-0.0001, 3)
    ('-0.031', '0.000')
    """
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text


def sentence(
    *,
    a: str,
    b: str,
    measure: str,
    topics: int,
    noun: str,
    how: str,
    difference: float | None = None,
    interval: Interval | None = None,
    error: float | None = None,
    p: float | None = None,
    significant: bool = False,
    better: str | None = None,
    counts: tuple[int, int, int] | None = None,
    critical: float | None = None,
    detectable: float | None = None,
    possible: bool = True,
) -> str:
    """One plain sentence a person can act on."""
    if difference is None or p is None:
        return f"{a} and {b} cannot be compared: {measure} is undefined for at least one of them over these {topics} {noun}."
    if interval is not None and counts is not None and counts[1] == topics and interval.low == interval.high == 0:
        return f"{a} and {b} have the same score on every one of the {topics} {noun}."
    digits = digits_for(error)
    if significant:
        # Told from the winner's side, so that the difference reads as an improvement.
        winner, loser = (b, a) if better == b else (a, b)
        span = ""
        if interval is not None:
            low, high = (interval.low, interval.high) if difference > 0 else (-interval.high, -interval.low)
            span = f" [{signed(low, digits)}, {signed(high, digits)}]"
        verb = "is better than" if better is not None else "is above" if difference > 0 else "is below"
        wins = ""
        if counts is not None and better is not None:
            wins = f", winning {counts[2] if better == b else counts[0]} of {topics} {noun}"
        return f"{winner} {verb} {loser} by {abs(difference):.{digits}f} {measure}{span}, p {shown_p(p)} ({how}){wins}."
    span = "" if interval is None else f" [{signed(interval.low, digits)}, {signed(interval.high, digits)}]"
    text = (
        f"The test cannot tell {a} from {b}: they differ by {signed(difference, digits)} {measure}{span}, "
        f"p {shown_p(p)} ({how})"
    )
    if not possible:
        text += f"; over these {topics} {noun} no difference could have been significant"
    elif critical is not None and critical > 0:
        text += f"; over these {topics} {noun} a difference of {critical:.{digits}f} would have been significant"
        if detectable is not None:
            text += f", and a true one of {detectable:.{digits}f} would be found 4 times in 5"
    return text + "."
