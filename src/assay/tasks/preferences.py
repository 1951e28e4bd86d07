"""Preferences and judgment groups: gold that says which of two documents is better, and qrels of several judges.

    topic group subgroup document value     preferences as such (trec_eval -R prefs)
    topic group document grade              qrels read as preferences: the higher grade is preferred (-R qrels_prefs)

Judgment groups are qrels of several judges, named in the second column, with equal weight (-R qrels_jg).

Ties of preferences are broken by *ascending* document id, as in trec_eval for preferences alone and in results published with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.core import Gold, Ranked
from assay.errors import FormatError, InputError
from assay.formats.ranked.preferences import judgment_group_rows, preference_rows, qrels_preference_rows
from assay.formats.ranked.trec import pack_gold
from assay.io.sources import Source
from assay.measures.views.preferences import JudgmentGroupView, Ordering, PreferenceView, byte_order
from assay.settings import FOR_UNDEFINED, NO_VALUE, POSITIVE, Settings, one_of, option
from assay.table.notes import Notes
from assay.tasks import TaskGold, ranked
from assay.tasks.ranked_runs import rank_run


class PreferenceSettings(Settings):
    """The settings of preferences."""

    undefined: str = option("zero", one_of(*FOR_UNDEFINED), NO_VALUE)
    depth: int | None = option(None, POSITIVE, "look at the first N documents of each topic only")


class GroupedGold(TaskGold):
    """Judgments by group, a group being one person's opinion at one time; subclasses define `view`."""

    ascending_ties = False

    def __init__(self, name: str, documents: Mapping[str, set[str]]) -> None:
        self.name = name
        self.topics: list[str] = sorted(documents, key=byte_order)
        # The core only ranks these documents; the groups have their values.
        unjudged = {topic: dict.fromkeys(sorted(documents[topic], key=byte_order), 0) for topic in self.topics}
        self.core: Gold = pack_gold(unjudged, Source(name))

    def view(self, topic: str, ranks: Mapping[str, int], num_ret: int) -> Any:
        raise NotImplementedError


class PreferenceGold(GroupedGold):
    """The preferences of every topic, checked for contradictions once."""

    ascending_ties = True

    def __init__(self, preferences: dict[str, dict[str, dict[str, dict[str, float]]]], name: str) -> None:
        self._orderings: dict[str, list[Ordering]] = {}
        for topic in sorted(preferences, key=byte_order):
            orderings = self._orderings[topic] = []
            for group in sorted(preferences[topic], key=byte_order):
                try:
                    orderings.append(Ordering(list(preferences[topic][group].values())))
                except InputError as conflict:
                    raise FormatError(name, None, f"topic {topic}, group {group}: {conflict}") from None
        super().__init__(
            name,
            {t: {d for ordering in of_topic for d in ordering.documents} for t, of_topic in self._orderings.items()},
        )

    def view(self, topic: str, ranks: Mapping[str, int], num_ret: int) -> PreferenceView:
        """Return the topic as ordered by a run; only the order of judged documents counts."""
        return PreferenceView(self._orderings[topic], ranks)


class GroupedViews:
    """One run: a view per topic of the gold."""

    def __init__(self, gold: GroupedGold, ranked: Ranked, source: Source) -> None:
        self._gold = gold
        self.ranked = ranked
        self.name: str = source.label or ranked.tag or source.stem
        self.file: str | None = source.name if source.is_bytes else None
        self.tag: str = ranked.tag
        self.missing: list[bool] = [count < 0 for count in ranked.num_ret]
        self.notes: Notes = Notes(ignored_topics=ranked.ignored or None)

    def __iter__(self) -> Iterator[Any]:
        for t, topic in enumerate(self._gold.topics):
            if self.missing[t]:
                # trec_eval scores a missing topic as retrieving one unknown document.
                yield self._gold.view(topic, {}, 1)
                continue
            ids = [document for document, _ in self._gold.core.documents(t)]
            ranks, numbers = self.ranked.pooled(t)
            places = {ids[number]: rank for rank, number in zip(ranks, numbers, strict=True)}
            yield self._gold.view(topic, places, self.ranked.num_ret[t])

    def column(self, name: str) -> list[Any]:
        raise KeyError(name)


def read(source: Source, runs: Sequence[Source], settings: Settings) -> PreferenceGold:
    """Read the preferences of a file of either kind; qrels have four fields a line."""
    rows = qrels_preference_rows if len(source.head.words) == 4 else preference_rows
    return PreferenceGold(rows(source), source.name)


def views(gold: GroupedGold, source: Source, **options: Any) -> GroupedViews:
    """Read a run and join it with the gold; the options are those of `rank_run`."""
    return GroupedViews(gold, rank_run(source, gold.core, ascending_ties=gold.ascending_ties, **options), source)


def join(gold: GroupedGold, source: Source, settings: Any) -> list[GroupedViews]:
    """Read a run and join it with the gold."""
    joined = views(gold, source, depth=settings.depth)
    ranked.check_common(source, joined.ranked, gold.name, gold.topics)
    return [joined]


TASK = ranked.TASK.but(
    name="preferences",
    title="Preferences",
    headline="prefs_simp",
    defaults=("prefs_simp", "prefs_pair", "prefs_avgjg", "prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret"),
    settings=PreferenceSettings,
    read=read,
    join=join,
)


class JudgmentGroupGold(GroupedGold):
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


def read_judgment_groups(gold: Source, runs: Sequence[Source], settings: ranked.RankingSettings) -> JudgmentGroupGold:
    """Read the judgments by group."""
    return JudgmentGroupGold(gold, settings.level, settings.judged_only)


JUDGMENT_GROUPS = TASK.but(
    name="judgment-groups",
    title="Judgment groups",
    headline="map_avgjg",
    defaults=("map_avgjg", "P_avgjg@10", "Rprec_mult_avgjg@1.0"),
    settings=ranked.RankingSettings,
    read=read_judgment_groups,
)
