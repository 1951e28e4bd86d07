"""Threads that work ahead, of which the caller is one."""

from __future__ import annotations

import threading

import pytest

from assay.parallel import prefetch as module
from assay.parallel.prefetch import ROOM, ahead


@pytest.fixture
def helpers(monkeypatch) -> list[threading.Thread]:
    """The threads that were started, which can be waited for."""
    threads: list[threading.Thread] = []

    def started(work, given) -> None:
        threads.append(threading.Thread(target=work, args=given, daemon=True))
        threads[-1].start()

    monkeypatch.setattr(module, "start_new_thread", started)
    monkeypatch.setattr(module.os, "cpu_count", lambda: 3)
    return threads


def left(threads: list[threading.Thread]) -> bool:
    """Whether all of them end."""
    for thread in threads:
        thread.join(10)
    return not any(thread.is_alive() for thread in threads)


def test_what_is_done_ahead_comes_in_order_and_a_fault_at_its_place(helpers) -> None:
    done: list[int] = []

    def work(number: int) -> int:
        done.append(number)
        return 10 // (7 - number)

    found = ahead(work, range(100))
    assert [next(found) for _ in range(7)] == [1, 1, 2, 2, 3, 5, 10]
    with pytest.raises(ZeroDivisionError):
        next(found)
    assert left(helpers)
    assert max(done) < 8 + ROOM * 3


def test_no_more_is_begun_than_there_is_room_for_until_somebody_asks(helpers) -> None:
    begun: list[int] = []
    found = ahead(lambda number: begun.append(number) or number, range(50))
    assert next(found) == 0
    assert left(helpers)
    assert sorted(begun) == [*range(ROOM * 3)]
    assert [*found] == [*range(1, 50)]
    assert sorted(begun) == [*range(50)]
    assert left(helpers)


def test_nothing_more_is_begun_for_who_went_away(helpers) -> None:
    begun: list[int] = []
    found = ahead(lambda number: begun.append(number) or number, range(50))
    assert next(found) == 0
    found.close()
    assert left(helpers)
    assert len(begun) <= ROOM * 3


def test_the_caller_works_and_does_not_wait(helpers) -> None:
    """Three items that are done only where three threads are at work, and two of them are helpers."""
    together, who = threading.Barrier(3), []

    def work(number: int) -> int:
        who.append(threading.current_thread())
        together.wait(10)
        return number

    assert list(ahead(work, range(3))) == [0, 1, 2]
    assert {*who} == {threading.current_thread(), *helpers}
    assert len(helpers) == 2


def test_one_core_has_one_thread(helpers, monkeypatch) -> None:
    monkeypatch.setattr(module.os, "cpu_count", lambda: 1)
    assert list(ahead(str, range(9))) == [*"012345678"]
    assert helpers == []
    assert list(ahead(str, [])) == []


def test_who_is_interrupted_hears_of_it_at_once(monkeypatch) -> None:
    """A helper is at the first item, and the caller at the second when it is interrupted."""
    begun, free, caller = threading.Event(), threading.Event(), threading.current_thread()

    def work(number: int) -> int:
        if threading.current_thread() is caller:
            raise KeyboardInterrupt
        begun.set()
        free.wait(10)
        return number

    def started(work, given) -> None:
        threading.Thread(target=work, args=given, daemon=True).start()
        begun.wait(10)

    monkeypatch.setattr(module, "start_new_thread", started)
    monkeypatch.setattr(module.os, "cpu_count", lambda: 2)
    with pytest.raises(KeyboardInterrupt):
        next(ahead(work, range(9)))
    free.set()
