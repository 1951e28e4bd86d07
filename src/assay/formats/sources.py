"""Where bytes come from: a path, standard input, bytes in memory; compressed or not. Or no bytes at all: a Python object.

Compression is recognised by the first bytes of the content, never by the file's name.
"""

from __future__ import annotations

import os
import sys

from assay.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, BinaryIO

CHUNK = 1 << 20

MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "xz", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}


class Source:
    """One thing to read: `name` is what messages call it, `path` its file if it has one, `data` its content otherwise."""

    __slots__ = ("data", "label", "name", "path")

    def __init__(self, name: str, *, path: str | None = None, data: Any = None, label: str | None = None) -> None:
        self.name = name
        self.path = path
        self.data = data
        self.label = label
        """The run's name where the caller gave one, as the keys of a dict of runs do."""

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    @property
    def is_stdin(self) -> bool:
        return self.path == "-"

    @property
    def is_stream(self) -> bool:
        """Whether it can be read only once: standard input, a pipe."""
        return self.is_stdin or (self.path is not None and os.path.exists(self.path) and not _is_regular(self.path))

    @property
    def is_bytes(self) -> bool:
        """Whether there is a text to parse, rather than a dict or a data frame."""
        return self.path is not None or isinstance(self.data, bytes)

    @property
    def stem(self) -> str:
        """The file's name without folder and endings, to call a run by."""
        base = os.path.basename(self.path or self.name)
        for ending in (".gz", ".xz", ".bz2", ".zst"):
            base = base.removesuffix(ending)
        for ending in (".run", ".txt", ".res", ".trec", ".jsonl", ".json", ".csv", ".tsv"):
            if base.removesuffix(ending):
                base = base.removesuffix(ending)
        return base

    def open(self) -> BinaryIO:
        """The raw bytes as they lie on disk, not decompressed."""
        if self.is_stdin:
            return sys.stdin.buffer
        if isinstance(self.data, bytes):
            import io

            return io.BytesIO(self.data)
        assert self.path is not None
        try:
            if os.path.isdir(self.path):
                raise InputError(f"{self.name}: is a folder; expected a file")
            return open(self.path, "rb", buffering=0)
        except OSError as problem:
            raise InputError(f"{self.name}: cannot be read: {problem.strerror or problem}") from None

    def kept(self) -> Source:
        """A source that can be read more than once: standard input and pipes are taken in whole."""
        return Source(self.name, data=self.read(), label=self.label) if self.is_stream else self

    def compression(self) -> str | None:
        """gzip, xz, bz2, zstd or None; standard input is looked at when its chunks are read."""
        if self.path is None or self.is_stream:
            return None
        with self.open() as stream:
            return _recognise(stream.read(6))

    def chunks(self) -> Iterator[bytes]:
        """The content, decompressed, a piece at a time."""
        stream = self.open()
        try:
            head = stream.read(CHUNK)
            kind = _recognise(head)
            if kind is None:
                while head:
                    yield head
                    head = stream.read(CHUNK)
                return
            yield from _decompress(kind, head, stream, self.name)
        except OSError as problem:
            raise InputError(f"{self.name}: cannot be read: {problem.strerror or problem}") from None
        finally:
            if not self.is_stdin:
                stream.close()

    def read(self) -> bytes:
        """The whole content, decompressed."""
        return b"".join(self.chunks())


def _is_regular(path: str) -> bool:
    """A file or a folder: something that stays where it is."""
    return os.path.isfile(path) or os.path.isdir(path)


def _recognise(head: bytes) -> str | None:
    for magic, kind in MAGIC.items():
        if head.startswith(magic):
            return kind
    return None


def _decompress(kind: str, head: bytes, stream: BinaryIO, name: str) -> Iterator[bytes]:
    problems: tuple[type[Exception], ...] = (EOFError, OSError, ValueError)
    if kind == "gzip":
        import zlib

        problems = (*problems, zlib.error)

        def fresh() -> Any:
            return zlib.decompressobj(31)
    elif kind == "xz":
        import lzma

        problems = (*problems, lzma.LZMAError)
        fresh = lzma.LZMADecompressor
    elif kind == "bz2":
        import bz2

        fresh = bz2.BZ2Decompressor
    else:
        try:
            import zstandard
        except ImportError:
            raise InputError(f"{name}: is compressed with zstd; pip install 'assay-eval[zstd]' to read it") from None
        problems = (*problems, zstandard.ZstdError)

        def fresh() -> Any:
            return zstandard.ZstdDecompressor().decompressobj()

    try:
        # A compressed file may be several streams one after the other (cat a.gz b.gz), each with its own end.
        decoder = fresh()
        started = False
        while head:
            if decoder.eof:
                decoder, started = fresh(), False
            piece = decoder.decompress(head)
            started = True
            if piece:
                yield piece
            # Tapes and some tools fill the end of a compressed file with zeros.
            head = decoder.unused_data.lstrip(b"\0") if decoder.eof else b""
            if not head:
                head = stream.read(CHUNK)
        if started and not decoder.eof:
            raise EOFError
    except problems as problem:
        detail = "ends too early" if isinstance(problem, EOFError) else str(problem)
        raise InputError(f"{name}: the {kind} data is damaged: {detail}; compress the file again") from None


def source_of(thing: Any, name: str | None = None) -> Source:
    """A source from whatever the caller has: a path, bytes, a dict or a data frame."""
    if isinstance(thing, Source):
        return thing
    path = path_of(thing)
    if path is not None:
        return Source("<stdin>" if path == "-" else path, path=path, label=name)
    return Source(name or "<data>", data=bytes(thing) if isinstance(thing, bytearray) else thing, label=name)


def path_of(thing: Any) -> str | None:
    """The path a caller gave; None where it gave data.

    >>> path_of("runs/a.run"), path_of({"q1": {}})
    ('runs/a.run', None)
    """
    if hasattr(thing, "__fspath__"):
        thing = thing.__fspath__()
    return thing if isinstance(thing, str) else None


def expand(paths: Iterable[str]) -> list[Source]:
    """The runs that paths, folders and globs stand for.

    A folder means its files, or, where it holds only folders, as a campaign's submissions do, the files of those.
    """
    found: list[Source] = []
    for path in paths:
        if path == "-":
            found.append(Source("<stdin>", path="-"))
        elif os.path.isdir(path):
            files = _files(path) or [file for folder in _entries(path) for file in _files(folder)]
            if not files:
                raise InputError(f"{path}: is a folder without files; expected run files in it")
            found += [Source(name, path=name) for name in files]
        elif not os.path.exists(path) and any(c in path for c in "*?["):
            from glob import glob

            names = sorted(glob(path, recursive=True))
            if not names:
                raise InputError(f"{path}: no file matches this pattern")
            found += [Source(name, path=name) for name in names]
        else:
            found.append(Source(path, path=path))
    return found


def _entries(folder: str) -> list[str]:
    """What a folder holds, sorted, hidden things left out."""
    if not os.path.isdir(folder):
        return []
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if not name.startswith("."))


def _files(folder: str) -> list[str]:
    return [entry for entry in _entries(folder) if os.path.isfile(entry)]
