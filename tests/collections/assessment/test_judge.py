"""`assay.judge`: any judging, undoing, killing and sitting down again is as a plain list has it."""

from __future__ import annotations

import contextlib
import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assay
from assay.collections.assessment.judgment_queue import GradedDocument
from assay.errors import AssayError, InputError, UsageError

POOL = {"q2": ["b", "a"], "q1": ["a", "c"]}
PAIRS = [(topic, document) for topic, of in POOL.items() for document in of]
TOPICS = {"q1": "first", "q2": "second"}
JUDGED = st.tuples(st.sampled_from(PAIRS), st.integers(0, 3))
STEPS = st.lists(st.one_of(st.sampled_from(["undo", "reopen", "torn"]), JUDGED), max_size=20)


def sat(path, **more):
    return assay.judge(POOL, TOPICS, **{"judge": "ann", "judgments": str(path), **more})


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_any_sitting_is_as_a_list_of_what_was_not_taken_back(tmp_path, steps) -> None:
    path = tmp_path / "ann.judgments.jsonl"
    path.unlink(missing_ok=True)
    sitting, kept = sat(path), []
    for step in steps:
        if step == "undo":
            if kept:
                assert sitting.undo() == kept.pop()
        elif isinstance(step, str):
            sitting.close()
            if step == "torn":
                with path.open("ab") as file:
                    file.write(b'{"topic": "q1", "docum')
            sitting = sat(path)
            assert bool(sitting.remarks) == (step == "torn")
        else:
            (topic, document), grade = step
            sitting.give(topic, document, grade)
            kept.append(GradedDocument(topic, document, grade))
        plain = {(one.topic, one.document): one.grade for one in kept}
        assert {pair: sitting.queue.grade(*pair) for pair in PAIRS} == {pair: plain.get(pair) for pair in PAIRS}
        assert sitting.queue.last == (kept[-1] if kept else None)
        # Whoever reads the file without knowing of undo has the same from the last line of each document.
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        last = {(line["topic"], line["document"]): line["grade"] for line in lines}
        assert {pair: grade for pair, grade in last.items() if grade is not None} == plain
    sitting.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_read_or_refused_in_words_and_whole_lines_are_never_touched(tmp_path, content, after) -> None:
    path = tmp_path / "x.jsonl"
    good = b'{"topic": "q1", "document": "a", "grade": 1, "judge": "ann"}\n'
    path.write_bytes(good + content if after else content)
    before = path.read_bytes()
    with contextlib.suppress(AssayError):
        sat(path).close()
    kept = path.read_bytes()
    whole = before[: before.rfind(b"\n") + 1]
    assert kept.startswith(whole)
    assert kept in (before, whole, before + b"\n")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"topic": "q1", "document": "z", "grade": 1, "judge": "ann"}', "document z is not in the pool"),
        ('{"topic": "q9", "document": "a", "grade": 1, "judge": "ann"}', "topic q9, document a is not in the pool"),
        ('{"topic": "q1", "document": "a", "grade": 4, "judge": "ann"}', "has the grade '4'; the scale is 0, 1, 2, 3"),
        ('{"topic": "q1", "document": "a", "grade": 1.5, "judge": "ann"}', "has the grade '1.5'"),
        ('{"topic": "q1", "document": "a", "grade": 1, "judge": "bob"}', "is a judgment by bob, not by ann"),
        ('{"topic": "q1", "document": "a", "grade": 1}', "is a judgment without a judge"),
        ('{"topic": "q1", "document": "a", "grade": null, "judge": "ann"}', "expected a grade"),
        ('{"topic": "q1", "document": "c", "grade": null, "judge": "ann", "undo": true}', "undoes a judgment"),
        ("{broken", "broken JSON"),
    ],
)
def test_what_a_file_may_not_hold_is_told_with_its_line_and_left_alone(tmp_path, line, told) -> None:
    path = tmp_path / "ann.judgments.jsonl"
    good = '{"topic": "q1", "document": "a", "grade": 1, "judge": "ann"}\n'
    path.write_text(f"{good}{line}\n{good}")
    with pytest.raises(InputError, match=r"jsonl:2: ") as problem:
        sat(path)
    assert told in str(problem.value)
    assert path.read_text() == f"{good}{line}\n{good}"
    path.write_text(good)
    sat(path).close()  # the lock was let go


def test_a_file_of_something_else_is_not_written_into(tmp_path) -> None:
    path = tmp_path / "ann.qrels"
    path.write_text("q1 0 a 1\n")
    with pytest.raises(InputError, match=r"ann.qrels:1: is not a file of assay judge"):
        sat(path)
    assert path.read_text() == "q1 0 a 1\n"


def test_what_cannot_be_given(tmp_path) -> None:
    with sat(tmp_path / "x.jsonl") as sitting:
        for wrong in (("q1", "z", 1), ("q1", "a", 7), ("q1", "a", True), ("q1", "a", None)):
            with pytest.raises(UsageError):
                sitting.give(*wrong)
        with pytest.raises(UsageError, match="no judgment to undo"):
            sitting.undo()
    assert (tmp_path / "x.jsonl").read_bytes() == b""


def test_what_could_not_be_saved_did_not_happen(tmp_path, monkeypatch) -> None:
    with sat(tmp_path / "x.jsonl") as sitting:
        sitting.give("q1", "a", 2)

        def fails(file):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", fails)
        for act in (lambda: sitting.give("q1", "c", 1), sitting.undo):
            with pytest.raises(InputError, match="No space left on device; nothing was saved"):
                act()
        assert sitting.queue.grades() == {"q1": {"a": 2}}
        assert sitting.queue.last == GradedDocument("q1", "a", 2)


def test_qrels_are_in_the_order_of_the_pool_and_evaluate_reads_them(tmp_path) -> None:
    with sat(tmp_path / "x.jsonl") as sitting:
        for topic, document, grade in (("q1", "c", 2), ("q2", "a", 0), ("q1", "c", 3), ("q2", "b", 1)):
            sitting.give(topic, document, grade)
        sitting.undo()
        sitting.save(tmp_path / "ann.qrels")
        assert repr(sitting) == f"ann at 2 of 4 documents of 2 topics, in {tmp_path / 'x.jsonl'}"
    assert (tmp_path / "ann.qrels").read_text() == "q2 0 a 0\nq1 0 c 3\n"
    found = assay.evaluate(str(tmp_path / "ann.qrels"), {"run": {"q1": {"a": 2.0, "c": 1.0}}}, ["AP"])
    assert found["AP", "run"]["q1"] == 0.5


def test_an_id_with_a_blank_is_no_qrels(tmp_path) -> None:
    with assay.judge({"q": ["a b"]}, judge="ann", judgments=str(tmp_path / "x")) as sitting:
        sitting.give("q", "a b", 1)
        with pytest.raises(InputError, match="'a b': contains a blank"):
            sitting.to_qrels()


def test_two_people_and_agree(tmp_path) -> None:
    """Six documents; they agree on four: ann's slip, judged again, and what bob took back do not count."""
    pool = {"q1": list("abcdef")}
    said = {"ann": "002211", "bob": "002200"}
    for judge, grades in said.items():
        path = str(tmp_path / f"{judge}.judgments.jsonl")
        with assay.judge(pool, {"q1": "?"}, judge=judge, judgments=path, scale="0-2") as sitting:
            if judge == "ann":
                sitting.give("q1", "a", 2)
            for document, grade in zip("abcdef", grades, strict=True):
                sitting.give("q1", document, int(grade))
            if judge == "bob":
                sitting.give("q1", "a", 2)
                sitting.undo()
    found = assay.agree([str(tmp_path / f"{judge}.judgments.jsonl") for judge in said])
    assert found.judges == {"ann": 6, "bob": 6}
    assert found.coefficients["raw"].value == pytest.approx(4 / 6)
    assert [(one.document, one.grades) for one in found.disagreements] == [
        ("e", {"ann": "1", "bob": "0"}), ("f", {"ann": "1", "bob": "0"}),
    ]  # fmt: skip
    assert any("ann judged 1 pair twice" in note for note in found.notes)
    assert not any("bob judged" in note for note in found.notes)


def test_who_judges_and_where(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOGNAME", "carol")
    with assay.judge(POOL, TOPICS) as sitting:
        assert (sitting.judge, sitting.file) == ("carol", "carol.judgments.jsonl")
    with assay.judge(POOL, TOPICS, judgments="dan.judgments.jsonl") as sitting:
        assert sitting.judge == "dan"
    with assay.judge(POOL, TOPICS, judge="a/b c") as sitting:
        assert (sitting.judge, sitting.file) == ("a/b c", "a_b_c.judgments.jsonl")
    for wrong in ("", "a\nb", "x" * 81):
        with pytest.raises(UsageError, match="judge="):
            assay.judge(POOL, TOPICS, judge=wrong)


def test_topics_and_texts_must_belong_to_the_pool(tmp_path) -> None:
    with pytest.raises(InputError, match=r"`topics=`: has no topic 'q2' and 1 more, "):
        assay.judge(POOL, {"q7": "x"}, judgments=str(tmp_path / "x"))
    with pytest.raises(InputError, match="has no document of the pool, whose documents are like 'b'"):
        sat(tmp_path / "x", docs={"zz": "?"})
    with sat(tmp_path / "x", docs={"a": "alpha"}) as sitting:
        assert sitting.missing == 2
    assert not (tmp_path / "y").exists()
