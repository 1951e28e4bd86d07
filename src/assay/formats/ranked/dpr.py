"""Retrieval results of DPR, and of tools that write them alike (Contriever, FiD): questions with the passages retrieved for each.

    [{"question": "who …", "answers": ["…"], "ctxs": [{"id": "wiki:1", "score": "80.5", "has_answer": true}, …]}, …]

One array, or an object a line. A question is known by its text. The order of the passages is the ranking. `has_answer` (or
`hasanswer`) judges them: a file in the place of gold is its own judgments, and also a run, so that Success@20 is the top-20 accuracy
that the tool prints.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec

from assay.formats.json_files import has_keys
from assay.formats.jsonl import Id, plain
from assay.formats.lines import parse_number
from assay.formats.object_ids import note_line
from assay.formats.ranked.result_lists import scores_in_order
from assay.formats.recognition import reads
from assay.formats.records import typed_records
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "a question with its passages (question, ctxs)"


class _Passage(msgspec.Struct):
    id: Id
    score: float | str | None = None
    has_answer: bool | None = None
    hasanswer: bool | None = None


class _Question(msgspec.Struct):
    question: str
    ctxs: list[_Passage]


def _dpr(head: Head) -> bool:
    """a first object with `question` and `ctxs`, in an array, on a line or in a list of dicts."""
    if head.shape == "records":
        return {"question", "ctxs"} <= {*head.columns}
    path = "[]." if head.shape == "array" else ""
    return has_keys(head, f"{path}question", f"{path}ctxs")


@reads(
    "dpr",
    role="run",
    task="ranked",
    yields="DPR: passages retrieved for questions",
    recognises=_dpr,
    shapes="json array records",
    markers=("ctxs",),
)
def read_passages(source: Source) -> dict[str, dict[str, float]]:
    """Return {question: {passage: score}}.

    >>> read_passages(Source("dpr", data=b'{"question": "who?", "ctxs": [{"id": "p1", "score": "80.5"}]}'))
    {'who?': {'p1': 80.5}}
    """
    scores: dict[str, dict[str, float]] = {}
    for line, question in _questions(source):
        results = [(plain(passage.id), _score(passage, source, line)) for passage in question.ctxs]
        scores[question.question] = scores_in_order(results, partial(source.error, line))
    return scores


def _score(passage: _Passage, source: Source, line: int) -> float | None:
    if passage.score is None:
        return None
    score = parse_number(passage.score)
    if score != score:
        raise source.error(line, f"passage {passage.id}: expected a number as score, found {passage.score!r}")
    return score


@reads(
    "dpr-gold",
    role="gold",
    task="ranked",
    yields="DPR: which retrieved passages have an answer",
    recognises=_dpr,
    shapes="json array records",
    markers=("ctxs",),
)
def read_answers_found(source: Source) -> dict[str, dict[str, int]]:
    """Return {question: {passage: 1 where it has an answer, else 0}}.

    >>> read_answers_found(Source("dpr", data=b'{"question": "who?", "ctxs": [{"id": "p1", "has_answer": true}]}'))
    {'who?': {'p1': 1}}
    """
    grades: dict[str, dict[str, int]] = {}
    for line, question in _questions(source):
        judged = grades[question.question] = {}
        for passage in question.ctxs:
            has_answer = passage.hasanswer if passage.has_answer is None else passage.has_answer
            if has_answer is None:
                problem = f"passage {passage.id} has no `has_answer`; expected true or false. Fix: give the judgments before this file"
                raise source.error(line, problem)
            judged[plain(passage.id)] = int(has_answer)
    return grades


def _questions(source: Source) -> Iterator[tuple[int, _Question]]:
    """Yield every question with its line; one that occurs twice is refused."""
    first: dict[str, int] = {}
    for line, question in typed_records(source, _Question, EXPECTED):
        note_line(first, question.question, source, line, f"question {question.question!r:.60}")
        yield line, question
    if not first:
        raise source.error(None, f"is empty; expected {EXPECTED}")
