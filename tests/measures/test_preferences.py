"""Preference measures against hand calculation, trec_eval's own help, and pair-by-pair counting; judgment groups by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.measures import preferences as measures
from assay.measures.registry import declarations, find
from assay.measures.views.preferences import JudgmentGroupView, Ordering, PreferenceView


def test_every_measure_of_trec_eval_is_declared():
    assert [declaration.name for declaration in declarations("preferences")] == [
        "prefs_num_prefs_poss",
        "prefs_num_prefs_ful",
        "prefs_num_prefs_ful_ret",
        "prefs_simp",
        "prefs_pair",
        "prefs_avgjg",
        "prefs_avgjg_Rnonrel",
        "prefs_simp_ret",
        "prefs_pair_ret",
        "prefs_avgjg_ret",
        "prefs_avgjg_Rnonrel_ret",
        "prefs_simp_imp",
        "prefs_pair_imp",
        "prefs_avgjg_imp",
    ]
    assert [d.name for d in declarations("judgment-groups")] == ["map_avgjg", "P_avgjg", "Rprec_mult_avgjg"]


def test_names_with_cutoffs():
    assert find("P_avgjg_5", "judgment-groups") == find("P_avgjg@5", "judgment-groups")
    assert find("Rprec_mult_avgjg_0.20", "judgment-groups").parameters == {"multiple": 0.2}


# The examples in trec_eval's description of the prefs format (`trec_eval -h -R prefs`), with the counts it states.
HELP_EXAMPLES = [
    pytest.param([[{"1": 3, "2": 2, "3": 0, "4": 6, "5": 0, "6": 2}]], 13, id="one list of six"),
    pytest.param([[{"1": 3, "2": 2}], [{"1": 0, "3": 6, "4": 2}, {"1": 0, "2": 8}]], 5, id="two users"),
    pytest.param([[{"1": 3, "2": 2, "3": 1}, {"2": 5, "4": 4}]], 5, id="1 over 4 by transitivity"),
]


@pytest.mark.parametrize(("groups", "preferences"), HELP_EXAMPLES)
def test_counts_stated_in_the_help(groups: list[list[dict[str, float]]], preferences: int):
    view = PreferenceView([Ordering(subgroups) for subgroups in groups], {})
    assert measures.possible_preferences(view) == preferences


def test_the_one_example_of_the_help_that_forgets_transitivity():
    """It names 1>2, 1>3, 2>3, 4>1 and 4>2; 4>3 follows, and trec_eval counts it. The repeated 1>2 counts once."""
    view = PreferenceView([Ordering([{"1": 3, "2": 2, "3": 1}, {"1": 2, "2": 1, "4": 3}])], {})
    assert measures.possible_preferences(view) == 6


def test_three_families_by_hand():
    """a > b > c > d; the run returns c, then a. Both retrieved: a>c fails. One: a>b and a>d, c>d hold, b>c fails."""
    view = PreferenceView([Ordering([{"a": 4, "b": 3, "c": 2, "d": 1}])], {"c": 3, "a": 7})
    assert measures.possible_preferences(view) == 6
    assert measures.fulfilled_preferences(view) == 3
    assert measures.fulfilled_preferences_retrieved(view) == 0
    assert measures.fulfilled_share(view) == 3 / 6
    assert measures.fulfilled_share_implied(view) == 3 / 5
    assert measures.fulfilled_share_retrieved(view) == 0 / 1


def test_undefined_where_nothing_is_preferred():
    silent = PreferenceView([Ordering([{"a": 1, "b": 1}]), Ordering([{"a": 0}])], {"a": 1, "b": 2})
    for function in (measures.fulfilled_share, measures.pair_agreement, measures.group_share):
        assert function(silent) is None
    nothing_found = PreferenceView([Ordering([{"a": 1, "b": 0}])], {})
    assert measures.fulfilled_share(nothing_found) == 0.0
    assert measures.fulfilled_share_implied(nothing_found) is None
    assert measures.pair_agreement_implied(nothing_found) is None
    assert measures.group_share_retrieved(nothing_found) is None


def test_a_group_without_preferences_takes_its_share_of_the_mean():
    view = PreferenceView([Ordering([{"a": 1, "b": 0}]), Ordering([{"b": 0}])], {"a": 1, "b": 2})
    assert measures.group_share(view) == 0.5
    # trec_eval divides 0 by 0 in the second group and prints 0 for the topic.
    assert measures.balanced_group_share(view) == 0.5


@pytest.mark.parametrize(("first", "second"), [("a", "x"), ("é", "한"), ("\U00010000", "\udcff")])
def test_missed_documents_stand_in_byte_order(first: str, second: str):
    """One relevant document, so one non-relevant document is kept, and only that one can be lost to it."""
    ranks = {"relevant": 1}
    first_compared = PreferenceView([Ordering([{"relevant": 1, first: 0}, {second: 0}])], ranks)
    assert measures.balanced_group_share(first_compared) == 1.0
    second_compared = PreferenceView([Ordering([{"relevant": 1, second: 0}, {first: 0}])], ranks)
    assert measures.balanced_group_share(second_compared) is None


documents = st.sampled_from("abcdefg")
complete_group = st.dictionaries(documents, st.integers(0, 3), min_size=1).map(lambda judged: [judged])
order_of_merit = st.permutations("abcdefg").map(lambda order: {document: place for place, document in enumerate(order)})


@st.composite
def partial_group(draw: st.DrawFn) -> list[dict[str, int]]:
    """Subgroups cut out of one hidden order without ties, so that they cannot contradict each other."""
    merit = draw(order_of_merit)
    nonrelevant = draw(st.integers(0, 4))
    picks = draw(st.lists(st.sets(documents, min_size=1, max_size=4), min_size=2, max_size=4))
    return [{d: 0 if merit[d] < nonrelevant else merit[d] for d in pick} for pick in picks]


groups_of_a_topic = st.lists(complete_group | partial_group(), min_size=1, max_size=4)
rankings = st.lists(documents, unique=True).map(lambda order: {d: rank for rank, d in enumerate(order, start=1)})


def preferences_of(subgroups: list[dict[str, int]]) -> set[tuple[str, str]]:
    pairs = {(a, b) for judged in subgroups for a, b in product(judged, judged) if judged[a] > judged[b]}
    while True:
        longer = pairs | {(a, d) for a, b in pairs for c, d in pairs if b == c}
        if longer == pairs:
            return pairs
        pairs = longer


def fulfilled(pair: tuple[str, str], ranks: dict[str, int]) -> bool:
    return pair[0] in ranks and ranks[pair[0]] < ranks.get(pair[1], 1000)


@given(groups_of_a_topic, rankings)
def test_counting_pair_by_pair_gives_the_same(groups: list[list[dict[str, int]]], ranks: dict[str, int]):
    view = PreferenceView([Ordering(subgroups) for subgroups in groups], ranks)
    by_group = [preferences_of(subgroups) for subgroups in groups]
    families = [
        (0, measures.fulfilled_share, measures.pair_agreement, measures.group_share),
        (1, measures.fulfilled_share_implied, measures.pair_agreement_implied, measures.group_share_implied),
        (2, measures.fulfilled_share_retrieved, measures.pair_agreement_retrieved, measures.group_share_retrieved),
    ]
    assert measures.possible_preferences(view) == sum(map(len, by_group))
    for found, simple, pair, group in families:
        seen = [{p for p in pairs if (p[0] in ranks) + (p[1] in ranks) >= found} for pairs in by_group]
        hits = [sum(fulfilled(p, ranks) for p in pairs) for pairs in seen]
        total = sum(map(len, seen))
        if not total:
            assert simple(view) is pair(view) is group(view) is None
            continue
        assert simple(view) == sum(hits) / total
        shares = [Fraction(hit, len(pairs)) if pairs else Fraction() for hit, pairs in zip(hits, seen, strict=True)]
        assert group(view) == pytest.approx(float(sum(shares) / len(shares)), abs=1e-15)
        opinions: dict[frozenset[str], list[bool]] = {}
        for p in (p for pairs in seen for p in pairs):
            opinions.setdefault(frozenset(p), []).append(fulfilled(p, ranks))
        agreement = sum(Fraction(sum(votes), len(votes)) for votes in opinions.values()) / len(opinions)
        assert pair(view) == float(agreement)


def balanced_by_pairs(subgroups: list[dict[str, int]], ranks: dict[str, int], retrieved_only: bool) -> Fraction | None:
    """trec_eval's rule for a group, spelled out pair by pair."""
    values = {d: value for judged in subgroups for d, value in judged.items()}
    order = sorted(values, key=lambda d: (ranks.get(d, 1000), d))
    seen = [d for d in order if d in ranks or not retrieved_only]
    relevant = [d for d in seen if values[d] > 0]
    nonrelevant = [d for d in seen if values[d] == 0]
    pairs = [p for p in preferences_of(subgroups) if p[0] in seen and p[1] in seen]
    if len(relevant) >= len(nonrelevant):
        spare = len(relevant) - len(nonrelevant)
        top = sum(fulfilled(p, ranks) for p in pairs) + spare * sum(d in ranks for d in relevant)
        bottom = len(pairs) + spare * sum(value > 0 for value in values.values())
    else:
        keep = len(relevant)
        if len(subgroups) > 1:
            keep = sum(value > 0 for value in values.values())
        dropped = set(nonrelevant[keep:])
        pairs = [p for p in pairs if not dropped & set(p)]
        if len(subgroups) == 1:
            pairs += [(a, b) for a in nonrelevant for b in nonrelevant[:keep]]
        top = sum(fulfilled(p, ranks) for p in pairs)
        bottom = len(pairs)
    return Fraction(top, bottom) if bottom else None


@given(groups_of_a_topic, rankings)
def test_balanced_shares_pair_by_pair(groups: list[list[dict[str, int]]], ranks: dict[str, int]):
    view = PreferenceView([Ordering(subgroups) for subgroups in groups], ranks)
    for function, only in ((measures.balanced_group_share, False), (measures.balanced_group_share_retrieved, True)):
        shares = [balanced_by_pairs(subgroups, ranks, only) for subgroups in groups]
        if all(share is None for share in shares):
            assert function(view) is None
        else:
            mean = sum(share or Fraction() for share in shares) / len(shares)
            assert function(view) == pytest.approx(float(mean), abs=1e-15)


@settings(max_examples=50)
@given(order_of_merit)
def test_the_judges_own_order_is_perfect(merit: dict[str, int]):
    best_first = sorted(merit, key=merit.__getitem__, reverse=True)
    view = PreferenceView([Ordering([merit])], {d: rank for rank, d in enumerate(best_first, start=1)})
    assert measures.fulfilled_share(view) == measures.pair_agreement(view) == measures.group_share(view) == 1.0


def test_judgment_groups_by_hand():
    """Relevant for one judge at ranks 1 and 4 (R = 3), for the other at rank 2 (R = 1)."""
    judges = [{"a": 1, "b": 0, "d": 2, "gone": 1}, {"b": 1, "c": -1}]
    view = JudgmentGroupView(judges, {"a": 1, "b": 2, "c": 3, "d": 4}, num_ret=10)
    assert measures.average_precision_over_groups(view) == pytest.approx(((1 / 1 + 2 / 4) / 3 + 1 / 2) / 2)
    assert measures.precision_over_groups(view, cut=2) == (1 / 2 + 1 / 2) / 2
    assert measures.precision_over_groups(view, cut=20) == pytest.approx((2 / 20 + 1 / 20) / 2)
    # ⌊1·3 + .9⌋ = 3 documents hold 1; ⌊1·1 + .9⌋ = 1 holds none.
    assert measures.r_precision_multiple_over_groups(view, multiple=1.0) == pytest.approx((1 / 3 + 0) / 2)
    # ⌊.05·3 + .9⌋ = 1 holds 1; ⌊.05·1 + .9⌋ = 0 documents.
    assert measures.r_precision_multiple_over_groups(view, multiple=0.05) == (1 / 1 + 0) / 2


def test_a_judge_who_found_nothing_counts_as_zero():
    view = JudgmentGroupView([{"a": 0}, {"a": 1}], {"a": 1}, num_ret=1)
    assert measures.average_precision_over_groups(view) == 0.5
    assert measures.r_precision_multiple_over_groups(view, multiple=2.0) == 0.25
    nobody = JudgmentGroupView([{"a": 0}, {"a": -1}], {"a": 1}, num_ret=1)
    assert measures.average_precision_over_groups(nobody) is None
    assert measures.r_precision_multiple_over_groups(nobody, multiple=2.0) is None
    assert measures.precision_over_groups(nobody, cut=1) == 0.0
