"""Outcomes as CSV, TSV and data frames, long and wide."""

from __future__ import annotations

import pytest
from counted_names import Counted

import assay
from assay.errors import FormatError, InputError, UsageError
from assay.formats import frames
from assay.formats.answers import outcomes_table
from assay.formats.answers.column_roles import parse_columns
from assay.formats.answers.outcome_words import Words
from assay.formats.answers.outcomes_table import doubtful_columns, is_log_header, is_noted, is_scored, suggested_columns
from assay.formats.answers.rows import CORRECT, FAILED, GRADED, INCORRECT, NO_VERDICT, UNANSWERED
from assay.io.sources import Source


def source(text: str | bytes, name: str = "file") -> Source:
    return Source(name, data=text.encode() if isinstance(text, str) else text)


def test_a_long_table() -> None:
    text = 'run,id,outcome,confidence,lang\na,q1,correct,0.9,en\nb,q1,wrong,,en\na,q2,,0.1,"fr\nca"\n'
    table = outcomes_table.read_table(source(text))
    a, b = table.runs["a"], table.runs["b"]
    assert (a.ids, a.outcomes, a.confidences) == (["q1", "q2"], [CORRECT, NO_VERDICT], [0.9, 0.1])
    assert (b.outcomes, b.confidences) == ([INCORRECT], [None])
    assert a.lines == [2, 5], "the last line of a record that spans two"
    assert table.fields == {"lang": {"q1": "en", "q2": "fr\nca"}}


def test_a_long_table_with_other_names_and_tabs() -> None:
    text = "model\tset\tnumber\tright\na\ts\t1\tTRUE\na\tt\t1\tFALSE\n"
    columns = parse_columns("run=model,id=set+number,outcome=right")
    rows = outcomes_table.read_table(source(text), columns).runs["a"]
    assert (rows.ids, rows.outcomes) == (["s/1", "t/1"], [CORRECT, INCORRECT])


def test_columns_as_a_dict() -> None:
    table = b"task_id;model;right\nq1;a;1\nq2;a;0\n"
    roles = {"id": "task_id", "run": "model", "outcome": "right"}
    text = ",".join(map("=".join, roles.items()))
    as_dict, as_text = (assay.evaluate(table, columns=columns) for columns in (roles, text))
    assert as_dict["accuracy"] == {"a": 0.5}
    assert as_dict.settings.as_dict()["columns"] == text == as_text.settings.as_dict()["columns"]
    assert assay.check({"a": table}, columns=roles).ok
    # Text cannot name a column with a comma in it.
    assert assay.evaluate(b"a,b\tr\nq1\t1\n", columns={"id": "a,b", "outcome": "r"})["accuracy"] == {"run": 1.0}
    for wrong in ({"idd": "task_id"}, {"id": 7}, {"id": ""}):
        with pytest.raises(UsageError, match="expected role=column"):
            assay.evaluate(table, columns=wrong)


def test_a_field_that_differs_between_runs_is_no_field() -> None:
    table = outcomes_table.read_table(source("run,id,outcome,time,set\na,q,1,3,x\nb,q,0,4,x\n"))
    assert set(table.fields) == {"set"}


def test_a_wide_table_finds_its_runs() -> None:
    text = "question_id,gold,category,m1,m2\n1,A,maths,A,\n2,B,law,C,ABSENT\n"
    table = outcomes_table.read_table(source(text))
    assert list(table.runs) == ["m1"], "m2 never gives an answer of the gold, so it looks like a field"
    table = outcomes_table.read_table(source(text), {"fields": "category", "runs": "m1+m2"})
    assert list(table.runs) == ["m1", "m2"]
    assert table.runs["m1"].texts == ["A", "C"]
    assert (table.runs["m2"].ids, table.runs["m2"].texts) == (["1"], [None])
    assert [(q.id, q.answers[0].text, q.fields) for q in table.gold] == [
        ("1", "A", {"category": "maths"}),
        ("2", "B", {"category": "law"}),
    ]


def test_a_wide_table_of_outcomes() -> None:
    table = outcomes_table.read_table(source("id;topic;m1;m2\nq1;x;1;0\nq2;y;;correct\n"))
    assert table.gold is None
    assert table.runs["m1"].outcomes == [CORRECT, NO_VERDICT]
    assert table.runs["m2"].outcomes == [INCORRECT, CORRECT]


def test_a_table_of_gold_alone() -> None:
    for header in ("id,gold,type", "qid,answer,type"):
        table = outcomes_table.read_table(source(f"{header}\n1,Paris,a\n2,NIL,b\n"), as_gold=True)
        assert [(q.id, [a.text for a in q.answers], q.nil) for q in table.gold] == [
            ("1", ["Paris"], False),
            ("2", [], True),
        ]
        assert table.gold[0].fields == {"type": "a"}
        assert not table.runs


def test_a_long_table_with_its_gold() -> None:
    text = "run,id,answer,gold,confidence\na,1,A,A,0.5\nb,1,B,A,0.4\n"
    table = outcomes_table.read_table(source(text))
    assert [(q.id, q.answers[0].text) for q in table.gold] == [("1", "A")]
    assert table.runs["b"].texts == ["B"]
    with pytest.raises(FormatError, match=r"file:3: question '1' has the gold 'C' here and 'A' on line 2"):
        outcomes_table.read_table(source(text.replace("b,1,B,A", "b,1,B,C")))


def test_a_data_frame_is_a_table() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"run": ["a", "a"], "id": [1, 2], "outcome": [True, None], "confidence": [0.5, None]})
    rows = outcomes_table.read_table(Source("frame", data=frame)).runs["a"]
    assert (rows.ids, rows.outcomes, rows.confidences) == (["1", "2"], [CORRECT, NO_VERDICT], [0.5, None])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("run,id,outcome\na,q1,perhaps\n", "file:2: outcome 'perhaps' is not known"),
        ("run,id,outcome,confidence\na,q1,1,0.5\na,q2,1,nan\n", "file:3: confidence nan"),
        ("run,id,outcome,confidence\na,q1,1,1.5\n", "file:2: confidence 1.5"),
        ("run,id,outcome\na,q1\n", "file:2: expected 3 cells as in the header, found 2"),
        ("run,id,outcome\na,,1\n", "file:2: the question has no name"),
        ("run,id,outcome\n", "file: holds no answers below its header"),
        ("", "file: is empty"),
        ("a,b,a\n1,2,3\n", "file:1: two columns are called 'a'"),
        ("name,outcome\nx,1\n", "file:1: no column for the question's id among name, outcome"),
        ("id,gold,m1\nq1,A,A\nq1,B,B\n", "file:3: question 'q1' is already on line 2"),
        ("id,gold,m1\nq1,,A\nq2,A,A\n", "file:2: question 'q1' has no answer in the gold column"),
        ("id,gold,m1\nq1,A,x\n", "looks like a run; name them with `columns="),
        ('id,outcome\n"q1,1\n', "file:2: broken CSV"),
        (b"id,outcome\nq1,1\nq\xff,0\n", "file:3: is not UTF-8 text"),
    ],
)
def test_bad_tables(text, problem) -> None:
    with pytest.raises(InputError) as caught:
        outcomes_table.read_table(source(text))
    assert problem in str(caught.value)


@pytest.mark.parametrize("columns", [{}, {"runs": "+".join(f"m{i}" for i in range(2000))}], ids=["guessed", "named"])
def test_the_names_of_many_runs_are_not_compared_with_one_another(monkeypatch, columns) -> None:
    """2,000 of them have 2,000,000 pairs, and 100,000 did not finish."""
    header = [Counted(name) for name in ("id", "gold", *(f"m{i}" for i in range(2000)))]
    monkeypatch.setattr(frames, "cell_lines", lambda source: iter([(1, header), (2, ["1", *["A"] * 2001])]))
    Counted.compared = 0
    assert len(outcomes_table.read_table(source(""), columns).runs) == 2000
    assert Counted.compared < 20_000


@pytest.mark.parametrize("text", ["run", "colour=x", "run=", "run=a,,"])
def test_bad_columns(text) -> None:
    with pytest.raises(UsageError, match="expected role=column"):
        parse_columns(text)


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(
        FormatError, match=r"file:1: no column 'model' \(`columns=.run=model.`\); it has run, id, outcome"
    ):
        outcomes_table.read_table(source("run,id,outcome\na,q1,1\n"), {"run": "model"})


def test_outcomes_as_data_frames_write_them() -> None:
    """A column of 1 and 0 with a gap becomes one of decimals; a nullable one holds NA."""
    table = outcomes_table.read_table(source("run,id,outcome\nm,1,1.0\nm,2,0.0\nm,3,\n"))
    assert table.runs["m"].outcomes == [CORRECT, INCORRECT, NO_VERDICT]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"run": ["m"] * 3, "id": [1, 2, 3], "outcome": pandas.array([True, None, False], "boolean")}
    )
    assert outcomes_table.read_table(Source("frame", data=frame)).runs["m"].outcomes == [CORRECT, NO_VERDICT, INCORRECT]


@pytest.mark.parametrize("mark", ["\t", ";"])
def test_a_comma_may_stand_in_the_name_of_a_column(mark) -> None:
    header, line = mark.join(["run", "id", "outcome", "note, if any"]), mark.join(["m", "1", "correct", "a, b, c, d"])
    assert outcomes_table.read_table(source(f"{header}\n{line}\n")).fields == {"note, if any": {"1": "a, b, c, d"}}


def test_a_role_that_is_one_column() -> None:
    with pytest.raises(UsageError, match="only run, id, runs, fields can be several columns"):
        parse_columns("outcome=a+b")
    assert parse_columns("absent=n+a") == {"absent": "n+a"}


def test_a_wide_table_names_every_question() -> None:
    with pytest.raises(FormatError, match="file:2: the question has no name"):
        outcomes_table.read_table(source("id,gold,m\n,A,A\n2,B,B\n"))


class TestWhatIsStated:
    def test_long(self):
        text = "run,id,sample,outcome,score,kind,problem\na,q1,1,,0.5,,\na,q1,2,C,,,\na,q2,1,N,0,refused,\na,q3,,error,,,timeout\n"
        text = text.replace("a,q1,1,,0.5", "a,q1,1,P,0.5")
        rows = outcomes_table.read_table(source(text)).runs["a"]
        assert rows.outcomes == [GRADED, CORRECT, UNANSWERED, FAILED]
        assert (rows.samples, rows.scores) == ([1, 2, 1, 1], [0.5, 1.0, 0.0, None])
        assert (rows.kinds, rows.problems) == ({2: "refused"}, {3: "timeout"})

    def test_scores_alone(self):
        rows = outcomes_table.read_table(source("run,id,score\na,q1,0.25\na,q2,1\na,q3,nan\na,q4,\n")).runs["a"]
        assert rows.outcomes == [GRADED, CORRECT, NO_VERDICT, NO_VERDICT]
        assert rows.scores == [0.25, 1.0, None, None]

    def test_a_column_has_one_role(self):
        rows = outcomes_table.read_table(source("id,score\nq1,0.5\n"), {"outcome": "score"}).runs["file"]
        assert (rows.outcomes, rows.scores) == ([GRADED], [0.5])
        table = outcomes_table.read_table(source("run,id,outcome,kind\na,q1,1,math\n"), {"fields": "kind"})
        assert table.fields == {"kind": {"q1": "math"}}

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            (
                "run,id,sample,outcome\na,q1,1,1\na,q1,1,0\n",
                "file:3: sample 1 of question 'q1' is already on line 2",
            ),
            ("run,id,sample,outcome\na,q1,x,1\n", "file:2: sample 'x': expected a whole number from 0 or 1"),
            ("run,id,sample,outcome\na,q1,-1,1\n", "file:2: sample '-1'"),
            ("run,id,outcome,score\na,q1,1,57\n", "file:2: score 57.*divide"),
            ("run,id,outcome,kind\na,q1,1,math\n", "file:2: kind 'math': expected declined"),
        ],
    )
    def test_what_is_refused(self, text, problem):
        with pytest.raises(InputError, match=problem):
            outcomes_table.read_table(source(text))

    def test_wide_with_partial_credit(self):
        table = outcomes_table.read_table(source("id,m1\nq1,0.5\nq2,C\n"), {"runs": "m1"})
        assert (table.runs["m1"].outcomes, table.runs["m1"].scores) == ([GRADED, CORRECT], [0.5, 1.0])

    def test_words_of_a_persons_own(self):
        table = outcomes_table.read_table(
            source("id,m1\nq1,PASS\nq2,FAIL\n"), words=Words("pass=correct,fail=incorrect")
        )
        assert table.runs["m1"].outcomes == [CORRECT, INCORRECT]


class TestLogsAreNotRuns:
    INSPECT = (
        "sample_id,eval_id,id,epoch,score_attempted,turn_count,retries,total_time\n"
        "u1,e1,cap-1,1,C,1,0,0.5\nu2,e1,cap-2,1,N,1,0,0.25\n"
    )

    def test_a_frame_of_inspect_is_refused_and_the_line_it_shows_reads_it(self):
        with pytest.raises(InputError, match="would be taken as runs") as refused:
            outcomes_table.read_table(source(self.INSPECT))
        line = str(refused.value).partition("`columns='")[2].partition("'")[0]
        assert line == "id=id,outcome=score_attempted,run=eval_id,sample=epoch"
        rows = outcomes_table.read_table(source(self.INSPECT), parse_columns(line)).runs["e1"]
        assert (rows.ids, rows.outcomes) == (["cap-1", "cap-2"], [CORRECT, UNANSWERED])

    def test_repeated_ids_are_not_complained_of_first(self):
        with pytest.raises(InputError, match="sample=epoch"):
            outcomes_table.read_table(source(self.INSPECT + "u3,e1,cap-1,2,C,1,0,0.5\n"))

    def test_what_is_noted_beside_runs(self):
        text = "id,gpt,claude,turn_count\nq1,1,0,1\nq2,0,1,1\n"
        with pytest.raises(
            InputError, match=r"'turn_count' would be taken as runs.*`columns='id=id,runs=gpt\+claude'`"
        ):
            outcomes_table.read_table(source(text))
        columns = parse_columns("id=id,runs=gpt+claude")
        assert list(outcomes_table.read_table(source(text), columns).runs) == ["gpt", "claude"]
        assert list(outcomes_table.read_table(source(text.replace("1,0,1", "1,0,4"))).runs) == ["gpt", "claude"]

    def test_the_row_numbers_of_pandas(self):
        for name in ("", "Unnamed: 0"):
            table = outcomes_table.read_table(source(f"{name},id,gpt\n0,q1,1\n1,q2,0\n"))
            assert (list(table.runs), table.fields) == (["gpt"], {})

    def test_runs_may_be_called_scores(self):
        text = "id,gpt_score,claude_score\nq1,1,0\n"
        assert list(outcomes_table.read_table(source(text)).runs) == ["gpt_score", "claude_score"]

    def test_beside_gold_nothing_is_doubted(self):
        text = "id,gold,score,epoch\nq1,A,A,A\n"
        assert list(outcomes_table.read_table(source(text)).runs) == ["score", "epoch"]


class TestParquet:
    def packed(self, **columns) -> bytes:
        pyarrow = pytest.importorskip("pyarrow")
        import io

        import pyarrow.parquet as pq

        out = io.BytesIO()
        pq.write_table(pyarrow.table(columns), out)
        return out.getvalue()

    def test_long(self):
        content = self.packed(run=["a", "b"], id=["q1", "q1"], outcome=[True, False], confidence=[0.5, None])
        table = outcomes_table.read_table(source(content))
        assert {name: rows.outcomes for name, rows in table.runs.items()} == {"a": [CORRECT], "b": [INCORRECT]}
        assert table.runs["a"].confidences == [0.5]

    def test_wide_with_gold(self):
        table = outcomes_table.read_table(source(self.packed(id=[1, 2], gold=["A", "B"], m=["A", None])))
        assert (table.runs["m"].ids, table.runs["m"].texts) == (["1", "2"], ["A", None])

    def test_it_is_recognised_as_a_run_and_as_gold(self):
        from assay.formats.recognition import recognise

        content = self.packed(id=["q1"], gold=["A"], m=["A"])
        assert recognise(source(content), "run").name == "table run"
        assert recognise(source(content), "gold").name == "table"
        assert recognise(source(self.packed(run=["a"], topic=["1"], AP=[0.5])), "gold") is None

    def test_evaluated(self):
        import assay

        content = self.packed(run=["a", "a"], id=["q1", "q2"], outcome=["correct", "wrong"])
        assert assay.evaluate(None, [content], ["accuracy"]).value("a", "accuracy").value == 0.5


def test_a_column_says_which_questions_should_be_declined() -> None:
    wide = outcomes_table.read_table(
        source(b"id,gold,should_decline,m\nq1,Paris,no,Paris\nq2,,yes,\nq3,Rome,TRUE,Rome\n", "w.csv")
    )
    assert [(q.nil, q.fields["should_decline"]) for q in wide.gold] == [(False, "no"), (True, "yes"), (False, "TRUE")]
    assert list(wide.runs) == ["m"]
    assert wide.runs["m"].warnings == []
    outcomes = outcomes_table.read_table(source(b"id,should_decline,m\nq1,true,correct\nq2,false,wrong\n", "o.csv"))
    assert list(outcomes.runs) == ["m"], "not a run, for all its words of outcomes"
    assert outcomes.fields == {"should_decline": {"q1": "true", "q2": "false"}}
    long = outcomes_table.read_table(
        source(b"run,id,outcome,bad\na,q1,C,1\na,q2,C,0\n", "l.csv"), {"should_decline": "bad"}
    )
    assert long.fields == {"should_decline": {"q1": "1", "q2": "0"}}


def test_declining_that_nobody_can_read() -> None:
    with pytest.raises(FormatError, match=r"w.csv:2: should_decline 'maybe': expected true or false"):
        outcomes_table.read_table(source(b"id,gold,should_decline,m\nq1,Paris,maybe,Paris\n", "w.csv"))
    with pytest.raises(FormatError, match=r"l.csv:3: should_decline of question 'q1' is '0' here and '1' above"):
        outcomes_table.read_table(source(b"run,id,outcome,should_decline\na,q1,C,1\nb,q1,C,0\n", "l.csv"))
    with pytest.raises(FormatError, match=r"w.csv:2: question 'q1' has no answer in the gold column"):
        outcomes_table.read_table(source(b"id,gold,should_decline,m\nq1,,no,Paris\nq2,a,no,a\n", "w.csv"))


INSPECT = [
    "sample_id", "eval_id", "log", "id", "epoch", "input", "target", "score_attempted", "score_partial_credit", "model_usage",
    "total_time", "working_time", "message_count", "turn_count", "error", "limit", "retries",
]  # fmt: skip


def test_a_frame_of_inspect_is_a_log():
    assert is_log_header(INSPECT)
    assert suggested_columns(INSPECT, "id", [], {"epoch": ["1", "2"]}) == (
        "`gold=None` and `columns='id=id,outcome=score_attempted,run=eval_id,sample=epoch'` read it with a line per question and sample "
        "(or another of score_attempted, score_partial_credit)"
    )


@pytest.mark.parametrize(
    "header", [["id", "gpt", "claude"], ["id", "gpt_score", "claude_score"], ["id", "epoch", "time", "m"]]
)
def test_others_are_none(header):
    assert not is_log_header(header)


@pytest.mark.parametrize(
    "name", ["epoch", "turn_count", "retries", "total_time", "error", "limit", "message_count", "", "Unnamed: 0"]
)
def test_what_is_noted(name):
    assert is_noted(name)
    assert doubtful_columns(["id", "gpt", name], ["gpt", name]) == [name]


@pytest.mark.parametrize("name", ["gpt-4", "m1", "run1", "system-a", "llama_3_70b", "timeless", "indexer"])
def test_what_may_be_a_system(name):
    assert not is_noted(name)
    assert not is_scored(name)
    assert doubtful_columns(["id", name], [name]) == []


def test_anything_beside_a_score_is_doubted():
    assert doubtful_columns(["id", "score_x", "flag"], ["flag"]) == ["flag"]
    assert doubtful_columns(["id", "score_x", "score_y"], ["score_x", "score_y"]) == []


def test_without_a_score_the_runs_that_are_left():
    assert (
        suggested_columns(["id", "a", "b", "epoch"], "id", ["a", "b"], {})
        == "`columns='id=id,runs=a+b'` names the runs"
    )
    assert suggested_columns(["id", "epoch"], "id", [], {}) == "`columns='id=id,runs=…'` names the runs"


def test_a_sample_counts_from_1():
    assert "sample" not in suggested_columns(["id", "score", "trial"], "id", [], {"trial": ["0", "1"]}).split("`")[1]


USED = "run,id,outcome,cost,latency,tokens\na,q1,1,0.25,2,10\na,q2,0,0.75,,30\nb,q1,1,,1,0\n"


def test_cost_latency_and_tokens_are_of_the_answer() -> None:
    table = outcomes_table.read_table(source(USED))
    assert table.runs["a"].usage == {"cost": [0.25, 0.75], "latency": [2.0, None], "tokens": [10.0, 30.0]}
    assert table.runs["b"].usage == {"latency": [1.0], "tokens": [0.0]}, "an empty cell is not known, and 0 is 0"
    assert not table.fields
    named = outcomes_table.read_table(source(USED.replace("cost", "usd")), {"cost": "usd"})
    assert named.runs["a"].usage["cost"] == [0.25, 0.75]
    field = outcomes_table.read_table(source("run,id,outcome,tokens\na,q1,1,few\n"), {"fields": "tokens"})
    assert (field.fields, field.runs["a"].usage) == ({"tokens": {"q1": "few"}}, {})


def test_means_of_usage_are_over_the_questions_where_it_is_known() -> None:
    measures = ["cost", "latency", "tokens"]
    scores = assay.evaluate(None, USED.encode(), measures)
    assert scores["cost"] == {"a": 0.5, "b": None}
    assert scores["latency"] == {"a": 2.0, "b": 1.0}
    assert scores["tokens"] == {"a": 20.0, "b": 0.0}
    run = scores.to_dict()["runs"][0]
    assert run["denominators"] == {"cost": 2, "latency": 1, "tokens": 2}


@pytest.mark.parametrize("cell", ["-0.1", "nan", "inf", "-inf", "1e999", "$1", "1,5", "yes"])
def test_usage_that_is_no_amount_is_refused_with_its_line(cell: str) -> None:
    text = f'id;outcome;cost\nq1;1;0\nq2;1;"{cell}"\n'
    with pytest.raises(FormatError, match=r"^file:3: cost .*: expected a number of 0 or more, or nothing where"):
        outcomes_table.read_table(source(text))


def test_usage_reaches_its_measures_from_every_way_in(tmp_path) -> None:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    rows = [
        {"run": "a", "id": "q1", "answer": "x", "cost": 0.25},
        {"run": "a", "id": "q2", "answer": "y", "cost": None},
        {"run": "b", "id": "q1", "answer": "y", "cost": 0.5},
        {"run": "b", "id": "q2", "answer": "y", "cost": 0.0},
    ]
    frame = pd.DataFrame(rows)
    for name, text in (
        ("t.csv", frame.to_csv(index=False)),
        ("t.tsv", frame.to_csv(index=False, sep="\t")),
        ("t.jsonl", frame.to_json(orient="records", lines=True)),
        ("t.json", frame.to_json(orient="records")),
    ):
        (tmp_path / name).write_text(text)
    frame.to_parquet(tmp_path / "t.parquet")
    alone = {run: part.drop(columns="run") for run, part in frame.groupby("run")}
    dicts = {run: part.set_index("id").to_dict("index") for run, part in alone.items()}
    ways = [frame, pl.DataFrame(rows), pa.Table.from_pylist(rows), frame.convert_dtypes(), alone, dicts]
    gold = {"q1": "x", "q2": "y"}
    for runs in (*ways, *sorted(tmp_path.iterdir())):
        scores = assay.evaluate(gold, runs, ["accuracy", "cost"])
        assert scores["accuracy"] == {"a": 1.0, "b": 0.5}, runs
        assert scores["cost"] == {"a": 0.25, "b": 0.25}, runs
