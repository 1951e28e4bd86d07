"""What must hold of every declared measure, of whatever task (nobody can add one that is left out here), and finding one."""

from __future__ import annotations

import doctest
import itertools
import json
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.errors import UsageError
from assay.measures import RR, P, Success, define
from assay.measures.registry import TASKS, declarations, find, resolve
from assay.measures.views.ranked import RankedView

EVERY = declarations()


def test_every_declaration(subtests) -> None:
    for declaration in EVERY:
        with subtests.test(f"{declaration.task}:{declaration.name}"):
            says_what_it_is(declaration)
            has_the_parameters_of_its_function(declaration)
            is_found_by_every_name(declaration)


def says_what_it_is(declaration) -> None:
    text = declaration.function.__doc__ or ""
    assert len(text.strip().split("\n")[0]) > 20, "the first line says what the measure is"
    assert doctest.DocTestParser().get_examples(text), "it has a worked example"
    assert len(declaration.cite) > 5
    assert declaration.level in ("topic", "sums", "whole")
    assert declaration.average in ("mean", "sum", "geometric")
    assert declaration.higher_is_better in (True, False, None)


def has_the_parameters_of_its_function(declaration) -> None:
    code = getattr(declaration.function, "__wrapped__", declaration.function).__code__
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    assert set(declaration.parameters) <= set(arguments)
    assert all(parse.__doc__ for parse in declaration.parameters.values())


def is_found_by_every_name(declaration) -> None:
    example = {"cut": "10", "recall": "0.5", "multiple": "1.0", "k": "4", "of": "ndcg_at_10"}
    for name in (declaration.name, *declaration.aliases):
        if "{" in name:
            prefix, parameter, suffix = re.split("[{}]", name)
            text = prefix + example.get(parameter, "1") + suffix
        else:
            required = declaration.required
            inside = ",".join(f"{p}=0.5" for p in required if p != declaration.at)
            at = f"@{example.get(declaration.at, '0.5')}" if declaration.at in required else ""
            text = name + (f"({inside})" if inside else "") + at
        found = find(text, declaration.task)
        assert found.declaration is declaration
        assert str(found) == text


RANKED = [d for d in EVERY if d.task == "ranked" and d.level == "topic"]


def ranked_measures() -> list:
    example = {"cut": "3", "recall": "0.5", "multiple": "1.5"}
    given = {d.name: ",".join(f"{p}=0.5" for p in d.required if p != d.at) for d in RANKED}
    inside = {name: f"({text})" if text else "" for name, text in given.items()}
    return [
        find(d.name + inside[d.name] + (f"@{example[d.at]}" if d.at in d.required else ""), "ranked") for d in RANKED
    ]


rankings = st.lists(st.sampled_from([None, -1, 0, 1, 2, 3]), max_size=15)


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
    "nERR",
    "O-measure",
    "P-measure",
    "P-plus",
    "NCUguP",
    "NCUguBR",
    "NCUrbP",
    "NCUrbBR",
    "JKnDCG",
    "Compat",
    "AP_cap@3",
    "binary_nDCG",
    "binary_nDCG@3",
]


@given(st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=8), st.integers(0, 5))
def test_an_ideal_ranking_gets_1(grades, nonrelevant) -> None:
    view = RankedView.of(sorted(grades, reverse=True) + [0] * nonrelevant)
    for name in IDEAL_IS_ONE:
        assert assay.measure(name)(view) == pytest.approx(1.0, abs=1e-4 if name == "infAP" else 1e-12), name


UNMOVED_BY_UNJUDGED = ["Bpref", "NumRel", "NumRelRet", "NumNonrelRet", "SetR"]


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
        "nERR",
        "iRBU",
        "NCUrbP",
        "JKnDCG",
        "Compat",
        "AP_cap@2",
        "binary_nDCG",
        "SDCG@2",
        "INSQ",
        "TBG",
        "EU(RBP)",
    ):
        a, b = assay.measure(name)(before), assay.measure(name)(after)
        assert (a is None) == (b is None)
        assert a is None or b >= a - 1e-12, name


@given(rankings, st.lists(st.sampled_from([0, 1, 2]), max_size=4))
def test_unjudged_documents_in_between_do_not_move_these(ranking, unretrieved) -> None:
    spread = [grade for pair in zip(ranking, [None] * len(ranking), strict=True) for grade in pair]
    for name in UNMOVED_BY_UNJUDGED:
        measure = assay.measure(name)
        assert measure(RankedView.of(ranking, unretrieved)) == measure(RankedView.of(spread, unretrieved)), name


def test_a_value_means_the_measure_of_the_task_it_is_used_in() -> None:
    assert resolve(RR, "ranked") is RR
    assert resolve(RR, "qa") == find("RR", "qa") != find("RR", "ranked")
    assert resolve(RR @ 3, "known-item") == find("RR@3", "known-item")
    assert resolve("RR", "qa") == find("RR", "qa")
    assert resolve(Success @ 2, "known-item").declaration.task == "known-item"
    with pytest.raises(assay.UsageError, match="unknown measure 'P@5' for the task 'outcomes'"):
        resolve(P @ 5, "outcomes")


def test_declarations_stand_in_the_order_of_the_tasks(monkeypatch) -> None:
    """Whichever module happened to be imported first."""
    expected = [(d.task, d.name) for d in declarations()]
    monkeypatch.setattr(define, "_declared", dict(reversed(define._declared.items())))
    assert [(d.task, d.name) for d in declarations()] == expected
    assert list(dict.fromkeys(task for task, _ in expected)) == list(TASKS)


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
        ("AP(judged_only=2)", "judged_only=2: expected true or false"),
        ("AP'(judged_only=true)", "the prime says judged_only already"),
        ("accuracy(judged_only=true)", "has no parameter 'judged_only'"),
        ("c@1'", "unknown measure"),
    ],
)
def test_names_that_mean_nothing_are_explained(text, message) -> None:
    with pytest.raises(assay.UsageError) as caught:
        assay.measure(text)
    assert message in str(caught.value)


def test_an_example_of_a_parameter_is_one_that_is_taken() -> None:
    """Red before: `coverage_at_risk` was to be written with @10, and its risk is a share."""
    for name, task in (("P", "ranked"), ("coverage_at_risk", "outcomes")):
        with pytest.raises(assay.UsageError) as refused:
            find(name, task)
        assert find(str(refused.value).rpartition("as in ")[2], task)


def test_a_group_is_several_measures_under_one_name() -> None:
    """The estimators of Peñas and Rodrigo 2011, section 3, in its order, and c@1: 6 correct, 1 incorrect, 3 unanswered."""
    outcomes = {"run": {**dict.fromkeys("abcdef", "x"), "g": "y", "h": None, "i": None, "j": None}}
    gold = dict.fromkeys("abcdefghij", "x")
    scores = assay.evaluate(gold, outcomes, ["UF", "estimators", "c@1"])
    expected = {
        "UF": 0.5, "accuracy": 0.6, "all_unanswered_right": 0.9, "half_unanswered_right": 0.75,
        "unanswered_as_precision": 6 / 7, "unanswered_as_error": (6 + 3 / 7) / 10, "c@1": 0.78,
    }  # fmt: skip
    assert {m.name: scores[m.name]["run"] for m in scores.measures} == pytest.approx(expected)
    saved = assay.read_scores(json.dumps(scores.to_dict()).encode(), "estimators")
    assert [saved["unanswered_as_error"], saved["c@1"]] == [{"run": pytest.approx((6 + 3 / 7) / 10)}, {"run": 0.78}]
    del expected["UF"]
    assert assay.of_counts("estimators", correct=6, incorrect=1, unanswered=3) == pytest.approx(expected)


@pytest.mark.parametrize("task", ["outcomes", "ranked"])
def test_a_group_where_one_measure_is_expected(task) -> None:
    with pytest.raises(UsageError, match="'estimators' is a group of measures of the task 'outcomes': accuracy, "):
        find("estimators", task)


OUTCOMES = ("correct", "incorrect", "unanswered")
UNITS = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
OF_OUTCOMES = [
    find(d.name + ("@0.6" if d.required else ""), d.task)
    for d in declarations("outcomes")
    if d.level == "sums" and d.of and set(d.of) <= set(OUTCOMES)
]


def _fraction(measure, counts) -> tuple[Fraction | None, int]:
    """The exact value of a measure for the counts of the outcomes, and its denominator."""
    by_name = dict(zip(OUTCOMES, counts, strict=True))
    top, bottom = measure(sum(counts), *(by_name[name] for name in measure.of))
    return (Fraction(top, bottom) if bottom else None), bottom


@pytest.mark.parametrize("measure", OF_OUTCOMES, ids=str)
def test_a_measure_of_outcomes_is_what_its_declaration_says(measure) -> None:
    """Check `mean`, `fixed_denominator` and `ignores` against the formula on all counts of 1 to 6 questions."""
    counts = [c for c in itertools.product(range(7), repeat=3) if 1 <= sum(c) <= 6]
    values = {c: _fraction(measure, c) for c in counts}
    declared = measure.declaration
    if measure.average == "sum":  # a count: each question adds 0 or 1 to it
        assert all(
            v == sum(n * values[unit][0] for n, unit in zip(c, UNITS, strict=True)) for c, (v, _) in values.items()
        )
        return
    worths = [values[unit][0] for unit in UNITS]
    means = None not in worths and all(
        v == sum(n * worth for n, worth in zip(c, worths, strict=True)) / sum(c) for c, (v, _) in values.items()
    )
    assert declared.mean == means
    fixed = all(len({b for c, (_, b) in values.items() if sum(c) == n}) == 1 for n in range(1, 7))
    assert (declared.mean or declared.fixed_denominator) == fixed
    ignored = [
        outcome
        for place, outcome in enumerate(OUTCOMES)
        if all(
            v == _fraction(measure, [0 if i == place else n for i, n in enumerate(c)])[0]
            for c, (v, _) in values.items()
        )
    ]
    assert list(declared.ignores) == ignored


def test_only_measures_of_outcomes_declare_their_shape() -> None:
    known = {id(measure.declaration) for measure in OF_OUTCOMES}
    others = [d for d in declarations() if id(d) not in known]
    assert not [d.name for d in others if d.mean or d.fixed_denominator or d.ignores]
