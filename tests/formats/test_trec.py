"""What the core found wrong, in words."""

from __future__ import annotations

import pytest

import assay
from assay.formats import trec
from assay.native.problems import MEMORY, Problem


@pytest.mark.parametrize("run", [{"1": {"a": 1.0}}, b"1 Q0 a 1 1 t\n"], ids=["from memory", "from bytes"])
@pytest.mark.parametrize("when", ["__init__", "finish"])
def test_too_little_memory_is_called_by_its_name(monkeypatch, run, when) -> None:
    """It was told as a document that appears twice."""

    def fail(*_, **__):
        raise Problem(MEMORY)

    monkeypatch.setattr(trec.Ranker, when, fail)
    with pytest.raises(assay.AssayError, match="not enough memory"):
        assay.evaluate({"1": {"a": 1}}, [run], ["AP"])
