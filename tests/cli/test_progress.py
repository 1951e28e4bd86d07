"""Work over a second shows its progress on a terminal, and nothing in a pipe. What is slow is made so by a patched reader or function
that waits until the line was seen: no test depends on how fast the machine is.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.cli import progress

pty = pytest.importorskip("pty")
select = pytest.importorskip("select")

PATIENCE = 60
"""Seconds after which a command that shows nothing has failed."""
WAITING = """
import os, sys, time
from assay.cli import console
def wait(*_, **__):
    while not os.path.exists('seen'):
        time.sleep(0.02)
def slow(function):
    def called(*args, **kwargs):
        wait()
        return function(*args, **kwargs)
    return called
{patch}
console()
"""
READING = "from assay.io import sources; sources.Source.chunks = slow(sources.Source.chunks)"


def on_terminal(line: str, patch: str, expected: str, end: str = "") -> tuple[int, str]:
    """Run a command on a pseudo-terminal until it prints what is expected; then let the slow work finish, or type `end`.

    Return the exit code and everything that was printed.
    """
    code = WAITING.format(patch=patch)
    Path("seen").unlink(missing_ok=True)
    leader, follower = pty.openpty()
    words = [sys.executable, "-c", code, *line.split()]
    started = subprocess.Popen(words, stdin=follower, stdout=follower, stderr=follower, start_new_session=True,
                               preexec_fn=lambda: _own_terminal(follower))  # fmt: skip
    os.close(follower)
    printed, deadline = "", time.monotonic() + PATIENCE
    try:
        while time.monotonic() < deadline:
            if not select.select([leader], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(leader, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not data:
                break
            printed += data.decode()
            if expected in printed and not Path("seen").exists():
                Path("seen").touch()
                os.write(leader, end.encode())
        return started.wait(PATIENCE), printed
    finally:
        started.kill()
        os.close(leader)


def _own_terminal(follower: int) -> None:
    import fcntl
    import termios

    fcntl.ioctl(follower, termios.TIOCSCTTY, 0)


def screen(printed: str) -> list[str]:
    """The lines that stay on a terminal: a carriage return and "clear the line" begin a line again."""
    return [re.split(r"\r\x1b\[K", line)[-1] for line in printed.replace("\r\n", "\n").split("\n")]


SLOW = {
    "evaluate qrels.txt runs -m AP": (READING, "reading and scoring the runs"),
    "trec_eval qrels.txt runs/good.run": (READING, "assay trec_eval"),
    "check runs": ("from assay.collections.checking import runs; runs.check_run = slow(runs.check_run)", "assay check"),
    "overlap runs": (READING, "assay overlap"),
    "compare qrels.txt runs -m AP": ("import assay; assay.compare = slow(assay.compare)", "comparing 2 runs by AP"),
    "reliability qrels.txt runs -m AP --size 1 --trials 10": (
        "import assay; assay.reliability = slow(assay.reliability)",
        "resampling the topics",
    ),
    "report qrels.txt runs --trials 0 -o out.html": (
        "import assay; assay.report = slow(assay.report)",
        "computing the report",
    ),
    "pack qrels.txt runs --no-pdf -o packs": (
        "import assay.reports.packages as p; p.participant = slow(p.participant)",
        "0/2 packages",
    ),
    "items qrels.txt runs": ("import assay; assay.items = slow(assay.items)", "analysing the scores"),
}


@pytest.mark.parametrize("line", SLOW)
def test_slow_work_shows_progress_on_a_terminal_and_leaves_no_trace(here, line) -> None:
    patch, expected = SLOW[line]
    code, printed = on_terminal(line, patch, expected)
    assert expected in printed
    assert re.search(r"\d+ s: ", printed)
    assert not any(re.match(r"\d+ s: ", text) for text in screen(printed)), "the last line is cleared"
    assert code in (0, 3), printed  # two runs are too few for some


@pytest.mark.parametrize("line", ["evaluate qrels.txt runs -m AP", "pack qrels.txt runs --no-pdf -o packs"])
def test_a_pipe_gets_no_progress(here, line) -> None:
    """The reader waits as long as a terminal would need to show a line."""
    patch = f"import time; wait = lambda *_, **__: time.sleep({3 * progress.FIRST / 2}); {READING}"
    code = WAITING.format(patch=patch)
    done = subprocess.run([sys.executable, "-c", code, *line.split()], capture_output=True, check=False)
    assert done.returncode == 0
    assert b"\r" not in done.stderr
    assert b" s: " not in done.stderr


def test_an_interruption_clears_the_line_and_leaves_no_half_package(here) -> None:
    patch = "import assay.reports.packages as p; p.zipped = lambda *_: time.sleep(99)"
    code, printed = on_terminal("pack qrels.txt runs --no-pdf -o packs", patch, "0/2 packages", end="\x03")
    assert code == 130
    assert screen(printed)[-2] == "assay: interrupted"
    assert list(Path("packs").iterdir()) == []


def test_a_report_that_is_interrupted_leaves_the_old_one(here) -> None:
    Path("out.html").write_text("old")
    patch = "import assay; assay.report = lambda *_, **__: time.sleep(99)"
    code, _ = on_terminal("report qrels.txt runs -o out.html", patch, "computing the report", end="\x03")
    assert (code, Path("out.html").read_text()) == (130, "old")
    assert not list(Path().glob("*.part"))


class Line(progress.Progress):
    """A line without a thread, whose text is looked at."""

    def __init__(self) -> None:
        super().__init__("assay compare")
        self._ended.set()


def test_the_line_names_the_stage_the_bar_and_what_was_read() -> None:
    line = Line()
    assert line.text() == "0 s: assay compare"
    line.begin("comparing")
    line.read("a.json", 3_400_000)
    assert line.text() == "0 s: comparing, 3 MB read, last a.json"
    line.begin("drawing")
    line.advance(1, 3, "pages", lambda: ", 2 workers")
    assert line.text().endswith(" 1/3 pages, 2 workers")
    assert line.text().count("━") == 10 or line.text().count("#") == 10
    line.advance(3, 3, "pages", str)
    assert line.text() == "0 s: drawing"
    line.advance(0, 1, "pages", str)
    assert line.text() == "0 s: drawing", "one thing needs no bar"


def test_of_several_files_the_line_counts_those_that_were_begun() -> None:
    line = Line()
    line.find(["a.json", "b.json"])
    line.read("a.json", 1_000_000)
    line.read("a.json", 1_000_000)
    assert line.text() == "0 s: assay compare, file 1 of 2, 2 MB read, last a.json"
    line.find(["b.json", "c.json"])  # a folder that is listed twice has no more files
    line.read("c.json", 0)
    assert line.text() == "0 s: assay compare, file 2 of 3, 2 MB read, last c.json"
    line.read("inside.json", 0)
    assert "file 3 of 4" in line.text(), "an archive has files that nobody foresaw"


def test_a_folder_of_logs_tells_how_many_files_it_has(tmp_path, monkeypatch) -> None:
    from assay.io import sources

    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text("{}")
    found: list[list[str]] = []
    monkeypatch.setattr(sources, "finder", found.append)
    sources.expand([str(tmp_path)])
    assert [[Path(name).name for name in names] for names in found] == [["a.json", "b.json"]]


def test_a_library_reports_to_nobody() -> None:
    progress.progress_bar("runs")(1, 2)
    progress.stage("comparing")
    progress.erase()
    progress.stop()
