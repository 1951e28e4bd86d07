"""Numbers and lists of names as sentences and tables of a terminal have them: few digits, no leading zero, a true minus."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from math import ceil, floor, log10

MAX_NAMED = 3
"""A sentence names up to this many runs, and counts more."""
MAX_DIGITS = 8
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def brief(value: float, digits: int) -> str:
    """Return a number without a leading zero, and with a true minus.

    >>> brief(0.5742, 3), brief(-0.042, 3), brief(1.5, 1), brief(-0.0001, 2), brief(1532.2, 0)
    ('.574', '−.042', '1.5', '.00', '1532')
    """
    text = f"{abs(value):.{digits}f}"
    sign = "−" if value < 0 and float(text) else ""
    return sign + (text.removeprefix("0") or "0")


def tick_text(value: float) -> str:
    """Return the number at a tick of a scale, with the digits it needs.

    >>> tick_text(0.0), tick_text(0.25), tick_text(-0.5), tick_text(1500.0)
    ('0', '.25', '−.5', '1500')
    """
    text = f"{abs(value):.10g}"
    return ("−" if value < 0 else "") + (text[1:] if text.startswith("0.") else text)


def as_written(value: float) -> str:
    """Return a number with the digits that it was given with.

    >>> as_written(0.05), as_written(2), as_written(1e-5), as_written(1.50)
    ('.05', '2', '.00001', '1.5')
    """
    text = f"{Decimal(str(value)):f}"
    return ("−" if value < 0 else "") + (text.lstrip("-").removesuffix(".0").removeprefix("0") or "0")


def two_digits(value: float, *, up: bool = False) -> str:
    """Return a positive number with two significant digits, rounded to the nearest or up.

    >>> two_digits(0.0964), two_digits(0.00042), two_digits(12.3), two_digits(0.0841, up=True)
    ('.096', '.00042', '12', '.085')
    """
    if value <= 0:
        return "0"
    digits = max(1 - floor(log10(value)), 0)
    return brief(ceil(round(value * 10**digits, 6)) / 10**digits if up else value, digits)


def percent(share: float) -> str:
    """Return a share in whole per cent; 0% and 100% only where it is none or all.

    >>> percent(0.921), percent(0.9996), percent(1.0), percent(0.0004), percent(0.0)
    ('92%', '99.96%', '100%', '0.04%', '0%')
    """
    exact = share in (0.0, 1.0)
    digits = 0
    while not exact and digits < MAX_DIGITS and f"{100 * share:.{digits}f}" in (f"{0:.{digits}f}", f"{100:.{digits}f}"):
        digits += 1
    return f"{100 * share:.{digits}f}%"


def digits_of(low: float, high: float) -> int:
    """Return the decimals of a value with this interval: two significant digits of a quarter of its width, else three.

    >>> digits_of(0.5, 0.64), digits_of(0.2, 0.6), digits_of(100.0, 180.0), digits_of(0.5, 0.5)
    (3, 2, 0, 3)
    """
    width = (high - low) / 4
    return min(max(ceil(-log10(width)) + 1, 0), MAX_DIGITS) if width > 0 else 3


def interval(low: float, high: float, digits: int) -> str:
    """Return both ends, with as many decimals as it takes to see on which side of 0 they are, at least `digits`.

    >>> interval(-0.027, 0.02, 2), interval(0.004, 0.05, 2), interval(0.0, 0.05, 2)
    ('−.03 to .02', '.004 to .050', '.00 to .05')
    """
    while digits < MAX_DIGITS and any(end and not round(end, digits) for end in (low, high)):
        digits += 1
    return f"{brief(low, digits)} to {brief(high, digits)}"


def value_digits(low: float, high: float) -> int:
    """Return the decimals of a value in a sentence, two or three, by the width of its interval; more for values of a finer scale.

    >>> value_digits(0.5, 0.64), value_digits(0.2, 0.6), value_digits(0.51, 0.52), value_digits(0.5101, 0.5103)
    (2, 2, 3, 5)
    """
    return max(digits_of(low, high) - 1, 2)


def apart(first: float, second: float, digits: int) -> tuple[str, str]:
    """Return two numbers with as many decimals as they need to look different, at least `digits`.

    >>> apart(0.5321, 0.515, 2), apart(0.5321, 0.5319, 3), apart(0.5, 0.5, 3)
    (('.53', '.52'), ('.5321', '.5319'), ('.500', '.500'))
    """
    if first != second:
        while digits < MAX_DIGITS and brief(first, digits) == brief(second, digits):
            digits += 1
    return brief(first, digits), brief(second, digits)


def number_of(count: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> number_of(1, "query", "queries"), number_of(1547, "document")
    ('1 query', '1,547 documents')
    """
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def word(count: int) -> str:
    """Return a number up to twelve as a word.

    >>> word(0), word(2), word(1234)
    ('no', 'two', '1,234')
    """
    return WORDS[count] if count < len(WORDS) else f"{count:,}"


def how_many(sure: int, perhaps: int) -> str:
    """Return a count of which some could be decided otherwise.

    >>> how_many(2, 0), how_many(1, 1), how_many(2, 2), how_many(0, 1), how_many(17, 2)
    ('two', 'one or two', 'two to four', 'perhaps one', 'about 18')
    """
    most = sure + perhaps
    if not perhaps:
        return word(sure)
    if most >= len(WORDS):
        return f"about {(sure + most) // 2:,}"
    return f"perhaps {word(most)}" if not sure else f"{word(sure)} {'or' if perhaps == 1 else 'to'} {word(most)}"


def listed(names: Sequence[str]) -> str:
    """Join names as a sentence does.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def several(names: Sequence[str], noun: str = "run") -> str:
    """Return names as a sentence has them, or how many there are.

    >>> several(["a"]), several(["a", "b"]), several(["a", "b", "c"]), several(list("abcd"))
    ('a', 'a and b', 'a, b and c', 'four runs')
    """
    return f"{word(len(names))} {noun}s" if len(names) > MAX_NAMED else listed(names)


def ordinal(number: int) -> str:
    """Return a place in words.

    >>> [ordinal(number) for number in (1, 2, 3, 11, 112, 121)]
    ['1st', '2nd', '3rd', '11th', '112th', '121st']
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"
