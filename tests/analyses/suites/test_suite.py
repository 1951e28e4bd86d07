"""A suite of tasks: macro means by hand, intervals against resamples of our own, and what a missing task costs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import binom, t

import assay
from assay.analyses.suites.suite import COMBINED, WITH_T
from assay.formats.harness.logs import LogReading
from assay.io.sources import Source
from assay.scoring.evaluate import chosen, table
from assay.tasks import get
from assay.tasks.outcomes import log_runs
from assay.tasks.outcomes.gold import OutcomeSettings, OutcomesGold
from assay.tasks.outcomes.task import join

WORDS = {"+": "correct", "-": "incorrect", ".": "unanswered"}


def graded(runs: dict[str, dict[str, str]], measures=("accuracy", "c@1"), **settings) -> assay.Scores:
    """Runs as {task: outcomes}, a sign per question."""
    lines = ["run,id,outcome,task"]
    for run, tasks in runs.items():
        for task, signs in tasks.items():
            lines += [f"{run},{task}-{i:03},{WORDS[sign]},{task}" for i, sign in enumerate(signs)]
    return assay.evaluate(None, ("\n".join(lines) + "\n").encode(), list(measures), **settings)


def test_the_macro_mean_by_hand():
    """Three of four right, one of two right and one declined: (3/4 + 1/2)/2, of 6 pooled 4. c@1 (1 + 1/2)/2 = 3/4."""
    found = assay.suite(graded({"m": {"a": "+++-", "b": "+."}}), "accuracy", micro=True)
    assert found.tasks == {"a": 4, "b": 2}
    one = found.run("m")
    assert (one.tasks["a"].value, one.tasks["b"].value, one.macro, one.micro) == (0.75, 0.5, 0.625, 4 / 6)
    by_c = assay.suite(graded({"m": {"a": "+++-", "b": "+."}})).run("m")
    assert (by_c.tasks["b"].value, by_c.macro) == (0.75, 0.75)


def test_a_run_without_a_task_has_no_macro_mean():
    scores = graded({"full": {"a": "+-", "b": "++"}, "half": {"a": "++"}})
    found = assay.suite(scores, "accuracy", micro=True)
    assert [one.run for one in found.runs] == ["full", "half"], "without a mean last, whatever its tasks"
    full, half = found.run("full"), found.run("half")
    assert full.micro == 3 / 4
    assert full.micro_interval.low < 3 / 4 < full.micro_interval.high
    assert half.micro_interval is None
    assert (half.macro, half.interval, half.micro, half.tasks["b"].value, half.tasks["b"].questions) == (None,) * 4 + (
        0,
    )
    assert found.missing == [("half", "b")]
    assert found.notes == ["half has no results for b: it has no macro mean over tasks"]
    assert found.to_dict()["missing"] == [{"run": "half", "task": "b"}]
    assert "n/a" in repr(found)


@pytest.mark.parametrize("missing", ["unanswered", "incorrect", "skip", "common"])
def test_a_missing_task_is_missing_under_every_policy(missing):
    scores = graded({"full": {"a": "+-", "b": "++"}, "half": {"a": "++"}}, missing=missing)
    found = assay.suite(scores, "accuracy")
    assert found.run("half").macro is None
    # Under `common` no question of b is common, so that nobody has a value there.
    assert found.run("full").macro == (None if missing == "common" else 0.75)


def test_one_question_left_out_is_no_missing_task():
    scores = graded({"x": {"a": "+-", "b": "++"}, "y": {"a": "++", "b": "+"}})
    assert assay.suite(scores, "accuracy").run("y").macro == (1 + 1 / 2) / 2
    assert (
        assay.suite(graded({"x": {"a": "+-", "b": "++"}, "y": {"a": "++", "b": "+"}}, missing="skip"), "accuracy")
        .run("y")
        .macro
        == 1.0
    )


def test_an_undefined_task_is_said():
    """Nothing answered: precision has no denominator."""
    found = assay.suite(graded({"m": {"a": "+-", "b": ".."}}, ["precision"]))
    assert found.run("m").macro is None
    assert found.missing == []
    assert "precision of m is undefined on b" in found.notes[0]


def test_counts_have_no_mean_over_tasks():
    found = assay.suite(graded({"m": {"a": "+-", "b": "++"}}, ["correct"]), micro=True)
    assert (found.run("m").macro, found.run("m").micro) == (None, 3)
    assert "is a count" in found.notes[0]


def welch(tasks: list[tuple[int, int]]) -> tuple[float, float]:
    """t within tasks of (right, questions), on log-odds: variances p(1 - p)/(n - 1), freedom (Σv)²/Σ(v²/(n - 1))."""
    shares = [right / n for right, n in tasks]
    variances = [p * (1 - p) / (n - 1) for p, (_, n) in zip(shares, tasks, strict=True)]
    freedom = sum(variances) ** 2 / sum(v**2 / (n - 1) for v, (_, n) in zip(variances, tasks, strict=True))
    mean = sum(shares) / len(tasks)
    reach = t.ppf(0.975, freedom) * np.sqrt(sum(variances)) / len(tasks) / (mean * (1 - mean))
    low, high = (1 / (1 + np.exp(-(np.log(mean / (1 - mean)) + side * reach))) for side in (-1, 1))
    return low, high


def mid_p(right: int, n: int) -> tuple[float, float]:
    """The shares at which so many right or more, these counted by half, have probabilities of .025 and .975."""

    def tail(share: float) -> float:
        return float(binom.sf(right, n, share) + binom.pmf(right, n, share) / 2)

    low, high = (
        brentq(lambda share, level=level: tail(share) - level, 1e-9, 1 - 1e-9, xtol=1e-14) for level in (0.025, 0.975)
    )
    return low, high


def zou_donner(tasks: list[tuple[int, int]]) -> tuple[float, float]:
    """From the tasks' mid-p intervals; .05^(1/n) and 1 where all n are right."""
    mean, below, above = sum(right / n for right, n in tasks) / len(tasks), 0.0, 0.0
    for right, n in tasks:
        low, high = (0.05 ** (1 / n), 1.0) if right == n else mid_p(right, n)
        below, above = below + (right / n - low) ** 2, above + (high - right / n) ** 2
    return mean - np.sqrt(below) / len(tasks), mean + np.sqrt(above) / len(tasks)


@pytest.mark.parametrize(
    "tasks",
    [
        [(20, 20), (300, 500)],
        [(30, 30), (1200, 2000)],
        [(15, 20), (40, 60)],
        [(18, 20), (19, 20), (20, 20), (17, 20)],
        [(2400, 3000), (500, 1000)],
    ],
)
def test_the_interval_holds_zou_donners_and_welchs(tasks):
    signs = {f"t{i}": "+" * right + "-" * (n - right) for i, (right, n) in enumerate(tasks)}
    one = assay.suite(graded({"m": signs}), "accuracy").run("m")
    both = np.array([welch(tasks), zou_donner(tasks)])
    assert one.interval.method == WITH_T
    assert (one.interval.low, one.interval.high) == pytest.approx((both[:, 0].min(), both[:, 1].max()), abs=1e-9)


def test_a_task_that_is_all_right_may_have_wrong_answers():
    """20 of 20 and 300 of 500: the first reaches down by 1 - .05^(1/20) = .1391, the second by .0435: √(Σ reach²)/2 = .0729."""
    one = assay.suite(graded({"m": {"a": "+" * 20, "b": "+" * 300 + "-" * 200}}), "accuracy").run("m")
    assert (one.macro, round(one.interval.low, 4), round(one.interval.high, 4)) == (0.8, 0.7271, 0.8212)


def test_nothing_varies_and_the_interval_has_a_width():
    """20 of 20 and 30 of 30: each reaches down to .05^(1/20) and .05^(1/30), together √(Σ reach²)/2."""
    one = assay.suite(graded({"m": {"a": "+" * 20, "b": "+" * 30}}), "accuracy").run("m")
    reach = np.sqrt((1 - 0.05 ** (1 / 20)) ** 2 + (1 - 0.05 ** (1 / 30)) ** 2) / 2
    assert one.interval.method == COMBINED
    assert (one.interval.low, one.interval.high) == pytest.approx((1 - reach, 1.0))


def test_a_task_of_one_question_leaves_no_interval_and_says_so():
    found = assay.suite(graded({"m": {"a": "+-+-", "b": "+"}}), "accuracy")
    assert (found.run("m").macro, found.run("m").interval) == (0.75, None)
    assert "no interval of the macro mean of m: b: " in found.notes[0]


def test_whole_run_measures():
    """They are of all answers of a task at once; ECE, whose labels are resampled, has no standard error."""
    chance = np.random.default_rng(1)
    lines = ["run,id,outcome,confidence,task"]
    for i in range(60):
        lines.append(
            f"m,q{i},{'correct' if chance.random() < 0.7 else 'incorrect'},{chance.random():.2f},{'ab'[i % 2]}"
        )
    scores = assay.evaluate(None, ("\n".join(lines) + "\n").encode(), ["ECE", "AUROC", "CWS"])
    for measure in ("ECE", "AUROC", "CWS"):
        one = assay.suite(scores, measure).run("m")
        a, b = (scores.restricted(group).mean(measure)["m"] for group in _tasks(scores))
        assert one.macro == pytest.approx((a + b) / 2)
        assert one.interval.method == (COMBINED if measure == "ECE" else WITH_T)
        assert one.interval.low < one.macro < one.interval.high


def _tasks(scores: assay.Scores) -> list[list[str]]:
    named = scores.fields["task"]
    return [[t for t, task in zip(scores.topics, named, strict=True) if task == name] for name in sorted(set(named))]


def test_clusters_are_resampled_together():
    """Ten clusters of six equal questions vary as ten questions do."""
    lines = ["run,id,outcome,task,cluster"]
    for task in "ab":
        for i in range(60):
            lines.append(f"m,{task}{i},{'correct' if i // 6 % 2 else 'incorrect'},{task},{task}{i // 6}")
    scores = assay.evaluate(None, ("\n".join(lines) + "\n").encode(), ["accuracy"])
    wide, narrow = (assay.suite(scores, cluster=cluster).run("m").interval for cluster in ("auto", None))
    assert (wide.high - wide.low) > 2 * (narrow.high - narrow.low)


def test_clusters_that_span_tasks_are_said():
    lines = ["run,id,outcome,task,cluster", *(f"m,{t}{i},correct,{t},{i // 2}" for t in "ab" for i in range(6))]
    scores = assay.evaluate(None, ("\n".join(lines) + "\n").encode(), ["accuracy"])
    assert any("3 values of cluster stand in several" in note for note in assay.suite(scores).notes)


def test_samples_weigh_each_question_the_same():
    """Logs of two tasks: a, one question right 1 of 2 times and one always; b, right once of four. (3/4 + 1/4)/2."""

    def log(task: str, rights: list[list[int]]):
        made = LogReading().log(Source(task, data=b""), "made")
        for number, samples in enumerate(rights):
            for right in samples:
                made.add(f"q{number}", run="m", task=task, value="C" if right else "I")
        return made.finish()

    logs = [*log("a", [[1, 0], [1, 1]]), *log("b", [[1, 0, 0, 0]])]
    runs = log_runs.gather_runs(logs, False)
    gold = OutcomesGold("the runs", "outcomes", log_runs.questions(runs, logs, {}))
    gold.rows = {"s": runs}
    settings = OutcomeSettings()
    task = get("outcomes")
    scores = table(task, gold, join(gold, Source("s", data=b""), settings), chosen(["accuracy"], task), settings)
    found = assay.suite(scores)
    assert {name: one.value for name, one in found.run("m").tasks.items()} == {"a": 0.75, "b": 0.25}
    assert found.run("m").macro == 0.5


def test_the_same_on_any_number_of_threads():
    signs = {"m": {"a": "+-+--+-+." * 4, "b": "+-++-." * 5}}
    one = assay.suite(graded(signs), threads=1)
    assert one.to_dict() == assay.suite(graded(signs), threads=3).to_dict()


signs = st.text("+-.", min_size=2, max_size=12)


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from("abcde"), signs, min_size=2, max_size=5))
def test_an_interval_contains_its_mean_and_has_a_width(tasks):
    one = assay.suite(graded({"m": tasks}), "c@1", resamples=200).run("m")
    assert one.interval.low <= one.macro <= one.interval.high
    assert 0 <= one.interval.low < one.interval.high <= 1


@given(st.lists(st.text("+-.", min_size=5, max_size=5), min_size=2, max_size=5))
def test_tasks_of_one_size_have_the_micro_mean_as_macro_mean(rows):
    """Of accuracy, which is linear; c@1 is not."""
    tasks = dict(zip("abcde", rows, strict=False))
    one = assay.suite(graded({"m": tasks}), "accuracy", micro=True, intervals=False).run("m")
    assert one.macro == pytest.approx(one.micro)


@settings(max_examples=20)
@given(st.permutations(["a", "b", "c"]), st.lists(signs, min_size=3, max_size=3))
def test_the_order_of_the_tasks_changes_nothing(order, rows):
    tasks = dict(zip("abc", rows, strict=True))
    first = assay.suite(graded({"m": tasks}), resamples=100)
    other = assay.suite(graded({"m": {task: tasks[task] for task in order}}), resamples=100)
    assert first.to_dict() == other.to_dict()


def test_one_task_alone_is_its_own_mean():
    scores = graded({"m": {"a": "++-."}})
    one = assay.suite(scores, "c@1").run("m")
    assert one.macro == scores["c@1"]["m"]
    assert one.interval == assay.run_intervals(scores, "c@1")["m"]


def test_what_is_not_there_is_refused():
    scores = graded({"m": {"a": "+-", "b": "++"}})
    with pytest.raises(assay.UsageError, match="the gold has no field 'colour'; it has task"):
        assay.suite(scores, field="colour")
    with pytest.raises(assay.UsageError, match="confidence=2"):
        assay.suite(scores, confidence=2)
    with pytest.raises(assay.UsageError, match="resamples=3"):
        assay.suite(scores, resamples=3)
    with pytest.raises(assay.UsageError, match="unknown run 'z'"):
        assay.suite(scores).run("z")


def test_a_question_with_one_outcome_moves_no_macro_mean():
    """c@1 of x: a 2/3·(1+1/3) = 8/9, b 1/2; of y: a 2/3, b 1/2. a2 alone, declined by x and wrong for y, differs."""
    outcomes = {"x": {"a": "++.", "b": "+-"}, "y": {"a": "++-", "b": "+-"}}
    words = {"+": "correct", "-": "incorrect", ".": "unanswered"}
    lines = ["run,id,outcome,task"]
    for run, tasks in outcomes.items():
        lines += [f"{run},{t}{i},{words[sign]},{t}" for t, signs in tasks.items() for i, sign in enumerate(signs)]
    found = assay.compare(assay.evaluate(None, "\n".join(lines).encode(), ["c@1"]), "c@1", pairs=[("x", "y")])
    assert {one.run: one.value for one in found.runs} == pytest.approx(
        {"x": (8 / 9 + 1 / 2) / 2, "y": (2 / 3 + 1 / 2) / 2}
    )
    [pair] = found.pairs
    assert (pair.won, pair.tied, pair.lost) == (1, 4, 0)
    assert [one.topic for one in pair.moved] == ["a2"]
