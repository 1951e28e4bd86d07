"""`assay plan` from the outside."""

from __future__ import annotations

import json

import pytest

from assay.cli import main
from assay.stats.topic_set_size import topics_for_t


@pytest.fixture
def matrix(tmp_path):
    """Cells 0 1 / 2 5: the components are 1.5, 4 and 1 by hand (tests/reliability/test_design.py)."""
    path = tmp_path / "hand.csv"
    path.write_text("topic,a,b\n1,0,1\n2,2,5\n")
    return str(path)


def test_a_stated_variance(capsys):
    """A difference of half a standard deviation: 34 topics, as every textbook's table has it."""
    assert main(["plan", "--variance-of-differences", "1", "--difference", "0.5"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("To show a difference of .5 between two runs, judge 34 topics.\n")


def test_a_matrix_and_its_components(matrix, capsys):
    assert main(["plan", "--scores", matrix, "--difference", "1", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["measures"]["hand"]
    components = found["components"]
    assert (components["run"], components["topic"], components["interaction"]) == (1.5, 4.0, 1.0)
    # Two topics are too few to say how far that can be trusted.
    assert components["relative"] == {"value": 0.75, "interval": None}
    assert components["topics_for_relative"]["0.9"] == {"topics": 6, "interval": None}
    assert found["needed"]["t-test"] == topics_for_t(1.0, 2.0, 0.05, 0.8)
    assert found["topics"] == 2
    assert found["smallest"]["t-test"] > 1


def test_the_page_names_components_and_coefficients(matrix, capsys):
    assert main(["plan", "--scores", matrix, "--difference", "1", "-v"]) == 0
    out = capsys.readouterr().out
    assert "runs 23%, topics 62%, interaction 15%" in out  # 1.5, 4 and 1 of 6.5
    assert "0.750 (order of the runs, Eρ²) and 0.375 (their values, Φ)" in out
    assert "smallest with 2" in out


def test_coefficients_and_their_topics_have_intervals(tmp_path, capsys):
    path = tmp_path / "more.csv"
    path.write_text("topic,a,b,c\n1,0,1,3\n2,2,5,3\n3,1,1,4\n4,2,3,3\n5,0,1,1\n")
    assert main(["plan", "--scores", str(path), "--difference", "1", "--confidence", "0.9", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["measures"]["more"]["components"]
    assert found["confidence"] == 0.9
    for name in ("relative", "absolute"):
        low, high = found[name]["interval"]
        assert 0 <= low < found[name]["value"] < high < 1
        for price in found[f"topics_for_{name}"].values():
            low, high = price["interval"]
            assert low < price["topics"]
            assert high is None or price["topics"] < high
    assert main(["plan", "--scores", str(path), "--difference", "1", "--confidence", "0.9", "-v"]) == 0
    shown = capsys.readouterr().out
    low, high = found["relative"]["interval"]
    assert f"{found['relative']['value']:.3f} [{low:.3f}, {high:.3f}] (order of the runs, Eρ²)" in shown
    price = found["topics_for_relative"]["0.9"]
    low, high = ("no number" if end is None else end for end in price["interval"])
    assert f"an Eρ² of 0.9 takes {price['topics']} [{low}, {high}]" in shown
    assert "Brackets: 90% intervals, over other topics and other runs of the same kind." in shown


def test_the_published_components_from_the_command_line(shared_data, capsys):
    path = shared_data("trec_matrices") / "irj2015" / "genomics2004.csv"
    assert main(["plan", "--scores", str(path), "--difference", "0.05", "--drop-worst", ".25", "-v"]) == 0
    assert "from 35 runs and 50 topics: runs 6%, topics 58%, interaction 35%" in capsys.readouterr().out


def test_a_curve_is_drawn_and_in_the_json(matrix, capsys):
    assert main(["plan", "--scores", matrix, "--difference", "1", "--curve"]) == 0
    assert "Power by number of topics" in capsys.readouterr().out
    assert main(["plan", "--variance", "1", "--difference", "1", "--curve", "-f", "json"]) == 0
    curve = json.loads(capsys.readouterr().out)["measures"]["stated variance"]["curve"]
    assert curve[0]["topics"] == 2
    assert curve[-1]["power"] > 0.8


def test_csv_has_a_row_per_method(matrix, capsys):
    assert main(["plan", "--scores", matrix, "--difference", "1", "-f", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "measure,method,topics needed,low,high,smallest difference"
    assert [line.split(",")[1] for line in lines[1:]] == ["t-test", "anova", "interval"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--difference", "0.1"], 2, "--variance"),
        (["--difference", "-1", "--variance", "1"], 2, "--difference -1"),
        (["--difference", "0.1", "--variance", "1", "--drop-worst", "0.5"], 2, "--drop-worst 0.5 chooses among runs"),
        (["--difference", "0.1", "--scores", "MATRIX", "--drop-worst", "2"], 2, "--drop-worst 2"),
        (["--difference", "0.1", "--scores", "MATRIX", "--drop-worst", "0.5"], 3, "at least 2 runs and 2 topics"),
    ],
)
def test_bad_requests_are_refused(matrix, capsys, arguments, code, message):
    assert main(["plan", *(matrix if word == "MATRIX" else word for word in arguments)]) == code
    out, err = capsys.readouterr()
    assert message in err
    assert out == ""


def test_runs_that_do_not_differ_have_no_price(tmp_path, capsys):
    """a and b have the same mean: no variance between runs, so no number of topics makes their order reliable."""
    path = tmp_path / "level.csv"
    path.write_text("topic,a,b\n1,0.0,1.0\n2,1.0,0.0\n3,0.5,0.4\n4,0.5,0.6\n")
    assert main(["plan", "--scores", str(path), "--difference", "0.5", "-v"]) == 0
    out = capsys.readouterr().out
    assert "no number of topics would order them" in out
    assert "None" not in out


def test_json_has_settings_and_counts_holes(tmp_path, capsys):
    path = tmp_path / "holes.csv"
    path.write_text("topic,a,b\n1,0.5,NA\n2,0.25,0.5\n3,0.1,0.3\n4,0.3,0.2\n")
    assert main(["plan", "--scores", str(path), "--difference", "0.5", "--missing", "common", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    one = found["measures"]["holes"]
    assert (one["topics"], one["missing"], one["undefined"]) == (3, 1, 0)
    assert (found["settings"]["missing"], found["settings"]["drop_worst"]) == ("common", 0.0)


@pytest.fixture
def pilot(tmp_path):
    path = tmp_path / "pilot.csv"
    rows = "".join(f"q{i},{i % 3 > 0:d},{'' if i > 39 else int(i % 5 > 1)}\n" for i in range(90))
    path.write_text(f"id,judge,human\n{rows}")
    return str(path)


def test_labels_from_a_pilot(pilot, capsys):
    assert main(["plan", "--judge", pilot, "--width", "0.25", "-f", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["plans"]
    assert (found["questions"], found["labelled"], found["width"]) == (90, 40, 0.25)
    assert 2 <= found["needed"]["PPI++"] <= found["needed"]["human-only"]
    assert main(["plan", "--judge", pilot, "--width", "0.25", "--questions", "2000", "--labels", "100"]) == 0
    assert "Width with 100" in capsys.readouterr().out


def test_labels_from_a_stated_agreement(capsys):
    stated = ["--sensitivity", ".9", "--specificity", ".8", "--rate", ".6", "--questions", "2000", "--width", ".05"]
    assert main(["plan", "--judge", *stated, "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "mean,PPI++,1170,",
        "mean,Rogan-Gladen,1477,",
        "mean,human-only,1476,",
    ]


def test_topics_judged_wholly_by_people(tmp_path, capsys):
    for name, seen, turn in (("human", 12, 0), ("machine", 30, 1)):
        lines = [
            f"{i} 0 {d} {(i * 7 + d * (3 + turn * (i % 4 == 0))) % 5 > 2:d}\n" for i in range(seen) for d in range(6)
        ]
        (tmp_path / f"{name}.qrels").write_text("".join(lines))
    for run in ("one", "two"):
        order = sorted(range(6), reverse=run == "two")
        lines = [f"{i} Q0 {d} {r} {10 - r} {run}\n" for i in range(30) for r, d in enumerate(order)]
        (tmp_path / f"{run}.run").write_text("".join(lines))
    gold, runs = str(tmp_path / "human.qrels"), [str(tmp_path / f"{run}.run") for run in ("one", "two")]
    command = ["plan", gold, *runs, "--judge", str(tmp_path / "machine.qrels"), "-m", "AP", "--width", "0.4"]
    assert main([*command, "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["plans"]
    assert [one["name"] for one in found] == ["one", "two", "one - two"]
    assert {one["noun"] for one in found} == {"topic"}
    assert main(command) == 0
    assert ", people must judge 2 topics beside the judge" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--judge"], "--judge needs --width W"),
        (["--width", ".1"], "--width needs --judge"),
        ([], "expected --difference D"),
        (["--judge", "--width", ".1"], "needs a pilot"),
        (["--judge", "p.csv", "--width", ".1", "--difference", ".1"], "--difference cannot be combined with --judge"),
        (["--judge", "p.csv", "--width", ".1", "--power", ".9"], "--power cannot be combined with --judge"),
        (["--judge", "p.csv", "--width", ".1", "-m", "AP"], "-m needs GOLD RUN..."),
        (["gold", "--judge", "p.csv", "--width", ".1"], "expected GOLD RUN... --judge QRELS"),
        (["gold", "run", "--judge", "p.csv", "--width", ".1", "-m", "AP", "-m", "P@5"], "by one measure"),
        (["--judge", "--kappa", ".8", "--rate", ".5", "--width", ".1", "--level", "2"], "--level 2: scores runs"),
    ],
)
def test_what_goes_together_and_what_does_not(words, told, capsys):
    assert main(["plan", *words]) == 2
    assert told in capsys.readouterr().err


def test_a_pilot_is_never_written_over(pilot, capsys):
    assert main(["plan", "--judge", pilot, "--width", "0.25", "-o", pilot]) == 2
    assert "would overwrite the input" in capsys.readouterr().err
