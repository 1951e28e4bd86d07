"""A pool of which a sample is judged: strata by the best rank of a document, and a number drawn from each.

stratum   the documents whose best rank is at most its depth, and below the depth of the stratum before
share     how much of it is drawn, at least one document: whatever can be returned can be drawn
0         what was judged before, whatever the sample: its probability is 1
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from operator import index
from typing import NamedTuple

from assay.collections.pools.strategies import shuffled
from assay.errors import InputError, UsageError
from assay.random import Stream

JUDGED_BEFORE = "0"


class PoolStratum(NamedTuple):
    """How deep it reaches, and the share of it that is judged."""

    depth: int
    share: float


class DrawChance(NamedTuple):
    """What became of a document of the pool: its stratum, and the probability of having been drawn, None where it was not."""

    stratum: str
    probability: float | None


def read_strata(text: str) -> list[PoolStratum]:
    """Strata as a person writes them: the depth of each, and the share of it that is judged.

    >>> read_strata("20:1,100:0.2")
    [Stratum(depth=20, share=1.0), Stratum(depth=100, share=0.2)]
    """
    found: list[PoolStratum] = []
    for part in text.replace(",", " ").split():
        depth, _, share = part.partition(":")
        try:
            found.append(PoolStratum(int(depth), float(share)))
        except ValueError:
            raise _refused(text) from None
    return checked_strata(found, text)


def checked_strata(strata: Sequence[tuple[int, float]], written: object) -> list[PoolStratum]:
    """The strata, or an error with what was expected of them."""
    try:
        found = [PoolStratum(index(depth), float(share)) for depth, share in strata]
    except (TypeError, ValueError):
        raise _refused(written) from None
    rising = all(one < other for one, other in pairwise([0, *(stratum.depth for stratum in found)]))
    if not found or not rising or not all(0 < stratum.share <= 1 for stratum in found):
        raise _refused(written)
    return found


def _refused(written: object) -> UsageError:
    expected = "depths that rise, each with the share to be judged (above 0, at most 1), as in 20:1,100:0.2"
    return UsageError(f"`strata={written!r}`: expected {expected}")


def numbers_drawn(sizes: Sequence[int], shares: Sequence[float], budget: int | None, topic: str) -> list[int]:
    """How many documents are drawn from strata of these sizes: their shares, rounded, and at least one of each that has any.

    Where that is more than the budget, strata that are not judged whole give way in proportion.

    >>> numbers_drawn([30, 100], [1.0, 0.2], None, "q1"), numbers_drawn([30, 100], [1.0, 0.2], 40, "q1")
    ([30, 20], [30, 10])
    """
    wanted = [
        size if share == 1 else min(size, max(1, int(size * share + 0.5))) if size else 0
        for size, share in zip(sizes, shares, strict=True)
    ]
    if budget is None or sum(wanted) <= budget:
        return wanted
    partial = [place for place, share in enumerate(shares) if share < 1 and sizes[place]]
    whole = sum(wanted) - sum(wanted[place] for place in partial)
    room = budget - whole - len(partial)
    if room < 0:
        raise InputError(
            f"topic {topic}: `budget={budget}` is too small: {whole} documents are in strata that are judged whole, and each of "
            f"{len(partial)} others needs one; expected at least {whole + len(partial)}, or strata less deep"
        )
    return _shrunk(wanted, partial, room)


def _shrunk(wanted: Sequence[int], partial: Sequence[int], room: int) -> list[int]:
    """One of each partial stratum, and the room beyond shared out in proportion, the largest remainders first."""
    drawn, beyond = list(wanted), {place: wanted[place] - 1 for place in partial}
    total = sum(beyond.values())
    for place in partial:
        drawn[place] = 1 + beyond[place] * room // total
    left = room - sum(drawn[place] - 1 for place in partial)
    for place in sorted(partial, key=lambda one: -(beyond[one] * room % total))[:left]:
        drawn[place] += 1
    return drawn


def draw(
    ranks: Mapping[str, int], strata: Sequence[PoolStratum], known: Collection[str], budget: int | None, topic: str, random: Stream
) -> dict[str, DrawChance]:  # fmt: skip
    """Every document of a topic's pool, and whatever is judged already, by id: its stratum, and the probability with which it was drawn.

    ranks    the best rank of each document, none beyond the last stratum
    known    those that are judged already
    budget   how many more are to be judged at most
    """
    members: list[list[str]] = [[] for _ in strata]
    found: dict[str, DrawChance] = {}
    for document in shuffled(ranks, random):
        if document in known:
            found[document] = DrawChance(JUDGED_BEFORE, 1.0)
        else:
            place = next(i for i, stratum in enumerate(strata) if ranks[document] <= stratum.depth)
            members[place].append(document)
    # What was judged before and no run has down here is judged all the same: without it, too few would be known to be relevant.
    found |= {document: DrawChance(JUDGED_BEFORE, 1.0) for document in known if document not in ranks}
    counts = numbers_drawn([*map(len, members)], [stratum.share for stratum in strata], budget, topic)
    for number, (of, count) in enumerate(zip(members, counts, strict=True), 1):
        for place, document in enumerate(of):
            found[document] = DrawChance(str(number), count / len(of) if place < count else None)
    return found
