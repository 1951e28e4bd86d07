"""The core's survey as Python calls it; what it finds is held against plain loops in tests/checking and by the fuzzer."""

from __future__ import annotations

import pytest

from assay.native import library, survey

DATA = b"q1 Q0 a 1 9 t\nq1 Q0 b 2 9 t\nq1 Q0 c 3 9.5 t\n\nq2 Q0 a 1 9 t\n"


@pytest.mark.native_only
def test_blocks() -> None:
    surveyor = survey.Surveyor(b"t")
    blocks, used, _ = surveyor.blocks(DATA, 11, last=True)
    assert blocks == [(b"q1", 11, 3, 2, 1, 13), (b"q2", 15, 1, 0, 0, 0)]
    assert used == len(DATA)


@pytest.mark.native_only
def test_a_topic_that_may_go_on_is_left() -> None:
    surveyor = survey.Surveyor(b"t")
    blocks, used, line = surveyor.blocks(DATA, 1, last=False)
    assert ([block[0] for block in blocks], DATA[used:], line) == ([b"q1"], b"q2 Q0 a 1 9 t\n", 5)
    assert surveyor.blocks(DATA[used:], line, last=True)[0] == [(b"q2", 5, 1, 0, 0, 0)]


@pytest.mark.native_only
@pytest.mark.parametrize(
    "line", [b"q2 Q0 b 2 8 u\n", b"q2 Q0 b 2 8\n", b"q2 Q0 b 2 inf t\n", b"q2 Q0 a 2 8 t\n", b"q2 Q0 b 0 8 t"]
)
def test_a_line_that_needs_a_closer_look(line) -> None:
    surveyor = survey.Surveyor(b"t")
    assert surveyor.blocks(DATA + line, 1, last=True) is None
    assert surveyor.blocks(DATA, 1, last=True) is not None, "the next bytes are looked at afresh"


def test_without_the_core_there_is_none(monkeypatch) -> None:
    monkeypatch.setattr(library, "LIBRARY", None)
    with pytest.raises(RuntimeError, match="compiled core"):
        survey.Surveyor(b"t")
