"""The views of measures of preferences and of judgment groups.

A judgment group is one person's opinion at one time. Its preferences form an `Ordering` of documents, known before any
run is read; a `PreferenceView` is the orderings of one topic seen through one run. A `JudgmentGroupView` is the simpler
case in which every group gives plain grades and is scored as ordinary qrels are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from assay.errors import InputError

EVERYTHING = -1
"""The mask of all places: -1 has infinitely many one bits."""


def byte_order(identifier: str) -> bytes:
    """Sort key: the bytes of an identifier in the file."""
    return identifier.encode("utf-8", "surrogateescape")


class Ordering:
    """The preferences one judgment group expresses, from its subgroups of document -> value.

    Within a subgroup the higher value is preferred and equal values say nothing. One subgroup orders all its documents
    in `levels`, best first. Several are a partial order: `levels` is None, and `below` names for each document the ones
    it is preferred to, preferences that follow by transitivity included.

    >>> Ordering([{"a": 2, "b": 1, "c": 1}]).levels
    [['a'], ['b', 'c']]
    >>> chain = Ordering([{"a": 2, "b": 1}, {"b": 5, "c": 4}])
    >>> sorted(chain.below["a"])
    ['b', 'c']
    """

    levels: list[list[str]] | None
    below: dict[str, list[str]]

    def __init__(self, subgroups: Sequence[Mapping[str, float]]) -> None:
        values = {document: value for subgroup in subgroups for document, value in subgroup.items()}
        self.documents: list[str] = sorted(values, key=byte_order)
        self.relevant: list[str] = [document for document in self.documents if values[document] > 0]
        self.nonrelevant: list[str] = [document for document in self.documents if values[document] <= 0]
        if len(subgroups) == 1:
            self.levels = _levels(subgroups[0])
            self.below = {}
        else:
            self.levels = None
            self.below = _transitive(subgroups, self.documents)


def _levels(subgroup: Mapping[str, float]) -> list[list[str]]:
    """Group documents of equal value, the best first."""
    by_value: dict[float, list[str]] = {}
    for document, value in subgroup.items():
        by_value.setdefault(value, []).append(document)
    return [by_value[value] for value in sorted(by_value, reverse=True)]


def _transitive(subgroups: Sequence[Mapping[str, float]], documents: Sequence[str]) -> dict[str, list[str]]:
    """Return for each document those below it, directly or by transitivity; refuse conflicts."""
    number = {document: index for index, document in enumerate(documents)}
    below = [0] * len(documents)
    tied = [0] * len(documents)
    for subgroup in subgroups:
        lower = 0
        for level in reversed(_levels(subgroup)):
            mask = sum(1 << number[document] for document in level)
            for document in level:
                below[number[document]] |= lower
                tied[number[document]] |= mask
            lower |= mask
    for middle in range(len(documents)):
        through = below[middle]
        if through:
            for index, mask in enumerate(below):
                if mask >> middle & 1:
                    below[index] = mask | through
    for index, mask in enumerate(below):
        if mask >> index & 1:
            rival = next(other for other in bits(mask) if other != index and below[other] >> index & 1)
            raise InputError(
                f"document {documents[index]} is preferred to {documents[rival]} and {documents[rival]} to "
                f"{documents[index]}, directly or through others; contradicting opinions belong in different groups"
            )
        if mask & tied[index]:
            rival = next(bits(mask & tied[index]))
            raise InputError(
                f"document {documents[index]} is preferred to {documents[rival]} and also tied with it in a subgroup; "
                "contradicting opinions belong in different groups"
            )
    return {document: [documents[other] for other in bits(below[index])] for index, document in enumerate(documents)}


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the one bits, lowest first.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def first_bits(mask: int, count: int) -> int:
    """Return the lowest `count` one bits of a mask.

    >>> bin(first_bits(0b11010, 2))
    '0b1010'
    """
    kept = 0
    for _ in range(min(count, mask.bit_count())):
        lowest = mask & -mask
        kept |= lowest
        mask ^= lowest
    return kept


class PairCounts(NamedTuple):
    """Counts of preferences A over B and of those fulfilled, by how many of the two documents were retrieved."""

    both: int
    both_fulfilled: int
    one: int
    one_fulfilled: int
    neither: int

    @property
    def fulfilled(self) -> int:
        """Preferences with A above B, or only A retrieved."""
        return self.both_fulfilled + self.one_fulfilled

    @property
    def possible(self) -> int:
        return self.both + self.one + self.neither


class PreferenceGroup:
    """One judgment group joined with a run.

    Documents are numbered by place: first the retrieved judged documents in rank order, then the other judged documents. A set
    of documents is a bit mask of places, so that pairs are counted a row at a time.
    """

    def __init__(self, ordering: Ordering, place: Mapping[str, int], retrieved: int) -> None:
        self.retrieved = retrieved
        self.relevant: int = _mask(ordering.relevant, place)
        self.nonrelevant: int = _mask(ordering.nonrelevant, place)
        self.below: dict[int, int] = {}
        """For each place the mask of the places it is preferred to."""
        self.above: dict[int, int] = {}
        """For each place the mask of the places preferred to it."""
        self.lowest: int | None = None
        """The least preferred level, where the group orders its documents completely."""
        if ordering.levels is None:
            self._see_partial(ordering.below, place)
        else:
            self._see_complete([_mask(level, place) for level in ordering.levels])
        self.pairs: PairCounts = self.count()

    def _see_complete(self, levels: list[int]) -> None:
        self.lowest = levels[-1]
        lower = sum(levels)
        higher = 0
        for level in levels:
            lower ^= level
            for place in bits(level):
                self.below[place] = lower
                self.above[place] = higher
            higher |= level

    def _see_partial(self, below: Mapping[str, Sequence[str]], place: Mapping[str, int]) -> None:
        self.above = {place[document]: 0 for document in below}
        for document, others in below.items():
            self.below[place[document]] = _mask(others, place)
            for other in others:
                self.above[place[other]] |= 1 << place[document]

    def count(self, kept: int = EVERYTHING) -> PairCounts:
        """Count the preferences among the places of `kept`."""
        retrieved = self.retrieved & kept
        missed = ~self.retrieved & kept
        both = both_fulfilled = implied = implied_against = neither = 0
        for place, below in self.below.items():
            if not kept >> place & 1:
                continue
            if retrieved >> place & 1:
                retrieved_below = below & retrieved
                both += retrieved_below.bit_count()
                both_fulfilled += (retrieved_below >> place).bit_count()
                implied += (below & missed).bit_count()
            else:
                implied_against += (below & retrieved).bit_count()
                neither += (below & missed).bit_count()
        return PairCounts(both, both_fulfilled, implied + implied_against, implied, neither)


def _mask(documents: Iterable[str], place: Mapping[str, int]) -> int:
    return sum(1 << place[document] for document in documents)


class PreferenceView:
    """One topic's preferences joined with a run.

    `ranks` has the rank of each judged document that the run retrieved; only their order matters.

    >>> view = PreferenceView([Ordering([{"a": 1, "b": 0, "c": 0}])], {"b": 1, "a": 4})
    >>> pairs = view.groups[0].pairs
    >>> pairs.possible, pairs.both, pairs.both_fulfilled, pairs.one_fulfilled    # a>b fails, a>c is implied
    (2, 1, 0, 1)
    """

    def __init__(self, orderings: Sequence[Ordering], ranks: Mapping[str, int]) -> None:
        judged = sorted({d for ordering in orderings for d in ordering.documents}, key=byte_order)
        retrieved = sorted((document for document in judged if document in ranks), key=ranks.__getitem__)
        missed = [document for document in judged if document not in ranks]
        place = {document: index for index, document in enumerate(retrieved + missed)}
        self.retrieved: int = (1 << len(retrieved)) - 1
        self.groups: list[PreferenceGroup] = [
            PreferenceGroup(ordering, place, self.retrieved) for ordering in orderings
        ]


class GradedGroup(NamedTuple):
    """One group's grades joined with a run: ranks of relevant documents, their number, and the number retrieved."""

    ranks: list[int]
    num_rel: int
    num_ret: int

    def precision(self, cut: int) -> float:
        """Return the relevant documents in the first `cut` ranks over `cut`."""
        return sum(rank <= cut for rank in self.ranks) / cut


class JudgmentGroupView:
    """One topic judged by several groups, each a list of plain grades.

    >>> view = JudgmentGroupView([{"a": 1, "b": 0}, {"a": 1, "b": 2}], {"b": 1, "a": 2}, num_ret=3, level=1)
    >>> [(group.ranks, group.num_rel, group.num_ret) for group in view.groups]
    [([2], 1, 3), ([1, 2], 2, 3)]
    """

    def __init__(
        self, groups: Sequence[Mapping[str, int]], ranks: Mapping[str, int], num_ret: int,
        level: int = 1, judged_only: bool = False,
    ) -> None:  # fmt: skip
        self.groups: list[GradedGroup] = [_graded(grades, ranks, num_ret, level, judged_only) for grades in groups]


def _graded(
    grades: Mapping[str, int], ranks: Mapping[str, int], num_ret: int, level: int, judged_only: bool
) -> GradedGroup:
    """Join one group's grades with the ranks; `judged_only` removes documents that the group did not judge."""
    # A grade below 0 marks a document that was pooled and not judged.
    judged = {document: grade for document, grade in grades.items() if grade >= 0}
    if judged_only:
        order = sorted((document for document in judged if document in ranks), key=ranks.__getitem__)
        ranks = {document: rank for rank, document in enumerate(order, start=1)}
        num_ret = len(order)
    relevant = [document for document, grade in judged.items() if grade >= level]
    retrieved = sorted(ranks[document] for document in relevant if document in ranks)
    return GradedGroup(retrieved, len(relevant), num_ret)


def mean_over_groups(values: Iterable[float | None]) -> float | None:
    """Return the mean over groups, undefined ones counting 0; None where all are undefined."""
    known = list(values)
    if all(value is None for value in known):
        return None
    return sum(value or 0.0 for value in known) / len(known)
