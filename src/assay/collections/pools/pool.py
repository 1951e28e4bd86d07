"""Choose which documents of the runs to judge: `assay.pool`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.analyses.overlap import read_runs
from assay.collections.pools.finding import of_pool
from assay.collections.pools.pool_depth import DEFAULT_POOL_DEPTH, SHARE, WHOLE_DEPTH
from assay.collections.pools.strategies import (
    DrawChance,
    PoolStratum,
    Ranked,
    best_ranks,
    by_weight,
    checked_strata,
    draw,
    move_to_front,
    read_strata,
    shuffled,
)
from assay.errors import InputError, UsageError
from assay.figures.run_groups import team_of
from assay.formats.auxiliary.characteristics import characteristics_of
from assay.formats.id_prefixes import prefix_hint
from assay.formats.ranked.sampled_judgments import Pools, written_prels, written_strata
from assay.formats.ranked.trec import read_qrels
from assay.io.atomic_files import file_names, is_folder, write_folder, write_whole
from assay.io.csv_escaping import csv_of
from assay.io.escaping import in_json
from assay.io.sources import path_of, source_of
from assay.parameters import public
from assay.random import stream
from assay.settings import BETWEEN, POSITIVE, WHOLE, checked, one_of
from assay.table.results import Result
from assay.tasks.top_documents import Rankings

DRAW_WRITERS = {"prels": written_prels, "strata": written_strata}
"""Writers of a judged sample, by the ending of the file."""
Grades = Mapping[str, Mapping[str, int]]
"""The grades of each topic's documents."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Pool(Result):
    """The documents to judge, each once.

    topics      the documents of each topic, in random order
    settings    the options of `assay.pool`
    sizes       by topic, the number of documents in the runs down to the depth
    excluded    by topic, how many of these are judged already
    runs        the number of contributing runs, from so many `teams`
    drawn       for a sample, the stratum and probability of every pooled document; otherwise None
    remarks     notes on the runs
    """

    topics: dict[str, list[str]]
    settings: dict[str, Any]
    sizes: dict[str, int]
    excluded: dict[str, int]
    runs: int
    teams: int
    drawn: dict[str, dict[str, DrawChance]] | None = None
    grades: Grades | None = None
    remarks: Sequence[str] = ()

    @property
    def documents(self) -> int:
        """The number of documents to judge."""
        return sum(map(len, self.topics.values()))

    @property
    def finding(self) -> str:
        """How many documents to judge, in one sentence."""
        return of_pool(self)

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Return a row per document to judge."""
        return ["topic", "document"], [[topic, document] for topic, of in self.topics.items() for document in of]

    def to_dict(self) -> dict[str, Any]:
        """Return the documented JSON: settings, documents by topic, and drawing probabilities."""
        content: dict[str, Any] = {
            "finding": self.finding,
            **self.settings,
            "runs": self.runs,
            "teams": self.teams,
            "documents": self.documents,
        }
        content["topics"] = {
            topic: {"pooled": self.sizes[topic], "already_judged": self.excluded[topic], "documents": of}
            for topic, of in self.topics.items()
        }
        if self.drawn is not None:
            content["sample"] = {
                topic: {d: list(chance) for d, chance in pool.items()} for topic, pool in self.drawn.items()
            }
        return content

    def to_jsonl(self) -> str:
        """Return a line per document: {"topic": …, "document": …}."""
        return "".join(_json({"topic": topic, "document": document}) for topic, document in self.rows()[1])

    def to_files(self) -> dict[str, bytes]:
        """Return a file per topic with a document id per line; topics.csv maps renamed files."""
        names = file_names(self.topics)
        multiline = next((text for of in self.topics.values() for text in of if text.splitlines() != [text]), None)
        if multiline is not None:
            raise InputError(f"document {multiline!r}: contains a line break. Fix: write the pool as .jsonl")
        files = {
            f"{name}.txt": "".join(f"{document}\n" for document in of).encode("utf-8", "surrogateescape")
            for name, of in zip(names, self.topics.values(), strict=True)
        }
        if names == list(self.topics):
            return files
        whose = [["file", "topic"], *([f"{name}.txt", topic] for name, topic in zip(names, self.topics, strict=True))]
        return {**files, "topics.csv": csv_of(whose)}

    def judged(self, grades: Grades) -> Pools:
        """Return the drawn documents with their grades, as the task `sampled` reads them.

        grades   by topic, of every drawn document
        """
        if self.drawn is None:
            raise UsageError(
                f"a pool by `strategy={self.settings['strategy']!r}` has no strata. Fix: write its judgments as qrels"
            )
        lacking = [
            (topic, document)
            for topic, pool in self.drawn.items()
            for document, drawn_chance in pool.items()
            if drawn_chance.probability is not None and grades.get(topic, {}).get(document, -1) < 0
        ]
        if lacking:
            topic, document = lacking[0]
            raise InputError(
                f"{len(lacking)} documents were drawn but are not judged, first {document} of topic {topic}. Fix: judge all, or use "
                "the runs, seed and strata of the original draw"
            )
        return {
            topic: {
                document: (-1 if chance is None else grades[topic][document], stratum, chance)
                for document, (stratum, chance) in pool.items()
            }
            for topic, pool in self.drawn.items()
        }

    def written(self, form: str) -> str:
        """Return the judged draw as `prels` or `strata`, with the grades given to `assay.pool`."""
        if self.grades is None:
            raise UsageError(f"`format={form!r}`: needs judgments. Fix: pass them as `grades=`")
        pools = self.judged(self.grades)
        if form == "prels":
            _check_no_numeric_ids(pools)
        return DRAW_WRITERS[form](pools)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the pool atomically, in the form of its ending.

        path   .jsonl, .json, .prels or .strata (the latter two need grades), or a folder (ends with /) with a file per topic
        """
        name = os.fspath(path)
        if is_folder(name):
            write_folder(name, self.to_files())
            return
        write_whole(name, self.in_form(form_of(name)).encode("utf-8", "surrogateescape"))

    def in_form(self, form: str) -> str:
        """Return the content of a file: jsonl, json, prels or strata."""
        if form == "jsonl":
            return self.to_jsonl()
        if form == "json":
            return _json(self.to_dict(), indent=1)
        return self.written(form)


def _json(data: Any, indent: int | None = None) -> str:
    """Return JSON with a final newline; non-UTF-8 ids and control characters are escaped."""
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(data, indent=indent)
    return in_json(text) + "\n"


def form_of(path: str) -> str:
    """Return the form that a file's ending names.

    >>> form_of("pool.jsonl"), form_of("sample.prels")
    ('jsonl', 'prels')
    """
    form = path.rpartition(".")[2].lower()
    if form not in ("jsonl", "json", *DRAW_WRITERS):
        raise UsageError(f"{path}: expected a file that ends in .jsonl, .json, .prels or .strata, or a folder: {path}/")
    return form


def _check_no_numeric_ids(pools: Pools) -> None:
    """Refuse numeric document ids: prels would be read as strata."""
    for pool in pools.values():
        number = next((document for document in pool if document.removeprefix("-").isdigit()), None)
        if number is not None:
            raise InputError(
                f"document {number} is a whole number, which prels cannot distinguish from a stratum. Fix: write .strata"
            )


STRATEGIES = ("depth", "rbp", "mtf", "sample")
PERSISTENCE = 0.8


@public
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
    strategy        `depth`: the first `depth` documents of any run; `rbp`: those with the highest sum of (1-p)·p^(rank-1) over the
                    runs; `mtf`: move-to-front, steered by the judgments of `exclude` and `grades`; `sample`: a stratified sample
    depth           documents of each run and topic that are considered (100)
    budget          maximum number of documents to judge per topic
    p               the persistence of `rbp`
    strata          of a sample, by the best rank of a document in any run: "20:1,100:0.2" is all of the first 20 ranks, and a fifth
                    of the others to rank 100; the default, down to `depth`
    exclude         existing judgments, as `evaluate` takes gold, or a list of them; their documents are not judged again
    grades          judgments that steer `mtf`, and that are written with a sample
    level           the lowest grade that is relevant
    characteristics  a file, or {run: {"organisation": …}}: the team of each run, and its `priority` within the team
    team_from       a regular expression for the team at the beginning of a run's name; by default each run is its own team
    runs_per_team   how many runs of a team contribute: those of the lowest `priority`, otherwise the first
    name_by         name a run by its `tag`, or by its `file`; characteristics and teams use that name
    seed            the same runs and seed give the same pool on any machine
    progress        called with the number of runs read and of all

    >>> runs = {"one": {"q1": {"a": 3, "b": 2}}, "two": {"q1": {"c": 3, "a": 2}}}
    >>> sorted(pool(runs, depth=1).topics["q1"])
    ['a', 'c']
    """
    options = _read_options(strategy, depth, budget, p, strata, seed)
    for name, value in (("budget", budget), ("runs_per_team", runs_per_team)):
        if value is not None:
            checked(name, value, POSITIVE)
    checked("level", level, WHOLE)
    judged, more_grades = judgments(exclude, "exclude"), judgments(grades, "grades")
    described = characteristics_of(characteristics)
    by_run, remarks = read_runs(runs, options["depth"], name_by, progress)
    if not by_run:
        raise UsageError("no runs given; expected at least one")
    remarks += described.unmatched(by_run)
    teams = {run: team_of(run, described.of(run), team_from) for run in by_run}
    by_run = {run: by_run[run] for run in contributing(teams, described.of, runs_per_team, described.unmatched(by_run))}
    topics = sorted({topic for rankings in by_run.values() for topic in rankings}, key=_bytes)
    _check_topics(judged, topics, "exclude")
    _check_topics(more_grades, topics, "grades")
    pools: dict[str, list[str]] = {}
    sizes: dict[str, int] = {}
    draws: dict[str, dict[str, DrawChance]] = {}
    for topic in topics:
        ranked = {run: rankings[topic] for run, rankings in by_run.items() if topic in rankings}
        known = {document: grade for document, grade in judged.get(topic, {}).items() if grade >= 0}
        known_grades = {**known, **more_grades.get(topic, {})}
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
        drawn=draws if strategy == "sample" else None, grades=_merged(judged, more_grades) if grades is not None else None,
        remarks=remarks + _remarks(by_run, topics),
    )  # fmt: skip


def _read_options(
    strategy: str, depth: int | None, budget: int | None, p: float, strata: str | Sequence[tuple[int, float]] | None, seed: int
) -> dict[str, Any]:  # fmt: skip
    """Validate the options; return those that the strategy uses."""
    checked("strategy", strategy, one_of(*STRATEGIES))
    checked("seed", seed, WHOLE)
    if depth is not None:
        checked("depth", depth, POSITIVE)
    if strata is not None and (strategy != "sample" or depth is not None):
        wrong = "`depth=` is that of the last stratum" if strategy == "sample" else f"`strategy={strategy!r}` has none"
        raise UsageError(f"`strata={strata!r}`: {wrong}. Fix: leave out one of them")
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
        ordered = sorted(documents, key=ranks.__getitem__)
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
                f"`runs_per_team={max_runs}`: the teams of the runs are unknown. Fix: add `characteristics=` or `team_from=`", *unmatched
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
        raise InputError(f"{run}: its priority is {value!r}; expected a number; the lowest contributes first")
    return float(value)


def judgments(sources: Any, name: str) -> dict[str, dict[str, int]]:
    """Read grades by topic and document from one source or several; the last grade counts."""
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
            f"`{name}=`: no topic in common with the runs: its topics are like {next(iter(judged))!r}, those of the runs like "
            f"{topics[0]!r}{prefix_hint(topics[0], judged, f'`{name}=`')}"
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
