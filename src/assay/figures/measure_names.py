"""The names of measures in sentences, headings and charts, where their exact names are code."""

from __future__ import annotations

import re

NAMES = {"NotFound": "not found", "ECEd": "ECE, debiased", "NumRelRet": "relevant found"}
"""Measures whose names are code, in words."""


def in_words(name: str) -> str:
    """Return the name of a measure in words, without the syntax of its parameters.

    >>> [in_words(name) for name in ("NotFound(judged=lenient)", "ECEd", "P(rel=2)@5", "over_refusal", "nDCG@10")]
    ['not found, lenient', 'ECE, debiased', 'P@5, rel 2', 'over refusal', 'nDCG@10']
    """
    stem, choices, rest = re.fullmatch(r"([^(]*)(?:\(([^()]*)\))?(.*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
    words = NAMES.get(stem, stem).replace("_", " ") + rest
    said = [choice.removeprefix("judged=").replace("=", " ").strip() for choice in (choices or "").split(",")]
    return ", ".join(filter(None, (words, *said)))
