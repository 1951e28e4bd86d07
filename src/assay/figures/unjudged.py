"""Unjudged documents in rankings: how many there are, and bounds on their effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.errors import UsageError
from assay.measures.measure import Measure
from assay.measures.views.ranked import CONDENSED, Judgments, RankedView
from assay.parameters import public
from assay.scoring.evaluate import extended
from assay.table.results import Listing
from assay.table.run_scores import RunScores
from assay.table.scores import Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

TASK = "ranked"


@public
def with_judged(scores: Scores) -> Scores:
    """Return the table with, per measure, the share of judged documents and the unjudged count.

    scores   of ranked retrieval, with the runs they were made from
    """
    _check(scores, "the share of judged documents is")
    cuts = {m.name: m.parameters.get("cut") for m in scores.measures}
    beside = {name: [f"Judged@{cut}", f"Holes@{cut}"] if cut else ["Judged", "Holes"] for name, cut in cuts.items()}
    more = extended(scores, dict.fromkeys(name for names in beside.values() for name in names))
    order = dict.fromkeys(name for m in scores.measures for name in (m.name, *beside[m.name]))
    runs = [more.run(run) for run in more.runs]
    return more.with_runs(runs, [more.measure(name) for name in order])


@public
def bounds(scores: Scores, progress: Callable[[int, int], None] | None = None) -> Listing:
    """Return scores with bounds: unjudged documents all non-relevant, or of the highest grade.

    scores     of ranked retrieval, with the runs they were made from
    progress   called with the number of runs done and of all
    """
    _check(scores, "bounds are")
    if getattr(scores.settings, "judged_only", False):
        raise UsageError(
            "`judged_only=True` drops the unjudged documents that bounds are about; leave it out, and use primed measures such as `AP'`"
        )
    for measure in scores.measures:
        if measure.declaration.name in UNKNOWN:
            problem = f"bounds of {measure}: a relevant document further up may lower it, so the bounds are unknown"
            raise UsageError(f"{problem}; leave it out, or see `ResEU` for what the unjudged could add")
        if measure.level != "topic":
            raise UsageError(f"{measure.name} has no value per topic and therefore no bounds; leave it out")
    grade = highest_grade(scores)
    for measure in scores.measures:
        relevant = measure.parameters.get("rel") or getattr(scores.settings, "level", 1)
        if relevant > grade:
            problem = f"bounds of {measure}: it needs grade {relevant}, and the gold's highest grade is {grade}"
            raise UsageError(f"{problem}; the grade of an unjudged relevant document is unknown")
    cells: list[list[Any]] = []
    printed: list[list[Any]] = []
    data: list[dict[str, Any]] = []
    for number, name in enumerate(scores.runs, 1):
        run = scores.run(name)
        low, high = (scores.with_runs([bound]) for bound in _completed(run, scores.measures, grade))
        cells.append([name])
        printed.append([name])
        for measure in scores.measures:
            value = scores.value(name, measure).value
            ends = [table.value(name, measure).value for table in (low, high)]
            cells[-1] += [value, *ends]
            printed[-1] += [value, " to ".join("n/a" if end is None else f"{end:.4f}" for end in ends)]
            data.append({"run": name, "measure": measure.name, "value": value, "low": ends[0], "high": ends[1]})
        if progress is not None:
            progress(number, len(scores.runs))
    names = [m.name for m in scores.measures]
    return Listing(
        ["run", *(title for name in names for title in (name, f"{name}_low", f"{name}_high"))],
        cells,
        {"grade": grade, "rows": data},
        ["run", *(title for name in names for title in (name, "if all were judged"))],
        printed,
    )


def highest_grade(scores: Scores) -> int:
    """Return the gold's highest grade, at least 1: the grade of unjudged documents for bounds."""
    views: Any = scores.run(scores.runs[0]).views
    return max([1, *(judgments.grades[0] for judgments in views.gold.judgments if judgments.grades)])


def _completed(run: RunScores, measures: list[Measure], grade: int) -> tuple[RunScores, RunScores]:
    """Return the run with its lowest and with its highest values."""
    functions = [measure.bound() for measure in measures]
    views: Any = run.views
    extreme_values = [extremes(view, functions, grade) for view in views]
    ends: list[RunScores] = []
    for end in (0, 1):
        columns = {m.name: tuple(topic[i][end] for topic in extreme_values) for i, m in enumerate(measures)}
        ends.append(run.but(columns={**run.columns, **columns}))
    return ends[0], ends[1]


def _check(scores: Scores, what: str) -> None:
    if scores.task.name != TASK:
        raise UsageError(
            f"{what} of ranked retrieval, whose pools leave documents unjudged; this is {scores.task.name}"
        )
    for name in scores.runs:
        if scores.run(name).views is None:
            raise UsageError(f"{name}: the table has scores but no rankings; evaluate with `keep=True`")


UNKNOWN = frozenset(
    (
        *("P-measure", "P-plus", "NCUguP", "NCUguBR", "INST", "BPM", "BPMD", "NERR8", "NERR9", "NERR10", "NERR11"),
        *(
            "IFT-C1",
            "IFT-C2",
            "IFT-C1-C2",
            "EU",
            "ETU",
            "EC",
            "ETC",
            "ED",
            "ResEU",
            "EUMax",
            "PairAccuracy",
            "uRBP",
            "uRBPgr",
        ),
    )
)
"""Measures whose bounds may be elsewhere: their readers stop sooner after a gain, a relevant document that enters at a cutoff loses
pairs, or an unjudged document would have a second judgment."""


def extremes(
    view: RankedView, functions: Sequence[Callable[[RankedView], float | None]], grade: int
) -> list[tuple[float | None, float | None]]:
    """Return each measure's lowest and highest value over the completions; None where undefined.

    view        a topic of a run
    functions   measures of a ranking
    grade       the grade of documents taken to be relevant

    >>> from assay.measures.ranked import average_precision, precision
    >>> ranking = RankedView.of([1, None, 0, None])
    >>> extremes(ranking, [lambda view: precision(view, cut=2), average_precision], 1)
    [(0.5, 1.0), (0.75, 1.0)]
    """
    rows = [[function(completed) for function in functions] for completed in completions(view, grade)]
    return [_ends(values) for values in zip(*rows, strict=True)]


def _ends(values: Sequence[float | None]) -> tuple[float | None, float | None]:
    known = [value for value in values if value is not None]
    return None if len(known) < len(values) else min(known), max(known, default=None)


def completions(view: RankedView, grade: int) -> Iterator[RankedView]:
    """Yield the rankings among which are the lowest and the highest value of every measure.

    >>> [ranking.relevant() for ranking in completions(RankedView.of([None, 1, None]), 1)]
    [[2], [1, 2], [2, 3], [1, 2, 3]]
    """
    judged = dict(view.judged())
    unjudged = [rank for rank in range(1, view.num_ret + 1) if rank not in judged]
    positive = {rank: value for rank, value in judged.items() if value > 0}
    # Highest first, as in a view. Documents that were pooled but not judged count as judged where the run has them.
    known = [value for value in view.judgments.grades if value >= 0]
    elsewhere = [value for value in view.judgments.grades if value < 0][sum(value < 0 for _, value in view.pooled()) :]

    def with_relevant(ranks: list[int]) -> RankedView:
        others = [0] * (len(unjudged) - len(ranks))
        judgments = Judgments([grade] * len(ranks) + known + others + elsewhere)
        return _completed_view(view, judged, unjudged, positive, ranks, grade, judgments)

    yield with_relevant([])
    for many in range(1, len(unjudged) + 1):
        yield with_relevant(unjudged[:many])
        if many < len(unjudged):
            yield with_relevant(unjudged[-many:])


def _completed_view(
    view: RankedView, judged: dict[int, int], unjudged: list[int], positive: dict[int, int], relevant: list[int], grade: int,
    judgments: Judgments,
) -> RankedView:  # fmt: skip
    """Return the view with every document judged, those at some ranks relevant."""
    ranks = sorted([*positive, *relevant])
    grades = [positive.get(rank, grade) for rank in ranks]
    above = [rank - number for number, rank in enumerate(ranks, 1)]  # all others are judged non-relevant

    def pooled() -> list[tuple[int, int]]:
        return sorted((dict.fromkeys(unjudged, 0) | dict.fromkeys(relevant, grade) | judged).items())

    completed = RankedView(judgments, view.num_ret, (ranks, grades, above), pooled, view.level)
    completed.memo[CONDENSED] = completed
    return completed
