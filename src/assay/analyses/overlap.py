"""`assay.overlap` and `assay.p_mrr`: similarity of rankings, which needs no judgments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from math import isnan
from typing import Any

import numpy as np

from assay.analyses.brief_numbers import brief, number_of, several
from assay.errors import InputError, UsageError
from assay.formats.id_prefixes import prefix_hint
from assay.formats.ranked.filtering import read_changed
from assay.io.sources import path_of, source_of
from assay.parameters import public
from assay.scoring.evaluate import run_sources
from assay.settings import NAME_BY, POSITIVE, checked
from assay.stats.rank_overlap import all_overlaps
from assay.stats.rank_overlap import p_mrr as p_mrr_of
from assay.table.results import Listing
from assay.table.run_names import unique_names
from assay.tasks import get
from assay.tasks.top_documents import Rankings, read_rankings

NUMBERS = ("rbo", "rbo_low", "rbo_high", "tau_b", "tau_ap", "shared")
BEFORE, AFTER = "-og", "-changed"
"""Suffixes of FollowIR's and MTEB's topics: the original query, and the one with an instruction that changes relevance."""


@public
def overlap(
    runs: Any,
    *,
    p: float = 0.9,
    depth: int | None = None,
    per_topic: bool = False,
    name_by: str = "tag",
    progress: Callable[[int, int], None] | None = None,
) -> Listing:
    """Measure how alike the rankings of every pair of runs are, as means over their common topics.

    Rank-biased overlap has its bounds; Kendall's tau-b and tau-AP, with the second run as reference, are over the documents
    that both retrieve.

    runs        two or more, as `evaluate` takes them
    p           the persistence of rank-biased overlap
    depth       documents compared per topic; by default all
    per_topic   a row per topic
    name_by     call a run by its `tag`, or by its `file`
    progress    called with the number of topics done and of all

    Returns
        Listing      a row per pair of runs

    Raises
        UsageError   fewer than 2 runs, or a `p` or `depth` out of range
        InputError   two runs without a common topic

    >>> result = overlap({"a": {"q1": {"d1": 2.0, "d2": 1.0}}, "b": {"q1": {"d1": 1.0, "d2": 2.0}}}, p=0.5)
    >>> result.to_dict()["pairs"][0]["rbo"]
    0.5
    """
    if depth is not None:
        depth = checked("depth", depth, POSITIVE)
    rankings, remarks = read_runs(runs, depth, name_by)
    if len(rankings) < 2:
        raise UsageError(f"expected at least 2 runs to compare, found {len(rankings)}")
    overlaps = _overlaps(rankings, p, progress)
    rows: list[list[Any]] = []
    data: list[dict[str, Any]] = []
    for (first, second), by_pair_topic in overlaps.items():
        if not by_pair_topic:
            a, b = (next(iter(rankings[run]), None) for run in (first, second))
            hint = "" if a is None or b is None else prefix_hint(a, rankings[second], second)
            raise InputError(f"{first} and {second} have no topic in common: {a!r} against {b!r}{hint}")
        topics = {topic: by_pair_topic[topic] for topic in rankings[first] if topic in by_pair_topic}
        means = _means(topics.values())
        if per_topic:
            rows += [[first, second, topic, *row] for topic, row in topics.items()]
            rows.append([first, second, "all", *means])
        else:
            rows.append([first, second, len(topics), *means])
        by_topic = {topic: dict(zip(NUMBERS, row, strict=True)) for topic, row in topics.items()}
        data.append({"first": first, "second": second, "topics": by_topic, **dict(zip(NUMBERS, means, strict=True))})
    header = ["first", "second", "topic" if per_topic else "topics", *NUMBERS]
    finding = _most_alike(data)
    result = {"finding": finding, "p": float(p), "depth": None if depth is None else int(depth), "pairs": data}
    return Listing(header, rows, result, remarks=remarks, finding=finding)


def _most_alike(pairs: Sequence[Mapping[str, Any]]) -> str:
    """Say how alike two runs are, or which two of several are most and least alike, by rank-biased overlap."""
    known = [pair for pair in pairs if pair["rbo"] is not None]
    if not known:
        return "The rank-biased overlap is undefined."
    if len(known) == 1:
        (pair,) = known
        shared = brief(pair["shared"], 1).removesuffix(".0")
        rest = "" if len(pairs) == 1 else " That of the other pairs is undefined."
        return (
            f"{pair['first']} and {pair['second']} have a rank-biased overlap of {brief(pair['rbo'], 2)} on "
            f"{number_of(len(pair['topics']), 'topic')} and share {shared} documents a topic.{rest}"
        )
    shown = [brief(pair["rbo"], 2) for pair in known]
    highest, lowest = (
        known[[pair["rbo"] for pair in known].index(pick(pair["rbo"] for pair in known))] for pick in (max, min)
    )
    most, least = brief(highest["rbo"], 2), brief(lowest["rbo"], 2)
    of = (
        f"Of {len(pairs):,} pairs"
        if len(known) == len(pairs)
        else f"Of the {len(known):,} of {len(pairs):,} pairs with a value"
    )
    if most == least:
        return f"{of} all are about equally alike (rank-biased overlap {most})."
    first, last = (
        f"{pair['first']} and {pair['second']}" if shown.count(value) == 1 else f"{shown.count(value):,} pairs"
        for pair, value in ((highest, most), (lowest, least))
    )
    own = "" if len({frozenset(pair["topics"]) for pair in known}) == 1 else ", each on the topics that both have"
    return f"{of} {first} are most alike (rank-biased overlap {most}), {last} least ({least}){own}."


@public
def p_mrr(runs: Any, changed: Any, *, name_by: str = "tag") -> Listing:
    """Measure how far rankings follow an instruction that makes documents non-relevant (FollowIR's p-MRR, as in MTEB).

    A run has each query twice, as `q1-og` and `q1-changed`; the mean over the changed documents of a query, then over queries.

    runs      as `evaluate` takes them
    changed   {query: [document, …]}, or a file of it: the documents that the instruction makes non-relevant
    name_by   call a run by its `tag`, or by its `file`

    Returns
        Listing      a row per run

    Raises
        InputError   a run has no query in both versions

    >>> rankings = {"a": {"q1-og": {"d1": 2.0, "d2": 1.0}, "q1-changed": {"d1": 1.0, "d2": 2.0}}}
    >>> p_mrr(rankings, {"q1": ["d1"]}).to_dict()["runs"][0]["p-MRR"]
    0.5
    """
    source = source_of(changed, None if path_of(changed) is not None else "<changed>")
    changed_documents = read_changed(source)
    rows: list[list[Any]] = []
    data: list[dict[str, Any]] = []
    rankings_of, remarks = read_runs(runs, None, name_by)
    for run, rankings in rankings_of.items():
        values = {
            query: p_mrr_of(rankings[query + BEFORE], rankings[query + AFTER], documents)
            for query, documents in changed_documents.items()
            if query + BEFORE in rankings and query + AFTER in rankings and documents
        }
        if not values:
            query = next(iter(changed_documents), "q1")
            raise InputError(
                f"{run}: has no query of {source.name} twice; expected topics such as {query}{BEFORE} and {query}{AFTER}"
            )
        mean = sum(value or 0.0 for value in values.values()) / len(values)
        missing = len(changed_documents) - len(values)
        rows.append([run, len(values), missing, mean])
        data.append({"run": run, "queries": values, "missing": missing, "p-MRR": mean})
    finding = _follows(data)
    header = ["run", "queries", "missing", "p-MRR"]
    return Listing(header, rows, {"finding": finding, "runs": data}, remarks=remarks, finding=finding)


def _follows(runs: Sequence[Mapping[str, Any]]) -> str:
    """Say which run follows the instructions best: with p-MRR above 0 documents fall that became non-relevant, below 0 they rise."""
    top = max(run["p-MRR"] for run in runs)
    best = [run for run in runs if run["p-MRR"] == top]
    value = brief(top, 3)
    if len(runs) == 1:
        queries = number_of(len(best[0]["queries"]), "query", "queries")
        does = (
            "follows the instructions"
            if top > 0
            else "ranks against the instructions"
            if top < 0
            else "ignores the instructions"
        )
        return f"On average {best[0]['run']} {does} (p-MRR {value} on {queries}, from −1 to 1)."
    if len({frozenset(run["queries"]) for run in runs}) > 1:
        return f"The p-MRR of {len(runs)} runs is on different queries, so it does not rank them."
    names = several([run["run"] for run in best])
    if top <= 0:
        return f"No run follows the instructions; the highest p-MRR is {value} ({names})."
    return f"{names} {'follows' if len(best) == 1 else 'follow'} the instructions best (p-MRR {value}, from −1 to 1)."


def read_runs(
    runs: Any, depth: int | None, name_by: str = "tag", progress: Callable[[int, int], None] | None = None
) -> tuple[dict[str, Rankings], list[str]]:
    """Return every run's rankings by the name that `evaluate` gives the run, and a warning if names collide.

    runs       as `evaluate` takes them
    depth      documents per topic; by default all
    name_by    call a run by its `tag`, or by its `file`
    progress   called with the number of runs read and of all
    """
    checked("name_by", name_by, NAME_BY)
    named: list[tuple[str, Rankings]] = []
    sources = run_sources(runs, get("ranked"))
    for number, source in enumerate(sources, 1):
        named.append(read_rankings(source, depth))
        if progress is not None:
            progress(number, len(sources))
    names, warning = unique_names([name for name, _ in named], sources, name_by)
    return dict(zip(names, (rankings for _, rankings in named), strict=True)), [] if warning is None else [warning]


def _overlaps(
    runs: Mapping[str, Rankings], p: float, progress: Callable[[int, int], None] | None
) -> dict[tuple[str, str], dict[str, list[float | None]]]:
    """Return the NUMBERS by pair of runs and topic, comparing all runs topic by topic so that each ranking is looked up once."""
    overlaps: dict[tuple[str, str], dict[str, list[float | None]]] = {pair: {} for pair in combinations(runs, 2)}
    topics = list(dict.fromkeys(topic for rankings in runs.values() for topic in rankings))
    for done, topic in enumerate(topics, 1):
        here = [run for run, rankings in runs.items() if topic in rankings]
        columns = all_overlaps([runs[run][topic] for run in here], p)
        rows = np.column_stack(columns).tolist()
        for pair, (*numbers, shared) in zip(combinations(here, 2), rows, strict=True):
            overlaps[pair][topic] = [*(None if isnan(number) else number for number in numbers), int(shared)]
        if progress is not None:
            progress(done, len(topics))
    return overlaps


def _means(rows: Iterable[list[float | None]]) -> list[float | None]:
    """Return the mean of each column over the topics on which it is defined."""
    columns = [[value for value in column if value is not None] for column in zip(*rows, strict=True)]
    return [sum(column) / len(column) if column else None for column in columns]
