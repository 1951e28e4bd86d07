"""Tables whose columns `columns` names give the same numbers from every format and every way in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table_forms import FILES, FORMS, as_csv, as_jsonl

import assay
from assay.cli import main
from assay.errors import FormatError, InputError, UsageError

TRIALS = [
    {"task_id": "t1", "model_name": "m", "trial": 0, "reward": 1.0, "crash": None, "usd": 0.5},
    {"task_id": "t1", "model_name": "m", "trial": 1, "reward": 0.0, "crash": None, "usd": 0.5},
    {"task_id": "t2", "model_name": "m", "trial": 0, "reward": 1.0, "crash": None, "usd": 0.25},
    {"task_id": "t2", "model_name": "m", "trial": 1, "reward": 0.0, "crash": "sandbox died", "usd": None},
    {"task_id": "t1", "model_name": "n", "trial": 0, "reward": 0.0, "crash": None, "usd": 1.0},
    {"task_id": "t1", "model_name": "n", "trial": 1, "reward": 0.0, "crash": None, "usd": 1.0},
    {"task_id": "t2", "model_name": "n", "trial": 0, "reward": 1.0, "crash": None, "usd": 2.0},
    {"task_id": "t2", "model_name": "n", "trial": 1, "reward": 0.0, "crash": None, "usd": 2.0},
]
COLUMNS = {
    "id": "task_id",
    "run": "model_name",
    "outcome": "reward",
    "sample": "trial",
    "problem": "crash",
    "cost": "usd",
}
AS_TEXT = ",".join(f"{role}={name}" for role, name in COLUMNS.items())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("columns", [COLUMNS, AS_TEXT], ids=["dict", "text"])
def test_every_form_of_a_table(form, columns) -> None:
    """m: (1/2 + 1/1) / 2 with the crash left out; n: (0/2 + 1/2) / 2. Costs: (0.5 + 0.25) / 2 and (1 + 2) / 2."""
    table = FORMS[form](TRIALS)
    for scores in (
        assay.evaluate(table, None, ["accuracy", "cost"], columns=columns),
        assay.evaluate(None, table, ["accuracy", "cost"], columns=columns),
    ):
        assert scores["accuracy"] == {"m": 0.75, "n": 0.25}
        assert scores["cost"] == {"m": 0.375, "n": 1.5}
        assert (
            "m: 1 sample errored in the harness (t2 (sample 2): sandbox died); excluded (`failed=`)" in scores.remarks()
        )


@pytest.mark.parametrize("form", FILES)
def test_every_format_on_the_command_line(form, tmp_path, capfd) -> None:
    path = tmp_path / f"trials.{form}"
    path.write_bytes(FORMS[form](TRIALS))
    for judged in ([], ["--judged"]):
        assert main(["evaluate", *judged, str(path), "--columns", AS_TEXT, "-m", "accuracy", "-f", "csv"]) == 0
        assert capfd.readouterr().out.splitlines()[1:] == ["m,2,0.75", "n,2,0.25"]
    assert main(["evaluate", str(path), "--columns", AS_TEXT, "-m", "accuracy", "--failed", "incorrect"]) == 0
    rows = [line.split() for line in capfd.readouterr().out.splitlines()]
    assert rows[1:3] == [["m", "2", "0.5000*"], ["n", "2", "0.2500"]]


CELLS = {
    "question": st.sampled_from(["q1", "q2", "7", 'ü, "x"']),
    "system": st.sampled_from(["a", "b"]),
    "points": st.sampled_from([0.0, 0.25, 1.0, None]),
    "fault": st.sampled_from([None, "", "time-out"]),
    "category": st.sampled_from(["law", "art"]),
    "seconds": st.sampled_from([None, 0.5, 3.0]),
}


@given(rows=st.lists(st.fixed_dictionaries(CELLS), min_size=1, max_size=12))
def test_no_format_gives_another_number(rows) -> None:
    for number, row in enumerate(rows):
        row["attempt"] = f"try-{number}"
    columns = {
        "id": "question", "run": "system", "score": "points", "sample": "attempt", "problem": "fault", "latency": "seconds",
    }  # fmt: skip
    results: dict[str, Any] = {}
    for form, written in FORMS.items():
        try:
            scores = assay.evaluate(None, written(rows), ["score", "latency", "unanswered"], columns=columns)
            results[form] = scores.to_dict(), scores.remarks(), scores.fields
        except InputError as problem:
            results[form] = str(problem).partition(": ")[2]
    assert all(result == results["csv"] for result in results.values()), results


class TestProblems:
    ATTEMPTS = [
        {"id": "q1", "ok": True, "error": None}, {"id": "q2", "ok": False, "error": "usage limit"}, {"id": "q3", "ok": True, "error": ""},
        {"id": "q4", "ok": True, "error": "agent"}, {"id": "q5", "ok": None, "error": "task"}, {"id": "q6", "ok": False, "error": "none"},
    ]  # fmt: skip

    @pytest.mark.parametrize("form", FORMS)
    def test_a_named_problem_is_failed_whatever_the_outcome(self, form):
        """q1 and q3 right, q6 wrong; q2, q4 and q5 failed, of which q4 has credit in the file."""
        table = FORMS[form](self.ATTEMPTS)
        columns = {"outcome": "ok", "problem": "error"}
        scores = assay.evaluate(table, None, ["correct", "incorrect", "accuracy"], columns=columns)
        assert [scores[name]["run"] for name in ("correct", "incorrect", "accuracy")] == [2, 1, pytest.approx(2 / 3)]
        remarks = " ".join(scores.remarks())
        assert (
            "run: 1 answer has a problem and a score above 0, and counts as failed (`columns='problem=error'`)"
            in remarks
        )
        assert "3 questions errored in the harness" in remarks
        counted = assay.evaluate(table, None, "accuracy", columns=columns, failed="incorrect")
        assert counted["accuracy"] == {"run": pytest.approx(2 / 6)}

    @pytest.mark.parametrize("form", FORMS)
    def test_a_problem_of_its_own_name_is_refused_beside_an_outcome_with_the_columns_to_type(self, form):
        table = FORMS[form](
            [{"id": "q1", "outcome": 1, "problem": None}, {"id": "q2", "outcome": 0, "problem": "time-out"}]
        )
        with pytest.raises(FormatError, match=r"has a problem; .*`columns='problem=problem'` makes it failed"):
            assay.evaluate(table)
        assert assay.evaluate(table, columns="problem=problem")["accuracy"] == {"run": 1.0}

    def test_the_outcome_of_a_failed_attempt_may_be_any_word(self):
        records = [{"id": "q1", "ok": "right", "error": ""}, {"id": "q2", "ok": "crashed", "error": "out of memory"}]
        assert assay.evaluate(records, columns={"outcome": "ok", "problem": "error"})["accuracy"] == {"run": 1.0}
        with pytest.raises(FormatError, match="ok 'crashed' is not known"):
            assay.evaluate(records, columns={"outcome": "ok", "fields": "error"})

    @pytest.mark.parametrize("form", FORMS)
    def test_a_flag_may_be_the_problem(self, form):
        records = [{"id": "q1", "ok": 1, "crashed": False}, {"id": "q2", "ok": 0, "crashed": True}]
        scores = assay.evaluate(FORMS[form](records), columns={"outcome": "ok", "problem": "crashed"})
        assert scores["accuracy"] == {"run": 1.0}


class TestPlaces:
    ANSWERS = [{"task": "q1", "text": "Paris"}, {"task": "q2", "text": "Oslo"}]
    GOLD = [{"task": "q1", "right": "Paris"}, {"task": "q2", "right": "Rome"}]

    @pytest.mark.parametrize("form", FORMS)
    def test_a_run_beside_gold(self, form):
        scores = assay.evaluate(
            {"q1": "Paris", "q2": "Rome"}, FORMS[form](self.ANSWERS), columns={"id": "task", "answer": "text"}
        )
        assert scores["accuracy"] == {"run": 0.5}

    @pytest.mark.parametrize("form", FORMS)
    def test_gold_beside_a_run(self, form):
        scores = assay.evaluate(
            FORMS[form](self.GOLD), {"q1": "Paris", "q2": "Oslo"}, columns={"id": "task", "gold": "right"}
        )
        assert scores["accuracy"] == {"run": 0.5}

    @pytest.mark.parametrize("form", FORMS)
    def test_gold_and_answers_in_one_table(self, form):
        both = [{**gold, **answer} for gold, answer in zip(self.GOLD, self.ANSWERS, strict=True)]
        columns = {"id": "task", "gold": "right", "answer": "text"}
        assert assay.evaluate(FORMS[form](both), columns=columns)["accuracy"] == {"run": 0.5}

    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize("name", ["id", "question_id", "qid"])
    def test_usual_names_of_the_id_on_both_sides(self, form, name):
        gold = [{name: "q1", "answer": "Paris"}, {name: "q2", "answer": "Rome"}]
        run = [{name: "q1", "answer": "Paris"}, {name: "q2", "answer": "Oslo"}]
        assert assay.evaluate(FORMS[form](gold), FORMS[form](run))["accuracy"] == {"run": 0.5}

    def test_records_as_one_of_several_runs(self):
        answers = [{"id": "q1", "answer": "Paris"}, {"id": "q2", "answer": "Oslo"}]
        gold = {"q1": "Paris", "q2": "Rome"}
        assert assay.evaluate(gold, {"a": answers, "b": {"q1": "Paris", "q2": "Rome"}})["accuracy"] == {
            "a": 0.5,
            "b": 1.0,
        }
        assert assay.evaluate(gold, answers)["accuracy"] == {"run": 0.5}
        assert list(assay.evaluate(gold, [{"q1": "Paris"}, {"q1": "Rome"}])["correct"].values()) == [1, 0], "two runs"

    def test_files_and_folders_without_judged(self, tmp_path, capfd):
        for model, won in (("a", (1, 1)), ("b", (0, 1))):
            records = [{"task": f"q{k}", "model": model, "won": w} for k, w in enumerate(won)]
            (tmp_path / f"{model}.json").write_text(json.dumps(records))
        columns = ["--columns", "id=task,outcome=won", "-m", "accuracy"]
        for paths in ([str(tmp_path)], [str(tmp_path / "a.json"), str(tmp_path / "b.json")]):
            assert main(["evaluate", *paths, *columns]) == 0
            assert [line.split()[::2] for line in capfd.readouterr().out.splitlines()[1:3]] == [
                ["a", "1.0000*"],
                ["b", "0.5000"],
            ]

    def test_check_reads_what_evaluate_reads(self):
        columns = {"id": "task_id", "run": "model_name", "outcome": "reward", "sample": "trial"}
        for form in FORMS:
            assert assay.check({"t": FORMS[form](TRIALS)}, columns=columns).ok
        assert assay.check(TRIALS, columns=columns).ok
        assert not assay.check({"t": as_jsonl(TRIALS)}, columns={**columns, "id": "typo"}).ok
        assert assay.check({"t": b'[{"id": "q1", "passed": true}]'}).ok

    @pytest.mark.parametrize("form", ["jsonl", "records", "pandas"])
    def test_workers_read_the_same(self, form, tmp_path):
        from concurrent.futures import ThreadPoolExecutor

        table = FORMS[form](TRIALS)
        with ThreadPoolExecutor(2) as executor:
            scores = assay.evaluate(None, table, ["accuracy"], columns=COLUMNS, executor=executor)
        assert scores["accuracy"] == {"m": 0.75, "n": 0.25}


class TestFormatsOfOthers:
    METR = [
        {"task_id": task, "run_id": run, "alias": run[0].upper(), "model": "org/x", "score_binarized": binary, "score_cont": score,
         "fatal_error_from": error}
        for task, run, binary, score, error in (
            ("acronym/1", "a-1", 1, 1.0, None), ("acronym/1", "a-2", 0, 0.25, None),
            ("debug/2", "a-3", 0, 0.0, "serverOrTask"), ("debug/2", "a-4", 1, 0.75, None),
            ("acronym/1", "b-1", 0, 0.5, None), ("debug/2", "b-2", 1, 1.0, None),
        )
    ]  # fmt: skip
    METR_COLUMNS = "id=task_id,run=alias,sample=run_id,problem=fatal_error_from"

    @pytest.mark.parametrize("form", FORMS)
    def test_attempts_of_metr(self, form):
        """A: (1/2 + 1/1) / 2 where the error is left out, (1/2 + 1/2) / 2 where it counts; B: (0 + 1) / 2."""
        table = FORMS[form](self.METR)
        columns = self.METR_COLUMNS + ",outcome=score_binarized"
        assert assay.evaluate(table, None, "accuracy", columns=columns)["accuracy"] == {"A": 0.75, "B": 0.5}
        counted = assay.evaluate(table, None, "accuracy", columns=columns, failed="incorrect")
        assert counted["accuracy"] == {"A": 0.5, "B": 0.5}
        graded = assay.evaluate(table, None, "score", columns=self.METR_COLUMNS + ",score=score_cont")
        assert graded["score"] == {"A": (0.625 + 0.75) / 2, "B": 0.75}

    FINANCEBENCH = [
        {"financebench_id": "financebench_id_1", "model_name": "gpt-x", "eval_mode": mode, "temp": 0.01, "question": "?",
         "gold_answer": 8.7, "model_answer": "8.738 billion", "label": label}
        for mode, label in (("oracle", "Correct Answer"), ("closedBook", "Refusal"))
    ] + [
        {"financebench_id": "financebench_id_2", "model_name": "gpt-x", "eval_mode": mode, "temp": 0.01, "question": "?",
         "gold_answer": "It fell.", "model_answer": "It rose.", "label": label}
        for mode, label in (("oracle", "Incorrect Answer"), ("closedBook", "Correct Answer"))
    ]  # fmt: skip

    @pytest.mark.parametrize("form", ["jsonl", "json", "csv", "records"])
    def test_labels_of_financebench(self, form):
        """oracle 1 right, 1 wrong; closedBook 1 right, 1 refused: c@1 (1 + 1 * 1/2) / 2."""
        records = [{**record, "gold_answer": str(record["gold_answer"])} for record in self.FINANCEBENCH]
        scores = assay.evaluate(
            None, FORMS[form](records), ["accuracy", "unanswered", "c@1"],
            columns="id=financebench_id,run=model_name+eval_mode,outcome=label,answer=model_answer",
            outcomes="Correct Answer=correct,Incorrect Answer=incorrect,Refusal=unanswered",
        )  # fmt: skip
        assert scores["accuracy"] == {"gpt-x/oracle": 0.5, "gpt-x/closedBook": 0.5}
        assert scores["unanswered"] == {"gpt-x/oracle": 0, "gpt-x/closedBook": 1}
        assert scores["c@1"] == {"gpt-x/oracle": 0.5, "gpt-x/closedBook": 0.75}

    def test_a_log_is_a_table_where_columns_name_its_fields(self):
        """tau-bench's file by hand: 2 of 3, and a crash that only its own reader knows."""
        log = [
            {"task_id": 0, "reward": reward, "info": {"error": None}, "traj": [], "trial": trial}
            for trial, reward in ((0, 1.0), (1, 1.0), (2, 0.0))
        ]
        scores = assay.evaluate(json.dumps(log).encode(), columns="id=task_id,outcome=reward,sample=trial")
        assert scores["accuracy"] == {"run": pytest.approx(2 / 3)}


def test_the_help_names_the_formats(capfd) -> None:
    with pytest.raises(SystemExit):
        main(["evaluate", "--help", "all"])
    assert "the columns of a table (CSV, JSON, Parquet)" in " ".join(capfd.readouterr().out.split())


def test_path_objects(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_bytes(as_jsonl(TRIALS))
    assert assay.evaluate(tmp_path / "t.jsonl", columns=COLUMNS)["accuracy"] == {"m": 0.75, "n": 0.25}


class TestWhatIsRefused:
    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize("missing", ["id", "outcome", "sample", "problem", "run"])
    def test_a_column_that_is_not_there_lists_those_that_are(self, form, missing):
        columns = {**COLUMNS, missing: "typo"}
        with pytest.raises(FormatError) as refused:
            assay.evaluate(None, FORMS[form](TRIALS), columns=columns)
        expected = (
            f"no column 'typo' (`columns='{missing}=typo'`); it has task_id, model_name, trial, reward, crash, usd"
        )
        assert expected in str(refused.value)

    @pytest.mark.parametrize("form", FILES)
    def test_on_the_command_line(self, form, tmp_path, capfd):
        path = tmp_path / f"t.{form}"
        path.write_bytes(FORMS[form](TRIALS))
        assert main(["evaluate", "--judged", str(path), "--columns", "id=task,outcome=reward"]) == 3
        captured = capfd.readouterr()
        assert captured.out == ""
        assert "no column 'task' (--columns id=task); it has task_id, model_name" in captured.err

    @pytest.mark.parametrize("columns", [5, ["id"], b"id=x"])
    def test_columns_of_another_type(self, columns):
        for table in (TRIALS, as_csv(TRIALS)):
            with pytest.raises(UsageError, match=r"expected text or a dict|roles and columns"):
                assay.evaluate(table, columns=columns)

    def test_beside_gold_the_fields_of_the_run_are_listed(self):
        with pytest.raises(UsageError, match="no file is one of these columns; the runs have answer, id"):
            assay.evaluate({"q1": "Paris"}, as_jsonl([{"id": "q1", "answer": "Paris"}]), columns={"answer": "text"})
