"""Scores corrected for the judge: `assay.correct`.

A machine judges everything, people a random part of it. Three estimates of people's scores on everything: from their labels
alone, by PPI++ (`stats/prediction_powered.py`), and by the Rogan-Gladen correction (`stats/rogan_gladen.py`). For ranked runs
topics are labelled: a topic's score under people's qrels is its label, its score under the machine's qrels the prediction.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from assay.analyses.comparison.result import RankResult, Ranks
from assay.analyses.correction.finding import finding
from assay.analyses.correction.verdicts import Material, of_one_table, of_outcomes, of_topics
from assay.errors import UsageError, shorten_list
from assay.formats.answers.outcome_words import Words
from assay.formats.auxiliary.human_labels import has_both
from assay.io.sources import path_of, source_of
from assay.parameters import TaskSettings, public
from assay.scoring.evaluate import read_gold
from assay.settings import CONFIDENCE, checked
from assay.stats.labelled_verdicts import Agreement, Form, Labelled, agreement_of, drawn_oddly
from assay.stats.prediction_powered import (
    APART,
    FEW,
    Estimate,
    are_alike,
    difference,
    human_alone,
    is_few,
    of_measure,
    powered_difference,
    prediction_powered,
)  # fmt: skip
from assay.stats.rank_intervals import places, rank_intervals
from assay.stats.rogan_gladen import rogan_gladen
from assay.table.results import Result
from assay.table.run_names import unknown_run

MIN_UNITS = 2
"""Questions (or clusters of them) with and without labels that an estimate needs."""
LABELS = {"human": "people's labels alone", "ppi": "PPI++", "rogan_gladen": "Rogan-Gladen"}
MAX_NAMED_RUNS = 3
Estimates = dict[str, dict[str, Estimate | str]]
"""By run and estimator, the estimate, or why there is none."""
RANDOM = "the estimates assume that the labelled {}s are a random sample of all"


ESTIMATORS = {"human": "human alone", "ppi": "PPI++", "rogan_gladen": "Rogan-Gladen"}


@dataclass(frozen=True, slots=True)
class CorrectedValue:
    """An estimate with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CorrectedRun:
    """A run by one measure: the machine's score, and three estimates of people's. None is undefined."""

    run: str
    measure: str
    machine: float | None
    estimates: dict[str, CorrectedValue | None]
    """By `human`, `ppi`, `rogan_gladen`."""
    questions: int
    labels: int
    weight: float | None
    """λ of PPI++: the weight of the machine's verdicts."""
    sensitivity: float | None
    specificity: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True)
class CorrectedPair:
    """The first run less the second, on the same questions."""

    first: str
    second: str
    measure: str
    machine: float | None
    estimates: dict[str, CorrectedValue | None]
    weight: float | None

    @property
    def verdict(self) -> str:
        """Whether the machine's order holds, is open, or turns; by PPI++, or else by people's labels alone."""
        estimate = self.estimates["ppi"] or self.estimates["human"]
        if estimate is None or not self.machine or estimate.low <= 0 <= estimate.high:
            return "open"
        return "holds" if (estimate.value > 0) == (self.machine > 0) else "turns"


@dataclass(frozen=True, kw_only=True, repr=False)
class Correction(Result):
    """Scores by a machine, with estimates of people's, per run and pair."""

    noun: str
    """The labelled unit: question or topic."""
    runs: tuple[CorrectedRun, ...]
    pairs: tuple[CorrectedPair, ...]
    settings: dict[str, Any]
    notes: tuple[str, ...] = field(default=())
    ranks: dict[str, Ranks] = field(default_factory=dict[str, Ranks])
    """By measure, simultaneous intervals of the ranks; none with a baseline, or for a single run."""

    @property
    def finding(self) -> str:
        """What people would make of the first measure: a run's score, or the machine's order of the runs."""
        return finding(self)

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        return {
            "finding": self.finding,
            "runs": [
                {
                    "run": run.run, "measure": run.measure, "machine": run.machine, **_document(run.estimates),
                    f"{self.noun}s": run.questions, "labels": run.labels, "weight": run.weight,
                    "sensitivity": run.sensitivity, "specificity": run.specificity,
                    "kappa": run.kappa,
                }
                for run in self.runs
            ],
            "pairs": [
                {
                    "first": pair.first, "second": pair.second, "measure": pair.measure, "machine": pair.machine,
                    **_document(pair.estimates), "weight": pair.weight, "order": pair.verdict,
                }
                for pair in self.pairs
            ],
            "ranks": {measure: ranks.to_dict() for measure, ranks in self.ranks.items()},
            "settings": self.settings, "notes": list(self.notes),
        }  # fmt: skip

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row per run and estimate, then per pair and estimate."""
        header = ["run", "against", "measure", "estimate", "value", "low", "high", "labels", "weight"]
        entries: list[tuple[list[Any], CorrectedRun | CorrectedPair, int | None]] = []
        entries += [([run.run, None, run.measure], run, run.labels) for run in self.runs]
        entries += [([pair.first, pair.second, pair.measure], pair, None) for pair in self.pairs]
        rows: list[list[Any]] = []
        for names, entry, labels in entries:
            rows.append([*names, "machine", entry.machine, None, None, None, None])
            for name, estimate in entry.estimates.items():
                ends = [None, None, None] if estimate is None else [estimate.value, estimate.low, estimate.high]
                rows.append([*names, name, *ends, labels, entry.weight if name == "ppi" else None])
        return header, rows

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tables and charts as a page, atomically.

        path   .html, .pdf or .txt
        """
        names = list(dict.fromkeys(run.run for run in self.runs))
        subtitle = ", ".join(names) if len(names) < 6 else f"{len(names)} runs"
        self.save_as(path, "Corrected for the judge", subtitle)


def _document(estimates: dict[str, CorrectedValue | None]) -> dict[str, Any]:
    return {
        name: estimate and {"value": estimate.value, "interval": [estimate.low, estimate.high]}
        for name, estimate in estimates.items()
    }


@public
def correct(
    gold: Any, runs: Any = None, human: Any = None, measures: Any = None, *, task: str | None = None, baseline: str | None = None,
    confidence: float = 0.95, cluster: str | None = "auto", progress: Callable[[int, int], None] | None = None,
    **settings: Unpack[TaskSettings],
) -> Correction:  # fmt: skip
    """Estimate people's scores of runs that a machine judged, from a few questions or topics that people judged too.

    gold         the machine's verdicts: qrels; a log or table of outcomes, as `assay.evaluate` takes them; gold to match answers
                 with; or one table with the columns id, judge and human
    runs         as `assay.evaluate` takes them, unless `gold` has them
    human        people's verdicts: a table with id, human, and run if there are several; for ranked runs, qrels that judge some
                 topics fully, or a sample of pairs (prels, strata)
    measures     accuracy, c@1, precision or score of answers; any mean over topics of ranked runs
    task         detected by default
    baseline     the run to compare every other with; by default all pairs are compared
    confidence   of the intervals
    cluster      the field, or column of the one table, that groups questions; `auto` is `cluster` if there is one; or None
    progress     called with the number of runs done and of all
    settings     choices of the task, as `level`, `columns`, `outcomes`

    Returns
        Correction    per run and per pair, the machine's score and three estimates of people's, with intervals

    Raises
        UsageError    no labels, a measure that cannot be corrected, or an unknown baseline
        InputError    no label is of a question that a run answers

    >>> table = b"id,judge,human\\n" + b"".join(b"q%d,%d,%s\\n" % (i, i % 3 > 0, b"1" if 0 < i < 6 else b"0" if i < 8 else b"")
    ...                                        for i in range(30))
    >>> run = correct(table).runs[0]
    >>> run.machine, run.labels, run.estimates["human"].value
    (0.6666666666666666, 8, 0.625)
    """
    checked("confidence", confidence, CONFIDENCE)
    material = _material(gold, runs, human, measures, task, progress, cluster, settings)
    names = list(dict.fromkeys(name for runs_of in material.runs.values() for name in runs_of))
    if baseline is not None and baseline not in names:
        raise UsageError(f"`baseline={baseline!r}`: {unknown_run(baseline, names)}")
    if baseline is None:
        pairs = list(combinations(names, 2))
    else:
        pairs = [(name, baseline) for name in names if name != baseline]
    notes = [*material.notes]
    of_runs: list[CorrectedRun] = []
    of_pairs: list[CorrectedPair] = []
    ranks: dict[str, Ranks] = {}
    for measure, (form, low, high) in material.measures.items():
        labelled = material.runs[measure]
        by_run = {name: estimates(labelled[name], form, confidence) for name in names}
        notes += _missing_estimates(labelled, by_run)
        of_runs += [_run(name, measure, labelled[name], form, by_run[name], (low, high), notes) for name in names]
        ends = low - high, high - low
        of_pairs += [_pair(a, b, measure, labelled, by_run, form, ends, confidence) for a, b in pairs]
        if baseline is None and len(names) > 1:
            ranks[measure] = _ranks(labelled, by_run, form, pairs, confidence)
    notes += _doubts(material, pairs)
    notes.append(RANDOM.format(material.noun))
    return Correction(
        noun=material.noun, runs=tuple(of_runs), pairs=tuple(of_pairs), notes=tuple(dict.fromkeys(notes)), ranks=ranks,
        settings={"confidence": confidence, "baseline": baseline, "cluster": material.cluster, **settings},
    )  # fmt: skip


def _material(
    gold: Any, runs: Any, human: Any, measures: Any, task: str | None, progress: Any, cluster: str | None, settings: TaskSettings
) -> Material:  # fmt: skip
    words = Words(settings.get("outcomes"))
    first = gold[0] if isinstance(gold, list | tuple) and len(gold) == 1 else gold
    if human is None:
        source = source_of(first, None if path_of(first) is not None else "judge")
        if runs is not None or not has_both(source):
            raise UsageError(
                "`human=`: expected a file of people's labels, or one table with the columns id, judge and human"
            )
        return of_one_table(source, measures, words, cluster)
    machine = read_gold(first, task=task, runs=runs, **settings)
    runs = None if machine.holds_runs else runs
    if machine.task.name == "ranked":
        return of_topics(machine, human, runs, measures, progress, cluster, **settings)
    if machine.task.name != "outcomes":
        raise UsageError(f"`task={machine.task.name!r}`: verdicts on answers and qrels of ranked runs can be corrected")
    scores = machine.evaluate(runs, ["score"], progress=progress)
    labels = source_of(human, None if path_of(human) is not None else "<human>")
    return of_outcomes(scores, labels, measures, words, cluster)


def estimates(run: Labelled, form: Form, confidence: float) -> dict[str, Estimate | str]:
    """Estimate a measure of one run by every estimator; a text says why there is no estimate.

    >>> by_name = estimates(Labelled.of([1, 0, 1, 1], [1, 1, None, None]), Form(lambda u: 1.0, lambda u: 0.0), 0.95)
    >>> by_name["rogan_gladen"]
    'no label says wrong'
    """
    here, others = run.count_units(run.labelled), run.count_units(run.others)
    units = "" if run.clusters is None else " clusters"
    few = f"{here}{units} are labelled and {others} are not; expected at least {MIN_UNITS} of each"
    of_p: dict[str, Estimate | str | None] = {
        "human": human_alone(run, confidence),
        "ppi": prediction_powered(run, confidence),
        "rogan_gladen": rogan_gladen(run, confidence),
    }
    results: dict[str, Estimate | str] = {}
    for name, estimate in of_p.items():
        known = few if estimate is None else estimate
        results[name] = known if isinstance(known, str) else of_measure(run, known, form, confidence)
    return results


def _missing_estimates(runs: dict[str, Labelled], by_run: Estimates) -> list[str]:
    """List the runs without an estimate, and why; graded scores never have Rogan-Gladen."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for name, run in runs.items():
        for estimator, estimate in by_run[name].items():
            if isinstance(estimate, str) and (run.binary or estimator != "rogan_gladen"):
                reasons.setdefault((LABELS[estimator], estimate), []).append(name)
    return [
        f"{label} for {shorten_list(names, MAX_NAMED_RUNS)} is n/a: {why}" for (label, why), names in reasons.items()
    ]


def _run(
    name: str, measure: str, run: Labelled, form: Form, results: dict[str, Estimate | str], ends: tuple[float, float], notes: list[str]
) -> CorrectedRun:  # fmt: skip
    corrected: dict[str, CorrectedValue | None] = {}
    for estimator, estimate in results.items():
        corrected[estimator] = None if isinstance(estimate, str) else _clipped(estimate, ends)
        label = LABELS[estimator]
        if not isinstance(estimate, str) and not ends[0] <= estimate.value <= ends[1]:
            notes.append(f"{label} for {name}: estimate {estimate.value:.4f} clipped to [{ends[0]:g}, {ends[1]:g}]")
    powered, here = results["ppi"], run.labelled
    agreed = (
        agreement_of(run.judge[here], run.human[here]) if run.binary and here.any() else Agreement(None, None, None)
    )
    return CorrectedRun(
        name, measure, _machine(run, form), corrected, run.asked, int(here.sum()),
        None if isinstance(powered, str) else powered.weight, *agreed,
    )  # fmt: skip


def _pair(
    a: str, b: str, measure: str, runs: dict[str, Labelled], by_run: Estimates, form: Form, ends: tuple[float, float],
    confidence: float,
) -> CorrectedPair:  # fmt: skip
    first, second = runs[a], runs[b]
    corrected: dict[str, CorrectedValue | None] = {}
    for name in ("human", "rogan_gladen"):
        minuend, subtrahend = by_run[a][name], by_run[b][name]
        if isinstance(minuend, str) or isinstance(subtrahend, str):
            corrected[name] = None
        else:
            corrected[name] = _clipped(difference(minuend, subtrahend), ends)
    powered = powered_difference(first, second, form, confidence)
    corrected["ppi"] = None if powered is None else _clipped(powered, ends)
    machine = [_machine(run, form) for run in (first, second)]
    machine_difference = None if machine[0] is None or machine[1] is None else machine[0] - machine[1]
    ordered = {name: corrected[name] for name in ("human", "ppi", "rogan_gladen")}
    return CorrectedPair(a, b, measure, machine_difference, ordered, None if powered is None else powered.weight)


def _ranks(
    runs: dict[str, Labelled], by_run: Estimates, form: Form, pairs: list[tuple[str, str]], confidence: float
) -> Ranks:
    """Return the intervals of the ranks: a pair counts where its interval excludes 0 at a level shared by all pairs (Bonferroni).

    By PPI++, or else by people's labels alone; a pair without an interval only widens ranks.
    """
    level = 1 - (1 - confidence) / len(pairs)
    values = {name: value for name in runs if (value := _people_value(by_run[name])) is not None}
    order = sorted(values, key=lambda name: -values[name])
    place_of = {name: place for place, name in enumerate(order)}
    winners: list[int] = []
    losers: list[int] = []
    for a, b in pairs:
        estimate = powered_difference(runs[a], runs[b], form, level)
        if estimate is None:
            alone = [estimates(runs[name], form, level)["human"] for name in (a, b)]
            known = [one for one in alone if not isinstance(one, str)]
            estimate = difference(*known) if len(known) == len(alone) else None
        if estimate is not None and not estimate.low <= 0 <= estimate.high and {a, b} <= values.keys():
            better, worse = (a, b) if estimate.low > 0 else (b, a)
            winners.append(place_of[better])
            losers.append(place_of[worse])
    low, high = rank_intervals(winners, losers, len(order))
    place = places([values[name] for name in order])
    return Ranks([RankResult(*row) for row in zip(order, place, low.tolist(), high.tolist(), strict=True)])


def _people_value(results: dict[str, Estimate | str]) -> float | None:
    """Return people's value of a run by PPI++, or else by their labels alone."""
    return next((one.value for name in ("ppi", "human") if not isinstance(one := results[name], str)), None)


def _machine(run: Labelled, form: Form) -> float | None:
    """Return the machine's score of a run; None if the run answers nothing and the measure is then undefined."""
    factor = form.factor(run.share)
    if not run.answered.any():
        return None if factor else 0.0
    return factor * float(run.judge[run.answered].mean())


def _clipped(estimate: Estimate, ends: tuple[float, float]) -> CorrectedValue:
    value, low, high = (float(np.clip(number, *ends)) for number in (estimate.value, estimate.low, estimate.high))
    return CorrectedValue(value, low, high)


def _both_labelled(a: Labelled, b: Labelled) -> bool:
    return min(a.labelled.sum(), b.labelled.sum()) >= MIN_UNITS


def _doubts(material: Material, pairs: list[tuple[str, str]]) -> list[str]:
    """Warn of labels that look chosen, and of intervals that were widened."""
    notes: list[str] = []
    for runs in material.runs.values():
        for name, run in runs.items():
            odd = drawn_oddly(run)
            if odd is not None:
                notes.append(
                    f"the machine's mean for {name} is {odd[0]:.3f} on the labelled {material.noun}s and {odd[1]:.3f} on the others, "
                    "which is not chance (p < .001): the labels look chosen, not drawn at random, so no interval can be relied on"
                )
        few = {name: run for name, run in runs.items() if run.labelled.sum() >= MIN_UNITS and is_few(run)}
        graded = [name for name, run in few.items() if not run.binary]
        if graded:
            notes.append(
                f"fewer than {FEW} labels, or less than a quarter, differ from the most frequent score "
                f"({shorten_list(graded, MAX_NAMED_RUNS)}): intervals are widened by two labels at the ends of the range"
            )
        binary = [name for name, run in few.items() if run.binary]
        if binary:
            notes.append(
                f"fewer than {FEW} labels of one verdict, or less than a quarter ({shorten_list(binary, MAX_NAMED_RUNS)}): "
                "the PPI++ interval is widened by two labels on which judge and people differ"
            )
        close = [f"{a} and {b}" for a, b in pairs if are_alike(runs[a], runs[b]) and _both_labelled(runs[a], runs[b])]
        if close:
            notes.append(
                f"fewer than {APART} labels differ between {shorten_list(close, MAX_NAMED_RUNS)}: "
                "the PPI++ interval of the difference is widened by two questions, one that favours each run"
            )
    return notes
