"""A Dask scheduler and its workers as processes of their own: to be killed, stopped, and run with another assay."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from threading import Thread, Timer

PATIENCE = 60
"""Seconds after which something that should have happened is given up; nothing waits that long where all is well."""


SOURCE = str(Path(__file__).parents[2] / "src")


@contextmanager
def scheduler():
    """A scheduler without workers: its process and its address."""
    with _process("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard") as process:
        yield process, heard(process, r"Scheduler at:\s+(tcp://\S+)\s")


@contextmanager
def worker(address, *options, path=None):
    """A worker of that scheduler, and its own address; `path` stands before all else its Python imports from."""
    words = [address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", *options]
    with _process("dask_worker", *words, path=path) as process:
        own = heard(process, r"Start worker at:\s+(tcp://\S+)\s")
        heard(process, r"Registered to:()")
        yield process, own


@contextmanager
def _process(module, *words, path=None):
    before = [str(path)] if path else []
    search = os.pathsep.join([*before, SOURCE])
    # Who asks a worker that was just killed for a result tries for half a minute, unless told otherwise.
    told = {"PYTHONPATH": search, "OMP_NUM_THREADS": "1", "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s"}
    process = subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{module}", *words], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
        text=True, env={**os.environ, **told},
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def heard(process, pattern):
    """The part of its log that a pattern asks for, once it is written."""
    giving_up = Timer(PATIENCE, process.kill)
    giving_up.start()
    text = ""
    try:
        while more := process.stderr.read(1):  # a progress bar has no lines
            text += more
            if found := re.search(pattern, text):
                return found.group(1)
    finally:
        giving_up.cancel()
    raise AssertionError(f"nothing like {pattern} in {text}")


def soon(function, *arguments):
    """What the function gives or raises; a failure where it does not come to an end."""
    ended = []

    def call():
        try:
            ended.append((function(*arguments), None))
        except BaseException as problem:  # noqa: BLE001 - whatever it is, it is raised where the test can see it
            ended.append((None, problem))

    # A daemon, so that what hangs does not hold the tests back.
    thread = Thread(target=call, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert ended, f"no end within {PATIENCE} seconds"
    result, problem = ended[0]
    if problem is not None:
        raise problem
    return result
