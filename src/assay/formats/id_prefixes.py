"""Ids that differ from the known ones by their beginning alone, as qtest.1 from clef2015.test.1."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


class Prefixes:
    """The beginning of an unknown id, and the beginning of all known ids in its place."""

    __slots__ = ("expected", "found")

    def __init__(self, found: str, expected: str) -> None:
        self.found = found
        self.expected = expected

    def replaced(self, identity: str) -> str:
        """Return the id with the expected beginning.

        >>> Prefixes("q", "topic-").replaced("q7")
        'topic-7'
        """
        return self.expected + identity.removeprefix(self.found)


def other_prefix(identity: str, known: Collection[str]) -> Prefixes | None:
    """Return how the beginning of an unknown id differs from that of all known ones; None where more differs.

    >>> prefixes = other_prefix("qtest.1", ["clef2015.test.1", "clef2015.test.2"])
    >>> prefixes.found, prefixes.expected
    ('qtest.', 'clef2015.test.')
    >>> other_prefix("51", ["1", "2"]), other_prefix("q9", ["1", "2"]), other_prefix("cat", ["hat", "hop"])
    (None, None, None)
    """
    first, last = (min(known), max(known)) if known else ("", "")
    common = first[: next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]
    for start in range(len(identity)):
        found, rest = identity[:start], identity[start:]
        for end in range(len(common) + 1):
            expected = common[:end]
            if expected + rest in known and _ends_before(found, rest) and _ends_before(expected, rest):
                return Prefixes(found, expected)
    return None


def _ends_before(prefix: str, rest: str) -> bool:
    """Return whether a prefix ends where a number or a word begins: 5 is no prefix of 51."""
    both = prefix[-1:] + rest[0]
    return rest[0].isalnum() and (not prefix or not (both.isdigit() or both.isalpha()))


def prefix_hint(identity: str, known: Collection[str], where: str) -> str:
    """Return what to say after naming an unknown id: how its beginning differs, or nothing.

    >>> prefix_hint("q1", {"topic-1", "topic-2"}, "qrels.txt")
    "; ids begin with 'q' here and with 'topic-' in qrels.txt. Fix: replace 'q' by 'topic-'"
    >>> prefix_hint("q1", {"1", "2"}, "qrels.txt")
    "; ids begin with 'q' here and without a prefix in qrels.txt. Fix: remove 'q'"
    """
    prefixes = other_prefix(identity, known)
    if prefixes is None:
        return ""
    here, there = (
        f"with {prefix!r}" if prefix else "without a prefix" for prefix in (prefixes.found, prefixes.expected)
    )
    if not prefixes.expected:
        fix = f"remove {prefixes.found!r}"
    else:
        fix = (
            f"replace {prefixes.found!r} by {prefixes.expected!r}"
            if prefixes.found
            else f"put {prefixes.expected!r} before each"
        )
    return f"; ids begin {here} here and {there} in {where}. Fix: {fix}"
