"""Parquet files: their columns, those that are wanted, a batch of rows at a time."""

from __future__ import annotations

import io
import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from assay.errors import InputError
from assay.io.sources import Source

BATCH = 1024
CELLS = 1 << 19
"""Cells of a batch of columns."""


class Parquet:
    """An open Parquet file. What is not asked for is not decompressed."""

    def __init__(self, source: Source) -> None:
        try:
            import pyarrow.parquet as parquet
        except ImportError:
            raise InputError(f"{source.name}: is Parquet; pip install 'assay-eval[frames]' to read it") from None
        self._source = source
        on_disk = source.path is not None and os.path.isfile(source.path) and source.compression() is None
        with self._problems():
            from_where: Any = source.path if on_disk else source.parts() or io.BytesIO(source.read())
            self._file: Any = parquet.ParquetFile(from_where)
            schema: Any = self._file.schema_arrow
        self.columns: list[str] = list(schema.names)
        self._schema = schema
        source.close()

    def members(self, column: str) -> list[str]:
        """Return the names inside a column of structures; none for any other column."""
        import pyarrow

        if column not in self.columns:
            return []
        kind: Any = self._schema.field(column).type
        if not pyarrow.types.is_struct(kind):
            return []
        return [kind.field(place).name for place in range(kind.num_fields)]

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """Yield every row with some of its columns; a.b is the member b of the structure a."""
        with self._problems():
            for batch in self._file.iter_batches(batch_size=BATCH, columns=columns):
                yield from batch.to_pylist()

    def batches(self, columns: Sequence[str]) -> Iterator[list[list[Any]]]:
        """Yield the cells of some columns, in the order given, many rows at a time."""
        with self._problems():
            for batch in self._file.iter_batches(batch_size=max(1, CELLS // len(columns)), columns=list(columns)):
                yield [batch.column(name).to_pylist() for name in columns]

    def table(self) -> Any:
        """Return the whole file as a data frame."""
        with self._problems():
            return self._file.read()

    @contextmanager
    def _problems(self) -> Generator[None]:
        """Raise the errors of a damaged file as one that names it."""
        import pyarrow

        try:
            yield
        except (pyarrow.ArrowException, OSError, ValueError, OverflowError, TypeError, KeyError) as problem:
            first_line = str(problem).partition("\n")[0]
            raise InputError(f"{self._source.name}: not readable as Parquet: {first_line}") from None
