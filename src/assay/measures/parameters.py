"""Parsers of the values of measures' parameters. Their docstrings are the parameters' documentation."""

from __future__ import annotations

from math import e

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def require(value: float, fits: Callable[[float], bool], expected: str) -> float:
    """Return a value that fits; raise ValueError with what is expected otherwise."""
    if not fits(value):
        raise ValueError(f"expected {expected}")
    return value


def positive(text: str) -> int:
    """a whole number of at least 1"""
    value = int(text) if text.isascii() and text.isdigit() else 0
    if value < 1:
        raise ValueError("expected a whole number of at least 1")
    return value


def integer(text: str) -> int:
    """a whole number"""
    digits = text.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError("expected a whole number")
    return int(text)


def number(text: str) -> float:
    """a number"""
    try:
        value = float(text)
    except ValueError:
        raise ValueError("expected a number") from None
    if not -1e9 <= value <= 1e9:  # beyond, formulas overflow; NaN fails the comparison too
        raise ValueError("expected a number between -1e9 and 1e9")
    return value


def share(text: str) -> float:
    """a number from 0 to 1"""
    return require(number(text), lambda value: 0 <= value <= 1, "a number from 0 to 1")


def part(text: str) -> float:
    """a number above 0 and at most 1"""
    return require(number(text), lambda value: 0 < value <= 1, "a number above 0 and at most 1")


def above_0(text: str) -> float:
    """a number above 0"""
    return require(number(text), lambda value: value > 0, "a number above 0")


def beta(text: str) -> float:
    """the weight of recall against precision, from 0 to 1000"""
    return require(number(text), lambda value: 0 <= value <= 1000, "a number from 0 to 1000")


def blend(text: str) -> float:
    """how much gains weigh against counts in the blended ratio, from 0 to 1000"""
    return beta(text)


def log_base(text: str) -> float:
    """the base of a logarithm, a number above 1; 0 means e, as in NTCIREVAL"""
    value = number(text)
    if value == 0:
        return e
    if value <= 1:
        raise ValueError("expected a number above 1, or 0 for e")
    return value


def gains(text: str) -> dict[int, float]:
    """gain per grade, as in 1:1,2:3; or gains from the highest grade down, as in 3:2:1; or flat, 1 for grades 1 to 9

    >>> gains("1:1,2:3.5"), gains("2:1.5:1"), gains("flat")[3]
    ({1: 1.0, 2: 3.5}, {3: 2.0, 2: 1.5, 1: 1.0}, 1.0)
    """
    if text == "flat":
        return dict.fromkeys(range(1, 10), 1.0)
    if text.count(":") > 1 and "," not in text:
        downwards = text.split(":")
        return {len(downwards) - i: number(gain.strip()) for i, gain in enumerate(downwards)}
    table: dict[int, float] = {}
    for pair in text.strip("{}").split(","):
        grade, colon, gain = pair.partition(":")
        if not colon:
            raise ValueError("expected grade:gain pairs, as in 1:1,2:3")
        level = integer(grade.strip())
        if level in table:
            raise ValueError(f"grade {level} is given twice")
        if level < 0:
            raise ValueError("a grade below 0 means a document without a judgment, which has no gain")
        table[level] = number(gain.strip())
    return table


def one_of(*choices: str) -> Callable[[str], str]:
    """Return a parser for a parameter with a few named values."""

    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}")
        return text

    parse.__doc__ = " or ".join(choices)
    return parse
