"""SQuAD's measures, by hand."""

from __future__ import annotations

from types import SimpleNamespace

from assay.measures.registry import find


def test_has_and_no_answer_split_the_questions() -> None:
    has = SimpleNamespace(exact=1, overlap=0.5, nil=False)
    none = SimpleNamespace(exact=0, overlap=0.0, nil=True)
    assert [find(n, "outcomes")(has) for n in ("EM", "TokenF1", "HasAns_EM", "HasAns_F1", "NoAns_EM")] == [
        1,
        0.5,
        1,
        0.5,
        None,
    ]
    assert [find(n, "outcomes")(none) for n in ("EM", "HasAns_EM", "NoAns_EM", "NoAns_F1")] == [0, None, 0, 0]
