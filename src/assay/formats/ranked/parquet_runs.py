"""Runs in Parquet: a row per topic and document, columns named as in data frames.

    query_id   doc_id    score        a run; a column `run` or `tag` names it
    301        FBIS3-1   9.5

A run is read in batches of rows and yielded topic by topic, so that a file of any size needs the memory of one row group.
"""

from __future__ import annotations

from itertools import groupby

from assay.errors import InputError
from assay.formats import frames
from assay.formats.object_ids import id_text
from assay.formats.parquet import Parquet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from assay.io.heads import Head
    from assay.io.sources import Source


def has_column(head: Head, names: Sequence[str]) -> bool:
    """Return whether the footer of a Parquet file names such a column; a byte with its length precedes a name."""
    return any(bytes([len(name)]) + name.encode() in head.text for name in names)


class ParquetRows:
    """The topics, documents and values of a file, in its order."""

    def __init__(self, source: Source, values: Sequence[str]) -> None:
        self.source = source
        self._file = Parquet(source)
        self._columns = [self._find_column(names) for names in (frames.TOPIC, frames.DOCUMENT, values)]
        self._run = next((name for name in frames.RUN if name in self._file.columns), None)
        self.tag: str = ""
        """The name of the run in the rows read so far."""

    def _find_column(self, names: Sequence[str]) -> str:
        columns = self._file.columns
        column = next((name for name in frames.column_names(names, columns) if name in columns), None)
        if column is None or columns.count(column) > 1:
            wrong = "no column" if column is None else f"several columns {column!r}; expected one column"
            raise InputError(f"{self.source.name}: {wrong} {' or '.join(names[:3])}; it has {', '.join(columns)}")
        return column

    def topics(self) -> Iterator[tuple[str, list[str], list[float]]]:
        """Yield each topic with its documents and their values; a topic in two places of the file is yielded twice."""
        whole: tuple[str, list[str], list[float]] | None = None
        for topic, documents, values in self._groups():
            if whole is not None and whole[0] == topic:  # continued in this batch
                whole[1].extend(documents)
                whole[2].extend(values)
                continue
            if whole is not None:
                yield whole
            whole = topic, documents, values
        if whole is not None:
            yield whole

    def _groups(self) -> Iterator[tuple[str, list[str], list[float]]]:
        row = 1
        for batch in self._batches():
            start = 0
            for topic, group in groupby(batch[0]):
                end = start + sum(1 for _ in group)
                documents = self._ids(topic, batch[1][start:end], row + start)
                name = id_text(topic, f"{self.source.name}: row {row + start}")
                yield name, documents, self._numbers(batch[2][start:end], row + start)
                start = end
            row += len(batch[0])

    def _batches(self) -> Iterator[list[list[Any]]]:
        columns = [*self._columns, *([self._run] if self._run else [])]
        for batch in self._file.batches(columns):
            for tag in dict.fromkeys(batch[3]) if self._run else ():
                if self.tag and tag is not None and str(tag) != self.tag:
                    raise InputError(
                        f"{self.source.name}: column {self._run!r} names several runs ({self.tag}, {tag}); expected one run a file"
                    )
                self.tag = self.tag if tag is None else str(tag)
            yield [*map(frames.as_text, batch[:2]), batch[2]]

    def _ids(self, topic: Any, documents: Sequence[Any], row: int) -> list[str]:
        if topic is None or topic != topic or None in documents:
            at = row if topic is None or topic != topic else row + documents.index(None)
            raise InputError(f"{self.source.name}: row {at}: no topic or no document; expected an id in both")
        try:
            "".join(documents)
        except TypeError:
            return [id_text(document, f"{self.source.name}: row {row + i}") for i, document in enumerate(documents)]
        return list(documents)

    def _numbers(self, cells: Sequence[Any], row: int) -> list[float]:
        for place, cell in enumerate(cells):
            if isinstance(cell, (str, bytes)) or not hasattr(cell, "__float__") or cell != cell:
                expected = f"expected a number in column {self._columns[2]!r}"
                raise InputError(f"{self.source.name}: row {row + place}: {expected}, found {cell!r}")
        return list(cells)
