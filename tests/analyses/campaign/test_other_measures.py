"""Which of the other measures put another run first."""

from __future__ import annotations

import pytest

from assay.analyses.campaign.other_measures import count_other_measures, measures_finding
from assay.analyses.campaign.result import CampaignResults, MeasureResults


def measured(**values):
    """A campaign of runs a and b with their values by each measure."""
    measures = [MeasureResults(name, pair, **(more[0] if more else {})) for name, (pair, *more) in values.items()]
    return CampaignResults(("a", "b"), ("1", "2"), measures, "By hand.")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"AP": [(0.5, 0.4)], "RR": [(0.9, 0.8)]}, "RR also puts a first."),
        (
            {"AP": [(0.5, 0.4)], "RR": [(0.9, 0.8)], "P": [(0.3, 0.3)]},
            "1 of the 2 other measures that rank runs also puts a first. By one measure a shares the first place.",
        ),
        (
            {"AP": [(0.5, 0.4)], "RR": [(0.9, 0.8)], "P": [(0.3, 0.2)]},
            "Both other measures that rank runs also put a first.",
        ),
        (
            {"AP": [(0.5, 0.4)], "RR": [(0.8, 0.9)], "P": [(0.3, 0.2)]},
            "1 of the 2 other measures that rank runs also puts a first. RR puts b first (.900 to .800).",
        ),
        # The lower rank is the better one: b.
        (
            {"AP": [(0.5, 0.4)], "Rank": [(3, 1), {"higher_is_better": False}]},
            "Rank puts b first (1 to 3).",
        ),
        ({"AP": [(0.5, 0.5)], "RR": [(0.9, 0.8)]}, ""),
        ({"AP": [(0.5, 0.4)], "NumRel": [(3, 9), {"orders_runs": False}]}, ""),
        ({"AP": [(0.5, 0.4)], "RR": [(None, None)]}, ""),
    ],
)
def test_which_measures_agree_on_the_first_run(values, said):
    assert measures_finding(measured(**values)) == said


def test_other_measures_are_counted():
    """Of five others one does not rank, one puts a first, one b, one both, and one has no values."""
    values = {
        "AP": [(0.5, 0.4)], "RR": [(0.9, 0.8)], "P": [(0.2, 0.3)], "R": [(0.3, 0.3)], "E": [(None, None)],
        "N": [(3, 9), {"orders_runs": False}],
    }  # fmt: skip
    assert count_other_measures(measured(**values)) == (3, 1, 1)
    assert count_other_measures(measured(AP=[(0.5, 0.4)])) is None
    assert count_other_measures(measured(AP=[(0.5, 0.5)], RR=[(0.9, 0.8)])) is None
    assert count_other_measures(measured(N=[(3, 9), {"orders_runs": False}], RR=[(0.9, 0.8)])) is None


def test_code_is_no_name_of_a_measure():
    assert measures_finding(measured(**{"AP": [(0.5, 0.4)], "RR(judged=lenient)": [(0.8, 0.9)]})) == (
        "RR, lenient puts b first (.900 to .800)."
    )
