"""Texts of the documents of a collection of any size, which is read through once.

    JSONL    {"id": "d1", "title": "Paris", "text": "Paris is the capital …", "url": "https://…"}
    TSV      d1<TAB>Paris is the capital …
    TREC     <DOC> <DOCNO>FBIS3-1</DOCNO> <HEADLINE>…</HEADLINE> <TEXT>…</TEXT> </DOC>
    folder   files named after documents (d1, d1.txt, d1.html); or, where none is, files of the forms above

The id may be called id, _id, docno, doc_id, docid or pid, the text text, contents, body, passage or abstract.

`read_documents` returns snippets for reports. `find_texts` gives random access to whole texts: memory holds the file offset of each
document. Compressed files cannot be seeked: their documents are copied into a temporary file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from html import unescape
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from assay.errors import InputError
from assay.formats.auxiliary.topics import named
from assay.formats.jsonl import json_lines, json_object, plain
from assay.formats.object_ids import id_text, note_line
from assay.formats.recognition import reads
from assay.io.file_pieces import Pieces, Span
from assay.io.heads import BOM, is_mapping
from assay.io.sources import LINE, Source, path_of, source_of

IDS = ("id", "_id", "docno", "doc_id", "docid", "pid")
TEXTS = ("text", "contents", "body", "passage", "abstract")
LINKS = ("url", "link", "uri")
SNIPPET = 240
"""Characters of a document that a snippet keeps."""
EXPECTED = "expected a JSON object a line, lines of id, tab, text, or <DOC> with a <DOCNO>"
COMPRESSED = (".gz", ".xz", ".bz2", ".zst")
MARKUP = (".html", ".htm", ".xml", ".sgml")
_BEGIN, _END = re.compile(rb"<DOC\b[^<>]*>", re.IGNORECASE), re.compile(rb"</DOC\s*>", re.IGNORECASE)
_DOCNO = re.compile(rb"<DOCNO\s*>\s*([^<>]+?)\s*</DOCNO\s*>", re.IGNORECASE)
_TITLE = re.compile(r"<(TITLE|HEADLINE|HL|TI|H3)\b[^<>]*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_BODY = re.compile(r"<(TEXT|BODY|ABSTRACT|CONTENTS)\b[^<>]*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_HIDDEN = re.compile(r"<(script|style)\b[^<>]*>.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<\s*(?:/?(?:p|div|h[1-6]|li|ul|ol|tr|table|section|article)\b[^<>]*|br\s*/?)>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z!][^<>]*>", re.IGNORECASE)


class Text(NamedTuple):
    """A document as a person reads it."""

    title: str
    text: str
    link: str = ""


class LocatedDocument(NamedTuple):
    """The raw text of a document, and its offset; None where its file cannot be seeked."""

    line: int
    id: str
    raw: bytes
    form: str
    start: int | None


@reads("documents", role="beside", yields="the texts of documents, by id")
def read_documents(source: Source, ids: Collection[str] | None = None) -> dict[str, str]:
    """Return snippets of the documents with some ids, or of all; reading stops after the last of them."""
    left = None if ids is None else {*ids}
    texts: dict[str, str] = {}
    for entry in _wanted(source, left):
        text = _FORMS[entry.form](entry.raw)
        names = ("title", *TEXTS)
        if entry.form == "json" and not any(b'"%s"' % name.encode() in entry.raw for name in names):
            raise source.error(entry.line, f"document {entry.id!r} has no text; expected one of {', '.join(TEXTS)}")
        texts[entry.id] = snippet(" · ".join(filter(None, (text.title, text.text))))
    return texts


def _wanted(source: Source, left: set[str] | None) -> Iterator[LocatedDocument]:
    """Yield the documents with ids in `left`, removing these, until none is left; all documents where it is None."""
    first: dict[str, int] = {}
    line = 0
    for entry in _entries(source) if left is None or left else ():
        line = entry.line
        if left is None or entry.id in left or entry.id in first:
            note_line(first, entry.id, source, line, f"document {entry.id!r}")
            yield entry
            if left is not None:
                left.discard(entry.id)
                if not left:
                    return
    if not line and (left is None or left):
        raise source.error(None, f"holds no documents; {EXPECTED}")


def snippet(text: str, most: int = SNIPPET) -> str:
    """Return the beginning of a text on one line, cut between words.

    >>> snippet("Paris is the\\n capital of France", 20), snippet("Paris"), snippet("a" * 30, 20)
    ('Paris is the …', 'Paris', 'aaaaaaaaaaaaaaaaaa …')
    """
    # Splitting a whole long document into words would take time for nothing.
    words = " ".join(text[: 8 * most].split())
    if len(words) <= most and len(text) <= 8 * most:
        return words
    cut = words[: most - 2]
    whole = cut if words[most - 2 : most - 1] == " " else cut.rpartition(" ")[0] or cut
    return f"{whole} …"


class DocumentTexts:
    """The texts of documents by id, read on demand."""

    def __init__(self) -> None:
        self._texts: dict[str, Callable[[], Text]] = {}
        self._copies: IO[bytes] | None = None

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, document: str) -> bool:
        return document in self._texts

    def get(self, document: str) -> Text | None:
        """Return a document, or None."""
        return self._texts[document]() if document in self._texts else None

    def close(self) -> None:
        """Delete the temporary copies."""
        if self._copies is not None:
            self._copies.close()

    def add_files(self, files: Mapping[str, str]) -> None:
        """Register documents that are whole files."""
        for document, file in files.items():
            self._texts[document] = partial(_of_file, Source(file, path=file))

    def add(self, entry: LocatedDocument, pieces: Pieces) -> None:
        """Register a document that is a part of a source."""
        form, size, read = _FORMS[entry.form], len(entry.raw), pieces.read
        if entry.start is not None and pieces.plain:
            span = entry.start, size
        else:
            span, read = (self._copy(entry.raw), size), self._read_copy
        self._texts[entry.id] = lambda: form(read(span))

    def _copy(self, raw: bytes) -> int:
        """Append a document to the temporary copies and return its offset."""
        if self._copies is None:
            self._copies = TemporaryFile()  # noqa: SIM115 - closed with the texts
        start = self._copies.seek(0, os.SEEK_END)
        self._copies.write(raw)
        return start

    def _read_copy(self, span: Span) -> bytes:
        assert self._copies is not None
        self._copies.seek(span[0])
        return self._copies.read(span[1])


def find_texts(docs: Any, ids: Collection[str], progress: Callable[[int, int], None] | None = None) -> DocumentTexts:
    """Locate the documents with some ids; reading stops after the last of them.

    docs       a path, several, bytes, or {id: text}
    ids        the documents to find
    progress   called with the number of documents found, and of all to find

    >>> texts = find_texts(b"d1\\tParis is the capital\\nd2\\tLyon\\n", {"d1"})
    >>> texts.get("d1"), texts.get("d2")
    (Text(title='', text='Paris is the capital', link=''), None)
    """
    texts = DocumentTexts()
    if is_mapping(docs):
        import json

        lines = (
            json.dumps({"id": id_text(document, "documents"), "text": str(text)}) for document, text in docs.items()
        )
        docs = "\n".join(lines).encode()
    left = {*ids}
    for source in _sources(docs, left, texts):
        pieces = Pieces(source)
        for entry in _wanted(source, left):
            _FORMS[entry.form](entry.raw)  # an error here comes before judging starts
            texts.add(entry, pieces)
            if progress is not None:
                progress(len(texts), len(ids))
    if progress is not None:
        progress(len(ids), len(ids))
    return texts


def _sources(docs: Any, left: set[str], texts: DocumentTexts) -> Iterator[Source]:
    """Yield the files to read; register at once the documents of a folder whose files are named after them."""
    for doc in docs if isinstance(docs, list | tuple) else [docs]:
        path = path_of(doc)
        if path is None or not os.path.isdir(path):
            yield source_of(doc, None if path is not None else "<docs>")
            continue
        files = [
            os.path.join(folder, name)
            for folder, _, names in sorted(os.walk(path))
            for name in sorted(names)
            if not name.startswith(".") and os.path.isfile(os.path.join(folder, name))  # a pipe would never end
        ]
        if not files:
            raise InputError(f"{path}: is a folder without files; expected documents in it")
        # Ids are never made into paths: a pool could then name any file of this machine.
        named_after = _named_after(files, left)
        texts.add_files(named_after)
        left -= named_after.keys()
        if not named_after:
            yield from (Source(file, path=file) for file in files)


def _named_after(files: Sequence[str], ids: Collection[str]) -> dict[str, str]:
    """Return the file of each document, named like it, with or without an ending; two candidates are an error."""
    names: dict[str, tuple[int, str]] = {}
    for file in files:
        for distance, name in enumerate(_names(file)):
            if name not in ids:
                continue
            before = names.get(name)
            if before is not None and before[1] != file and before[0] == distance:
                raise InputError(f"{file}: is document {name!r}, and so is {before[1]}; expected one file for each")
            if before is None or distance < before[0]:
                names[name] = (distance, file)
    return {name: file for name, (_, file) in names.items()}


def _names(file: str) -> list[str]:
    """Return the ids that a file of one document may have, the likeliest first."""
    base = os.path.basename(file)
    bare = _uncompressed(base)
    return [base, bare, bare.rpartition(".")[0] or bare]


def _uncompressed(name: str) -> str:
    return next((name.removesuffix(ending) for ending in COMPRESSED if name.endswith(ending)), name)


def _entries(source: Source) -> Iterator[LocatedDocument]:
    shape = source.head.shape
    if shape in ("parquet", "zip"):
        raise source.error(None, f"is no text; {EXPECTED}")
    if shape == "array":
        import json

        for line, row in json_lines(source, "documents"):
            yield LocatedDocument(line, _json_id(source, line, row), json.dumps(row).encode(), "json", None)
        return
    if source.head.text[:1] == b"<":
        yield from _marked(source)
        return
    at = 0
    for number, raw in enumerate(source.raw_lines(), 1):
        start, at = at, at + len(raw) + 1
        line = raw.removeprefix(BOM) if number == 1 else raw
        start += len(raw) - len(line)
        if not line.strip():
            continue
        if shape == "json":
            identity = _json_id(source, number, json_object(source, number, line))
            yield LocatedDocument(number, identity, line, "json", start)
            continue
        cell, tab, _ = line.partition(b"\t")
        identity = _decoded(cell).strip()
        if not tab or not identity:
            raise source.error(number, f"found {_decoded(line.strip()[:40])!r}; {EXPECTED}")
        if number > 1 or identity.lower() not in IDS:
            yield LocatedDocument(number, identity, line, "tsv", start)


def _json_id(source: Source, line: int, fields: Mapping[str, Any]) -> str:
    """Return the id of a JSON object, whose title and text are checked."""
    identity = named(source, line, fields, IDS)
    for name in ("title", *TEXTS):
        if fields.get(name) is not None and not isinstance(fields[name], str):
            raise source.error(line, f"document {identity!r}: {name} is {fields[name]!r:.40}; expected a text")
    return identity


def _marked(source: Source) -> Iterator[LocatedDocument]:
    """Yield TREC documents, from <DOC> to </DOC>."""
    at = first = start = size = 0
    parts: list[bytes] = []
    for number, raw in enumerate(source.raw_lines(), 1):
        line, position = raw + b"\n", 0
        while position < len(line):
            if not parts:
                begin = _BEGIN.search(line, position)
                if begin is None:
                    break
                first, start, size, position = number, at + begin.start(), 0, begin.start()
            end = _END.search(line, position)
            stop = len(line) if end is None else end.end()
            parts.append(line[position:stop])
            size, position = size + stop - position, stop
            if size > LINE:
                raise source.error(first, f"a <DOC> of more than {LINE >> 20} MiB; expected </DOC> before that")
            if end is not None:
                document, parts = b"".join(parts), []
                name = _DOCNO.search(document)
                if name is None:
                    raise source.error(first, "a <DOC> without a <DOCNO>; expected one in each")
                yield LocatedDocument(first, _decoded(name[1]), document, "marked", start)
        at += len(line)
    if parts:
        raise source.error(first, "a <DOC> without </DOC>: the file is cut off; copy it again")


def _decoded(raw: bytes) -> str:
    """Decode UTF-8; where bytes are not UTF-8, Windows-1252, as in older collections."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _of_json(raw: bytes) -> Text:
    fields: dict[str, Any] = json_object(Source("<document>", data=raw), 1, raw)
    text = next((fields[name] for name in TEXTS if fields.get(name) is not None), "")
    link = next((plain(fields[name]) for name in LINKS if fields.get(name)), "")
    return Text((fields.get("title") or "").strip(), text.strip(), link)


def _of_tsv(raw: bytes) -> Text:
    return Text("", _decoded(raw).partition("\t")[2].strip())


def _of_marked(raw: bytes) -> Text:
    return Text(*title_and_text(_decoded(_DOCNO.sub(b"", raw))))


def _of_file(source: Source) -> Text:
    """Read a file that is one document, without its tags where its name ends as markup does."""
    pieces: list[bytes] = []
    size = 0
    for piece in source.chunks():
        size += len(piece)
        if size > LINE:
            raise source.error(None, f"is a document of more than {LINE >> 20} MiB")
        pieces.append(piece)
    raw = b"".join(pieces).removeprefix(BOM)
    if _uncompressed(source.name).lower().endswith(MARKUP):
        return Text(*title_and_text(_decoded(raw)))
    return Text("", _decoded(raw).strip())


_FORMS: dict[str, Callable[[bytes], Text]] = {"json": _of_json, "tsv": _of_tsv, "marked": _of_marked}


def title_and_text(document: str) -> tuple[str, str]:
    """Return title and text of an HTML page or TREC document; without a text element, the text is all but the title.

    >>> title_and_text("<DOC><HEADLINE>Fire &amp; ice</HEADLINE><TEXT><P>One.</P><P>Two.</P></TEXT><LENGTH>9</LENGTH></DOC>")
    ('Fire & ice', 'One.\\n\\nTwo.')
    """
    visible = _HIDDEN.sub("", document)
    title = _TITLE.search(visible)
    bodies = [match[2] for match in _BODY.finditer(visible)]
    text = "\n".join(bodies) if bodies else _TITLE.sub("", visible, count=1)
    return " ".join(strip_tags(title[2]).split()) if title else "", strip_tags(text)


def strip_tags(text: str) -> str:
    """Remove the tags of a text.

    >>> strip_tags("<p>Fish &amp; chips</p><p>1 < 2</p>")
    'Fish & chips\\n\\n1 < 2'
    """
    without_tags = unescape(_TAG.sub(" ", _BREAK.sub("\n\n", text)))
    lines = [" ".join(line.split()) for line in without_tags.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
