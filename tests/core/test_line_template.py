"""Lines that are like the line before are read by what differs: the answers and complaints are the twin's, whatever it is."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.core import binding, reference
from assay.core.binding import Problem

if binding.LIBRARY is None:
    pytest.skip("the native core is not built here", allow_module_level=True)

from assay.core import compiled

GOLD = b"".join(
    b"%d 0 D%d %d\n" % (topic, document, document % 3) for topic in (1, 2, 40) for document in range(0, 90, 2)
)
LONG = b"a-document-whose-id-is-longer-than-most-of-them-are-in-any-file-"
usual = st.tuples(
    st.just(b"1 Q0 "),
    st.integers(0, 99).map(b"D%d".__mod__),
    st.integers(1, 2000).map(b" %d ".__mod__),
    st.integers(0, 3_000_000).map(lambda n: b"%d.%06d" % divmod(n, 1_000_000)),
    st.just(b" tag\n"),
)
"""A line as most are, in its five parts."""
odd = [
    st.sampled_from([b"1\tQ0\t", b"2 Q0 ", b"1  Q0 ", b" 1 Q0 ", b"#1 Q0 ", b"40 Q0 ", b"9 Q0 ", b"1 ", b"1 Q0 x ", b"1 Q\x00 ",
                     b"", b"\n1 Q0 ", b"\xef\xbb\xbf1 Q0 ", b"1 Q\xff "]),
    st.sampled_from([LONG + b"1", LONG * 3, b"D\x00", b"\xff\xfe", b"D\x01", b"#", b"", b"D1 D2", b"\xc3\xa9", b"D1\r", b"D\x0b1"]),
    st.sampled_from([b"  1 ", b" 1  ", b"\t1\t", b" ", b" x ", b"\t1 ", b" 1\r", b" \x001 ", b" \x1f ", b" 1 1 ",
                     b"  ", b" 1\x01", b"\x011 "]),
    st.sampled_from([b"nan", b"inf", b"-Infinity", b"0x10", b"1e3", b"-1.5", b"+1.5", b".5", b"5.", b"", b"1.2.3", b"1,5", b"-", b"1_0",
                     b"123456789.5", b"0.1234567890123456789", b"999999999999999", b"9999999999999999", b"1.50000", b"x", b"--1", b"1.",
                     b"00000001.00000000", b"0.000000000000001", b"\x00", b"1.5\x00", b"12345678.12345678", b"1.000000000000001",
                     b"1,500000", b"1.5"]),
    st.sampled_from([b" tag\r\n", b" tag \n", b" tag more\n", b"\n", b"  tag\n", b" another\n", b" tag\n\n", b" tag\n# said\n",
                     b" ta\x00\n", b"\ttag\n", b" " + b"t" * 90 + b"\n", b" tag"]),
]  # fmt: skip
"""What may stand in the place of each part."""


@st.composite
def runs(draw: st.DrawFn) -> bytes:
    """Lines as most are, falling mostly, of several documents; here and there a part of one that is not as usual."""
    lines = [list(line) for line in draw(st.lists(usual, min_size=4, max_size=40))]
    if draw(st.integers(0, 4)):
        lines.sort(key=lambda line: line[3], reverse=True)
    if draw(st.integers(0, 4)):
        for number, line in enumerate(lines):
            line[1] = b"D%d" % number
    for _ in range(draw(st.integers(0, 3))):
        line, part = draw(st.sampled_from(lines)), draw(st.integers(0, 4))
        line[part] = draw(odd[part])
    if draw(st.integers(0, 3)) == 0:
        for line in lines[draw(st.integers(0, len(lines))) :]:
            line[0] = b"2 Q0 "
    # What follows gives the lines before it room to be looked at in one go.
    rest = b"".join(b"40 Q0 D%d 1 %d t\n" % (d, 50 - d) for d in range(draw(st.sampled_from([0, 12]))))
    return b"".join(b"".join(line) for line in lines) + rest


def outcome(module, data: bytes, cuts: list[int], **options):
    """What reading a run returns, or what it complains of, as plain data."""
    gold = module.Gold.read(GOLD)
    ranker = module.Ranker(gold, **options)
    try:
        for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
            ranker.feed(data[start:end])
        ranked = ranker.finish()
    except Problem as problem:
        return problem.code, problem.line, problem.other, problem.fields, problem.text, problem.topic
    numbers = range(len(gold.topics))
    found = [(ranked.num_ret[t], ranked.relevant(t), ranked.pooled(t)) for t in numbers]
    return found, ranked.tag, ranked.lines, ranked.ignored, ranked.unjudged_topic


line = b"1 Q0 D%d %d %d.500000 tag\n"
falling = b"".join(line % (n, n, 90 - n) for n in range(30))


@given(runs(), st.lists(st.integers(1, 1500), max_size=2), st.sampled_from([None, 3]), *[st.booleans()] * 5)
@example(falling, [], None, False, False, False, False, False)
@example(falling, [500], None, False, False, False, False, False)
@example(falling + line % (40, 1, 95) + falling[26:], [], None, False, False, True, False, False)
@example(falling.replace(b" 70.5", b"  70.5"), [], None, False, False, False, False, False)
@example(falling.replace(b" 70.500000", b" "), [], None, False, False, False, False, False)
@example(falling.replace(b" 70.500000", b" 71.500000"), [], None, False, False, False, False, True)
@example(falling.replace(b" D7 7 ", b" D7  "), [], None, False, False, False, False, False)
@example(falling.replace(b" D7 7 ", b"  7 "), [], None, False, False, False, False, False)
@example(falling.replace(b" D7 7 ", b" D7 7\x01"), [], None, False, False, False, False, False)
@example(falling.replace(b" D7 7 ", b" D7\x017 "), [], None, False, False, False, False, False)
@example(falling.replace(b"70.500000", b"70,500000"), [], None, False, False, False, False, False)
@example(falling + b"2" + falling[1:], [len(falling) + 9], None, False, False, True, False, False)
@example(falling.replace(b" D7 ", b" D6 "), [], None, False, False, False, False, False)
def test_the_same_as_the_twin(
    data: bytes, cuts: list[int], depth: int | None, float32: bool, judged: bool, keep: bool, any_fields: bool, up: bool
) -> None:
    cuts = sorted(min(cut, len(data)) for cut in cuts)
    options = {
        "depth": depth, "float32": float32, "judged_only": judged, "keep": keep, "any_fields": any_fields, "ascending_ties": up,
    }  # fmt: skip
    assert outcome(compiled, data, cuts, **options) == outcome(reference, data, cuts, **options)


digits = st.text("0123456789", min_size=1, max_size=9)
numbers = st.tuples(st.sampled_from(["0", "1", "12", "123456789"]), st.sampled_from(["", ".", ".", ".", "-"]), digits)


@given(st.lists(numbers, min_size=2, max_size=30), st.integers(0, 60))
@example([("12", ".", "99"), ("12", ".", "9"), ("12", ".", "345678")], 1)
def test_scores_compare_as_numbers_however_they_are_written(written, swapped) -> None:
    """Alike or not, in order but for two at most: the documents stand as their scores, read by Python, say."""
    texts = [
        f"-{whole}.{rest}" if sign == "-" else whole + sign + (rest if sign else "") for whole, sign, rest in written
    ]
    texts.sort(key=float, reverse=True)
    if swapped < len(texts) - 1:
        texts[swapped : swapped + 2] = texts[swapped + 1], texts[swapped]
    data = b"".join(b"1 Q0 D%d 1 %s t\n" % (2 * i, text.encode()) for i, text in enumerate(texts)) + b"\n" * 200
    order = sorted(range(len(texts)), key=lambda i: (float(texts[i]), b"D%d" % (2 * i)), reverse=True)
    _, _, (ranks, found) = outcome(compiled, data, [])[0][0]
    assert found == order  # the gold has every second number
    assert ranks == list(range(1, len(order) + 1))


def test_a_line_of_any_length_between_others() -> None:
    """Documents of 1 to 70 bytes, of which no window holds the longest, and tags of up to 70."""
    for length in range(1, 71):
        same = b"".join(b"1 Q0 %s%d 1 %d.5 t\n" % (b"d" * length, n, 50 - n) for n in range(20))
        tagged = b"".join(b"1 Q0 d%d 1 %d.5 %s\n" % (n, 50 - n, b"t" * length) for n in range(20))
        for data in (same, tagged):
            assert outcome(compiled, data, []) == outcome(reference, data, [])
            assert outcome(compiled, data, [])[2] == 20
