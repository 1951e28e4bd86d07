"""Qrels and runs as TREC's lines, JSON, Parquet, CSV or TSV with a header, dicts, tuples or data frames.

qrels   301 0 FBIS3-1 1                  {"301": {"FBIS3-1": 1}}    or what `assay judge` writes
run     301 Q0 FBIS3-1 1 9.5 bm25        {"301": {"FBIS3-1": 9.5}}

CSV and TSV     a header with query_id (or qid, topic, query-id), doc_id (docno, docid, corpus-id), and relevance (rel, grade, label)
                or score. BEIR's qrels.tsv is read: where documents are `corpus-id`, a `score` in the place of gold is a grade
tuples          (topic, document, grade or score), or named tuples with fields of these names, as of ir_datasets and ir_measures
lists           {"301": ["FBIS3-1"]}: a run's ranking, best first; as gold, the relevant documents (grade 1). In Python sets are
                relevant documents too; a dict of lists is {id: [answers]}, unless task="ranked"

Objects of ranx (Qrels, Run) are read as their dicts.
"""

from __future__ import annotations

from array import array

from assay.core import Gold, Problem
from assay.core.binding import BINARY, DUPLICATE, FIELDS, GRADE, SCORE
from assay.errors import FormatError, InputError
from assay.formats.recognition import reads, recognise
from assay.io.heads import is_mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from typing import Any

    from assay.formats.recognition import Reader
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
    if head.shape in ("frame", "table", "rows"):
        return not {"subtopic", "subtopic_id"}.isdisjoint(head.columns)
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
    """4 fields; `{"topic": {` or `{"topic": ["` in JSON, or lines with topic, document, grade, judge; nested dicts; tuples; a header,
    frame or Parquet with columns of topics, documents and grades; and no subtopics."""
    known = len(head.words) == 4 or _is_nested(head) or _has_columns(head, "grade") or _is_judged(head)
    return (known or _is_plain_rows(head) or _has_lists(head)) and not names_subtopics(head)


@reads(
    "qrels",
    role="gold",
    task="ranked",
    yields=f"judgments of documents: {QRELS_LINE}",
    recognises=_is_qrels,
    shapes="text table json mapping rows frame parquet",
    after=("nugget-list", "questions", "judgments", "question dict", "rank-eval-gold", "rank-eval-request"),
)
def read_qrels(source: Source) -> Gold:
    """Return the judgments of a source."""
    if _is_judged(source.head):
        from assay.formats.auxiliary.judges import grades_of

        gold = pack_gold(grades_of(source), source)
    else:
        try:
            gold = Gold.read(source.read_text()) if is_read_by_core(source.head) else _gold_of_objects(source)
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
    """a first line of 6 fields; `{"topic": {` or `{"topic": ["` in JSON; a dict of dicts; tuples; a header, frame or Parquet with
    columns of topics, documents and scores."""
    known = len(head.words) == 6 or _is_nested(head) or _has_columns(head, "score") or _is_plain_rows(head)
    return known or _has_lists(head, TEXT_OR_NUMBER)


def is_read_by_core(head: Head) -> bool:
    """Return whether a source is lines as TREC writes them, or meant as such: the core reads them, and reports their faults.

    >>> from assay.io.heads import head_of_bytes
    >>> is_read_by_core(head_of_bytes(b"301 0 d1 1")), is_read_by_core(head_of_bytes(b"query-id\\tcorpus-id\\tscore\\n"))
    (True, False)
    """
    return head.shape in LINES and not has_header(head) and not has_three_fields(head)


def has_three_fields(head: Head) -> bool:
    """Return whether a first line has three fields, the last a number."""
    if head.shape not in LINES or len(head.words) != 3:
        return False
    from assay.formats.lines import parse_number

    number = parse_number(head.words[2].decode(errors="replace"))
    return number == number


def has_header(head: Head) -> bool:
    """Return whether a first line names columns of documents and of their grades or scores."""
    return head.shape == "table" and (_has_columns(head, "grade") or _has_columns(head, "score"))


def _is_nested(head: Head) -> bool:
    if head.shape == "json":
        import re

        return re.match(rb'\{\s*"[^"]*"\s*:\s*\{', head.text) is not None
    return head.shape == "mapping" and any(is_mapping(value) or isinstance(value, SETS) for value in head.values)


TEXT, TEXT_OR_NUMBER = rb'"', rb'["0-9]'
"""The beginning of an id in JSON."""


def _has_lists(head: Head, of: bytes = TEXT) -> bool:
    """Return whether this is one JSON object of lists of ids, and not a question with its `answers`, or a line of several."""
    if head.shape != "json" or b"\n{" in head.text:
        return False
    import re

    match = re.match(rb'\{\s*"([^"]*)"\s*:\s*\[\s*' + of, head.text)
    return match is not None and match[1] not in (b"answers", b"patterns", b"runs")


def _is_plain_rows(head: Head) -> bool:
    return head.shape == "rows" and not head.columns


SETS = (set, frozenset)
LISTS = (list, tuple, *SETS)


def _is_judged(head: Head) -> bool:
    """Return whether the lines are judgments as `assay judge` writes them, a JSON object each."""
    if head.shape not in ("json", "array") or "judge" not in head.record:
        return False
    from assay.formats import frames

    return not any({*names}.isdisjoint(head.record) for names in (frames.TOPIC, frames.DOCUMENT, frames.GRADE))


def _has_columns(head: Head, value: str) -> bool:
    """Return whether a table, named tuples, a frame or Parquet have columns of documents and of their grade or score."""
    if head.shape not in ("frame", "parquet", "table", "rows") or (head.shape == "table" and "id" in head.columns):
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
    if head.shape == "table" and {*frames.TOPIC}.isdisjoint(head.columns):
        return False
    return not ({*frames.DOCUMENT}.isdisjoint(head.columns) or {*values}.isdisjoint(head.columns))


@reads(
    "trec-run",
    role="run",
    task="ranked",
    yields=f"ranked documents: {RUN_LINE}",
    recognises=_is_run,
    shapes="text table json mapping rows frame parquet",
    after=("answers", "answer dict", "search-hits"),
    recovers="line",
)
def read_run(source: Source) -> tuple[str | None, dict[str, dict[str, float]]]:
    """Return the tag of the last line, and {topic: {document: score}}.

    >>> from assay.io.sources import Source
    >>> read_run(Source("run", data=b"q1 Q0 d1 1 2.5 bm25\\nq1 Q0 d2 2 7.5 bm25\\n"))
    ('bm25', {'q1': {'d1': 2.5, 'd2': 7.5}})
    """
    from assay.formats import frames

    if is_read_by_core(source.head) or has_three_fields(source.head):
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
    """Yield physical line, topic, document, score and tag of every line of a run, checked; no tag where a line has three fields."""
    from assay.formats.lines import field_lines

    if has_three_fields(source.head):
        from assay.formats.ranked.three_fields import scored_lines

        for line, topic, document, score in scored_lines(source):
            yield line, topic, document, score, ""
        return
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
    """Return {topic: {document: value}} from JSON, Parquet, a table, dicts, tuples or a data frame of any library."""
    from assay.formats import frames
    from assay.formats.lines import parse_number
    from assay.formats.object_ids import id_text

    reader = _reader_of_another_tool(source, "gold" if value_columns is frames.GRADE else "run")
    if reader is not None:
        return reader.read(source)
    if source.is_bytes and source.head.shape not in ("table", "parquet"):
        from assay.formats.json_files import load_json

        topics = load_json(source, "topics that hold documents")
        if not is_mapping(topics):
            problem = f"expected a JSON object of topics that hold documents, found {type(topics).__name__}"
            raise InputError(f"{source.name}: {problem}")
        has_lists = _has_lists(source.head, TEXT if value_columns is frames.GRADE else TEXT_OR_NUMBER)
        return _with_values(topics, source, value_columns) if has_lists else topics
    if is_mapping(source.data):
        return _with_values(source.data, source, value_columns)
    if "iprob" in source.head.columns:
        raise InputError(f"{source.name}: judgments of a sample (prels); give them as a file, to `task='sampled'`")
    names, rows = frames.rows_of(source, "nested dicts, tuples", frames.TOPIC, frames.DOCUMENT, value_columns)
    nested: dict[str, dict[str, Any]] = {}
    is_text = source.head.shape == "table"
    for where, (topic, document, cell) in rows:
        if _is_absent(topic) or _is_absent(document) or (is_text and not (topic and document)):
            raise InputError(f"{where}: no topic or no document; expected an id in both")
        topic, document = id_text(topic, where), id_text(document, where)
        documents = nested.setdefault(topic, {})
        if document in documents:
            raise InputError(f"{where}: document {document} appears twice in topic {topic}")
        value = parse_number(cell) if is_text else cell
        if not _is_number(value):
            raise InputError(f"{where}: expected a number in column {names[2]!r}, found {cell!r}")
        documents[document] = value
    return nested


def _reader_of_another_tool(source: Source, role: str) -> Reader | None:
    """Return the declared reader of gold or runs that another tool writes; None where this module reads them."""
    head = source.head
    if head.shape not in ("json", "array", "mapping", "records") and not has_three_fields(head):
        return None
    if head.shape == "mapping" and not any(map(_holds_hits, head.values[:MAX_FIELDS])):
        return None
    reader = recognise(source, role)
    return None if reader is None or reader.task != "ranked" or reader.name in ("qrels", "trec-run") else reader


MAX_FIELDS = 8
"""Fields of the response of a search engine, at most."""


def _holds_hits(value: Any) -> bool:
    """Return whether a value of a dict may be a response of a search engine, whose reader then looks closer."""
    if isinstance(value, list):
        return is_mapping(next(iter(value), None))  # pyright: ignore[reportUnknownArgumentType]
    if not is_mapping(value):
        return False
    first: Any = next(iter(value.values()), None)
    return "hits" in value or (is_mapping(first) and "hits" in first)


def _with_values(topics: Mapping[Any, Any], source: Source, value_columns: tuple[str, ...]) -> Mapping[Any, Any]:
    """Return {topic: {document: value}}, where topics may have lists: of relevant documents in gold, of ranked ones in a run."""
    if not topics or not all(isinstance(documents, LISTS) for documents in topics.values()):
        return topics
    from assay.formats import frames

    as_values = _grades_of_list if value_columns is frames.GRADE else _scores_of_list
    if as_values is _grades_of_list and any(isinstance(documents, list) for documents in topics.values()):
        source.assumptions["lists, read as the relevant documents of their topics (grade 1)"] = None
    return {topic: as_values(documents, f"{source.name}: topic {topic}") for topic, documents in topics.items()}


def _grades_of_list(documents: Collection[Any], where: str) -> dict[str, int]:
    return dict.fromkeys(_distinct_ids(documents, where), 1)


def _scores_of_list(documents: Collection[Any], where: str) -> dict[str, float]:
    """Return scores that fall from rank to rank."""
    if isinstance(documents, SETS):
        raise InputError(
            f"{where}: a set has no order; expected a list of documents, best first, or {{document: score}}"
        )
    return {document: -float(rank) for rank, document in enumerate(_distinct_ids(documents, where), 1)}


def _distinct_ids(documents: Collection[Any], where: str) -> list[str]:
    from assay.formats.object_ids import check_unique, id_text

    ids = [id_text(document, where) for document in documents]
    check_unique(ids, "document", where)
    return ids


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
