"""Warnings about many logs: differing questions and versions, and the same warning of several logs once."""

from __future__ import annotations

from collections.abc import Sequence

from assay.formats.answers.rows import Rows
from assay.formats.harness.logs import OTHER_TEXT


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
