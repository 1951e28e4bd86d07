"""Race assay's user models against cwl-eval on generated runs: 50 topics × 1000 documents, sixteen models, five quantities each.

    python benchmarks/user_models.py                  129 runs; cwl-eval takes 3 of them, its time scaled
    python benchmarks/user_models.py --runs 129 --peer-runs 129

Each contestant is a whole process: it starts, reads the files, and prints every quantity of every model for every topic. The models
are those cwl-eval has where none are named. All numbers of the runs both score must agree, or the race is void; where no reader
stops, cwl-eval prints a total of 0 and assay n/a.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MODELS = {
    **{f"P@{k}": f"P@{k}" for k in (1, 2, 3, 4, 5, 10)},
    **{f"RBP@{p}": f"RBP(p={p})" for p in (0.2, 0.4, 0.8)},
    **{f"NDCG-k@{k}": f"SDCG@{k}" for k in (5, 10)},
    "RR": "RR",
    "AP": "AP",
    **{f"INST-T={t}": f"INST(T={t})" for t in (1.0, 2.0, 3.0)},
}
"""cwl-eval's name of each of its default models, and ours."""
QUANTITIES = ("EU", "ETU", "EC", "ETC", "ED")

CWL = """
import logging, sys
logging.disable(logging.CRITICAL)
logging.FileHandler = lambda name: logging.NullHandler()
from cwl.cwl_eval import main
qrels, *runs = sys.argv[1:]
for run in runs:
    print("run", run)
    main(run, qrels)
"""

ASSAY = "import sys; from assay.cli import main; sys.exit(main())"
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")}


def generate(folder: Path, count: int, topics: int = 50) -> tuple[Path, list[Path]]:
    """Judgments of 1,700 documents a topic, one in seventeen relevant, and runs that have some of them, the relevant ones earlier."""
    rng = random.Random(2019)
    qrels = folder / "qrels"
    judged = {topic: rng.sample(range(2_000_000), 1700) for topic in range(1, topics + 1)}
    with qrels.open("w") as file:
        for topic, documents in judged.items():
            file.writelines(f"{topic} 0 D{document} {int(place < 100)}\n" for place, document in enumerate(documents))
    paths = [folder / f"run{number:03}" for number in range(count)]
    for path in paths:
        with path.open("w") as file:
            for topic, known in judged.items():
                kept = rng.sample(known[:100], rng.randint(20, 80)) + rng.sample(known[100:], 400)
                documents = list(dict.fromkeys(kept + rng.sample(range(3_000_000, 9_000_000), 1000)))[:1000]
                documents.sort(
                    key=lambda document, known=frozenset(known[:100]): rng.random() * (0.4 + (document not in known))
                )
                lines = (f"{topic} Q0 D{d} {rank} {1000 - rank} {path.name}\n" for rank, d in enumerate(documents, 1))
                file.writelines(lines)
    return qrels, paths


def timed(command: list[str]) -> tuple[float, str]:
    with tempfile.TemporaryFile("w+") as output:
        start = time.perf_counter()
        subprocess.run(command, stdout=output, stderr=subprocess.DEVNULL, env=ENVIRONMENT, check=True)
        seconds = time.perf_counter() - start
        output.seek(0)
        return seconds, output.read()


def ours(qrels: Path, runs: list[Path]) -> tuple[float, dict[tuple[str, str, str], list[float]]]:
    """Seconds, and by run, topic and model its five numbers."""
    names = [f"{quantity}({model})" for model in MODELS.values() for quantity in QUANTITIES]
    flags = [word for name in names for word in ("-m", name)]
    files = map(str, (qrels, *runs))
    seconds, output = timed([sys.executable, "-c", ASSAY, "evaluate", *files, *flags, "-q", "-f", "tsv"])
    _, *rows = (line.split("\t") for line in output.splitlines() if line and not line.startswith("#"))
    found: dict[tuple[str, str, str], list[float]] = {}
    for run, topic, *cells in rows:
        values = [0.0 if cell == "n/a" else float(cell) for cell in cells]
        for place, model in enumerate(MODELS):
            found[run, topic, model] = values[place * len(QUANTITIES) : (place + 1) * len(QUANTITIES)]
    return seconds, found


def theirs(python: str, qrels: Path, runs: list[Path]) -> tuple[float, dict[tuple[str, str, str], list[float]]]:
    """The same of cwl-eval, rounded as it prints."""
    seconds, output = timed([python, "-c", CWL, str(qrels), *map(str, runs)])
    found: dict[tuple[str, str, str], list[float]] = {}
    run = ""
    for line in output.splitlines():
        if line.startswith("run "):
            run = Path(line[4:]).name
            continue
        topic, model, *cells = line.split("\t")
        found[run, topic, model.strip()] = list(map(float, cells))
    return seconds, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=129, help="how many runs assay scores (default 129)")
    parser.add_argument("--peer-runs", type=int, default=3, help="how many of them cwl-eval scores (default 3)")
    parser.add_argument("--peer-python", default=sys.executable, help="an interpreter that has cwl-eval")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        qrels, runs = generate(Path(folder), chosen.runs)
        few = runs[: chosen.peer_runs]
        peer_seconds, peer_values = theirs(chosen.peer_python, qrels, few)
        few_seconds, few_values = ours(qrels, few)
        seconds, _ = ours(qrels, runs)
    pairs = [
        (value, peer) for key, row in peer_values.items() for value, peer in zip(few_values[key], row, strict=True)
    ]
    worst = max(abs(value - peer) for value, peer in pairs)
    if worst > 5.1e-5:
        raise SystemExit(f"the numbers differ by up to {worst:.6f}: no race")
    scaled = peer_seconds * len(runs) / len(few)
    print(f"{len(pairs)} numbers of {len(few)} run(s) agree to the four places that cwl-eval prints")
    print(
        f"  cwl-eval  {len(few):4} runs {peer_seconds:8.2f} s   assay {few_seconds:8.2f} s   {peer_seconds / few_seconds:6.1f}×"
    )
    how = "measured" if len(few) == len(runs) else f"cwl-eval's time scaled from {len(few)}"
    print(
        f"  cwl-eval  {len(runs):4} runs {scaled:8.2f} s   assay {seconds:8.2f} s   {scaled / seconds:6.1f}×   ({how})"
    )


if __name__ == "__main__":
    main()
