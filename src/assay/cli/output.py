"""Results to where they were asked for: a format, and a file written whole or not at all."""

from __future__ import annotations

import os
import sys

from assay.errors import InputError, UsageError
from assay.files import write_whole
from assay.reports import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Collection, Sequence
    from typing import Any

FORMATS = ("table", "tsv", "csv", "json", "markdown", "latex", "parquet")


def add_output(parser: ArgumentParser, formats: Sequence[str] = FORMATS) -> None:
    """-f FORMAT and -o FILE."""
    group = parser.add_argument_group("where it goes")
    group.add_argument("-f", "--format", choices=formats, help="default: table, or what the ending of -o says")
    group.add_argument("-o", "--output", metavar="FILE", help="write here instead of to standard output")


def format_of(format: str | None, output: str | None) -> str:
    """The format asked for, or the one the file's ending names."""
    if format:
        return format
    endings = {"json": "json", "csv": "csv", "tsv": "tsv", "md": "markdown", "tex": "latex", "parquet": "parquet"}
    return endings.get((output or "").rpartition(".")[2].lower(), "table")


def render(
    format: str, header: Sequence[str], rows: Sequence[Sequence[Any]], best: Collection[tuple[int, int]] = ()
) -> str:
    """A table in one of the text formats."""
    if format == "table":
        return tables.terminal(header, rows, best)
    if format == "markdown":
        return tables.markdown(header, rows, best)
    if format == "latex":
        return tables.latex(header, rows, best)
    return tables.separated(header, rows, "," if format == "csv" else "\t")


def to_json(result: Any) -> str:
    """JSON with a final newline; ids that are not UTF-8 are kept as escapes."""
    import json

    text = json.dumps(result, ensure_ascii=False, allow_nan=False, indent=1)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(result, allow_nan=False, indent=1)
    return text + "\n"


def write(content: str | bytes, output: str | None) -> None:
    """To standard output, or to a file."""
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    if output is None or output == "-":
        _to_stdout(data)
        return
    write_whole(output, data)


def _to_stdout(data: bytes) -> None:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as problem:
        abandon_stdout()
        raise InputError(f"standard output: cannot be written: {problem.strerror or problem}") from None


def abandon_stdout() -> None:
    """Nobody can take what is left of our output; the interpreter must not try, and complain, at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parquet(frame: Any) -> bytes:
    """A data frame of any library as Parquet."""
    import io

    import narwhals as nw

    buffer = io.BytesIO()
    nw.from_native(frame).write_parquet(buffer)
    return buffer.getvalue()


def frame_backend() -> str:
    """The first installed library that can write Parquet."""
    from importlib.util import find_spec

    for name in ("pyarrow", "polars"):
        if find_spec(name):
            return name
    raise UsageError("Parquet needs pyarrow or polars: pip install 'assay-eval[frames]'")
