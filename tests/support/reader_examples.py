"""A small file for every reader that reads files: what its tests begin with, and what the fuzzer mutates."""

from __future__ import annotations

import json

import inspect_logs

from assay.formats import readers
from assay.formats.generation import ARGUE_COUNTS
from assay.formats.logs import Reading
from assay.formats.sources import Source
from assay.formats.trec import read_qrels

ARTICLE = {"title": "T", "paragraphs": [{"qas": [{"id": "a", "answers": [{"text": "x"}], "is_impossible": False}]}]}
LM_EVAL = {
    "doc_id": 0, "doc": {"question": "Capital of France?", "choices": ["Oslo", "Paris"]}, "target": "1",
    "arguments": {"gen_args_0": {"arg_0": "Q", "arg_1": " Oslo"}, "gen_args_1": {"arg_0": "Q", "arg_1": " Paris"}},
    "resps": [[["-2", "False"]], [["-1", "True"]]], "filtered_resps": [["-2", "False"], ["-1", "True"]], "filter": "none",
    "metrics": ["acc"], "doc_hash": "0123456789abcdef", "acc": 1.0,
}  # fmt: skip
STAT = {"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": 0.5, "mean": 0.5}
PAIR = {"instruction": "i", "output_1": "a", "output_2": "b", "generator_1": "x", "generator_2": "y", "preference": 1.5}
GRADED = {"componentResults": [{"score": 0.5, "assertion": {"metric": "m"}}]}
RESULT = {
    "provider": {"id": "p"},
    "vars": {"v": 1},
    "success": True,
    "promptIdx": 0,
    "testIdx": 1,
    "gradingResult": GRADED,
}
PROGRAM = {"task_id": "T/1", "solution": "s", "base_status": "pass", "plus_status": "fail"}
CASE = {"name": "c1", "input": "i", "actualOutput": "o", "metricsData": [{"name": "m", "score": 0.5, "success": True}]}
INSTANCE = {
    "schema_version": "0.3.0", "evaluation_id": "e1", "model_id": "m", "evaluation_name": "n", "sample_id": "s1",
    "input": {"raw": "q", "reference": ["a"]}, "output": {"raw": ["o"]}, "evaluation": {"score": 0.5, "is_correct": True},
}  # fmt: skip
EVENT = {"run_id": "r1", "event_id": 0, "sample_id": "s1", "type": "metrics", "data": {"choice": "A", "score": 0.5}}
PAGES = {
    "score": 0.5,
    "metrics": {"is_not_attempted": 0.5},
    "htmls": ["<p>Score: 1</p>", "<p>Score: 0.5</p>"],
    "convos": [],
}
LOGS = {
    "inspect": inspect_logs.json_log([inspect_logs.sample(), inspect_logs.sample("q2", value="N")]).decode(),
    "helm": json.dumps([{"instance_id": "id1", "train_trial_index": 0, "stats": [STAT]}]),
    "every-eval-ever": json.dumps(INSTANCE) + "\n",
    "alpaca-eval": json.dumps([PAIR], indent=1),
    "promptfoo": json.dumps({"evalId": "e1", "results": {"version": 3, "prompts": [], "results": [RESULT]}}),
    "evalplus": json.dumps({"date": "d", "hash": "1", "eval": {"T/1": [PROGRAM]}}),
    "openai-evals": json.dumps({"spec": {"completion_fns": ["m"]}}) + "\n" + json.dumps(EVENT) + "\n",
    "simple-evals": json.dumps(PAGES, indent=1),
    "deepeval": json.dumps({"testCases": [CASE], "hyperparameters": {"model": "m1"}}),
}
"""Of harnesses: see `made_logs.py` for larger ones."""
EXAMPLES = {
    "battles": json.dumps({"question": "q1", "a": "x", "b": "y", "winner": "tie", "length_a": 3, "length_b": 4}) + "\n",
    "qrels": "301 0 d1 1\n301 0 d2 0\n302 0 d1 2\n",
    "trec-run": "301 Q0 d1 1 2.5 tag\n302 Q0 d1 1 1e-3 tag\n",
    "prels": "1 d-1 1 1 0.25\n1 d-2 0 0 1\n",
    "strata": "1 0 d-1 1 1\n1 0 d-2 2 -1\n",
    "preferences": "t1 ann s1 d1 2\nt1 ann s1 d2 0.5\n",
    "qrels-preferences": "301 0 d1 1\n301 0 d2 -1\n",
    "judgment-groups": "301 ann d1 1\n301 bob d1 0\n",
    "subtopics": "201 1 d1 1\n201 2 d1 0\n201 2 d2 2\n",
    "intent-weights": "201 1 0.75\n201 2 .25\n",
    "questions": '{"id": "q1", "answers": [{"text": "x", "class": "a", "docs": ["d"]}], "type": "t", "nil": false}\n',
    "answers": '{"id": "q1", "answers": [{"text": "x", "confidence": 0.5}], "final": 1}\n{"id": "q2", "outcome": "correct"}\n',
    "judgments": '{"id": "q1", "text": "x", "judgment": "correct"}\n',
    "nuggets": '{"id": "1", "nuggets": [{"id": "a", "vital": true, "votes": 2, "patterns": ["b"]}]}\n',
    "nugget-run": '{"id": "1", "answer": "said", "nuggets": ["a"], "length": 4}\n',
    "nugget-list": '{"qid": "1", "query": "q", "nuggets": [{"text": "a", "importance": "vital"}]}\n',
    "nugget-assignments": '{"qid": "1", "run_id": "r", "nuggets": [{"text": "a", "importance": "okay", "assignment": "support"}]}\n',
    "citation-support": '{"topic_id": "1", "run_id": "r", "sentences": [{"text": "s", "citations": [{"support": "2"}]}]}\n',
    "argue-scores": "run_id\trequest_id\tmetric\tvalue\n" + "".join(f"r\t1\t{name}\t2.0\n" for name in ARGUE_COUNTS),
    "pan-truth": '{"id": "p1", "same": true}\n{"id": "p2", "same": false}\n',
    "pan-answers": '{"id": "p1", "value": 0.5}\n{"id": "p2", "value": [1]}\n',
    "squad": json.dumps({"version": "v2.0", "data": [ARTICLE]}),
    "squad-predictions": '{"a": "x", "b": ""}',
    "squad-na-prob": '{"a": 0.5, "b": 1}',
    "table": "id,gold,m1\n1,A,A\n2,B,\n",
    "table run": "run,id,outcome,confidence\na,q1,correct,0.5\nb,q1,wrong,\n",
    "lm-eval": json.dumps(LM_EVAL) + "\n",
    "ragas": "user_input,response,faithfulness\nCapital of France?,Paris,0.5\nCapital of Norway?,Oslo,\n",
    "score-rows": "run,topic,AP\na,1,0.5\na,2,\na,all,0.5\n",
    "matrix": "topic,a,b\n301,0.5,NA\n302,1,0.25\n",
    "scores": '{"task": "ranked", "runs": [{"run": "a", "scores": {"AP": 0.5}, "topics": {"1": {"AP": 0.5}}}]}',
    "sets": "R1 d1\nR2 d9\nR1 d2\n",
    "patterns": "894 5\\s+feet\n895 NIL\n",
    "support": "1 d1 d2\n1 d3\n",
    "periods": "d1 2001-01-01\nd2 2001-01-05\n",
    **LOGS,
    "characteristics": 'task = "adaptive"\n[run1]\nlinks = true\n',
    "topics": "<top>\n<num> Number: 301\n<title> Crime\n<desc> Description:\nWhich?\n</top>\n",
    "documents": '{"id": "d1", "title": "Paris", "text": "The capital of France"}\n',
    "labels": "run,id,human\na,q1,1\na,q2,0\n",
    "pool": '{"topic": "q1", "document": "d1"}\n{"topic": "q1", "document": "d2"}\n',
    "assessments": "topic,document,judge,grade\nq1,d1,ann,1\nq1,d1,bob,0\n",
}
"""By reader, the content of a small file."""
IN_PARQUET = {
    "parquet": [{"run": "a", "topic": "1", "status": "scored", "AP": 0.5}],
    "lighteval": [
        {
            "doc": {"id": "1", "task_name": "cap|0", "query": "Q?", "choices": ["a", "b"], "gold_index": 0},
            "metric": {"acc": 1},
            "model_response": {"logprobs": [-1.0, -2.0], "text": ["a"]},
        }
    ],
}
"""By reader, the rows of a Parquet file."""
READERS = {reader.name: reader for reader in readers.readers()}


def source(content: str | bytes, name: str = "file") -> Source:
    return Source(name, data=content.encode() if isinstance(content, str) else content)


def options_of(name: str) -> dict[str, object]:
    """What some readers must be told beside the file."""
    if READERS[name].role == "log":
        return {"reading": Reading()}
    if name == "trec-run":
        return {"gold": read_qrels(source(EXAMPLES["qrels"]))}
    return {"support": {"known": {"1", "R1"}}, "table": {"as_gold": True}}.get(name, {})


def read(name: str, content: bytes):
    """What the reader of that name makes of a file."""
    return READERS[name].read(source(content), **options_of(name))
