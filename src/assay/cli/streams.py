"""The standard streams, also when they are closed, full, or in another encoding."""

from __future__ import annotations

import errno
import os
import sys

from assay.cli.progress import erase
from assay.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TextIO

UTF_8 = ("utf-8", "utf8")
PLAIN = str.maketrans({"●": "*", "○": "o", "─": "-", "–": "-", "−": "-", "…": "..."})
"""Signs of our own tables for a terminal that lacks them."""


def replace_closed() -> None:
    """Replace closed streams, before a file opened later takes their descriptors.

    Reading a closed standard input or writing a closed standard output is an error; a closed standard error discards its text.
    Printing to a stream that is None would print to standard output instead.
    """
    if sys.stdin is None:
        sys.stdin = _device(os.O_WRONLY, "r")
    if sys.stdout is None:
        sys.stdout = _device(os.O_RDONLY, "w")
    if sys.stderr is None:
        sys.stderr = _device(os.O_WRONLY, "w")


def _device(flags: int, mode: Literal["r", "w"]) -> TextIO:
    return open(os.open(os.devnull, flags), mode, encoding="utf-8", errors="backslashreplace", closefd=False)


def say(line: str) -> None:
    """Print a line to standard error; ignore a stream that cannot be written."""
    erase()
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        abandon(sys.stderr)


def write_out(content: str | bytes) -> None:
    """Write all of a result to standard output; a reader that stops early, as `head` does, is no error."""
    erase()
    try:
        sys.stdout.flush()
        if not hasattr(sys.stdout, "buffer"):  # a notebook's, or a StringIO, which holds text and no bytes
            sys.stdout.write(content if isinstance(content, str) else content.decode())
        else:
            sys.stdout.buffer.write(_encoded(content) if isinstance(content, str) else content)
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        abandon(sys.stdout)
    except OSError as problem:
        abandon(sys.stdout)
        why = "it is closed" if problem.errno == errno.EBADF else problem.strerror or problem
        raise InputError(f"standard output: cannot be written: {why}") from None


def terminal_columns() -> int | None:
    """Return the width of the terminal that standard output is; None for a file or a pipe."""
    from shutil import get_terminal_size

    return get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None


def _encoded(text: str) -> bytes:
    """Encode as UTF-8, but for a terminal of another encoding, with plain signs or ? for what that lacks."""
    if not sys.stdout.isatty() or sys.stdout.encoding.lower() in UTF_8:
        return to_bytes(text)
    try:
        return text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return text.translate(PLAIN).encode(sys.stdout.encoding, "replace")


def to_bytes(text: str) -> bytes:
    """Encode as UTF-8 and restore the bytes of ids that were not; an unpaired surrogate, which JSON can spell, becomes ?.

    >>> to_bytes("q\\udcff é"), to_bytes("q\\ud800")
    (b'q\\xff \\xc3\\xa9', b'q?')
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\ufffd", "?").encode()


def abandon(stream: TextIO) -> None:
    """Point a broken stream to the null device, so that the interpreter does not complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
