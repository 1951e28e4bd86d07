"""Strengths from battles by maximum likelihood: the models of Bradley and Terry, and of Davidson with ties.

The maximum exists exactly where every system can be reached from every other along wins (Ford 1957): it does not where some group
was never beaten by the rest, or never met it. A tie is half a win each way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import TYPE_CHECKING, Any

from assay.errors import shorten_list

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.formats.answers.battles import Battle

TIGHT = 1e-11
"""Newton's method ends when no strength changes by more."""
MAX_STEPS = 100
MAX_STEP = 2.0
"""Limit on the change of a strength in one step."""
ELO = 400 / log(10)
MAX_NAMED_SYSTEMS = 4


def why_undefined(battles: Sequence[Sequence[Battle]]) -> str:
    """Return why there are no strengths; an empty text where there are.

    >>> from types import SimpleNamespace as Battle
    >>> why_undefined([(Battle(a="x", b="y", won=1), Battle(a="y", b="z", won=0.5))])
    'x never lost to, or tied with, another system. Fix: exclude it, or add battles.'
    """
    beats: dict[str, set[str]] = {}
    met: dict[str, set[str]] = {}
    for battle in (battle for several in battles for battle in several):
        for system, opponent, won in ((battle.a, battle.b, battle.won), (battle.b, battle.a, 1 - battle.won)):
            met.setdefault(system, set()).add(opponent)
            beats.setdefault(system, set())
            if won > 0:
                beats[system].add(opponent)
    names = list(beats)
    if not names:
        return "there are no battles"
    group = list(_reached(names[0], met))
    rest = [name for name in names if name not in group]
    if rest:
        return f"the battles are not connected: {_some(group)} never met {_some(rest)}"
    for start in names:
        below = list(_reached(start, beats))
        above = [name for name in names if name not in below]  # these were never beaten by those below
        if above:
            few, problem = (
                (above, f"{_some(above)} never lost to, or tied with, another system")
                if len(above) <= len(below)
                else (below, f"{_some(below)} never won or tied against {_some(above)}")
            )
            return f"{problem}. Fix: exclude {'it' if len(few) == 1 else 'them'}, or add battles."
    return ""


def _some(names: Sequence[str]) -> str:
    return shorten_list(names, MAX_NAMED_SYSTEMS)


def _reached(start: str, ways: Mapping[str, set[str]]) -> dict[str, None]:
    """Return the systems that can be reached from one of them, itself first."""
    reached, open_ = {start: None}, [start]
    while open_:
        for name in ways[open_.pop()]:
            if name not in reached:
                reached[name] = None
                open_.append(name)
    return reached


class Fought(list[tuple[Any, ...]]):
    """Battles by question with a cache of the strengths fitted to them, which all systems share."""

    def __init__(self, battles: Sequence[Sequence[Battle]]) -> None:
        super().__init__(tuple(several) for several in battles)
        self.fitted: dict[tuple[str, bool], dict[str, float]] = {}


def strengths(battles: Sequence[Sequence[Battle]], *, scale: str = "log", ties: bool = False) -> dict[str, float]:
    """Return the strength of every system; empty where there are none."""
    known = battles.fitted if isinstance(battles, Fought) else {}
    if (scale, ties) not in known:
        known[scale, ties] = Paired(battles, scale=scale, ties=ties)()
    return known[scale, ties]


class Paired:
    """Battles as arrays; a call fits strengths, with weights by question.

    >>> from types import SimpleNamespace as Battle
    >>> four = [(Battle(a="x", b="y", won=won),) for won in (1, 1, 0, 0)]
    >>> Paired(four)(), round(Paired(four)([2, 1, 1, 0])["x"], 6)
    ({'x': 0.0, 'y': 0.0}, 0.549306)
    >>> Paired(four)([1, 1, 0, 0])
    {}
    """

    def __init__(self, battles: Sequence[Sequence[Battle]], *, scale: str = "log", ties: bool = False) -> None:
        import numpy as np

        place: dict[str, int] = {}
        rows = [
            (question, place.setdefault(battle.a, len(place)), place.setdefault(battle.b, len(place)), battle.won)
            for question, several in enumerate(battles)
            for battle in several
        ]
        self.names: list[str] = list(place)
        self.scale: str = scale
        self.ties: bool = ties
        question, a, b, won = (np.array(column) for column in zip(*rows, strict=True)) if rows else ([],) * 4
        self.question: NDArray[np.int64] = np.asarray(question, dtype=np.int64)
        self.cell: NDArray[np.int64] = np.asarray(a, dtype=np.int64) * len(place) + np.asarray(b, dtype=np.int64)
        self.won: NDArray[np.float64] = np.asarray(won, dtype=np.float64)
        self.tied: NDArray[np.bool_] = (self.won == 0.5) & ties
        self.start: NDArray[np.float64] = np.zeros(len(place) + 1)

    @classmethod
    def with_ties(cls, battles: Sequence[Sequence[Battle]], *, scale: str = "log") -> Paired:
        """Make the battles for Davidson's model."""
        return cls(battles, scale=scale, ties=True)

    def __call__(self, weights: Any = None) -> dict[str, float]:
        """Return strengths by name; empty where there are none."""
        import numpy as np

        k = len(self.names)
        weight = np.ones(len(self.won)) if weights is None else np.asarray(weights, dtype=np.float64)[self.question]

        def added(worth: Any) -> Any:
            return np.bincount(self.cell, weight * worth, k * k).reshape(k, k)

        wins = added(np.where(self.tied, 0.0, self.won)) + added(np.where(self.tied, 0.0, 1 - self.won)).T
        ties = added(self.tied)
        ties = ties + ties.T
        if not k or not _connected(wins + ties) or (ties.any() and not _outweighed(wins, ties)):
            return {}
        solution = _most_likely(wins, ties, self.start)
        if solution is None:
            return {}
        if weights is None:
            self.start = solution  # the start for resamples
        strengths = solution[:-1] - solution[:-1].mean()
        if self.scale == "elo":
            strengths = 1000 + ELO * strengths
        return dict(zip(self.names, strengths.tolist(), strict=True))


def _connected(beats: Any) -> bool:
    """Return whether every system can be reached from every other along wins, by squaring reachability."""
    import numpy as np

    reach = (beats > 0) | np.eye(len(beats), dtype=bool)
    while not reach.all():
        further = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if (further == reach).all():
            return False
        reach = further
    return True


def _outweighed(wins: Any, ties: Any) -> bool:
    """Return whether some cycle has more wins than ties.

    Without one, strengths and ν can grow together without bound and increase the likelihood. The test looks for a negative cycle
    (Bellman and Ford).
    """
    import numpy as np

    steps = np.where(wins > 0, -1.0, np.where(ties > 0, 1.0, np.inf))
    reached = np.zeros(len(steps))
    for _ in range(len(steps) + 1):
        nearer = np.minimum(reached, (reached[:, None] + steps).min(axis=0))
        if (nearer == reached).all():
            return False
        reached = nearer
    return True


def _most_likely(wins: Any, ties: Any, start: Any) -> Any:
    """Maximise the concave likelihood by Newton's method; return strengths, and ln ν last (unused without ties).

    Returns None where it does not converge.
    """
    import numpy as np

    k = len(wins)
    met = wins + wins.T + ties
    some = bool(ties.any())
    at = start.copy()
    for _ in range(MAX_STEPS):
        beta, nu = at[:k], at[k]
        half = (beta[:, None] - beta[None, :]) / 2
        # Relative to the mean of the two: a win is exp(half), a loss exp(-half), a tie ν.
        up, tie = np.exp(half), np.exp(nu) if some else 0.0
        whole = up + up.T + tie
        p, q = up / whole, tie / whole * np.ones((k, k))
        # The derivative of a battle's expected share, wins less losses halved, by half a difference of strengths.
        gradient = np.empty(k + 1)
        gradient[:k] = (wins - wins.T - met * (p - p.T)).sum(axis=1) / 2
        gradient[k] = (ties - met * q).sum() / 2
        spread = met * (p + p.T - (p - p.T) ** 2) / 4
        both = -(met * q * (p - p.T)).sum(axis=1) / 2
        curve = np.zeros((k + 1, k + 1))
        curve[:k, :k] = np.diag(spread.sum(axis=1)) - spread + 1.0 / k
        curve[:k, k] = curve[k, :k] = both
        curve[k, k] = (met * q * (1 - q)).sum() / 2 if some else 1.0
        if not some:
            gradient[k] = 0.0
        try:
            step = np.linalg.solve(curve, gradient)
        except np.linalg.LinAlgError:
            return None
        far = float(np.abs(step).max())
        if not far < 1e6:
            return None
        at = at + step * min(1.0, MAX_STEP / far if far else 1.0)
        if far < TIGHT:
            return at
    return None
