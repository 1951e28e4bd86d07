"""What the core surveys is what Python finds line by line, whatever the run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.collections.checking import run_survey, runs
from assay.collections.checking.expectations import Expectations
from assay.collections.checking.findings import File
from assay.collections.checking.rules import read_rules
from assay.io.sources import Source

WORDS = st.sampled_from(["1", "2", "3"])
LINES = st.one_of(
    st.tuples(
        WORDS,
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
        patch.setattr(run_survey, "LIBRARY", None)
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
    blocks = run_survey.survey(Source("a.run", data=data), file, Expectations(read=read.append))
    assert [(block.topic, block.count) for block in blocks or ()] == [("1", 2), ("2", 1)]
    assert (read, file.lines, file.findings) == ([len(data), -len(data), len(data)], 3, [])


@pytest.mark.native_only
def test_without_memory_nothing_is_told_and_the_run_is_walked(monkeypatch) -> None:
    monkeypatch.setattr("assay.core.run_files.Surveyor.feed", lambda *given, **named: None)
    read: list[int] = []
    file = File("a.run")
    source = Source("a.run", data=b"1 Q0 a 1 9 t\n1 Q0 a 2 8 t\n")
    assert run_survey.survey(source, file, Expectations(read=read.append)) is None
    assert (sum(read), file.lines, file.findings) == (0, 0, [])
    runs.check_run(source, file, Expectations())
    assert [finding.kind for finding in file.findings] == ["duplicate"]
