"""Usual names of columns, read where neither assay's own names (`outcome`, `correct`, `gold`) nor `columns` say what decides.

A guess is reported on standard error; where two are possible, the table is refused with the `columns` that choose.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from assay.errors import shorten_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

VERDICTS = ("resolved", "passed", "is_correct")
"""Whether an answer is right."""
SCORES = ("score", "reward")
"""How good an answer is, from 0 to 1."""
PREDICTIONS = ("pred", "prediction")
"""The answer of a system, where `answer` is the right one."""
MODELS = ("model", "model_name", "run", "run_name", "system", "alias", "agent", "eval_id", "run_id", "log")
"""The column of runs, the likelier first."""
SAMPLES = ("epoch", "sample", "trial", "repeat", "repetition", "attempt")
"""The number of an attempt at a question, the likelier first."""
ATTEMPTS = (*SAMPLES, "sample_id", "trial_id", "attempt_id", "run_id")
"""What tells attempts at a question apart, the likelier first."""
IDS = ("id", "question_id", "qid")
"""The column of questions."""
QUESTIONS = (
    "task_id",
    "instance_id",
    "problem_id",
    "sample_id",
    "example_id",
    "item_id",
    "doc_id",
    "task",
    "problem",
    "index",
)
"""Other names of the column of questions, the likelier first."""
ANSWERS = ("answer", "response", "prediction", "pred", "model_answer", "model_response", "output", "completion")
"""The column of answers, the likelier first."""
GOLDS = ("gold", "answer", "gold_answer", "target", "reference", "ground_truth", "correct_answer", "expected")
"""The column of right answers, the likelier first."""

DECIDING = re.compile(
    r"(.*_)?(scores?|scored|correct|right|passed|pass|resolved|solved|success|reward|verdict|label|grade|outcome|result|accuracy|em)(_.*)?"
)
"""Names of columns that may say how a question ended."""
MAX_LISTED_COLUMNS = 12


class Guess(NamedTuple):
    """The columns of some roles, and the remark that reports them; empty where the columns are called like their roles."""

    columns: dict[str, str]
    remark: str


def guesses(names: Collection[str]) -> list[Guess]:
    """Return every reading of a table of these columns by their usual names.

    >>> guesses(["id", "reward"])
    [Guess(columns={'score': 'reward'}, remark='read `reward` as the score')]
    >>> [guess.columns for guess in guesses(["question_id", "answer", "pred", "passed"])]
    [{'outcome': 'passed'}, {'gold': 'answer', 'answer': 'pred'}]
    """
    readings = [Guess({"outcome": name}, f"read `{name}` as the outcome") for name in VERDICTS if name in names]
    for name in SCORES:
        if name in names:
            readings.append(Guess({"score": name}, "" if name == "score" else f"read `{name}` as the score"))
    for name in PREDICTIONS:
        if name in names and "answer" in names:
            remark = f"read `{name}` as the answer and `answer` as the gold"
            readings.append(Guess({"gold": "answer", "answer": name}, remark))
    return readings


def ambiguity(several: Sequence[Guess], columns: str) -> str:
    """Return the problem of a table with several readings, and the `columns` that choose one of them.

    columns   the `columns` given, as text

    >>> ambiguity(guesses(["passed", "reward"]), "id=task")
    "`passed` and `reward` may each say how a question ended. Fix: `columns='id=task,outcome=passed'` or `columns='id=task,score=reward'`"
    """
    names = [f"`{list(guess.columns.values())[-1]}`" for guess in several]
    options: list[str] = []
    for guess in several:
        roles = [*([columns] if columns else []), *(f"{role}={name}" for role, name in guess.columns.items())]
        options.append(f"`columns='{','.join(roles)}'`")
    return f"{' and '.join(names)} may each say how a question ended. Fix: {' or '.join(options)}"


def likely(names: Collection[str], usual: Sequence[str]) -> str:
    """Return the first of some usual names that a table has, in any case; … where it has none.

    >>> likely(["Task_ID", "x"], QUESTIONS), likely(["x"], QUESTIONS)
    ('Task_ID', '…')
    """
    lower = {name.lower(): name for name in names}
    return next((lower[name] for name in usual if name in lower), "…")


def likely_id(names: Collection[str]) -> str:
    """Return the column that may be the question's id; … where none may.

    >>> likely_id(["financebench_id", "label"]), likely_id(["run_id", "task_id"]), likely_id(["run_id"])
    ('financebench_id', 'task_id', '…')
    """
    known = likely(names, (*IDS, *QUESTIONS))
    others = (name for name in names if name.lower().endswith("_id") and name.lower() not in (*MODELS, *ATTEMPTS))
    return next(others, "…") if known == "…" else known


def unnamed_columns(names: Sequence[str], role: str = "outcome") -> str:
    """Return the problem of records whose columns say nothing to assay, and the `columns` to try.

    role   what they must have beside an id: outcome, answer or gold

    >>> unnamed_columns(["task_id", "model", "points"])
    "records with task_id, model, points: which is the question's id, and which says right or wrong? Fix: `columns='id=task_id,outcome=…'`"
    """
    if role == "outcome":
        asked, column = "says right or wrong", next((name for name in names if DECIDING.fullmatch(name.lower())), "…")
    elif role == "answer":
        asked, column = "is the answer", likely(names, ANSWERS)
    else:
        asked, column = "is the right answer", likely(names, GOLDS)
    listed = shorten_list(names, MAX_LISTED_COLUMNS)
    fix = f"`columns='id={likely_id(names)},{role}={column}'`"
    return f"records with {listed}: which is the question's id, and which {asked}? Fix: {fix}"
