"""Score 1,000 systems × 14,000 questions of outcomes, beside scikit-learn on the same arrays.

    python benchmarks/outcomes.py                          1,000 × 14,000
    python benchmarks/outcomes.py --systems 100 --questions 5000

Each contestant is a process of its own. It loads the same two arrays (outcomes 1, 0; confidences), computes, and prints
its seconds without the loading and its peak memory. scikit-learn computes accuracy, the Brier score and AUROC, as assay
does in the first race; the second race is all of assay's default measures. The means must agree, or the race is void.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
THREE = ["accuracy", "Brier", "AUROC"]
ALL = [
    "correct", "incorrect", "unanswered", "accuracy", "c@1", "UF", "coverage", "precision", "CWS", "K1", "r", "Brier",
    "ECE", "AUROC", "AURC",
]  # fmt: skip

ASSAY = """
import json, resource, sys, time
import numpy as np
ended, confidence = np.load(sys.argv[1]), np.load(sys.argv[2])
names = json.loads(sys.argv[3])
start = time.perf_counter()
sys.path.insert(0, "tests/support")
from outcome_arrays import from_arrays
from assay.measures.registry import find
from assay.scoring.evaluate import table as score_table
from assay.tasks.outcomes.task import TASK, OutcomeSettings
measures = [find(name, "outcomes") for name in names]
gold, views = from_arrays(ended, confidence)
table = score_table(TASK, gold, views, measures, OutcomeSettings())
means = [float(np.mean(list(table.mean(m).values()))) for m in measures]
seconds = time.perf_counter() - start
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, means]))
"""

SKLEARN = """
import json, resource, sys, time
import numpy as np
ended, confidence = np.load(sys.argv[1]), np.load(sys.argv[2])
start = time.perf_counter()
from sklearn.metrics import accuracy_score, brier_score_loss, roc_auc_score
ones = np.ones(ended.shape[1], dtype=ended.dtype)
rows = [
    (accuracy_score(ones, right), brier_score_loss(right, stated), roc_auc_score(right, stated))
    for right, stated in zip(ended, confidence)
]
means = np.mean(rows, axis=0).tolist()
seconds = time.perf_counter() - start
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, means]))
"""


def contest(script: str, *words: str) -> tuple[float, float, list[float]]:
    """Seconds, peak megabytes and the means of one contestant."""
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=True, cwd=ROOT)
    return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--systems", type=int, default=1000)
    parser.add_argument("--questions", type=int, default=14_000)
    parser.add_argument("--repeat", type=int, default=2, help="turns of each contestant; the best counts")
    args = parser.parse_args()
    rng = np.random.default_rng(7)
    shape = (args.systems, args.questions)
    confidence = rng.random(shape).round(3)
    outcomes = (rng.random(shape) < confidence).astype(np.int8)
    cells = args.systems * args.questions
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / name) for name in ("outcomes.npy", "confidence.npy")]
        np.save(files[0], outcomes)
        np.save(files[1], confidence)
        data = sum(Path(file).stat().st_size for file in files) / 2**20
        races = {
            "assay, three measures": (ASSAY, json.dumps(THREE)),
            "scikit-learn, the same three": (SKLEARN, ""),
            f"assay, {len(ALL)} measures": (ASSAY, json.dumps(ALL)),
        }
        best: dict[str, tuple[float, float, list[float]]] = {}
        for _ in range(args.repeat):
            for name, (script, words) in races.items():
                found = contest(script, *files, words)
                best[name] = min(best.get(name, found), found)
    ours, theirs = best["assay, three measures"][2], best["scikit-learn, the same three"][2]
    if not np.allclose(ours, theirs, rtol=0, atol=1e-9):
        raise SystemExit(f"the race is void: {ours} is not {theirs}")
    print(f"{args.systems:,} systems × {args.questions:,} questions; the arrays take {data:,.0f} MB")
    for name, (seconds, megabytes, _) in best.items():
        print(f"  {name:<30} {seconds:7.2f} s {cells / seconds / 1e6:7.1f} M outcomes/s {megabytes:8,.0f} MB peak")


if __name__ == "__main__":
    main()
