"""What a topic's page shows, for every task: `items(scores)`, and lists of questions worth reading first."""

from __future__ import annotations

from assay.figures.items.model import Entry, TopicItems

__all__ = ["Entry", "TopicItems"]
