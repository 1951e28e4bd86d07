"""One file, read in every way there is: the same result, or the same complaint.

Plain, compressed, from standard input, from a pipe's pieces, as bytes, by parts on several threads, by the compiled core and
by its twin; and where a file can be said as a dict or a data frame, as these. What the file says is worked out here a
second time, in a few lines that share nothing with either core.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from assay.core import binding, run_files
from assay.core import reference as twin
from assay.errors import AssayError
from assay.formats.ranked import trec
from assay.io import sources
from assay.io.sources import Source, source_of
from assay.tasks import ranked_runs
from assay.tasks.ranked_runs import rank_run

NATIVE = binding.LIBRARY is not None
MARK = b"\xef\xbb\xbf"
COMPRESSIONS = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}
try:
    import zstandard
except ImportError:
    pass
else:
    COMPRESSIONS["zst"] = zstandard.compress

marks = st.sampled_from([b""] * 6 + [MARK])
spaces = st.sampled_from([b" ", b"\t", b"  ", b" \x0b", b"\x0c ", b"\r "])
ends = st.sampled_from(
    [b"\n"] * 6 + [b"\r\n", b" \n", b"\n\n", b"\n\t \n", b"\n# a comment\n", b"\n #\n", b"\n" + MARK + b"\n"]
)
topics = st.sampled_from([b"1", b"2", b"10", b"t-1", MARK + b"1", "ü".encode(), b"\xff"])
documents = st.sampled_from([b"d1", b"d2", b"d10", b"D", b"a#b", "é".encode(), b"\xfe", MARK])
scores = st.sampled_from([b"1", b"1.0", b"2", b"-3.5", b"1e3", b".5", b"inf", b"-Infinity", b"0.1", b"1e400"])
bad_scores = st.sampled_from([b"nan", b"x", b"1_0", b"", b"0x1p3"])
grades = st.sampled_from([b"0", b"1", b"2", b"+3", b"-1", b"007"])
bad_grades = st.sampled_from([b"1.0", b"x", b"", b"1234567890"])


@st.composite
def lines(draw, of: str):
    """Lines of a qrels file or a run, a few of them faulty, in blocks of topics that may come back."""
    text = [draw(marks), draw(st.sampled_from([b"", b"\n", b"# head\n"]))]
    faulty = draw(st.integers(0, 3)) == 0
    for topic in draw(st.lists(topics, max_size=5)):
        for _ in range(draw(st.integers(1, 5))):
            bad = faulty and draw(st.integers(0, 6)) == 0
            if of == "run":
                words = [b"Q0", draw(documents), b"7", draw(bad_scores if bad else scores), b"tag%d" % len(text)]
            else:
                words = [b"0", draw(documents), draw(bad_grades if bad else grades)]
            line = [topic, *words]
            if faulty and draw(st.integers(0, 9)) == 0:
                line = draw(st.sampled_from([line[:-1], [*line, b"more"], [b"\0"], [MARK]]))
            text += [draw(spaces).join(line), draw(ends)]
    if draw(st.booleans()):
        text = [*text[:-1], b""]  # no newline at the end
    return b"".join(text)


def said(data: bytes):
    """The words of every line that is neither blank nor a comment."""
    lines = map(bytes.split, data.removeprefix(MARK).split(b"\n"))
    return (words for words in lines if words and not words[0].startswith(b"#"))


def reference(data: bytes, fields: int):
    """(topic, document, value) of every line of a file without faults; None of a file with one."""
    rows = []
    for words in said(data):
        if len(words) != fields or b"\0" in data:
            return None
        try:
            value = float(words[4]) if fields == 6 else int(words[3])
        except ValueError:
            return None
        bad = words[4].lower() in (b"nan", b"1_0") if fields == 6 else len(words[3].lstrip(b"+-")) > 9
        rows.append((words[0], words[2], value))
        if bad:
            return None
    return rows if len({row[:2] for row in rows}) == len(rows) else None


def nested(rows) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for topic, document, value in rows:
        found.setdefault(topic.decode("utf-8", "surrogateescape"), {})[document.decode("utf-8", "surrogateescape")] = (
            value
        )
    return found


def outcome(act):
    """What reading returns, or the complaint without the name of the source."""
    try:
        return act()
    except AssayError as problem:
        return type(problem).__name__, getattr(problem, "line", None), str(problem).split(":", 1)[1]


def of_gold(gold):
    return [(topic, gold.grades(i), gold.documents(i)) for i, topic in enumerate(gold.topics)]


def of_run(gold, ranked, *, told=True):
    numbers = range(len(gold.topics))
    seen = [
        (ranked.num_ret[t], [list(c) for c in ranked.relevant(t)], [list(c) for c in ranked.pooled(t)]) for t in numbers
    ]
    return seen, ranked.ignored, *((ranked.tag, ranked.lines, ranked.unjudged_topic) if told else ())


@contextmanager
def changed(*changes):
    with pytest.MonkeyPatch.context() as patch:
        for thing, name, value in changes:
            patch.setattr(thing, name, value)
        yield


def on_the_twin():
    return changed((trec, "Gold", twin.Gold), (ranked_runs, "Ranker", twin.Ranker), (ranked_runs, "LIBRARY", None))


def in_parts(part: int):
    return changed((ranked_runs, "LARGE_FILE", 1), (run_files, "PART", part), (os, "cpu_count", lambda: 4))


def in_pieces(size: int):
    return changed((sources, "CHUNK", size))


def from_stdin(data: bytes):
    return changed((sys, "stdin", io.TextIOWrapper(io.BytesIO(data))))


def ways(folder, data: bytes):
    """(name, a source, how to read it) of every way to read bytes."""
    (folder / "plain").write_bytes(data)
    yield "plain", lambda: source_of(folder / "plain"), changed()
    yield "bytes", lambda: Source("<bytes>", data=data), changed()
    yield "pieces", lambda: source_of(folder / "plain"), in_pieces(7)
    yield "standard input", lambda: source_of("-"), from_stdin(data)
    for kind, compress in COMPRESSIONS.items():
        (folder / f"file.{kind}").write_bytes(compress(data))
        yield kind, lambda kind=kind: source_of(folder / f"file.{kind}"), changed()
    yield "gz in pieces", lambda: source_of(folder / "file.gz"), in_pieces(5)
    yield "gz from standard input", lambda: source_of("-"), from_stdin(gzip.compress(data))
    if NATIVE:
        for part in (1, 40, 150):
            yield f"parts of {part}", lambda: source_of(folder / "plain"), in_parts(part)


def both_cores(folder, data: bytes):
    for name, source, reading in ways(folder, data):
        yield name, source, [reading]
    yield "the twin", lambda: source_of(folder / "plain"), [on_the_twin()]
    yield "the twin in pieces", lambda: source_of(folder / "plain"), [on_the_twin(), in_pieces(7)]
    yield "the twin from standard input", lambda: source_of("-"), [on_the_twin(), from_stdin(data)]


def read_all(folder, data: bytes, read):
    """What each way of reading comes to, by its name."""
    found = {}
    for name, source, readings in both_cores(folder, data):
        with readings[0], readings[1] if len(readings) > 1 else changed():
            found[name] = outcome(lambda source=source: read(source()))
    return found


def assert_alike(found) -> None:
    expected = found["plain"]
    for name, result in found.items():
        assert result == expected, name


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("ways")


QUIET = settings(suppress_health_check=[HealthCheck.too_slow])


@QUIET
@given(data=lines("qrels"))
@example(data=b"1 0 a 1\n" + MARK + b"2 0 a 1\n")
@example(data=MARK + MARK + b"1 0 a 1\n")
@example(data=b"1 0 a 1\n1 0 a 1\n2 0 a x\n")
@example(data=b"")
def test_qrels(folder, data: bytes) -> None:
    found = read_all(folder, data, lambda source: of_gold(trec.read_qrels(source)))
    assert_alike(found)
    rows = reference(data, 4)
    if rows:
        by_topic = nested(rows)
        judged = [
            (t, [*by_topic[t].items()]) for t in sorted(by_topic, key=lambda t: t.encode("utf-8", "surrogateescape"))
        ]
        assert [(t, documents) for t, _, documents in found["plain"]] == judged
        assert of_gold(trec.read_qrels(source_of(by_topic))) == found["plain"]


GOLD = b"".join(
    b"%s 0 %s %d\n" % (topic, document, grade)
    for topic in (b"1", b"2", MARK + b"1", b"\xff")
    for grade, document in enumerate((b"d1", b"d2", b"d10", MARK, b"a#b"), -1)
)


def best_first(documents):
    """assay's one tie rule: the score, then the id as bytes, both descending."""
    return sorted(documents, key=lambda d: (d[1], d[0].encode("utf-8", "surrogateescape")), reverse=True)


@QUIET
@given(data=lines("run"))
@example(data=b"".join(b"%s Q0 d%d 1 1 t\n" % (topic, i) for topic in (b"1", MARK + b"1", b"2") for i in range(9)))
@example(data=b"1 Q0 d1 1 1 t\n1 Q0 d1 2 1 t\n2 Q0 d1 1 1 t\n2 Q0 d1 1 x t\n")
@example(data=b"1 Q0 d1 1 1 t\n2 Q0 d1 2 1 t\n1 Q0 d2 1 1 t\n")
@example(data=MARK + b"\n" + MARK + b"1 Q0 d1 1 1 t\n")
@example(data=b"# nothing\n")
def test_runs(folder, data: bytes) -> None:
    def read(source):
        gold = trec.read_qrels(Source("gold", data=GOLD))
        return of_run(gold, rank_run(source, gold))

    found = read_all(folder, data, read)
    assert_alike(found)
    rows = reference(data, 6)
    if not rows:
        return
    seen, ignored, tag, count, _ = found["plain"]
    by_topic, judged = nested(rows), nested(reference(GOLD, 4))
    topics = sorted(judged, key=lambda t: t.encode("utf-8", "surrogateescape"))
    assert (ignored, count) == (len(by_topic.keys() - judged.keys()), len(rows))
    assert tag == list(said(data))[-1][5].decode()
    for (retrieved, (ranks, grades, _), _), topic in zip(seen, topics, strict=True):
        ranking = best_first(by_topic.get(topic, {}).items())
        assert retrieved == (len(ranking) if topic in by_topic else -1)
        relevant = [(r, judged[topic][d]) for r, (d, _) in enumerate(ranking, 1) if judged[topic].get(d, 0) > 0]
        assert list(zip(ranks, grades, strict=True)) == relevant
    gold = trec.read_qrels(Source("gold", data=GOLD))
    assert of_run(gold, rank_run(source_of(by_topic), gold), told=False) == (seen, ignored)


def test_frames(folder) -> None:
    """A data frame has no lines, comments or marks; the rows of a file in it are the file."""
    pandas = pytest.importorskip("pandas")
    data = b"2 Q0 d1 1 1.5 t\n1 Q0 d2 1 inf t\n2 Q0 d10 1 1.5 t\n9 Q0 d1 1 1 t\n1 Q0 d1 1 -1 t\n"
    columns = [dict(zip(("qid", "docno", "score"), row, strict=True)) for row in reference(data, 6) or []]
    frame = pandas.DataFrame(
        [{k: v.decode() if isinstance(v, bytes) else v for k, v in row.items()} for row in columns]
    )
    gold = trec.read_qrels(Source("gold", data=GOLD))
    read = [of_run(gold, rank_run(source_of(thing), gold), told=False) for thing in (frame, data)]
    assert read[0] == read[1]


@pytest.mark.native_only
def test_a_mark_in_the_middle_is_part_of_an_id(tmp_path) -> None:
    """Two files put together, the second with a mark at its start: the mark stands at a topic's start, where files are cut."""
    topic = [b"".join(b"%d Q0 d%d %d %d t\n" % (t, i, i, 90 - i) for i in range(60 // t)) for t in (1, 2)]
    data = topic[0] + MARK + topic[1]
    (tmp_path / "run").write_bytes(data)
    gold = trec.read_qrels(Source("gold", data=b"1 0 d1 1\n2 0 d1 1\n"))
    with in_parts(100):
        assert run_files.boundaries(io.BytesIO(data), len(data), 2)[1:-1] == [len(topic[0])]
        ranked = rank_run(source_of(tmp_path / "run"), gold)
    assert isinstance(ranked, run_files.JoinedRanked)
    assert list(ranked.num_ret) == [60, 29]
    assert (ranked.ignored, ranked.unjudged_topic) == (1, "\ufeff2")


@pytest.mark.parametrize("end", [b"", b"\n", b"\n1 Q0 d3 1 1 t\n"])
@pytest.mark.parametrize(
    ("length", "chunk"), [(59, 60), (60, 7), (60, 60), (60, 1000), (61, 7), (61, 60), (61, 1000), (200, 7)]
)
def test_lines_have_an_end(tmp_path, monkeypatch, length, end, chunk) -> None:
    """A line of more than the limit is refused by file and line, whoever reads it; one of exactly the limit is not."""
    monkeypatch.setattr(sources, "LINE", 60)
    monkeypatch.setattr(sources, "CHUNK", chunk)
    long = (b"1 Q0 d2 1 1 " + b"t" * 200)[:length]
    data = b"1 Q0 d1 1 1 t\n\n# a comment\n" + long + end

    def read(source):
        gold = trec.read_qrels(Source("gold", data=b"1 0 d1 1\n"))
        return of_run(gold, rank_run(source, gold))

    (tmp_path / "plain").write_bytes(data)
    (tmp_path / "gz").write_bytes(gzip.compress(data))
    found = []
    for name in ("plain", "gz", "-"):
        for core in (changed(), on_the_twin(), in_parts(10)):
            with from_stdin(data), core:
                found.append(outcome(lambda name=name: read(source_of(name if name == "-" else tmp_path / name))))
    assert all(one == found[0] for one in found)
    if length > 60:
        assert found[0] == ("FormatError", 4, "4: is longer than 60 bytes; expected lines of text")
    else:
        assert found[0][3] == 2 + (end not in (b"", b"\n"))
