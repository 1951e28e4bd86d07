"""Race α-nDCG against pyndeval, which is NIST's ndeval in C under Python.

    python benchmarks/diversity.py
    python benchmarks/diversity.py --runs 20 --measures all

Made runs of TREC's size, 50 topics × 1000 documents, against made judgments of 6 subtopics a topic. Two races, each to a value
per topic of every run, the judgments prepared once:

  files    from run files on disk; pyndeval reads none, so a plain loop reads them for it
  memory   from what each takes as it is: {topic: {document: score}} here, (topic, document, score) there

Every value must be the same to 1e-9, or the race is void.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyndeval

import assay

TOPICS, DOCUMENTS, JUDGED, SUBTOPICS = 50, 1000, 600, 6
MEASURES = {
    "one": ["alpha-nDCG@20"],
    "all": [
        *(f"{name}@{cut}" for name in ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "P-IA", "strec") for cut in (5, 10, 20)),
        *("NRBP", "nNRBP", "MAP-IA"),
    ],
}  # fmt: skip
Rows = list[tuple[str, str, float]]


def judgments(rng: random.Random) -> list[tuple[str, str, str, int]]:
    """A third of the judged documents are relevant to something, to one subtopic or two."""
    judged = []
    for topic in range(201, 201 + TOPICS):
        for document in rng.sample(range(5000), JUDGED):
            of = rng.sample(range(1, SUBTOPICS + 1), rng.choice([1, 2])) if rng.random() < 1 / 3 else []
            judged += [(str(topic), str(s), f"clueweb12-{document:05}", int(s in of)) for s in range(1, SUBTOPICS + 1)]
    return sorted(judged, key=lambda row: row[:2])


def made_run(rng: random.Random) -> Iterator[tuple[str, str, float]]:
    for topic in range(201, 201 + TOPICS):
        for rank, document in enumerate(rng.sample(range(5000), DOCUMENTS), 1):
            yield str(topic), f"clueweb12-{document:05}", 20.0 - rank / 100


def read_rows(path: Path) -> Rows:
    """What a person writes who has pyndeval and a run file."""
    with path.open() as lines:
        return [(fields[0], fields[2], float(fields[4])) for fields in map(str.split, lines)]


def seconds(work: Callable[[], dict], best_of: int) -> tuple[float, dict]:
    times, result = [], {}
    for _ in range(best_of):
        start = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - start)
    return min(times), result


def by_topic(scores: assay.Scores, measures: list[str]) -> dict:
    each = {run: {measure: scores.values(measure, run) for measure in measures} for run in scores.runs}
    return {
        run: {topic: {measure: values[measure][topic] for measure in measures} for topic in scores.topics}
        for run, values in each.items()
    }


def void(theirs: dict, ours: dict) -> str:
    for run, topics in theirs.items():
        for topic, values in topics.items():
            for measure, value in values.items():
                if abs(ours[run][topic][measure] - value) > 1e-9:
                    return f"{run}, topic {topic}, {measure}: {value} there, {ours[run][topic][measure]} here"
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=129)
    parser.add_argument("--measures", choices=MEASURES, default="one")
    parser.add_argument("--best-of", type=int, default=1)
    args = parser.parse_args()
    rng, measures = random.Random(2013), MEASURES[args.measures]
    judged = judgments(rng)
    with tempfile.TemporaryDirectory() as folder:
        qrels = Path(folder, "qrels.txt")
        qrels.write_text("".join(f"{' '.join(map(str, row))}\n" for row in judged))
        paths = [Path(folder, f"r{number:03}.run") for number in range(args.runs)]
        for path in paths:
            lines = (f"{topic} Q0 {d} 0 {score:.2f} {path.stem}\n" for topic, d, score in made_run(rng))
            path.write_text("".join(lines))
        peer = pyndeval.RelevanceEvaluator(judged, measures)
        gold = assay.read_gold(str(qrels), task="diversity")
        files = (
            lambda: {path.stem: peer.evaluate(read_rows(path)) for path in paths},
            lambda: by_topic(gold.evaluate([str(path) for path in paths], measures, keep=False), measures),
        )
        rows = {path.stem: read_rows(path) for path in paths[:20]}
        dicts: dict[str, dict[str, dict[str, float]]] = {}
        for name, run in rows.items():
            for topic, document, score in run:
                dicts.setdefault(name, {}).setdefault(topic, {})[document] = score
        memory = (
            lambda: {name: peer.evaluate(run) for name, run in rows.items()},
            lambda: by_topic(gold.evaluate(dicts, measures, keep=False), measures),
        )
        print(f"{len(measures)} measures, {TOPICS} topics × {DOCUMENTS} documents")
        print("race      runs   pyndeval      assay      ×")
        for name, count, (theirs, ours) in (("files", len(paths), files), ("memory", len(rows), memory)):
            slow, expected = seconds(theirs, args.best_of)
            fast, found = seconds(ours, args.best_of)
            problem = void(expected, found)
            if problem:
                raise SystemExit(f"{name}: the two DISAGREE, no race: {problem}")
            print(f"{name:<8} {count:>5}   {slow:>7.2f} s  {fast:>7.2f} s  {slow / fast:>5.1f}")


if __name__ == "__main__":
    main()
