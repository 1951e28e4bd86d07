"""Questions answered several times: from samples to the numbers of a run.

Every question has the same weight, whatever its number of samples. With m samples of a question and L the least common
multiple of all these m, the sum over its samples is multiplied by L/m and the question counts L times. With the same number
of samples everywhere these are plain sums. Counts (how many were right) are unweighted sums of samples.

A question with 0 samples failed every time; it enters no sum.
"""

from __future__ import annotations

from math import lcm

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MAX_CELLS = 20_000_000
"""Limit on the cells from which a measure of a whole run is computed."""
MAX_MULTIPLE = 1 << 20
"""Least common multiple above which resampling uses fractions."""


def multiple(counts: Sequence[int], places: Sequence[int]) -> int:
    """Return the least common multiple of the questions' numbers of samples; 1 without questions.

    >>> multiple([4, 6, 0], range(3))
    12
    """
    return lcm(*{counts[i] for i in places if counts[i]})


def added(columns: Sequence[Sequence[Any]], counts: Sequence[int], places: Sequence[int]) -> tuple[int, list[Any]]:
    """Return n and the sums of ingredients, with equal weight per question.

    One question right in 1 of 2 samples, one in 3 of 3: of 12 parts, 3 + 6 are right.

    >>> added([[1, 3]], [2, 3], range(2))
    (12, [9])
    """
    whole = multiple(counts, places)
    weights = [(i, whole // counts[i]) for i in places if counts[i]]
    return whole * len(weights), [sum((column[i] or 0) * weight for i, weight in weights) for column in columns]


def flattened(columns: Sequence[Sequence[Any]], counts: Sequence[int]) -> list[list[Any]]:
    """Return ingredients by sample, repeated so that every question has the same weight.

    >>> flattened([[(1, 0), (1,)]], [2, 1])
    [[1, 0, 1, 1]]
    """
    whole = multiple(counts, range(len(counts)))
    if whole * len(counts) > MAX_CELLS:
        raise UsageError(
            f"the questions have {len(set(counts))} different numbers of samples, from {min(counts)} to {max(counts)}; a measure "
            "of the whole run needs the same number for most of them"
        )
    weights = [whole // count if count else 0 for count in counts]
    return [
        [cell for cells, weight in zip(column, weights, strict=True) for cell in cells for _ in range(weight)]
        for column in columns
    ]


def described(counts: Sequence[int], noun: str, topics: int | None = None) -> str:
    """Describe the number of topics and samples; `topics` replaces the number of counts.

    >>> described([4, 4, 4], "question"), described([4, 3, 0], "question")
    ('3 questions × 4 samples', '3 questions × 3 to 4 samples')
    """
    known = sorted({count for count in counts if count})
    many = " to ".join(map(str, dict.fromkeys([known[0], known[-1]]))) if known else "0"
    plural = "" if many == "1" else "s"
    many_topics = len(counts) if topics is None else topics
    return f"{many_topics} {noun}{'' if many_topics == 1 else 's'} × {many} sample{plural}"
