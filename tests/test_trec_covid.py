"""TREC-COVID round 1: real runs against the figures NIST published for them."""

from __future__ import annotations

import csv

import pytest

import assay


@pytest.fixture(scope="module")
def evaluated(shared_data):
    folder = shared_data("trec_covid_r1")
    measures = [
        "AP",
        "Bpref",
        "nDCG@10",
        "P@5",
        "NumRet",
        "NumRelRet",
        "Rprec",
        "P@10",
        "P@15",
        "P@20",
        "P@30",
        "RBP(p=0.5)",
    ]
    return assay.evaluate(folder / "qrels.txt", folder / "runs", measures, depth=1000, name_by="file")


def rows(path) -> dict[str, dict[str, str]]:
    with path.open(newline="") as file:
        return {row["run"]: row for row in csv.DictReader(file)}


def test_the_official_leaderboard(evaluated, shared_data) -> None:
    official = rows(shared_data("trec_covid_r1", "expected_official_leaderboard.csv"))
    assert len(evaluated.runs) == 24
    columns = {"MAP": "AP", "bpref": "Bpref", "ndcg@10": "nDCG@10", "p@5": "P@5"}
    for run in evaluated.runs:
        for theirs, ours in columns.items():
            if official[run][theirs]:
                assert f"{evaluated.value(run, ours).value:.4f}" == official[run][theirs], (run, ours)


def test_the_nist_reports(evaluated, shared_data) -> None:
    path = shared_data("trec_covid_r1", "expected_official_nist_reports.csv")
    reports = rows(path)
    columns = {
        "num_ret": "NumRet", "num_rel_ret": "NumRelRet", "Rprec": "Rprec", "P_5": "P@5", "P_10": "P@10", "P_15": "P@15",
        "P_20": "P@20", "P_30": "P@30",
    }  # fmt: skip
    compared = 0
    for run in evaluated.runs:
        for name, ours in columns.items():
            expected = reports.get(run, {}).get(name)
            if expected:
                value = evaluated.value(run, ours).value
                digits = len(expected.partition(".")[2])
                assert f"{value:.{digits}f}" == expected, (run, ours)
                compared += 1
    assert compared >= 24 * len(columns) // 2
