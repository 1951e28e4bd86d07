"""Score tables from files and back: topic × run matrices, assay's own JSON, Parquet.

What a file of scores does not say is taken as follows: a measure whose name assay knows keeps its direction, any other
is a mean of which more is better. A topic is missing from a run where no measure has a number; such topics by default
stay out of every comparison. The policies that promise the same topics for all, `common` and `error`, take it as missing
where any measure lacks one.
"""

from __future__ import annotations

import os

from assay import policies
from assay.errors import InputError, UsageError
from assay.formats.frames import frame_of
from assay.formats.heads import is_mapping
from assay.formats.readers import recognise
from assay.formats.score_tables import Matrix, is_number, read_matrix, read_score_json
from assay.formats.sources import is_remote, path_of, source_of
from assay.measures.declare import measure
from assay.measures.value import Measure
from assay.notes import Notes
from assay.run_scores import RunScores
from assay.table import SAMPLES, Scores
from assay.tasks.scores import TASK, ScoreSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from assay.settings import Settings

    Cell = float | int | None
    Column = dict[str, Cell]


def read_scores(things: Any, measures: Sequence[str] | str | None = None, **settings: Any) -> Scores:
    """One score table from one or more files of scores, told apart by their content.

    things     a path or bytes, or a list of them; a path may be written NAME=FILE. A topic × run matrix holds one measure, called
               by that name or as its file; assay's own JSON, CSV and Parquet, a store, and a folder of Parquet hold several
    measures   chooses among them, or names all matrices anew
    settings   `missing`, `undefined` and `seed`, as everywhere

    >>> read_scores(b"topic,a,b\\n1,0.5,0.25\\n2,1.0,NA\\n", ["AP"])["AP"]
    {'a': 0.75, 'b': 0.25}
    """
    if hasattr(things, "columns") or is_mapping(things):
        raise UsageError("`assay.read_scores` reads files; `assay.scores` takes numbers one has already")
    things = [things] if path_of(things) is not None or isinstance(things, (bytes, bytearray)) else list(things)
    measures = None if measures is None else [str(m) for m in ([measures] if _is_one(measures) else measures)]
    cells: dict[str, dict[str, Column]] = {}
    counts: dict[str, dict[str, int]] = {}
    matrices: list[Matrix] = []
    derived: list[Measure] = []

    def take(found: Mapping[str, Any], where: str) -> None:
        """The columns wanted of a file that holds several."""
        read = dict(found)
        for run, column in read.pop(SAMPLES, {}).items():
            counts[run] = _counts(run, column, where)
        wanted, more = _wanted(list(measures or _with_values(read)), read, where)
        derived.extend(more)
        for name in wanted:
            _add(cells, name, read[name], where)

    for thing in things:
        thing, label = _labelled(thing)
        source = source_of(thing)
        folder = source.path is not None and os.path.isdir(source.path)
        reader = None if folder else recognise(source, "scores")
        if folder:
            from assay.score_folders import read_folder

            take(read_folder(str(source.path), measures), source.name)
        elif (reader is None or reader.name == "matrix") and source.head.text[:1] not in (b"{", b"["):
            matrices.append(read_matrix(source, label))
        else:
            take(reader.read(source) if reader is not None else read_score_json(source), source.name)
    for matrix in _named(matrices, list(measures or [])):
        _add(cells, matrix.name, _columns(matrix.values, matrix.topics, matrix.runs), matrix.name)
    return _table(cells, ScoreSettings(**settings), derived, counts)


def scores(
    values: Any,
    *,
    runs: Sequence[str] | None = None,
    topics: Sequence[str] | None = None,
    measure: str = "score",
    **settings: Any,
) -> Scores:
    """Numbers one has already, as a score table.

    values     topics × runs: a list of rows or an array, None or NaN where there is no value; or {run: {topic: value}}
    runs       the names of the columns; run1, run2 … where left out
    topics     the names of the rows; 1, 2 … where left out
    measure    what the numbers are; a name assay knows keeps its direction, any other is a mean of which more is better
    settings   `missing`, `undefined` and `seed`, as everywhere

    >>> scores([[0.5, 0.25], [1.0, None]], runs=["a", "b"])["score"]
    {'a': 0.75, 'b': 0.25}
    """
    if is_mapping(values):
        if runs is not None or topics is not None:
            raise UsageError("values by run and topic have their names; `runs` and `topics` are for rows")
        table: dict[str, Any] = {str(run): {str(t): v for t, v in _items(of_run)} for run, of_run in values.items()}
    else:
        if hasattr(values, "columns"):
            frame = frame_of(source_of(values, "values"), "rows")
            runs = list(frame.columns) if runs is None else runs
            values = frame.rows()
        rows = [list(row) for row in _each(values)]
        names = [f"run{j + 1}" for j in range(len(rows[0]) if rows else 0)] if runs is None else [str(r) for r in runs]
        ids = [str(i + 1) for i in range(len(rows))] if topics is None else [str(topic) for topic in topics]
        if not rows or any(len(row) != len(names) for row in rows) or len(ids) != len(rows):
            raise InputError(f"expected a row of {len(names)} values, one per run, for each of {len(ids)} topics")
        for kind, given in (("runs", names), ("topics", ids)):
            if len({*given}) < len(given):
                raise InputError(f"two {kind} have the same name; expected each once")
        table = _columns(rows, ids, names)
    for run, column in table.items():
        for topic, value in column.items():
            if value is None or value != value:
                column[topic] = None
            elif is_number(value):
                column[topic] = float(value)
            else:
                where = f"run {run}, topic {topic}"
                raise InputError(f"{where}: expected a finite number, or None where there is none; found {value!r}")
    return _table({str(measure): table}, ScoreSettings(**settings))


def _with_values(read: Mapping[str, Mapping[str, Column]]) -> list[str]:
    """The columns that hold a number anywhere; all of them where none does, so that the error names one."""
    told = [
        n for n, runs in read.items() if any(cell is not None for column in runs.values() for cell in column.values())
    ]
    return told or list(read)


def _counts(run: str, column: Column, where: str) -> dict[str, int]:
    """How many samples each topic's sums are over; 0 where the topic has none."""
    for topic, count in column.items():
        if count is not None and (count != int(count) or count < 1):
            raise InputError(
                f"{where}: run {run}, topic {topic}: {SAMPLES} is {count!r}; expected a whole number of 1 or more"
            )
    return {topic: int(count or 0) for topic, count in column.items()}


def _items(column: Any) -> Any:
    if not is_mapping(column):
        raise InputError(f"expected a value by topic for each run, found {type(column).__name__}")
    return column.items()


def _each(values: Any) -> Any:
    """The rows of a table of numbers."""
    rows = list(values) if hasattr(values, "__iter__") and not isinstance(values, (str, bytes)) else []
    if not rows or not all(hasattr(row, "__iter__") and not isinstance(row, (str, bytes)) for row in rows):
        raise InputError("expected a table of numbers: a row per topic, in it a value per run")
    return rows


def _columns(rows: Sequence[Sequence[Any]], topics: Sequence[str], runs: Sequence[str]) -> dict[str, dict[str, Any]]:
    return {run: dict(zip(topics, [row[j] for row in rows], strict=True)) for j, run in enumerate(runs)}


def _is_one(measures: Any) -> bool:
    return isinstance(measures, str) or not hasattr(measures, "__iter__")


def _labelled(thing: Any) -> tuple[Any, str | None]:
    """NAME=FILE taken apart, unless there is a file of the whole name."""
    if isinstance(thing, str) and "=" in thing and not os.path.exists(thing) and not is_remote(thing):
        name, _, path = thing.partition("=")
        return path, name
    return thing, None


def _named(matrices: list[Matrix], names: list[str]) -> list[Matrix]:
    known = [matrix.name for matrix in matrices]
    if not matrices or not names:
        return matrices
    if set(names) <= set(known):
        return [matrix for matrix in matrices if matrix.name in names]
    if len(names) != len(matrices):
        raise UsageError(
            f"`measures={','.join(names)}`: as many names as matrices are expected, and the {len(matrices)} are {', '.join(known)}"
        )
    for matrix, name in zip(matrices, names, strict=True):
        matrix.name = name
    return matrices


def _wanted(names: Sequence[str], read: Mapping[str, Any], where: str) -> tuple[list[str], list[Measure]]:
    """The columns to take, and the measures to make from them: c@1 from `correct` and `unanswered`."""
    from assay.measures.registry import find

    columns: list[str] = []
    derived: list[Measure] = []
    for name in names:
        if name in read:
            columns.append(name)
            continue
        measure = find(name)
        lacking = [part for part in measure.of or (name,) if part not in read]
        if lacking:
            raise UsageError(f"{where}: has no scores of {name}; it has {', '.join(read) or 'none'}")
        derived.append(measure)
        columns += measure.of
    return list(dict.fromkeys(columns)), derived


def _add(cells: dict[str, dict[str, Column]], name: str, columns: dict[str, Column], where: str) -> None:
    known = cells.setdefault(name, {})
    for run, column in columns.items():
        if run in known:
            raise InputError(
                f"{where}: scores of {name} for run {run} were read already; tell measures apart as in `scores=AP=FILE`"
            )
        known[run] = column


LARGEST = 1e150
"""Scores up to this can be added up and squared."""


def _check_size(name: str, run: str, column: Column) -> None:
    for topic, cell in column.items():
        if cell is not None and abs(cell) > LARGEST:
            raise InputError(
                f"{name} of run {run}, topic {topic}: scores as large as {float(cell):g} cannot be averaged; divide them by "
                "a constant"
            )


def _table(
    cells: Mapping[str, Mapping[str, Column]], settings: Settings, derived: Sequence[Measure] = (),
    counts: Mapping[str, Mapping[str, int]] | None = None,
) -> Scores:  # fmt: skip
    """`counts` are the numbers of samples by run and topic that the sums of topics are over, where they are over several."""
    runs = list(dict.fromkeys(run for columns in cells.values() for run in columns))
    # One table, one set of topics: a study draws them for all its measures at once.
    listed = [dict.fromkeys(topic for column in columns.values() for topic in column) for columns in cells.values()]
    topics = [topic for topic in (listed[0] if listed else ()) if all(topic in others for others in listed)]
    if not topics:
        raise InputError("the files of scores have no topic in common; give them one at a time")
    for name, columns in cells.items():
        for run, column in columns.items():
            _check_size(name, run, column)
    warnings: list[str] = []
    if any(len(others) > len(topics) for others in listed):
        warnings.append(f"{len(topics)} of the topics are in every file of scores; the others are left out")
    parts = {part for measure in derived for part in measure.of}
    measures = [*derived, *(plain_measure(name) for name in cells if name not in parts)]
    rows: list[RunScores] = []
    for run in runs:
        columns = {name: [columns.get(run, {}).get(topic) for topic in topics] for name, columns in cells.items()}
        gone = [policies.lacks(settings, cells) for cells in zip(*columns.values(), strict=True)]
        worth = policies.hole(settings)
        columns = {name: tuple(worth if cell is None else cell for cell in column) for name, column in columns.items()}
        notes = Notes(warnings=warnings if not rows else ())
        samples = None
        if counts and run in counts:
            known = [counts[run].get(topic, 0) for topic in topics]
            columns = {n: _mean_of_samples(n, c, known) if n not in parts else c for n, c in columns.items()}
            samples = known if parts else None
        rows.append(RunScores(run, None, columns, gone, notes, samples=samples))
    scores = Scores(TASK, settings, topics, measures, rows)
    policies.check(scores)
    return scores


def _mean_of_samples(name: str, column: tuple[Any, ...], counts: Sequence[int]) -> tuple[Any, ...]:
    """A topic's sum over its samples as their mean, so that every topic weighs the same; other columns are means already."""
    from assay.measures.registry import find

    try:
        summed = find(name).level == "sums"
    except UsageError:
        summed = False
    if not summed:
        return column
    return tuple(cell if cell is None or not m else cell / m for cell, m in zip(column, counts, strict=True))


def _given(view: Any) -> Any:
    """The score as the file gives it."""
    return view


def plain_measure(name: str) -> Measure:
    """A measure read from a file of scores: its declaration where the name is known, else a mean, more being better."""
    from assay.measures.registry import find

    try:
        found = find(name)
        if found.level == "topic":
            return found
    except UsageError:
        pass

    declaration = measure(
        name, task="scores", low=None, high=None, undefined="where the file has no number", cite="the file"
    )
    declaration.function, declaration.ours = _given, True
    return Measure(declaration, name, {})
