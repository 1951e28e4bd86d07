"""No command may write over what it reads, by whatever name, link, folder or pattern either was given."""

from __future__ import annotations

import os
import sys

from assay.errors import InputError, UsageError
from assay.io.atomic_files import check_writable, identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.cli.parser import Namespace

OUTPUTS = {
    "output": "-o", "save_scores": "--save-scores", "comment": "--comment", "write": "--write", "write_rules": "--write-rules",
    "qrels": "--qrels", "adjudicate": "--adjudicate",
}  # fmt: skip
"""Options that name a file to write, and how they are spelled."""
INPUTS = (
    "sources", "runs", "scores", "against", "characteristics", "plugin", "topics", "docs", "pool", "changed", "rules", "exclude",
    "grades", "judged", "judge", "judges", "judgments", "human",
)  # fmt: skip
"""Options of commands that name files to read; those of tasks say it by their kind."""


def check_outputs(args: Namespace) -> None:
    """Refuse, before any work, an output that is one of the inputs, another output, or read-only."""
    paths = {flag: path for name, flag in OUTPUTS.items() if (path := getattr(args, name, None)) not in (None, "-")}
    written = {flag: identity(path) for flag, path in paths.items()}
    if "-o" not in paths:
        written["standard output"] = _identity_of_stream(sys.stdout)
    taken: dict[str, str] = {}
    for flag, path in paths.items():
        check_writable(path)
        first = taken.setdefault(os.path.realpath(path), flag)
        if first != flag:
            raise UsageError(f"{flag} {path}: is what {first} writes too; give each a file of its own")
    existing = {found: flag for flag, found in written.items() if found is not None}
    if not existing:
        return
    for name, found in _inputs(args):
        if found in existing:
            flag = existing[found]
            told = f"{flag} {paths[flag]}" if flag in paths else flag
            raise UsageError(f"{told}: is the file that {name} is read from; write to another, or it would be lost")


def _inputs(args: Namespace) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """Every file that the command line asks to be read, and which file that is."""
    for path in _named(args):
        if path == "-":
            yield "standard input", _identity_of_stream(sys.stdin)
            continue
        for name in {path, path.partition("=")[2]} - {""}:  # --scores may call a file by a name: AP=ap.csv
            yield from ((file, identity(file)) for file in _files(name))


def _named(args: Namespace) -> Iterator[str]:
    from assay.settings import FILE

    files = [name for name, option in getattr(args, "task_options", {}).items() if option.kind is FILE]
    for name in (*INPUTS, *files):
        value = getattr(args, name, None)
        # A name may be an option of another kind elsewhere: `plan --topics 50` is a number.
        yield from [value] if isinstance(value, str) else value if isinstance(value, list) else []


def _files(path: str) -> Iterator[str]:
    """What a path, a folder or a pattern stands for; what is wrong with it is said by whoever reads it."""
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
