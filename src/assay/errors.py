"""Every error assay raises on purpose.

    AssayError                  exit code
      UsageError        2       the request makes no sense (unknown measure, impossible option)
        TooMuchError    2       ... it needs more memory or time than there is
      InputError        3       a file, an object or a cluster cannot be used (names file and line)
        FormatError     3       ... a line is not what the format asks for
        UndefinedError  3       ... a measure is undefined on some topics
        UnscoredError   3       ... a log without any score

A message says what happened, where, and what to do. It names settings as in Python, between backquotes (`size=300`);
`for_command_line` turns them into command-line options (--size 300).

Other exit codes: 0 (done), 1 (the comparison failed its gate), 3 (out of memory, or an error of a device or the system), 70 (a
bug in assay; ASSAY_DEBUG=1 prints the traceback), and 130 (interrupted).
"""

from __future__ import annotations

from assay.io.escaping import message as shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


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


class AssayError(Exception):
    """Base of all errors for users: a message of one line."""

    exit_code = 1

    def __init__(self, message: str = "") -> None:
        super().__init__(shown(message))


class UsageError(AssayError):
    """A wrong request: an unknown measure, or contradicting options."""

    exit_code = 2


class TooMuchError(UsageError):
    """A request that needs more memory or time than there is."""


class InputError(AssayError):
    """A source cannot be used."""

    exit_code = 3


class FormatError(InputError):
    """A malformed line of a source.

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
    """A measure is undefined for some run on some topics; excluding these would compare runs on different topics."""

    measure = ""


class UnscoredError(InputError):
    """A log without any score: nothing was scored, or every sample failed."""


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
"""Options whose name differs from the parameter's."""


def for_command_line(message: str) -> str:
    """Translate the parameters in a message into options of the command line.

    >>> for_command_line("`size=300`: expected at most 25, or `no_swap=True`; `missing='zero'` counts them")
    '--size 300: expected at most 25, or --no-swap; --missing zero counts them'
    >>> for_command_line("3 topics missing, left out (`missing=`)")
    '3 topics missing, left out (--missing)'
    """
    if "`" not in message:
        return message
    import re

    def option(match: re.Match[str]) -> str:
        name, value = match.group(1), match.group(2).strip("'\"")
        if match.group()[1:-1] in WORDS:
            return WORDS[match.group()[1:-1]]
        flag = WORDS.get(name, "--" + name.replace("_", "-"))
        return flag if value in ("True", "") else f"{flag} {value}"

    return re.sub(r"`([a-z_]+)=([^`]*)`", option, message)
