"""Measures averaged over judgment groups, each one person's plain grades (task `judgment-groups`).

Names and numbers are those of trec_eval 10.0, whose help texts are the definition cited throughout.
"""

from __future__ import annotations

from assay.measures.declare import measure
from assay.measures.parameters import number, positive
from assay.measures.preference_views import JudgmentGroupView, mean_over_groups

CITE = "C. Buckley and E. M. Voorhees, trec_eval 10.0 (NIST), help of the qrels_jg measures"
NO_RELEVANT = "where no group has a relevant document"


@measure("map_avgjg", task="judgment-groups", undefined=NO_RELEVANT, cite=CITE)
def average_precision_over_groups(view: JudgmentGroupView) -> float | None:
    """Mean over judgment groups of AP = (1/R) Σ over relevant retrieved of precision at its rank; 0 where R = 0.

    >>> judges = [{"a": 1, "b": 0}, {"a": 1, "b": 1}]
    >>> average_precision_over_groups(JudgmentGroupView(judges, {"b": 1, "a": 2}, num_ret=2))    # (1/2 + 1)/2
    0.75
    """
    return mean_over_groups(
        sum(found / rank for found, rank in enumerate(group.ranks, start=1)) / group.num_rel if group.num_rel else None
        for group in view.groups
    )


@measure("P_avgjg", aliases=("P_avgjg_{cut}",), task="judgment-groups", parameters={"cut": positive}, cite=CITE)
def precision_over_groups(view: JudgmentGroupView, cut: int) -> float:
    """Mean over judgment groups of the relevant documents among the first `cut`, over `cut`.

    >>> judges = [{"a": 1, "b": 0}, {"a": 1, "b": 1}]
    >>> precision_over_groups(JudgmentGroupView(judges, {"b": 1, "a": 2}, num_ret=2), cut=5)    # (1/5 + 2/5)/2
    0.30000000000000004
    """
    return sum(group.precision(cut) for group in view.groups) / len(view.groups)


@measure(
    "Rprec_mult_avgjg", aliases=("Rprec_mult_avgjg_{multiple}",), task="judgment-groups",
    parameters={"multiple": number}, at="multiple", undefined=NO_RELEVANT, cite=CITE,
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
