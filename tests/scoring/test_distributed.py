"""Whoever scores the runs, and whoever dies doing it, the table is the one that this process makes alone."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from stored_runs import assert_same, run_text, write_runs

import assay
from assay.cli import main
from assay.errors import InputError
from assay.io.sources import Source
from assay.scoring.distributed import Job, _golds, score_file, score_files, unreadable
from assay.tasks.ranked import read as from_file

pytestmark = pytest.mark.slow

MEASURES = ["AP", "nDCG@10", "num_rel_ret"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    write_runs(tmp_path, 9)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def fresh():
    return assay.evaluate("qrels", "runs", MEASURES)


class Pickling(Executor):
    """Work that has travelled, without a process to travel to; every `lost`-th task loses its worker."""

    def __init__(self, lost=0):
        self.lost = lost
        self.tasks = 0
        self.names = []

    def submit(self, fn, /, *args, **kwargs):
        import pickle

        self.tasks += 1
        self.names.append(fn.__name__)
        future = Future()
        if self.lost and self.tasks % self.lost == 0:
            future.set_exception(BrokenExecutor("a worker died"))
            return future
        try:
            travelled = pickle.loads(pickle.dumps((fn, args)))
            future.set_result(pickle.loads(pickle.dumps(travelled[0](*travelled[1]))))
        except Exception as problem:  # noqa: BLE001 - as a worker hands on whatever the work raised
            future.set_exception(problem)
        return future


@pytest.mark.parametrize("lost", [0, 2, 1])
def test_the_table_is_the_same_whoever_scores_and_dies(lost, fresh):
    assert_same(assay.evaluate("qrels", "runs", MEASURES, executor=Pickling(lost)), fresh)
    assert_same(assay.evaluate("qrels", "runs", MEASURES, executor=Pickling(lost), store="S"), fresh)
    assert_same(assay.evaluate("qrels", "runs", MEASURES, executor=Pickling(lost), store="S"), fresh)


def test_threads(fresh):
    with ThreadPoolExecutor(3) as pool:
        assert_same(assay.evaluate("qrels", "runs", MEASURES, executor=pool), fresh)


def killing(job, files):
    """As `score_files`; but one worker is killed while it scores a run, the first time."""
    if files[0].name.endswith("r4.run"):
        try:
            os.close(os.open("killed", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return score_files(job, files)


@pytest.mark.skipif(os.name == "nt", reason="kills a process by a signal")
def test_a_worker_killed_at_work_changes_no_digit(fresh, monkeypatch):
    monkeypatch.setattr("assay.scoring.distributed.score_files", killing)
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as pool:
        assert_same(assay.evaluate("qrels", "runs", MEASURES, executor=pool, store="S"), fresh)
    assert os.path.exists("killed")


class Elsewhere(Pickling):
    """Workers that stand in another folder, and hold nothing of what this process has read."""

    def submit(self, fn, /, *args, **kwargs):
        here = os.getcwd()
        os.chdir("/")
        _golds.clear()
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            os.chdir(here)


def test_a_worker_opens_files_from_wherever_it_stands(fresh):
    assert_same(assay.evaluate("qrels", "runs", MEASURES, executor=Elsewhere()), fresh)
    Path("gold.jsonl").write_text('{"id": "1", "answers": ["Paris"]}\n')
    Path("a.jsonl").write_text('{"id": "1", "answer": "I cannot say"}\n')
    Path("patterns").write_text("I cannot\n")
    given, choices = ("gold.jsonl", "a.jsonl", ["c@1"]), {"task": "outcomes", "refusal": "patterns"}
    assert_same(assay.evaluate(*given, executor=Elsewhere(), **choices), assay.evaluate(*given, **choices))


def test_only_names_travel_and_the_gold_is_read_once(monkeypatch):
    sent = []

    class Watching(Pickling):
        def submit(self, fn, /, *args, **kwargs):
            import pickle

            sent.append(len(pickle.dumps(args)))
            return super().submit(fn, *args, **kwargs)

    read = []
    monkeypatch.setattr("assay.tasks.ranked.TASK.read", lambda *given: read.append(1) or from_file(*given))
    assay.evaluate("qrels", "runs", MEASURES, executor=Watching())
    assert max(sent) < 1000
    assert len(read) == 1


def test_a_worker_reads_the_gold_itself_once_for_all_its_runs(monkeypatch):
    from assay.io.sources import Source

    read = []
    monkeypatch.setattr("assay.tasks.ranked.TASK.read", lambda *given: read.append(1) or from_file(*given))
    digest = hashlib.sha256(Path("qrels").read_bytes()).hexdigest()
    job = Job("a job", Source("qrels", path="qrels"), digest, "ranked", {"level": 2}, MEASURES, None)
    found = [score_file(job, Source(f"runs/r{n}.run", path=f"runs/r{n}.run")) for n in range(3)]
    fresh = assay.evaluate("qrels", "runs", MEASURES, level=2)
    assert [dict(runs[0].columns) for _, runs, _ in found] == [dict(fresh.run(f"r{n}").columns) for n in range(3)]
    assert len(read) == 2  # the second is for the table to compare with


def test_a_worker_that_finds_another_gold_stops_the_work():
    """Red before: a machine with a copy of its own that differs scored against that."""

    class Other(Elsewhere):
        def submit(self, fn, /, *args, **kwargs):
            Path("qrels").write_text("1 0 d1 1\n")
            return super().submit(fn, *args, **kwargs)

    with pytest.raises(InputError, match="qrels: a worker reads other bytes"):
        assay.evaluate("qrels", "runs", MEASURES, executor=Other())


def test_gold_from_a_pipe_is_scored_here(monkeypatch, fresh):
    """Red before: workers were to read it too."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("qrels").read_bytes())))
    pool = Pickling()
    assert_same(assay.evaluate("-", "runs", MEASURES, executor=pool), fresh)
    assert pool.tasks == 0


def test_a_bad_run_is_said_in_the_same_words():
    Path("runs/r5.run").write_text("1 Q0 d1 1\n")
    Path("runs/r7.run").write_text("nonsense\n")
    with pytest.raises(InputError) as alone:
        assay.evaluate("qrels", "runs", MEASURES)
    with pytest.raises(InputError) as elsewhere:
        assay.evaluate("qrels", "runs", MEASURES, executor=Pickling())
    assert str(elsewhere.value) == str(alone.value)


def test_gold_and_runs_of_this_process_travel_along(fresh):
    gold = {"1": {"d1": 1}, "2": {"d1": 1, "d2": 2}}
    runs = {"a": {"1": {"d1": 2.0}}, "b": {"2": {"d2": 1.0, "d3": 3.0}}}
    assert_same(assay.evaluate(gold, runs, ["AP"], executor=Pickling()), assay.evaluate(gold, runs, ["AP"]))


@pytest.mark.parametrize(
    ("given", "choices"),
    [
        (("qrels", "set.run", ["T10F"]), {"task": "filtering"}),
        (("gold.jsonl", "a.jsonl"), {"task": "outcomes"}),
        (("gold.jsonl", "a.jsonl", ["c@1"]), {"task": "outcomes", "right_from": 0.5}),
        ((None, "graded.csv", ["c@1"]), {}),
    ],
)
def test_what_has_to_be_looked_at_together_is_scored_here(given, choices):
    """Red before: refused, though the table is the same wherever it is made."""
    Path("set.run").write_text("1 d1\n2 d4\n")
    Path("gold.jsonl").write_text('{"id": "1", "answers": ["Paris"]}\n')
    Path("a.jsonl").write_text('{"id": "1", "answer": "Paris", "score": 0.7}\n')
    Path("graded.csv").write_text("id,run,outcome\n1,a,correct\n")
    pool = Pickling()
    try:
        plain = assay.evaluate(*given, **choices)
    except InputError as problem:
        with pytest.raises(InputError, match=re.escape(str(problem))):
            assay.evaluate(*given, executor=pool, **choices)
    else:
        assert_same(assay.evaluate(*given, executor=pool, **choices), plain)
    assert pool.tasks == 0


def test_a_study_scores_and_counts_on_the_same_workers(capfd, monkeypatch):
    """Red before: the runs of a study were scored here, whoever else was there, and no store was asked."""
    pool = Pickling()
    found = assay.reliability("qrels", ["AP"], runs="runs", executor=pool, trials=20, size=2)
    scored = sum(1 for name in pool.names if name == "score_files")
    assert scored == 9
    assert found.to_dict() == assay.reliability("qrels", ["AP"], runs="runs", trials=20, size=2).to_dict()
    words = ["reliability", "qrels", "runs", "-m", "AP", "--trials", "20", "--size", "2", "-f", "json"]
    assert main(words) == 0
    plain = capfd.readouterr().out
    for more in (["--store", "S"], ["--store", "S"], ["--executor", "local"]):
        assert main([*words, *more]) == 0
        assert capfd.readouterr().out == plain
    assert main([*words, "--store", "S"]) == 0
    assert "9 of 9 files were scored before" in capfd.readouterr().err
    assert main([*words, "--scheduler", "tcp://a:1"]) == 2


def test_the_command_line(capfd):
    words = ["evaluate", "qrels", "runs", "-m", "AP", "-f", "csv"]
    assert main(words) == 0
    plain = capfd.readouterr()
    assert main([*words, "--executor", "local"]) == 0
    assert capfd.readouterr() == plain
    assert main([*words, "--scheduler", "tcp://host:1"]) == 2
    assert "--scheduler needs --executor dask" in capfd.readouterr().err
    assert main([*words, "--executor", "local", "--scheduler", "tcp://host:1"]) == 2
    assert main(["evaluate", "--scores", "x.csv", "--executor", "local"]) == 2


def test_nothing_of_it_is_imported_unasked():
    heavy = [
        "numpy",
        "pyarrow",
        "fsspec",
        "concurrent.futures",
        "hashlib",
        "assay.scoring.distributed",
        "assay.scoring.store",
    ]
    code = (
        "import sys, assay.cli; assay.cli.main(['evaluate', 'qrels', 'runs', '-m', 'AP']);"
        f"print([name for name in {heavy} if name in sys.modules], file=sys.stderr)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stderr.splitlines()[-1] == "[]"


def test_a_dask_cluster_whose_worker_dies(fresh, capfd):
    pytest.importorskip("distributed")
    from dask_processes import scheduler, worker

    with scheduler() as (_, address), worker(address) as (first, _), worker(address):

        def kill(done, _):
            if done == 1:
                first.kill()

        from assay.parallel.executors import workers

        with workers("dask", scheduler=address) as executor:
            found = assay.evaluate("qrels", "runs", MEASURES, executor=executor, progress=kill)
        assert_same(found, fresh)
        assert (
            main(["evaluate", "qrels", "runs", "-m", "AP", "--executor", "dask", "--scheduler", address, "-f", "csv"])
            == 0
        )
        told = capfd.readouterr().out
    assert main(["evaluate", "qrels", "runs", "-m", "AP", "-f", "csv"]) == 0
    assert capfd.readouterr().out == told


def test_runs_of_other_tasks_are_scored_apart_too():
    Path("gold.jsonl").write_text("".join(f'{{"id": "{n}", "answers": ["{n}"]}}\n' for n in range(4)))
    for name, answers in {"a": ["0", "7", None], "b": ["0", "1", "2"]}.items():
        lines = [json.dumps({"id": str(number), "answer": answer}) for number, answer in enumerate(answers)]
        Path(f"{name}.jsonl").write_text("\n".join(lines))
    Path("wide.csv").write_text(
        "id,x,y\n0,correct,correct\n1,incorrect,unanswered\n2,correct,correct\n3,unanswered,correct\n"
    )
    for runs in (["a.jsonl", "b.jsonl"], ["a.jsonl", "wide.csv"]):
        given = ("gold.jsonl", runs, ["c@1", "accuracy"])
        plain = assay.evaluate(*given, task="outcomes", keep=False)
        for _ in range(2):
            assert_same(assay.evaluate(*given, task="outcomes", store="S", executor=Pickling()), plain)


def test_a_run_that_is_renamed_is_rescored_only_where_its_name_was_its_file(monkeypatch):
    assay.evaluate("qrels", ["runs/r0.run"], MEASURES, store="S")
    Path("runs/r0.run").rename("runs/other.run")
    monkeypatch.setattr(assay.scoring.evaluate.Gold, "score", None)  # nothing is scored
    found = assay.evaluate("qrels", ["runs/other.run"], MEASURES, store="S")
    assert (found.runs, found.run("r0").file) == (["r0"], "runs/other.run")
    assert run_text("r0") == Path("runs/other.run").read_text()


def test_what_others_cannot_read():
    held, piped = Source("<data>", data={"1": {}}), Source("<stdin>", path="-")
    assert unreadable([held, Source("a", data=b"x")], stored=False) is None
    assert (
        unreadable([Source("a", data=b"x"), held], stored=True)
        == "<data>: expected a file, whose bytes can be read again"
    )
    assert unreadable([piped], stored=False) == "<stdin>: expected a file, whose bytes can be read again"
