"""The content of a topic's page for every task, and lists of questions worth reading first."""

from __future__ import annotations

from assay.figures.items.lazy_items import LazyItems, documents_of, items, with_snippets
from assay.figures.items.model import ReturnedItem, TopicItems
from assay.figures.items.question_outcomes import Crossed, Mistake, ReadingList, crossed, endings, reading

__all__ = [
    "Crossed", "LazyItems", "Mistake", "ReadingList", "ReturnedItem", "TopicItems", "crossed", "documents_of",
    "endings", "items", "reading", "with_snippets",
]  # fmt: skip
