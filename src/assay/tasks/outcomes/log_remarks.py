"""What is said of many logs: where they do not hold the same questions, and what many of them say alike, once."""

from __future__ import annotations

from collections.abc import Sequence

from assay.formats.answers.rows import Rows
from assay.formats.harness.logs import OTHER_TEXT


def tell_differences(runs: Sequence[Rows], logs: Sequence[Rows], merge: bool) -> None:
    """Say where logs of one task do not hold the same questions, and where versions of a tool differ.

    What shards of one run hold is held against other runs as one.
    """
    told = runs[0].warnings
    by_task: dict[str, list[Rows]] = {}
    for rows in logs:
        by_task.setdefault(rows.task, []).append(rows)
    for task, several in by_task.items():
        held: dict[str | int, set[str]] = {}
        for number, rows in enumerate(several):
            held.setdefault(rows.name if merge else number, set()).update(rows.ids)
        asked = list(held.values())
        common, every = set.intersection(*asked), set.union(*asked)
        if common != every:
            sizes = sorted({len(ids) for ids in asked})
            ends = " to ".join(map(str, dict.fromkeys([sizes[0], sizes[-1]])))
            told.append(
                f"the logs of {task or 'these runs'} do not hold the same questions: {ends} each, {len(common)} in common"
            )
        told += _other_texts(task, several)
    versions = dict.fromkeys(rows.tool for rows in logs if rows.tool)
    if len({tool.partition(" ")[0] for tool in versions}) < len(versions):
        told.append(
            f"the logs are of {', '.join(versions)}; what counts as unanswered or failed may differ between versions"
        )


def _other_texts(task: str, logs: Sequence[Rows]) -> list[str]:
    """The line about questions that share an id and not their text."""
    found = [(rows, {rows.ids[row] for row, extra in rows.extra.items() if OTHER_TEXT in extra}) for rows in logs]
    found = [(rows, ids) for rows, ids in found if ids]
    if not found:
        return []
    first, ids = found[0]
    more = f" and so have {len(found) - 1} other logs" if len(found) > 1 else ""
    return [
        f"{first.file}: {len(ids)} of its {len({*first.ids})} questions have another text under the same id than in the logs "
        f"before it ({sorted(ids)[0]} …){more}: {task or 'the task'} is not the same there"
    ]


def say_once(logs: Sequence[Rows]) -> None:
    """What several logs say in the same words is said by the first, with how many others say it too."""
    speakers: dict[str, list[Rows]] = {}
    for rows in logs:
        for line in rows.warnings:
            if line.startswith(f"{rows.file}: "):
                speakers.setdefault(line.removeprefix(f"{rows.file}: "), []).append(rows)
    for said, several in speakers.items():
        files = len({rows.file for rows in several})
        if files < 2:
            continue
        for rows in several:
            rows.warnings.remove(f"{rows.file}: {said}")
        others = f"{files - 1} other logs" if files > 2 else "another log"
        several[0].warnings.append(f"{several[0].file} and {others}: {said}")
