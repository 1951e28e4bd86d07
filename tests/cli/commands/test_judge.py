"""`assay judge`: a real process, judged into over HTTP, ended by Ctrl-C or killed, and begun again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from assay.cli import main
from assay.demo.data import organising
from assay.io.loopback_server import Server

SOURCE = Path(__file__).parents[3] / "src"
PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell lets what it starts in the background ignore
from assay.cli import main
sys.exit(main())
"""
WORDS = ["judge", "pool.jsonl", "--topics", "topics.jsonl", "--docs", "docs.jsonl"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, content in organising(2001).items():
        if not name.endswith(".judgments.jsonl"):  # what others have judged
            (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Running:
    """The command as somebody starts it."""

    def __init__(self, *more):
        words = [sys.executable, "-c", PROGRAM, *WORDS, *more]
        own = {**os.environ, "PYTHONPATH": str(SOURCE)}
        self.process = subprocess.Popen(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=own)
        self.link = self.process.stdout.readline().strip()

    def ask(self, path, sent=None):
        own = {"Origin": self.link.rsplit("/", 2)[0], "Content-Type": "application/json"}
        body = None if sent is None else json.dumps(sent).encode()
        request = urllib.request.Request(self.link + path, body, own if sent else {})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def judge(self, view, grade):
        return self.ask(
            "judge.json", {"topic": view["topic"]["id"], "document": view["document"]["id"], "grade": grade}
        )

    def end(self, how):
        self.process.send_signal(how)
        _, said = self.process.communicate(timeout=30)
        return self.process.returncode, said


def test_killed_at_any_time_it_goes_on_where_it_was(folder) -> None:
    """Every judgment that was answered is in the file, and the next sitting begins behind it."""
    first = Running("--judge", "ann")
    view = first.ask("start.json")
    seen = []
    for grade in (0, 3, 1, 2, 0):
        seen.append((view["topic"]["id"], view["document"]["id"], grade))
        view = first.judge(view, grade)
    code, _ = first.end(signal.SIGKILL)
    assert code == -signal.SIGKILL
    lines = [json.loads(line) for line in (folder / "ann.judgments.jsonl").read_text().splitlines()]
    assert [(line["topic"], line["document"], line["grade"]) for line in lines] == seen
    with (folder / "ann.judgments.jsonl").open("ab") as file:
        file.write(b'{"topic": "1", "docu')
    second = Running("--judge", "ann")
    again = second.ask("start.json")
    assert (again["place"], again["done"], again["document"]) == (5, 5, view["document"])
    second.judge(again, 1)
    code, said = second.end(signal.SIGINT)
    assert code == 0
    assert "Traceback" not in said
    assert "ann.judgments.jsonl:6: is incomplete because a process was killed" in said
    assert "ann judges into ann.judgments.jsonl: 5 of 24 documents are judged" in said
    assert "1 more documents judged in this sitting, 6 of 24 in all, 18 are left; saved in ann.judgments.jsonl" in said
    assert main(["judge", "pool.jsonl", "--judge", "ann", "--qrels", "ann.qrels"]) == 0
    assert len((folder / "ann.qrels").read_text().splitlines()) == 6


def test_two_processes_on_one_file_are_refused(folder, capsys) -> None:
    running = Running("--judge", "ann")
    try:
        assert main([*WORDS, "--judge", "ann"]) == 3
        assert (
            "another assay judge. Fix: stop that one, or use a file for each person (--judge bob)"
            in capsys.readouterr().err
        )
    finally:
        running.end(signal.SIGINT)


def test_documents_without_a_text_are_counted(folder) -> None:
    lines = (folder / "docs.jsonl").read_text().splitlines(keepends=True)
    (folder / "docs.jsonl").write_text("".join(lines[:20]))
    running = Running("--judge", "ann", "--scale", "0=no,1=yes")
    assert running.ask("start.json")["scale"] == [[0, "no", "0"], [1, "yes", "1"]]
    _, said = running.end(signal.SIGINT)
    assert "4 documents have no text" in said


def test_the_judgments_of_two_are_compared_and_leave_the_next_pool(folder, capsys) -> None:
    pool = [json.loads(line) for line in (folder / "pool.jsonl").read_text().splitlines()]
    for judge, slip in (("ann", 0), ("bob", 1)):
        rows = [
            {**pair, "grade": (place + (slip if place < 6 else 0)) % 3, "judge": judge}
            for place, pair in enumerate(pool)
        ]
        (folder / f"{judge}.judgments.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["agree", "ann.judgments.jsonl", "bob.judgments.jsonl", "--pool", "pool.jsonl", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["coefficients"]["raw"]["value"] == 18 / 24
    assert main(["judge", "pool.jsonl", "--judgments", "ann.judgments.jsonl", "--qrels", "ann.qrels"]) == 0
    runs = "".join(
        f"1 Q0 {pair['document']} 1 {9 - place} r\n" for place, pair in enumerate(pool) if pair["topic"] == "1"
    )
    (folder / "r.run").write_text(runs + "1 Q0 new 1 0.5 r\n")
    capsys.readouterr()
    assert main(["pool", "r.run", "--exclude", "ann.qrels"]) == 0
    assert capsys.readouterr().out == '{"topic": "1", "document": "new"}\n'
    assert main(["pool", "r.run", "--exclude", "ann.judgments.jsonl"]) == 0
    assert capsys.readouterr().out == '{"topic": "1", "document": "new"}\n'
    for gold in ("ann.qrels", "ann.judgments.jsonl"):
        assert main(["evaluate", gold, "r.run", "-f", "csv"]) == 0
    qrels, ledger = capsys.readouterr().out.split("run,topics", 2)[1:]
    assert qrels == ledger


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["judge", "pool.jsonl"], 2, "expected --topics FILE"),
        (["judge", "pool.jsonl", "--qrels", "x.qrels"], 2, "--qrels needs --judgments FILE or --judge NAME"),
        (["judge", "pool.jsonl", "--judge", "ann", "--qrels", "x.qrels"], 3, "has no judgments of this pool"),
        (["judge", "pool.jsonl", "--judgments", "x.jsonl", "--qrels", "x.qrels"], 3, "x.jsonl: does not exist"),
        ([*WORDS, "--scale", "0,1,-1,-2"], 2, "at most one below 0"),
        (["judge", "pool.jsonl", "--judge", "ann", "--qrels", "pool.jsonl"], 2, "would overwrite the input pool.jsonl"),
        ([*WORDS, "--scale", "0-99"], 2, "--scale 0-99"),
        ([*WORDS[:3], "nowhere.txt"], 3, "nowhere.txt: cannot be read"),
        (["judge", "nowhere.jsonl", "--topics", "topics.jsonl"], 3, "nowhere.jsonl: cannot be read"),
        ([*WORDS, "--judge", "ann", "--judgments", "late.run"], 3, "late.run:1: is not a file of assay judge"),
        ([*WORDS[:3], "topics.txt"], 3, "topics.txt:1: found '1'"),
    ],
)  # fmt: skip
def test_what_is_refused(folder, capsys, words, code, told) -> None:
    assert main(words) == code
    assert told in capsys.readouterr().err


def test_a_port_that_is_taken_is_refused_before_anything_is_read(capsys) -> None:
    taken = Server(lambda path: None)
    try:
        assert main(["judge", "nowhere", "--topics", "nothing", "--port", str(taken.port)]) == 3
        assert f"port {taken.port}: cannot be listened on" in capsys.readouterr().err
    finally:
        taken.close()


def test_the_link_is_opened_where_that_is_asked_for(folder, monkeypatch, capsys) -> None:
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(Server, "run", Server.close)
    assert main([*WORDS, "--judge", "ann", "--open"]) == 0
    assert opened == [capsys.readouterr().out.strip()]
    assert main([*WORDS, "--judge", "ann"]) == 0
    assert len(opened) == 1
