"""Columns of data frames of any library, found by the names people give them."""

from __future__ import annotations

from assay.errors import InputError
from assay.formats.duplicate_keys import first_repeated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Any, TypeVar

    from assay.io.sources import Source

    Found = TypeVar("Found")

TOPIC = ("query_id", "qid", "topic", "topic_id", "query", "q_id", "query-id")
DOCUMENT = ("doc_id", "docno", "docid", "document", "doc", "pid", "corpus-id")
GRADE = ("relevance", "rel", "grade", "label", "judgment")
SCORE = ("score", "sim", "similarity")
RUN = ("run", "run_id", "runid", "tag", "system")


def column_names(names: Sequence[str], columns: Collection[Any]) -> Sequence[str]:
    """Return the names of a column, given all columns: BEIR and MTEB call a grade `score`.

    >>> column_names(GRADE, ["query-id", "corpus-id", "score"])[-1], column_names(GRADE, ["qid", "docno", "score"])[-1]
    ('score', 'judgment')
    """
    return (*names, "score") if names is GRADE and "corpus-id" in columns else names


def as_text(cells: list[Any]) -> list[Any]:
    """Decode cells that are bytes: some writers of Parquet do not declare ids as text.

    >>> as_text([None, b"d1"]), as_text([7, 8])
    ([None, 'd1'], [7, 8])
    """
    if not isinstance(next((cell for cell in cells if cell is not None), None), bytes):
        return cells
    return [cell.decode("utf-8", "surrogateescape") if isinstance(cell, bytes) else cell for cell in cells]


def frame_of(source: Source, expected: str) -> Any:
    """Return the data frame of a source, checked; `expected` names the other types a source may have."""
    frame = _frame(source, expected)
    if frame.implementation.is_pyarrow():
        _check_dictionaries(source)
    return frame


def _frame(source: Source, expected: str) -> Any:
    import narwhals as nw

    repeated = first_repeated(source.head.columns)
    if repeated is not None:
        raise InputError(f"{source.name}: two columns are called {repeated!r}. Fix: rename or drop one of them")
    try:
        return nw.from_native(source.data, eager_only=True)
    except TypeError:
        raise InputError(
            f"{source.name}: expected a path, bytes, {expected} or a data frame, found {type(source.data).__name__}"
        ) from None


def _check_dictionaries(source: Source) -> None:
    """Refuse a dictionary column with an index out of range, which pyarrow itself reads out of bounds."""
    for name, column in zip(source.data.column_names, source.data.columns, strict=True):
        if hasattr(column.type, "index_type"):
            try:
                column.validate(full=True)
            except ValueError as problem:
                raise InputError(f"{source.name}: column {name!r} is invalid Arrow data: {problem}") from None


def columns_of(source: Source, frame: Any, *choices: Sequence[str]) -> list[tuple[str, list[Any]]]:
    """Return name and cells of the first column found for each list of names; a frame holds one run."""
    return [(name, frame[name].to_list()) for name in names_of(source, frame, *choices)]


def streamed(source: Source, values: Sequence[str], read: Callable[[Any], Found | None]) -> Found | None:
    """Pass topic, document and value to `read` as an Arrow stream, without a Python object per row.

    Return None where the library has no such streams, or the core cannot read a column.
    """
    frame = _frame(source, "nested dicts")  # the core checks indices itself
    names = names_of(source, frame, TOPIC, DOCUMENT, values)
    try:
        capsule = _stream(frame, names)
    except Exception:  # noqa: BLE001 - whatever a library says of what it cannot hand over, its cells can still be asked for
        return None
    return read(capsule)


def _stream(frame: Any, names: list[str]) -> Any:
    """Return the Arrow stream of some columns of a data frame.

    Columns of pandas are converted one by one, which takes half the time; and not by its own rule, under which missing numbers
    are NaN: the core finds these itself.
    """
    if not frame.implementation.is_pandas():
        return (frame if frame.columns == names else frame[names]).__arrow_c_stream__()
    import pyarrow as pa

    native = frame.to_native()
    return pa.Table.from_arrays(
        [pa.array(native[name], from_pandas=False) for name in names], names
    ).__arrow_c_stream__()


def names_of(source: Source, frame: Any, *choices: Sequence[str]) -> list[str]:
    """Return the first column found for each list of names; a frame holds one run."""
    columns: list[str] = frame.columns  # asked for once: some libraries make the list each time
    for name in RUN:
        if name in columns and frame[name].n_unique() > 1:
            raise InputError(
                f"{source.name}: column {name!r} names several runs; expected one run a frame, as in {{name: frame}}"
            )
    names_found: list[str] = []
    for names in choices:
        name = next((name for name in column_names(names, columns) if name in columns), None)
        if name is None:
            raise InputError(
                f"{source.name}: no column {' or '.join(names[:3])}; it has {', '.join(map(str, columns))}"
            )
        names_found.append(name)
    return names_found
