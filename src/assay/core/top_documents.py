"""The first documents of every topic of a run, read and ranked by the compiled core."""

from __future__ import annotations

import ctypes
from itertools import chain

from assay.core import binding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Block = tuple[str, list[str], Sequence[float]]
    """A topic, its first documents, and their scores."""

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
