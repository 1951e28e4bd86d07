"""From logs to runs: one run per model, whatever number of logs and tasks it took; one suite of questions.

Logs of one model and one task are kept apart, as runs of their own, unless they are shards of it (`merge`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import InputError
from assay.formats.questions import GoldQuestion
from assay.formats.rows import Rows

TASK_FIELD = "task"


def gathered(logs: Sequence[Rows], merge: bool) -> list[Rows]:
    """The runs of some logs, in the order of their first: each the rows of one model on all tasks.

    Where there are several tasks, a question is called TASK/ID.
    """
    suite = len({rows.task for rows in logs}) > 1
    by_run: dict[str, dict[str, list[Rows]]] = {}
    for rows in logs:
        by_run.setdefault(rows.name, {}).setdefault(rows.task, []).append(rows)
    runs: list[Rows] = []
    for name, by_task in by_run.items():
        if merge:
            by_task = {task: [_merged(name, shards)] for task, shards in by_task.items()}
        for number in range(max(map(len, by_task.values()))):
            parts = [several[number] for several in by_task.values() if number < len(several)]
            apart = max(map(len, by_task.values())) > 1
            runs.append(_joined(_name(name, parts, number, by_task) if apart else name, parts, suite))
    return runs


def _name(name: str, parts: Sequence[Rows], number: int, by_task: Mapping[str, Sequence[Rows]]) -> str:
    """What sets one of several logs of the same model and task apart: what it says of itself, else its number."""
    variants = [rows.variant for several in by_task.values() for rows in several]
    own = parts[0].variant
    return f"{name} ({own})" if own and variants.count(own) == 1 else f"{name}#{number + 1}"


def _merged(name: str, shards: Sequence[Rows]) -> Rows:
    """Logs of the same model and task as one: their questions must be disjoint."""
    seen: dict[str, str] = {}
    for rows in shards:
        for identity in dict.fromkeys(rows.ids):
            if identity in seen:
                raise InputError(
                    f"{rows.file}: question {identity!r} of {name} stands in {seen[identity]} too; `merge=True` joins "
                    "logs that share no question, and without it they are runs of their own"
                )
            seen[identity] = rows.file
    return shards[0] if len(shards) == 1 else _joined(name, shards, suite=False)


def _joined(name: str, parts: Sequence[Rows], suite: bool) -> Rows:
    """Several rows one below the other, as one run."""
    first = parts[0]
    if len(parts) == 1 and not suite and first.name == name:
        return first
    files = list(dict.fromkeys(rows.file for rows in parts))
    whole = Rows(name, files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more", task=first.task)
    whole.tool = ", ".join(dict.fromkeys(rows.tool for rows in parts if rows.tool))
    whole.samples = [] if any(rows.samples is not None for rows in parts) else None
    whole.scores = [] if any(rows.scores is not None for rows in parts) else None
    usage = dict.fromkeys(kind for rows in parts for kind in rows.usage)
    whole.usage = {kind: [] for kind in usage}
    for rows in parts:
        start, count = len(whole.ids), len(rows.ids)
        whole.ids += [f"{rows.task}/{identity}" for identity in rows.ids] if suite else rows.ids
        whole.lines += rows.lines
        whole.texts += rows.texts
        whole.outcomes += rows.outcomes
        whole.confidences += rows.confidences
        if whole.samples is not None:
            whole.samples += [1] * count if rows.samples is None else rows.samples
        if whole.scores is not None:
            whole.scores += [None] * count if rows.scores is None else rows.scores
        for kind, column in whole.usage.items():
            column += rows.usage.get(kind, [None] * count)
        for column, own in ((whole.kinds, rows.kinds), (whole.problems, rows.problems), (whole.extra, rows.extra)):
            column.update({start + row: value for row, value in own.items()})  # type: ignore[arg-type]
        whole.warnings += rows.warnings
    return whole


def questions(
    runs: Sequence[Rows], logs: Sequence[Rows], fields: Mapping[tuple[str, str], Mapping[str, Any]]
) -> list[GoldQuestion]:
    """Every question that a run mentions, with its task and what the logs say of it."""
    tasks = {rows.task for rows in logs}
    suite = len(tasks) > 1
    named: dict[str, GoldQuestion] = {}
    for rows in logs:
        for identity in dict.fromkeys(rows.ids):
            topic = f"{rows.task}/{identity}" if suite else identity
            if topic not in named:
                told = dict(fields.get((rows.task, identity), {}))
                if rows.task:
                    told = {TASK_FIELD: rows.task, **told}
                named[topic] = GoldQuestion(topic, 0, [], fields=told)
    return list(named.values())
