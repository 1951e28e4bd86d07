"""Find and load the compiled core; say plainly when it is not there."""

from __future__ import annotations

import ctypes
import os
import sys

from assay.native import interface

NAME = "_core" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


def load(folder: str) -> tuple[ctypes.CDLL | None, str]:
    """The core in a folder, ready to be called; or None, and why not."""
    if os.environ.get("ASSAY_NATIVE") == "0":
        return None, "ASSAY_NATIVE=0"
    path = os.path.join(folder, NAME)
    try:
        library = ctypes.CDLL(path)
    except OSError:
        library, reason = None, "no native core"
    else:
        difference = interface.differs(library)
        reason = f"the native core was built from other sources: {difference}" if difference else ""
    if library is not None and not reason:
        interface.bind(library)
        return library, ""
    if os.environ.get("ASSAY_REQUIRE_NATIVE") == "1":
        raise ImportError(f"ASSAY_REQUIRE_NATIVE=1, but {path}: {reason}; install a C compiler and reinstall")
    return None, reason


LIBRARY, REASON = load(os.path.dirname(os.path.abspath(__file__)))
"""The loaded core, or None where the standard-library twin serves (`ASSAY_NATIVE=0` asks for the twin), and why it does."""


def active() -> str:
    """Which core does the work, as `assay --version` prints it."""
    return "native core" if LIBRARY is not None else f"Python twin ({REASON})"
