"""Measures of preferences (task `preferences`) and of judgment groups.

A preference says that a judge would rather see document A than document B. A run fulfils it by ranking A above B, or
by retrieving A alone (*implied*); it fails it by ranking B above A or by retrieving B alone. Three families differ in
their treatment of pairs that the run did not retrieve both of:

    prefs_*         neither retrieved is a failure
    prefs_*_imp     neither retrieved is ignored
    prefs_*_ret     only pairs with both retrieved count: for collections that change after judging

and each family gives equal weight to the preferences (`simp`), the pairs of documents (`pair`) or the judgment groups (`avgjg`).
The last measures (task `judgment-groups`) are the simpler case: several judges, each with plain grades of documents.
Names and numbers are those of trec_eval 10.0, whose help texts are the definition cited throughout.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm

from assay.measures.define import measure
from assay.measures.parameters import number, positive
from assay.measures.views.preferences import (
    JudgmentGroupView,
    Ordering,
    PreferenceGroup,
    PreferenceView,
    first_bits,
    mean_over_groups,
)

__all__ = ["JudgmentGroupView", "Ordering", "PreferenceView"]  # what the examples are made of


CITE = "C. Buckley and E. M. Voorhees, trec_eval 10.0 (NIST), help of the preference measures"
CITE_GROUPS = "C. Buckley and E. M. Voorhees, trec_eval 10.0 (NIST), help of the qrels_jg measures"
NO_PREFERENCE = "where no preference applies to the documents considered"
NO_RELEVANT = "where no group has a relevant document"


@measure("prefs_num_prefs_poss", task="preferences", average="sum", higher_is_better=None, high=None, cite=CITE)
def possible_preferences(view: PreferenceView) -> int:
    """Preferences the judges expressed, retrieved or not; two groups that agree count twice.

    >>> possible_preferences(PreferenceView([Ordering([{"a": 2, "b": 1, "c": 0}])], {}))    # a>b, a>c, b>c
    3
    """
    return sum(group.pairs.possible for group in view.groups)


@measure("prefs_num_prefs_ful", task="preferences", average="sum", high=None, cite=CITE)
def fulfilled_preferences(view: PreferenceView) -> int:
    """Preferences A over B the run fulfils: A above B, or A retrieved and B not.

    >>> fulfilled_preferences(PreferenceView([Ordering([{"a": 2, "b": 1, "c": 0}])], {"b": 1, "a": 2}))    # a>c, b>c
    2
    """
    return sum(group.pairs.fulfilled for group in view.groups)


@measure("prefs_num_prefs_ful_ret", task="preferences", average="sum", high=None, cite=CITE)
def fulfilled_preferences_retrieved(view: PreferenceView) -> int:
    """Preferences A over B fulfilled with both retrieved: A above B.

    >>> fulfilled_preferences_retrieved(PreferenceView([Ordering([{"a": 2, "b": 1, "c": 0}])], {"a": 1, "b": 2}))
    1
    """
    return sum(group.pairs.both_fulfilled for group in view.groups)


@measure("prefs_simp", task="preferences", undefined=NO_PREFERENCE, cite=CITE)
def fulfilled_share(view: PreferenceView) -> float | None:
    """Preferences fulfilled / preferences expressed. Contradicting groups keep the best possible value below 1.

    >>> fulfilled_share(PreferenceView([Ordering([{"a": 2, "b": 1, "c": 0}])], {"b": 1, "a": 2}))    # 2 of 3
    0.6666666666666666
    """
    return _share_of_all((group.pairs.fulfilled, group.pairs.possible) for group in view.groups)


@measure("prefs_pair", task="preferences", undefined=NO_PREFERENCE, cite=CITE)
def pair_agreement(view: PreferenceView) -> float | None:
    """Mean over pairs of documents of the share fulfilled of the preferences that the groups have on the pair.

    Two of three judges prefer a to b; the run ranks a first:

    >>> judges = [Ordering([{"a": 1, "b": 0}]), Ordering([{"a": 1, "b": 0}]), Ordering([{"a": 0, "b": 1}])]
    >>> pair_agreement(PreferenceView(judges, {"a": 1, "b": 2}))
    0.6666666666666666
    """
    pairs = PairAgreement(view)
    return _ratio(pairs.both_agreeing + pairs.one_agreeing, (pairs.both + pairs.one + pairs.neither) * pairs.unit)


@measure("prefs_avgjg", task="preferences", undefined=NO_PREFERENCE, cite=CITE)
def group_share(view: PreferenceView) -> float | None:
    """Mean over judgment groups of preferences fulfilled / expressed; a group without preferences counts as 0.

    One judge expresses three preferences, of which two are met, the other a single one, which fails:

    >>> judges = [Ordering([{"a": 2, "b": 1, "c": 0}]), Ordering([{"a": 2, "b": 1}])]
    >>> group_share(PreferenceView(judges, {"b": 1, "a": 2}))    # (2/3 + 0)/2
    0.3333333333333333
    """
    return _mean_over_groups((group.pairs.fulfilled, group.pairs.possible) for group in view.groups)


@measure("prefs_avgjg_Rnonrel", task="preferences", undefined=NO_PREFERENCE, cite=CITE)
def balanced_group_share(view: PreferenceView) -> float | None:
    """`prefs_avgjg` with as many non-relevant documents (value 0) in each group as relevant ones: a relative of bpref.

    A group has R relevant and N non-relevant documents, r of the relevant ones retrieved.
    - N <= R: (fulfilled + r·(R-N)) / (expressed + R·(R-N)), as if R-N more non-relevant documents were ranked last.
    - N > R: only the R non-relevant documents highest in the run are kept. A group with a single subgroup is then also
      charged, as trec_eval does and its published results show, with a preference of each of its N non-relevant
      documents over each kept one, fulfilled where it is above and retrieved; groups with subgroups are not.

    >>> only_relevant = [Ordering([{"a": 1, "b": 1}])]                       # N = 0: 2 documents twice, one retrieved
    >>> balanced_group_share(PreferenceView(only_relevant, {"a": 1}))
    0.5
    >>> crowded = [Ordering([{"a": 1, "x": 0, "y": 0}])]                     # a>x; and x, y against the kept x
    >>> balanced_group_share(PreferenceView(crowded, {"a": 1, "x": 2, "y": 3}))
    0.3333333333333333
    >>> in_subgroups = [Ordering([{"a": 1, "x": 0}, {"a": 1, "y": 0}])]      # a>x alone
    >>> balanced_group_share(PreferenceView(in_subgroups, {"a": 1, "x": 2, "y": 3}))
    1.0
    """
    return _mean_over_groups(_balanced(group) for group in view.groups)


@measure("prefs_simp_ret", task="preferences", undefined=NO_PREFERENCE, cite=CITE)
def fulfilled_share_retrieved(view: PreferenceView) -> float | None:
    """`prefs_simp` over pairs with both documents retrieved.

    >>> fulfilled_share_retrieved(PreferenceView([Ordering([{"a": 2, "b": 1, "c": 0}])], {"a": 1, "c": 2}))
    1.0
    """
    return _share_of_all((group.pairs.both_fulfilled, group.pairs.both) for group in view.groups)


@measure("prefs_pair_ret", task="preferences", undefined=NO_PREFERENCE, cite=CITE)
def pair_agreement_retrieved(view: PreferenceView) -> float | None:
    """`prefs_pair` over pairs with both documents retrieved.

    >>> judges = [Ordering([{"a": 1, "b": 0}]), Ordering([{"a": 0, "b": 1, "c": 2}])]
    >>> pair_agreement_retrieved(PreferenceView(judges, {"a": 1, "b": 2}))
    0.5
    """
    pairs = PairAgreement(view)
    return _ratio(pairs.both_agreeing, pairs.both * pairs.unit)


@measure("prefs_avgjg_ret", task="preferences", undefined=NO_PREFERENCE, cite=CITE)
def group_share_retrieved(view: PreferenceView) -> float | None:
    """`prefs_avgjg` over pairs with both documents retrieved.

    >>> judges = [Ordering([{"a": 2, "b": 1, "c": 0}]), Ordering([{"b": 2, "c": 1}])]
    >>> group_share_retrieved(PreferenceView(judges, {"a": 1, "b": 2}))    # (1/1 + nothing)/2
    0.5
    """
    return _mean_over_groups((group.pairs.both_fulfilled, group.pairs.both) for group in view.groups)


@measure("prefs_avgjg_Rnonrel_ret", task="preferences", undefined=NO_PREFERENCE, cite=CITE)
def balanced_group_share_retrieved(view: PreferenceView) -> float | None:
    """`prefs_avgjg_Rnonrel` over pairs with both documents retrieved.

    A group has R relevant documents, and the run retrieved r of them and n of its non-relevant ones.
    - n <= r: (fulfilled + r·(r-n)) / (expressed + R·(r-n)).
    - n > r: only the non-relevant documents highest in the run are kept, r of them in a group with a single subgroup
      (charged as in `prefs_avgjg_Rnonrel`), R of them in a group with several.

    >>> judges = [Ordering([{"a": 1, "b": 1, "x": 0}])]              # r = 1, n = 0, R = 2: 1/2
    >>> balanced_group_share_retrieved(PreferenceView(judges, {"a": 1}))
    0.5
    >>> crowded = [Ordering([{"a": 1, "b": 1, "x": 0, "y": 0}])]     # a>x; and x, y against the kept x
    >>> balanced_group_share_retrieved(PreferenceView(crowded, {"a": 1, "x": 2, "y": 3}))
    0.3333333333333333
    """
    return _mean_over_groups(_balanced_retrieved(group) for group in view.groups)


@measure("prefs_simp_imp", task="preferences", undefined=NO_PREFERENCE, cite=CITE)
def fulfilled_share_implied(view: PreferenceView) -> float | None:
    """`prefs_simp` over pairs of which at least one document was retrieved.

    >>> fulfilled_share_implied(PreferenceView([Ordering([{"a": 2, "b": 1, "c": 0}])], {"b": 1}))    # b>c, not a>b
    0.5
    """
    return _share_of_all((group.pairs.fulfilled, group.pairs.both + group.pairs.one) for group in view.groups)


@measure("prefs_pair_imp", task="preferences", undefined=NO_PREFERENCE, cite=CITE)
def pair_agreement_implied(view: PreferenceView) -> float | None:
    """`prefs_pair` over pairs of which at least one document was retrieved.

    >>> judges = [Ordering([{"a": 1, "b": 0}]), Ordering([{"a": 0, "b": 1, "c": 2}])]
    >>> pair_agreement_implied(PreferenceView(judges, {"a": 1}))    # ab: 1/2, ac: 0/1; bc is ignored
    0.25
    """
    pairs = PairAgreement(view)
    return _ratio(pairs.both_agreeing + pairs.one_agreeing, (pairs.both + pairs.one) * pairs.unit)


@measure("prefs_avgjg_imp", task="preferences", undefined=NO_PREFERENCE, cite=CITE)
def group_share_implied(view: PreferenceView) -> float | None:
    """`prefs_avgjg` over pairs of which at least one document was retrieved.

    >>> judges = [Ordering([{"a": 2, "b": 1, "c": 0}]), Ordering([{"b": 2, "c": 1}])]
    >>> group_share_implied(PreferenceView(judges, {"b": 1}))    # (1/2 + 1/1)/2
    0.75
    """
    return _mean_over_groups((group.pairs.fulfilled, group.pairs.both + group.pairs.one) for group in view.groups)


def _ratio(top: int, bottom: int) -> float | None:
    return top / bottom if bottom else None


def _share_of_all(counts: Iterable[tuple[int, int]]) -> float | None:
    fulfilled = possible = 0
    for group_fulfilled, group_possible in counts:
        fulfilled += group_fulfilled
        possible += group_possible
    return _ratio(fulfilled, possible)


def _mean_over_groups(counts: Iterable[tuple[int, int]]) -> float | None:
    return mean_over_groups(_ratio(fulfilled, possible) for fulfilled, possible in counts)


class PairAgreement:
    """Pairs of documents some group has a preference on: both retrieved, one retrieved, neither.

    A pair on which n groups have a preference agrees with the run by the share of them it fulfils. Agreement is added
    up in whole numbers of 1/`unit`, so that thirds stay exact.
    """

    def __init__(self, view: PreferenceView) -> None:
        self.both: int = 0
        self.both_agreeing: int = 0
        self.one: int = 0
        self.one_agreeing: int = 0
        self.neither: int = 0
        self.unit: int = lcm(*range(1, len(view.groups) + 1))
        retrieved = view.retrieved
        for place in sorted({place for group in view.groups for place in group.below}):
            later = -2 << place
            opinions = [(g.below[place] & later, g.above[place] & later) for g in view.groups if place in g.below]
            for groups, others in _by_number_of_opinions(opinions):
                if not retrieved >> place & 1:
                    self.neither += others.bit_count()
                    continue
                self.both += (others & retrieved).bit_count()
                self.one += (others & ~retrieved).bit_count()
                for below, _ in opinions:
                    agreeing = below & others
                    self.both_agreeing += (agreeing & retrieved).bit_count() * (self.unit // groups)
                    self.one_agreeing += (agreeing & ~retrieved).bit_count() * (self.unit // groups)


def _by_number_of_opinions(opinions: list[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    """Return (n, mask of the documents on which exactly n groups have an opinion) for n from 1."""
    at_least = [0] * (len(opinions) + 2)
    for seen, (below, above) in enumerate(opinions):
        expressed = below | above
        for count in range(seen, 0, -1):
            at_least[count + 1] |= at_least[count] & expressed
        at_least[1] |= expressed
    return [(count, at_least[count] & ~at_least[count + 1]) for count in range(1, len(opinions) + 1)]


def _balanced(group: PreferenceGroup) -> tuple[int, int]:
    """Preferences fulfilled and possible in `prefs_avgjg_Rnonrel`."""
    relevant = group.relevant.bit_count()
    spare = relevant - group.nonrelevant.bit_count()
    if spare >= 0:
        retrieved = (group.relevant & group.retrieved).bit_count()
        return group.pairs.fulfilled + retrieved * spare, group.pairs.possible + relevant * spare
    if group.lowest is None:
        pairs = group.count(kept=~group.nonrelevant | first_bits(group.nonrelevant, relevant))
        return pairs.fulfilled, pairs.possible
    kept = first_bits(group.lowest, relevant)
    pairs = group.count(kept=~group.lowest | kept)
    retrieved = (group.lowest & group.retrieved).bit_count()
    above_a_kept_one = sum(min(position, retrieved) for position in range(kept.bit_count()))
    return pairs.fulfilled + above_a_kept_one, pairs.possible + group.lowest.bit_count() * kept.bit_count()


def _balanced_retrieved(group: PreferenceGroup) -> tuple[int, int]:
    """Preferences fulfilled and possible in `prefs_avgjg_Rnonrel_ret`."""
    relevant = group.relevant.bit_count()
    retrieved = (group.relevant & group.retrieved).bit_count()
    nonrelevant = group.nonrelevant & group.retrieved
    spare = retrieved - nonrelevant.bit_count()
    if spare >= 0:
        return group.pairs.both_fulfilled + retrieved * spare, group.pairs.both + relevant * spare
    if group.lowest is None:
        pairs = group.count(kept=~group.nonrelevant | first_bits(nonrelevant, relevant))
        return pairs.both_fulfilled, pairs.both
    lowest = group.lowest & group.retrieved
    kept = first_bits(lowest, retrieved)
    pairs = group.count(kept=~group.lowest | kept)
    size = kept.bit_count()
    return pairs.both_fulfilled + size * (size - 1) // 2, pairs.both + lowest.bit_count() * size


@measure("map_avgjg", task="judgment-groups", undefined=NO_RELEVANT, cite=CITE_GROUPS)
def average_precision_over_groups(view: JudgmentGroupView) -> float | None:
    """Mean over judgment groups of AP = (1/R) Σ over relevant retrieved of precision at its rank; 0 where R = 0.

    >>> judges = [{"a": 1, "b": 0}, {"a": 1, "b": 1}]
    >>> average_precision_over_groups(JudgmentGroupView(judges, {"b": 1, "a": 2}, num_ret=2))    # (1/2 + 1)/2
    0.75
    """
    return mean_over_groups(
        sum(count / rank for count, rank in enumerate(group.ranks, start=1)) / group.num_rel if group.num_rel else None
        for group in view.groups
    )


@measure("P_avgjg", aliases=("P_avgjg_{cut}",), task="judgment-groups", parameters={"cut": positive}, cite=CITE_GROUPS)
def precision_over_groups(view: JudgmentGroupView, cut: int) -> float:
    """Mean over judgment groups of the relevant documents among the first `cut`, over `cut`.

    >>> judges = [{"a": 1, "b": 0}, {"a": 1, "b": 1}]
    >>> precision_over_groups(JudgmentGroupView(judges, {"b": 1, "a": 2}, num_ret=2), cut=5)    # (1/5 + 2/5)/2
    0.30000000000000004
    """
    return sum(group.precision(cut) for group in view.groups) / len(view.groups)


@measure(
    "Rprec_mult_avgjg", aliases=("Rprec_mult_avgjg_{multiple}",), task="judgment-groups",
    parameters={"multiple": number}, at="multiple", undefined=NO_RELEVANT, cite=CITE_GROUPS,
)  # fmt: skip
def r_precision_multiple_over_groups(view: JudgmentGroupView, multiple: float) -> float | None:
    """Mean over judgment groups of the precision after ⌊multiple·R + .9⌋ documents; 0 where that is none.

    >>> judges = [{"a": 1, "b": 0}, {"a": 1, "b": 1}]                       # R = 1 and R = 2
    >>> r_precision_multiple_over_groups(JudgmentGroupView(judges, {"b": 1, "a": 2}, num_ret=2), multiple=1.0)
    0.5
    """
    cuts = [int(multiple * group.num_rel + 0.9) for group in view.groups]
    return mean_over_groups(
        group.precision(cut) if cut > 0 else None for group, cut in zip(view.groups, cuts, strict=True)
    )
