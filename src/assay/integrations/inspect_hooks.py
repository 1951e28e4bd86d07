"""Inspect: after an evaluation of several models, what `assay compare` says of their logs.

    ASSAY_COMPARE=1 inspect eval capitals.py --model openai/…,anthropic/…
    ASSAY_COMPARE="-m c@1 --baseline openai/…" inspect eval-set capitals.py rivers.py --model …

Nobody is told what they did not ask for: the hook is there where `ASSAY_COMPARE` is set, to 1 or to options of `assay compare`, or where
this module is imported. Inspect counts the hooks it knows, enabled or not, when it starts, so that one that waits would be seen too.
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
from assay.integrations.inspect_ai import VARIABLE, place
from assay.io.escaping import message, plain

COMMAND = "import sys; from assay.cli import main; sys.exit(main())"
"""Run in a subprocess, whose errors become one line here and do not fail the evaluation."""


@hooks(name="compare", description=f"compares the models of an evaluation by assay; {VARIABLE}=0 turns it off")
class Comparing(Hooks):
    """Prints the paired comparison of the models of every task, when all of them have run."""

    def enabled(self) -> bool:
        return os.environ.get(VARIABLE) not in ("", "0")

    async def on_run_end(self, data: Any) -> None:
        # An eval set has several runs, of which each sees its own part.
        if getattr(data, "eval_set_id", None) is None and data.exception is None:
            tell(list(data.logs))

    async def on_eval_set_end(self, data: Any) -> None:
        tell(of_set(data.log_dir, data.eval_set_id))


def of_set(folder: str, eval_set: str) -> list[Any]:
    """Return the headers of an eval set's logs, the newest of each task and model: retries leave older ones."""
    logs = [read_eval_log(info, header_only=True) for info in list_eval_logs(folder)]
    ours = [log for log in logs if log.eval.eval_set_id == eval_set]
    return list({log.eval.task_id: log for log in sorted(ours, key=lambda log: log.eval.created)}.values())


def tell(logs: list[Any]) -> None:
    """Print the comparison of every task that several models finished, and which tasks have none."""
    tasks: dict[str, list[Any]] = {}
    for log in logs:
        if log.status == "success":
            tasks.setdefault(log.eval.task, []).append(log)
        else:
            _say(f"{log.eval.task} by {log.eval.model}: {log.status}, so it is not compared")
    for task, finished in tasks.items():
        if len(finished) < 2:
            _say(f"{task}: one log that was finished, {finished[0].eval.model}; a comparison needs two models")
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
        words = ["compare", *map(place, logs), *options]
    except AssayError as problem:
        _say(f"{task} is not compared: {problem}")
        return
    # Not in the user's folder, where a file may shadow one of our modules.
    command = [sys.executable, "-P", "-c", COMMAND, *words]
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    if done.stdout:
        print(f"\n{plain(task)}\n\n{done.stdout.decode('utf-8', 'replace')}", end="", flush=True)
    lines = done.stderr.decode("utf-8", "replace").splitlines(keepends=True)
    # Of a usage error only the last line matters; the lines before it list all options.
    sys.stderr.writelines(lines[-1:] if done.returncode == 2 else lines)
    if done.returncode not in (0, 1):
        _say(f"{task} is not compared; options go into {VARIABLE}, as in {VARIABLE}='-m c@1 --scorer NAME'")


def _say(line: str) -> None:
    print(f"assay: {message(line)}", file=sys.stderr, flush=True)
