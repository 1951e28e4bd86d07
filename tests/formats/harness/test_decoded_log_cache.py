"""One log is held, and no more."""

from __future__ import annotations

from assay.formats.harness.decoded_log_cache import cached, forget
from assay.io.sources import Source


def test_the_last_one_is_held_and_no_other() -> None:
    one, two = Source("one", data=b"1"), Source("two", data=b"2")
    reads: list[str] = []

    def read(source: Source):
        return lambda: reads.append(source.name) or source.read()

    assert [cached(one, read(one)), cached(one, read(one)), cached(two, read(two)), cached(one, read(one))] == [
        b"1",
        b"1",
        b"2",
        b"1",
    ]
    assert reads == ["one", "two", "one"]
    forget()
    cached(one, read(one))
    assert reads == ["one", "two", "one", "one"]
    forget()
