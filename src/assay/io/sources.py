"""Open a path, URL, standard input, bytes or Python object once; decompress it, and look at its beginning.

Compression is recognised by the first bytes of the content, never by the file's name; the format by its `Head` (`io.heads`).
"""

from __future__ import annotations

import os
import stat
import sys

from assay.errors import FormatError, InputError
from assay.io.heads import BOM, MAGIC, Head, head_of_bytes, head_of_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, BinaryIO

listener: Callable[[str, int], object] | None = None
"""Called with the name of a source and the number of bytes just read of it. A command that shows its progress sets it."""
finder: Callable[[list[str]], object] | None = None
"""Called with the names of the sources that will be read, as far as they are known; set with `listener`."""
CHUNK = 1 << 20
HEAD = 1 << 16
"""Bytes of the beginning of a file from which its format is recognised."""
LINE = 64 << 20
"""The longest line of a text in bytes: one line is in memory at a time."""
BINARY = ("parquet", "zip")
"""Shapes of files that are not text."""
LARGEST_BINARY = 16 << 20
"""Bytes of a stream with a zero byte that are read before it is refused."""
NO_TEXT = "holds a zero byte: not a text file (or UTF-16); expected UTF-8"
GOLD_DATA = "<gold>"
"""The name in messages of gold that is data; a run that it holds is called `run`."""
GOLD = ("gold", "qrel", "truth", "judgment", "judgement")
"""Words in names of gold files."""


class Source:
    """One input: its `name` in messages, and its `path`, or else its `data`.

    A file is opened once: bytes read for its head are kept, and reading continues after them. Only a second reading of a file that
    is larger than its head opens it again. Standard input and pipes cannot be opened again: their content is kept by `read`.
    """

    def __init__(self, name: str, *, path: str | None = None, data: Any = None, label: str | None = None) -> None:
        self.name = name
        self.path = path
        self.data = data
        self.is_bytes: bool = path is not None or isinstance(data, bytes)
        """Whether this is a path or bytes, rather than a dict or a data frame."""
        self.label = label
        """The run's name where the caller gave one, for example as the key of a dict of runs."""
        self.argument: str | None = None
        """The path, folder or pattern of the caller that matched this file."""
        self.assumptions: dict[str, None] = {}
        """What its reader assumed where the content alone does not say, to be printed once."""
        self._head: Head | None = None
        self._first: list[bytes] | None = None
        """The pieces read for the head; the whole content where `_rest` is None."""
        self._rest: Iterator[bytes] | None = None
        self._compression: str | None = None
        self._spent = False
        self._is_stream: bool | None = None

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the path or the data; of standard input and pipes the content, if it was read."""
        path, data = self.path, self.data
        if self.is_stream:
            if self._first is None or self._rest is not None:
                raise InputError(f"{self.name}: can be read only once, here; save it to a file first")
            path, data = None, b"".join(self._first)
        return _source, (self.name, path, data, self.label)

    def error(self, line: int | None, problem: str) -> FormatError:
        """Return an error about one of its lines, or (None) about all of it."""
        return FormatError(self.name, line, problem)

    @property
    def is_stream(self) -> bool:
        """Whether it can be read only once: standard input or a pipe."""
        if self._is_stream is None:
            self._is_stream = self.path is not None and _is_stream(self.path)
        return self._is_stream

    @property
    def state(self) -> tuple[int, int] | None:
        """Size and time of a local file, to notice changes; None where there is none."""
        try:
            status = None if self.path is None or self.path == "-" else os.stat(self.path)
        except OSError:
            return None
        return None if status is None else (status.st_size, status.st_mtime_ns)

    @property
    def stem(self) -> str:
        """The file's name without folder and endings, the default name of a run."""
        if self.path == "-" or self.name == GOLD_DATA:
            return "stdin" if self.path == "-" else "run"
        base = os.path.basename(self.name if self.path is None or is_remote(self.path) else self.path)
        for ending in (".gz", ".xz", ".bz2", ".zst"):
            base = base.removesuffix(ending)
        for ending in (".run", ".txt", ".res", ".trec", ".jsonl", ".json", ".csv", ".tsv", ".parquet"):
            if base.removesuffix(ending):
                base = base.removesuffix(ending)
        return base

    @property
    def head(self) -> Head:
        """The decompressed beginning, read once."""
        if self._head is None:
            if not self.is_bytes:
                self._head = head_of_object(self.data)
                return self._head
            seen = b""
            self._first, self._rest = [], self._pieces()
            while len(seen) < HEAD:
                piece = next(self._rest, None)
                if piece is None:
                    self._rest = None
                    break
                self._first.append(piece)
                seen += piece[:HEAD]
            self._head = head_of_bytes(seen[:HEAD])
            if self._head.shape == "parquet":
                self._head.text = self._footer()
        return self._head

    def _footer(self) -> bytes:
        """Return the footer of a Parquet file, which names its columns; empty where the file is cut off."""
        stream = self.parts()
        if stream is not None:
            try:
                size = stream.seek(0, os.SEEK_END)
                stream.seek(size - min(size, 8))
                end = stream.read(8)
                length = int.from_bytes(end[:4], "little") + 8
                stream.seek(size - min(size, length))
                footer = stream.read(length)
            finally:
                stream.close()
        else:
            footer = self.read()
            footer = footer[-int.from_bytes(footer[-8:-4], "little") - 8 :]
        return footer if footer.endswith(b"PAR1") else b""

    @property
    def is_held(self) -> bool:
        """Whether the head is the whole content, so that the file need not be opened again."""
        _ = self.head
        return self._first is not None and self._rest is None

    def parts(self) -> Any:
        """Open a file for random access; None where it must be read whole. Its head was read before."""
        if self.path is None or self.compression() is not None:
            return None
        if not is_remote(self.path):
            return self.opened() if os.path.isfile(self.path) else None
        if sum(map(len, self._first or ())) < HEAD:
            return None  # the head is the whole file
        from assay.io.remote import Ranged

        remote = Ranged(self.path)
        return remote if remote.has_ranges else None

    def compression(self) -> str | None:
        """Return gzip, xz, bz2, zstd or None."""
        _ = self.head
        return self._compression

    def chunks(self) -> Iterator[bytes]:
        """Yield the decompressed content in pieces."""
        if self._first is None:
            yield from self._pieces()
            return
        first, rest = self._first, self._rest
        if rest is not None:
            self._first = self._rest = None
        yield from first
        yield from rest or ()

    def read(self) -> bytes:
        """Return the whole decompressed content."""
        return self._whole(self.chunks())

    def give_back(self, content: bytes) -> None:
        """Keep content for the next reader, so that the file is not opened again."""
        self._first, self._rest = [content], iter(())

    def text(self) -> Iterator[bytes]:
        """Yield the same pieces as `chunks`; refuse a line longer than any line of text."""
        limit, once, before = LineLimit(LINE), self.is_stream, 0
        seen = 0
        for chunk in self.chunks():
            at = limit.exceeded(chunk)
            if at is not None:
                counted = before + chunk.count(b"\n", 0, at) if once else self._newlines(seen + at)
                from assay.io.unpacking_limits import readable

                raise self.error(counted + 1, f"is longer than {readable(LINE)}; expected lines of text")
            seen += len(chunk)
            # Counting lines takes as long as reading them: where the file can be read again, only an error counts them.
            before += chunk.count(b"\n") if once else 0
            yield chunk

    def read_text(self) -> bytes:
        """Return the whole content, checked as by `text`."""
        return self._whole(self.text())

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of a text, also an empty last one, without line ends and byte order mark."""
        lines = self.raw_lines()
        yield next(lines).removeprefix(BOM)
        yield from lines

    def raw_lines(self) -> Iterator[bytes]:
        """Yield the lines as `lines` does, with the byte order mark: their lengths add up to offsets in the file."""
        parts: list[bytes] = []
        for chunk in [self.read_text()] if self.is_stream else self.text():
            *whole, rest = chunk.split(b"\n")
            if whole:
                yield b"".join([*parts, whole[0]])
                yield from whole[1:]
                parts.clear()
            parts.append(rest)
        yield b"".join(parts)

    def _whole(self, chunks: Iterator[bytes]) -> bytes:
        if not self.is_stream:
            return b"".join(chunks)
        content = b"".join(chunks if self.head.shape in BINARY else self._refuse_endless_binary(chunks))
        self._first, self._rest = [content], None
        return content

    def _refuse_endless_binary(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the chunks; refuse binary data after `LARGEST_BINARY` bytes, as /dev/urandom never ends.

        Shorter streams are left to their reader, whose error names the first fault.
        """
        lines = size = 0
        zero_line: int | None = None
        for chunk in chunks:
            at = chunk.find(0) if zero_line is None else -1
            if at >= 0:
                zero_line = lines + chunk.count(b"\n", 0, at) + 1
            lines += chunk.count(b"\n")
            size += len(chunk)
            if zero_line is not None and size > LARGEST_BINARY:
                raise self.error(zero_line, NO_TEXT)
            yield chunk

    def _newlines(self, size: int) -> int:
        """Read the first bytes again and count their line ends."""
        count = 0
        for chunk in self._pieces():
            count += chunk.count(b"\n", 0, size)
            size -= len(chunk)
            if size <= 0:
                break
        return count

    def close(self) -> None:
        """Close a file of which only the head was read."""
        if self._rest is not None:
            self._first = self._rest = None

    def opened(self) -> BinaryIO:
        """Open the raw bytes, not decompressed; the caller closes the stream."""
        if self._spent and self.is_stream:
            raise InputError(f"{self.name}: can be read only once; save it to a file first")
        self._spent = True
        if self.path == "-":
            return sys.stdin.buffer
        if isinstance(self.data, bytes):
            import io

            return io.BytesIO(self.data)
        if self.path is None:
            raise InputError(f"{self.name}: expected a path or bytes, found {type(self.data).__name__}")
        if is_remote(self.path):
            from assay.io.remote import Remote

            return Remote(self.path)  # type: ignore[return-value] - only `read` and `close` are used
        try:
            return open(self.path, "rb", buffering=0)
        except OSError as problem:
            if os.path.isdir(self.path):
                expected = "expected a file, or a folder with logs that assay knows"
                raise InputError(f"{self.name}: is a folder; {expected}{_advice_on_folder(self.path)}") from None
            raise InputError(f"{self.name}: cannot be read: {problem.strerror or problem}") from None

    def _pieces(self) -> Iterator[bytes]:
        stream = self.opened()
        try:
            _report_read(self.name, 0)
            piece = stream.read(min(HEAD, CHUNK))  # a slow stream may have no more than the head
            for magic, kind in MAGIC.items():
                if piece.startswith(magic):
                    from assay.io.decompression import unpacked

                    self._compression = kind
                    for part in unpacked(kind, piece, stream, self.name, CHUNK):
                        _report_read(self.name, len(part))
                        yield part
                    return
            while piece:
                _report_read(self.name, len(piece))
                yield piece
                piece = stream.read(CHUNK)
        except OSError as problem:
            raise InputError(f"{self.name}: cannot be read: {problem.strerror or problem}") from None
        finally:
            if self.path != "-":
                stream.close()


def _report_read(name: str, size: int) -> None:
    if listener is not None:
        listener(name, size)


def _source(name: str, path: str | None, data: Any, label: str | None) -> Source:
    return Source(name, path=path, data=data, label=label)


def _is_stream(path: str) -> bool:
    if path == "-":
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):  # opening it reports the error
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def source_of(thing: Any, name: str | None = None) -> Source:
    """Return a source of a path, bytes, a dict, tuples or a data frame; a source itself unchanged."""
    if isinstance(thing, Source):
        return thing
    path = path_of(thing)
    if path is not None:
        return Source(_display_name(path), path=path, label=name)
    return source_of_data(thing, name or "<data>", name)


def source_of_data(thing: Any, name: str, label: str | None = None) -> Source:
    """Return a source of data in memory: of an iterator its items, of the objects of ranx their dicts and their name.

    >>> source_of_data(iter([("q1", "d1", 1)]), "run").data
    [('q1', 'd1', 1)]
    """
    if isinstance(thing, bytearray):
        return Source(name, data=bytes(thing), label=label)
    if type(thing).__module__.partition(".")[0] == "ranx" and hasattr(thing, "to_dict"):
        return Source(name, data=dict(thing.to_dict()), label=label or thing.name)
    if is_iterated_once(thing):
        thing = list(iter(thing))  # `list` alone would ask for a length, which may be costly
    return Source(name, data=thing, label=label)


def is_iterated_once(thing: Any) -> bool:
    """Return whether a Python object is an iterator, or makes its items as ir_datasets' judgments do; no open file is.

    >>> is_iterated_once(iter([])), is_iterated_once([]), is_iterated_once({})
    (True, False, False)
    """
    if not hasattr(thing, "__iter__") or isinstance(thing, (list, tuple, set, frozenset, str, bytes, bytearray)):
        return False
    return not any(hasattr(thing, name) for name in ("keys", "columns", "read", "__array__", "__fspath__"))


def path_of(thing: Any) -> str | None:
    """Return the path of a caller's argument; None where it is data.

    >>> path_of("runs/a.run"), path_of({"q1": {}})
    ('runs/a.run', None)
    """
    if hasattr(thing, "__fspath__"):
        thing = thing.__fspath__()
    return thing if isinstance(thing, str) else None


def is_remote(path: str) -> bool:
    """Return whether a path is a URL such as s3://bucket/a.run or https://host/a.run.

    >>> is_remote("s3://bucket/a.run"), is_remote("runs/a.run"), is_remote("file://a"), is_remote("simplecache::https://host/a")
    (True, False, True, True)
    """
    scheme, separator, _ = path.partition("://")
    return bool(separator) and len(scheme) > 1 and scheme.replace("::", "").isalnum()  # one letter is a drive


def expand(paths: Iterable[str]) -> list[Source]:
    """Return the files of paths, URLs, folders and patterns.

    A folder means its files; where it contains only folders, as of a campaign's submissions, the files of these.
    """
    sources: list[Source] = []
    for path in paths:
        if is_remote(path):
            from assay.io.remote import addresses

            sources += [Source(_display_name(address), path=address) for address in addresses(path)]
        elif os.path.isdir(path):
            files = _files(path) or [file for folder in _entries(path) for file in _files(folder)]
            if not files:
                raise InputError(f"{path}: is a folder without files; expected run files in it")
            sources += [Source(name, path=name) for name in files]
        elif not os.path.exists(path) and any(c in path for c in "*?["):
            from glob import glob

            names = sorted(glob(path, recursive=True))
            _check_files(names)
            if not names:
                raise InputError(f"{path}: no file matches this pattern")
            sources += [Source(name, path=name) for name in names]
        else:
            sources.append(Source(_display_name(path), path=path))
    if finder is not None:
        finder([source.name for source in sources])
    return sources


def _display_name(path: str) -> str:
    """Return the name of a path in messages; a URL without secrets."""
    if is_remote(path):
        from assay.io.url_redaction import bare

        return bare(path)
    return "<stdin>" if path == "-" else path


def _advice_on_folder(folder: str) -> str:
    """Return which arguments to give instead of a folder with gold and runs, as far as file names tell."""
    try:
        there = _entries(folder)
    except OSError:
        return ""
    named = (e for e in there if any(word in os.path.basename(e).lower() for word in GOLD))
    gold = next(filter(os.path.isfile, named), None)
    runs = next((e for e in there if os.path.isdir(e)), None) or next((e for e in there if e != gold), None)
    return f". It holds {gold}: give that first, and then the runs, as in {gold} {runs}" if gold and runs else ""


def _entries(folder: str) -> list[str]:
    """Return the entries of a folder, sorted, without hidden ones."""
    if not os.path.isdir(folder):
        return []
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if not name.startswith("."))


def _files(folder: str) -> list[str]:
    entries = _entries(folder)
    _check_files(entries)
    return [entry for entry in entries if os.path.isfile(entry)]


def _check_files(entries: Iterable[str]) -> None:
    """Refuse broken links, which would lose a run, and pipes, which would wait for ever."""
    for entry in entries:
        if not os.path.isfile(entry) and not os.path.isdir(entry):
            dangling = os.path.islink(entry) and not os.path.exists(entry)
            what = "is a broken link" if dangling else "is a pipe, a socket or a device"
            raise InputError(f"{entry}: {what}; expected a file. Fix: remove it, or name the runs one by one")


def readable_again(source: Source) -> Source | None:
    """Return the same source without cached content; None where it can be read only once."""
    if source.is_stream:
        return None
    return source if source.path is None else Source(source.name, path=source.path, label=source.label)


class LineLimit:
    """Find lines over a limit in a stream of chunks.

    >>> limit = LineLimit(4)
    >>> limit.exceeded(b"ab\\nabc"), limit.exceeded(b"d\\nabcd"), limit.exceeded(b"e")
    (None, None, 0)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._length = 0

    def exceeded(self, chunk: bytes) -> int | None:
        """Return the offset in the next bytes at which a line becomes too long; None where none does."""
        # A line within a slice of that size cannot be too long, only one that continues after it.
        for at in range(0, len(chunk), self._most):
            piece = chunk[at : at + self._most]
            end = piece.find(b"\n")
            if self._length + (len(piece) if end < 0 else end) > self._most:
                return at
            self._length = self._length + len(piece) if end < 0 else len(piece) - piece.rfind(b"\n") - 1
        return None
