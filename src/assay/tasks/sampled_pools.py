"""Sampled pools: judgments of some of the pooled documents, drawn with known probabilities."""

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
    """The settings of sampled pools."""

    depth: int | None = option(None, POSITIVE, "look at the first N documents of each topic only")
    level: int = option(1, WHOLE, "lowest grade that is relevant (default 1)")


BY_PROBABILITY, BY_STRATUM = ("statAP", "inum_rel"), ("statAP", "xinfAP", "infNDCG", "iP@10", "inum_rel")
"""Default measures of gold with probabilities alone, and of gold with strata."""


class SampledGold(preferences.GroupedGold):
    """The pool of every topic, with the documents drawn."""

    def __init__(self, pools: Pools, name: str, level: int) -> None:
        self._pools = {t: {d: PooledDocument(*fields) for d, fields in pool.items()} for t, pool in pools.items()}
        self._level = level
        self.measures: tuple[str, ...] = (
            BY_STRATUM if any(d.stratum for p in self._pools.values() for d in p.values()) else BY_PROBABILITY
        )
        super().__init__(name, {topic: set(pool) for topic, pool in pools.items()})

    def view(self, topic: str, ranks: Mapping[str, int], num_ret: int) -> SampledView:
        """Return the topic as ranked by a run."""
        pool = self._pools[topic]
        retrieved = sorted(
            (RetrievedDocument(rank, pool[document]) for document, rank in ranks.items()), key=lambda drawn: drawn.rank
        )
        return SampledView(list(pool.values()), retrieved, num_ret, self._level)


def read(source: Source, runs: Sequence[Source], settings: SampledSettings) -> SampledGold:
    """Read the judgments; the second field of a first line with strata is 0 or Q0."""
    reader = recognise(source, "gold")
    known = reader.name if reader is not None else ""
    strata = source.head.words[1:2] in ([b"0"], [b"Q0"]) if known not in ("prels", "strata") else known == "strata"
    rows = strata_rows if strata else prels_rows
    return SampledGold(rows(source), source.name, settings.level)


def defaults(gold: SampledGold, runs: Sequence[Any], settings: SampledSettings) -> tuple[str, ...]:
    """Return the default measures."""
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
