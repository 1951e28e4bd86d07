"""Each format recovers after a fault as its declaration says, so that `check` tells of the next one."""

from __future__ import annotations

import io
import json

import pytest
from reader_examples import EXAMPLES, IN_PARQUET, READERS

import assay
from assay.collections.checking.answers import FIRST_ALONE
from assay.formats.answers.generation import ARGUE_COUNTS

RECOVERS = ["labels", *(reader.name for reader in READERS.values() if reader.recovers)]


def lines(*rows: object) -> bytes:
    return "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows).encode()


COUNTS = "".join(f"r\t1\t{name}\t2.0\n" for name in ARGUE_COUNTS)
NO_COUNTS = COUNTS.replace("2.0", "x").replace("\t1\t", "\t2\t")
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
    "argue-scores": f"run_id\trequest_id\tmetric\tvalue\n{COUNTS}{NO_COUNTS}r\t3\n".encode(),
    "ragas": b"user_input,response,faithfulness\na,b,0.5\nc,d\ne,f,0.1\ng\n",
}


def with_two_faults(name: str) -> bytes:
    """The example of a reader of JSON, with two units more that cannot be read."""
    unit, _, place = READERS[name].recovers.partition(", ")[0].partition(" of ")
    if unit in ("line", "numbered line"):
        return EXAMPLES[name].encode() + lines("{broken", "[]")
    document = units = json.loads(EXAMPLES[name])
    for key in filter(None, place.split(".")):
        units = units[key]
    if isinstance(units, list):
        units += [7, "x"]
    else:
        units.update({"x": 7, "y": 7})
    return json.dumps(document).encode()


@pytest.mark.parametrize("name", RECOVERS)
def test_both_of_two_faults_are_told(name) -> None:
    rules = {"labels": {"labels": ["TRUE", "FALSE"]}, "squad-predictions": {"format": name}}.get(name)
    (file,) = assay.check([TWO_FAULTS.get(name) or with_two_faults(name)], rules=rules).files
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
