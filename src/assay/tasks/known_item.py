"""Known-item search: TREC qrels and runs, and only the rank of the first right item counts.

Gold, runs and order are those of ranked retrieval.
"""

from __future__ import annotations

from assay.settings import undefined_topics
from assay.tasks import Task
from assay.tasks.ranked import RankedSettings, join, one_run, read


class KnownItemSettings(RankedSettings):
    """The choices of known-item search."""

    undefined: str = undefined_topics("skip")


TASK = Task(
    "known-item",
    title="Known-item search",
    noun="topic",
    headline="RR",
    defaults=("RR", "Success@1", "Success@10", "Found@1", "Found@10", "NotFound@100"),
    settings=KnownItemSettings,
    read=read,
    join=join,
    one_run=one_run,
    figures="assay.figures.known_item",
    ahead=True,
    pages="assay.reports.pages.known_item",
)
