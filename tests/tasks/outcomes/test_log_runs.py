"""From logs to runs: one run per model, one suite of questions."""

from __future__ import annotations

import pytest
from inspect_logs import header, json_log, sample
from sampled_tables import log_rows

import assay
from assay.errors import InputError
from assay.tasks.outcomes.log_runs import gather_runs, questions, without_superseded


def test_one_log_of_each_model_stays_as_it_is():
    logs = [log_rows("a", {"q1": "C"}, "x"), log_rows("b", {"q1": "I"}, "x")]
    assert gather_runs(logs, merge=False) == logs
    assert [q.id for q in questions(logs, logs, {})] == ["q1"]
    assert questions(logs, logs, {})[0].fields == {"task": "x"}


def test_tasks_are_joined_into_a_suite():
    x = log_rows("a", {"q1": "CI", "q2": ["E"]}, "x")
    y = log_rows("a", {"q1": ["P"], "q3": [{"value": "N", "kind": "declined", "usage": {"tokens": 3}}]}, "y")
    [run] = gather_runs([x, y], merge=False)
    assert run.ids == ["x/q1", "x/q1", "x/q2", "y/q1", "y/q3"]
    assert run.samples == [1, 2, 1, 1, 1]
    assert run.scores == [None, None, None, 0.5, 0.0]
    assert (run.problems, run.kinds) == ({2: "API error"}, {4: "declined"})
    assert run.usage == {"tokens": [None] * 4 + [3]}
    assert run.file == "a.log"
    named = questions([run], [x, y], {("y", "q3"): {"subject": "law"}})
    assert [(q.id, q.fields) for q in named] == [
        ("x/q1", {"task": "x"}), ("x/q2", {"task": "x"}), ("y/q1", {"task": "y"}),
        ("y/q3", {"task": "y", "subject": "law"}),
    ]  # fmt: skip


def test_two_logs_of_a_model_and_task_are_kept_apart():
    one, two = log_rows("a", {"q1": "C"}), log_rows("a", {"q1": "I"})
    assert [run.name for run in gather_runs([one, two], merge=False)] == ["a#1", "a#2"]
    one.variant, two.variant = "temperature 0", "temperature 1"
    assert [run.name for run in gather_runs([one, two], merge=False)] == ["a (temperature 0)", "a (temperature 1)"]
    two.variant = one.variant
    assert [run.name for run in gather_runs([one, two], merge=False)] == ["a#1", "a#2"]


def test_shards_are_merged_where_they_share_no_question():
    one, two, other = log_rows("a", {"q1": "CC"}), log_rows("a", {"q2": "I"}), log_rows("b", {"q1": "C"})
    two.file = "a2.log"
    merged, alone = gather_runs([one, two, other], merge=True)
    assert (merged.ids, merged.samples, merged.file) == (["q1", "q1", "q2"], [1, 2, 1], "a.log and 1 more")
    assert alone is other
    assert not any("same questions: 1" in said and "0 in common" in said for said in merged.warnings)
    [only] = gather_runs([one, two], merge=True)
    assert only.warnings == []
    two.ids[0] = "q1"
    with pytest.raises(
        InputError, match=r"a2\.log: question 'q1' of a is in a\.log too; `merge=True` needs logs without"
    ):
        gather_runs([one, two], merge=True)


def test_a_model_may_have_more_logs_of_one_task_than_of_another():
    logs = [log_rows("a", {"q1": "C"}, "x"), log_rows("a", {"q1": "I"}, "x"), log_rows("a", {"q1": "C"}, "y")]
    first, second = gather_runs(logs, merge=False)
    assert (first.name, first.ids) == ("a#1", ["x/q1", "y/q1"])
    assert (second.name, second.ids) == ("a#2", ["x/q1"])


def of_variant(variant, letter, task):
    rows = log_rows("a", {"q1": letter}, task)
    rows.variant, rows.file = variant, f"{task} {variant}.log"
    return rows


def test_logs_of_several_tasks_go_together_by_what_they_say_of_themselves():
    """Red before: the first log of every task was one run, though the second task was run the other way round."""
    logs = [of_variant("cold", "C", "x"), of_variant("hot", "I", "x"), of_variant("hot", "I", "y")]
    logs.append(of_variant("cold", "C", "y"))
    cold, hot = gather_runs(logs, merge=False)
    assert (cold.name, cold.ids, cold.outcomes) == ("a (cold)", ["x/q1", "y/q1"], [1, 1])
    assert (hot.name, hot.ids, hot.outcomes) == ("a (hot)", ["x/q1", "y/q1"], [2, 2])
    assert "in the order of their names" not in cold.warnings[0]


def test_a_sole_log_of_a_task_goes_where_it_belongs():
    for order in ("xy", "yx"):
        logs = {"x": [of_variant("cold", "C", "x"), of_variant("hot", "I", "x")], "y": [of_variant("hot", "I", "y")]}
        cold, hot = gather_runs([rows for task in order for rows in logs[task]], merge=False)
        assert (cold.name, cold.ids) == ("a (cold)", ["x/q1"])
        assert (hot.name, hot.ids) == ("a (hot)", [f"{task}/q1" for task in order])


def test_logs_that_nothing_puts_together_are_numbered_and_said():
    logs = [of_variant(variant, "C", variant[0]) for variant in ("x1", "x2", "y1", "y2")]
    one, two = gather_runs(logs, merge=False)
    assert [one.name, two.name] == ["a#1", "a#2"]
    assert "logs of different tasks are combined" in one.warnings[0]


def test_questions_of_two_tasks_that_would_have_one_name_are_refused():
    """Red before: they were one question where different models answered them, and "answered on line 0" where one did."""
    logs = [log_rows("one", {"b/c": "C"}, "a"), log_rows("two", {"c": "I"}, "a/b")]
    with pytest.raises(
        InputError, match=r"two\.log: question 'c' of the task a/b and b/c of a \(one\.log\) would both be a/b/c"
    ):
        gather_runs(logs, merge=False)
    logs[0].ids[0] = "c"
    assert [run.ids for run in gather_runs(logs, merge=False)] == [["a/c"], ["a/b/c"]]


def given_as(argument, task, letter, name="m"):
    rows = log_rows(name, {"q1": letter}, task)
    rows.argument, rows.file = argument, f"{argument}/{task}.eval"
    return rows


def test_arguments_that_share_a_model_and_a_task_are_separate_runs():
    """Red before: cand's log of ci_b became base1's, a run that never existed."""
    logs = [given_as("logs/base1", "ci_a", "C"), given_as("logs/cand", "ci_a", "I"), given_as("logs/cand", "ci_b", "C")]
    base, cand = gather_runs(logs, merge=False)
    assert (base.name, base.ids) == ("base1", ["ci_a/q1"])
    assert (cand.name, cand.ids, cand.outcomes) == ("cand", ["ci_a/q1", "ci_b/q1"], [2, 1])
    said = "logs/base1 and logs/cand share the model m and the task ci_a, so each argument is a separate run"
    assert any(line.startswith(said) for line in base.warnings)


def test_logs_of_one_folder_go_together():
    """Red before: within one argument, cand's log of ci_b was joined with base1's of ci_a."""
    files = ["logs/base1/a.eval", "logs/cand/a.eval", "logs/cand/b.eval"]
    logs = [log_rows("m", {"q1": "C"}, task) for task in ("ci_a", "ci_a", "ci_b")]
    for rows, file in zip(logs, files, strict=True):
        rows.file = file
    assert [run.ids for run in gather_runs(logs, merge=False)] == [["ci_a/q1"], ["ci_a/q1", "ci_b/q1"]]


def test_arguments_that_share_no_task_are_one_run():
    logs = [given_as(f"suite/{task}.eval", task, "C") for task in ("x", "y")]
    [run] = gather_runs(logs, merge=False)
    assert (run.name, run.ids) == ("m", ["x/q1", "y/q1"])
    logs.append(given_as("again.eval", "y", "I"))
    assert [(run.name, run.ids) for run in gather_runs(logs, merge=False)] == [
        ("m", ["x/q1"]), ("y", ["y/q1"]), ("again", ["y/q1"]),
    ]  # fmt: skip


def test_names_by_arguments_that_have_one_ending_or_several_models():
    logs = [given_as("a/log", "x", "C"), given_as("b/log", "x", "I")]
    assert [run.name for run in gather_runs(logs, merge=False)] == ["a/log", "b/log"]
    logs = [given_as(folder, "x", "C", model) for folder in ("a", "b") for model in ("m", "n")]
    assert [run.name for run in gather_runs(logs, merge=False)] == ["m (a)", "m (b)", "n (a)", "n (b)"]


def test_merge_joins_shards_of_several_arguments():
    logs = [given_as("one.eval", "x", "C"), given_as("two.eval", "x", "I")]
    logs[1].ids[0] = "q2"
    [run] = gather_runs(logs, merge=True)
    assert (run.name, run.ids) == ("m", ["q1", "q2"])


def test_a_failed_log_is_superseded_by_a_later_one():
    """Red before: the failed attempt was a run of its own."""

    def attempt(day, ended="", folder="logs", arguments="{}", task="x"):
        rows = log_rows("m", {"q1": "C"}, task)
        rows.file, rows.created, rows.ended, rows.arguments = f"{folder}/{day}.eval", day, ended, arguments
        return rows

    later = attempt("2026-02-03")
    kept = without_superseded(
        [later, attempt("2026-02-01", "was cancelled"), attempt("2026-02-02", "ended with an error")]
    )
    assert kept == [later]
    assert later.warnings == [
        "logs/2026-02-01.eval was cancelled and is superseded by logs/2026-02-03.eval, a later log of the same model, task "
        "and task arguments",
        "logs/2026-02-02.eval ended with an error and is superseded by logs/2026-02-03.eval, a later log of the same model, task "
        "and task arguments",
    ]
    failed = attempt("2026-02-01", "was cancelled")
    for other in (
        attempt("2026-02-03", folder="elsewhere"), attempt("2026-02-03", arguments='{"shots":5}'),
        attempt("2026-01-31"), attempt("2026-02-03", task="y"),
    ):  # fmt: skip
        assert without_superseded([failed, other]) == [failed, other]
    done = [attempt("2026-02-01"), attempt("2026-02-02")]
    assert without_superseded(done) == done
    failed, repeated = attempt("2026-02-01", "was cancelled"), attempt("2026-02-02")
    failed.file, repeated.file = "logs/retry.eval", "logs/first.eval"
    assert without_superseded([failed, repeated]) == [repeated], "by time, not by name"


def write(folder, name, samples, model) -> None:
    (folder / name).write_bytes(json_log(samples, header(model=model)))


def test_what_many_logs_say_alike_is_said_once(tmp_path) -> None:
    for number in range(3):
        samples = [sample(f"q{i}", value="I", score_answer="I don't know") for i in range(4)]
        write(tmp_path, f"{number}.json", samples, f"m{number}")
    said = [line for line in assay.evaluate(str(tmp_path)).remarks() if "look like refusals" in line]
    assert len(said) == 1
    assert said[0].startswith(f"{tmp_path / '0.json'} and 2 other logs: 4 answers look like refusals")


def test_other_texts_under_the_same_ids_are_one_line(tmp_path) -> None:
    for number in range(4):
        write(tmp_path, f"{number}.json", [sample("q1", input=f"question {number}"), sample("q2")], f"m{number}")
    [line] = [line for line in assay.evaluate(str(tmp_path)).remarks() if "another text" in line]
    assert line.startswith(f"{tmp_path / '1.json'}: 1 of its 2 questions have another text under the same id")
    assert "and so have 2 other logs" in line


def failed_log() -> list[dict]:
    return [sample("q1", scores={}, error={"message": "503", "traceback": "", "traceback_ansi": ""})]


def test_a_log_in_which_everything_failed_does_not_stop_the_others(tmp_path) -> None:
    write(tmp_path, "bad.json", failed_log(), "bad")
    write(tmp_path, "good.json", [sample("q1"), sample("q2")], "good")
    scores = assay.evaluate(str(tmp_path), None, ["accuracy"])
    assert scores["accuracy"] == {"good": 1.0}
    assert any("bad.json: has no scores: 1 of its 1 samples failed (503)" in line for line in scores.remarks())
    with pytest.raises(assay.InputError, match=r"bad\.json: has no scores"):
        assay.evaluate(str(tmp_path), None, ["accuracy"], failed="incorrect")
    (tmp_path / "good.json").unlink()
    with pytest.raises(assay.InputError, match=r"bad\.json: has no scores"):
        assay.evaluate(str(tmp_path))
