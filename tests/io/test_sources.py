"""Where bytes come from: each source opened once, looked at once, decompressed whatever its name."""

from __future__ import annotations

import builtins
import bz2
import gzip
import io
import lzma
import os
import socket
import sys
import threading
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.errors import InputError
from assay.formats.ranked.trec import read_qrels
from assay.formats.recognition import recognise, task_of
from assay.io import sources
from assay.io.sources import HEAD, LineLimit, Source, expand, path_of, readable_again, source_of
from assay.tasks.ranked_runs import rank_run

QRELS = b"1 0 a 1\n1 0 b 0\n2 0 c 1\n"
RUN = b"1 Q0 a 1 2.0 t\n2 Q0 c 1 1.0 t\n"
LARGE = b"".join(b"%d 0 document-%d 1\n" % (topic, d) for topic in range(50) for d in range(200))


@pytest.fixture
def opened(monkeypatch) -> list[str]:
    """Every path handed to `open`, in order."""
    paths: list[str] = []
    real = builtins.open

    def counting(path, *arguments, **keywords):
        paths.append(os.path.basename(str(path)))
        return real(path, *arguments, **keywords)

    monkeypatch.setattr(builtins, "open", counting)
    return paths


@pytest.mark.parametrize("content", [QRELS, LARGE, gzip.compress(LARGE)], ids=["small", "large", "compressed"])
def test_looked_at_and_read_a_file_is_opened_once(tmp_path, opened, content) -> None:
    (tmp_path / "qrels").write_bytes(content)
    opened.clear()
    source = source_of(tmp_path / "qrels")
    assert task_of(source) == "ranked"
    assert source.head is source.head
    assert len(read_qrels(source).topics) in (2, 50)
    assert opened == ["qrels"]


def test_evaluating_opens_gold_and_run_once_each(tmp_path, opened) -> None:
    (tmp_path / "qrels").write_bytes(QRELS)
    (tmp_path / "run").write_bytes(RUN)
    opened.clear()
    assert assay.evaluate(tmp_path / "qrels", tmp_path / "run", ["RR"]).mean("RR") == {"t": 1.0}
    assert opened == ["qrels", "run"]


def test_answers_are_opened_once_each(tmp_path, opened) -> None:
    (tmp_path / "gold").write_text('{"id": "q1", "answers": ["Paris"]}\n' + " \n" * HEAD)
    (tmp_path / "run").write_text('{"id": "q1", "answer": "Paris"}\n' + " \n" * HEAD)
    opened.clear()
    assay.evaluate(tmp_path / "gold", tmp_path / "run", ["accuracy"])
    assert opened == ["gold", "run"]


def test_a_large_file_can_be_read_again(tmp_path) -> None:
    (tmp_path / "qrels").write_bytes(LARGE)
    source = source_of(tmp_path / "qrels")
    assert source.head.words[0] == b"0"
    assert source.read() == source.read() == b"".join(source.chunks()) == LARGE


def test_a_topic_that_comes_back_is_read_from_the_start_again(tmp_path, opened) -> None:
    (tmp_path / "run").write_bytes(RUN + b"1 Q0 b 2 3.0 t\n")
    gold = read_qrels(Source("qrels", data=QRELS))
    ranked = rank_run(source_of(tmp_path / "run"), gold)
    assert list(ranked.num_ret) == [2, 1]
    assert opened.count("run") == 1, "small enough to be kept"


def test_chunks_are_streamed(tmp_path, monkeypatch) -> None:
    """Only what was read to see the head is ever held."""
    monkeypatch.setattr(sources, "CHUNK", 1 << 12)
    (tmp_path / "file").write_bytes(LARGE)
    source = source_of(tmp_path / "file")
    assert source.head.shape == "text"
    pieces = list(source.chunks())
    assert max(map(len, pieces)) == 1 << 12
    assert b"".join(pieces) == LARGE


def test_closing_lets_go_of_a_file_looked_at(tmp_path) -> None:
    (tmp_path / "file").write_bytes(LARGE)
    source = source_of(tmp_path / "file")
    assert source.compression() is None
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    source.close()
    if before is not None:
        assert len(os.listdir("/proc/self/fd")) == before - 1
    assert source.read() == LARGE


class TestOnce:
    """Standard input and pipes, which can be read once."""

    @pytest.fixture
    def stdin(self, monkeypatch):
        def give(content: bytes) -> Source:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
            return source_of("-")

        return give

    @pytest.mark.parametrize("content", [QRELS, LARGE, gzip.compress(LARGE)])
    def test_standard_input_is_looked_at_then_read_as_often_as_needed(self, stdin, content) -> None:
        source = stdin(content)
        assert recognise(source, "gold").name == "qrels"
        assert source.read() == source.read() == (QRELS if content == QRELS else LARGE)

    def test_streamed_away_it_is_gone_and_says_so(self, stdin) -> None:
        source = stdin(LARGE)
        assert b"".join(source.chunks()) == LARGE
        with pytest.raises(InputError, match="<stdin>: can be read only once"):
            source.read()

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    @pytest.mark.parametrize("content", [QRELS, LARGE])
    def test_a_pipe(self, tmp_path, content) -> None:
        path = tmp_path / "pipe"
        os.mkfifo(path)
        writer = threading.Thread(target=path.write_bytes, args=(content,))
        writer.start()
        source = source_of(path)
        assert source.is_stream
        assert task_of(source) == "ranked"
        assert source.read() == source.read() == content
        writer.join()

    @pytest.mark.parametrize("answers", [1, 5000])
    def test_gold_of_answers_from_standard_input(self, stdin, tmp_path, answers) -> None:
        source = stdin(b"".join(b'{"id": "q%d", "answers": ["Paris"]}\n' % i for i in range(answers)))
        run = {f"q{i}": "Paris" for i in range(answers)}
        assert assay.evaluate(source, {"run": run}, ["accuracy"]).value("run", "accuracy").value == 1.0


@pytest.mark.parametrize(
    ("compress", "kind"),
    [
        (gzip.compress, "gzip"),
        (lzma.compress, "xz"),
        (bz2.compress, "bz2"),
        (lambda data: gzip.compress(data[:9]) + gzip.compress(data[9:]) + b"\0" * 512, "gzip"),
        (bytes, None),
    ],
    ids=["gzip", "xz", "bz2", "two streams and padding", "plain"],
)
@pytest.mark.parametrize("chunk", [7, 1 << 20])
def test_compression_is_recognised_by_content(tmp_path, monkeypatch, compress, kind, chunk) -> None:
    monkeypatch.setattr(sources, "CHUNK", chunk)
    (tmp_path / "file.txt").write_bytes(compress(QRELS))
    source = source_of(tmp_path / "file.txt")
    assert source.compression() == kind
    assert source.read() == QRELS
    assert Source("bytes", data=compress(QRELS)).read() == QRELS


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress])
def test_damaged_compression_is_named(tmp_path, compress) -> None:
    data = compress(os.urandom(4000))
    for damaged, problem in ((data[:-20], "ends too early"), (data[:50] + b"?" * 60 + data[110:], "is damaged")):
        (tmp_path / "file").write_bytes(damaged)
        with pytest.raises(InputError, match=problem):
            source_of(tmp_path / "file").read()


def test_what_cannot_be_opened(tmp_path) -> None:
    with pytest.raises(InputError, match="none: cannot be read: No such file"):
        source_of(tmp_path / "none").read()
    with pytest.raises(InputError, match="is a folder; expected a file"):
        _ = source_of(tmp_path).head
    with pytest.raises(InputError, match="<data>: expected a path or bytes, found list"):
        source_of([1]).read()


@pytest.mark.parametrize(
    ("files", "hint"),
    [
        (["gold.jsonl", "readme.txt", "runs/a.jsonl"], "{0}/gold.jsonl {0}/runs"),
        (["a.run", "b.run", "trec8.qrels"], "{0}/trec8.qrels {0}/a.run"),
        (["Truth.csv"], None),
        (["runs/gold.jsonl"], None),
        (["golden/a.txt", "b.txt"], None),
    ],
)
def test_a_folder_with_gold_and_runs_is_told_apart(tmp_path, files, hint) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    with pytest.raises(InputError) as said:
        _ = source_of(tmp_path).head
    told = str(said.value)
    assert "is a folder; expected a file" in told
    assert told.endswith(f"as in {hint.format(tmp_path)}" if hint else "that assay knows")


def test_folders_and_globs(tmp_path) -> None:
    for name in ("b/2.run", "b/1.run", "a/3.run", "a/.hidden"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(RUN)
    (tmp_path / "empty").mkdir()

    def names(*paths: object) -> list[str]:
        return [os.path.relpath(source.path or "", tmp_path) for source in expand(map(str, paths))]

    assert names(tmp_path / "b") == ["b/1.run", "b/2.run"]
    assert names(tmp_path) == ["a/3.run", "b/1.run", "b/2.run"], "a folder of folders means their files"
    assert names(tmp_path / "*" / "*.run", tmp_path / "a" / "3.run") == ["a/3.run", "b/1.run", "b/2.run", "a/3.run"]
    assert [source.name for source in expand(["-"])] == ["<stdin>"]
    with pytest.raises(InputError, match="folder without files"):
        expand([str(tmp_path / "empty")])
    with pytest.raises(InputError, match="no file matches this pattern"):
        expand([str(tmp_path / "*.none")])


@pytest.mark.parametrize("where", ["runs", "runs/*", "campaign"])
def test_what_is_no_file_among_runs_is_said_and_not_waited_for(tmp_path, where) -> None:
    """A pipe that nobody writes to, a socket, a link to nothing: left out, a run is lost; opened, all waits for ever."""
    folder = tmp_path / "campaign" / "runs"
    folder.mkdir(parents=True)
    (tmp_path / "runs").symlink_to(folder)
    (folder / "a.run").write_bytes(RUN)
    (folder / "linked.run").symlink_to(folder / "a.run")
    assert len(expand([str(tmp_path / where)])) == 2

    def refused(name: str, problem: str) -> None:
        with pytest.raises(InputError, match=rf"runs/{name}: {problem}; expected a file. Fix: remove it"):
            expand([str(tmp_path / where)])
        (folder / name).unlink()

    (folder / "b.run").symlink_to(tmp_path / "gone")
    refused("b.run", "is a broken link")
    os.mkfifo(folder / "c.run")
    refused("c.run", "is a pipe, a socket or a device")
    with socket.socket(socket.AF_UNIX) as server:
        here = os.getcwd()
        os.chdir(folder)  # the address of a socket is short
        try:
            server.bind("d.run")
        finally:
            os.chdir(here)
        refused("d.run", "is a pipe, a socket or a device")


@pytest.mark.parametrize(
    ("path", "stem"), [("runs/a.run.gz", "a"), ("x/b.jsonl", "b"), (".run", ".run"), ("c.txt.res", "c.txt"), ("d", "d")]
)
def test_a_run_is_called_by_its_file(path, stem) -> None:
    assert source_of(path).stem == stem


def test_what_a_caller_may_hand_over(tmp_path) -> None:
    assert path_of(tmp_path) == str(tmp_path)
    source = source_of(bytearray(QRELS), "mine")
    assert (source.read(), source.name, source.label) == (QRELS, "mine", "mine")
    assert source_of(source) is source
    assert repr(source) == "Source('mine')"


def test_runs_of_every_kind_of_container() -> None:
    from types import MappingProxyType

    judged = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2, "d3": 1}}
    run = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d3": 5.0, "d1": 4.0, "x": 9.0}}
    # 1/2, and (1/2 + 2/3)/2
    assert list(assay.evaluate(judged, (run for run in [run]), "AP").mean("AP").values()) == pytest.approx([6.5 / 12])
    assert assay.evaluate(judged, MappingProxyType({"r": run}), "AP").runs == ["r"]


def test_a_pipe_is_not_read_again_and_a_file_is_held_nowhere(tmp_path) -> None:
    (tmp_path / "run").write_text("1 Q0 b 1 2.0 t\n")
    one = Source("run", path=str(tmp_path / "run"))
    one.read()
    again = readable_again(one)
    assert again is not None
    assert again is not one
    assert again.path == one.path
    assert readable_again(Source("<stdin>", path="-")) is None


@given(st.lists(st.integers(0, 9), max_size=12), st.lists(st.integers(0, 60), max_size=6), st.integers(1, 9))
def test_noticed_exactly_where_some_line_is_longer(lengths, cuts, most) -> None:
    text = b"\n".join(b"x" * length for length in lengths)
    limit, places = LineLimit(most), []
    ends = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    for start, end in pairwise(ends):
        at = limit.exceeded(text[start:end])
        if at is not None:
            places.append(start + at)
            break
    assert bool(places) == any(length > most for length in lengths)
    if places:
        # As many lines end before the place as before the first line that is too long.
        first = next(number for number, length in enumerate(lengths) if length > most)
        assert text.count(b"\n", 0, places[0]) == first
