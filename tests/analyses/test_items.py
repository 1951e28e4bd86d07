"""The verb `items`: kinds of items, worst first; curves; what to keep; what is undefined is null."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.analyses.items import AnchorSet, Items, responses
from assay.errors import UsageError
from assay.stats.anchor_items import AnchorQuality


def table(values, **more) -> assay.Scores:
    values = np.asarray(values, dtype=float)
    return assay.scores(values.tolist(), runs=[f"r{i}" for i in range(values.shape[1])], measure="right", **more)


def ordered(items: int, runs: int) -> np.ndarray:
    """Item i is right for the runs from number i + 1 on: each is as steep as can be."""
    return np.array([[float(run > item % (runs - 1)) for run in range(runs)] for item in range(items)])


@pytest.fixture(scope="module")
def planted() -> Items:
    """Sixty items that all tell thirty runs apart, one whose gold is turned round, one that nobody and one that everybody gets."""
    values = np.vstack([ordered(60, 30), 1 - ordered(15, 30)[14:], np.zeros((1, 30)), np.ones((1, 30))])
    return assay.items(table(values))


def test_the_kinds(planted) -> None:
    assert [item.topic for item in planted.suspicious] == ["61"]
    assert [item.topic for item in planted.of_kind("nobody")] == ["62"]
    assert [item.topic for item in planted.of_kind("everybody")] == ["63"]
    assert {item.kind for item in planted.items[:60]} == {""}
    assert planted.suspicious[0].discrimination < -0.5
    assert planted.suspicious[0].adjusted < 0.001
    assert planted.hardest[0].mean == pytest.approx(1 / 30)


def test_the_finding_names_the_gold_to_check(planted) -> None:
    assert planted.finding == "Check the gold of topic 61, of 63 topics: good runs do badly on it, beyond chance."
    assert planted.to_dict()["finding"] == planted.finding
    turned = assay.items(table(np.vstack([ordered(60, 30), *[1 - ordered(15, 30)[14:]] * 2])))
    assert (
        turned.finding == "Check the gold of topics 61 and 62, of 62 topics: good runs do badly on them, beyond chance."
    )
    many = assay.items(table(np.vstack([ordered(90, 30), *[1 - ordered(15, 30)[14:]] * 5])))
    assert (
        many.finding
        == "Check the gold of topics 91, 92, 93 and 2 more, of 95 topics: good runs do badly on them, beyond chance."
    )


def test_the_finding_where_nothing_is_suspicious() -> None:
    """Turned round once of six runs: p is 1 in 20. Alone it is no proof; and three items on which all runs agree say nothing."""
    chance = assay.items(table(np.vstack([ordered(20, 6), 1 - ordered(3, 6)[2:], np.ones((2, 6))])))
    assert chance.finding == (
        "No topic is suspicious: good runs do worse on 1 of 23 topics, but this may be chance. On 2 all runs have the same value."
    )
    assert assay.items(table(ordered(20, 6))).finding == (
        "No topic is suspicious: on none of 20 topics do good runs do worse than others."
    )
    assert assay.items(table([[1] * 5, [0] * 5, [1] * 5])).finding == (
        "No topic separates the runs: on each of 3 topics all have the same value."
    )


def test_the_finding_on_what_to_keep(planted) -> None:
    quality = AnchorQuality(tau=0.914, error=0.03, largest=0.1, others_tau=0.9, others_error=0.03)
    kept = AnchorSet({"1": 1.0, "2": 1.0}, quality, replace(quality, tau=0.8), 0.9, True, [2], 20)
    end = " Check the gold of topic 61, of 63 topics: good runs do badly on it, beyond chance."
    assert replace(planted, kept=kept).finding == (
        f"2 of 63 topics rank held-out runs as all do with a tau of .91, as many at random with .80.{end}"
    )
    assert replace(planted, kept=replace(kept, reached=False)).finding == (
        "Half of the topics do not reach a tau of .9: 2 of 63 topics rank held-out runs as all do with a tau of .91, as many at "
        "random with "
        f".80.{end}"
    )
    tied = replace(kept, chosen=replace(quality, tau=None))
    assert replace(planted, kept=tied).finding == (
        f"Whether 2 of 63 topics rank the runs as all do cannot be said: held-out runs are tied.{end}"
    )


def test_undefined_is_null(planted) -> None:
    told = json.loads(json.dumps(planted.to_dict(), allow_nan=False))
    nobody = told["items"][61]
    assert (nobody["mean"], nobody["discrimination"], nobody["p"], nobody["adjusted"]) == (0.0, None, None, None)
    assert (told["nobody"], told["everybody"], told["suspicious"], told["negative"]) == (1, 1, 1, 0)
    header, rows = planted.rows()
    assert len(rows) == 63
    assert rows[61][header.index("discrimination")] is None


def test_negative_is_not_suspicious_by_itself() -> None:
    """Six runs deal out 3 right answers in 20 ways: no p is small enough for many items."""
    values = np.vstack([ordered(20, 6), 1 - ordered(3, 6)[2:]])
    found = assay.items(table(values))
    assert found.suspicious == []
    assert [item.topic for item in found.of_kind("negative")] == ["21"]
    assert found.items[20].p == pytest.approx(1 / 20)


def test_a_measure_where_less_is_better_has_its_hardest_at_the_other_end() -> None:
    qrels = {str(t): {f"d{d}": int(d == t) for d in range(6)} for t in range(5)}
    runs = {f"r{r}": {str(t): {f"d{d}": -abs(d - r * (t % 2)) for d in range(6)} for t in range(5)} for r in range(5)}
    found = assay.items(qrels, "RR", runs=runs)
    assert found.higher_is_better
    means = [item.mean for item in found.hardest]
    assert means == sorted(means)


def test_where_less_is_better_nobody_manages_what_all_get_the_highest_value_for() -> None:
    errors = assay.scores(
        [[1, 1, 1, 1, 1], [0, 0, 0, 0, 0], [0, 1, 0, 1, 0]],
        runs=list("abcde"), measure="error", higher_is_better=False,
    )  # fmt: skip
    assert [item.kind for item in assay.items(errors).items][:2] == ["nobody", "everybody"]


def test_curves(planted) -> None:
    draw = np.random.default_rng(4)
    chance = 1 / (1 + np.exp(-1.2 * (draw.normal(0, 1, 60) - np.linspace(-1.5, 1.5, 20)[:, None])))
    values = np.vstack([(draw.random((20, 60)) < chance).astype(float), np.ones((1, 60))])
    found = assay.items(table(values), irt="2PL", theta=0.5)
    assert found.response.converged
    assert found.warnings == []
    assert (found.items[20].slope, found.items[20].location, found.items[20].information) == (None, None, None)
    assert found.response.undefined == 1
    one = found.items[5]
    right = 1 / (1 + np.exp(-one.slope * (0.5 - one.location)))
    assert one.information == pytest.approx(one.slope**2 * right * (1 - right))
    assert found.response.test[0.5] == pytest.approx(
        sum(i.information for i in found.items if i.information is not None)
    )
    assert set(found.response.abilities) == set(found.runs)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["irt"]["model"] == "2PL"


def test_few_runs_are_warned_about_and_graded_values_refused() -> None:
    values = (np.random.default_rng(1).random((30, 12)) < 0.5).astype(float)
    (warning,) = assay.items(table(values), irt="1PL").warnings
    assert warning.startswith("1PL of 12 runs is unreliable")
    with pytest.raises(assay.UsageError, match=r"`irt='1PL'`: 1PL needs values of 0 and 1, and right has others"):
        assay.items(table(values * 0.5 + 0.1), irt="1PL")


def test_what_to_keep() -> None:
    draw = np.random.default_rng(2)
    values = (draw.random((80, 16)) < np.linspace(0.2, 0.8, 16)).astype(float)
    found = assay.items(table(values), keep=12)
    assert len(found.kept.items) == 12
    assert set(found.kept.items) <= {item.topic for item in found.items}
    header, rows = found.rows()
    weights = [row[header.index("weight")] for row in rows]
    assert sum(weight is not None for weight in weights) == 12
    told = found.to_dict()["keep"]
    assert set(told["chosen"]) == set(told["random"]) == {"tau", "error", "largest", "others_tau", "others_error"}


def test_top_is_a_number_from_one() -> None:
    with pytest.raises(assay.UsageError, match="top"):
        assay.items(table(ordered(10, 5)), top=0)


def test_where_all_runs_agree_on_everything_nothing_is_tested() -> None:
    found = assay.items(table([[1] * 5, [0] * 5, [1] * 5]))
    assert [one.p for one in found.items] == [None] * 3


@pytest.mark.parametrize("theta", [float("nan"), float("inf")])
def test_an_ability_is_a_number(theta) -> None:
    with pytest.raises(UsageError, match="theta="):
        assay.items(table(ordered(6, 4)), irt="1PL", theta=theta)


GOLD = {"q1": "a", "q2": "b", "q3": "c"}
RUNS = {"x": {"q1": "a", "q2": "z", "q3": None}, "y": {"q1": "a", "q2": "b"}}


def test_unanswered_is_not_right_and_what_is_missing_follows_the_policy() -> None:
    counted = responses(assay.evaluate(GOLD, RUNS))
    assert counted.values.tolist() == [[1, 1], [0, 1], [0, 0]]
    assert (counted.measure, counted.binary, counted.absent, counted.noun) == ("accuracy", True, 0, "question")
    skipped = responses(assay.evaluate(GOLD, RUNS, missing="skip"))
    assert np.isnan(skipped.values[2, 1])
    assert skipped.values[2, 0] == 0
    assert (skipped.absent, skipped.binary) == (1, True)


def test_samples_are_a_share_and_what_failed_is_no_data(tmp_path) -> None:
    log = tmp_path / "log.csv"
    log.write_text(
        "run,id,outcome,sample\na,1,correct,1\na,1,incorrect,2\na,2,correct,1\na,2,correct,2\n"
        "b,1,failed,1\nb,1,failed,2\nb,2,unanswered,1\nb,2,correct,2\n"
    )
    found = responses(assay.evaluate(None, [str(log)], columns="run=run,id=id,outcome=outcome,sample=sample"))
    assert found.values[0, 0] == 0.5
    assert np.isnan(found.values[0, 1])
    assert found.values[1].tolist() == [1.0, 0.5]
    assert not found.binary


def test_a_measure_with_values_by_topic() -> None:
    scores = assay.scores([[0.5, 0.25], [None, 1.0]], runs=["a", "b"], measure="AP", undefined="skip")
    found = responses(scores, "AP")
    assert found.values[0].tolist() == [0.5, 0.25]
    assert np.isnan(found.values[1, 0])
    assert found.measure == "AP"


def test_a_measure_of_whole_runs_is_refused_with_what_would_do() -> None:
    with pytest.raises(assay.UsageError, match=r"c@1 has no value per question; use accuracy"):
        responses(assay.evaluate(GOLD, RUNS), "c@1")


def test_one_run_says_nothing_of_items() -> None:
    with pytest.raises(assay.InputError, match="at least 2 runs and 2 questions, found 1 and 3"):
        responses(assay.evaluate(GOLD, {"x": RUNS["x"]}))
