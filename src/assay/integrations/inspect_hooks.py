"""Inspect hook: print `assay compare` of the logs after an evaluation of several models.

    ASSAY_COMPARE=1 inspect eval capitals.py --model openai/…,anthropic/…
    ASSAY_COMPARE="-m c@1 --baseline openai/…" inspect eval-set capitals.py rivers.py --model …

The hook is registered if `ASSAY_COMPARE` is set, to 1 or to options of `assay compare`, or if this module is imported. Inspect
counts hooks when it starts, enabled or not, so a hook that is registered but disabled would show.
"""

# Inspect is not installed where types are checked.
# pyright: reportUntypedBaseClass=false, reportUntypedClassDecorator=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import Any

from inspect_ai.hooks import Hooks, hooks
from inspect_ai.log import list_eval_logs, read_eval_log

from assay.errors import AssayError
from assay.integrations.inspect_ai import VARIABLE, get_path
from assay.io.escaping import message, plain

COMMAND = "import sys; from assay.cli import main; sys.exit(main())"
"""Runs in a subprocess, so that an error there does not end the evaluation."""


@hooks(name="compare", description=f"compares the models of an evaluation by assay; {VARIABLE}=0 turns it off")
class Comparing(Hooks):
    """Print the paired comparison of the models of every task when all have run."""

    def enabled(self) -> bool:
        return os.environ.get(VARIABLE) not in ("", "0")

    async def on_run_end(self, data: Any) -> None:
        # Each run of an eval set sees only its own logs.
        if getattr(data, "eval_set_id", None) is None and data.exception is None:
            print_comparisons(list(data.logs))

    async def on_eval_set_end(self, data: Any) -> None:
        print_comparisons(read_eval_set(data.log_dir, data.eval_set_id))


def read_eval_set(folder: str, eval_set: str) -> list[Any]:
    """Return the newest log header of each task and model of an eval set; retries leave older ones."""
    logs = [read_eval_log(info, header_only=True) for info in list_eval_logs(folder)]
    members = [log for log in logs if log.eval.eval_set_id == eval_set]
    return list({log.eval.task_id: log for log in sorted(members, key=lambda log: log.eval.created)}.values())


def print_comparisons(logs: list[Any]) -> None:
    """Print the comparison of every task that several models finished, and why others have none."""
    tasks: dict[str, list[Any]] = {}
    for log in logs:
        if log.status == "success":
            tasks.setdefault(log.eval.task, []).append(log)
        else:
            _say(f"{log.eval.task} by {log.eval.model}: {log.status}, so it is not compared")
    for task, finished in tasks.items():
        if len(finished) < 2:
            _say(f"{task}: one finished log, {finished[0].eval.model}; a comparison needs two models")
        else:
            _compare(task, finished)


def _compare(task: str, logs: list[Any]) -> None:
    setting = os.environ.get(VARIABLE, "1")
    try:
        options = [] if setting == "1" else shlex.split(setting)
    except ValueError as problem:
        _say(f"{VARIABLE}: expected 1 or options of `assay compare`, found {setting!r}: {problem}")
        return
    try:
        words = ["compare", *map(get_path, logs), *options]
    except AssayError as problem:
        _say(f"{task} is not compared: {problem}")
        return
    # -P: a file in the current folder may have the name of one of our modules.
    command = [sys.executable, "-P", "-c", COMMAND, *words]
    process = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    if process.stdout:
        print(f"\n{plain(task)}\n\n{process.stdout.decode('utf-8', 'replace')}", end="", flush=True)
    lines = process.stderr.decode("utf-8", "replace").splitlines(keepends=True)
    # After bad usage only the last line has the problem; the lines above list all options.
    sys.stderr.writelines(lines[-1:] if process.returncode == 2 else lines)
    if process.returncode not in (0, 1):
        _say(f"{task} is not compared; set options in {VARIABLE}, as in {VARIABLE}='-m c@1 --scorer NAME'")


def _say(line: str) -> None:
    print(f"assay: {message(line)}", file=sys.stderr, flush=True)
