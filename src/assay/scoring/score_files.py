"""Score tables from numbers: topic × run matrices, assay's JSON, CSV and Parquet, arrays and dicts.

The direction of a measure comes from `higher_is_better=`, else from the file, else from its name (`measures/directions.py`); the
default is that higher is better. A topic is missing from a run where no measure has a number, and is excluded from comparisons
by default. The policies `common` and `error` treat a topic as missing where any measure lacks a number.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from copy import copy

from assay.errors import InputError, UsageError, counted
from assay.formats.answers.rows import FAILED, MISSING
from assay.formats.answers.states import CODES, OUT, STATE, WORDS
from assay.formats.frames import frame_of
from assay.formats.object_ids import check_unique, id_text
from assay.formats.recognition import recognise
from assay.formats.score_tables import Matrix, is_number, read_matrix, read_score_json
from assay.io.heads import is_mapping
from assay.io.sources import is_remote, path_of, source_of
from assay.measures.define import measure
from assay.measures.measure import Measure
from assay.parameters import public
from assay.table import missing_topics
from assay.table.notes import Notes
from assay.table.run_scores import RunScores
from assay.table.scores import SAMPLES, Scores
from assay.tasks.scores import TASK, ScoreSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Any

    Cell = float | int | None
    Column = Mapping[str, Cell]


@public
def read_scores(
    things: Any, measures: Sequence[str] | str | None = None, *,
    higher_is_better: bool | Mapping[str, bool | None] | None = None, missing: str | None = None, undefined: str = "skip", seed: int = 0,
) -> Scores:  # fmt: skip
    """Read one or more files of scores into a score table.

    things     a path or bytes, or a list of them; a path may be written NAME=FILE. A topic × run matrix has one measure, named
               NAME or after its file; assay's JSON, CSV and Parquet, a store, and a folder of Parquet have several
    measures   the measures to read, or new names for matrices named after their file. NQcorrect@k, Success@k and RR@k are
               derived from scores called RR
    higher_is_better   True or False for all measures, or {measure: True or False}; by default the name decides: lower is better
               for perplexity, WER, loss …, higher for others; an ambiguous name such as `my_loss` is refused
    missing    what a topic counts that a run lacks: `skip`, `zero`, `common` or `error`; as in the file where it says how
               questions ended, else `skip`
    undefined  what a topic counts whose value is undefined: `skip` or `zero`
    seed       of everything random that is computed from the table

    Returns `assay.Scores`. Raises UsageError where a measure is not in the files or its direction is ambiguous, FormatError with
    file and line where a file is malformed, InputError where the files have no topic in common.

    >>> read_scores(b"topic,a,b\\n1,0.5,0.25\\n2,1.0,NA\\n", ["AP"])["AP"]
    {'a': 0.75, 'b': 0.25}
    >>> read_scores(b"topic,a,b\\n1,0.5,0.25\\n", ["my_loss"], higher_is_better=False).settings.higher_is_better
    {'my_loss': False}
    """
    if hasattr(things, "columns") or is_mapping(things):
        raise UsageError("`assay.read_scores` reads files. Fix: use `assay.scores` for numbers in memory.")
    things = [things] if path_of(things) is not None or isinstance(things, (bytes, bytearray)) else list(things)
    measures = None if measures is None else [str(m) for m in ([measures] if _is_one(measures) else measures)]
    cells: dict[str, dict[str, Column]] = {}
    counts: dict[str, dict[str, int]] = {}
    matrices: list[Matrix] = []
    labels: set[str] = set()
    derived: list[Measure] = []
    stated: dict[str, bool | None] = {}
    states: dict[str, Mapping[str, str | None]] = {}

    def take(table: Mapping[str, Any], where: str) -> None:
        """Add the requested columns of a file with several."""
        read = dict(table)
        stated.update(getattr(table, "higher_is_better", {}))
        for run, column in read.pop(SAMPLES, {}).items():
            counts[run] = _counts(run, column, where)
        if any(isinstance(cell, str) for column in read.get(STATE, {}).values() for cell in column.values()):
            states.update(read.pop(STATE))
        names = list(measures or _with_values(read))
        for name, source in _followed(names, read).items():
            read[name] = _derived(name, source, read[source], where)
        columns, more = _columns_of(names, read, where)
        derived.extend(more)
        for name in columns:
            _add(cells, name, read[name], where)

    for thing in things:
        thing, label = _labelled(thing)
        source = source_of(thing)
        folder = source.path is not None and os.path.isdir(source.path)
        reader = None if folder else recognise(source, "scores")
        if folder:
            from assay.scoring.score_folders import read_folder

            every = bool(_followed(measures or (), ["RR"]))
            take(read_folder(str(source.path), None if every else measures), source.name)
        elif (reader is None or reader.name == "matrix") and source.head.text[:1] not in (b"{", b"["):
            matrices.append(read_matrix(source, label))
            labels |= {label} if label else set()
        else:
            table = reader.read(source) if reader is not None else read_score_json(source)
            if isinstance(table, Matrix):
                table.name = label or table.name
                matrices.append(table)
                labels |= {label} if label else set()
            else:
                take(table, source.name)
    for name, columns in _named(matrices, list(measures or []), labels):
        _add(cells, name, columns, name)
    settings = {"undefined": undefined, "seed": seed} | ({} if missing is None else {"missing": missing})
    return _table(cells, settings, derived, counts, higher_is_better, stated, states)


@public
def scores(
    values: Any,
    *,
    runs: Sequence[str] | None = None,
    topics: Sequence[str] | None = None,
    measure: str = "score",
    higher_is_better: bool | Mapping[str, bool | None] | None = None,
    missing: str = "skip",
    undefined: str = "skip",
    seed: int = 0,
) -> Scores:
    """Make a score table from numbers in memory.

    values     topics × runs: a list of rows or an array, None or NaN where there is no value; or {run: {topic: value}}
    runs       names of the columns; default run1, run2 …
    topics     names of the rows; default 1, 2 …
    measure    the name of the measure
    higher_is_better   True or False; by default the name decides: lower is better for perplexity, WER, loss …, higher for
               others; an ambiguous name such as `my_loss` is refused
    missing    what a topic counts that a run lacks: `skip`, `zero`, `common` or `error`
    undefined  what a topic counts whose value is undefined: `skip` or `zero`
    seed       of everything random that is computed from the table

    Returns `assay.Scores`. Raises InputError where the table is not rectangular, a name is repeated or a value is not a number,
    UsageError where the direction is ambiguous.

    >>> scores([[0.5, 0.25], [1.0, None]], runs=["a", "b"])["score"]
    {'a': 0.75, 'b': 0.25}
    >>> print(scores([[12.1, 14.0], [11.2, 15.3]], runs=["a", "b"], measure="perplexity"))
    run  topics  perplexity
    a         2     11.6500*
    b         2     14.6500
    * lowest value; `assay compare` says whether it is really better.
    perplexity: lower is better
    """
    if is_mapping(values):
        if runs is not None or topics is not None:
            raise UsageError(
                "`runs` and `topics` name the rows and columns of a table; {run: {topic: value}} has names"
            )
        names = [id_text(run, "name of a run") for run in values]
        check_unique(names, "run", "values")
        table: dict[str, Any] = {}
        for run, of_run in zip(names, values.values(), strict=True):
            of_topics = list(_items(of_run))
            ids = [id_text(topic, f"run {run}") for topic, _ in of_topics]
            check_unique(ids, "topic", f"run {run}")
            table[run] = {topic: value for topic, (_, value) in zip(ids, of_topics, strict=True)}
    else:
        if hasattr(values, "columns"):
            frame = frame_of(source_of(values, "values"), "rows")
            runs = list(frame.columns) if runs is None else runs
            values = frame.rows()
        rows = [list(row) for row in _each(values)]
        names = (
            [f"run{j + 1}" for j in range(len(rows[0]) if rows else 0)]
            if runs is None
            else [id_text(r, "runs") for r in runs]
        )
        ids = (
            [str(i + 1) for i in range(len(rows))] if topics is None else [id_text(topic, "topics") for topic in topics]
        )
        if not rows or any(len(row) != len(names) for row in rows) or len(ids) != len(rows):
            raise InputError(f"expected a row of {len(names)} values, one per run, for each of {len(ids)} topics")
        for kind, labels in (("runs", names), ("topics", ids)):
            if len({*labels}) < len(labels):
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
    settings = {"missing": missing, "undefined": undefined, "seed": seed}
    return _table({str(measure): table}, settings, higher_is_better=higher_is_better)


def _with_values(read: Mapping[str, Mapping[str, Column]]) -> list[str]:
    """Return the columns with any number; all columns where none has one, so that the error names one."""
    filled = [
        n for n, runs in read.items() if any(cell is not None for column in runs.values() for cell in column.values())
    ]
    return filled or list(read)


def _counts(run: str, column: Column, where: str) -> dict[str, int]:
    """Return the number of samples per topic; 0 where the topic has none."""
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
    """Return the rows of a table of numbers."""
    rows = list(values) if hasattr(values, "__iter__") and not isinstance(values, (str, bytes)) else []
    if not rows or not all(hasattr(row, "__iter__") and not isinstance(row, (str, bytes)) for row in rows):
        raise InputError("expected a table of numbers: a row per topic, in it a value per run")
    return rows


def _columns(rows: Sequence[Sequence[Any]], topics: Sequence[str], runs: Sequence[str]) -> dict[str, dict[str, Any]]:
    return {run: dict(zip(topics, [row[j] for row in rows], strict=True)) for j, run in enumerate(runs)}


class _MatrixColumn(Mapping):  # type: ignore[type-arg]
    """A column of a matrix by topic; columns share the dict of places, which is larger than the numbers."""

    def __init__(self, places: Mapping[str, int], cells: Sequence[Cell]) -> None:
        self.places, self.cells = places, cells

    def __getitem__(self, topic: str) -> Cell:
        return self.cells[self.places[topic]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


def _matrix_columns(matrix: Matrix) -> dict[str, Any]:
    """Return the column of each run."""
    places = {topic: place for place, topic in enumerate(matrix.topics)}
    return {
        run: _MatrixColumn(places, cells)
        for run, cells in zip(matrix.runs, zip(*matrix.values, strict=True), strict=True)
    }


def _cells(column: Mapping[str, Cell]) -> Iterable[Cell]:
    """Return the cells of a column, in the order of its topics."""
    return column.cells if isinstance(column, _MatrixColumn) else column.values()


def _aligned(column: Mapping[str, Cell], topics: Sequence[str]) -> Sequence[Cell]:
    """Return the cells of these topics."""
    if isinstance(column, _MatrixColumn) and len(topics) == len(column) and list(column.places) == topics:
        return column.cells
    return [column.get(topic) for topic in topics]


def _is_one(measures: Any) -> bool:
    return isinstance(measures, str) or not hasattr(measures, "__iter__")


def _labelled(thing: Any) -> tuple[Any, str | None]:
    """Split NAME=FILE, unless a file has the whole name."""
    if isinstance(thing, str) and "=" in thing and not os.path.exists(thing) and not is_remote(thing):
        name, _, path = thing.partition("=")
        return path, name
    return thing, None


def _named(matrices: list[Matrix], names: list[str], labels: Collection[str]) -> list[tuple[str, dict[str, Column]]]:
    """Return the columns of some measures; names may rename matrices named after their file."""
    known = [matrix.name for matrix in matrices]
    columns = [_matrix_columns(matrix) for matrix in matrices]
    if not matrices or not names:
        return list(zip(known, columns, strict=True))
    followed = _followed(names, known)
    if {*names} <= {*known, *followed}:
        chosen = [(name, table) for name, table in zip(known, columns, strict=True) if name in names]
        places = {name: known.index(source) for name, source in followed.items()}
        return chosen + [(name, _derived(name, known[i], columns[i], matrices[i].file)) for name, i in places.items()]
    if len(names) != len(matrices):
        raise UsageError(
            f"`measures={','.join(names)}`: expected {len(matrices)} names, one per matrix; matrices are {', '.join(known)}"
        )
    for old, name in zip(known, names, strict=True):
        if old != name and old in labels:
            raise UsageError(f"`measures={','.join(names)}`: no measure {name!r}; measures are {', '.join(known)}")
    return list(zip(names, columns, strict=True))


def _followed(names: Sequence[str], known: Iterable[str]) -> dict[str, str]:
    """Map each unknown measure that can be derived from a known reciprocal rank to that measure's name."""
    from assay.measures.reciprocal_ranks import source_of as source_of_ranks

    columns = {name: declared for name in known if (declared := _declared(name)) is not None}
    sources: dict[str, str] = {}
    for name in names:
        derived = None if name in columns else _declared(name)
        source = None if derived is None else source_of_ranks(derived, columns.values())
        if source is not None:
            sources[name] = next(column for column, measure in columns.items() if measure is source)
    return sources


def _declared(name: str) -> Measure | None:
    """Return the declared topic-level measure of that name, or None."""
    from assay.measures.registry import find

    try:
        declared = find(name)
    except UsageError:
        return None
    return declared if declared.level == "topic" else None


def _derived(name: str, source: str, columns: Mapping[str, Column], where: str) -> dict[str, Column]:
    """Return the columns of a measure that follows from those of reciprocal ranks."""
    from assay.measures.reciprocal_ranks import follow_by_topic
    from assay.measures.registry import find

    measure = find(name)
    return {run: follow_by_topic(measure, source, column, f"{where}: run {run}") for run, column in columns.items()}


def _columns_of(names: Sequence[str], read: Mapping[str, Any], where: str) -> tuple[list[str], list[Measure]]:
    """Return the columns to read, and the measures to compute from them: c@1 from `correct` and `unanswered`."""
    from assay.measures.registry import expand_groups, find

    columns: list[str] = []
    derived: list[Measure] = []
    every = [str(part) for name in names for part in ((name,) if name in read else expand_groups(name, "outcomes"))]
    for name in every:
        if name in read:
            columns.append(name)
            continue
        measure = find(name)
        lacking = [part for part in measure.of or (name,) if part not in read]
        if lacking:
            raise UsageError(f"{where}: no scores of {name}; scores are of {', '.join(read) or 'no measure'}")
        derived.append(measure)
        columns += measure.of
    return list(dict.fromkeys(columns)), derived


def _add(cells: dict[str, dict[str, Column]], name: str, columns: dict[str, Column], where: str) -> None:
    known = cells.setdefault(name, {})
    for run, column in columns.items():
        if run in known:
            raise InputError(
                f"{where}: scores of {name} for run {run} were read already. Fix: name the measures, as in `scores=AP=FILE`."
            )
        known[run] = column


MAX_SCORE = 1e150
"""Larger scores could overflow when squared and summed."""


def _check_size(name: str, run: str, column: Column) -> None:
    if max(map(abs, filter(None, _cells(column))), default=0.0) <= MAX_SCORE:
        return
    for topic, cell in column.items():
        if cell is not None and abs(cell) > MAX_SCORE:
            raise InputError(
                f"{name} of run {run}, topic {topic}: scores as large as {float(cell):g} cannot be averaged; divide them by "
                "a constant"
            )


def _directions(higher_is_better: Any, names: Sequence[str]) -> dict[str, bool | None]:
    """Return the given directions by measure."""
    if higher_is_better is None:
        return {}
    if isinstance(higher_is_better, bool):
        return dict.fromkeys(names, higher_is_better)
    if not is_mapping(higher_is_better) or not all(
        direction in (True, False, None) for direction in higher_is_better.values()
    ):
        raise UsageError(
            f"`higher_is_better={higher_is_better!r}`: expected True, False, or {{measure: True or False}}"
        )
    for name in higher_is_better:
        if name not in names:
            raise UsageError(f"`higher_is_better=`: no measure {name!r}; measures are {', '.join(names)}")
    return dict(higher_is_better)


def _check_zero(
    settings: ScoreSettings, measures: Sequence[Measure], cells: Mapping[str, Mapping[str, Column]], runs: Sequence[str],
    topics: Sequence[str],
) -> None:  # fmt: skip
    """Refuse to count a missing topic as 0 where 0 is the best value."""
    if missing_topics.hole(settings) is None:
        return
    for scored in measures:
        columns = cells.get(scored.name, {})
        gap = any(columns.get(run, {}).get(topic) is None for run in runs for topic in topics)
        if scored.declaration.higher_is_better is False and scored.name in cells and gap:
            raise UsageError(
                f"`missing='zero'`: a run lacks a topic, and 0 is the best {scored.name}. Fix: use `missing='skip'`."
            )


def _table(
    cells: Mapping[str, Mapping[str, Column]], choices: Mapping[str, Any], derived: Sequence[Measure] = (),
    counts: Mapping[str, Mapping[str, int]] | None = None, higher_is_better: bool | Mapping[str, bool | None] | None = None,
    stated: Mapping[str, bool | None] | None = None, states: Mapping[str, Mapping[str, str | None]] | None = None,
) -> Scores:  # fmt: skip
    """Make the table.

    counts             number of samples by run and topic, where some topic has several
    higher_is_better   as given by the caller
    stated             directions by measure, as stated by the files
    states             by run and topic, how the question ended, in words
    """
    runs = list(dict.fromkeys(run for columns in cells.values() for run in columns))
    # All measures share one set of topics.
    listed = [_topics_of(columns.values()) for columns in cells.values()]
    topics = [topic for topic in (listed[0] if listed else ()) if all(topic in others for others in listed)]
    if not topics:
        raise InputError("the files have no topic in common. Fix: read them one at a time.")
    for name, columns in cells.items():
        for run, column in columns.items():
            _check_size(name, run, column)
    warnings: list[str] = []
    if any(len(others) > len(topics) for others in listed):
        warnings.append(f"{len(topics)} topics are in every file; the others are excluded")
    parts = {part for measure in derived for part in measure.of}
    names = [*(measure.name for measure in derived), *(name for name in cells if name not in parts)]
    chosen = {**(stated or {}), **_directions(higher_is_better, names)}
    measures = [
        *(_directed(measure, chosen[measure.name]) if measure.name in chosen else measure for measure in derived),
        *(_plain_measure(name, chosen) for name in cells if name not in parts),
    ]
    settings = ScoreSettings(
        **choices, higher_is_better={measure.name: measure.declaration.higher_is_better for measure in measures}
    )
    _check_zero(settings, measures, cells, runs, topics)
    rows: list[RunScores] = []
    for run in runs:
        columns = {name: _aligned(columns.get(run, {}), topics) for name, columns in cells.items()}
        codes = _states_of_run((states or {}).get(run), topics)
        if codes is not None and "missing" in choices:
            # The numbers of missing questions follow the policy of who wrote them; a policy of the caller's own replaces them.
            columns = {
                name: [None if code == MISSING else cell for cell, code in zip(column, codes, strict=True)]
                for name, column in columns.items()
            }
        gone = [False] * len(topics)
        if any(None in column for column in columns.values()):
            gone = [missing_topics.lacks(settings, cells) for cells in zip(*columns.values(), strict=True)]
            worth = missing_topics.hole(settings)
            columns = {name: [worth if cell is None else cell for cell in column] for name, column in columns.items()}
        columns = {name: tuple(column) for name, column in columns.items()}
        notes = Notes(warnings=warnings if not rows else ())
        samples = None
        if counts and run in counts:
            known = [counts[run].get(topic, 0) for topic in topics]
            columns = {n: _mean_of_samples(n, c, known) if n not in parts else c for n, c in columns.items()}
            samples = known if parts else None
        held: dict[str, Sequence[Any]] = dict(columns)
        if codes is not None:
            held[STATE] = codes
            notes.warnings += _remarks_of_states(run, codes, choices)
            if any(code in codes for code in OUT):
                counted_samples = samples or [1] * len(codes)
                samples = [0 if code in OUT else count for code, count in zip(codes, counted_samples, strict=True)]
                gone = [flag and code != FAILED for flag, code in zip(gone, codes, strict=True)]
        rows.append(RunScores(run, None, held, gone, notes, samples=samples))
    scores = Scores(TASK, settings, topics, measures, rows, arrivals=range(len(topics)))
    missing_topics.check(scores)
    return scores


def _states_of_run(states: Mapping[str, str | None] | None, topics: Sequence[str]) -> bytes | None:
    """Return the codes of a run's states; None where the file states none, or not of every topic."""
    words = [] if states is None else [states.get(topic) for topic in topics]
    return bytes(CODES[word] for word in words if word) if words and all(words) else None


def _remarks_of_states(run: str, codes: bytes, choices: Mapping[str, Any]) -> list[str]:
    """Say how many questions have no number, and how many are missing and have one."""
    parts = [f"{codes.count(code)} {WORDS[code]}" for code in OUT if code in codes]
    remarks = [f"{run}: {', '.join(parts)}: excluded, as in the file"] if parts else []
    if MISSING in codes and "missing" not in choices:
        remarks.append(f"{run}: {counted(codes.count(MISSING), 'topic')} missing; counted as in the file (`missing=`)")
    return remarks


def _topics_of(columns: Iterable[Mapping[str, Cell]]) -> dict[str, None]:
    """Return the topics of some columns, in the order in which they come."""
    places = {id(column.places): column.places for column in columns if isinstance(column, _MatrixColumn)}
    others = (column for column in columns if not isinstance(column, _MatrixColumn))
    return dict.fromkeys(topic for column in (*places.values(), *others) for topic in column)


def _mean_of_samples(name: str, column: tuple[Any, ...], counts: Sequence[int]) -> tuple[Any, ...]:
    """Divide sums over samples by the number of samples; other columns are means already."""
    from assay.measures.registry import find

    try:
        summed = find(name).level == "sums"
    except UsageError:
        summed = False
    if not summed:
        return column
    return tuple(cell if cell is None or not m else cell / m for cell, m in zip(column, counts, strict=True))


def _identity(view: Any) -> Any:
    return view


def _plain_measure(name: str, chosen: Mapping[str, bool | None]) -> Measure:
    """Return the measure of a column: its declaration where the name is known, else a mean.

    chosen   directions by measure, from the caller or the files
    """
    from assay.measures.directions import known_direction
    from assay.measures.registry import find

    try:
        known = find(name)
    except UsageError:
        known = None
    if name in chosen:
        direction = chosen[name]
    elif known is not None:
        direction = known.declaration.higher_is_better
    else:
        direction = known_direction(name) is not False
    if known is not None and known.level == "topic":
        return _directed(known, direction)
    declaration = measure(
        name, task="scores", low=None, high=None, undefined="where the file has no number", cite="the file",
        higher_is_better=direction,
    )  # fmt: skip
    declaration.function, declaration.ours = _identity, True
    return Measure(declaration, name, {})


def _directed(measure: Measure, higher_is_better: bool | None) -> Measure:
    """Return the measure with this direction."""
    if measure.declaration.higher_is_better == higher_is_better:
        return measure
    directed = copy(measure)
    directed.declaration = measure.declaration.but(higher_is_better=higher_is_better)
    return directed
