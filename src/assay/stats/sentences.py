"""What a comparison of two runs says, in a sentence a person can act on."""

from __future__ import annotations

from math import ceil, log10

from assay.stats.intervals import Interval


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
