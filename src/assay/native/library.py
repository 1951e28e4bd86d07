"""Find and load the compiled core; say plainly when it is not there."""

from __future__ import annotations

import ctypes
import os
import sys

ABI = 1


def _load() -> ctypes.CDLL | None:
    if os.environ.get("ASSAY_NATIVE") == "0":
        return None
    suffix = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_core" + suffix)
    try:
        library = ctypes.CDLL(path)
    except OSError:
        library = None
    if library is not None and library.assay_abi() != ABI:
        library = None
    if library is None and os.environ.get("ASSAY_REQUIRE_NATIVE") == "1":
        raise ImportError(
            f"ASSAY_REQUIRE_NATIVE=1, but no C core that speaks interface {ABI} is at {path}; install a C compiler and reinstall"
        )
    return library


LIBRARY: ctypes.CDLL | None = _load()
"""The loaded core, or None where the standard-library twin serves (`ASSAY_NATIVE=0` asks for the twin)."""


def active() -> str:
    """Which core does the work, as `assay --version` prints it."""
    return "native core" if LIBRARY is not None else "Python twin (no native core)"
