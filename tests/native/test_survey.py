"""The core's survey as Python calls it; what it finds is held against plain loops in tests/checking and by the fuzzer."""

from __future__ import annotations

import pytest

from assay.native import library, survey

DATA = b"q1 Q0 a 1 9 t\nq1 Q0 b 2 9 t\nq1 Q0 c 3 9.5 t\n\nq2 Q0 a 1 9 t\n"


@pytest.mark.native_only
def test_blocks() -> None:
    surveyor = survey.Surveyor(11)
    blocks, used, more = surveyor.feed(DATA, last=True)
    assert blocks == [(b"q1", 11, 3, 2, 1, 13), (b"q2", 15, 1, 0, 0, 0)]
    assert (used, more) == (len(DATA), False)
    assert {kind: seen.count for kind, seen in surveyor.seen.items()} == {survey.LINES: 4, survey.TAGGED: 1}


@pytest.mark.native_only
def test_a_topic_goes_on_behind_a_line_that_was_cut() -> None:
    surveyor = survey.Surveyor()
    blocks, used, _ = surveyor.feed(DATA[:20], last=False)
    assert (blocks, used) == ([], 14)
    assert surveyor.feed(DATA[used:], last=True)[0] == [(b"q1", 1, 3, 2, 1, 3), (b"q2", 5, 1, 0, 0, 0)]


@pytest.mark.native_only
@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"q2 Q0 b 2 8 u\n", survey.OTHERWISE),
        (b"q2 Q0 b 2 8\n", survey.FEWER + 5),
        (b"a b" * 40 + b"\n", survey.FEWER + survey.MANY),
        (b"q2 Q0 b 2 inf t\n", survey.UNSCORED),
        (b"q2 Q0 b 2.5 8 t", survey.UNRANKED),
        (b"q2 Q0 a 2 8 t\n", survey.TWICE),
        (b"q2 \0 b 0 8 t", survey.ZERO),
    ],
)
def test_lines_with_a_fault(line, kind) -> None:
    surveyor = survey.Surveyor()
    surveyor.feed(DATA + line + b"\n" + line, last=True)
    seen = surveyor.seen[kind]
    twice = kind == survey.TWICE
    assert (seen.count, seen.lines[0], seen.text, seen.before) == (2, 6, line.removesuffix(b"\n"), 5 if twice else 0)
    allowed = {survey.LINES, survey.TAGGED, kind, survey.TWICE}
    assert set(surveyor.seen) <= allowed


@pytest.mark.native_only
def test_more_topics_than_one_call_tells() -> None:
    surveyor = survey.Surveyor()
    data = b"".join(b"q%d Q0 d 1 9 t\n" % topic for topic in range(survey.MOST + 2))
    first, used, more = surveyor.feed(data, last=True)
    assert (len(first), more) == (survey.MOST, True)
    rest, _, more = surveyor.feed(data[used:], last=True)
    assert ([block[0] for block in rest], more) == ([b"q4096", b"q4097"], False)


def test_without_the_core_there_is_none(monkeypatch) -> None:
    monkeypatch.setattr(library, "LIBRARY", None)
    with pytest.raises(RuntimeError, match="compiled core"):
        survey.Surveyor()
