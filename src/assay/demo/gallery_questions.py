"""Gallery data of TREC's question tasks: ranked answers, lists, series, definitions by nuggets."""

from __future__ import annotations

from assay.demo.data import answer_files, jsonl, normal, squash, uniform
from assay.demo.gallery_world import ASKED, CONTINENTS, FACTS, QUESTIONS, SAID, members, mistaken, name, question
from assay.random import stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.random import Stream

SYSTEMS = {"insight": 1.4, "answerfinder": 0.7, "passages": 0.0, "patterns": -0.4}
"""Systems and their skill in logits."""
MADE_UP = ("Atlantis", "Lilliput", "Ruritania", "Laputa")
"""Countries that are not in the collection: the right answer is NIL."""
GIVEN = 5
ASSIGNED = ("not_support", "partial_support", "support")


def qa(seed: int) -> dict[str, str]:
    """Return five ranked answers per question, judged with their document; some questions have no answer."""
    questions = [(kind, country) for kind, country in QUESTIONS if kind != "language"][::2]
    questions += [("capital", country) for country in MADE_UP]
    judged: dict[tuple[str, str, str], str] = {}
    runs: dict[str, list[dict[str, object]]] = {system: [] for system in SYSTEMS}
    for number, (kind, country) in enumerate(questions):
        hard = normal(stream(seed, "gallery qa", number))
        right = FACTS[kind].get(country, "NIL")
        for system, skill in SYSTEMS.items():
            draw = stream(seed, f"gallery {system}", number)
            texts = _ranked_answers(kind, country, right, squash(skill - hard), draw)
            documents = [name(kind if uniform(draw) < 0.9 else "notes", country) for _ in texts]
            answers: list[dict[str, object]] = []
            for text, document in zip(texts, documents, strict=True):
                supported = text == "NIL" or document == name(kind, country)
                judgment = "incorrect" if text != right else "correct" if supported else "unsupported"
                judged[name(kind, country), text, "" if text == "NIL" else document] = judgment
                answers.append({"text": text} if text == "NIL" else {"text": text, "doc": document})
            sure = uniform(draw) < squash(skill - hard)
            runs[system].append({"id": name(kind, country), "answers": answers, "final": 1, "confident": sure})
    gold = [
        {"id": identity, "text": text, "judgment": judgment} | ({"doc": document} if document else {})
        for (identity, text, document), judgment in judged.items()
    ]
    return {"judgments.jsonl": jsonl(gold), "topics.jsonl": _texts(questions), **answer_files(runs)}


def lists(seed: int) -> dict[str, str]:
    """Return list questions: name six countries, capitals or mountains of a continent."""
    questions = [
        (kind, continent)
        for continent in dict.fromkeys(CONTINENTS.values())
        for kind in ("country", *ASKED)
        if kind != "language"
    ]
    gold: list[dict[str, object]] = []
    runs: dict[str, list[dict[str, object]]] = {system: [] for system in SYSTEMS}
    for number, (kind, continent) in enumerate(questions):
        right = list(dict.fromkeys(_instances(kind, continent)))
        wrong = [
            text
            for other in dict.fromkeys(CONTINENTS.values())
            if other != continent
            for text in _instances(kind, other)
        ]
        plural = {"country": "countries", "currency": "currencies"}.get(kind, f"{kind}s")
        gold.append({
            "id": f"{continent}-{plural}".lower().replace(" ", "-"), "answers": right, "target": len(right),
            "question": f"Name {len(right)} {plural} of {continent}.",
        })  # fmt: skip
        hard = normal(stream(seed, "gallery lists", number))
        for system, skill in SYSTEMS.items():
            draw = stream(seed, f"gallery list {system}", number)
            chance = squash(skill + 0.5 - hard)
            named = [text if uniform(draw) < chance else wrong[draw.below(len(wrong))] for text in right]
            runs[system].append({"id": gold[-1]["id"], "answers": list(dict.fromkeys(named))[: 3 + draw.below(4)]})
    return {"gold.jsonl": jsonl(gold), **answer_files(runs)}


def context(seed: int) -> dict[str, str]:
    """Return series of four questions about a country, each depending on those before it."""
    words = (
        "Which city is the capital of {}?",
        "What does one pay with there?",
        "And what do people speak?",
        "What is the highest mountain nearby?",
    )
    gold: list[dict[str, object]] = []
    runs: dict[str, list[dict[str, object]]] = {system: [] for system in SYSTEMS}
    for series, country in enumerate(list(CONTINENTS)[::3], 1):
        lost = dict.fromkeys(SYSTEMS, False)
        for place, kind in enumerate(FACTS):
            identity, right = f"{series}{'abcd'[place]}", FACTS[kind][country]
            gold.append({"id": identity, "answers": [right], "question": words[place].format(country)})
            for system, skill in SYSTEMS.items():
                draw = stream(seed, f"gallery context {system}", 10 * series + place)
                texts = _ranked_answers(kind, country, right, squash(skill - 1.5 * lost[system]), draw)
                lost[system] |= right not in texts
                runs[system].append({"id": identity, "answers": texts})
    return {"gold.jsonl": jsonl(gold), **answer_files(runs)}


def nuggets(seed: int) -> dict[str, str]:
    """Return definition questions, with the facts that an assessor found in each answer."""
    gold: list[dict[str, object]] = []
    runs: dict[str, list[dict[str, object]]] = {system: [] for system in SYSTEMS}
    for number, country in enumerate(list(CONTINENTS)[::2]):
        facts = _facts(country)
        votes = {kind: 1 + stream(seed, f"gallery votes {kind}", number).below(4) for kind in facts}
        identity = country.lower().replace(" ", "-")
        known = [
            {"id": kind, "text": text, "vital": kind in ("capital", "place"), "votes": votes[kind]}
            for kind, text in facts.items()
        ]
        gold.append({"id": identity, "question": f"What should one know of {country}?", "nuggets": known})
        for system, skill in SYSTEMS.items():
            draw = stream(seed, f"gallery nuggets {system}", number)
            matched = [kind for kind in facts if uniform(draw) < squash(skill)]
            padding = " The people are said to be friendly." * draw.below(1 + 2 * (system == "passages"))
            answer = " ".join(facts[kind] for kind in matched) + padding or "Nothing was found."
            runs[system].append({"id": identity, "answer": answer, "nuggets": matched})
    return {"gold.jsonl": jsonl(gold), **answer_files(runs)}


def generation(seed: int) -> dict[str, str]:
    """Return generated answers with nugget assignments and citation support.

    Support is judged for two countries of three, as in a track with a small budget.
    """
    assigned: list[dict[str, object]] = []
    support: list[dict[str, object]] = []
    for number, country in enumerate(list(CONTINENTS)[::2]):
        facts = _facts(country)
        topic = {"qid": country.lower().replace(" ", "-"), "query": f"What should one know of {country}?"}
        for system, skill in SYSTEMS.items():
            draw = stream(seed, f"gallery generation {system}", number)
            degrees = {kind: _degree(draw, squash(skill)) for kind in facts}
            nuggets = [
                {"text": text, "importance": "vital" if kind in ("capital", "place") else "okay", "assignment": ASSIGNED[degrees[kind]]}
                for kind, text in facts.items()
            ]  # fmt: skip
            sentences = [facts[kind] for kind in facts if degrees[kind]] or ["Nothing was found."]
            assigned.append({**topic, "run_id": system, "answer_text": " ".join(sentences), "nuggets": nuggets})
            if number % 3 < 2:
                supported = [
                    {"text": text, "citations": [{"support": _degree(draw, squash(skill))}] if uniform(draw) < 0.8 else []}
                    for text in sentences
                ]  # fmt: skip
                support.append({"topic_id": topic["qid"], "run_id": system, "sentences": supported})
    return {"assignments.jsonl": jsonl(assigned), "support.jsonl": jsonl(support)}


def _facts(country: str) -> dict[str, str]:
    """Return the facts about a country as sentences."""
    facts = {kind: SAID[kind].format(country, FACTS[kind][country]) for kind in FACTS}
    return {**facts, "place": f"{country} lies in {CONTINENTS[country]}."}


def _degree(draw: Stream, chance: float) -> int:
    """Draw a degree: 2 full, 1 partial, 0 none."""
    return 2 if uniform(draw) < chance else draw.below(2)


def _ranked_answers(kind: str, country: str, right: str, chance: float, draw: Stream) -> list[str]:
    """Draw up to five distinct answers, with the right one early if the chance is high."""
    if country not in CONTINENTS:
        wrong = list(dict.fromkeys(list(FACTS[kind].values())[draw.below(36)] for _ in range(GIVEN)))
    else:
        wrong = list(dict.fromkeys(mistaken(kind, country, draw) for _ in range(GIVEN)))
    for place in range(len(wrong)):
        if uniform(draw) < chance * 0.7**place:
            return [*wrong[:place], right, *wrong[place:]][:GIVEN]
    return wrong


def _instances(kind: str, continent: str) -> list[str]:
    return members(continent) if kind == "country" else [FACTS[kind][country] for country in members(continent)]


def _texts(questions: list[tuple[str, str]]) -> str:
    return jsonl({"id": name(kind, country), "text": question(kind, country)} for kind, country in questions)
