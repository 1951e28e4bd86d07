"""Names of runs: tags or file names, made unique; and the message about an unknown one."""

from __future__ import annotations

import os

from assay.errors import shorten_list
from assay.table.run_scores import RunScores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from assay.io.sources import Source

NAMES: list[tuple[str, Callable[[Source], str]]] = [
    ("file name", lambda source: source.stem),
    ("folder", lambda source: os.path.basename(os.path.dirname(os.path.abspath(source.path or "")))),
    ("path", lambda source: source.name),
]
"""Alternatives for colliding names, tried in this order."""
MAX_LISTED_NAMES = 10
MAX_LISTED_RUNS = 20
"""The most runs that a message about an unknown run lists."""


def unknown_run(name: str, runs: Iterable[str]) -> str:
    """Return the message about a name that no run has.

    >>> unknown_run("x", ["a", "b"])
    "unknown run 'x'; runs are a, b"
    """
    return f"unknown run {name!r}; runs are {shorten_list(list(runs), MAX_LISTED_RUNS)}"


def make_names_unique(runs: Sequence[RunScores], sources: Sequence[Source], name_by: str) -> list[RunScores]:
    """Give every run a unique name: its tag, else its file's name, else its folder's, else the whole path."""
    names, warning = unique_names([run.name for run in runs], sources, name_by)
    if warning is not None:
        runs[0].notes.warnings.append(warning)
    return [run if run.name == name else run.but(name=name) for run, name in zip(runs, names, strict=True)]


def unique_names(tags: Sequence[str], sources: Sequence[Source], name_by: str) -> tuple[list[str], str | None]:
    """Name each run by its tag or its file; return distinct names and the warning where names collide.

    tags      the runs' own names
    sources   the source of each run
    name_by   tag or file
    """
    names = list(tags)
    shared = {source.name for i, source in enumerate(sources) if i and sources[i - 1] is source}
    if name_by == "file":
        # Only their tags distinguish the runs of one file.
        names = [
            name if source.name in shared else source.label or source.stem
            for name, source in zip(names, sources, strict=True)
        ]
    return make_unique(names, sources, shared)


def make_unique(
    tags: Sequence[str], sources: Sequence[Source], shared: Collection[str] = ()
) -> tuple[list[str], str | None]:
    """Return unique names, and a warning where they come from a file, a folder or a path.

    tags      the runs' own names
    sources   the source of each run
    shared    names of sources with several runs, which cannot name a run
    """
    names, warning = list(tags), None
    clashing = _repeated(names)
    for kind, name_of in NAMES:
        left = _repeated(names)
        if not left:
            break
        for i in clashing:
            if sources[i].name not in shared:
                names[i] = name_of(sources[i])
        if not _repeated(names):
            same = sorted({tags[i] for i in clashing})
            called = (
                f"all called {same[0]!r}"
                if len(same) == 1
                else f"not alone in their names ({shorten_list(same, MAX_LISTED_NAMES)})"
            )
            warning = f"{len(clashing)} runs are {called}; naming them by {kind}"
    numbers: dict[str, int] = {}
    used = {*names}
    for i in _repeated(names):
        name = names[i]
        number = numbers.get(name, 0) + 1
        while f"{name}#{number}" in used:  # taken by another run
            number += 1
        numbers[name] = number
        names[i] = f"{name}#{number}"
    return names, warning


def _repeated(names: Sequence[str]) -> list[int]:
    """Return the positions of names that occur more than once."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return [i for i, name in enumerate(names) if counts[name] > 1]
