"""Bad input gets a clear error: file, line, what was found and expected; exit code 3; nothing written.

`tests/support/hostile.py` holds the table of hostile files; every command that reads a role is given every one of them.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import re
from pathlib import Path

import hostile
import pytest

import assay
from assay.cli import main

QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n"
RUN = "1 Q0 a 1 2.0 t\n2 Q0 c 1 1.0 t\n"


def evaluate(tmp_path, qrels: str | bytes = QRELS, run: str | bytes = RUN, *flags: str) -> int:
    for name, content in (("qrels", qrels), ("run", run)):
        data = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(data)
    return main(["evaluate", str(tmp_path / "qrels"), str(tmp_path / "run"), "-o", str(tmp_path / "out"), *flags])


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("1 Q0 a 1 2.0 t\n1 Q0 b 1 2.0\n", "run:2: expected 6 fields (topic, Q0, document, rank, score, tag), found 5"),
        ("1 Q0 a 1 2.0 t extra\n", "run:1: expected 6 fields (topic, Q0, document, rank, score, tag), found 7"),
        ("# c\n\n1 Q0 a 1 abc t\n", "run:3: expected a number as score (field 5), found 'abc'"),
        ("1 Q0 a 1 nan t\n", "run:1: expected a number as score (field 5), found 'nan'"),
        ("1 Q0 a 1 0x1 t\n", "found '0x1'"),
        (
            "1 Q0 a 1 2 t\n2 Q0 c 1 1 t\n1 Q0 a 9 1 t\n",
            "run:3: document a appears a second time in topic 1, first on line 1",
        ),
        ("", "run: is empty; expected lines of 6 fields"),
        ("# only a comment\n", "run: is empty"),
        (b"\x7fELF\0\0\0", "run:1: found a zero byte: not a text file"),
        ("1 Q0 a 1 2 t\n".encode("utf-16-le"), "run:1: found a zero byte"),
        ("301 Q0 a 1 2 t\n", "no topic in common with"),
        (gzip.compress(RUN.encode(), mtime=0)[:-9], "the gzip data is damaged: ends too early"),
        (gzip.compress(RUN.encode() * 9, mtime=0)[:20] + b"garbage that is not deflate", "the gzip data is damaged"),
        ('{"1": {"a": "x"}}', "topic 1: document a: expected a number as score, found 'x'"),
        ('{"1": [1.5]}', "topic 1: found 1.5 as an id; expected text"),
        ('{"1": {"a": 1,}}', "run:1: broken JSON"),
        ('{"1": {"a": 1, "a": 2}}', "the key 'a' appears twice"),
        ('{"1": {"a": NaN}}', "the score is NaN"),
    ],
)
def test_a_run(tmp_path, capfd, run, message) -> None:
    assert evaluate(tmp_path, QRELS, run) == 3
    out, err = capfd.readouterr()
    assert message in err
    assert out == ""
    assert "Traceback" not in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["qrels", "run"]


@pytest.mark.parametrize(
    ("qrels", "message"),
    [
        ("1 0 a 1\n1 0 b\n", "qrels:2: expected 4 fields (topic, iteration, document, grade), found 3"),
        ("1 0 a 0.9\n", "qrels:1: expected a whole number as grade (field 4), found '0.9'"),
        ("1 0 a 12345678901\n", "found '12345678901'"),
        ("1 0 a 1\n2 0 a 1\n1 0 a 0\n", "qrels:3: document a appears a second time in topic 1, first on line 1"),
        ("", "qrels: is empty; expected lines of 4 fields"),
        (b"1 0 a 1\n\0", "qrels:2: found a zero byte"),
        ('{"1": {"a": 0.5}}', "topic 1: document a: expected a whole number as grade, found 0.5"),
        ('{"1": {"a": 1e12}}', "expected a whole number as grade"),
        ('{"1": 3}', "or judgments of documents (qrels); found JSON with 1"),
    ],
)
def test_judgments(tmp_path, capfd, qrels, message) -> None:
    assert evaluate(tmp_path, qrels) == 3
    assert message in capfd.readouterr().err


def test_folders_and_files_that_are_not_there(tmp_path, capfd) -> None:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "empty").mkdir()
    for arguments, message in (
        (["qrels", "nosuch.run"], "nosuch.run: cannot be read: No such file or directory"),
        (["empty", "qrels"], "empty: is a folder; expected a file"),
        (["qrels", "empty"], "empty: is a folder without files"),
        (["qrels", "no*.run"], "no file matches this pattern"),
    ):
        assert main(["evaluate", *(str(tmp_path / name) for name in arguments)]) == 3
        assert message in capfd.readouterr().err


def test_an_output_that_cannot_be_written(tmp_path, capfd) -> None:
    assert evaluate(tmp_path, QRELS, RUN, "-o", str(tmp_path / "no" / "such" / "out.json")) == 3
    assert "cannot be written" in capfd.readouterr().err


def test_lines_are_physical_lines_whatever_the_chunks(tmp_path, capfd, monkeypatch) -> None:
    from assay.io import sources

    monkeypatch.setattr(sources, "CHUNK", 7)
    run = "1 Q0 a 1 2.0 t\r\n\r\n# comment\r\n1 Q0 b 1 x t\r\n"
    assert evaluate(tmp_path, QRELS, run) == 3
    assert "run:4: expected a number" in capfd.readouterr().err


@pytest.mark.parametrize(
    "compress", [gzip.compress, lzma.compress, bz2.compress, lambda d: gzip.compress(d[:9]) + gzip.compress(d[9:])]
)
def test_compressed_input_is_read_whatever_its_name(tmp_path, compress) -> None:
    (tmp_path / "r").write_bytes(compress(RUN.encode()))
    (tmp_path / "q").write_bytes(compress(QRELS.encode()))
    assert assay.evaluate(tmp_path / "q", tmp_path / "r", ["RR"]).mean("RR") == {"t": 1.0}


def test_zstd(tmp_path) -> None:
    zstandard = pytest.importorskip("zstandard")
    (tmp_path / "r").write_bytes(zstandard.compress(RUN.encode()))
    (tmp_path / "q").write_text(QRELS)
    assert assay.evaluate(tmp_path / "q", tmp_path / "r", ["RR"]).mean("RR") == {"t": 1.0}


class TestFilesUsersReallyHad:
    """robustness/issues: each gets the outcome its INDEX.csv argues for, or a clear error."""

    @pytest.fixture
    def issue(self, shared_data):
        return lambda name: shared_data("robustness", "issues", name)

    @pytest.mark.parametrize("name", ["anserini-476.duplicate_docs.run", "anserini-720.duplicate_docs_deep.run"])
    def test_duplicate_documents_are_refused(self, issue, tmp_path, capfd, name) -> None:
        topics = {line.split()[0] for line in issue(name).read_text().splitlines()}
        (tmp_path / "qrels").write_text("".join(f"{t} 0 x 1\n" for t in topics))
        assert main(["evaluate", str(tmp_path / "qrels"), str(issue(name))]) == 3
        assert f"{name}:2: document" in capfd.readouterr().err

    @pytest.mark.parametrize(("run", "expected"), [("run1", 1.0), ("run2", 0.6309)])
    def test_ties_go_to_the_greater_id(self, issue, run, expected) -> None:
        scores = assay.evaluate(issue("trec_eval-22.qrel"), issue(f"trec_eval-22.{run}"), ["nDCG"])
        assert round(scores.mean("nDCG")[run], 4) == expected

    def test_tied_scores_and_numeric_ids(self, issue) -> None:
        scores = assay.evaluate(issue("ir_measures-18.qrel"), issue("ir_measures-18.run"), ["P@1"])
        assert scores.mean("P@1") == {"run": 1.0}

    def test_seven_columns_are_refused_but_read_as_trec_eval_reads_them(self, issue, capfd) -> None:
        qrels, run = str(issue("trec_eval-29.negative_rel.qrel")), str(issue("trec_eval-29.seven_columns.run"))
        assert main(["evaluate", qrels, run]) == 3
        assert "found 7" in capfd.readouterr().err
        for flags, expected in (([], "0.0000"), (["-J"], "1.0000")):
            assert main(["trec_eval", *flags, "-m", "P.1", qrels, run]) == 0
            assert capfd.readouterr().out.split("\t")[-1].strip() == expected

    def test_comma_in_a_document_id(self, issue) -> None:
        judged = {"2790": {"IPCC_supplementary_report,_1992": 1}}
        scores = assay.evaluate(judged, issue("pyserini-1756.comma_in_docid.run"), ["RR"])
        assert scores.mean("RR") == {"rank": 1.0}

    def test_scores_of_zero_and_a_cutoff_of_zero(self, issue) -> None:
        qrels, run = issue("ranx-51.qrels.json"), issue("ranx-51.zero_scores.run.json")
        assert list(assay.evaluate(qrels, run, ["R@2"]).mean("R@2").values()) == [1.0]
        with pytest.raises(assay.UsageError, match="at least 1"):
            assay.evaluate(qrels, run, ["R@0"])

    def test_an_empty_result_list_and_a_grade_written_as_float(self, issue) -> None:
        scores = assay.evaluate(issue("ranx-67.float_rel.qrels.json"), issue("ranx-67.empty_results.run.json"), ["AP"])
        assert list(scores.mean("AP").values()) == [0.0]

    def test_a_topic_without_judgments_does_not_touch_the_others(self, issue) -> None:
        judged = json.loads(issue("pytrec_eval-49.empty_topic.qrels.json").read_text())
        run = {topic: {"d1": 3.0, "d2": 2.0, "d3": 1.0} for topic in judged}
        scores = assay.evaluate(issue("pytrec_eval-49.empty_topic.qrels.json"), run, ["AP", "P@1"])
        assert scores.values("AP", "run") == {"q1": 0.5, "q2": None, "q3": pytest.approx((1 / 2 + 2 / 3) / 2)}
        assert scores.value("run", "AP").undefined == 1


def test_duplicate_judgments_do_not_inflate_the_ideal(tmp_path, capfd) -> None:
    assert evaluate(tmp_path, "1 0 a 1\n1 0 a 1\n") == 3
    assert "qrels:2" in capfd.readouterr().err


CELLS = {
    (command, role, name): (content, exceptions.get(command, (3, pattern)))
    for role, name, content, pattern, exceptions in hostile.rows()
    for command in hostile.ROLES[role][1]
}


def test_the_table_is_as_large_as_it_says() -> None:
    assert len(CELLS) >= 300
    assert len(CELLS) == sum(len(hostile.ROLES[role][1]) for role, *_ in hostile.rows()), "a name is given twice"


@pytest.mark.parametrize("command", sorted({command for command, _, _ in CELLS}))
def test_hostile_files(command, tmp_path, monkeypatch, capfd, subtests) -> None:
    cells = [(role, name, *cell) for (given, role, name), cell in CELLS.items() if given == command]
    for number, (role, name, content, answer) in enumerate(cells):
        with subtests.test(f"{role}-{name}"):
            folder = tmp_path / str(number)
            folder.mkdir()
            monkeypatch.chdir(folder)
            check_hostile(command, role, content, answer, capfd)


def check_hostile(command: str, role: str, content: bytes, answer: tuple[int, str], capfd) -> None:
    good = {"qrels": hostile.QRELS, "run": hostile.RUN, "other": hostile.OTHER, "gold": hostile.GOLD}
    for name, text in {**good, "answers": hostile.ANSWERS}.items():
        Path(name).write_text(text)
    Path("hostile").write_bytes(content)
    there = sorted(path.name for path in Path().iterdir())
    words = ["hostile" if word.isupper() else word for word in hostile.ROLES[role][0].split()]
    output = ["-o", "out.txt"]
    if command == "trec_eval":
        words, output = words[:2], []
    code, (out, err) = main([command, *words, *hostile.EXTRA.get(command, []), *output]), capfd.readouterr()
    assert (code, "Traceback" in err) == (answer[0], False), err
    if code:
        assert out == ""
        assert re.search(answer[1], err), err[-300:]
        assert sorted(path.name for path in Path().iterdir()) == there


ABSURD = 9 * 10**18
OPTIONS = [
    ("compare --scores scores --resamples {n}", r"--resamples \d+: would need about [\d,]+ TB of memory"),
    ("threshold gold answers --resamples {n}", r"--resamples \d+: would take about [\d,]+ years of one processor"),
    ("price gold answers --resamples {n}", r"--resamples \d+: would (take|need) about"),
    ("reliability --scores scores --trials {n}", r"--trials \d+: would take about [\d,]+ years of one processor"),
    ("report --scores scores --trials {n}", r"--trials \d+: would (take|need) about"),
    ("evaluate qrels run --task filtering --periods times --period-count {n}", r"--period-count \d+: expected .* to 10,000"),
    ("compare --scores scores --resamples -{n}", "--resamples -.* too few"),
    ("reliability --scores scores --trials -{n}", "--trials -.*: expected a whole number of at least 1"),
    ("reliability --scores scores --size {n}", r"--size \d+: "),
    ("evaluate qrels run -m P@{digits}", "P@"),
    ("evaluate qrels run --depth {digits}", "--depth"),
    ("evaluate qrels run --level {digits}", "--level"),
    ("compare --scores scores --seed {digits}", "--seed"),
    ("compare --scores scores --resamples {digits}", "--resamples"),
    ("compare --scores scores --confidence nan", "--confidence nan"),
    ("compare --scores scores --tie nan", "--tie nan"),
    ("plan --variance inf --difference 0.1", "--variance inf"),
    ("plan --variance 0.1 --difference nan", "--difference nan"),
    ("plan --variance 0.1 --difference 1e-300", "topics would be needed"),
    ("threshold gold answers --folds -{n}", "--folds -"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "pattern"), OPTIONS)
def test_absurd_options(tmp_path, monkeypatch, capfd, line, pattern) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("qrels", "run", "gold", "answers"):
        Path(name).write_text(getattr(hostile, name.upper()))
    Path("scores").write_text(hostile.MATRIX)
    Path("times").write_text("".join(f"{document} {i}\n" for i, document in enumerate("abcdef")))
    try:
        code = main([*line.format(n=ABSURD, digits=hostile.DIGITS).split(), "-o", "out.txt"])
    except SystemExit as stop:
        code = stop.code
    out, err = capfd.readouterr()
    assert (code, out, Path("out.txt").exists()) == (2, "", False), err
    assert re.search(pattern, err), err[-300:]


def test_a_folder_that_cannot_be_read(tmp_path, monkeypatch, capfd) -> None:
    """Told by the system, which lets root read everything: simulated."""
    import os

    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("runs").mkdir()

    def refused(path: str = ".") -> list[str]:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "listdir", refused)
    assert main(["evaluate", "qrels", "runs"]) == 3
    err = capfd.readouterr().err
    assert err.startswith("assay: runs: ")
    assert err.endswith("Permission denied\n")


def test_a_tag_that_is_not_utf_8_in_parquet(tmp_path, monkeypatch, capfd) -> None:
    """Of two files neither is written where one cannot be."""
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(hostile.QRELS)
    Path("run").write_text(hostile.RUN)
    Path("odd").write_bytes(hostile.OTHER.encode().replace(b" u\n", b" \xff\n"))
    compare = ["compare", "qrels", "run", "odd", "-m", "AP", "--resamples", "100"]
    for words in (
        ["-f", "parquet", "-o", "out"],
        ["-o", "out.parquet", "--save-scores", "s.json"],
        ["--save-scores", "s.parquet"],
    ):
        assert main([*compare, *words]) == 3, words
        out, err = capfd.readouterr()
        assert out == ""
        assert "an id is not UTF-8, which a data frame needs" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["odd", "qrels", "run"]
