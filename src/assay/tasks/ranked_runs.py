"""Join a TREC run with the judgments: the core parses, joins and ranks in one pass, with several threads for a large file."""

from __future__ import annotations

import os
from array import array
from itertools import chain

from assay.core import Problem, Ranked, Ranker
from assay.core.binding import DUPLICATE, INTERLEAVED, LIBRARY, MEMORY, SCORE
from assay.errors import InputError
from assay.formats.ranked.trec import (
    RUN_LINE,
    error_of,
    has_three_fields,
    is_read_by_core,
    join_ids,
    nested,
    scores_of,
)
from assay.io import sources
from assay.settings import POSITIVE, checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from assay.core import Gold
    from assay.io.sources import Source

LARGE_FILE = 8 << 20
"""Bytes from which on a run is read by several threads."""
OUT_OF_ORDER = (INTERLEAVED, DUPLICATE)
"""The problems that call for a second reading, which keeps all topics until the end.

A duplicate document is noticed when its topic ends, and then after every line: both readings report the same first problem.
"""


def rank_run(source: Source, gold: Gold, **options: Any) -> Ranked:
    """Join a run with the judgments: the ranks of the judged documents of each topic.

    Options are those of the core's `Ranker`: `depth`, `judged_only`; `float32` keeps scores as trec_eval 9 did;
    `any_fields` lets a line have more than six fields, as trec_eval does; `ascending_ties` orders tied documents as its
    preference formats do.
    """
    if options.get("depth") is not None:
        checked("depth", options["depth"], POSITIVE)
    if source.head.shape == "parquet":
        return _rank_parquet(source, gold, options)
    if has_three_fields(source.head):
        return _rank_rows(source, gold, options)
    if not is_read_by_core(source.head):
        return _rank_objects(source, gold, options)
    try:
        ranked = _rank_stream(source, gold, options) if source.is_stream else _rank_file(source, gold, options)
    except Problem as problem:
        raise error_of(problem, source.name, 6, RUN_LINE) from None
    if not ranked.lines:
        raise InputError(f"{source.name}: is empty; expected lines of 6 fields ({RUN_LINE})")
    return ranked


def _rank_file(source: Source, gold: Gold, options: dict[str, Any]) -> Ranked:
    try:
        return _rank_in_parts(source, gold, options) or _rank_text(Ranker(gold, **options), source.text())
    except Problem as problem:
        if problem.code not in OUT_OF_ORDER:
            raise
    return _rank_text(Ranker(gold, keep=True, **options), source.text())


def _rank_stream(source: Source, gold: Gold, options: dict[str, Any]) -> Ranked:
    """Rank a pipe, which is read but once: a spool keeps its text for the second reading."""
    from assay.io.spooling import Spool

    spool, chunks = Spool(), iter(source.text())
    ranker = Ranker(gold, **options)
    try:
        for chunk in chunks:
            spool.add(chunk)
            ranker.feed(chunk)
        return ranker.finish()
    except Problem as problem:
        if problem.code not in OUT_OF_ORDER:
            raise
        return _rank_text(Ranker(gold, keep=True, **options), chain(spool, chunks))
    finally:
        spool.close()


def _rank_text(ranker: Ranker, chunks: Iterable[bytes]) -> Ranked:
    for chunk in chunks:
        ranker.feed(chunk)
    return ranker.finish()


def _rank_in_parts(source: Source, gold: Gold, options: dict[str, Any]) -> Ranked | None:
    """Let the core read an uncompressed file, a large one with all processors.

    None where the core cannot, and where a part has a problem whose line number only reading from the start gives.
    """
    if source.path is None or LIBRARY is None:
        return None
    threads = 1
    try:
        size = os.path.getsize(source.path)
        if size >= LARGE_FILE:
            threads = os.cpu_count() or 1
        elif source.is_held:
            return None
        if source.compression():
            return None
        from assay.core.run_files import rank_parts

        ranked: Any = rank_parts(source.path, size, gold, options, threads, sources.LINE)
    except Problem as problem:
        if threads == 1 and problem.code != MEMORY:
            raise
        return None
    except OSError:
        return None
    if not ranked.lines:
        return None
    source.close()
    return ranked


def _rank_parquet(source: Source, gold: Gold, options: dict[str, Any]) -> Ranked:
    from assay.formats import frames
    from assay.formats.ranked.parquet_runs import ParquetRows

    rows = ParquetRows(source, frames.SCORE)
    topics = (
        (join_ids([topic], source), join_ids(documents, source), array("d", scores))
        for topic, documents, scores in rows.topics()
    )
    ranked = _rank_topics(topics, source, gold, options)
    if ranked is None:
        ranked = _rank_objects(frames.as_frame(source), gold, options)
    ranked.tag = rows.tag
    return ranked


def _rank_rows(source: Source, gold: Gold, options: dict[str, Any]) -> Ranked:
    """Rank a run of three fields a line, topic by topic: of 7 million lines only one topic is in memory."""
    from assay.formats.ranked.three_fields import packed_topics

    if source.is_stream:
        _ = source.read_text()  # keep it, should it be read a second time
    ranked = _rank_topics(packed_topics(source), source, gold, options)
    return _rank_objects(source, gold, options) if ranked is None else ranked


def _rank_topics(
    topics: Iterable[tuple[bytes, bytes, array[float]]], source: Source, gold: Gold, options: dict[str, Any]
) -> Ranked | None:
    """Rank a run topic by topic; None where a topic is in two places, or has a problem that reading all rows reports."""
    ranker, is_empty = Ranker(gold, **options), True
    try:
        for topic, documents, scores in topics:
            is_empty = False
            ranker.pack(topic, documents, scores)
        ranked = ranker.finish()
    except (Problem, ValueError):
        return None
    if is_empty:
        raise InputError(f"{source.name}: is empty; expected a row per topic and document")
    return ranked


def _rank_objects(source: Source, gold: Gold, options: dict[str, Any]) -> Ranked:
    """Rank JSON, nested dicts or a data frame, which the core walks itself where every value is plain."""
    from assay.core import dicts_and_frames
    from assay.formats import frames

    try:
        ranked = None
        if source.head.shape == "frame":
            ranked = frames.streamed(
                source, frames.SCORE, lambda stream: dicts_and_frames.run_of_stream(stream, gold, options)
            )
        if ranked is None:
            run = nested(source, frames.SCORE)
            ranked = dicts_and_frames.run_of_dicts(run, gold, options) or _rank_dicts(run, source, gold, options)
        return ranked
    except Problem as problem:
        where = f"topic {problem.topic}, document {problem.line}"
        if problem.code == SCORE:
            raise InputError(f"{source.name}: {where}: the score is NaN; expected a number") from None
        if problem.code == INTERLEAVED:
            raise InputError(f"{source.name}: two topics have the same id as text; expected each once") from None
        if problem.code == DUPLICATE:
            raise InputError(f"{source.name}: {where}: {problem.text} appears twice in its topic") from None
        raise InputError(f"{source.name}: not enough memory to read it") from None


def _rank_dicts(run: Mapping[Any, Any], source: Source, gold: Gold, options: dict[str, Any]) -> Ranked:
    ranker = Ranker(gold, **options)
    for topic, documents in run.items():
        scores = scores_of(documents, topic, source)
        ranker.pack(join_ids([topic], source), join_ids(documents, source), scores)
    return ranker.finish()
