"""Generate the demo data: ranked runs and judges, machine verdicts, answers, logs, a filtering track, a pool to judge.

`assay.random` draws everything, so a seed gives the same bytes on every machine.
"""

from __future__ import annotations

import json
import os
from math import exp, log

from assay.demo.judging import to_judge
from assay.io.atomic_files import write_whole
from assay.random import Stream, stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SYSTEMS = {
    "baseline": 0.45, "bm25": 0.80, "bm25-rm3": 0.85, "dense": 0.95, "hybrid": 1.10, "sparse": 0.87, "rerank": 1.25,
    "random": 0.05,
}  # fmt: skip
"""Ranked systems, and how well each separates relevant documents from others."""

READERS = {
    # name: (skill, how often it declines when unsure, how honest its confidence is)
    "always-answers": (0.62, 0.0, 0.5),
    "careful": (0.60, 0.75, 0.9),
    "overconfident": (0.55, 0.1, 0.1),
    "shy": (0.64, 0.95, 0.8),
    "guesser": (0.30, 0.0, 0.2),
    "calibrated": (0.63, 0.45, 1.0),
}
TYPES = ("factoid", "definition", "list", "temporal")
MODELS = {"made/bold": (0.62, 0.0), "made/careful": (0.60, 0.7), "made/small": (0.35, 0.2)}
"""Language models: skill, and how often each declines where it would be wrong."""
TASKS = {"history": 40, "science": 24}
"""Tasks of the logs, and the number of questions of each."""
EPOCHS = 2
FILTERS = {
    "rocchio": (0.75, 0.012),
    "svm": (0.7, 0.006),
    "eager": (0.92, 0.05),
    "quiet": (0.3, 0.001),
    "knn": (0.6, 0.01),
}
"""Filtering systems: the probability of returning a relevant document, and a non-relevant one."""

JUDGES = {"ann": (40, (0.03, 0.10, 0.05)), "bob": (20, (0.01, 0.35, 0.15)), "machine": (40, (0.14, 0.25, 0.08))}
"""Judges of the ranked track: the number of topics, and how often they change a grade of 0, 1 and 2."""


VERDICTS = {"old": (0.62, 0.20), "new": (0.64, 0.45)}
"""Systems that a machine judged: skill, and how often it calls a wrong answer right."""


def uniform(random: Stream) -> float:
    """Draw a number in [0, 1)."""
    return random.bits() / 2**64


def normal(random: Stream) -> float:
    """Draw an approximately normal number, using only + and - for the same digits on every machine."""
    return sum(uniform(random) for _ in range(12)) - 6.0


def write_demo(folder: str, seed: int = 2001) -> None:
    """Write all data sets under a folder."""
    tracks = {
        "ranked": ranked, "judges": judges, "verdicts": verdicts, "answers": answers, "logs": logs, "filtering": filtering,
        "organising": organising,
    }  # fmt: skip
    for name, make in tracks.items():
        write_files(os.path.join(folder, name), make(seed))


def write_files(folder: str, files: Mapping[str, str]) -> None:
    """Write files by their paths below a folder."""
    for path, content in files.items():
        target = os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        write_whole(target, content.encode())


def ranked(seed: int, topics: int = 40, documents: int = 120) -> dict[str, str]:
    """Return qrels with grades 0 to 2 and a run per system; a topic is hard or easy for all of them."""
    qrels: list[str] = []
    runs: dict[str, list[str]] = {name: [] for name in SYSTEMS}
    for topic in range(1, topics + 1):
        draw = stream(seed, "demo qrels", topic)
        ease = 0.55 + uniform(draw)
        share = 0.04 + 0.12 * uniform(draw)
        grades: dict[str, int] = {}
        for number in range(documents):
            chance = uniform(draw)
            grades[f"D{topic:02}-{number:03}"] = 2 if chance < share / 3 else 1 if chance < share else 0
        judged = [document for document in grades if grades[document] or uniform(draw) < 0.6]
        qrels += [f"{topic} 0 {document} {grades[document]}\n" for document in judged]
        for name, skill in SYSTEMS.items():
            noise = stream(seed, f"demo {name}", topic)
            scores = {d: round(grade * skill * ease + normal(noise), 4) for d, grade in grades.items()}
            runs[name] += ranking(topic, name, scores, depth=100)
    return {"qrels.txt": "".join(qrels), **run_files(runs)}


def ranking(topic: int, run: str, scores: Mapping[str, float], depth: int) -> list[str]:
    """Return the lines of a run on a topic, its best documents first."""
    best = sorted(scores, key=lambda document: (-scores[document], document))[:depth]
    return [f"{topic} Q0 {document} {rank} {scores[document]} {run}\n" for rank, document in enumerate(best, 1)]


def run_files(runs: Mapping[str, Iterable[str]], ending: str = "run") -> dict[str, str]:
    """Return the lines of each run as a file of the folder `runs`."""
    return {f"runs/{name}.{ending}": "".join(lines) for name, lines in runs.items()}


def answer_files(runs: Mapping[str, Iterable[Mapping[str, object]]]) -> dict[str, str]:
    """Return the answers of each run as a file of JSONL of the folder `runs`."""
    return {f"runs/{name}.jsonl": jsonl(answers) for name, answers in runs.items()}


def judges(seed: int) -> dict[str, str]:
    """Return the ranked track's qrels by two people and a machine: bob is strict, the machine lenient."""
    files: dict[str, str] = {}
    lines = [line.split() for line in ranked(seed)["qrels.txt"].splitlines()]
    for name, (topics, slips) in JUDGES.items():
        bias = {"bob": -1, "machine": 1}.get(name, 0)
        rows: list[str] = []
        for place, (topic, _, document, grade) in enumerate(lines):
            if int(topic) > topics:
                break
            draw = stream(seed, f"demo judge {name}", place)
            new_grade = int(grade)
            if uniform(draw) < slips[new_grade]:
                new_grade += bias or (1 if uniform(draw) < 0.5 else -1)
            rows.append(f"{topic} 0 {document} {min(max(new_grade, 0), 2)}\n")
        files[f"{name}.qrels"] = "".join(rows)
    return files


def verdicts(seed: int, questions: int = 600, labelled: int = 120) -> dict[str, str]:
    """Return verdicts of a lenient machine on all answers of two systems, and of a person on some."""
    machine, human = ["run,id,outcome\n"], ["run,id,human\n"]
    drawn = sorted(range(questions), key=lambda number: (stream(seed, "demo labelled", number).bits(), number))[
        :labelled
    ]
    for number in range(questions):
        difficulty = normal(stream(seed, "demo verdicts", number))
        for name, (skill, fooled) in VERDICTS.items():
            draw = stream(seed, f"demo verdict {name}", number)
            if uniform(draw) < 0.08:
                machine.append(f"{name},v{number:03},unanswered\n")
                continue
            right = uniform(draw) < squash(log(skill / (1 - skill)) - difficulty)
            called_right = uniform(draw) < (0.95 if right else fooled)
            machine.append(f"{name},v{number:03},{'correct' if called_right else 'incorrect'}\n")
            if number in drawn:
                human.append(f"{name},v{number:03},{int(right)}\n")
    return {"machine.csv": "".join(machine), "human.csv": "".join(human)}


def organising(seed: int, topics: int = 40) -> dict[str, str]:
    """Return topics and rules of the ranked track, a submission with many errors, and a small pool to judge."""
    lines: list[str] = []
    for topic in [*range(1, topics - 1), topics + 1]:
        documents = [f"D{topic:02}-{number:03}" for number in range(5)]
        lines += [f"{topic} Q0 {d} {rank} {9.0 - rank / 2} late\n" for rank, d in enumerate(documents, 1)]
    lines[2] = lines[2].replace(" late", "")  # a missing tag
    lines[6] = lines[6].replace("8.0", "nan")  # a NaN score
    lines[9] = lines[9].replace("D02-004", "D02-000")  # a duplicate document
    lines[12] = lines[12].replace("7.5", "8.7")  # a rank that contradicts its score
    lines[20:40] = [line.replace(" late", " later") for line in lines[20:40]]  # a second tag
    rules = f'format = "trec-run"\ntopics = {topics}\ndepth = 100\ntag = "[a-z0-9-]{{1,12}}"\n'
    ids = "".join(f"{topic}\n" for topic in range(1, topics + 1))
    grades: dict[str, dict[str, int]] = {}
    for line in ranked(seed, topics=3)["qrels.txt"].splitlines():
        topic, _, document, grade = line.split()
        grades.setdefault(topic, {})[document] = int(grade)
    return {"topics.txt": ids, "rules.toml": rules, "late.run": "".join(lines), **to_judge(seed, grades)}


def answers(seed: int, questions: int = 400) -> dict[str, str]:
    """Return questions of four types, and runs that answer or decline, with confidences."""
    gold: list[dict[str, object]] = []
    runs: dict[str, list[dict[str, object]]] = {name: [] for name in READERS}
    for number in range(1, questions + 1):
        draw = stream(seed, "demo questions", number)
        difficulty = normal(draw)
        identity, kind = f"q{number:03}", TYPES[draw.below(len(TYPES))]
        gold.append(
            {"id": identity, "type": kind, "answers": [{"text": f"answer {number}"}], "cluster": f"p{number // 5}"}
        )
        for name, (skill, caution, honesty) in READERS.items():
            luck = stream(seed, f"demo {name}", number)
            chance = squash(log(skill / (1 - skill)) - 1.2 * difficulty)
            right = uniform(luck) < chance
            stated = honesty * chance + (1 - honesty) * (0.7 + 0.25 * uniform(luck))
            confidence = round(min(max(stated + 0.05 * normal(luck), 0.01), 0.99), 2)
            candidate = f"answer {number}" if right else f"something else {luck.below(9)}"
            entry: dict[str, object] = {"id": identity}
            if confidence < 0.5 and uniform(luck) < caution:
                entry |= {"answer": None, "candidate": candidate, "confidence": confidence}
            else:
                entry |= {"answer": candidate, "confidence": confidence}
            runs[name].append(entry)
    return {"gold.jsonl": jsonl(gold), **answer_files(runs)}


def logs(seed: int) -> dict[str, str]:
    """Return logs in Inspect's JSON, one per model and task: two epochs of C, I, N, and a few errors."""
    files: dict[str, str] = {}
    for task, questions in TASKS.items():
        for model, (skill, caution) in MODELS.items():
            samples = [
                _sample(seed, task, model, number, epoch, skill, caution)
                for number in range(1, questions + 1)
                for epoch in range(1, EPOCHS + 1)
            ]
            files |= inspect_log(task, model, samples, EPOCHS)
    return files


def inspect_log(task: str, model: str, samples: Sequence[Mapping[str, object]], epochs: int) -> dict[str, str]:
    """Return a log in Inspect's JSON by its file name."""
    about = {
        "task": task, "model": model, "dataset": {"name": task, "samples": len(samples) // epochs},
        "config": {"epochs": epochs}, "packages": {"inspect_ai": "0.3.285"},
    }  # fmt: skip
    log = {"version": 2, "status": "success", "eval": about, "samples": samples}
    return {f"{task}_{model.removeprefix('made/')}.json": json.dumps(log) + "\n"}


def _sample(
    seed: int, task: str, model: str, number: int, epoch: int, skill: float, caution: float
) -> dict[str, object]:
    difficulty = normal(stream(seed, f"demo {task}", number))
    luck = stream(seed, f"demo {task} {model} {epoch}", number)
    chance = squash(log(skill / (1 - skill)) - 1.5 * difficulty)
    right, withheld, broken = uniform(luck) < chance, uniform(luck) < caution, uniform(luck) < 0.01
    value, answer = ("C", f"answer {number}") if right else ("N", "") if withheld else ("I", f"guess {luck.below(9)}")
    sample = {
        "id": f"{task[0]}{number:02}",
        "epoch": epoch,
        "input": f"{task} question {number}?",
        "target": f"answer {number}",
    }
    if broken:
        return {**sample, "scores": {}, "error": {"message": "APIError: 503"}}
    return {**sample, "output": {"completion": answer}, "scores": {"match": {"value": value, "answer": answer}}}


def filtering(seed: int, topics: int = 12, documents: int = 1600) -> dict[str, str]:
    """Return qrels of a stream of documents, the sets that systems returned, periods and characteristics."""
    qrels: list[str] = []
    runs: dict[str, list[str]] = {name: [] for name in FILTERS}
    for topic in range(1, topics + 1):
        draw = stream(seed, "demo stream", topic)
        rate = 0.01 + 0.04 * uniform(draw)
        chances = {name: stream(seed, f"demo {name}", topic) for name in FILTERS}
        for number in range(documents):
            relevant = uniform(draw) < rate
            if relevant or uniform(draw) < 0.1:
                qrels.append(f"R{topic} 0 N{number:05} {int(relevant)}\n")
            for name, (hit, false) in FILTERS.items():
                learned = 1.0 if name not in ("rocchio", "svm") else 0.6 + 0.4 * number / documents
                if uniform(chances[name]) < (hit * learned if relevant else false / learned):
                    runs[name].append(f"R{topic} N{number:05}\n")
    sections = [
        f'["{name}"]\nsubtask = "{"adaptive" if name in ("rocchio", "svm", "knn") else "batch"}"\n'
        f'optimized_for = "{"T10SU" if name != "eager" else "T10F"}"\n'
        for name in FILTERS
    ]
    boundaries = "".join(f"N{documents * quarter // 4:05}\n" for quarter in (1, 2, 3))
    about = {"runs.toml": "\n".join(sections), "periods.txt": boundaries}
    return {"qrels.txt": "".join(qrels), **about, **run_files(runs, "txt")}


def squash(x: float) -> float:
    """Return the logistic function of x."""
    return 1.0 / (1.0 + exp(-x))


def jsonl(entries: Iterable[Mapping[str, object]]) -> str:
    """Format objects as JSONL."""
    return "".join(json.dumps(entry) + "\n" for entry in entries)
