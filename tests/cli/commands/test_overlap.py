"""`assay overlap`, as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.cli import main


@pytest.fixture
def runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("one.run").write_text("q Q0 a 1 2 one\nq Q0 b 2 1 one\n")
    Path("two.run").write_text("q Q0 b 1 2 two\nq Q0 a 2 1 two\n")


def test_a_row_per_pair(runs, capfd):
    assert main(["overlap", "one.run", "two.run", "-p", "0.5"]) == 0
    finding, _, header, row = capfd.readouterr().out.splitlines()
    assert finding == "one and two have a rank-biased overlap of .50 on 1 topic and share 2 documents a topic."
    assert header.split()[:3] == ["first", "second", "topics"]
    assert row.split()[:4] == ["one", "two", "1", "0.5000"]


def test_a_row_per_topic_and_json(runs, capfd):
    assert main(["overlap", "one.run", "two.run", "-q", "-f", "csv"]) == 0
    assert [line.split(",")[2] for line in capfd.readouterr().out.splitlines()] == ["topic", "q", "all"]
    assert main(["overlap", "one.run", "two.run", "--depth", "1", "-f", "json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["depth"], found["pairs"][0]["rbo"]) == (1, 0.0)


def test_p_mrr(runs, capfd):
    Path("follow.run").write_text("q-og Q0 a 1 2 f\nq-og Q0 b 2 1 f\nq-changed Q0 b 1 2 f\nq-changed Q0 a 2 1 f\n")
    Path("changed.txt").write_text("q a\n")
    assert main(["overlap", "follow.run", "--changed", "changed.txt", "-f", "tsv"]) == 0
    assert capfd.readouterr().out.splitlines()[1].split("\t") == ["f", "1", "0", "0.5"]


def test_runs_are_named_by_their_files(runs, capfd):
    Path("three.run").write_text("q Q0 b 1 2 two\nq Q0 a 2 1 two\n")
    assert main(["overlap", "one.run", "three.run", "--name-by", "file", "-f", "json"]) == 0
    (pair,) = json.loads(capfd.readouterr().out)["pairs"]
    assert (pair["first"], pair["second"]) == ("one", "three")
    assert main(["overlap", "two.run", "three.run"]) == 0
    assert capfd.readouterr().err == "assay: 2 runs are all called 'two'; naming them by file name\n"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["one.run"], 2, "expected at least 2 runs to compare, found 1"),
        (["one.run", "two.run", "-p", "1"], 2, "between 0 and 1"),
        (["one.run", "two.run", "--depth", "0"], 2, "at least 1"),
        (["one.run", "none.run"], 3, "none.run"),
        (["one.run", "--changed", "none.txt"], 3, "none.txt"),
        (["one.run", "--changed", "one.run"], 3, "one.run:1: expected"),
        (["one.run", "--changed", "one.run", "-q"], 2, "cannot be combined with -q"),
    ],
)
def test_refused(runs, capfd, arguments, code, said):
    assert main(["overlap", *arguments]) == code
    out, err = capfd.readouterr()
    assert said in err
    assert not out
