"""The finding of a comparison and its resolution, of boards whose every pair is set by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import assay
from assay.analyses.comparison.finding import (
    borderline_runs,
    decimals,
    finding,
    leading_runs,
    resolution,
    shown_ranks,
    significant_lead,
    top_two,
)
from assay.analyses.comparison.result import Comparison, PairColumns, PairResult, RankResult, Ranks, RunResult
from assay.stats.bootstrap_intervals import Interval
from assay.stats.rank_intervals import rank_intervals


def board(values, apart, *, p_apart=0.001, p_alike=0.4, tiers=True, pairs=None, **fields) -> Comparison:
    """A comparison of runs by AP; `apart` has the pairs that differ significantly, as "ab" where a is better than b."""
    runs = sorted(values, key=lambda run: -values[run])
    apart = [tuple(pair) for pair in apart]
    interval = {run: Interval(values[run] - 0.07, values[run] + 0.07, 0.95, "t") for run in runs}
    made = []
    for a, b in pairs or combinations(runs, 2):
        winner = a if (a, b) in apart else b if (b, a) in apart else None
        better = winner or max(a, b, key=lambda run: values[run])
        p = p_alike if winner is None else p_apart
        made.append(
            PairResult(
                a=a, b=b, difference=values[a] - values[b], interval=Interval(-1, 1, 0.95, "t"), decided_by=p, exact=True,
                significant=winner is not None, better=None if values[a] == values[b] else better, sentence=f"{a} and {b}.",
            )
        )  # fmt: skip
    number = {run: i for i, run in enumerate(runs)}
    winners, losers = ([number[pair[end]] for pair in apart] for end in (0, 1))
    low, high = rank_intervals(np.array(winners, dtype=int), np.array(losers, dtype=int), len(runs))
    ranks = Ranks([RankResult(run, i + 1, int(low[i]), int(high[i])) for i, run in enumerate(runs)]) if tiers else None
    shown = [
        RunResult(run=run, value=values[run], interval=interval[run], tier=1, not_different=0, missing=0, undefined=0)
        for run in runs
    ]
    return Comparison(
        measure="AP", noun="topic", higher_is_better=fields.pop("higher_is_better", True), topics=24, units=24, left_out=0,
        extent="24 topics", runs=shown, pairs=made, tiers=[runs] if tiers else None, significant={},
        settings={"confidence": 0.95, "resamples": 10_000}, notes=[], ranks=ranks, apart=fields.pop("apart_runs", ()), **fields,
    )  # fmt: skip


FOUR = {"a": 0.574, "b": 0.532, "c": 0.435, "d": 0.126}


@pytest.mark.parametrize(
    ("apart", "sentence"),
    [
        (["ab", "ac", "ad"], "a leads by .04 (AP .574) and beats the other three."),
        (
            ["ac", "ad", "bc", "bd"],
            "a leads by .04 (AP .574). b cannot be told apart from it; both beat the other two. 2 of 4 may be first.",
        ),
        (
            ["ad", "bd", "cd"],
            "a leads by .04 (AP .574). b and c cannot be told apart from it; all three beat d. 3 of 4 may be first.",
        ),
        # b does not beat c: nothing is said of both.
        (["ac", "ad", "bd"], "a leads by .04 (AP .574). b cannot be told apart from it. 2 of 4 may be first."),
        ([], "No run can be told from another on these 24 topics. a has the highest AP (.574), .04 above b."),
        (
            ["bd"],
            "a leads by .04 (AP .574), but none of the other three can be told apart from it. 3 of 4 may be first.",
        ),
    ],
)
def test_who_leads_and_who_cannot_be_told_apart(apart, sentence):
    assert finding(board(FOUR, apart)) == sentence


def test_many_runs_are_counted():
    values = {run: 0.5 - i / 100 for i, run in enumerate("abcdefghij")}
    apart = [f"{x}{y}" for x, y in combinations("abcdefghij", 2) if ord(y) - ord(x) > 4]
    assert (
        finding(board(values, apart))
        == "a leads by .01 (AP .500). Four of the other nine cannot be told apart from it. 5 of 10 may be first."
    )


def test_what_another_seed_could_decide_otherwise_is_about_or_perhaps():
    """With 10,000 resamples a p of .05 has a standard error of .0022: .0552 and .047 are near, .057 is not."""
    close = {run: 0.5 - i / 100 for i, run in enumerate("abcdefgh")}
    apart = [f"{x}{y}" for x, y in combinations("abcdefgh", 2) if y in "gh"]
    result = board(close, apart)
    result.pairs[4] = replace(result.pairs[4], decided_by=0.0552, exact=False)
    assert (
        finding(result)
        == "a leads by .01 (AP .500). Four or five of the other seven cannot be told apart from it. 5 or 6 of 8 may be first."
    )
    result.pairs[4] = replace(result.pairs[4], decided_by=0.057)
    assert "Five of the other seven" in finding(result)
    few = board(FOUR, ["ac", "ad", "bc", "bd"])
    few.pairs[1] = replace(few.pairs[1], decided_by=0.047, exact=False)
    assert (
        finding(few) == "a leads by .04 (AP .574). b and perhaps c cannot be told apart from it. 2 of 4 may be first."
    )


def test_a_baseline_that_is_listed_apart_is_not_the_leader():
    """Of a, b, c, d the first is a baseline: b leads, and what the pairs with the baseline say follows."""
    result = board(FOUR, ["ab", "ac", "ad", "bc", "bd"], apart_runs=("a",))
    assert finding(result) == "b leads by .10 (AP .532) and beats the other two. The baseline a beats b."
    assert leading_runs(result) == {"a", "b"}
    tied = board(FOUR, ["ac", "bc", "bd", "ad"], apart_runs=("a",))
    assert finding(tied) == (
        "b leads by .10 (AP .532) and beats the other two. The baseline a cannot be told apart from b."
    )
    assert top_two(tied) == "The top two differ by .10 (p = .001), which is significant."
    below = board(FOUR, ["ab", "ac", "ad"], apart_runs=("c", "d"))
    assert finding(below) == "a leads by .04 (AP .574) and beats the other run. a also beats the baselines c and d."
    assert finding(board(FOUR, ["ab"], apart_runs=("a",))) == (
        "No run can be told from another on these 24 topics. b has the highest AP (.532), .10 above c. The baseline a beats b."
    )
    assert finding(board(FOUR, ["ab"], apart_runs=("a", "c", "d"))) == (
        "b has AP .532. The baseline a beats b. The baselines c and d cannot be told apart from b."
    )
    assert result.finding == finding(result) == result.to_dict()["finding"]
    assert result.to_dict()["apart"] == ["a"]
    assert "apart" not in board(FOUR, []).to_dict()


def test_of_many_pairs_those_with_a_leader_further_down_are_read_from_the_columns():
    """Only the pairs of the first run are listed; b, c and d are decided by the columns of all pairs."""
    result = board(FOUR, ["ab", "bc", "bd"], apart_runs=("a",))
    numbers = np.array([pair.difference for pair in result.pairs])
    p = np.array([pair.decided_by for pair in result.pairs])
    first, second = np.triu_indices(4, 1)
    columns = PairColumns(
        a=first, b=second, difference=numbers, low=numbers, high=numbers, p=p, methods=("t",), adjusted=True
    )
    few = replace(result, pairs=result.pairs[:3], every=columns)
    assert finding(few) == finding(result)
    assert finding(few) == "b leads by .10 (AP .532) and beats the other two. The baseline a beats b."


def test_the_names_of_runs_are_marked_wherever_a_sentence_has_the_same_words():
    """Runs called `run`, `2` and `the`."""
    values = {"run": 0.5, "2": 0.49, "the": 0.3, "other": 0.1}
    found = finding(board(values, [("run", "the"), ("run", "other"), ("2", "the"), ("2", "other")]))
    assert (
        found
        == "run leads by .01 (AP .500). 2 cannot be told apart from it; both beat the other two. 2 of 4 may be first."
    )
    assert [part for part, name in found.parts if name] == ["run", "2"]
    none = finding(board(values, []))
    assert [part for part, name in none.parts if name] == ["run", "2"], none
    against = finding(board(values, [], tiers=False, pairs=[("2", "run"), ("the", "run")]))
    assert against == "None of 2 runs can be told apart from run in AP."
    assert [part for part, name in against.parts if name] == ["run"]


@pytest.mark.parametrize("near", [0.0490, 0.0510])
def test_a_p_value_at_the_level_gives_the_same_finding_on_either_side(near):
    """One pair of a and c: .049 is significant and .051 is not, and both may be otherwise with another seed."""

    def decided(result, number, **fields):
        result.pairs[number] = replace(
            result.pairs[number], decided_by=near, exact=False, significant=near <= 0.05, **fields
        )
        return finding(result)

    assert decided(board(FOUR, ["ab", "ac", "ad"]), 1) == (
        "a leads by .04 (AP .574). Perhaps c cannot be told apart from it. 1 or 2 of 4 may be first."
    )
    assert decided(board(FOUR, []), 1) == (
        "a leads by .04 (AP .574), but none of the other three can be told apart from it. 3 or 4 of 4 may be first."
    )
    assert decided(board(FOUR, ["ac", "ad", "bc", "bd"]), 3) == (
        "a leads by .04 (AP .574). b cannot be told apart from it. 2 of 4 may be first."
    ), "that both beat the others is not sure"
    assert (
        decided(board({"a": 0.6, "b": 0.4}, []), 0) == "a perhaps beats b by .20 AP on 24 topics (p is close to .05)."
    )
    against = {"tiers": False, "pairs": [("a", "c"), ("b", "c")]}
    assert decided(board(FOUR, ["ac"], **against), 1) == "a beats c by .14 AP; b perhaps cannot be told apart from it."
    assert decided(board(FOUR, [], **against), 1) == (
        "a cannot be told apart from c; b perhaps cannot be told apart from it."
    )
    assert decided(board(FOUR, [], higher_is_better=None), 0) == (
        f"About {int(near < 0.05)} of 6 pairs differ significantly in AP, which has no better or worse."
    )


def test_a_test_without_resamples_does_not_depend_on_the_seed():
    result = board({"a": 0.6, "b": 0.4}, [])
    result.pairs[0] = replace(result.pairs[0], decided_by=0.0501, exact=False)
    result.settings["test"] = "t"
    assert finding(result).startswith("a and b cannot be told apart")


def test_a_corrected_p_value_is_as_uncertain_as_it_was_multiplied():
    """.06 after Holm's factor of 6: .01 has a standard error of .001, six times that is .006, of which .06 is 1.7 from .05."""
    result = board({"a": 0.6, "b": 0.4}, [])
    result.settings["test"] = "randomisation"
    pair = replace(result.pairs[0], decided_by=0.06, p={"randomisation": 0.01}, adjusted_by="holm", exact=False)
    result.pairs[0] = pair
    assert finding(result).startswith("a perhaps beats b")
    result.pairs[0] = replace(pair, p={"randomisation": 0.06}, adjusted_by="none")
    assert finding(result).startswith("a and b cannot be told apart")


def test_a_lead_is_shown_with_the_digits_it_needs():
    result = board({"a": 0.5004, "b": 0.5, "c": 0.2}, ["ac", "bc"])
    assert finding(result).startswith("a leads by .0004 (AP .500). b cannot be told apart from it; both beat c.")
    assert top_two(result).startswith("The top two differ by .0004 (")


def test_code_is_no_name_of_a_measure():
    result = replace(board(FOUR, ["ab", "ac", "ad"]), measure="RR(judged=lenient)")
    assert finding(result) == "a leads by .04 (RR, lenient .574) and beats the other three."
    assert "RR, lenient" in resolution(result)


def test_equal_values_share_the_lead():
    values = {"a": 0.5, "b": 0.5, "c": 0.2}
    assert finding(board(values, ["ac", "bc"])) == "a and b share the lead (AP .500). 2 of 3 may be first."
    assert top_two(board(values, ["ac", "bc"])) == "The top two have the same AP."


def test_two_runs():
    two = {"a": 0.61, "b": 0.41}
    assert finding(board(two, ["ab"])) == "a beats b by .20 AP on 24 topics."
    assert finding(board(two, [])) == "a and b cannot be told apart on 24 topics (AP .610 and .410)."
    assert resolution(board(two, [])) == ""


def test_a_baseline():
    against = {"tiers": False, "pairs": [("a", "c"), ("b", "c"), ("d", "c")]}
    assert (
        finding(board(FOUR, ["ac", "cd"], **against))
        == "a beats c by .14 AP; b cannot be told apart from it; d is below it."
    )
    assert finding(board(FOUR, ["ac", "bc", "cd"], **against)) == "a and b beat c by .10 AP or more; d is below it."
    assert finding(board(FOUR, ["cd"], **against)) == "a and b cannot be told apart from c; d is below it."
    assert finding(board(FOUR, [], **against)) == "None of 3 runs can be told apart from c in AP."


def test_chosen_pairs():
    result = board(FOUR, ["ab"], tiers=False, pairs=[("a", "b"), ("c", "d")])
    assert finding(result) == "1 of 2 pairs differs significantly in AP: a beats b."


def test_a_measure_without_direction_has_no_leader():
    result = board(FOUR, ["ab"], higher_is_better=None)
    assert finding(result) == "1 of 6 pairs differ significantly in AP, which has no better or worse."


def test_a_better_run_below_the_leader_is_named():
    """Of a board with missing cells: the order is by adjusted means, the test by what both have."""
    result = board(FOUR, ["ba", "ad"], contradictions=[{"above": "a", "below": "b"}])
    assert finding(result).startswith(
        "a leads (AP .574, adjusted for missing cells), though b is significantly better on the topics that both have."
    )


def test_runs_that_cannot_be_compared_with_the_leader_are_named():
    result = board(FOUR, ["ab", "ac"])
    result.pairs[2] = PairResult(a="a", b="d")
    assert finding(result).startswith("a leads by .04 (AP .574). d cannot be compared with it.")


def test_which_leads_count():
    """Differences .042 (p .4), .097, .139, .309, .406, .448: all from .09 on are significant, none up to .05 is."""
    apart = ["ac", "bc", "ad", "bd", "cd"]
    expected = (
        "Leads of .09 AP or more are significant here, leads of .05 or less are not. "
        "The top two differ by .04 (p = .40): 24 topics do not decide between them."
    )
    assert resolution(board(FOUR, apart)) == expected


def test_where_it_depends_on_the_pair():
    """a - b, .042, is significant and a - c, .139, is not: above .14 always, below .04 never."""
    text = resolution(board(FOUR, ["ab", "ad", "bd", "cd"]))
    assert text.startswith(
        "Leads above .14 AP are always significant here, below .04 never; between, it depends on the pair."
    )


@pytest.mark.parametrize("near", [0.0490, 0.0510])
def test_a_p_value_at_the_level_gives_the_same_limits_on_either_side(near):
    """Differences ab .042, bc .097, ac .139, cd .309, bd .406, ad .448: what bc decides is open."""

    def limits(apart, number):
        result = board(FOUR, apart)
        result.pairs[number] = replace(result.pairs[number], decided_by=near, exact=False, significant=near <= 0.05)
        return resolution(result), significant_lead(result)

    text, lead = limits(["ac", "ad", "bd", "cd"], 3)
    assert text.startswith("Leads above .10 AP are always significant here, below .09 never; between, it depends")
    assert lead is None
    assert limits([], 3)[0].startswith("No difference in AP is surely significant here; the largest is .45.")
    assert limits(["ac", "ad"], 0)[0].endswith(
        "The top two differ by .04 (p = .0"
        + f"{near:.4f}"[3:].rstrip("0")
        + "), which is at the limit of significance."
    )


def test_when_all_or_no_differences_are_significant():
    every = ["ab", "ac", "ad", "bc", "bd", "cd"]
    assert resolution(board(FOUR, every)).startswith("All differences in AP are significant here; the smallest is .04.")
    assert resolution(board(FOUR, [])).startswith("No difference in AP is significant here; the largest is .45.")


@pytest.mark.parametrize(("half", "digits"), [(0.07, 3), (0.5, 2), (20, 0), (0.002, 4)])
def test_digits_follow_the_standard_error(half, digits):
    """Two significant digits of a quarter of the interval: .035, .25, 10, .001."""
    result = board({"a": 0.5, "b": 0.4}, [])
    runs = [replace(run, interval=Interval(0.5 - half, 0.5 + half, 0.95, "t")) for run in result.runs]
    assert decimals(replace(result, runs=runs)) == digits


def test_lower_is_better():
    rng = np.random.default_rng(1)
    errors = rng.uniform(0.1, 0.2, (30, 1)) + np.array([0.0, 0.2, 0.4]) + rng.normal(0, 0.01, (30, 3))
    result = assay.compare(assay.scores(errors, runs=["a", "b", "c"], measure="WER", higher_is_better=False))
    assert re.match(r"a leads by \.206 \(WER \.1\d+\)", finding(result))
    assert finding(result).endswith(" and beats the other two.")
    assert resolution(result).endswith(" The top two differ by .206 (p < .001), which is significant.")


def test_the_scale_is_the_smallest_significant_lead_where_all_larger_ones_are():
    """Differences: ab .042, ac .139, ad .448, bc .097, bd .406, cd .309."""
    assert significant_lead(board(FOUR, ["ac", "ad", "bc", "bd", "cd"])) == pytest.approx(0.09), (
        "no difference lies between .042 and .097"
    )
    assert significant_lead(board(FOUR, ["ad", "bd"])) == pytest.approx(0.4), "cd's .309 is not, bd's .406 is"
    assert significant_lead(board(FOUR, ["ac", "ad", "bd", "cd", "ab"])) is None, "bc's .097 is not, ab's .042 is"
    assert significant_lead(board(FOUR, [])) is None
    every = [a + b for a, b in combinations("abcd", 2)]
    assert significant_lead(board(FOUR, every)) == pytest.approx(0.042)
    assert significant_lead(board({"a": 0.5, "b": 0.4571, "c": 0.2}, ["ab", "ac", "bc"])) == pytest.approx(0.043), (
        ".0429 upwards"
    )
    assert significant_lead(board({"a": 0.5, "b": 0.3}, ["ab"])) is None, "one pair has no limit"


# Who leads, as the marks of a board say it


def test_the_leader_and_who_cannot_be_told_from_it_lead():
    assert leading_runs(board(FOUR, ["ac", "ad"])) == {"a", "b"}
    assert leading_runs(board(FOUR, ["ab", "ac", "ad"])) == {"a"}
    assert leading_runs(board(FOUR, [])) == {*"abcd"}
    assert leading_runs(board({"a": 0.6, "b": 0.4}, ["ab"])) == {"a"}


def test_a_run_two_tiers_down_may_lead_too():
    """c is below b, and still cannot be told from a."""
    assert leading_runs(board(FOUR, ["ad", "bc", "bd"])) == {"a", "b", "c"}


def test_only_who_is_below_the_leader_does_not_lead():
    """b, below a by the adjusted means, is better where both have values; d cannot be compared with a."""
    result = board(FOUR, ["ba", "ac"], contradictions=[{"above": "a", "below": "b"}])
    result.pairs[2] = PairResult(a="a", b="d")
    assert leading_runs(result) == {"a", "b", "d"}


def test_without_a_leader_all_lead_and_none_is_borderline():
    result = board(FOUR, ["ac", "bc"], tiers=False, pairs=[("a", "c"), ("b", "c"), ("d", "c")])
    assert leading_runs(result) == {*"abcd"}
    assert borderline_runs(result) == set()


@pytest.mark.parametrize(
    ("p", "exact", "borderline"),
    [
        # 2.58 · sqrt(.05 · .95 / 10,000) = .00562.
        (0.0556, False, True), (0.0444, False, True), (0.0557, False, False), (0.0443, False, False), (0.05, True, False),
        (None, False, False),
    ],
)  # fmt: skip
def test_what_another_seed_could_decide_is_borderline(p, exact, borderline):
    result = board(FOUR, ["ac", "ad"])
    result.pairs[0] = replace(result.pairs[0], decided_by=p, exact=exact)
    assert borderline_runs(result) == ({"b"} if borderline else set())


def test_a_rank_that_another_seed_could_make_the_first_says_so():
    result = board(FOUR, ["ab", "ac", "ad"])
    assert shown_ranks(result) == {"a": "1", "b": "2–4", "c": "2–4", "d": "2–4"}
    result.pairs[0] = replace(result.pairs[0], decided_by=0.0444, exact=False)
    assert shown_ranks(result) == {"a": "1", "b": "1 or 2–4", "c": "2–4", "d": "2–4"}


def test_pairs_below_the_leader_are_not_borderline():
    result = board(FOUR, ["ac", "ad"])
    result.pairs[3] = replace(result.pairs[3], decided_by=0.05, exact=False)
    assert borderline_runs(result) == set()


# Of many runs, which have the pairs with the leader as objects, and all pairs as columns


def with_columns(values, apart, untested=()) -> Comparison:
    """The comparison with only the leader's pairs, and every pair as numbers."""
    whole = board(values, apart)
    names = [run.run for run in whole.runs]
    number = {run: i for i, run in enumerate(names)}
    pairs = [replace(pair, decided_by=None) if pair.a + pair.b in untested else pair for pair in whole.pairs]
    columns = PairColumns(
        a=np.array([number[pair.a] for pair in pairs]),
        b=np.array([number[pair.b] for pair in pairs]),
        difference=np.array([pair.difference for pair in pairs]),
        low=np.full(len(pairs), -1.0),
        high=np.full(len(pairs), 1.0),
        p=np.array([np.nan if pair.decided_by is None else pair.decided_by for pair in pairs]),
        methods=("t",),
        adjusted=True,
    )
    return replace(whole, pairs=pairs[: len(names) - 1], every=columns)


@pytest.mark.parametrize(
    ("apart", "ending"),
    [
        (["ac", "ad", "bc", "bd"], "; both beat the other two. 2 of 4 may be first."),
        (["ac", "ad", "bd"], ". 2 of 4 may be first."),
        (["ac", "ad", "bc"], ". 2 of 4 may be first."),
        (["ad", "bd", "cd"], "; all three beat d. 3 of 4 may be first."),
        (["ad", "bd"], ". 3 of 4 may be first."),
        (["ad", "cd"], ". 3 of 4 may be first."),
    ],
)
def test_of_many_runs_both_beat_only_where_every_pair_does(apart, ending):
    """The third pair of four runs is a with d, the fourth b with c, the fifth b with d, the last c with d."""
    result = with_columns(FOUR, apart)
    assert len(result.pairs) == 3
    assert finding(result) == finding(board(FOUR, apart))
    assert finding(result).endswith(f"cannot be told apart from it{ending}")


def test_of_many_runs_an_untested_pair_beats_nobody():
    assert "both beat" in finding(with_columns(FOUR, ["ac", "ad", "bc", "bd"]))
    assert "both beat" not in finding(with_columns(FOUR, ["ac", "ad", "bc", "bd"], untested=["bd"]))


def test_of_many_runs_equal_values_beat_nobody_whatever_their_p():
    result = with_columns(FOUR, ["ac", "ad", "bc", "bd"])
    result.every.difference[3] = 0.0
    assert "both beat" not in finding(result)


def test_of_many_runs_the_resolution_counts_every_tested_pair():
    """.097 (b - c) is the smallest significant lead, .042 the largest that is not; without b - c it is .139 (a - c)."""
    apart = ["ac", "bc", "ad", "bd", "cd"]
    assert resolution(with_columns(FOUR, apart)) == resolution(board(FOUR, apart))
    assert resolution(with_columns(FOUR, apart, untested=["bc"])).startswith(
        "Leads of .13 AP or more are significant here"
    )
    assert leading_runs(with_columns(FOUR, apart)) == {"a", "b"}
