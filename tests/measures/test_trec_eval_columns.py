"""trec_eval's names of measures: which there are, in which order, and what each is here."""

from __future__ import annotations

import pytest

from assay.errors import UsageError
from assay.measures.trec_eval_columns import (
    MEASURES,
    NEW_IN_10,
    SETS,
    columns,
    documented_functions,
    select_measures,
    translate,
)
from assay.measures.views.ranked import RankedView

# Three relevant documents, of which the first and the third retrieved are two.
VIEW = RankedView.of([1, 0, 1], [1])


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("map", {"map": (1 / 1 + 2 / 3) / 3}),
        ("P.1,3", {"P_1": 1.0, "P_3": 2 / 3}),
        ("recall.2", {"recall_2": 1 / 3}),
        ("num_rel_ret", {"num_rel_ret": 2}),
        ("Rprec_mult.1", {"Rprec_mult_1.00": 2 / 3}),
    ],
)
def test_a_name_is_a_measure_by_hand(written, values) -> None:
    found = {column.name: column.function(VIEW) for column in columns(select_measures([written], 10), 10, 0)}
    assert found == pytest.approx(values)


def test_the_order_is_trec_evals_and_the_first_parameters_count() -> None:
    assert select_measures(["success.2", "P.1", "map", "P.2"], 10) == [("map", None), ("P", "1"), ("success", "2")]


def test_version_9_knows_less() -> None:
    old, new = ({name for name, _ in select_measures(["all_trec"], version)} for version in (9, 10))
    assert new - old == {*NEW_IN_10} & {*SETS["all_trec"]} != set()


@pytest.mark.parametrize("written", ["nonsense", "P.", "P.x", "P.0"])
def test_what_is_refused(written) -> None:
    with pytest.raises(UsageError, match=r"trec_eval|expected"):
        columns(select_measures([written], 10), 10, 0)


def test_names_of_ours_stay() -> None:
    assert [translate(name) for name in ("P.1,2", "set_F.0.5", "AP", "P@5", "relstring.5", "nothing.5")] == [
        ["P@1", "P@2"], ["SetF(beta2=0.5)"], ["AP"], ["P@5"], ["relstring.5"], ["nothing.5"],
    ]  # fmt: skip


def test_every_measure_with_a_number_says_what_it_is() -> None:
    explained = documented_functions([(name, None) for name in MEASURES])
    assert {*MEASURES} - {*explained} == {"runid"}
    assert all(function.__doc__ for function in explained.values())
