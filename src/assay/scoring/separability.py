"""Which runs can be scored each by itself, by whoever has the gold: all but those that have to be looked at together."""

from __future__ import annotations

from assay.errors import AssayError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.io.sources import Source
    from assay.measures.value import Measure
    from assay.settings import Settings
    from assay.tasks import Task, TaskGold


def together(
    task: Task, gold: TaskGold, settings: Settings, origin: Source | None, measures: Sequence[Measure] | None
) -> str | None:
    """Why runs have to be scored together, or here, and what to do about it; None where each can be scored by itself.

    gold       what the task made of the gold; `origin` is where it was read from
    measures   those asked for; None for the usual ones
    """
    if origin is None or gold.names_runs or gold.runs or task.pooled:
        return "these runs are read together with their gold; leave it out"
    if task.second_table:
        return f"the task {task.name!r} shows more of its runs than numbers; leave it out"
    if task.check is not None:
        try:
            task.check(gold, settings)  # what passes before any run was looked at needs none of them
        except AssayError as problem:
            return f"a choice needs a look at all runs: {problem}"
    if measures is None and task.more is not None:
        usual = ", ".join(map(str, task.defaults))
        return f"the usual measures depend on what all runs hold; name some with `measures=…`, as {usual}"
    own = next((one.name for one in measures or () if not one.declaration.ours), None)
    if own is not None:
        return f"{own} is a measure of your own, whose code may change under the same name; leave one of them out"
    return None


def unreadable(sources: Sequence[Source], stored: bool) -> str | None:
    """Which source others could not read, or a store not tell again by its bytes; None where there is none."""
    for source in sources:
        if source.is_stream or (stored and not source.is_bytes):
            return f"{source.name}: expected a file, whose bytes can be read again"
    return None
