"""The expected quantities of C/W/L under the user model of any measure: `ETU(INST(T=2))`, `ED(RBP(p=0.8))`, `EC(P@10)`.

The quantities are those of cwl-eval. Each is a measure with the user model as its parameter, and has a direction: more gain is
better, more reading is neither.
"""

from __future__ import annotations

from assay.errors import UsageError
from assay.measures.define import measure
from assay.measures.engines.expectations import DEPTH, Expected, GainScale, expected
from assay.measures.engines.user_models import MODELS, goal_and_found
from assay.measures.measure import Measure
from assay.measures.parameters import gains as table
from assay.measures.parameters import positive
from assay.measures.registry import find
from assay.measures.views.ranked import RankedView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Table = Mapping[int, float] | None

MOFFAT = (
    "A. Moffat, P. Bailey, F. Scholer and P. Thomas, Incorporating User Expectations and Behavior into the Measurement "
    "of Search Effectiveness, ACM TOIS 35(3), 2017; L. Azzopardi, P. Thomas and A. Moffat, cwl_eval, SIGIR 2019"
)
NO_STOP = "where no reader stops within the depth, such as RR's where nothing is found"
ON_SCALE = ("rel", "min_rel", "max_rel")


def user_model(text: str) -> Measure:
    """a measure with a user model, as in INST(T=2), RBP(p=0.8) or P@10"""
    try:
        written = find(text, "ranked")
    except UsageError as problem:
        raise ValueError(str(problem)) from None
    model = MODELS.get(written.declaration.name)
    if model is None:
        raise ValueError(f"{written.declaration.name} has no user model here; expected one of {', '.join(MODELS)}")
    if written.condensed:
        raise ValueError("the list is condensed for the whole measure, as in ETU'(INST), and not for its model")
    known = (*_parameters_of(written), *ON_SCALE)
    for name in written.parameters:
        if name not in known:
            raise ValueError(f"the user model of {written.declaration.name} has no {name}")
    return written


def _parameters_of(model: Measure) -> tuple[str, ...]:
    """Return the parameters of a user model, which follow gains and costs in its function."""
    code = MODELS[model.declaration.name].__code__
    return code.co_varnames[2 : code.co_argcount]


def costs(text: str) -> dict[int, float]:
    """cost per grade, as in 0:5,1:9, the highest named counting for those above; a document without a judgment costs as grade 0"""
    by_grade = table(text)
    if min(by_grade.values()) <= 0:
        raise ValueError("expected costs above 0")
    return by_grade


PARAMETERS: dict[str, Any] = {"model": user_model, "gains": table, "costs": costs, "depth": positive}


def reading(
    view: RankedView, model: Measure | None, gains: Table, costs: Table, depth: int, best: bool = False
) -> Expected:
    """Return the expected quantities of a ranking under a model (default INST with T = 1).

    >>> reading(RankedView.of([0, 1]), user_model("P@2"), None, None, 1000)
    Expected(utility=0.5, total_utility=1.0, cost=1.0, total_cost=2.0, depth=2.0)
    """
    if model is None:
        return expected(view, goal_and_found, {"T": 1.0}, GainScale(gains=gains, costs=costs, depth=depth), best)
    chosen = {**model.declaration.defaults, **model.parameters}
    model_parameters = {name: chosen[name] for name in _parameters_of(model)}
    on_scale = {name: chosen[name] for name in ON_SCALE if name in chosen}
    scale = GainScale(**on_scale, gains=gains, costs=costs, depth=depth)
    return expected(view, MODELS[model.declaration.name], model_parameters, scale, best)


@measure("EU", parameters=PARAMETERS, cite=MOFFAT)
def expected_utility(
    view: RankedView, model: Measure | None = None, gains: Table = None, costs: Table = None, depth: int = DEPTH
) -> float:
    """Expected utility, the gain per document read: Σ W(r)·gain(r), with W(r) the share of all attention that rank r has.

    `EU(INST(T=2))` is INST, `EU(P@10)` is P@10 and `EU(RR)` is RR; `EU(AP)` is AP over the relevant documents retrieved, and
    `EU(RBP)` RBP over the depth. Gains are those of the model's `max_rel`, or `gains=0:0,1:0.5,2:1`, from 0 to 1.

    >>> expected_utility(RankedView.of([0, 1]), user_model("RR")), expected_utility(RankedView.of([0, 1]), user_model("P@4"))
    (0.5, 0.25)
    """
    return reading(view, model, gains, costs, depth).utility


@measure("ETU", parameters=PARAMETERS, high=None, undefined=NO_STOP, cite=MOFFAT)
def expected_total_utility(
    view: RankedView, model: Measure | None = None, gains: Table = None, costs: Table = None, depth: int = DEPTH
) -> float | None:
    """Expected total utility, the gain of the whole reading: Σ L(r)·(gain down to r), with L(r) the share of readers who stop at r.

    >>> expected_total_utility(RankedView.of([1, 0, 1]), user_model("P@3"))
    2.0
    """
    return reading(view, model, gains, costs, depth).total_utility


@measure("EC", parameters=PARAMETERS, higher_is_better=False, high=None, cite=MOFFAT)
def expected_cost(
    view: RankedView, model: Measure | None = None, gains: Table = None, costs: Table = None, depth: int = DEPTH
) -> float:
    """Expected cost per document read: Σ W(r)·cost(r). It is 1 unless costs are given.

    >>> expected_cost(RankedView.of([1, 0]), user_model("P@2"), costs={0: 1, 1: 4})  # (4 + 1)/2
    2.5
    """
    return reading(view, model, gains, costs, depth).cost


@measure("ETC", parameters=PARAMETERS, higher_is_better=None, high=None, undefined=NO_STOP, cite=MOFFAT)
def expected_total_cost(
    view: RankedView, model: Measure | None = None, gains: Table = None, costs: Table = None, depth: int = DEPTH
) -> float | None:
    """Expected total cost, that of the whole reading: Σ L(r)·(cost down to r).

    >>> expected_total_cost(RankedView.of([0, 0, 1]), user_model("RR"))  # three documents read
    3.0
    """
    return reading(view, model, gains, costs, depth).total_cost


@measure("ED", parameters=PARAMETERS, higher_is_better=None, low=1.0, high=None, cite=MOFFAT)
def expected_depth(
    view: RankedView, model: Measure | None = None, gains: Table = None, costs: Table = None, depth: int = DEPTH
) -> float:
    """Expected depth, how many documents are read: ΣV(r), with V(r) the share of readers who come to rank r.

    >>> round(expected_depth(RankedView.of([1]), user_model("RBP(p=0.8)")), 9)  # 1/(1 - .8)
    5.0
    """
    return reading(view, model, gains, costs, depth).depth


@measure("ResEU", parameters=PARAMETERS, higher_is_better=False, low=-1.0, cite=MOFFAT)
def residual_utility(
    view: RankedView, model: Measure | None = None, gains: Table = None, costs: Table = None, depth: int = DEPTH
) -> float:
    """How far expected utility would rise if every document that nobody judged gained 1, those beyond the list's end too.

    The true value lies between EU and EU + ResEU where a gain can only help, as in RBP: base and residual, as RBP is usually
    printed. Where readers go further for more, as AP's do, it may be below 0.

    >>> round(residual_utility(RankedView.of([1, None, 0]), user_model("RBP(p=0.5)")), 9)  # .5·.5 and .5³ beyond the end
    0.375
    """
    highest = reading(view, model, gains, costs, depth, best=True).utility
    return highest - reading(view, model, gains, costs, depth).utility


@measure("EUMax", parameters=PARAMETERS, cite=MOFFAT)
def highest_expected_utility(
    view: RankedView, model: Measure | None = None, gains: Table = None, costs: Table = None, depth: int = DEPTH
) -> float:
    """Expected utility were every document that nobody judged worth 1, those beyond the list's end too: EU + ResEU.

    `EU(RBP(p=0.8))` and `EUMax(RBP(p=0.8))` are the ends of RBP's interval, whatever the judgments that are missing.

    >>> round(highest_expected_utility(RankedView.of([1, None, 0]), user_model("RBP(p=0.5)")), 9)  # .5 + .25 and .5³ beyond the end
    0.875
    """
    return reading(view, model, gains, costs, depth, best=True).utility
