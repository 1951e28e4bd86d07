"""Width of text in terminal columns: measure, wrap, pad and shorten it; narrow columns of a table."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TypeVar

Width = TypeVar("Width", int, float)

DEFAULT_WIDTH = 100
"""Columns of captions and charts, at most."""
CUTS = (0.5, 0.25, 0.75, 0.0, 1.0)
"""Where to cut long names: the share kept before the ellipsis, in order of preference."""


def cells_wide(text: str) -> int:
    """Return the terminal columns of a text: two for a wide character, none for a combining one.

    >>> cells_wide("abc"), cells_wide("中文"), cells_wide("e\\u0301")
    (3, 4, 1)
    """
    return sum(map(_wide, text))


def _wide(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrapped(text: str, width: int) -> list[str]:
    """Wrap text to a width, between words; longer words are broken.

    >>> wrapped("one two three", 7), wrapped("中文中文 ab", 6)
    (['one two', 'three'], ['中文中', '文 ab'])
    """
    lines: list[str] = []
    for word in text.split():
        if lines and cells_wide(lines[-1]) + 1 + cells_wide(word) <= width:
            lines[-1] += f" {word}"
            continue
        while cells_wide(word) > width:
            part = _beginning(word, width) or word[0]
            lines.append(part)
            word = word[len(part) :]
        if word:
            lines.append(word)
    return lines


def shortened(text: str, width: int, cut: float = 0.5) -> str:
    """Shorten text to a width with an ellipsis inside.

    >>> shortened("abc", 5), shortened("abcdefg", 5), shortened("中文中文", 5)
    ('abc', 'ab…fg', '中…文')
    """
    if cells_wide(text) <= width:
        return text
    before = _beginning(text, round((width - 1) * cut))
    after = _beginning(text[::-1], width - 1 - cells_wide(before))[::-1]
    return f"{before}…{after}"


def _beginning(text: str, width: int) -> str:
    """Return the longest beginning that fits the width."""
    used = 0
    for place, character in enumerate(text):
        used += _wide(character)
        if used > width:
            return text[:place]
    return text


def shorten_names(names: Sequence[str], width: int) -> list[str]:
    """Shorten names to a width, cut where different names stay different if possible.

    >>> shorten_names(["abcdefg", "abcdxfg", "short"], 5)
    ['a…efg', 'a…xfg', 'short']
    """
    for cut in CUTS:
        cut_names = [shortened(name, width, cut) for name in names]
        if len(set(cut_names)) == len(set(names)):
            return cut_names
    return [shortened(name, width) for name in names]


def narrow_longest(widths: Sequence[Width], places: Sequence[int], room: Width, least: Width) -> list[Width]:
    """Narrow the longest of some columns until all fit, if they can; none gets narrower than `least`.

    >>> narrow_longest([4, 30, 20], [1, 2], 40, 12)
    [4, 16, 20]
    """
    narrower = list(widths)
    while sum(narrower) > room:
        longest = max(places, key=lambda place: narrower[place], default=None)
        if longest is None or narrower[longest] <= least:
            break
        narrower[longest] = max(least, narrower[longest] - (sum(narrower) - room))
    return narrower


def filled(text: str, width: int) -> str:
    """Pad text with spaces to a width.

    >>> filled("中", 4) + "|"
    '中  |'
    """
    return text + " " * (width - cells_wide(text))
