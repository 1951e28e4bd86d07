"""Normalise texts for comparison: assay's own form, and SQuAD's."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

NORMALISED = (
    "after Unicode NFKC, case folding, removal of punctuation (but for the sign and the inner marks of a number) and "
    "collapse of white space"
)
_PUNCTUATION = {code for code in range(0x3000) if unicodedata.category(chr(code)).startswith("P")}
_NO_PUNCTUATION = dict.fromkeys(_PUNCTUATION)
# A pattern that begins with literal letters is searched many times as fast; look-behinds check the context afterwards.
_IN_NUMBERS = re.compile(
    r"[./:\-\u2212](?:(?<=\d[./:])(?=\d)|(?<!\w\.)(?<=\.)(?=\d)|(?<![^\s(][-\u2212])(?<=[-\u2212])(?=\.?\d))"
)
_KEPT = {".": "\ue000", "/": "\ue001", ":": "\ue002", "-": "\ue003", "\u2212": "\ue003"}
_BACK = {ord("\ue000"): ".", ord("\ue001"): "/", ord("\ue002"): ":", ord("\ue003"): "-"}


def normalise(text: str) -> str:
    """Normalise a text for comparison: numbers keep their signs and points; a text of punctuation alone is kept.

    >>> normalise("  The “Eiffel  Tower”! "), normalise("Ｐaris") == normalise("PARIS")
    ('the eiffel tower', True)
    >>> normalise("-1,000.5 °C."), normalise("+")
    ('-1000.5 °c', '+')
    """
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    kept = _IN_NUMBERS.sub(lambda mark: _KEPT[mark.group()], folded)
    bare = kept.translate(_NO_PUNCTUATION)
    if not bare.isascii():
        bare = bare.translate(_BACK)
    return " ".join((bare if bare.strip() else folded).split())


_ARTICLES = re.compile(r"\b(a|an|the)\b")
_ASCII_PUNCTUATION = dict.fromkeys(map(ord, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"))


def squad_normalise(text: str) -> str:
    """Normalise as SQuAD does: lower case, without ASCII punctuation, articles and extra blanks.

    >>> squad_normalise("The  Eiffel-Tower.")
    'eiffeltower'
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_ASCII_PUNCTUATION)).split())


def squad_overlap(gold: str, predicted: str) -> float:
    """Return SQuAD's F1 of two texts; where either has no words, whether both have none.

    1 of 2 words in 2: precision and recall 1/2.

    >>> squad_overlap("the Eiffel Tower", "Eiffel tours")
    0.5
    """
    gold_words, predicted_words = squad_normalise(gold).split(), squad_normalise(predicted).split()
    if not gold_words or not predicted_words:
        return float(gold_words == predicted_words)
    shared = sum((Counter(gold_words) & Counter(predicted_words)).values())
    return 2 * shared / (len(gold_words) + len(predicted_words))
