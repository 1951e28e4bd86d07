"""What one command does for one task it does for all, or says that it does not: no traceback, no option ignored."""

from __future__ import annotations

import json

import pytest

import assay
from assay.cli import main

QA_GOLD = '{"id": "1", "answers": ["Paris"], "type": "a"}\n{"id": "2", "answers": ["Oslo"], "type": "b"}\n'
QA_RUN = '{"id": "1", "answers": ["Paris"]}\n'


@pytest.fixture
def here(tmp_path, monkeypatch):
    files = {
        "qrels": "1 0 a 1\n2 0 a 1\n3 0 b 1\n4 0 b 1\n",
        "r.run": "1 Q0 a 1 2.0 r\n2 Q0 x 1 2.0 r\n2 Q0 a 2 1.0 r\n3 Q0 b 1 1 r\n4 Q0 b 1 1 r\n",
        "s.run": "1 Q0 x 1 2.0 s\n1 Q0 a 2 1.0 s\n2 Q0 a 1 2.0 s\n3 Q0 x 1 1 s\n4 Q0 b 1 1 s\n",
        "gold.jsonl": QA_GOLD, "one.jsonl": QA_RUN, "two.jsonl": QA_RUN.replace("Paris", "Rome"),
        "prefs": "t F:Ret,C:Not s a 2\nt F:Ret,C:Not s b 1\n", "prefs.run": "t Q0 a 1 2.0 p\nt Q0 b 2 1.0 p\n",
        "hole.csv": "topic,a,b\n1,0.9,NA\n2,0.2,0.5\n3,0.1,0.2\n4,0.3,0.4\n5,0.5,0.1\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def told(capfd, *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    return (code, *capfd.readouterr())


def test_rankings_and_fields_for_tasks_that_are_not_outcomes(here, capfd) -> None:
    code, out, _ = told(capfd, "evaluate", "qrels", "r.run", "s.run", "-m", "AP", "--rankings")
    assert code == 0
    assert out.splitlines()[1].split() == ["r", "0.8750", "1"]
    code, out, _ = told(capfd, "evaluate", "--task", "qa", "gold.jsonl", "one.jsonl", "-m", "RR", "--by", "type")
    assert code == 0
    assert [line.split()[:3] for line in out.splitlines()] == [
        ["run", "type", "questions"], ["one", "a", "1"], ["one", "b", "1"], ["one", "total", "2"],
    ]  # fmt: skip
    code, _, err = told(capfd, "evaluate", "qrels", "r.run", "--by", "type")
    assert (code, "the gold has no field 'type'; it has none at all" in err) == (2, True)


def test_figures_where_a_task_has_none(here, capfd) -> None:
    code, out, err = told(capfd, "evaluate", "--scores", "hole.csv", "--figures")
    assert (code, out) == (2, "")
    assert "the task 'scores' has no figures" in err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["evaluate", "qrels", "r.run", "--intervals", "-q"], "--intervals cannot be combined with -q"),
        (["evaluate", "qrels", "r.run", "--intervals", "--rankings"], "--intervals cannot be combined with -q"),
        (["compare", "--scores", "hole.csv", "--task", "qa"], "--scores replaces gold and runs"),
        (["evaluate", "--scores", "hole.csv", "--name-by", "file"], "--scores replaces gold and runs"),
        (["compare", "--scores", "hole.csv", "--against", "hole.csv", "-f", "csv"], "--against adds how alike"),
        (["plan", "--variance", "0.04", "--difference", "0.1", "-m", "AP"], "-m needs GOLD RUN"),
        (["evaluate", "--judged", "--task", "ranked", "r.run"], "--judged: the task 'ranked' needs gold"),
    ],
)
def test_options_that_would_be_ignored_are_refused(here, capfd, words, problem) -> None:
    code, out, err = told(capfd, *words)
    assert (code, out) == (2, "")
    assert problem in err


def test_an_error_recommends_what_the_task_takes(here, capfd) -> None:
    code, _, err = told(capfd, "evaluate", "--task", "qa", "gold.jsonl", "one.jsonl", "--missing", "error")
    assert code == 3
    assert "--missing zero counts such questions as 0" in err
    assert told(capfd, "evaluate", "--task", "qa", "gold.jsonl", "one.jsonl", "--missing", "zero")[0] == 0


def test_questions_are_questions_and_topics_topics(here, capfd) -> None:
    for words, noun in ((["--task", "qa", "gold.jsonl", "one.jsonl"], "questions"), (["qrels", "r.run"], "topics")):
        header = told(capfd, "evaluate", *words)[1].splitlines()[0].split()
        assert header[1] == noun
        assert told(capfd, "evaluate", *words, "-f", "csv")[1].split(",")[1] == "topics"  # a program's name stays


def test_preferences_whose_ids_hold_commas_are_recognised(here, capfd) -> None:
    code, out, _ = told(capfd, "evaluate", "prefs", "prefs.run", "-m", "prefs_simp")
    assert code == 0
    assert out.splitlines()[1].split() == ["p", "1", "1.0000"]


def test_names_that_command_a_terminal_are_made_visible(here, capfd) -> None:
    with open("evil.run", "w") as file:
        file.write("1 Q0 a 1 2.0 e\x1b[31mvil\n")
    out = told(capfd, "evaluate", "qrels", "evil.run", "-m", "RR")[1]
    assert "\x1b" not in out
    assert r"e\x1b[31mvil" in out


def test_numbers_printed_together_are_over_the_same_topics(here, capfd) -> None:
    # On the four topics both have: a = (.2 + .1 + .3 + .5)/4 = .275 and b = .3.
    study = json.loads(
        told(capfd, "reliability", "--scores", "hole.csv", "--trials", "5", "--size", "1", "-f", "json")[1]
    )
    assert {one["run"]: one["value"] for one in study["measures"]["hole"]["best"]} == pytest.approx(
        {"a": 0.275, "b": 0.3}
    )
    scores = assay.read_scores("hole.csv")
    report = assay.report(scores, trials=0)
    [board] = report.document.sections[0].blocks
    shown = {row.run: row for row in board.rows}
    assert [row.run for row in board.rows] == ["b", "a"]
    assert shown["a"].value == pytest.approx(0.275)  # not the .4 of its own five topics
    assert shown["b"].value == pytest.approx(0.3)
    assert shown["a"].low <= 0.275 <= shown["a"].high
    assert report.document.meta[0] == ("Topics", "4 of 5")


def test_gold_that_came_with_runs_takes_others(here) -> None:
    with open("judged.jsonl", "w") as file:
        file.write('{"id": "1", "outcome": "correct"}\n{"id": "2", "outcome": "incorrect"}\n')
    with open("other.jsonl", "w") as file:
        file.write('{"id": "1", "outcome": "incorrect"}\n')
    gold = assay.read_gold(None, runs="judged.jsonl")
    assert gold.evaluate(measures="accuracy")["accuracy"] == {"judged": 0.5}
    assert gold.evaluate("other.jsonl", "accuracy")["accuracy"] == {"other": 0.0}
