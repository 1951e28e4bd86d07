"""The front door: `import assay`, then tab; results that print, frame and tell themselves; parameters that are documented."""

from __future__ import annotations

import inspect
import json
import pkgutil
import re
import subprocess
import sys

import pytest

import assay
from assay.analyses.abstention.price import Pricing
from assay.analyses.abstention.threshold import Threshold
from assay.analyses.comparison.result import Comparison
from assay.analyses.correction.correct import Correction
from assay.analyses.items import Items
from assay.analyses.judges.agree import JudgeAgreement
from assay.analyses.planning.plan import Plan
from assay.analyses.reliability.reliability import Reliability
from assay.collections.pools.leave_one_out import LeftOut
from assay.collections.pools.pool import Pool

VERBS = [
    "agree", "agreement", "compare", "evaluate", "items", "judge", "left_out", "plan", "pool", "price", "read_gold", "read_scores",
    "reliability", "report", "run_intervals", "scores", "threshold",
]  # fmt: skip
RESULTS = {
    kind.__name__: kind
    for kind in (
        Comparison, Correction, Items, JudgeAgreement, LeftOut, Plan, Pool, Pricing, Reliability, assay.Report, assay.Scores, Threshold,
    )
}  # fmt: skip
RANKED = {"one": {"q": {"a": 2.0, "c": 1.0}}, "two": {"q": {"b": 1.0}}}


def test_everything_public_is_there_under_tab() -> None:
    assert sorted(dir(assay)) == sorted(assay.__all__)
    assert {
        *VERBS,
        "Gold",
        "Scores",
        "Report",
        "Store",
        "Settings",
        "measure",
        "measures",
        "define",
        "AssayError",
    } <= set(dir(assay))
    assert len(assay.__all__) < 45
    for name in dir(assay):
        assert getattr(assay, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nosuch'; it has AssayError, "):
        assay.nosuch
    with pytest.raises(AttributeError, match="'Comparison'; results' classes are in the packages of their functions"):
        assay.Comparison


def test_no_module_and_function_share_a_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(assay.__path__)}
    functions = {name for name in dir(assay) if inspect.isfunction(getattr(assay, name))}
    assert not modules & functions
    assert {name for name in modules if name in dir(assay)} == {"figures", "measures"}


def test_importing_it_costs_next_to_nothing() -> None:
    code = "import sys; before = set(sys.modules); import assay; print(*sorted(m for m in set(sys.modules) - before))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set(found) <= {"__future__", "assay", "assay._version"}


@pytest.mark.parametrize("name", VERBS)
def test_every_parameter_is_in_the_docstring(name) -> None:
    function = getattr(assay, name)
    text = inspect.getdoc(function) or ""
    for parameter in inspect.signature(function).parameters:
        assert re.search(rf"^\s*{parameter}\s{{2,}}\S", text, re.MULTILINE), f"{name}({parameter}=…)"


@pytest.mark.parametrize("kind", RESULTS)
def test_every_parameter_of_a_results_own_functions_is_in_its_docstring(kind) -> None:
    for name, function in inspect.getmembers(RESULTS[kind], inspect.isfunction):
        if name.startswith("_"):
            continue
        text = inspect.getdoc(function) or ""
        assert text, f"{kind}.{name}"


@pytest.fixture(scope="module")
def table() -> assay.Scores:
    values = [[0.1 * ((3 * t + r) % 7) + 0.01 * r for r in range(50)] for t in range(12)]
    return assay.scores(values, runs=[f"run{r:02}" for r in range(50)], measure="AP")


@pytest.fixture(scope="module")
def answers() -> Threshold:
    gold = {f"q{i}": "yes" for i in range(40)}
    run = {f"q{i}": ("yes" if i % 4 else "no", 0.9 if i % 4 else 0.2) for i in range(40)}
    return assay.threshold(gold, {"r": run}, "c@1", resamples=100)


@pytest.fixture(scope="module")
def results(table, answers) -> dict[str, object]:
    return {
        "Scores": table,
        "Comparison": assay.compare(table, "AP", resamples=100),
        "Reliability": assay.reliability(table, "AP", trials=20),
        "Items": assay.items(table, "AP"),
        "JudgeAgreement": assay.agree({"ann": QRELS, "bob": QRELS}, resamples=100),
        "Correction": assay.correct(b"id,judge,human\nq1,1,1\nq2,0,0\nq3,1,\nq4,0,\n"),
        "Plan": assay.plan(table, "AP", difference=0.05),
        "LeftOut": assay.left_out({"q": {"a": 1, "b": 1}}, RANKED),
        "Pool": assay.pool(RANKED),
        "Pricing": assay.price({"1": "x", "2": "x"}, {"r": {"1": "x", "2": "y"}}, resamples=20),
        "Threshold": answers,
    }


@pytest.mark.parametrize("kind", [kind for kind in RESULTS if kind != "Report"])
def test_a_result_prints_frames_and_tells_itself(results, kind) -> None:
    pandas = pytest.importorskip("pandas")
    result = results[kind]
    assert isinstance(result, RESULTS[kind])
    assert len(repr(result).splitlines()) > 1
    assert "<table" in result._repr_html_()
    assert "<script" not in result._repr_html_()
    frame = result.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == result.rows()[0]
    assert len(frame) == len(result.rows()[1])
    json.dumps(result.to_dict(), allow_nan=False)
    with pytest.raises(assay.UsageError, match=r"`backend='modin'`: expected one of pandas, polars, pyarrow"):
        result.to_frame("modin")


def test_fifty_runs_print_their_tiers_and_first_lines_not_1225_sentences(results) -> None:
    lines = repr(results["Comparison"]).splitlines()
    assert len(results["Comparison"].pairs) == 1225
    assert len(lines) < 80
    assert any("run49" in line for line in lines)
    assert any(line.startswith("Tiers:") for line in lines)


def test_a_report_saves_itself_and_says_what_it_cannot_be(tmp_path, table) -> None:
    report = assay.report(table, trials=0, title="My track")
    assert report.to_text(80).splitlines()[0].strip() == "My track"
    assert "My track" in repr(report)
    report.save(tmp_path / "r.txt")
    assert "My track" in (tmp_path / "r.txt").read_text(encoding="utf-8")
    with pytest.raises(assay.UsageError, match=r"\.html, \.pdf or \.txt"):
        report.save(tmp_path / "r.docx")


QRELS = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}, "4": {"d": 1}, "5": {"a": 1}}
RUNS = {
    "good": {t: dict.fromkeys(judged, 1.0) for t, judged in QRELS.items()},
    "late": {t: {"x": 2.0, **dict.fromkeys(judged, 1.0)} for t, judged in QRELS.items()},
}


def test_verbs_take_gold_and_runs_directly() -> None:
    scores = assay.evaluate(QRELS, RUNS, ["RR"])
    direct = assay.compare(QRELS, "RR", runs=RUNS)
    assert direct.to_dict() == assay.compare(scores, "RR").to_dict()
    assert direct.pairs[0].difference == -0.5
    study = assay.reliability(QRELS, "RR", runs=RUNS, trials=5)
    assert study.to_dict() == assay.reliability(scores, "RR", trials=5).to_dict()
    assert "late" in assay.report(QRELS, RUNS, ["RR"], trials=0).to_text(100)


def test_python_says_size_and_the_command_line_says_dash_dash_size(tmp_path, capsys) -> None:
    from assay.cli import main

    (tmp_path / "s.csv").write_text("topic,a,b\n1,0.5,0.2\n2,0.4,0.3\n3,0.1,0.2\n4,0.3,0.3\n")
    scores = assay.read_scores(tmp_path / "s.csv")
    with pytest.raises(assay.UsageError, match=r"^`size=300`: "):
        assay.reliability(scores, size=300)
    assert main(["reliability", "--scores", str(tmp_path / "s.csv"), "--size", "300"]) == 2
    assert capsys.readouterr().err.startswith("assay reliability: --size 300: ")
