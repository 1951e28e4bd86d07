"""Gallery data of documents: ranked retrieval, known items, filtering, several judges, score tables."""

from __future__ import annotations

import json

from assay.demo.data import filtering as filtered
from assay.demo.data import jsonl, normal, ranking, run_files, uniform
from assay.demo.gallery_world import ASKED, CONTINENTS, FACTS, SAID, members, name
from assay.random import stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SYSTEMS = {
    "rerank": (3.2, "Harbour Lab", "automatic", False),
    "by-hand": (3.0, "Old Library", "manual", False),
    "hybrid": (2.7, "Harbour Lab", "automatic", False),
    "dense": (2.3, "North Institute", "automatic", False),
    "sparse": (2.2, "North Institute", "automatic", False),
    "bm25-rm3": (2.0, "organisers", "automatic", True),
    "bm25": (1.8, "organisers", "automatic", True),
    "title-only": (0.9, "Old Library", "automatic", False),
}
"""Ranked systems: skill, organisation, type of run, and whether it is a baseline."""
DIVERSE = {"round-robin": (3.4, 0.0), "rerank": (2.4, 0.9), "plain": (1.6, 0.4), "capitals-first": (0.9, 3.2)}
"""Systems for ambiguous queries: skill, and how much each prefers one meaning."""
FINDERS = {"anchors": 2.6, "urls": 2.0, "content": 1.3, "everything": 3.0}
TOPICS = [(kind, continent) for continent in dict.fromkeys(CONTINENTS.values()) for kind in ASKED]
PLURALS = {"capital": "capitals", "currency": "currencies", "language": "languages", "mountain": "highest mountains"}


def ranked(seed: int) -> dict[str, str]:
    """Return a topic per kind and continent: answers have grade 2, notes on its countries grade 1."""
    texts = {
        name(kind, country): SAID[kind].format(country, text) for kind in FACTS for country, text in FACTS[kind].items()
    }
    texts |= {name("notes", country): _notes(country) for country in CONTINENTS}
    about = {
        name(kind, country): (kind, continent)
        for kind in (*ASKED, "notes")
        for country, continent in CONTINENTS.items()
    }
    qrels: list[str] = []
    runs: dict[str, list[str]] = {system: [] for system in SYSTEMS}
    for number, (kind, continent) in enumerate(TOPICS, 1):
        draw = stream(seed, "gallery ranked", number)
        ease = 0.45 + 0.9 * uniform(draw)
        grades = {
            d: 0 if where != continent else 2 if what == kind else int(what == "notes")
            for d, (what, where) in about.items()
        }
        judged = [d for d, grade in grades.items() if grade or uniform(draw) < 0.5]
        qrels += [f"{number} 0 {document} {grades[document]}\n" for document in judged]
        for system, (skill, *_) in SYSTEMS.items():
            if (system, number) != ("title-only", 5):
                runs[system] += _best(
                    seed, number, system, {d: skill * ease * grade / 2 for d, grade in grades.items()}
                )
    topics = [
        {"id": str(number), "text": f"The {PLURALS[kind]} of {continent}: which country has which?"}
        for number, (kind, continent) in enumerate(TOPICS, 1)
    ]
    traits = {
        system: {"organisation": organisation, "run_type": how, "baseline": baseline}
        for system, (_, organisation, how, baseline) in SYSTEMS.items()
    }
    return {
        "qrels.txt": "".join(qrels),
        "topics.jsonl": jsonl(topics),
        "docs.jsonl": jsonl({"id": document, "text": text} for document, text in texts.items()),
        "runs.toml": toml(traits),
        **run_files(runs),
    }


def diversity(seed: int) -> dict[str, str]:
    """Return queries that name a country; each meaning is a subtopic, and notes serve two."""
    about = {name(kind, country): (kind, country) for kind in (*ASKED, "notes") for country in CONTINENTS}
    subtopics = {kind: str(number) for number, kind in enumerate(ASKED, 1)}
    judged: list[str] = []
    runs: dict[str, list[str]] = {system: [] for system in DIVERSE}
    for number, country in enumerate(CONTINENTS, 1):
        ease = 0.6 + 0.8 * uniform(stream(seed, "gallery diversity", number))
        near = {d: (kind, of) for d, (kind, of) in about.items() if CONTINENTS[of] == CONTINENTS[country]}
        serves = {d: _meanings(kind) if of == country else () for d, (kind, of) in near.items()}
        judged += [
            f"{number} {subtopics[kind]} {document} {int(kind in serves[document])}\n"
            for kind in ASKED
            for document in serves
        ]
        for system, (skill, taste) in DIVERSE.items():
            worth = {d: ease * (skill * bool(of) + taste * ("capital" in of)) for d, of in serves.items()}
            runs[system] += _best(seed, number, system, worth, deepest=25)
    return {
        "qrels.txt": "".join(judged),
        "topics.tsv": "".join(f"{number}\t{country}\n" for number, country in enumerate(CONTINENTS, 1)),
        **run_files(runs),
    }


def _meanings(kind: str) -> tuple[str, ...]:
    return ("capital", "mountain") if kind == "notes" else (kind,)


def known_item(seed: int) -> dict[str, str]:
    """Return a home page to find per country, among those of other countries and offices."""
    pages = {
        f"{name(office, country)}.example": country for country in CONTINENTS for office in ("home", "bank", "parks")
    }
    countries = list(enumerate(CONTINENTS, 1))
    runs: dict[str, list[str]] = {finder: [] for finder in FINDERS}
    for number, country in countries:
        ease = 0.3 + 1.2 * uniform(stream(seed, "gallery known item", number))
        for finder, skill in FINDERS.items():
            worth = {
                page: skill * ease * (1 if page == _home(country) else 0.5 * (of == country))
                for page, of in pages.items()
            }
            runs[finder] += _best(seed, number, finder, worth, deepest=40)
    return {
        "qrels.txt": "".join(f"{number} 0 {_home(country)} 1\n" for number, country in countries),
        "topics.tsv": "".join(f"{number}\tthe official page of {country}\n" for number, country in countries),
        **run_files(runs),
    }


def filtering(seed: int) -> dict[str, str]:
    """Return the filtering track of the demo, smaller, with the texts of its profiles."""
    kinds = list(PLURALS.values())
    profiles = [
        f"R{number}\tnews about the {kinds[number % 4]} of {where}\n" for number, where in enumerate(_places(), 1)
    ]
    return {**filtered(seed, topics=len(profiles), documents=1000), "topics.tsv": "".join(profiles)}


def judgment_groups(seed: int) -> dict[str, str]:
    """Return the ranked campaign with the judgments of three people."""
    files = ranked(seed)
    judged: list[str] = []
    for number, line in enumerate(files["qrels.txt"].splitlines()):
        topic, _, document, grade = line.split()
        for judge in ("ada", "ben", "cleo"):
            strict = uniform(stream(seed, f"gallery judge {judge}", number)) < (0.55 if grade == "1" else 0.06)
            judged.append(f"{topic} {judge} {document} {0 if strict else int(grade)}\n")
    return {**files, "qrels.txt": "".join(judged)}


def scores(seed: int) -> dict[str, str]:
    """Return a table of scores: a row per topic, a column per system."""
    systems = {"large": 0.62, "medium": 0.58, "small": 0.45, "tiny": 0.31, "last year": 0.52}
    lines = [",".join(("topic", *systems))]
    for number, (kind, continent) in enumerate(TOPICS, 1):
        hard = 0.16 * normal(stream(seed, "gallery scores", number))
        cells = [
            f"{min(max(value + hard + 0.07 * normal(stream(seed, f'gallery {system}', number)), 0.0), 1.0):.4f}"
            for system, value in systems.items()
        ]
        lines.append(",".join((f"{continent} {kind}".lower().replace(" ", "-"), *cells)))
    return {"nDCG.csv": "\n".join(lines) + "\n"}


def toml(described: Mapping[str, Mapping[str, object]]) -> str:
    """Format characteristics as TOML, a table per run.

    >>> print(toml({"bm25": {"organisation": "ours", "baseline": True}}), end="")
    ["bm25"]
    organisation = "ours"
    baseline = true
    """
    tables = (
        f'["{run}"]\n' + "".join(f"{key} = {json.dumps(value)}\n" for key, value in traits.items())
        for run, traits in described.items()
    )
    return "\n".join(tables)


def _best(seed: int, topic: int, run: str, worth: Mapping[str, float], deepest: int = 60) -> list[str]:
    """Return the lines of a run on a topic: documents by their worth plus noise."""
    draw = stream(seed, f"gallery {run}", topic)
    noisy = {document: round(value + normal(draw), 4) for document, value in worth.items()}
    return ranking(topic, run, noisy, deepest)


def _notes(country: str) -> str:
    city, mountain = FACTS["capital"][country], FACTS["mountain"][country]
    return f"Notes of a journey through {country}: from {city} one sees no trace of {mountain}, but the trains are on time."


def _home(country: str) -> str:
    return f"{name('home', country)}.example"


def _places() -> list[str]:
    return [place for continent in dict.fromkeys(CONTINENTS.values()) for place in members(continent)[:2]]
