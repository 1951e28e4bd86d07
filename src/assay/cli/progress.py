"""The progress of a command, in the last line of a terminal: for how many seconds, what is done, and how much of it.

Work that takes longer than `FIRST` seconds shows it, whether or not it reports any: a thread draws the line. Where standard error is no
terminal, nothing is shown.
"""

from __future__ import annotations

import os
import sys
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FIRST = 0.4
"""Seconds before the first line: shorter work shows none."""
EVERY = 0.2
"""Seconds between two lines."""
LARGE = 8 << 20
"""Bytes whose reading is shown at once; a log of 8 MB takes most of a second to parse."""
WIDTH = 30
"""Columns of a bar."""
CLEAR = "\r\033[K"


class Progress:
    """The line of one command: a stage, how much of it is done, and what is being read."""

    def __init__(self, stage: str) -> None:
        from threading import Event, RLock, Thread

        self.stage = stage
        self.done = self.total = 0
        self.what = ""
        self.beside: Callable[[], str] = str
        self.source = ""
        self.bytes_read: int = 0
        self._known: set[str] = set()
        self._read: set[str] = set()
        self._started = monotonic()
        self._due = self._started + FIRST
        self._is_drawn = False
        self._ended = Event()
        self._lock = RLock()
        self._thread = Thread(target=self._redraw, daemon=True)
        self._thread.start()

    def begin(self, stage: str) -> None:
        """Set what is done from now on."""
        self.stage: str = stage
        self.source = ""
        self.done = 0
        self.total = 0
        self.draw_if_due()

    def advance(self, done: int, total: int, what: str, beside: Callable[[], str]) -> None:
        """Set how much is done of how many."""
        self.done: int = done
        self.total: int = total
        self.what: str = what
        self.beside = beside
        self.draw_if_due()

    def find(self, names: list[str]) -> None:
        """Add sources that will be read."""
        self._known.update(names)

    def read(self, source: str, size: int) -> None:
        """Set the source that is being read, and add the bytes just read."""
        self.source: str = source
        self._read.add(source)
        self.bytes_read += size
        if self.bytes_read >= LARGE and self._due == self._started + FIRST:
            self._due = self._started  # its parser may keep the interpreter busy: draw now, or in seconds
        self.draw_if_due()

    def text(self) -> str:
        """Return the line: a bar while some of the work is left, else the stage; what was read."""
        if 0 <= self.done < self.total and self.total > 1:
            full, rest = _signs()
            filled = WIDTH * self.done // self.total
            line = f"{full * filled}{rest * (WIDTH - filled)} {self.done}/{self.total} {self.what}{self.beside()}"
        else:
            line = self.stage
        if self.source:
            files = len(self._known | self._read)
            place = f"file {len(self._read)} of {files}, " if files > 1 else ""
            line += f", {place}{self.bytes_read / 1e6:.0f} MB read, last {self.source}"
        return f"{monotonic() - self._started:.0f} s: {line}"

    def draw_if_due(self) -> None:
        """Draw the line, unless that was a moment ago: work that keeps the interpreter busy starves the thread."""
        from assay.io.escaping import message

        with self._lock:
            if monotonic() < self._due or _current is not self or self._ended.is_set():
                return
            self._due, self._is_drawn = monotonic() + EVERY, True
            _write(CLEAR + message(self.text())[: _columns()])

    def erase(self) -> None:
        """Clear the line, before something else is printed, and draw none at once."""
        with self._lock:
            self._due = max(self._due, monotonic() + EVERY)
            if self._is_drawn:
                self._is_drawn = False
                _write(CLEAR)

    def end(self) -> None:
        """Clear the line and draw no other."""
        self._ended.set()
        self._thread.join(1)
        self.erase()

    def _redraw(self) -> None:
        while not self._ended.wait(EVERY):
            self.draw_if_due()


_current: Progress | None = None
"""The line of the command that runs; None without a terminal."""


class Shown:
    """Show the progress of the work inside a `with` block, if standard error is a terminal.

    `contextlib` would cost a short evaluation more than this class.
    """

    def __init__(self, stage: str) -> None:
        self._stage = stage

    def __enter__(self) -> None:
        global _current
        self._outer = _current
        if sys.stderr is None or not sys.stderr.isatty():
            return
        from assay.io import sources

        erase()
        _current = Progress(self._stage)
        sources.listener, sources.finder = _current.read, _current.find

    def __exit__(self, *_: object) -> None:
        global _current
        if _current is None or _current is self._outer:
            return
        from assay.io import sources

        _current.end()
        _current = self._outer
        sources.listener = None if _current is None else _current.read
        sources.finder = None if _current is None else _current.find


def stage(text: str) -> None:
    """Name what is done from now on, where nothing counts it."""
    if _current is not None:
        _current.begin(text)


def progress_bar(what: str, beside: Callable[[], str] = str) -> Callable[[int, int], None]:
    """Return a function that shows how much is done of how many, followed by the text of `beside`."""

    def show(done: int, total: int) -> None:
        if _current is not None:
            _current.advance(done, total, what, beside)

    return show


def erase() -> None:
    """Clear the line, before something else is printed."""
    if _current is not None:
        _current.erase()


def stop() -> None:
    """Stop showing progress: the command waits for a person."""
    global _current
    if _current is not None:
        _current.end()
        _current = None


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:  # `streams.say` reports nothing of it either
        pass


def _columns() -> int:
    """Return how many columns the line may have: a longer one would wrap, and could not be cleared."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return (columns or 80) - 1


def _signs() -> tuple[str, str]:
    """Return the signs of a bar that the terminal can show."""
    try:
        "━·".encode(sys.stderr.encoding)
    except (UnicodeEncodeError, LookupError):
        return "#", "."
    return "━", "·"
