"""Preference gold, and measures of it through the same door as all others."""

from __future__ import annotations

import pytest

import assay
from assay.errors import FormatError
from assay.io.sources import Source
from assay.tasks.preferences import JudgmentGroupGold, PreferenceSettings, read


def gold(data: bytes, name: str = "prefs"):
    return read(Source(name, data=data), [], PreferenceSettings())


def documents(found, topic: str) -> list[str]:
    return [document for document, _ in found.core.documents(found.topics.index(topic))]


def test_topics_and_documents_in_byte_order():
    found = gold(b"2 g s b 1\n10 h s a 1\n2 h s a 1\n2 g s B 0\n")
    assert found.topics == ["10", "2"]
    assert documents(found, "2") == ["B", "a", "b"]


def test_the_groups_of_a_qrels_file_are_in_its_second_column():
    view = gold(b"t ann a 1\nt ann b 0\nt bob a 0\nt bob b 1\n", "qrels").view("t", {"a": 1, "b": 2}, 2)
    assert [group.pairs.fulfilled for group in view.groups] == [1, 0]


def test_a_contradiction_names_file_topic_group_and_documents():
    data = b"t g s1 a 2\nt g s1 b 1\nt g s2 b 2\nt g s2 a 1\n"
    with pytest.raises(FormatError, match=r"^the\.prefs: topic t, group g: document a is preferred to b and b to a"):
        gold(data, "the.prefs")


def test_different_groups_may_contradict_each_other():
    found = gold(b"t g s a 2\nt g s b 1\nt h s b 2\nt h s a 1\n")
    assert len(found.view("t", {}, 0).groups) == 2


RUN = b"t Q0 b 1 3.0 r\nt Q0 a 2 2.0 r\nt Q0 c 3 1.0 r\n"


def test_evaluate_computes_the_measures_of_preferences():
    # a>b and a>c are asked for; the run has b, a, c: one of the two is honoured.
    scores = assay.evaluate(
        b"t g s a 2\nt g s b 1\nt g s2 a 1\nt g s2 c 0\n", [RUN], ["prefs_simp"], task="preferences"
    )
    assert scores["prefs_simp"] == {"r": 0.5}


def test_the_rank_order_of_ties_is_that_of_preferences():
    tied = b"t Q0 b 1 1.0 r\nt Q0 a 2 1.0 r\n"
    scores = assay.evaluate(b"t g s a 2\nt g s b 1\n", [tied], ["prefs_simp"], task="preferences")
    assert scores["prefs_simp"] == {"r": 1.0}


def test_a_missing_topic_counts_0():
    both = b"t g s a 2\nt g s b 1\nu g s a 2\nu g s b 1\n"
    run = b"t Q0 a 1 2.0 r\nt Q0 b 2 1.0 r\n"
    assert assay.evaluate(both, [run], ["prefs_simp"], task="preferences")["prefs_simp"] == {"r": 0.5}


QRELS = b"t ann a 1\nt ann b 0\nt bob b 1\n"
RUN_JUDGMENT_GROUPS = b"t Q0 a 1 2.0 r\nt Q0 b 2 1.0 r\n"


def test_topics_and_documents_in_byte_order_of_judgment_groups():
    found = JudgmentGroupGold(Source("qrels", data=b"2 g b 1\n10 h a 1\n2 h a 1\n2 g B 0\n"), 1, False)
    assert found.topics == ["10", "2"]
    assert [d for d, _ in found.core.documents(1)] == ["B", "a", "b"]


def test_average_precision_of_each_judge_and_their_mean():
    # Ann's one relevant document is at rank 1, Bob's at rank 2.
    scores = assay.evaluate(QRELS, [RUN_JUDGMENT_GROUPS], ["map_avgjg", "P_avgjg@1"], task="judgment-groups")
    assert scores["map_avgjg"] == {"r": pytest.approx((1 + 1 / 2) / 2)}
    assert scores["P_avgjg@1"] == {"r": pytest.approx(0.5)}


def test_judged_only_drops_what_a_judge_did_not_see():
    scores = assay.evaluate(QRELS, [RUN_JUDGMENT_GROUPS], ["map_avgjg"], task="judgment-groups", judged_only=True)
    assert scores["map_avgjg"] == {"r": 1.0}
