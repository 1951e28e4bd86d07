"""Pairwise preferences: battles between two systems, and which was preferred.

All files together are one gold with its runs: every system is a run, every question a topic. The win rate of a system is
undefined on a question without a battle; strengths (Bradley-Terry) are computed from all battles at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from assay.errors import InputError
from assay.formats.answers.battles import Battle, any_battles
from assay.formats.harness.logs import LogReading
from assay.io.sources import Source
from assay.measures.engines.bradley_terry import Fought, why_undefined
from assay.measures.pairwise import DEFAULTS, LENGTHS, STRENGTHS, PairView
from assay.settings import FOR_TOPICS, FOR_UNDEFINED, LEFT_OUT, NO_VALUE, Kind, Settings, one_of, option
from assay.table.notes import Notes
from assay.tasks import Task, TaskGold

SCORER = "of several annotators in AlpacaEval's annotations, which one"


class PairwiseSettings(Settings):
    """The settings of pairwise preferences."""

    missing: str = option("skip", one_of(*FOR_TOPICS), LEFT_OUT)
    undefined: str = option("skip", one_of(*FOR_UNDEFINED), NO_VALUE)
    scorer: str | None = option(None, Kind(str, "an annotator", "NAME"), SCORER)


class BattlesGold(TaskGold):
    """All battles, by question."""

    names_runs = True

    def __init__(self, battles: Iterable[tuple[str, Battle]], first: Source | None = None, unjudged: int = 0) -> None:
        by_question: dict[str, list[Battle]] = {}
        self.files: dict[str, str] = {}
        """By system, the first file it occurs in."""
        for file, battle in battles:
            by_question.setdefault(battle.question, []).append(battle)
            for name in (battle.a, battle.b):
                self.files.setdefault(name, file)
        self.first: Source | None = first
        self.unjudged: int = unjudged
        self.topics: list[str] = sorted(by_question, key=lambda topic: topic.encode("utf-8", "surrogateescape"))
        self.battles: Fought = Fought([by_question[topic] for topic in self.topics])
        self.names: list[str] = list(self.files)
        self.battles_of: dict[str, list[list[Battle]]] = {name: [[] for _ in self.topics] for name in self.names}
        """By system and question its battles, with the system as `a`."""
        for place, several in enumerate(self.battles):
            for battle in several:
                self.battles_of[battle.a][place].append(battle)
                self.battles_of[battle.b][place].append(_swapped(battle))
        self.no_strengths: str = why_undefined(self.battles)
        """Why there are no strengths; empty where there are."""
        self._difficulty: list[float] | None = None

    @property
    def difficulty(self) -> list[float]:
        """The difficulty of winning each question against the common baseline; 0 without one."""
        if self._difficulty is None:
            from assay.measures.engines.length_control import difficulties

            self._difficulty = difficulties(self.battles)
        return self._difficulty


class PairViews:
    """One system: a view per question."""

    def __init__(self, gold: BattlesGold, name: str) -> None:
        self.gold: BattlesGold = gold
        self.name: str = name
        self.file: str = gold.files[name]
        self.missing: list[bool] = [False] * len(gold.topics)
        self.notes: Notes = Notes()
        self.battles: list[list[Battle]] = gold.battles_of[name]

    def __iter__(self) -> Iterator[PairView]:
        for battles in self.battles:
            yield PairView([battle.won for battle in battles])

    @property
    def has_lengths(self) -> bool:
        return all(
            battle.length_a is not None and battle.length_b is not None
            for battles in self.battles
            for battle in battles
        )

    def column(self, name: str) -> Sequence[Any]:
        """Return all `battles`, `run` (the name), its own `won`, `longer` and `fought`, or `difficulty`."""
        if name == "battles":
            return self.gold.battles
        if name == "run":
            return [self.name] * len(self.battles)
        if name == "won":
            return [tuple(battle.won for battle in battles) for battles in self.battles]
        if name == "longer":
            return [tuple(_longer(battle) for battle in battles) for battles in self.battles]
        if name == "difficulty":
            return self.gold.difficulty
        if name == "fought":
            return [len(battles) for battles in self.battles]
        raise KeyError(name)


def _swapped(battle: Battle) -> Battle:
    return Battle(battle.question, battle.b, battle.a, 1 - battle.won, battle.length_b, battle.length_a)


def _longer(battle: Battle) -> int | None:
    return None if battle.length_a is None or battle.length_b is None else battle.length_a - battle.length_b


def read(source: Source | None, runs: Sequence[Source], settings: PairwiseSettings) -> BattlesGold:
    """Read the battles of all files."""
    sources = [source, *runs] if source is not None else runs
    reading = LogReading({"scorer": settings.scorer})
    battle_files = [(each.name, *any_battles(each, reading)) for each in sources]
    reading.check()
    battles = [(file, battle) for file, several, _ in battle_files for battle in several]
    if not battles:
        raise InputError(f"{sources[0].name}: no battles; expected {{question, a, b, winner}} a line")
    return BattlesGold(battles, sources[0], sum(lost for *_, lost in battle_files))


def join(gold: BattlesGold, source: Source, settings: PairwiseSettings) -> list[PairViews]:
    """Return every system with the first file, and nothing with the others."""
    if source is not gold.first:
        return []
    runs = [PairViews(gold, name) for name in gold.names]
    if gold.no_strengths:
        runs[0].notes.warnings.append(f"no strengths (BT, Davidson): {gold.no_strengths}")
    if gold.unjudged:
        runs[0].notes.warnings.append(f"{gold.unjudged} pairs without a judgment are excluded")
    return runs


def more(gold: BattlesGold, runs: Sequence[PairViews], settings: PairwiseSettings) -> tuple[str, ...]:
    """Return the default measures, with strengths and the win rate at equal length where possible."""
    strengths = () if gold.no_strengths else STRENGTHS
    lengths = LENGTHS if all(run.has_lengths for run in runs) else ()
    return (*strengths, *DEFAULTS, *lengths)


TASK = Task(
    name="pairwise",
    title="Pairwise preferences",
    noun="question",
    headline="BT",
    defaults=(*STRENGTHS, *DEFAULTS),
    more=more,
    settings=PairwiseSettings,
    read=read,
    judged=True,
    pooled=True,
    join=join,
)
