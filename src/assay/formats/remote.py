"""Files elsewhere, by their address: s3://, gs://, hf://, https:// and whatever else fsspec knows.

Retries, timeouts and credentials are fsspec's business; what is printed of an address holds neither a password nor a signature.
"""

from __future__ import annotations

import re

from assay.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PACKAGES = {
    "s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "hf": "huggingface_hub", "http": "aiohttp", "https": "aiohttp",
    "az": "adlfs", "abfs": "adlfs",
}  # fmt: skip
"""What fsspec needs beside itself."""
WEB = ("http", "https")
"""Where a folder is an address that ends in a stroke, and ? begins a query."""


def bare(url: str) -> str:
    """An address without what may be secret: who asks, and what is asked beyond the file.

    >>> bare("https://me:word@host/runs/a.run?X-Signature=abc#x"), bare("s3://bucket/a?.run")
    ('https://host/runs/a.run', 's3://bucket/a?.run')
    """
    scheme, _, rest = url.partition("://")
    rest = re.split(r"[?#]", rest, maxsplit=1)[0] if scheme in WEB else rest
    host, stroke, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{stroke}{path}"


class Remote:
    """An open remote file, read from its start to its end."""

    def __init__(self, url: str) -> None:
        self._url = url
        system = _system(url)
        # A web server need not know ranges; a file that is read but once needs none.
        whole: dict[str, Any] = {"block_size": 0} if _scheme(url) in WEB else {}
        self._stream: Any = _asked(url, system.open, url, "rb", **whole)

    def read(self, size: int = -1) -> bytes:
        """Up to so many bytes."""
        return _asked(self._url, self._stream.read, size)

    def close(self) -> None:
        """Let go of it."""
        self._stream.close()

    def __enter__(self) -> Remote:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def addresses(url: str) -> list[str]:
    """The files that an address, a folder or a pattern stands for, in order."""
    system, web = _system(url), _scheme(url) in WEB
    if "*" in url or (not web and any(c in url for c in "?[") and not _asked(url, system.exists, url)):
        found = sorted(_asked(url, system.glob, url))
        if not found:
            raise InputError(f"{bare(url)}: no file matches this pattern")
        return [system.unstrip_protocol(name) for name in found]
    if not (url.endswith("/") if web else _asked(url, system.isdir, url)):
        return [url]
    files, folders = _listed(url, system, url)
    files = files or [file for folder in folders for file in _listed(url, system, folder)[0]]
    if not files:
        raise InputError(f"{bare(url)}: is a folder without files; expected run files in it")
    return [system.unstrip_protocol(name) for name in files]


def _listed(url: str, system: Any, folder: str) -> tuple[list[str], list[str]]:
    """The files and the folders in a folder, sorted, hidden things left out."""
    entries: list[dict[str, Any]] = _asked(url, system.ls, folder, detail=True)
    shown = [e for e in entries if not e["name"].rstrip("/").rpartition("/")[2].startswith(".")]
    kinds = {kind: sorted(e["name"] for e in shown if e["type"] == kind) for kind in ("file", "directory")}
    return kinds["file"], kinds["directory"]


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower()


def _system(url: str) -> Any:
    """What fsspec has for an address."""
    scheme = _scheme(url)
    install = "pip install 'assay-eval[remote]'"
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise InputError(f"{bare(url)}: is not of this machine; {install} to read it") from None
    try:
        return _asked(url, url_to_fs, url)[0]
    except ImportError:
        beside = f" and {PACKAGES[scheme]}" if scheme in PACKAGES else ""
        raise InputError(f"{bare(url)}: fsspec{beside} would read it; {install}") from None


def _asked(url: str, function: Any, *given: Any, **named: Any) -> Any:
    """What a call of fsspec gives; whatever it raises is said of the address."""
    try:
        return function(*given, **named)
    except (ImportError, MemoryError):
        raise
    except Exception as problem:  # noqa: BLE001 - every kind of server has errors of its own
        raise InputError(f"{bare(url)}: cannot be read: {_said(url, problem)}") from None


def _said(url: str, problem: Exception) -> str:
    """An error in words, as far as they give nothing away."""
    if isinstance(problem, FileNotFoundError):
        return "there is no such file"
    if isinstance(problem, PermissionError):
        return "permission denied"
    text = str(problem).partition("\n")[0].replace(url, bare(url))
    query = url.partition("?")[2]
    user = url.partition("://")[2].partition("/")[0].rpartition("@")[0]
    secrets = [word for word in (query, user, *re.split(r"[&=:]", f"{query}&{user}")) if len(word) > 3]
    if not text or any(word in text for word in secrets):
        return type(problem).__name__
    return text
