"""The items that runs returned, as plain data: `ReturnedItem` and `TopicItems`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

ASKING = ("question", "query", "prompt", "text")
"""Fields of the gold that hold the question itself."""


class ReturnedItem(msgspec.Struct, frozen=True, gc=False):  # made in C: a thousand runs have a million
    """One item (document or answer) that a run returned on a topic."""

    text: str
    """A document's id, or the answer as given."""
    rank: int | None
    """Its rank; None where the run has no order."""
    verdict: str
    """The verdict in words: grade 2, not relevant, unjudged, correct, declined, failed …"""
    good: bool | None
    """True for relevant and correct, False for not relevant and incorrect, None where it is neither or unknown."""
    value: float | None = None
    """The document's score, the answer's confidence."""
    detail: str = ""
    """A snippet of the document, why it failed, how long it took …"""

    def but(self, **changes: Any) -> ReturnedItem:
        """Return a copy with some fields changed."""
        return msgspec.structs.replace(self, **changes)


@dataclass(frozen=True, slots=True)
class TopicItems:
    """One topic: its text, its gold, and the items of every run."""

    topic: str
    text: str | None = None
    """The topic's or question's own text."""
    gold: tuple[str, ...] = ()
    """Right answers, or relevant documents that no run found."""
    fields: dict[str, str] = field(default_factory=dict[str, str])
    entries: tuple[tuple[ReturnedItem, ...], ...] = ()
    """By run, in the order of the table's runs; empty where the run returned nothing, or it is unknown."""
    more: tuple[str, ...] = ()
    """By run: what else it returned and is not shown, in words; empty where that is all."""


RunItems = tuple[tuple[ReturnedItem, ...], str]
"""The items one run returned on one topic, and a sentence on those not shown."""
