"""Thirty-six countries and questions about them, the subject of the gallery."""

from __future__ import annotations

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

_TABLE = """
Africa | Egypt | Cairo | Egyptian pound | Arabic | Mount Catherine
Africa | Ethiopia | Addis Ababa | birr | Amharic | Ras Dashen
Africa | Ghana | Accra | cedi | English | Mount Afadja
Africa | Kenya | Nairobi | Kenyan shilling | Swahili | Mount Kenya
Africa | Morocco | Rabat | dirham | Arabic | Toubkal
Africa | Tanzania | Dodoma | Tanzanian shilling | Swahili | Kilimanjaro
Asia | India | New Delhi | rupee | Hindi | Kangchenjunga
Asia | Japan | Tokyo | yen | Japanese | Mount Fuji
Asia | Mongolia | Ulaanbaatar | tögrög | Mongolian | Khüiten Peak
Asia | Nepal | Kathmandu | Nepalese rupee | Nepali | Mount Everest
Asia | Thailand | Bangkok | baht | Thai | Doi Inthanon
Asia | Vietnam | Hanoi | dong | Vietnamese | Fansipan
Europe | France | Paris | euro | French | Mont Blanc
Europe | Hungary | Budapest | forint | Hungarian | Kékes
Europe | Iceland | Reykjavík | Icelandic króna | Icelandic | Hvannadalshnúkur
Europe | Norway | Oslo | Norwegian krone | Norwegian | Galdhøpiggen
Europe | Poland | Warsaw | złoty | Polish | Rysy
Europe | Switzerland | Bern | Swiss franc | German | Monte Rosa
North America | Canada | Ottawa | Canadian dollar | English | Mount Logan
North America | Costa Rica | San José | colón | Spanish | Chirripó
North America | Cuba | Havana | Cuban peso | Spanish | Pico Turquino
North America | Guatemala | Guatemala City | quetzal | Spanish | Tajumulco
North America | Jamaica | Kingston | Jamaican dollar | English | Blue Mountain Peak
North America | Mexico | Mexico City | Mexican peso | Spanish | Pico de Orizaba
Oceania | Australia | Canberra | Australian dollar | English | Mount Kosciuszko
Oceania | Fiji | Suva | Fijian dollar | Fijian | Tomanivi
Oceania | New Zealand | Wellington | New Zealand dollar | English | Aoraki
Oceania | Papua New Guinea | Port Moresby | kina | Tok Pisin | Mount Wilhelm
Oceania | Samoa | Apia | tala | Samoan | Mauga Silisili
Oceania | Tonga | Nukuʻalofa | paʻanga | Tongan | Kao
South America | Brazil | Brasília | real | Portuguese | Pico da Neblina
South America | Chile | Santiago | Chilean peso | Spanish | Ojos del Salado
South America | Colombia | Bogotá | Colombian peso | Spanish | Pico Cristóbal Colón
South America | Paraguay | Asunción | guaraní | Guaraní | Cerro Peró
South America | Peru | Lima | sol | Spanish | Huascarán
South America | Uruguay | Montevideo | Uruguayan peso | Spanish | Cerro Catedral
"""
_ROWS = [line.split(" | ") for line in _TABLE.strip().splitlines()]
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
