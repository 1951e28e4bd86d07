"""How questions ended, as a run states it in lines of JSON, read by the compiled core where every line is of the commonest shape."""

from __future__ import annotations

import ctypes
from array import array
from functools import lru_cache

from assay.core import binding

SAID = 16
"""Different words for outcomes that one file may have."""

SHORTEST = b'{"id":"","outcome":""}\n'


class Stated:
    """The columns of such a file."""

    __slots__ = ("confidences", "ids", "numbers", "words")

    def __init__(self, ids: list[str], numbers: bytearray, words: list[str], confidences: array[float]) -> None:
        self.ids = ids
        """One list for all files that have the same questions in the same order, as long as they are read one after the other."""
        self.numbers = numbers
        """Per question, which of the words it ended with."""
        self.words = words
        self.confidences = confidences
        """As many as are stated, in the order of their questions."""


def stated_outcomes(text: bytes) -> Stated | None:
    """What the file states; None where a line needs a closer look, or there is no compiled core.

    text   the whole file

    >>> found = stated_outcomes(b'{"id": "q1", "outcome": "C"}')
    >>> (["q1"], ["C"]) if found is None else (found.ids, found.words)
    (['q1'], ['C'])
    """
    if binding.LIBRARY is None:
        return None
    lines = (len(text) + 1) // len(SHORTEST) + 1
    names, numbers, confidences = bytearray(len(text) + 1), bytearray(lines), array("d", bytes(8 * lines))
    words, tally = (ctypes.c_int64 * (2 * SAID))(), (ctypes.c_int64 * 3)()
    ids, outcomes = ((ctypes.c_char * len(room)).from_buffer(room) for room in (names, numbers))
    found: int = binding.LIBRARY.assay_outcomes(
        text, len(text), lines, SAID, ids, outcomes, confidences.buffer_info()[0], words, tally
    )
    if found <= 0:
        return None
    named, said, stated = tally
    del ids, outcomes, numbers[found:], confidences[stated:]
    try:
        told = [
            str(text[at : at + length], "utf-8") for at, length in zip(words[: 2 * said : 2], words[1::2], strict=False)
        ]
        return Stated(_split(bytes(memoryview(names)[: named - 1])), numbers, told, confidences)
    except UnicodeDecodeError:
        return None


@lru_cache(maxsize=1)
def _split(names: bytes) -> list[str]:
    return names.decode().split("\n")
