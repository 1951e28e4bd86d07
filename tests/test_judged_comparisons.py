"""Small seeded versions of benchmarks/judged_comparisons.py and judged_covid.py: comparisons under a machine judge, corrected by labels."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import assay

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
DRAWS = 120


def module(name: str):
    spec = importlib.util.spec_from_file_location(name, BENCHMARKS / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture(scope="module")
def benchmark():
    return module("judged_comparisons")


@pytest.mark.slow
@pytest.mark.parametrize(
    "key",
    [
        "binary good 0.9 2 200", "binary lenient 0.5 10 50", "binary partial 0.9 2 15", "ordinal partial 0.7 10 15",
        "clustered good 0.7 5 200", "whole partial 0.7 2 50", "topics lenient 0.35 10 8", "topics partial 0.35 2 11",
        "declining good 0.7 5 200", "better partial 0.7 10 50",
    ],
)  # fmt: skip
def test_equal_runs_are_rarely_called_different(benchmark, key) -> None:
    """The errors of a few draws are as few as those of a cell at .06 are 999 times of 1,000."""
    cell = next(cell for cell in benchmark.CELLS if benchmark.key_of(cell) == key)
    row = benchmark.simulate(cell, DRAWS)
    assert round(row["error"] * DRAWS) <= stats.binom.ppf(0.999, DRAWS, benchmark.MOST)
    assert row["held"] > 0.9


@pytest.mark.slow
def test_without_a_label_more_a_partial_judge_decides(benchmark) -> None:
    """Red without the guard: a judge that is lenient towards one of ten equal runs, and 15 labels that rarely show it."""
    assert benchmark.simulate(benchmark.Cell("unguarded", "partial", 0.9, 10, 15), DRAWS)["error"] > 0.15


@pytest.mark.slow
def test_better_runs_are_found(benchmark) -> None:
    """Ten points with 200 labels and a good judge: most of the pairs."""
    assert benchmark.simulate(benchmark.Cell("better", "good", 0.7, 10, 200), 30)["found"] > 0.6


def test_every_result_is_inside_its_aim(benchmark) -> None:
    data = json.loads(benchmark.RESULTS.read_text("utf-8"))
    assert list(data["cells"]) == [benchmark.key_of(cell) for cell in benchmark.CELLS]
    aimed = {key: row for key, row in data["cells"].items() if key.split()[0] not in benchmark.WITHOUT_AIM}
    assert {key: row["error"] for key, row in aimed.items() if row["error"] > benchmark.MOST} == {}
    assert min(row["draws"] for row in aimed.values()) == benchmark.DRAWS
    assert [key for key, row in aimed.items() if row["held"] < 0.93] == []


def test_no_decided_pair_of_trec_covid_contradicts_people() -> None:
    found = json.loads((BENCHMARKS / "judged_covid.json").read_text("utf-8"))
    assert (found["topics"], found["labelled"]) == (30, 10)
    for row in found["measures"].values():
        assert row["contradicted"] <= 0.05
        assert row["decided"] > row["decided by the labels alone"]


@pytest.mark.slow
def test_three_judges_of_trec_covid(shared_data, monkeypatch) -> None:
    """Of the pairs that people's judgments of all topics decide by AP, more than a third are decided with those of ten; none wrongly."""
    covid = module("judged_covid")
    folder = shared_data("trec_covid_r1")
    qrels, runs = covid.read_qrels(folder / "qrels.txt"), str(folder / "runs")
    people = assay.evaluate(str(folder / "qrels.txt"), runs, ["AP"])
    value = {run.run: run.value for run in assay.compare(people, "AP", resamples=999).runs}
    confusions = covid.confusions(shared_data("llmjudge_dl23") / "labels.csv.xz")
    rng = np.random.default_rng(1)
    for judge in ("h2oloo-fewself", "TREMA-sumdecompose", "Olz-gpt4o"):
        machine = assay.evaluate(covid.made(rng, qrels, confusions[judge]), runs, ["AP"])
        topics = sorted(rng.permutation(people.topics)[:10].tolist())
        result = assay.compare(machine, "AP", human=people.restricted(topics), resamples=999)
        decided = [pair for pair in result.pairs if pair.significant]
        assert len(decided) > 40
        wrong = [pair for pair in decided if (value[pair.a] - value[pair.b]) * pair.difference < 0]
        assert len(wrong) <= 0.05 * len(decided)
