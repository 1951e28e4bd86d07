"""Results to where they were asked for: a format, and a file written whole or not at all."""

from __future__ import annotations

from assay.cli.file_options import output_file
from assay.cli.streams import to_bytes, write_out
from assay.errors import UsageError
from assay.reports import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from assay.cli.parser import Namespace, Parser
    from assay.table.results import Result
    from assay.table.scores import Scores

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
    group = parser.add_argument_group("output")
    group.add_argument("-f", "--format", choices=formats, help=f"default: {usual}, or what the ending of -o says")
    group.add_argument("-o", "--output", type=output_file, metavar="FILE", help=where)
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


def quick_topics(scores: Scores, result: Mapping[str, Any]) -> str | bytes | None:
    """What `to_json` writes of a result whose runs have their `topics` last; None where they are few, or spelled otherwise.

    result   the same without topics
    """
    names = scores.per_topic
    if len(scores.runs) * len(scores.topics) < MANY or not names:
        return None
    columns = {run: [scores.column(run, name) for name in names] for run in scores.runs}
    if not is_finite([result, columns]):
        return None
    from itertools import starmap

    import msgspec

    fields = [f"_{number}" for number in range(len(names))]
    try:
        row = msgspec.defstruct("Row", fields, rename=dict(zip(fields, names, strict=True)), gc=False)
    except ValueError:  # a name with quotes or other escapes
        return None
    runs: list[dict[str, Any]] = []
    for entry, cells in zip(result["runs"], columns.values(), strict=True):
        rows = starmap(row, zip(*cells, strict=True))
        runs.append({**entry, "topics": dict(zip(scores.topics, rows, strict=True))})
    return quick_text({**result, "runs": runs})


def quick_text(result: Any) -> str | bytes | None:
    """What `to_json` writes of a tree with finite numbers alone, as bytes where every encoding has the same; None where the tree holds
    anything else that msgspec spells otherwise."""
    import re

    import msgspec

    try:
        compact = msgspec.json.encode(result, enc_hook=float)
    except (TypeError, ValueError, OverflowError):  # half a character, or what JSON has no word for
        return None
    # It has 1e-5 and 1e16 where Python has 1e-05 and 1e+16.
    if b"0.0000" in compact or re.search(rb"e(?<=[0-9]e)[-0-9]", compact):
        return None
    # Of the first 128 characters those that are not printable are escaped, but for the last of them.
    plain = compact.isascii()
    if b"\x7f" in compact or not (plain or compact.decode().isprintable()):
        return None
    text = msgspec.json.format(compact, indent=1) + b"\n"
    return text if plain else text.decode()


def is_finite(value: Any) -> bool:
    """Whether a tree of numbers, texts and None has finite numbers alone, as far as their sums tell.

    >>> is_finite({"a": [1, 0.5, None], "b": {"c": 2.0}}), is_finite({"a": [1, {"b": float("nan")}]})
    (True, False)
    """
    if isinstance(value, float):
        return value - value == 0
    if not isinstance(value, (dict, list, tuple)):
        return True
    inside: Any = value.values() if isinstance(value, dict) else value
    try:
        total = sum(inside)
    except TypeError:
        return all(map(is_finite, inside))
    return total - total == 0


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
