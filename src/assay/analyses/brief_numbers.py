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


def tick_text(value: float) -> str:
    """Return the number at a tick of a scale, with the digits it needs.

    >>> tick_text(0.0), tick_text(0.25), tick_text(-0.5), tick_text(1500.0)
    ('0', '.25', '−.5', '1500')
    """
    text = f"{abs(value):.10g}"
    return ("−" if value < 0 else "") + (text[1:] if text.startswith("0.") else text)
