"""From logs to runs: one run per model, whatever number of logs and tasks it took; one suite of questions.

Logs of one model and one task are kept apart, as runs of their own, unless they are shards of it (`merge`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from assay.errors import InputError
from assay.formats.questions import GoldQuestion
from assay.formats.rows import Rows, Texts
from assay.tasks import TASK_FIELD
from assay.tasks.log_remarks import say_once, tell_differences


def gathered(logs: Sequence[Rows], merge: bool) -> list[Rows]:
    """The runs of some logs, in the order of their first: each the rows of one model on all tasks.

    Where there are several tasks, a question is called TASK/ID.
    """
    say_once(logs)
    suite = len({rows.task for rows in logs}) > 1
    _refuse_shared_names(logs)
    by_run: dict[str, dict[str, list[Rows]]] = {}
    for rows in logs:
        by_run.setdefault(rows.name, {}).setdefault(rows.task, []).append(rows)
    runs: list[Rows] = []
    for name, by_task in by_run.items():
        if merge:
            by_task = {task: [_merged(name, shards)] for task, shards in by_task.items()}
        parts, matched = _parted(by_task)
        names = [name] if len(parts) == 1 else _names(name, parts, matched)
        made = [_joined(called, own, suite) for called, own in zip(names, parts, strict=True)]
        if len(parts) > 1:
            again = ", ".join(f"{called} ({own[0].file})" for called, own in zip(names, parts, strict=True))
            tasks = ", ".join(task for task, several in by_task.items() if len(several) > 1)
            of = f" of the task {tasks}" if tasks else ""
            told = f"{len(parts)} logs{of} are of {name} and are kept apart as {again}; `merge=True` joins shards of one run"
            if not matched:
                told += "; nothing tells which logs of different tasks belong together, and they do in the order of their names"
            made[0].warnings.insert(0, told)
        runs += made
    tell_differences(runs, logs, merge)
    return runs


def _refuse_shared_names(logs: Sequence[Rows]) -> None:
    """Refuse questions of two tasks that TASK/ID does not tell apart: c of a/b and b/c of a."""
    asked: dict[str, dict[str, str]] = {}
    for rows in logs:
        asked.setdefault(rows.task, {}).update(dict.fromkeys(rows.ids, rows.file))
    for task, ids in asked.items():
        for other in asked:
            if other != task and other.startswith(f"{task}/"):
                rest = other.removeprefix(f"{task}/")
                for identity, file in asked[other].items():
                    if f"{rest}/{identity}" in ids:
                        raise InputError(
                            f"{file}: question {identity!r} of the task {other} and {rest}/{identity} of {task} "
                            f"({ids[f'{rest}/{identity}']}) would both be called {other}/{identity}; evaluate these tasks apart"
                        )


def _parted(by_task: Mapping[str, Sequence[Rows]]) -> tuple[list[list[Rows]], bool]:
    """The logs of one model as runs with at most one log of a task each; and whether logs of tasks that have several are
    together for what they say of themselves. The first log of each run is of the task that has most."""
    most = max(by_task.values(), key=len)
    parts = [[rows] for rows in most]
    own = [rows.variant for rows in most]
    told_apart, matched = len(set(own)) == len(own), True
    for several in by_task.values():
        if several is most:
            continue
        free = list(range(len(parts)))
        others: list[Rows] = []
        for rows in several:
            place = own.index(rows.variant) if told_apart and rows.variant in own else None
            if place in free:
                free.remove(place)
                parts[place].append(rows)
            else:
                others.append(rows)
        matched = matched and not (others and len(several) > 1)
        for place, rows in zip(free, others, strict=False):
            parts[place].append(rows)
    order = {task: place for place, task in enumerate(by_task)}
    return [sorted(part, key=lambda rows: order[rows.task]) for part in parts], matched


def _names(name: str, parts: Sequence[Sequence[Rows]], matched: bool) -> list[str]:
    """What sets several logs of the same model and task apart: what they say of themselves, else their number."""
    most = {rows.task for rows in parts[-1]}.intersection(*({rows.task for rows in part} for part in parts))
    own = [next(rows.variant for rows in part if rows.task in most) for part in parts]
    if matched and len(set(own)) == len(own):
        return [f"{name} ({variant})" if variant else name for variant in own]
    return [f"{name}#{number}" for number in range(1, len(parts) + 1)]


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
    whole.texts_of = _texts_of(parts, suite)
    return whole


def _texts_of(parts: Sequence[Rows], suite: bool) -> Callable[[str, int], Texts] | None:
    """Where the texts of a question stand, among several logs."""
    if all(rows.texts_of is None for rows in parts):
        return None

    def texts_of(topic: str, sample: int) -> Texts:
        for rows in parts:
            prefix = f"{rows.task}/" if suite else ""
            identity = topic.removeprefix(prefix)
            if rows.texts_of is not None and topic.startswith(prefix) and identity in rows.ids:
                return rows.texts_of(identity, sample)
        return Texts()

    return texts_of


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
