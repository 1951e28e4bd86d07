"""Refuse requests that need far more memory or time than the machine has, before they start."""

from __future__ import annotations

import os

from assay.errors import TooMuchError

MAX_SECONDS = 365 * 86_400
"""Seconds of one processor: a year, which a large cluster computes overnight."""
BYTES_DRAWN = 75
"""Bytes per run and resample in memory, measured with 2 and with 20 runs."""
UNITS = ((86_400 * 365.25, "years"), (86_400, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds"))


def afford(name: str, value: int, *, memory: float = 0.0, seconds: float = 0.0) -> None:
    """Refuse a choice that would need more memory (bytes) than there is, or more than a year of one processor.

    >>> afford("trials", 1000, seconds=2.5)
    >>> afford("trials", 10**15, seconds=2.5e12)
    Traceback (most recent call last):
    assay.errors.TooMuchError: `trials=1000000000000000`: would take about 79,000 years of one processor; ask for fewer
    """
    if seconds > MAX_SECONDS:
        raise TooMuchError(
            f"`{name}={value}`: would take about {_rough(seconds, UNITS)} of one processor; ask for fewer"
        )
    there = available()
    if memory > there:
        needed, available_text = in_bytes(memory), in_bytes(there)
        raise TooMuchError(
            f"`{name}={value}`: would need about {needed} of memory, and there is {available_text}; ask for fewer"
        )


def available() -> float:
    """Return the bytes of memory that this process may use; infinity where the system does not say."""
    limits = [float("inf")]
    try:
        limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
        import resource

        limits += [limit for limit in resource.getrlimit(resource.RLIMIT_AS) if limit != resource.RLIM_INFINITY]
    except (AttributeError, ImportError, OSError, ValueError):  # not on every system
        pass
    try:
        with open("/sys/fs/cgroup/memory.max", encoding="ascii") as file:
            limits.append(float(file.read().replace("max", "inf")))
    except (OSError, ValueError):
        pass
    return min(limits)


def in_bytes(count: float) -> str:
    """Format a number of bytes.

    >>> in_bytes(16e9), in_bytes(2.4e16)
    ('16 GB', '24,000 TB')
    """
    return _rough(count, ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1, "bytes")))


def _rough(count: float, units: tuple[tuple[float, str], ...]) -> str:
    size, unit = next((pair for pair in units if count >= pair[0]), units[-1])
    number = count / size
    return f"{float(f'{number:.2g}'):,.0f} {unit}"
