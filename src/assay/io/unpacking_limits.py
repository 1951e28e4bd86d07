"""Limit the unpacked size of compressed files: a few kilobytes can unpack to terabytes (a zip bomb)."""

from __future__ import annotations

from assay.errors import InputError, UsageError

MAX_UNPACKED = 64 << 30
"""Bytes that one file may unpack to, unless `allow` says otherwise."""
PLAUSIBLE, MAX_RATIO = 256 << 20, 250
"""Beyond so many bytes, a file that unpacks to so many times its size is no text: qrels and runs unpack to 5 to 30 times."""
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_allowed: list[int] = []


def allow(size: int | str | None) -> None:
    """Allow any file to unpack to a number of bytes, or a size such as `20G`; None restores the default limits.

    >>> allow("1.5K"); _allowed
    [1536]
    >>> allow(None); _allowed
    []
    """
    _allowed[:] = [] if size is None else [_bytes(size)]


def _bytes(size: int | str) -> int:
    text = str(size).strip().upper().removesuffix("B").removesuffix("I")
    try:
        number = float(text.rstrip("".join(UNITS)))
        count = number * UNITS.get(text[-1:], 1)
        # Only one letter may follow the number.
        if 1 <= count < 1 << 63 and text[:-1] == text[:-1].rstrip("".join(UNITS)):
            return int(count)
    except ValueError:
        pass
    raise UsageError(f"`max_unpacked={size}`: expected a number of bytes, as in 500M or 20G")


def readable(size: float) -> str:
    """Format a number of bytes.

    >>> readable(64 << 30), readable(1536), readable(12)
    ('64 GiB', '1.5 KiB', '12 bytes')
    """
    for unit, bytes_of in reversed(UNITS.items()):
        if size >= bytes_of:
            return f"{size / bytes_of:.4g} {unit}iB"
    return f"{size:g} bytes"


def check(name: str, packed: int, total: int) -> None:
    """Raise InputError where a file unpacks to more than is allowed, or than is plausible for its packed size."""
    remedy = "unpack it first, or allow more with `max_unpacked=`"
    limit = _allowed[0] if _allowed else MAX_UNPACKED
    if total > limit:
        raise InputError(f"{name}: unpacks to more than {readable(limit)}; {remedy}")
    if not _allowed and total > PLAUSIBLE and total > MAX_RATIO * packed:
        much = f"{readable(packed)} of it unpack to more than {readable(max(PLAUSIBLE, MAX_RATIO * packed))}"
        raise InputError(f"{name}: {much}, as no text does; {remedy}")
