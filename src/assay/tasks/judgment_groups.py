"""Judgment groups: qrels of several judges, named in the second column, with equal weight (trec_eval -R qrels_jg)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.formats.ranked.preferences import judgment_group_rows
from assay.io.sources import Source
from assay.measures.views.preferences import JudgmentGroupView, byte_order
from assay.tasks import preferences
from assay.tasks.ranked import RankedSettings


class JudgmentGroupGold(preferences.GroupedGold):
    """Grades by topic and judgment group; `judged_only` drops in each group the documents it did not judge."""

    def __init__(self, source: Source, level: int, judged_only: bool) -> None:
        groups = judgment_group_rows(source)
        self._groups = {t: [groups[t][group] for group in sorted(groups[t], key=byte_order)] for t in groups}
        self._level = level
        self._judged_only = judged_only
        super().__init__(
            source.name, {t: {d for grades in grouped for d in grades} for t, grouped in self._groups.items()}
        )

    def view(self, topic: str, ranks: Mapping[str, int], num_ret: int) -> JudgmentGroupView:
        """Return the topic as ranked by a run, with the grades of each group."""
        return JudgmentGroupView(self._groups[topic], ranks, num_ret, self._level, self._judged_only)


def read(gold: Source, runs: Sequence[Source], settings: RankedSettings) -> JudgmentGroupGold:
    """Read the judgments by group."""
    return JudgmentGroupGold(gold, settings.level, settings.judged_only)


TASK = preferences.TASK.but(
    name="judgment-groups",
    title="Judgment groups",
    headline="map_avgjg",
    defaults=("map_avgjg", "P_avgjg@10", "Rprec_mult_avgjg@1.0"),
    settings=RankedSettings,
    read=read,
)
