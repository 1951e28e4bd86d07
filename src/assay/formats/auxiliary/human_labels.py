"""Human labels: people's verdicts on some questions, alone or with a judge's on all.

    labels     id,human            or with run, when several runs were labelled; annotator, when several people did; and sample,
                                   when a question was answered several times
    both       id,judge,human      one table with the judge's verdict too; empty cells are not labelled; without id, a line is a
                                   question; cluster, where questions come in clusters

CSV, TSV, JSONL, Parquet or a data frame. A verdict is an outcome: 1, correct, right, true; 0, incorrect, wrong, false; or a score
from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from assay.formats.answers.outcome_words import USUAL, Words, outcome_of
from assay.formats.answers.rows import CORRECT, FAILED, INCORRECT, NO_VERDICT, UNANSWERED
from assay.formats.auxiliary.judges import PEOPLE, GradeRecord, grade_of, number_of
from assay.formats.frames import DOCUMENT, TOPIC, as_frame, cell_lines, check_ids, table_rows
from assay.formats.frames import RUN as RUNS
from assay.formats.jsonl import json_lines, plain
from assay.formats.recognition import reads
from assay.io.sources import Source

ID = ("id", "question_id", "qid", "question", *(name for name in TOPIC if name != "qid"))
RUN = (*RUNS, "model")
CLUSTER = "cluster"
"""The default column of clusters of questions."""
IN_WORDS = {"1": "correct", "0": "incorrect"}
"""Outcomes as words, beside answers that are unanswered."""
HUMAN = ("human", "label", "verdict", "outcome", "correct", "grade", "score")
JUDGE = ("judge", "machine", "verdict", "prediction")
HUMAN_BESIDE_JUDGE = (*PEOPLE, "label")
"""Names of people's verdict in a table with the judge's, where `verdict` may be the judge's."""
SAMPLE = "sample"
PERSON = ("assessor", "annotator", "rater", "annotator_id", "worker", "worker_id", "by")
EXPECTED_BOTH = (
    "expected a table or JSON objects with judge and human (empty where not labelled), and for several runs id and run"
)
EXPECTED = f"expected a table or JSON objects with a question ({', '.join(ID[:3])}) and people's verdict ({', '.join(HUMAN[:4])})"


class Label(NamedTuple):
    """A person's verdict on a run's answer; no run where the file has only one."""

    line: int
    run: str | None
    question: str
    person: str
    verdict: float | None
    """None where the person calls the question unanswered."""
    sample: int | None = None
    """Which of several answers to the question, counted from 1; None where the file does not say."""


class JudgeVerdict(NamedTuple):
    """A judge's verdict, None for an unanswered question."""

    line: int
    run: str | None
    question: str
    verdict: float | None
    cluster: str | None


@reads("labels", role="beside", yields="people's verdicts on some questions of a run: id, human")
def read_labels(source: Source, words: Words = USUAL) -> list[Label]:
    """Read every label of a source, in its order; lines without a verdict are skipped."""
    labels = [label for line, row in _rows(source) if (label := _label(source, line, row, words, HUMAN)) is not None]
    if not labels:
        raise source.error(None, f"holds no labels; {EXPECTED}")
    return labels


def read_both(source: Source, words: Words, cluster: str | None = None) -> tuple[list[JudgeVerdict], list[Label]]:
    """Read a table with verdicts of a judge and of people: each question of a run once, and the labels."""
    judged: dict[tuple[str | None, str], JudgeVerdict] = {}
    labels: list[Label] = []
    for line, row in _rows(source):
        for roles in (JUDGE, HUMAN_BESIDE_JUDGE):
            if not any(name in row for name in roles):
                raise source.error(line, f"no column {roles[0]!r} among {', '.join(row)[:80]}; {EXPECTED_BOTH}")
        label = _label(source, line, row, words, HUMAN_BESIDE_JUDGE)
        run, question = _first(row, RUN) or None, _question(source, line, row)
        judge_verdict = _first(row, JUDGE)
        if not judge_verdict or words.known.get(judge_verdict.lower()) == NO_VERDICT:
            raise source.error(line, f"question {question!r}: the judge has no verdict. Fix: leave the line out")
        if cluster is not None and cluster not in row:
            raise source.error(line, f"no column {cluster!r} among {', '.join(row)[:80]}, which `cluster` names")
        verdict = _verdict(source, line, judge_verdict, words)
        both = JudgeVerdict(line, run, question, verdict, None if cluster is None else row[cluster] or None)
        before = judged.setdefault((run, question), both)
        if before is not both and not (_first(row, PERSON) and before.verdict == both.verdict):
            whose = f" of {run}" if run else ""
            raise source.error(
                line, f"question {question!r}{whose} is already on line {before.line}. Fix: keep one, or, if several people labelled it, "
                "name them in a column annotator and repeat the judge's verdict"
            )  # fmt: skip
        labels += [] if label is None else [label]
    if not judged:
        raise source.error(None, f"holds no verdicts; {EXPECTED_BOTH}")
    if not labels:
        raise source.error(None, f"holds no labels; {EXPECTED_BOTH}")
    return list(judged.values()), labels


def has_both(source: Source) -> bool:
    """Return whether a file has a column of a judge and one of people.

    >>> has_both(Source("judge.csv", data=b"id,judge,human\\nq1,1,1\\n"))
    True
    """
    if source.is_bytes and source.head.shape not in ("table", "parquet", "json", "array"):
        return False
    names = _names(source)
    return all(any(name in names for name in roles) for roles in (JUDGE, HUMAN_BESIDE_JUDGE))


def is_verdict_table(source: Source) -> bool:
    """Return whether a file has the verdicts of a judge and of people on answers, and not on documents.

    >>> is_verdict_table(Source("judge.csv", data=b"id,judge,human\\nq1,1,1\\n"))
    True
    >>> is_verdict_table(Source("judge.csv", data=b"topic,document,judge,label\\nq1,d1,ann,1\\n"))
    False
    """
    head = source.head
    if head.shape in ("json", "array"):
        return head.has(*JUDGE) and head.has(*HUMAN_BESIDE_JUDGE) and not head.has(*DOCUMENT)
    if head.shape not in ("table", "parquet", "frame"):
        return False
    return has_both(source) and not any(name in _names(source) for name in DOCUMENT)


def grades_of_answers(source: Source, as_written: bool = False) -> list[GradeRecord]:
    """Read a table with verdicts of a judge and of people as one judgment per cell.

    The topic is the cluster of the question, or the question; the document is the answer. Outcomes become 1 and 0, or words if
    some answers are unanswered; `as_written` keeps every cell, for a scale of the caller.
    """
    records: dict[tuple[str, str, str], GradeRecord] = {}
    for line, row in _rows(source):
        run, question, person = _first(row, RUN), _question(source, line, row), _first(row, PERSON)
        topic = row.get(CLUSTER) or question
        answer = "/".join(part for part in (run, question) if part) if CLUSTER in row else run or source.stem
        for roles, judge in ((JUDGE, ""), (HUMAN_BESIDE_JUDGE, person)):
            column = next((name for name in roles if name in row), None)
            if column is None:
                raise source.error(line, f"no column {roles[0]!r} among {', '.join(row)[:80]}; {EXPECTED_BOTH}")
            grade = _grade(source, line, row[column], as_written)
            if grade is None:
                continue
            record = GradeRecord(line, judge or column, topic, answer, grade)
            before = records.setdefault((record.judge or "", question, answer), record)
            if before is not record and (roles is not JUDGE or not person or before.grade != grade):
                raise source.error(
                    line, f"question {question!r}: {record.judge} judged the answer on line {before.line} already. Fix: keep one, or, "
                    "if several people labelled it, name them in a column annotator and repeat the judge's verdict"
                )  # fmt: skip
    graded = list(records.values())
    if not graded:
        raise source.error(None, f"holds no verdicts; {EXPECTED_BOTH}")
    if as_written or not any(record.grade == "unanswered" for record in graded):
        return graded
    return [record._replace(grade=IN_WORDS.get(record.grade, record.grade)) for record in graded]


def _grade(source: Source, line: int, cell: str, as_written: bool) -> str | None:
    """Return a verdict as a grade; None where nobody judged, or the judge failed."""
    state = USUAL.known.get(cell.lower())
    if state in (FAILED, NO_VERDICT):
        return None
    if as_written:
        return grade_of(cell)
    if state is not None:
        return {CORRECT: "1", INCORRECT: "0"}.get(state, "unanswered")
    half = USUAL.partial.get(cell.lower())
    if half is not None:
        return grade_of(str(half))
    if number_of(cell) is None:
        raise source.error(
            line, f"expected a verdict (correct, incorrect, unanswered) or a number, found {cell!r}; `scale=` declares other grades"
        )  # fmt: skip
    return grade_of(cell)


def has_column(source: Source, name: str) -> bool:
    """Return whether a table of verdicts has a column.

    >>> has_column(Source("judge.csv", data=b"id,judge,human,cluster\\nq1,1,1,a\\n"), "cluster")
    True
    """
    return name in _names(source)


def has_labels(source: Source) -> bool:
    """Return whether a file is a table of people's verdicts, and not of judgments of documents.

    >>> has_labels(Source("bob.csv", data=b"id,human\\nq1,1\\n")), has_labels(Source("bob.qrels", data=b"q1 0 d1 1\\n"))
    (True, False)
    """
    if not source.is_bytes or source.head.shape not in ("table", "parquet", "json", "array"):
        return False
    names = _names(source)
    return any(name in names for name in ID) and any(name in names for name in HUMAN_BESIDE_JUDGE)


def _names(source: Source) -> Sequence[str]:
    """Return the columns of a table, which may have no rows; of JSON, the keys of the first object."""
    if source.is_bytes and source.head.shape in ("json", "array"):
        return list(next(_rows(source), (0, {}))[1])
    return [name.strip() for name in next(cell_lines(source), (0, []))[1]]


def _rows(source: Source) -> Iterator[tuple[int, Mapping[str, str]]]:
    if source.is_bytes and source.head.shape in ("json", "array"):
        for line, row in json_lines(source, "labels"):
            yield line, {name: _text(value) for name, value in row.items()}
        return
    if source.is_bytes and source.head.shape not in ("table", "parquet"):
        raise source.error(None, f"is no table; {EXPECTED}")
    source = as_frame(source)
    names, rows = table_rows(source)
    check_ids(source, [place for place, name in enumerate(names) if name in ID])
    for line, cells in rows:
        yield line, {name: cell.strip() for name, cell in zip(names, cells, strict=True)}


def _text(value: Any) -> str:
    return "" if value is None else plain(value).strip()


def _label(source: Source, line: int, row: Mapping[str, str], words: Words, names: Sequence[str]) -> Label | None:
    named = next((name for name in names if name in row), None)
    if named is None:
        raise source.error(line, f"no column for people's verdict among {', '.join(row)}; {EXPECTED}")
    question = _question(source, line, row) if names is HUMAN_BESIDE_JUDGE else _id(source, line, row)
    if not row[named] or words.known.get(row[named].lower()) == NO_VERDICT:
        return None
    verdict = _verdict(source, line, row[named], words)
    return Label(line, _first(row, RUN) or None, question, _first(row, PERSON), verdict, _sample(source, line, row))


def _sample(source: Source, line: int, row: Mapping[str, str]) -> int | None:
    cell = row.get(SAMPLE)
    if not cell:
        return None
    if not cell.isdecimal() or int(cell) < 1:
        raise source.error(line, f"expected the number of a sample from 1, found {cell!r}")
    return int(cell)


def _verdict(source: Source, line: int, cell: str, words: Words) -> float | None:
    state, score = outcome_of(cell, source.name, line, words)
    if state == FAILED:
        raise source.error(line, f"expected a verdict, found {cell!r}. Fix: leave the cell empty")
    return None if state == UNANSWERED else score


def _question(source: Source, line: int, row: Mapping[str, str]) -> str:
    """Return the question of a row; in a file of one run without ids, every line is a question."""
    if any(name in row for name in ID):
        return _id(source, line, row)
    if any(name in row for name in RUN):
        raise source.error(line, "found a column for the run and none for the question; expected `id`")
    return f"line {line}"


def _id(source: Source, line: int, row: Mapping[str, str]) -> str:
    value = _first(row, ID)
    if not value:
        raise source.error(line, f"expected a question, one of {', '.join(ID)}, found none")
    return value


def _first(row: Mapping[str, str], names: Sequence[str]) -> str:
    return next((row[name] for name in names if row.get(name)), "")
