"""What `assay agree` and `assay correct` print below their first lines."""

from __future__ import annotations

import assay
from assay.analyses.correction.correct import CorrectedPair, CorrectedRun, CorrectedValue, Correction
from assay.reports import results

ANN = {"q1": {"a": 0, "b": 1, "c": 2}, "q2": {"a": 1, "b": 0}}
BOB = {"q1": {"a": 0, "b": 1, "c": 0}, "q2": {"a": 1}}


def test_two_judges_have_their_grades_and_several_their_pairs():
    two = results.text(assay.agree({"ann": ANN, "bob": BOB}, resamples=0))
    assert [line.split() for line in two.splitlines()[5:9]] == [
        ["0", "1", "0", "0", "1"],
        ["1", "0", "2", "0", "2"],
        ["2", "1", "0", "0", "1"],
        ["all", "2", "2", "0", "4"],
    ]
    assert "Coefficient" not in two
    three = results.text(assay.agree({"ann": ANN, "bob": BOB, "carol": ANN}, resamples=0))
    assert "Each two judges" in three
    assert "↓" not in three


def test_verbose_has_every_coefficient_once():
    result = assay.agree({"ann": ANN, "bob": BOB}, resamples=0)
    whole = results.text(result, verbose=True)
    assert whole.count("Gwet's AC1") == whole.count("ann against bob") == whole.count(result.finding) == 1


def value(middle: float) -> dict[str, CorrectedValue | None]:
    return {"human": None, "ppi": CorrectedValue(middle, middle - 0.1, middle + 0.1), "rogan_gladen": None}


def test_runs_as_the_machine_and_as_people_see_them():
    runs = [
        CorrectedRun(name, "accuracy", score, value(0.5), 100, 20, 0.8, None, None, None)
        for name, score in (("b", 0.6), ("a", 0.7))
    ]
    pair = CorrectedPair("a", "b", "accuracy", 0.1, value(0.15), 0.5)
    settings = {"confidence": 0.95, "baseline": None}
    result = Correction(noun="question", runs=tuple(runs), pairs=(pair,), settings=settings, notes=("drawn",))
    lines = results.text(result).splitlines()
    assert [line.split() for line in lines[4:6]] == [
        ["a", ".70", ".50", ".40", "to", ".60", "20"],
        ["b", ".60", ".50", ".40", "to", ".60", "20"],
    ]
    assert lines[9].split() == ["a", "-", "b", ".10", ".15", ".05", "to", ".25", "holds"]
    none = CorrectedRun(
        "c", "accuracy", None, {"human": None, "ppi": None, "rogan_gladen": None}, 100, 1, None, None, None, None
    )
    bare = Correction(noun="question", runs=(none,), pairs=(), settings=settings)
    assert results.text(bare).splitlines()[4].split() == ["c", "n/a", "n/a", "1"]
