"""Each format recovers after a fault as its declaration says, so that `check` tells of the next one."""

from __future__ import annotations

import copy
import io
import json

import inspect_logs
import pytest
from reader_examples import CASE, EVENT, EXAMPLES, IN_PARQUET, INSTANCE, LM_EVAL, PAIR, PROGRAM, RESULT, STAT

import assay
from assay.collections.checking.answers import FIRST_ALONE
from assay.formats.answers.generation import ARGUE_COUNTS
from assay.formats.recognition import readers

RECOVERS = ["labels", *(reader.name for reader in readers() if reader.recovers)]


def lines(*rows: object) -> bytes:
    return "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows).encode()


def document(name: str, way: tuple[str, ...], *members: object) -> bytes:
    """An example whose list has other members."""
    whole = holder = copy.deepcopy(json.loads(EXAMPLES[name]))
    for step in way[:-1]:
        holder = holder[step]
    holder[way[-1]] = list(members)
    return json.dumps(whole).encode()


NUGGETS = json.loads(EXAMPLES["nugget-assignments"])
CITATION = json.loads(EXAMPLES["citation-support"])
COUNTS = "".join(f"r\t1\t{name}\t2.0\n" for name in ARGUE_COUNTS)
NO_COUNTS = COUNTS.replace("2.0", "x").replace("\t1\t", "\t2\t")
SAMPLE = inspect_logs.sample()
HELM = {"instance_id": "id1", "train_trial_index": 0, "stats": [STAT]}
TWO_FAULTS = {
    "trec-run": b"1 Q0 a 1 9\n1 Q0 b 2 8 t\n1 Q0 c 3 x t\n",
    "answers": lines({"id": "q1", "answer": "x", "confidence": 7}, {"id": "q2", "answer": "x"}, "{broken"),
    "table run": b"id,answer,confidence\nq1,x,7\nq2,x,0.5\nq3,x\n",
    "pan-answers": b"q1 0.5\nq2 7\nq3 0.1\nq4 0.2\nq5 0.2 1\n",
    "labels": b"q1 TRUE\nq2\nq3 FALSE\nq4\nq5 TRUE\n",
    "sets": b"R1 d1\nR1\nR2 d2\nR2\nR3 d1\nR3 d2\nR3 d3\n",
    "battles": lines({"question": "q", "a": "x", "b": "y", "winner": "z"}, "{broken"),
    "squad-predictions": b'{"a": "x", "b": 7, "c": []}',
    "squad-na-prob": b'{"a": 7, "b": 0.5,\n "c": -1}',
    "nugget-run": lines({"id": "1", "answer": "s", "nuggets": 7}, {"id": "2", "answer": "s", "nuggets": ["a"]}, "{"),
    "nugget-assignments": lines({**NUGGETS, "nuggets": 7}, NUGGETS, "{broken"),
    "citation-support": lines(CITATION, {**CITATION, "topic_id": "2", "sentences": 7}, "{broken"),
    "argue-scores": f"run_id\trequest_id\tmetric\tvalue\n{COUNTS}{NO_COUNTS}r\t3\n".encode(),
    "lm-eval": lines(LM_EVAL, {**LM_EVAL, "doc_id": 1, "acc": "x"}, "{broken"),
    "every-eval-ever": lines(INSTANCE, {**INSTANCE, "sample_id": "s2", "evaluation": 7}, "{broken"),
    "helm": json.dumps([HELM, {**HELM, "instance_id": "id2", "stats": 7}, 7]).encode(),
    "alpaca-eval": json.dumps([PAIR, {**PAIR, "preference": 9}, 7]).encode(),
    "evalplus": json.dumps({"eval": {"T/1": [PROGRAM], "T/2": 7, "T/3": [{**PROGRAM, "base_status": "?"}]}}).encode(),
    "openai-evals": EXAMPLES["openai-evals"].encode() + lines("{broken", {**EVENT, "sample_id": "s2"}, "[]"),
    "ragas": b"user_input,response,faithfulness\na,b,0.5\nc,d\ne,f,0.1\ng\n",
    "deepeval": document("deepeval", ("testCases",), CASE, {**CASE, "metricsData": 7}, {**CASE, "name": 7}),
    "promptfoo": document("promptfoo", ("results", "results"), {**RESULT, "success": "x"}, RESULT, 7),
    "simple-evals": document("simple-evals", ("htmls",), "<p>none</p>", "<p>Score: 1</p>", 7),
    "inspect": document("inspect", ("samples",), SAMPLE, {**SAMPLE, "scores": 7}, 7),
}  # fmt: skip


@pytest.mark.parametrize("name", RECOVERS)
def test_both_of_two_faults_are_told(name) -> None:
    rules = {"labels": {"labels": ["TRUE", "FALSE"]}, "squad-predictions": {"format": name}}.get(name)
    (file,) = assay.check([TWO_FAULTS[name]], rules=rules).files
    assert file.format == name
    errors = [finding for finding in file.findings if finding.level == "error"]
    assert sum(finding.count for finding in errors) >= 2, [finding.as_dict() for finding in errors]
    assert all(FIRST_ALONE not in finding.mend for finding in errors)


def test_of_nested_parquet_the_first_is_told_and_said_to_be() -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    (row,) = IN_PARQUET["lighteval"]
    rows = [{**row, "doc": {**row["doc"], "id": id}, "metric": {"acc": [1.0, 0.0]}} for id in "12"]
    held = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), held)
    (file,) = assay.check([held.getvalue()]).files
    (finding,) = file.findings
    assert (file.format, finding.level, finding.count) == ("lighteval", "error", 1)
    assert finding.mend.endswith(FIRST_ALONE)


@pytest.mark.parametrize("name", ["deepeval", "promptfoo", "simple-evals", "evalplus", "helm", "squad-predictions"])
def test_a_document_that_is_cut_off_says_that_there_may_be_more(name) -> None:
    (file,) = assay.check(
        [EXAMPLES[name].encode()[:-3]], rules={"format": name} if name.startswith("squad") else None
    ).files
    (finding,) = (finding for finding in file.findings if finding.level == "error")
    assert finding.mend.endswith(FIRST_ALONE)
