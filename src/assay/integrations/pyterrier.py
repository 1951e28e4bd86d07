"""PyTerrier: run experiments on assay, with its tests and corrections by name.

    import pyterrier as pt
    from assay.integrations import pyterrier as under

    under.install()
    pt.Experiment(runs, topics, qrels, [AP, nDCG @ 10], names=names, baseline=0, test="randomisation", correction="maxt")

PyTerrier tests one run at a time and passes the p-values to statsmodels, without topics; max-T and Tukey's HSD need the topics of all
runs at once. `install` replaces `Experiment` by a function that records the values as PyTerrier tests them, and corrects at the end.
Names that are not assay's are passed on to PyTerrier.
"""

from __future__ import annotations

from functools import wraps
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any, Unpack

from assay.analyses.comparison import paired_tests
from assay.errors import UsageError
from assay.stats import multiple_comparisons

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.analyses.comparison.result import Comparison
    from assay.parameters import ComparisonChoices, PairedTestChoices

__all__ = ["compare", "install", "uninstall"]

THEIRS = ("t", "wilcoxon", "holm")
"""Names that PyTerrier and statsmodels have too, and keep there."""
P = " p-value"

_replaced: list[Any] = []
"""PyTerrier's `Experiment`, while it is replaced."""


def install(**choices: Unpack[PairedTestChoices]) -> None:
    """Make `pt.Experiment` use assay for measures, `test=` and `correction=`.

    choices   arguments of `assay.compare`, as `resamples` or `seed`, for every test
    """
    from assay.integrations import ir_measures

    uninstall()
    ir_measures.install()
    pyterrier: Any = import_module("pyterrier")
    _replaced.append(pyterrier.Experiment)
    pyterrier.Experiment = experiment(pyterrier.Experiment, **choices)


def uninstall() -> None:
    """Undo `install`."""
    from assay.integrations import ir_measures

    ir_measures.uninstall()
    if _replaced:
        pyterrier: Any = import_module("pyterrier")
        pyterrier.Experiment = _replaced.pop()


def compare(frame: Any, measure: str | None = None, **choices: Unpack[ComparisonChoices]) -> Comparison:
    """Compare all runs of an experiment at once, with intervals, tiers and sentences.

    frame     what `pt.Experiment(…, perquery=True)` returns
    measure   a measure of that frame; may be left out if there is one
    choices   arguments of `assay.compare`: baseline, test, correct, margin …
    """
    from assay.analyses.comparison.compare import compare as compare_scores
    from assay.scoring.score_files import scores

    measures = list(dict.fromkeys(map(str, frame["measure"])))
    if measure is None and len(measures) != 1:
        raise UsageError(f"the experiment has {len(measures)} measures; name one of {', '.join(measures)}")
    name = measures[0] if measure is None else measure
    if name not in measures:
        raise UsageError(f"the experiment has no measure {name!r}; measures are {', '.join(measures)}")
    rows = frame[frame["measure"].map(str) == name]
    if rows.duplicated(["name", "qid"]).any():
        raise UsageError("two systems of the experiment have the same name. Fix: name them with `names=`")
    wide = rows.pivot(index="qid", columns="name", values="value")
    table = scores(wide.to_numpy(), runs=list(wide.columns), topics=list(wide.index), measure=name)
    return compare_scores(table, name, **choices)


def experiment(original: Callable[..., Any], **choices: Unpack[PairedTestChoices]) -> Callable[..., Any]:
    """Wrap an `Experiment` so that it takes assay's tests and corrections."""

    @wraps(original)
    def Experiment(*args: Any, **named: Any) -> Any:
        call = signature(original).bind(*args, **named)
        test, correction = call.arguments.get("test"), call.arguments.get("correction")
        corrected = _is_ours(correction, multiple_comparisons.declared()) and call.arguments.get("baseline") is not None
        if not corrected and not _is_ours(test, paired_tests.declared()):
            return original(*args, **named)
        if test is not None and not isinstance(test, str):
            raise UsageError(
                f"`correction={correction!r}` needs a test of assay: name one of {', '.join(paired_tests.declared())}"
            )
        recorder = RecordedTest(test or "randomisation", choices)
        # Refuse invalid choices now, and not when all systems have run.
        _check_choices(test=test or "randomisation", **({"correct": correction} if corrected else {}), **choices)
        call.arguments["test"] = recorder
        if not corrected:
            return original(*call.args, **call.kwargs)
        if call.arguments.get("highlight") is not None:
            raise UsageError(
                f"`highlight` cannot be combined with `correction={correction!r}`. Fix: leave it out, and style the frame"
            )
        del call.arguments["correction"]
        frame = original(*call.args, **call.kwargs)
        if not call.arguments.get("dataframe", True):
            return frame
        recorder.correct(
            frame, call.arguments["baseline"], str(correction), call.arguments.get("correction_alpha", 0.05)
        )
        return frame

    return Experiment


def _is_ours(name: Any, declared: Any) -> bool:
    return isinstance(name, str) and name in declared and name not in THEIRS


def _check_choices(**choices: Any) -> None:
    rows = [[(7 * topic + 3 * run) % 5 for topic in range(12)] for run in range(3)]
    compare_jointly(rows[1:], rows[0], **choices)


class RecordedTest:
    """A test for PyTerrier that records the values of every run and of the baseline."""

    def __init__(self, test: str, choices: PairedTestChoices) -> None:
        self._test, self._choices, self._calls = test, choices, list[tuple[Any, Any]]()

    def __call__(self, values: Sequence[float], baseline: Sequence[float]) -> tuple[float, float]:
        self._calls.append((values, baseline))
        [(p, _, _)] = compare_jointly([values], baseline, test=self._test, **self._choices)
        return 0.0, p

    def correct(self, frame: Any, baseline: int | str, correction: str, alpha: float) -> None:
        """Add two columns to every p-value, as PyTerrier does: is it rejected, and the corrected p."""
        columns = [name for name in frame.columns if name.endswith(P)]
        place = list(frame["name"]).index(baseline) if isinstance(baseline, str) else int(baseline)
        # PyTerrier tests each system by each measure in turn, and does so twice if it saves a table.
        calls = self._calls[: len(columns) * (len(frame) - 1)]
        for number, column in enumerate(columns):
            of_measure = calls[number :: len(columns)]
            if not of_measure:
                continue
            results = compare_jointly(
                [values for values, _ in of_measure], of_measure[0][1], test=self._test, correct=correction,
                confidence=round(1 - alpha, 12), **self._choices,
            )  # fmt: skip
            results.insert(place, (float("nan"), float("nan"), False))
            frame[column] = [p for p, _, _ in results]
            at = frame.columns.get_loc(column)
            frame.insert(at + 1, f"{column.removesuffix(P)} reject", [rejected for _, _, rejected in results])
            frame.insert(at + 2, f"{column} corrected", [corrected for _, corrected, _ in results])


def compare_jointly(
    runs: Sequence[Sequence[float]], baseline: Sequence[float], *, test: str, correct: str | None = None,
    confidence: float = 0.95, **choices: Unpack[PairedTestChoices],
) -> list[tuple[float, float, bool]]:  # fmt: skip
    """Compare each run with the baseline: p, p corrected for all runs, and is it significant? NaN without p.

    runs       each run's values, in the order of the baseline's topics
    baseline   the values of the baseline
    test, correct, confidence   as in `assay.compare`, like the choices

    Six topics have 64 flips, two of which keep all differences of the first run; the second is the baseline itself:

    >>> better, same = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7], [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    >>> compare_jointly([better, same], same, test="randomisation", correct="maxt")
    [(0.03125, 0.03125, True), (1.0, 1.0, False)]
    """
    from assay.analyses.comparison.compare import compare
    from assay.scoring.score_files import scores

    names = [str(number) for number, _ in enumerate(runs)]
    rows = [[float(value) for value in row] for row in zip(baseline, *runs, strict=True)]
    table = scores(rows, runs=["baseline", *names])
    comparison = compare(table, test=test, correct=correct, confidence=confidence, baseline="baseline", **choices)
    pairs = {pair.a: pair for pair in comparison.pairs}
    nan = float("nan")
    return [
        (pair.p.get(test, nan), nan if pair.decided_by is None else pair.decided_by, pair.significant)
        for pair in (pairs[name] for name in names)
    ]
