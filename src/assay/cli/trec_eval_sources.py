"""The files of a trec_eval call, in each of its formats, as views."""

from __future__ import annotations

from assay.formats.ranked.trec import read_run
from assay.io.sources import source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from assay.cli.trec_eval import Options

    Measured = Callable[[Sequence[tuple[str, int | None]]], list[Sequence[float | None]] | None]


class Run:
    """A run as trec_eval sees it: (topic, missing, view) for every judged topic, in byte order."""

    def __init__(
        self, tag: str, views: Iterable[tuple[str, bool, Any]], missing_count: int, measured: Measured = lambda kernels: None
    ) -> None:  # fmt: skip
        self.tag = tag
        self.views = views
        self.missing_count = missing_count
        self.measured = measured
        """The columns of kernels of the core; nothing where the views must be measured."""


def open_views(options: Options) -> Run:
    """Read both files of a call."""
    return _ranked(options) if options.relevance_format == "qrels" else _preferences(options)


def _ranked(options: Options) -> Run:
    from assay.formats.ranked.trec import read_qrels
    from assay.tasks.ranked import RankedGold, RankedViews

    source = source_of(options.files[0])
    gold = RankedGold(read_qrels(source), source.name)
    run = source_of(options.files[1])
    ranked = read_run(run, gold.core, judged_only="-J" in options.flags, **_reading(options))
    views = RankedViews(gold, ranked, run, options.level)
    topics = zip(gold.topics, views.missing, views, strict=True)
    return Run(ranked.tag, topics, sum(views.missing), views.measured)


def _preferences(options: Options) -> Run:
    from assay.formats.ranked.preferences import preference_rows, qrels_preference_rows
    from assay.tasks import judgment_groups, preferences

    source = source_of(options.files[0])
    if options.relevance_format == "qrels_jg":
        gold = judgment_groups.JudgmentGroupGold(source, options.level, "-J" in options.flags)
    else:
        rows = preference_rows if options.relevance_format == "prefs" else qrels_preference_rows
        gold = preferences.PreferenceGold(rows(source), source.name)
    views = preferences.views(gold, source_of(options.files[1]), **_reading(options))
    return Run(views.tag, zip(gold.topics, views.missing, views, strict=True), sum(views.missing))


def _reading(options: Options) -> dict[str, Any]:
    return {"depth": options.depth, "float32": options.compat == 9, "any_fields": True}
