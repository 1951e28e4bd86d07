"""The three standard streams, in whatever state the caller left them: closed, full, gone, in another encoding."""

from __future__ import annotations

import errno
import os
import sys

from assay.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TextIO

UTF_8 = ("utf-8", "utf8")


def replace_closed() -> None:
    """Put something in the place of a closed stream, before a file opened later takes its number and its text.

    Standard input and output get what cannot be read and written, so that using them is an error; standard error gets what
    forgets, as whoever closed it wants. Printing to a stream that is None would print to standard output instead.
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
    """A line to the person on standard error; where it cannot be written, the result and the exit code still count."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        abandon(sys.stderr)


def write_out(content: str | bytes) -> None:
    """Results to standard output, all of them. Nobody may be left to read them, which is no error: `head` does so."""
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


def _encoded(text: str) -> bytes:
    """UTF-8, the same bytes everywhere; only a terminal that reads another encoding gets that, with ? for what it lacks."""
    if sys.stdout.isatty() and sys.stdout.encoding.lower() not in UTF_8:
        return text.encode(sys.stdout.encoding, "replace")
    return to_bytes(text)


def to_bytes(text: str) -> bytes:
    """UTF-8, and the very bytes of ids that were not; half a character, which JSON can spell, has no bytes and becomes ?.

    >>> to_bytes("q\\udcff é"), to_bytes("q\\ud800")
    (b'q\\xff \\xc3\\xa9', b'q?')
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\ufffd", "?").encode()


def abandon(stream: TextIO) -> None:
    """Nobody can take what is left of a stream; the interpreter must not try, and complain, at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
