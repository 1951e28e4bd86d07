"""Usual names of columns, read where neither assay's own names (`outcome`, `correct`, `gold`) nor `columns` say what decides.

A guess is reported on standard error; where two are possible, the table is refused with the `columns` that choose.
"""

from __future__ import annotations

from typing import NamedTuple

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
"""The column of questions, the likelier first."""


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
