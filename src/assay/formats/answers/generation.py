"""Judged generated answers: nuggets, citation support, and ARGUE scores. A file may hold several runs.

    nuggets        {"qid": "14", "query": "…", "nuggets": [{"text": "…", "importance": "vital"}]}
    assignments    the same with `run_id`, and to each nugget `"assignment": "support"`, `partial_support` or `not_support`
    support        {"topic_id": "14", "run_id": "a", "sentences": [{"text": "…", "citations": [{"support": 2}]}]}
    ARGUE          run_id, request_id, metric and value between tabs, as Auto-ARGUE writes its scores

The first two are what `nuggetizer` writes, the third how TREC's RAG track keeps its judgments of support: 2 full, 1 partial,
0 none, -1 not judged. A sentence may say whether it `needs_citation`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from assay.formats.jsonl import Id, plain, typed_lines
from assay.formats.lines import parse_number, separated_lines
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

CREDIT = {"support": 1.0, "partial_support": 0.5, "not_support": 0.0}
"""The credit of each assignment."""
FAILED = ("failed", "fail")
"""Assignments of nuggetizer and other tools where the judge gave none."""
IMPORTANCE = ("vital", "okay", "")
SUPPORT: dict[str, float | None] = {"2": 1.0, "1": 0.5, "0": 0.0, "-1": None, "FS": 1.0, "PS": 0.5, "NS": 0.0}
TOPIC = ("qid", "topic_id", "narrative_id", "query_id", "request_id")
RUN = ("run_id", "runtag", "run")
ARGUE_COLUMNS = ("run_id", "request_id", "metric", "value")
ARGUE_COUNTS = {
    "sentences_with_citations_or_requiring_citations": "sentences",
    "correctly_cited_sentences": "supported",
    "nuggets": "nuggets",
    "correct_nuggets": "correct",
    "nuggets_weighted": "weight",
    "correct_nuggets_weighted": "correct_weight",
}
"""The counts of Auto-ARGUE that its scores follow from."""


class _AssignedNugget(msgspec.Struct):
    text: str
    importance: str = ""
    assignment: str | None = None


class _Citation(msgspec.Struct):
    support: Id


class _Sentence(msgspec.Struct):
    citations: list[_Citation] = []
    text: str = ""
    needs_citation: bool | None = None


class _NuggetLine(msgspec.Struct):
    nuggets: list[_AssignedNugget]
    query: Any = None
    answer_text: str = ""


class _SupportLine(msgspec.Struct):
    sentences: list[_Sentence]
    query: Any = None


class Judged(msgspec.Struct, eq=False):
    """The judgments in one row: the nuggets of a topic, and the judgments of one run's answer to it.

    `credits` are in the order of the nuggets, None for one the judge failed on; None as a whole where none are assigned.
    """

    topic: str
    line: int
    file: str
    run: str | None = None
    query: str = ""
    answer: str = ""
    nuggets: list[tuple[str, str]] | None = None
    """Text and importance of each."""
    credits: list[float | None] | None = None
    sentences: list[tuple[tuple[float | None, ...], bool | None]] | None = None
    """Of each sentence the support of its citations, in their order, and whether it needs one."""
    texts: list[str] = []
    """The sentences."""
    attested: tuple[int, int] | None = None
    """Sentences that all their citations attest, and sentences that cite or should."""


def _nugget_list(head: Head) -> bool:
    """a first line with a `qid` and `nuggets` that have an `importance` and no `assignment`."""
    return _of_nuggets(head) and not _assigned(head)


def _assignments(head: Head) -> bool:
    """a first line with a `qid` and `nuggets`, each with its `assignment`."""
    return _of_nuggets(head) and _assigned(head)


def _of_nuggets(head: Head) -> bool:
    return head.shape == "json" and head.has("nuggets") and head.has(*TOPIC) and b'"importance"' in head.text


def _assigned(head: Head) -> bool:
    return b'"assignment"' in head.text


@reads(
    "nugget-list",
    role="gold",
    task="generation",
    yields="topics and their nuggets, vital or okay",
    recognises=_nugget_list,
    shapes="json",
    markers=("nuggets",),
)
def read_nugget_list(source: Source) -> list[Judged]:
    """Read the nuggets of every topic, without any run."""
    return [_nuggets_of(source, line, row, fields) for line, row, fields in typed_lines(source, _NuggetLine, "nuggets")]


@reads(
    "nugget-assignments",
    role="run",
    task="generation",
    yields="nuggets found in generated answers",
    recognises=_assignments,
    shapes="json",
    markers=("nuggets",),
    recovers="line",
)
def read_assignments(source: Source) -> list[Judged]:
    """Read which nuggets every answer contains."""
    rows: list[Judged] = []
    for line, row, fields in typed_lines(source, _NuggetLine, "assignments"):
        if "docid" in fields:
            raise source.error(line, "assigns nuggets to a passage (docid); expected nuggets assigned to an answer")
        judged = _nuggets_of(source, line, row, fields)
        judged.run = _run(source, line, fields)
        judged.answer = row.answer_text
        judged.credits = [_credit(source, line, nugget) for nugget in row.nuggets]
        rows.append(judged)
    return rows


def _nuggets_of(source: Source, line: int, row: _NuggetLine, fields: dict[str, Any]) -> Judged:
    for nugget in row.nuggets:
        if nugget.importance not in IMPORTANCE:
            raise source.error(
                line, f"importance {nugget.importance!r}: expected vital or okay (nugget {nugget.text[:40]!r})"
            )
    nuggets = [(nugget.text, nugget.importance) for nugget in row.nuggets]
    return Judged(_topic(source, line, fields), line, source.name, query=_query_text(row.query), nuggets=nuggets)


def _credit(source: Source, line: int, nugget: _AssignedNugget) -> float | None:
    if nugget.assignment in FAILED:
        return None
    if nugget.assignment not in CREDIT:
        expected = f"expected {', '.join(CREDIT)} or {FAILED[0]}"
        raise source.error(line, f"assignment {nugget.assignment!r} of the nugget {nugget.text[:40]!r}: {expected}")
    return CREDIT[nugget.assignment]


def _support(head: Head) -> bool:
    """a first line with a `topic_id` or `narrative_id` and `sentences`, whose citations have a `support`."""
    return head.shape == "json" and head.has("sentences") and head.has(*TOPIC) and b'"citations"' in head.text


@reads(
    "citation-support",
    role="run",
    task="generation",
    yields="how far citations support their sentences",
    recognises=_support,
    shapes="json",
    markers=("sentences",),
    recovers="line",
)
def read_support(source: Source) -> list[Judged]:
    """Read how far the citations of every answer support its sentences."""
    rows: list[Judged] = []
    for line, row, fields in typed_lines(source, _SupportLine, "judgments of support"):
        topic, run = _topic(source, line, fields), _run(source, line, fields)
        judged = Judged(topic, line, source.name, run=run, query=_query_text(row.query))
        judged.texts = [sentence.text for sentence in row.sentences]
        judged.sentences = [
            (tuple(_grade(source, line, citation) for citation in sentence.citations), sentence.needs_citation)
            for sentence in row.sentences
        ]
        rows.append(judged)
    return rows


def _grade(source: Source, line: int, citation: _Citation) -> float | None:
    written = plain(citation.support)
    if written not in SUPPORT:
        raise source.error(line, f"support {written!r}: expected 2 (full), 1 (partial), 0 (none) or -1 (not judged)")
    return SUPPORT[written]


def _topic(source: Source, line: int, fields: dict[str, Any]) -> str:
    name = next((name for name in TOPIC if fields.get(name) is not None), None)
    if name is None or isinstance(fields[name], dict | list | float):
        raise source.error(line, f"names no topic; expected one of {', '.join(TOPIC)}")
    return plain(fields[name])


def _run(source: Source, line: int, fields: dict[str, Any]) -> str:
    """Return the run a row names, since a file may hold several; else the caller's name or the file's."""
    named = next((fields[name] for name in RUN if fields.get(name) not in (None, "")), None)
    if isinstance(named, dict | list | float):
        raise source.error(line, f"the run is called {named!r}; expected a name")
    return source.label or source.stem if named is None else plain(named)


def _query_text(query: Any) -> str:
    """Return the text of a query, which some tools write as an object with a `text`."""
    return query if isinstance(query, str) else str(query.get("text", "")) if isinstance(query, dict) else ""


def _argue(head: Head) -> bool:
    """a first line that is `run_id`, `request_id`, `metric`, `value`."""
    return head.shape == "table" and head.columns == ARGUE_COLUMNS


@reads(
    "argue-scores",
    role="run",
    task="generation",
    yields="what Auto-ARGUE counted in reports",
    recognises=_argue,
    shapes="table",
    recovers="report",
)
def read_argue(source: Source) -> list[Judged]:
    """Read the counts of every report as nuggets and sentences; rows over `all` topics are skipped."""
    reports: dict[tuple[str, str], tuple[int, dict[str, int]]] = {}
    for line, cells in separated_lines(source):
        if tuple(cells) == ARGUE_COLUMNS:
            continue
        if len(cells) != len(ARGUE_COLUMNS):
            raise source.error(line, f"expected {len(ARGUE_COLUMNS)} fields between tabs, found {len(cells)}")
        run, topic, metric, value = cells
        if topic == "all":
            continue
        _, counts = reports.setdefault((run, topic), (line, {}))
        if metric in ARGUE_COUNTS:
            counts[ARGUE_COUNTS[metric]] = _count(source, line, metric, value)
    if not reports:
        raise source.error(None, "holds no report; expected rows of run_id, request_id, metric and value")
    return [_argued(source, run, topic, line, counts) for (run, topic), (line, counts) in reports.items()]


def _count(source: Source, line: int, metric: str, value: str) -> int:
    number = parse_number(value)
    if not 0 <= number < 1e9 or number != int(number):
        raise source.error(line, f"{metric} is {value!r}; expected a whole number of at least 0")
    return int(number)


def _argued(source: Source, run: str, topic: str, line: int, counts: dict[str, int]) -> Judged:
    for needed in ("sentences", "supported", "nuggets", "correct"):
        if needed not in counts:
            metric = next(metric for metric, name in ARGUE_COUNTS.items() if name == needed)
            raise source.error(
                line, f"report {topic!r} of {run} has no {metric}; expected the counts Auto-ARGUE writes"
            )
    vital, okay = _by_importance(counts["nuggets"], counts.get("weight"))
    right, fair = _by_importance(counts["correct"], counts.get("correct_weight"))
    if counts["supported"] > counts["sentences"] or not (0 <= right <= vital and 0 <= fair <= okay):
        raise source.error(line, f"report {topic!r} of {run} has more that is right than there is ({counts})")
    kinds = ["vital"] * vital + [("okay" if vital else "")] * okay
    credits = [1.0] * right + [0.0] * (vital - right) + [1.0] * fair + [0.0] * (okay - fair)
    judged = Judged(topic, line, source.name, run=run, attested=(counts["supported"], counts["sentences"]))
    judged.nuggets, judged.credits = [("", kind) for kind in kinds], [*credits]
    return judged


def _by_importance(number: int, weight: int | None) -> tuple[int, int]:
    """Split a number of nuggets into vital ones, weighing 2, and okay ones, weighing 1.

    >>> _by_importance(5, 8), _by_importance(5, 5), _by_importance(5, None)
    ((3, 2), (0, 5), (0, 5))
    """
    vital = 0 if weight is None else weight - number
    return vital, number - vital
