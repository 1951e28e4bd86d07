"""What the commands' tests share: files in a folder of their own, and ways to run a command."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.cli import main

QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 2\n3 0 e 0\n"
GOOD = "1 Q0 a 1 9 good\n1 Q0 b 2 8 good\n2 Q0 d 1 9 good\n2 Q0 c 2 8 good\n3 Q0 e 1 1 good\n"
POOR = "1 Q0 b 1 9 poor\n1 Q0 a 2 8 poor\n9 Q0 z 1 1 poor\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with judgments and two ranked runs, that the command then runs in."""
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("runs").mkdir()
    Path("runs/good.run").write_text(GOOD)
    Path("runs/poor.run").write_text(POOR)
    return tmp_path


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Writes files into an empty folder that the command then runs in."""
    monkeypatch.chdir(tmp_path)

    def put(**texts: str) -> None:
        for name, text in texts.items():
            Path(name).write_text(text)

    return put


@pytest.fixture
def jsonl_files(files) -> Callable[..., None]:
    """The same for rows of JSON; what is text already is written as it stands."""

    def put(**contents: Any) -> None:
        for name, rows in contents.items():
            text = rows if isinstance(rows, str) else "".join(json.dumps(row) + "\n" for row in rows)
            files(**{f"{name}.jsonl": text})

    return put


@pytest.fixture
def run(capfd) -> Callable[..., tuple[int, str, str]]:
    """The exit code of a command, and what it printed."""

    def typed(*words: str) -> tuple[int, str, str]:
        code = main(list(words))
        return code, *capfd.readouterr()

    return typed


@pytest.fixture
def result(run) -> Callable[..., dict[str, Any]]:
    """What a command says in JSON."""

    def typed(*words: str) -> dict[str, Any]:
        code, out, err = run(*words, "-f", "json")
        assert code == 0, err
        return json.loads(out)

    return typed


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """A command in a process of its own."""

    def typed(*words: str, input: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        code = "import sys; from assay.cli import main; sys.exit(main())"
        return subprocess.run([sys.executable, "-c", code, *words], input=input, capture_output=True, check=False)

    return typed


@pytest.fixture
def trec_eval(files) -> Callable[..., int]:
    """Writes qrels and run, and calls `assay trec_eval` on them."""

    def typed(qrels: str, run: str, *flags: str) -> int:
        files(qrels=qrels, run=run)
        return main(["trec_eval", *flags, "qrels", "run"])

    return typed


@pytest.fixture
def printed(capfd) -> Callable[[], dict[tuple[str, str], str]]:
    """What `assay trec_eval` printed, by measure and topic."""

    def read() -> dict[tuple[str, str], str]:
        lines = capfd.readouterr().out.splitlines()
        return {(name.strip(), topic): value for name, topic, value in (line.split("\t") for line in lines)}

    return read
