"""The compiled core and its twin give the same answer, or the same complaint, on anything."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.core import binding, reference
from assay.core.binding import INTERLEAVED, Problem

IMPLEMENTATIONS = [reference]
if binding.LIBRARY is not None:
    from assay.core import compiled

    IMPLEMENTATIONS.insert(0, compiled)

each = pytest.mark.parametrize("module", IMPLEMENTATIONS, ids=lambda module: module.__name__.rpartition(".")[2])

ids = st.sampled_from([b"d1", b"d2", b"d10", b"D", b"a#b", b"\xc3\xa9", b"\xff\xfe", b"x" * 300, b"1", b"", b",", b'"'])
topics = st.sampled_from([b"1", b"2", b"10", b"t-1", b"\xe2\x82\xac", b"q"])
scores = st.one_of(
    st.sampled_from(
        [b"1", b"0", b"-0.0", b"+1.5", b".5", b"5.", b"1e3", b"1E-3", b"1e400", b"-1e400", b"inf", b"-Infinity", b"6.6e9",
         b"0.1234567890123456789", b"123456789012345678901234567890", b"9007199254740993", b"4.9e-324", b"0.500000001",
         b"0.5", b"1.7976931348623157e308", b"nan", b"abc", b"1_0", b"0x10", b"1e", b"--1", b"1.2.3", b"inf.", b"."]
    ),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda x: repr(x).encode()),
)  # fmt: skip
grades = st.sampled_from([b"0", b"1", b"2", b"-1", b"+3", b"00", b"999999999", b"1234567890", b"0.9", b"x", b"-"])
spaces = st.sampled_from([b" ", b"\t", b"  ", b" \t ", b"\x0b", b"\x0c"])
ends = st.sampled_from([b"\n", b"\r\n", b"\n\n", b" \n", b"\n# a comment\n", b"\n  # indented\n"])


@st.composite
def run_lines(draw: st.DrawFn) -> bytes:
    pieces: list[bytes] = [draw(st.sampled_from([b"", b"\xef\xbb\xbf", b"# head\n", b"\n"]))]
    for _ in range(draw(st.integers(0, 12))):
        fields = [draw(topics), b"Q0", draw(ids), b"1", draw(scores), b"tag"]
        if draw(st.integers(0, 30)) == 0:
            fields = fields[: draw(st.integers(1, 5))] + [b"x"] * draw(st.integers(0, 5))
        pieces.append(draw(spaces).join(fields) + draw(ends))
    data = b"".join(pieces)
    if draw(st.booleans()):
        data = data.rstrip(b"\n")
    return data.replace(b"D", b"\0") if draw(st.integers(0, 20)) == 0 else data


@st.composite
def qrels(draw: st.DrawFn) -> bytes:
    pieces = [draw(st.sampled_from([b"", b"\xef\xbb\xbf", b"# head\n"]))]
    seen: set[tuple[bytes, bytes]] = set()
    for _ in range(draw(st.integers(0, 12))):
        pair = draw(topics), draw(ids)
        if pair in seen and draw(st.integers(0, 5)):
            continue
        seen.add(pair)
        pieces.append(draw(spaces).join([pair[0], b"0", pair[1], draw(grades)]) + draw(ends))
    return b"".join(pieces)


def outcome(act):
    """What a call returns, or what it complains of, as plain data."""
    try:
        return act()
    except Problem as problem:
        return ("problem", problem.code, problem.line, problem.other, problem.fields, problem.text, problem.topic)


def read_gold(module, data: bytes):
    gold = module.Gold.read(data)
    return gold, [(t, gold.grades(i), gold.documents(i)) for i, t in enumerate(gold.topics)]


def rank(module, gold, data: bytes, cuts: list[int], **options):
    ranker = module.Ranker(gold, **options)
    start = 0
    for cut in [*sorted(cuts), len(data)]:
        ranker.feed(data[start:cut])
        start = max(start, cut)
    ranked = ranker.finish()
    numbers = range(len(gold.topics))
    return (
        ranked.num_ret,
        [ranked.relevant(t) for t in numbers],
        [ranked.pooled(t) for t in numbers],
        [ranked.graded(t, least) for t in numbers for least in (0, 1, 2)],
        ranked.tag,
        ranked.lines,
        ranked.ignored,
        ranked.unjudged_topic,
    )


@pytest.mark.native_only
@given(qrels())
def test_gold_is_the_same(data: bytes) -> None:
    results = [outcome(lambda module=module: read_gold(module, data)[1]) for module in IMPLEMENTATIONS]
    assert results[0] == results[1]


GOLD = (
    b"1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n10 0 x 1\n1 0 d10 -1\n2 0 a#b 1\n2 0 d2 0\nt-1 0 \xc3\xa9 3\n10 0 D 0\n"
    b"1 0 D 1\n\xe2\x82\xac 0 1 1\n1 0 \xff\xfe 2\n"
)


@pytest.mark.native_only
@given(
    run_lines(),
    st.lists(st.integers(0, 400), max_size=4),
    st.sampled_from([None, 1, 2, 5]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
@example(b"1 Q0 d1 1 1 t\n2 Q0 d1 1 1 t\n1 Q0 d2 1 1 t", [], None, False, False, True, False, False)
@example(b"1 Q0 d1 1 1 t\n1 Q0 d1 1 2 t\n1 Q0 d1 1 3 t\n", [3, 20], None, False, False, False, False, False)
def test_ranking_is_the_same(
    data: bytes, cuts: list[int], depth: int | None, float32: bool, judged: bool, keep: bool, any_fields: bool, up: bool
) -> None:
    options = {
        "depth": depth, "float32": float32, "judged_only": judged, "keep": keep, "any_fields": any_fields, "ascending_ties": up,
    }  # fmt: skip
    results = [
        outcome(lambda module=module: rank(module, module.Gold.read(GOLD), data, cuts, **options))
        for module in IMPLEMENTATIONS
    ]
    assert results[0] == results[1]


@pytest.mark.native_only
@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=3))
def test_any_bytes_get_the_same_answer(data: bytes, cuts: list[int]) -> None:
    for read in (
        lambda module: read_gold(module, data)[1],
        lambda module: rank(module, module.Gold.read(GOLD), data, cuts),
    ):
        results = [outcome(lambda module=module, read=read: read(module)) for module in IMPLEMENTATIONS]
        assert results[0] == results[1]


@pytest.mark.native_only
@given(
    st.dictionaries(
        topics, st.dictionaries(ids, st.floats(allow_infinity=True, allow_nan=True, width=64), max_size=6), max_size=5
    ),
    st.sampled_from([None, 2]),
)
def test_packed_runs_are_the_same(run: dict[bytes, dict[bytes, float]], depth: int | None) -> None:
    def packed(module):
        ranker = module.Ranker(module.Gold.read(GOLD), depth=depth)
        for topic, documents in run.items():
            ranker.pack(topic, b"\0".join(documents), array("d", documents.values()))
        ranked = ranker.finish()
        return ranked.num_ret, [ranked.relevant(t) for t in range(len(ranked.num_ret))], ranked.lines, ranked.ignored

    results = [outcome(lambda module=module: packed(module)) for module in IMPLEMENTATIONS]
    assert results[0] == results[1]


@each
def test_a_topic_that_comes_back_is_noticed_and_can_be_kept(module) -> None:
    data = b"1 Q0 d1 1 1 t\n2 Q0 d1 1 1 t\n1 Q0 d2 1 2 t\n"
    gold = module.Gold.read(GOLD)
    with pytest.raises(Problem) as caught:
        rank(module, gold, data, [])
    assert caught.value.code == INTERLEAVED
    num_ret, relevant, *_ = rank(module, gold, data, [], keep=True)
    assert gold.topics[:3] == ["1", "10", "2"]
    assert num_ret[:3] == [2, -1, 1]
    assert relevant[0] == ([2], [1], [1])  # d2, judged non-relevant, has the higher score


@each
def test_a_topic_in_two_parts_is_one_topic(module) -> None:
    gold = module.Gold.pack(b"q", b"a\0b", array("q", [2]), array("q", [1, 0]))
    ranker = module.Ranker(gold)
    ranker.pack(b"q", b"a\0c", array("d", [3, 2]))
    ranker.pack(b"q", b"a\0b", array("d", [1, 0.5]))
    with pytest.raises(Problem) as twice:
        ranker.finish()
    assert (twice.value.code, twice.value.text) == (binding.DUPLICATE, "a")


@each
def test_ties_go_to_the_greater_id_and_float32_makes_more_of_them(module) -> None:
    gold = module.Gold.read(b"1 0 a 1\n1 0 b 0\n")
    data = b"1 Q0 a 1 0.500000001 t\n1 Q0 b 2 0.5 t\n"
    assert rank(module, gold, data, [])[1][0] == ([1], [1], [0])
    assert rank(module, gold, data, [], float32=True)[1][0] == ([2], [1], [1])
    assert rank(module, gold, data, [], float32=True, ascending_ties=True)[1][0] == ([1], [1], [0])


@each
@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_scores_are_read_as_the_nearest_double(module, a: float, b: float) -> None:
    """The two documents change places exactly where Python's own float() says so."""
    gold = module.Gold.read(b"1 0 a 1\n1 0 b 0\n")
    for text in (repr, lambda x: f"{x:.17e}", lambda x: f"{x:f}"):
        lines = f"1 Q0 a 1 {text(a)} t\n1 Q0 b 2 {text(b)} t\n".encode()
        first = rank(module, gold, lines, [])[1][0][0] == [1]
        assert first == (float(text(a)) > float(text(b)))


@each
def test_a_byte_order_mark_belongs_to_the_first_line_alone(module) -> None:
    gold = module.Gold.read(b"\xef\xbb\xbf1 0 a 1\n\xef\xbb\xbf1 0 a 1\n")
    assert gold.topics == ["1", "\ufeff1"]
    num_ret, *_ = rank(module, gold, b"\xef\xbb\xbf1 Q0 a 1 1 t\n\xef\xbb\xbf1 Q0 a 1 1 t\n", [])
    assert num_ret == [1, 1]


@each
@pytest.mark.parametrize(
    "text", [b"9007199254740993", b"9007199254740993e0", b"0.9007199254740993", b"90071992547409.93e2"]
)
def test_numbers_just_beyond_what_a_double_holds(module, text) -> None:
    """2^53 + 1 lies between two doubles; the even one is right, and so it ties with 2^53."""
    gold = module.Gold.read(b"1 0 a 1\n1 0 b 0\n")
    other = repr(float(text)).encode()
    lines = b"1 Q0 a 1 " + text + b" t\n1 Q0 b 2 " + other + b" t\n"
    assert rank(module, gold, lines, [])[1][0][0] == [2]  # equal scores: b, the greater id, comes first
