"""Ranked runs: each fault alone, all of them together, and what is no fault."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.collections.checking import runs
from assay.collections.checking.expectations import Expectations
from assay.collections.checking.findings import File
from assay.collections.checking.rules import read_rules
from assay.collections.checking.runs import (
    check_run,
    report_duplicate,
    report_field_count,
    report_rank,
    report_score,
    report_second_tag,
    report_zero_byte,
    run_lines,
    survey,
)
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


@pytest.mark.parametrize("python", [False, True], ids=["core", "python"])
def test_a_topic_that_comes_back_is_no_fault_and_remembers_its_documents(python, monkeypatch) -> None:
    if python:
        monkeypatch.setattr(runs, "survey", lambda *_: None)
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
    assert told(checked({"1": ["a"]}))[0] == ("error", "fields", 1, [])
    assert told(checked({}))[0] == ("error", "empty", 1, [])
    assert told(checked({"1": {"a": 0, "b": 0}}, documents=frozenset("a"))) == [
        ("warning", "ties", 2, []),
        ("warning", "unknown-document", 1, []),
    ]


WORDS = b"q1 Q0 d1 x nan other".split()


@pytest.mark.parametrize(
    ("tell", "kind", "found"),
    [
        (lambda file, *at: report_field_count(file, at[0], 5, *at[1:]), "fields", "5 fields"),
        (lambda file, *at: report_zero_byte(file, *at), "encoding", "a zero byte"),
        (lambda file, *at: report_score(file, at[0], WORDS, *at[1:]), "score", "score 'nan'"),
        (lambda file, *at: report_rank(file, at[0], WORDS, *at[1:]), "rank", "rank 'x'"),
        (lambda file, *at: report_second_tag(file, at[0], WORDS, (b"one", 1), *at[1:]), "tags", "tag other after one on line 1"),
        (
            lambda file, *at: report_duplicate(file, at[0], WORDS, 2, *at[1:]),
            "duplicate",
            "document d1 a second time in topic q1, first on line 2",
        ),
    ],
)  # fmt: skip
def test_one_by_one_and_at_once(tell, kind, found) -> None:
    one, many = File("a.run"), File("a.run")
    one.tags, many.tags = ["one"], ["one"]
    for line in range(3, 10):
        tell(one, line)
    tell(many, [3, 4, 5, 6, 7], 7)
    assert one.as_dict() == many.as_dict()
    [finding] = many.findings
    assert (finding.kind, finding.found, finding.count, finding.lines) == (kind, found, 7, [3, 4, 5, 6, 7])


def test_a_run_of_many_tags_keeps_two() -> None:
    file = File("a.run")
    file.tags = ["one"]
    for tag in (b"two", b"three"):
        report_second_tag(file, 2, [*WORDS[:5], tag], (b"one", 1))
    assert file.tags == ["one", "two"]


def test_many_fields_are_one_finding() -> None:
    file = File("a.run")
    for found in (15, 16, 17, 500):
        report_field_count(file, 1, found)
    assert [(finding.found, finding.count) for finding in file.findings] == [("15 fields", 1), ("16 fields", 3)]


def test_lines_that_say_something() -> None:
    lines = [b" ", b"# no", b"a b"]
    assert list(run_lines(iter(enumerate(lines, 1)))) == [(3, b"a b", [b"a", b"b"])]


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
    """With the core, and without."""
    held = Expectations(read_rules({"ties": 0.2, "depth": 2, "tag": "t"}), **wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "LIBRARY", None)
        walked = finds(data, held)
    return finds(data, held), walked


@given(st.lists(LINES, max_size=12), st.booleans())
def test_any_run(lines, ended) -> None:
    same_found(lines, ended)


@given(st.lists(LINES, max_size=25), st.booleans(), st.integers(1, 200), st.booleans())
@pytest.mark.native_only
def test_any_run_is_surveyed(lines, ended, size, together) -> None:
    """In pieces of any size, its topics together or not, and never walked: whatever is wrong, the core has seen it."""
    lines = sorted(lines) if together else lines
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.io.sources.CHUNK", size)
        same_found(lines, ended)
        patch.setattr(runs, "_walk", None)
        finds("\n".join(lines).encode("utf-8", "surrogateescape"), Expectations())


def same_found(lines: list[str], ended: bool) -> None:
    data = ("\n".join(lines) + ("\n" if ended else "")).encode("utf-8", "surrogateescape")
    surveyed, walked = both(data, topics=["1", "2"], documents=frozenset("abc"))
    assert surveyed == walked


@given(
    st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["9", "8", "8.5", "8.50"])), max_size=30), st.integers(1, 90)
)
@pytest.mark.native_only
def test_runs_in_order_in_pieces_of_any_size(blocks, size) -> None:
    lines = [f"q{i // 3} Q0 d{i} {i} {score} t" for i, (_, score) in enumerate(blocks)]
    data = "\n".join(lines).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.io.sources.CHUNK", size)
        patch.setattr(runs, "_walk", None)  # the core alone
        source = Source("a.run", data=data)
        whole = File("a.run")
        if data:
            runs.check_run(source, whole, Expectations())
    walked = both(data)[1] if data else whole.as_dict()
    assert (whole.lines, whole.topics, whole.deepest or 0) == (
        walked["lines"],
        walked["topics"],
        walked["deepest"] or 0,
    )


@pytest.mark.native_only
def test_a_large_run_in_order_is_not_walked(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(runs, "_walk", None)
    path = tmp_path / "large.run"
    path.write_bytes(
        b"".join(b"%d Q0 d%06d %d %d.5 t\n" % (t, d, d, 40_000 - d) for t in range(4) for d in range(1, 30_001))
    )
    file = File(str(path))
    runs.check_run(Source(str(path), path=str(path)), file, Expectations())
    assert (file.lines, file.topics, file.deepest, file.findings) == (120_000, 4, 30_000, [])


@pytest.mark.native_only
def test_many_short_topics_and_a_byte_that_is_no_text_on_the_last_line() -> None:
    data = b"".join(b"q%d Q0 d 1 9 t\n" % t for t in range(10_000))
    assert both(data)[0]["topics"] == 10_000
    surveyed, walked = both(data + b"z Q0 \xe9 1 9 t")
    assert surveyed == walked
    assert [finding["kind"] for finding in surveyed["findings"]] == ["encoding"]


@pytest.mark.parametrize("twice", [1, 600, 4_999])
def test_a_document_that_comes_back_in_a_deep_topic_is_seen(twice) -> None:
    lines = [b"q Q0 d%d %d %d t\n" % (d if d < 5_000 else twice, d, 9_000 - d) for d in range(1, 5_001)]
    surveyed, walked = both(b"".join(lines))
    assert surveyed == walked
    assert [f["lines"] for f in surveyed["findings"] if f["kind"] == "duplicate"] == [[5_000]]


@pytest.mark.native_only
def test_ranks_out_of_order_within_ties_and_ranks_that_are_all_the_same_are_surveyed(monkeypatch) -> None:
    """As most runs that NIST keeps: sorted by score and id, whatever the rank; or with no rank to speak of."""
    ties = b"1 Q0 a 1 9 t\n1 Q0 b 3 8 t\n1 Q0 c 2 8 t\n1 Q0 d 4 7 t\n"
    same = b"1 Q0 a 0 7 t\n1 Q0 b 0 8 t\n1 Q0 c 0 8 t\n"
    surveyed, walked = zip(both(ties), both(same), strict=True)
    assert surveyed == walked
    monkeypatch.setattr(runs, "_walk", None)
    assert [[f["kind"] for f in finds(data, Expectations())["findings"]] for data in (ties, same)] == [[], ["ties"]]


@pytest.mark.native_only
def test_a_run_sorted_by_rank_is_not_walked(tmp_path, monkeypatch) -> None:
    """Topics come back with every rank, more of them than one call of the core tells; and one document comes back, too."""
    topics, depth = 5_000, 4
    lines = [b"%d Q0 d%d %d %d t\n" % (t, r, r, 9 - r) for r in range(1, depth + 1) for t in range(topics)]
    lines[-1] = b"4999 Q0 d2 4 5 t\n"
    path = tmp_path / "by_rank.run"
    path.write_bytes(b"".join(lines))
    with monkeypatch.context() as patch:
        patch.setattr(runs, "_walk", None)
        surveyed = finds(path.read_bytes(), Expectations(read_rules({"depth": 4})))
    assert (surveyed["lines"], surveyed["topics"], surveyed["deepest"]) == (topics * depth, topics, depth)
    (finding,) = surveyed["findings"]
    assert (finding["kind"], finding["count"], finding["line"]) == ("duplicate", 1, topics * depth)
    assert finding["found"] == f"document d2 a second time in topic 4999, first on line {2 * topics}"


@pytest.mark.native_only
def test_progress_is_taken_back_where_a_file_is_read_again() -> None:
    read: list[int] = []
    data = b"1 Q0 a 1 9 t\n2 Q0 a 1 9 t\n1 Q0 b 2 8 t\n"
    file = File("a.run")
    blocks = survey(Source("a.run", data=data), file, Expectations(read=read.append))
    assert [(block.topic, block.count) for block in blocks or ()] == [("1", 2), ("2", 1)]
    assert (read, file.lines, file.findings) == ([len(data), -len(data), len(data)], 3, [])


@pytest.mark.native_only
def test_without_memory_nothing_is_told_and_the_run_is_walked(monkeypatch) -> None:
    monkeypatch.setattr("assay.core.run_files.Surveyor.feed", lambda *given, **named: None)
    read: list[int] = []
    file = File("a.run")
    source = Source("a.run", data=b"1 Q0 a 1 9 t\n1 Q0 a 2 8 t\n")
    assert survey(source, file, Expectations(read=read.append)) is None
    assert (sum(read), file.lines, file.findings) == (0, 0, [])
    runs.check_run(source, file, Expectations())
    assert [finding.kind for finding in file.findings] == ["duplicate"]
