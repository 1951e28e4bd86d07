"""Preference and judgment-group gold."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats.sources import Source
from assay.tasks.preferences import read_judgment_groups, read_preferences, read_qrels_preferences


def test_topics_and_documents_in_byte_order():
    gold = read_preferences(Source("prefs", data=b"2 g s b 1\n10 h s a 1\n2 h s a 1\n2 g s B 0\n"))
    assert gold.topics == ["10", "2"]
    assert gold.documents("2") == ["B", "a", "b"]
    judged = read_judgment_groups(Source("qrels", data=b"2 g b 1\n10 h a 1\n2 h a 1\n2 g B 0\n"))
    assert judged.topics == ["10", "2"]
    assert judged.documents("2") == ["B", "a", "b"]


def test_the_groups_of_a_qrels_file_are_in_its_second_column():
    view = read_qrels_preferences(Source("qrels", data=b"t ann a 1\nt ann b 0\nt bob a 0\nt bob b 1\n")).view(
        "t", {"a": 1, "b": 2}
    )
    assert [group.pairs.fulfilled for group in view.groups] == [1, 0]


def test_a_contradiction_names_file_topic_group_and_documents():
    data = b"t g s1 a 2\nt g s1 b 1\nt g s2 b 2\nt g s2 a 1\n"
    with pytest.raises(FormatError, match=r"^the\.prefs: topic t, group g: document a is preferred to b and b to a"):
        read_preferences(Source("the.prefs", data=data))


def test_different_groups_may_contradict_each_other():
    gold = read_preferences(Source("prefs", data=b"t g s a 2\nt g s b 1\nt h s b 2\nt h s a 1\n"))
    assert len(gold.view("t", {}).groups) == 2
