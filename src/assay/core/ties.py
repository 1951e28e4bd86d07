"""The tie rule, once for all Python code: score descending, then document id descending by bytes. `ties.h` is the same in C."""

from __future__ import annotations

from operator import itemgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeVar

    Scored = TypeVar("Scored", bound=tuple[Any, ...])


def best_first(documents: Iterable[Scored], *, ascending_ids: bool = False) -> list[Scored]:
    """Sort (score, id, ...) into the order of a ranking.

    Ids are bytes, or text: code points and UTF-8 bytes sort alike. `ascending_ids` breaks ties as trec_eval's preference formats do.

    >>> best_first([(1.0, "a"), (2.0, "c"), (1.0, "b")])
    [(2.0, 'c'), (1.0, 'b'), (1.0, 'a')]
    """
    if ascending_ids:
        return sorted(sorted(documents, key=itemgetter(1)), key=itemgetter(0), reverse=True)
    return sorted(documents, key=itemgetter(0, 1), reverse=True)
