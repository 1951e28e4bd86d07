"""Topics that were asked for, how many, and how they are numbered."""

from __future__ import annotations

import pytest

from assay.collections.checking.expectations import Expectations, check_topics, document_ids, topic_ids
from assay.collections.checking.findings import File
from assay.collections.checking.rules import Rules
from assay.errors import InputError


def found(topics: dict, wanted: Expectations) -> list[tuple]:
    file = File("a")
    check_topics(file, topics, wanted)
    assert file.topics == len(topics)
    return [(f.level, f.kind, f.count, f.lines, f.found) for f in file.findings]


def test_unknown_and_missing_topics() -> None:
    wanted = Expectations(topics=["1", "2", "3", "4", "5", "6"])
    assert found({"1": (1, 10), "7": (11, 20), "8": (31, 5)}, wanted) == [
        ("error", "unknown-topic", 25, [11, 31], "topic 7"),
        ("warning", "missing-topic", 5, [], "5 of 6 topics missing: 2, 3, 4 and 2 more"),
    ]


def test_another_prefix_is_one_finding() -> None:
    wanted = Expectations(topics=[f"clef2015.test.{number}" for number in range(1, 67)])
    topics = {f"qtest.{number}": (number, 1000) for number in range(1, 67)}
    assert found(topics, wanted) == [("error", "topic-prefix", 1, [1], "topics that begin with 'qtest.', as qtest.1")]
    del topics["qtest.3"]
    assert [row[1:] for row in found(topics, wanted)] == [
        ("topic-prefix", 1, [1], "topics that begin with 'qtest.', as qtest.1"),
        ("missing-topic", 1, [], "1 of 66 topics missing: clef2015.test.3"),
    ]
    topics["other"] = (99, 1)
    assert found(topics, wanted)[0][1:3] == ("unknown-topic", 65_001), "the prefix does not explain all of them"


def test_too_many_and_too_few() -> None:
    two = Rules(topics=2)
    assert found({"1": (1, 1), "2": (2, 1)}, Expectations(two)) == []
    assert [row[:2] for row in found({"1": (1, 1)}, Expectations(two))] == [("warning", "topics")]
    assert [row[:2] for row in found({"1": (1, 1), "2": (2, 1), "3": (3, 1)}, Expectations(two))] == [
        ("error", "topics")
    ]
    named = found({"1": (1, 1)}, Expectations(two, topics=["1", "2"]))
    assert [row[1] for row in named] == ["missing-topic"], "told once, with its name"


def test_what_to_do_about_too_many_and_too_few() -> None:
    for topics, mend in (
        ({"1": (1, 1)}, "submit every topic"),
        ({"1": (1, 1), "2": (2, 1), "3": (3, 1)}, "remove the topics"),
    ):
        file = File("a")
        check_topics(file, topics, Expectations(Rules(topics=2)))
        assert file.findings[0].mend.startswith(mend)


def test_numbers() -> None:
    wanted = Expectations(Rules(numbered_from=1))
    assert found({"2": (1, 1), "1": (2, 1), "3": (3, 1)}, wanted) == []
    assert found({"1": (1, 1), "4": (2, 1), "6": (3, 1)}, wanted) == [
        ("error", "numbering", 3, [2, 3], "no 2, 3 before 4")
    ]
    assert found({"0": (1, 1), "q1": (2, 1), "1": (3, 1), "²": (4, 1)}, wanted) == [
        ("error", "numbering", 3, [1, 2, 4], "topic 0")
    ]
    assert found({"3000000000": (1, 1)}, wanted)[0][2] == 2_999_999_999


@pytest.mark.parametrize(
    "given",
    [
        b"301\n302\n",
        b"# asked\n301\n\n302",
        b"301\tcrime\n302\tpolio\n",
        b'{"id": "301", "text": "crime"}\n{"qid": 302}\n',
        b"<top><num> Number: 301 <title> crime</top><top><num> Number: 302 <title> polio</top>",
        [301, "302"],
    ],
)
def test_topics(given) -> None:
    assert topic_ids(given) == ["301", "302"]


def test_documents_need_no_text(tmp_path) -> None:
    (tmp_path / "docs.jsonl").write_text('{"docno": "d1"}\n{"docno": "d2", "text": "x"}\n')
    assert document_ids(str(tmp_path / "docs.jsonl")) == document_ids(["d1", "d2"]) == {"d1", "d2"}


def test_none_are_none() -> None:
    assert topic_ids(None) is None
    assert document_ids(None) is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", "has no topics"),
        (b"301\n302 polio\n", ":2: found '302 polio'"),
        (b'{"text": "crime"}', "has no id"),
        (b"PAR1xxxx", "is not text"),
        (7, "expected a file or ids"),
    ],
)
def test_refused(given, said) -> None:
    with pytest.raises(InputError, match=said):
        topic_ids(given)
