"""The cells of a table: CSV and TSV, Parquet, a data frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.errors import InputError
from assay.formats.frames import frame_of
from assay.formats.lines import separated_lines
from assay.formats.object_ids import id_text
from assay.formats.parquet import Parquet
from assay.io.sources import Source


def as_frame(source: Source) -> Source:
    """Return a source of Parquet as one of a data frame, and any other source unchanged."""
    if source.is_bytes and source.head.shape == "parquet":
        return Source(source.name, data=Parquet(source).table(), label=source.label)
    return source


def cell_lines(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the physical line and the cells of every line, the header first; the rows of a data frame count as lines."""
    source = as_frame(source)
    if source.is_bytes:
        yield from separated_lines(source)
        return
    frame = frame_of(source, "CSV text")
    yield 1, list(map(str, frame.columns))
    for line, cells in enumerate(frame.iter_rows(), 2):
        yield line, [_text(cell, source, line) for cell in cells]


def check_ids(source: Source, places: Sequence[int]) -> None:
    """Refuse ids of a data frame that are neither text nor whole numbers nor UTF-8 bytes. Empty cells are left to the caller.

    places   where the columns of ids are
    """
    if source.is_bytes:
        return
    frame = frame_of(source, "CSV text")
    for place in places:
        for line, cell in enumerate(frame[frame.columns[place]].to_list(), 2):
            if not isinstance(cell, str) and not is_null(cell):
                id_text(cell, f"{source.name}:{line}")


def is_null(cell: object) -> bool:
    """Return whether a data frame's cell is empty: None, NaN, or the NA of a nullable column, which has no truth value."""
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or bool(cell != cell)


def _text(cell: object, source: Source, line: int) -> str:
    if isinstance(cell, bytes):
        try:
            return cell.decode()
        except UnicodeDecodeError:
            raise InputError(f"{source.name}:{line}: found {cell!r:.60}, which is not UTF-8; expected text") from None
    return "" if is_null(cell) else str(cell)
