"""Text of which some parts stand out, such as the names of runs in a finding.

A name may be any word ("run", "2"), so that a text cannot be searched for names afterwards: they are marked where they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

Part = tuple[str, bool]
"""A piece of text, and whether it stands out."""
_START, _END = "\ue000", "\ue001"
"""Characters for private use, which `mark` removes from names."""
_MARKED = re.compile(f"{_START}([^{_END}]*){_END}")


class MarkedText(str):
    """A string that knows which of its parts stand out; wherever that does not matter it is an ordinary string.

    >>> text = MarkedText.of(f"{mark('2')} of 2 runs: {mark('run')}.")
    >>> text, text.parts
    ('2 of 2 runs: run.', (('2', True), (' of 2 runs: ', False), ('run', True), ('.', False)))
    """

    parts: tuple[Part, ...]

    @classmethod
    def of(cls, text: str) -> MarkedText:
        """Return the text without its marks.

        text   with the marks of `mark`
        """
        pieces = _MARKED.split(text)
        return cls.join_parts((piece, number % 2 == 1) for number, piece in enumerate(pieces))

    @classmethod
    def join_parts(cls, parts: Iterable[Part]) -> MarkedText:
        """Return the text that has these parts."""
        kept = tuple((piece, stands_out) for piece, stands_out in parts if piece)
        text = cls("".join(piece for piece, _ in kept))
        text.parts = kept
        return text

    def __getnewargs__(self) -> tuple[str]:
        return (str(self),)


def mark(text: str) -> str:
    """Mark a part that stands out, for `MarkedText.of`.

    text   such as the name of a run
    """
    return f"{_START}{text.replace(_START, '').replace(_END, '')}{_END}" if text else ""


def parts_of(text: str) -> tuple[Part, ...]:
    """Return the parts of any text; an ordinary string is one part that does not stand out."""
    return text.parts if isinstance(text, MarkedText) else ((text, False),) if text else ()


def marked(text: str) -> str:
    """Return a text with its marks again, to be part of another one."""
    return "".join(mark(piece) if stands_out else piece for piece, stands_out in parts_of(text))


def with_plain_parts(text: str, change: Callable[[str], str]) -> MarkedText:
    """Return a text in which `change` was applied to every part that does not stand out."""
    return MarkedText.join_parts((piece if out else change(piece), out) for piece, out in parts_of(text))
