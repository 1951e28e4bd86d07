"""The Python interface: dicts and data frames work as files do."""

from __future__ import annotations

import pytest

import assay

JUDGED = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2, "d3": 1}}
RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d3": 5.0, "d1": 4.0, "x": 9.0}}
EXPECTED = {"q1": 0.5, "q2": (1 / 2 + 2 / 3) / 2}


def test_the_example_of_the_documentation() -> None:
    scores = assay.evaluate({"q1": {"d1": 1}}, {"r": {"q1": {"d1": 3.2}}})
    assert scores.runs == ["r"]
    assert scores.mean("AP") == {"r": 1.0}


@pytest.mark.parametrize("runs", [{"r": RUN}, RUN, [RUN], {"r": {t: dict(d) for t, d in RUN.items()}}])
def test_dicts_in_every_arrangement(runs) -> None:
    scores = assay.evaluate(JUDGED, runs, ["AP"])
    assert scores.values("AP", scores.runs[0]) == pytest.approx(EXPECTED)


def test_files_bytes_and_paths(tmp_path) -> None:
    qrels = "".join(f"{t} 0 {d} {g}\n" for t, judged in JUDGED.items() for d, g in judged.items())
    run = "".join(f"{t} Q0 {d} 0 {s} tag\n" for t, documents in RUN.items() for d, s in documents.items())
    (tmp_path / "q").write_text(qrels)
    (tmp_path / "r").write_text(run)
    for gold, runs in (
        (tmp_path / "q", tmp_path / "r"),
        (str(tmp_path / "q"), [str(tmp_path / "r")]),
        (qrels.encode(), [run.encode()]),
    ):
        scores = assay.evaluate(gold, runs, ["AP"])
        assert scores.values("AP", "tag") == pytest.approx(EXPECTED)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_data_frames_in_and_out(library) -> None:
    module = pytest.importorskip(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    judged = [(t, d, g) for t, documents in JUDGED.items() for d, g in documents.items()]
    run = [(t, d, s) for t, documents in RUN.items() for d, s in documents.items()]
    gold = make(
        {"query_id": [r[0] for r in judged], "doc_id": [r[1] for r in judged], "relevance": [r[2] for r in judged]}
    )
    frame = make({"qid": [r[0] for r in run], "docno": [r[1] for r in run], "score": [r[2] for r in run]})
    scores = assay.evaluate(gold, {"mine": frame}, ["AP", "P@1"])
    assert scores.values("AP", "mine") == pytest.approx(EXPECTED)
    out = scores.to_frame(library)
    assert type(out).__module__.split(".")[0] == library
    column = out["AP"].to_pylist() if library == "pyarrow" else list(out["AP"])
    assert column == pytest.approx(list(EXPECTED.values()))


def test_undefined_and_missing_cells_keep_their_status() -> None:
    judged = {"a": {"d": 1}, "b": {"d": 0}, "c": {"d": 1}}
    scores = assay.evaluate(judged, {"r": {"a": {"d": 1.0}, "b": {"d": 1.0}}}, ["AP", "P@1"])
    assert scores.status("r", "AP") == ["scored", "undefined", "missing"]
    assert scores.column("r", "AP") == [1.0, None, 0.0]
    value = scores.value("r", "AP")
    assert (value.value, value.topics, value.missing, value.undefined) == (pytest.approx(1 / 3), 3, 1, 1)
    assert scores.value("r", "AP", topics=["a"]).value == 1.0
    skip = assay.evaluate(judged, {"r": {"a": {"d": 1.0}, "b": {"d": 1.0}}}, ["AP"], missing="skip", undefined="skip")
    assert skip.value("r", "AP").topics == 1


def test_nothing_to_average_is_undefined_not_zero() -> None:
    scores = assay.evaluate({"a": {"d": 0}}, {"r": {"a": {"d": 1.0}}}, ["AP"], undefined="skip")
    assert scores.mean("AP") == {"r": None}


def test_levels_depth_and_judged_only() -> None:
    judged = {"q": {"a": 2, "b": 1, "c": 0}}
    run = {"q": {"x": 9.0, "c": 8.0, "b": 7.0, "a": 6.0}}

    def rr(**settings) -> float:
        return assay.evaluate(judged, run, ["RR"], **settings).mean("RR")["run"]

    assert rr() == pytest.approx(1 / 3)
    assert rr(level=2) == 0.25
    assert rr(judged_only=True) == 0.5
    assert rr(depth=2) == 0.0
    with pytest.raises(assay.UsageError, match="depth"):
        rr(depth=0)
    with pytest.raises(assay.UsageError, match="missing"):
        rr(missing="ignore")


@pytest.mark.parametrize("level", [0, -1, 1, 2, 3])
def test_levels_agree_with_filtering_by_hand(level) -> None:
    judged = {"q": {"a": 2, "b": 1, "c": 0, "e": -1}}
    run = {"q": {"c": 8.0, "e": 7.5, "b": 7.0, "a": 6.0}}
    grades = [judged["q"][d] for d in run["q"]]
    relevant = [rank for rank, grade in enumerate(grades, 1) if grade >= max(level, 0)]
    expected = sum(i / rank for i, rank in enumerate(relevant, 1)) / len(relevant) if relevant else None
    assert assay.evaluate(judged, run, [f"AP(rel={level})"]).values(f"AP(rel={level})", "run")["q"] == expected


@pytest.mark.parametrize(
    ("gold", "runs", "message"),
    [
        (JUDGED, {"r": {"q1": {"d1": float("nan")}}}, "the score is NaN"),
        (JUDGED, {"r": {"q1": {"d1": None}}}, "expected a number as score, found None"),
        ({"q": {"d": "1"}}, RUN, "expected a whole number as grade"),
        ({"q": {"a\0b": 1}}, RUN, "zero byte"),
        (JUDGED, {"r": {"other": {"d": 1.0}}}, "no topic in common"),
        (3, RUN, "expected a path, bytes, nested dicts or a data frame"),
        ({}, RUN, "expected a path, bytes"),
    ],
)
def test_bad_objects_are_explained(gold, runs, message) -> None:
    with pytest.raises(assay.InputError, match=message):
        assay.evaluate(gold, runs)


def test_frames_without_the_columns(tmp_path) -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(assay.InputError, match="no column query_id or qid or topic; it has a"):
        assay.evaluate(pandas.DataFrame({"a": [1]}), RUN)
    twice = pandas.DataFrame({"qid": ["q", "q"], "docno": ["d", "d"], "relevance": [1, 0]})
    with pytest.raises(assay.InputError, match="row 2: document d appears twice"):
        assay.evaluate(twice, RUN)


def test_questions_the_table_cannot_answer() -> None:
    scores = assay.evaluate(JUDGED, RUN, ["AP"])
    with pytest.raises(assay.UsageError, match="no run 'x'; there are run"):
        scores.column("x", "AP")
    with pytest.raises(assay.UsageError, match="was not computed; this table has AP"):
        scores.mean("P@5")
    with pytest.raises(AttributeError):
        assay.nosuch


def test_hash_and_unicode_in_ids() -> None:
    judged = {"é#1": {"#d": 1, "日本": 1}}
    scores = assay.evaluate(judged, {"r": {"é#1": {"日本": 2.0, "#d": 1.0}}}, ["AP"])
    assert scores.values("AP", "r") == {"é#1": 1.0}


class TestSettingsThatMeanNothing:
    def test_misspelt_names(self) -> None:
        with pytest.raises(
            assay.UsageError, match="`levle=2`: the task 'ranked' has no such setting; it has `missing=…`"
        ):
            assay.evaluate(JUDGED, RUN, ["AP"], levle=2)
        with pytest.raises(assay.UsageError, match="name_by='zzz'"):
            assay.evaluate(JUDGED, RUN, ["AP"], name_by="zzz")

    @pytest.mark.parametrize("settings", [{"level": 1.5}, {"depth": "5"}, {"seed": None}, {"missing": "unanswered"}])
    def test_wrong_kinds(self, settings) -> None:
        with pytest.raises(assay.UsageError, match="expected"):
            assay.evaluate(JUDGED, RUN, ["AP"], **settings)


def test_a_missing_topic_is_worth_0_whatever_retrieving_nothing_would_be() -> None:
    judged = {"a": {"d": 1, "e": 1}, "b": {"d": 1}}
    run = {"r": {"b": {"d": 1.0}}}
    scores = assay.evaluate(judged, run, ["yaap", "Utility(miss=-1)", "AP", "NumRel", "GMAP"])
    assert scores.values("yaap", "r")["a"] == 0.0
    assert scores.values("Utility(miss=-1)", "r") == {"a": 0.0, "b": 1.0}
    assert scores.mean("NumRel") == {"r": 3}
    assert scores.mean("GMAP")["r"] == pytest.approx(1e-5**0.5)
    skipped = assay.evaluate(judged, run, ["AP"], missing="skip")
    assert skipped.values("AP", "r") == {"a": None, "b": 1.0}


@pytest.mark.parametrize(
    ("gold", "runs", "message"),
    [
        ({"q": {1: 1, "1": 0}}, RUN, "topic q: two documents have the same id '1' as text"),
        ({1: {"d": 1}, "1": {"d": 1}}, RUN, "two topics have the same id '1' as text"),
        ({"q": {"d": float("inf")}}, RUN, "expected a whole number as grade"),
        ({"q": {"\ud800": 1}}, RUN, "half a character"),
        (JUDGED, {"r": {"q1": {"d1": 10**400}}}, "expected a number as score"),
        (JUDGED, {"r": {1: {"d1": 1.0}, "q1": {"d1": 1.0}, "1": {"d1": 1.0}}}, None),
    ],
)
def test_ids_and_numbers_that_collide_or_overflow(gold, runs, message) -> None:
    if message is None:  # topics without judgments may be called what they like
        assert assay.evaluate(gold, runs, ["AP"]).runs == ["r"]
        return
    with pytest.raises(assay.InputError, match=message):
        assay.evaluate(gold, runs, ["AP"])


def test_runs_of_every_kind_of_container() -> None:
    from types import MappingProxyType

    assert assay.evaluate(JUDGED, (run for run in [RUN]), "AP").mean("AP").popitem()[1] == pytest.approx(
        0.5416666666666666
    )
    assert assay.evaluate(JUDGED, MappingProxyType({"r": RUN}), "AP").runs == ["r"]


def test_frames_that_hold_several_runs_or_no_ids() -> None:
    polars = pytest.importorskip("polars")
    rows = {"qid": ["q1", "q1"], "docno": ["d1", "d2"], "score": [1.0, 2.0]}
    with pytest.raises(assay.InputError, match="column 'run' names several runs"):
        assay.evaluate(JUDGED, polars.DataFrame({**rows, "run": ["a", "b"]}), ["AP"])
    with pytest.raises(assay.InputError, match="row 2: no topic or no document"):
        assay.evaluate(JUDGED, polars.DataFrame({**rows, "docno": ["d1", None]}), ["AP"])


def test_tables_say_what_they_do_not_have() -> None:
    scores = assay.evaluate(JUDGED, RUN, ["AP"])
    with pytest.raises(assay.UsageError, match="no topic 'zz'"):
        scores.value("run", "AP", topics=["zz"])
    with pytest.raises(assay.UsageError, match="expected one of pandas, polars, pyarrow"):
        scores.to_frame("modin")
