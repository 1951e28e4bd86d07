"""`assay check`, as a person types it."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from assay.cli import main

GOOD = "1 Q0 a 1 9 one\n1 Q0 b 2 8 one\n2 Q0 a 1 9 one\n"


@pytest.fixture
def runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("good.run").write_text(GOOD)
    Path("bad.run").write_text("1 Q0 a 1 9 two\n1 Q0 a 2 8 two\n1 Q0 b 3\n")
    Path("tied.run").write_text("1 Q0 a 1 9 three\n1 Q0 b 2 9 three\n")
    Path("topics.txt").write_text("1\n2\n")
    Path("rules.toml").write_text("depth = 1\n")


def test_all_findings_of_all_files(runs, capfd) -> None:
    assert main(["check", "bad.run", "good.run", "tied.run"]) == 3
    out, err = capfd.readouterr()
    assert not err
    lines = out.splitlines()
    assert lines[:3] == [
        "1 of 3 files is not valid: bad.run; 1 of the others has warnings.",
        "3 files checked: 2 errors, 1 warning; 1 in order.",
        "",
    ]
    assert lines[3] == "bad.run: 2 errors, 0 warnings (trec-run, 3 lines, 1 topic, tag two)"
    assert lines[5].startswith("error duplicate, line 2: found document a a second time in topic 1, first on line 1;")
    assert lines[6].startswith("error fields, line 3: found 4 fields; expected 6 fields")
    assert "Fix: " in lines[6]


def test_warnings_alone_end_well(runs, capfd) -> None:
    assert main(["check", "tied.run"]) == 0
    assert main(["check", "good.run"]) == 0
    assert "good.run is valid: trec-run, 3 lines, 2 topics, tag one." in capfd.readouterr().out


def test_rules_topics_and_documents(runs, capfd) -> None:
    Path("docs.txt").write_text("a\n")
    assert main(["check", "good.run", "--rules", "rules.toml", "--topics", "topics.txt", "--docs", "docs.txt"]) == 3
    out = capfd.readouterr().out
    assert "error depth, line 1: found 2 documents for topic 1; expected at most 1 a topic." in out
    assert "warning unknown-document, line 2: found document b;" in out


def test_json_and_its_siblings(runs, capfd) -> None:
    assert main(["check", "bad.run", "-f", "json"]) == 3
    found = json.loads(capfd.readouterr().out)
    assert (found["errors"], found["files"][0]["findings"][0]["lines"]) == (2, [2])
    assert main(["check", "bad.run", "-f", "csv"]) == 3
    assert capfd.readouterr().out.splitlines()[0] == "file,line,level,kind,count,found,expected,mend"
    assert main(["check", "bad.run", "-o", "found.md"]) == 3
    assert Path("found.md").read_text().count("| error |") == 2


def test_standard_input_compressed_or_not(runs, capfd, monkeypatch) -> None:
    for data in (GOOD.encode(), gzip.compress(GOOD.encode())):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        assert main(["check", "-"]) == 0
        assert "<stdin> is valid: trec-run, 3 lines" in capfd.readouterr().out
    large = "".join(f"{t} Q0 d{t} 1 9 one\n" for t in range(200_000)) + "0 Q0 d0 2 8 one\n"
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(large.encode())))
    assert main(["check", "-"]) == 3, "what the core refused is read again"
    assert "error duplicate, line 200001" in capfd.readouterr().out


def test_rules_are_drafted_and_kept(runs, capfd) -> None:
    assert main(["check", "good.run", "--write-rules", "drafted.toml"]) == 0
    assert Path("drafted.toml").read_text().startswith("# Rules for submissions, drafted from good.run")
    assert main(["check", "good.run", "--rules", "drafted.toml"]) == 0
    capfd.readouterr()
    assert main(["check", "bad.run", "--write-rules", "-"]) == 0
    out, err = capfd.readouterr()
    assert "depth = 2" in out
    assert "has errors" in err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["*.none"], 3, "no file matches"),
        (["good.run", "--rules", "none.toml"], 3, "none.toml: cannot be read"),
        (["good.run", "--topics", "none.txt"], 3, "none.txt"),
        (["good.run", "--rules", "topics.txt"], 3, "topics.txt:1: is not TOML"),
        (["good.run", "bad.run", "--write-rules", "x.toml"], 2, "found 2 files"),
        (["good.run", "--write-rules", "good.run"], 2, "would overwrite the input good.run"),
        (["good.run", "--rules", "rules.toml", "-o", "rules.toml"], 2, "would overwrite the input rules.toml"),
        (["good.run", "--write-rules", "x.toml", "-f", "json"], 2, "cannot be combined with --rules"),
        (["-", "-"], 2, "can be given only once"),
    ],
)
def test_refused(runs, capfd, arguments, code, said) -> None:
    before = Path("good.run").read_text(), Path("rules.toml").read_text()
    assert main(["check", *arguments]) == code
    out, err = capfd.readouterr()
    assert said in err
    assert not out
    assert (Path("good.run").read_text(), Path("rules.toml").read_text()) == before
    assert not Path("x.toml").exists()


def test_ids_cannot_command_a_terminal(runs, capfd) -> None:
    Path("evil.run").write_text("1 Q0 \x1b[31m 1 9 t\n1 Q0 \x1b[31m 2 8 t\n")
    assert main(["check", "evil.run"]) == 3
    assert "\x1b" not in capfd.readouterr().out
