"""What must hold of every declared measure, of whatever task; nobody can add one that is left out here."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.measures.declare import declarations
from assay.measures.view import RankedView

EVERY = declarations()
NAMES = [f"{d.task}:{d.name}" for d in EVERY]


@pytest.mark.parametrize("declaration", EVERY, ids=NAMES)
class TestDeclaration:
    def test_says_what_it_is(self, declaration) -> None:
        text = declaration.function.__doc__ or ""
        assert len(text.strip().split("\n")[0]) > 20, "the first line says what the measure is"
        assert len(declaration.cite) > 5
        assert declaration.level in ("topic", "sums", "whole")
        assert declaration.average in ("mean", "sum", "geometric")
        assert declaration.higher_is_better in (True, False, None)

    def test_has_a_worked_example(self, declaration) -> None:
        assert doctest.DocTestParser().get_examples(declaration.function.__doc__ or "")

    def test_parameters_are_those_of_the_function(self, declaration) -> None:
        code = declaration.function.__code__
        arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        assert set(declaration.parameters) <= set(arguments)
        assert all(parse.__doc__ for parse in declaration.parameters.values())

    def test_every_name_finds_it(self, declaration) -> None:
        example = {"cut": "10", "recall": "0.5", "multiple": "1.0"}
        for name in (declaration.name, *declaration.aliases):
            if "{" in name:
                prefix, _, parameter = name.rstrip("}").partition("{")
                text = prefix + example.get(parameter, "1")
            else:
                required = declaration.required
                inside = ",".join(f"{p}=0.5" for p in required if p != declaration.at)
                at = f"@{example.get(declaration.at, '0.5')}" if declaration.at in required else ""
                text = name + (f"({inside})" if inside else "") + at
            found = _find(text, declaration.task)
            assert found.declaration is declaration
            assert str(found) == text


def _find(text: str, task: str):
    from assay.measures.declare import find

    return find(text, task)


RANKED = [d for d in EVERY if d.task == "ranked"]


def ranked_measures() -> list:
    example = {"cut": "3", "recall": "0.5", "multiple": "1.5"}
    return [_find(d.name + (f"@{example[d.at]}" if d.at in d.required else ""), "ranked") for d in RANKED]


rankings = st.lists(st.sampled_from([None, -1, 0, 1, 2, 3]), max_size=15)


@settings(max_examples=200, deadline=None)
@given(rankings, st.lists(st.sampled_from([-1, 0, 1, 2]), max_size=6))
def test_values_stay_in_their_range(ranking, unretrieved) -> None:
    view = RankedView.of(ranking, unretrieved)
    for measure in ranked_measures():
        value = measure(view)
        if value is None:
            assert measure.declaration.undefined != "never", measure
            continue
        low, high = measure.declaration.low, measure.declaration.high
        assert value == value, measure
        assert low is None or value >= low - 1e-12, (measure, value)
        assert high is None or value <= high + 1e-12, (measure, value)


IDEAL_IS_ONE = [
    "AP",
    "RR",
    "nDCG",
    "nDCG@3",
    "Rprec",
    "Bpref",
    "Q",
    "IPrec@1.0",
    "R@100",
    "nDCGrel",
    "Rndcg",
    "IPrecAvg",
    "infAP",
]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=8), st.integers(0, 5))
def test_an_ideal_ranking_gets_1(grades, nonrelevant) -> None:
    view = RankedView.of(sorted(grades, reverse=True) + [0] * nonrelevant)
    for name in IDEAL_IS_ONE:
        assert assay.measure(name)(view) == pytest.approx(1.0, abs=1e-4 if name == "infAP" else 1e-12), name


UNMOVED_BY_UNJUDGED = ["Bpref", "NumRel", "NumRelRet", "NumNonrelRet", "SetR"]


@settings(max_examples=100, deadline=None)
@given(rankings, st.lists(st.sampled_from([0, 1, 2]), max_size=4), st.data())
def test_a_swap_that_helps_never_hurts(ranking, unretrieved, data) -> None:
    """Moving a better document up one rank cannot lower a measure of ranking quality."""
    if len(ranking) < 2:
        return
    i = data.draw(st.integers(0, len(ranking) - 2))
    upper, lower = (max(g or 0, 0) for g in ranking[i : i + 2])
    if upper >= lower or ranking[i] is None or ranking[i + 1] is None:
        return
    swapped = [*ranking[:i], ranking[i + 1], ranking[i], *ranking[i + 2 :]]
    before, after = RankedView.of(ranking, unretrieved), RankedView.of(swapped, unretrieved)
    for name in (
        "AP",
        "RR",
        "P@3",
        "nDCG",
        "nDCG@2",
        "R@2",
        "Rprec",
        "Bpref",
        "RBP(p=0.7)",
        "ERR",
        "Success@2",
        "binG",
        "DCG",
    ):
        a, b = assay.measure(name)(before), assay.measure(name)(after)
        assert (a is None) == (b is None)
        assert a is None or b >= a - 1e-12, name


@settings(max_examples=100, deadline=None)
@given(rankings, st.lists(st.sampled_from([0, 1, 2]), max_size=4))
def test_unjudged_documents_in_between_do_not_move_these(ranking, unretrieved) -> None:
    spread = [grade for pair in zip(ranking, [None] * len(ranking), strict=True) for grade in pair]
    for name in UNMOVED_BY_UNJUDGED:
        measure = assay.measure(name)
        assert measure(RankedView.of(ranking, unretrieved)) == measure(RankedView.of(spread, unretrieved)), name


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([0, 1, 2, 3]), max_size=10), st.lists(st.sampled_from([1, 2, 3]), max_size=5))
def test_q_measure_is_1_only_for_the_ideal(ranking, unretrieved) -> None:
    view = RankedView.of(ranking, unretrieved)
    relevant = view.num_rel()
    if not relevant:
        return
    q = assay.measure("Q")(view)
    first = ranking[:relevant]
    ideal = not any(g > 0 for g in unretrieved) and first == sorted(first, reverse=True) and len(first) == relevant
    assert (q == pytest.approx(1.0, abs=1e-12)) == (ideal and min(first) > 0)
    if len(ranking) < relevant:
        assert q <= len(ranking) / relevant + 1e-12


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("APP", "did you mean AP"),
        ("P", "cut must be given, as in P@10"),
        ("P@0", "at least 1"),
        ("P@x", "at least 1"),
        ("P(k=3)@5", "has no parameter 'k'; it has cut, rel"),
        ("P(2,3)@5", "at most 1 values"),
        ("nDCG(gains=3)@5", "grade:gain"),
        ("nDCG(dcg=x)", "expected one of log2, exp-log2"),
        ("RBP(p=1.5)", "from 0 to 1"),
        ("Utility(hit=inf)", "between -1e9 and 1e9"),
        ("SetF(beta=1e200)", "between -1e9 and 1e9"),
        ("Utility(hit=nan)", "between -1e9 and 1e9"),
        ("P(rel=x)@5", "whole number"),
        ("P(rel=1_0)@5", "whole number"),
        ("P(cut=5)@10", "cut is given twice"),
        ("P(rel=2,rel=3)@5", "rel is given twice"),
        ("nDCG(gains=1:1,1:2)", "grade 1 is given twice"),
        ("ERR(max=2000)", "from 1 to 1000"),
    ],
)
def test_names_that_mean_nothing_are_explained(text, message) -> None:
    with pytest.raises(assay.UsageError) as caught:
        assay.measure(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("nDCG@10", "ndcg_cut_10"), ("AP", "map"), ("AP@20", "map_cut_20"), ("P@5", "P_5"), ("R@1000", "recall_1000"),
        ("IPrec@0.1", "iprec_at_recall_0.10"), ("Success@1", "success_1"), ("RR", "recip_rank"), ("SetF", "set_F"),
        ("P(rel=2)@5", "P( rel = 2 )@5"),
        ("P(rel=2)@5", "P(2)@5"), ("U(a=3,b=2)", "U(3,2)"), ("nDCG(dcg='exp-log2')@5", "nDCG(dcg=exp-log2)@5"),
    ],
)  # fmt: skip
def test_the_same_measure_under_both_conventions(one, other) -> None:
    assert assay.measure(one) == assay.measure(other)
    assert str(assay.measure(other)) == other


def test_gains_in_the_ways_the_literature_writes_them() -> None:
    view = RankedView.of([1, 3, 0, 2], unretrieved=[1])
    assert assay.measure("Q(gains=2:1.5:1)")(view) == assay.measure("Q(gains=3:2,2:1.5,1:1)")(view)
    assert assay.measure("Q(gains=flat)")(view) == assay.measure("Q(gains=1:1,2:1,3:1)")(view)
    assert assay.measure("Q(gains=3:2:1)")(view) == assay.measure("Q")(view)


def test_rbp_by_hand() -> None:
    view = RankedView.of([2, 1, 0, 1], unretrieved=[2])
    assert assay.measure("RBP(p=0.5,rel=1)")(view) == 0.5 * (1 + 0.5 + 0.125)
    assert assay.measure("RBP(p=0.5,rel=2)")(view) == 0.5
    assert assay.measure("RBP(p=0.5)")(view) == 0.5 * (1 + 0.5 * 0.5 + 0.5 * 0.125)
    assert assay.measure("RBP(p=0.5,rel=1)@2")(view) == 0.75
    assert assay.measure("RBP(p=0.5,gains=0:2,1:2,2:2)")(view) == 0.5 * (1 + 0.5 + 0.25 + 0.125)
    huge = RankedView.of([999999999, 1])
    assert assay.measure("RBP(p=0.5)")(huge) == pytest.approx(0.5)


def test_set_f_weighs_recall_by_beta_squared() -> None:
    view = RankedView.of([1, 0, 0, 0], unretrieved=[1])  # P = 1/4, R = 1/2
    assert assay.measure("SetF(beta=2)")(view) == pytest.approx(5 * 0.25 * 0.5 / (4 * 0.25 + 0.5))
    assert assay.measure("SetF(beta2=4)")(view) == assay.measure("SetF(beta=2)")(view)


def test_a_gain_beyond_any_number_is_refused() -> None:
    with pytest.raises(assay.UsageError, match="beyond any number"):
        assay.measure("nDCG(dcg=exp-log2)")(RankedView.of([1100]))
