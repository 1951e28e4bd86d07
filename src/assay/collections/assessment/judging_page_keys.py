"""The keys of the judging page: one for each grade of the scale, and those for navigation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from assay.errors import UsageError

GradeScale = dict[int, str]
"""The label of each grade, in ascending order; empty if it has none."""
DEFAULT_SCALE = "0=not relevant,1=marginally relevant,2=relevant,3=highly relevant"
"""Sormunen's four-point scale (SIGIR 2002)."""
JUNK = "j"
"""The key of a grade below 0, which TREC's web tracks gave to junk pages."""
NAVIGATION_KEYS = {
    "u": "undo", "Backspace": "undo", "s": "skip", "ArrowLeft": "back", "ArrowRight": "forward", "[": "topicBefore",
    "]": "topicAfter", "n": "nextMark", "?": "help",
}  # fmt: skip
"""Actions of the page's script by key, as `KeyboardEvent.key` names it."""
KEY_HELP = {
    "u": "undo the last judgment (also Backspace)", "s": "skip: the document comes again at the end of the topic",
    "←": "back to the previous document", "→": "forward to the next document", "[": "to the previous topic", "]": "to the next topic",
    "n": "to the next highlighted word", "?": "show these keys",
}  # fmt: skip
"""The page's list of keys, below the grades."""
EXPECTED = "expected grades from 0 to 9, a key each, and at most one below 0, as 0-3, 0,1,2 or '0=not relevant,1=relevant,-2=junk'"


def read_scale(definition: Any) -> GradeScale:
    """Parse a grade scale: "0-3", "0=not,1=relevant", a mapping or a list of grades.

    >>> read_scale("0-2"), read_scale("1=relevant,0=not")
    ({0: '', 1: '', 2: ''}, {0: 'not', 1: 'relevant'})
    >>> read_scale("0=not,1=relevant,-2=junk")
    {-2: 'junk', 0: 'not', 1: 'relevant'}
    """
    if isinstance(definition, str):
        ends = re.fullmatch(r"\s*([0-9])\s*-\s*([0-9])\s*", definition)
        parts = [part.partition("=") for part in definition.split(",")]
        pairs = [(grade, label) for grade, _, label in parts]
        if ends is not None:
            pairs = [(str(grade), "") for grade in range(int(ends[1]), int(ends[2]) + 1)]
    elif isinstance(definition, Mapping):
        pairs = [(str(grade), str(label)) for grade, label in definition.items()]
    else:
        pairs = [(str(grade), "") for grade in definition]
    if any(not re.fullmatch(r"\s*-?[0-9]\s*", grade, re.ASCII) for grade, _ in pairs):
        raise UsageError(f"`scale={definition!r}`: {EXPECTED}")
    scale = {int(grade): label.strip() for grade, label in sorted(pairs, key=lambda pair: int(pair[0]))}
    if sum(grade < 0 for grade in scale) > 1:
        raise UsageError(f"`scale={definition!r}`: {EXPECTED}")
    if len(scale) < max(2, len(pairs)):
        raise UsageError(f"`scale={definition!r}`: expected at least 2 grades, each once")
    return scale


def key_of(grade: int) -> str:
    """Return the keyboard key of a grade.

    >>> key_of(3), key_of(-2)
    ('3', 'j')
    """
    return JUNK if grade < 0 else str(grade)
