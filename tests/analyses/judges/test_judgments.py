"""Judgments laid side by side, and the rules for what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assay.analyses.judges.judgments import gathered, scale_of
from assay.errors import InputError, UsageError

WIDE = "topic,doc,a,b\nq,d,1,2\n"


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> str:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text)
    return name


def test_files_are_judges(here) -> None:
    a, b = write("ann.qrels", "q1 0 d1 2\nq1 0 d2 0\n"), write("bob.txt", "q1 0 d1 1\nq2 0 d9 3\n")
    found = gathered([a, b])
    assert (found.judges, found.topics) == (("ann", "bob"), ("q1", "q2"))
    assert found.pairs == (("q1", "d1"), ("q1", "d2"), ("q2", "d9"))
    assert found.scale.labels == ("0", "1", "2", "3")
    assert found.codes.tolist() == [[2, 1], [0, -1], [-1, 3]]
    assert gathered([f"nist={a}", b]).judges == ("nist", "bob")
    assert gathered({"x": a, "y": {"q1": {"d1": 1}}}).judges == ("x", "y")
    assert gathered(".").judges == ("ann", "bob")


def test_one_qrels_file_has_its_judges_in_the_second_field(here) -> None:
    both = write("both.txt", "q1 ann d1 2\nq1 bob d1 0\n")
    assert gathered(both).judges == ("ann", "bob")
    more = write("more.txt", "q1 carol d1 2\n")
    assert gathered([both, more], second_field=True).judges == ("ann", "bob", "carol")


def test_the_last_of_two_judgments_counts_and_is_said(here) -> None:
    found = gathered([write("a.txt", "q1 0 d1 2\nq1 0 d2 1\nq1 0 d1 0\n"), write("b.txt", "q1 0 d1 1\n")])
    assert found.codes.tolist() == [[0, 1], [1, -1]]
    assert found.notes == (
        "a.txt: a judged 1 pair twice (first topic q1, document d1, lines 1 and 3); the last judgment counts",
    )


def test_a_cut_makes_two_grades(here) -> None:
    files = [write("a.txt", "q1 0 d1 2\nq1 0 d2 1\n"), write("b.txt", "q1 0 d1 3\nq1 0 d2 2\n")]
    found = gathered(files, at=2)
    assert (found.scale.labels, found.scale.values) == (("below 2", "2 or more"), (0.0, 1.0))
    assert found.codes.tolist() == [[1, 1], [0, 1]]
    assert found.grades(0, np.array([0, 1])) == {"q1": {"d1": 1, "d2": 0}}


def test_words_have_the_order_that_the_scale_gives(here) -> None:
    table = write("t.csv", "topic,doc,judge,grade\nq,d,a,yes\nq,d,b,no\nq,e,a,partly\nq,e,b,yes\n")
    assert gathered(table).scale.values is None
    ordered = gathered(table, scale="no,partly,yes")
    assert ordered.codes.tolist() == [[2, 0], [1, 2]]
    assert gathered(table, scale="no,partly,yes", at="partly").codes.tolist() == [[1, 0], [1, 1]]
    with pytest.raises(UsageError, match="words without an order"):
        gathered(table, at=1)
    with pytest.raises(UsageError, match="expected one of no, partly, yes"):
        gathered(table, scale="no,partly,yes", at="perhaps")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"scale": "0-3"},
            "a.txt:2: the judge gives topic q1, document d2 the grade '7' (and 1 more like it); the scale is 0, 1, 2, 3",
        ),
        ({"pool": b"q1 d1\n"}, "a.txt:2: topic q1, document d2 is not in the pool (and 2 more like it)"),
    ],
)
def test_judgments_outside_the_scale_or_the_pool_are_refused(here, options, told) -> None:
    files = [write("a.txt", "q1 0 d1 1\nq1 0 d2 7\n"), write("b.txt", "q1 0 d2 9\nq1 0 d3 1\n")]
    with pytest.raises(InputError) as caught:
        gathered(files, **options)
    assert told in str(caught.value)


def test_a_word_among_numbers(here) -> None:
    table = write("t.csv", "topic,doc,judge,grade\nq,d,a,1\nq,d,b,0\nq,e,a,relevant\n")
    with pytest.raises(InputError, match=r"t\.csv:4: expected a number as grade, like other grades, found 'relevant'"):
        gathered(table)


def test_nothing_judged_twice(here) -> None:
    with pytest.raises(InputError, match=r"no pair .* was judged by two judges: a judged q1 d1, b judged 1 d1"):
        gathered([write("a.txt", "q1 0 d1 1\n"), write("b.txt", "1 0 d1 1\n")])


def test_one_judge_alone_and_two_of_one_name(here) -> None:
    one = write("a.txt", "q1 0 d1 1\n")
    with pytest.raises(UsageError, match="at least 2 judges, found only '0'"):
        gathered(one)
    with pytest.raises(UsageError, match=r"are both called 'a'\. Fix: name them"):
        gathered([one, write("b/a.txt", "q1 0 d1 1\n")])
    with pytest.raises(UsageError, match=r"a\.txt is given twice"):
        gathered([one, one])
    with pytest.raises(UsageError, match=r"a\.txt is given twice"):
        gathered([one, f"copy={one}"])
    with pytest.raises(UsageError, match="names its judges"):
        gathered([f"x={write('w.csv', WIDE)}"])


def test_measurements_are_no_grades(here) -> None:
    with pytest.raises(InputError, match="201 different grades"):
        gathered([write("a.txt", "".join(f"q 0 d{i} {i}\n" for i in range(201))), write("b.txt", "q 0 d1 1\n")])


@pytest.mark.parametrize("given", ["3-0", "1", "a,a", "0-999", ","])
def test_scales_that_are_none(given) -> None:
    with pytest.raises(UsageError, match="scale="):
        scale_of(given)


def test_scales_are_put_in_order() -> None:
    assert scale_of([3, 0, 1]).labels == ("0", "1", "3")
    assert scale_of("-1-1").labels == ("-1", "0", "1")
    assert scale_of("-2--1").values == (-2.0, -1.0)


def test_a_file_by_two_names_is_one_file(tmp_path) -> None:
    """A judge agrees with itself perfectly, and nobody wants to know."""
    one, other = tmp_path / "ann.qrels", tmp_path / "bob.qrels"
    one.write_text("q1 0 a 1\n")
    other.symlink_to(one)
    with pytest.raises(UsageError, match=r"ann\.qrels and .*bob\.qrels are the same file"):
        gathered([str(one), str(other)])
    with pytest.raises(UsageError, match=r"ann\.qrels is given twice"):
        gathered({"ann": str(one), "machine": str(one)})
    with pytest.raises(UsageError, match="are the same file"):
        gathered([str(one), f"x={tmp_path}/./ann.qrels"])


def test_a_pair_judged_three_times_is_one_pair(here) -> None:
    found = gathered([write("a.txt", "q 0 d 2\nq 0 d 1\nq 0 d 0\n"), write("b.txt", "q 0 d 1\n")])
    assert "a judged 1 pair twice" in found.notes[0]
    assert found.codes.tolist() == [[0, 1]]


def test_grades_below_zero_are_grades_and_that_is_said(here) -> None:
    found = gathered([write("a.txt", "q 0 d -1\nq 0 e 0\n"), write("b.txt", "q 0 d -2\nq 0 e 0\n")])
    assert found.scale.labels == ("-2", "-1", "0")
    assert found.notes == (
        "2 judgments have grades below 0, which counts as a grade here; `assay evaluate` treats such a document as unjudged",
    )


def test_data_frames_name_their_judges() -> None:
    pandas = pytest.importorskip("pandas")
    wide = pandas.DataFrame({"topic": ["q", "q"], "document": ["d", "e"], "ann": [1, None], "bob": [2, 0]})
    assert gathered(wide).codes.tolist() == [[1, 2], [-1, 0]]
    long = pandas.DataFrame({"topic": ["q"] * 2, "document": ["d"] * 2, "judge": ["x", "y"], "grade": ["no", "yes"]})
    assert gathered(long).judges == ("x", "y")
