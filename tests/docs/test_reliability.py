"""The figures in docs/reliability_methods.md are what the commands print today."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from assay.cli import main
from assay.core.binding import LIBRARY

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(LIBRARY is None, reason="the twin gives the same digits, and takes minutes for it"),
]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "reliability_methods.md"


@pytest.fixture
def rows():
    """The table rows of the page, cells stripped."""
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def study(capsys, *words):
    assert main(["reliability", *words, "-f", "json"]) == 0
    return json.loads(capsys.readouterr().out)["measures"]


def point(measure, f):
    found = measure["stability"][f - 1]
    return f"{100 * found['minority_rate']:.2f}% ({100 * found['ties']:.2f}%)"


def test_pan_2020(shared_data, capsys, rows):
    folder = shared_data("pan20_av")
    sources = [str(folder / "truth.jsonl"), str(folder / "submissions" / "*" / "answers.jsonl")]
    measures = study(capsys, *sources, "-m", "c@1", "-m", "accuracy", "-m", "UF", "--size", "250")
    for name, measure in measures.items():
        swap = measure["swap"]
        assert [
            name, point(measure, 1), point(measure, 5), point(measure, 10), f"{swap['required_difference']:.2f}",
            f"{swap['highest']:.2f}", f"{100 * swap['relative']:.1f}%", f"{100 * swap['sensitivity']:.1f}%",
        ] in rows  # fmt: skip


def test_trec_8(shared_data, capsys, rows, tmp_path):
    folder = shared_data("trec_matrices")
    paths = {"AP": "adhoc8_ap.csv", "P@10": "adhoc8_p10.csv", "RR": "adhoc8_rr.csv"}
    files = {name: str(folder / path) for name, path in paths.items()}
    chosen = [word for name, path in files.items() for word in ("--scores", f"{name}={path}")]
    measures = study(capsys, *chosen, "--size", "5,10,15,20,25", "--discrimination")
    for name, measure in measures.items():
        required = [one["swap"]["required_difference"] for one in measure["sizes"]]
        beyond = measure["extrapolation"]
        low, high = beyond["interval"]
        tests = [measure["discrimination"][test]["separated"]["0.05"] for test in ("bootstrap", "tukey")]
        assert [
            name, *("none" if d is None else f"{d:.2f}" for d in required),
            f"{beyond['required_difference']:.2f} [{low:.2f}, {high:.2f}]", " / ".join(f"{100 * share:.1f}%" for share in tests),
        ] in rows  # fmt: skip
    first = tmp_path / "first.csv"
    table = np.loadtxt(files["RR"], delimiter=",", skiprows=1)
    header = ",".join(f"run{i + 1}" for i in range(table.shape[1]))
    np.savetxt(first, table == 1, fmt="%d", delimiter=",", header=header, comments="")
    chosen = ["--scores", f"RR={files['RR']}", "--scores", f"NQcorrect1={first}"]
    original, strict = study(capsys, *chosen), study(capsys, *chosen, "--rule", "sakai")
    for name, measure in original.items():
        required = [result[name]["swap"]["required_difference"] for result in (original, strict)]
        assert [
            name, point(measure, 1), point(measure, 5), point(measure, 10),
            *("none up to 0.20" if d is None else f"{d:.2f}" for d in required),
        ] in rows  # fmt: skip
    shares = [original[name]["swap"]["sensitivity"] for name in ("NQcorrect1", "RR")]
    assert "({:.0f}% of comparisons against {:.0f}%)".format(*(100 * s for s in shares)) in PAGE.read_text()


def test_variance_components(shared_data, capsys, rows):
    folder = shared_data("trec_matrices") / "irj2015"
    for track in ("enterprise2006", "genomics2004", "robust2003", "web2004"):
        words = ["--scores", str(folder / f"{track}.csv"), "--difference", "0.05", "--drop-worst", ".25", "-f", "json"]
        assert main(["plan", *words]) == 0
        found = json.loads(capsys.readouterr().out)["measures"][track]
        shares = [f"{100 * share:.0f}" for share in found["components"]["shares"].values()]
        needed = str(found["needed"]["t-test"])
        [row] = [row for row in rows if row[0] == track]
        assert row[1].split()[0] == str(found["runs"])
        price = found["components"]["topics_for_relative"]["0.95"]
        takes = "{} [{}, {}]".format(price["topics"], *price["interval"])
        assert row[2:] == [str(found["topics"]), *shares, needed, takes]
