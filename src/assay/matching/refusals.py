"""Refusal patterns: those a user gives or chooses, and a short list of phrases that raise suspicion."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from assay.errors import InputError
from assay.formats.answers.rows import DECLINED
from assay.io.sources import Source, source_of
from assay.matching.english_refusals import VERSION, built_in_refusal
from assay.settings import AUTO, BuiltIn

Refusal = Callable[[str], str | None]

_HEADING = re.compile(r"\[\s*([^\[\]\\^|]*?)\s*\]")
"""A line such as [refused]: a name between brackets and nothing else. As a pattern it would be a set of letters."""
PHRASES = re.compile(
    r"\bI (?:do not|don['’]?t) (?:know|have (?:enough|sufficient) information)\b"
    r"|\bI(?:['’]?m| am) (?:not (?:sure|certain|able to)|unable to|sorry,? but I can(?:not|['’]?t))\b"
    r"|\bI can(?:not|['’]?t) (?:answer|help|assist|provide|determine|say)\b"
    r"|\bI (?:must|have to) decline\b|\bno answer\b|\bunanswerable\b"
    r"|\b(?:cannot|can['’]?t|could not) be (?:determined|answered)\b|\bnot enough information\b|\bAs an AI\b",
    re.IGNORECASE,
)
HINTS = (
    "i do", "i'm ", "im ", "i am ", "i can", " decline", "no answer", "unanswerable", "be determined", "be answered",
    "not enough information", "as an ai",
)  # fmt: skip
"""Every such phrase of plain letters contains one of these; most answers contain none and need no regular expression."""
SHOWN_WORDS = 4
"""Words of an answer that are shown where it is a refusal by a pattern and has no such phrase."""
BEGINNING = 400
"""Letters of an answer that are searched for such phrases: an answer that begins with one rarely answers after all."""


BUILT_IN = BuiltIn(f"{AUTO} (English, version {VERSION})")
"""What `refusal="auto"` becomes: settings, JSON and stored scores name the version of the patterns."""


def refusals_of(chosen: object) -> Refusal | None:
    """Return the function that tells refusals: by a file of patterns, by the built-in ones, or None."""
    if chosen is None:
        return None
    return built_in_refusal if isinstance(chosen, BuiltIn) else read_refusals(source_of(chosen))


def read_refusals(source: Source) -> Refusal:
    """Read a file of patterns; return a function from a text to its kind of unanswered, or None.

    A pattern a line, # for comments; matched anywhere in an answer, case ignored. A line with a name in brackets, such as
    [refused], begins a group of that name; patterns before any are `declined`.
    """
    from assay.formats.answers.questions import compile_pattern
    from assay.formats.lines import text_lines

    groups: list[tuple[str, re.Pattern[str]]] = []
    name = DECLINED
    for line, text in text_lines(source):
        heading = _HEADING.fullmatch(text.strip())
        if heading is not None and heading.group(1):
            name = heading.group(1).lower()
        else:
            groups.append((name, compile_pattern(text.strip(), source.name, line)))
    if not groups:
        raise InputError(f"{source.name}: no patterns; expected a regular expression per line")
    return lambda text: next((name for name, pattern in groups if pattern.search(text)), None)


class Suspicion(NamedTuple):
    """Why an answer looks like a refusal: a phrase, and whether the built-in patterns take it for one."""

    phrase: str
    known: bool


def suspicion(text: str) -> Suspicion | None:
    """Return why an answer looks like a refusal, or None.

    >>> suspicion("I don't know."), suspicion("I'm not sure, but Rome")
    (Suspicion(phrase="I don't know", known=True), Suspicion(phrase="I'm not sure", known=False))
    """
    phrase, known = refusal_phrase(text), built_in_refusal(text) is not None
    if phrase is None and not known:
        return None
    return Suspicion(phrase or " ".join(text.split()[:SHOWN_WORDS]), known)


def refusal_phrase(text: str) -> str | None:
    """Return the phrase that makes an answer look like a refusal, or None.

    >>> refusal_phrase("I'm sorry, but I can't help with that."), refusal_phrase("Paris")
    ("I'm sorry, but I can't", None)
    """
    return _refusal_phrase(text[:BEGINNING])


@lru_cache(maxsize=1 << 14)
def _refusal_phrase(beginning: str) -> str | None:
    if beginning.isascii():
        small = beginning.lower()
        if not any(hint in small for hint in HINTS):
            return None
    match = PHRASES.search(beginning)
    return None if match is None else match.group()
