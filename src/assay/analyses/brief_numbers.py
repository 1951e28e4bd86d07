"""Numbers as sentences and tables of a terminal have them: few digits, no leading zero, a true minus."""

from __future__ import annotations


def brief(value: float, digits: int) -> str:
    """Return a number without a leading zero, and with a true minus.

    >>> brief(0.5742, 3), brief(-0.042, 3), brief(1.5, 1), brief(-0.0001, 2), brief(1532.2, 0)
    ('.574', '−.042', '1.5', '.00', '1532')
    """
    text = f"{abs(value):.{digits}f}"
    sign = "−" if value < 0 and float(text) else ""
    return sign + (text.removeprefix("0") or "0")
