"""Files elsewhere are read as files here; what an address keeps secret is printed nowhere."""

from __future__ import annotations

import gzip
import json
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from stored_runs import QRELS, assert_same, run_text, write_runs

import assay
from assay.cli import main
from assay.errors import InputError, UsageError
from assay.io import remote
from assay.io.remote import addresses
from assay.io.sources import expand
from assay.io.url_redaction import bare

fsspec = pytest.importorskip("fsspec")


@pytest.fixture
def memory(tmp_path, monkeypatch):
    """memory://m with the same files as the folder one stands in."""
    write_runs(tmp_path)
    monkeypatch.chdir(tmp_path)
    files = fsspec.filesystem("memory")
    files.pipe("/m/qrels", QRELS.encode())
    for path in (tmp_path / "runs").iterdir():
        files.pipe(f"/m/runs/{path.name}", path.read_bytes())
    files.pipe("/m/runs/.hidden", b"nothing")
    yield files
    files.rm("/m", recursive=True)


def numbers(scores):
    return {run: dict(scores.run(run).columns) for run in scores.runs}


@pytest.mark.parametrize("runs", ["memory://m/runs", "memory://m/runs/*.run", "memory://m/runs/r?.run"])
def test_gold_folders_and_patterns(memory, runs):
    found = assay.evaluate("memory://m/qrels", runs, ["AP", "nDCG@10"])
    assert numbers(found) == numbers(assay.evaluate("qrels", "runs", ["AP", "nDCG@10"]))
    assert found.run("r0").file in ("memory://m/runs/r0.run", "memory:///m/runs/r0.run")


def test_a_folder_of_folders_means_the_files_of_those(memory):
    memory.pipe("/m/teams/x/a.run", run_text("a").encode())
    memory.pipe("/m/teams/y/b.run", run_text("b").encode())
    assert [source.stem for source in expand(["memory://m/teams"])] == ["a", "b"]


def test_compressed_and_without_a_tag(memory):
    memory.pipe("/m/packed.run.gz", gzip.compress(run_text("packed").encode()))
    memory.pipe("/m/mine.json", b'{"1": {"d1": 2.0, "d2": 1.0}}')
    found = assay.evaluate("memory://m/qrels", ["memory://m/packed.run.gz", "memory://m/mine.json"], ["AP"])
    assert found.runs == ["packed", "mine"]


def test_stores_and_scores(memory):
    pytest.importorskip("pyarrow")
    from assay.scoring.store import Store

    for expected in ((5, 0), (0, 5)):
        store = Store("S")
        found = assay.evaluate("memory://m/qrels", "memory://m/runs", ["AP"], store=store)
        assert_same(found, assay.evaluate("memory://m/qrels", "memory://m/runs", ["AP"]))
        assert (store.scored, store.read) == expected
    memory.pipe("/m/ap.csv", b"topic,a,b\n1,0.5,0.25\n")
    assert assay.read_scores("AP=memory://m/ap.csv")["AP"] == {"a": 0.5, "b": 0.25}
    with pytest.raises(UsageError, match="expected a local folder"):
        Store("memory://m/S")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("memory://m/nosuch.run", "memory://m/nosuch.run: cannot be read: there is no such file"),
        ("memory://m/*.nosuch", r"memory://m/\*.nosuch: no file matches this pattern"),
        ("memory://m/empty", "memory://m/empty: is a folder without files"),
        ("nosuch://m/a.run", "nosuch://m/a.run: cannot be read: Protocol not known: nosuch"),
    ],
)
def test_what_is_not_there_is_said_of_the_address(memory, address, said):
    memory.mkdir("/m/empty")
    with pytest.raises(InputError, match=said):
        assay.evaluate("qrels", address, ["AP"])


@pytest.mark.parametrize(
    ("address", "module", "said"),
    [
        ("s3://b/a.run", "s3fs", "s3://b/a.run: fsspec and s3fs would read it; pip install 'assay-eval[remote]'"),
        ("https://h/a.run", "aiohttp", "https://h/a.run: fsspec and aiohttp would read it; pip install 'assay-eval[remote]'"),
        ("az://b/a.run", "adlfs", "az://b/a.run: fsspec and adlfs would read it; pip install adlfs"),
        ("sftp://b/a.run", "paramiko", 'sftp://b/a.run: cannot be read: SFTPFileSystem requires "paramiko" to be installed'),
        ("s3://b/a.run", "fsspec.core", "s3://b/a.run: is not of this machine; pip install 'assay-eval[remote]' to read it"),
    ],
)  # fmt: skip
def test_what_to_install(address, module, said, monkeypatch, capfd, memory):
    monkeypatch.setitem(sys.modules, module, None)
    for name in [name for name in sys.modules if name.startswith("fsspec.implementations.http")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys.modules["fsspec.registry"], "_registry", {})
    assert main(["evaluate", "qrels", address, "-m", "AP"]) == 3
    assert capfd.readouterr().err == f"assay: {said}\n"


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path.startswith("/answer/"):
            self.send_error(int(self.path[8:11]))
            return
        if self.path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"1 Q0 d1 1 1 r\n")
            return
        if self.path == "/loop":
            self.send_response(302)
            self.send_header("Location", "/loop")
            self.end_headers()
            return
        super().do_GET()


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        ("403, url='{url}'\nand a page more", "403, url='http://host/a.run'"),
        ("the token sesame was refused", "RuntimeError"),
        ("no user called alibaba", "RuntimeError"),
        ("", "RuntimeError"),
        ("the disk is full", "the disk is full"),
        ("the word open me was refused", "RuntimeError"),
    ],
)
def test_what_a_server_says_is_handed_on_as_far_as_it_gives_nothing_away(problem, said):
    url = "http://alibaba:cave@host/a.run?token=sesame&word=open%20me"

    def refused():
        raise RuntimeError(problem.format(url=url))

    with pytest.raises(InputError) as found:
        remote._call(url, refused)
    assert str(found.value) == f"http://host/a.run: cannot be read: {said}"


@pytest.fixture
def web(tmp_path, monkeypatch):
    pytest.importorskip("aiohttp")
    write_runs(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "r4.run").write_bytes(gzip.compress((tmp_path / "runs" / "r4.run").read_bytes()))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_over_http(web):
    fresh = numbers(assay.evaluate("qrels", "runs", ["AP", "nDCG@10"]))
    assert numbers(assay.evaluate(f"{web}/qrels", f"{web}/runs/", ["AP", "nDCG@10"])) == fresh
    assert numbers(assay.evaluate(f"{web}/qrels", f"{web}/runs/*.run", ["AP", "nDCG@10"])) == fresh
    assert addresses(f"{web}/runs/r0.run?a=b") == [f"{web}/runs/r0.run?a=b"]


def test_a_signature_reaches_the_server_and_nobody_else(web, capfd):
    words = ["evaluate", f"{web}/qrels?token=sesame", f"{web}/runs/r0.run?token=sesame", "-m", "AP", "-f", "json"]
    assert main(words) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["runs"][0]["file"] == f"{web}/runs/r0.run"
    assert "sesame" not in out + err
    for missing in ("nosuch", "answer/403"):
        assert main(["evaluate", f"{web}/qrels", f"{web}/{missing}?token=sesame", "-m", "AP"]) == 3
        out, err = capfd.readouterr()
        assert err.startswith(f"assay: {web}/{missing}: cannot be read: ")
        assert "sesame" not in out + err


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nosuch", "there is no such file"),
        ("answer/410", "there is no such file"),
        ("answer/401", r"the server answers 401 \(Unauthorized\)"),
        ("answer/403", r"the server answers 403 \(Forbidden\)"),
        ("answer/503", r"the server answers 503 \(Service Unavailable\)"),
        ("cut", "payload is not completed"),
        ("loop", "TooManyRedirects"),
    ],
)
def test_what_a_web_server_answers_is_said(web, path, said):
    """Red before: whatever it was, there was no such file."""
    with pytest.raises(InputError, match=f"{web}/{path}: cannot be read: .*{said}"):
        assay.evaluate("qrels", f"{web}/{path}", ["AP"])


def test_a_scheme_may_be_written_in_capitals(web):
    found = assay.evaluate(web.replace("http", "HTTP") + "/qrels", "runs", ["AP"])
    assert found["AP"] == assay.evaluate("qrels", "runs", ["AP"])["AP"]


def test_a_file_inside_another_file(memory, tmp_path):
    import zipfile

    with zipfile.ZipFile(tmp_path / "runs.zip", "w") as archive:
        archive.writestr("r0.run", run_text("r0"))
    found = assay.evaluate("qrels", f"zip://r0.run::file://{tmp_path}/runs.zip", ["AP"])
    assert numbers(found) == numbers(assay.evaluate("qrels", "runs/r0.run", ["AP"]))


def test_the_report_is_not_called_by_a_password(web, capfd):
    """Red before: a report of files elsewhere was titled by what stood before the last stroke of the gold's address."""
    address = web.replace("//", "//alibaba:cave@")
    assert main(["report", f"{address}/qrels", f"{address}/runs/r0.run", "--trials", "0"]) == 0
    assert "cave" not in "".join(capfd.readouterr())


def test_what_a_store_keeps_is_what_was_scored(memory, monkeypatch):
    """Red before: a file that changed between its digest and its scoring was kept under the old digest for ever."""
    pytest.importorskip("pyarrow")
    opened = []
    read = remote.Remote.__init__

    def changing(self, url):
        opened.append(url)
        read(self, url)
        if url.endswith("r0.run"):
            memory.pipe("/m/runs/r0.run", run_text("r0", seed=f"later {len(opened)}").encode())

    given = ("memory://m/qrels", "memory://m/runs/r0.run", ["AP"])
    before = assay.evaluate(*given)["AP"]
    old = memory.cat("/m/runs/r0.run")
    monkeypatch.setattr(remote.Remote, "__init__", changing)
    assert assay.evaluate(*given, store="S")["AP"] == before
    assert [url.rpartition("/")[2] for url in opened] == ["qrels", "qrels", "r0.run"]
    monkeypatch.setattr(remote.Remote, "__init__", read)
    assert assay.evaluate(*given, store="S")["AP"] == assay.evaluate(*given)["AP"] != before
    memory.pipe("/m/runs/r0.run", old)
    assert assay.evaluate(*given, store="S")["AP"] == before


def test_nothing_that_fsspec_remembers_is_believed(memory, monkeypatch):
    """Red before: in one process a run that was added was not seen, and one that was changed ended where the old one had."""
    from fsspec.implementations.memory import MemoryFileSystem

    class Remembering(MemoryFileSystem):
        seen = {}

        def ls(self, path, detail=True, **_):
            key = path, detail
            if key not in self.seen:
                self.seen[key] = super().ls(path, detail=detail)
            return self.seen[key]

        def invalidate_cache(self, path=None):
            self.seen.clear()

    monkeypatch.setitem(sys.modules["fsspec.registry"]._registry, "memory", Remembering)
    assert len(expand(["memory://m/runs"])) == 5
    memory.pipe("/m/runs/r5.run", run_text("r5").encode())
    assert len(expand(["memory://m/runs"])) == 6
    assert len(expand(["memory://m/runs/*.run"])) == 6


def test_remote_gold_that_changes_is_never_a_wrong_key(memory):
    pytest.importorskip("pyarrow")
    gold = assay.read_gold("memory://m/qrels")
    memory.pipe("/m/qrels", QRELS.replace("1 0 d1 2", "1 0 d1 0").encode())
    fresh = assay.evaluate("memory://m/qrels", "memory://m/runs", ["AP"])
    assert gold.evaluate("memory://m/runs", ["AP"], store="S")["AP"] == fresh["AP"]
    assert assay.evaluate("memory://m/qrels", "memory://m/runs", ["AP"], store="S")["AP"] == fresh["AP"]
    memory.pipe("/m/qrels", b"1 0 d1 1\n")
    with pytest.raises(InputError, match="memory://m/qrels: changed since it was read"):
        gold.evaluate("memory://m/runs", ["AP"], store="S")


def test_a_server_that_is_not_there(capfd, memory):
    pytest.importorskip("aiohttp")
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but not listening
        address = f"http://me:secretword@127.0.0.1:{taken.getsockname()[1]}"
        assert main(["evaluate", "qrels", f"{address}/a.run", "-m", "AP"]) == 3
    err = capfd.readouterr().err
    assert err.startswith(f"assay: {bare(address)}/a.run: cannot be read: ")
    assert "secretword" not in err


def wide_parquet():
    """A run, and beside it many bytes that nobody asked for."""
    pa = pytest.importorskip("pyarrow")
    import random

    import pyarrow.parquet as pq

    draw, rows = random.Random(1), [line.split() for line in run_text("r0").splitlines()]
    columns = {
        "topic": [row[0] for row in rows],
        "document": [row[2] for row in rows],
        "score": [float(row[4]) for row in rows],
    }
    out = pa.BufferOutputStream()
    pq.write_table(pa.table({**columns, "vector": [draw.randbytes(40_000) for _ in rows]}), out)
    return out.getvalue().to_pybytes()


def test_of_parquet_elsewhere_only_the_columns_wanted_are_read(memory, monkeypatch):
    """Red before: it was read whole."""
    data = wide_parquet()
    memory.pipe("/m/wide.parquet", data)
    got = []
    read = remote.Ranged.read
    monkeypatch.setattr(remote.Ranged, "read", lambda self, size=-1: got.append(size) or read(self, size))
    found = assay.evaluate("qrels", "memory://m/wide.parquet", ["AP"])
    assert found["AP"] == {"wide": assay.evaluate("qrels", "runs/r0.run", ["AP"])["AP"]["r0"]}
    assert 0 < sum(got) < len(data) / 10


def test_a_server_without_ranges_is_read_whole(web, tmp_path):
    (tmp_path / "wide.parquet").write_bytes(wide_parquet())
    found = assay.evaluate("qrels", f"{web}/wide.parquet", ["AP"])
    assert found["AP"] == {"wide": assay.evaluate("qrels", "runs/r0.run", ["AP"])["AP"]["r0"]}
