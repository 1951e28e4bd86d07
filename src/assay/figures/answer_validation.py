"""Answer validation (CLEF's AVE): which of its candidate answers does a system accept?

A candidate that a run answers with is accepted; one that it withholds (`candidate`) is rejected. Questions without a candidate
are ignored. The ROC curve accepts candidates from the most confident down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.measures.answer_validation import estimated_performance, validation_f
from assay.scoring.evaluate import extended
from assay.table.scores import Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.table.run_scores import RunScores

COLUMNS = ("correct", "incorrect", "unanswered", "candidate_right", "candidate_wrong")
"""The counts that the decisions of a run are made from."""
ACCEPT_ALL, ACCEPT_HALF = "accept all", "accept half"
"""The baselines of AVE: every candidate, and every other one at random, in expectation."""


@dataclass(frozen=True, slots=True)
class CandidateDecisions:
    """The decisions of a run, or of a baseline on a run's candidates; undefined rates are None."""

    name: str
    """A run, or a baseline."""
    run: str | None
    """The run whose candidates these are; None where all runs have as many questions and candidates, right and wrong."""
    questions: int
    candidates: int
    right: int
    accepted: float
    accepted_right: float
    precision: float | None
    recall: float | None
    F: float | None
    false_positive_rate: float | None
    """Of the wrong candidates, the share that was accepted; recall is the true positive rate."""
    estimated_performance: float | None

    @property
    def rates(self) -> tuple[float | None, ...]:
        """The rates in the order of a table."""
        return self.precision, self.recall, self.F, self.false_positive_rate, self.estimated_performance


@dataclass(frozen=True, slots=True)
class RocPoint:
    """The shares of wrong and right candidates at or above this confidence."""

    confidence: float
    false_positive_rate: float
    recall: float


@dataclass(frozen=True, slots=True)
class Validation:
    """The decisions of every run that reports candidates, the baselines, and ROC curves."""

    runs: tuple[CandidateDecisions, ...]
    baselines: tuple[CandidateDecisions, ...]
    """Accept all and accept half: once where all runs have as many candidates, right and wrong; else of every run."""
    curves: dict[str, tuple[RocPoint, ...]] = field(default_factory=dict[str, "tuple[RocPoint, ...]"])
    """By run; only of runs that state a confidence for every candidate."""

    def of(self, run: str) -> Validation | None:
        """Return the part on one run and its baselines; None where the run reports no candidates."""
        runs = tuple(decisions for decisions in self.runs if decisions.name == run)
        baselines = tuple(decisions for decisions in self.baselines if decisions.run in (None, run))
        return Validation(runs, baselines, {run: self.curves[run]} if run in self.curves else {}) if runs else None


def validation(scores: Scores) -> Validation | None:
    """Return the decisions on candidates; None where no run withholds one.

    >>> import assay
    >>> table = b"run,id,outcome,candidate\\na,q1,correct,\\na,q2,incorrect,\\na,q3,unanswered,correct\\na,q4,unanswered,incorrect\\n"
    >>> result = validation(assay.evaluate(None, table, ["validation_F"]))
    >>> [(row.name, row.precision, row.recall, round(row.F, 4)) for row in (*result.runs, *result.baselines)]
    [('a', 0.5, 0.5, 0.5), ('accept all', 0.5, 1.0, 0.6667), ('accept half', 0.5, 0.5, 0.5)]
    """
    # A table that was read from a file has what was saved, and nothing to compute more from.
    if all(scores.run(run).views is not None for run in scores.runs):
        scores = extended(scores, (), (*COLUMNS, "confidence"))
    counts = {run: run_counts for run in scores.runs if (run_counts := _counts(scores, run)) is not None}
    if not any(rejected_right or rejected_wrong for _, _, _, rejected_right, rejected_wrong in counts.values()):
        return None
    runs = tuple(_decisions(run, run, *run_counts) for run, run_counts in counts.items())
    kinds = {(decisions.questions, decisions.candidates, decisions.right) for decisions in runs}
    baselines = tuple(
        baseline
        for decisions in (runs[:1] if len(kinds) == 1 else runs)
        for baseline in _baselines(decisions, None if len(kinds) == 1 else decisions.name)
    )
    curves = {run: curve for run in counts if (curve := _curve(scores, run)) is not None}
    return Validation(runs, baselines, curves)


def table(validation: Validation) -> tuple[list[str], list[list[str | float | None]]]:
    """Return header and rows: the runs, then the baselines, below their run where they differ."""
    header = ["run", "candidates", "right", "accepted", "precision", "recall", "F", "FPR", "estimated_performance"]
    rows: list[list[str | float | None]] = []
    for decisions in ordered(validation):
        accepted = int(decisions.accepted) if decisions.accepted == int(decisions.accepted) else decisions.accepted
        rows.append([label(decisions), decisions.candidates, decisions.right, accepted, *decisions.rates])
    return header, rows


def ordered(validation: Validation) -> list[CandidateDecisions]:
    """Return runs and baselines in the order of a table."""
    shared = [decisions for decisions in validation.baselines if decisions.run is None]
    each = [
        [run, *(decisions for decisions in validation.baselines if decisions.run == run.name)]
        for run in validation.runs
    ]
    return [*(decisions for part in each for decisions in part), *shared]


def label(decisions: CandidateDecisions) -> str:
    """Return the name of a row; a baseline names its run if runs differ in their candidates."""
    return decisions.name if decisions.run in (None, decisions.name) else f"{decisions.name} ({decisions.run})"


def _counts(scores: Scores, run: str) -> tuple[int, int, int, int, int] | None:
    """Return the questions, and the right and wrong candidates accepted and rejected.

    None where the run reports no candidates.
    """
    run_scores, places = scores.run(run), scores.entering(run)
    if any(name not in run_scores.columns for name in COLUMNS):
        return None
    right, wrong, unanswered, rejected_right, rejected_wrong = (
        sum(int(run_scores.columns[name][i] or 0) for i in places) for name in COLUMNS
    )
    if unanswered and not rejected_right + rejected_wrong:
        return None
    return scores.count_samples(run), right, wrong, rejected_right, rejected_wrong


def _decisions(
    name: str, run: str | None, questions: int, right: float, wrong: float, rejected_right: float, rejected_wrong: float
) -> CandidateDecisions:
    rejected = rejected_right + rejected_wrong
    top, bottom = validation_f(questions, right, wrong, rejected, rejected_right, rejected_wrong)  # type: ignore[arg-type]
    worth, total = estimated_performance(questions, right, rejected, rejected_right, rejected_wrong)  # type: ignore[arg-type]
    return CandidateDecisions(
        name, run, questions, round(right + wrong + rejected), round(right + rejected_right), right + wrong, right,
        _share(right, right + wrong), _share(right, right + rejected_right), _share(top, bottom),
        _share(wrong, wrong + rejected_wrong), _share(worth, total),
    )  # fmt: skip


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _baselines(of: CandidateDecisions, run: str | None) -> tuple[CandidateDecisions, CandidateDecisions]:
    right, wrong = of.right, of.candidates - of.right
    return (
        _decisions(ACCEPT_ALL, run, of.questions, right, wrong, 0, 0),
        _decisions(ACCEPT_HALF, run, of.questions, right / 2, wrong / 2, right / 2, wrong / 2),
    )


def _curve(scores: Scores, run: str) -> tuple[RocPoint, ...] | None:
    """Return a ROC point per distinct confidence, descending.

    None if a candidate has no confidence, or if all candidates are right or all are wrong.
    """
    run_scores = scores.run(run)
    if "confidence" not in run_scores.columns or run_scores.samples is not None:
        return None
    candidates = _candidates(run_scores, scores.entering(run))
    positives = sum(right for _, right in candidates)
    negatives = len(candidates) - positives
    if any(confidence is None for confidence, _ in candidates) or not positives or not negatives:
        return None
    points: list[RocPoint] = []
    accepted_right = accepted_wrong = 0
    ranked = sorted(((confidence or 0.0, right) for confidence, right in candidates), reverse=True)
    for place, (confidence, right) in enumerate(ranked):
        accepted_right += right
        accepted_wrong += not right
        if place + 1 == len(ranked) or ranked[place + 1][0] != confidence:
            points.append(RocPoint(confidence, accepted_wrong / negatives, accepted_right / positives))
    return tuple(points)


def _candidates(run_scores: RunScores, places: Sequence[int]) -> list[tuple[float | None, bool]]:
    """Return the confidence of every candidate, and whether it is right."""
    right, wrong, _, rejected_right, rejected_wrong = (run_scores.columns[name] for name in COLUMNS)
    stated = run_scores.columns["confidence"]
    return [
        (stated[i], bool(right[i] or rejected_right[i]))
        for i in places
        if right[i] or wrong[i] or rejected_right[i] or rejected_wrong[i]
    ]
