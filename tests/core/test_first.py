"""The first documents of a run; the fuzzer holds them against plain loops, tests/formats/test_rankings.py against the Python reader."""

from __future__ import annotations

import pytest

from assay.core import binding
from assay.core.first import first_documents

DATA = b"q1 Q0 a 1 9 s\nq1 Q0 b 2 9 s\n# said\nq1 Q0 c 3 9.5 s\n\nq0 Q0 \xff 1 -inf t"


@pytest.mark.native_only
def test_in_the_order_of_scores_and_ids_whatever_the_ranks_say() -> None:
    assert first_documents(DATA, 2) == ("t", {"q1": ["c", "b"], "q0": ["\udcff"]})
    assert first_documents(DATA, None) == ("t", {"q1": ["c", "b", "a"], "q0": ["\udcff"]})


@pytest.mark.native_only
@pytest.mark.parametrize("more", [b" u", b"\nq0 Q0 \xff 1 2 t", b"\nq1 Q0 z 1 1 t", b"\nq0 Q0 z 1 nan t", b"\0"])
def test_what_needs_a_closer_look_is_left(more) -> None:
    assert first_documents(DATA + more, 2) is None
    assert first_documents(b"", 2) is None


def test_without_the_core_there_is_none(monkeypatch) -> None:
    monkeypatch.setattr(binding, "LIBRARY", None)
    assert first_documents(DATA, 2) is None
