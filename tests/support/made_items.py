"""What runs returned, as a report asks for it, made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.figures.items.model import TopicItems


class MadeItems:
    """The items of some topics, of runs in the order of the entries."""

    known = returned = True

    def __init__(self, runs: Sequence[str], topics: Sequence[TopicItems], batch: int = 1000) -> None:
        self._runs = list(runs)
        self._topics = {one.topic: one for one in topics}
        self.batch = batch
        self.most = sum(len(entries) for one in topics for entries in one.entries)
        self.asked: list[list[str]] = []

    def of(self, topics: Sequence[str], runs: Sequence[str]) -> list[TopicItems]:
        """Those of some runs on some topics; what was asked for is noted."""
        self.asked.append(list(topics))
        places = [self._runs.index(run) for run in runs]
        found = [self._topics[topic] for topic in topics]
        return [replace(one, entries=tuple(one.entries[i] for i in places)) for one in found]
