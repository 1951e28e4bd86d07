"""What do a machine judge and people's labels of a third of the topics decide of TREC-COVID's runs, and is it right?

    ASSAY_DATA=… python benchmarks/judged_covid.py          writes benchmarks/judged_covid.json

The 24 runs of round 1 are scored under made judges, one for each of the 33 of LLMJudge (TREC Deep Learning 2023): a document that people
gave a grade gets one that the real judge gave such documents, with the same shares. Grades 0 to 3 of LLMJudge become 0, 1, 2 and 2.
For every judge 10 random topics of 30 are labelled, several times anew, and `assay.compare(…, human=…)` compares all pairs.

    contradicted   of the pairs decided, the share whose order is the other way round by people's judgments of all topics
    decided        of the pairs that people's judgments of all topics decide (max-T), the share decided here too
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import os
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import assay

RESULTS = Path(__file__).resolve().with_suffix(".json")
DATA = Path(os.environ.get("ASSAY_DATA", "../shared/data"))
MEASURES = ("AP", "nDCG@10", "P@5")
GRADES = {"0": 0, "1": 1, "2": 2, "3": 2}
LABELLED = 10
SEED = 34


def confusions(path: Path) -> dict[str, np.ndarray]:
    """Per judge, the share of each grade it gave to documents of each grade of people's."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    judges = [name for name in rows[0] if name not in ("topic", "doc", "human")]
    counts = {judge: np.zeros((3, 3)) for judge in judges}
    for row in rows:
        for judge in judges:
            if row[judge] in GRADES:
                counts[judge][GRADES[row["human"]], GRADES[row[judge]]] += 1
    return {judge: of / of.sum(axis=1, keepdims=True) for judge, of in counts.items()}


def read_qrels(path: Path) -> list[tuple[str, str, int]]:
    lines = (line.split() for line in path.read_text("utf-8").splitlines())
    return [(topic, doc, int(grade)) for topic, _, doc, grade in lines]


def made(rng, qrels: list[tuple[str, str, int]], confusion: np.ndarray) -> dict[str, dict[str, int]]:
    """The qrels of a made judge."""
    luck = rng.random(len(qrels))
    bounds = confusion.cumsum(axis=1)
    judged: dict[str, dict[str, int]] = {}
    for (topic, doc, grade), one in zip(qrels, luck, strict=True):
        judged.setdefault(topic, {})[doc] = int(min(np.searchsorted(bounds[max(grade, 0)], one), 2))
    return judged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=5, help="label sets of each judge")
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--labelled", type=int, default=LABELLED)
    parser.add_argument("--no-save", action="store_true")
    args = parser.parse_args()
    covid = DATA / "trec_covid_r1"
    qrels, runs = read_qrels(covid / "qrels.txt"), str(covid / "runs")
    people = assay.evaluate(str(covid / "qrels.txt"), runs, MEASURES)
    rng = np.random.default_rng(SEED)
    truth = {}
    for measure in MEASURES:
        result = assay.compare(people, measure)
        value = {run.run: run.value for run in result.runs}
        truth[measure] = value, {frozenset((pair.a, pair.b)) for pair in result.pairs if pair.significant}
    rows = {measure: [] for measure in MEASURES}
    for judge, confusion in confusions(DATA / "llmjudge_dl23" / "labels.csv.xz").items():
        machine = assay.evaluate(made(rng, qrels, confusion), runs, MEASURES)
        for draw in range(args.draws):
            topics = sorted(rng.permutation(people.topics)[: args.labelled].tolist())
            for measure in MEASURES:
                result = assay.compare(
                    machine, measure, human=people.restricted(topics), resamples=args.resamples, seed=draw
                )
                value, known = truth[measure]
                decided = [pair for pair in result.pairs if pair.significant]
                wrong = sum((value[pair.a] - value[pair.b]) * pair.difference < 0 for pair in decided)
                shared = sum(frozenset((pair.a, pair.b)) in known for pair in decided)
                turned = sum(pair.order == "turns" for pair in decided)
                human = assay.compare(people.restricted(topics), measure, resamples=args.resamples, seed=draw)
                alone = sum(p.significant and frozenset((p.a, p.b)) in known for p in human.pairs)
                rows[measure].append(
                    (len(decided), wrong, shared, len(known), turned, result.settings["human"]["weight"], alone)
                )
        print(
            judge,
            {m: tuple(np.round(np.mean(rows[m][-args.draws :], axis=0), 2).tolist()) for m in MEASURES},
            flush=True,
        )
    results = {}
    for measure, of in rows.items():
        decided, wrong, shared, known, turned, weight, alone = np.array(of).T
        results[measure] = {
            "comparisons": len(of), "decided pairs": int(decided.sum()), "contradicted": float(wrong.sum() / max(decided.sum(), 1)),
            "decided": float(shared.sum() / known.sum()), "decided by the labels alone": float(alone.sum() / known.sum()),
            "known pairs": int(known[0]), "turned": int(turned.sum()), "weight": float(weight.mean()),
            "comparisons that decide nothing": int((decided == 0).sum()),
        }  # fmt: skip
        print(measure, results[measure])
    if not args.no_save:
        RESULTS.write_text(
            json.dumps({"topics": 30, "labelled": args.labelled, "measures": results}, indent=1) + "\n", "utf-8"
        )


if __name__ == "__main__":
    main()
