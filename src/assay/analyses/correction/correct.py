"""Scores corrected for the judge: `assay.correct`.

A machine judged everything, people a random part of it. What people would have said of everything is estimated three ways, side by
side (`stats/prediction_powered.py`, `stats/rogan_gladen.py`):
from their labels alone, by PPI++, and by the Rogan-Gladen correction. Of ranked runs
topics are what is labelled: a topic's score under people's qrels is its label, that under the machine's the prediction.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from assay.analyses.correction.result import CorrectedPair, CorrectedRun, CorrectedValue, Correction
from assay.analyses.correction.verdicts import Material, of_one_table, of_outcomes, of_topics
from assay.errors import UsageError, shorten_list, unknown_run
from assay.formats.answers.outcome_words import Words
from assay.formats.auxiliary.human_labels import has_both
from assay.io.sources import path_of, source_of
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
from assay.stats.rogan_gladen import rogan_gladen

FEWEST = 2
CALLED = {"human": "people's labels alone", "ppi": "PPI++", "rogan_gladen": "Rogan-Gladen"}
MOST_NAMED = 3
Estimates = dict[str, dict[str, Estimate | str]]
"""By run and estimator what is estimated, or why nothing is."""
RANDOM = "the estimates hold where the labelled {}s are a random sample of all; whether they are, nobody can see in the labels"


def correct(
    gold: Any, runs: Any = None, human: Any = None, measures: Any = None, *, task: str | None = None, baseline: str | None = None,
    confidence: float = 0.95, progress: Callable[[int, int], None] | None = None, **settings: Any,
) -> Correction:  # fmt: skip
    """Estimate what people would say of runs that a machine judged, from few questions or topics that people judged too.

    gold         what the machine says: its qrels; a log or table of outcomes, as `assay.evaluate` takes them; gold that answers are
                 compared with; or one table with the columns id, judge and human
    runs         as `assay.evaluate` takes them; left out where the first has them
    human        people's verdicts: a table with id, human, and run where there are several; of ranked runs, qrels of some topics
                 judged wholly, or a sample of pairs (prels, strata)
    measures     accuracy, c@1, precision or score of answers; any mean over topics of ranked runs
    task         detected where left out
    baseline     the run every other is held against; each two where left out
    confidence   of the intervals
    progress     called with the number of runs done and of all
    settings     the choices of the task, as `level`, `columns`, `outcomes`

    Returns
        Correction    per run and per pair, the machine's score and three estimates of people's, with intervals

    Raises
        UsageError    no labels, a measure that cannot be corrected, or an unknown baseline
        InputError    no label is of a question that a run answers

    >>> table = b"id,judge,human\\n" + b"".join(b"q%d,%d,%s\\n" % (i, i % 3 > 0, b"1" if 0 < i < 6 else b"0" if i < 8 else b"")
    ...                                        for i in range(30))
    >>> found = correct(table)
    >>> found.runs[0].machine, found.runs[0].labels, found.runs[0].estimates["human"].value
    (0.6666666666666666, 8, 0.625)
    """
    checked("confidence", confidence, CONFIDENCE)
    material = _material(gold, runs, human, measures, task, progress, settings)
    names = list(dict.fromkeys(name for own in material.runs.values() for name in own))
    if baseline is not None and baseline not in names:
        raise UsageError(f"`baseline={baseline!r}`: {unknown_run(baseline, names)}")
    if baseline is None:
        pairs = list(combinations(names, 2))
    else:
        pairs = [(name, baseline) for name in names if name != baseline]
    notes = [*material.notes]
    of_runs: list[CorrectedRun] = []
    of_pairs: list[CorrectedPair] = []
    for measure, (form, low, high) in material.measures.items():
        own = material.runs[measure]
        made = {name: estimates(own[name], form, confidence) for name in names}
        notes += _without(own, made)
        of_runs += [_run(name, measure, own[name], form, made[name], (low, high), notes) for name in names]
        apart = high - low
        of_pairs += [_pair(one, two, measure, own, made, form, (-apart, apart), confidence) for one, two in pairs]
    notes += _doubts(material, pairs)
    notes.append(RANDOM.format(material.noun))
    return Correction(
        noun=material.noun, runs=tuple(of_runs), pairs=tuple(of_pairs), notes=tuple(dict.fromkeys(notes)),
        settings={"confidence": confidence, "baseline": baseline, **settings},
    )  # fmt: skip


def _material(
    gold: Any, runs: Any, human: Any, measures: Any, task: str | None, progress: Any, settings: dict[str, Any]
) -> Material:
    words = Words(settings.get("outcomes"))
    first = gold[0] if isinstance(gold, list | tuple) and len(gold) == 1 else gold
    if human is None:
        source = source_of(first, None if path_of(first) is not None else "judge")
        if runs is not None or not has_both(source):
            raise UsageError(
                "`human=`: expected people's labels: a file, or one table with the columns id, judge and human"
            )
        return of_one_table(source, measures, words)
    read = read_gold(first, task=task, runs=runs, **settings)
    given = None if read.holds_runs else runs
    if read.task.name == "ranked":
        return of_topics(read, human, given, measures, progress, **settings)
    if read.task.name != "outcomes":
        raise UsageError(f"`task={read.task.name!r}`: verdicts on answers and qrels of ranked runs can be corrected")
    scores = read.evaluate(given, ["score"], progress=progress)
    return of_outcomes(scores, source_of(human, None if path_of(human) is not None else "<human>"), measures, words)


def estimates(run: Labelled, form: Form, confidence: float) -> dict[str, Estimate | str]:
    """By estimator, a measure of one run, or why it has none.

    >>> made = estimates(Labelled.of([1, 0, 1, 1], [1, 1, None, None]), Form(lambda u: 1.0, lambda u: 0.0), 0.95)
    >>> made["rogan_gladen"]
    'no label says wrong'
    """
    few = f"{int(run.labelled.sum())} are labelled and {int(run.others.sum())} are not; expected at least {FEWEST} of each"
    found: dict[str, Estimate | str | None] = {
        "human": human_alone(run, confidence),
        "ppi": prediction_powered(run, confidence),
        "rogan_gladen": rogan_gladen(run, confidence),
    }
    return {
        name: few if one is None else one if isinstance(one, str) else of_measure(run, one, form, confidence)
        for name, one in found.items()
    }


def _without(runs: dict[str, Labelled], made: Estimates) -> list[str]:
    """Say which runs lack which estimate, and why; Rogan-Gladen is not expected of graded scores."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for name, run in runs.items():
        for estimator, found in made[name].items():
            if isinstance(found, str) and (run.binary or estimator != "rogan_gladen"):
                reasons.setdefault((CALLED[estimator], found), []).append(name)
    return [f"{label} for {shorten_list(names, MOST_NAMED)} is n/a: {why}" for (label, why), names in reasons.items()]


def _run(
    name: str, measure: str, run: Labelled, form: Form, made: dict[str, Estimate | str], ends: tuple[float, float], notes: list[str]
) -> CorrectedRun:  # fmt: skip
    told: dict[str, CorrectedValue | None] = {}
    for estimator, found in made.items():
        told[estimator] = None if isinstance(found, str) else _cut(found, ends)
        label = CALLED[estimator]
        if not isinstance(found, str) and not ends[0] <= found.value <= ends[1]:
            notes.append(f"{label} for {name}: estimate {found.value:.4f} clipped to [{ends[0]:g}, {ends[1]:g}]")
    powered, here = made["ppi"], run.labelled
    agreed = (
        agreement_of(run.judge[here], run.human[here]) if run.binary and here.any() else Agreement(None, None, None)
    )
    return CorrectedRun(
        name, measure, _machine(run, form), told, run.asked, int(here.sum()),
        None if isinstance(powered, str) else powered.weight, *agreed,
    )  # fmt: skip


def _pair(
    one: str, two: str, measure: str, runs: dict[str, Labelled], made: Estimates, form: Form, ends: tuple[float, float],
    confidence: float,
) -> CorrectedPair:  # fmt: skip
    first, second = runs[one], runs[two]
    told: dict[str, CorrectedValue | None] = {}
    for name in ("human", "rogan_gladen"):
        a, b = made[one][name], made[two][name]
        told[name] = None if isinstance(a, str) or isinstance(b, str) else _cut(difference(a, b), ends)
    powered = powered_difference(first, second, form, confidence)
    told["ppi"] = None if powered is None else _cut(powered, ends)
    machine = [_machine(run, form) for run in (first, second)]
    apart = None if machine[0] is None or machine[1] is None else machine[0] - machine[1]
    ordered = {name: told[name] for name in ("human", "ppi", "rogan_gladen")}
    return CorrectedPair(one, two, measure, apart, ordered, None if powered is None else powered.weight)


def _machine(run: Labelled, form: Form) -> float | None:
    """Return the machine's score of a run; None where the run answers nothing and the measure has no zero for that."""
    factor = form.factor(run.share)
    return factor * float(run.judge[run.answered].mean()) if run.answered.any() else None if factor else 0.0


def _cut(found: Estimate, ends: tuple[float, float]) -> CorrectedValue:
    value, low, high = (float(np.clip(number, *ends)) for number in (found.value, found.low, found.high))
    return CorrectedValue(value, low, high)


def _labelled_both(one: Labelled, two: Labelled) -> bool:
    return min(one.labelled.sum(), two.labelled.sum()) >= FEWEST


def _doubts(material: Material, pairs: list[tuple[str, str]]) -> list[str]:
    """Warn of labels that look chosen, and of intervals that were widened."""
    notes: list[str] = []
    for own in material.runs.values():
        for name, run in own.items():
            odd = drawn_oddly(run)
            if odd is not None:
                notes.append(
                    f"the machine's mean for {name} is {odd[0]:.3f} on the labelled {material.noun}s and {odd[1]:.3f} on the others, "
                    "more apart than chance would have it (p < .001): the labels look chosen, not drawn, and no interval can be relied on"
                )
        scarce = [name for name, run in own.items() if run.labelled.sum() >= FEWEST and is_few(run)]
        if scarce:
            notes.append(
                f"fewer than {FEW} labels of one verdict, or less than a quarter ({shorten_list(scarce, MOST_NAMED)}): "
                "the interval of PPI++ is widened by two labels on which judge and people differ"
            )
        close = [
            f"{one} and {two}"
            for one, two in pairs
            if are_alike(own[one], own[two]) and _labelled_both(own[one], own[two])
        ]
        if close:
            notes.append(
                f"fewer than {APART} labels tell {shorten_list(close, MOST_NAMED)} apart: "
                "the interval of PPI++ for the difference is widened by two questions on which people prefer one and then the other"
            )
    return notes
