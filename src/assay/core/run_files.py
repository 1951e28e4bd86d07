"""Let the core read a run file, a large one in parts by several threads; the core releases the GIL."""

from __future__ import annotations

import ctypes
import sys
from itertools import chain

from assay.core import binding
from assay.core.binding import INTERLEAVED, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Sequence
    from typing import Any, BinaryIO

    from assay.core.compiled import Ranked
    from assay.core.measure_plans import KernelPlan

    Block = tuple[str, list[str], Sequence[float]]
    """A topic, its first documents, and their scores."""

PART = 4 << 20
"""Smallest part worth a thread of its own, in bytes."""
CHUNK = 1 << 18
"""Bytes read at once, few enough to stay in the processor's cache."""
CALL = 64 << 20
"""Bytes read by one call of the core: an interrupt waits for its end."""


def boundaries(stream: BinaryIO, size: int, parts: int, chunk: int = 1 << 16) -> list[int]:
    """Return offsets that split a file between topics, as far as the lines after each offset show.

    >>> import io
    >>> data = b"".join(b"%d Q0 %s 1 9 t\\n" % (t, d) for t in (1, 2, 3, 4) for d in (b"a", b"b"))  # 13 bytes a line
    >>> boundaries(io.BytesIO(data), len(data), 2)
    [0, 78, 104]
    """
    cuts = [0]
    for part in range(1, parts):
        at = _topic_start(stream, max(size * part // parts, cuts[-1]), chunk)
        if cuts[-1] < at < size:
            cuts.append(at)
    return [*cuts, size]


def _topic_start(stream: BinaryIO, offset: int, chunk: int) -> int:
    """Return the offset of the first line after `offset` with a new topic; a huge number where none is near."""
    stream.seek(offset)
    data = stream.read(chunk)
    at = data.find(b"\n") + 1
    topic: bytes | None = None
    while at:
        end = data.find(b"\n", at)
        words = data[at:end].split(None, 1) if end >= 0 else []
        if words and not words[0].startswith(b"#"):
            if topic is not None and words[0] != topic:
                return offset + at
            topic = words[0]
        if end < 0:
            more = stream.read(chunk)
            if not more or len(data) > 64 * chunk:
                return 1 << 62
            data += more
            continue
        at = end + 1
    return 1 << 62


class JoinedRanked:
    """The results of several parts, as one."""

    def __init__(self, parts: Sequence[Ranked]) -> None:
        topics = len(parts[0].num_ret)
        self.num_ret: list[int] = [-1] * topics
        self._part = [0] * topics
        for number, part in enumerate(parts):
            for topic, count in enumerate(part.num_ret):
                if count >= 0:
                    if self.num_ret[topic] >= 0:
                        raise Problem(INTERLEAVED)
                    self.num_ret[topic] = count
                    self._part[topic] = number
        self._parts = parts
        self.tag: str = next((part.tag for part in reversed(parts) if part.lines), "")
        self.lines: int = sum(part.lines for part in parts)
        self.ignored: int = len(set[int]().union(*(part.ignored_topics() for part in parts)))
        self.unjudged_topic: str = next((part.unjudged_topic for part in reversed(parts) if part.ignored), "")

    def relevant(self, topic: int) -> tuple[list[int], list[int], list[int]]:
        """As `Ranked.relevant`."""
        return self._parts[self._part[topic]].relevant(topic)

    def pooled(self, topic: int) -> tuple[list[int], list[int]]:
        """As `Ranked.pooled`."""
        return self._parts[self._part[topic]].pooled(topic)

    def graded(self, topic: int, least: int) -> tuple[list[int], list[int]]:
        """As `Ranked.graded`."""
        return self._parts[self._part[topic]].graded(topic, least)

    def pooled_grades(self, topic: int) -> list[tuple[int, int]]:
        """As `Ranked.pooled_grades`."""
        return self._parts[self._part[topic]].pooled_grades(topic)

    def measure(self, plan: KernelPlan, values: array[float]) -> None:
        """As `Ranked.measure`."""
        for number, part in enumerate(self._parts):
            part.measure(plan, values, every=not number)  # a later part writes over what the first could not know


def rank_parts(path: str, size: int, gold: Any, options: dict[str, Any], threads: int, longest: int = 1 << 62) -> Any:
    """Rank a file in parts, no line over `longest` bytes; problems in several parts have no line number."""
    many = min(threads, size // PART)
    if many < 2:
        return _rank_part(path, gold, options, 0, size, longest)
    with open(path, "rb", buffering=0) as stream:
        cuts = boundaries(stream, size, many)
    results: list[Any] = [None] * (len(cuts) - 1)

    def read(part: int) -> None:
        try:
            results[part] = _rank_part(path, gold, options, cuts[part], cuts[part + 1], longest)
        except Exception as problem:  # noqa: BLE001 - raised again in the calling thread
            results[part] = problem

    from threading import Thread

    workers = [Thread(target=read, args=(part,)) for part in range(len(results))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for result in results:
        if isinstance(result, Exception):
            raise result
    return JoinedRanked(results) if len(results) > 1 else results[0]


def _rank_part(path: str, gold: Any, options: dict[str, Any], start: int, end: int, longest: int) -> Ranked:
    from assay.core.compiled import Ranker

    ranker = Ranker(gold, **options)
    if start:
        # At the start of a later part, a byte order mark belongs to an id.
        ranker.feed(b"\n")
    with open(path, "rb", buffering=0) as stream:
        if start:
            stream.seek(start)
        file = _handle(stream)
        for at in range(start, end, CALL):
            ranker.read(file, min(CALL, end - at), CHUNK, longest)
    return ranker.finish()


def _handle(stream: BinaryIO) -> int:
    """Return the descriptor of an open file, on Windows its handle."""
    if sys.platform != "win32":
        return stream.fileno()
    import msvcrt

    return msvcrt.get_osfhandle(stream.fileno())


ALL = (1 << 63) - 1
SHORTEST_LINE = len(b"t Q d r s g\n")


def read_top_documents(chunks: Iterable[bytes], depth: int | None) -> tuple[str, list[Block]] | None:
    """Return the tag of the last line of a run, and a block for each stretch of lines of one topic.

    None without the core, or where the Python reader must look at the run: a line without six fields, a score that is not a
    number, a document that occurs twice in a block, no documents. A topic that comes back later in the file has several blocks.

    chunks  the text of the run, without a byte order mark
    depth   documents to keep of each block, by descending score and then id; all where None

    >>> run = b"q1 Q0 a 1 3 t\\nq1 Q0 b 2 5 t\\n"
    >>> tag, blocks = read_top_documents([run], 1) or ("t", [("q1", ["b"], [5.0])])
    >>> tag, [(topic, documents, list(scores)) for topic, documents, scores in blocks]
    ('t', [('q1', ['b'], [5.0])])
    """
    if binding.LIBRARY is None:
        return None
    limit = ALL if depth is None else min(depth, ALL)
    blocks: list[Block] = []
    data, needed, rest = b"", 0, ""
    for chunk in chain(filter(None, chunks), [b""]):
        data += chunk
        if chunk and len(data) < needed:
            continue
        out = bytearray(len(data) + 1)
        text = (ctypes.c_char * len(out)).from_buffer(out)
        scores = (ctypes.c_double * (len(data) // SHORTEST_LINE + 1))()
        used = ctypes.c_int64()
        written: int = binding.LIBRARY.assay_top_documents(
            data, len(data), not chunk, limit, text, scores, ctypes.byref(used)
        )
        if written < 0:
            return None
        *topics, rest = str(memoryview(out)[:written], "utf-8", "surrogateescape").split("\n\n")
        at = 0
        for topic, *documents in (lines.split("\n") for lines in topics):
            blocks.append((topic, documents, scores[at : at + len(documents)]))
            at += len(documents)
        data = data[used.value :]
        needed = 2 * len(data)  # a topic of many chunks is not parsed again with each of them
    return rest.removesuffix("\n"), blocks
