"""SQuAD v2: gold articles, predictions {id: text} with "" for no answer, and {id: probability of no answer}."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from assay.errors import InputError
from assay.formats.answers.rows import Rows, confidence_of
from assay.formats.json_files import decode, error_text, repeated_key
from assay.formats.object_ids import note_line
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source


class _Answer(msgspec.Struct):
    text: str


class _SquadQuestion(msgspec.Struct):
    id: str
    question: str = ""
    answers: list[_Answer] = []
    is_impossible: bool = False


class _Paragraph(msgspec.Struct):
    qas: list[_SquadQuestion]


class _Article(msgspec.Struct):
    paragraphs: list[_Paragraph]
    title: str = ""


class _SquadFile(msgspec.Struct):
    data: list[_Article]


class SquadQuestion:
    """A question with its gold texts, none if it is impossible; its paragraph is its cluster."""

    __slots__ = ("fields", "id", "texts")

    def __init__(self, id: str, texts: list[str], article: str, paragraph: str) -> None:
        self.id: str = id
        self.texts: list[str] = texts
        self.fields: dict[str, str] = {"type": "HasAns" if texts else "NoAns", "article": article, "cluster": paragraph}


def _decode(source: Source) -> _SquadFile:
    document = decode(source, _SquadFile, 'SQuAD\'s {"data": [{"paragraphs": [{"qas": [...]}]}]}')
    twice = repeated_key(source.read())
    if twice is not None:
        raise source.error(None, f"the key {twice!r} appears twice in one object; expected each once")
    return document


def _articles(head: Head) -> bool:
    """one JSON object with `data`, and `paragraphs` or a `version`."""
    return "id" not in head.record and head.has("data") and (b'"paragraphs"' in head.text or head.has("version"))


@reads(
    "squad",
    role="gold",
    task="outcomes",
    yields="SQuAD's articles with their questions",
    recognises=_articles,
    shapes="json",
    markers=("data",),
)
def read_articles(source: Source) -> list[SquadQuestion]:
    """Read the questions of all articles, in file order."""
    questions: list[SquadQuestion] = []
    seen: set[str] = set()
    for article in _decode(source).data:
        for number, paragraph in enumerate(article.paragraphs, 1):
            for question in paragraph.qas:
                if question.id in seen:
                    raise InputError(f"{source.name}: question {question.id!r} appears twice")
                seen.add(question.id)
                texts = [answer.text for answer in question.answers]
                if not texts and not question.is_impossible:
                    raise source.error(None, f"question {question.id!r} has no answers and is not marked is_impossible")
                questions.append(SquadQuestion(question.id, texts, article.title, f"{article.title}/{number}"))
    if not questions:
        raise InputError(f"{source.name}: holds no questions")
    return questions


def pairs(source: Source, expected: str) -> list[tuple[str, Any, int]]:
    """Return key, value and physical line of every entry of a flat JSON object, repeated keys included."""
    content = source.read()
    try:
        text = content.decode("utf-8-sig")
        document: Any = json.loads(text, object_pairs_hook=_Pairs, parse_constant=_no_constant)
    except json.JSONDecodeError as problem:
        raise source.error(problem.lineno, f"broken JSON ({problem.msg}); expected {expected}") from None
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{source.name}: broken JSON ({error_text(problem)}); expected {expected}") from None
    if not isinstance(document, _Pairs) or not document:
        raise InputError(f"{source.name}: expected {expected}")
    entries: list[tuple[str, Any, int]] = []
    offset, line = 0, 1
    for key, value in document:
        after = text.find(json.dumps(key, ensure_ascii=False), offset)
        if after >= 0:
            line += text.count("\n", offset, after)
            offset = after + 1
        entries.append((key, value, line))
    return entries


def _once(source: Source, expected: str) -> Iterator[tuple[str, Any, int]]:
    """Yield the entries of `pairs`; a repeated key is an error."""
    first: dict[str, int] = {}
    for key, value, line in pairs(source, expected):
        note_line(first, key, source, line, f"question {key!r}")
        yield key, value, line


class _Pairs(list[Any]):
    """A JSON object as its pairs, so that a repeated key is seen."""


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _texts(head: Head) -> bool:
    """one JSON object of ids and texts."""
    several = re.search(rb"\}\s*\n\s*\{", head.text) is not None  # a text of JSON holds no line end: these are lines
    texts = not several and re.match(rb'\{\s*"[^"]*"\s*:\s*"', head.text) is not None
    return texts and not head.has("id", "data") and all(isinstance(value, str) for value in head.record.values())


@reads(
    "squad-predictions",
    role="run",
    task="outcomes",
    yields="SQuAD's predictions, {id: text}",
    recognises=_texts,
    shapes="json",
    after=("records",),
    recovers="entry",
)
def read_predictions(source: Source) -> Rows:
    """Read one run: `texts` as predicted, "" where the system gives no answer."""
    rows = Rows(source.label or source.stem, source.name)
    for identity, text, line in _once(source, "predictions as {id: text}"):
        if not isinstance(text, str):
            raise source.error(line, f"question {identity!r}: {text!r}: expected a text, empty for no answer")
        rows.add(identity, line, text=text)
    return rows


@reads(
    "squad-na-prob",
    role="beside",
    yields="SQuAD's probabilities of no answer, {id: number}",
    recovers="entry",
)
def read_na_probabilities(source: Source) -> dict[str, float]:
    """Return the probability that a question has no answer, by question."""
    return {
        identity: confidence_of(value, source.name, line, f"probability of {identity!r}")
        for identity, value, line in _once(source, "probabilities of no answer as {id: number}")
    }
