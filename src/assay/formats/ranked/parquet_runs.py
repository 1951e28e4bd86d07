"""Runs and judgments in Parquet: a row per topic and document, columns found by the names people give them in data frames.

    query_id   doc_id    score        a run; a column `run` or `tag` names it
    301        FBIS3-1   9.5

A run is read a batch of rows at a time and handed to the core a topic at a time, so that a file of any size needs the memory of a
row group. Where a topic comes back after another, all topics are held.
"""

from __future__ import annotations

from array import array
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
    """Whether the footer of a Parquet file names such a column: its length stands before a name."""
    return any(bytes([len(name)]) + name.encode() in head.text for name in names)


class ParquetRows:
    """The topics, documents and values of a file, as they come."""

    def __init__(self, source: Source, values: Sequence[str]) -> None:
        self.source = source
        self._file = Parquet(source)
        self._wanted = [self._named(names) for names in (frames.TOPIC, frames.DOCUMENT, values)]
        self._run = next((name for name in frames.RUN if name in self._file.columns), None)
        self.tag = ""
        """What the file calls the run, as far as it was read."""

    def _named(self, names: Sequence[str]) -> str:
        columns = self._file.columns
        found = next((name for name in frames.called(names, columns) if name in columns), None)
        if found is None or columns.count(found) > 1:
            wrong = "no column" if found is None else f"several columns {found!r}; expected one column"
            raise InputError(f"{self.source.name}: {wrong} {' or '.join(names[:3])}; it has {', '.join(columns)}")
        return found

    def topics(self) -> Iterator[tuple[str, list[str], list[float]]]:
        """Each topic with its documents and their values; one that comes back after another is there again."""
        whole: tuple[str, list[str], list[float]] | None = None
        for topic, documents, values in self._groups():
            if whole is not None and whole[0] == topic:  # it goes on in the next batch
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
        columns = [*self._wanted, *([self._run] if self._run else [])]
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
                expected = f"expected a number in column {self._wanted[2]!r}"
                raise InputError(f"{self.source.name}: row {row + place}: {expected}, found {cell!r}")
        return list(cells)


def nested_parquet(source: Source, values: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Topic to document to value, all held at once.

    source   a Parquet file
    values   what the column of values may be called
    """
    return nested_rows(ParquetRows(source, values))


def nested_rows(rows: ParquetRows) -> dict[str, dict[str, Any]]:
    """The same of a file that was opened."""
    found: dict[str, dict[str, Any]] = {}
    for topic, documents, cells in rows.topics():
        known = found.setdefault(topic, {})
        for document, cell in zip(documents, cells, strict=True):
            if document in known:
                raise InputError(f"{rows.source.name}: document {document} appears twice in topic {topic}")
            known[document] = cell
    return found


def packed(topics: Iterator[tuple[str, list[str], list[float]]]) -> Iterator[tuple[str, list[str], array[float]]]:
    """The same, scores as the core takes them."""
    for topic, documents, cells in topics:
        yield topic, documents, array("d", cells)
