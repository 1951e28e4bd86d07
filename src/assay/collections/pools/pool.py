"""Choose which documents of the runs to judge: `assay.pool`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from assay.analyses.overlap.overlap import read_runs
from assay.collections.pools.pool_depth import DEFAULT_POOL_DEPTH, SHARE, WHOLE_DEPTH
from assay.collections.pools.pool_result import Grades, Pool
from assay.collections.pools.strategies import Ranked, best_ranks, by_depth, by_weight, move_to_front, shuffled
from assay.collections.pools.stratified_pools import DrawChance, PoolStratum, checked_strata, draw, read_strata
from assay.errors import InputError, UsageError
from assay.figures.teams import team_of
from assay.formats.auxiliary.characteristics import characteristics_of
from assay.formats.ranked.trec import read_qrels
from assay.io.sources import path_of, source_of
from assay.random import stream
from assay.settings import BETWEEN, POSITIVE, WHOLE, checked, one_of
from assay.tasks.rankings import Rankings

STRATEGIES = ("depth", "rbp", "mtf", "sample")
PERSISTENCE = 0.8


def pool(
    runs: Any,
    *,
    strategy: str = "depth",
    depth: int | None = None,
    budget: int | None = None,
    p: float = PERSISTENCE,
    strata: str | Sequence[tuple[int, float]] | None = None,
    exclude: Any = None,
    grades: Any = None,
    level: int = 1,
    characteristics: Any = None,
    team_from: str | None = None,
    runs_per_team: int | None = None,
    name_by: str = "tag",
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Pool:
    """Choose the documents to judge: those of all runs merged, once each, in random order.

    runs            as `evaluate` takes them
    strategy        `depth`: what any run has in its first `depth`; `rbp`: the documents with the highest sum of (1-p)·p^(rank-1)
                    over the runs; `mtf`: move-to-front, steered by the judgments of `exclude` and `grades`; `sample`: drawn in strata
    depth           how many documents of each run and topic are looked at (100)
    budget          how many documents of each topic are to be judged at most
    p               the persistence of `rbp`
    strata          of a sample, by the best rank that a document has in any run: "20:1,100:0.2" is all of the first 20 ranks, and a
                    fifth of the others; where left out this, as deep as `depth`
    exclude         judgments there are already, as `evaluate` takes gold, or a list of them: what they judge is not asked for again
    grades          judgments that steer `mtf`, and with which a sample is written
    level           the lowest grade that is relevant
    characteristics  a file, or {run: {"organisation": …}}: whose each run is, and its `priority` among its team's
    team_from       a regular expression that finds the team at the beginning of a run's name; without either a run is its own team
    runs_per_team   how many runs of a team contribute: those of the lowest `priority`, else the first in the order given
    name_by         call a run by its `tag`, or by its `file`; characteristics and teams go by that name
    seed            of everything random: the same runs and seed give the same pool on any machine
    progress        called with the number of runs read and of all

    >>> runs = {"one": {"q1": {"a": 3, "b": 2}}, "two": {"q1": {"c": 3, "a": 2}}}
    >>> sorted(pool(runs, depth=1).topics["q1"])
    ['a', 'c']
    """
    options = _asked(strategy, depth, budget, p, strata, seed)
    for name, value in (("budget", budget), ("runs_per_team", runs_per_team)):
        if value is not None:
            checked(name, value, POSITIVE)
    checked("level", level, WHOLE)
    judged, given_grades = judgments(exclude, "exclude"), judgments(grades, "grades")
    described = characteristics_of(characteristics)
    by_run, remarks = read_runs(runs, options["depth"], name_by, progress)
    if not by_run:
        raise UsageError("no runs given; expected at least one")
    remarks += described.unmatched(by_run)
    teams = {run: team_of(run, described.of(run), team_from) for run in by_run}
    by_run = {run: by_run[run] for run in contributing(teams, described.of, runs_per_team, described.unmatched(by_run))}
    topics = sorted({topic for rankings in by_run.values() for topic in rankings}, key=_bytes)
    _check_topics(judged, topics, "exclude")
    _check_topics(given_grades, topics, "grades")
    pools: dict[str, list[str]] = {}
    sizes: dict[str, int] = {}
    draws: dict[str, dict[str, DrawChance]] = {}
    for topic in topics:
        ranked = {run: rankings[topic] for run, rankings in by_run.items() if topic in rankings}
        known = {document: grade for document, grade in judged.get(topic, {}).items() if grade >= 0}
        known_grades = {**known, **given_grades.get(topic, {})}
        relevant = {document for document, grade in known_grades.items() if grade >= level}
        ranks = best_ranks(ranked)
        sizes[topic] = len(ranks)
        if strategy == "sample":
            draws[topic] = draw(ranks, options["cut"], known, budget, topic, stream(seed, f"pool sample {topic}", 0))
            selected = [d for d, chance in draws[topic].items() if chance.probability is not None and d not in known]
        else:
            selected = _taken(ranked, ranks, options, budget, known, relevant, topic, seed)
        pools[topic] = shuffled(selected, stream(seed, f"pool order {topic}", 0))
    return Pool(
        topics=pools, settings={name: value for name, value in options.items() if name != "cut"} | {"budget": budget, "seed": seed},
        sizes=sizes, excluded=_excluded(by_run, judged, topics), runs=len(by_run), teams=len({teams[run] for run in by_run}),
        drawn=draws if strategy == "sample" else None, grades=_merged(judged, given_grades) if grades is not None else None,
        remarks=remarks + _remarks(by_run, topics),
    )  # fmt: skip


def _asked(
    strategy: str, depth: int | None, budget: int | None, p: float, strata: str | Sequence[tuple[int, float]] | None, seed: int
) -> dict[str, Any]:  # fmt: skip
    """Validate the options; return those that the strategy uses."""
    checked("strategy", strategy, one_of(*STRATEGIES))
    checked("seed", seed, WHOLE)
    if depth is not None:
        checked("depth", depth, POSITIVE)
    if strata is not None and (strategy != "sample" or depth is not None):
        wrong = "`depth=` is that of the last stratum" if strategy == "sample" else f"`strategy={strategy!r}` has none"
        raise UsageError(f"`strata={strata!r}`: {wrong}; leave one of them out")
    if strategy in ("rbp", "mtf") and budget is None:
        raise UsageError(
            f"`strategy={strategy!r}` orders documents and needs `budget=`, the number of documents to judge per topic"
        )
    checked("p", p, BETWEEN)
    depth = depth or DEFAULT_POOL_DEPTH
    if strategy != "sample":
        return {"strategy": strategy, "depth": depth, **({"p": p} if strategy == "rbp" else {})}
    if strata is None:
        cut = [PoolStratum(min(WHOLE_DEPTH, depth), 1.0), *([PoolStratum(depth, SHARE)] if depth > WHOLE_DEPTH else [])]
    else:
        cut = read_strata(strata) if isinstance(strata, str) else checked_strata(strata, strata)
    written = ",".join(f"{stratum.depth}:{stratum.share:g}" for stratum in cut)
    return {"strategy": strategy, "depth": cut[-1].depth, "strata": written, "cut": cut}


def _taken(
    ranked: Ranked, ranks: Mapping[str, int], options: Mapping[str, Any], budget: int | None, known: Mapping[str, int],
    relevant: set[str], topic: str, seed: int,
) -> list[str]:  # fmt: skip
    """Return the unjudged documents of one topic that a strategy selects."""
    limit = len(ranks) if budget is None else budget
    if options["strategy"] == "mtf":
        order = shuffled(ranked, stream(seed, f"pool runs {topic}", 0))
        return move_to_front(ranked, order, relevant, known, limit)
    documents = shuffled(ranks, stream(seed, f"pool ties {topic}", 0))
    if options["strategy"] == "rbp":
        ordered = by_weight(ranked, documents, options["p"])
    else:
        ordered = by_depth(ranked, documents)
    return [document for document in ordered if document not in known][:limit]


def contributing(
    teams: Mapping[str, str],
    described: Callable[[str], Mapping[str, Any]],
    max_runs: int | None,
    unmatched: Sequence[str] = (),
) -> list[str]:
    """Return the contributing runs: of each team those of lowest `priority`, else its first.

    `unmatched` is reported where no run has a team: the sections of the characteristics that match no run.
    """
    if max_runs is None:
        return list(teams)
    if all(run == team for run, team in teams.items()):
        raise UsageError(
            "; ".join([
                f"`runs_per_team={max_runs}`: the teams of the runs are unknown; add `characteristics=` or `team_from=`", *unmatched
            ])
        )  # fmt: skip
    by_team: dict[str, list[str]] = {}
    for run in sorted(teams, key=lambda run: _priority(run, described(run))):
        by_team.setdefault(teams[run], []).append(run)
    chosen = {run for runs in by_team.values() for run in runs[:max_runs]}
    return [run for run in teams if run in chosen]


def _priority(run: str, traits: Mapping[str, Any]) -> float:
    value = traits.get("priority", float("inf"))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(
            f"{run}: its priority is {value!r}; expected a number, the lowest being the first to contribute"
        )
    return float(value)


def judgments(sources: Any, name: str) -> dict[str, dict[str, int]]:
    """Read grades by topic and document from one source or several; the last one counts."""
    if sources is None:
        return {}
    grades: dict[str, dict[str, int]] = {}
    for source in sources if isinstance(sources, list) else [sources]:
        gold = read_qrels(source_of(source, None if path_of(source) is not None else f"<{name}>"))
        for place, topic in enumerate(gold.topics):
            grades.setdefault(topic, {}).update(gold.documents(place))
    return grades


def _merged(first: Grades, other: Grades) -> Grades:
    return {topic: {**first.get(topic, {}), **other.get(topic, {})} for topic in {**first, **other}}


def _check_topics(judged: Grades, topics: Sequence[str], name: str) -> None:
    if judged and not any(topic in judged for topic in topics):
        raise InputError(
            f"`{name}=`: no topic in common with the runs: it has topics such as {next(iter(judged))!r}, the runs {topics[0]!r}"
        )


def _excluded(runs: Mapping[str, Rankings], judged: Grades, topics: Sequence[str]) -> dict[str, int]:
    excluded: dict[str, int] = {}
    for topic in topics:
        known = {document for document, grade in judged.get(topic, {}).items() if grade >= 0}
        excluded[topic] = len(
            {document for rankings in runs.values() for document in rankings.get(topic, ()) if document in known}
        )
    return excluded


def _remarks(runs: Mapping[str, Rankings], topics: Sequence[str]) -> list[str]:
    """Report runs that lack topics, and runs that equal an earlier run."""
    remarks = [
        f"{run}: has {len(rankings)} of {len(topics)} topics and contributes nothing to the others"
        for run, rankings in runs.items()
        if len(rankings) < len(topics)
    ]
    first: dict[int, str] = {}
    for run, rankings in runs.items():
        other = first.setdefault(hash(frozenset((topic, *of) for topic, of in rankings.items())), run)
        if other != run and runs[other] == rankings:
            remarks.append(f"{run}: has the documents of {other} in the same order; both count")
    return remarks


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
