"""Gold made of preferences or of several judges' grades: what the ranked task holds instead of plain qrels.

    read_preferences         trec_eval -R prefs         -> PreferenceGold
    read_qrels_preferences   trec_eval -R qrels_prefs   -> PreferenceGold
    read_judgment_groups     trec_eval -R qrels_jg      -> JudgmentGroupGold

A preference gold wants ranks with ties broken by *ascending* document id, as trec_eval breaks them for preferences alone
and the results published with it need; a judgment-group gold wants those of ordinary qrels. Both offer the same three
things: `topics`, `documents(topic)` and `view(topic, ranks, num_ret, ...)`.
"""

from __future__ import annotations

from assay.errors import FormatError, InputError
from assay.formats.preferences import judgment_group_rows, preference_rows, qrels_preference_rows
from assay.measures.preference_views import JudgmentGroupView, Ordering, PreferenceView, byte_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.formats.preferences import JudgmentGroups, Preferences
    from assay.formats.sources import Source


def read_preferences(source: Source) -> PreferenceGold:
    """Preferences of each topic: five fields a line, the third the subgroup."""
    return PreferenceGold(preference_rows(source), source.name)


def read_qrels_preferences(source: Source) -> PreferenceGold:
    """A qrels file as preferences: within a group the higher grade is preferred."""
    return PreferenceGold(qrels_preference_rows(source), source.name)


def read_judgment_groups(source: Source) -> JudgmentGroupGold:
    """A qrels file whose second field names the judgment group."""
    return JudgmentGroupGold(judgment_group_rows(source))


class PreferenceGold:
    """The preferences of every topic, each group's checked for contradictions once, before any run."""

    __slots__ = ("_orderings", "topics")

    def __init__(self, preferences: Preferences, name: str) -> None:
        self.topics = sorted(preferences, key=byte_order)
        self._orderings: dict[str, list[Ordering]] = {}
        for topic in self.topics:
            orderings = self._orderings[topic] = []
            for group in sorted(preferences[topic], key=byte_order):
                try:
                    orderings.append(Ordering(list(preferences[topic][group].values())))
                except InputError as conflict:
                    raise FormatError(name, None, f"topic {topic}, group {group}: {conflict}") from None

    def documents(self, topic: str) -> list[str]:
        """The documents any group has an opinion on, in byte order."""
        return sorted({d for ordering in self._orderings[topic] for d in ordering.documents}, key=byte_order)

    def view(
        self, topic: str, ranks: Mapping[str, int], num_ret: int = 0, level: int = 1, judged_only: bool = False
    ) -> PreferenceView:
        """The topic through a run; only the order of judged documents counts, so the other arguments change nothing."""
        del num_ret, level, judged_only
        return PreferenceView(self._orderings[topic], ranks)


class JudgmentGroupGold:
    """Grades of every topic by judgment group."""

    __slots__ = ("_groups", "topics")

    def __init__(self, groups: JudgmentGroups) -> None:
        self.topics = sorted(groups, key=byte_order)
        self._groups = {
            topic: [groups[topic][group] for group in sorted(groups[topic], key=byte_order)] for topic in self.topics
        }

    def documents(self, topic: str) -> list[str]:
        """The documents any group pooled, in byte order."""
        return sorted({document for grades in self._groups[topic] for document in grades}, key=byte_order)

    def view(
        self, topic: str, ranks: Mapping[str, int], num_ret: int, level: int = 1, judged_only: bool = False
    ) -> JudgmentGroupView:
        """The topic through a run, each group by itself; `judged_only` is trec_eval's -J, applied to each group."""
        return JudgmentGroupView(self._groups[topic], ranks, num_ret, level, judged_only)
