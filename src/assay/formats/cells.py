"""The cells of a table, whatever holds it: CSV and TSV, Parquet, a data frame."""

from __future__ import annotations

from collections.abc import Iterator

from assay.formats.frames import frame_of
from assay.formats.lines import separated_lines
from assay.formats.parquet import Parquet
from assay.formats.sources import Source


def cell_lines(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Physical line and cells of every line, the header first; of Parquet and data frames as their lines would be."""
    if source.is_bytes and source.head.shape == "parquet":
        source = Source(source.name, data=Parquet(source).table())
    if source.is_bytes:
        yield from separated_lines(source)
        return
    frame = frame_of(source, "CSV text")
    yield 1, list(map(str, frame.columns))
    for line, cells in enumerate(frame.iter_rows(), 2):
        yield line, ["" if is_null(cell) else str(cell) for cell in cells]


def is_null(cell: object) -> bool:
    """Whether a data frame's cell is empty: None, NaN, or the NA of a nullable column, which has no truth value."""
    return cell is None or type(cell).__name__ == "NAType" or bool(cell != cell)
