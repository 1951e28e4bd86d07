"""The win rate at equal length: logistic regressions of wins on length and question difficulty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

TIGHT = 1e-9
MAX_STEPS = 100
MAX_STEP = 2.0
MAX_ROUNDS = 200
"""Limit on alternating fits of systems and questions."""
SETTLED = 1e-4
RIDGE = 1e-3
"""The penalty on a system's coefficients, which may be unbounded otherwise; AlpacaEval has one too."""
PRIOR = 0.1
"""The penalty on the difficulty of a question that all systems lose, or win."""


def at_equal_length(
    won: Sequence[Sequence[float]], longer: Sequence[Sequence[int | None]], difficulty: Sequence[float]
) -> float | None:
    """Return the win rate of a system at equal length, the mean over questions.

    Returns None where a length is unknown, and where the system is always longer, or always shorter.
    """
    import numpy as np

    columns = _columns(won, longer)
    if columns is None:
        return None
    question, y, leads = columns
    if leads.min() > 0 or leads.max() < 0:
        return None
    length = _standard(leads)
    hard = np.asarray(difficulty, dtype=np.float64)[question]
    fitted = _fit(np.column_stack([np.ones(len(y)), length, hard]), y, np.zeros(len(y)))
    if fitted is None:
        return None
    level, _, slope = fitted.tolist()
    even = 1 / (1 + np.exp(-(level + slope * hard)))
    # Questions have equal weight, whatever their number of battles.
    counts = np.bincount(question)
    return float((np.bincount(question, even)[counts > 0] / counts[counts > 0]).mean())


def difficulties(battles: Sequence[Sequence[Any]]) -> list[float]:
    """Return γ of every question, with mean 0, from logit P(win) = θ_system + φ_system·tanh(d/s) + γ_question.

    The model is fitted to all systems at once. All systems have met one baseline, and wins are against it. Without a common
    baseline, with fewer than two systems, or where a length is unknown, all difficulties are 0.
    """
    import numpy as np

    gamma = np.zeros(len(battles))
    everywhere = set.intersection(*({battle.a, battle.b} for several in battles for battle in several))
    rows: dict[str, list[tuple[int, float, float]]] = {}
    for place, several in enumerate(battles):
        for battle in several:
            if len(everywhere) != 1 or battle.length_a is None or battle.length_b is None:
                return gamma.tolist()
            lead = battle.length_a - battle.length_b
            first = battle.b in everywhere
            row = (place, battle.won, lead) if first else (place, 1 - battle.won, -lead)
            rows.setdefault(battle.a if first else battle.b, []).append(row)
    systems: list[tuple[Any, Any, Any]] = []
    for system_rows in rows.values():
        question, y, leads = (np.array(column) for column in zip(*system_rows, strict=True))
        systems.append((question, y, np.column_stack([np.ones(len(y)), _standard(leads)])))
    fits = [np.zeros(2) for _ in systems]
    for _ in range(MAX_ROUNDS):
        up, down = -PRIOR * gamma, np.full(len(gamma), PRIOR)
        for place, (question, y, table) in enumerate(systems):
            fitted = _fit(table, y, gamma[question], fits[place])
            fits[place] = fits[place] if fitted is None else fitted
            p = 1 / (1 + np.exp(-(table @ fits[place] + gamma[question])))
            up += np.bincount(question, y - p, len(gamma))
            down += np.bincount(question, p * (1 - p), len(gamma))
        step = np.clip(up / down, -MAX_STEP, MAX_STEP)
        gamma = gamma + step
        if float(np.abs(step).max()) < SETTLED:
            break
    return (gamma - gamma.mean()).tolist()


def _columns(won: Sequence[Sequence[float]], longer: Sequence[Sequence[int | None]]) -> tuple[Any, Any, Any] | None:
    """Return question, win and lead in length of every battle; None where a length is unknown."""
    import numpy as np

    lengths = [length for several in longer for length in several]
    if not lengths or any(length is None for length in lengths):
        return None
    question = np.repeat(np.arange(len(won)), [len(several) for several in won])
    return (
        question,
        np.array([win for several in won for win in several]),
        np.array(lengths, dtype=np.float64),
    )


def _standard(leads: Any) -> Any:
    """Return tanh of leads over their standard deviation; 0 throughout where they do not vary."""
    import numpy as np

    spread = float(leads.std(ddof=1)) if len(leads) > 1 else 0.0
    return np.tanh(leads / spread) if spread else 0.0 * leads


def _fit(table: Any, y: Any, offset: Any, start: Any = None) -> Any:
    """Fit a ridge logistic regression by Newton's method; return None where it does not converge."""
    import numpy as np

    k = table.shape[1]
    at = np.zeros(k) if start is None else start
    for _ in range(MAX_STEPS):
        p = 1 / (1 + np.exp(-(table @ at + offset)))
        gradient = table.T @ (y - p) - RIDGE * at
        curve = (table.T * (p * (1 - p))) @ table + RIDGE * np.eye(k)
        step = np.linalg.solve(curve, gradient)
        far = float(np.abs(step).max())
        if not np.isfinite(far):
            return None
        at = at + step * min(1.0, MAX_STEP / far if far else 1.0)
        if far < TIGHT:
            return at
    return None
