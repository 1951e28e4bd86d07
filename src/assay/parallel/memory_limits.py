"""What a machine can do: a request far beyond it is refused with what it would need, instead of being killed midway."""

from __future__ import annotations

import os

from assay.errors import TooMuchError

LONGEST = 365 * 86_400
"""Seconds of one processor: a year, which a large cluster does over night."""
BYTES_DRAWN = 75
"""What a run takes for each resample that is held, as measured on 2 and on 20 runs."""
UNITS = ((86_400 * 365.25, "years"), (86_400, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds"))


def afford(name: str, value: int, *, memory: float = 0.0, seconds: float = 0.0) -> None:
    """Refuse a choice that would need more memory (bytes) than there is, or more than a year of one processor.

    >>> afford("trials", 1000, seconds=2.5)
    >>> afford("trials", 10**15, seconds=2.5e12)
    Traceback (most recent call last):
    assay.errors.TooMuchError: `trials=1000000000000000`: would take about 79,000 years of one processor; ask for fewer
    """
    if seconds > LONGEST:
        raise TooMuchError(
            f"`{name}={value}`: would take about {_rough(seconds, UNITS)} of one processor; ask for fewer"
        )
    there = available()
    if memory > there:
        needed, found = in_bytes(memory), in_bytes(there)
        raise TooMuchError(
            f"`{name}={value}`: would need about {needed} of memory, and there is {found}; ask for fewer"
        )


def available() -> float:
    """Bytes of memory that this process may use at most; without end where the system does not say."""
    found = [float("inf")]
    try:
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
        import resource

        found += [most for most in resource.getrlimit(resource.RLIMIT_AS) if most != resource.RLIM_INFINITY]
    except (AttributeError, ImportError, OSError, ValueError):  # not every system can be asked
        pass
    try:
        with open("/sys/fs/cgroup/memory.max", encoding="ascii") as file:
            found.append(float(file.read().replace("max", "inf")))
    except (OSError, ValueError):
        pass
    return min(found)


def in_bytes(count: float) -> str:
    """A count of bytes as a person says it.

    >>> in_bytes(16e9), in_bytes(2.4e16)
    ('16 GB', '24,000 TB')
    """
    return _rough(count, ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1, "bytes")))


def _rough(count: float, units: tuple[tuple[float, str], ...]) -> str:
    size, unit = next((one for one in units if count >= one[0]), units[-1])
    number = count / size
    return f"{float(f'{number:.2g}'):,.0f} {unit}"
