"""Topics that were asked for, how many, and how they are numbered."""

from __future__ import annotations

from assay.collections.checking.expectations import Expectations, look_at_topics
from assay.collections.checking.findings import File
from assay.collections.checking.rules import Rules


def found(topics: dict, wanted: Expectations) -> list[tuple]:
    file = File("a")
    look_at_topics(file, topics, wanted)
    assert file.topics == len(topics)
    return [(f.level, f.kind, f.count, f.lines, f.found) for f in file.findings]


def test_unknown_and_missing_topics() -> None:
    wanted = Expectations(topics=["1", "2", "3", "4", "5", "6"])
    assert found({"1": (1, 10), "7": (11, 20), "8": (31, 5)}, wanted) == [
        ("error", "unknown-topic", 25, [11, 31], "topic 7"),
        ("warning", "missing-topic", 5, [], "5 of 6 topics missing: 2, 3, 4 and 2 more"),
    ]


def test_too_many_and_too_few() -> None:
    two = Rules(topics=2)
    assert found({"1": (1, 1), "2": (2, 1)}, Expectations(two)) == []
    assert [row[:2] for row in found({"1": (1, 1)}, Expectations(two))] == [("warning", "topics")]
    assert [row[:2] for row in found({"1": (1, 1), "2": (2, 1), "3": (3, 1)}, Expectations(two))] == [
        ("error", "topics")
    ]
    named = found({"1": (1, 1)}, Expectations(two, topics=["1", "2"]))
    assert [row[1] for row in named] == ["missing-topic"], "told once, with its name"


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
