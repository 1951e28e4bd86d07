"""Suites and --by on the command line: what is shown, what programs get, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from inspect_logs import eval_log, header, sample

WORDS = {"+": "correct", "-": "incorrect", ".": "unanswered"}


@pytest.fixture
def suite(files):
    """m1 has two tasks, m2 one; x a table that is no suite."""
    lines = ["run,id,outcome,task,lang"]
    for run, tasks in {"m1": {"arc": "+++-", "gsm": "+."}, "m2": {"arc": "+-+-"}}.items():
        for task, signs in tasks.items():
            lines += [f"{run},{task}{i},{WORDS[s]},{task},{'en' if i % 2 else 'de'}" for i, s in enumerate(signs)]
    plain = ["run,id,outcome", "m1,1,correct", "m1,2,incorrect"]
    files(**{"suite.csv": "\n".join(lines) + "\n", "plain.csv": "\n".join(plain) + "\n"})


def test_a_leaderboard_with_a_column_per_task(suite, run) -> None:
    code, out, err = run("evaluate", "--judged", "suite.csv", "-m", "accuracy")
    assert code == 0, err
    assert [line.split() for line in out.splitlines()[1:5] if "-" not in line[:2]] == [
        ["run", "arc", "gsm", "macro", "mean"],
        ["m1", "0.7500", "0.5000", "0.6250"],
        ["m2", "0.5000", "n/a", "n/a"],
    ]
    assert "m2 has no results for gsm: it has no macro mean over tasks" in out
    assert "coverage" not in out


def folders_of_logs(folder: Path, logs: dict[str, list[tuple[str, str, str]]]) -> None:
    """Logs of one model: by folder, each with its task, its status and a letter for each question."""
    for name, several in logs.items():
        (folder / name).mkdir()
        for number, (task, status, letters) in enumerate(several, 1):
            samples = [sample(f"q{place}", value=letter) for place, letter in enumerate(letters)]
            about = header(status=status, task=task, model="made/one", created=f"2026-01-0{number}T00:00:00+00:00")
            (folder / name / f"2026-01-0{number}_{task}.eval").write_bytes(eval_log(samples, about))


def test_each_argument_is_a_run_where_they_share_a_task(here, result) -> None:
    """Red before: base1, which never ran ci_b, had cand's value of it."""
    logs = {"base1": [("ci_a", "success", "CCII")], "cand": [("ci_a", "success", "CCCI"), ("ci_b", "success", "CI")]}
    folders_of_logs(Path(here), logs)
    found = result("evaluate", "base1", "cand", "-m", "accuracy")["suite"]
    values = {run["run"]: {task: cell["value"] for task, cell in run["tasks"].items()} for run in found["runs"]}
    assert values == {"base1": {"ci_a": 0.5, "ci_b": None}, "cand": {"ci_a": 0.75, "ci_b": 0.5}}
    files = sorted(str(path) for path in Path("cand").glob("*.eval"))
    assert [run["run"] for run in result("evaluate", *files, "-m", "accuracy")["suite"]["runs"]] == ["made/one"]


def test_a_cancelled_attempt_is_superseded(here, run) -> None:
    folders_of_logs(Path(here), {"logs": [("t", "cancelled", "I"), ("t", "success", "CCCI")]})
    code, out, err = run("evaluate", "logs", "-m", "accuracy")
    assert code == 0, err
    assert out.splitlines()[1:] == ["made/one          4    0.7500"]
    assert "2026-01-01_t.eval was cancelled and is superseded by logs/2026-01-02_t.eval" in err


def test_the_pool_is_shown_where_it_is_asked_for(suite, run) -> None:
    _, out, _ = run("evaluate", "--judged", "suite.csv", "--micro")
    assert "micro mean" in out
    assert "coverage" in out
    _, out, err = run("evaluate", "--judged", "suite.csv", "-m", "accuracy", "-m", "UF", "--micro", "-f", "csv")
    assert out.splitlines() == [
        "measure,run,arc,gsm,macro,micro",
        f"accuracy,m1,0.75,0.5,0.625,{4 / 6}",
        "accuracy,m2,0.5,,,",
        f"UF,m1,0.5,0.5,0.5,{0.5}",
        "UF,m2,0.0,,,",
    ]
    assert "accuracy, UF: m2 has no results for gsm" in err


def test_the_json(suite, result) -> None:
    found = result("evaluate", "--judged", "suite.csv", "-m", "accuracy", "--intervals", "--micro")["suite"]
    assert (found["measure"], found["tasks"]) == ("accuracy", {"arc": 4, "gsm": 2})
    m1, m2 = found["runs"]
    assert m1["tasks"]["arc"]["value"] == 0.75
    assert m1["tasks"]["arc"]["questions"] == 4
    assert m1["macro"]["value"] == 0.625
    low, high = m1["macro"]["interval"]
    assert low < 0.625 < high
    assert (m1["macro"]["confidence"], m1["micro"]["value"]) == (0.95, 4 / 6)
    assert m2["macro"] == {"value": None, "interval": None, "method": None, "confidence": 0.95}
    assert found["missing"] == [{"run": "m2", "task": "gsm"}]
    several = result("evaluate", "--judged", "suite.csv", "-m", "accuracy", "-m", "c@1")
    assert [one["measure"] for one in several["suites"]] == ["accuracy", "c@1"]
    assert "interval" not in several["suite"]["runs"][0]["macro"]


@pytest.mark.parametrize("format", ["table", "tsv", "csv", "json", "markdown", "latex", "parquet"])
@pytest.mark.parametrize("more", [(), ("--intervals",), ("--micro",)])
def test_every_format(suite, run, format, more) -> None:
    code, out, err = run("evaluate", "--judged", "suite.csv", *more, "-f", format, "-o", "out")
    refused = format == "parquet" and more
    assert code == (2 if refused else 0), err
    assert "Traceback" not in out + err


def test_by_one_field_and_by_two(suite, run, result) -> None:
    _, out, _ = run("evaluate", "--judged", "suite.csv", "-m", "accuracy", "--by", "task", "--by", "lang", "-f", "csv")
    assert out.splitlines()[:3] == ["run,task × lang,questions,accuracy", "m1,arc × de,2,1.0", "m1,arc × en,2,0.5"]
    assert "m2,gsm × de,0," in out
    found = result("evaluate", "--judged", "suite.csv", "-m", "accuracy", "--by", "task", "--intervals")["by"]["rows"]
    assert found[0]["intervals"]["accuracy"]["interval"][0] < 0.75
    _, out, _ = run("evaluate", "--judged", "suite.csv", "-m", "accuracy", "--by", "task", "--intervals")
    assert out.splitlines()[0].split() == ["run", "task", "questions", "accuracy", "95%"]


def test_many_values_are_a_matrix_for_people_and_rows_for_programs(files, run) -> None:
    lines = ["run,id,outcome,subject"]
    lines += [f"{m},{i},{'correct' if i % 2 or m == 'x' else 'incorrect'},s{i // 2}" for m in "xy" for i in range(114)]
    files(**{"mmlu.csv": "\n".join(lines) + "\n"})
    _, out, _ = run("evaluate", "--judged", "mmlu.csv", "--by", "subject")
    assert out.splitlines()[0].split() == ["measure", "subject", "questions", "x", "y"]
    assert len(out.splitlines()) == 58
    assert out.splitlines()[11].split() == ["c@1", "s10", "2", "1.0000", "0.5000"]
    _, out, _ = run("evaluate", "--judged", "mmlu.csv", "--by", "subject", "-m", "c@1", "-f", "csv")
    assert len(out.splitlines()) == 1 + 2 * 58
    _, out, _ = run("report", "--judged", "mmlu.csv", "--trials", "0")
    assert sum("s56" in line.split() for line in out.splitlines()) == 1 + 2, "the campaign's page, and each run's"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--micro", "plain.csv"), "--micro needs several tasks"),
        (("--micro", "--by", "task", "suite.csv"), "--micro cannot be combined with -q"),
        (("--micro", "-q", "suite.csv"), "--micro cannot be combined with -q"),
        (("--intervals", "--rankings", "suite.csv"), "--intervals cannot be combined with -q"),
        (("--by", "task", "--by", "task", "suite.csv"), "each field may be given once"),
        (("--by", "colour", "suite.csv"), "the gold has no field 'colour'"),
    ],
)
def test_what_cannot_be_done_is_refused(suite, run, words, problem) -> None:
    *options, file = words
    code, out, err = run("evaluate", "--judged", file, *options)
    assert (code, out) == (2, "")
    assert problem in err


@pytest.fixture
def two(files):
    """new is worse than old on b alone."""
    lines = ["run,id,outcome,task"]
    for name, tasks in {"old": {"a": "+" * 12, "b": "+" * 12}, "new": {"a": "+" * 12, "b": "-" * 11 + "+"}}.items():
        lines += [f"{name},{t}{i:02},{WORDS[s]},{t}" for t, signs in tasks.items() for i, s in enumerate(signs)]
    files(**{"two.csv": "\n".join(lines) + "\n"})


def test_compare_within_each_task(two, run, result) -> None:
    found = result("compare", "--judged", "two.csv", "-m", "accuracy", "--by", "task")
    assert found["by"] == ["task"]
    a, b = (group["comparison"]["pairs"][0] for group in found["groups"])
    assert (a["difference"], b["difference"]) == (0.0, pytest.approx(-11 / 12))
    _, out, err = run("compare", "--judged", "two.csv", "-m", "accuracy", "--by", "task")
    assert [line for line in out.splitlines() if line.endswith(": 12 questions")] == [
        "a: 12 questions",
        "b: 12 questions",
    ]
    assert "each task on its own" in err
    _, out, _ = run("compare", "--judged", "two.csv", "-m", "accuracy", "-m", "c@1", "--by", "task", "-f", "csv")
    assert [line.split(",")[:2] for line in out.splitlines()] == [
        ["task", "measure"], ["a", "accuracy"], ["b", "accuracy"], ["a", "c@1"], ["b", "c@1"],
    ]  # fmt: skip


@pytest.fixture
def uneven(files):
    """Nine questions of a and three of b. old: 6/9 and 0/3, new: 3/9 and 3/3; macro 1/3 and 2/3, pooled 1/2 each."""
    lines = ["run,id,outcome,task"]
    for name, right in {"old": {"a": 6, "b": 0}, "new": {"a": 3, "b": 3}}.items():
        for task, count in {"a": 9, "b": 3}.items():
            lines += [f"{name},{task}{i},{'correct' if i < right[task] else 'incorrect'},{task}" for i in range(count)]
    files(**{"uneven.csv": "\n".join(lines) + "\n"})


def test_the_macro_mean_is_the_headline_everywhere(uneven, run, result) -> None:
    """Red before: evaluate led with .6667 and .3333, compare and the report's leaderboard with .5000 for both."""
    macro = {"new": 2 / 3, "old": 1 / 3}
    suite = result("evaluate", "--judged", "uneven.csv", "-m", "accuracy", "--intervals")["suite"]
    assert {one["run"]: one["macro"]["value"] for one in suite["runs"]} == pytest.approx(macro)
    found = result("compare", "--judged", "uneven.csv", "-m", "accuracy")
    assert {one["run"]: one["value"] for one in found["runs"]} == pytest.approx(macro)
    assert [one["interval"] for one in found["runs"]] == [one["macro"]["interval"] for one in suite["runs"]]
    assert found["average"] == "macro mean over 2 tasks"
    [pair] = found["pairs"]
    assert pair["difference"] == pytest.approx(1 / 3)
    moved = {one["topic"]: one["difference"] for one in pair["moved"]}
    assert moved == pytest.approx({"a3": -1, "a4": -1, "a5": -1, "b0": 1, "b1": 1}), "each question's own change"
    assert pair["as_much"] == 1, "b2"
    assert (pair["won"], pair["tied"], pair["lost"]) == (3, 6, 3)
    assert "differ by 0.33 accuracy (macro mean over 2 tasks)" in pair["sentence"]
    _, out, err = run("compare", "--judged", "uneven.csv", "-m", "accuracy")
    assert out.splitlines()[0] == (
        "new and old cannot be told apart on 12 questions (accuracy .67 and .33, macro mean over 2 tasks)."
    )
    assert "each task weighs the same (macro mean over 2 tasks); --by task compares within each" in err
    gate = ("--baseline", "new", "--fail-if-worse", "0.5", "--comment", "gate.md")
    _, _, err = run("compare", "--judged", "uneven.csv", "-m", "accuracy", *gate)
    assert "old against new by accuracy: -0.3333" in err
    assert "| `accuracy`, macro mean over 2 tasks | `new` 0.6667 | `old` 0.3333 |" in Path("gate.md").read_text()
    _, out, _ = run("report", "--judged", "uneven.csv", "-m", "accuracy", "--trials", "0")
    board = out[out.index("Leaderboard") :]
    assert next(line for line in board.splitlines() if " new " in line).split()[:4] == ["1", "1–2", "new", ".67"]
    assert next(line for line in board.splitlines() if " old " in line).split()[:3] == ["1–2", "old", ".33"]


def test_a_run_without_a_task_is_compared_on_the_others(suite, run, result) -> None:
    found = result("compare", "--judged", "suite.csv", "-m", "accuracy")
    assert {one["run"]: one["value"] for one in found["runs"]} == {"m1": 0.75, "m2": 0.5}
    _, _, err = run("compare", "--judged", "suite.csv", "-m", "accuracy")
    assert "m2 has nothing of gsm: this task is left out for all runs" in err


def test_a_gate_for_each_task(two, run) -> None:
    gate = ("--fail-if-worse", "0.1", "--by", "task")
    code, _, err = run("compare", "--judged", "two.csv", "-m", "accuracy", *gate)
    assert code == 1
    assert "INFERIOR: new against old by accuracy on b: -0.9167" in err
    assert err.count("INFERIOR") == 1


def test_against_and_by_are_refused_together(two, run) -> None:
    code, _, err = run("compare", "--judged", "two.csv", "--by", "task", "--against", "other.csv")
    assert code == 2
    assert "give one of them" in err


def test_the_tasks_follow_the_leaderboard_of_a_report(suite, run) -> None:
    _, out, _ = run("report", "--judged", "suite.csv", "--trials", "0")
    assert out.index("Leaderboard") < out.index("Task by task") < out.index("\nMeasures\n")
    assert "Macro means over 2 tasks: each task weighs the same; counts are of all questions." in " ".join(out.split())
    assert json.dumps(out).count("m2 has no results for gsm") == 1


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("compare", "--characteristics", "runs.toml"), "--characteristics needs --group-by, --cost or --save-scores"),
        (("reliability", "--characteristics", "runs.toml"), "--characteristics"),
        (("reliability", "--by", "task"), "--by"),
        (("plan", "--difference", "0.1", "--by", "task"), "--by"),
        (("report", "--by", "task"), "--by"),
        (("threshold", "--by", "task"), "--by"),
        (("threshold", "--name-by", "file"), "--name-by belongs to"),
    ],
)
def test_options_a_command_cannot_honour_are_refused(two, run, words, problem) -> None:
    try:
        code, out, err = run(words[0], "--judged", "two.csv", *words[1:])
    except SystemExit as left:
        code, out, err = left.code, "", problem
    assert (code, out) == (2, "")
    assert problem in err
