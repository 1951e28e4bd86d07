"""Score tables from files and back: topic × run matrices, assay's own JSON, Parquet.

What a file of scores does not say is taken as follows: a measure whose name assay knows keeps its direction, any other
is a mean of which more is better. A topic is missing from a run where no measure has a number; such topics by default
stay out of every comparison. The policies that promise the same topics for all, `common` and `error`, take it as missing
where any measure lacks one.
"""

from __future__ import annotations

import os

from assay.errors import InputError, UsageError
from assay.formats.matrix import Matrix, read_matrix, write_matrix
from assay.formats.readers import recognise
from assay.formats.score_tables import read_score_json
from assay.formats.sources import source_of
from assay.measures.declare import Declaration, Measure
from assay.settings import Settings
from assay.table import RunScores, Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Cell = float | int | None
    Column = dict[str, Cell]


def read_scores(
    things: Sequence[Any],
    measures: Sequence[str] | None = None,
    *,
    missing: str | None = None,
    undefined: str | None = None,
    seed: int = 0,
) -> Scores:
    """One score table from one or more files, told apart by their content.

    A path may be written NAME=FILE. Each matrix holds one measure, called by that name or as its file; `measures` chooses
    among these, or names them all anew. JSON and Parquet hold several, of which `measures` chooses.

    >>> read_scores([b"topic,a,b\\n1,0.5,0.25\\n2,1.0,NA\\n"], ["AP"]).mean("AP")
    {'a': 0.75, 'b': 0.25}
    """
    cells: dict[str, dict[str, Column]] = {}
    matrices: list[Matrix] = []
    derived: list[Measure] = []
    for thing in things:
        thing, label = _labelled(thing)
        source = source_of(thing)
        reader = recognise(source, "scores")
        if (reader is None or reader.name == "matrix") and source.head.text[:1] not in (b"{", b"["):
            matrices.append(read_matrix(source, label))
        else:
            read = reader.read(source) if reader is not None else read_score_json(source)
            wanted, more = _wanted(list(measures or read), read, source.name)
            derived += more
            for name in wanted:
                _add(cells, name, read[name], source.name)
    for matrix in _named(matrices, list(measures or [])):
        columns = {
            run: {topic: row[j] for topic, row in zip(matrix.topics, matrix.values, strict=True)}
            for j, run in enumerate(matrix.runs)
        }
        _add(cells, matrix.name, columns, matrix.name)
    return _table(cells, Settings(missing=missing or "skip", undefined=undefined or "skip", seed=seed), derived)


def _labelled(thing: Any) -> tuple[Any, str | None]:
    """NAME=FILE taken apart, unless there is a file of the whole name."""
    if isinstance(thing, str) and "=" in thing and not os.path.exists(thing):
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
        raise UsageError(f"-m names {len(names)} measures, but the {len(matrices)} matrices are {', '.join(known)}")
    for matrix, name in zip(matrices, names, strict=True):
        matrix.name = name
    return matrices


def _wanted(names: Sequence[str], read: Mapping[str, Any], where: str) -> tuple[list[str], list[Measure]]:
    """The columns to take, and the measures to make from them: c@1 from `correct` and `unanswered`."""
    from assay.measures.declare import find

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


def scores_of_matrix(matrix: Matrix, measure: str | None = None, seed: int = 0) -> Scores:
    """A score table of one measure from a matrix.

    >>> scores_of_matrix(Matrix(["1", "2"], ["a"], [[0.5], [1.0]])).mean("score")
    {'a': 0.75}
    """
    columns = {
        run: {topic: row[j] for topic, row in zip(matrix.topics, matrix.values, strict=True)}
        for j, run in enumerate(matrix.runs)
    }
    return _table({measure or matrix.name: columns}, Settings(missing="skip", undefined="skip", seed=seed))


def matrix_of(scores: Scores, measure: str | Measure) -> Matrix:
    """One topic-level measure of a table as a matrix; missing topics are undefined in it unless they count as 0."""
    wanted = scores.measure(measure)
    if wanted.level != "topic":
        raise UsageError(f"{wanted.name} has no value per topic, so there is no topic × run matrix of it")
    keep = scores.settings.missing not in ("skip", "common")
    columns = [
        [value if keep or not gone else None for value, gone in zip(run.columns[wanted.name], run.missing, strict=True)]
        for run in (scores.run(name) for name in scores.runs)
    ]
    return Matrix(scores.topics, scores.runs, [list(row) for row in zip(*columns, strict=True)], wanted.name)


def matrix_text(scores: Scores, measure: str | Measure) -> str:
    """The same as CSV."""
    return write_matrix(matrix_of(scores, measure))


def _add(cells: dict[str, dict[str, Column]], name: str, columns: dict[str, Column], where: str) -> None:
    known = cells.setdefault(name, {})
    for run, column in columns.items():
        if run in known:
            raise InputError(
                f"{where}: scores of {name} for run {run} were read already; tell measures apart as in --scores AP=FILE"
            )
        known[run] = column


def _table(cells: Mapping[str, Mapping[str, Column]], settings: Settings, derived: Sequence[Measure] = ()) -> Scores:
    runs = list(dict.fromkeys(run for columns in cells.values() for run in columns))
    topics = list(dict.fromkeys(t for columns in cells.values() for column in columns.values() for t in column))
    parts = {part for measure in derived for part in measure.of}
    measures = [*derived, *(plain_measure(name) for name in cells if name not in parts)]
    lacking = any if settings.missing in ("common", "error") else all
    rows: list[RunScores] = []
    for run in runs:
        columns = {name: [columns.get(run, {}).get(topic) for topic in topics] for name, columns in cells.items()}
        gone = [lacking(column[i] is None for column in columns.values()) for i in range(len(topics))]
        if settings.missing == "zero":
            columns = {name: [0.0 if value is None else value for value in column] for name, column in columns.items()}
        rows.append(RunScores(run, None, columns, gone))
    return Scores("scores", settings, topics, measures, rows)


def plain_measure(name: str) -> Measure:
    """A measure read from a file of scores: its declaration where the name is known, else a mean, more being better."""
    from assay.measures.declare import find

    try:
        found = find(name)
        if found.level == "topic":
            return found
    except UsageError:
        pass

    def given(view: Any) -> Any:
        """The score as the file gives it."""
        return view

    declaration = Declaration(
        name, given, level="topic", task="scores", aliases=(), parameters={}, at="cut", average="mean",
        higher_is_better=True, low=None, high=None, undefined="where the file has no number", cite="the file", of=(),
    )  # fmt: skip
    return Measure(declaration, name, {})
