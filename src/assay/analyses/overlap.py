"""How alike runs are, ranking by ranking: no judgments are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from math import isnan
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.formats.ranked.filtering import read_changed
from assay.io.sources import path_of, source_of
from assay.scoring.evaluate import run_sources
from assay.settings import POSITIVE, checked
from assay.stats.rank_overlap import all_overlaps
from assay.stats.rank_overlap import p_mrr as p_mrr_of
from assay.table.results import Listing
from assay.table.run_names import NAME_BY, unique_names
from assay.tasks import get
from assay.tasks.top_documents import Rankings, read_rankings

NUMBERS = ("rbo", "rbo_low", "rbo_high", "tau_b", "tau_ap", "shared")
BEFORE, AFTER = "-og", "-changed"
"""How FollowIR's and MTEB's topics end: the query as it was, and with the instruction that changes what is relevant."""


def overlap(
    runs: Any,
    *,
    p: float = 0.9,
    depth: int | None = None,
    per_topic: bool = False,
    name_by: str = "tag",
    progress: Callable[[int, int], None] | None = None,
) -> Listing:
    """Measure how alike the rankings of each two runs are, as means over the topics of both.

    Rank-biased overlap has its bounds beside it; Kendall's tau-b and tau-AP, with the second run as reference, are over the
    documents that both retrieve.

    runs        two or more, as `evaluate` takes them
    p           the persistence of rank-biased overlap
    depth       how many documents of each topic are looked at; all where left out
    per_topic   a row per topic
    name_by     call a run by its `tag`, or by its `file`
    progress    called with the number of topics done and of all

    Returns
        Listing      a row per pair of runs

    Raises
        UsageError   fewer than 2 runs, or a `p` or `depth` out of range
        InputError   two runs without a common topic

    >>> found = overlap({"a": {"q1": {"d1": 2.0, "d2": 1.0}}, "b": {"q1": {"d1": 1.0, "d2": 2.0}}}, p=0.5)
    >>> found.to_dict()["pairs"][0]["rbo"]
    0.5
    """
    if depth is not None:
        depth = checked("depth", depth, POSITIVE)
    found, remarks = read_runs(runs, depth, name_by)
    if len(found) < 2:
        raise UsageError(f"two rankings are compared; found {len(found)} run")
    alike = _alike(found, p, progress)
    rows: list[list[Any]] = []
    data: list[dict[str, Any]] = []
    for (first, second), of_pair in alike.items():
        if not of_pair:
            one, two = (next(iter(found[run]), None) for run in (first, second))
            raise InputError(f"{first} and {second} have no topic in common: {one!r} against {two!r}")
        topics = {topic: of_pair[topic] for topic in found[first] if topic in of_pair}
        means = _means(topics.values())
        if per_topic:
            rows += [[first, second, topic, *row] for topic, row in topics.items()]
            rows.append([first, second, "all", *means])
        else:
            rows.append([first, second, len(topics), *means])
        by_topic = {topic: dict(zip(NUMBERS, row, strict=True)) for topic, row in topics.items()}
        data.append({"first": first, "second": second, "topics": by_topic, **dict(zip(NUMBERS, means, strict=True))})
    header = ["first", "second", "topic" if per_topic else "topics", *NUMBERS]
    result = {"p": float(p), "depth": None if depth is None else int(depth), "pairs": data}
    return Listing(header, rows, result, remarks=remarks)


def p_mrr(runs: Any, changed: Any, *, name_by: str = "tag") -> Listing:
    """Measure how far rankings follow an instruction that makes documents non-relevant (FollowIR's p-MRR, as in MTEB).

    A run has each query twice, as `q1-og` and `q1-changed`; the mean over the changed documents of a query, then over queries.

    runs      as `evaluate` takes them
    changed   {query: [document, …]}, or a file of it: the documents that the instruction makes non-relevant
    name_by   call a run by its `tag`, or by its `file`

    Returns
        Listing      a row per run

    Raises
        InputError   a run has no query twice

    >>> rankings = {"a": {"q1-og": {"d1": 2.0, "d2": 1.0}, "q1-changed": {"d1": 1.0, "d2": 2.0}}}
    >>> p_mrr(rankings, {"q1": ["d1"]}).to_dict()["runs"][0]["p-MRR"]
    0.5
    """
    source = source_of(changed, None if path_of(changed) is not None else "<changed>")
    wanted = read_changed(source)
    rows: list[list[Any]] = []
    data: list[dict[str, Any]] = []
    rankings_of, remarks = read_runs(runs, None, name_by)
    for run, rankings in rankings_of.items():
        values = {
            query: p_mrr_of(rankings[query + BEFORE], rankings[query + AFTER], documents)
            for query, documents in wanted.items()
            if query + BEFORE in rankings and query + AFTER in rankings and documents
        }
        if not values:
            raise InputError(
                f"{run}: no query of {source.name} stands in it twice; expected topics such as "
                f"{next(iter(wanted), 'q1')}{BEFORE} and {next(iter(wanted), 'q1')}{AFTER}"
            )
        mean = sum(value or 0.0 for value in values.values()) / len(values)
        rows.append([run, len(values), len(wanted) - len(values), mean])
        data.append({"run": run, "queries": values, "missing": len(wanted) - len(values), "p-MRR": mean})
    return Listing(["run", "queries", "missing", "p-MRR"], rows, {"runs": data}, remarks=remarks)


def read_runs(
    runs: Any, depth: int | None, name_by: str = "tag", progress: Callable[[int, int], None] | None = None
) -> tuple[dict[str, Rankings], list[str]]:
    """Return the first documents of every run by the name that `evaluate` gives it, and a warning where names collide.

    runs       as `evaluate` takes them
    depth      how many documents of each topic are wanted; all where left out
    name_by    call a run by its `tag`, or by its `file`
    progress   called with the number of runs read and of all
    """
    checked("name_by", name_by, NAME_BY)
    found: list[tuple[str, Rankings]] = []
    sources = run_sources(runs, get("ranked"))
    for number, source in enumerate(sources, 1):
        found.append(read_rankings(source, depth))
        if progress is not None:
            progress(number, len(sources))
    names, warning = unique_names([name for name, _ in found], sources, name_by)
    return dict(zip(names, (rankings for _, rankings in found), strict=True)), [] if warning is None else [warning]


Alike = dict[tuple[str, str], dict[str, list[float | None]]]
"""By pair of runs and topic, the NUMBERS."""


def _alike(runs: Mapping[str, Rankings], p: float, progress: Callable[[int, int], None] | None) -> Alike:
    """Compare all runs topic by topic: a ranking is then looked up once, not once for each other run."""
    found: Alike = {pair: {} for pair in combinations(runs, 2)}
    topics = list(dict.fromkeys(topic for rankings in runs.values() for topic in rankings))
    for done, topic in enumerate(topics, 1):
        here = [run for run, rankings in runs.items() if topic in rankings]
        columns = all_overlaps([runs[run][topic] for run in here], p)
        rows = np.column_stack(columns).tolist()
        for pair, (*numbers, shared) in zip(combinations(here, 2), rows, strict=True):
            found[pair][topic] = [*(None if isnan(number) else number for number in numbers), int(shared)]
        if progress is not None:
            progress(done, len(topics))
    return found


def _means(rows: Iterable[list[float | None]]) -> list[float | None]:
    """Of each column, over the topics on which it is defined."""
    columns = [[value for value in column if value is not None] for column in zip(*rows, strict=True)]
    return [sum(column) / len(column) if column else None for column in columns]
