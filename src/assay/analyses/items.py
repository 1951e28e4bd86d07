"""`assay.items`: difficulty and discrimination of topics, suspicious topics, and a small subset that represents all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from math import inf
from typing import Any, Unpack

import numpy as np

from assay.analyses.brief_numbers import MAX_NAMED, as_written, brief, listed, number_of
from assay.errors import InputError, UsageError
from assay.measures.measure import Measure
from assay.parameters import ScoringWithoutSeed, public
from assay.resampling.arithmetic import Floats
from assay.scoring.evaluate import scores_of
from assay.settings import POSITIVE, Kind, checked
from assay.stats.item_statistics import statistics
from assay.table import missing_topics
from assay.table.results import Result
from assay.table.scores import Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.stats.anchor_items import AnchorQuality, Anchors
    from assay.stats.item_response import Fit

MIN_RUNS = 5
"""Fewer runs give no useful discrimination: of two runs, every correlation is 1 or -1."""
ALPHA = 0.05
"""The false discovery rate among the items called suspicious."""
ABILITIES = (-2.0, -1.0, 0.0, 1.0, 2.0)
"""Abilities at which the information of the whole test is reported."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item; None is undefined."""

    topic: str
    runs: int
    """The number of runs with a value on it."""
    mean: float
    """The difficulty: the share of runs that are right, or their mean value."""
    total: float | None
    """The correlation of its values with the runs' means over all items."""
    discrimination: float | None
    """The same with the means over the other items."""
    p: float | None
    """The one-sided p-value of a negative discrimination."""
    adjusted: float | None
    """Adjusted for all items tested, after Benjamini and Hochberg."""
    kind: str
    """nobody, everybody, same: all runs have 0, 1 or another common value. suspicious: significantly negative discrimination.
    negative: below 0. Else empty."""
    slope: float | None = None
    location: float | None = None
    information: float | None = None
    """At the ability `theta`."""


@dataclass(frozen=True, slots=True)
class Response:
    """The response model of the items that have both right and wrong answers."""

    model: str
    converged: bool
    steps: int
    log_likelihood: float
    undefined: int
    """Items that all runs, or none, got right."""
    separated: int
    """Items whose slope is at its bound, as they separate the runs completely."""
    theta: float
    abilities: dict[str, tuple[float, float]]
    """By run, its ability and standard error."""
    test: dict[float, float]
    """The information of the whole test, by ability."""


@dataclass(frozen=True, slots=True)
class AnchorSet:
    """Items that represent all, with their weights, and how well they rank held-out runs."""

    items: dict[str, float]
    chosen: AnchorQuality
    random: AnchorQuality
    target: float | None
    reached: bool
    sizes: list[int]
    halves: int


@dataclass(frozen=True, kw_only=True, repr=False)
class Items(Result):
    """Statistics of every item, with the response model and the anchor items where they were requested."""

    measure: str
    noun: str
    runs: list[str]
    items: list[Item]
    binary: bool
    higher_is_better: bool
    absent: int
    """Cells without a value: failed, or excluded by a policy."""
    alpha: float
    top: int
    response: Response | None = None
    kept: AnchorSet | None = None
    warnings: list[str] = field(default_factory=list[str])
    settings: dict[str, Any] = field(default_factory=dict[str, Any])

    def of_kind(self, *kinds: str) -> list[Item]:
        """Return the items of some kinds, worst first: by p, then by discrimination."""
        chosen = [item for item in self.items if item.kind in kinds]
        return sorted(chosen, key=lambda item: (2.0 if item.p is None else item.p, item.discrimination or 0.0))

    @property
    def suspicious(self) -> list[Item]:
        """The items with significantly negative discrimination, worst first."""
        return self.of_kind("suspicious")

    @property
    def hardest(self) -> list[Item]:
        """The items, hardest first, without those that no run gets."""
        sign = 1 if self.higher_is_better else -1
        return sorted((item for item in self.items if item.kind != "nobody"), key=lambda item: sign * item.mean)

    @property
    def finding(self) -> str:
        """Which gold to check, and with `keep` how well the kept items rank the runs."""
        kept = "" if self.kept is None else f"{_of_kept(self, self.kept)} "
        return f"{kept}{_of_suspicious(self)}"

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, as docs/json.md documents it."""
        counts = {kind: len(self.of_kind(kind)) for kind in ("nobody", "everybody", "same", "negative", "suspicious")}
        document: dict[str, Any] = {
            "finding": self.finding, "measure": self.measure, "runs": len(self.runs), "topics": len(self.items), "absent": self.absent,
            "alpha": self.alpha, "adjusted_by": "bh", **counts, "items": [asdict(item) for item in self.items],
        }  # fmt: skip
        if self.response is not None:
            response = asdict(self.response)
            response["abilities"] = {
                run: {"theta": at, "error": error} for run, (at, error) in response["abilities"].items()
            }
            response["test"] = [{"theta": at, "information": amount} for at, amount in response["test"].items()]
            document["irt"] = response
        if self.kept is not None:
            document["keep"] = asdict(self.kept)
        return {**document, "warnings": self.warnings, "settings": self.settings}

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row per item, in the order of the table."""
        names = ["topic", "runs", "mean", "total", "discrimination", "p", "adjusted", "kind"]
        names += [] if self.response is None else ["slope", "location", "information"]
        header, rows = list(names), [[getattr(item, name) for name in names] for item in self.items]
        if self.kept is not None:
            header.append("weight")
            rows = [[*row, self.kept.items.get(row[0])] for row in rows]
        return header, rows


def _of_suspicious(result: Items) -> str:
    """Name the items on which good runs do badly beyond chance, or say that there are none."""
    everything = number_of(len(result.items), result.noun)
    suspicious, weak = [item.topic for item in result.suspicious], len(result.of_kind("negative"))
    if suspicious:
        which = f"{result.noun} " if len(suspicious) == 1 else f"{result.noun}s "
        more = len(suspicious) - MAX_NAMED
        which += listed(suspicious) if more <= 0 else f"{', '.join(suspicious[:MAX_NAMED])} and {more:,} more"
        them = "it" if len(suspicious) == 1 else "them"
        return f"Check the gold of {which}, of {everything}: good runs do badly on {them}, beyond chance."
    useless = len(result.of_kind("nobody", "everybody", "same"))
    if useless == len(result.items):
        return f"No {result.noun} separates the runs: on each of {everything} all have the same value."
    rest = f" On {useless:,} all runs have the same value." if useless else ""
    if weak:
        return f"No {result.noun} is suspicious: good runs do worse on {weak:,} of {everything}, but this may be chance.{rest}"
    return f"No {result.noun} is suspicious: on none of {everything} do good runs do worse than others.{rest}"


def _of_kept(result: Items, kept: AnchorSet) -> str:
    """Say how well the kept items rank runs that did not choose them."""
    of = f"{len(kept.items):,} of {number_of(len(result.items), result.noun)}"
    if kept.chosen.tau is None:
        return f"Whether {of} rank the runs as all do cannot be said: held-out runs are tied."
    tau, random = (None if tau is None else brief(tau, 2) for tau in (kept.chosen.tau, kept.random.tau))
    at_random = "" if random is None else f", as many at random with {random}"
    if kept.target is not None and not kept.reached:
        half = f"Half of the {result.noun}s do not reach a tau of {as_written(kept.target)}: "
        return f"{half}{of} rank held-out runs as all do with a tau of {tau}{at_random}."
    return f"{of} rank held-out runs as all do with a tau of {tau}{at_random}."


RIGHT = "accuracy"
"""The measure that is 1 or 0 on each question."""


@dataclass(frozen=True)
class Responses:
    """The response matrix: topics × runs."""

    topics: list[str]
    runs: list[str]
    noun: str
    measure: str
    values: Floats
    """NaN where a run has no value: the harness failed, or a policy excludes the topic."""
    higher_is_better: bool

    @property
    def binary(self) -> bool:
        """Whether every value is 0 or 1."""
        return bool(np.isin(self.values[np.isfinite(self.values)], (0.0, 1.0)).all())

    @property
    def absent(self) -> int:
        """Cells without a value."""
        return int(np.isnan(self.values).sum())


def responses(scores: Scores, measure: str | Measure | None = None) -> Responses:
    """Return each run's value on each topic under the table's policies.

    Of questions with outcomes: 1 if right, 0 if wrong or unanswered, or the share of right samples. Otherwise the value of
    `measure`, which must have one per topic; by default the headline measure, or the first with values by topic.
    """
    resolved = _response_measure(scores, measure)
    columns = [_right(scores, run) if resolved is None else _valued(scores, run, resolved) for run in scores.runs]
    values = np.array(columns, dtype=np.float64).reshape(len(columns), len(scores.topics)).T
    known: Any = np.isfinite(values).any(axis=1)
    if len(columns) < 2 or known.sum() < 2:
        noun = scores.task.noun
        raise InputError(
            f"item statistics need at least 2 runs and 2 {noun}s, found {len(columns)} and {int(known.sum())}"
        )
    return Responses(
        [topic for topic, is_known in zip(scores.topics, known.tolist(), strict=True) if is_known],
        list(scores.runs),
        scores.task.noun,
        RIGHT if resolved is None else resolved.name,
        values[known],
        resolved is None or resolved.declaration.higher_is_better is not False,
    )


def _response_measure(scores: Scores, measure: str | Measure | None) -> Measure | None:
    """Return the measure whose values are analysed; None for right or wrong."""
    knows = all("correct" in scores.run(run).columns for run in scores.runs)
    if measure is None:
        if knows:
            return None
        ordered = sorted(scores.measures, key=lambda candidate: candidate.name != scores.task.headline)
        candidates = [candidate for candidate in ordered if candidate.level == "topic" and candidate.average != "sum"]
        if not candidates:
            raise UsageError(f"no measure of this table has a value per {scores.task.noun}; name one with `measure=`")
        return next((m for m in candidates if m.declaration.higher_is_better is not None), candidates[0])
    resolved = scores.measure(measure)
    if resolved.name == RIGHT and knows:
        return None
    if resolved.level != "topic":
        other = f"; use {RIGHT}, which has" if knows else ""
        raise UsageError(f"{resolved.name} has no value per {scores.task.noun}{other}")
    return resolved


def _right(scores: Scores, run: str) -> list[float]:
    scored = scores.run(run)
    column, counts = scored.columns["correct"], scored.samples
    return _placed(
        scores, scores.entering(run), lambda i: (column[i] or 0) / (1 if counts is None else max(counts[i], 1))
    )


def _valued(scores: Scores, run: str, measure: Measure) -> list[float]:
    (places,) = missing_topics.entering(scores, [run], measure)
    column = missing_topics.counted(scores, run, measure)
    return _placed(scores, places, lambda i: column[i] or 0.0)


def _placed(scores: Scores, places: Sequence[int], value: Any) -> list[float]:
    values = [float("nan")] * len(scores.topics)
    for i in places:
        values[i] = value(i)
    return values


@public
def items(
    scores: Any, measure: str | Measure | None = None, *, runs: Any = None, irt: str | None = None, theta: float = 0.0,
    keep: int | str | None = None, tau: float = 0.9, top: int = 10, seed: int | None = None,
    progress: Callable[[int, int], None] | None = None, task: str | None = None, **settings: Unpack[ScoringWithoutSeed],
) -> Items:  # fmt: skip
    """Compute the difficulty and discrimination of each topic, and find suspicious topics; needs five runs or more.

    scores     a score table; or gold, as `assay.evaluate` takes it
    measure    the measure to analyse; by default whether an answer is right, or else the headline
    runs       with gold: the runs
    irt        "1PL" or "2PL" (any case): also fit an item response model to right and wrong
    theta      the ability at which the information of items is reported
    keep       choose a subset of this many topics, or "auto" for the fewest that keep the ranking
    tau        with "auto": Kendall's tau-b that held-out runs must reach
    top        topics of each kind to print
    seed       of the halves of runs that `keep` is tested on; by default that of the table
    progress   called with the number of steps done and of all
    task       with gold: the kind of evaluation, by default detected
    settings   with gold: choices of the task, as `missing` or `failed`

    Returns
        Items        an entry per topic; with `irt` a response model, with `keep` the chosen topics

    Raises
        UsageError   `irt` of values that are not right or wrong
        InputError   fewer than 5 runs

    >>> from assay.scoring.score_files import scores
    >>> table = scores([[0.1 * i, 0.2 * i, 0.1, 0.3 * i % 1, 0.05 * i] for i in range(6)], runs=list("abcde"))
    >>> items(table).items[1].mean
    0.15
    """
    checked("top", top, POSITIVE)
    checked("theta", theta, Kind(float, "a number, as 0 for the mean run", above=-inf, below=inf))
    if irt is not None:
        from assay.stats.item_response import model_name

        irt = model_name(irt)
    table = scores_of(scores, runs, None if measure is None else [measure], task=task, **settings)
    if len(table.runs) < MIN_RUNS:
        noun = table.task.noun
        raise InputError(
            f"the discrimination of {noun}s needs at least {MIN_RUNS} runs, found {len(table.runs)}. "
            f"Fix: add runs, or use `assay compare` to see which {noun}s moved most."
        )
    answers = responses(table, measure)
    if irt is not None and not answers.binary:
        raise UsageError(f"`irt={irt!r}`: {irt} needs values of 0 and 1, and {answers.measure} has others")
    fitted = chosen = None
    if irt is not None:
        from assay.stats.item_response import fit

        fitted = fit(answers.values, irt, progress)
    if keep is not None:
        from assay.stats.anchor_items import anchors

        chosen = anchors(
            answers.values, keep, target=tau, seed=table.settings.seed if seed is None else seed, progress=progress
        )
    return Items(
        measure=answers.measure, noun=answers.noun, runs=answers.runs, items=_items(answers, fitted, theta), binary=answers.binary,
        higher_is_better=answers.higher_is_better, absent=answers.absent, alpha=ALPHA, top=top,
        response=None if fitted is None else _response(answers, fitted, theta),
        kept=None if chosen is None else _kept(answers, chosen),
        warnings=_warnings(answers, fitted), settings=table.settings.as_dict(),
    )  # fmt: skip


def _known(value: Any) -> float | None:
    return None if value != value else float(value)


def _items(answers: Responses, fitted: Fit | None, theta: float) -> list[Item]:
    by_item = statistics(answers.values)
    information = None if fitted is None else fitted.information(theta)
    low, high = np.nanmin(answers.values, axis=1), np.nanmax(answers.values, axis=1)
    best, worst = (1.0, 0.0) if answers.higher_is_better else (0.0, 1.0)
    items: list[Item] = []
    for i, topic in enumerate(answers.topics):
        rest, adjusted = _known(by_item.rest[i]), _known(by_item.adjusted[i])
        kind = ""
        if low[i] == high[i]:
            kind = "nobody" if low[i] == worst else "everybody" if low[i] == best else "same"
        elif rest is not None and rest < 0:
            kind = "suspicious" if adjusted is not None and adjusted <= ALPHA else "negative"
        curve = [] if fitted is None or information is None else [fitted.slope[i], fitted.location[i], information[i]]
        items.append(
            Item(topic, int(by_item.runs[i]), float(by_item.mean[i]), _known(by_item.total[i]), rest, _known(by_item.p[i]), adjusted, kind,
                 *map(_known, curve))
        )  # fmt: skip
    return items


def _response(answers: Responses, fitted: Fit, theta: float) -> Response:
    known = np.isfinite(fitted.location)
    test = {at: float(fitted.information(at)[known].sum()) for at in sorted({*ABILITIES, theta})}
    abilities = dict(zip(answers.runs, zip(fitted.ability.tolist(), fitted.error.tolist(), strict=True), strict=True))
    undefined = int((~np.isfinite(fitted.slope)).sum())
    separated = int(fitted.separated.sum())
    return Response(
        fitted.model,
        fitted.converged,
        fitted.steps,
        fitted.log_likelihood,
        undefined,
        separated,
        theta,
        abilities,
        test,
    )


def _kept(answers: Responses, chosen: Anchors) -> AnchorSet:
    names = {answers.topics[i]: weight for i, weight in zip(chosen.items, chosen.weights, strict=True)}
    return AnchorSet(names, chosen.chosen, chosen.random, chosen.target, chosen.reached, chosen.sizes, chosen.halves)


def _warnings(answers: Responses, fitted: Fit | None) -> list[str]:
    if fitted is None:
        return []
    from assay.stats.item_response import FEW_RUNS

    warnings: list[str] = []
    if len(answers.runs) < FEW_RUNS:
        warnings.append(
            f"{fitted.model} of {len(answers.runs)} runs is unreliable; below {FEW_RUNS} runs only the order of items by difficulty "
            "is meaningful"
        )
    if not fitted.converged:
        warnings.append(f"{fitted.model} did not converge in {fitted.steps} steps: its estimates are not the maximum")
    return warnings
