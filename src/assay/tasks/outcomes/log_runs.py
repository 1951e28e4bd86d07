"""From logs to runs: one run per model, from any number of logs and tasks, and the warnings about them.

Arguments that share a model and a task are separate runs, named after the argument. Logs of one model and task within one
argument are separate runs too. `merge` joins both, for shards of one run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from assay.errors import InputError, shorten_list
from assay.formats.answers.rows import INCORRECT, Rows, RowTexts
from assay.formats.harness.logs import OTHER_TEXT
from assay.io.sources import Source
from assay.table.scores import TASK_FIELD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.formats.answers.questions import GoldQuestion


def without_superseded(logs: Sequence[Rows]) -> list[Rows]:
    """Remove failed and cancelled attempts that a later log in the folder repeats, with a remark.

    A log repeats another of the same model, task and task arguments.
    """
    by_evaluation: dict[tuple[str, ...], list[Rows]] = {}
    for rows in logs:
        key = (os.path.dirname(rows.file), rows.name, rows.task, rows.arguments)
        by_evaluation.setdefault(key, []).append(rows)
    superseded: set[int] = set()
    for several in by_evaluation.values():
        in_time = sorted(several, key=lambda rows: (rows.created, rows.file))
        last = in_time[-1]
        for rows in in_time[:-1]:
            if rows.ended:
                superseded.add(id(rows))
                last.warnings.append(
                    f"{rows.file} {rows.ended} and is superseded by {last.file}, a later log of the same model, task and task "
                    "arguments"
                )
    return [rows for rows in logs if id(rows) not in superseded]


def join_parts(logs: Sequence[Rows], merge: bool) -> list[Rows]:
    """Join the logs that are parts of one run, in the place of the first; repeats of a question are samples.

    Parts are of one folder, run and task, and of one argument; with `merge`, of any.
    """
    if not any(rows.part_of for rows in logs):
        return list(logs)
    merge_warnings(logs)
    parts: dict[object, list[Rows]] = {}
    for number, rows in enumerate(logs):
        key = (rows.part_of, rows.name, rows.task, "" if merge else rows.argument) if rows.part_of else number
        parts.setdefault(key, []).append(rows)
    joined = [several[0] if len(several) == 1 else _whole(several) for several in parts.values()]
    repeated = [
        several for several, rows in zip(parts.values(), joined, strict=True) if len(several) > 1 and rows.samples
    ]
    if repeated:
        listed = shorten_list([f"{len(several)} of {several[0].name}" for several in repeated], 3)
        joined[0].warnings.insert(0, f"logs of one folder are one run ({listed}); repeats of a question are samples")
    return joined


def _whole(parts: Sequence[Rows]) -> Rows:
    """Join the parts of one run, and number the samples of each question."""
    first = parts[0]
    whole = _joined(first.name, parts, suite=False)
    whole.argument, whole.variant, whole.unlisted = first.argument, first.variant, first.unlisted
    counts: dict[str, int] = {}
    for identity in whole.ids:
        counts[identity] = counts.get(identity, 0) + 1
    whole.samples = None
    if len(counts) < len(whole.ids):
        seen = dict.fromkeys(counts, 0)
        whole.samples = []
        for identity in whole.ids:
            seen[identity] += 1
            whole.samples.append(seen[identity])
    return whole


def count_unlisted(logs: Sequence[Rows]) -> list[Rows]:
    """Add to each log, as incorrect, the questions of its data set that it does not list.

    Those that other logs list have their ids; the others are numbered, in the same way in all logs.
    """
    by_task: dict[str, list[Rows]] = {}
    for rows in logs:
        by_task.setdefault(rows.task, []).append(rows)
    for several in by_task.values():
        totals = {rows.unlisted: rows for rows in several}
        if totals.keys() == {None}:
            continue
        if len(totals) > 1:
            stated = ", ".join(f"{rows.file}: {total or 'none'}" for total, rows in totals.items())
            raise InputError(
                f"the logs state different numbers of questions ({stated}). Fix: evaluate them separately."
            )
        (total,) = totals
        assert total is not None
        listed = list(dict.fromkeys(identity for rows in several for identity in rows.ids))
        if len(listed) > total:
            raise InputError(
                f"{several[0].file}: the logs list {len(listed)} questions, more than the {total} of the data set"
            )
        every = [*listed, *(f"unlisted-{number}" for number in range(1, total - len(listed) + 1))]
        for rows in several:
            known = {*rows.ids}
            for identity in every:
                if identity not in known:
                    rows.add(identity, 0, outcome=INCORRECT)
            if rows.samples is not None:
                rows.samples += [1] * (len(rows.ids) - len(rows.samples))
            if rows.scores is not None:
                rows.scores += [0.0] * (len(rows.ids) - len(rows.scores))
            rows.fill_usage()
    return list(logs)


def gather_runs(logs: Sequence[Rows], merge: bool) -> list[Rows]:
    """Join logs into runs, in the order of their first log: each has the rows of one model on all tasks.

    With several tasks, the id of a question is TASK/ID.
    """
    merge_warnings(logs)
    suite = len({rows.task for rows in logs}) > 1
    _refuse_shared_names(logs)
    by_model: dict[str, list[Rows]] = {}
    for rows in logs:
        by_model.setdefault(rows.name, []).append(rows)
    runs: list[Rows] = []
    groups = {name: [(name, run_logs)] for name, run_logs in by_model.items()} if merge else _by_argument(by_model)
    for name, run_logs in [group for several in groups.values() for group in several]:
        by_task: dict[str, list[Rows]] = {}
        for rows in run_logs:
            by_task.setdefault(rows.task, []).append(rows)
        if merge:
            by_task = {task: [_merged(name, shards)] for task, shards in by_task.items()}
        parts, matched = _split_repeats(by_task)
        names = [name] if len(parts) == 1 else _names(name, parts, matched)
        joined = [_joined(called, run_logs, suite) for called, run_logs in zip(names, parts, strict=True)]
        if len(parts) > 1:
            again = ", ".join(f"{called} ({run_logs[0].file})" for called, run_logs in zip(names, parts, strict=True))
            tasks = ", ".join(task for task, several in by_task.items() if len(several) > 1)
            of = f" of the task {tasks}" if tasks else ""
            warning = f"{len(parts)} logs{of} are of {name} and are separate runs, {again}. Fix: `merge=True` joins shards of one run"
            if not matched:
                warning += "; logs of different tasks are combined in the order of their names"
            joined[0].warnings.insert(0, warning)
        runs += joined
    warn_of_differences(runs, logs, merge)
    return runs


def _by_argument(by_model: Mapping[str, Sequence[Rows]]) -> dict[str, list[tuple[str, list[Rows]]]]:
    """Group the logs of each model into named runs.

    Arguments that share a task of the model are runs named after the argument; all other logs of the model are one run.
    """
    names = _argument_names({rows.argument for logs in by_model.values() for rows in logs})
    models = {argument: {rows.name for logs in by_model.values() for rows in logs if rows.argument == argument}
              for argument in names}  # fmt: skip
    reserved = {*by_model}
    groups_by_model: dict[str, list[tuple[str, list[Rows]]]] = {}
    for model, logs in by_model.items():
        tasks: dict[str, set[str]] = {}
        for rows in logs:
            tasks.setdefault(rows.task, set()).add(rows.argument)
        apart = {argument for arguments in tasks.values() if len(arguments) > 1 for argument in arguments}
        groups: dict[str, list[Rows]] = {}
        for rows in logs:
            name = model
            if rows.argument in apart:
                name = names[rows.argument]
                if len(models[rows.argument]) > 1 or name in reserved - {model}:
                    name = f"{model} ({name})"
            groups.setdefault(name, []).append(rows)
        if apart:
            several = list(dict.fromkeys(rows.argument for rows in logs if rows.argument in apart))
            shared = [task for task, arguments in tasks.items() if len(arguments) > 1]
            named = f"{'task' if len(shared) == 1 else 'tasks'} {', '.join(shared)}"
            logs[0].warnings.insert(
                0,
                f"{', '.join(several[:-1])} and {several[-1]} share the model {model} and the {named}, so each argument is a "
                "separate run. Fix: `merge=True` joins shards of one run",
            )
        groups_by_model[model] = list(groups.items())
    return groups_by_model


def _argument_names(arguments: Collection[str]) -> dict[str, str]:
    """Return the name of each argument's run: its last part, or all of it where two have the same."""
    short: dict[str, str] = {}
    for argument in arguments:
        path = argument.rstrip("/\\") or argument
        name = Source(path, path=path).stem.removesuffix(".eval")
        short[argument] = os.path.basename(os.path.abspath(path)) if name in ("", ".", "..") else name
    names = list(short.values())
    return {argument: name if names.count(name) == 1 else argument for argument, name in short.items()}


def _refuse_shared_names(logs: Sequence[Rows]) -> None:
    """Refuse questions of two tasks with the same TASK/ID: c of a/b and b/c of a."""
    ids_by_task: dict[str, dict[str, str]] = {}
    for rows in logs:
        ids_by_task.setdefault(rows.task, {}).update(dict.fromkeys(rows.ids, rows.file))
    for task, ids in ids_by_task.items():
        for other in ids_by_task:
            if other != task and other.startswith(f"{task}/"):
                rest = other.removeprefix(f"{task}/")
                for identity, file in ids_by_task[other].items():
                    if f"{rest}/{identity}" in ids:
                        raise InputError(
                            f"{file}: question {identity!r} of the task {other} and {rest}/{identity} of {task} "
                            f"({ids[f'{rest}/{identity}']}) would both be {other}/{identity}. Fix: evaluate these tasks separately."
                        )


def _split_repeats(by_task: Mapping[str, Sequence[Rows]]) -> tuple[list[list[Rows]], bool]:
    """Split the logs of a model into runs with a log per task; return whether the tasks' logs match.

    Logs are matched by their variant (task arguments), else by their folder.
    """
    most = max(by_task.values(), key=len)
    parts = [[rows] for rows in most]
    keys = {id(rows): rows.variant for several in by_task.values() for rows in several}
    if len({keys[id(rows)] for rows in most}) < len(most):
        keys = {id(rows): os.path.dirname(rows.file) for several in by_task.values() for rows in several}
    part_keys = [keys[id(rows)] for rows in most]
    distinct, matched = len(set(part_keys)) == len(part_keys), True
    for several in by_task.values():
        if several is most:
            continue
        free = list(range(len(parts)))
        others: list[Rows] = []
        for rows in several:
            key = keys[id(rows)]
            place = part_keys.index(key) if distinct and key in part_keys else None
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
    """Name the runs of one model: by their variant where it differs, else by number."""
    most = {rows.task for rows in parts[-1]}.intersection(*({rows.task for rows in part} for part in parts))
    variants = [next(rows.variant for rows in part if rows.task in most) for part in parts]
    if matched and len(set(variants)) == len(variants):
        return [f"{name} ({variant})" if variant else name for variant in variants]
    return [f"{name}#{number}" for number in range(1, len(parts) + 1)]


def _merged(name: str, shards: Sequence[Rows]) -> Rows:
    """Join shards of one run, whose questions must be disjoint."""
    seen: dict[str, str] = {}
    for rows in shards:
        for identity in dict.fromkeys(rows.ids):
            if identity in seen:
                raise InputError(
                    f"{rows.file}: question {identity!r} of {name} is in {seen[identity]} too; `merge=True` needs logs "
                    "without common questions. Fix: omit it, which makes them separate runs."
                )
            seen[identity] = rows.file
    return shards[0] if len(shards) == 1 else _joined(name, shards, suite=False)


def _joined(name: str, parts: Sequence[Rows], suite: bool) -> Rows:
    """Concatenate rows into one run."""
    first = parts[0]
    if len(parts) == 1 and not suite and first.name == name:
        return first
    files = list(dict.fromkeys(rows.file for rows in parts))
    whole = Rows(name, shorten_list(files, 1), task=first.task)
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
        for column, entries in ((whole.kinds, rows.kinds), (whole.problems, rows.problems), (whole.extra, rows.extra)):
            column.update({start + row: value for row, value in entries.items()})  # type: ignore[arg-type]
        whole.warnings += rows.warnings
    whole.texts_of = _texts_of(parts, suite)
    return whole


def _texts_of(parts: Sequence[Rows], suite: bool) -> Callable[[str, int], RowTexts] | None:
    """Return a function that reads the texts of a question from the right log."""
    if all(rows.texts_of is None for rows in parts):
        return None

    def texts_of(topic: str, sample: int) -> RowTexts:
        for rows in parts:
            prefix = f"{rows.task}/" if suite else ""
            identity = topic.removeprefix(prefix)
            if rows.texts_of is not None and topic.startswith(prefix) and identity in rows.ids:
                return rows.texts_of(identity, sample)
        return RowTexts()

    return texts_of


def questions(
    runs: Sequence[Rows], logs: Sequence[Rows], fields: Mapping[tuple[str, str], Mapping[str, Any]]
) -> list[GoldQuestion]:
    """Return every question of the runs, with its task and the fields of the logs."""
    from assay.formats.answers.questions import GoldQuestion

    tasks = {rows.task for rows in logs}
    suite = len(tasks) > 1
    named: dict[str, GoldQuestion] = {}
    for rows in logs:
        for identity in dict.fromkeys(rows.ids):
            topic = f"{rows.task}/{identity}" if suite else identity
            if topic not in named:
                question_fields = dict(fields.get((rows.task, identity), {}))
                if rows.task:
                    question_fields = {TASK_FIELD: rows.task, **question_fields}
                named[topic] = GoldQuestion(topic, 0, [], fields=question_fields)
    return list(named.values())


def warn_of_differences(runs: Sequence[Rows], logs: Sequence[Rows], merge: bool) -> None:
    """Warn where logs of one task have different questions, and where versions of a tool differ.

    With `merge`, shards of one run count as one log.
    """
    warnings = runs[0].warnings
    by_task: dict[str, list[Rows]] = {}
    for rows in logs:
        by_task.setdefault(rows.task, []).append(rows)
    for task, several in by_task.items():
        ids_by_log: dict[str | int, set[str]] = {}
        for number, rows in enumerate(several):
            ids_by_log.setdefault(rows.name if merge else number, set()).update(rows.ids)
        question_sets = list(ids_by_log.values())
        common, every = set.intersection(*question_sets), set.union(*question_sets)
        if common != every:
            sizes = sorted({len(ids) for ids in question_sets})
            ends = " to ".join(map(str, dict.fromkeys([sizes[0], sizes[-1]])))
            warnings.append(
                f"the logs of {task or 'these runs'} have different questions: {ends} each, {len(common)} in common"
            )
        warnings += _other_texts(task, several)
    versions = dict.fromkeys(rows.tool for rows in logs if rows.tool)
    if len({tool.partition(" ")[0] for tool in versions}) < len(versions):
        warnings.append(
            f"the logs are of {', '.join(versions)}; what counts as unanswered or failed may differ between versions"
        )


def _other_texts(task: str, logs: Sequence[Rows]) -> list[str]:
    """Return the warning about questions with the same id and another text."""
    changed = [(rows, {rows.ids[row] for row, extra in rows.extra.items() if OTHER_TEXT in extra}) for rows in logs]
    changed = [(rows, ids) for rows, ids in changed if ids]
    if not changed:
        return []
    first, ids = changed[0]
    more = f" and so have {len(changed) - 1} other logs" if len(changed) > 1 else ""
    return [
        f"{first.file}: {len(ids)} of its {len({*first.ids})} questions have another text under the same id than in the logs "
        f"before it ({sorted(ids)[0]} …){more}: {task or 'the task'} is not the same there"
    ]


def merge_warnings(logs: Sequence[Rows]) -> None:
    """Replace the same warning of several logs by one, with their number."""
    speakers: dict[str, list[Rows]] = {}
    for rows in logs:
        for line in rows.warnings:
            if line.startswith(f"{rows.file}: "):
                speakers.setdefault(line.removeprefix(f"{rows.file}: "), []).append(rows)
    for message, several in speakers.items():
        files = len({rows.file for rows in several})
        if files < 2:
            continue
        for rows in several:
            rows.warnings.remove(f"{rows.file}: {message}")
        others = f"{files - 1} other logs" if files > 2 else "another log"
        several[0].warnings.append(f"{several[0].file} and {others}: {message}")
