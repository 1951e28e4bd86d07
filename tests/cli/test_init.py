"""The command `assay` itself: help, version, and what starting it costs."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import pytest

from assay.cli import main


def test_evaluation_imports_nothing_heavy(here) -> None:
    """Start-up is most of a short evaluation; what it imports is what it costs."""
    heavy = {"numpy", "scipy", "rich", "msgspec", "narwhals", "importlib.metadata", "concurrent.futures", "dataclasses", "typing",
             "pathlib", "shutil", "lzma", "logging", "inspect", "json", "asyncio", "email", "pandas"}  # fmt: skip
    for arguments in (
        ["evaluate", "qrels.txt", "runs/good.run"],
        ["evaluate", "qrels.txt", "runs/good.run", "-q", "-f", "tsv", "--name-by", "file", "--depth", "9"],
        ["--help"],
        ["--version"],
        ["trec_eval", "qrels.txt", "runs/good.run"],
    ):
        # -S: whatever a virtual environment imports on its own is not ours.
        code = (
            f"import sys; sys.path[:0] = {[str(p) for p in sys.path]!r}; before = set(sys.modules); from assay.cli import main\n"
            f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
            f"print('HEAVY', *sorted((set(sys.modules) - before) & {heavy!r}))"
        )
        result = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
        assert result.stdout.splitlines()[-1].strip() == "HEAVY", (arguments, result.stdout.splitlines()[-1])


def test_two_runs_use_threads_and_still_import_little(here) -> None:
    code = (
        f"import sys; sys.path[:0] = {[str(p) for p in sys.path]!r}; before = set(sys.modules); from assay.cli import main\n"
        "main(['evaluate', 'qrels.txt', 'runs'])\n"
        "print('HEAVY', *sorted((set(sys.modules) - before) & {'numpy', 'concurrent.futures', 'logging', 'rich', 'multiprocessing'}))"
    )
    result = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1].strip() == "HEAVY"


def test_bare_calls(capsys) -> None:
    assert main(["help"]) == 0
    help = capsys.readouterr().out
    assert main([]) == 2
    assert capsys.readouterr().out == help
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("assay ")


def test_ranked_retrieval_pays_nothing_for_answers(tmp_path) -> None:
    """The start-up of `assay evaluate` on qrels stays free of what only answers need."""
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1.0 t\n")
    script = (
        "import sys; before = set(sys.modules); from assay.cli import main; code = main(['evaluate', 'qrels', 'run']);"
        "heavy = {'numpy', 'msgspec', 'csv', 'dataclasses', 'assay.tasks.outcomes.task', 'assay.formats.answers.jsonl_answers'};"
        "print(code, sorted(heavy & (set(sys.modules) - before)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "0 []"


def test_an_interruption_is_no_traceback(monkeypatch, capsys) -> None:
    def interrupted(words):
        raise KeyboardInterrupt

    monkeypatch.setattr("assay.cli._dispatch", interrupted)
    assert main(["evaluate"]) == 130
    assert capsys.readouterr().err == "assay: interrupted\n"


@pytest.mark.parametrize(
    "module",
    ["assay.cli.streams", "assay.errors", "assay.io.escaping", "assay.cli.commands.evaluate", "assay.scoring.evaluate"],
)
@pytest.mark.parametrize(
    "started", ["from assay.cli import console; console()", "import runpy; runpy.run_module('assay', None, '__main__')"]
)
def test_an_interruption_while_modules_are_imported(here, module, started) -> None:
    code = f"""
import os, signal, sys
class Interrupting:
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting)
sys.path[:0] = {[str(p) for p in sys.path]!r}
sys.argv = ["assay", "evaluate", "qrels.txt", "runs/good.run"]
{started}
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "assay: interrupted\n")


def test_the_package_is_a_program(here) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "assay", "evaluate", "qrels.txt", "runs/good.run", "-m", "RR"],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout.split()[-1]) == (0, "0.6667"), (
        "two topics of three have their relevant document first"
    )


def test_a_core_that_is_required_and_missing_is_no_mistake_in_assay(here) -> None:
    code = "from assay.core import binding; binding.NAME = 'missing.so'; binding.load('/nowhere')"
    environment = {**os.environ, "ASSAY_REQUIRE_NATIVE": "1"}
    environment.pop("ASSAY_NATIVE", None)
    command = [
        sys.executable,
        "-c",
        f"import sys, assay.cli as c; c._dispatch = lambda words: exec({code!r}); sys.exit(c.main([]))",
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 3
    assert "no native core; install a C compiler and reinstall" in done.stderr
    assert "bug in assay" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/urandom"), reason="no endless files here")
@pytest.mark.parametrize(
    "words", [["evaluate", "/dev/urandom", "runs/good.run"], ["compare", "/dev/urandom"], ["check", "/dev/zero"]]
)
def test_a_file_without_an_end_is_refused_with_little_memory(here, words) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))"
    code = f"{limit}; import sys; from assay.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 3
    assert "holds a zero byte" in done.stderr + done.stdout


class TestTheLastResort:
    @pytest.fixture
    def failing(self, monkeypatch):
        def fail(problem: BaseException) -> int:
            def dispatch(words):
                raise problem

            monkeypatch.setattr("assay.cli._dispatch", dispatch)
            return main(["evaluate"])

        return fail

    def test_what_nobody_foresaw_is_one_line_that_says_how_to_report_it(self, failing, capsys) -> None:
        assert failing(ZeroDivisionError("of\nall things")) == 70
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert err.startswith("assay: unforeseen ZeroDivisionError at test_init.py:")
        assert "of all things. This is a bug in assay: please report it" in err
        assert "ASSAY_DEBUG=1" in err

    @pytest.mark.parametrize(("value", "shown"), [("1", True), ("0", False), ("", False)])
    def test_the_trace_is_shown_where_it_is_asked_for(self, failing, capsys, monkeypatch, value, shown) -> None:
        monkeypatch.setenv("ASSAY_DEBUG", value)
        assert failing(ZeroDivisionError()) == 70
        assert ("Traceback (most recent call last)" in capsys.readouterr().err) == shown

    def test_memory_and_the_system_are_no_mistakes_of_ours(self, failing, capsys) -> None:
        for problem in (
            MemoryError(),
            ctypes.ArgumentError("argument 1: MemoryError:"),
            RuntimeError("can't start new thread"),
        ):
            assert failing(problem) == 3
            assert capsys.readouterr().err.startswith("assay: not enough memory for this; nothing is left half-written")
        assert failing(PermissionError(13, "Permission denied", "runs")) == 3
        assert capsys.readouterr().err == "assay: runs: Permission denied\n"
        assert failing(OSError("odd")) == 3
        assert capsys.readouterr().err == "assay: odd\n"


def program(before: str, *words: str, **options) -> subprocess.CompletedProcess[str]:
    """`assay` as it is started, after something that the program around it did."""
    code = f"import sys, atexit, threading; from assay.cli import console; {before}; console()"
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize(
    ("words", "code"),
    [(["--version"], 0), (["nonsense"], 2), (["evaluate", "nowhere.txt", "nowhere.run"], 3), (["evaluate"], 2)],
)
def test_the_program_leaves_with_the_code_of_the_command(words, code) -> None:
    done = program("pass", *words)
    assert done.returncode == code
    assert (done.stdout if code == 0 else done.stderr).count("\n") >= 1


def test_what_was_printed_before_is_written_and_who_waits_for_the_end_is_called() -> None:
    assert program("sys.stdout.write('before ')", "--version").stdout.startswith("before assay ")
    assert program("atexit.register(print, 'at the end')", "--version").stdout.endswith("at the end\n")
    late = "threading.Thread(target=lambda: (threading.main_thread().join(), print('later'))).start()"
    assert program(late, "--version").stdout.endswith("later\n")


def test_a_command_leaves_the_interpreter_around_it_as_it_was() -> None:
    """Neither the garbage collector nor argparse's translations belong to assay."""
    code = """
import argparse, gc, sys
from assay.cli import main
before = gc.get_threshold(), argparse._
try:
    main(["evaluate", "--help"])
except SystemExit:
    pass
sys.exit(before != (gc.get_threshold(), argparse._))
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_the_interpreter_ends_in_the_usual_way() -> None:
    late = "late = type('Late', (), {'__del__': lambda self, write=__import__('os').write: write(2, b'ended')})()"
    assert program(late, "--version").stderr == "ended"
