"""Random access to the texts of some documents of a collection of any size, which is read through once.

    JSONL    {"id": "d1", "title": "Paris", "text": "Paris is the capital …", "url": "https://…"}
    TSV      d1<TAB>Paris is the capital …
    TREC     <DOC> <DOCNO>FBIS3-1</DOCNO> <HEADLINE>…</HEADLINE> <TEXT>…</TEXT> </DOC>
    folder   files named after documents (d1, d1.txt, d1.html); or, where none is, files of the forms above

Memory holds the file offset of each wanted document. Compressed files cannot be seeked: their wanted documents are copied into a
temporary file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from html import unescape
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from assay.errors import InputError
from assay.formats.auxiliary.documents import EXPECTED, IDS, TEXTS
from assay.formats.auxiliary.topics import named
from assay.formats.jsonl import json_lines, json_object, plain
from assay.formats.object_ids import id_text
from assay.io.heads import BOM, is_mapping
from assay.io.sources import LINE, Source, path_of, source_of

LINKS = ("url", "link", "uri")
ENDINGS = (".gz", ".xz", ".bz2", ".zst")
MARKUP = (".html", ".htm", ".xml", ".sgml")
_BEGIN, _END = re.compile(rb"<DOC\b[^<>]*>", re.IGNORECASE), re.compile(rb"</DOC\s*>", re.IGNORECASE)
_DOCNO = re.compile(rb"<DOCNO\s*>\s*([^<>]+?)\s*</DOCNO\s*>", re.IGNORECASE)


class Text(NamedTuple):
    """A document as a person reads it."""

    title: str
    text: str
    link: str = ""


class _Place(NamedTuple):
    """The location of a document: in a file, or (no file) among the copies."""

    file: str | None
    start: int
    size: int
    form: str
    known: tuple[int, ...] | None = None


class DocumentTexts:
    """The texts of documents by id, read on demand."""

    def __init__(self) -> None:
        self._places: dict[str, _Place] = {}
        self._copies: IO[bytes] | None = None

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, document: str) -> bool:
        return document in self._places

    def get(self, document: str) -> Text | None:
        """Return a document, or None."""
        place = self._places.get(document)
        if place is None:
            return None
        if place.form == "file":
            return _of_file(Source(place.file or "", path=place.file))
        return _FORMS[place.form](self._raw(place, document))

    def close(self) -> None:
        """Delete the temporary copies."""
        if self._copies is not None:
            self._copies.close()

    def _raw(self, place: _Place, document: str) -> bytes:
        if place.file is None:
            assert self._copies is not None
            self._copies.seek(place.start)
            return self._copies.read(place.size)
        try:
            with open(place.file, "rb") as file:
                file.seek(place.start)
                raw = file.read(place.size)
        except OSError as problem:
            raise InputError(f"{place.file}: cannot be read: {problem.strerror or problem}") from None
        if _state(place.file) != place.known:
            raise InputError(f"{place.file}: has changed since document {document!r} was found in it; start again")
        return raw

    def add_file(self, document: str, file: str) -> None:
        """Register a document that is a whole file."""
        self._places[document] = _Place(file, 0, 0, "file")

    def add(self, document: str, source: Source, text: LocatedDocument) -> None:
        """Register a document that is a part of a source."""
        if text.start is not None and source.path is not None and source.compression() is None and not source.is_stream:
            place = _Place(source.path, text.start, len(text.raw), text.form, _state(source.path))
        else:
            if self._copies is None:
                self._copies = TemporaryFile()  # noqa: SIM115 - closed with the texts
            place = _Place(None, self._copies.seek(0, os.SEEK_END), len(text.raw), text.form)
            self._copies.write(text.raw)
        self._places[document] = place


class LocatedDocument(NamedTuple):
    """The raw text of a document, and its offset; None where its file cannot be seeked."""

    line: int
    id: str
    raw: bytes
    form: str
    start: int | None


def find_texts(docs: Any, ids: Collection[str], progress: Callable[[int, int], None] | None = None) -> DocumentTexts:
    """Locate the documents with some ids; reading stops after the last of them.

    given      a path, several, bytes, or {id: text}
    wanted     ids
    progress   called with the number of documents found and wanted

    >>> found = find_texts(b"d1\\tParis is the capital\\nd2\\tLyon\\n", {"d1"})
    >>> found.get("d1"), found.get("d2")
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
        first: dict[str, int] = {}
        line = 0
        for entry in _entries(source) if left else ():
            line = entry.line
            if entry.id in first:
                problem = f"document {entry.id!r} stands already on line {first[entry.id]}; expected each once"
                raise source.error(line, problem)
            if entry.id not in left:
                continue
            _FORMS[entry.form](entry.raw)  # an error here comes before judging starts
            first[entry.id] = line
            texts.add(entry.id, source, entry)
            left.discard(entry.id)
            if progress is not None:
                progress(len(ids) - len(left), len(ids))
            if not left:
                break
        if left and not line:
            raise source.error(None, f"holds no documents; {EXPECTED}, or <DOC> with a <DOCNO>")
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
        for document, file in named_after.items():
            texts.add_file(document, file)
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
    """Return the ids that a file of one document may stand for, the likeliest first."""
    base = os.path.basename(file)
    bare = next((base.removesuffix(ending) for ending in ENDINGS if base.endswith(ending)), base)
    return [base, bare, bare.rpartition(".")[0] or bare]


def _entries(source: Source) -> Iterator[LocatedDocument]:
    shape = source.head.shape
    if shape in ("parquet", "zip"):
        raise source.error(None, f"is no text; {EXPECTED}, or <DOC> with a <DOCNO>")
    if shape == "array":
        import json

        for line, row in json_lines(source, "documents"):
            yield LocatedDocument(line, named(source, line, row, IDS), json.dumps(row).encode(), "json", None)
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
            row = json_object(source, number, line)
            name = named(source, number, row, IDS)
            _checked(source, number, row, name)
            yield LocatedDocument(number, name, line, "json", start)
            continue
        identity, tab, _ = line.partition(b"\t")
        name = _decoded(identity).strip()
        if not tab or not name:
            raise source.error(number, f"found {_decoded(line.strip()[:40])!r}; {EXPECTED}")
        if number > 1 or name.lower() not in IDS:
            yield LocatedDocument(number, name, line, "tsv", start)


def _checked(source: Source, line: int, fields: Mapping[str, Any], identity: str) -> None:
    for name in ("title", *TEXTS):
        if fields.get(name) is not None and not isinstance(fields[name], str):
            raise source.error(line, f"document {identity!r}: {name} is {fields[name]!r:.40}; expected a text")


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


def _state(path: str) -> tuple[int, ...]:
    """Return values that change when a file is replaced or written to."""
    status = os.stat(path)
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


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
    bare = next((source.name.removesuffix(end) for end in ENDINGS if source.name.endswith(end)), source.name)
    if bare.lower().endswith(MARKUP):
        return Text(*title_and_text(_decoded(raw)))
    return Text("", _decoded(raw).strip())


_FORMS: dict[str, Callable[[bytes], Text]] = {"json": _of_json, "tsv": _of_tsv, "marked": _of_marked}


_TITLE = re.compile(r"<(TITLE|HEADLINE|HL|TI|H3)\b[^<>]*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_BODY = re.compile(r"<(TEXT|BODY|ABSTRACT|CONTENTS)\b[^<>]*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_SILENT = re.compile(r"<(script|style)\b[^<>]*>.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<\s*(?:/?(?:p|div|h[1-6]|li|ul|ol|tr|table|section|article)\b[^<>]*|br\s*/?)>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z!][^<>]*>", re.IGNORECASE)


def title_and_text(document: str) -> tuple[str, str]:
    """Return title and text of a document; without a text element, the text is all but the title.

    >>> title_and_text("<DOC><HEADLINE>Fire &amp; ice</HEADLINE><TEXT><P>One.</P><P>Two.</P></TEXT><LENGTH>9</LENGTH></DOC>")
    ('Fire & ice', 'One.\\n\\nTwo.')
    """
    heard = _SILENT.sub("", document)
    title = _TITLE.search(heard)
    bodies = [match[2] for match in _BODY.finditer(heard)]
    text = "\n".join(bodies) if bodies else _TITLE.sub("", heard, count=1)
    return " ".join(strip_tags(title[2]).split()) if title else "", strip_tags(text)


def strip_tags(text: str) -> str:
    """Remove the tags of a text.

    >>> strip_tags("<p>Fish &amp; chips</p><p>1 < 2</p>")
    'Fish & chips\\n\\n1 < 2'
    """
    plain = unescape(_TAG.sub(" ", _BREAK.sub("\n\n", text)))
    lines = [" ".join(line.split()) for line in plain.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
