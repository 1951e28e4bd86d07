"""Answers judged wrong that turn out right: by hand, by seed, and what is refused."""

from __future__ import annotations

import json

import pytest

import assay
from assay.cli import main
from assay.errors import InputError, UsageError


def lines(*questions) -> bytes:
    return "\n".join(json.dumps(question) for question in questions).encode()


GOLD = lines({"id": "q1", "answers": [{"text": "Rome"}]}, {"id": "q2", "answers": [{"text": "1912"}]})
RUNS = {
    "a": lines({"id": "q1", "answers": ["Oslo", "Rome"]}, {"id": "q2", "answers": ["1912"]}),
    "b": lines({"id": "q1", "answers": ["Rome", "oslo"]}, {"id": "q2", "answers": ["1900", "1911"]}),
}
"""Three distinct wrong answers: Oslo, which both runs give, and 1900 and 1911."""


def test_all_turn_right_by_hand():
    """RR of a rises from (1/2 + 1)/2 to 1, of b from (1 + 0)/2 to 1: a tie. NQcorrect1 of a from 1/2 to 1, of b the same.

    Q of q1 with two right answers, both given in order: 1. Of q2 with three right answers: a has one of three at rank 1, (2/2)/3;
    b two of three, (2/2 + 4/4)/3. Before, Q was 2/3 for Rome at rank 2 (cbg 2 over cig 1 + 2) and 1 at rank 1.
    """
    found = assay.newly_judged(GOLD, RUNS, ["RR", "NQcorrect1", "Q"], shares=1, trials=3, task="qa")
    assert (found.wrong, found.questions, found.headline) == (3, 2, "RR")
    (at,) = found.shares
    assert (at.share, at.answers) == (1.0, 3)
    rr, first, q = at.measures.values()
    assert rr.runs == {"a": pytest.approx(0.25), "b": pytest.approx(0.5)}
    assert (rr.change.value, rr.change.error) == (pytest.approx(0.375), 0.0)
    assert (rr.tau_b, rr.reversed.value, rr.best_stays) == (None, 0.0, 1.0)  # a tie is no reversal, and has no tau
    assert first.runs == {"a": 0.5, "b": 0.5}
    assert first.tau_b is None
    assert first.reversed is None  # no pair had an order
    assert q.runs == {
        "a": pytest.approx((1 + 1 / 3) / 2 - (2 / 3 + 1) / 2),
        "b": pytest.approx((1 + 2 / 3) / 2 - 1 / 2),
    }
    assert (q.tau_b.value, q.reversed.value, q.best_stays) == (-1.0, 1.0, 0.0)


def test_one_of_three_is_as_likely_as_another():
    """With one answer drawn, RR changes by 1/4 + 0 for Oslo, 0 + 1/2 for 1900, and 0 + 1/4 for 1911, over two runs."""
    found = assay.newly_judged(GOLD, RUNS, "RR", shares=[1 / 3, 1], trials=400, task="qa")
    change = found.shares[0].measures["RR"].change
    assert abs(change.value - (0.25 + 0.5 + 0.25) / 3 / 2) < 4 * change.error
    assert 0 < change.error < 0.01


def test_the_seed_gives_the_same_result_and_another_seed_another():
    first, again, other = (
        assay.newly_judged(GOLD, RUNS, "RR", shares=0.4, trials=25, seed=seed, task="qa").to_dict()
        for seed in (7, 7, 8)
    )
    assert first == again
    assert first["shares"][0]["measures"] != other["shares"][0]["measures"]


def test_nil_is_wrong_once_an_answer_is_known():
    """q has no answer in the collection; once Oslo is right, NIL is not: run a falls from 1 to 0, and b rises from 0 to 1."""
    gold = lines({"id": "q", "nil": True, "answers": []})
    runs = {"a": lines({"id": "q", "answers": ["NIL"]}), "b": lines({"id": "q", "answers": ["Oslo"]})}
    found = assay.newly_judged(gold, runs, "RR", shares=1, trials=1, task="qa")
    assert found.shares[0].measures["RR"].runs == {"a": -1.0, "b": 1.0}


def test_as_a_person_types_it(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.jsonl").write_bytes(GOLD)
    for name, text in RUNS.items():
        (tmp_path / f"{name}.jsonl").write_bytes(text)
    words = [
        "reliability",
        "--task",
        "qa",
        "gold.jsonl",
        "a.jsonl",
        "b.jsonl",
        "--newly-judged",
        "0.4,1",
        "--trials",
        "10",
    ]
    assert main([*words, "-m", "Q"]) == 0
    out = capfd.readouterr().out
    assert out.startswith(
        "If 100% of the answers judged wrong were right, the ranking of the 2 runs by Q would keep a tau of -1.00: 100.0% of the pairs"
    )
    assert "3 distinct answers judged incorrect" in " ".join(out.split())
    assert main([*words, "-f", "json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert (told["wrong_answers"], [at["answers"] for at in told["shares"]]) == (3, [1, 3])
    assert {"RR", "NQcorrect1", "NQcorrect5", "Q"} < set(told["shares"][0]["measures"])
    assert main([*words, "--size", "1"]) == 2
    capfd.readouterr()
    assert main([*words[:-3], "2"]) == 2
    assert "--newly-judged 2.0: expected shares above 0" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"shares": 0}, UsageError, "above 0 and at most 1"),
        ({"measures": "ConfidentCorrect"}, UsageError, "ConfidentCorrect: expected measures with a value per question"),
        ({"runs": {"a": RUNS["a"]}}, UsageError, "at least 2 runs"),
        ({"runs": {"a": lines({"id": "q1", "answers": ["Rome"]}), "b": lines({"id": "q2", "answers": ["1912"]})}}, InputError, "none can"),
    ],
)  # fmt: skip
def test_refused(change, error, said):
    with pytest.raises(error, match=said):
        assay.newly_judged(**{"scores": GOLD, "runs": RUNS, "measures": "RR", "task": "qa", **change})


def test_tasks_without_answers_are_refused():
    scores = assay.evaluate({"q": {"d": 1}}, {"r": {"q": {"d": 1.0}}}, ["AP"])
    with pytest.raises(UsageError, match="this is ranked"):
        assay.newly_judged(scores)
