"""The names of measures in sentences, headings and charts, where their exact names are code."""

from __future__ import annotations

import re

NAMES = {
    "NotFound": "not found",
    "ECEd": "ECE, debiased",
    "NumRelRet": "relevant found",
    "alpha_nDCG": "alpha-nDCG",
    "alpha_DCG": "alpha-DCG",
    "ERR_IA": "ERR-IA",
    "nERR_IA": "nERR-IA",
    "AP_IA": "AP-IA",
    "P_IA": "P-IA",
    "map_avgjg": "group AP",
    "P_avgjg": "group P",
    "Rprec_mult_avgjg": "group Rprec",
}
"""Measures whose names are code, in words; a depth follows the first word."""
_PARTS = re.compile(r"([^(@]*)(?:\(([^()]*)\))?(.*)", re.DOTALL)


def in_words(name: str) -> str:
    """Return the name of a measure in words, without the syntax of its parameters.

    >>> [in_words(name) for name in ("NotFound(judged=lenient)", "ECEd", "P(rel=2)@5", "over_refusal", "nDCG@10")]
    ['not found, lenient', 'ECE, debiased', 'P@5, rel 2', 'over refusal', 'nDCG@10']
    >>> in_words("P_avgjg@10")
    'group P@10'
    """
    if " " in name:
        return name  # in words already
    stem, choices, depth = _PARTS.fullmatch(name).groups()  # type: ignore[union-attr]
    first, *more = NAMES.get(stem, stem).replace("_", " ").split(", ")
    more += [choice.removeprefix("judged=").replace("=", " ").strip() for choice in (choices or "").split(",")]
    return ", ".join(filter(None, (first + depth.replace("_", " "), *more)))
