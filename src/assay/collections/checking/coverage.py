"""How much of a faulty file is told, by format: all that is wrong with it, or the first fault, and why."""

from __future__ import annotations

ALL = {
    "trec-run": "line by line",
    "answers": "line by line, or member by member of an array",
    "table run": "row by row",
    "pan-answers": "line by line",
    "labels": "line by line",
    "sets": "line by line",
    "battles": "line by line, row by row, or member by member of an array",
    "squad-predictions": "entry by entry",
    "squad-na-prob": "entry by entry",
    "nugget-run": "line by line",
    "nugget-assignments": "line by line",
    "citation-support": "line by line",
    "argue-scores": "report by report",
    "lm-eval": "line by line, or member by member of an array",
    "every-eval-ever": "line by line",
    "helm": "member by member",
    "alpaca-eval": "member by member",
    "evalplus": "task by task",
    "openai-evals": "line by line, up to 20 faults",
    "ragas": "row by row, up to 20 faults",
    "deepeval": "test case by test case, up to 20 faults",
    "promptfoo": "result by result, up to 20 faults",
    "simple-evals": "question by question, up to 20 faults",
    "inspect": "sample by sample, up to 20 faults",
}
"""What is gone on with behind a fault."""
FIRST = {
    "answer dict": "the first fault: what Python has is read as a whole",
    "lighteval": "the first fault: columns of nested Parquet are decoded as a whole",
}
"""Formats of which nothing behind a fault can be read, and why."""


def table() -> str:
    """The table of the documentation.

    >>> print(table().splitlines()[2])
    | `trec-run` | line by line |
    """
    rows = [f"| `{name}` | {how} |" for name, how in {**ALL, **FIRST}.items()]
    return "\n".join(["| format | what is told |", "| --- | --- |", *rows])
