"""Sampled pools: judgments of some of the pooled documents, drawn with known probabilities, and runs of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.formats.ranked.sampled_judgments import Pools, prels_rows, strata_rows
from assay.formats.recognition import recognise
from assay.io.sources import Source
from assay.measures.sampled_judgments import PooledDocument, RetrievedDocument, SampledView
from assay.settings import POSITIVE, WHOLE, Settings, option
from assay.tasks import preferences


class SampledSettings(Settings):
    """The choices of sampled pools."""

    depth: int | None = option(None, POSITIVE, "look at the first N documents of each topic only")
    level: int = option(1, WHOLE, "lowest grade that is relevant (default 1)")


BY_PROBABILITY, BY_STRATUM = ("statAP", "inum_rel"), ("statAP", "xinfAP", "infNDCG", "iP@10", "inum_rel")
"""What is computed of either kind of gold: nothing can be said of strata that it does not have."""


class SampledGold(preferences.GroupedGold):
    """The pool of every topic, with what was drawn of it."""

    def __init__(self, pools: Pools, name: str, level: int) -> None:
        self._pools = {t: {d: PooledDocument(*one) for d, one in pool.items()} for t, pool in pools.items()}
        self._level = level
        self.measures = (
            BY_STRATUM if any(d.stratum for p in self._pools.values() for d in p.values()) else BY_PROBABILITY
        )
        super().__init__(name, {topic: set(pool) for topic, pool in pools.items()})

    def view(self, topic: str, ranks: Mapping[str, int], num_ret: int) -> SampledView:
        """Where a run has the documents of the pool."""
        pool = self._pools[topic]
        found = sorted(
            (RetrievedDocument(rank, pool[document]) for document, rank in ranks.items()), key=lambda one: one.rank
        )
        return SampledView(list(pool.values()), found, num_ret, self._level)


def read(source: Source, runs: Sequence[Source], settings: SampledSettings) -> SampledGold:
    """The judgments of either kind, told apart by what the first line's fields are; the second of strata is 0, or Q0."""
    reader = recognise(source, "gold")
    known = reader.name if reader is not None else ""
    strata = source.head.words[1:2] in ([b"0"], [b"Q0"]) if known not in ("prels", "strata") else known == "strata"
    rows = strata_rows if strata else prels_rows
    return SampledGold(rows(source), source.name, settings.level)


def defaults(gold: SampledGold, runs: Sequence[Any], settings: SampledSettings) -> tuple[str, ...]:
    """What is computed unless something else is asked for."""
    return gold.measures


TASK = preferences.TASK.but(
    name="sampled",
    title="Sampled pools",
    headline="statAP",
    defaults=BY_STRATUM,
    more=defaults,
    settings=SampledSettings,
    read=read,
)
