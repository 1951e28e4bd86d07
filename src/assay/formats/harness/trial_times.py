"""Times of trials, as ISO dates."""

from __future__ import annotations

from datetime import datetime


def seconds_between(start: str | None, end: str | None) -> float | None:
    """Return the seconds between two ISO dates; None where one is missing or is none.

    >>> seconds_between("2026-01-02T03:04:05Z", "2026-01-02T03:05:05.500000+00:00"), seconds_between("noon", None)
    (60.5, None)
    """
    try:
        return (datetime.fromisoformat(end or "") - datetime.fromisoformat(start or "")).total_seconds()
    except (ValueError, TypeError):  # TypeError where only one of them has a time zone
        return None
