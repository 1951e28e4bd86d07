"""lm-evaluation-harness: c@1 and its family as metrics and aggregations of a task file.

    # utils.py, beside the task file: importing this module registers them by name
    from assay.integrations.lm_eval import c_at_1

    # task.yaml
    metric_list:
      - metric: c_at_1
        aggregation: !function utils.c_at_1
        higher_is_better: true
        refusal: "I don'?t know"

Prefer `assay evaluate samples_*.jsonl` afterwards: it has intervals, and the harness has standard errors for its own
aggregations only.
"""

# The harness is not installed where types are checked.
# pyright: reportUntypedFunctionDecorator=false

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lm_eval.api.metrics import exact_match_fn
from lm_eval.api.registry import register_aggregation, register_metric

from assay.errors import UsageError
from assay.integrations.tallies import MEASURES, value_of
from assay.measures.registry import find

NAME = "the items"


@register_aggregation("c_at_1")
def c_at_1(items: Sequence[Any], right_from: float | None = None) -> float:
    """c@1 of outcomes: C, I and N, or other words that `assay evaluate` accepts.

    right_from   the score from which an answer with partial credit is correct
    """
    return _compute("c_at_1", items, right_from)


@register_aggregation("coverage")
def coverage(items: Sequence[Any], right_from: float | None = None) -> float:
    """Return the share of questions that are answered; arguments as in `c_at_1`."""
    return _compute("coverage", items, right_from)


@register_aggregation("precision_answered")
def precision_answered(items: Sequence[Any], right_from: float | None = None) -> float:
    """Return the share of answers that are right, NaN if there are none; arguments as in `c_at_1`."""
    return _compute("precision_answered", items, right_from)


@register_aggregation("uf")
def uf(items: Sequence[Any], right_from: float | None = None) -> float:
    """UF: +1 for a right answer, -1 for a wrong one, 0 for none, averaged; arguments as in `c_at_1`."""
    return _compute("uf", items, right_from)


class Outcome(str):
    """The outcome of a question: C, I or N."""

    __slots__ = ()

    def __bool__(self) -> bool:
        # The harness takes `any` over several targets, for which I and N would both be true.
        raise UsageError(
            "a question of this task has several targets, which the harness joins as right or wrong, so that no answer is "
            "lost. Fix: give the task a process_results that returns C, I or N"
        )


def outcome(
    references: Sequence[str],
    predictions: Sequence[str],
    refusal: str | Sequence[str] | None = None,
    **exact_match: Any,
) -> Outcome:
    """Return the outcome of a question: right by `exact_match`, no answer by a pattern, or wrong.

    refusal       regular expressions that match no answer, anywhere in it, ignoring case
    exact_match   options of the harness's own metric, as `ignore_case`
    """
    if refusal is None:
        raise UsageError(
            "refusal is missing, without which c@1 is accuracy. Fix: add it to the metric_list of the task, as in "
            'refusal: "I don\'?t know"'
        )
    if exact_match_fn(references=references, predictions=predictions, **exact_match)["exact_match"] == 1:
        return Outcome("C")
    patterns = [refusal] if isinstance(refusal, str) else refusal
    declined = any(re.search(pattern, predictions[0], re.IGNORECASE) for pattern in patterns)
    return Outcome("N" if declined else "I")


for _name, _measure in MEASURES.items():
    _direction = find(_measure, "outcomes").declaration.higher_is_better
    # A measure without a direction is registered without one.
    _known = {} if _direction is None else {"higher_is_better": _direction}
    register_metric(metric=_name, aggregation=_name, **_known)(outcome)


def _compute(name: str, items: Sequence[Any], right_from: float | None) -> float:
    from assay.formats.harness.logs import LogReading
    from assay.io.sources import Source

    log = LogReading().log(Source(NAME, data=b""), "lm-evaluation-harness")
    for number, item in enumerate(items, 1):
        log.add(str(number), run=NAME, value=item)
    return value_of(MEASURES[name], log, right_from)
