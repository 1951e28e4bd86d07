"""The texts of topics and questions: TREC topics, JSONL or TSV.

    TREC    <top> <num> Number: 301 <title> International Organized Crime <desc> Description: … <narr> Narrative: … </top>
            <topic number="1"> <query>coronavirus origin</query> <question>…</question> <narrative>…</narrative> </topic>
    JSONL   {"id": "q1", "text": "Capital of France?"}
    TSV     q1<TAB>Capital of France?

The id may be called id, _id, qid, query_id, topic or number, the text text, query, title or question. The judging page shows
title (or query), description (desc, question, text) and narrative (narr) apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Any, NamedTuple

from assay.errors import FormatError
from assay.formats.jsonl import json_lines, plain
from assay.formats.object_ids import note_line
from assay.formats.recognition import reads
from assay.io.heads import BOM
from assay.io.sources import Source

IDS = ("id", "_id", "qid", "query_id", "topic", "number")
TEXTS = ("text", "query", "title", "question")
_TOPIC = re.compile(r"<top(?:ic)?\b([^<>]*)>", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([a-z][a-z0-9-]*)\b[^<>]*>", re.IGNORECASE)
_NUMBER = re.compile(r"""\bnumber\s*=\s*["']?\s*([^"'\s>]+)""", re.IGNORECASE)
_LABEL = re.compile(r"\A(?:number|topic|description|narrative)\s*:", re.IGNORECASE)
TITLES, DESCRIPTIONS, NARRATIVES = (
    ("title", "query"),
    ("description", "desc", "question", "text"),
    ("narrative", "narr"),
)
EXPECTED = "expected TREC topics (<top>), a JSON object a line, or lines of id, tab, text"


class Topic(NamedTuple):
    """The parts of a topic that an assessor reads; only the title is never empty."""

    title: str
    description: str = ""
    narrative: str = ""


@reads("topics", role="beside", yields="the texts of topics or questions, by id")
def read_topics(source: Source) -> dict[str, str]:
    """Read the text of every topic, in the order of the file."""
    return {identity: text for identity, text, _ in _once(source)}


def read_parts(source: Source) -> dict[str, Topic]:
    """Read the parts of every topic, in the order of the file."""
    return {identity: topic_of(parts) for identity, _, parts in _once(source)}


def topic_of(parts: Mapping[str, str]) -> Topic:
    """Return title, description and narrative; parts with other names are appended to the narrative.

    >>> topic_of({"desc": "What is it?"}), topic_of({"query": "horse hooves", "question": "Care?", "subtopic": "shoes"}).narrative
    (Topic(title='What is it?', description='', narrative=''), 'shoes')
    """
    title, description, narrative = (
        next((parts[name] for name in names if parts.get(name)), "") for names in (TITLES, DESCRIPTIONS, NARRATIVES)
    )
    known = (*TITLES, *DESCRIPTIONS, *NARRATIVES, "num")
    more = "\n".join(filter(None, [narrative, *(part for name, part in parts.items() if name not in known)]))
    return Topic(title, description, more) if title else Topic(description or more, "", more if description else "")


def _once(source: Source) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield id, text and parts of every topic; a repeated id is an error, and so is an empty file."""
    first: dict[str, int] = {}
    for line, identity, text, parts in _entries(source):
        note_line(first, identity, source, line, f"topic {identity!r}")
        yield identity, text, parts
    if not first:
        raise source.error(None, f"holds no topics; {EXPECTED}")


def _entries(source: Source) -> Iterator[tuple[int, str, str, dict[str, str]]]:
    """Yield physical line, id, text and parts of every topic."""
    shape = source.head.shape
    if shape in ("json", "array"):
        names = (*TITLES, *DESCRIPTIONS, *NARRATIVES)
        for line, fields in json_lines(source, "topics"):
            identity = named(source, line, fields, IDS)
            parts = {name: fields[name].strip() for name in names if isinstance(fields.get(name), str)}
            yield line, identity, _text_of(source, line, fields, identity), parts
    elif shape in ("parquet", "zip"):
        raise source.error(None, f"is no text; {EXPECTED}")
    elif source.head.text[:1] == b"<":
        yield from _marked(source)
    else:
        yield from ((line, identity, text, {"title": text}) for line, identity, text in tabbed(source, IDS, EXPECTED))


def named(source: Source, line: int, fields: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the id of a JSON object."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return plain(value)
        if name in fields:
            raise source.error(line, f"{name} {value!r:.40}: expected an id, a text or a whole number")
    raise source.error(line, f"has no id among {', '.join(map(str, fields))[:80]}; expected one of {', '.join(names)}")


def _text_of(source: Source, line: int, fields: Mapping[str, Any], identity: str) -> str:
    for name in TEXTS:
        if isinstance(fields.get(name), str):
            return fields[name].strip()
        if name in fields:
            raise source.error(line, f"topic {identity!r}: {name} is {fields[name]!r:.40}; expected a text")
    raise source.error(line, f"topic {identity!r} has no text; expected one of {', '.join(TEXTS)}")


def tabbed(source: Source, names: Sequence[str], expected: str) -> Iterator[tuple[int, str, str]]:
    """Yield physical line, id and text of every line of a TSV file, without a header."""
    for number, line in enumerate(source.lines(), 1):
        if not line.strip():
            continue
        text = decoded(source, line, number)
        identity, tab, rest = text.partition("\t")
        if not tab or not identity.strip():
            raise source.error(number, f"found {text.strip()[:40]!r}; {expected}")
        if number > 1 or identity.strip().lower() not in names:
            yield number, identity.strip(), rest.strip()


def decoded(source: Source, content: bytes, line: int) -> str:
    """Decode a text in UTF-8 that begins on a line."""
    try:
        text = content.decode()
    except UnicodeDecodeError as problem:
        at = line + content.count(b"\n", 0, problem.start)
        raise source.error(at, "is not UTF-8 text; save the file as UTF-8") from None
    if "\0" in text:
        at = line + text.count("\n", 0, text.index("\0"))
        raise source.error(at, "holds a zero byte: not a text file (or UTF-16); expected UTF-8")
    return text


def _marked(source: Source) -> Iterator[tuple[int, str, str, dict[str, str]]]:
    """Yield TREC topics, which are not XML: tags are often left open, and end where the next begins."""
    text = decoded(source, source.read_text().removeprefix(BOM), 1)
    starts = list(_TOPIC.finditer(text))
    if not starts:
        raise source.error(1, f"found markup without <top> or <topic>; {EXPECTED}")
    line, counted = 1, 0
    for start, end in zip(starts, [*(match.start() for match in starts), len(text)][1:], strict=True):
        line += text.count("\n", counted, start.start())
        counted = start.start()
        parts = _parts(text[start.end() : end])
        number = _NUMBER.search(start[1])
        identity = unescape(number[1]) if number else parts.pop("num", "")
        texts = [part for name, part in parts.items() if name != "num" and part]
        if not identity:
            raise FormatError(source.name, line, "a topic without a number; expected <num>, or <topic number=…>")
        if not texts:
            raise FormatError(
                source.name, line, f"topic {identity!r} has no text; expected a <title>, <desc> or <query>"
            )
        yield line, identity, "\n\n".join(texts), parts


def _parts(body: str) -> dict[str, str]:
    """Return the parts of a topic by tag, each up to the next tag; parts of one name are joined by line ends."""
    parts: dict[str, list[str]] = {}
    tags = list(_TAG.finditer(body))
    for tag, end in zip(tags, [*(match.start() for match in tags), len(body)][1:], strict=True):
        if not tag[1]:
            words = _LABEL.sub("", unescape(body[tag.end() : end]).strip()).strip()
            parts.setdefault(tag[2].lower(), []).append(" ".join(words.split()))
    return {name: "\n".join(filter(None, several)) for name, several in parts.items()}
