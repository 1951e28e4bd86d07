"""Race `assay evaluate` against pytrec_eval, ir_measures and ranx on generated data.

    python benchmarks/ranked.py              sizes S, L and M, all peers
    python benchmarks/ranked.py S --peers pytrec_eval

Each contestant is a whole process: it starts, reads the files, computes eight measures per topic and prints the means. The
contestants take turns, so that whatever else the machine does hits all of them; the best time of each counts. The means
must agree, or the race is void.

  S   50 topics × 1000 documents, 1,700 judged per topic
  L   6,980 topics × 1000 documents, about one relevant per topic
  M   100 runs like S
  D   like S, but from Python dicts in memory (no reading), in one process
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MEASURES = {
    "AP": "map", "nDCG": "ndcg", "nDCG@10": "ndcg_cut_10", "P@10": "P_10", "Rprec": "Rprec", "R@1000": "recall_1000",
    "RR": "recip_rank", "bpref": "bpref",
}  # fmt: skip

PYTREC_EVAL = """
import json, sys, pytrec_eval
measures = json.loads(sys.argv[1]); qrels, *runs = sys.argv[2:]
with open(qrels) as f: judged = pytrec_eval.parse_qrel(f)
evaluator = pytrec_eval.RelevanceEvaluator(judged, {m.rpartition('_')[0] + '.' + m.rpartition('_')[2] if m[-1:].isdigit() else m for m in measures.values()})
for path in runs:
    with open(path) as f: per_topic = evaluator.evaluate(pytrec_eval.parse_run(f))
    print(json.dumps([sum(v[m] for v in per_topic.values()) / len(judged) for m in measures.values()]))
"""

IR_MEASURES = """
import json, sys, ir_measures
measures = json.loads(sys.argv[1]); qrels, *runs = sys.argv[2:]
wanted = [ir_measures.parse_measure({'bpref': 'Bpref'}.get(m, m)) for m in measures]
evaluator = ir_measures.evaluator(wanted, list(ir_measures.read_trec_qrels(qrels)))
for path in runs:
    totals = dict.fromkeys(wanted, 0.0); topics = set()
    for metric in evaluator.iter_calc(ir_measures.read_trec_run(path)):
        totals[metric.measure] += metric.value; topics.add(metric.query_id)
    print(json.dumps([totals[m] / len(topics) for m in wanted]))
"""

RANX = """
import json, sys, ranx
measures = json.loads(sys.argv[1]); qrels, *runs = sys.argv[2:]
names = {'AP': 'map', 'nDCG': 'ndcg', 'nDCG@10': 'ndcg@10', 'P@10': 'precision@10', 'Rprec': 'r-precision', 'R@1000': 'recall@1000', 'RR': 'mrr'}  # it has no bpref
judged = ranx.Qrels.from_file(qrels, kind='trec')
for path in runs:
    result = ranx.evaluate(judged, ranx.Run.from_file(path, kind='trec'), list(names.values()), make_comparable=True)
    print(json.dumps([float(result[names[m]]) if m in names else None for m in measures]))
"""

ASSAY = """
import sys
from assay.cli import main
sys.exit(main())
"""

DICTS = """
import json, sys, time
who, measures = sys.argv[1], json.loads(sys.argv[2]); qrels, run = sys.argv[3:]
judged, ranked = {}, {}
for line in open(qrels):
    t, _, d, g = line.split(); judged.setdefault(t, {})[d] = int(g)
for line in open(run):
    t, _, d, _, s, _ = line.split(); ranked.setdefault(t, {})[d] = float(s)
if who == 'assay':
    import assay
    assay.evaluate({'q': {'d': 1}}, {'r': {'q': {'d': 1.0}}}, list(measures))
    start = time.perf_counter()
    scores = assay.evaluate(judged, {'run': ranked}, list(measures))
    values = [scores.mean(m)['run'] for m in measures]
else:
    import pytrec_eval
    start = time.perf_counter()
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {m.rpartition('_')[0] + '.' + m.rpartition('_')[2] if m[-1:].isdigit() else m for m in measures.values()})
    per_topic = evaluator.evaluate(ranked)
    values = [sum(v[m] for v in per_topic.values()) / len(judged) for m in measures.values()]
print(json.dumps([time.perf_counter() - start, values]))
"""


def write_run(path: Path, rng: random.Random, topics: int, judged: dict[int, list[int]], tag: str) -> None:
    """A run of 1000 documents per topic, some of the judged ones among the first."""
    with path.open("w") as file:
        for topic in range(topics):
            known = judged[topic]
            found = rng.sample(known, min(len(known), rng.randint(len(known) // 3, 2 * len(known) // 3 + 1)))
            rest = rng.sample(range(3_000_000, 9_000_000), 1000)
            documents = list(dict.fromkeys(found + rest))[:1000]
            rng.shuffle(documents)
            score = 30.0
            for rank, document in enumerate(documents, 1):
                score -= rng.random() / 40
                file.write(f"{topic + 1} Q0 D{document} {rank} {score:.6f} {tag}\n")


def generate(folder: Path, size: str) -> tuple[Path, list[Path]]:
    """The files of one size, made once."""
    rng = random.Random(20011)
    topics, runs = {"S": (50, 1), "M": (50, 100), "L": (6980, 1)}[size]
    qrels = folder / f"{size}.qrels"
    paths = [folder / f"{size}.{i:03}.run" for i in range(runs)]
    if paths[-1].exists():
        return qrels, paths
    judged: dict[int, list[int]] = {}
    with qrels.open("w") as file:
        for topic in range(topics):
            count = 1700 if size != "L" else rng.choice([1, 1, 1, 2])
            judged[topic] = rng.sample(range(2_000_000), count)
            for document in judged[topic]:
                grade = rng.choices([0, 1, 2], [94, 4, 2])[0] if size != "L" else 1
                file.write(f"{topic + 1} 0 D{document} {grade}\n")
    for path in paths:
        write_run(path, rng, topics, judged, path.stem)
    return qrels, paths


# An installed package has its bytecode compiled, so every contestant may keep its own; pipes are buffered as usual.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")}


def measured(command: list[str]) -> tuple[float, float, str]:
    """Seconds, peak megabytes and output of one process."""
    with tempfile.TemporaryFile("w+") as output:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        if status:
            raise SystemExit(f"{' '.join(command)[:200]} failed with status {status}")
        output.seek(0)
        return seconds, usage.ru_maxrss / 1024, output.read()


def race(size: str, folder: Path, peers: list[str], repeat: int) -> None:
    """Take turns, check that all agree, print ratios."""
    qrels, runs = generate(folder, size)
    files = [str(qrels), *map(str, runs)]
    scripts = {"pytrec_eval": PYTREC_EVAL, "ir_measures": IR_MEASURES, "ranx": RANX}
    flags = [word for name in MEASURES for word in ("-m", name)]
    commands = {
        "assay": [sys.executable, "-c", ASSAY, "evaluate", *files, *flags, "-q", "-f", "tsv", "--name-by", "file"]
    }
    commands |= {peer: [sys.executable, "-c", scripts[peer], json.dumps(MEASURES), *files] for peer in peers}
    best: dict[str, tuple[float, float]] = {}
    answers: dict[str, list[list[float | None]]] = {}
    for _ in range(repeat):
        for name, command in commands.items():
            seconds, memory, output = measured(command)
            best[name] = min(best.get(name, (1e9, 0.0)), (seconds, memory))
            if name == "assay":
                rows = [line.split("\t") for line in output.splitlines()]
                answers[name] = [[float(cell) for cell in row[2:]] for row in rows if row[1] == "all"]
            else:
                answers[name] = [json.loads(line) for line in output.splitlines()]
    print(f"\n{size}: {len(runs)} run(s), {sum(r.stat().st_size for r in runs) / 1e6:.0f} MB")
    for name, (seconds, memory) in best.items():
        same = [i for i in range(len(MEASURES)) if answers[name][0][i] is not None]
        worst = max(abs(a[i] - b[i]) for a, b in zip(answers[name], answers["assay"], strict=True) for i in same)
        if worst > 1e-6:
            print(f"  {name}: DISAGREES by {worst:.6f}: no race")
            continue
        ratio = seconds / best["assay"][0]
        print(f"  {name:<12} {seconds:8.3f} s {memory:8.0f} MB   assay is {ratio:5.1f}× as fast")


def race_dicts(folder: Path, repeat: int) -> None:
    """The same judgments and run as dicts, without reading."""
    qrels, runs = generate(folder, "S")
    best: dict[str, float] = {}
    answers: dict[str, list[float]] = {}
    for _ in range(repeat):
        for who in ("assay", "pytrec_eval"):
            command = [sys.executable, "-c", DICTS, who, json.dumps(MEASURES), str(qrels), str(runs[0])]
            seconds, answers[who] = json.loads(measured(command)[2])
            best[who] = min(best.get(who, 1e9), seconds)
    worst = max(abs(a - b) for a, b in zip(answers["assay"], answers["pytrec_eval"], strict=True))
    print("\nD: dicts of size S, in one process")
    for who, seconds in best.items():
        print(
            f"  {who:<12} {seconds * 1000:8.1f} ms   assay is {seconds / best['assay']:5.1f}× as fast (numbers differ by {worst:.0e})"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", default=["S", "D", "M", "L"], help="S, D, M, L")
    parser.add_argument("--peers", default="pytrec_eval,ir_measures,ranx")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "assay-benchmark")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for size in arguments.sizes:
        if size == "D":
            race_dicts(arguments.folder, arguments.repeat)
        else:
            race(size, arguments.folder, [p for p in arguments.peers.split(",") if p], arguments.repeat)


if __name__ == "__main__":
    main()
