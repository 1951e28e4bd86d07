"""Submissions as they come: files, folders, patterns, streams, Python; and those that organisers broke on purpose."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest
from reader_examples import EXAMPLES

import assay
from assay.collections.checking.check import HEADER, format_of
from assay.collections.checking.rules import Rules
from assay.errors import InputError, UsageError
from assay.io.sources import Source

RUN = b"1 Q0 a 1 9 %s\n1 Q0 b 2 8 %s\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "one.run").write_bytes(RUN % (b"one", b"one"))
    (tmp_path / "two.run.gz").write_bytes(gzip.compress(RUN % (b"two", b"")))
    (tmp_path / "three.jsonl").write_bytes(b'{"id": "1", "answer": "x"}\n{"id": "1", "answer": "y"}\n')
    return tmp_path


def test_folders_patterns_and_compressed_files(folder) -> None:
    found = assay.check(str(folder))
    kinds = {file.name.rpartition("/")[2]: [f.kind for f in file.findings] for file in found.files}
    assert kinds == {"one.run": [], "two.run.gz": ["fields"], "three.jsonl": ["duplicate"]}
    assert (found.ok, found.errors, found.warnings) == (False, 2, 0)
    assert len(assay.check(str(folder / "*.run*")).files) == 2
    assert assay.check([folder / "one.run"]).ok


def test_one_file_that_cannot_be_read_does_not_hide_the_others(folder) -> None:
    (folder / "four.run.gz").write_bytes(gzip.compress(RUN)[:20])
    found = assay.check([str(folder / "none.run"), str(folder / "four.run.gz"), str(folder / "one.run")])
    assert [[finding.kind for finding in file.findings] for file in found.files] == [["reader"], ["reader"], []]
    with pytest.raises(InputError, match="no file matches"):
        assay.check(str(folder / "*.none"))


def test_what_is_not_there_is_not_a_matter_of_formats(tmp_path) -> None:
    (finding,) = assay.check(str(tmp_path / "nothing.run")).files[0].findings
    assert finding.mend == "name an existing file that can be read"


def test_python_objects() -> None:
    found = assay.check({"a": {"q1": {"d1": float("inf")}}, "b": {"q1": {"d1": 1.0}}})
    assert [(file.name, file.count("error")) for file in found.files] == [("a", 1), ("b", 0)]
    assert assay.check({"q1": {"d1": 1.0}}).ok
    assert assay.check({"q1": "Paris", "q2": None}).files[0].topics == 2
    with pytest.raises(UsageError, match="at least one"):
        assay.check([])


def test_the_same_tag_in_two_files(folder) -> None:
    (folder / "copy.run").write_bytes(RUN % (b"one", b"one"))
    found = assay.check([str(folder / "one.run"), str(folder / "copy.run")])
    assert [[finding.kind for finding in file.findings] for file in found.files] == [[], ["same-tag"]]


def test_rows_and_json_say_the_same(folder) -> None:
    found = assay.check(str(folder))
    header, rows = found.rows()
    assert header == HEADER
    assert [(row[3], row[1], row[4]) for row in rows] == [("duplicate", 2, 1), ("fields", 2, 1)]
    told = json.loads(json.dumps(found.to_dict()))
    assert [f["kind"] for file in told["files"] for f in file["findings"]] == ["duplicate", "fields"]
    assert told["errors"] == sum(file["errors"] for file in told["files"]) == 2
    assert "2 errors" in repr(found)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"1 Q0 a 1 9\n1 Q0 b 2 8 t\n1 Q0 c 3 7 t\n", "trec-run"),
        (b"1 Q0 a 1 9\n1 Q0 b 2 8\n", "trec-run"),
        (b"1 0 a 1\n", None),
        (b"what is this\n", None),
        (b"p1 0.4\n", "pan-answers"),
        (b"p1 maybe\n", "sets"),
        (b"p1 maybe\np2 0.5\n", "pan-answers"),
        (b"t1 4711\nt1 4712\n", "sets"),
        (b'{"q1": 0.5, "q2": 1}', "squad-na-prob"),
        (b'{"id": "1", "answer": "x"}', "answers"),
        (b"id,outcome\n1,correct\n", "table run"),
    ],
)
def test_formats(data, name) -> None:
    assert format_of(Source("a", data=data), Rules()) == name


def test_gold_is_no_submission() -> None:
    [finding] = assay.check([b"1 0 a 1\n1 0 b 0\n"]).files[0].findings
    assert (finding.kind, finding.found[:9]) == ("format", "judgments")


def test_an_unknown_format_quotes_60_characters_of_its_first_line() -> None:
    [finding] = assay.check([b"this has seven words in all " + b"x" * 60 + b"\nmore\n"]).files[0].findings
    assert (finding.kind, finding.found) == ("format", f"a first line 'this has seven words in all {'x' * 32}'")


def test_runs_that_lie_beside_logs_are_checked_and_what_else_lies_there_is_not(tmp_path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "log.jsonl").write_text(EXAMPLES["openai-evals"])
    (tmp_path / "bm25.run").write_text("1 Q0 a 1 9\n1 Q0 b 2 8 t\n")
    (tmp_path / "notes.txt").write_text("what was run\n")
    found = assay.check(str(tmp_path))
    assert sorted((Path(file.name).name, file.format) for file in found.files) == [
        ("bm25.run", "trec-run"),
        ("log.jsonl", "openai-evals"),
    ]
    assert found.errors == 1


def test_progress_counts_megabytes(tmp_path) -> None:
    seen: list[tuple[int, int]] = []
    (tmp_path / "a.run").write_bytes(b"".join(b"%d Q0 d%d 1 9 tag\n" % (t, t) for t in range(150_000)))
    assay.check(str(tmp_path), progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (3, 3)
    assert len(seen) > 2


def test_drafts_are_of_one_file(folder) -> None:
    with pytest.raises(UsageError, match="found 3 files"):
        assay.check(str(folder)).draft_rules()


CLEF_1 = {
    "task1_OK.txt": [],
    "task1_NOTOK_0.txt": ["numbering"],
    "task1_NOTOK_DUP_LINE_NUM.txt": ["duplicate"],
    "task1_NOTOK_MISSING_ID.txt": ["numbering"],
}
CLEF_2 = {
    "task2_OK.txt": [],
    "task2_NOTOK_OTHER_LABELS.txt": ["label"],
    "task2_NOTOK_DUP_CLAIM_NUM.txt": ["duplicate"],
    "task2_WARN_MISSING_LABEL.txt": ["unused-label"],
}
"""What the organisers' own checker says of the files they broke, in `run_format_checker_out.txt` beside them."""


def test_submissions_that_organisers_broke(shared_data) -> None:
    folder = shared_data("robustness", "clef_factcheck_format")
    labels = {"labels": ["TRUE", "FALSE", "HALF-TRUE"]}
    for expected, rules in ((CLEF_1, {"numbered_from": 1}), (CLEF_2, labels)):
        found = assay.check([folder / name for name in expected], rules=rules)
        assert [[f.kind for f in file.findings] for file in found.files] == list(expected.values())
        stated = [("WARN" in name or "_OK" in name) for name in expected]
        assert [file.count("error") == 0 for file in found.files] == stated
    said = (folder / "run_format_checker_out.txt").read_text()
    first = assay.check([folder / "task1_NOTOK_MISSING_ID.txt"], rules={"numbered_from": 1}).files[0].findings[0]
    assert "line_number: 1037" in said
    assert first.found == "no 1036 before 1037"
    missing = assay.check([folder / "task2_NOTOK_MISSING_ID.txt"], rules=labels, topics=list(map(str, range(1, 300))))
    assert (missing.errors, [f.count for f in missing.files[0].findings]) == (0, [149])


ISSUES = {
    "anserini-476.duplicate_docs.run": ["duplicate"],
    "anserini-720.duplicate_docs_deep.run": ["duplicate"],
    "trec_eval-22.run1": ["ties"],
    "trec_eval-22.run2": ["ties"],
    "ir_measures-18.run": ["ties"],
    "trec_eval-29.seven_columns.run": ["fields"],
    "pyserini-1756.comma_in_docid.run": [],
    "ranx-51.zero_scores.run.json": ["ties"],
    "ranx-67.empty_results.run.json": ["missing-topic"],
}
REFUSED = ("anserini-476", "anserini-720", "trec_eval-29")
"""Those that the issues say must be refused, or that are no run as they stand."""


def test_runs_from_the_issues_of_other_tools(shared_data) -> None:
    folder = shared_data("robustness", "issues")
    with (folder / "INDEX.csv").open(newline="", encoding="utf-8") as index:
        stated = " ".join(row[0] for row in csv.reader(index))
    for name, kinds in ISSUES.items():
        assert name.split(".")[0] in stated
        file = assay.check([folder / name]).files[0]
        assert [finding.kind for finding in file.findings] == kinds, name
        assert bool(file.count("error")) == name.startswith(REFUSED)


def test_real_runs_are_valid_and_have_ties_where_another_scan_found_them(shared_data) -> None:
    """That scan counted lines with the score of the line above; here every document of a tie counts."""
    runs, quirks = shared_data("trec_covid_r1", "runs"), shared_data("robustness", "real_run_quirks.csv")
    with quirks.open(newline="", encoding="utf-8") as rows:
        scanned = {row[2]: int(row[3].split()[0]) for row in csv.reader(rows) if row[:2] == ["ties", "covid1"]}
    found = assay.check(str(runs), rules={"ties": 0})
    assert (len(found.files), found.errors) == (24, 0)
    for file in found.files:
        above = scanned.get(file.name.rpartition("/")[2].removesuffix(".xz"), 0)
        tied = sum(finding.count for finding in file.findings)
        assert {finding.kind for finding in file.findings} <= {"ties"}
        assert tied == above == 0 or above < tied <= 2 * above


VALID, TIED, BROKEN = b"1 Q0 a 1 9 x\n", b"1 Q0 a 1 9 y\n1 Q0 b 2 9 y\n", b"1 Q0 a 1 9 z\n1 Q0 a 2 8 z\n"


@pytest.mark.parametrize(
    ("runs", "finding"),
    [
        ({"a": VALID}, "a is valid: trec-run, 1 line, 1 topic, tag x."),
        ({"a": TIED}, "a is valid, with 1 warning in 2 lines."),
        ({"a": BROKEN}, "a is not valid: 1 error in 2 lines."),
        ({"a": b""}, "a is not valid: 1 error."),
        ({"a": VALID, "b": VALID.replace(b"x", b"v")}, "All 2 files are valid."),
        ({"a": VALID, "b": TIED}, "All 2 files are valid, 1 of them with warnings."),
        ({"a": VALID, "b": BROKEN, "c": TIED}, "1 of 3 files is not valid: b; 1 of the others has warnings."),
        ({"a": BROKEN, "b": BROKEN.replace(b"z", b"w")}, "None of the 2 files is valid."),
    ],
)
def test_the_finding(runs, finding) -> None:
    checked = assay.check(runs)
    assert checked.finding == finding
    assert checked.to_dict()["finding"] == finding


def test_of_many_invalid_files_none_is_named() -> None:
    runs = {f"r{i}": BROKEN.replace(b"z", b"t%d" % i) for i in range(4)}
    assert assay.check({**runs, "good": VALID}).finding == "4 of 5 files are not valid."


RANKED_FILES = {
    "msmarco-run": b"q1\td9\t1\nq1\td1\t2\nq2\td2\t1\n",
    "dpr": b'[{"question": "who?", "ctxs": [{"id": "p1", "score": "2"}, {"id": "p2", "score": "1"}]}]',
    "kilt": b'{"id": "k1", "output": [{"provenance": [{"wikipedia_id": "1"}, {"wikipedia_id": "2"}]}]}\n',
    "search-hits": b'{"q1": {"hits": {"hits": [{"_id": "d1", "_score": 2}]}}}',
    "rank-eval": b'{"metric_score": 1, "details": {"q1": {"hits": [{"hit": {"_id": "d1", "_score": 2}, "rating": 1}]}}}',
}


@pytest.mark.parametrize("name", RANKED_FILES)
def test_ranked_runs_of_other_tools(name) -> None:
    checked = assay.check({"mine": RANKED_FILES[name]}, rules={"depth": 1})
    (file,) = checked.files
    assert file.format == name
    assert [finding.kind for finding in file.findings] == (["depth"] if file.deepest == 2 else [])
    assert "question" not in file.extent
    drafted = assay.check({"mine": RANKED_FILES[name]}).draft_rules()
    assert f'format = "{name}"' in drafted


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("msmarco-run", b"q1 d9 .5\nq1 d1\n", 2),
        ("dpr", b'[{"question": "who?", "ctxs": [{"id": "p1", "score": "high"}]}]', 1),
        ("kilt", RANKED_FILES["kilt"] * 2, 2),
        ("search-hits", b'{"q1": {"hits": {"hits": [{"_id": "d1", "_score": 1}, {"_id": "d1", "_score": 1}]}}}', None),
    ],
)
def test_damaged_runs_of_other_tools(name, content, line) -> None:
    (file,) = assay.check({"mine": content}).files
    assert file.format == name
    assert [(finding.kind, finding.lines[:1]) for finding in file.findings] == [("reader", [line] if line else [])]
