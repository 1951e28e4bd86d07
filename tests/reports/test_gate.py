"""The comment of a gate, against golden files written by hand, and against hostile names."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from assay.analyses.comparison.result import Comparison, PairResult, RunResult
from assay.figures.items.question_outcomes import FlippedTopic, FlippedTopics
from assay.reports.gate import MAX_LISTED_FLIPS, Compared, code, comment, verdict
from assay.stats.bootstrap_intervals import Interval

GOLDEN = Path(__file__).parent / "golden"


def run(name: str, value: float) -> RunResult:
    return RunResult(run=name, value=value, interval=None, tier=1, not_different=0, missing=0, undefined=0)


PAIR = PairResult(
    a="new", b="old", difference=-0.05, interval=Interval(-0.09, -0.02, 0.95, "randomisation"), better="old", significant=True,
    gate="inferior", gate_bounds=(-0.09, -0.02), detectable=0.04, decided_by=0.001,
)  # fmt: skip
RESULT = Comparison(
    measure="accuracy", noun="question", higher_is_better=True, topics=200, units=200, left_out=0, extent="200 questions",
    runs=[run("old", 0.9), run("new", 0.85)], pairs=[PAIR], tiers=[["old"], ["new"]], significant={},
    settings={"confidence": 0.95}, notes=[],
)  # fmt: skip
FLIPPED = FlippedTopics(
    worse=(FlippedTopic("q3", "right", "wrong"), FlippedTopic("q8", "right", "declined")),
    better=(FlippedTopic("q5", "wrong", "right"),),
)


def compared(pair: PairResult = PAIR, flips: FlippedTopics | None = FLIPPED, **changes) -> Compared:
    return Compared("", replace(RESULT, pairs=[pair], **changes), [flips])


BETTER = replace(
    PAIR,
    difference=0.04,
    interval=Interval(0.01, 0.07, 0.95, "randomisation"),
    better="new",
    gate="non-inferior",
    gate_bounds=(0.01, 0.07),
)
UNSURE = replace(
    PAIR,
    difference=-0.004,
    interval=Interval(-0.03, 0.02, 0.95, "randomisation"),
    significant=False,
    decided_by=0.76,
    gate="undecided",
    gate_bounds=(-0.03, 0.02),
)
CASES = {
    "inferior": (compared(), "pass"),
    "non-inferior": (compared(BETTER, None, runs=[run("new", 0.94), run("old", 0.9)]), "pass"),
    "undecided": (compared(UNSURE, FLIPPED, runs=[run("old", 0.9), run("new", 0.896)]), "fail"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_comment_is_the_golden_file(name) -> None:
    found, undecided = CASES[name]
    told = comment([found], 0.01, undecided, "https://example.org/runs/7#artifacts")
    assert told == (GOLDEN / f"gate_{name}.md").read_text()


def test_a_candidate_that_failed_too_often_is_undecided_with_the_reason_first() -> None:
    reason = "new failed on 40 of 60 questions, old none"
    failed = replace(BETTER, gate="undecided", gate_reason=reason)
    runs = [run("old", 0.8), replace(run("new", 1.0), failed=40, declined=2)]
    text = comment([compared(failed, None, runs=runs)], 0.01, "pass")
    assert text.startswith("### Gate: undecided, stopped\n")
    assert "`new` 1.0000 (40 failed, 2 declined)" in text
    assert text.index(f"**Not enough evidence**: `{reason}`") < text.index("`new` beats `old`")
    assert "Too few" not in text


def test_the_worst_of_all_pairs_is_the_verdict() -> None:
    good, bad, unsure = compared(BETTER), compared(), compared(UNSURE)
    nothing = Compared("hard", None, (), "there is one run")
    assert verdict([good, good]) == "non-inferior"
    assert verdict([good, unsure]) == "undecided"
    assert verdict([unsure, bad, good]) == "inferior"
    assert verdict([good, nothing]) == "undecided"
    assert verdict([]) == "undecided"


@pytest.mark.parametrize(("undecided", "head"), [("pass", "undecided, let through"), ("fail", "undecided, stopped")])
def test_undecided_is_an_outcome_of_its_own_whatever_is_made_of_it(undecided, head) -> None:
    told = comment([compared(UNSURE)], 0.01, undecided)
    assert told.startswith(f"### Gate: {head}\n")
    assert "Too few questions to tell" in told
    assert "passed" not in told


def test_without_an_interval_nobody_can_tell() -> None:
    told = comment([compared(replace(UNSURE, interval=None))], 0.01, "pass")
    assert "whether `new` is worse: there is no interval" in told


def test_groups_have_a_column_and_one_that_was_not_compared_says_why() -> None:
    easy = Compared("easy", RESULT, [None])
    told = comment([easy, Compared("hard", None, (), "accuracy: there is one run")], 0.01, "pass")
    assert "| on | measure |" in told
    assert "| `easy` | `accuracy` |" in told
    assert "| `hard` | n/a | n/a | n/a | n/a | n/a | **undecided** |" in told
    assert "- Not compared on `hard`: `accuracy: there is one run`." in told


def test_the_same_questions_by_two_measures_are_told_once() -> None:
    told = comment([compared(), compared(measure="c@1")], 0.01, "pass")
    assert told.count("<details>") == 1


def test_values_change_and_do_not_flip() -> None:
    told = comment(
        [compared(flips=FlippedTopics((FlippedTopic("t1", 1.0, 0.5),), ()), measure="RR", noun="topic")], 0.01, "pass"
    )
    assert "1 topic changed in <code>RR</code> from <code>old</code> to <code>new</code>: 1 for the worse" in told
    assert "| `t1` | 1.0000 | 0.5000 | worse |" in told


def test_of_many_questions_the_first_are_named_and_the_others_counted() -> None:
    many = FlippedTopics(tuple(FlippedTopic(f"q{n}", "right", "wrong") for n in range(MAX_LISTED_FLIPS + 3)), ())
    told = comment([compared(flips=many)], 0.01, "pass")
    assert "13 questions flipped" in told
    assert "`q9`" in told
    assert "`q10`" not in told
    assert "3 more questions; the report lists all." in told


HOSTILE = "@all #1 <img src=x> | `` [x](y)\n</details>"


def test_a_name_can_neither_mention_nor_break_out() -> None:
    pair = replace(PAIR, a=HOSTILE, better=HOSTILE)
    told = comment(
        [compared(pair, FlippedTopics((FlippedTopic(HOSTILE, "right", "wrong"),), ()))],
        0.01,
        "pass",
        "https://x/y) @all",
    )
    # What is left when all code is taken out: none of the name.
    rest = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)|<code>.*?</code>", "", told)
    assert "@all" not in rest.replace("%20@all", "")
    assert "<img" not in rest
    assert rest.count("</details>") == 1
    cells = [len(re.findall(r"(?<!\\)\|", line)) for line in told.splitlines() if line.startswith("|")]
    assert set(cells) == {7, 5}


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a", "`a`"), ("`", "`` ` ``"), ("a``b", "``` a``b ```"), ("a\nb", r"`a\nb`"), ("x|y", r"`x\|y`")],
)
def test_code_holds_any_name(name, shown) -> None:
    assert code(name) == shown
