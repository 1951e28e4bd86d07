"""The beginnings of documents, for reports: JSONL or TSV, read up to the last wanted document.

    JSONL   {"id": "d1", "title": "Paris", "text": "Paris is the capital of France …"}
    TSV     d1<TAB>Paris is the capital of France …

The id may be called id, _id, docno, doc_id, docid or pid, the text text, contents, body, passage or abstract.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from assay.formats.auxiliary.topics import named, tabbed
from assay.formats.jsonl import json_lines
from assay.formats.recognition import reads
from assay.io.sources import Source

IDS = ("id", "_id", "docno", "doc_id", "docid", "pid")
TEXTS = ("text", "contents", "body", "passage", "abstract")
SNIPPET = 240
"""How many letters of a document are kept."""
EXPECTED = "expected a JSON object a line, or lines of id, tab, text"


@reads("documents", role="beside", yields="the texts of documents, by id")
def read_documents(source: Source, ids: Collection[str] | None = None) -> dict[str, str]:
    """Read the beginnings of the documents with some ids, or of all; reading stops after the last of them."""
    texts: dict[str, str] = {}
    first: dict[str, int] = {}
    if ids is not None and not ids:
        return texts
    left = None if ids is None else {*ids}
    line = 0
    for line, identity, text in _entries(source):
        if identity in first:
            raise source.error(
                line, f"document {identity!r} stands already on line {first[identity]}; expected each once"
            )
        if left is not None and identity not in left:
            continue
        first[identity] = line
        texts[identity] = snippet(text)
        if left is not None:
            left.discard(identity)
            if not left:
                break
    if not line:
        raise source.error(None, f"holds no documents; {EXPECTED}")
    return texts


def _entries(source: Source) -> Iterator[tuple[int, str, str]]:
    shape = source.head.shape
    if shape in ("json", "array"):
        for line, fields in json_lines(source, "documents"):
            identity = named(source, line, fields, IDS)
            yield line, identity, _title_and_text(source, line, fields, identity)
    elif shape in ("parquet", "zip"):
        raise source.error(None, f"is no text; {EXPECTED}")
    else:
        yield from tabbed(source, IDS, EXPECTED)


def _title_and_text(source: Source, line: int, fields: Mapping[str, Any], identity: str) -> str:
    """Return title and text of a document, joined."""
    parts: list[str] = []
    for names in (("title",), TEXTS):
        name = next((name for name in names if fields.get(name) is not None), None)
        if name is None:
            continue
        if not isinstance(fields[name], str):
            raise source.error(line, f"document {identity!r}: {name} is {fields[name]!r:.40}; expected a text")
        parts.append(fields[name])
    if not parts:
        raise source.error(line, f"document {identity!r} has no text; expected one of {', '.join(TEXTS)}")
    return " · ".join(filter(None, (part.strip() for part in parts)))


def snippet(text: str, most: int = SNIPPET) -> str:
    """Return the beginning of a text on one line, cut between words.

    >>> snippet("Paris is the\\n capital of France", 20), snippet("Paris"), snippet("a" * 30, 20)
    ('Paris is the …', 'Paris', 'aaaaaaaaaaaaaaaaaa …')
    """
    # No more is looked at than could be shown, however long the document is.
    words = " ".join(text[: 8 * most].split())
    if len(words) <= most and len(text) <= 8 * most:
        return words
    cut = words[: most - 2]
    whole = cut if words[most - 2 : most - 1] == " " else cut.rpartition(" ")[0] or cut
    return f"{whole} …"
