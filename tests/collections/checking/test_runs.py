"""Ranked runs: each fault alone, all of them together, and what is no fault."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.collections.checking import runs
from assay.collections.checking.expectations import Expectations
from assay.collections.checking.findings import File
from assay.collections.checking.rules import read_rules
from assay.collections.checking.runs import check_run
from assay.io.sources import Source

GOOD = b"1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n2 Q0 a 1 9 t\n2 Q0 c 2 8.5 t\n"


def checked(data: object, rules: dict | None = None, **wanted: object) -> File:
    file = File("a.run")
    check_run(Source("a.run", data=data), file, Expectations(read_rules(rules), **wanted))
    return file


def told(file: File) -> list[tuple]:
    return [(f.level, f.kind, f.count, f.lines) for f in file.findings]


def test_a_run_in_order() -> None:
    file = checked(GOOD)
    assert told(file) == []
    assert (file.lines, file.topics, file.deepest, file.tags) == (4, 2, 2, ["t"])


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.removesuffix(b"\n"),
        b"# made by hand\n\n" + GOOD,
        GOOD.replace(b" ", b"\t"),
        GOOD.replace(b"Q0 c", "Q0 é,1".encode()),
        GOOD.replace(b" 9 t", b" +9.0e0 t"),
    ],
)
def test_what_is_no_fault(data) -> None:
    assert told(checked(data)) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b"8 t\n", b"8\n", ("error", "fields", 1, [2])),
        (b"8 t\n", b"8 t t\n", ("error", "fields", 1, [2])),
        (b"8 t\n", b"nan t\n", ("error", "score", 1, [2])),
        (b"8 t\n", b"-inf t\n", ("error", "score", 1, [2])),
        (b"8 t\n", b"1e999 t\n", ("error", "score", 1, [2])),
        (b"8 t\n", b"1_0 t\n", ("error", "score", 1, [2])),
        (b"Q0 b", b"Q0 a", ("error", "duplicate", 1, [2])),
        (b"8 t\n", b"8 u\n", ("error", "tags", 1, [2])),
        (b"Q0 b", b"Q0 \xff", ("error", "encoding", 1, [2])),
        (b"Q0 b", b"Q0 \0", ("error", "encoding", 1, [2])),
        (b"b 2 8", b"b x 8", ("warning", "rank", 1, [2])),
        (b"b 2 8", b"b 2 9.5", ("warning", "rank-order", 1, [2])),
        (b"b 2 8", b"b 0 8", ("warning", "rank-order", 1, [1])),
    ],
)
def test_one_fault(old, new, expected) -> None:
    assert told(checked(GOOD.replace(old, new, 1))) == [expected]


def test_a_topic_that_comes_back_is_no_fault_and_remembers_its_documents() -> None:
    assert told(checked(GOOD + b"1 Q0 c 3 7 t\n")) == []
    assert told(checked(GOOD + b"1 Q0 b 3 7 t\n")) == [("error", "duplicate", 1, [5])]
    file = checked(GOOD + b"1 Q0 c 3 7 t\n", {"depth": 2})
    assert told(file) == [("error", "depth", 1, [1])]
    assert file.deepest == 3


def test_all_faults_together_are_all_told() -> None:
    data = b"1 Q0 a 1 9 t\n1 Q0 a 2 9\n1 Q0 b 3 nan t\n1 Q0 a 4 9.5 u\n\xff Q0 d 1 9 t\n"
    kinds = ["fields", "score", "duplicate", "tags", "encoding", "rank-order"]
    assert [finding.kind for finding in checked(data).findings] == kinds


def test_rules_and_collections() -> None:
    assert told(checked(GOOD, {"depth": 1})) == [("error", "depth", 2, [1, 3])]
    assert told(checked(GOOD, {"tag": "[a-z]{3}"})) == [("error", "tag-pattern", 1, [])]
    assert told(checked(GOOD, {"tag": "[a-z]"})) == []
    assert told(checked(GOOD, topics=["1", "3"])) == [
        ("error", "unknown-topic", 2, [3]),
        ("warning", "missing-topic", 1, []),
    ]
    assert told(checked(GOOD, documents=frozenset("ab"))) == [("warning", "unknown-document", 1, [4])]
    assert told(checked(GOOD, documents=frozenset("abc"))) == []


def test_masses_of_ties() -> None:
    three = b"1 Q0 a 1 9 t\n1 Q0 b 2 9 t\n1 Q0 c 3 8 t\n"
    file = checked(three)
    assert told(file) == [("warning", "ties", 2, [1])]
    assert file.findings[0].found.startswith("2 of 3 documents")
    assert told(checked(three, {"ties": 0.7})) == []
    assert told(checked(three + b"2 Q0 a 1 9 t\n")) == [], "one half is no mass"


@pytest.mark.parametrize("data", [b"", b"\n# nothing\n"])
def test_an_empty_run(data) -> None:
    assert told(checked(data)) == [("error", "empty", 1, [])]


def test_runs_of_dicts_and_json() -> None:
    assert told(checked({"1": {"a": 2.0, "b": 1}})) == []
    found = told(checked(b'{"1": {"a": 1, "b": NaN, "c": "x"}, "2": {}}'))
    assert found == [("error", "score", 2, []), ("warning", "missing-topic", 1, [])]
    assert told(checked({"1": 3}))[0] == ("error", "fields", 1, [])
    assert told(checked({"1": ["b", "a"]})) == [], "a list is a ranking"
    assert told(checked({}))[0] == ("error", "empty", 1, [])
    assert told(checked({"1": {"a": 0, "b": 0}}, documents=frozenset("a"))) == [
        ("warning", "ties", 2, []),
        ("warning", "unknown-document", 1, []),
    ]


def test_a_fault_of_many_lines_is_one_finding_of_five_lines() -> None:
    data = b"".join(b"1 Q0 d%d %d nan t\n" % (rank, rank) for rank in range(1, 8))
    [finding] = checked(data).findings
    assert (finding.kind, finding.found, finding.count, finding.lines) == ("score", "score 'nan'", 7, [1, 2, 3, 4, 5])


def test_a_run_of_many_tags_keeps_two() -> None:
    file = checked(b"1 Q0 a 1 9 one\n1 Q0 b 2 8 two\n1 Q0 c 3 7 three\n")
    assert file.tags == ["one", "two"]
    assert told(file) == [("error", "tags", 2, [2, 3])]
    assert file.findings[0].found == "tag two after one on line 1"


def test_many_fields_are_one_finding() -> None:
    file = checked(b"".join(b"1 " * fields + b"\n" for fields in (15, 16, 17, 500)))
    assert [(finding.found, finding.count) for finding in file.findings] == [("15 fields", 1), ("16 fields", 3)]


FEW_WORDS = st.sampled_from(["1", "2", "3"])
LINES = st.one_of(
    st.tuples(
        FEW_WORDS,
        st.just("Q0"),
        st.sampled_from(["a", "b", "c", "d", "é", "x" * 70]),
        st.sampled_from(["1", "2", "3", "4", "5", "6", "x", "-1", "+2"]),
        st.sampled_from(["9", "8.5", "8", "9.0", "9", "8", "nan", "inf", "1e400", "1e-400"]),
        st.sampled_from(["t"] * 9 + ["u"]),
    ).map(" ".join),
    st.sampled_from(
        [
            "",
            "# comment",
            "# \udcff",
            "\0",
            "1 Q0 a 1 9",
            "2 Q0 a 1 9 t u",
            "3 " * 40,
            "1 Q0 \udcff 9 9 t",
            "1 Q0 \0 9 9 t",
        ]
    ),
)


def finds(data: bytes, wanted: Expectations) -> dict:
    file = File("a.run")
    runs.check_run(Source("a.run", data=data), file, wanted)
    return file.as_dict()


def both(data: bytes, **wanted: object) -> tuple[dict, dict]:
    """The findings with faultless topics checked at once, and with every line checked by itself."""
    expected = Expectations(read_rules({"ties": 0.2, "depth": 2, "tag": "t"}), **wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs._Walk, "_add_faultless", lambda *_: False)
        by_line = finds(data, expected)
    return finds(data, expected), by_line


@given(st.lists(LINES, max_size=25), st.booleans(), st.integers(1, 200), st.booleans())
def test_topics_at_once_have_the_findings_of_their_lines(lines, ended, size, together) -> None:
    """In pieces of any size, topics together or not."""
    lines = sorted(lines) if together else lines
    data = ("\n".join(lines) + ("\n" if ended else "")).encode("utf-8", "surrogateescape")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.io.sources.CHUNK", size)
        at_once, by_line = both(data, topics=["1", "2"], documents=frozenset("abc"))
    assert at_once == by_line


@given(
    st.lists(
        st.tuples(st.sampled_from(["1", "2", "0"]), st.sampled_from(["9", "8", "8.5", "8.50", "1e400"])), max_size=30
    )
)
def test_ranks_and_scores_of_topics_at_once(blocks) -> None:
    lines = [f"q{i // 3} Q0 d{i} {rank} {score} t" for i, (rank, score) in enumerate(blocks)]
    at_once, by_line = both("\n".join(lines).encode())
    assert at_once == by_line


@pytest.mark.parametrize("twice", [1, 4_999])
def test_a_document_that_comes_back_in_a_deep_topic_is_seen(twice) -> None:
    lines = [b"q Q0 d%d %d %d t\n" % (d if d < 5_000 else twice, d, 9_000 - d) for d in range(1, 5_001)]
    assert told(checked(GOOD + b"".join(lines))) == [("error", "duplicate", 1, [5_004])]


def test_ranks_out_of_order_within_ties_and_ranks_that_are_all_the_same() -> None:
    """As most runs that NIST keeps: sorted by score and id, whatever the rank; or without real ranks."""
    ties = b"1 Q0 a 1 9 t\n1 Q0 b 3 8 t\n1 Q0 c 2 8 t\n1 Q0 d 4 7 t\n"
    same = b"1 Q0 a 0 7 t\n1 Q0 b 0 8 t\n1 Q0 c 0 8 t\n"
    other = b"0 Q0 a 1 9 t\n"
    kinds = [[f["kind"] for f in finds(other + data, Expectations())["findings"]] for data in (ties, same)]
    assert kinds == [[], []]
    assert told(checked(same)) == [("warning", "ties", 2, [1])]


def test_a_run_sorted_by_rank() -> None:
    """Topics come back with every rank; one document comes back, too."""
    topics, depth = 500, 4
    lines = [b"%d Q0 d%d %d %d t\n" % (t, r, r, 9 - r) for r in range(1, depth + 1) for t in range(topics)]
    lines[-1] = b"499 Q0 d2 4 5 t\n"
    file = checked(b"".join(lines), {"depth": 4})
    assert (file.lines, file.topics, file.deepest) == (topics * depth, topics, depth)
    assert told(file) == [("error", "duplicate", 1, [topics * depth])]
    assert file.findings[0].found == f"document d2 a second time in topic 499, first on line {2 * topics}"


def test_faultless_topics_are_checked_at_once(monkeypatch) -> None:
    """Line by line, a million lines take four times as long; the first topic tells the tag."""
    monkeypatch.setattr(runs._Walk, "_check_order", None)
    data = b"".join(b"%d Q0 d%d %d %d.5 t\n" % (t, d, d, 40 - d) for t in range(1, 4) for d in range(1, 31))
    file = File("a.run")
    walk = runs._Walk(file, Expectations(), frozenset())
    walk._tag = b"t", 1
    for number, lines in runs._stretches(enumerate(data.splitlines(), 1)):
        assert walk.add(number, lines)
    assert (file.lines, len(walk.blocks), file.findings) == (90, 3, [])
