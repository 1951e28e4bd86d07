"""Thirty-six countries and questions about them, the subject of the gallery."""

from __future__ import annotations

from assay.demo.judging import asset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.random import Stream

ASKED = {
    "capital": "What is the capital of {}?",
    "currency": "What do people in {} pay with?",
    "language": "Which language is spoken most in {}?",
    "mountain": "What is the highest mountain of {}?",
}
"""Question templates by kind."""
SAID = {
    "capital": "{1} is the capital of {0}, and its seat of government.",
    "currency": "In {0} one pays with the {1}, in markets and in banks.",
    "language": "{1} is the language heard most in {0}.",
    "mountain": "{1} is the highest mountain of {0}.",
}
"""Sentence templates of documents by kind."""

_ROWS = [line.split("\t") for line in asset("countries.tsv").splitlines()]
CONTINENTS = {row[1]: row[0] for row in _ROWS}
"""Continents by country."""
FACTS = {kind: {row[1]: row[place] for row in _ROWS} for place, kind in enumerate(ASKED, 2)}
"""Right answers by kind and country."""
QUESTIONS = [(kind, country) for country in CONTINENTS for kind in ASKED]
"""All 144 questions."""


def question(kind: str, country: str) -> str:
    """Return the text of a question.

    >>> question("capital", "Peru")
    'What is the capital of Peru?'
    """
    return ASKED[kind].format(country)


def name(kind: str, country: str) -> str:
    """Return the id of a question.

    >>> name("mountain", "New Zealand")
    'new-zealand-mountain'
    """
    return f"{country}-{kind}".lower().replace(" ", "-")


def members(continent: str) -> list[str]:
    """Return the countries of a continent.

    >>> members("Europe")[:2]
    ['France', 'Hungary']
    """
    return [country for country, its_continent in CONTINENTS.items() if its_continent == continent]


def mistaken(kind: str, country: str, draw: Stream) -> str:
    """Draw a plausible wrong answer: that of another country, more often of a near one.

    >>> from assay.random import stream
    >>> mistaken("capital", "Peru", stream(1, "doc", 0)) != "Lima"
    True
    """
    right = FACTS[kind][country]
    near = [FACTS[kind][other] for other in members(CONTINENTS[country])]
    pool = [text for text in (*near, *near, *FACTS[kind].values()) if text != right]
    return pool[draw.below(len(pool))]
