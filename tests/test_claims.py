"""No two numbers printed by one command contradict each other: the outputs are read, and everything in them is held together."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from assay.cli import main
from assay.demo.data import write_demo

pytestmark = pytest.mark.slow

CONFIDENCE = 0.95
NUMBER = r"-?\d+\.\d+"


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    write_demo(str(folder))
    return folder


def told(capfd, *words: str) -> dict:
    capfd.readouterr()
    assert main([*words, "-f", "json"]) == 0
    return json.loads(capfd.readouterr().out)


def sides(interval: list[float]) -> str:
    return "above" if interval[0] > 0 else "below" if interval[1] < 0 else "both"


def holds(result: dict) -> None:
    """Everything a comparison says, against everything else it says."""
    names = [run["run"] for run in result["runs"]]
    value = {run["run"]: run["value"] for run in result["runs"]}
    correct = result["settings"]["correct"]
    for run in result["runs"]:
        if run["value"] is not None and run["interval"] is not None:
            low, high = run["interval"]
            assert low <= run["value"] <= high, run
            assert low < high, run
    for pair in result["pairs"]:
        pair_holds(pair, correct if len(result["pairs"]) > 1 else "none", result["topics"])
        if pair["difference"] is not None:
            assert pair["difference"] == pytest.approx(value[pair["a"]] - value[pair["b"]], abs=1e-9)
    tiers_hold(result, names)


def pair_holds(pair: dict, correct: str, topics: int) -> None:
    said = pair["sentence"]
    if pair["difference"] is None:
        assert "cannot be compared" in said
        return
    if pair["won"] is not None:
        assert pair["won"] + pair["tied"] + pair["lost"] == topics
    assert pair["adjusted_by"] == correct
    decides = pair["adjusted"].get(correct, pair["p"].get("randomisation"))
    if decides is None:
        assert pair["interval"] is None
        assert not pair["significant"]
        assert "too few" in said
        return
    interval = pair["interval"]
    assert pair["significant"] == (decides <= 1 - CONFIDENCE) == (sides(interval) != "both"), pair
    assert interval[0] <= pair["difference"] <= interval[1]
    assert interval[0] < interval[1]
    assert pair["level"] == CONFIDENCE
    for name, p in pair["adjusted"].items():
        assert p >= pair["p"]["randomisation"] - 1e-12 or name == "tukey"
    assert (" is better than " in said or " is above " in said or " is below " in said) == pair["significant"], said
    if "cannot be told apart" in said:
        shown = re.search(rf"\[({NUMBER}), ({NUMBER})\]", said)
        assert shown, said
        assert float(shown[1]) <= 0 <= float(shown[2]), said
    elif pair["significant"]:
        shown = re.search(rf"\[({NUMBER}), ({NUMBER})\]", said)
        assert shown, said
        assert float(shown[1]) > 0 or float(shown[2]) < 0, said
    if pair["critical"] is not None:
        assert (abs(pair["difference"]) > pair["critical"]) == pair["significant"], pair
        assert pair["detectable"] is None or pair["detectable"] >= pair["critical"]


def tiers_hold(result: dict, names: list[str]) -> None:
    """In the order of the runs, each beginning with a run told apart from the best of the tier above."""
    flat = [run for tier in result["tiers"] for run in tier]
    ranked = [run["run"] for run in result["runs"] if run["value"] is not None]
    assert flat == ranked == [name for name in names if name in flat]
    for run in result["runs"]:
        assert run["tier"] is None or run["run"] in result["tiers"][run["tier"] - 1]
    apart = {frozenset((pair["a"], pair["b"])) for pair in result["pairs"] if pair["significant"]}
    if len(result["pairs"]) == len(names) * (len(names) - 1) // 2:
        for above, tier in pairwise(result["tiers"]):
            assert frozenset((above[0], tier[0])) in apart
        for tier in result["tiers"]:
            assert all(frozenset((tier[0], run)) not in apart for run in tier[1:])


def study_holds(study: dict) -> None:
    for name, one in study["measures"].items():
        sizes = one.get("sizes", [one])
        for at in sizes:
            first, stays = (at["swap"][key] for key in ("required_difference", "required_difference_stays"))
            assert first is None or stays is None or first <= stays, name
        beyond = one.get("extrapolation")
        if beyond and beyond.get("interval") and beyond["required_difference"] is not None:
            low, high = beyond["interval"]
            assert low <= beyond["required_difference"]
            assert high is None or beyond["required_difference"] <= high
        if one["critical"] is not None:
            assert one["critical"]["alone"] <= one["critical"]["together"] + 1e-9


def intervals_hold(scores: dict, compared: dict) -> None:
    """`evaluate --intervals` and `compare` say the same of a run."""
    there = {run["run"]: run for run in compared["runs"]}
    for run in scores["runs"]:
        for measure, found in run["intervals"].items():
            if found is not None and measure == compared["measure"] and not compared["left_out"]:
                assert found["interval"] == pytest.approx(there[run["run"]]["interval"], abs=1e-9)
                assert run["scores"][measure] == pytest.approx(there[run["run"]]["value"], abs=1e-9)


def test_ranked_demo(demo, capfd) -> None:
    sources = [str(demo / "ranked" / "qrels.txt"), str(demo / "ranked" / "runs")]
    result = told(capfd, "compare", *sources, "-m", "AP")
    holds(result)
    intervals_hold(told(capfd, "evaluate", *sources, "-m", "AP", "--intervals"), result)
    study_holds(told(capfd, "reliability", *sources, "-m", "AP", "--trials", "200"))


@pytest.mark.parametrize("measure", ["c@1", "accuracy", "precision", "UF", "AUROC", "CWS"])
def test_outcomes_demo(demo, capfd, measure) -> None:
    sources = [str(demo / "answers" / "gold.jsonl"), str(demo / "answers" / "runs")]
    result = told(capfd, "compare", *sources, "-m", measure)
    holds(result)
    intervals_hold(told(capfd, "evaluate", *sources, "-m", measure, "--intervals"), result)


FIRST_RUNS = 60
"""Runs of TREC-8 whose pairs are each tested by themselves: all 8,256 pairs take minutes, and show no more."""


@pytest.mark.parametrize("correct", ["maxt", "holm", "bh", "tukey"])
def test_trec_8(shared_data, capfd, tmp_path, correct) -> None:
    path = str(shared_data("trec_matrices") / "adhoc8_ap.csv")
    if correct in ("holm", "bh"):
        lines = (shared_data("trec_matrices") / "adhoc8_ap.csv").read_text(encoding="utf-8").splitlines()
        some = "".join(",".join(line.split(",")[: FIRST_RUNS + 1]) + "\n" for line in lines)
        path = str(tmp_path / "adhoc8_ap.csv")
        (tmp_path / "adhoc8_ap.csv").write_text(some, encoding="utf-8")
    result = told(capfd, "compare", "--scores", path, "--correct", correct)
    holds(result)
    if correct == "maxt":
        study_holds(told(capfd, "reliability", "--scores", path, "--trials", "100"))


def test_trec_covid(shared_data, capfd) -> None:
    folder = shared_data("trec_covid_r1")
    for measure in ("AP", "nDCG@10", "P@5"):
        holds(told(capfd, "compare", str(folder / "qrels.txt"), str(folder / "runs"), "-m", measure))


def test_pan_2020(shared_data, capfd) -> None:
    folder = shared_data("pan20_av")
    runs = sorted(map(str, (folder / "submissions").glob("*/answers.jsonl")))
    for measure in ("c@1", "F0.5u"):
        holds(told(capfd, "compare", str(folder / "truth.jsonl"), *runs, "-m", measure))


def test_mmlu_pro(shared_data, capfd) -> None:
    table = str(shared_data("mmlu_pro", "predictions.csv"))
    for measure in ("c@1", "precision"):
        holds(told(capfd, "compare", table, "-m", measure))


@pytest.mark.parametrize("measure", ["c@1", "accuracy", "precision", "Brier"])
def test_six_runs_of_500_questions(shared_data, capfd, measure) -> None:
    folder = shared_data("harness_logs") / "core_6x500"
    words = [str(folder / "gold.jsonl"), str(folder / "runs"), "--refusal", str(folder / "refusals.txt"), "-m", measure]
    result = told(capfd, "compare", *words)
    holds(result)
    intervals_hold(told(capfd, "evaluate", *words, "--intervals"), result)
