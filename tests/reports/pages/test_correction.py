"""The page of a correction, and its sentences."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from assay.analyses.correction.correct import CorrectedPair, CorrectedRun, CorrectedValue, Correction
from assay.reports.model import Note
from assay.reports.pages.correction import MAX_LISTED_PAIRS, machine_order, report_section, sections, summary


def run(name: str, machine: float, value: float | None = 0.5, **more) -> CorrectedRun:
    told = None if value is None else CorrectedValue(value, value - 0.1, value + 0.1)
    own = {"human": told, "ppi": told, "rogan_gladen": None}
    return CorrectedRun(name, "accuracy", machine, own, 100, 20, 0.8, more.get("se"), more.get("sp"), None)


def pair(one: str, two: str, machine: float, low: float, high: float) -> CorrectedPair:
    own = {"human": None, "ppi": CorrectedValue((low + high) / 2, low, high), "rogan_gladen": None}
    return CorrectedPair(one, two, "accuracy", machine, own, 0.5)


def found(runs, pairs=()) -> Correction:
    return Correction(
        noun="question",
        runs=tuple(runs),
        pairs=tuple(pairs),
        settings={"confidence": 0.95, "baseline": None},
        notes=("drawn",),
    )


def test_the_page_begins_with_the_finding_and_says_what_was_judged() -> None:
    runs = [run("b", 0.6), run("a", 0.7), run("c", 0.5)]
    result = found(runs, [pair("a", "b", 0.1, 0.05, 0.2)] * 3)
    first, second, *_ = sections(result)[0].blocks
    assert first == Note(result.finding)
    assert second == Note("A machine judged 3 runs on 100 questions, and people 20 of them for each run.")
    assert machine_order(runs) == "By the machine: a > b > c."
    assert machine_order([run(str(i), i / 10) for i in range(9)]) == "By the machine: 8 first of 9 runs."


def test_what_nobody_can_say_has_no_column() -> None:
    one, notes = sections(found([run("a", 0.7), run("b", 0.6)], [pair("a", "b", 0.1, 0.05, 0.2)]))
    table = next(block for block in one.blocks if getattr(block, "id", "") == "correct-runs-1")
    assert [column.label for column in table.columns] == ["Run", "Machine", "Human alone", "PPI++", "Labels", "λ"]
    assert [block.body for block in notes.blocks] == ["Drawn."]
    _, notes = sections(found([run("a", 0.7, se=0.9, sp=0.8)]))
    assert notes.blocks[0].id == "correct-agreement"


def test_a_report_has_one_section_of_it_and_of_many_runs_the_neighbours_alone() -> None:
    """Ten runs are 45 pairs, more than a report shows, and nine neighbours; their names are not in the machine's order."""
    runs = [run(name, score / 10) for name, score in zip("jabcdefghi", range(10), strict=True)]
    pairs = [pair(one.run, two.run, one.machine - two.machine, -0.1, 0.2) for one, two in combinations(runs, 2)]
    assert len(pairs) > MAX_LISTED_PAIRS
    made = report_section(found(runs, pairs))
    (differences,) = [block for block in made.blocks if getattr(block, "title", "") == "Differences"]
    assert [row[0].text + row[1].text for row in differences.rows] == [
        "ja",
        "ab",
        "bc",
        "cd",
        "de",
        "ef",
        "fg",
        "gh",
        "hi",
    ]
    assert made.blocks[0] == Note(
        "Only differences of neighbours in the machine's ranking; `assay correct` lists all 45."
    )


def test_two_measures_say_once_what_was_judged() -> None:
    runs = [run("a", 0.7), run("b", 0.6)]
    both = [*runs, *(replace(one, measure="c@1") for one in runs)]
    made = report_section(found(both))
    assert sum(block == Note(summary(found(both), runs)) for block in made.blocks) == 1
    assert [block.title for block in made.blocks if getattr(block, "id", "").startswith("correct-runs")] == [
        "Machine and people: accuracy",
        "Machine and people: c@1",
    ]
