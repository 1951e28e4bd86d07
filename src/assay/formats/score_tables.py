"""Scores per topic, made by assay or by others.

A topic × run matrix of one measure as CSV has a header of run names and a row per topic:

    topic,bm25,dense          the first column holds topic ids if its name is topic, query, qid, id or empty;
    301,0.25,0.5              otherwise every column is a run and topics are numbered from 1
    302,NA,0.125              an empty cell, NA, n/a or null is undefined

An apostrophe before = + - @ is not part of an id: `io.csv_escaping` adds it to CSV and TSV (unless `--raw-csv`), and it is removed
here.

Several measures are JSON, CSV or Parquet as `assay evaluate` writes them: plain cells, measure → run → topic → value.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from numbers import Real
from typing import Any

from assay.errors import FormatError, InputError
from assay.formats.answers.states import CODES, STATE
from assay.formats.json_files import load_json
from assay.formats.lines import parse_number, separated_lines, whole_rows
from assay.formats.object_ids import first_repeated, id_text, note_line
from assay.formats.parquet import Parquet
from assay.formats.recognition import reads
from assay.io.csv_escaping import guarded, unguarded
from assay.io.heads import Head
from assay.io.sources import Source, source_of


class Cells(dict[str, dict[str, dict[str, Any]]]):
    """Scores by measure, run and topic; the cells of `state` are words."""

    higher_is_better: dict[str, bool | None] = {}  # noqa: RUF012 - replaced, never changed
    """By measure, where the file states it."""


TOPIC_NAMES = frozenset({"", "topic", "topics", "topic_id", "query", "query_id", "qid", "question", "id"})
ROWS_OF = ("run", "topic")
AVERAGE = "all"
"""The topic of the row of a run's averages, as in trec_eval."""
MAX_KNOWN_TEXTS = 1 << 16
"""Cells of a matrix whose numbers are remembered."""
UNDEFINED = frozenset({"", "na", "n/a", "null", "none"})


class Matrix:
    """Scores of one measure: values[topic][run], None where undefined."""

    def __init__(
        self, topics: Sequence[str], runs: Sequence[str], values: Sequence[Sequence[float | None]], name: str = "score",
        file: str = "", lines: Sequence[int] = (),
    ) -> None:  # fmt: skip
        self.topics: list[str] = list(topics)
        self.runs: list[str] = list(runs)
        self.values: list[Sequence[float | None]] = list(values)
        self.name = name
        """The name of the scores: by default the file's name without its ending."""
        self.file = file
        self.lines = lines
        """The file, and the line of each topic in it, where it was read from one."""

    def __repr__(self) -> str:
        return f"Matrix({self.name!r}, {len(self.topics)} topics × {len(self.runs)} runs)"


def _scores_header(head: Head) -> bool:
    """a first line of names, the first of them topic, query, qid, id …, and none of them gold, outcome or answer."""
    named = head.shape == "table" and head.columns[0].lower() in TOPIC_NAMES
    return named and {"gold", "outcome", "answer"}.isdisjoint(head.columns)


@reads(
    "matrix",
    role="scores",
    yields="one measure: a row per topic, a column per run",
    recognises=_scores_header,
    shapes="table",
)
def read_matrix(thing: Any, name: str | None = None) -> Matrix:
    """Read a matrix from a path, `-`, or bytes; its scores are called `name`, or as the file is.

    >>> m = read_matrix(b"topic,a,b\\n301,0.5,NA\\n302,1,0.25\\n")
    >>> m.topics, m.runs, m.values
    (['301', '302'], ['a', 'b'], [[0.5, None], [1.0, 0.25]])
    """
    source = source_of(thing)
    where = source.name
    line, header, rows = _header_and_rows(source)
    if not header:
        raise InputError(f"{where}: is empty; expected a header of run names and a row per topic")
    named = header[0].lower() in TOPIC_NAMES and len(header) > 1
    _check_header(where, line, header[int(named) :])
    runs = header[int(named) :]
    values: list[list[float | None]] = []
    seen: dict[str, int] = {}
    numbers: dict[str, float | None] = {}
    for line, cells in rows:
        topic = unguarded(cells[0].strip()) if named else str(len(seen) + 1)
        if not topic:
            raise FormatError(where, line, "expected a topic id in the first column, found nothing")
        note_line(seen, topic, source, line, f"topic {topic}")
        texts = cells[int(named) :]
        try:  # texts repeat, and equal ones share a number: 12 million cells take 3 s and 0.2 GB instead of 14 s and 1.1 GB
            row = [numbers[text] for text in texts]
        except KeyError:
            row = [_cell(where, line, run, text) for run, text in zip(runs, texts, strict=True)]
            if len(numbers) < MAX_KNOWN_TEXTS:
                numbers.update(zip(texts, row, strict=True))
        values.append(row)
    if not seen:
        raise InputError(f"{where}: has a header but no rows; expected a row per topic")
    return Matrix(list(seen), runs, values, name or _measure_of(source), where, list(seen.values()))


def _measure_of(source: Source) -> str:
    """Return the name of scores whose file does not state it: that of the file."""
    return source.stem if source.path not in (None, "-") else "score"


def _header_and_rows(source: Source) -> tuple[int, list[str], Iterator[tuple[int, list[str]]]]:
    """Return the line of the header, its cells, and an iterator over line and cells of every row."""
    lines = separated_lines(source, any_bytes=True)
    line, header = next(lines, (0, []))
    return line, [unguarded(cell.strip()) for cell in header], whole_rows(source, lines, len(header))


def _check_header(name: str, line: int, runs: list[str]) -> None:
    for column, run in enumerate(runs, 1):
        if not run:
            raise FormatError(name, line, f"run {column} has no name; the first line holds the names of the runs")
    repeated = first_repeated(runs)
    if repeated is not None:
        raise FormatError(name, line, f"two columns are called {repeated!r}; every run needs its own name")
    if all(_is_number(run) for run in runs):
        raise FormatError(name, line, "the first line holds numbers; expected a header with the names of the runs")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    # A run may well be called 7; scores have a point or an exponent.
    return not text.lstrip("+-").isdigit()


def _cell(name: str, line: int, run: str, text: str) -> float | None:
    text = text.strip()
    if text.lower() in UNDEFINED:
        return None
    value = parse_number(text)
    if not isfinite(value):
        raise FormatError(name, line, f"run {run}: expected a number, or NA where undefined; found {text!r}")
    return value


def write_matrix(matrix: Matrix) -> str:
    """Write a matrix as CSV with every digit; `read_matrix` returns the same matrix.

    >>> print(write_matrix(Matrix(["301"], ["a", "b"], [[0.1, None]])), end="")
    topic,a,b
    301,0.1,NA
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["topic", *map(guarded, matrix.runs)])
    for topic, row in zip(matrix.topics, matrix.values, strict=True):
        writer.writerow([guarded(topic), *("NA" if value is None else repr(value) for value in row)])
    return out.getvalue()


def _result(head: Head) -> bool:
    """one JSON object with a list of `runs`."""
    return head.shape == "json" and re.search(rb'"runs"\s*:\s*\[', head.text) is not None


@reads(
    "scores",
    role="scores",
    yields="what `assay evaluate -q -f json` writes",
    recognises=_result,
    shapes="json",
    markers=("runs",),
)
def read_score_json(source: Source) -> Cells:
    """Read what `assay evaluate -q -f json` writes: measure → run → topic → value."""
    result = load_json(source, "a result of `assay evaluate -q -f json`")
    if not isinstance(result, dict) or not isinstance(result.get("runs"), list) or not result["runs"]:
        raise source.error(None, "is JSON, but not a result of `assay evaluate -q -f json`: it has no list of runs")
    cells = Cells()
    cells.higher_is_better = _stated_directions(result)
    for number, entry in enumerate(result["runs"], 1):
        if not isinstance(entry, dict) or not isinstance(entry.get("run"), str):
            raise InputError(f'{source.name}: entry {number} of "runs" has no "run" that names it')
        topics = entry.get("topics")
        if not topics:
            raise InputError(f"{source.name}: has no scores per topic; write it with `assay evaluate -q -f json`")
        if not isinstance(topics, dict) or not all(isinstance(values, dict) for values in topics.values()):
            raise InputError(f'{source.name}: run {entry["run"]}: expected "topics": {{id: {{measure: number}}}}')
        for topic, values in topics.items():
            for name, value in values.items():
                add_cell(cells, source, name, entry["run"], topic, value)
    return cells


def _stated_directions(result: dict[str, Any]) -> dict[str, bool | None]:
    """Return the directions among the settings of a result of `assay evaluate`; of score tables these have them."""
    settings = result.get("settings")
    stated = settings.get("higher_is_better") if isinstance(settings, dict) else None
    if not isinstance(stated, dict):
        return {}
    return {name: direction for name, direction in stated.items() if direction in (True, False, None)}


def _rows_header(head: Head) -> bool:
    """a first line of names, run and topic the first of them."""
    return head.shape == "table" and head.columns[:2] == ROWS_OF


@reads(
    "score-rows",
    role="scores",
    yields="what `assay evaluate -q -f csv` writes",
    recognises=_rows_header,
    shapes="table",
)
def read_score_rows(source: Source) -> Cells:
    """Read a row per run and topic: run, topic, and a column per measure. The last row of a run, `all`, is its average.

    >>> read_score_rows(Source("s.csv", data=b"run,topic,AP\\na,1,0.5\\na,2,\\na,all,0.25\\n"))
    {'AP': {'a': {'1': 0.5, '2': None}}}
    """
    line, header, lines = _header_and_rows(source)
    names = header[len(ROWS_OF) :]
    if not names:
        raise InputError(f"{source.name}: is empty; expected the columns run, topic and one per measure")
    repeated = first_repeated(names)
    if repeated is not None:
        raise source.error(line, f"two columns are called {repeated!r}; expected each measure once")
    rows: dict[str, list[tuple[int, str, list[str]]]] = {}
    for line, cells in lines:
        run, topic = (unguarded(cell.strip()) for cell in cells[: len(ROWS_OF)])
        rows.setdefault(run, []).append((line, topic, cells[len(ROWS_OF) :]))
    table = Cells({name: {} for name in names})
    for run, of_run in rows.items():
        for line, topic, cells in of_run[:-1] if of_run[-1][1] == AVERAGE else of_run:
            for name, cell in zip(names, cells, strict=True):
                value = cell if name == STATE and cell in CODES else _cell(source.name, line, run, cell)
                add_cell(table, source, name, run, topic, value)
    return table


def add_cell(table: Cells, source: Source, name: str, run: str, topic: str, value: Any) -> None:
    """Add one cell; refuse values that are not numbers, and repeated cells."""
    if name == STATE and isinstance(value, str) and value not in CODES:
        raise source.error(
            None, f"run {run}, topic {topic}: {STATE} is {value!r:.40}; expected one of {', '.join(CODES)}"
        )
    if value is not None and not is_number(value) and not (name == STATE and isinstance(value, str)):
        raise source.error(None, f"run {run}, topic {topic}: {name} is {value!r}, not a number")
    cells = table.setdefault(name, {}).setdefault(run, {})
    if topic in cells:
        raise source.error(None, f"run {run}, topic {topic}: {name} is given twice; expected each run and topic once")
    cells[topic] = value


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number, and no bool."""
    try:
        return not isinstance(value, bool) and isinstance(value, Real) and isfinite(value)
    except OverflowError:  # a whole number too large for a float
        return False


def _parquet(head: Head) -> bool:
    """the letters PAR1."""
    return head.shape == "parquet"


@reads(
    "parquet",
    role="scores",
    yields="what `assay evaluate -f parquet` writes, or a matrix: a row per topic, a column per run",
    recognises=_parquet,
    shapes="parquet",
)
def read_score_parquet(source: Source) -> Cells | Matrix:
    """Read the columns run, topic, status and one per measure; or a column of topics, and one per run."""
    file = Parquet(source)
    if not {*ROWS_OF} <= {*file.columns}:
        return _parquet_matrix(source, file)
    return cells_of(source, file.columns, file.rows())


def _parquet_matrix(source: Source, file: Parquet) -> Matrix:
    """Read a column of topics, and a column of numbers per run."""
    topic = next((name for name in file.columns if name.lower() in TOPIC_NAMES), None)
    if topic is None:
        raise InputError(
            f"{source.name}: expected the columns run and topic, or topic and a column per run; found {', '.join(file.columns)}"
        )
    runs = [name for name in file.columns if name != topic]
    topics: dict[str, int] = {}
    values: list[tuple[float | None, ...]] = []
    for ids, *columns in file.batches([topic, *runs]):
        for run, column in zip(runs, columns, strict=True):
            wrong = next((cell for cell in column if cell is not None and not is_number(cell)), None)
            if wrong is not None:
                raise source.error(None, f"run {run}: expected a number, or null where undefined; found {wrong!r}")
        for row in ids:
            note_line(topics, id_text(row, source.name), source, len(topics) + 1, f"topic {row}")
        values += zip(*columns, strict=True)
    if not runs or not topics:
        raise InputError(
            f"{source.name}: expected a row per topic and a column per run, found {len(topics)} and {len(runs)}"
        )
    return Matrix(list(topics), runs, values, _measure_of(source), source.name, list(topics.values()))


def cells_of(source: Source, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Cells:
    """Return the cells of rows with the columns run, topic, perhaps status, and one per measure."""
    if not {*ROWS_OF} <= {*columns}:
        raise InputError(f"{source.name}: expected columns run and topic, found {', '.join(columns)}")
    names = [name for name in columns if name not in (*ROWS_OF, "status")]
    cells = Cells({name: {} for name in names})
    for row in rows:
        for name in names:
            add_cell(cells, source, name, str(row["run"]), id_text(row["topic"], source.name), row[name])
    return cells
