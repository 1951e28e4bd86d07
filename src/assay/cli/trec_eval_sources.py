"""The files of a trec_eval call, in each of its formats, as views."""

from __future__ import annotations

from array import array

from assay.formats.sources import source_of
from assay.formats.trec import read_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from assay.cli.trec_eval import Options


class Run:
    """A run as trec_eval sees it: (topic, missing, view) for every judged topic, in byte order."""

    def __init__(self, tag: str, views: Iterable[tuple[str, bool, Any]], missing_count: int) -> None:
        self.tag = tag
        self.views = views
        self.missing_count = missing_count


def open_views(options: Options) -> Run:
    """Read both files of a call."""
    return _ranked(options) if options.relevance_format == "qrels" else _preferences(options)


def _ranked(options: Options) -> Run:
    from assay.settings import Settings
    from assay.tasks.ranked import RankedViews, read_gold

    settings = Settings(level=options.level)
    gold = read_gold(source_of(options.files[0]), settings)
    run = source_of(options.files[1])
    ranked = read_run(
        run,
        gold.core,
        depth=options.depth,
        judged_only="-J" in options.flags,
        float32=options.compat == 9,
        any_fields=True,
    )
    views = RankedViews(gold, ranked, run, options.level)
    return Run(ranked.tag, zip(gold.topics, views.missing, views, strict=True), sum(views.missing))


def _preferences(options: Options) -> Run:
    from assay.native import Gold
    from assay.tasks.preferences import read_judgment_groups, read_preferences, read_qrels_preferences

    groups = options.relevance_format == "qrels_jg"
    readers = {"prefs": read_preferences, "qrels_prefs": read_qrels_preferences, "qrels_jg": read_judgment_groups}
    gold = readers[options.relevance_format](source_of(options.files[0]))
    documents = [list(gold.documents(topic)) for topic in gold.topics]
    core = Gold.pack(
        _joined(gold.topics), _joined([d for judged in documents for d in judged]),
        array("q", map(len, documents)), array("q", [0] * sum(map(len, documents))),
    )  # fmt: skip
    ranked = read_run(
        source_of(options.files[1]),
        core,
        depth=options.depth,
        float32=options.compat == 9,
        any_fields=True,
        ascending_ties=not groups,
    )
    judged_only = "-J" in options.flags

    def views() -> Iterable[tuple[str, bool, Any]]:
        for t, topic in enumerate(core.topics):
            if ranked.num_ret[t] < 0:
                # trec_eval scores a missing topic as retrieving one unknown document.
                yield topic, True, gold.view(topic, {}, 1, options.level, judged_only)
                continue
            ids = [document for document, _ in core.documents(t)]
            ranks, numbers = ranked.pooled(t)
            places = {ids[number]: rank for rank, number in zip(ranks, numbers, strict=True)}
            yield topic, False, gold.view(topic, places, ranked.num_ret[t], options.level, judged_only)

    return Run(ranked.tag, views(), sum(count < 0 for count in ranked.num_ret))


def _joined(ids: Iterable[str]) -> bytes:
    return "\0".join(ids).encode("utf-8", "surrogateescape")
