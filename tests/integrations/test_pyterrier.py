"""PyTerrier's experiments with assay's tests and corrections, on a stand-in that calls a test as PyTerrier does; the real one is in
tests/peers/test_ir_measures_peer.py."""

from __future__ import annotations

import sys
from math import isnan
from types import ModuleType

import pytest

pd = pytest.importorskip("pandas")
pytest.importorskip("ir_measures")

import assay  # noqa: E402
from assay.errors import UsageError  # noqa: E402
from assay.integrations import ir_measures as provider  # noqa: E402
from assay.integrations import pyterrier as under  # noqa: E402

BASE = [0.5] * 8
BEST = [1.0] * 8
MIXED = [1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 1 / 3, 0.25]
SYSTEMS = {"base": BASE, "best": BEST, "mixed": MIXED}


def Experiment(
    systems, measures, perquery=False, dataframe=True, baseline=None, test="t", correction=None, correction_alpha=0.05,
    highlight=None, save_dir=None,
):  # fmt: skip
    """Of each system its values; every measure the same values but for a factor, as the order of the calls is what matters."""
    if correction is not None and baseline is None:
        raise ValueError("no baseline was specified")
    Experiment.got = test, correction
    names = list(systems)
    place = names.index(baseline) if isinstance(baseline, str) else baseline
    rows = []
    for _ in range(2 if save_dir else 1):
        rows = []
        for number, name in enumerate(names):
            row = [name]
            for factor in measures.values():
                if baseline is None or not callable(test):
                    continue
                scaled = [[factor * v for v in systems[n]] for n in (name, names[place])]
                row.append(None if number == place else test(*scaled)[1])
            rows.append(row)
    if not dataframe:
        return {}
    return pd.DataFrame(rows, columns=["name", *(f"{m} p-value" for m in measures)][: len(rows[0])])


@pytest.fixture
def wrapped():
    return under.experiment(Experiment, resamples=2000)


def test_the_corrections_of_assay_see_all_runs(wrapped) -> None:
    found = wrapped(SYSTEMS, {"RR": 1, "AP": -0.5}, baseline=0, correction="maxt").set_index("name")
    assert list(found.columns) == [f"{m} {c}" for m in ("RR", "AP") for c in ("p-value", "reject", "p-value corrected")]
    # Of 256 flips two have the eight wins of best; mixed has 0.5 four times, and so 2 of 8 flips of the four largest.
    assert found.loc["best", "RR p-value"] == found.loc["best", "RR p-value corrected"] == 2 / 256
    assert found["RR reject"].tolist() == [False, True, False]
    table = assay.scores(list(zip(BASE, BEST, MIXED, strict=True)), runs=list(SYSTEMS))
    pair = assay.compare(table, baseline="base", correct="maxt").pair("mixed", "base")
    for measure in ("RR", "AP"):
        assert found.loc["mixed", f"{measure} p-value corrected"] == pair.adjusted["maxt"] > pair.p["randomisation"]
    assert isnan(found.loc["base", "RR p-value"])
    assert isnan(found.loc["base", "RR p-value corrected"])


@pytest.mark.parametrize("correction", ["stepdown", "bh", "tukey"])
@pytest.mark.parametrize("baseline", [1, "best"])
def test_every_correction_and_baseline(wrapped, correction, baseline) -> None:
    found = wrapped(SYSTEMS, {"RR": 1}, baseline=baseline, correction=correction, save_dir="there").set_index("name")
    table = assay.scores(list(zip(BASE, BEST, MIXED, strict=True)), runs=list(SYSTEMS))
    told = assay.compare(table, baseline="best", correct=correction, resamples=2000)
    for run in ("base", "mixed"):
        # What Tukey's HSD shuffles depends on the order of the runs, and the baseline is the first there.
        expected = pytest.approx(told.pair(run, "best").adjusted[correction], abs=0.02 if correction == "tukey" else 0)
        assert found.loc[run, "RR p-value corrected"] == expected
        assert found.loc[run, "RR reject"] == told.pair(run, "best").significant


def test_a_level_decides_what_is_rejected(wrapped) -> None:
    found = wrapped(SYSTEMS, {"RR": 1}, baseline=0, correction="bh", correction_alpha=0.01)
    assert found["RR reject"].tolist() == [False, False, False], "2 of 256, times two"
    found = wrapped(SYSTEMS, {"RR": 1}, baseline=0, correction="bh", correction_alpha=0.02)
    assert found["RR reject"].tolist() == [False, True, False]


def test_a_test_by_name_with_the_corrections_of_statsmodels(wrapped) -> None:
    found = wrapped(SYSTEMS, {"RR": 1}, baseline=0, test="sign", correction="bonferroni").set_index("name")
    assert found.loc["mixed", "RR p-value"] == pytest.approx(2 * (1 + 6 + 15) / 2**6)
    assert Experiment.got[1] == "bonferroni"


@pytest.mark.parametrize(
    "choices", [{}, {"test": "t", "correction": "holm"}, {"test": "wilcoxon"}, {"test": max, "correction": "fdr_by"}]
)
def test_what_is_pyterriers_stays_pyterriers(wrapped, choices) -> None:
    wrapped(SYSTEMS, {"RR": 1}, baseline=0, **choices)
    assert Experiment.got == (choices.get("test", "t"), choices.get("correction"))


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"test": "t", "correction": "maxt"}, "correction of sign flips, not of `test='t'`; use holm or bh"),
        ({"test": max, "correction": "maxt"}, "name one of randomisation, bootstrap, t"),
        ({"test": "mcnemar"}, "no right and wrong answers"),
        ({"correction": "maxt", "highlight": "bold"}, "leave it out"),
    ],
)
def test_what_does_not_go_together_is_said_before_anything_runs(wrapped, choices, said) -> None:
    Experiment.got = None
    with pytest.raises(UsageError, match=said):
        wrapped(SYSTEMS, {"RR": 1}, baseline=0, **choices)
    assert Experiment.got is None


def test_without_a_baseline_pyterrier_complains(wrapped) -> None:
    with pytest.raises(ValueError, match="no baseline"):
        wrapped(SYSTEMS, {"RR": 1}, correction="maxt")


def test_dictionaries_have_no_columns(wrapped) -> None:
    assert wrapped(SYSTEMS, {"RR": 1}, baseline=0, correction="maxt", dataframe=False) == {}


def test_installed_and_taken_back(monkeypatch) -> None:
    module = ModuleType("pyterrier")
    module.Experiment = Experiment
    monkeypatch.setitem(sys.modules, "pyterrier", module)
    under.install(seed=1)
    try:
        under.install(seed=2)
        assert module.Experiment.__wrapped__ is Experiment
        assert provider.PROVIDER in provider.ir_measures.DefaultPipeline.providers
    finally:
        under.uninstall()
    assert module.Experiment is Experiment
    assert provider.PROVIDER not in provider.ir_measures.DefaultPipeline.providers
    under.uninstall()


class TestCompare:
    def frame(self, measures=("RR",)):
        rows = [(n, f"q{i}", m, v) for m in measures for n, values in SYSTEMS.items() for i, v in enumerate(values)]
        return pd.DataFrame(rows, columns=["name", "qid", "measure", "value"])

    def test_values_per_query_are_compared_at_once(self) -> None:
        found = under.compare(self.frame())
        assert (found.measure, found.topics, len(found.pairs)) == ("RR", 8, 3)
        assert found.pair("best", "base").difference == 0.5
        assert [pair.b for pair in under.compare(self.frame(), "RR", baseline="mixed").pairs] == ["mixed", "mixed"]

    def test_the_measure_must_be_there(self) -> None:
        with pytest.raises(UsageError, match="2 measures; name one of RR, AP"):
            under.compare(self.frame(("RR", "AP")))
        with pytest.raises(UsageError, match="no measure 'map'; measures are RR"):
            under.compare(self.frame(), "map")

    def test_two_systems_of_one_name(self) -> None:
        with pytest.raises(UsageError, match="`names=`"):
            under.compare(pd.concat([self.frame(), self.frame()]))
