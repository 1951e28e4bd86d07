"""TREC qrels and runs as text, JSON, Parquet, dicts or data frames: recognition, readers, and messages for the core's problems.

qrels   301 0 FBIS3-1 1                  {"301": {"FBIS3-1": 1}}    or what `assay judge` writes
run     301 Q0 FBIS3-1 1 9.5 bm25        {"301": {"FBIS3-1": 9.5}}
"""

from __future__ import annotations

from array import array

from assay.core import Gold, Problem
from assay.core.binding import BINARY, DUPLICATE, FIELDS, GRADE, SCORE
from assay.errors import FormatError, InputError
from assay.formats.recognition import reads
from assay.io.heads import is_mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from assay.io.heads import Head
    from assay.io.sources import Source


def names_subtopics(head: Head) -> bool:
    """Return whether gold judges documents by subtopic.

    It has a column of that name, three levels of dicts, or lines that judge a document of a topic under two second fields.

    >>> from assay.io.heads import head_of_bytes
    >>> names_subtopics(head_of_bytes(b"201 1 d1 1\\n201 2 d1 0\\n"))
    True
    >>> names_subtopics(head_of_bytes(b"301 0 d1 1\\n301 1 d2 1\\n"))
    False
    """
    if len(head.words) == 4:
        under: dict[tuple[bytes, bytes], bytes] = {}
        return second_varies(head) and any(
            under.setdefault((topic, document), second) != second
            for topic, second, document, _ in _judgments(head.text)
        )
    if head.shape == "frame":
        return "subtopic" in head.columns
    if head.shape == "json":
        import re

        return re.match(rb'\{\s*"[^"]*"\s*:\s*\{\s*"[^"]*"\s*:\s*\{', head.text) is not None
    topics = (value for value in head.values if hasattr(value, "values"))
    return head.shape == "mapping" and any(hasattr(next(iter(topic.values()), None), "items") for topic in topics)


def second_varies(head: Head) -> bool:
    """Return whether the first lines of a file differ in their second field.

    >>> from assay.io.heads import head_of_bytes
    >>> second_varies(head_of_bytes(b"301 0 d1 1\\n301 0 d2 0\\n")), second_varies(head_of_bytes(b"301 0 d1 1\\n302 1 d2 0\\n"))
    (False, True)
    """
    first, text = head.words[1], head.text
    # Counting takes 0.1 ms where splitting lines takes 0.9 ms, and is enough for most files. The last line may be cut off.
    lines = text.count(b"\n") + (len(text[text.rfind(b"\n") + 1 :].split()) > 2)
    same = text.count(b" %s " % first) + (text.count(b"\t%s\t" % first) if b"\t" in text else 0)
    return same < lines and any(words[1] != first for words in _judgments(text))


def _judgments(text: bytes) -> list[list[bytes]]:
    """Return the fields of the lines that have four; the last line of a head may be cut off."""
    lines = (line.split() for line in text.splitlines() if not line.lstrip().startswith(b"#"))
    return [words for words in lines if len(words) == 4]


QRELS_LINE = "topic, iteration, document, grade"
RUN_LINE = "topic, Q0, document, rank, score, tag"
LINES = ("text", "table")
"""The shapes of files that the core reads by lines."""
SECOND_FIELDS = ", or say what field 2 names: `task='diversity'` for subtopics, `task='judgment-groups'` for judges"


def _is_qrels(head: Head) -> bool:
    """4 fields; `{"topic": {` in JSON, or lines with topic, document, grade, judge; nested dicts; a frame or Parquet; and no subtopics."""
    known = len(head.words) == 4 or _is_nested(head) or _has_columns(head, "grade") or _is_judged(head)
    return known and not names_subtopics(head)


@reads(
    "qrels",
    role="gold",
    task="ranked",
    yields=f"judgments of documents: {QRELS_LINE}",
    recognises=_is_qrels,
    shapes="text json mapping frame parquet",
    after=("nugget-list", "questions", "judgments", "question dict"),
)
def read_qrels(source: Source) -> Gold:
    """Return the judgments of a source."""
    if _is_judged(source.head):
        from assay.formats.auxiliary.judges import grades_of

        gold = pack_gold(grades_of(source), source)
    else:
        try:
            gold = Gold.read(source.read_text()) if source.head.shape in LINES else _gold_of_objects(source)
        except Problem as problem:
            raise error_of(problem, source.name, 4, QRELS_LINE) from None
    if not gold.topics:
        raise InputError(f"{source.name}: is empty; expected lines of 4 fields ({QRELS_LINE})")
    return gold


def _gold_of_objects(source: Source) -> Gold:
    """Read JSON, nested dicts, Parquet or a data frame, which the core walks itself where every value is plain."""
    from assay.core import dicts_and_frames
    from assay.formats import frames

    source = frames.as_frame(source)
    gold = (
        frames.streamed(source, frames.GRADE, dicts_and_frames.gold_of_stream) if source.head.shape == "frame" else None
    )
    if gold is None:
        judged = nested(source, frames.GRADE)
        gold = dicts_and_frames.gold_of_dicts(judged) or pack_gold(judged, source)
    return gold


def _is_run(head: Head) -> bool:
    """a first line of 6 fields; `{"topic": {` in JSON; a dict of dicts; a frame or Parquet with documents and scores."""
    return len(head.words) == 6 or _is_nested(head) or _has_columns(head, "score")


def _is_nested(head: Head) -> bool:
    if head.shape == "json":
        import re

        return re.match(rb'\{\s*"[^"]*"\s*:\s*\{', head.text) is not None
    return head.shape == "mapping" and any(is_mapping(value) for value in head.values)


def _is_judged(head: Head) -> bool:
    """Return whether the lines are judgments as `assay judge` writes them, a JSON object each."""
    if head.shape not in ("json", "array") or "judge" not in head.record:
        return False
    from assay.formats import frames

    return not any({*names}.isdisjoint(head.record) for names in (frames.TOPIC, frames.DOCUMENT, frames.GRADE))


def _has_columns(head: Head, value: str) -> bool:
    """Return whether a frame or Parquet has columns of documents and of their grade or score."""
    if head.shape not in ("frame", "parquet"):
        return False
    from assay.formats import frames

    values = frames.GRADE if value == "grade" else frames.SCORE
    if head.shape == "parquet":
        from assay.formats.ranked.parquet_runs import has_column

        values = frames.column_names(values, ["corpus-id"] if has_column(head, ["corpus-id"]) else [])
        return all(has_column(head, names) for names in (frames.TOPIC, frames.DOCUMENT, values))
    if not {"gold", "outcome", "answer"}.isdisjoint(head.columns):
        return False
    values = frames.column_names(values, head.columns)
    return not ({*frames.DOCUMENT}.isdisjoint(head.columns) or {*values}.isdisjoint(head.columns))


@reads(
    "trec-run",
    role="run",
    task="ranked",
    yields=f"ranked documents: {RUN_LINE}",
    recognises=_is_run,
    shapes="text json mapping frame parquet",
    after=("answers", "answer dict"),
    recovers="line",
)
def read_run(source: Source) -> tuple[str | None, dict[str, dict[str, float]]]:
    """Return the tag of the last line, and {topic: {document: score}}.

    >>> from assay.io.sources import Source
    >>> read_run(Source("run", data=b"q1 Q0 d1 1 2.5 bm25\\nq1 Q0 d2 2 7.5 bm25\\n"))
    ('bm25', {'q1': {'d1': 2.5, 'd2': 7.5}})
    """
    from assay.formats import frames

    if source.head.shape in LINES:
        tag, scores = _scores_from_lines(source)
    else:
        tag, scores = None, _scores_from_mapping(nested(source, frames.SCORE), source)
    if not scores:
        raise source.error(None, f"found no documents; expected lines of 6 fields ({RUN_LINE})")
    return tag, scores


def _scores_from_lines(source: Source) -> tuple[str | None, dict[str, dict[str, float]]]:
    scores: dict[str, dict[str, float]] = {}
    tag = None
    for line, topic, document, score, line_tag in run_lines(source):
        tag = line_tag
        documents = scores.setdefault(topic, {})
        if document in documents:
            raise source.error(
                line, f"document {document} appears a second time in topic {topic}; remove one of the two"
            )
        documents[document] = score
    return tag, scores


def run_lines(source: Source) -> Iterator[tuple[int, str, str, float, str]]:
    """Yield physical line, topic, document, score and tag of every line of a run, checked."""
    from assay.formats.lines import field_lines

    for line, fields in field_lines(source):
        if len(fields) != 6:
            raise source.error(line, f"expected 6 fields ({RUN_LINE}), found {len(fields)}")
        topic, _, document, _, text, tag = fields
        yield line, topic, document, _parse_score(text, source, line), tag


def _parse_score(text: str, source: Source, line: int) -> float:
    from assay.formats.lines import parse_number

    value = parse_number(text)
    if value != value:
        raise source.error(line, f"expected a number as score in field 5, found {text!r}")
    return value


def _scores_from_mapping(run: Mapping[Any, Any], source: Source) -> dict[str, dict[str, float]]:
    from assay.formats.object_ids import id_text

    scores: dict[str, dict[str, float]] = {}
    for topic, documents in run.items():
        _check_mapping(documents, topic, "score", source)
        ids = [id_text(document, f"{source.name}: topic {topic}") for document in documents]
        ranked = scores[id_text(topic, source.name)] = dict(zip(ids, scores_of(documents, topic, source), strict=False))
        for document, score in ranked.items():
            if score != score:
                raise InputError(
                    f"{source.name}: topic {topic}, document {document}: the score is NaN; expected a number"
                )
    check_distinct(run, source)
    return scores


def scores_of(documents: Mapping[Any, Any], topic: Any, source: Source) -> array[float]:
    """Return the scores of a topic's documents; NaN is not refused."""
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


def pack_gold(nested: Mapping[Any, Any], source: Source) -> Gold:
    """Return the judgments of {topic: {document: grade}}, checked, as the core has them."""
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
    return Gold.pack(join_ids(nested, source, topics), join_ids(documents, source, ids), counts, grades)


def check_distinct(nested: Mapping[Any, Any], source: Source) -> None:
    """Refuse two topics, or two documents of a topic, with the same text: 1 and "1"."""
    from assay.formats.object_ids import check_unique, id_text

    for topic, ids in ((None, nested), *nested.items()):
        noun, where = ("topic", source.name) if topic is None else ("document", f"{source.name}: topic {topic}")
        check_unique([id_text(identifier, source.name) for identifier in ids], noun, where)


def whole_grade(value: Any, topic: Any, document: Any, source: Source) -> int:
    """Return a grade as an int, from any type of number."""
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
    """Join ids with zero bytes, as the core expects them; None where some are not text."""
    try:
        return "\0".join(ids)
    except TypeError:
        return None


def join_ids(ids: Any, source: Source, text: str | None = None) -> bytes:
    """Join ids with zero bytes and encode them; whole numbers are ids, too."""
    from assay.formats.object_ids import id_text

    text = text or _text(ids)
    if text is None:
        text = "\0".join([id_text(identifier, source.name) for identifier in ids])
    if text.count("\0") > max(len(ids) - 1, 0):
        raise InputError(f"{source.name}: an id contains a zero byte; expected text")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise InputError(f"{source.name}: an id holds half a character (a lone surrogate); expected text") from None


def nested(source: Source, value_columns: tuple[str, ...]) -> Mapping[Any, Any]:
    """Return {topic: {document: value}} from JSON, Parquet, dicts or a data frame of any library."""
    from assay.formats import frames
    from assay.formats.object_ids import id_text

    source = frames.as_frame(source)
    if source.is_bytes:
        from assay.formats.json_files import load_json

        topics = load_json(source, "topics that hold documents")
        if not is_mapping(topics):
            problem = f"expected a JSON object of topics that hold documents, found {type(topics).__name__}"
            raise InputError(f"{source.name}: {problem}")
        return topics
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
    except TypeError:  # comparing pandas' NA gives NA, which has no truth value
        return True


def error_of(problem: Problem, name: str, expected: int, columns: str) -> FormatError:
    """Return the error to raise for a problem of the core."""
    if problem.code == FIELDS:
        text = f"expected {expected} fields ({columns}), found {problem.fields}"
    elif problem.code == SCORE:
        text = f"expected a number as score (field 5), found {problem.text!r}"
    elif problem.code == GRADE:
        text = f"expected a whole number as grade (field 4), found {problem.text!r}"
    elif problem.code == DUPLICATE:
        duplicate = f"document {problem.text} appears a second time in topic {problem.topic}"
        hint = SECOND_FIELDS if expected == 4 else ""
        text = f"{duplicate}, first on line {problem.other}; remove one of the two{hint}"
    elif problem.code == BINARY:
        text = f"found a zero byte: not a text file (or UTF-16); expected lines of {expected} fields in UTF-8"
    else:
        return FormatError(name, None, "not enough memory to read it")
    return FormatError(name, problem.line, text)
