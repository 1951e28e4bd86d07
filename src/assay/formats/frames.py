"""Columns and cells of tables: data frames of any library, Parquet, CSV, TSV and tuples."""

from __future__ import annotations

from assay.errors import InputError
from assay.formats.object_ids import first_repeated, id_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    from assay.io.sources import Source

    Result = TypeVar("Result")
    Row = tuple[Any, ...]

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


def streamed(source: Source, values: Sequence[str], read: Callable[[Any], Result | None]) -> Result | None:
    """Pass topic, document and value to `read` as an Arrow stream, without a Python object per row.

    Return None where the library has no such streams, or the core cannot read a column.
    """
    frame = _frame(source, "nested dicts")  # the core checks indices itself
    names = names_of(source, frame, TOPIC, DOCUMENT, values)
    try:
        capsule = _stream(frame, names)
    except Exception:  # noqa: BLE001 - each library fails in its own way; its cells can be read one by one
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
    columns: list[str] = frame.columns  # some libraries build the list at each access
    for name in RUN:
        if name in columns and frame[name].n_unique() > 1:
            raise InputError(
                f"{source.name}: column {name!r} names several runs; expected one run a frame, as in {{name: frame}}"
            )
    return [_find_name(source, columns, names) for names in choices]


def _find_name(source: Source, columns: Sequence[str], names: Sequence[str]) -> str:
    name = next((name for name in column_names(names, columns) if name in columns), None)
    if name is None:
        raise InputError(f"{source.name}: no column {' or '.join(names[:3])}; it has {', '.join(map(str, columns))}")
    return name


def rows_of(source: Source, expected: str, *choices: Sequence[str]) -> tuple[list[str], Iterator[tuple[str, Row]]]:
    """Return the first column found for each list of names, and an iterator over the place and the cells of every row.

    Rows are those of a data frame, of Parquet, of CSV or TSV with a header, or tuples.

    expected   the other types a source may have, for an error
    """
    source = as_frame(source)
    if source.is_bytes:
        names, lines = table_rows(source)
        chosen = [_find_name(source, names, several) for several in choices]
        return chosen, _rows_of_lines(source, names, lines, [names.index(name) for name in chosen])
    if source.head.shape == "rows":
        fields = source.head.columns
        chosen = [_find_name(source, fields, several) if fields else several[0] for several in choices]
        return chosen, _rows_of_tuples(source, list(map(fields.index, chosen)) if fields else None, chosen)
    columns = columns_of(source, frame_of(source, expected), *choices)
    rows = zip(*(cells for _, cells in columns), strict=True)
    return [name for name, _ in columns], ((f"{source.name}: row {n}", row) for n, row in enumerate(rows, 1))


def _rows_of_lines(
    source: Source, names: list[str], lines: Iterator[tuple[int, list[str]]], places: list[int]
) -> Iterator[tuple[str, Row]]:
    column = next((names.index(name) for name in RUN if name in names), None)
    run = ""
    for line, cells in lines:
        if column is not None:
            run = run or cells[column]
            if cells[column] != run:
                several = f"column {names[column]!r} names several runs ({run}, {cells[column]})"
                raise source.error(line, f"{several}; expected one run a file")
        yield f"{source.name}:{line}", tuple(cells[place] for place in places)


def _rows_of_tuples(source: Source, places: list[int] | None, chosen: list[str]) -> Iterator[tuple[str, Row]]:
    """Yield the named fields of tuples; plain tuples have no other fields than the chosen ones, in their order."""
    fields = source.head.columns
    for number, row in enumerate(source.data, 1):
        where = f"{source.name}: row {number}"
        if getattr(row, "_fields", ()) != fields or not isinstance(row, (list, tuple)):
            expected = f"tuples of {', '.join(fields)}" if fields else f"tuples ({', '.join(chosen)})"
            raise InputError(f"{where}: expected {expected} as in the first row, found {row!r:.60}")
        if places is None and len(row) != len(chosen):
            expected = f"expected {len(chosen)} values ({', '.join(chosen)}), or a named tuple"
            raise InputError(f"{where}: {expected}; found {row!r:.60}")
        yield where, tuple(row) if places is None else tuple(row[place] for place in places)


def as_frame(source: Source) -> Source:
    """Return a source of Parquet as one of a data frame, and any other source unchanged."""
    if not source.is_bytes or source.head.shape != "parquet":
        return source
    from assay.formats.parquet import Parquet
    from assay.io.sources import Source

    return Source(source.name, data=Parquet(source).table(), label=source.label)


def cell_lines(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the physical line and the cells of every line, the header first; the rows of a data frame count as lines."""
    source = as_frame(source)
    if source.is_bytes:
        from assay.formats.lines import separated_lines

        yield from separated_lines(source)
        return
    frame = frame_of(source, "CSV text")
    yield 1, list(map(str, frame.columns))
    for line, cells in enumerate(frame.iter_rows(), 2):
        yield line, [cell_text(cell, source, line) for cell in cells]


def table_rows(source: Source) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """Return the names of the columns, and an iterator over line and cells of every row, one cell per name."""
    lines = cell_lines(source)
    header = next(lines, None)
    if header is None:
        raise InputError(f"{source.name}: is empty; expected a header line with the names of the columns")
    names = [name.strip() for name in header[1]]
    repeated = first_repeated(filter(None, names))
    if repeated is not None:
        raise source.error(1, f"two columns are called {repeated!r}; expected each once")

    from assay.formats.lines import whole_rows

    return names, whole_rows(source, lines, len(names))


def check_ids(source: Source, places: Sequence[int]) -> None:
    """Refuse ids, in columns at `places`, that are not text, whole numbers or UTF-8 bytes; empty cells are left to the caller."""
    if source.is_bytes:
        return
    frame = frame_of(source, "CSV text")
    for place in places:
        for line, cell in enumerate(frame[frame.columns[place]].to_list(), 2):
            if not isinstance(cell, str) and not is_null(cell):
                id_text(cell, f"{source.name}:{line}")


def alternatives(source: Source, place: int) -> dict[int, list[str]]:
    """Return the texts of the cells of a column that are lists, by line; none of CSV text."""
    if source.is_bytes:
        return {}
    frame = frame_of(source, "CSV text")
    return list_cells(source, enumerate(frame[frame.columns[place]].to_list(), 2))


def list_cells(source: Source, cells: Iterable[tuple[int, object]]) -> dict[int, list[str]]:
    """Return the texts of those cells that are lists, tuples or arrays, by line."""
    sequences = ((line, getattr(cell, "tolist", lambda cell=cell: cell)()) for line, cell in cells)
    return {
        line: [cell_text(item, source, line).strip() for item in sequence]
        for line, sequence in sequences
        if isinstance(sequence, (list, tuple))
    }


def is_null(cell: object) -> bool:
    """Return whether a data frame's cell is empty: None, NaN, or the NA of a nullable column, which has no truth value."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return not hasattr(cell, "__len__") and bool(cell != cell)  # an array has no truth value


def cell_text(cell: object, source: Source, line: int) -> str:
    """Return a cell as text; an empty one is the empty text."""
    if isinstance(cell, bytes):
        try:
            return cell.decode()
        except UnicodeDecodeError:
            raise InputError(f"{source.name}:{line}: found {cell!r:.60}, which is not UTF-8; expected text") from None
    return "" if is_null(cell) else str(cell)
