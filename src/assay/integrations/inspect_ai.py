"""Inspect: c@1 and its family as metrics of a task, and the models of an evaluation compared.

    from assay.integrations.inspect_ai import c_at_1, compare, coverage

    @scorer(metrics=[accuracy(), c_at_1(), coverage()])     # or by name: inspect score LOG --metric assay/c_at_1
    def judge(): ...

    print(compare(eval(task, model=["openai/…", "anthropic/…"])))

Inspect imports this module through the entry point of the group `inspect_ai`, so it imports little. If `ASSAY_COMPARE` is set, it
also imports the hook that prints a comparison after every evaluation (see `inspect_hooks.py`).
"""

# Inspect is not installed where types are checked.
# pyright: reportUnknownParameterType=false

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from assay.errors import UsageError
from assay.integrations.inspect_scores import compute_measure
from assay.integrations.tallies import MEASURES

if TYPE_CHECKING:
    from assay.analyses.comparison.result import Comparison
    from assay.parameters import LogComparisonChoices

VARIABLE = "ASSAY_COMPARE"
"""1, or options of `assay compare`, for a comparison after every evaluation; 0 for none."""
TOO_OLD = (
    "assay's metrics need every sample as it was scored, which Inspect provides since 0.3.241, and this version is older. "
    "Fix: upgrade inspect_ai, or leave the metric out and run `assay evaluate LOG` afterwards"
)


def _register(factory: Callable[..., Metric]) -> Callable[..., Metric]:
    """Register a metric as assay/NAME that gets one score per sample and epoch."""
    name = factory.__name__
    try:
        registered = metric(name, scores="unreduced")(factory)
    except TypeError:
        return metric(name)(_refuse)
    from inspect_ai.util import registry_info

    if registry_info(registered).name == name:
        # Inspect names a metric after its package, but does not know that an editable assay-eval is the package assay.
        registered = metric(f"assay/{name}", scores="unreduced")(factory)
    return registered


def _refuse(*_: Any, **__: Any) -> Metric:
    raise UsageError(TOO_OLD)


def _make_metric(name: str, right_from: float | None) -> Metric:
    # Inspect passes what this annotation says.
    def value(scores: list[SampleScore]) -> Value:
        return compute_measure(MEASURES[name], scores, right_from)

    return value


@_register
def c_at_1(right_from: float | None = None) -> Metric:
    """c@1: accuracy with unanswered questions credited at the accuracy over all questions.

    right_from   the score from which an answer with partial credit (P, a number between 0 and 1) is correct
    """
    return _make_metric("c_at_1", right_from)


@_register
def coverage(right_from: float | None = None) -> Metric:
    """Return the share of questions that are answered; right_from as in `c_at_1`."""
    return _make_metric("coverage", right_from)


@_register
def precision_answered(right_from: float | None = None) -> Metric:
    """Return the share of answers that are right, NaN if there are none; right_from as in `c_at_1`."""
    return _make_metric("precision_answered", right_from)


@_register
def uf(right_from: float | None = None) -> Metric:
    """UF: +1 for a right answer, -1 for a wrong one, 0 for none, averaged. right_from as in `c_at_1`."""
    return _make_metric("uf", right_from)


def compare(logs: Any, measure: str | None = None, **choices: Unpack[LogComparisonChoices]) -> Comparison:
    """Compare the models of an evaluation, paired by question, as `assay compare` does with their logs.

    logs      what `eval` returns; or paths, a log or a folder of logs
    measure   default c@1
    choices   those of `assay.compare`: baseline, margin, scorer, right_from …
    """
    from assay.analyses.comparison.compare import compare

    paths: list[Any] = [logs] if isinstance(logs, str | PathLike) or hasattr(logs, "location") else list(logs)
    places = [get_path(log) for log in paths]
    if not places:
        raise UsageError("no logs given; expected what `eval` returns, or paths")
    return compare(places[0], measure, runs=places[1:] or None, **choices)


def get_path(log: Any) -> str:
    """Return the path of a log on this machine."""
    path = str(getattr(log, "location", log)).removeprefix("file://")
    if "://" in path:
        raise UsageError(f"{path}: is not on this machine. Fix: copy the log here and give its path")
    if not path:
        raise UsageError("a log has no location, so it was never written; expected what `eval` returns, or paths")
    return path


if os.environ.get(VARIABLE, "0") not in ("", "0"):
    try:
        import_module("assay.integrations.inspect_hooks")
    except ImportError:
        print(
            f"assay: {VARIABLE}: this version of Inspect has no hooks. Fix: upgrade inspect_ai, or run `assay compare LOGS`",
            file=sys.stderr,
        )
