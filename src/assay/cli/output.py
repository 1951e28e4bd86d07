"""Write results: choose the format, and write a file as a whole or not at all."""

from __future__ import annotations

from assay.cli.file_options import output_file
from assay.cli.streams import terminal_columns, to_bytes, write_out
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from assay.cli.parser import Namespace, Parser
    from assay.table.results import Result

FORMATS = ("table", "tsv", "csv", "json", "markdown", "latex", "parquet")
"""Values of -f."""
ENDINGS = {"tsv": "tsv", "csv": "csv", "json": "json", "md": "markdown", "tex": "latex", "parquet": "parquet"}
"""Endings of -o that imply a format."""


def add_output(
    parser: Parser,
    formats: Sequence[str] = FORMATS,
    usual: str = "table",
    where: str = "write here instead of to standard output",
) -> None:
    """Add -f, -o and --raw-csv; `usual` is the default format and `where` the help of -o."""
    group = parser.add_argument_group("output")
    group.add_argument("-f", "--format", choices=formats, help=f"default: {usual}, or what the ending of -o says")
    group.add_argument("-o", "--output", type=output_file, metavar="FILE", help=where)
    raw = "CSV and TSV: ids as they are, not guarded against spreadsheets (' before = + - @) and terminals"
    group.add_argument("--raw-csv", action="store_true", help=raw)


def get_format(args: Namespace) -> str:
    """Return the format of -f, or of the ending of -o; refuse one that cannot be written before any work."""
    ending = (args.output or "").rpartition(".")[2].lower()
    format = args.format or ENDINGS.get(ending, "table")
    if format == "parquet":
        frame_backend()
    return format


def is_page(args: Namespace) -> bool:
    """Return whether -o names a page, .html or .pdf; refuse -f with one."""
    if (args.output or "").rpartition(".")[2].lower() not in ("html", "htm", "pdf"):
        return False
    if args.format:
        raise UsageError(f"-f {args.format}: {args.output} is a page. Fix: leave -f out, or name another file")
    return True


def add_verbose(parser: Parser, more: str) -> None:
    """Add -v; `more` is what it prints."""
    parser.add_argument("-v", "--verbose", action="store_true", help=f"also print {more}")


def show(args: Namespace, result: Result, **more: Any) -> None:
    """Write a result in the format of a command line; `more` are further keys of its JSON."""
    format = get_format(args)
    if format == "table":
        write(as_text(args, result), args.output)
    else:
        write(format_result(result, format, raw=args.raw_csv, **more), args.output)


def as_text(args: Namespace, result: Result, **display: Any) -> str:
    """Return a result as a terminal shows it; `display` as in `results.text`."""
    from assay.reports.results import text

    width = terminal_columns() if args.output in (None, "-") else None
    return text(result, width, verbose=getattr(args, "verbose", False), **display)


def format_result(result: Result, format: str, *, raw: bool = False, **more: Any) -> str | bytes:
    """Return a result as text or bytes in a format; `raw` as in `render`."""
    if format == "json":
        return to_json({**versions(), **result.to_dict(), **more})
    if format == "table":
        from assay.reports.results import text

        return text(result)
    return parquet(result) if format == "parquet" else render(format, *result.rows(), raw=raw)


def versions() -> dict[str, Any]:
    """Return the first keys of every JSON: the version, and the version of the numbers."""
    from assay._version import NUMBERS, __version__

    return {"assay": __version__, "numbers": NUMBERS}


SEPARATORS = {"csv": ",", "tsv": "\t"}


def render(
    format: str,
    header: Sequence[str],
    rows: Sequence[Sequence[Any]],
    best: Collection[tuple[int, int]] = (),
    *,
    raw: bool = False,
) -> str:
    """Return a table in a text format; `raw` as in `tables.separated`."""
    from assay.reports import tables

    if format in SEPARATORS:
        return tables.separated(header, rows, SEPARATORS[format], raw=raw)
    draw = {"table": tables.terminal, "markdown": tables.markdown, "latex": tables.latex}[format]
    return draw(header, rows, best)


MIN_ROWS_FOR_MSGSPEC = 1000
"""From this many topics or pairs on, msgspec saves more time than its import costs."""


def to_json(result: Any, rows: int = 0) -> str:
    """Return JSON with a final newline; escape ids that are not UTF-8 or hold control characters.

    rows   how many topics of runs, or pairs, the result has
    """
    import json

    from assay.io.escaping import in_json

    # Exact fractions, as the prices at which the leader changes, are written as floats.
    written: dict[str, Any] = {"allow_nan": False, "default": float}
    many = rows >= MIN_ROWS_FOR_MSGSPEC
    text = json.dumps(result, ensure_ascii=False, indent=None if many else 1, **written)
    try:
        text.encode()
    except UnicodeEncodeError:
        text, many = json.dumps(result, indent=1, **written), False
    if many:
        # json.dumps is quick without an indent and slow with one.
        import msgspec

        text = msgspec.json.format(text, indent=1)
    return in_json(text) + "\n"


def write(content: str | bytes, output: str | None) -> None:
    """Write to standard output, or to a file."""
    if output is None or output == "-":
        write_out(content)
        return
    from assay.io.atomic_files import write_whole

    write_whole(output, to_bytes(content) if isinstance(content, str) else content)


def parquet(result: Result) -> bytes:
    """Return the rows of a result as Parquet."""
    import io

    import narwhals as nw

    buffer = io.BytesIO()
    nw.from_native(result.to_frame(frame_backend())).write_parquet(buffer)
    return buffer.getvalue()


def frame_backend() -> str:
    """Return the first installed library that can write Parquet."""
    from importlib.util import find_spec

    for name in ("pyarrow", "polars"):
        if find_spec(name):
            return name
    raise UsageError("Parquet needs pyarrow or polars: pip install 'assay-eval[frames]'")
