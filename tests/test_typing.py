"""What a type checker, and so an editor, says of code that uses assay. Slow: each test runs pyright."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import assay

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="needs pyright"),
]

ROOT = Path(__file__).parents[1]
SOURCES = Path(assay.__file__).parents[1]

RIGHT_AND_WRONG = """
import assay
from assay.integrations.pyterrier import compare, install

gold, runs = {"q": {"d": 1}}, {"r": {"q": {"d": 1.0}}}
scores: assay.Scores = assay.evaluate(gold, runs, ["AP"], depth=10, level=2, judged_only=True, name_by="file")
assay.evaluate(gold, runs, ["AP"], dept=10)  # wrong: misspelt setting
assay.evaluate(gold, runs, ["AP"], level="2")  # wrong: type of a setting
assay.evaluate(gold, runs, mesures=["AP"])  # wrong: misspelt parameter
value: float | None = scores["AP"]["r"]
assay.read_gold("qrels.txt", level=2, seed=1).evaluate(runs, "AP", keep=False)
assay.read_gold("qrels.txt", keep=False)  # wrong: a parameter of evaluate
result = assay.compare(scores, "AP", baseline="r", margin=0.02, missing="skip", name_by="file", store="scores")
assay.compare(scores, "AP", base="r")  # wrong: misspelt parameter
assay.compare(scores, "AP", missing=None)  # wrong: type of a setting
print(result.pairs[0].difference, [rank.run for rank in result.ranks or ()], result.to_frame("polars"))
result.pears  # wrong: no such attribute
assay.compare_by(scores, "language", baseline="r", runs=["r", "s"])
assay.compare_by(scores, "language", basline="r")  # wrong: misspelt choice
lead = assay.threshold(gold, "run.jsonl", "c@1", columns={"id": "task_id"}, task="outcomes").threshold
guaranteed = assay.threshold(gold, "run.jsonl", risk=0.05, refusal="patterns.txt")
assay.threshold(gold, "run.jsonl", risk=0.05, folds=5)  # wrong: of a threshold without risk
assay.reliability(scores, ["AP"], trials=20, seed=1, depth=10)
assay.reliability(scores, ["AP"], trails=20)  # wrong: misspelt parameter
assay.items(scores, keep=10, failed="incorrect", right_from=0.5)
assay.agree({"ann": "a.qrels", "bob": "b.qrels"}, runs="runs", depth=10)
assay.agree({"ann": "a.qrels", "bob": "b.qrels"}, runs="runs", right_from=0.5)  # wrong: not of ranked retrieval
assay.left_out("qrels.txt", "runs", depth=50, seed=3, name_by="file")
assay.scores([[0.1, 0.2]], runs=["a", "b"], missing="zero", seed=1)
assay.scores([[0.1, 0.2]], runs=["a", "b"], depth=10)  # wrong: not of numbers in memory
assay.report("qrels.txt", "runs", columns="id=task_id", store="scores").save("out.html")
assay.plan(scores, difference=0.05, split="test")
assay.plan(scores, differenc=0.05)  # wrong: misspelt parameter, and the required one is missing
install(resamples=500, seed=1)
install(test="t")  # wrong: the experiment names the test
compare(None, "AP", baseline="r", test="t")
assay.nothing  # wrong: no such name
"""


def pyright(*arguments: str, cwd: Path) -> dict[str, Any]:
    """Run pyright; return its JSON."""
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", *arguments]
    # --verifytypes asks the Python on the path, whatever --pythonpath says.
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=environment)
    return json.loads(result.stdout)


def test_an_editor_marks_wrong_keywords_and_nothing_else(tmp_path) -> None:
    (tmp_path / "user.py").write_text(RIGHT_AND_WRONG)
    settings = {"extraPaths": [str(SOURCES)], "typeCheckingMode": "standard", "reportAttributeAccessIssue": "error"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    found = pyright(cwd=tmp_path)["generalDiagnostics"]
    lines = RIGHT_AND_WRONG.splitlines()
    marked = {lines[diagnostic["range"]["start"]["line"]] for diagnostic in found if diagnostic["severity"] == "error"}
    assert marked == {line for line in lines if "# wrong: " in line}


def test_the_types_of_the_public_interface_are_known() -> None:
    found = pyright("--verifytypes", "assay", "--ignoreexternal", cwd=ROOT)["typeCompleteness"]
    assert Path(found["packageRootDirectory"]) == SOURCES / "assay"
    assert found["completenessScore"] >= 0.99
    unknown = [symbol["name"] for symbol in found["symbols"] if not symbol["isTypeKnown"]]
    assert not [name for name in unknown if name.removeprefix("assay.") in assay.__all__]
