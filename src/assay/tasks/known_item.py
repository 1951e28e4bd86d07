"""Known-item search: TREC qrels and runs, where only the rank of the first right item counts.

Gold, runs and order are those of ranked retrieval.
"""

from __future__ import annotations

from assay.settings import FOR_UNDEFINED, NO_VALUE, one_of, option
from assay.tasks import ranked


class KnownItemSettings(ranked.RankedSettings):
    """The settings of known-item search."""

    undefined: str = option("skip", one_of(*FOR_UNDEFINED), NO_VALUE)


TASK = ranked.TASK.but(
    name="known-item",
    title="Known-item search",
    headline="RR",
    defaults=("RR", "Success@1", "Success@10", "Found@1", "Found@10", "NotFound@100"),
    settings=KnownItemSettings,
)
