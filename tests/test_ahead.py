"""Threads that work ahead."""

from __future__ import annotations

import threading

import pytest

from assay import ahead as module
from assay.ahead import ahead


def test_what_is_done_ahead_comes_in_order_and_a_fault_at_its_place(monkeypatch) -> None:
    monkeypatch.setattr(module.os, "cpu_count", lambda: 3)
    done: list[int] = []

    def work(number: int) -> int:
        done.append(number)
        return 10 // (7 - number)

    found = ahead(work, range(100))
    assert [next(found) for _ in range(7)] == [1, 1, 2, 2, 3, 5, 10]
    with pytest.raises(ZeroDivisionError):
        next(found)
    assert max(done) < 100 - 3  # each of three threads may have begun the next, and no more


def test_nothing_more_is_begun_for_who_went_away(monkeypatch) -> None:
    monkeypatch.setattr(module.os, "cpu_count", lambda: 2)
    begun: list[int] = []
    found = ahead(lambda number: begun.append(number) or number, range(50))
    assert next(found) == 0
    found.close()
    assert len(begun) < 50


def test_who_waits_to_hand_over_a_result_does_not_wait_for_ever(monkeypatch) -> None:
    monkeypatch.setattr(module.os, "cpu_count", lambda: 2)
    threads: list[threading.Thread] = []

    def started(work, given) -> None:
        threads.append(threading.Thread(target=work, args=given, daemon=True))
        threads[-1].start()

    monkeypatch.setattr(module, "start_new_thread", started)
    found = ahead(lambda number: number, range(50))
    next(found)
    found.close()
    assert len(threads) == 2
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
