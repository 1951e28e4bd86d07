"""`assay reliability` from the outside: what is printed where, and what is refused how."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import assay
from assay._version import NUMBERS
from assay.cli import main, progress


@pytest.fixture
def matrix(tmp_path):
    """30 topics × 6 runs of made-up AP values with 4 decimals."""
    rng = np.random.default_rng(3)
    values = np.round(rng.beta(1, 3, size=(30, 6)) * np.linspace(0.7, 1.3, 6), 4).clip(0, 1)
    path = tmp_path / "ap.csv"
    lines = [",".join(["topic", *(f"run{i}" for i in range(6))])]
    lines += [",".join([str(t + 301), *(f"{v:.4f}" for v in row)]) for t, row in enumerate(values)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_the_page_has_tables_curves_and_a_sentence(matrix, capsys):
    assert main(["reliability", "--scores", f"AP={matrix}", "--trials", "200", "-v"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    said = " ".join(out.split())
    assert "6 runs, 15 pairs, random subsets of 15 of 30 topics, 200 trials, seed 0." in said
    assert "Stability with 15 topics" in out
    assert "Minority rate and proportion of ties on 15 topics" in said
    assert "The difference to believe at 95% confidence" in out
    assert "(original rule); extrapolated to all 30 topics, with its 95% interval." in said
    # In the table's caption, and before the sentences it is about.
    assert said.count("on another set of topics of this size") == 2
    assert "Swap rate, lower is better (logarithmic)" in out
    [told] = [line for line in out.splitlines() if line.startswith("With 15 topics, ")]
    assert "(measured)" in told
    means = np.loadtxt(matrix, delimiter=",", skiprows=1)[:, 1:].mean(axis=0)
    best, second = np.argsort(-means)[:2]
    gap = f"differ by {means[best] - means[second]:.2f}.".replace("0.", ".")
    assert f"Your best two runs (run{best} and run{second}) {gap}" in told
    assert main(["reliability", "--scores", f"AP={matrix}", "--trials", "200"]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert re.fullmatch(
        rf"On 30 new topics, a lead of (\.\d\d) AP or more would probably hold; your best two {gap}", lines[0]
    )
    assert lines[2].startswith("measure  on 30 topics holds from  95% interval  on 15 (measured)")
    assert lines[4].split()[:2] == ["AP", lines[0].split()[7]]
    assert "15 of the 30 topics, extrapolated from 3 to 15 topics, seed 0." in out
    assert "Stability" not in out


def test_json_equals_the_library(matrix, capsys):
    from assay.analyses.reliability.reliability import reliability
    from assay.scoring.score_files import read_scores

    options = ["--size", "5,10", "--size", "15", "--trials", "50", "--rule", "sakai", "--seed", "4", "-f", "json"]
    assert main(["reliability", "--scores", matrix, *options]) == 0
    found = json.loads(capsys.readouterr().out)
    study = reliability(read_scores([matrix], seed=4), size=[5, 10, 15], trials=50, rule="sakai", seed=4)
    assert (found.pop("assay"), found.pop("numbers")) == (assay.__version__, NUMBERS)
    assert found == json.loads(json.dumps(study.to_dict()))
    assert found["size"] == [5, 10, 15]


def test_csv_is_the_sensitivity_table(matrix, capsys):
    assert main(["reliability", "--scores", f"AP={matrix}", "--trials", "50", "-f", "csv"]) == 0
    header, row = capsys.readouterr().out.splitlines()
    assert header.startswith("measure,size,minority@.05,ties@.05,difference,stays,highest,relative,sensitivity")
    assert row.startswith("AP,15,")


def test_discrimination_adds_its_table_and_curve(matrix, capsys):
    assert main(["reliability", "--scores", f"AP={matrix}", "--trials", "100", "--discrimination"]) == 0
    out = capsys.readouterr().out
    assert "Discriminative power" in out
    assert out.count("Achieved significance level, lower discriminates more\n") == 2
    assert "Discriminative power, randomised Tukey HSD" in out


def test_gold_and_runs_are_evaluated_first(tmp_path, capsys):
    """Two runs on 8 topics, one of which always has the relevant document first and the other second."""
    (tmp_path / "qrels").write_text("".join(f"{t} 0 d{t} 1\n{t} 0 e{t} 0\n" for t in range(8)))
    for name, (one, two) in {"good": ("d", "e"), "bad": ("e", "d")}.items():
        rows = [f"{t} Q0 {one}{t} 1 2.0 {name}\n{t} Q0 {two}{t} 2 1.0 {name}\n" for t in range(8)]
        (tmp_path / f"{name}.run").write_text("".join(rows))
    arguments = [str(tmp_path / "qrels"), str(tmp_path / "good.run"), str(tmp_path / "bad.run")]
    assert main(["reliability", *arguments, "-m", "RR", "--trials", "20", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["measures"]["RR"]
    # RR is 1 against 1/2 on every subset: never a tie, never a swap, a difference of .5 always.
    assert [p["ties"] for p in found["stability"]] == [0] * 10
    assert found["swap"]["required_difference"] == 0.2
    assert found["swap"]["highest"] == 1.0
    assert found["best"] == [{"run": "good", "value": 1.0}, {"run": "bad", "value": 0.5}]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--scores", "MATRIX", "--size", "16"], 2, "at most 15 of the 30 topics"),
        (["--scores", "MATRIX", "--size", "x"], 2, "expected whole numbers separated by commas"),
        (["--scores", "MATRIX", "gold"], 2, "replaces gold and runs"),
        ([], 2, "expected GOLD RUN..."),
        (
            ["--scores", "MATRIX", "-m", "nDCG", "-m", "AP"],
            2,
            "-m nDCG,AP: expected 1 names, one per matrix; matrices are ap",
        ),
        (["--scores", "MATRIX", "--scores", "MATRIX"], 3, "Fix: name the measures, as in --scores AP=FILE"),
        (["--scores", "nowhere.csv"], 3, "nowhere.csv"),
        (["--scores", "MATRIX", "--scheduler", "tcp://x:1"], 2, "--executor dask"),
    ],
)
def test_bad_requests_are_refused(matrix, capsys, arguments, code, message):
    words = ["reliability", *(matrix if word == "MATRIX" else word for word in arguments)]
    try:
        found = main(words)
    except SystemExit as stop:  # argparse leaves by itself
        found = stop.code
    out, err = capsys.readouterr()
    assert found == code
    assert message in err
    assert out == ""


def test_one_column_and_holes_are_bad_input(tmp_path, capsys):
    one = tmp_path / "one.csv"
    one.write_text("topic,a\n1,0.5\n2,0.25\n")
    assert main(["reliability", "--scores", str(one)]) == 3
    assert "needs at least 2, found only 'a'" in capsys.readouterr().err
    holes = tmp_path / "holes.csv"
    holes.write_text("topic,a,b\n1,0.5,NA\n2,0.25,0.5\n3,0.1,0.2\n4,0.3,0.2\n")
    assert main(["reliability", "--scores", str(holes), "--missing", "error"]) == 3
    assert "run 'b' has no results for topic '1'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [["evaluate"], ["compare"], ["reliability", "--trials", "5"], ["plan", "--difference", "1"]]
)
def test_every_command_leaves_a_hole_out_and_says_so(tmp_path, capsys, command):
    holes = tmp_path / "holes.csv"
    holes.write_text("topic,a,b\n1,0.5,NA\n2,0.25,0.5\n3,0.1,0.2\n4,0.3,0.2\n")
    assert main([*command, "--scores", str(holes)]) == 0
    assert "missing" in capsys.readouterr().err


def test_matrices_over_different_topics_are_not_mixed(tmp_path, matrix, capsys):
    other = tmp_path / "p10.csv"
    other.write_text("topic,run0,run1\n301,0.5,0.25\n302,0.25,0.5\n")
    assert (
        main(
            [
                "reliability",
                "--scores",
                matrix,
                "--scores",
                str(other),
                "--size",
                "1",
                "--trials",
                "5",
                "--missing",
                "zero",
            ]
        )
        == 0
    )
    printed = capsys.readouterr()
    assert "2 topics are in every file; the others are excluded" in printed.err
    assert "random sets of 1 of the 2 topics" in printed.out


@pytest.mark.parametrize("ending", ["json", "parquet"])
def test_saved_scores_give_the_same_study_as_the_matrix(matrix, tmp_path, capsys, ending):
    saved = str(tmp_path / f"saved.{ending}")
    assert main(["compare", "--scores", f"AP={matrix}", "--resamples", "100", "--save-scores", saved]) == 0
    capsys.readouterr()
    found = []
    for table in (f"AP={matrix}", saved):
        assert main(["reliability", "--scores", table, "--trials", "20", "-f", "json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    assert main(["plan", "--scores", saved, "--difference", "0.05"]) == 0


def test_a_cell_that_counts_0_is_missing_and_not_undefined_too(tmp_path, capsys):
    holes = tmp_path / "holes.csv"
    holes.write_text("topic,a,b\n1,0.5,NA\n2,0.25,0.5\n3,0.1,0.2\n4,0.3,0.2\n")
    assert main(["reliability", "--scores", str(holes), "--missing", "zero", "--trials", "5", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["measures"]["holes"]
    assert (found["missing"], found["undefined"]) == (1, 0)


def test_progress_is_for_terminals(matrix, capsys, monkeypatch):
    arguments = ["reliability", "--scores", matrix, "--trials", "50", "-f", "csv"]
    assert main(arguments) == 0
    quiet = capsys.readouterr()
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(progress, "FIRST", 0)
    monkeypatch.setattr(progress, "EVERY", 0)
    monkeypatch.setattr(progress.Progress, "_redraw", lambda line: None)  # each step draws its line
    assert main(arguments) == 0
    shown = capsys.readouterr()
    assert quiet.err == ""
    assert "/250 trials" in shown.err  # one size asked for, four more to extrapolate from
    assert shown.out == quiet.out


def test_output_goes_to_a_file_and_nothing_to_the_terminal(matrix, tmp_path, capsys):
    target = tmp_path / "study.json"
    assert main(["reliability", "--scores", matrix, "--trials", "20", "-o", str(target)]) == 0
    assert json.loads(target.read_text())["trials"] == 20
    assert capsys.readouterr() == ("", "")
