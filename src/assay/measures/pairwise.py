"""Measures of pairwise preferences: how often a system is preferred, and how strong it must be for that.

A view is one question with what the system won of each of its battles there: `view.won`, 1, 0, or between. The columns of
measures of all questions:

    battles      of all systems, a tuple per question; a battle has a, b and won, the share that a wins
    run          the system's name
    won, longer  of the system's own battles: what it won, and by how many characters it was longer
    difficulty   how hard a question is to win, one number for all systems
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from assay.measures.define import measure, sums, whole
from assay.measures.engines.bradley_terry import Paired, strengths
from assay.measures.parameters import one_of

TASK = "pairwise"
STRENGTHS = ("BT",)
DEFAULTS = ("WinRate",)
LENGTHS = ("LCWinRate",)
ALPACA = "Li et al., AlpacaEval: An Automatic Evaluator of Instruction-following Models, 2023"
LENGTH = "Dubois et al., Length-Controlled AlpacaEval: A Simple Way to Debias Automatic Evaluators, COLM 2024"
BRADLEY = "Bradley and Terry, Rank Analysis of Incomplete Block Designs: I. The Method of Paired Comparisons, Biometrika 39, 1952"
DAVIDSON = (
    "Davidson, On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison Experiments, JASA 65, 1970"
)
NO_MAXIMUM = (
    "where the battles do not connect all systems by wins in both directions: no strengths are the most likely then"
)
SCALE = one_of("log", "elo")


class PairView(NamedTuple):
    """One question of one system: what it won of each of its battles."""

    won: Sequence[float]


@measure(
    "WinRate", task=TASK, aliases=("win_rate",), undefined="where the system has no battle on the question", cite=ALPACA
)
def win_rate(view: PairView) -> float | None:
    """The share of its battles that a system wins, ties as half.

    It is the mean over the battles of a question, then over questions.

    >>> win_rate(PairView([1, 0.5, 0])), win_rate(PairView([]))
    (0.5, None)
    """
    return sum(view.won) / len(view.won) if view.won else None


@sums(
    "battles",
    task=TASK,
    of=("fought",),
    average="sum",
    higher_is_better=None,
    high=None,
    cite="how many battles the system had",
)
def battles(n: int, fought: int) -> tuple[int, int]:
    """The number of battles of a system.

    >>> battles(3, 5)
    (5, 1)
    """
    return fought, 1


@whole("LCWinRate", task=TASK, aliases=("length_controlled_winrate",), of=("won", "longer", "difficulty"),
       undefined="where a length is unknown, or the system is always longer, or always shorter", cite=LENGTH)  # fmt: skip
def length_controlled_win_rate(
    won: Sequence[Sequence[float]], longer: Sequence[Sequence[int | None]], difficulty: Sequence[float]
) -> float | None:
    """The win rate as it would be at equal length: logit P(win) = θ + φ·tanh(d/s) + ψ·γ, averaged over questions at d = 0.

    d is how much longer the system's answer is, s the standard deviation of d, γ the question's difficulty. As AlpacaEval 2, but
    fitted by maximum likelihood without its penalty and its two gamed baselines, and with γ from the systems at hand. Where it
    loses by being longer, being as long would have won it more: of 4 battles that it wins when shorter and loses when longer, half.

    >>> round(length_controlled_win_rate([(1,), (1,), (0,), (0,), (0.5,)], [(-9,), (9,), (-9,), (9,), (0,)], [0.0] * 5), 6)
    0.5
    """
    from assay.measures.engines.length_control import at_equal_length

    return at_equal_length(won, longer, difficulty)


@whole("BT", task=TASK, aliases=("BradleyTerry",), of=("battles", "run"), parameters={"scale": SCALE}, low=None, high=None,
       together=Paired, undefined=NO_MAXIMUM, cite=BRADLEY)  # fmt: skip
def bradley_terry(battles: Sequence[Any], run: Sequence[str], scale: str = "log") -> float | None:
    """The strength β of a system: a beats b with probability 1/(1 + exp(β_b - β_a)); ties are half a win each.

    Strengths are the most likely ones and add up to 0. With `scale=elo` they are 1000 + 400·β/ln 10. One that wins 3 of 4: β = ±ln(3)/2.

    >>> from types import SimpleNamespace as Battle
    >>> four = [(Battle(a="x", b="y", won=won),) for won in (1, 1, 1, 0)]
    >>> round(bradley_terry(four, ["x"] * 4), 6), round(bradley_terry(four, ["y"] * 4, scale="elo"), 2)
    (0.549306, 904.58)
    """
    return strengths(battles, scale=scale).get(run[0])


@whole("Davidson", task=TASK, of=("battles", "run"), parameters={"scale": SCALE}, low=None, high=None, together=Paired.with_ties,
       undefined=f"{NO_MAXIMUM}; nor where no circle of battles has more wins than ties", cite=DAVIDSON)  # fmt: skip
def davidson(battles: Sequence[Any], run: Sequence[str], scale: str = "log") -> float | None:
    """The strength β of a system where ties have a probability of their own.

    That a wins, that b wins and a tie go as exp(β_a), exp(β_b) and ν·exp((β_a + β_b)/2), with one ν for all. Of two systems
    that win 3, lose 1 and tie any number, β = ±ln(3)/2: ties say nothing of who is stronger there.

    >>> from types import SimpleNamespace as Battle
    >>> eight = [(Battle(a="x", b="y", won=won),) for won in (1, 1, 1, 0, 0.5, 0.5, 0.5, 0.5)]
    >>> round(davidson(eight, ["x"] * 8), 6), round(bradley_terry(eight, ["x"] * 8), 6)
    (0.549306, 0.255413)
    """
    return strengths(battles, scale=scale, ties=True).get(run[0])
