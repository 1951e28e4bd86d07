"""What a topic's page shows, for every task: `items(scores)`, and lists of questions worth reading first."""

from __future__ import annotations

from assay.figures.items.crossed import Crossed, Mistake, confidently_wrong, crossed, everybody_wrong, right_only_here
from assay.figures.items.gathering import Items, items
from assay.figures.items.model import Entry, TopicItems

__all__ = [
    "Crossed", "Entry", "Items", "Mistake", "TopicItems", "confidently_wrong", "crossed", "everybody_wrong", "items",
    "right_only_here",
]  # fmt: skip
