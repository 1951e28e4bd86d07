"""Results to where they were asked for: a format, and a file written whole or not at all."""

from __future__ import annotations

from assay.cli.streams import to_bytes, write_out
from assay.errors import UsageError
from assay.reports import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from assay.cli.parser import Namespace, Parser
    from assay.table.results import Result

FORMATS = ("table", "tsv", "csv", "json", "markdown", "latex", "parquet")
"""What -f may say."""
ENDINGS = {"tsv": "tsv", "csv": "csv", "json": "json", "md": "markdown", "tex": "latex", "parquet": "parquet"}
"""The endings of -o that say the same."""


def add_output(
    parser: Parser,
    formats: Sequence[str] = FORMATS,
    usual: str = "table",
    where: str = "write here instead of to standard output",
) -> None:
    """-f FORMAT and -o FILE; `usual` is what is written where neither says, `where` what a file may be."""
    group = parser.add_argument_group("where it goes")
    group.add_argument("-f", "--format", choices=formats, help=f"default: {usual}, or what the ending of -o says")
    group.add_argument("-o", "--output", metavar="FILE", help=where)
    raw = "CSV and TSV: ids as they are, not guarded against spreadsheets (' before = + - @) and terminals"
    group.add_argument("--raw-csv", action="store_true", help=raw)


def format_of(args: Namespace) -> str:
    """The format asked for, or the one the file's ending names; one that cannot be written is refused before any work."""
    ending = (args.output or "").rpartition(".")[2].lower()
    format = args.format or ENDINGS.get(ending, "table")
    if format == "parquet":
        frame_backend()
    return format


def show(args: Namespace, result: Result, **more: Any) -> None:
    """A result in the format asked for; `more` are further keys of its JSON."""
    write(shown(result, format_of(args), raw=args.raw_csv, **more), args.output)


def shown(result: Result, format: str, *, raw: bool = False, **more: Any) -> str | bytes:
    """What is written of a result in a format; `raw` as in `render`."""
    if format == "json":
        return to_json({**versions(), **result.to_dict(), **more})
    if format == "table":
        from assay.reports.results import text

        return text(result)
    return parquet(result) if format == "parquet" else render(format, *result.rows(), raw=raw)


def versions() -> dict[str, Any]:
    """What every JSON begins with: which assay made it, and whether its numbers are those of another."""
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
    """A table in one of the text formats; `raw` as in `tables.separated`."""
    if format in SEPARATORS:
        return tables.separated(header, rows, SEPARATORS[format], raw=raw)
    draw = {"table": tables.terminal, "markdown": tables.markdown, "latex": tables.latex}[format]
    return draw(header, rows, best)


MANY = 1000
"""From how many topics or pairs on msgspec is worth its import."""


def to_json(result: Any, rows: int = 0) -> str:
    """JSON with a final newline; ids that are not UTF-8, or could command a terminal, are kept as escapes.

    rows   how many topics of runs it tells of, or pairs
    """
    import json

    from assay.io.escaping import in_json

    # Exact quotients, as the prices at which the leader changes, are numbers like any other to who reads JSON.
    written: dict[str, Any] = {"allow_nan": False, "default": float}
    many = rows >= MANY
    text = json.dumps(result, ensure_ascii=False, indent=None if many else 1, **written)
    try:
        text.encode()
    except UnicodeEncodeError:
        text, many = json.dumps(result, indent=1, **written), False
    if many:
        # Python is quick to write JSON, but not to lay it out.
        import msgspec

        text = msgspec.json.format(text, indent=1)
    return in_json(text) + "\n"


def write(content: str | bytes, output: str | None) -> None:
    """To standard output, or to a file."""
    if output is None or output == "-":
        write_out(content)
        return
    from assay.io.atomic_files import write_whole

    write_whole(output, to_bytes(content) if isinstance(content, str) else content)


def parquet(result: Result) -> bytes:
    """A result's rows as Parquet."""
    import io

    import narwhals as nw

    buffer = io.BytesIO()
    nw.from_native(result.to_frame(frame_backend())).write_parquet(buffer)
    return buffer.getvalue()


def frame_backend() -> str:
    """The first installed library that can write Parquet."""
    from importlib.util import find_spec

    for name in ("pyarrow", "polars"):
        if find_spec(name):
            return name
    raise UsageError("Parquet needs pyarrow or polars: pip install 'assay-eval[frames]'")
