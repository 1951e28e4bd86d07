"""`assay price`: what a person sees, and what cannot be asked."""

from __future__ import annotations

import pytest
from four_questions import GOLD, A, B


@pytest.fixture
def files(jsonl_files):
    """A gold and two runs."""
    jsonl_files(gold=GOLD, a=A, b=B)
    return jsonl_files


def test_the_json_of_a_price(files, result) -> None:
    found = result("price", "gold.jsonl", "a.jsonl", "b.jsonl", "--at", "0.5", "--resamples", "50")
    assert [one["run"] for one in found["runs"]] == ["a", "b"]
    for one in found["runs"]:
        assert one["correct"] + one["incorrect"] + one["unanswered"] == 1
        [point] = one["prices"]
        assert (point["t"], point["cost"]) == (0.5, 1)
        assert point["score"] == pytest.approx(one["correct"] - one["incorrect"])
    assert found["leads"][0]["from"] == 0
    assert found["leads"][-1]["to"] == 1
    assert {"shown", "surest", "runs"} <= set(found["leads"][0])
    assert (found["trials"], found["questions"], found["confidence"]) == (50, 4, 0.95)


def test_every_format(files, run) -> None:
    words = ("price", "gold.jsonl", "a.jsonl", "b.jsonl", "--resamples", "50")
    code, out, _ = run(*words)
    assert code == 0
    assert "Who leads at which price" in out
    _, out, _ = run(*words, "-f", "csv")
    assert out.splitlines()[0] == "run,t,cost,score,low,high,first"
    assert len(out.splitlines()) == 1 + 2 * 4
    _, out, _ = run(*words, "-f", "markdown")
    assert out.startswith("| run")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--at", "1"], "--at 1.0: expected a price"),
        (["--resamples", "0"], "--resamples 0"),
        (["--cluster", "nosuch"], "no field 'nosuch'"),
        (["--seed", "x"], "--seed x: expected a whole number"),
    ],
)
def test_what_price_refuses(files, words, problem, run) -> None:
    code, out, err = run("price", "gold.jsonl", "a.jsonl", "b.jsonl", *words)
    assert (code, out) == (2, "")
    assert problem in err


def test_a_bad_seed_is_refused_where_nothing_is_drawn(files, run) -> None:
    files(one=[{"id": "q1", "outcome": "correct"}])
    code, out, err = run("price", "--judged", "one.jsonl", "--seed", "x")
    assert (code, out) == (2, "")
    assert "seed" in err
    assert "expected a whole number" in err


@pytest.mark.parametrize("option", ["--measure", "--scores", "--name-by", "--depth", "--level", "--lower-is-better"])
def test_price_has_no_option_that_it_would_refuse(files, option, run, capfd) -> None:
    with pytest.raises(SystemExit) as stop:
        run("price", "gold.jsonl", "a.jsonl", "b.jsonl", f"{option}=file")
    assert stop.value.code == 2
    assert f"unknown option {option}" in capfd.readouterr().err
