"""TREC qrels and runs, as text, JSON, Parquet, dicts or data frames, handed to the core; and the core's complaints put into words.

qrels   301 0 FBIS3-1 1                  {"301": {"FBIS3-1": 1}}    or what `assay judge` writes
run     301 Q0 FBIS3-1 1 9.5 bm25        {"301": {"FBIS3-1": 9.5}}
"""

from __future__ import annotations

import os
from array import array
from itertools import chain

from assay.core import Gold, Problem, Ranked, Ranker
from assay.core.binding import BINARY, DUPLICATE, FIELDS, GRADE, INTERLEAVED, LIBRARY, MEMORY, SCORE
from assay.errors import FormatError, InputError
from assay.formats import frames
from assay.formats.object_ids import check_unique, id_text
from assay.formats.ranked.subtopic_recognition import names_subtopics
from assay.formats.recognition import reads
from assay.io import sources
from assay.io.heads import is_mapping
from assay.settings import POSITIVE, checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from assay.io.heads import Head
    from assay.io.sources import Source

QRELS_LINE = "topic, iteration, document, grade"
RUN_LINE = "topic, Q0, document, rank, score, tag"
LINES = ("text", "table")
"""The shapes of bytes that the core reads, or explains why not; JSON, Parquet and Python objects are nested."""
SECOND_FIELDS = ", or say what field 2 names: `task='diversity'` for subtopics, `task='judgment-groups'` for judges"
LARGE = 8 << 20
"""From how many bytes on a run is read by several threads."""


def _qrels(head: Head) -> bool:
    """4 fields; `{"topic": {` in JSON, or lines with topic, document, grade, judge; nested dicts; a frame or Parquet; and no subtopics."""
    known = len(head.words) == 4 or _is_nested(head) or _names_documents(head, frames.GRADE) or _is_judged(head)
    return known and not names_subtopics(head)


@reads(
    "qrels",
    role="gold",
    task="ranked",
    yields=f"judgments of documents: {QRELS_LINE}",
    recognises=_qrels,
    shapes="text json mapping frame parquet",
    after=("nugget-list", "questions", "judgments", "question dict"),
)
def read_qrels(source: Source) -> Gold:
    """The judgments of a source."""
    if _is_judged(source.head):
        from assay.formats.auxiliary.judges import grades_of

        gold = _pack_gold(grades_of(source), source)
    else:
        try:
            gold = Gold.read(source.read_text()) if source.head.shape in LINES else _held_gold(source)
        except Problem as problem:
            raise _explain(problem, source.name, 4, QRELS_LINE) from None
    if not gold.topics:
        raise InputError(f"{source.name}: is empty; expected lines of 4 fields ({QRELS_LINE})")
    return gold


def _held_gold(source: Source) -> Gold:
    """Judgments that are no lines: by the core where it reads them."""
    from assay.core import dicts_and_frames

    gold = (
        frames.streamed(source, frames.GRADE, dicts_and_frames.gold_of_stream) if source.head.shape == "frame" else None
    )
    if gold is None:
        found = nested(source, frames.GRADE)
        gold = dicts_and_frames.gold_of_dicts(found) or _pack_gold(found, source)
    return gold


def _ranking(head: Head) -> bool:
    """a first line of 6 fields; `{"topic": {` in JSON; a dict of dicts; a frame or Parquet with documents and scores."""
    return len(head.words) == 6 or _is_nested(head) or _names_documents(head, frames.SCORE)


def _is_nested(head: Head) -> bool:
    if head.shape == "json":
        import re

        return re.match(rb'\{\s*"[^"]*"\s*:\s*\{', head.text) is not None
    return head.shape == "mapping" and any(is_mapping(value) for value in head.values)


def _is_judged(head: Head) -> bool:
    """Whether the lines are judgments as `assay judge` writes them, a JSON object each."""
    if head.shape not in ("json", "array") or "judge" not in head.record:
        return False
    return not any({*names}.isdisjoint(head.record) for names in (frames.TOPIC, frames.DOCUMENT, frames.GRADE))


def _names_documents(head: Head, values: Sequence[str]) -> bool:
    if head.shape == "parquet":
        from assay.formats.ranked.parquet_runs import has_column

        values = frames.called(values, ["corpus-id"] if has_column(head, ["corpus-id"]) else [])
        return all(has_column(head, names) for names in (frames.TOPIC, frames.DOCUMENT, values))
    if head.shape != "frame" or not {"gold", "outcome", "answer"}.isdisjoint(head.columns):
        return False
    values = frames.called(values, head.columns)
    return not ({*frames.DOCUMENT}.isdisjoint(head.columns) or {*values}.isdisjoint(head.columns))


@reads(
    "trec-run",
    role="run",
    task="ranked",
    yields=f"ranked documents: {RUN_LINE}",
    recognises=_ranking,
    shapes="text json mapping frame parquet",
    after=("answers", "answer dict"),
    recovers="line",
)
def read_run(source: Source, gold: Gold, **options: Any) -> Ranked:
    """A run joined with the judgments: where it puts the judged documents of each topic.

    Options are those of the core's `Ranker`: `depth`, `judged_only`; `float32` keeps scores as trec_eval 9 did;
    `any_fields` lets a line have more than six fields, as trec_eval does; `ascending_ties` orders tied documents as its
    preference formats do.
    """
    if options.get("depth") is not None:
        checked("depth", options["depth"], POSITIVE)
    if source.head.shape == "parquet":
        return _rank_parquet(source, gold, options)
    if source.head.shape not in LINES:
        return _rank_held(source, gold, options)
    try:
        ranked = _rank_stream(source, gold, options) if source.is_stream else _rank_file(source, gold, options)
    except Problem as problem:
        raise _explain(problem, source.name, 6, RUN_LINE) from None
    if not ranked.lines:
        raise InputError(f"{source.name}: is empty; expected lines of 6 fields ({RUN_LINE})")
    return ranked


LATER = (INTERLEAVED, DUPLICATE)
"""What makes a second reading necessary, with all topics kept to the end. A document that stands twice is seen when its topic
ends, and with all topics kept that is behind every line: read either way, a file with two faults has the same first one."""


def _rank_file(source: Source, gold: Gold, options: dict[str, Any]) -> Ranked:
    try:
        return _rank_plain(source, gold, options) or _ranked(Ranker(gold, **options), source.text())
    except Problem as problem:
        if problem.code not in LATER:
            raise
    return _ranked(Ranker(gold, keep=True, **options), source.text())


def _rank_stream(source: Source, gold: Gold, options: dict[str, Any]) -> Ranked:
    """The same of a pipe, which is read but once: what has passed is put aside for the second reading."""
    from assay.io.spooling import Passed

    passed, chunks = Passed(), iter(source.text())
    ranker = Ranker(gold, **options)
    try:
        for chunk in chunks:
            passed.add(chunk)
            ranker.feed(chunk)
        return ranker.finish()
    except Problem as problem:
        if problem.code not in LATER:
            raise
        return _ranked(Ranker(gold, keep=True, **options), chain(passed, chunks))
    finally:
        passed.close()


def _ranked(ranker: Ranker, chunks: Iterable[bytes]) -> Ranked:
    for chunk in chunks:
        ranker.feed(chunk)
    return ranker.finish()


def _rank_plain(source: Source, gold: Gold, options: dict[str, Any]) -> Ranked | None:
    """A plain file read by the core itself, a large one by all cores at once; None where that is not possible, or something is wrong
    whose line only reading from the start can tell."""
    if source.path is None or LIBRARY is None:
        return None
    threads = 1
    try:
        size = os.path.getsize(source.path)
        if size >= LARGE:
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
    from assay.formats.ranked.parquet_runs import ParquetRows, nested_rows, packed

    rows = ParquetRows(source, frames.SCORE)
    ranker, seen = Ranker(gold, **options), 0
    try:
        for topic, documents, scores in packed(rows.topics()):
            ranker.pack(_joined([topic], source), _joined(documents, source), scores)
            seen += 1
        ranked = ranker.finish()
    except Problem:  # a topic that came back, or whatever else reading all of it tells
        ranked = _rank_held(sources.Source(source.name, data=nested_rows(rows)), gold, options)
        seen += 1
    if not seen:
        raise InputError(f"{source.name}: is empty; expected a row per topic and document")
    ranked.tag = rows.tag
    return ranked


def _rank_held(source: Source, gold: Gold, options: dict[str, Any]) -> Ranked:
    """A run that is no lines: by the core where it reads it."""
    from assay.core import dicts_and_frames

    try:
        ranked = None
        if source.head.shape == "frame":
            ranked = frames.streamed(
                source, frames.SCORE, lambda stream: dicts_and_frames.run_of_stream(stream, gold, options)
            )
        if ranked is None:
            found = nested(source, frames.SCORE)
            ranked = dicts_and_frames.run_of_dicts(found, gold, options) or _pack_run(found, source, gold, options)
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


def _pack_run(nested: Mapping[Any, Any], source: Source, gold: Gold, options: dict[str, Any]) -> Ranked:
    ranker = Ranker(gold, **options)
    for topic, documents in nested.items():
        scores = scores_of(documents, topic, source)
        ranker.pack(_joined([topic], source), _joined(documents, source), scores)
    return ranker.finish()


def scores_of(documents: Mapping[Any, Any], topic: Any, source: Source) -> array[float]:
    """The scores of a topic's documents given in Python, NaN among them where it was given."""
    try:
        return array("d", documents.values())
    except (TypeError, AttributeError, OverflowError):
        _check_mapping(documents, topic, "score", source)
        document, bad = next((d, s) for d, s in documents.items() if not _is_number(s))
        wrong = f"document {document}: expected a number as score, found {bad!r}"
        raise InputError(f"{source.name}: topic {topic}: {wrong}") from None


def _check_mapping(documents: Any, topic: Any, value: str, source: Source) -> None:
    if not is_mapping(documents):
        expected = f"expected a mapping from document to {value}"
        raise InputError(f"{source.name}: topic {topic}: {expected}, found {type(documents).__name__}") from None


def _pack_gold(nested: Mapping[Any, Any], source: Source) -> Gold:
    for topic, judged in nested.items():
        _check_mapping(judged, topic, "grade", source)
    counts = array("q", [len(judged) for judged in nested.values()])
    try:
        grades = array("q", [grade for judged in nested.values() for grade in judged.values()])
    except (TypeError, OverflowError):
        grades = array("q", [whole_grade(g, t, d, source) for t, judged in nested.items() for d, g in judged.items()])
    if grades and not -1_000_000_000 < min(grades) <= max(grades) < 1_000_000_000:
        raise InputError(f"{source.name}: grades go from {min(grades)} to {max(grades)}; expected at most nine digits")
    documents = [d for judged in nested.values() for d in judged]
    topics, ids = _text(nested), _text(documents)
    if topics is None or ids is None:  # keys that are all text are all different
        check_distinct(nested, source)
    return Gold.pack(_joined(nested, source, topics), _joined(documents, source, ids), counts, grades)


def check_distinct(nested: Mapping[Any, Any], source: Source) -> None:
    """Refuse topics, or documents of a topic, of which two are written alike: 1 and "1"."""
    for topic, ids in ((None, nested), *nested.items()):
        noun, where = ("topic", source.name) if topic is None else ("document", f"{source.name}: topic {topic}")
        check_unique([id_text(one, source.name) for one in ids], noun, where)


def whole_grade(value: Any, topic: Any, document: Any, source: Source) -> int:
    """A grade given in Python, which may be any kind of number."""
    if _is_number(value) and abs(value) < 1e9 and value == int(value):
        return int(value)
    wrong = f"document {document}: expected a whole number as grade, found {value!r}"
    raise InputError(f"{source.name}: topic {topic}: {wrong}")


def _is_number(value: Any) -> bool:
    try:
        return float(value) == float(value) and not isinstance(value, (str, bytes))
    except (TypeError, ValueError, OverflowError):
        return False


def _text(ids: Any) -> str | None:
    """Ids as the core takes them, one after the other with a zero byte between; None where some are not text."""
    try:
        return "\0".join(ids)
    except TypeError:
        return None


def _joined(ids: Any, source: Source, text: str | None = None) -> bytes:
    """The same as bytes, whole numbers written as text."""
    text = text or _text(ids)
    if text is None:
        text = "\0".join([id_text(one, source.name) for one in ids])
    if text.count("\0") > max(len(ids) - 1, 0):
        raise InputError(f"{source.name}: an id contains a zero byte; expected text")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise InputError(f"{source.name}: an id holds half a character (a lone surrogate); expected text") from None


def _json(data: bytes, source: Source) -> Any:
    import json

    from assay.formats.duplicate_keys import RepeatedKeyError, unique_keys

    try:
        return json.loads(data, object_pairs_hook=unique_keys)
    except RepeatedKeyError as problem:
        raise InputError(f"{source.name}: {problem}; expected each id once") from None
    except json.JSONDecodeError as problem:
        raise source.error(problem.lineno, f"not valid JSON: {problem.msg}") from None
    except UnicodeDecodeError:
        raise InputError(f"{source.name}: not valid UTF-8; expected JSON text") from None
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        raise InputError(f"{source.name}: holds a number of thousands of digits; expected grades or scores") from None
    except RecursionError:
        raise InputError(f"{source.name}: nested too deeply; expected topics that hold documents") from None


def nested(source: Source, value_columns: tuple[str, ...]) -> Mapping[Any, Any]:
    """Topic to document to value: from JSON, dicts or a data frame of any library."""
    if source.head.shape == "parquet":
        from assay.formats.ranked.parquet_runs import nested_parquet

        return nested_parquet(source, value_columns)
    if source.is_bytes:
        found = _json(source.read(), source)
        if not is_mapping(found):
            problem = f"expected a JSON object of topics that hold documents, found {type(found).__name__}"
            raise InputError(f"{source.name}: {problem}")
        return found
    if is_mapping(source.data):
        return source.data
    frame = frames.frame_of(source, "nested dicts")
    columns = frames.columns_of(source, frame, frames.TOPIC, frames.DOCUMENT, value_columns)
    nested: dict[str, dict[str, Any]] = {}
    rows = zip(*(cells for _, cells in columns), strict=True)
    for number, (topic, document, value) in enumerate(rows, 1):
        if _is_absent(topic) or _is_absent(document):
            raise InputError(f"{source.name}: row {number}: no topic or no document; expected an id in both")
        topic, document = (id_text(cell, f"{source.name}: row {number}") for cell in (topic, document))
        documents = nested.setdefault(topic, {})
        if document in documents:
            raise InputError(f"{source.name}: row {number}: document {document} appears twice in topic {topic}")
        if not _is_number(value):
            expected = f"expected a number in column {columns[2][0]!r}"
            raise InputError(f"{source.name}: row {number}: {expected}, found {value!r}")
        documents[document] = value
    return nested


def _is_absent(cell: Any) -> bool:
    try:
        return cell is None or bool(cell != cell)
    except TypeError:  # pandas' NA, which says neither that it is itself nor that it is not
        return True


def _explain(problem: Problem, name: str, expected: int, columns: str) -> FormatError:
    """What the core found, in words."""
    if problem.code == FIELDS:
        text = f"expected {expected} fields ({columns}), found {problem.fields}"
    elif problem.code == SCORE:
        text = f"expected a number as score (field 5), found {problem.text!r}"
    elif problem.code == GRADE:
        text = f"expected a whole number as grade (field 4), found {problem.text!r}"
    elif problem.code == DUPLICATE:
        twice = f"document {problem.text} appears a second time in topic {problem.topic}"
        text = f"{twice}, first on line {problem.other}; remove one of the two{SECOND_FIELDS if expected == 4 else ''}"
    elif problem.code == BINARY:
        text = f"found a zero byte: not a text file (or UTF-16); expected lines of {expected} fields in UTF-8"
    else:
        return FormatError(name, None, "not enough memory to read it")
    return FormatError(name, problem.line, text)
