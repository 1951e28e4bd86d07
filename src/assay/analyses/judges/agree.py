"""`assay.agree`: agreement of judges beyond chance, with intervals over topics.

Kappas are of two judges, over the pairs that both judged; of more judges, the mean over all pairs of judges (Light 1971). Raw
agreement, Fleiss' kappa, Gwet's AC1 and Krippendorff's alpha take any number of judges, with missing judgments as each defines
them (`stats/agreement_coefficients.py`). Intervals resample topics, because judgments of one topic depend on each other.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from assay.analyses.judges.adjudication import Adjudicated, settled, sheet
from assay.analyses.judges.finding import finding
from assay.analyses.judges.judgments import JudgeTable, gathered
from assay.analyses.judges.rankings import Rankings, ranked_by
from assay.analyses.judges.resampled_coefficients import (
    COEFFICIENTS,
    KAPPAS,
    Draws,
    closed,
    draws,
    ends,
    resampled,
    tallied,
)
from assay.errors import UsageError, shorten_list
from assay.parallel.memory_limits import afford
from assay.parameters import RankedScoring, public
from assay.resampling.arithmetic import Floats, Integers
from assay.settings import CONFIDENCE, COUNT, POSITIVE, checked
from assay.table.results import Result

RESAMPLES = 2000
FEW = 10
"""Topics below which percentile intervals are noticeably too narrow."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient with its interval; None is undefined."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class TwoJudges:
    """Two judges on the pairs that both judged."""

    first: str
    second: str
    shared: int
    topics: int
    coefficients: dict[str, Coefficient]
    confusion: tuple[tuple[int, ...], ...]
    """Rows are the first judge's grades, columns the second's."""


@dataclass(frozen=True, slots=True)
class TopicAgreement:
    """One topic: pairs judged by two judges or more, those on which they differ, and the coefficients."""

    topic: str
    shared: int
    differing: int
    coefficients: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A document on whose grade judges differ; `apart` is the distance, None for words without an order."""

    topic: str
    document: str
    grades: dict[str, str]
    apart: float | None


@dataclass(frozen=True, kw_only=True, repr=False)
class JudgeAgreement(Result):
    """The agreement of judges."""

    judges: dict[str, int]
    """The number of pairs that each judged."""
    labels: tuple[str, ...]
    topics: int
    judged: int
    """Pairs of topic and document with a judgment."""
    shared: int
    """Those with two judgments or more."""
    by_all: int
    """Those that every judge judged."""
    coefficients: dict[str, Coefficient]
    """Of all judges together; kappas are means over the pairs of judges."""
    pairs: tuple[TwoJudges, ...]
    per_topic: tuple[TopicAgreement, ...]
    disagreements: tuple[Disagreement, ...]
    rankings: Rankings | None
    settings: dict[str, Any]
    notes: tuple[str, ...]
    source: JudgeTable = field(repr=False)
    """The judgments themselves."""

    @property
    def finding(self) -> str:
        """How far the judges agree, and with runs whether a winner depends on the judge."""
        return finding(self)

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        return {
            "finding": self.finding,
            "judges": [{"judge": name, "judged": count} for name, count in self.judges.items()],
            "topics": self.topics, "judged": self.judged, "shared": self.shared, "by_all": self.by_all,
            "coefficients": _document(self.coefficients),
            "pairs": [
                {
                    "first": pair.first, "second": pair.second, "shared": pair.shared, "topics": pair.topics,
                    "coefficients": _document(pair.coefficients), "confusion": [list(row) for row in pair.confusion],
                }
                for pair in self.pairs
            ],
            "per_topic": [
                {"topic": topic.topic, "shared": topic.shared, "differing": topic.differing, **topic.coefficients}
                for topic in self.per_topic
            ],
            "disagreements": [
                {"topic": pair.topic, "document": pair.document, "apart": pair.apart, "grades": pair.grades}
                for pair in self.disagreements
            ],
            "rankings": None if self.rankings is None else _rankings(self.rankings),
            "settings": self.settings, "notes": list(self.notes),
        }  # fmt: skip

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row per pair of judges and coefficient, then all judges together if there are more than two."""
        groups: list[tuple[list[Any], dict[str, Coefficient]]]
        groups = [([pair.first, pair.second, pair.shared], pair.coefficients) for pair in self.pairs]
        if len(self.judges) > 2:
            groups.append((["all", None, self.shared], self.coefficients))
        rows = [
            [*judges, name, coefficient.value, coefficient.low, coefficient.high]
            for judges, coefficients in groups
            for name, coefficient in coefficients.items()
        ]
        return ["first", "second", "shared", "coefficient", "value", "low", "high"], rows

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tables and charts as a page, atomically.

        path   .html, .pdf or .txt
        """
        judges = list(self.judges)
        names = ", ".join(judges) if len(judges) < 6 else f"{len(judges)} judges"
        self.save_as(path, "Do the judges agree?", names)

    def write_adjudication(self, path: str | os.PathLike[str]) -> None:
        """Write the disagreements as a table with an empty column `decision` to fill in; never over a file.

        path   a new CSV file
        """
        sheet(self.source, self.disagreements, path)

    def settle(self, path: str | os.PathLike[str]) -> Adjudicated:
        """Return the final judgments, with the decisions from a table that `write_adjudication` wrote.

        path   that table, filled in
        """
        return settled(self.source, self.disagreements, path)


def _document(coefficients: dict[str, Coefficient]) -> dict[str, Any]:
    return {
        name: {"value": known.value, "interval": None if known.low is None else [known.low, known.high]}
        for name, known in coefficients.items()
    }


def _move(move: Any) -> dict[str, Any] | None:
    return None if move is None else {"run": move.run, "from": move.before, "to": move.after}


def _rankings(rankings: Rankings) -> dict[str, Any]:
    return {
        "measure": rankings.measure, "judged": rankings.judged, "topics": rankings.topics, "correct": rankings.correct,
        "scores": [{"judge": judge, "runs": runs} for judge, runs in rankings.scores.items()],
        "pairs": [
            {
                "first": pair.first, "second": pair.second, "runs": pair.runs, "tau_b": pair.tau_b, "tau_ap": pair.tau_ap,
                "rbo": pair.rbo, "rise": _move(pair.rise), "fall": _move(pair.fall), "compared": pair.compared,
                "significant": list(pair.significant), "kept": pair.kept, "undecided": pair.undecided, "turned": pair.turned,
                "reversed": pair.reversed,
            }
            for pair in rankings.pairs
        ],
    }  # fmt: skip


@public
def agree(
    judgments: Any, *, scale: Any = None, at: Any = None, reference: str | None = None, pool: Any = None,
    second_field: bool | None = None, runs: Any = None, measure: str | None = None, confidence: float = 0.95,
    resamples: int = RESAMPLES, seed: int = 0, progress: Callable[[int, int], None] | None = None, **settings: Unpack[RankedScoring],
) -> JudgeAgreement:  # fmt: skip
    """Measure how far judges of the same documents agree, and whether runs rank the same under each.

    judgments     a qrels file per judge, named after the file or as NAME=FILE; {judge: judgments}; a table with a row per
                  judgment (topic, document, judge, grade) or a column per judge; one qrels file whose second field is the judge;
                  a table of verdicts on answers (id, judge, human), as `assay.correct` takes it
    scale         the allowed grades, as "0-3", or words from the lowest, as "no,partly,yes"
    at            count grades from this one on as relevant and the others as not
    reference     the judge to compare every other with; by default all pairs are compared
    pool          the allowed pairs of topic and document
    second_field  whether the second field of qrels names the judge; by default it does in a file given alone
    runs          runs to rank under each judge, as `assay.evaluate` takes them
    measure       ranks them; by default the headline of ranked retrieval
    confidence    of the intervals
    resamples     of the topics; 0 for no intervals
    seed          of the resamples, and of the tests between runs
    progress      called with the number of steps done and of all
    settings      the choices of `assay.evaluate` for the runs, as `level` or `name_by`

    Returns
        JudgeAgreement   coefficients with intervals, disagreements, and with `runs` the rankings under each judge

    Raises
        UsageError    fewer than 2 judges, or an option without what it needs
        FormatError   a grade outside `scale`, or a pair outside `pool`
        InputError    no document was judged by two judges

    >>> ann, bob = ({"q1": dict(zip("abcdefghij", map(int, said)))} for said in ("0000001111", "0000110111"))
    >>> found = agree({"ann": ann, "bob": bob})
    >>> round(found.coefficients["raw"].value, 6), round(found.coefficients["kappa"].value, 6)
    (0.7, 0.4)
    """
    checked("confidence", confidence, CONFIDENCE)
    checked("resamples", resamples, COUNT)
    if measure is not None and runs is None:
        raise UsageError(f"`measure={measure!r}` needs runs to rank; give `runs=`")
    if settings and runs is None:
        name, value = next(iter(settings.items()))
        raise UsageError(f"`{name}={value!r}` is a setting for scoring runs; expected `runs=` with it")
    judged = gathered(judgments, scale=scale, at=at, pool=pool, second_field=second_field)
    for name, value in (("runs", runs), ("pool", pool)) if judged.noun != "document" else ():
        if value is not None:
            raise UsageError(f"`{name}=` needs judgments of documents; found {judged.noun}s")
    pairs = _pairs(judged, reference)
    notes = list(judged.notes)
    if judged.scale.values is None:
        notes.append(
            "the grades are words without an order, so weighted kappa and ordinal and interval alpha are n/a; `scale` gives an order"
        )
    if len(judged.topics) < 2 and resamples:
        notes.append(f"no intervals: resampling needs at least 2 {judged.unit}s")
    elif len(judged.topics) < FEW and resamples:
        notes.append(f"intervals from only {len(judged.topics)} resampled {judged.unit}s are too narrow")
    steps = len(pairs) + 1 + (len(judged.judges) if runs is not None else 0)
    step = _counter(progress, steps)
    counts = _counts(judged, resamples, seed)
    sampler = _Sampler(judged, counts, confidence)
    two = tuple(step(sampler.two(a, b)) for a, b in pairs)
    overall = step(sampler.all())
    if not all(pair.shared for pair in two):
        apart = [f"{pair.first} and {pair.second}" for pair in two if not pair.shared]
        notes.append(f"{shorten_list(apart)} judged no {judged.noun} in common: n/a")
    rankings = None if runs is None else ranked_by(judged, pairs, runs, measure, seed, lambda *_: step(None), settings)
    judgments_per_pair = (judged.codes >= 0).sum(axis=1)
    return JudgeAgreement(
        judges={name: int(count) for name, count in zip(judged.judges, (judged.codes >= 0).sum(axis=0), strict=True)},
        labels=judged.scale.labels, topics=len(judged.topics), judged=len(judged.pairs), shared=int((judgments_per_pair > 1).sum()),
        by_all=int((judgments_per_pair == len(judged.judges)).sum()), coefficients=overall, pairs=two, per_topic=tuple(_by_topic(judged)),
        disagreements=tuple(disagreements(judged)), rankings=rankings,
        settings={
            "at": at, "reference": reference, "confidence": confidence, "resamples": len(counts), "seed": seed,
            "scale": list(judged.scale.labels), "pool": pool is not None, **settings,
        },
        notes=tuple(notes), source=judged,
    )  # fmt: skip


def _counter(progress: Callable[[int, int], None] | None, steps: int) -> Callable[[Any], Any]:
    done = 0

    def step(result: Any) -> Any:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, steps)
        return result

    return step


def _pairs(judged: JudgeTable, reference: str | None) -> list[tuple[int, int]]:
    if reference is None:
        return list(combinations(range(len(judged.judges)), 2))
    if reference not in judged.judges:
        raise UsageError(f"`reference={reference!r}`: unknown judge; judges are {', '.join(judged.judges)}")
    first = judged.judges.index(reference)
    return [(first, other) for other in range(len(judged.judges)) if other != first]


def _counts(judged: JudgeTable, resamples: int, seed: int) -> Draws:
    topics = len(judged.topics)
    if not resamples or topics < 2:
        return np.zeros((0, topics), dtype=np.uint16)
    checked("resamples", resamples, POSITIVE)
    afford(
        "resamples", resamples, memory=2.0 * resamples * topics + 72.0 * resamples, seconds=1e-6 * resamples * topics
    )
    return draws(topics, resamples, seed)


class _Sampler:
    """Computes the coefficients of groups of judges, with intervals from one set of draws."""

    def __init__(self, judged: JudgeTable, counts: Draws, confidence: float) -> None:
        self._judged, self._counts, self._confidence = judged, counts, confidence
        self._light: dict[str, list[tuple[float, Floats]]] = {}
        """By kappa, the value of every pair of judges and its resamples."""

    def two(self, a: int, b: int) -> TwoJudges:
        """Compare two judges on the pairs that both judged."""
        judged = self._judged
        tally = tallied(judged, [a, b])
        values, drawn = self._closed(tally.flat())
        for name in KAPPAS:
            self._light.setdefault(name, []).append((values[name], drawn.get(name, np.zeros(0))))
        confusion = np.zeros((0, 0)) if tally.confusion is None else tally.confusion.sum(axis=0)
        return TwoJudges(
            judged.judges[a], judged.judges[b], int(tally.shared.sum()), int((tally.shared > 0).sum()),
            self._measured(values, drawn), tuple(tuple(map(int, row)) for row in confusion.tolist()),
        )  # fmt: skip

    def all(self) -> dict[str, Coefficient]:
        """Compare all judges; their kappas are means over the pairs of judges compared."""
        values, drawn = self._closed(tallied(self._judged, list(range(len(self._judged.judges)))).flat())
        for name, pairs in self._light.items():
            values[name] = _mean(np.array([value for value, _ in pairs])).item()
            drawn[name] = _mean(np.array([draw for _, draw in pairs]))
        return self._measured(values, drawn)

    def _closed(self, flat: Floats) -> tuple[dict[str, float], dict[str, Floats]]:
        scale = self._judged.scale
        values = {name: float(value) for name, value in closed(flat.sum(axis=0), scale).items()}
        return values, resampled(flat, self._counts, scale)

    def _measured(self, values: dict[str, float], drawn: dict[str, Floats]) -> dict[str, Coefficient]:
        coefficients: dict[str, Coefficient] = {}
        for name in COEFFICIENTS:
            value = values.get(name, float("nan"))
            span = ends(drawn[name], self._confidence) if len(drawn.get(name, ())) and np.isfinite(value) else None
            coefficients[name] = Coefficient(value if np.isfinite(value) else None, *(span or (None, None)))
        return coefficients


def _mean(values: Floats) -> Floats:
    """Return the mean over the first axis of the defined values; NaN if there are none."""
    known = np.isfinite(values)
    count = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _by_topic(judged: JudgeTable) -> list[TopicAgreement]:
    tally = tallied(judged, list(range(len(judged.judges))))
    values = closed(tally.flat(), judged.scale)
    differing = np.bincount(judged.topic_of[differ(judged)], minlength=len(judged.topics))
    return [
        TopicAgreement(
            topic, int(tally.shared[i]), int(differing[i]),
            {name: float(values[name][i]) if np.isfinite(values[name][i]) else None for name in COEFFICIENTS if name in values},
        )
        for i, topic in enumerate(judged.topics)
    ]  # fmt: skip


def differ(judged: JudgeTable) -> Integers:
    """Return the pairs that two judges gave different grades."""
    there = judged.codes >= 0
    high = judged.codes.max(axis=1)
    low = np.where(there, judged.codes, len(judged.scale.labels)).min(axis=1)
    return np.flatnonzero((there.sum(axis=1) > 1) & (high != low))


def disagreements(judged: JudgeTable) -> list[Disagreement]:
    """Return the pairs that judges graded differently, the largest difference first."""
    values = judged.scale.values
    pairs: list[Disagreement] = []
    for row in differ(judged).tolist():
        topic, document = judged.pairs[row]
        codes = zip(judged.judges, judged.codes[row].tolist(), strict=True)
        codes_by_judge = {judge: code for judge, code in codes if code >= 0}
        grades = {judge: judged.scale.labels[code] for judge, code in codes_by_judge.items()}
        low, high = min(codes_by_judge.values()), max(codes_by_judge.values())
        pairs.append(Disagreement(topic, document, grades, None if values is None else values[high] - values[low]))
    return sorted(pairs, key=lambda pair: -(pair.apart or 0.0))
