"""A chunk whose worker dies is done again; whoever dies doing it, the result is the serial one."""

from __future__ import annotations

from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest
from flaky_executor import Flaky

from assay.errors import InputError
from assay.parallel.worker_retries import run_chunks, worker_died


def test_results_come_in_the_order_of_the_chunks():
    with ThreadPoolExecutor(4) as pool:
        assert list(run_chunks(lambda n: n * n, range(1000), pool)) == [n * n for n in range(1000)]


@pytest.mark.parametrize("times", [1, 2, 99])
def test_a_chunk_whose_worker_dies_is_done_again(times):
    flaky = Flaky(times)
    assert list(run_chunks(abs, [-1, -2, 3], flaky)) == [1, 2, 3]
    # Three attempts elsewhere at most; what nobody finishes is done here.
    assert flaky.submissions == 3 * min(times + 1, 4)


def test_a_pool_that_takes_no_more_work_does_not_stop_the_work():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    assert list(run_chunks(abs, [-1, -2], pool)) == [1, 2]


def test_an_error_of_the_work_itself_is_raised_and_not_retried():
    attempts = []

    def wrong(chunk):
        attempts.append(chunk)
        raise InputError("bad data")

    with ThreadPoolExecutor(1) as pool, pytest.raises(InputError, match="bad data"):
        list(run_chunks(wrong, [1], pool))
    assert attempts == [1]


def test_an_interruption_cancels_what_is_waited_for_too():
    """Red before: the first chunk was no longer among those to cancel."""
    handed: list[Future] = []

    class Interrupted(Future):
        def result(self, timeout=None):
            raise KeyboardInterrupt

    class Waiting(Executor):
        def submit(self, fn, /, *args, **kwargs):
            handed.append(Interrupted())
            return handed[-1]

    with pytest.raises(KeyboardInterrupt):
        list(run_chunks(abs, [-1, -2, -3], Waiting()))
    assert [future.cancelled() for future in handed] == [True, True, True]


@pytest.mark.parametrize("problem", [EOFError, TimeoutError, ConnectionResetError])
def test_a_connection_that_ends_is_a_worker_that_died(problem):
    assert worker_died(problem("gone"))
    assert not worker_died(InputError("bad"))
