"""`assay view`: the link on standard output, the pages behind it, and the end by Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from assay.cli import main
from assay.io.loopback_server import Server

SOURCE = Path(__file__).parents[3] / "src"
PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell lets what it starts in the background ignore
from assay.cli import main
sys.exit(main())
"""


@pytest.fixture
def link(here):
    words = [
        sys.executable,
        "-c",
        PROGRAM,
        "view",
        "qrels.txt",
        "runs",
    ]
    with subprocess.Popen(
        words, cwd=here, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(SOURCE)}
    ) as process:  # fmt: skip
        yield process.stdout.readline().strip()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
        assert process.returncode == 0
        assert "Traceback" not in said
        assert "Ctrl-C ends it" in said
    assert {path.name for path in here.iterdir()} == {"qrels.txt", "runs"}


def read(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return answer.read()


def test_pages_are_built_when_they_are_asked_for(link) -> None:
    assert link.startswith("http://127.0.0.1:")
    assert b"<title>" in read(link)
    found = json.loads(read(f"{link}sheet/run/good.json"))
    assert found["sheet"]["title"] == "good"
    assert json.loads(read(f"{link}sheet/values.json"))["sheet"]["runs"] == ["good", "poor"]
    with pytest.raises(urllib.error.HTTPError, match="404"):
        read(f"{link}sheet/run/nobody.json")
    with pytest.raises(urllib.error.HTTPError, match="403"):
        read(link.rsplit("/", 2)[0] + "/")


def test_what_is_refused(here, capsys) -> None:
    assert main(["view", "qrels.txt", "runs", "--trials", "-1"]) == 2
    assert "--trials" in capsys.readouterr().err
    assert main(["view", "nowhere.txt", "runs"]) == 3
    assert main(["view", "qrels.txt", "runs", "--port", "70000"]) == 3
    assert "port 70000: cannot be listened on" in capsys.readouterr().err


def test_a_port_that_is_taken_is_refused_before_anything_is_read(capsys) -> None:
    taken = Server(lambda path: None)
    try:
        assert main(["view", "nowhere.txt", "nothing", "--port", str(taken.port)]) == 3
        assert f"port {taken.port}: cannot be listened on" in capsys.readouterr().err
    finally:
        taken.close()
