"""Which runs of a table are calibrated."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.analyses.abstention.calibration import calibrations
from assay.analyses.comparison.run_intervals import run_intervals
from assay.cli import main
from assay.errors import UsageError
from assay.stats.calibration import calibration

GOLD = {f"q{i:03}": "a" for i in range(200)}


def run(rng, shift):
    stated = rng.uniform(0.5, 0.95, 200).round(3)
    right = rng.random(200) < stated + shift
    return {q: ("a" if right[i] else "b", float(stated[i])) if i % 5 else None for i, q in enumerate(GOLD)}


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(2)
    return assay.evaluate(GOLD, {"honest": run(rng, 0.0), "bold": run(rng, -0.3)}, ["ECE", "ECEd"])


def test_a_calibrated_run_is_not_called_otherwise(scores):
    """Red before: the interval of ECE covered a calibrated model 0% of the time, and could leave the estimate out."""
    found = assay.calibrations(scores)
    assert found["honest"].calibrated
    assert not found["bold"].calibrated
    assert found["honest"].n == found["bold"].n == 160
    for name in ("ECE", "ECEd"):
        ends = run_intervals(scores, name)
        assert ends["honest"].low == 0.0
        assert ends["bold"].low > 0.1
        for one, interval in ends.items():
            assert interval.low <= scores[name][one] <= interval.high


def test_only_answers_with_their_confidence_enter(scores):
    views = scores.run("bold")
    answered = [i for i, there in enumerate(views.columns["answered"]) if there]
    right, stated = ([views.columns[name][i] for i in answered] for name in ("correct", "confidence"))
    assert assay.calibrations(scores)["bold"] == calibration(right, stated)


def test_the_bins_are_the_measures(scores):
    rng = np.random.default_rng(2)
    table = assay.evaluate(GOLD, {"honest": run(rng, 0.0)}, ["ECE(bins=5)"])
    assert assay.calibrations(table)["honest"].bins == 5


def test_what_cannot_be_asked(scores):
    table = assay.evaluate(GOLD, {"plain": dict.fromkeys(GOLD, "a")}, ["accuracy", "ECE"])
    assert assay.calibrations(table) == {"plain": None}
    with pytest.raises(UsageError, match="expected ECE or ECEd"):
        assay.calibrations(table, "accuracy")
    with pytest.raises(UsageError, match="neither ECE nor ECEd"):
        assay.calibrations(assay.evaluate(GOLD, {"plain": dict.fromkeys(GOLD, "a")}, ["accuracy"]))


def test_the_command_prints_it(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    rows = [{"id": q, "answer": a and a[0], "confidence": a and a[1]} for q, a in run(rng, -0.3).items()]
    (tmp_path / "bold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps({"id": q, "answers": ["a"]}) + "\n" for q in GOLD))
    assert main(["evaluate", "gold.jsonl", "bold.jsonl", "-m", "ECE", "--intervals"]) == 0
    shown = capfd.readouterr().out
    assert "calibrated?" in shown
    assert shown.rstrip().endswith("no")
    assert main(["evaluate", "gold.jsonl", "bold.jsonl", "-m", "ECE", "--intervals", "-f", "json"]) == 0
    told = json.loads(capfd.readouterr().out)["calibration"]["bold"]
    assert told["sentence"].startswith("not calibrated: ")


def test_answers_of_a_cluster_are_not_independent():
    """Clusters of 20 questions that are right or wrong together, half of them, at a confidence of .8."""
    rows = [f"m,q{n:03},{'correct' if n // 20 % 2 else 'incorrect'},0.8,c{n // 20}" for n in range(200)]
    scores = assay.evaluate(None, ("run,id,outcome,confidence,cluster\n" + "\n".join(rows) + "\n").encode(), ["ECE"])
    alone, together = (calibrations(scores, cluster=cluster)["m"] for cluster in (None, "cluster"))
    assert alone.p < together.p
