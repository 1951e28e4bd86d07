"""Find the words of a topic in a document, ignoring case and English inflection.

Highlighting is an aid and affects no judgment: only English endings are stripped, and each CJK character counts as a word.
"""

from __future__ import annotations

import re
from unicodedata import combining, normalize

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
STOPWORDS = frozenset(
    WORD.findall(
        "a about all also an and any are as at be been but by can could did do does for from had has have he her his how i if in into "
        "is it its me more most my no nor not of on or our over s she so such t than that the their them then there these they this "
        "those to too under up us was we were what when where which who whom whose why will with would you your find documents "
        "document discuss describe relevant information"
    )
)
"""Words that say nothing of what a document is about."""
ENDINGS = ("ations", "ation", "ings", "ing", "edly", "ed", "ers", "er", "ies", "es", "ly", "s", "y", "e")
MIN_STEM_LENGTH = 3
"""How many letters are left of a word at least."""


def stem(word: str) -> str:
    """Return a word without case, accents and its inflectional ending.

    >>> [stem(word) for word in ("Organized", "organizing", "organizers", "policies", "Policy", "crimes", "gas", "Café")]
    ['organiz', 'organiz', 'organiz', 'polic', 'polic', 'crim', 'gas', 'caf']
    """
    plain = "".join(letter for letter in normalize("NFKD", word.casefold()) if not combining(letter))
    for ending in ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= MIN_STEM_LENGTH:
            plain = plain.removesuffix(ending)
            break
    # stopping, stopped → stop; as far as it goes, words that end in two equal letters lose one everywhere
    return plain[:-1] if len(plain) > MIN_STEM_LENGTH and plain[-1:] == plain[-2:-1] else plain


def stems(*texts: str) -> frozenset[str]:
    """Return the stems of all words in the texts, stopwords excluded.

    >>> sorted(stems("What is the International Organized Crime?"))
    ['crim', 'international', 'organiz']
    """
    words = (word.casefold() for text in texts for word in WORD.findall(text))
    return frozenset(stem(word) for word in words if word not in STOPWORDS)


def pieces(text: str, topic_stems: frozenset[str]) -> list[str]:
    """Split the text so that every second segment is a word to highlight.

    >>> pieces("Crimes and criminal law", stems("crime"))
    ['', 'Crimes', ' and criminal law']
    """
    segments: list[str] = []
    end = 0
    known: dict[str, bool] = {}
    for word in WORD.finditer(text):
        marked = known.get(word[0])
        if marked is None:
            marked = known[word[0]] = stem(word[0]) in topic_stems
        if marked:
            if segments and end == word.start():
                segments[-1] += word[0]
            else:
                segments += [text[end : word.start()], word[0]]
            end = word.end()
    return [*segments, text[end:]]
