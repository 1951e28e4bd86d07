"""Runs of answers, one question a line of JSONL, or {id: answer} in Python.

{"id": "q1", "answer": "Paris", "confidence": 0.9}
{"id": "q2", "answers": [{"text": "Rome", "confidence": 0.4}, {"text": "Oslo", "confidence": 0.1}]}
{"id": "q3", "answer": null, "candidate": "Bonn"}
{"id": "q4", "outcome": "correct", "confidence": 0.7}
{"id": "q5", "run": "llama", "sample": 2, "score": 0.5}
{"id": "q6", "outcome": "unanswered", "kind": "refused"}
{"id": "q7", "outcome": "failed", "problem": "timeout"}
{"id": "q8", "answer": "Oslo", "cost": 0.002, "latency": 1.4, "tokens": 310}

An array of such objects is the same. Lines that name their run make several.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from functools import lru_cache
from math import isnan
from operator import attrgetter
from typing import Annotated, Any

import msgspec

from assay.errors import FormatError, InputError
from assay.formats.answers.outcome_words import USUAL, Words, outcome_of
from assay.formats.answers.questions import entries, is_flat
from assay.formats.answers.rows import (
    CORRECT,
    FAILED,
    INCORRECT,
    NO_VERDICT,
    UNANSWERED,
    USAGE,
    Answer,
    OutcomeColumns,
    Rows,
    confidence_of,
    number_samples_from_1,
)
from assay.formats.json_files import decode_part
from assay.formats.jsonl import Id, Text, plain, typed_lines
from assay.formats.object_ids import first_repeated
from assay.formats.recognition import reads
from assay.io.file_pieces import Lines
from assay.io.heads import Head
from assay.io.sources import Source


class _RunAnswer(msgspec.Struct):
    text: Text
    doc: Id | None = None
    confidence: float | None = None
    rank: int | None = None
    final: bool = False


Usage = float | str | bool | None | list[Any] | dict[str, Any]
"""A number; a list or an object is a field of the question, such as the tokens themselves."""


class _AnswerLine(msgspec.Struct):
    id: Id
    answer: Text | msgspec.UnsetType | None = msgspec.UNSET
    answers: list[_RunAnswer | str] | msgspec.UnsetType = msgspec.UNSET
    confidence: float | None = None
    doc: Id | None = None
    candidate: Text | None = None
    outcome: Text | msgspec.UnsetType | None = msgspec.UNSET
    final: int | list[int] | None = None
    confident: bool | None = None
    run: Id | None = None
    sample: int | None = None
    score: bool | float | msgspec.UnsetType | None = msgspec.UNSET
    kind: str | None = None
    problem: str | None = None
    cost: Usage = None
    latency: Usage = None
    tokens: Usage = None


FIELDS = frozenset(_AnswerLine.__struct_fields__)


def _answers(head: Head) -> bool:
    """a first line with an `id`, and `answer`, `answers`, `outcome`, `candidate` or no `value`, `judgment` or `winner`; an array."""
    has_answer = head.has("answer", "answers", "outcome", "candidate")
    return head.has("id") and (has_answer or not head.has("value", "judgment", "winner"))


@reads(
    "answers",
    role="run",
    task="outcomes",
    yields="answers or outcomes, with confidences",
    recognises=_answers,
    shapes="json array",
    after=("nugget-run", "nugget-assignments", "citation-support", "squad-predictions", "records", "kilt", "dpr"),
    recovers="line, member",
)
def read_answers(source: Source, ranked: bool = False) -> Rows:
    """Read a file with one run. With `ranked`, where the place of an answer counts, an empty answer is an error."""
    runs = read_runs(source, ranked)
    if len(runs) > 1:
        few = ", ".join(rows.name for rows in runs[:5])
        raise InputError(f"{source.name}: holds {len(runs)} runs ({few} …); expected one run a file")
    return runs[0]


def read_runs(source: Source, ranked: bool = False, words: Words = USUAL) -> list[Rows]:
    """Read every run of a file, in the order of their first lines; lines may name their run."""
    plainly = None if ranked else plain_rows(source, words)
    if plainly is not None:
        plainly.answer_on_line = _answer_reader(source, ranked)
        return [plainly]
    runs: dict[str | None, tuple[Rows, OutcomeColumns]] = {}
    for line, row, fields in typed_lines(source, _AnswerLine, "answers"):
        run = None if row.run is None else plain(row.run)
        if run not in runs:
            if runs and (run is None or None in runs):
                raise source.error(line, f"{'no run' if run is None else 'a run'} here, but not on the lines before")
            rows = Rows((None if run is None else run) or source.label or source.stem, source.name)
            runs[run] = rows, OutcomeColumns(rows)
        extra = {name: value for name, value in fields.items() if name not in FIELDS or _is_nested(name, value)}
        _add(*runs[run], row, line, ranked, words, extra)
    answer_on_line = _answer_reader(source, ranked)
    for rows, stated in runs.values():
        stated.finish()
        rows.answer_on_line = answer_on_line
    number_samples_from_1([rows for rows, _ in runs.values()])
    if len(runs) == 1 and source.label:
        next(iter(runs.values()))[0].name = source.label
    return [rows for rows, _ in runs.values()]


def _is_nested(name: str, value: object) -> bool:
    """Return whether a field with the name of a usage has no number, as in `"tokens": ["a", "b"]`."""
    return name in USAGE and isinstance(value, list | dict)


def _answer_reader(source: Source, ranked: bool) -> Callable[[int], str | None] | None:
    """Return a function from a line to its answer, read again; None where lines cannot be read again."""
    if source.head.shape != "json" or source.path is None or source.is_stream:
        return None
    lines = Lines(source)

    def answer_text(line: int) -> str | None:
        row = decode_part(source, lines[line], _AnswerLine, "an answer", line)
        answers, chosen = _answers_of(row, None, source.name, line, ranked)
        return answers[chosen - 1].text if answers else None

    return answer_text


def _add(
    rows: Rows, stated: OutcomeColumns, row: _AnswerLine, line: int, ranked: bool, words: Words, extra: dict[str, Any]
) -> None:  # fmt: skip
    confidence = None if row.confidence is None else confidence_of(row.confidence, rows.file, line)
    answers, chosen = _answers_of(row, confidence, rows.file, line, ranked)
    final = answers[chosen - 1] if answers else Answer("")
    question = plain(row.id)
    outcome = None if row.outcome is msgspec.UNSET else outcome_of(row.outcome, rows.file, line, words)
    if outcome is None and row.score is None:
        outcome = NO_VERDICT, None
    worth = None if row.score is None or row.score is msgspec.UNSET else float(row.score)
    amounts = {name: getattr(row, name) for name in USAGE}
    stated.add(
        question, line, outcome, score=worth, kind=row.kind, problem=row.problem, sample=row.sample,
        usage={name: amount for name, amount in amounts.items() if not _is_nested(name, amount)},
        text=final.text if answers else None, doc=final.doc, answers=answers, final=chosen,
        confidence=confidence if final.confidence is None else final.confidence, confident=row.confident,
        candidate=None if row.candidate is None else plain(row.candidate), extra=extra,
    )  # fmt: skip


def _answers_of(
    row: _AnswerLine, confidence: float | None, name: str, line: int, ranked: bool
) -> tuple[list[Answer], int]:
    """Return the answers of a line in order, and the place of the final one; an empty text is no answer."""
    doc = None if row.doc is None else plain(row.doc)
    question = plain(row.id)
    finals = [row.final] if isinstance(row.final, int) else row.final or []
    if row.answers is msgspec.UNSET:
        is_stated = row.score is not msgspec.UNSET or row.kind is not None or row.problem is not None
        if row.answer is msgspec.UNSET and row.outcome is msgspec.UNSET and not is_stated:
            problem = "gives no answer; expected answer, answers or outcome (an answer of null leaves it unanswered)"
            raise FormatError(name, line or None, f"question {question!r} {problem}")
        answers = [] if row.answer in (None, msgspec.UNSET) else [Answer(plain(row.answer), doc, confidence)]
    elif row.answer is not msgspec.UNSET:
        raise FormatError(
            name, line or None, f"question {question!r} has both answer and answers; expected one of them"
        )
    else:
        ranked_answers = _in_rank_order(row.answers, question, name, line)
        answers = [_answer(answer, doc, name, line) for answer in ranked_answers]
        finals += [
            place for place, answer in enumerate(ranked_answers, 1) if isinstance(answer, _RunAnswer) and answer.final
        ]
    if len(set(finals)) > 1:
        places = " and ".join(map(str, sorted(set(finals))))
        problem = f"has {len(set(finals))} final answers, {places}; expected one"
        raise FormatError(name, line or None, f"question {question!r} {problem}")
    final = finals[0] if finals else 1
    if ranked and not all(answer.text.strip() for answer in answers):
        place = 1 + next(i for i, answer in enumerate(answers) if not answer.text.strip())
        raise FormatError(
            name, line or None, f"answer {place} to question {question!r} is empty; leave it out, or write NIL"
        )
    if answers and not 1 <= final <= len(answers):
        raise FormatError(
            name, line or None, f"final {final}: expected a number from 1 to {len(answers)}, the answers given"
        )
    if finals and answers and not answers[final - 1].text.strip():
        raise FormatError(name, line or None, f"final {final}: that answer to question {question!r} is empty")
    final -= sum(not answer.text.strip() for answer in answers[: final - 1])
    answers = [answer for answer in answers if answer.text.strip()]
    if answers and answers[final - 1].confidence is None:
        answers[final - 1].confidence = confidence
    return answers, final


def _in_rank_order(answers: list[_RunAnswer | str], question: str, name: str, line: int) -> list[_RunAnswer | str]:
    """Sort answers by their ranks, if they have ranks; gaps and repeats are errors."""
    ranks = [answer.rank if isinstance(answer, _RunAnswer) else None for answer in answers]
    if all(rank is None for rank in ranks):
        return answers
    stated = [rank for rank in ranks if rank is not None]
    if sorted(stated) != list(range(1, len(answers) + 1)):
        twice = first_repeated(stated)
        known = {*stated}
        missing = next((rank for rank in range(1, len(answers) + 1) if rank not in known), None)
        what = f"rank {twice} twice" if twice is not None else f"no rank {missing}"
        expected = f"expected ranks from 1 to {len(answers)}, each once, or none at all"
        raise FormatError(name, line or None, f"question {question!r} has {what}; {expected}")
    return [answer for _, answer in sorted(zip(stated, answers, strict=True), key=lambda pair: pair[0])]


def _answer(answer: _RunAnswer | str, doc: str | None, name: str, line: int) -> Answer:
    if isinstance(answer, str):
        return Answer(answer, doc)
    confidence = None if answer.confidence is None else confidence_of(answer.confidence, name, line)
    return Answer(plain(answer.text), doc if answer.doc is None else plain(answer.doc), confidence)


@reads(
    "answer dict",
    role="run",
    task="outcomes",
    yields="{id: answer}, {id: (answer, confidence)} or {id: {field: value}}",
    recognises=is_flat,
    shapes="mapping",
    after=("search-hits",),
)
def answers_from_python(source: Source, words: Words = USUAL) -> Rows:
    """Read {id: answer} or {id: (answer, confidence)}, None for no answer; or the fields of a line of JSONL by id.

    >>> from assay.io.sources import Source
    >>> answers_from_python(Source("run", data={"q1": ("Paris", 0.9), "q2": None})).texts
    ['Paris', None]
    >>> answers_from_python(Source("run", data={"q1": {"answer": "Paris", "cost": 0.002}})).usage
    {'cost': [0.002]}
    """
    rows = Rows(source.label or source.name, source.name)
    stated_columns = OutcomeColumns(rows)
    for identity, answer in entries(source):
        if isinstance(answer, dict):
            _add_fields(rows, stated_columns, identity, answer, words)
            continue
        pair: tuple[Any, ...] = answer if isinstance(answer, tuple) else (answer, None)
        if len(pair) != 2 or not isinstance(pair[0], str | int | float | None):
            expected = "expected a text, (text, confidence), None or a dict of fields such as answer and cost"
            raise source.error(None, f"question {identity!r}: {expected}, found {answer!r:.40}")
        text, confidence = (None if isinstance(cell, float) and isnan(cell) else cell for cell in pair)
        stated = None if confidence is None else confidence_of(confidence, source.name, 0)
        answer_text = None if text is None else plain(text)
        stated_columns.add(
            identity, 0, text=answer_text if answer_text and not answer_text.isspace() else None, confidence=stated
        )
    stated_columns.finish()
    return rows


def _add_fields(
    rows: Rows, stated: OutcomeColumns, identity: str, fields: dict[str, Any], words: Words
) -> None:  # fmt: skip
    """Add a question from the fields of a line of JSONL; NaN and None are empty."""
    known = {name: None if isinstance(value, float) and isnan(value) else value for name, value in fields.items()}
    try:
        row = msgspec.convert({**known, "id": identity}, _AnswerLine)
    except msgspec.ValidationError as problem:
        raise FormatError(rows.file, None, f"question {identity!r}: {problem}") from None
    if row.run is not None or row.sample is not None:
        raise FormatError(
            rows.file,
            None,
            f"question {identity!r} has a run or sample; expected {{run: {{id: fields}}}}, a sample each",
        )
    extra = {name: value for name, value in known.items() if name not in FIELDS or _is_nested(name, value)}
    _add(rows, stated, row, 0, False, words, extra)


MAX_DECODED_AT_ONCE = 32 << 20
"""Bytes of a file that `plain_rows` decodes: 200,000 lines take 0.16 s, one by one 1.0 s."""
ESCAPED = (b"\\u006", b"\\u007")
"""The start of a JSON escape that could be a letter of a key."""


class _LabelLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    id: str
    answer: str | msgspec.UnsetType | None = msgspec.UNSET
    outcome: Text | msgspec.UnsetType | None = msgspec.UNSET
    confidence: Annotated[float, msgspec.Meta(ge=0, le=1)] | msgspec.UnsetType | None = msgspec.UNSET


_FIELDS = _LabelLine.__struct_fields__
_decode_lines = msgspec.json.Decoder(_LabelLine).decode_lines


def plain_rows(source: Source, words: Words) -> Rows | None:
    """Decode a file of id, answer or outcome, and confidence at once; None where lines must be parsed one by one.

    >>> source = Source("run", data=b'{"id": "q1", "answer": "Paris", "confidence": 0.9}')
    >>> plain_rows(source, Words()).texts, plain_rows(Source("run", data=b'{"id": "q1", "answer": 7}'), Words())
    (['Paris'], None)
    """
    if source.head.shape != "json" or source.is_stream or _size(source) > MAX_DECODED_AT_ONCE:
        return None
    content = source.read_text()
    rows = _rows(source, content, words)
    if rows is None:
        source.give_back(content)
    return rows


def _rows(source: Source, content: bytes, words: Words) -> Rows | None:
    try:
        rows = _decode_lines(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    ids, answers, outcomes, confidences = columns = [[*map(attrgetter(name), rows)] for name in _FIELDS]
    unset = [column.count(msgspec.UNSET) for column in columns]
    if not _a_line_each(content, len(ids)) or _hides_a_key(content, [len(ids) - count for count in unset]):
        return None
    if unset[1] and unset[2] and any(a is o is msgspec.UNSET for a, o in zip(answers, outcomes, strict=True)):
        return None
    states = _states(outcomes, words)
    if states is None:
        return None
    source.head.text = source.head.text.partition(b"\n")[0]  # the first line shows every field
    # Columns of numbers alone take a fraction of the memory, and of a thousand runs all may be held.
    filled: dict[str, Any] = {"ids": ids, "lines": range(1, len(ids) + 1)}
    filled["outcomes"] = states if unset[2] else array("b", states)
    if unset[3] or None in confidences:
        filled["confidences"] = [None if confidence is msgspec.UNSET else confidence for confidence in confidences]
    else:
        filled["confidences"] = array("d", confidences)
    if unset[1] == len(ids):
        filled["texts"] = _nothing(len(ids))
    else:
        filled["texts"] = [None if not text or text.isspace() else text for text in answers]  # UNSET is false, too
    return Rows(source.label or source.stem, source.name, **filled)


@lru_cache(maxsize=1)
def _nothing(size: int) -> tuple[None, ...]:
    """Return the texts of a run of outcomes alone: one shared column for all runs of as many questions."""
    return (None,) * size


def _size(source: Source) -> int:
    return len(source.data) if source.path is None else os.path.getsize(source.path)


def _a_line_each(content: bytes, objects: int) -> bool:
    """Return whether every line is one object.

    Objects of these fields contain no brace outside texts, and texts no line end: where every line begins with a brace, each
    is one whole object.
    """
    begun = content.count(b"\n{") + content.startswith(b"{")
    return begun == objects == content.count(b"\n") + (not content.endswith(b"\n"))


def _hides_a_key(content: bytes, read: list[int]) -> bool:
    """Return whether an object may repeat a key, of which the decoder keeps the last: more keys are written than were read."""
    if content.count(b":") == sum(read):
        return False
    written = [content.count(b'"%s"' % name.encode()) for name in _FIELDS]
    return written != read or any(letter in content for letter in ESCAPED)


def _states(outcomes: list[Any], words: Words) -> list[Any] | None:
    """Return the outcomes as states; None where one of them is a score or an unknown word."""
    meaning: dict[Any, int | None] = {msgspec.UNSET: None}
    for value in {*outcomes} - {msgspec.UNSET}:
        try:
            meaning[value] = words(value)[0]
        except ValueError:
            return None
        if meaning[value] not in (CORRECT, INCORRECT, UNANSWERED, FAILED, NO_VERDICT):
            return None
    return [*map(meaning.__getitem__, outcomes)]
