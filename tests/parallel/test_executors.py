"""Wherever the work runs, and whoever dies doing it, the result is the serial one."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor

import numpy as np
import pytest
from flaky_executor import Flaky
from stored_runs import write_runs

import assay
from assay.analyses.comparison.compare import compare
from assay.analyses.reliability.reliability import reliability
from assay.cli import main
from assay.errors import UsageError
from assay.parallel.executors import in_parts, lent, workers
from assay.parallel.worker_retries import run_chunks
from assay.scoring.score_files import scores as scores_from


@pytest.fixture
def scores():
    rng = np.random.default_rng(4)
    values = (rng.beta(1, 3, size=(30, 5)) + np.linspace(0, 0.1, 5)).tolist()
    return scores_from(values, runs=list("abcde"), measure="AP")


def test_the_study_is_the_same_wherever_it_runs(scores):
    serial = reliability(scores, trials=200, seed=5, executor=None).to_dict()
    with ThreadPoolExecutor(3) as pool:
        assert reliability(scores, trials=200, seed=5, executor=pool).to_dict() == serial
    assert reliability(scores, trials=200, seed=5, executor=Flaky(1)).to_dict() == serial
    assert reliability(scores, trials=200, seed=5, executor="local").to_dict() == serial


@pytest.mark.slow
def test_a_killed_dask_worker_changes_nothing(scores, tmp_path):
    distributed = pytest.importorskip("distributed")
    serial = reliability(scores, trials=200, seed=5, executor=None).to_dict()
    killed = str(tmp_path / "killed")

    class Killing(Executor):
        """Hands everything to Dask; the third chunk kills the process that works on it, the first time."""

        def __init__(self, executor):
            self.executor = executor
            self.count = 0

        def submit(self, fn, /, *args, **kwargs):
            self.count += 1
            deadly = self.count == 3

            def work(*args):
                import os
                import signal

                if deadly and not os.path.exists(killed):
                    open(killed, "w").close()
                    os.kill(os.getpid(), signal.SIGKILL)
                return fn(*args)

            return self.executor.submit(work, *args, **kwargs)

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=100, protocol="tcp"
        ) as cluster,
        workers("dask", scheduler=cluster.scheduler_address) as executor,
    ):
        assert reliability(scores, trials=200, seed=5, executor=Killing(executor)).to_dict() == serial
    assert (tmp_path / "killed").exists()


class Counted:
    """What chunks share; knows how often it was packed to travel."""

    packed = 0

    def __init__(self, number):
        self.number = number

    def __reduce__(self):
        Counted.packed += 1
        return Counted, (self.number,)


def plus(shared, chunk):
    return shared.number + chunk


def test_what_chunks_share_travels_to_processes_once():
    """Red before: it was part of the function, and travelled with every chunk."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    Counted.packed = 0
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert list(run_chunks(plus, range(20), pool, shared=Counted(100))) == list(range(100, 120))
    assert Counted.packed == 1


def test_what_chunks_share_travels_to_a_cluster_once():
    distributed = pytest.importorskip("distributed")
    Counted.packed = 0
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, silence_logs=100, protocol="tcp"
        ) as cluster,
        workers("dask", scheduler=cluster.scheduler_address) as executor,
    ):
        assert list(run_chunks(plus, range(20), executor, shared=Counted(100))) == list(range(100, 120))
    # Once for each worker at most: the scheduler hands on what it was sent.
    assert 1 <= Counted.packed <= 3


@pytest.mark.skipif(os.name == "nt", reason="kills a process by a signal")
def test_processes_end_with_the_one_that_started_them(tmp_path):
    """Red before: they waited for work for ever, and held on to whatever they had inherited."""
    code = """
import os, signal
from assay.parallel.executors import workers
if __name__ == "__main__":
    with workers("local", count=2, processes=True) as pool:
        print(pool.submit(abs, -7).result(), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""
    (tmp_path / "killed.py").write_text(code)
    # The output ends when the last process that can write to it does.
    found = subprocess.run([sys.executable, str(tmp_path / "killed.py")], capture_output=True, text=True, timeout=60)
    assert (found.stdout, found.returncode) == ("7\n", -9)


def test_threads_share_without_packing():
    Counted.packed = 0
    with ThreadPoolExecutor(2) as pool:
        assert list(run_chunks(plus, [1, 2], pool, shared=Counted(1))) == [2, 3]
    assert Counted.packed == 0


def test_unreachable_and_unknown_executors_say_so():
    with pytest.raises(UsageError, match="expected local or dask"):
        workers("slurm")
    with pytest.raises(UsageError, match="goes with `executor='dask'`"):
        workers("local", scheduler="tcp://127.0.0.1:1")


def test_the_seam_costs_nothing_to_import():
    heavy = ("concurrent.futures", "numpy", "asyncio", "distributed")
    code = f"import sys, assay.parallel.executors; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class Travelling(Flaky):
    """Work that has been packed and unpacked; the worker of every piece is lost `times` times."""

    def submit(self, fn, /, *args, **kwargs):
        import pickle

        fn, args = pickle.loads(pickle.dumps((fn, args)))
        self.submissions += 1
        future = Future()
        place = repr(args[-1])
        self.lost[place] = self.lost.get(place, 0) + 1
        if self.lost[place] <= self.times:
            future.set_exception(BrokenExecutor("a worker died"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.mark.parametrize("times", [0, 1, 99])
@pytest.mark.parametrize(
    "choices", [{}, {"correct": "tukey"}, {"interval": "studentised"}, {"test": "bootstrap", "baseline": "a"}]
)
def test_a_comparison_is_the_same_wherever_it_is_resampled(choices, times, scores):
    pool = Travelling(times)
    here = compare(scores, "AP", resamples=500, **choices)
    assert compare(scores, "AP", resamples=500, executor=pool, **choices).to_dict() == here.to_dict()
    assert pool.submissions >= 16


def test_a_measure_of_whole_runs_is_resampled_elsewhere_too():
    gold = {f"q{i}": "yes" for i in range(20)}
    runs = {
        name: {f"q{i}": ("yes" if (i * k) % 3 else "no", (i * k % 7) / 7) for i in range(20)}
        for name, k in (("a", 2), ("b", 5))
    }
    table = assay.evaluate(gold, runs, ["CWS"])
    pool = Travelling(0)
    found = compare(table, "CWS", resamples=128, executor=pool, interval="percentile")
    assert found.to_dict() == compare(table, "CWS", resamples=128, interval="percentile").to_dict()
    assert pool.submissions >= 16


def test_a_report_is_the_same_wherever_its_statistics_are_made(scores):
    pool = Travelling(0)
    assert assay.report(scores, trials=20, executor=pool).to_text() == assay.report(scores, trials=20).to_text()
    assert pool.submissions >= 16


def test_runs_are_scored_and_compared_by_the_same_workers(tmp_path, monkeypatch, capfd):
    write_runs(tmp_path)
    monkeypatch.chdir(tmp_path)
    pool = Travelling(0)
    found = compare("qrels", "AP", runs="runs", executor=pool, resamples=200)
    assert found.to_dict() == compare("qrels", "AP", runs="runs", resamples=200).to_dict()
    words = ["compare", "qrels", "runs", "-m", "AP", "--resamples", "200", "-f", "json"]
    assert main(words) == 0
    plain = capfd.readouterr().out
    assert main([*words, "--executor", "local"]) == 0
    assert capfd.readouterr().out == plain
    for more in (["--scheduler", "tcp://a:1"], ["--executor", "local", "--scheduler", "tcp://a:1"]):
        assert main([*words, *more]) == 2
        assert "--scheduler needs --executor dask" in capfd.readouterr().err


def test_what_is_lent_is_given_back_and_nothing_lent_changes_nothing():
    with ThreadPoolExecutor(1) as pool:
        with lent(pool), lent(None):
            assert len(in_parts(lambda shared, span: span, None, 5, 40)) == 14
        assert in_parts(lambda shared, span: span, None, 5, 40) == [(5, 40)]
