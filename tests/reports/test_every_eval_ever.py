"""Records of Every Eval Ever: the keys of schema 0.3.0, every state of an answer, and what assay reads back."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

import assay
from assay.cli import main
from assay.reports import every_eval_ever

AGGREGATE = {
    "schema_version",
    "evaluation_id",
    "retrieved_timestamp",
    "source_metadata",
    "model_info",
    "eval_library",
    "evaluation_results",
}
"""Required by the schema, which allows no other but `detailed_evaluation_results` and `evaluation_timestamp`."""
INSTANCE = {
    "schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id", "interaction_type", "input", "output",
    "answer_attribution", "evaluation",
}  # fmt: skip
OPTIONAL = {"evaluation_result_id", "sample_hash", "token_usage", "performance", "error", "metadata"}
SAMPLES = re.compile(
    r"data/[^/]+/[^/]+/[^/]+/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}_samples\.jsonl"
)
TABLE = """run,id,outcome,kind,confidence,cost
org/m,q1,correct,,0.9,0.5
org/m,q2,incorrect,,,
org/m,q3,unanswered,,,
org/m,q4,unanswered,declined,,
org/m,q5,unanswered,refused,,
org/m,q6,unanswered,unparsed,,
org/m,q7,failed,,,
org/m,q8,,,,
n,q1,correct,,,
n,q9,correct,,,
"""
KEPT = {
    "q1": "correct",
    "q2": "incorrect",
    "q3": "unanswered",
    "q4": "declined",
    "q5": "refused",
    "q6": "unparsed",
    "q7": "failed",
}


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(TABLE)
    return tmp_path


def read(folder: str) -> dict[str, tuple[dict, list[dict]]]:
    """By model, the aggregate and its answers."""
    found: dict[str, tuple[dict, list[dict]]] = {}
    for path in sorted(Path(folder).rglob("*.json")):
        aggregate = json.loads(path.read_text())
        details = aggregate.get("detailed_evaluation_results")
        lines: list[dict] = []
        if details is not None:
            assert SAMPLES.fullmatch(details["file_path"])
            content = (Path(folder) / details["file_path"]).read_bytes()
            assert details["checksum"] == sha256(content).hexdigest()
            lines = list(map(json.loads, content.splitlines()))
            assert details["total_rows"] == len(lines)
        found[aggregate["model_info"]["id"]] = aggregate, lines
    return found


def test_every_state_has_a_place(here, capfd) -> None:
    assert main(["evaluate", "t.csv", "-f", "every-eval-ever", "-o", "records"]) == 0
    assert "wrote records: 2 records, 10 answers" in capfd.readouterr().err
    aggregate, lines = read("records")["org/m"]
    assert {*aggregate} == AGGREGATE | {"detailed_evaluation_results"}
    assert aggregate["model_info"]["developer"] == "org"
    assert len(list(Path("records/data/t/org/m").iterdir())) == 2
    states = {line["sample_id"]: line["metadata"]["assay_state"] for line in lines}
    assert states == {**KEPT, "q8": "no verdict"}, "q9 is missing, and has no line"
    errors = {line["sample_id"]: line["error"] for line in lines if "error" in line}
    assert errors == {"q5": "refusal", "q7": "failed in the harness", "q8": "no verdict"}
    for line in lines:
        assert {*line} >= INSTANCE
        assert {*line} <= INSTANCE | OPTIONAL
        assert all(isinstance(value, str) for value in line["metadata"].values())
        right = line["sample_id"] == "q1"
        assert line["evaluation"] == {"score": float(right), "is_correct": right}
        assert (line["evaluation_id"], line["model_id"]) == (aggregate["evaluation_id"], "org/m")
        assert line["evaluation_result_id"] == "t.accuracy"
    assert lines[0]["metadata"]["confidence"] == "0.9"
    assert lines[0]["performance"] == {"additional_details": {"cost": "0.5"}}


def test_numbers_denominators_and_counts(here) -> None:
    assert (
        main(
            [
                "evaluate",
                "t.csv",
                "-m",
                "accuracy",
                "-m",
                "unanswered",
                "-m",
                "UF",
                "-f",
                "every-eval-ever",
                "-o",
                "records",
            ]
        )
        == 0
    )
    aggregate, _ = read("records")["org/m"]
    accuracy, unanswered, utility = aggregate["evaluation_results"]
    # 6 of the 9 questions have an outcome, and q9 is missing, which counts as unanswered: 1 of 7 is right, 5 are unanswered.
    assert accuracy["score_details"]["score"] == pytest.approx(1 / 7)
    assert accuracy["score_details"]["uncertainty"] == {"num_samples": 7}
    assert accuracy["score_details"]["details"] == dict.fromkeys([*KEPT.values(), "no verdict", "missing"], "1")
    assert unanswered["score_details"]["score"] == 5
    assert unanswered["metric_config"]["max_score"] == "Infinity"
    assert (utility["metric_config"]["min_score"], utility["metric_config"]["max_score"]) == (-1.0, 1.0)
    for result in aggregate["evaluation_results"]:
        assert result["source_data"] == {"dataset_name": "t", "source_type": "other"}
        assert isinstance(result["metric_config"]["lower_is_better"], bool)
        assert result["evaluation_result_id"] == f"t.{result['metric_config']['metric_id']}"


def test_what_is_written_is_read_back(here) -> None:
    main(["evaluate", "t.csv", "-f", "every-eval-ever", "-o", "records"])
    again = assay.evaluate("records")
    states = dict(zip(again.topics, again.column("org/m", "state"), strict=True))
    assert {question: states[question] for question in KEPT} == KEPT
    assert states["q8"] == "failed"
    assert again.run("org/m").columns["confidence"][0] == 0.9
    assert "assay_state" not in again.fields


def test_samples_and_partial_credit(here) -> None:
    Path("s.csv").write_text("run,id,sample,outcome\nm,q1,1,0.5\nm,q1,2,1\nm,q2,1,0\nm,q2,2,failed\n")
    main(["evaluate", "s.csv", "-f", "every-eval-ever", "-o", "records"])
    _, lines = read("records")["m"]
    found = [
        (line["sample_id"], line["metadata"]["sample"], line["evaluation"]["score"], line["evaluation"]["is_correct"])
        for line in lines
    ]
    assert found == [("q1", "1", 0.5, False), ("q1", "2", 1.0, True), ("q2", "1", 0.0, False), ("q2", "2", 0.0, False)]
    assert assay.evaluate("records")["score"] == assay.evaluate("s.csv")["score"]


def test_texts_and_the_intervals(here) -> None:
    Path("gold.jsonl").write_text(
        '{"id": "q1", "question": "Capital?", "answers": ["Paris"]}\n{"id": "q2", "answers": ["Oslo"]}\n'
    )
    Path("run.jsonl").write_text('{"id": "q1", "answer": "Paris"}\n{"id": "q2", "answer": "Rome"}\n')
    main(
        [
            "evaluate",
            "gold.jsonl",
            "run.jsonl",
            "-m",
            "accuracy",
            "--intervals",
            "-f",
            "every-eval-ever",
            "-o",
            "records",
        ]
    )
    aggregate, lines = read("records")["run"]
    assert lines[0]["input"] == {"raw": "Capital?", "reference": ["Paris"]}
    assert lines[0]["output"] == {"raw": ["Paris"]}
    assert [line["answer_attribution"][0]["extracted_value"] for line in lines] == ["Paris", "Rome"]
    ends = aggregate["evaluation_results"][0]["score_details"]["uncertainty"]["confidence_interval"]
    assert 0 <= ends["lower"] <= 0.5 <= ends["upper"] <= 1
    assert ends["confidence_level"] == 0.95


def test_tasks_are_evaluations_of_their_own(here) -> None:
    lines = [{"schema_version": "0.3.0", "evaluation_id": "e", "model_id": "m", "evaluation_name": task, "sample_id": question,
              "input": {"raw": "", "reference": []}, "evaluation": {"score": score, "is_correct": bool(score)}}
             for task, question, score in (("t", "a", 1), ("t", "b", 0), ("u", "a", 1))]  # fmt: skip
    Path("log.jsonl").write_text("\n".join(map(json.dumps, lines)))
    scores = assay.evaluate("log.jsonl", measures=["accuracy"])
    (record,) = every_eval_ever.records(scores, "log", now=1_750_000_000)
    assert record.aggregate["retrieved_timestamp"] == "1750000000"
    assert {r["evaluation_result_id"]: r["score_details"]["score"] for r in record.aggregate["evaluation_results"]} == {
        "t.accuracy": 0.5, "u.accuracy": 1.0,
    }  # fmt: skip
    again, twice = (every_eval_ever.records(scores, "log", now=now) for now in (1, 2))
    assert next(again).identity == next(twice).identity == record.identity, "the time is not part of the identity"


def test_ranked_runs_have_no_answers(here, capfd) -> None:
    Path("q.txt").write_text("1 0 a 1\n")
    Path("r.run").write_text("1 Q0 a 1 2 org/bm25\n")
    assert main(["evaluate", "q.txt", "r.run", "-m", "AP", "-f", "every-eval-ever"]) == 0
    aggregate = json.loads(capfd.readouterr().out)
    assert {*aggregate} == AGGREGATE
    details = aggregate["evaluation_results"][0]["score_details"]
    assert details == {"score": 1.0, "details": {"topics": "1", "missing": "0"}, "uncertainty": {"num_samples": 1}}


@pytest.mark.parametrize(
    ("more", "code", "problem"),
    [
        (["-o", "records.jsonl"], 2, "writes a folder"),
        (["-q"], 2, "-q cannot be combined with -f every-eval-ever"),
        (["--by", "type"], 2, "--by cannot be combined"),
        (["--store", "kept"], 2, "--store cannot be combined"),
        (["-o", "full"], 3, "full: exists already; expected a new or an empty folder"),
    ],
)
def test_refusals(here, capfd, more, code, problem) -> None:
    Path("full").mkdir()
    Path("full/mine").write_text("")
    assert main(["evaluate", "t.csv", "-f", "every-eval-ever", *more]) == code
    assert problem in capfd.readouterr().err
    assert sorted(path.name for path in Path().iterdir()) == ["full", "t.csv"]
