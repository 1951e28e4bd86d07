"""Gallery data of language models: non-response and confidence, samples, logs of a harness."""

from __future__ import annotations

from assay.demo.data import answer_files, inspect_log, jsonl, normal, squash, uniform
from assay.demo.gallery_documents import toml
from assay.demo.gallery_world import CONTINENTS, FACTS, QUESTIONS, mistaken, name, question
from assay.random import stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.random import Stream

MODELS = {
    # name: (skill in logits, how often it declines what it would get wrong, how honest its confidence is, size, dollars)
    "atlas-70b": (1.9, 0.25, 0.8, "large", 2.4),
    "atlas-8b": (0.9, 0.15, 0.6, "small", 0.3),
    "careful-70b": (1.6, 0.75, 0.9, "large", 2.9),
    "bold-30b": (1.3, 0.0, 0.2, "medium", 1.1),
    "sparrow-1b": (-0.3, 0.05, 0.3, "small", 0.05),
    "retrieval only": (0.3, 0.4, 0.7, "none", 0.01),
}
SAMPLED = {"atlas-70b": 1.6, "atlas-8b": 0.6, "bold-30b": 1.0}
SAMPLES = 4
TASKS = {"capitals": "capital", "currencies": "currency", "mountains": "mountain"}
LOGGED = {
    "made/atlas-70b": (1.7, 0.2),
    "made/atlas-8b": (0.7, 0.1),
    "made/careful-70b": (1.4, 0.8),
    "made/sparrow-1b": (-0.4, 0.0),
}


def outcomes(seed: int) -> dict[str, str]:
    """Return right, wrong, declined and a few failed answers, with confidences."""
    gold: list[dict[str, object]] = []
    runs: dict[str, list[dict[str, object]]] = {model: [] for model in MODELS}
    for number, (kind, country) in enumerate(QUESTIONS):
        hard = 1.3 * normal(stream(seed, "gallery outcomes", number)) + 0.8 * (kind == "mountain")
        right = FACTS[kind][country]
        gold.append({
            "id": name(kind, country), "question": question(kind, country), "type": kind, "continent": CONTINENTS[country],
            "answers": [right], "cluster": country,
        })  # fmt: skip
        for model, (skill, caution, honesty, *_) in MODELS.items():
            draw = stream(seed, f"gallery {model}", number)
            chance = squash(skill - hard)
            text = right if uniform(draw) < chance else mistaken(kind, country, draw)
            stated = honesty * chance + (1 - honesty) * (0.75 + 0.2 * uniform(draw))
            sure = round(min(max(stated + 0.04 * normal(draw), 0.02), 0.99), 2)
            runs[model].append({"id": name(kind, country), **_answer(text, right, sure, caution, draw)})
    cost = {
        model: {"size": size, "cost": f"${dollars:g}", "baseline": size == "none"}
        for model, (*_, size, dollars) in MODELS.items()
    }
    return {
        "gold.jsonl": jsonl(gold),
        "runs.toml": toml(cost),
        **answer_files(runs),
    }


def samples(seed: int) -> dict[str, str]:
    """Return forty questions with four samples each."""
    questions = QUESTIONS[::4] + QUESTIONS[3::36]
    gold = [
        {
            "id": name(kind, country),
            "question": question(kind, country),
            "type": kind,
            "answers": [FACTS[kind][country]],
        }
        for kind, country in questions
    ]
    runs: dict[str, list[dict[str, object]]] = {model: [] for model in SAMPLED}
    for number, (kind, country) in enumerate(questions):
        hard = 1.5 * normal(stream(seed, "gallery samples", number))
        for model, skill in SAMPLED.items():
            for sample in range(1, SAMPLES + 1):
                draw = stream(seed, f"gallery sample {sample} {model}", number)
                right = uniform(draw) < squash(skill - hard)
                text = FACTS[kind][country] if right else mistaken(kind, country, draw)
                answer = None if not right and uniform(draw) < 0.2 else text
                runs[model].append({"id": name(kind, country), "sample": sample, "answer": answer})
    return {"gold.jsonl": jsonl(gold), **answer_files(runs)}


def suite(seed: int) -> dict[str, str]:
    """Return logs in Inspect's JSON: four models on three tasks, one log missing."""
    files: dict[str, str] = {}
    for task, kind in TASKS.items():
        for model, (skill, caution) in LOGGED.items():
            if (task, model) == ("mountains", "made/sparrow-1b"):
                continue
            rows = [
                _sample(seed, kind, country, number, model, skill, caution) for number, country in enumerate(CONTINENTS)
            ]
            files |= inspect_log(task, model, rows, epochs=1)
    return {f"logs/{name}": log for name, log in files.items()}


def _answer(text: str, right: str, sure: float, caution: float, draw: Stream) -> dict[str, object]:
    if uniform(draw) < 0.008:
        return {"outcome": "failed", "problem": "the server did not answer in time"}
    if sure < 0.6 and uniform(draw) < caution + 0.2 * (text != right and caution > 0):
        return {"answer": None, "candidate": text, "confidence": sure}
    return {"answer": text, "confidence": sure}


def _sample(
    seed: int, kind: str, country: str, number: int, model: str, skill: float, caution: float
) -> dict[str, object]:
    hard = 1.2 * normal(stream(seed, f"gallery suite {kind}", number)) + 0.5 * (kind == "mountain")
    draw = stream(seed, f"gallery suite {kind} {model}", number)
    right = FACTS[kind][country]
    known, withheld = uniform(draw) < squash(skill - hard), uniform(draw) < caution
    answer = right if known else "I would rather not guess." if withheld else mistaken(kind, country, draw)
    value = "C" if known else "N" if withheld else "I"
    sample = {"id": name(kind, country), "epoch": 1, "input": question(kind, country), "target": right}
    if uniform(draw) < 0.01:
        return {**sample, "scores": {}, "error": {"message": "the server did not answer in time"}}
    seconds = round(0.4 + uniform(draw) * (1 + skill * skill), 2)
    return {
        **sample, "total_time": seconds, "output": {"completion": answer},
        "scores": {"match": {"value": value, "answer": answer, "metadata": {"continent": CONTINENTS[country]}}},
    }  # fmt: skip
