"""Generated answers as a question's page shows them."""

from __future__ import annotations

import assay
from assay.figures.items import items


def test_nuggets_and_sentences(jsonl) -> None:
    nuggets = [
        {"text": "born 1828", "importance": "vital", "assignment": "support"},
        {"text": "a poet", "importance": "okay", "assignment": "partial_support"},
        {"text": "tall", "importance": "", "assignment": "not_support"},
    ]
    row = {"qid": "1", "query": "Who?", "run_id": "x", "answer_text": "He was born.", "nuggets": nuggets}
    sentences = [
        {"text": "He was born.", "citations": [{"support": 2}, {"support": -1}]},
        {"text": "So.", "citations": []},
    ]
    support = [{"topic_id": topic, "run_id": run, "sentences": sentences} for topic, run in (("1", "x"), ("2", "y"))]
    [one, other] = items(assay.evaluate(jsonl("a.jsonl", [row]), jsonl("s.jsonl", support)))
    assert (one.text, one.gold) == ("Who?", ("born 1828 (vital)", "a poet (okay)", "tall"))
    cited = [("He was born.", "support, not judged", True, "sentence"), ("So.", "cites nothing", None, "sentence")]
    assert [(entry.text, entry.verdict, entry.good, entry.detail) for entry in one.entries[0]] == [
        ("He was born.", "answer", None, ""),
        ("born 1828", "support", True, "vital nugget"),
        ("a poet", "partial support", None, "okay nugget"),
        ("tall", "no support", False, "nugget"),
        *cited,
    ]
    assert (one.entries[1], one.more[1]) == ((), "nobody judged an answer of this run to this question")
    assert [(entry.text, entry.verdict, entry.good, entry.detail) for entry in other.entries[1]] == cited
