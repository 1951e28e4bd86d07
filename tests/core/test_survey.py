"""The core's survey as Python calls it; what it finds is held against plain loops in tests/checking and by the fuzzer."""

from __future__ import annotations

import pytest

from assay.core import binding, survey

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
    text, before = (b"q2 Q0 a", 5) if kind == survey.TWICE else (line.removesuffix(b"\n"), 0)
    assert (seen.count, seen.lines[0], seen.text) == (2, 6, text)
    assert kind == survey.LINES or seen.before == before
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


@pytest.mark.native_only
def test_a_topic_that_comes_back_is_one_where_topics_are_kept() -> None:
    """The first repetition in the file is told, though its topic ends after the other; ranks are compared over all places."""
    data = b"q1 Q0 a 1 9 t\nq2 Q0 a 2 7 t\nq1 Q0 b 3 8 t\nq2 Q0 a 3 6 t\nq1 Q0 a 2 8.5 t\nq2 Q0 c 1 6.5 t\n"
    surveyor = survey.Surveyor(keep=True)
    assert surveyor.feed(data, last=False) == ([], len(data), False)
    assert surveyor.line == 7
    blocks, _, _ = surveyor.feed(b"", last=True)
    assert blocks == [(b"q1", 1, 3, 0, 0, 0), (b"q2", 2, 3, 0, 1, 2)]
    twice = surveyor.seen[survey.TWICE]
    assert (twice.count, twice.lines, twice.text, twice.before) == (2, [4, 5], b"q2 Q0 a", 2)


@pytest.mark.native_only
def test_more_topics_that_are_kept_than_one_call_tells() -> None:
    """Of five thousand topics the repetitions come in the order of the topics, and are told in that of the lines."""
    topics = range(survey.MOST + 9)
    once = b"".join(b"q%d Q0 a 1 9 t\n" % topic for topic in topics)
    again = b"".join(b"q%d Q0 a 2 8 t\n" % topic for topic in reversed(topics))
    surveyor = survey.Surveyor(keep=True)
    first, used, more = surveyor.feed(once + again, last=True)
    assert (len(first), used, more) == (survey.MOST, len(once + again), True)
    rest, _, more = surveyor.feed(b"", last=True)
    assert ([block[0] for block in rest][-1], len(rest), more) == (b"q4104", 9, False)
    twice = surveyor.seen[survey.TWICE]
    count = len(topics)
    assert (twice.count, twice.lines) == (count, [count + line for line in range(1, 6)])
    assert (twice.text, twice.before) == (b"q4104 Q0 a", count)


def test_without_the_core_there_is_none(monkeypatch) -> None:
    monkeypatch.setattr(binding, "LIBRARY", None)
    with pytest.raises(RuntimeError, match="compiled core"):
        survey.Surveyor()
