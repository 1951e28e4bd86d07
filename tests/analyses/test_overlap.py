"""Runs against runs, without judgments."""

from __future__ import annotations

import json
from time import process_time

import numpy as np
import pytest

import assay
from assay.analyses.overlap import read_runs
from assay.errors import InputError, UsageError

ONE = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 1.0}, "only": {"a": 1.0}}
TWO = {"q1": {"b": 3.0, "a": 2.0, "x": 1.0}, "q2": {"z": 1.0}}


def test_topics_that_both_have():
    found = assay.overlap({"one": ONE, "two": TWO}, p=0.5).to_dict()
    (pair,) = found["pairs"]
    assert list(pair["topics"]) == ["q1", "q2"]
    # X = 0, 2, 2: (1 · (0 + 1/4 + 2/3 · 1/8)) + 2/3 · 1/8
    assert pair["topics"]["q1"]["rbo"] == pytest.approx(1 / 4 + 1 / 12 + 1 / 12)
    assert (pair["topics"]["q1"]["tau_b"], pair["topics"]["q1"]["tau_ap"], pair["topics"]["q1"]["shared"]) == (
        -1.0,
        -1.0,
        2,
    )
    assert (pair["topics"]["q2"]["rbo"], pair["topics"]["q2"]["tau_b"]) == (0.0, None)
    assert pair["rbo"] == pytest.approx((5 / 12) / 2)
    assert pair["tau_b"] == -1.0  # over the topic on which it is defined


def test_every_two_runs_and_rows_by_topic():
    three = {"one": ONE, "two": TWO, "three": ONE}
    header, rows = assay.overlap(three).rows()
    assert header[:3] == ["first", "second", "topics"]
    assert [row[:3] for row in rows] == [["one", "two", 2], ["one", "three", 3], ["two", "three", 2]]
    header, rows = assay.overlap({"one": ONE, "two": TWO}, per_topic=True).rows()
    assert [row[2] for row in rows] == ["q1", "q2", "all"]


def test_depth():
    assert assay.overlap({"one": ONE, "two": TWO}, depth=1).to_dict()["pairs"][0]["rbo"] == 0.0


def test_progress():
    seen = []
    assay.overlap({"one": ONE, "two": TWO}, progress=lambda done, many: seen.append((done, many)))
    assert seen == [(1, 3), (2, 3), (3, 3)]
    seen.clear()
    read_runs({"one": ONE, "two": TWO}, None, progress=lambda done, many: seen.append((done, many)))
    assert seen == [(1, 2), (2, 2)]


def test_many_runs_take_seconds():
    """2,278 pairs of rankings of 1,000 documents: 0.1 s with the core and 5 s without; they once took a minute a topic."""
    order = np.random.default_rng(1).permuted(np.tile(np.arange(1200), (68, 1)), axis=1)[:, :1000].tolist()
    runs = {f"r{i}": {"q": {str(d): -float(rank) for rank, d in enumerate(of)}} for i, of in enumerate(order)}
    start = process_time()
    assert len(assay.overlap(runs).rows()[1]) == 2278
    assert process_time() - start < 20


def test_refused():
    with pytest.raises(UsageError, match="expected at least 2 runs to compare, found 1"):
        assay.overlap({"one": ONE})
    with pytest.raises(UsageError, match="`depth=0`"):
        assay.overlap({"one": ONE, "two": TWO}, depth=0)
    with pytest.raises(InputError, match="no topic in common: 'q1' against 'p'"):
        assay.overlap({"one": ONE, "two": {"p": {"a": 1.0}}})


def test_runs_are_called_as_evaluate_calls_them(tmp_path):
    """The tag of the last line, and the file's name where two share it; the same bytes twice have nothing but a number."""
    for name, tags in {"a": "xt", "b": "yt", "c": "tu"}.items():
        (tmp_path / f"{name}.run").write_text("".join(f"q Q0 {tag} 1 1 {tag}\n" for tag in tags))
    found, _ = read_runs(tmp_path, None)
    assert list(found) == ["a", "b", "u"] == assay.evaluate({"q": {"x": 1}}, tmp_path).runs
    assert (found["a"], found["u"]) == ({"q": ["x", "t"]}, {"q": ["u", "t"]})
    lines = b"q Q0 d 1 1 t\n"
    assert list(read_runs([lines, lines], None)[0]) == assay.evaluate({"q": {"d": 1}}, [lines, lines]).runs


def test_p_mrr_means_over_documents_then_queries():
    run = {
        "a-og": {"d1": 2.0, "d2": 1.0}, "a-changed": {"d2": 2.0, "d1": 1.0},
        "b-og": {"d1": 2.0, "d2": 1.0}, "b-changed": {"d1": 2.0, "d2": 1.0},
    }  # fmt: skip
    found = assay.p_mrr({"r": run}, {"a": ["d1", "d2"], "b": ["d1"], "c": ["d1"]})
    # a: (1 - 1/2 + 1/2 - 1)/2 = 0; b: 0
    assert found.rows() == (["run", "queries", "missing", "p-MRR"], [["r", 2, 1, 0.0]])
    assert assay.p_mrr({"r": run}, {"a": ["d1"]}).rows()[1][0][-1] == 0.5
    with pytest.raises(InputError, match="x-og and x-changed"):
        assay.p_mrr({"r": run}, {"x": ["d1"]})


@pytest.mark.parametrize("wrong", [{"p": "0.9"}, {"p": None}, {"p": 1.0}, {"depth": 1.5}, {"depth": "3"}, {"depth": 0}])
def test_what_is_no_number_is_told(wrong):
    run = {"q": {"a": 1.0}}
    with pytest.raises(UsageError, match="expected a"):
        assay.overlap({"x": run, "y": run}, **wrong)


def test_numbers_of_numpy_are_numbers():
    run = {"q": {"a": 1.0}}
    found = assay.overlap({"x": run, "y": run}, p=np.float32(0.5), depth=np.int64(2))
    assert json.loads(json.dumps(found.to_dict()))["pairs"][0]["rbo"] == 1.0


FIRST = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}
TURNED = {"q1": {"a": 1.0, "b": 2.0}, "q2": {"c": 1.0}}
OTHER = {"q1": {"x": 2.0, "y": 1.0}, "q2": {"z": 1.0}}


def test_the_finding_of_two_runs():
    """The same two documents and one: 3 shared on two topics."""
    result = assay.overlap({"one": FIRST, "same": FIRST})
    assert (
        result.finding == "one and same have a rank-biased overlap of 1.00 on 2 topics and share 1.5 documents a topic."
    )
    assert result.to_dict()["finding"] == result.finding
    assert repr(result).splitlines()[0] == result.finding


def test_the_finding_of_several_runs():
    """p = .5 of two documents turned round: .5; q2 is the same: 1, so .75. Nothing is shared with the other: 0."""
    assert assay.overlap({"one": FIRST, "turned": TURNED, "other": OTHER}, p=0.5).finding == (
        "Of 3 pairs one and turned are most alike (rank-biased overlap .75), 2 pairs least (.00)."
    )
    assert assay.overlap({"a": FIRST, "b": FIRST, "c": FIRST}).finding == (
        "Of 3 pairs all are about equally alike (rank-biased overlap 1.00)."
    )
    short = {"q1": FIRST["q1"]}
    assert assay.overlap({"a": FIRST, "b": FIRST, "c": short, "d": OTHER}).finding.endswith(
        "least (.00), each on the topics that both have."
    )


def changed(first: float, second: float) -> dict[str, dict[str, float]]:
    """d1 is above d2 for the query; in the changed one as the scores say."""
    return {"q1-og": {"d1": 2.0, "d2": 1.0}, "q1-changed": {"d1": first, "d2": second}}


def test_the_finding_on_instructions():
    """d1 falls from rank 1 to 2: 1 - 1/2; d2 rises from 2 to 1: 1/2 - 1."""
    obeys, same = changed(1.0, 2.0), changed(2.0, 1.0)
    assert assay.p_mrr({"a": obeys}, {"q1": ["d1"]}).finding == (
        "On average a follows the instructions (p-MRR .500 on 1 query, from −1 to 1)."
    )
    assert assay.p_mrr({"a": obeys}, {"q1": ["d2"]}).finding == (
        "On average a ranks against the instructions (p-MRR −.500 on 1 query, from −1 to 1)."
    )
    assert assay.p_mrr({"a": same}, {"q1": ["d1"]}).finding.startswith(
        "On average a ignores the instructions (p-MRR .000"
    )
    assert (
        assay.p_mrr({"a": obeys, "b": same}, {"q1": ["d1"]}).finding
        == "a follows the instructions best (p-MRR .500, from −1 to 1)."
    )
    assert assay.p_mrr({"a": same, "b": same}, {"q1": ["d1"]}).finding == (
        "No run follows the instructions; the highest p-MRR is .000 (a and b)."
    )
    other = {f"q2-{version}": documents for version, documents in (("og", {"d": 1.0}), ("changed", {"d": 1.0}))}
    assert assay.p_mrr({"a": obeys, "b": other}, {"q1": ["d1"], "q2": ["d"]}).finding == (
        "The p-MRR of 2 runs is on different queries, so it does not rank them."
    )
