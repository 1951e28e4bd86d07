"""Judgment groups: each judge's measure, then their mean."""

from __future__ import annotations

import pytest

import assay
from assay.io.sources import Source
from assay.tasks.judgment_groups import JudgmentGroupGold

QRELS = b"t ann a 1\nt ann b 0\nt bob b 1\n"
RUN = b"t Q0 a 1 2.0 r\nt Q0 b 2 1.0 r\n"


def test_topics_and_documents_in_byte_order():
    found = JudgmentGroupGold(Source("qrels", data=b"2 g b 1\n10 h a 1\n2 h a 1\n2 g B 0\n"), 1, False)
    assert found.topics == ["10", "2"]
    assert [d for d, _ in found.core.documents(1)] == ["B", "a", "b"]


def test_average_precision_of_each_judge_and_their_mean():
    # Ann's one relevant document is at rank 1, Bob's at rank 2.
    scores = assay.evaluate(QRELS, [RUN], ["map_avgjg", "P_avgjg@1"], task="judgment-groups")
    assert scores["map_avgjg"] == {"r": pytest.approx((1 + 1 / 2) / 2)}
    assert scores["P_avgjg@1"] == {"r": pytest.approx(0.5)}


def test_judged_only_drops_what_a_judge_did_not_see():
    scores = assay.evaluate(QRELS, [RUN], ["map_avgjg"], task="judgment-groups", judged_only=True)
    assert scores["map_avgjg"] == {"r": 1.0}
