"""Documents of ranked retrieval, known-item search and filtering, worked out by hand."""

from __future__ import annotations

import os

import pytest

import assay
from assay.figures.items.lazy_items import items

QRELS = {"1": {"a": 2, "b": 1, "c": 0, "d": -1, "e": 1, "z": 2, "y": 1}, "2": {"q": 1}}
RUN = {"1": {"u": 9.0, "a": 8.0, "c": 7.0, "d": 6.0, "b": 5.0, "e": 4.0}}


def shown(entries):
    return [(entry.text, entry.rank, entry.verdict, entry.good, entry.value) for entry in entries]


def test_the_first_documents_then_relevant_ones_further_down() -> None:
    one, two = items(assay.evaluate(QRELS, {"r": RUN}), depth=3)
    assert shown(one.entries[0]) == [
        ("u", 1, "unjudged", None, 9.0),
        ("a", 2, "grade 2", True, 8.0),
        ("c", 3, "not relevant", False, 7.0),
        ("b", 5, "grade 1", True, None),
        ("e", 6, "grade 1", True, None),
    ]
    assert one.more == ("6 retrieved, 3 relevant",)
    assert one.gold == ("z (grade 2)", "y (grade 1)")
    assert one.fields == {"relevant": "5", "judged": "6"}
    assert (two.entries, two.more, two.gold) == (((),), ("no results",), ("q (grade 1)",))


def test_what_is_not_shown_is_counted() -> None:
    one, _ = items(assay.evaluate(QRELS, {"r": RUN}), depth=1)
    assert [entry.text for entry in one.entries[0]] == ["u", "a"]
    assert one.more == ("6 retrieved, 3 relevant; 2 more relevant not shown, the last at rank 6",)
    # Of three relevant ones the first is among the first documents, and the second stands below them.
    [three] = items(assay.evaluate({"1": {"a": 1, "b": 1, "c": 1}}, {"r": {"1": {"a": 3, "b": 2, "c": 1}}}), depth=1)
    assert three.more == ("3 retrieved, 3 relevant; 1 more relevant not shown, the last at rank 3",)


def test_a_document_is_lost_where_no_run_found_it() -> None:
    other = {"1": {"z": 1.0}, "2": {"q": 1.0}}
    one, two = items(assay.evaluate(QRELS, {"r": RUN, "other": other}))
    assert one.gold == ("y (grade 1)",)
    assert two.gold == ()


def test_the_lowest_relevant_grade_decides() -> None:
    one, _ = items(assay.evaluate(QRELS, {"r": RUN}, level=2), depth=5)
    assert shown(one.entries[0])[4] == ("b", 5, "grade 1, not relevant", False, 5.0)
    assert one.gold == ("z (grade 2)",)


def test_binary_judgments_have_no_grades_to_tell() -> None:
    [one] = items(assay.evaluate({"1": {"a": 1, "b": 0, "c": 1}}, {"r": {"1": {"a": 2, "b": 1}}}))
    assert [entry.verdict for entry in one.entries[0]] == ["relevant", "not relevant"]
    assert one.gold == ("c",)


def test_the_depth_and_the_judged_documents_of_the_settings_hold() -> None:
    one, _ = items(assay.evaluate(QRELS, {"r": RUN}, depth=2))
    assert [entry.text for entry in one.entries[0]] == ["u", "a"]
    one, _ = items(assay.evaluate(QRELS, {"r": RUN}, judged_only=True))
    assert [(entry.text, entry.rank) for entry in one.entries[0]] == [("a", 1), ("c", 2), ("b", 3), ("e", 4)]


def test_many_lost_documents_are_counted() -> None:
    [one] = items(assay.evaluate({"1": {f"d{i:02}": 1 for i in range(30)}}, {"r": {"1": {"x": 1.0}}}))
    assert len(one.gold) == 21
    assert one.gold[-1] == "and 10 more"


def test_a_known_item_is_named_though_it_was_found() -> None:
    [one] = items(assay.evaluate({"1": {"home": 1}}, {"r": {"1": {"home": 2.0}}}, task="known-item"))
    assert (one.fields, one.gold) == ({"looked for": "home"}, ())
    assert shown(one.entries[0]) == [("home", 1, "relevant", True, 2.0)]


def test_documents_are_told_with_the_subtopics_they_serve() -> None:
    gold = {"1": {"1": {"a": 1, "b": 0, "c": 2}, "2": {"b": 1, "c": 1}, "3": {"a": 0}}}
    [one] = items(assay.evaluate(gold, {"r": {"1": {"c": 3.0, "b": 2.0}}}))
    assert [(entry.text, entry.verdict) for entry in one.entries[0]] == [
        ("c", "grade 2, subtopics 1, 2"),
        ("b", "grade 1, subtopic 2"),
    ]
    assert one.fields == {"subtopics": "2", "relevant": "3", "judged": "3"}
    assert one.gold == ("a (grade 1)",)
    [strict] = items(assay.evaluate(gold, {"r": {"1": {"c": 3.0, "b": 2.0}}}, level=2))
    assert [entry.verdict for entry in strict.entries[0]] == ["grade 2, subtopic 1", "grade 1, not relevant"]


def test_a_run_that_is_gone_shows_what_is_known_of_it(tmp_path) -> None:
    (tmp_path / "run").write_text("1 Q0 u 1 2 t\n1 Q0 a 2 1 t\n")
    scores = assay.evaluate(QRELS, str(tmp_path / "run"))
    os.remove(tmp_path / "run")
    one, _ = items(scores)
    assert shown(one.entries[0]) == [("a", 2, "grade 2", True, None)]
    assert "judged ones alone are shown" in one.more[0]
    assert "cannot be read" in one.more[0]


def test_filtered_documents_as_they_come() -> None:
    gold = {"1": {"a": 1, "b": 0, "c": 1, "d": 1}}
    scores = assay.evaluate(gold, {"r": {"1": ["u", "b", "a", "c"]}, "s": {"1": []}}, task="filtering")
    [one] = items(scores, depth=2)
    assert shown(one.entries[0]) == [
        ("u", None, "unjudged", None, None),
        ("b", None, "not relevant", False, None),
        ("a", None, "relevant", True, None),
        ("c", None, "relevant", True, None),
    ]
    assert one.entries[1] == ()
    assert one.more == ("4 retrieved, 2 relevant", "0 retrieved, 0 relevant")
    assert one.gold == ("d",)
    assert one.fields == {"relevant": "3", "judged": "4"}


@pytest.mark.native_only
def test_a_real_campaign_agrees_with_the_core(shared_data) -> None:
    runs = [shared_data("trec_covid_r1", "runs", f"{name}.xz") for name in ("BITEM_df", "SINEQUA")]
    scores = assay.evaluate(shared_data("trec_covid_r1", "qrels.txt"), runs, ["AP"])
    found = items(scores)
    assert len(found) == 30
    for number, run in enumerate(scores.runs):
        views = scores.run(run).views
        for place, one in enumerate(found):
            documents = views.gold.documents(place)
            judged = {documents[n][0]: (rank, documents[n][1]) for rank, n in zip(*views.found(place), strict=True)}
            for entry in one.entries[number]:
                rank, grade = judged.get(entry.text, (entry.rank, None))
                assert rank == entry.rank
                assert entry.verdict == {None: "unjudged", 0: "not relevant"}.get(grade, f"grade {grade}")


def test_a_run_that_was_written_over_does_not_show_what_was_not_scored(tmp_path) -> None:
    """Red before: documents stood there that the values beside them knew nothing of."""
    run = tmp_path / "r.run"
    run.write_text("q1 Q0 d1 1 2.0 r\nq1 Q0 d2 2 1.0 r\n")
    scores = assay.evaluate({"q1": {"d2": 1}}, [run])
    run.write_text("q1 Q0 other 1 2.0 r\nq1 Q0 d2 2 1.0 r\n")
    [one] = items(scores)
    assert [(entry.rank, entry.text) for entry in one.entries[0]] == [(2, "d2")]
    assert "r.run: has changed since it was read; read it again" in one.more[0]
