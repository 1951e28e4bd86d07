"""Judgment groups: qrels of several judges, whose second column says which, each worth the same (trec_eval -R qrels_jg)."""

from __future__ import annotations

from assay.formats.preferences import judgment_group_rows
from assay.measures.preference_views import JudgmentGroupView, byte_order
from assay.tasks import Task, needed, ranked
from assay.tasks.preferences import GroupedGold, GroupedViews, views
from assay.tasks.ranked import RankedSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.formats.preferences import JudgmentGroups
    from assay.formats.sources import Source


class JudgmentGroupGold(GroupedGold):
    """Grades of every topic by judgment group; `judged_only` drops, in each group, what it did not judge."""

    def __init__(self, groups: JudgmentGroups, name: str, level: int, judged_only: bool) -> None:
        self._groups = {t: [groups[t][group] for group in sorted(groups[t], key=byte_order)] for t in groups}
        self._level = level
        self._judged_only = judged_only
        super().__init__(name, {t: {d for grades in found for d in grades} for t, found in self._groups.items()})

    def view(self, topic: str, ranks: Mapping[str, int], num_ret: int) -> JudgmentGroupView:
        """The topic through a run, each group by itself."""
        return JudgmentGroupView(self._groups[topic], ranks, num_ret, self._level, self._judged_only)


def read_groups(source: Source, level: int, judged_only: bool) -> JudgmentGroupGold:
    """The judgments of a qrels file by group."""
    return JudgmentGroupGold(judgment_group_rows(source), source.name, level, judged_only)


def read(gold: Source | None, runs: Sequence[Source], settings: RankedSettings) -> JudgmentGroupGold:
    """The judgments by group."""
    return read_groups(needed(gold), settings.level, settings.judged_only)


def join(gold: JudgmentGroupGold, source: Source, settings: RankedSettings) -> list[GroupedViews]:
    """A run joined with the judgments."""
    return [views(gold, source, depth=settings.depth)]


TASK = Task(
    "judgment-groups",
    title="Judgment groups",
    noun="topic",
    headline="map_avgjg",
    defaults=("map_avgjg", "P_avgjg@10", "Rprec_mult_avgjg@1.0"),
    settings=RankedSettings,
    read=read,
    join=join,
    one_run=ranked.one_run,
    figures=None,
    ahead=True,
    pages="assay.reports.pages.scores",
)
