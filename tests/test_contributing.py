"""A newcomer's six additions, performed exactly as CONTRIBUTING.md has them, each in a fresh interpreter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

ADDITIONS = {
    "Add a measure of ranked retrieval": """
import assay, doctest
assert doctest.testmod(sys.modules["__main__"]).attempted == 2
# Relevant documents at ranks 1 and 3 of 10: the last one stands at 3.
scores = assay.evaluate({"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}, ["Last@10", "last_10"])
assert scores["Last@10"] == {"run": 0.3} == scores["last_10"]
assert "Last" in dir(assay.measures)
from assay.measures import Last
assert Last(rel=1)@5 == assay.measure("Last(rel=1)@5")
from assay.cli import main
assert main(["measures", "Last"]) == 0
""",
    "Add a measure of sums": """
import assay
gold = {f"q{i}": "yes" for i in range(8)}
runs = {"a": {q: None for q in gold}, "b": {q: "no" for q in gold}}
runs["a"]["q0"] = "no"
scores = assay.evaluate(gold, runs, ["caution"])
assert scores["caution"] == {"a": 7 / 8, "b": 0.0}
assert assay.compare(scores, "caution", resamples=100).pairs[0].difference == -7 / 8
study = assay.reliability(scores, "caution", size=4, trials=10)
assert study.measures["caution"].at[0].swap.comparisons == 10
""",
    "Add a chart, or a report page": """
from assay.reports.model import Document, Section
from assay.reports.text import to_text
chart = found_by_length("c", [(1, 0.2), (2, 0.6), (3, 0.9)], "How it goes.", "Rising.")
assert chart.spec["datasets"]["lengths"][1] == {"run": "found", "length": 2, "found": 0.6}
text = to_text(Document("T", sections=(Section("s", "S", (chart,)),)), 90)
assert "Topics found" in text and "Words" in text
""",
    "Add a paired test": """
import assay
scores = assay.scores([[0.1, 0.2], [0.3, 0.3], [0.5, 0.4]], runs=["a", "b"])
pair = assay.compare(scores, test="coin", resamples=100).pairs[0]
assert pair.p["coin"] == 0.5 == pair.decided_by
assert "(coin)" in pair.sentence
from assay.cli import main
open("s.csv", "w").write("topic,a,b\\n1,0.1,0.2\\n2,0.3,0.3\\n3,0.5,0.4\\n")
assert main(["compare", "--scores", "s.csv", "--test", "coin", "-f", "csv", "-o", "out.csv"]) == 0
assert "p_coin" in open("out.csv").readline()
""",
}


IN_A_COPY = {
    "Add a format": ("formats/example.py", "formats/test_example.py", """
from assay.formats.recognition import recognise
from assay.io.sources import Source

def test_example():
    source = Source("mine", data=b"%example\\nfirst\\nsecond\\n")
    reader = recognise(source, "gold")
    assert (reader.name, reader.task, reader.read(source)) == ("example", "qa", ["first", "second"])
    assert recognise(Source("qrels", data=b"1 0 d 1\\n"), "gold").name == "qrels"
"""),
    "Add a reader of a harness's log": ("formats/harness/grader.py", "formats/harness/test_grader.py", """
import pytest
import assay

LINES = (b'{"case": "c1", "model": "m", "grades": {"facts": 1, "tone": 0.5}}\\n'
         b'{"case": "c2", "model": "m", "grades": {"facts": 0, "tone": 0.5}, "error": "503"}\\n')

def test_grader(tmp_path):
    path = tmp_path / "grader.jsonl"
    path.write_bytes(LINES)
    scores = assay.evaluate(path, None, ["correct", "incorrect"], metric="facts", keep=True)
    assert (scores["correct"], scores["incorrect"]) == ({"m": 1}, {"m": 0})
    assert "1 question errored" in scores.remarks()[0]
    assert scores.texts("m", "c1")[1].question == "c1"
    with pytest.raises(assay.InputError, match="2 metrics, facts, tone; choose one"):
        assay.evaluate(path)
    with pytest.raises(assay.InputError, match="give the grades.jsonl beside it"):
        assay.evaluate(b'{"grader_version": 1, "summary": {}}', task="outcomes")
"""),
    "Add a command": ("cli/commands/rankings.py", "cli/commands/test_rankings.py", """
from assay.cli import main

def test_rankings(here, capsys):
    assert main(["rankings", "qrels.txt", "runs", "-m", "RR", "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("good,")
    assert main(["rankings", "qrels.txt", "runs", "-m", "RR", "-o", "runs/good.run"]) == 2
    assert main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "  rankings " in line] == ["           rankings     each measure's ranking of the runs"]
    listed = [line[11:].split()[0] for line in lines if line[11:].strip()]
    assert listed[listed.index("evaluate") + 1] == "rankings"
"""),
}  # fmt: skip
"""Additions that a copy of the tree gets, with their tests: a module, the name of its test, its test."""
REGISTRY_TESTS = (
    "tests/test_layout.py",
    "tests/test_docs.py::test_claims_of_the_readme",
    "tests/docs/test_harness.py::test_every_reader_of_logs_has_its_section",
    "tests/formats/test_reader_index.py",
    "tests/formats/test_recognition.py",
    "tests/formats/test_fuzz_readers.py",
    "tests/collections/checking/test_recovery.py",
    "tests/collections/checking/test_answers.py",
    "tests/collections/checking/test_rules.py",
)
"""What every reader must pass."""


def block(heading: str, language: str = "python") -> str:
    section = re.split(r"\n## (?=[A-Z])", PAGE.partition(f"## {heading}\n")[2])[0]
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.DOTALL | re.MULTILINE)[0]


@pytest.mark.parametrize("heading", ADDITIONS)
def test_the_addition_works_as_the_page_has_it(heading, tmp_path) -> None:
    written = tmp_path / "written.py"
    written.write_text(block(heading), encoding="utf-8")
    script = tmp_path / "addition.py"
    start = "import sys\nexec(open('written.py').read())\n"
    script.write_text(start + ADDITIONS[heading].replace("\\\\n", "\\n"), encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A copy of the tree with the readers and the command of the page, after `make docs`."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("src", "tests", "docs"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "golden", "notebooks"))
    for name in ("README.md", "CONTRIBUTING.md", "pyproject.toml", "Makefile"):
        shutil.copy(ROOT / name, copy)
    (copy / "benchmarks").mkdir()
    shutil.copy(ROOT / "benchmarks/inference.json", copy / "benchmarks")
    for heading, (module, test, content) in IN_A_COPY.items():
        (copy / "src" / "assay" / module).write_text(block(heading), encoding="utf-8")
        (copy / "tests" / test).write_text(content, encoding="utf-8")
    (copy / "tests/formats/examples/example.txt").write_text("%example\nfirst\n", encoding="utf-8")
    log = "Add a reader of a harness's log"
    (copy / "tests/formats/examples/grader.jsonl").write_text(block(log, "json"), encoding="utf-8")
    with (copy / "docs" / "log_tools.md").open("a", encoding="utf-8") as page:
        page.write("\n" + block(log, "markdown"))
    run_in(copy, "docs/generate.py")
    return copy


def run_in(copy: Path, *arguments: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(copy / "src")}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_a_new_reader_passes_the_tests_that_every_reader_has(copy) -> None:
    assert "| example |" in (copy / "docs" / "formats.md").read_text(encoding="utf-8")
    assert "| `grader` | line by line |" in (copy / "docs" / "findings.md").read_text(encoding="utf-8")
    tests = [f"tests/{test}" for _, test, _ in IN_A_COPY.values() if test.startswith("formats/")]
    of_new = "grader or example or test_recognition or test_reader_index or test_layout or readme or section or seed"
    run_in(copy, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", of_new, *tests, *REGISTRY_TESTS)


def test_a_new_command_passes_the_tests_that_every_command_has(copy) -> None:
    assert "## assay rankings\n" in (copy / "docs" / "commands.md").read_text(encoding="utf-8")
    run_in(copy, "-m", "assay", "rankings", "--help")
    tests = ["tests/cli/commands/test_rankings.py", "tests/cli/commands/test_init.py", "tests/cli/test_file_options.py"]
    of_all = "rankings or test_init or guarded or nothing_heavy or layout or generated or public"
    every = ("tests/cli/test_init.py", "tests/test_layout.py", "tests/test_docs.py", "tests/docs/test_commands.py")
    run_in(copy, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", of_all, *tests, *every)


def test_the_page_tells_of_no_other() -> None:
    assert {*re.findall(r"^## (Add .*)$", PAGE, re.MULTILINE)} == {*ADDITIONS, *IN_A_COPY}
