"""The compiled core as Python classes, by hand; tests/core/test_reference.py holds it and its twin to one answer on anything."""

from __future__ import annotations

from array import array

import pytest

from assay.core.binding import DUPLICATE, MEMORY, SCORE, Problem

pytestmark = pytest.mark.native_only
QRELS = b"1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a -1\n"


@pytest.fixture
def core():
    from assay.core import compiled

    return compiled


def test_judgments_by_hand(core) -> None:
    gold = core.Gold.read(QRELS)
    assert gold.topics == ["1", "2"]
    assert gold.grades(0) == [2, 1, 0]
    assert gold.documents(0) == [("a", 2), ("b", 0), ("c", 1)]
    packed = core.Gold.pack(b"1\0002\0", b"a\0b\0c\0a\0", array("q", [3, 1]), array("q", [2, 0, 1, -1]))
    assert [packed.documents(t) for t in (0, 1)] == [gold.documents(t) for t in (0, 1)]


def test_a_run_in_pieces(core) -> None:
    ranker = core.Ranker(core.Gold.read(QRELS))
    for piece in (b"1 Q0 b 1 3 ta", b"g\n1 Q0 x 2 2 tag\n1 Q0 ", b"a 3 1 tag\n9 Q0 z 1 1 tag\n"):
        ranker.feed(piece)
    found = ranker.finish()
    assert (found.num_ret, found.tag, found.lines) == ([3, -1], "tag", 4)
    assert found.relevant(0) == ([3], [2], [1])
    assert found.pooled(0) == ([1, 3], [1, 0])
    assert found.pooled_grades(0) == [(1, 0), (3, 2)]
    assert [found.graded(0, least) for least in (0, 1, 3)] == [([1, 3], [1, 0]), ([3], [0]), ([], [])]
    assert found.graded(1, 0) == ([], [])
    assert ranker.finish().pooled(0) == ([1, 3], [1, 0]), "a run that has ended may be ended again"
    assert (found.ignored, found.unjudged_topic, len(found.ignored_topics())) == (1, "9", 1)


@pytest.mark.parametrize(
    ("run", "code", "line", "other"),
    [(b"1 Q0 a 1 x t\n", SCORE, 1, 0), (b"1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n", DUPLICATE, 2, 1)],
)
def test_a_bad_line_is_named(core, run, code, line, other) -> None:
    def read() -> None:
        ranker = core.Ranker(core.Gold.read(QRELS))
        ranker.feed(run)
        ranker.finish()  # documents that stand twice are noticed when their topic ends

    with pytest.raises(Problem) as problem:
        read()
    assert (problem.value.code, problem.value.line, problem.value.other) == (code, line, other)


def test_gold_that_cannot_be_read_frees_nothing(core) -> None:
    with pytest.raises(Problem):
        core.Gold.read(b"1 0 a x\n")


def test_documents_are_told_apart_by_their_ids_and_not_by_their_hashes(core) -> None:
    # Of so many, a few share with a judged one all the bits that the table has room for.
    gold = core.Gold.read(b"".join(b"1 0 a%d 1\n" % i for i in range(60_000)))
    ranker = core.Ranker(gold)
    ranker.feed(b"".join(b"1 Q0 b%d 1 %d t\n" % (i, -i) for i in range(200_000)) + b"1 Q0 a59999 1 -200000 t\n")
    assert ranker.finish().relevant(0) == ([200_001], [1], [0])


def test_topics_and_grades_in_any_order(core) -> None:
    gold = core.Gold.read(b"2 0 a 1\n1 0 x 500\n2 0 b -7\n1 0 y 3\n1 0 z 400\n")
    assert gold.topics == ["1", "2"]
    assert [gold.grades(t) for t in (0, 1)] == [[500, 400, 3], [1, -7]]
    assert [gold.documents(t) for t in (0, 1)] == [[("x", 500), ("y", 3), ("z", 400)], [("a", 1), ("b", -7)]]
    assert gold.largest == 3


RUN = b"".join(
    b"%d Q0 %s 1 %d.5 tag\n" % (topic, b"abcdefgh"[n : n + 1], 9 - n) for topic in (1, 2, 3) for n in range(8)
)


@pytest.mark.parametrize("piece", [1, 7, 60, 10_000])
@pytest.mark.parametrize("steps", [1, 3])
def test_a_run_in_a_file(core, tmp_path, piece, steps) -> None:
    """Read by the core, by pieces and by calls of any size, it is the run that is fed; the bytes before and behind are not."""
    (tmp_path / "run").write_bytes(b"no run" + RUN + b"1 Q0 a 1 1 t")
    gold = core.Gold.read(QRELS)
    fed, read = core.Ranker(gold), core.Ranker(gold)
    fed.feed(RUN)
    with (tmp_path / "run").open("rb", buffering=0) as file:
        file.seek(6)
        for step in range(steps):
            at = len(RUN) * step // steps
            read.read(file.fileno(), len(RUN) * (step + 1) // steps - at, piece, 1000)
    for one, other in zip(*(vars_of(ranker.finish()) for ranker in (fed, read)), strict=True):
        assert one == other


def vars_of(ranked) -> list[object]:
    numbers = range(len(ranked.num_ret))
    return [ranked.num_ret, [ranked.pooled(t) for t in numbers], ranked.tag, ranked.lines, ranked.ignored]


def test_a_file_that_ends_early_is_read_to_its_end(core, tmp_path) -> None:
    (tmp_path / "run").write_bytes(RUN)
    ranker = core.Ranker(core.Gold.read(QRELS))
    with (tmp_path / "run").open("rb", buffering=0) as file:
        ranker.read(file.fileno(), 10 * len(RUN), 50, 1000)
    assert ranker.finish().lines == 24


@pytest.mark.parametrize("longest", [13, 14])
def test_a_file_with_a_line_that_is_too_long_is_left_to_others(core, tmp_path, longest) -> None:
    (tmp_path / "run").write_bytes(b"1 Q0 a 1 1 t\n1 Q0 b 1 1 ta\n1 Q0 c 1 1 tag\n")
    ranker = core.Ranker(core.Gold.read(QRELS))
    with (tmp_path / "run").open("rb", buffering=0) as file:
        if longest == 14:
            ranker.read(file.fileno(), 100, 1000, longest)
            assert ranker.finish().lines == 3
            return
        with pytest.raises(Problem) as caught:
            ranker.read(file.fileno(), 100, 1000, longest)
    assert caught.value.code == MEMORY


def test_a_file_that_cannot_be_read_is_left_to_others(core, tmp_path) -> None:
    (tmp_path / "run").write_bytes(RUN)
    with (tmp_path / "run").open("ab", buffering=0) as file, pytest.raises(Problem) as caught:
        core.Ranker(core.Gold.read(QRELS)).read(file.fileno(), 10, 10, 1000)
    assert caught.value.code == MEMORY
