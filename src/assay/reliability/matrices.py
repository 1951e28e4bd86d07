"""Plain topic × run matrices as a score table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assay.errors import InputError, UsageError
from assay.formats.matrix import Matrix, read_matrix
from assay.measures.declare import TOPIC, Declaration, Measure
from assay.scores import RunScores, Scores
from assay.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

TASK = "matrix"


def read_scores(
    files: Sequence[str], measures: Sequence[str] | None = None, *, missing: str | None = None, seed: int = 0
) -> Scores:
    """The table of some matrix files, `FILE` or `NAME=FILE`, one measure each, over the same runs and topics."""
    matrices: list[Matrix] = []
    for text in files:
        name, equals, path = text.partition("=")
        if equals and not os.path.exists(text):
            matrix = read_matrix(path)
            matrix.name = name
        else:
            matrix = read_matrix(text)
        matrices.append(matrix)
    return scores_of(matrices, measures, missing=missing, seed=seed)


def scores_of(
    matrices: Sequence[Matrix], measures: Sequence[str] | None = None, *, missing: str | None = None, seed: int = 0
) -> Scores:
    """A score table whose measures are the matrices. An empty cell is a topic its run has no result for.

    >>> table = scores_of([Matrix(["301", "302"], ["a", "b"], [[0.5, 0.25], [1.0, 0.75]], "AP")])
    >>> table.mean("AP")
    {'a': 0.75, 'b': 0.5}
    """
    first = matrices[0]
    names = [matrix.name for matrix in matrices]
    for matrix in matrices:
        if names.count(matrix.name) > 1:
            raise UsageError(f"two matrices are called {matrix.name}; name them, as in --scores AP=FILE.csv")
        if (matrix.runs, matrix.topics) != (first.runs, first.topics):
            raise InputError(
                f"{matrix.name} has {len(matrix.topics)} topics and {len(matrix.runs)} runs that are not those of "
                f"{first.name} ({len(first.topics)} and {len(first.runs)}), in the same order; "
                "measures are compared on the same runs and topics"
            )
    for wanted in measures or []:
        if wanted not in names:
            raise UsageError(f"no matrix is called {wanted}; there are {', '.join(names)}")
    kept = [matrix for matrix in matrices if measures is None or matrix.name in measures]
    runs: list[RunScores] = []
    for r, run in enumerate(first.runs):
        columns = {matrix.name: [row[r] for row in matrix.values] for matrix in kept}
        gone = [any(column[t] is None for column in columns.values()) for t in range(len(first.topics))]
        runs.append(RunScores(run, None, columns, gone))
    settings = Settings(missing=missing or "error", seed=seed)
    return Scores(TASK, settings, first.topics, [_measure(matrix.name) for matrix in kept], runs)


def _measure(name: str) -> Measure:
    declaration = Declaration(
        name,
        float,
        level=TOPIC,
        task=TASK,
        aliases=(),
        parameters={},
        at="cut",
        average="mean",
        higher_is_better=True,
        low=None,
        high=None,
        undefined="where the matrix has an empty cell",
        cite="",
        of=(),
    )
    return Measure(declaration, name, {})
