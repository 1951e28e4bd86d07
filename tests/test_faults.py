"""Memory and devices that give out at any moment: a clear error, exit code 3, and no file that is not whole."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import hostile
import pytest

import assay
from assay.cli import NO_MEMORY, main
from assay.io import atomic_files

PACKAGE = str(Path(assay.__file__).parent)
COMMANDS = {
    "evaluate": "evaluate qrels run -m AP -o out.json",
    "several": "evaluate qrels run other -m AP -q -o out.csv",
    "answers": "evaluate gold answers -o out.json",
    "compare": "compare --scores scores --resamples 100 -o out.csv --save-scores out.json",
    "reliability": "reliability --scores scores --trials 5 -o out.json",
    "plan": "plan --scores scores --difference 0.1 -o out.md",
    "threshold": "threshold gold answers --resamples 5 -o out.json",
    "price": "price gold answers --resamples 20 -o out.json",
    "report": "report qrels run other -m AP --trials 0 -o out.txt",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the data of every command."""
    monkeypatch.chdir(tmp_path)
    for name in ("qrels", "run", "other", "gold", "answers"):
        Path(name).write_text(getattr(hostile, name.upper()))
    Path("scores").write_text(hostile.MATRIX)
    return tmp_path


def written(folder: Path) -> dict[str, bytes]:
    """What a command left there; and taken away again."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if "out" in path.name}
    for name in found:
        (folder / name).unlink()
    return found


class Failing:
    """Raises MemoryError at the k-th call of a function of assay, in this thread."""

    def __init__(self, k: int) -> None:
        self.k = k
        self.calls = 0

    def __call__(self, frame, event: str, argument) -> None:
        if (
            event == "call"
            and frame.f_code.co_filename.startswith(PACKAGE)
            and "streams.py" not in frame.f_code.co_filename
        ):
            self.calls += 1
            if self.calls == self.k:
                sys.setprofile(None)
                raise MemoryError

    def run(self, words: list[str]) -> int:
        sys.setprofile(self)
        try:
            return main(words)
        finally:
            sys.setprofile(None)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("command", COMMANDS)
def test_memory_that_gives_out_at_any_call(folder, capfd, command) -> None:
    words = COMMANDS[command].split()
    assert main(words) == 0  # once before, so that what is imported does not count
    whole = written(folder)
    counting = Failing(0)
    assert counting.run(words) == 0
    assert written(folder) == whole
    capfd.readouterr()
    failed = 0
    for k in range(2, counting.calls, max(1, counting.calls // 40)):
        code = Failing(k).run(words)
        out, err = capfd.readouterr()
        assert (code, out) in ((0, ""), (3, "")), (k, err)
        left = written(folder)
        if code == 0:  # what fails while a generator is thrown away is passed over by the interpreter, and harms nobody
            assert left == whole
            continue
        assert err.splitlines()[-1] == f"assay: {NO_MEMORY}", k
        assert left.items() <= whole.items(), k  # of two outputs, the first may be there, whole
        failed += 1
    assert failed >= 20


ALLOCATIONS = """
import os, sys, _testcapi
from assay.cli import main
words, out = sys.argv[1:], sys.argv[-1]
for _ in range(3):
    assert main(words) == 0
whole = open(out, "rb").read()
os.remove(out)
before = sorted(os.listdir("."))
k = done = 0
while done < 2 or k < 1000:  # some early ones are not missed
    k += 1
    error = os.open("error", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    kept = os.dup(2)
    os.dup2(error, 2)
    _testcapi.set_nomemory(k, k + 1)
    try:
        code = main(words)
    finally:
        _testcapi.remove_mem_hooks()
    os.dup2(kept, 2)
    os.lseek(error, 0, 0)
    told = os.read(error, 9999).decode()
    os.close(kept), os.close(error), os.remove("error")
    if code == 0:
        assert open(out, "rb").read() == whole, k
        os.remove(out)
    done = done + 1 if code == 0 else 0
    # The interpreter itself forgets now and then to say what went wrong, and calls that a SystemError.
    assert code == 0 or code == 3 and "not enough memory" in told or code == 70 and "SystemError" in told, (k, code, told)
    assert "Traceback" not in told, told
    assert sorted(os.listdir(".")) == before, (k, os.listdir("."))
print(k)
"""


@pytest.mark.native_only
def test_every_allocation_of_an_evaluation_may_fail(folder) -> None:
    """Of the interpreter's, one after the other; the core's own are in tests/core/failing.c."""
    pytest.importorskip("_testcapi")
    words = [sys.executable, "-c", ALLOCATIONS, "evaluate", "qrels", "run", "-m", "AP", "-o", "out.json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 1000


class Full:
    """A file on a device with room for so many bytes."""

    def __init__(self, room: int, path: str, mode: str) -> None:
        self.file, self.room = open(path, mode), room  # noqa: SIM115 - closed on the way out

    def __enter__(self):
        return self

    def __exit__(self, *problem) -> None:
        self.file.close()

    def write(self, data: bytes) -> None:
        self.file.write(data[: self.room])
        if len(data) > self.room:
            raise OSError(28, "No space left on device")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("before", [None, b"of yesterday"])
def test_a_device_that_is_full_after_any_byte(folder, capfd, monkeypatch, command, before) -> None:
    words = COMMANDS[command].split()
    assert main(words) == 0
    whole = written(folder)
    for k in {0, 1, 7, min(map(len, whole.values())) - 1}:
        for name in whole if before else ():
            Path(name).write_bytes(before)
        monkeypatch.setattr(atomic_files, "open", partial(Full, k), raising=False)
        assert main(words) == 3
        monkeypatch.undo()
        os.chdir(folder)
        assert "cannot be written: No space left on device" in capfd.readouterr().err
        assert written(folder) == (dict.fromkeys(whole, before) if before else {})


@pytest.mark.parametrize("step", ["open", "chmod", "replace"])
def test_any_step_of_writing_may_fail(tmp_path, monkeypatch, step) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"of yesterday")

    def fails(*arguments: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(atomic_files if step == "open" else os, step, fails, raising=False)
    with pytest.raises(assay.InputError, match="out: cannot be written: Input/output error"):
        atomic_files.write_whole(path, b"of today")
    monkeypatch.undo()
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("out", b"of yesterday")]


def test_a_limit_of_the_system_on_the_size_of_files(folder) -> None:
    pytest.importorskip("resource")
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50));"
        "from assay.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    words = [sys.executable, "-B", "-c", code, *COMMANDS["evaluate"].split()]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.endswith("assay: out.json: cannot be written: File too large\n")
    assert written(folder) == {}
