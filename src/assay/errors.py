"""Every error assay raises on purpose.

    AssayError                  exit code
      UsageError        2       the request makes no sense (unknown measure, impossible option)
      InputError        3       a file or object cannot be used (names file and line)
        FormatError     3       ... because what stands on one line is not what the format asks for
      GateError         1       a comparison failed the gate the user set

A message says what was found, what was expected and what to do about it.
"""

from __future__ import annotations


class AssayError(Exception):
    """Base of all errors that are meant to be read by a person."""

    exit_code = 1


class UsageError(AssayError):
    """The request itself is wrong: an unknown measure, options that contradict each other."""

    exit_code = 2


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


class GateError(AssayError):
    """A comparison was asked to hold and did not."""

    exit_code = 1
