"""Read and score 20 models × 14,000 questions of Inspect `.eval` logs, beside Inspect's own readers on the same files.

    python benchmarks/logs.py                              20 × 14,000, two of them for Inspect
    python benchmarks/logs.py --models 4 --questions 2000 --completion 8000
    python benchmarks/logs.py --inspect build/inspect/bin/python

The logs are written here in Inspect's layout: zstd members, a header, summaries, and a sample for each question with a
completion of some kB. Each contestant is a process of its own that reads, scores and prints its seconds, its peak memory and
the mean accuracy; these must agree, or the race is void. assay reads all logs; Inspect (`make peers` makes the
environment it is looked for in) reads as many as `--theirs` says, and the ratio is of the time per log. The last line is
assay once more on completions four times as long: its memory must not grow.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from inspect_logs import eval_log, header, sample  # noqa: E402

PEAK = """
def peak():
    # What getrusage says of a process may be its parent's.
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
"""

ASSAY = """
import json, sys, time
start = time.perf_counter()
import assay
scores = assay.evaluate(sys.argv[1], sys.argv[2:], ["accuracy"], keep=False)
values = list(scores["accuracy"].values())
seconds = time.perf_counter() - start
print(json.dumps([seconds, peak(), sum(values) / len(values)]))
"""

SAMPLES_DF = """
import json, sys, time
start = time.perf_counter()
from inspect_ai.analysis import samples_df
frame = samples_df(sys.argv[1:], quiet=True)
mean = float((frame["score_exact"] == "C").mean())
seconds = time.perf_counter() - start
print(json.dumps([seconds, peak(), mean]))
"""

READ_EVAL_LOG = """
import json, sys, time
start = time.perf_counter()
from inspect_ai.log import read_eval_log
right = asked = 0
for path in sys.argv[1:]:
    for sample in read_eval_log(path).samples:
        right += sample.scores["exact"].value == "C"
        asked += 1
seconds = time.perf_counter() - start
print(json.dumps([seconds, peak(), right / asked]))
"""


def write(folder: Path, model: int, questions: int, completion: int) -> Path:
    """One log; its completions are of words, so that they pack as texts do."""
    rng = random.Random(model)
    words = [f"{rng.randrange(10**6):x}" for _ in range(2000)]
    right = rng.uniform(0.3, 0.8)
    made = []
    for at in range(questions):
        said = " ".join(rng.choices(words, k=completion // 6))
        value = "C" if rng.random() < right else "N" if rng.random() < 0.2 else "I"
        made.append(
            sample(
                f"question-{at}", value=value, score_answer=said[:40], score_explanation=said[:400],
                score_metadata={"confidence": round(rng.random(), 3)}, metadata={"subject": f"subject {at % 57}", "level": at % 5},
                model_usage={f"made/model-{model}": {"input_tokens": 200, "output_tokens": 900, "total_tokens": 1100}},
                total_time=1.5, working_time=1.25, target=said[:30], input=f"Question {at}: {said[:300]}",
                messages=[{"role": "user", "content": said[:300]}, {"role": "assistant", "content": said}],
                output={"model": "made", "choices": [{"message": {"role": "assistant", "content": said}}], "completion": said},
            )
        )  # fmt: skip
    about = header(
        model=f"made/model-{model}", created="2026-01-01T00:00:00+00:00", dataset={"name": "made", "samples": questions},
        eval_id=f"made-{model}", run_id=f"made-{model}", task_id=f"made-{model}",
    )  # fmt: skip
    path = folder / f"2026-01-01T00-00-00-00-00_made_{model}.eval"
    path.write_bytes(eval_log(made, about))
    return path


def contest(python: str, script: str, paths: list[Path]) -> tuple[float, float, float]:
    """Seconds, peak megabytes and the accuracy of one contestant."""
    done = subprocess.run([python, "-c", PEAK + script, *map(str, paths)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--questions", type=int, default=14_000)
    parser.add_argument("--completion", type=int, default=4000, help="characters of a completion")
    parser.add_argument("--theirs", type=int, default=2, help="how many of the logs Inspect reads")
    parser.add_argument("--inspect", default=str(ROOT / "build" / "inspect" / "bin" / "python"))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [write(folder, model, args.questions, args.completion) for model in range(args.models)]
        size = sum(path.stat().st_size for path in paths) / 2**20
        print(f"{args.models} models × {args.questions:,} questions of Inspect logs, {size:,.0f} MB")
        ours = contest(sys.executable, ASSAY, paths)
        tell("assay, all logs", ours, args.models)
        same = contest(sys.executable, ASSAY, paths[: args.theirs])
        tell(f"assay, {args.theirs} of them", same, args.theirs)
        if Path(args.inspect).exists():
            for title, script in (("Inspect's samples_df", SAMPLES_DF), ("Inspect's read_eval_log", READ_EVAL_LOG)):
                theirs = contest(args.inspect, script, paths[: args.theirs])
                if abs(theirs[2] - same[2]) > 1e-12:
                    raise SystemExit(f"the race is void: {same[2]} is not {theirs[2]}")
                tell(f"{title}, {args.theirs} of them", theirs, args.theirs)
                ratio = theirs[0] / args.theirs / (ours[0] / args.models)
                print(
                    f"    {ratio:.0f} times as long per log as assay takes ({theirs[0] / same[0]:.0f} on the same logs)"
                )
        else:
            print("  no Inspect here: `make peers` makes its environment, or name a Python that has it with --inspect")
        few = [
            write(folder, 1000, args.questions, args.completion),
            write(folder, 1001, args.questions, 4 * args.completion),
        ]
        short, long = (contest(sys.executable, ASSAY, [path]) for path in few)
        print(
            f"  completions four times as long: {short[1]:,.0f} MB peak become {long[1]:,.0f} MB, {short[0]:.2f} s {long[0]:.2f} s"
        )


def tell(name: str, found: tuple[float, float, float], logs: int) -> None:
    print(f"  {name:<38} {found[0]:7.2f} s {found[0] / logs:7.3f} s a log {found[1]:8,.0f} MB peak")


if __name__ == "__main__":
    main()
