"""Measures with a user model (C/W/L), under the names of ir_measures and cwl-eval: expected utility under the model.

A document gains 1 where it is relevant; with `max_rel`, the highest grade of the scale, in proportion to its grade. The
expected quantities take the user model of any measure: `ETU(INST(T=2))`, `ED(RBP(p=0.8))`, `EC(P@10)`.
"""

from __future__ import annotations

from assay.errors import UsageError
from assay.measures.define import measure
from assay.measures.engines.user_models import DEPTH, MODELS, Expected, GainScale, expected, goal_and_found
from assay.measures.measure import Measure
from assay.measures.parameters import above_0, integer, number, positive, share
from assay.measures.parameters import gains as table
from assay.measures.registry import find
from assay.measures.views.ranked import RankedView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Table = Mapping[int, float] | None

INSQ = "A. Moffat, F. Scholer and P. Thomas, Models and Metrics: IR Evaluation as a User Process, ADCS 2012"
INST = (
    "A. Moffat, P. Bailey, F. Scholer and P. Thomas, INST: An Adaptive Metric for Information Retrieval Evaluation, "
    "ADCS 2015; P. Bailey et al., User Variability and IR System Evaluation, SIGIR 2015"
)
BPM = "F. Zhang et al., Evaluating Web Search with a Bejeweled Player Model, SIGIR 2017"
TBG = "M. Smucker and C. Clarke, Time-Based Calibration of Effectiveness Measures, SIGIR 2012"
U = (
    "T. Sakai and Z. Dou, Summaries, Ranked Retrieval and Sessions: A Unified Framework for Information Access Evaluation, "
    "SIGIR 2013"
)
NERR = (
    "L. Azzopardi, J. Mackenzie and A. Moffat, ERR is not C/W/L: Exploring the Relationship Between Expected Reciprocal "
    "Rank and Other Metrics, ICTIR 2021"
)
IFT = "L. Azzopardi, P. Thomas and N. Craswell, Measuring the Utility of Search Engine Result Pages, SIGIR 2018"
SDCG = (
    "K. Järvelin and J. Kekäläinen, ACM TOIS 20(4), 2002, scaled as in A. Moffat and J. Zobel, Rank-Biased Precision "
    "for Measurement of Retrieval Effectiveness, ACM TOIS 27(1), 2008"
)


SCALE = {"min_rel": integer, "max_rel": positive}
GOAL = {"T": above_0, **SCALE}
CUT = {"cut": positive, **SCALE}


def _utility(view: RankedView, name: str, min_rel: int, max_rel: int | None, **parameters: Any) -> float:
    return expected(view, MODELS[name], parameters, GainScale(min_rel=min_rel, max_rel=max_rel)).utility


@measure("INST", parameters=GOAL, cite=INST)
def inst(view: RankedView, T: float = 1.0, min_rel: int = 0, max_rel: int | None = None) -> float:
    """Gain per document of a reader with a goal T, who continues with a higher probability the more gain is missing.

    A reader continues from rank r with probability ((r + T + T(r) - 1)/(r + T + T(r)))², T(r) being what is missing of T; the lists
    are 1000 deep. With the only gain at rank 1, a reader continues with (1/2)², then (2/3)², (3/4)² …, and so rank r
    has attention in proportion to 1/r²: 1/(π²/6) = .6079 at rank 1, a little more where the list ends.

    >>> round(inst(RankedView.of([1, 0])), 4)
    0.6083
    """
    return _utility(view, "INST", min_rel, max_rel, T=T)


@measure("INSQ", parameters=GOAL, cite=INSQ)
def insq(view: RankedView, T: float = 1.0, min_rel: int = 0, max_rel: int | None = None) -> float:
    """Gain per document of a reader with a goal T who continues with probability ((r + 2T - 1)/(r + 2T))².

    The probability does not depend on gains. Rank r has attention in proportion to 1/(r + 2T - 1)². With T = .5 that is 1/r²:
    1/(π²/6) = .6079 at rank 1, a little more where the list ends at 1000.

    >>> round(insq(RankedView.of([1, 0]), T=0.5), 4)
    0.6083
    """
    return _utility(view, "INSQ", min_rel, max_rel, T=T)


@measure("BPM", parameters={**CUT, "T": above_0}, cite=BPM)
def bejeweled(view: RankedView, cut: int, T: float = 1.0, min_rel: int = 0, max_rel: int | None = None) -> float:
    """Gain per document of a player of Bejeweled, who stops at a gain of T or after `cut` documents.

    >>> bejeweled(RankedView.of([0, 1, 1]), cut=10), bejeweled(RankedView.of([0, 0, 0, 1]), cut=3)
    (0.5, 0.0)
    """
    return _utility(view, "BPM", min_rel, max_rel, T=T, cut=cut)


@measure("BPMD", parameters={**CUT, "T": above_0, "hb": number, "hc": number, "middle": share}, cite=BPM)
def bejeweled_in_mood(
    view: RankedView, cut: int, T: float = 1.0, hb: float = 1.0, hc: float = 1.0, middle: float = 0.5, min_rel: int = 0,
    max_rel: int | None = None,
) -> float:  # fmt: skip
    """BPM with changing goal and patience: each gain g adds hb·(g - middle) to T and hc·(g - middle) to `cut`.

    Nothing at rank 1 and 2 leaves T = 0 and 8 documents of 10, so that the player stops at rank 3; cwl-eval has no changing patience.

    >>> bejeweled_in_mood(RankedView.of([0, 0, 1]), cut=10)
    0.3333333333333333
    """
    return _utility(view, "BPMD", min_rel, max_rel, T=T, cut=cut, hb=hb, hc=hc, middle=middle)


@measure("SDCG", parameters=CUT, cite=SDCG)
def scaled_dcg(view: RankedView, cut: int, min_rel: int = 0, max_rel: int | None = None) -> float:
    """DCG over that of a list of nothing but the best grade: Σ gain(r)/log2(r + 1) / Σ 1/log2(r + 1), to rank `cut`.

    Unlike nDCG it does not ask how many documents are relevant. cwl-eval calls it NDCG.

    >>> round(scaled_dcg(RankedView.of([1, 0, 0]), cut=2), 4)  # 1/(1 + 1/log2 3)
    0.6131
    """
    return _utility(view, "SDCG", min_rel, max_rel, cut=cut)


@measure("TBG", parameters={"halflife": above_0, **SCALE}, cite=TBG)
def time_biased_gain(view: RankedView, halflife: float = 224.0, min_rel: int = 0, max_rel: int | None = None) -> float:
    """Gain per document where half of the readers are left after every `halflife` spent, scaled as in cwl-eval.

    A document costs 1 here, so that this is RBP with p = 2^(-1/halflife) to a depth of 1000; with costs by grade, write
    `EU(TBG(halflife=224),costs=0:5.1,1:9.7)`. Smucker and Clarke's own number is Σ V·gain, `ETU(TBG)`.

    >>> time_biased_gain(RankedView.of([1, 0]), halflife=1)  # V is 1, 1/2, 1/4 …
    0.5
    """
    return _utility(view, "TBG", min_rel, max_rel, halflife=halflife)


@measure("UMeasure", aliases=("U-measure",), parameters={"L": above_0, **SCALE}, cite=U)
def u_measure(view: RankedView, L: float = 1000.0, min_rel: int = 0, max_rel: int | None = None) -> float:
    """Gain per document where the share of readers falls linearly, from all to none at L, scaled as in cwl-eval.

    At L, an amount read, none are left. A document costs 1 here; with costs by grade, write
    `EU(UMeasure(L=132000),costs=0:200,1:2000)`.

    >>> u_measure(RankedView.of([1, 0]), L=2)  # V is 1, 1/2 and then none
    0.6666666666666666
    """
    return _utility(view, "UMeasure", min_rel, max_rel, L=L)


@measure("NERR8", parameters=CUT, cite=NERR)
def nearly_err_8(view: RankedView, cut: int, min_rel: int = 0, max_rel: int | None = None) -> float:
    """Nearly ERR, equation 8: a document satisfies as its gain says, and no reader reads beyond `cut`.

    >>> nearly_err_8(RankedView.of([1, 0]), cut=2, max_rel=2)  # V is 1, 1/2: (1/2)/(3/2)
    0.3333333333333333
    """
    return _utility(view, "NERR8", min_rel, max_rel, cut=cut)


@measure("NERR9", parameters=CUT, cite=NERR)
def nearly_err_9(view: RankedView, cut: int, min_rel: int = 0, max_rel: int | None = None) -> float:
    """Nearly ERR, equation 9: as NERR8, unsatisfied readers continuing with probability r/(r + 1).

    >>> nearly_err_9(RankedView.of([1, 0]), cut=2, max_rel=2)  # V is 1, 1/4: (1/2)/(5/4)
    0.4
    """
    return _utility(view, "NERR9", min_rel, max_rel, cut=cut)


@measure("NERR10", parameters={"p": share, **SCALE}, cite=NERR)
def nearly_err_10(view: RankedView, p: float = 0.9, min_rel: int = 0, max_rel: int | None = None) -> float:
    """Nearly ERR, equation 10: unsatisfied readers continue with probability p, as in RBP.

    >>> nearly_err_10(RankedView.of([1, 1]), p=0.5)  # the first satisfies all readers
    1.0
    """
    return _utility(view, "NERR10", min_rel, max_rel, p=p)


@measure("NERR11", parameters=GOAL, cite=NERR)
def nearly_err_11(view: RankedView, T: float = 1.0, min_rel: int = 0, max_rel: int | None = None) -> float:
    """Nearly ERR, equation 11: unsatisfied readers continue as in INSQ.

    >>> nearly_err_11(RankedView.of([0, 1]))  # V is 1, 4/9: (4/9)/(13/9)
    0.30769230769230765
    """
    return _utility(view, "NERR11", min_rel, max_rel, T=T)


@measure("IFT-C1", parameters={**GOAL, "b1": above_0, "R1": number}, cite=IFT)
def foraging_for_goal(
    view: RankedView, T: float, b1: float, R1: float, min_rel: int = 0, max_rel: int | None = None
) -> float:
    """Gain per document of a forager with a goal, continuing with 1 - 1/(1 + b1·e^(R1·(T - gained))).

    >>> foraging_for_goal(RankedView.of([1, 1]), T=1, R1=0, b1=1)  # with R1 = 0 readers continue with 1/2
    0.75
    """
    return _utility(view, "IFT-C1", min_rel, max_rel, T=T, b1=b1, R1=R1)


@measure("IFT-C2", parameters={"A": number, "b2": above_0, "R2": number, **SCALE}, cite=IFT)
def foraging_by_rate(
    view: RankedView, A: float, b2: float, R2: float, min_rel: int = 0, max_rel: int | None = None
) -> float:
    """Gain per document of a forager who expects a rate A, continuing with 1/(1 + b2·e^(R2·(A - gained/spent))).

    >>> foraging_by_rate(RankedView.of([1, 1]), A=1, R2=0, b2=1)
    0.75
    """
    return _utility(view, "IFT-C2", min_rel, max_rel, A=A, b2=b2, R2=R2)


@measure(
    "IFT-C1-C2", parameters={**GOAL, "b1": above_0, "R1": number, "A": number, "b2": above_0, "R2": number}, cite=IFT
)
def foraging(
    view: RankedView, T: float, b1: float, R1: float, A: float, b2: float, R2: float, min_rel: int = 0,
    max_rel: int | None = None,
) -> float:  # fmt: skip
    """Gain per document of a forager with a goal and a rate, continuing with the product of both probabilities.

    >>> foraging(RankedView.of([1, 1]), T=1, R1=0, b1=1, A=1, R2=0, b2=1)  # readers continue with 1/4: V is 1, 1/4, 1/16 …
    0.9375
    """
    return _utility(view, "IFT-C1-C2", min_rel, max_rel, T=T, b1=b1, R1=R1, A=A, b2=b2, R2=R2)


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
    """Expected total utility, the gain of the whole reading: Σ L(r)·(gain down to r).

    L(r) is the share of readers who stop at r.

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
    """The rise of expected utility if every unjudged document gained 1, including those beyond the list's end.

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
    """Expected utility if every unjudged document gained 1, including those beyond the list's end: EU + ResEU.

    `EU(RBP(p=0.8))` and `EUMax(RBP(p=0.8))` are the ends of RBP's interval, whatever the judgments that are missing.

    >>> round(highest_expected_utility(RankedView.of([1, None, 0]), user_model("RBP(p=0.5)")), 9)  # .5 + .25 and .5³ beyond the end
    0.875
    """
    return reading(view, model, gains, costs, depth, best=True).utility
