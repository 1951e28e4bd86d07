"""Options that several commands share: sources, settings, plugins, and what they say when they do not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.cli import main


def test_options_of_answers_are_not_for_qrels(files, run) -> None:
    files(qrels="1 0 a 1\n", run="1 Q0 a 1 1.0 t\n")
    code, _, err = run("evaluate", "qrels", "run", "--abstain-below", "0")
    assert code == 2
    assert "--abstain-below 0.0: is a setting of the task outcomes; this is ranked" in err


def rows(*lines: dict[str, Any]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


QRELS = "1 0 10 1\n1 0 20 1\n2 0 15 1\n"


TREC = "1 Q0 10 1 2.0 a\n1 Q0 11 2 1.0 a\n2 Q0 15 1 1.0 a\n"


def test_an_option_of_another_task_is_refused(files, capsys):
    files(gold=QRELS, a=TREC)
    assert main(["evaluate", "gold", "a", "--unjudged", "incorrect"]) == 2
    assert (
        "--unjudged incorrect: is a setting of the task outcomes, qa, list, context, nuggets or generation; this is ranked"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("words", "shown"),
    [(["compare"], "(RR .75 and .67)"), (["reliability", "--trials", "20"], "differ by .08"), (["report"], "0.7500")],
)
def test_other_commands_judge_the_same_way(words: list[str], shown: str, files, capsys):
    """RR of a: 1, .5, 1, .5, 1, .5, in the mean .75; of b: four of six, .67."""
    questions = [str(i) for i in range(6)]
    said = rows(
        *(
            {"id": q, "text": t, "judgment": j}
            for q in questions
            for t, j in (("x", "correct"), ("other run's", "correct"))
        )
    )
    a = rows(*({"id": q, "answers": ["z", "x"] if int(q) % 2 else ["x"]} for q in questions))
    b = rows(*({"id": q, "answers": ["x"] if int(q) % 3 else ["z"]} for q in questions))
    files(gold=said, a=a, b=b)
    command = [words[0], "--task", "qa", "gold", "a", "b", *words[1:], "-m", "RR"]
    assert main(command) == 3
    assert "a:2: the answer 'z' to question '1' has no judgment" in capsys.readouterr().err
    assert main([*command, "--unjudged", "incorrect"]) == 3
    assert 'gold:2: judges the answer "other run\'s"' in capsys.readouterr().err
    assert main([*command, "--unjudged", "incorrect", "--unused-judgments", "ignore"]) == 0
    assert shown in capsys.readouterr().out


def test_standard_input_even_with_topics_interleaved(here, process) -> None:
    good = Path("runs/good.run").read_text()
    lines = good.splitlines(keepends=True)
    mixed = "".join(lines[::2] + lines[1::2])
    for text in (good, mixed):
        result = process("evaluate", "qrels.txt", "-", "-m", "AP", "-f", "tsv", input=text.encode())
        assert result.stdout.decode().splitlines()[1].split("\t")[2] == "0.6666666666666666"
    twice = process("evaluate", "-", "-", input=b"")
    assert twice.returncode == 2
    assert b"can be given only once" in twice.stderr


def test_gold_from_standard_input_is_recognised_too(here, process) -> None:
    ranked = process("evaluate", "-", "runs/good.run", "-m", "P@1", "-f", "tsv", input=Path("qrels.txt").read_bytes())
    assert ranked.stdout.decode().splitlines()[1].split("\t")[2] == "0.6666666666666666"
    Path("answers.jsonl").write_text('{"id": "q1", "answer": "Paris"}\n')
    gold = b'{"id": "q1", "answers": ["Paris"]}\n'
    answered = process("evaluate", "-", "answers.jsonl", "-m", "c@1", "-f", "tsv", input=gold)
    assert answered.stdout.decode().splitlines()[1].split("\t")[2] == "1.0"


PLUGIN = '''
from assay.measures import define

@define.topic("FirstGrade", cite="this test")
def first_grade(view):
    """The grade of the first document.

    >>> from assay.measures.views.ranked import RankedView
    >>> first_grade(RankedView.of([2]))
    2
    """
    return next((grade for rank, grade in view.judged() if rank == 1), None)
'''


def test_a_measure_of_your_own(here, process) -> None:
    Path("mine.py").write_text(PLUGIN)
    result = process("evaluate", "qrels.txt", "runs/good.run", "--plugin", "mine.py", "-m", "FirstGrade", "-f", "tsv")
    assert result.stdout.decode().splitlines()[1].split("\t")[2] == "1.0"  # (1 + 2 + 0)/3
    listed = process("measures", "--plugin", "mine.py")
    assert b"FirstGrade" in listed.stdout
    explained = process("measures", "FirstGrade", "--plugin", "mine.py")
    assert b"The grade of the first document." in explained.stdout
    assert b"this test" in explained.stdout


def test_a_plugin_that_fails_is_named_with_its_line(here, capfd) -> None:
    Path("broken.py").write_text("x = 1\ny = x / 0\n")
    assert main(["evaluate", "qrels.txt", "runs", "--plugin", "broken.py"]) == 3
    assert "broken.py:2: ZeroDivisionError" in capfd.readouterr().err
    assert main(["evaluate", "qrels.txt", "runs", "--plugin", "nosuch.py"]) == 3
    assert "nosuch.py: cannot be read" in capfd.readouterr().err


def test_bad_usage(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs", "-m", "nosuch"]) == 2
    assert "unknown measure 'nosuch'" in capfd.readouterr().err
    assert main(["evaluate", "qrels.txt", "runs", "--task", "nosuch"]) == 2
    assert main(["evaluate", "qrels.txt", "runs", "--depth", "0"]) == 2
    with pytest.raises(SystemExit) as stop:
        main(["evaluate", "qrels.txt", "runs", "-f", "xml"])
    assert stop.value.code == 2


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 1 / 0", "measure Mine failed on topic number 1"),
        ("return float('nan')", "measure Mine returned nan on topic number 1"),
        ("return 'text'", "measure Mine returned 'text'"),
    ],
)
def test_a_measure_of_your_own_that_misbehaves(here, capfd, body, message, process) -> None:
    Path("mine.py").write_text(
        f'from assay.measures import define\n@define.topic("Mine", cite="x")\ndef mine(view):\n    {body}\n'
    )
    result = process("evaluate", "qrels.txt", "runs/good.run", "--plugin", "mine.py", "-m", "Mine")
    assert result.returncode == 3
    assert message in result.stderr.decode()
    assert b"Traceback" not in result.stderr


def test_a_plugin_with_a_syntax_error_names_its_own_line(here, capfd) -> None:
    Path("broken.py").write_text("x = 1\ndef :\n")
    assert main(["evaluate", "qrels.txt", "runs", "--plugin", "broken.py"]) == 3
    assert "broken.py:2: SyntaxError" in capfd.readouterr().err


def test_a_choice_that_several_tasks_have_offers_the_values_of_each(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["evaluate", "--help", "all"])
    shown = "".join(capsys.readouterr().out.split())
    assert "--missing{zero,skip,common,error,unanswered,incorrect}" in shown


def test_trec_evals_own_way_of_giving_parameters(here, capfd) -> None:
    assert (
        main(
            ["evaluate", "qrels.txt", "runs/good.run", "-m", "P.1,2", "-m", "rbp.p=0.8", "-m", "set_F.0.5", "-f", "tsv"]
        )
        == 0
    )
    assert capfd.readouterr().out.splitlines()[0].split("\t")[2:] == ["P@1", "P@2", "RBP(p=0.8)", "SetF(beta2=0.5)"]
    assert main(["evaluate", "qrels.txt", "runs/good.run", "-m", "relstring"]) == 2
    assert "assay trec_eval -m relstring" in capfd.readouterr().err
