"""`assay items` from the outside."""

from __future__ import annotations

import csv
import io
import json

import pytest

from assay.cli import main


@pytest.fixture
def matrix(tmp_path):
    """Forty items that tell twelve runs apart, of which the last is turned round."""
    rows = [[int(run > item % 11) for run in range(12)] for item in range(39)]
    rows.append([int(run <= 5) for run in range(12)])
    path = tmp_path / "right.csv"
    lines = [",".join(["topic", *(f"r{i}" for i in range(12))])]
    lines += [",".join(map(str, [f"q{number}", *row])) for number, row in enumerate(rows, 1)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_the_table_begins_with_the_worst(matrix, capsys) -> None:
    assert main(["items", "--scores", matrix, "--top", "3"]) == 0
    out = capsys.readouterr().out
    assert "Of 1 with a negative discrimination 1 is significant at a false discovery rate of" in out
    (line,) = [line for line in out.splitlines() if line.startswith("q40")]
    assert line.split()[1:3] == ["50.0%", "12"]
    assert line.endswith("suspicious")


def test_csv_has_every_item_and_json_the_settings(matrix, capsys) -> None:
    assert main(["items", "--scores", matrix, "-f", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 40
    assert rows[-1]["kind"] == "suspicious"
    assert main(["items", "--scores", matrix, "-f", "json", "--irt", "1pl", "--theta", "1"]) == 0
    captured = capsys.readouterr()
    told = json.loads(captured.out)
    assert told["settings"]["missing"] == "skip"
    assert told["irt"]["theta"] == 1.0
    assert len(told["items"]) == 40
    assert "1PL of 12 runs is unreliable" in captured.err


def test_keep_writes_what_to_keep(matrix, tmp_path, capsys) -> None:
    kept = tmp_path / "kept.tsv"
    assert main(["items", "--scores", matrix, "--keep", "6", "--write", str(kept)]) == 0
    assert "as many at random" in capsys.readouterr().out
    header, *lines = [line.split("\t") for line in kept.read_text().splitlines()]
    assert header == ["topic", "weight"]
    assert len(lines) == 6
    assert sum(float(weight) for _, weight in lines) == pytest.approx(1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--write", "kept.tsv"], "--write needs --keep"),
        (["--theta", "1"], "--theta needs --irt"),
        (["--tau", "0.8", "--keep", "5"], "--tau needs --keep auto"),
        (["--keep", "many"], "expected a whole number or auto, found 'many'"),
        (["--keep", "40"], "--keep 40: expected a number from 1 to 39, or auto"),
        (["-m", "right", "-m", "right"], "give -m once"),
        (["--top", "0"], "--top 0"),
    ],
)
def test_bad_usage_is_told(matrix, capsys, words, message) -> None:
    try:
        code = main(["items", "--scores", matrix, *words])
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("runs", [1, 2, 4])
def test_below_five_runs_items_are_refused(files, capsys, runs):
    """Of two runs every discrimination is 1 or -1."""
    rows = ["topic," + ",".join(f"r{i}" for i in range(runs))]
    rows += [f"t{t}," + ",".join(str((t * i) % 7 / 7) for i in range(1, runs + 1)) for t in range(1, 7)]
    files(**{"x.csv": "\n".join(rows) + "\n"})
    assert main(["items", "--scores", "x.csv"]) == 3
    assert f"at least 5 runs, found {runs}" in capsys.readouterr().err
