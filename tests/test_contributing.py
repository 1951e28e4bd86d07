"""A newcomer's six additions, performed exactly as CONTRIBUTING.md has them, each in a fresh interpreter."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")

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
    "Add a format": """
from assay.formats.recognition import recognise
from assay.io.sources import Source
source = Source("mine", data=b"%example\\nfirst\\nsecond\\n")
reader = recognise(source, "gold")
assert (reader.name, reader.task, reader.read(source)) == ("example", "qa", ["first", "second"])
assert recognise(Source("qrels", data=b"1 0 d 1\\n"), "gold").name != "example"
from assay.formats.recognition import documented
assert any("example" in row for row in documented())
""",
    "Add a reader of a harness's log": """
import assay
lines = ['{"case": "c1", "model": "m", "grades": {"facts": 1, "tone": 0.5}, "text": "…"}',
         '{"case": "c2", "model": "m", "grades": {"facts": 0, "tone": 0.5}, "error": "503"}']
open("grader.jsonl", "w").write("\\n".join(lines))
scores = assay.evaluate("grader.jsonl", None, ["correct", "incorrect"], metric="facts", keep=True)
assert (scores["correct"], scores["incorrect"]) == ({"m": 1}, {"m": 0})
assert "1 question failed" in scores.remarks()[0]
assert scores.texts("m", "c1")[1].question == "c1"
try:
    assay.evaluate("grader.jsonl")
except assay.InputError as problem:
    assert "2 metrics, facts, tone; choose one" in str(problem)
else:
    raise AssertionError
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


AS_A_MODULE = """
import sys, types
from assay.formats import recognition
module = sys.modules["assay.formats.example"] = types.ModuleType("assay.formats.example")
exec(open("written.py").read(), module.__dict__)
recognition.REGISTRY["example"] = "text json"
"""
"""A file in the folder of formats, and its line in the registry."""
REGISTRIES = {"Add a format": "MODULES", "Add a reader of a harness's log": "LOGS"}


def block(heading: str) -> str:
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)[0]


@pytest.mark.parametrize("heading", ADDITIONS)
def test_the_addition_works_as_the_page_has_it(heading, tmp_path) -> None:
    written = tmp_path / "written.py"
    written.write_text(block(heading), encoding="utf-8")
    script = tmp_path / "addition.py"
    start = "import sys\nexec(open('written.py').read())\n"
    if heading in REGISTRIES:
        start = AS_A_MODULE.replace("REGISTRY", REGISTRIES[heading])
    script.write_text(start + ADDITIONS[heading].replace("\\\\n", "\\n"), encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_page_tells_of_no_other() -> None:
    assert re.findall(r"^## (Add .*)$", PAGE, re.MULTILINE) == list(ADDITIONS)
