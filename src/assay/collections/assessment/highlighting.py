"""Where the words of a topic stand in a document: whatever their case, and however they are inflected, as far as endings tell.

It helps the eye and decides nothing: English endings alone are known, and of scripts without blanks every character is a word.
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
SHORTEST = 3
"""How many letters are left of a word at least."""


def stem(word: str) -> str:
    """What a word shares with its other forms.

    >>> [stem(word) for word in ("Organized", "organizing", "organizers", "policies", "Policy", "crimes", "gas", "Café")]
    ['organiz', 'organiz', 'organiz', 'polic', 'polic', 'crim', 'gas', 'caf']
    """
    plain = "".join(letter for letter in normalize("NFKD", word.casefold()) if not combining(letter))
    for ending in ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= SHORTEST:
            plain = plain.removesuffix(ending)
            break
    # stopping, stopped → stop; as far as it goes, words that end in two equal letters lose one everywhere
    return plain[:-1] if len(plain) > SHORTEST and plain[-1:] == plain[-2:-1] else plain


def stems(*texts: str) -> frozenset[str]:
    """The stems of the words in some texts that say something.

    >>> sorted(stems("What is the International Organized Crime?"))
    ['crim', 'international', 'organiz']
    """
    words = (word.casefold() for text in texts for word in WORD.findall(text))
    return frozenset(stem(word) for word in words if word not in STOPWORDS)


def pieces(text: str, wanted: frozenset[str]) -> list[str]:
    """The text in pieces, every second of which is to be marked; together they are the text.

    >>> pieces("Crimes and criminal law", stems("crime"))
    ['', 'Crimes', ' and criminal law']
    """
    found: list[str] = []
    end = 0
    known: dict[str, bool] = {}
    for word in WORD.finditer(text):
        marked = known.get(word[0])
        if marked is None:
            marked = known[word[0]] = stem(word[0]) in wanted
        if marked:
            if found and end == word.start():
                found[-1] += word[0]
            else:
                found += [text[end : word.start()], word[0]]
            end = word.end()
    return [*found, text[end:]]
