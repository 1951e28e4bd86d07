"""A Dask cluster as a `concurrent.futures.Executor` whose waits end with an error message.

Dask itself waits without limit for a killed scheduler or for workers that were never started. Here every wait has a time limit.
The work stops where the cluster cannot do it: results of another version of assay would be wrong without notice, and computing
everything in this process could take days.
"""

from __future__ import annotations

import asyncio
import os
import pkgutil
import platform
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from threading import Lock, Thread

from assay._version import __version__
from assay.errors import InputError, UsageError, shorten_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator, Mapping
    from logging import LogRecord
    from typing import Any

CONNECT = 10.0
"""Seconds a scheduler has to answer at the start."""
WORKERS = 15.0
"""Seconds without any worker, at the start or midway, after which the work ends. Dask starts a worker that died anew, and
that takes some of them."""
SILENCE = 10.0
"""Seconds a scheduler midway, and a worker asked for its versions, have to answer."""
PULSE = 1.0
"""Seconds between two polls of the cluster."""
DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""Run by workers on this machine: Ctrl-C on a terminal reaches them too, and the process that started them ends them."""
SILENT = 51
"""A logging level above all others."""
PORTLESS = {"inproc"}
"""Schemes of addresses without host and port, within the process."""


def checked_address(address: str) -> str:
    """Return a scheduler's address unchanged; refuse one that no cluster can have.

    >>> checked_address("tcp://host:8786"), checked_address("[::1]:8786")
    ('tcp://host:8786', '[::1]:8786')
    >>> checked_address("nonsense")
    Traceback (most recent call last):
    assay.errors.UsageError: `scheduler='nonsense'`: expected an address such as tcp://host:8786
    """
    from urllib.parse import urlsplit

    from distributed.comm.registry import backends

    refusal = UsageError(f"`scheduler={address!r}`: expected an address such as tcp://host:8786")
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        placed = parts.scheme in PORTLESS or (parts.hostname and parts.port)
    except ValueError:  # a port that is none
        raise refusal from None
    if not placed or parts.scheme not in backends or any(map(str.isspace, address)):
        raise refusal
    return address


def differences(versions: Mapping[str, tuple[Any, Any]]) -> str | None:
    """Return the message about workers with other versions than this process; None where all have the same.

    versions   by address, a worker's version of assay and of Python; or the error that asking for it raised

    >>> differences({"tcp://a:1": (__version__, platform.python_version())})
    >>> differences({"tcp://a:1": ("0.0.1", platform.python_version())})  # doctest: +ELLIPSIS
    '1 of 1 Dask workers cannot share the work of assay ...: tcp://a:1 has assay 0.0.1; install the same versions everywhere'
    """
    problems = [f"{address} {problem}" for address, pair in sorted(versions.items()) if (problem := _difference(*pair))]
    if not problems:
        return None
    return (
        f"{len(problems)} of {len(versions)} Dask workers cannot share the work of {_here()}: {shorten_list(problems)}; "
        "install the same versions everywhere"
    )


def _difference(assay: Any, python: Any) -> str | None:
    if isinstance(assay, ModuleNotFoundError) and assay.name == "assay":
        return "has no assay"
    if isinstance(assay, Exception):
        return f"cannot import assay ({assay})"
    if assay != __version__:
        return f"has assay {assay}"
    return None if _minor(python) == _minor(platform.python_version()) else f"has Python {_minor(python)}"


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _here() -> str:
    return f"assay {__version__} on Python {_minor(platform.python_version())}"


def work(expected: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the function's value if this worker has the expected versions; late workers are unchecked.

    >>> work(_here(), abs, -1)
    1
    >>> work("assay 0.0.1 on Python 3.11", abs, -1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    assay.errors.InputError: a Dask worker has assay ..., expected assay 0.0.1 on Python 3.11
    """
    if _here() != expected:
        raise InputError(f"a Dask worker has {_here()}, expected {expected}")
    return function(*arguments)


def _itself(value: Any) -> Any:
    return value


class Cluster(Executor):
    """The workers behind a connected Dask client.

    `workers` is their number at the last poll. When the cluster can no longer do the work, every future that is
    waited for raises an InputError that says why, and so does everything submitted from then on.
    """

    def __init__(self, client: Any) -> None:
        self.workers = 0
        self._client = client
        self._address: str = client.scheduler.address
        self._known: set[str] = set()
        self._waiting: set[Future[Any]] = set()
        self._problem: str | None = None
        self._lock = Lock()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return a future of the function's value on some worker."""
        ours: Future[Any] = Future()
        with self._lock:
            if self._problem is not None:
                raise InputError(self._problem)
            self._waiting.add(ours)
        remote = self._send(fn, *args, **kwargs)

        def forget(_: Future[Any]) -> None:
            self._waiting.discard(ours)
            # The scheduler drops released futures; unlike cancelling, this does not wait for its answer.
            remote.release()

        ours.add_done_callback(forget)
        self._client.loop.add_callback(self._follow, remote, ours)
        return ours

    def share(self, value: Any) -> Any:
        """Return an argument that each worker receives once; as a task, it survives a worker's death."""
        # Unique key prefix: Dask co-locates tasks with a common prefix on one worker.
        return self._send(_itself, value, key=f"shared-{os.urandom(16).hex()}")

    def _send(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        # Without `pure=False` identical tasks would share one result, whatever they draw. Dask's `retries` would repeat
        # what the work itself raised; what a dead worker leaves goes to another one without them.
        return self._client.submit(work, _here(), function, *arguments, **named, pure=False)

    async def _follow(self, remote: Any, ours: Future[Any]) -> None:
        try:
            value = await remote
        except ImportError as problem:
            await self._poll()  # if a worker came just now, with another assay, its version says it better
            _settle(ours.set_exception, InputError(f"a Dask worker cannot do the work: {problem}"))
        except BaseException as problem:  # noqa: BLE001 - whatever the work raised, it is raised where it is waited for
            self._stop_if_lost()
            _settle(ours.set_exception, problem)
        else:
            _settle(ours.set_result, value)

    def _stop(self, problem: str) -> None:
        with self._lock:
            self._problem = self._problem or problem
            waiting = list(self._waiting)
        for future in waiting:
            _settle(future.set_exception, InputError(self._problem))

    def _stop_if_lost(self) -> None:
        if self._client.status == "connecting":  # again: Dask would try for half a minute
            self._stop(f"the connection to the Dask scheduler at {self._address} was lost")

    async def started(self) -> None:
        """Wait for a worker, compare the versions of all workers, and watch the cluster from then on."""
        clock = asyncio.get_running_loop().time
        begin = clock()
        while not await self._poll() and self._problem is None:
            if clock() - begin >= WORKERS:
                self._stop(self._missing_workers())
            await asyncio.sleep(PULSE / 10)
        if self._problem is not None:
            raise InputError(self._problem)
        self._client.loop.add_callback(self._watch)

    def _missing_workers(self) -> str:
        if self.workers:
            return f"some Dask workers did not report their version of assay within {WORKERS:g} seconds"
        return (
            f"the Dask scheduler at {self._address} has no workers, and none came within {WORKERS:g} seconds; "
            f"start some with `dask worker {self._address}`"
        )

    async def _watch(self) -> None:
        clock = asyncio.get_running_loop().time
        seen = clock()
        while self._client.status == "running" and self._problem is None:
            await self._poll()
            if self.workers:
                seen = clock()
            elif clock() - seen >= WORKERS:
                self._stop(
                    f"the Dask scheduler at {self._address} has no workers left, and none came within {WORKERS:g} seconds"
                )
            await asyncio.sleep(PULSE)
        self._stop_if_lost()

    async def _poll(self) -> bool:
        """Count the workers, compare the versions of new ones; return whether there are any and all are known."""
        try:
            workers = await asyncio.wait_for(self._client.nthreads(), SILENCE)
        except OSError:  # so are Dask's own timeouts
            self._stop_if_lost()
            self._stop(f"the Dask scheduler at {self._address} has not answered for {SILENCE:g} seconds")
            return False
        self.workers: int = len(workers)
        new = list(workers.keys() - self._known)
        if new:
            # A worker that ends while it is asked is no reason to stop: it is asked again, or gone, at the next poll.
            with suppress(OSError):
                versions = await asyncio.wait_for(self._versions(new), SILENCE)
                self._known.update(versions)
                if (problem := differences(versions)) is not None:
                    self._stop(problem)
        return bool(workers) and self._known.issuperset(workers)

    async def _versions(self, addresses: list[str]) -> dict[str, tuple[Any, Any]]:
        # These functions are of the standard library: they can be unpickled on any Python, also without assay.
        options: dict[str, Any] = {"workers": addresses, "on_error": "return"}
        assay = await self._client.run(pkgutil.resolve_name, "assay:__version__", **options)
        python = await self._client.run(platform.python_version, **options)
        answers = {address: (assay[address], python[address]) for address in assay.keys() & python.keys()}
        lost = {address for address, pair in answers.items() if any(isinstance(answer, OSError) for answer in pair)}
        return {address: pair for address, pair in answers.items() if address not in lost}


def _settle(set_outcome: Callable[[Any], None], outcome: Any) -> None:
    with suppress(InvalidStateError):  # cancelled meanwhile, or stopped
        set_outcome(outcome)


@contextmanager
def connected(scheduler: str | None, count: int) -> Generator[Cluster]:
    """Connect to a cluster whose workers have these versions; without an address, start one on this machine.

    scheduler   a checked address
    count       how many workers a cluster on this machine has
    """
    from distributed import Client

    with _quiet():
        if scheduler is not None:
            _check_scheduler(scheduler)
            client: Any = Client(scheduler, timeout=CONNECT, set_as_default=False)
        else:
            # No dashboard, and a free port: Dask warns of a port that another cluster uses.
            where = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
            options: dict[str, Any] = {"n_workers": count, "threads_per_worker": 1, "scheduler_kwargs": where}
            client = Client(**options, silence_logs=SILENT, preload=DEAF, set_as_default=False)
        try:
            cluster = Cluster(client)
            client.sync(cluster.started)
            yield cluster
        finally:
            with suppress(TimeoutError):  # of a scheduler that does not answer any more
                client.close(timeout=SILENCE)


@contextmanager
def _quiet() -> Generator[None]:
    """Silence Dask's log of a lost connection, a page of traceback; the error message says the same."""
    from logging import getLogger

    from distributed.comm.core import CommClosedError

    def is_unrelated(record: LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], CommClosedError))

    loggers = [getLogger("distributed.client"), getLogger("distributed.batched")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(SILENT)
    # Messages sent between the loss and its notice fail in the event loop, whose log other code may use too.
    loop = getLogger("tornado.application")
    loop.addFilter(is_unrelated)
    try:
        yield
    finally:
        loop.removeFilter(is_unrelated)
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _check_scheduler(address: str) -> None:
    """Refuse an address where no scheduler answers in time; Dask's client waits for some without limit."""

    async def kind() -> str:
        from distributed.core import rpc
        from distributed.security import Security

        arguments = Security().get_connection_args("client")
        async with rpc(address, timeout=CONNECT, connection_args=arguments) as scheduler:
            identity: Any = await asyncio.wait_for(scheduler.identity(), CONNECT + 1)
            return identity["type"]

    try:
        role = _run_in_thread(kind)
    except Exception as problem:  # any server may listen there, and reading its answer may raise anything
        raise InputError(f"no Dask scheduler answers at {address}: {_reason(problem)}") from problem
    if role != "Scheduler":
        raise InputError(f"{address} is the address of a Dask {role.lower()}, expected that of the scheduler")


def _reason(problem: BaseException) -> str:
    """Return the cause of a connection error, in the words of the operating system where it has some.

    >>> _reason(ConnectionRefusedError(111, "Connection refused")), _reason(TimeoutError())
    ('Connection refused', 'nothing within 10 seconds')
    """
    while problem.__cause__ is not None:
        problem = problem.__cause__
    return getattr(problem, "strerror", None) or str(problem) or f"nothing within {CONNECT:g} seconds"


def _run_in_thread(coroutine: Callable[[], Coroutine[Any, Any, str]]) -> str:
    """Run a coroutine in another thread: notebooks have an event loop here, and Ctrl-C must not wait."""
    done: Future[str] = Future()

    def call() -> None:
        try:
            done.set_result(asyncio.run(coroutine()))
        except BaseException as problem:  # noqa: BLE001 - raised where it is waited for
            done.set_exception(problem)

    Thread(target=call, daemon=True).start()
    return done.result()
