"""PyTerrier: experiments that run on assay, and take its tests and corrections by name.

    import pyterrier as pt
    from assay.integrations import pyterrier as under

    under.install()
    pt.Experiment(runs, topics, qrels, [AP, nDCG @ 10], names=names, baseline=0, test="randomisation", correction="maxt")

PyTerrier tests one run at a time and hands the p-values to statsmodels, which never sees a topic: max-T and Tukey's HSD, which shuffle
the topics of all runs at once, cannot be had that way. What `install` puts in its place looks at the values as PyTerrier tests them,
and corrects once it has seen all of them. Names that are not assay's go to PyTerrier as they came.
"""

from __future__ import annotations

from functools import wraps
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

from assay.analyses.comparison import paired_tests
from assay.errors import UsageError
from assay.stats import multiple_comparisons

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.analyses.comparison.result import Comparison

__all__ = ["compare", "install", "uninstall"]

THEIRS = ("t", "wilcoxon", "holm")
"""Names that are PyTerrier's and statsmodels' too, and mean there what they always meant."""
P = " p-value"

_replaced: list[Any] = []
"""PyTerrier's own `Experiment`, while another is in its place."""


def install(**choices: Any) -> None:
    """Put assay under `pt.Experiment`: as a provider of measures, and for `test=` and `correction=`.

    choices   others of `assay.compare`, as `resamples` or `seed`, for all that is tested
    """
    from assay.integrations import ir_measures

    uninstall()
    ir_measures.install()
    pyterrier: Any = import_module("pyterrier")
    _replaced.append(pyterrier.Experiment)
    pyterrier.Experiment = experiment(pyterrier.Experiment, **choices)


def uninstall() -> None:
    """Take back what `install` did."""
    from assay.integrations import ir_measures

    ir_measures.uninstall()
    if _replaced:
        pyterrier: Any = import_module("pyterrier")
        pyterrier.Experiment = _replaced.pop()


def compare(found: Any, measure: str | None = None, **choices: Any) -> Comparison:
    """All runs of an experiment compared at once, with intervals, tiers, and sentences.

    found     what `pt.Experiment(…, perquery=True)` returns
    measure   its name in that frame; may be left out where there is one
    choices   others of `assay.compare`: baseline, test, correct, margin …
    """
    from assay.analyses.comparison import compare as comparing
    from assay.scoring.score_files import scores

    there = list(dict.fromkeys(map(str, found["measure"])))
    if measure is None and len(there) != 1:
        raise UsageError(f"the experiment has {len(there)} measures; name one of {', '.join(there)}")
    wanted = there[0] if measure is None else measure
    if wanted not in there:
        raise UsageError(f"the experiment has no measure {wanted!r}; it has {', '.join(there)}")
    rows = found[found["measure"].map(str) == wanted]
    if rows.duplicated(["name", "qid"]).any():
        raise UsageError("two systems of the experiment have one name; tell them apart with `names=`")
    wide = rows.pivot(index="qid", columns="name", values="value")
    table = scores(wide.to_numpy(), runs=list(wide.columns), topics=list(wide.index), measure=wanted)
    return comparing.compare(table, wanted, **choices)


def experiment(original: Callable[..., Any], **choices: Any) -> Callable[..., Any]:
    """An `Experiment` that knows assay's tests and corrections, around the one that knows the rest."""

    @wraps(original)
    def Experiment(*args: Any, **named: Any) -> Any:
        call = signature(original).bind(*args, **named)
        test, correction = call.arguments.get("test"), call.arguments.get("correction")
        corrected = _is_ours(correction, multiple_comparisons.declared()) and call.arguments.get("baseline") is not None
        if not corrected and not _is_ours(test, paired_tests.declared()):
            return original(*args, **named)
        if test is not None and not isinstance(test, str):
            raise UsageError(
                f"`correction={correction!r}` is of assay's own tests: name one of {', '.join(paired_tests.declared())}"
            )
        seen = RecordedTest(test or "randomisation", choices)
        # What does not go together is said now, and not when all systems have run.
        _rehearse(test=test or "randomisation", **({"correct": correction} if corrected else {}), **choices)
        call.arguments["test"] = seen
        if not corrected:
            return original(*call.args, **call.kwargs)
        if call.arguments.get("highlight") is not None:
            raise UsageError(
                f"`highlight` cannot be had with `correction={correction!r}`; leave it out, and style the frame"
            )
        del call.arguments["correction"]
        found = original(*call.args, **call.kwargs)
        if not call.arguments.get("dataframe", True):
            return found
        seen.correct(found, call.arguments["baseline"], str(correction), call.arguments.get("correction_alpha", 0.05))
        return found

    return Experiment


def _is_ours(name: Any, declared: Any) -> bool:
    return isinstance(name, str) and name in declared and name not in THEIRS


def _rehearse(**choices: Any) -> None:
    made = [[(7 * topic + 3 * run) % 5 for topic in range(12)] for run in range(3)]
    jointly(made[1:], made[0], **choices)


class RecordedTest:
    """A test as PyTerrier takes one, which keeps what it was asked: every run's values, and the baseline's, on every topic."""

    def __init__(self, test: str, choices: dict[str, Any]) -> None:
        self._test, self._choices, self._asked = test, choices, list[tuple[Any, Any]]()

    def __call__(self, values: Sequence[float], baseline: Sequence[float]) -> tuple[float, float]:
        self._asked.append((values, baseline))
        [(p, _, _)] = jointly([values], baseline, test=self._test, **self._choices)
        return 0.0, p

    def correct(self, frame: Any, baseline: int | str, correction: str, alpha: float) -> None:
        """Two columns beside every p-value, as PyTerrier adds them: whether it is rejected, and p corrected."""
        columns = [name for name in frame.columns if name.endswith(P)]
        place = list(frame["name"]).index(baseline) if isinstance(baseline, str) else int(baseline)
        # PyTerrier goes through the systems, and through the measures of each; where it saves a table it does so twice.
        asked = self._asked[: len(columns) * (len(frame) - 1)]
        for number, column in enumerate(columns):
            of_measure = asked[number :: len(columns)]
            if not of_measure:
                continue
            told = jointly(
                [values for values, _ in of_measure], of_measure[0][1], test=self._test, correct=correction,
                confidence=round(1 - alpha, 12), **self._choices,
            )  # fmt: skip
            told.insert(place, (float("nan"), float("nan"), False))
            frame[column] = [p for p, _, _ in told]
            at = frame.columns.get_loc(column)
            frame.insert(at + 1, f"{column.removesuffix(P)} reject", [rejected for _, _, rejected in told])
            frame.insert(at + 2, f"{column} corrected", [corrected for _, corrected, _ in told])


def jointly(
    runs: Sequence[Sequence[float]], baseline: Sequence[float], *, test: str, **choices: Any
) -> list[tuple[float, float, bool]]:
    """Of each run against the baseline: p, p corrected for all of them, and whether they differ. NaN where nobody can say.

    runs       each run's values, in the order of the baseline's topics
    baseline   what it is compared with
    test       as in `assay.compare`, and so are the choices

    Six topics have 64 flips, two of which keep all differences of the first run; the second is the baseline itself:

    >>> better, same = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7], [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    >>> jointly([better, same], same, test="randomisation", correct="maxt")
    [(0.03125, 0.03125, True), (1.0, 1.0, False)]
    """
    from assay.analyses.comparison.compare import compare
    from assay.scoring.score_files import scores

    names = [str(number) for number, _ in enumerate(runs)]
    rows = [[float(value) for value in row] for row in zip(baseline, *runs, strict=True)]
    found = compare(scores(rows, runs=["baseline", *names]), test=test, baseline="baseline", **choices)
    pairs = {pair.a: pair for pair in found.pairs}
    nobody = float("nan")
    return [
        (pair.p.get(test, nobody), nobody if pair.decided_by is None else pair.decided_by, pair.significant)
        for pair in (pairs[name] for name in names)
    ]
