"""The sections of `assay agree`."""

from __future__ import annotations

import assay
from assay.analyses.judges.agree import JudgeAgreement
from assay.analyses.judges.rankings import Move, TwoRankings
from assay.reports.model import Chart, Note, Table
from assay.reports.pages.judge_agreement import MAX_LISTED_PAIRS, ranking_sentence, sections, summary

ANN = {"q1": {"a": 0, "b": 1, "c": 2}, "q2": {"a": 1, "b": 0}}
BOB = {"q1": {"a": 0, "b": 1, "c": 0}, "q2": {"a": 1}}


def found(**options) -> JudgeAgreement:
    return assay.agree({"ann": ANN, "bob": BOB}, **{"resamples": 0, **options})


def tables(result: JudgeAgreement) -> dict[str, Table]:
    return {block.id: block for section in sections(result) for block in section.blocks if isinstance(block, Table)}


def texts(table: Table) -> list[list[str]]:
    return [[cell.whole_text for cell in row] for row in table.rows]


def test_the_summary_counts_what_both_judged() -> None:
    assert summary(found()) == "ann and bob judged 5 documents of 2 topics (4 by both)."
    assert sections(found())[0].blocks[0] == Note(found().finding)


def test_a_judge_who_never_varies() -> None:
    told = summary(assay.agree({"a": {"q": {"d": 1, "e": 1}}, "b": {"q": {"d": 1, "e": 1}}}, resamples=0))
    assert told == (
        "a and b judged 2 documents of 1 topic (2 by both). Agreement beyond chance is undefined where one judge always gives "
        "the same grade."
    )


def test_grades_nobody_uses_are_not_drawn() -> None:
    table = tables(found(scale="0-9"))["agree-confusion-1"]
    assert [column.label for column in table.columns] == ["ann ↓ bob →", "0", "1", "2", "all"]
    assert texts(table) == [
        ["0", "1", "0", "0", "1"],
        ["1", "0", "2", "0", "2"],
        ["2", "1", "0", "0", "1"],
        ["all", "2", "2", "0", "4"],
    ]


def test_topics_and_disagreements() -> None:
    made = tables(found())
    assert texts(made["agree-topics"])[0][:4] == ["q1", "3", "1", "0.667"]
    assert texts(made["agree-disagreements"]) == [["q1", "c", "ann 2, bob 0"]]
    assert made["agree-disagreements"].caption == "1 document to decide, the widest first."


def test_judges_of_one_mind() -> None:
    same = sections(assay.agree({"ann": ANN, "bob": ANN}, resamples=0))
    assert Note("The judges differ on no document.") in same[-1].blocks


def test_many_judges_have_a_chart_and_a_table_of_pairs() -> None:
    three = assay.agree({"ann": ANN, "bob": BOB, "carol": ANN}, reference="ann", resamples=0)
    first = sections(three)[0]
    assert [block.drawing.rows[0][0] for block in first.blocks if isinstance(block, Chart)] == ["carol"]
    assert [row[0] for row in texts(tables(three)["agree-pairs"])] == ["carol", "bob"]
    assert tables(three)["agree-pairs"].title == "Each judge against ann"


def test_hundreds_of_pairs_are_cut_and_said() -> None:
    many = assay.agree({f"j{i}": ANN if i % 2 else BOB for i in range(12)}, resamples=0)
    assert len(many.pairs) == 66
    assert not any(isinstance(block, Chart) for block in sections(many)[0].blocks)
    table = tables(many)["agree-pairs"]
    assert len(table.rows) == MAX_LISTED_PAIRS
    assert "have 26 more" in table.caption
    # c is 2 to six of the judges and 0 to the others.
    assert texts(tables(many)["agree-disagreements"]) == [["q1", "c", "6 × 0, 6 × 2"]]


def test_the_sentence_of_two_rankings() -> None:
    one = TwoRankings("ann", "bob", 8, 0.5, 0.4, 0.9, Move("x", 5, 2), None, 28, (10, 9), 6, 2, 3, 1)
    assert ranking_sentence(one, "AP") == (
        "The rankings of 8 runs by AP under ann and bob have a tau-b of 0.500; under bob x rises from 5 to 2."
    )
    none = TwoRankings("ann", "bob", 2, 1.0, 1.0, 1.0, None, None, 1, (0, 0), 0, 0, 0, 0)
    assert ranking_sentence(none, "AP").endswith("have a tau-b of 1.000; no run changes its place.")


def test_the_runs_under_each_judge() -> None:
    runs = {"x": {"q1": {"c": 2.0, "a": 1.0}, "q2": {"a": 1.0}}, "y": {"q1": {"b": 1.0}, "q2": {"b": 1.0}}}
    made = tables(found(runs=runs, measure="P@1"))
    # On the documents both judged: x finds c, then a; y finds b, then nothing judged.
    assert texts(made["agree-scores"]) == [["x", "1.0000", "0.5000"], ["y", "0.5000", "0.5000"]]
    assert texts(made["agree-rankings"])[0][5:7] == ["y 2 → 1", "none"]


def test_a_kappa_of_zero_is_above_one_below_and_one_that_is_undefined() -> None:
    """ann and bob: half agreed, as chance has it; ann and eve: the opposite of each other; ann and max: max never varies."""
    said = {"ann": "0011", "bob": "0101", "eve": "1100"}
    judges = {name: {"q": dict(zip("abcd", map(int, grades), strict=True))} for name, grades in said.items()}
    judges["max"] = {"q": {"a": 0}}
    result = assay.agree(judges, reference="ann", resamples=0)
    assert [row[0] for row in texts(tables(result)["agree-pairs"])] == ["bob", "eve", "max"]


def test_a_note_that_begins_with_a_file_keeps_its_name(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dup.qrels").write_text("q 0 a 1\nq 0 a 0\n")
    (tmp_path / "two.qrels").write_text("q 0 a 1\n")
    result = assay.agree(["two.qrels", "dup.qrels"])
    told = [block.body for section in sections(result) for block in section.blocks if isinstance(block, Note)]
    assert any(text.startswith("dup.qrels: dup judged 1 pair twice") for text in told)
    assert any(text.startswith("No intervals: ") for text in told)
