"""Where a command writes, in which format, and what happens when it cannot."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli import main


def test_markdown_and_latex(here, capfd) -> None:
    Path("runs/poor.run").write_text(Path("runs/poor.run").read_text().replace("poor", "po_or|&"))
    assert main(["evaluate", "qrels.txt", "runs", "-m", "P@1", "-f", "markdown"]) == 0
    assert capfd.readouterr().out == (
        "| run | topics | P@1 |\n| --- | --: | --: |\n| good | 3 | **0.6667** |\n| po_or\\|& | 3 | 0.0000 |\n"
    )
    assert main(["evaluate", "qrels.txt", "runs", "-m", "P@1", "-f", "latex"]) == 0
    out = capfd.readouterr().out
    assert r"good & 3 & \textbf{0.6667} \\" in out
    assert r"po\_or|\& & 3 & 0.0000 \\" in out


def test_parquet_and_formats_by_the_ending(here) -> None:
    polars = pytest.importorskip("polars")
    assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-o", "scores.parquet"]) == 0
    frame = polars.read_parquet("scores.parquet")
    assert frame.columns == ["run", "topic", "status", "AP"]
    assert frame["AP"].to_list() == [1.0, 1.0, None, 0.5, 0.0, None]
    assert frame["status"].to_list() == ["scored"] * 3 + ["scored", "missing", "missing"]
    assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-o", "scores.json"]) == 0
    assert json.loads(Path("scores.json").read_text())["task"] == "ranked"


def test_a_closed_pipe_is_no_traceback(here) -> None:
    Path("big.txt").write_text("".join(f"{t} 0 d 1\n" for t in range(20000)))
    Path("big.run").write_text("".join(f"{t} Q0 d 1 1 r\n" for t in range(20000)))
    code = "import sys; from assay.cli import main; sys.exit(main(['evaluate', 'big.txt', 'big.run', '-q']))"
    shell = subprocess.run(
        f'{sys.executable} -c "{code}" | head -n 1', shell=True, capture_output=True, text=True, check=False
    )
    assert shell.stdout.startswith("run")
    assert "Traceback" not in shell.stderr
    assert "Exception" not in shell.stderr


class TestWritingWhereItIsAsked:
    def test_a_link_stays_a_link(self, here) -> None:
        Path("real.json").write_text("old")
        Path("link.json").symlink_to("real.json")
        assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-o", "link.json"]) == 0
        assert Path("link.json").is_symlink()
        assert json.loads(Path("real.json").read_text())["task"] == "ranked"

    def test_a_file_keeps_its_mode(self, here) -> None:
        Path("out.json").write_text("old")
        Path("out.json").chmod(0o640)
        assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-o", "out.json"]) == 0
        assert Path("out.json").stat().st_mode & 0o777 == 0o640

    def test_a_pipe_is_written_to_and_not_replaced(self, here) -> None:
        import os
        import stat
        import threading

        os.mkfifo("pipe")
        read: list[str] = []
        reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text()))
        reader.start()
        assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-f", "tsv", "-o", "pipe"]) == 0
        reader.join()
        assert read[0].startswith("run\ttopics\tAP")
        assert stat.S_ISFIFO(Path("pipe").stat().st_mode)

    def test_a_full_device_is_an_error_not_a_traceback(self, here) -> None:
        if not Path("/dev/full").is_char_device():
            pytest.skip("no /dev/full here")
        with open("/dev/full", "w") as full:
            code = (
                "import sys; from assay.cli import main; sys.exit(main(['evaluate', 'qrels.txt', 'runs', '-m', 'AP']))"
            )
            result = subprocess.run(
                [sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        assert result.returncode == 3
        assert "standard output: cannot be written" in result.stderr
        assert "Traceback" not in result.stderr


def test_ids_that_are_not_utf_8_make_valid_json(here, capfdbinary) -> None:
    Path("odd.txt").write_bytes(b"q\xff 0 d 1\n")
    Path("odd.run").write_bytes(b"q\xff Q0 d 1 1 r\n")
    assert main(["evaluate", "odd.txt", "odd.run", "-m", "AP", "-q", "-f", "json"]) == 0
    assert list(json.loads(capfdbinary.readouterr().out.decode())["runs"][0]["topics"]) == ["q\udcff"]
    assert main(["evaluate", "odd.txt", "odd.run", "-m", "AP", "-o", "odd.parquet"]) == 3
