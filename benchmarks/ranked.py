"""Race `assay` against pytrec_eval, ir_measures, ranx and trec_eval on generated files.

    python benchmarks/ranked.py                                        all rows, all peers
    python benchmarks/ranked.py S --peers pytrec_eval
    python benchmarks/ranked.py T J --before ../earlier/src            against an earlier assay, built in its folder
    python benchmarks/ranked.py A --trec-eval ~/trec_eval/trec_eval    built with -O3

Each contestant is a whole process: it starts, reads the files, computes and prints. The contestants take turns, so that
whatever else the machine does hits all of them; the best of each counts: seconds on the clock, seconds of processors (which
another job on the machine changes less), and peak memory. The means must agree, or the race is void.

  S   50 topics × 1000 documents, 1,700 judged per topic; 8 measures
  M   100 runs like S
  L   6,980 topics × 1000 documents, about one relevant per topic; 8 measures
  P   L through a pipe
  Z   L packed by gzip, unpacked by isal (the extra `gzip`) and without
  A   `trec_eval -q -m all_trec` on S
  T   70,000 topics × 10 documents, 20 measures
  J   6,980 topics × 100 documents, 20 measures, every topic as JSON
  D   like S, but from Python dicts in memory (no reading), in one process
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

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

TWENTY = (
    "AP", "nDCG", "nDCG@5", "nDCG@10", "nDCG@20", "nDCG@100", "P@1", "P@5", "P@10", "P@20", "P@100", "R@5", "R@10", "R@100", "R@1000",
    "RR", "RR@10", "Rprec", "Bpref", "Success@10",
)  # fmt: skip

ASSAY = """
import sys, assay.cli
getattr(assay.cli, 'console', lambda: sys.exit(assay.cli.main()))()
"""

WITHOUT_ISAL = """
import sys
sys.modules['isal'] = None
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


def write_run(path: Path, rng: random.Random, topics: int, depth: int, judged: dict[int, list[int]], tag: str) -> None:
    """A run of so many documents per topic, some of the judged ones among the first."""
    with path.open("w") as file:
        for topic in range(topics):
            known = judged[topic]
            found = rng.sample(known, min(len(known), rng.randint(len(known) // 3, 2 * len(known) // 3 + 1)))
            rest = rng.sample(range(3_000_000, 9_000_000), depth)
            documents = list(dict.fromkeys(found + rest))[:depth]
            rng.shuffle(documents)
            score = 30.0
            for rank, document in enumerate(documents, 1):
                score -= rng.random() / 40
                file.write(f"{topic + 1} Q0 D{document} {rank} {score:.6f} {tag}\n")


SIZES = {
    "S": (50, 1000, 1),
    "M": (50, 1000, 100),
    "L": (6980, 1000, 1),
    "T": (70_000, 10, 1),
    "J": (6980, 100, 1),
}
"""Topics, documents of each, and runs."""


def generate(folder: Path, size: str) -> tuple[Path, list[Path]]:
    """The files of one size, made once."""
    rng = random.Random(20011)
    topics, depth, runs = SIZES[size]
    qrels = folder / f"{size}.qrels"
    paths = [folder / f"{size}.{i:03}.run" for i in range(runs)]
    if paths[-1].exists():
        return qrels, paths
    judged: dict[int, list[int]] = {}
    pooled = size in ("S", "M")
    with qrels.open("w") as file:
        for topic in range(topics):
            count = 1700 if pooled else rng.choice([1, 1, 1, 2])
            judged[topic] = rng.sample(range(2_000_000), count)
            for document in judged[topic]:
                grade = rng.choices([0, 1, 2], [94, 4, 2])[0] if pooled else 1
                file.write(f"{topic + 1} 0 D{document} {grade}\n")
    for path in paths:
        write_run(path, rng, topics, depth, judged, path.stem)
    return qrels, paths


# An installed package has its bytecode compiled, so every contestant may keep its own; pipes are buffered as usual.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")}


class Cost(NamedTuple):
    """What a process took."""

    wall: float
    processor: float
    megabytes: float


class Contestant(NamedTuple):
    """A command, the source folder it runs from if not the usual one, and a file for its standard input."""

    command: list[str]
    source: str | None = None
    piped: Path | None = None


def measured(one: Contestant) -> tuple[Cost, str]:
    """What one process costs, and what it prints."""
    environment = ENVIRONMENT | ({"PYTHONPATH": one.source} if one.source else {})
    with tempfile.TemporaryFile("w+") as output:
        start = time.perf_counter()
        pipe = subprocess.Popen(["cat", str(one.piped)], stdout=subprocess.PIPE) if one.piped else None
        given = pipe.stdout if pipe else subprocess.DEVNULL
        process = subprocess.Popen(one.command, stdin=given, stdout=output, stderr=subprocess.DEVNULL, env=environment)
        if pipe is not None and pipe.stdout is not None:
            pipe.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        if pipe is not None:
            pipe.wait()
        if status:
            raise SystemExit(f"{' '.join(one.command)[:200]} failed with status {status}")
        output.seek(0)
        return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), output.read()


def taking_turns(contestants: dict[str, Contestant], repeat: int) -> tuple[dict[str, Cost], dict[str, str]]:
    """The best of each, number by number, and what each printed."""
    costs: dict[str, list[Cost]] = {name: [] for name in contestants}
    printed: dict[str, str] = {}
    for _ in range(repeat):
        for name, contestant in contestants.items():
            cost, printed[name] = measured(contestant)
            costs[name].append(cost)
    return {name: Cost(*map(min, zip(*several, strict=True))) for name, several in costs.items()}, printed


def show(title: str, best: dict[str, Cost], void: dict[str, str] | None = None) -> None:
    """A line for each contestant; how many times as long as assay it takes."""
    print(f"\n{title}")
    for name, cost in best.items():
        if void and name in void:
            print(f"  {name:<12} {void[name]}: no race")
            continue
        wall, processor = cost.wall / best["assay"].wall, cost.processor / best["assay"].processor
        print(
            f"  {name:<12} {cost.wall:8.3f} s ({cost.processor:7.3f} s of processors) {cost.megabytes:6.0f} MB"
            f"   assay is {wall:5.2f}× as fast ({processor:5.2f}×)"
        )


def assays(words: list[str], before: str | None, piped: Path | None = None) -> dict[str, Contestant]:
    """This assay, and an earlier one where its folder is known."""
    command = [sys.executable, "-c", ASSAY, *words]
    found = {"assay": Contestant(command, None, piped)}
    return found | ({"before": Contestant(command, before, piped)} if before else {})


def flags(names: Iterable[str]) -> list[str]:
    return [word for name in names for word in ("-m", name)]


def race(size: str, folder: Path, peers: list[str], repeat: int, before: str | None) -> None:
    """Take turns, check that all agree, print ratios."""
    piped = size == "P"
    qrels, runs = generate(folder, "L" if piped else size)
    files = [str(qrels), *map(str, runs)]
    scripts = {"pytrec_eval": PYTREC_EVAL, "ir_measures": IR_MEASURES, "ranx": RANX}
    given = [str(qrels), "-"] if piped else files
    words = ["evaluate", *given, *flags(MEASURES), "-q", "-f", "tsv", "--name-by", "file"]
    contestants = assays(words, before, runs[0] if piped else None)
    for peer in [] if piped else peers:
        contestants[peer] = Contestant([sys.executable, "-c", scripts[peer], json.dumps(MEASURES), *files])
    best, printed = taking_turns(contestants, repeat)
    answers: dict[str, list[list[float | None]]] = {}
    for name, output in printed.items():
        rows = [line.split("\t") for line in output.splitlines()]
        if name in ("assay", "before"):
            answers[name] = [[float(cell) for cell in row[2:]] for row in rows if row[1] == "all"]
        else:
            answers[name] = [json.loads(line) for line in output.splitlines()]
    void: dict[str, str] = {}
    for name in best:
        same = [i for i in range(len(MEASURES)) if answers[name][0][i] is not None]
        worst = max(abs(a[i] - b[i]) for a, b in zip(answers[name], answers["assay"], strict=True) for i in same)  # type: ignore[operator]
        if worst > 1e-6:
            void[name] = f"DISAGREES by {worst:.6f}"
    size_of = sum(run.stat().st_size for run in runs) / 1e6
    show(f"{size}: {len(runs)} run(s), {size_of:.0f} MB{', through a pipe' if piped else ''}", best, void)


def race_packed(folder: Path, repeat: int, before: str | None) -> None:
    """A packed run, with isal and without."""
    qrels, runs = generate(folder, "L")
    packed = folder / "L.000.run.gz"
    if not packed.exists():
        beside = packed.with_suffix(".tmp")
        with runs[0].open("rb") as text, gzip.open(beside, "wb", compresslevel=6) as file:
            shutil.copyfileobj(text, file, 1 << 20)
        beside.rename(packed)
    words = ["evaluate", str(qrels), str(packed), *flags(MEASURES)]
    contestants = assays(words, before)
    contestants["without isal"] = Contestant([sys.executable, "-c", WITHOUT_ISAL + ASSAY, *words])
    best, printed = taking_turns(contestants, repeat)
    void = {name: "DISAGREES" for name, text in printed.items() if text != printed["assay"]}
    installed = "installed" if find_spec("isal") else "NOT installed"
    show(f"Z: L packed by gzip, {packed.stat().st_size / 1e6:.0f} MB; isal is {installed}", best, void)


def race_trec_eval(folder: Path, repeat: int, binary: str | None, before: str | None) -> None:
    """trec_eval's own command, against itself."""
    qrels, runs = generate(folder, "S")
    words = ["-q", "-m", "all_trec", str(qrels), str(runs[0])]
    contestants = assays(["trec_eval", *words], before)
    if binary:
        contestants["trec_eval"] = Contestant([binary, *words])
    show("A: trec_eval -q -m all_trec on S", taking_turns(contestants, repeat)[0])


def race_before(size: str, folder: Path, repeat: int, before: str | None) -> None:
    """Many topics and twenty measures: against an earlier assay, byte by byte."""
    qrels, runs = generate(folder, size)
    words = ["evaluate", str(qrels), str(runs[0]), *flags(TWENTY), *(["-q", "-f", "json"] if size == "J" else [])]
    best, printed = taking_turns(assays(words, before), repeat)
    void = {name: "DISAGREES" for name, text in printed.items() if text != printed["assay"]}
    show(
        f"{size}: {SIZES[size][0]:,} topics × {len(TWENTY)} measures{', -q -f json' if size == 'J' else ''}", best, void
    )


def race_dicts(folder: Path, repeat: int) -> None:
    """The same judgments and run as dicts, without reading."""
    qrels, runs = generate(folder, "S")
    best: dict[str, float] = {}
    answers: dict[str, list[float]] = {}
    for _ in range(repeat):
        for who in ("assay", "pytrec_eval"):
            command = [sys.executable, "-c", DICTS, who, json.dumps(MEASURES), str(qrels), str(runs[0])]
            seconds, answers[who] = json.loads(measured(Contestant(command))[1])
            best[who] = min(best.get(who, 1e9), seconds)
    worst = max(abs(a - b) for a, b in zip(answers["assay"], answers["pytrec_eval"], strict=True))
    print("\nD: dicts of size S, in one process")
    for who, seconds in best.items():
        print(
            f"  {who:<12} {seconds * 1000:8.1f} ms   assay is {seconds / best['assay']:5.1f}× as fast (numbers differ by {worst:.0e})"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    rows = ["S", "D", "M", "L", "P", "Z", "A", "T", "J"]
    parser.add_argument("rows", nargs="*", default=rows, help=", ".join(rows))
    parser.add_argument("--peers", default="pytrec_eval,ir_measures,ranx")
    parser.add_argument("--before", metavar="FOLDER", help="the src folder of an earlier assay")
    parser.add_argument("--trec-eval", metavar="FILE", default=shutil.which("trec_eval"), help="trec_eval, built")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "assay-benchmark")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    peers = [p for p in arguments.peers.split(",") if p]
    for row in arguments.rows:
        if row == "D":
            race_dicts(arguments.folder, arguments.repeat)
        elif row == "Z":
            race_packed(arguments.folder, arguments.repeat, arguments.before)
        elif row == "A":
            race_trec_eval(arguments.folder, arguments.repeat, arguments.trec_eval, arguments.before)
        elif row in ("T", "J"):
            race_before(row, arguments.folder, arguments.repeat, arguments.before)
        else:
            race(row, arguments.folder, peers, arguments.repeat, arguments.before)


if __name__ == "__main__":
    main()
