"""The script that draws charts in a browser: Vega, Vega-Lite and Vega-Embed as one, from vl-convert, which takes a second to
bundle them. The bundle is kept in the user's folder of caches, by the version of vl-convert.

A cache is never needed: where it cannot be read or written, or was damaged, the bundle is made anew.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from hashlib import sha256

from assay.errors import InputError
from assay.files import write_whole
from assay.reports.pdf import needed

DIGEST = 64
"""Letters of a SHA-256 in hexadecimal, with which a file of the cache begins."""


@cache
def chart_runtime() -> str:
    """The bundle, as it can stand in a script element."""
    return bundled(needed("vl_convert", "HTML"), folder()).replace("</script", "<\\/script")


def bundled(vl_convert: object, where: str | None) -> str:
    """The bundle from the cache in a folder, or made and left there for the next time.

    vl_convert   the package, with its `__version__` and `javascript_bundle`
    where        the folder; None for no cache
    """
    version = str(getattr(vl_convert, "__version__", ""))
    path = None if where is None or not version else os.path.join(where, f"vega-of-vl-convert-{version}.js")
    kept = None if path is None else _read(path)
    if kept is not None:
        return kept
    made = str(vl_convert.javascript_bundle())  # type: ignore[attr-defined]
    if path is not None:
        _keep(path, made.encode())
    return made


def folder() -> str | None:
    """Where this user's programs keep what they can make again; None of a user without a home.

    `XDG_CACHE_HOME` says so everywhere; otherwise it is where the system has it.
    """
    told = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else None)
    home = os.path.expanduser("~")
    if not told and not os.path.isabs(home):
        return None
    usual = os.path.join(home, "Library", "Caches") if sys.platform == "darwin" else os.path.join(home, ".cache")
    return os.path.join(told or usual, "assay")


def _read(path: str) -> str | None:
    """What was kept; None where nothing was, or something else is there."""
    try:
        with open(path, "rb") as file:
            digest, body = file.read(DIGEST), file.read()
        return body.decode() if sha256(body).hexdigest().encode() == digest else None
    except (OSError, UnicodeDecodeError):
        return None


def _keep(path: str, body: bytes) -> None:
    """Written beside and renamed: of several writers the last one stays, and nobody reads half a file."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_whole(path, sha256(body).hexdigest().encode() + body)
    except (OSError, InputError):
        return
