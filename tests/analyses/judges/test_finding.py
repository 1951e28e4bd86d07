"""The first line of `assay agree`."""

from __future__ import annotations

import pytest

import assay
from assay.analyses.judges.finding import of_rankings
from assay.analyses.judges.rankings import TwoRankings

ANN = {"q1": {"a": 0, "b": 1, "c": 2}, "q2": {"a": 1, "b": 0}}
BOB = {"q1": {"a": 0, "b": 1, "c": 0}, "q2": {"a": 1}}


def finding(resamples: int = 0, **judges) -> str:
    result = assay.agree(judges, resamples=resamples)
    assert result.to_dict()["finding"] == result.finding
    return result.finding


def test_two_judges():
    """Rows 0: 1 0 0; 1: 0 2 0; 2: 1 0 0: three of four agree, by chance (1·2 + 2·2)/16; kappa (12 - 6)/(16 - 6)."""
    assert finding(ann=ANN, bob=BOB) == "ann and bob agree on 75% of 4 documents (kappa .60)."
    assert finding(100, ann=ANN, bob=BOB).startswith(
        "ann and bob agree on 75% of 4 documents (kappa .60, 95% interval "
    )


def test_judges_of_one_mind_and_judges_with_one_grade():
    assert finding(ann=ANN, bob=ANN) == "ann and bob agree on all 5 documents (kappa 1.00)."
    one = {"q": {"d": 1, "e": 1}}
    assert finding(a=one, b=one) == "a and b agree on all 2 documents (kappa undefined)."
    assert finding(a={"q": {"d": 1}}, b={"q": {"d": 0}}) == "a and b agree on 0% of 1 document (kappa .00)."


def test_several_judges():
    result = assay.agree({"ann": ANN, "bob": BOB, "carol": ANN}, reference="ann", resamples=0)
    assert (
        result.finding == "carol agrees with ann most (kappa 1.00), bob least (.60), on the documents that both judged."
    )
    assert finding(ann=ANN, bob=BOB, carol=ANN) == (
        "Of 3 judges, ann and carol agree most (kappa 1.00), 2 pairs of judges least (.60), on the documents that both judged."
    )
    assert finding(ann=ANN, bob=ANN, carol=ANN) == "Of 3 judges, all 3 pairs agree alike (kappa 1.00)."
    one = {"q": {"d": 1, "e": 1}}
    assert finding(a=one, b=one, c=one) == "Kappa is undefined for every two of the 3 judges."


def rankings(
    kept: int, undecided: int, turned: int, reversed_: int, first: str = "ann", second: str = "bob"
) -> TwoRankings:
    return TwoRankings(first, second, 8, 0.5, 0.4, 0.9, None, None, 28, (10, 9), kept, undecided, turned, reversed_)


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([rankings(11, 2, 0, 0)], "Whichever judge you believe, no winner changes among 13 pairs of runs that differ significantly."),
        ([rankings(1, 0, 0, 0)], "Whichever judge you believe, no winner changes among 1 pair of runs that differs significantly."),
        ([rankings(0, 0, 0, 0)], "No two runs differ significantly under any judge."),
        ([rankings(6, 2, 3, 1)], "The judge decides the winner in 4 of 12 pairs of runs that differ significantly under ann or "
         "bob (1 significantly)."),
        ([rankings(6, 2, 3, 0)], "The judge decides the winner in 3 of 11 pairs of runs that differ significantly under ann or "
         "bob (none significantly)."),
        ([rankings(6, 2, 0, 1)], "The judge decides the winner in 1 of 9 pairs of runs that differ significantly under ann or "
         "bob (significantly so)."),
        ([rankings(11, 2, 0, 0), rankings(3, 0, 0, 0)], "Whichever judge you believe, no winner changes among the pairs of runs "
         "that differ significantly."),
        ([rankings(11, 2, 0, 0), rankings(3, 0, 1, 0, "ann", "eve")],
         "The judge decides the winner in 1 of 4 pairs of runs that differ significantly under ann or eve (none significantly)."),
    ],
)  # fmt: skip
def test_whether_it_matters_who_is_believed(pairs, said):
    assert of_rankings(pairs) == said
