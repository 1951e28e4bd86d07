"""Every error assay raises on purpose.

    AssayError                  exit code
      UsageError        2       the request makes no sense (unknown measure, impossible option)
        TooMuchError    2       ... because nobody has the memory or the time for it
      InputError        3       a file, an object or a cluster cannot be used (names file and line)
        FormatError     3       ... because what stands on one line is not what the format asks for
        UndefinedError  3       ... because a measure has no value on a part of it
        UnscoredError   3       ... because it is a log of which nothing was scored

A message says what was found, what was expected and what to do about it. It names choices as Python writes them, between
backquotes (`size=300`); `for_command_line` says the same to a person who typed --size 300.

A command also ends with 0 (done), 1 (the comparison failed its gate), 3 where memory, a device or the system gives out, 70 for
what nobody foresaw (a mistake in assay; ASSAY_DEBUG=1 shows where), and 130 (interrupted).
"""

from __future__ import annotations

from assay.io.escaping import message as shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_LISTED_RUNS = 20
"""How many runs a message about an unknown run names."""


def shorten_list(names: Sequence[object], most: int = 3, *, separator: str = ", ", last: str | None = None) -> str:
    """Join names for a sentence; name the first of many and count the others.

    most        how many are named
    separator   between two names
    last        between the last two where all are named; the separator unless given

    >>> shorten_list(["a", "b"]), shorten_list(["a", "b", "c"], last=" or "), shorten_list(range(1, 9))
    ('a, b', 'a, b or c', '1, 2, 3 and 5 more')
    """
    shown = list(map(str, names[:most]))
    if len(names) > most:
        return f"{separator.join(shown)} and {len(names) - most:,} more"
    if last is not None and len(shown) > 1:
        shown[-2:] = [f"{shown[-2]}{last}{shown[-1]}"]
    return separator.join(shown)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "run"), counted(0, "topic"), counted(24, "run")
    ('1 run', '0 topics', '24 runs')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def unknown_run(name: str, runs: Iterable[str]) -> str:
    """Return the message about a name that no run has.

    >>> unknown_run("x", ["a", "b"])
    "unknown run 'x'; runs are a, b"
    """
    return f"unknown run {name!r}; runs are {shorten_list(list(runs), MAX_LISTED_RUNS)}"


class AssayError(Exception):
    """Base of all errors that are meant to be read by a person: one line, whatever the input holds."""

    exit_code = 1

    def __init__(self, message: str = "") -> None:
        super().__init__(shown(message))


class UsageError(AssayError):
    """The request itself is wrong: an unknown measure, options that contradict each other."""

    exit_code = 2


class TooMuchError(UsageError):
    """More is asked for than there is memory, or than anybody has time, for."""


class InputError(AssayError):
    """A source cannot be used as it is."""

    exit_code = 3


class FormatError(InputError):
    """One place in a source is malformed.

    >>> print(FormatError("bm25.run", 17, "expected 6 fields, found 5"))
    bm25.run:17: expected 6 fields, found 5
    """

    def __init__(self, source: str, line: int | None, problem: str) -> None:
        self.source = source
        self.line = line
        self.problem = problem
        super().__init__(f"{source}:{line}: {problem}" if line is not None else f"{source}: {problem}")

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int | None, str]]:
        return type(self), (self.source, self.line, self.problem)


class UndefinedError(InputError):
    """A measure has no value for some run on some topics: it cannot be compared, and leaving it out would compare runs
    on different topics."""

    measure = ""


class UnscoredError(InputError):
    """A log holds no score at all: nothing was scored, or every sample failed."""


WORDS = {
    "gold=None": "--judged",
    "higher_is_better=False": "--lower-is-better",
    "measures": "-m",
    "measure": "-m",
    "name": "--run",
    "margin": "--fail-if-worse",
    "equivalence": "--same-within",
    "shares": "--newly-judged",
}
"""Where a command line says something else than the parameter's name."""


def for_command_line(message: str) -> str:
    """A message in the words of the command line.

    >>> for_command_line("`size=300`: expected at most 25, or `no_swap=True`; `missing='zero'` counts them")
    '--size 300: expected at most 25, or --no-swap; --missing zero counts them'
    >>> for_command_line("3 topics missing, left out (`missing=`)")
    '3 topics missing, left out (--missing)'
    """
    if "`" not in message:
        return message
    import re

    def option(found: re.Match[str]) -> str:
        name, value = found.group(1), found.group(2).strip("'\"")
        if found.group()[1:-1] in WORDS:
            return WORDS[found.group()[1:-1]]
        flag = WORDS.get(name, "--" + name.replace("_", "-"))
        return flag if value in ("True", "") else f"{flag} {value}"

    return re.sub(r"`([a-z_]+)=([^`]*)`", option, message)
