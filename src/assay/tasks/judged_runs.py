"""Find runs given in the place of gold, with outcomes or judgments: logs, a file of outcomes, judged answers and rankings."""

from __future__ import annotations

import os

from assay.errors import InputError
from assay.formats.recognition import recognise
from assay.io.sources import expand, path_of, source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from assay.io.sources import Source


def in_place_of_gold(
    first: Source, runs: Any, columns: str | Mapping[str, str] | None = None
) -> tuple[list[Source], list[str]]:
    """Return the runs given in place of gold, and the files that are no runs; nothing for gold.

    If the first source is a log or a folder with logs, all sources are runs. A single file is runs if it states outcomes and no
    gold. Where `columns` names the outcome or the score, all files are runs whose first has that column.

    >>> from assay.io.sources import Source
    >>> alone = Source("mine.csv", data=b"run,id,outcome\\na,q1,correct\\n")
    >>> in_place_of_gold(alone, None)[0] == [alone], in_place_of_gold(alone, "runs/")[0]
    (True, [])
    """
    named = {}
    if columns:
        from assay.formats.answers.column_roles import parse_columns

        named = parse_columns(columns)
    folder = first.path is not None and os.path.isdir(first.path)
    if folder or recognise(first, "log") is not None:
        from assay.formats.harness.logs import find_logs

        logs, passed_over = find_logs([first])
        if not logs:
            return (_of_columns(expand([first.path]), runs, named) if folder and first.path and named else []), []
        others = [] if runs is None else [runs] if path_of(runs) or not isinstance(runs, (list, tuple)) else list(runs)
        more, passed_over_too = find_logs(list(map(source_of, others)))
        return [*logs, *more], [*passed_over, *passed_over_too]
    if runs is None and first.head.shape != "text":
        from assay.formats.recognition import refuse_companion

        refuse_companion(first)
        if _states_outcomes(first, named):
            return [first], []
    return ([] if runs is None else _of_columns([first], runs, named)), []


def _of_columns(first: list[Source], runs: Any, columns: Mapping[str, str]) -> list[Source]:
    """Return all files where `columns` names the outcome or the score, and the first has that column; else nothing."""
    named = {columns[role] for role in ("outcome", "score") if role in columns}
    if not named or "gold" in columns:
        return []
    from assay.formats.answers.column_roles import TABLES, column_names

    if first[0].head.shape not in TABLES or named.isdisjoint(column_names(first[0])):
        return []
    path = path_of(runs)
    others = [] if runs is None else [path] if path else list(runs) if isinstance(runs, (list, tuple)) else [runs]
    return [*first, *(source for run in others for source in _expanded(run))]


def _expanded(run: Any) -> list[Source]:
    path = path_of(run)
    return [source_of(run, "run")] if path is None else expand([path])


def is_named_table(source: Source, columns: str | Mapping[str, str] | None) -> bool:
    """Return whether a source is a table for its columns: `columns` names some of them.

    >>> from assay.io.sources import Source
    >>> is_named_table(Source("gold", data=[{"task": 1, "target": "Paris"}]), "id=task,gold=target")
    True
    """
    if not columns:
        return False
    from assay.formats.answers.column_roles import has_columns, parse_columns

    return has_columns(source, parse_columns(columns))


def judged_answers(first: Source) -> list[Source]:
    """Return the files of judged generated answers or nuggets; none for gold of another task.

    >>> from assay.io.sources import Source
    >>> row = b'{"qid": "14", "run_id": "a", "nuggets": [{"text": "x", "importance": "vital", "assignment": "support"}]}'
    >>> judged_answers(Source("a.jsonl", data=row)), judged_answers(Source("qrels", data=b"301 0 d1 1"))
    ([Source('a.jsonl')], [])
    """
    try:
        files = expand([first.path]) if first.path is not None and os.path.isdir(first.path) else [first]
    except InputError:
        return []  # reported where the gold is read
    if files[0].head.shape not in ("json", "table"):
        return []
    reader = recognise(files[0], "gold", "run")
    return files if reader is not None and reader.task == "generation" else []


JUDGED_RANKINGS = ("dpr-gold", "rank-eval-gold")
"""Readers of the judgments of files that are also runs."""


def judged_rankings(first: Source, runs: Callable[[], list[Source]]) -> list[Source]:
    """Return the files of rankings that judge their documents; none where one of the files is something else.

    runs   returns the runs given beside the first file

    >>> from assay.io.sources import Source
    >>> retrieved = Source("a.json", data=b'[{"question": "who?", "ctxs": [{"id": "p1", "has_answer": true}]}]')
    >>> judged_rankings(retrieved, list), judged_rankings(retrieved, lambda: [Source("run", data=b"q1 Q0 d1 1 2.5 bm25")])
    ([Source('a.json')], [])
    """
    try:
        files = expand([first.path]) if first.path is not None and os.path.isdir(first.path) else [first]
    except InputError:
        return []  # reported where the gold is read
    if not _judges_itself(files[0]):
        return []
    files += runs()
    return files if all(map(_judges_itself, files)) else []


def _judges_itself(source: Source) -> bool:
    if source.head.shape not in ("json", "array", "mapping", "records"):
        return False
    reader = recognise(source, "gold")
    return reader is not None and reader.name in JUDGED_RANKINGS


def _states_outcomes(alone: Source, columns: Mapping[str, str]) -> bool:
    """Return whether a file is runs with outcomes, and no gold to evaluate against."""
    from assay.formats.answers.column_roles import states_outcomes

    if not states_outcomes(alone, columns):
        return False
    if columns:
        return True
    gold, run = recognise(alone, "gold"), recognise(alone, "run")
    return run is not None and run.task == "outcomes" and (gold is None or gold.task == "outcomes")
