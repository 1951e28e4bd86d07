"""What a Dask cluster cannot do is said within seconds, with an exit code, and nothing is written."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from itertools import count
from operator import add
from pathlib import Path
from threading import Event

import pytest
from dask_processes import PATIENCE, SOURCE, heard, scheduler, soon, worker

import assay
from assay import __version__
from assay.cli import main
from assay.cli.parser import usage_error
from assay.errors import InputError
from assay.parallel.executors import workers
from assay.parallel.worker_retries import run_chunks

pytestmark = pytest.mark.slow

distributed = pytest.importorskip("distributed")
cluster = pytest.importorskip("assay.parallel.dask_client")

PYTHON = "{}.{}".format(*sys.version_info)


@pytest.fixture
def matrix(tmp_path):
    path = tmp_path / "ap.csv"
    path.write_text("topic,a,b,c\n" + "".join(f"{n},.{n}1,.{n}7,.{9 - n}4\n" for n in range(1, 9)))
    return str(path)


@pytest.fixture
def refused(matrix, tmp_path, capfd):
    """What `assay reliability` says to a scheduler's address before it ends with an exit code, nothing written."""

    def ask(address, code):
        out = tmp_path / "out.json"
        words = ["reliability", "--scores", matrix, "--trials", "20", "--executor", "dask", "--scheduler", address]
        assert soon(main, [*words, "-f", "json", "-o", str(out)]) == code
        assert not out.exists()
        printed, said = capfd.readouterr()
        assert printed == ""
        assert "Traceback" not in said
        return said

    return ask


@pytest.fixture
def in_process():
    """A cluster in this process, so that a test can look into its scheduler."""
    quiet = {"dashboard_address": None, "silence_logs": 100, "protocol": "tcp", "processes": False}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, **quiet) as made:
        yield made


@pytest.mark.parametrize(
    "address",
    ["nonsense", "host:", "tcp://host", "tcp://host:port", "tcp://host:99999", "tcp://:1", "carrier://host:1", "tcp://a b:1"],
)  # fmt: skip
def test_an_address_that_is_none_is_bad_usage(address, refused):
    """Red before: a traceback."""
    expected = usage_error("assay reliability", f"--scheduler {address}: expected an address such as tcp://host:8786")
    assert refused(address, 2).rstrip() == expected.rstrip()


def test_a_port_where_nobody_listens(refused, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but not listening: no other program gets the port meanwhile
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        said = refused(address, 3)
    # Refused at every attempt; but the last one may have had no time left to hear it.
    why = said.removeprefix(f"assay: no Dask scheduler answers at {address}: ")
    assert why in ("Connection refused\n", "nothing within 0.5 seconds\n")


def test_a_port_where_something_else_listens(refused, monkeypatch):
    """Red before: it waited for ever."""
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        assert f"no Dask scheduler answers at {address}" in refused(address, 3)


def test_the_address_of_a_worker(refused, in_process):
    (own,) = in_process.scheduler.workers
    assert refused(own, 3) == f"assay: {own} is the address of a Dask worker, expected that of the scheduler\n"


def test_a_scheduler_without_workers(refused, monkeypatch):
    """Red before: it waited for ever, and said nothing."""
    monkeypatch.setattr(cluster, "WORKERS", 0.5)
    with scheduler() as (_, address):
        said = refused(address, 3)
    assert said == (
        f"assay: the Dask scheduler at {address} has no workers, and none came within 0.5 seconds; "
        f"start some with `dask worker {address}`\n"
    )


def test_a_worker_that_does_not_answer(refused, monkeypatch):
    monkeypatch.setattr(cluster, "WORKERS", 0.5)
    monkeypatch.setattr(cluster, "SILENCE", 1.0)
    with scheduler() as (_, address), worker(address) as (process, _):
        process.send_signal(signal.SIGSTOP)
        assert (
            refused(address, 3) == "assay: some Dask workers did not report their version of assay within 0.5 seconds\n"
        )


OTHERS = {
    "has no assay": "raise ModuleNotFoundError(\"No module named 'assay'\", name='assay')",
    "has assay 0.0.1": "__version__ = '0.0.1'",
    "cannot import assay (No module named 'elsewhere')": "import elsewhere",
}


@pytest.mark.parametrize("difference", OTHERS)
def test_a_worker_with_another_assay_or_none(difference, refused, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "assay.py").write_text(OTHERS[difference] + "\n")
    with scheduler() as (_, address), worker(address), worker(address, path=tmp_path / "other") as (_, other):
        said = refused(address, 3)
    assert said == (
        f"assay: 1 of 2 Dask workers cannot share the work of assay {__version__} on Python {PYTHON}: "
        f"{other} {difference}; install the same versions everywhere\n"
    )


OTHER_PYTHON = "import platform\nplatform.python_version = lambda: '2.7.18'\n"


def test_a_worker_with_another_python(refused, tmp_path):
    (tmp_path / "old.py").write_text(OTHER_PYTHON)
    with scheduler() as (_, address), worker(address, "--preload", str(tmp_path / "old.py")) as (_, other):
        assert f"{other} has Python 2.7;" in refused(address, 3)


def until(address, happens):
    """Work without end on a cluster, which something stops that happens once the first result is there."""

    def work():
        with workers("dask", scheduler=address) as executor:
            try:
                for done in run_chunks(add, count(), executor, shared=0):
                    if done == 0:
                        happens()
            finally:
                with pytest.raises(InputError):  # nothing is taken that nobody will do
                    executor.submit(abs, 1)

    with pytest.raises(InputError) as stopped:
        soon(work)
    return str(stopped.value)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda how: how.name)
def test_a_scheduler_that_ends_midway(how, caplog):
    """Red before: it waited for minutes. Dask's own log of it is a page of traceback."""
    with scheduler() as (process, address), worker(address):
        assert (
            until(address, lambda: process.send_signal(how))
            == f"the connection to the Dask scheduler at {address} was lost"
        )
    assert caplog.records == []


def test_what_is_sent_before_the_loss_is_noticed_leaves_no_page_of_traceback(caplog):
    """Red before, on a busy machine: Dask's callbacks fail in tornado's event loop, which logs each of them."""
    from distributed.comm.core import CommClosedError

    loop = logging.getLogger("tornado.application")
    closed = (CommClosedError, CommClosedError("already closed"), None)
    with cluster._quiet():
        loop.error("Exception in callback %r", "send", exc_info=closed)
        loop.error("of another program")
    loop.error("later", exc_info=closed)
    assert caplog.messages == ["of another program", "later"]


def test_a_scheduler_that_falls_silent_midway(monkeypatch):
    monkeypatch.setattr(cluster, "SILENCE", 1.0)
    with scheduler() as (process, address), worker(address):
        said = until(address, lambda: process.send_signal(signal.SIGSTOP))
    assert said == f"the Dask scheduler at {address} has not answered for 1 seconds"


def test_the_last_worker_leaves_midway(monkeypatch):
    """Red before: it waited for ever."""
    monkeypatch.setattr(cluster, "WORKERS", 0.5)
    with scheduler() as (_, address), worker(address) as (process, _):
        said = until(address, process.kill)
    assert said == f"the Dask scheduler at {address} has no workers left, and none came within 0.5 seconds"


def with_a_late_worker(address, chunks, path):
    """The results of chunks on a cluster that another worker joins once the first is there."""
    with ExitStack() as late, workers("dask", scheduler=address) as executor:
        for number, done in enumerate(run_chunks(add, chunks, executor, shared=0)):
            if not number:
                late.enter_context(worker(address, path=path))
            yield done


def test_a_worker_with_another_assay_that_comes_midway(tmp_path):
    """Its assay is this one but for the version."""
    (tmp_path / "assay").mkdir()
    real = str(Path(assay.__file__).parent)
    (tmp_path / "assay" / "__init__.py").write_text(f"__version__ = '0.0.1'\n__path__.append({real!r})\n")
    (tmp_path / "assay" / "_version.py").write_text("__version__ = '0.0.1'\n")
    with (
        scheduler() as (_, address),
        worker(address),
        pytest.raises(InputError, match=r"has assay 0\.0\.1"),
    ):
        soon(list, with_a_late_worker(address, count(), tmp_path))


def test_a_worker_that_comes_midway_without_assay_is_said_or_leaves_the_work_to_the_others(tmp_path):
    """Dask ends a worker that cannot import what it is sent, which may be before we have asked for its version."""
    (tmp_path / "assay.py").write_text("raise ModuleNotFoundError(\"No module named 'assay'\", name='assay')\n")
    with scheduler() as (_, address), worker(address):
        try:
            found = soon(list, with_a_late_worker(address, range(300), tmp_path))
        except InputError as problem:
            found = str(problem)
    assert found == list(range(300)) or "has no assay" in found


def test_what_chunks_share_survives_the_worker_that_has_it(monkeypatch):
    """Red before: with its last copy gone, every chunk was done here, alone."""
    monkeypatch.setattr(cluster, "WORKERS", PATIENCE)

    def elsewhere(shared, chunk):  # by value: the workers cannot import this file
        import os

        return os.getpid()

    with scheduler() as (_, address), worker(address) as (first, _):

        def places():
            with workers("dask", scheduler=address) as executor:
                yield from run_chunks(elsewhere, range(600), executor, shared=1)

        done = places()
        found = [soon(next, done)]
        first.kill()
        with worker(address) as (second, _):
            found += soon(list, done)
    assert len(found) == 600
    assert set(found) == {first.pid, second.pid}


class Told(distributed.SchedulerPlugin):
    """Hears when a task goes to a worker, and when a client has left."""

    def __init__(self):
        self.working = Event()
        self.left = Event()

    def transition(self, key, start, finish, *args, **kwargs):
        if finish == "processing":
            self.working.set()

    def remove_client(self, scheduler, client):
        self.left.set()


COMMAND = """
import signal, sys
from assay.cli import main
from assay.resampling.subsets import Subsets
Subsets.seconds = lambda *_: 1e-4  # small chunks, so that the first is done soon on a busy machine too
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.stderr.isatty = lambda: True
sys.exit(main())
"""


@pytest.fixture
def endless(matrix, tmp_path):
    """`assay reliability` on Dask in a process and session of its own, with more trials than will ever be done."""
    started = []

    def start(*where):
        words = ["reliability", "--scores", matrix, "--trials", str(10**9), "-o", str(tmp_path / "out.json")]
        process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *words, "--executor", "dask", *where], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": SOURCE}, text=True, start_new_session=True,
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert not (tmp_path / "out.json").exists()


CLEARED = "\033[K"


def test_an_interruption_leaves_no_task_behind(in_process, endless):
    told = Told()
    in_process.scheduler.add_plugin(told)
    process = endless("--scheduler", in_process.scheduler_address)
    assert told.working.wait(PATIENCE)
    process.send_signal(signal.SIGINT)
    printed, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, printed) == (130, "")
    # Whatever follows is Dask's own, said by futures that go with the interpreter.
    assert f"{CLEARED}assay: interrupted\n" in said
    assert told.left.wait(PATIENCE)
    assert dict(in_process.scheduler.tasks) == {}


def test_an_interruption_on_a_terminal_is_a_line(endless):
    """Red before: it reached the workers of this machine too, and each printed a traceback."""
    process = endless()
    heard(process, "(trials, )")
    # A signal that arrives in a callback of the garbage collector, as Dask has one, is ignored by Python: press again, as a person would.
    for _ in range(3):
        os.killpg(process.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE / 4)
            break
    printed, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, printed) == (130, "")
    assert said.split(CLEARED)[-1] == "assay: interrupted\n"
    assert "Traceback" not in said


class Held:
    """What chunks in this process do, and the test hears."""

    attempts: list[int] = []
    started = Event()
    go_on = Event()


def wait(chunk):
    Held.started.set()
    return Held.go_on.wait(PATIENCE)


def wrong(chunk):
    Held.attempts.append(chunk)
    raise InputError("bad data")


def test_what_nobody_waits_for_is_dropped_at_once(in_process):
    """The connection stays: a study that stops must not leave its tasks with the scheduler until the client ends."""
    dropped = Event()

    class Dropped(distributed.SchedulerPlugin):
        def transition(self, key, start, finish, *args, **kwargs):
            if finish == "forgotten" and len(in_process.scheduler.tasks) <= 1:
                dropped.set()

    in_process.scheduler.add_plugin(Dropped())
    with workers("dask", scheduler=in_process.scheduler_address) as executor:
        waiting = [executor.submit(wait, chunk) for chunk in range(5)]
        assert Held.started.wait(PATIENCE)
        for future in waiting:
            future.cancel()
        assert dropped.wait(PATIENCE)
        Held.go_on.set()


def test_what_the_work_raises_is_raised_once(in_process):
    """Red before: Dask did it four times."""
    Held.attempts.clear()
    with (
        workers("dask", scheduler=in_process.scheduler_address) as executor,
        pytest.raises(InputError, match="bad data"),
    ):
        soon(list, run_chunks(wrong, [1], executor))
    assert Held.attempts == [1]


def test_what_chunks_share_is_no_task_of_their_kind(in_process):
    """Red before: to the scheduler the chunks depended on their own kind, and most of them went to the worker that had what they share."""
    from dask.utils import key_split

    kinds = set()

    class Kinds(distributed.SchedulerPlugin):
        def transition(self, key, start, finish, *args, **kwargs):
            kinds.add(key_split(key))

    in_process.scheduler.add_plugin(Kinds())
    with workers("dask", scheduler=in_process.scheduler_address) as executor:
        assert soon(list, run_chunks(pow, [2, 3], executor, shared=2)) == [4, 8]
    assert kinds == {"work", "shared"}


def test_a_package_a_worker_lacks_is_named(in_process):
    def needy(chunk):
        import elsewhere  # noqa: F401

    with (
        workers("dask", scheduler=in_process.scheduler_address) as executor,
        pytest.raises(InputError, match="a Dask worker cannot do the work: No module named 'elsewhere'"),
    ):
        soon(list, run_chunks(needy, [1], executor))


def test_a_terminal_shows_how_many_work(in_process, matrix, capsys, monkeypatch):
    words = ["reliability", "--scores", matrix, "--trials", "50", "-f", "csv"]
    assert main(words) == 0
    alone = capsys.readouterr().out
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr("assay.cli.progress.FIRST", 0)
    monkeypatch.setattr("assay.cli.progress.EVERY", 1e-9)
    in_process.scale(2)
    in_process.wait_for_workers(2, PATIENCE)
    assert soon(main, [*words, "--executor", "dask", "--scheduler", in_process.scheduler_address]) == 0
    shown = capsys.readouterr()
    assert "/150 trials, 2 workers" in shown.err  # subsets of 4, and of 2 and 3 to extrapolate from
    assert shown.out == alone


def test_a_second_cluster_of_this_machine_is_no_news():
    """Red before: Dask warned that the port of its pages was taken, though nobody had asked for pages."""
    import warnings

    with socket.socket() as taken, warnings.catch_warnings():
        with suppress(OSError):  # somebody else has it: as good
            taken.bind(("", 8787))
            taken.listen()
        warnings.simplefilter("error")
        with workers("dask", count=1) as executor:
            assert executor.submit(abs, -3).result() == 3
