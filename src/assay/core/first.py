"""The first documents of a run by the compiled core, which reads it several times as fast as Python; what it leaves, Python reads."""

from __future__ import annotations

import ctypes

from assay.core import binding

EVERY = (1 << 63) - 1


def first_documents(text: bytes, depth: int | None) -> tuple[str, dict[str, list[str]]] | None:
    """The tag of the last line of a run, and by topic its first documents in their order; None where a line needs a closer look, a
    topic comes back after another, or there is no compiled core.

    text    the whole run, without a byte order mark
    depth   how many documents of a topic are wanted; all where left out
    """
    if binding.LIBRARY is None:
        return None
    out = bytearray(len(text) + 1)  # which the core fills; a page it does not reach is never made
    room = (ctypes.c_char * len(out)).from_buffer(out)
    written: int = binding.LIBRARY.assay_first(text, len(text), EVERY if depth is None else min(depth, EVERY), room)
    if written < 0:
        return None
    *blocks, tag = str(memoryview(out)[: written - 1], "utf-8", "surrogateescape").split("\n\n")
    found: dict[str, list[str]] = {}
    for block in blocks:
        topic, *documents = block.split("\n")
        found[topic] = documents
    return (tag, found) if len(found) == len(blocks) else None
