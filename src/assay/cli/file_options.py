"""Options that name files: their types, and the check that no output overwrites an input.

Names, links, folders and patterns are compared by the device and inode of their files.
"""

from __future__ import annotations

import os
import sys

from assay.errors import InputError, UsageError
from assay.io.atomic_files import check_writable, identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assay.cli.parser import Namespace, Parser


def input_file(path: str) -> str:
    """Mark the value of an option as a file, folder or pattern to read."""
    return path


def output_file(path: str) -> str:
    """Mark the value of an option as a file to write."""
    return path


def check_outputs(parser: Parser, args: Namespace) -> None:
    """Refuse, before any work, an output that is one of the inputs, another output, or read-only."""
    outputs: dict[str, str] = {}
    flags: dict[str, str] = {}
    existing: dict[tuple[int, int] | None, str] = {}
    for flag, path in _paths(parser, args, output_file):
        if path == "-":
            continue
        check_writable(path)
        first = flags.setdefault(os.path.realpath(path), flag)
        if first != flag:
            raise UsageError(f"{flag} {path}: {first} writes the same file. Fix: name another file")
        outputs[flag] = path
        existing[identity(path)] = flag
    if "-o" not in outputs:
        existing[_identity_of_stream(sys.stdout)] = "standard output"
    existing.pop(None, None)
    if not existing:
        return
    for name, file in _inputs(path for _, path in _paths(parser, args, input_file)):
        if file in existing:
            flag = existing[file]
            target = f"{flag} {outputs[flag]}" if flag in outputs else flag
            raise UsageError(f"{target}: would overwrite the input {name}. Fix: write to another file")


def _paths(parser: Parser, args: Namespace, kind: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Yield the shortest flag of each option of a type, with each of its paths."""
    for action in parser.options():
        if action.type is kind:
            value = getattr(args, action.dest, None)
            flag = min(action.option_strings, key=len, default=action.dest)
            yield from ((flag, path) for path in ([value] if isinstance(value, str) else value or ()))


def _inputs(paths: Iterator[str]) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """Yield every input file with its device and inode."""
    for path in paths:
        if path == "-":
            yield "standard input", _identity_of_stream(sys.stdin)
            continue
        for name in {path, path.partition("=")[2]} - {""}:  # --scores may name a file: AP=ap.csv
            yield from ((file, identity(file)) for file in _files(name))


def _files(path: str) -> Iterator[str]:
    """Yield the files of a path, folder or pattern; skip an invalid one, which its reader reports."""
    from assay.io.sources import expand

    try:
        for source in expand([path]):
            yield source.path or ""
    except (InputError, OSError):
        return


def _identity_of_stream(stream: object) -> tuple[int, int] | None:
    try:
        return identity(stream.fileno())  # type: ignore[attr-defined]
    except (OSError, AttributeError, ValueError):
        return None
