"""Words in the columns of a terminal: how wide they are, how they are folded, and how a long name is shortened."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

CUTS = (0.5, 0.25, 0.75, 0.0, 1.0)
"""Where long names may be cut, as the share of what is left of them that stands before the ellipsis, in order of preference."""


def cells_wide(text: str) -> int:
    """How many columns of a terminal the text takes: two for each wide character, none for one that only combines.

    >>> cells_wide("abc"), cells_wide("中文"), cells_wide("e\\u0301")
    (3, 4, 1)
    """
    return sum(map(_wide, text))


def _wide(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of so many columns, broken between words; a word that is longer is broken itself.

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
    """The text in at most so many columns: what it begins and ends with, and an ellipsis between.

    >>> shortened("abc", 5), shortened("abcdefg", 5), shortened("中文中文", 5)
    ('abc', 'ab…fg', '中…文')
    """
    if cells_wide(text) <= width:
        return text
    before = _beginning(text, round((width - 1) * cut))
    after = _beginning(text[::-1], width - 1 - cells_wide(before))[::-1]
    return f"{before}…{after}"


def _beginning(text: str, width: int) -> str:
    """As much of the text as so many columns hold."""
    used = 0
    for place, character in enumerate(text):
        used += _wide(character)
        if used > width:
            return text[:place]
    return text


def told_apart(names: Sequence[str], width: int) -> list[str]:
    """The names in at most so many columns each, cut where different names stay different, if there is such a place.

    >>> told_apart(["abcdefg", "abcdxfg", "short"], 5)
    ['a…efg', 'a…xfg', 'short']
    """
    for cut in CUTS:
        found = [shortened(name, width, cut) for name in names]
        if len(set(found)) == len(set(names)):
            return found
    return [shortened(name, width) for name in names]


def filled(text: str, width: int) -> str:
    """The text with spaces behind it, so many columns in all.

    >>> filled("中", 4) + "|"
    '中  |'
    """
    return text + " " * (width - cells_wide(text))
