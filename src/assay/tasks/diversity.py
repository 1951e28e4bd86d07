"""Diversity: documents are judged for each subtopic of a topic, and a good ranking covers all subtopics early.

Runs, their order and the settings are those of ranked retrieval. Its measures work too: they see for each document its best
grade over the subtopics.
"""

from __future__ import annotations

from functools import partial

from assay.errors import InputError
from assay.formats.ranked.subtopics import read_subtopics, read_weights
from assay.formats.ranked.trec import pack_gold
from assay.io.sources import Source, source_of
from assay.measures.views.subtopics import Subtopics, SubtopicView
from assay.settings import FILE, option
from assay.tasks import ranked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from assay.core import Ranked
    from assay.formats.ranked.preferences import JudgmentGroups
    from assay.formats.ranked.subtopics import Weights


class DiversitySettings(ranked.RankingSettings):
    """The settings of diversity."""

    intent_weights: Any = option(
        None, FILE, "diversity: how much each subtopic counts (topic, subtopic, weight a line)"
    )


class DiversityGold(ranked.RankedGold):
    """The judgments by subtopic; the core and measures of rankings see a document's best grade."""

    def __init__(self, judged: JudgmentGroups, name: str, weights: Weights | None = None) -> None:
        documents = {topic: _by_document(subtopics) for topic, subtopics in judged.items()}
        if weights is not None:
            _check_weights(judged, weights, name)
        best = {
            topic: {document: max(grades.values()) for document, grades in judgments.items()}
            for topic, judgments in documents.items()
        }
        if not any(best.values()):
            raise InputError(f"{name}: no judged document; expected subtopics with documents")
        super().__init__(pack_gold(best, Source(name)), name)
        self.subtopics: list[Subtopics] = [
            Subtopics(list(documents[topic].items()), None if weights is None else weights[topic])
            for topic in self.topics
        ]

    def views(self, ranked: Ranked, source: Source, level: int) -> DiversityViews:
        return DiversityViews(self, ranked, source, level)


def _by_document(subtopics: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    documents: dict[str, dict[str, int]] = {}
    for subtopic, judged in subtopics.items():
        for document, grade in judged.items():
            documents.setdefault(document, {})[subtopic] = grade
    return documents


def _check_weights(judged: JudgmentGroups, weights: Weights, name: str) -> None:
    for topic, subtopics in judged.items():
        for subtopic in subtopics:
            if subtopic not in weights.get(topic, {}):
                raise InputError(
                    f"{name}: subtopic {subtopic} of topic {topic} has no weight in `intent_weights=…`; "
                    "add it, with 0 to ignore the subtopic"
                )


class DiversityViews(ranked.RankedViews):
    """One run joined with the judgments: a view per topic of the gold."""

    gold: DiversityGold

    def __iter__(self) -> Iterator[SubtopicView]:
        nothing: tuple[list[int], list[int], list[int]] = ([], [], [])
        for topic, (judgments, subtopics) in enumerate(zip(self.gold.judgments, self.gold.subtopics, strict=True)):
            count = self._ranked.num_ret[topic]
            if count < 0:
                yield SubtopicView(judgments, 0, nothing, tuple, self.level, subtopics, lambda: ((), ()))
            else:
                pooled, numbered = partial(self._ranked.pooled_grades, topic), partial(self._ranked.pooled, topic)
                relevant = self._ranked.relevant(topic)
                yield SubtopicView(judgments, count, relevant, pooled, self.level, subtopics, numbered)

    def column(self, name: str) -> list[Any]:
        """Return `subtopics`, the number per topic with a relevant document, or an ingredient of ranked retrieval."""
        if name == "subtopics":
            return [len(subtopics.relevance(self.level).counts) for subtopics in self.gold.subtopics]
        return super().column(name)


def read(source: Source, runs: Sequence[Source], settings: DiversitySettings) -> DiversityGold:
    """Read the judgments by subtopic, and the weights if given."""
    file = settings.intent_weights
    weights = None if file is None else read_weights(source_of(file))
    return DiversityGold(read_subtopics(source), source.name, weights)


TASK = ranked.TASK.but(
    name="diversity",
    title="Diversity",
    headline="alpha_nDCG@20",
    defaults=("alpha_nDCG@20", "ERR_IA@20", "NRBP", "AP_IA", "P_IA@20", "StRecall@20"),
    settings=DiversitySettings,
    read=read,
    recognised="{}: a document is judged several times, so that the second field is read as the subtopic. "
    "Fix: use `task='judgment-groups'` where it is the judge",
)
