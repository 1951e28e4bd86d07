"""What runs are called: each by a name of its own."""

from __future__ import annotations

import os

from assay.errors import shorten_list
from assay.settings import one_of
from assay.table.run_scores import RunScores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from assay.io.sources import Source

NAMES: list[tuple[str, Callable[[Source], str]]] = [
    ("file name", lambda source: source.stem),
    ("folder", lambda source: os.path.basename(os.path.dirname(os.path.abspath(source.path or "")))),
    ("path", lambda source: source.name),
]
"""What a run may be called by, in turn, while names collide."""
SAID = 10
"""How many of the names that collide a warning lists."""
NAME_BY = one_of("tag", "file")
"""The values of `name_by`."""


def named_apart(runs: Sequence[RunScores], sources: Sequence[Source], name_by: str) -> list[RunScores]:
    """Every run with a name of its own: its tag, else its file's name, else its folder's, else the whole path."""
    names, warning = unique_names([run.name for run in runs], sources, name_by)
    if warning is not None:
        runs[0].notes.warnings.append(warning)
    return [run if run.name == name else run.but(name=name) for run, name in zip(runs, names, strict=True)]


def unique_names(tags: Sequence[str], sources: Sequence[Source], name_by: str) -> tuple[list[str], str | None]:
    """Name each run by its tag or its file; return distinct names and the warning where names collide.

    tags      what the runs call themselves
    sources   the source of each run
    name_by   tag or file
    """
    names = list(tags)
    shared = {source.name for i, source in enumerate(sources) if i and sources[i - 1] is source}
    if name_by == "file":
        # The runs of one file have nothing but their own names to be told apart by.
        names = [
            name if source.name in shared else source.label or source.stem
            for name, source in zip(names, sources, strict=True)
        ]
    return apart(names, sources, shared)


def apart(
    given: Sequence[str], sources: Sequence[Source], shared: Collection[str] = ()
) -> tuple[list[str], str | None]:
    """Names of which no two are the same, and what is said where a file, a folder or a path gives them.

    given     what the runs call themselves
    sources   where each is from
    shared    the names of sources that hold several runs, which are nothing to tell those apart by
    """
    names, warning = list(given), None
    clashing = _repeated(names)
    for kind, name_of in NAMES:
        left = _repeated(names)
        if not left:
            break
        for i in clashing:
            if sources[i].name not in shared:
                names[i] = name_of(sources[i])
        if not _repeated(names):
            same = sorted({given[i] for i in clashing})
            called = (
                f"all called {same[0]!r}"
                if len(same) == 1
                else f"not alone in their names ({shorten_list(same, SAID)})"
            )
            warning = f"{len(clashing)} runs are {called}; naming them by {kind}"
    numbers: dict[str, int] = {}
    taken = {*names}
    for i in _repeated(names):
        name = names[i]
        number = numbers.get(name, 0) + 1
        while f"{name}#{number}" in taken:  # another run is called so, and would be lost
            number += 1
        numbers[name] = number
        names[i] = f"{name}#{number}"
    return names, warning


def _repeated(names: Sequence[str]) -> list[int]:
    """The positions of the names that are not alone."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return [i for i, name in enumerate(names) if counts[name] > 1]
