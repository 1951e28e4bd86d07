"""Standard streams that are closed, full, gone or in another encoding."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli import main, streams

CODE = "from assay.cli import console; console()"
EVALUATE = "evaluate qrels.txt runs/poor.run -m AP"
TABLE = "run   topics      AP\npoor       3  0.1667\n"
PRINTING = [
    "--help",
    "--version",
    "evaluate --help",
    "trec_eval -h",
    "measures",
    EVALUATE,
    "trec_eval qrels.txt runs/good.run",
]


def shell(words: str, *redirections: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command typed into a shell, which can close a stream."""
    line = f'"{sys.executable}" -c "{CODE}" {words} {" ".join(redirections)}'
    variables = {**os.environ, **environment}
    return subprocess.run(
        line, shell=True, capture_output=True, check=False, env=variables, encoding="utf-8", errors="replace"
    )


def test_without_standard_error_results_are_results_alone(here) -> None:
    done = shell(EVALUATE, "2>&-")
    assert (done.returncode, done.stdout) == (0, TABLE)
    for words in ("evaluate qrels.txt nowhere.run", "evaluate qrels.txt runs --no-such-option", "nonsense"):
        done = shell(words, "2>&-")
        assert done.returncode in (2, 3)
        assert done.stdout == ""


def test_a_file_does_not_become_a_closed_stream(here) -> None:
    """The first file opened would get the number of standard error, and with it what is written there."""
    done = shell(f"{EVALUATE} -o out.txt", "<&-", ">&-", "2>&-")
    assert done.returncode == 0
    assert Path("out.txt").read_text() == TABLE


@pytest.mark.parametrize("words", PRINTING)
def test_standard_output_that_cannot_take_it(here, words) -> None:
    done = shell(words, ">&-")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        3,
        "assay: standard output: cannot be written: it is closed",
    )
    if Path("/dev/full").is_char_device():
        done = shell(words, ">/dev/full")
        assert done.returncode == 3
        assert done.stderr.splitlines()[-1] == "assay: standard output: cannot be written: No space left on device"
        assert "Traceback" not in done.stderr


def test_standard_error_that_is_full_or_gone_costs_no_result(here) -> None:
    for unable in ("2>/dev/full", "2>&1 >result | true; cat result"):
        if "full" in unable and not Path("/dev/full").is_char_device():
            continue
        assert shell(EVALUATE, unable).stdout == TABLE


def test_a_gate_fails_though_nobody_reads_why(here) -> None:
    Path("ap.csv").write_text("topic,new,old\n" + "".join(f"{i},0.1,0.9\n" for i in range(30)))
    words = "compare --scores ap.csv --baseline old --fail-if-worse"
    assert shell(words).returncode == 1
    line = f'{{ "{sys.executable}" -c "{CODE}" {words}; echo $? >code; }} | true'
    subprocess.run(line, shell=True, capture_output=True, check=False)
    assert Path("code").read_text() == "1\n"


def test_standard_input_that_is_closed(here) -> None:
    done = shell("evaluate qrels.txt -", "<&-")
    assert done.returncode == 3
    assert done.stderr.startswith("assay: <stdin>: cannot be read")


def test_a_stream_of_text_without_bytes(here) -> None:
    import contextlib
    import io

    for words in (["--version"], EVALUATE.split(), ["measures", "AP"]):
        with contextlib.redirect_stdout(io.StringIO()) as held:
            assert main(words) == 0
        assert held.getvalue()
    with contextlib.redirect_stdout(io.StringIO()) as held:
        streams.write_out(b"{}")
    assert held.getvalue() == "{}"


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
    @pytest.mark.parametrize(
        "words",
        [
            "evaluate qrels.txt runs -m AP -q",
            "measures",
            "trec_eval -h -m all_trec",
            "report qrels.txt runs --trials 0",
        ],
    )
    def test_a_pipe_gets_the_same_bytes_whatever_the_locale(self, here, words, encoding) -> None:
        Path("runs/poor.run").write_text(Path("runs/poor.run").read_text().replace("poor", "pööř"))
        usual = shell(words, PYTHONIOENCODING="utf-8")
        other = shell(words, PYTHONIOENCODING=encoding, LC_ALL="C")
        assert usual.returncode == other.returncode == 0, other.stderr
        assert usual.stdout == other.stdout

    def test_a_terminal_gets_its_own(self, monkeypatch) -> None:
        import io

        class Terminal(io.TextIOWrapper):
            def isatty(self) -> bool:
                return True

        for encoding, expected in (("latin-1", b"caf\xe9 * ?"), ("ascii", b"caf? * ?"), ("UTF-8", "café ● ★".encode())):
            terminal = Terminal(io.BytesIO(), encoding=encoding)
            monkeypatch.setattr(sys, "stdout", terminal)
            streams.write_out("café ● ★")
            assert terminal.buffer.getvalue() == expected  # type: ignore[attr-defined]

    def test_half_a_character_is_no_traceback(self, here, capfd) -> None:
        Path("s.json").write_text('{"runs": [{"run": "a\\ud800", "topics": {"1": {"AP": 0.5}}}]}')
        for format in ("table", "csv", "json", "markdown", "latex"):
            assert main(["evaluate", "--scores", "s.json", "-f", format, "-o", f"out.{format}"]) == 0
        assert "a\\ud800" in Path("out.csv").read_text()
        assert main(["evaluate", "--scores", "s.json", "-f", "parquet", "-o", "out.parquet"]) == 3
        assert "Traceback" not in capfd.readouterr().err
