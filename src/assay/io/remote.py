"""Remote files by URL: s3://, gs://, hf://, https:// and every other scheme of fsspec.

fsspec handles retries, timeouts and credentials; messages redact passwords and signatures.
"""

from __future__ import annotations

import re

from assay.errors import InputError
from assay.io.url_redaction import WEB, bare, scheme_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PACKAGES = {
    "s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "hf": "huggingface_hub", "http": "aiohttp", "https": "aiohttp",
    "az": "adlfs", "abfs": "adlfs",
}  # fmt: skip
"""The package that fsspec needs for a scheme."""
MISSING = (404, 410)
BAD = 400
"""HTTP status codes: no such file; the lowest one of an error."""
FURTHER = ("adlfs",)
"""Packages that the extra `remote` does not install."""


class Remote:
    """An open remote file, read from its start to its end."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._system, path = _system(url)  # an archive file system closes its files when it is collected
        # A web server need not know ranges; a file that is read but once needs none.
        whole: dict[str, Any] = {"block_size": 0} if scheme_of(url) in WEB else {}
        self._stream: Any = _call(url, self._system.open, path, "rb", **whole)

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes."""
        return _call(self._url, self._stream.read, size)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def __enter__(self) -> Remote:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Ranged(Remote):
    """A remote file read by range requests, with the interface that pyarrow expects of a file."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._system, path = _system(url)
        self.has_ranges: bool = scheme_of(url) not in WEB or bool(_call(url, self._system.info, path).get("partial"))
        """Whether the server supports range requests."""
        self._stream: Any = _call(url, self._system.open, path, "rb", cache_type="none") if self.has_ranges else None
        self.closed = False

    def seek(self, place: int, whence: int = 0) -> int:
        """Move the position."""
        return _call(self._url, self._stream.seek, place, whence)

    def tell(self) -> int:
        """Return the position."""
        return self._stream.tell()

    def readable(self) -> bool:
        """Return True."""
        return True

    def close(self) -> None:
        """Close the file."""
        self.closed: bool = True
        if self._stream is not None:
            self._stream.close()


def addresses(url: str) -> list[str]:
    """Return the files of a URL, a remote folder or a pattern, sorted."""
    if "::" in url:  # fsspec's way to a file inside another, or by way of a cache
        return [url]
    web = scheme_of(url) in WEB
    system, place = _system(url)
    if "*" in url or (not web and any(c in url for c in "?[") and not _call(url, system.exists, place)):
        names = sorted(_call(url, system.glob, place))
        if not names:
            raise InputError(f"{bare(url)}: no file matches this pattern")
        return [system.unstrip_protocol(name) for name in names]
    if not (url.endswith("/") if web else _call(url, system.isdir, place)):
        return [url]
    files, folders = _listed(url, system, place)
    files = files or [file for folder in folders for file in _listed(url, system, folder)[0]]
    if not files:
        raise InputError(f"{bare(url)}: is a folder without files; expected run files in it")
    return [system.unstrip_protocol(name) for name in files]


def _listed(url: str, system: Any, folder: str) -> tuple[list[str], list[str]]:
    """Return the files and the folders in a folder, sorted, without hidden ones."""
    entries: list[dict[str, Any]] = _call(url, system.ls, folder, detail=True)
    shown = [e for e in entries if not e["name"].rstrip("/").rpartition("/")[2].startswith(".")]
    kinds = {kind: sorted(e["name"] for e in shown if e["type"] == kind) for kind in ("file", "directory")}
    return kinds["file"], kinds["directory"]


def _system(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of a URL, and the path in it."""
    scheme = scheme_of(url)
    install = "pip install 'assay-eval[remote]'"
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise InputError(f"{bare(url)}: is not of this machine; {install} to read it") from None
    try:
        system, path = _call(url, url_to_fs, scheme + url[len(scheme) :])
    except ImportError as problem:
        if scheme not in PACKAGES:  # fsspec knows what it lacks
            raise InputError(f"{bare(url)}: cannot be read: {_describe(url, problem)}") from None
        package = PACKAGES[scheme]
        how = f"pip install {package}" if package in FURTHER else install
        raise InputError(f"{bare(url)}: fsspec and {package} would read it; {how}") from None
    # A cached listing may be hours old: a new run would be missing, or a longer one cut off at its old size.
    _call(url, system.invalidate_cache)
    return system, path


def _call(url: str, function: Any, *arguments: Any, **keywords: Any) -> Any:
    """Call fsspec; any error becomes an InputError with the URL."""
    try:
        return function(*arguments, **keywords)
    except (ImportError, MemoryError):
        raise
    except Exception as problem:  # noqa: BLE001 - every kind of server has errors of its own
        raise InputError(f"{bare(url)}: cannot be read: {_describe(url, problem)}") from None


def _describe(url: str, problem: Exception) -> str:
    """Describe an error without secrets."""
    cause = problem.__cause__
    if isinstance(problem, FileNotFoundError) and isinstance(cause, Exception) and scheme_of(url) in WEB:
        problem = cause  # fsspec reports every HTTP error as FileNotFoundError
    status = getattr(problem, "status", None)
    if isinstance(problem, FileNotFoundError) or status in MISSING:
        return "there is no such file"
    if isinstance(problem, PermissionError):
        return "permission denied"
    if isinstance(status, int) and status >= BAD:
        return f"the server answers {status}{_phrase(status)}"
    text = str(problem).partition("\n")[0].replace(url, bare(url))
    if not text or status == 0 or any(word in text for word in _secrets(url)):
        return type(problem).__name__
    return text


def _secrets(url: str) -> list[str]:
    """Return the secret words of a URL, encoded and decoded."""
    from urllib.parse import unquote

    parts = [url.partition("?")[2], *re.findall(r"://([^/@]*)@", url)]
    words = [word for part in parts for word in (part, *re.split(r"[&=:]", part))]
    return [word for word in (*words, *map(unquote, words)) if len(word) > 3]


def _phrase(status: int) -> str:
    from http import HTTPStatus

    return f" ({HTTPStatus(status).phrase})" if status in {*HTTPStatus} else ""
