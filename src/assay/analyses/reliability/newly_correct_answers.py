"""Simulate an incomplete answer key: what changes when answers judged wrong turn out right (`assay.newly_judged`).

No answer key is complete: some answers that count as wrong are right. Each seeded trial makes a random share of the distinct
incorrect answers correct, for every run that gave them, and scores all runs again. Each new answer is a new equivalence class,
so R grows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, stdev
from typing import Any, Unpack

from assay.errors import InputError, UsageError
from assay.figures.common import headline
from assay.matching.known_answers import is_nil
from assay.matching.normalisation import normalise
from assay.measures.measure import Measure
from assay.measures.views.answers import CORRECT, INCORRECT, NIL, AnswerListView, JudgedAnswer
from assay.parameters import ScoringWithoutSeed, public
from assay.random import stream
from assay.scoring.evaluate import chosen, extended, scores_of
from assay.settings import POSITIVE, WHOLE, Kind, checked
from assay.stats.rank_correlation import kendall_tau_b
from assay.table.results import Result
from assay.table.scores import Scores

SHARES = (0.01, 0.05, 0.1)
SOME_SHARE = Kind(float, "shares above 0 and at most 1, as 0.05", above=0, high=1)
TRIALS = 200
PURPOSE = "newly judged"


@dataclass(frozen=True, kw_only=True)
class TrialMean:
    """A mean over trials with its Monte-Carlo standard error."""

    value: float
    error: float


@dataclass(frozen=True, kw_only=True)
class Shift:
    """The change of one measure."""

    change: TrialMean
    """Of the scores, the mean over the runs."""
    runs: dict[str, float]
    """By run, the mean change of its score."""
    tau_b: TrialMean | None
    """Kendall's tau-b between the ranking of the runs before and after; None where it is undefined in every trial."""
    lowest_tau_b: float | None
    reversed: TrialMean | None
    """The share of the pairs of runs with different scores that change their order; None without such pairs."""
    best_stays: float
    """The share of trials in which no other run is best."""


@dataclass(frozen=True, kw_only=True)
class ShareResult:
    """The changes of all measures where a share of the wrong answers turns right."""

    share: float
    answers: int
    """How many distinct answers that is."""
    measures: dict[str, Shift]


@dataclass(frozen=True, kw_only=True, repr=False)
class NewlyJudged(Result):
    """How scores and ranks move when answers judged wrong turn out right.

    headline   the measure of the finding
    wrong      how many distinct answers are judged incorrect
    shares     a result for each share, in rising order
    """

    headline: str
    runs: list[str]
    noun: str
    questions: int
    wrong: int
    trials: int
    seed: int
    shares: list[ShareResult]
    settings: dict[str, Any]

    @property
    def finding(self) -> str:
        """The answer in a sentence: what the largest share does to the ranking of the runs."""
        at = self.shares[-1]
        shift = at.measures[self.headline]
        start = f"If {100 * at.share:g}% of the answers judged wrong were right, "
        if shift.tau_b is None or shift.reversed is None:
            return (
                f"{start}{self.headline} would change by {shift.change.value:+.4f}; the runs have no ranking to keep."
            )
        return (
            f"{start}the ranking of the {len(self.runs)} runs by {self.headline} would keep a tau of {shift.tau_b.value:.2f}: "
            f"{100 * shift.reversed.value:.1f}% of the pairs change their order, and scores change by {shift.change.value:+.4f}."
        )

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row per share and measure."""
        header = ["share", "answers", "measure", "change", "change_error", "tau_b", "tau_b_error", "lowest_tau_b"]
        header += ["reversed", "reversed_error", "best_stays"]
        rows: list[list[Any]] = []
        for at in self.shares:
            for name, shift in at.measures.items():
                tau_b, turned = (
                    (None, None) if mean is None else (mean.value, mean.error) for mean in (shift.tau_b, shift.reversed)
                )
                change = shift.change
                row = [at.share, at.answers, name, change.value, change.error, *tau_b, shift.lowest_tau_b, *turned]
                rows.append([*row, shift.best_stays])
        return header, rows

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON: a result for each share and measure."""
        header, rows = self.rows()
        by_share: dict[float, dict[str, Any]] = {
            at.share: {"share": at.share, "answers": at.answers, "measures": {}} for at in self.shares
        }
        for row, shift in zip(rows, (shift for at in self.shares for shift in at.measures.values()), strict=True):
            values = dict(zip(header[3:], row[3:], strict=True))
            by_share[row[0]]["measures"][row[2]] = {**values, "runs": shift.runs}
        return {
            "finding": self.finding, "headline": self.headline, "runs": self.runs, "questions": self.questions,
            "wrong_answers": self.wrong, "trials": self.trials, "seed": self.seed, "shares": list(by_share.values()),
            "settings": self.settings,
        }  # fmt: skip


@public
def newly_judged(
    scores: Any,
    runs: Any = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    shares: float | Sequence[float] = SHARES,
    trials: int = TRIALS,
    seed: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    task: str | None = None,
    **settings: Unpack[ScoringWithoutSeed],
) -> NewlyJudged:
    """Simulate how scores and ranks move when answers judged wrong turn out right.

    Each trial draws a share of the distinct answers now judged incorrect, NIL excepted. A drawn answer is correct with grade 1
    and a class of its own for every run that gave it; where NIL was the right answer, it no longer is.

    scores     a `Scores` of the task `qa`, `list` or `context`, or the gold
    runs       the runs, if `scores` is the gold
    measures   measures with a value per question; by default those of the table that are averaged and have a direction
    shares     of the wrong answers, each above 0 and at most 1; a larger share contains the answers of a smaller one
    trials     random draws
    seed       of the draws; by default that of the table
    progress   called with the number of trials done and of all
    task       with gold: the kind of evaluation, by default detected
    settings   with gold: choices of the task, as `judging`

    Returns
        NewlyJudged   per share and measure, the changes of scores and of the ranking

    Raises
        UsageError    a share out of range, a measure without values per question, or fewer than 2 runs
        InputError    no answer is judged incorrect

    >>> gold = b'{"id": "q1", "answers": [{"text": "Rome"}]}'
    >>> runs = {"a": b'{"id": "q1", "answers": ["Rome"]}', "b": b'{"id": "q1", "answers": ["Oslo", "Rome"]}'}
    >>> study = newly_judged(gold, runs, "RR", shares=1, trials=2, task="qa")  # Oslo is right: b rises from 1/2 to 1
    >>> study.shares[0].measures["RR"].runs
    {'a': 0.0, 'b': 0.5}
    """
    given = [shares] if isinstance(shares, int | float) else shares
    sorted_shares = sorted({checked("shares", share, SOME_SHARE) for share in given})
    checked("trials", trials, POSITIVE)
    named = None if measures is None else [measures] if isinstance(measures, str | Measure) else list(measures)
    table = scores_of(scores, runs, named, task=task, **settings)
    seed = table.settings.seed if seed is None else int(checked("seed", seed, WHOLE))
    studied = _measures(table, named)
    table = extended(table, studied)
    if len(table.runs) < 2:
        raise UsageError(f"a ranking needs at least 2 runs, found {', '.join(table.runs) or 'none'}")
    perturbed = _Perturbed(table, studied)
    counts = [max(1, round(share * len(perturbed.wrong))) for share in sorted_shares]
    trackers = [
        {measure.name: _Tracker(table.upwards(measure), table.mean(measure)) for measure in studied}
        for _ in sorted_shares
    ]
    for trial in range(trials):
        drawn = stream(seed, PURPOSE, trial).sample(range(len(perturbed.wrong)), max(counts))
        for count, tracker in zip(counts, trackers, strict=True):
            changed = perturbed.table(drawn[:count])
            for measure in studied:
                tracker[measure.name].add(changed.upwards(measure), changed.mean(measure))
        if progress is not None:
            progress(trial + 1, trials)
    first = headline(table)
    return NewlyJudged(
        headline=first.name if first in studied else studied[0].name, runs=table.runs, noun=table.task.noun,
        questions=len(table.topics), wrong=len(perturbed.wrong), trials=trials, seed=seed,
        shares=[
            ShareResult(share=share, answers=count, measures={name: sums.shift() for name, sums in tracker.items()})
            for share, count, tracker in zip(sorted_shares, counts, trackers, strict=True)
        ],
        settings=table.settings.as_dict(),
    )  # fmt: skip


def _measures(table: Scores, named: Sequence[str | Measure] | None) -> list[Measure]:
    """Return the measures named, or those that are averaged over questions and have a direction."""
    if table.task.name not in ("qa", "list", "context"):
        raise UsageError(f"answers turn right in question answering (qa, list, context); this is {table.task.name}")
    if named is None:
        measures = [m for m in table.measures if m.average != "sum" and m.declaration.higher_is_better is not None]
        measures = [m for m in measures if m.level == "topic"]
    else:
        measures = chosen(named, table.task)
    whole = next((measure.name for measure in measures if measure.level != "topic"), None)
    if whole is not None or not measures:
        raise UsageError(f"{whole or 'no measure'}: expected measures with a value per question, as RR")
    lacking = next((run for run in table.runs if table.run(run).views is None), None)
    if lacking is not None:
        raise UsageError(f"{lacking}: this table has scores but no answers. Fix: evaluate with `keep=True`.")
    return measures


class _Perturbed:
    """Rescores the table after some wrong answers turn right."""

    def __init__(self, table: Scores, measures: Sequence[Measure]) -> None:
        self._table = table
        self._functions = {measure.name: measure.bound() for measure in measures}
        self._runs = [table.run(run) for run in table.runs]
        self._views: list[list[AnswerListView]] = []
        self._forms: list[list[list[str | None]]] = []
        """By run and question, the normalised text of each answer judged incorrect; None for any other."""
        wrong: dict[tuple[int, str], None] = {}
        for scored in self._runs:
            views: Any = scored.views
            self._views.append(list(views))
            forms = [
                [
                    normalise(answer.text) if judged.judgment == INCORRECT and not is_nil(answer.text) else None
                    for answer, judged in zip(answers, view.answers, strict=True)
                ]
                for answers, view in zip(views.given, self._views[-1], strict=True)
            ]
            self._forms.append(forms)
            wrong.update(
                ((place, form), None) for place, texts in enumerate(forms) for form in texts if form is not None
            )
        self.wrong = list(wrong)
        """Every distinct answer judged incorrect: its question's place, and its normalised text."""
        if not self.wrong:
            raise InputError("no answer of these runs is judged incorrect, so none can turn right")
        self._known: dict[tuple[int, int, frozenset[str], int], dict[str, Any]] = {}
        """A cache: the values of a run depend on its new answers to the question, and on how many there are in all."""

    def table(self, drawn: Sequence[int]) -> Scores:
        """Return the table with the answers of these numbers judged right."""
        by_place: dict[int, set[str]] = {}
        for number in drawn:
            place, form = self.wrong[number]
            by_place.setdefault(place, set()).add(form)
        runs: list[Any] = []
        for run, scored in enumerate(self._runs):
            columns = {name: list(scored.columns[name]) for name in self._functions}
            for place, forms in by_place.items():
                if scored.missing[place]:
                    continue
                for name, value in self._values(run, place, forms).items():
                    columns[name][place] = value
            runs.append(scored.but(columns={**scored.columns, **{name: tuple(of) for name, of in columns.items()}}))
        return self._table.with_runs(runs)

    def _values(self, run: int, place: int, forms: set[str]) -> Mapping[str, Any]:
        turned = frozenset(form for form in self._forms[run][place] if form in forms)
        key = (run, place, turned, len(forms))
        if key not in self._known:
            view = self._turned(run, place, turned, len(forms))
            self._known[key] = {name: function(view) for name, function in self._functions.items()}
        return self._known[key]

    def _turned(self, run: int, place: int, turned: frozenset[str], count: int) -> AnswerListView:
        """Return the view of a question with `count` new right answers, of which the run gave those in `turned`."""
        view = self._views[run][place]
        answers = [
            JudgedAnswer(CORRECT, f"new {form}")
            if form in turned
            else JudgedAnswer(INCORRECT, nil=True)
            if judged.nil
            else judged
            for form, judged in zip(self._forms[run][place], view.answers, strict=True)
        ]
        others = [f"new answer of another run {number}" for number in range(count - len(turned))]
        new = dict.fromkeys([*(f"new {form}" for form in turned), *others], 1)
        classes = {
            side: {**{cls: grade for cls, grade in known.items() if cls != NIL}, **new}
            for side, known in view.classes.items()
        }
        return view._replace(answers=answers, classes=classes, nil=False)


class _Tracker:
    """Accumulates the changes of one measure over trials."""

    def __init__(self, upwards: Mapping[str, float | None], means: Mapping[str, float | None]) -> None:
        self._runs = [run for run, value in upwards.items() if value is not None]
        self._before = [float(upwards[run] or 0.0) for run in self._runs]
        self._means = means
        self._pairs = [(i, j) for i, j in combinations(range(len(self._runs)), 2) if self._before[i] != self._before[j]]
        self._changes: list[float] = []
        self._by_run: dict[str, list[float]] = {run: [] for run in self._runs}
        self._taus: list[float] = []
        self._reversed: list[float] = []
        self._kept = 0

    def add(self, upwards: Mapping[str, float | None], means: Mapping[str, float | None]) -> None:
        """Count one trial."""
        after = [float(upwards[run] or 0.0) for run in self._runs]
        for run in self._runs:
            self._by_run[run].append(float(means[run] or 0.0) - float(self._means[run] or 0.0))
        self._changes.append(fmean(changes[-1] for changes in self._by_run.values()))
        tau = kendall_tau_b(self._before, after) if len(after) > 1 else None
        if tau is not None:
            self._taus.append(tau)
        if self._pairs:
            turned = sum((self._before[i] - self._before[j]) * (after[i] - after[j]) < 0 for i, j in self._pairs)
            self._reversed.append(turned / len(self._pairs))
        best = {i for i, value in enumerate(self._before) if value == max(self._before)}
        self._kept += any(after[i] == max(after) for i in best)

    def shift(self) -> Shift:
        """Return the means over all trials."""
        return Shift(
            change=_mean(self._changes), runs={run: fmean(changes) for run, changes in self._by_run.items()},
            tau_b=_mean(self._taus) if self._taus else None, lowest_tau_b=min(self._taus, default=None),
            reversed=_mean(self._reversed) if self._reversed else None, best_stays=self._kept / len(self._changes),
        )  # fmt: skip


def _mean(values: Sequence[float]) -> TrialMean:
    error = stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return TrialMean(value=fmean(values), error=error)
