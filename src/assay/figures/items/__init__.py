"""What a topic's page shows, for every task: `items(scores)`, and lists of questions worth reading first."""

from __future__ import annotations

from assay.figures.items.crossed import (
    Crossed,
    Mistake,
    Reading,
    confidently_wrong,
    crossed,
    endings,
    everybody_wrong,
    reading,
    right_only_here,
)  # fmt: skip
from assay.figures.items.gathering import Items, documents_of, items, with_snippets
from assay.figures.items.model import Entry, TopicItems

__all__ = [
    "Crossed", "Entry", "Items", "Mistake", "Reading", "TopicItems", "confidently_wrong", "crossed", "documents_of",
    "endings", "everybody_wrong", "items", "reading", "right_only_here", "with_snippets",
]  # fmt: skip
