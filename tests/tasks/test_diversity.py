"""Diversity: judgments by subtopic joined with runs, and what is said where a file could be read in two ways."""

from __future__ import annotations

import pytest

import assay
from assay.errors import FormatError, InputError

GOLD = b"t 1 a 1\nt 1 b 0\nt 2 b 2\nt 2 a 0\nu 1 c 0\nu 2 d 1\n"
RUN = b"t Q0 b 1 3.0 r\nt Q0 x 2 2.0 r\nt Q0 a 3 1.0 r\nu Q0 c 1 1.0 r\n"


def test_a_file_by_subtopic_is_recognised_and_said_to_be():
    scores = assay.evaluate(GOLD, [RUN], ["StRecall@1", "AP_IA"])
    assert scores.task.name == "diversity"
    assert scores.values("StRecall@1", "r") == {"t": 0.5, "u": 0.0}
    assert scores.values("AP_IA", "r") == {"t": pytest.approx((1 + 1 / 3) / 2), "u": 0.0}
    [said] = scores.remarks()
    assert said == (
        "<gold>: a document is judged several times, so that the second field is read as the subtopic. "
        "Fix: use `task='judgment-groups'` where it is the judge"
    )
    assert assay.evaluate(GOLD, [RUN], task="diversity").remarks() == []


def test_said_once_of_several_runs():
    scores = assay.evaluate(GOLD, [RUN, RUN.replace(b" r\n", b" s\n")])
    assert len(scores.remarks()) == 1


def test_ordinary_qrels_whose_iteration_varies_stay_ordinary_and_that_is_said():
    varied = b"t 0 a 1\nt 1 b 1\n"
    scores = assay.evaluate(varied, [RUN], ["AP"])
    assert scores.task.name == "ranked"
    assert scores.remarks()[0] == (
        "<gold>: its second field is not the same everywhere, and was ignored; where it names subtopics, `task='diversity'`"
    )
    assert assay.evaluate(varied, [RUN], ["StRecall@1"], task="diversity")["StRecall@1"] == {"r": 0.5}
    assert not any("second field" in line for line in assay.evaluate(b"t 0 a 1\nt 0 b 1\n", [RUN]).remarks())


def test_subtopics_that_show_beyond_the_head_are_refused_with_what_to_do():
    first = b"".join(b"t 1 d%05d 0\n" % number for number in range(8000))
    with pytest.raises(FormatError) as refused:
        assay.evaluate(first + b"t 2 d00000 1\n", [RUN])
    assert "document d00000 appears a second time in topic t, first on line 1; remove one of the two" in str(
        refused.value
    )
    assert "`task='diversity'` for subtopics" in str(refused.value)
    assert assay.evaluate(first + b"t 2 d00000 1\n", [RUN], task="diversity").task.name == "diversity"


def test_measures_of_rankings_see_the_best_grade():
    scores = assay.evaluate(GOLD, [RUN], ["AP", "nDCG@2", "NumRel"])
    assert scores.values("AP", "r")["t"] == pytest.approx((1 + 2 / 3) / 2)
    assert scores.values("nDCG@2", "r")["t"] == pytest.approx(2 / (2 + 1 / 1.584962500721156))
    assert scores.values("NumRel", "r") == {"t": 2, "u": 1}


def test_settings_of_ranked_retrieval_hold():
    assert assay.evaluate(GOLD, [RUN], ["StRecall@9"], depth=1).values("StRecall@9", "r")["t"] == 0.5
    assert assay.evaluate(GOLD, [RUN], ["StRecall@9"], level=2).values("StRecall@9", "r") == {"t": 1.0, "u": None}
    judged = assay.evaluate(GOLD, [RUN], ["AP_IA"], judged_only=True)
    assert judged.values("AP_IA", "r")["t"] == pytest.approx((1 + 1 / 2) / 2)


def test_a_topic_the_run_lacks():
    scores = assay.evaluate(GOLD, [RUN.partition(b"u ")[0]], ["NRBP"])
    assert scores.value("r", "NRBP").topics == 2
    assert assay.evaluate(GOLD, [RUN.partition(b"u ")[0]], ["NRBP"], missing="skip").value("r", "NRBP").topics == 1


def test_weights_from_a_file_and_from_python(tmp_path):
    (tmp_path / "w").write_text("t 1 3\nt 2 1\nu 1 0\nu 2 1\n")
    for given in (str(tmp_path / "w"), {"t": {"1": 3, "2": 1}, "u": {"1": 0, "2": 1}}):
        scores = assay.evaluate(GOLD, [RUN], ["P_IA@1"], intent_weights=given)
        assert scores.values("P_IA@1", "r") == {"t": 0.25, "u": 0.0}


def test_a_subtopic_without_a_weight_is_named():
    with pytest.raises(InputError, match=r"subtopic 2 of topic t has no weight in `intent_weights=…`; add it"):
        assay.evaluate(GOLD, [RUN], intent_weights={"t": {"1": 1}})


def test_dicts_and_a_gold_read_once():
    gold = assay.read_gold({"t": {"1": {"a": 1}, "2": {"b": 1}}})
    assert repr(gold) == "<gold of <gold>: diversity, 1 topics>"
    run = {"t": {"a": 2.0, "b": 1.0}}
    assert gold.evaluate({"r": run}, "alpha-nDCG@2")["alpha_nDCG@2"] == {"r": 1.0}
    assert gold.evaluate({"r": run}, "alpha-nDCG@2")["alpha_nDCG@2"] == {"r": 1.0}


def test_grades_that_no_core_can_hold_are_refused():
    with pytest.raises(InputError, match="grades go from 1 to 9999999999; expected at most nine digits"):
        assay.evaluate(b"t 1 a 1\nt 2 a 1\nt 2 b 9999999999\n", [RUN])


def test_ids_of_any_bytes():
    gold = b"t 1 \xff 1\nt 2 \xff 1\nt 2 \xfe 1\n"
    scores = assay.evaluate(gold, [b"t Q0 \xff 1 1.0 r\n"], ["AP_IA"])
    assert scores["AP_IA"] == {"r": pytest.approx((1 + 1 / 2) / 2)}


def test_compared_and_studied_as_any_measure_of_topics():
    topics = [str(number) for number in range(12)]
    gold = {t: {"1": {"a": 1}, "2": {"b": 1}} for t in topics}
    runs = {"both": {t: {"a": 2.0, "b": 1.0} for t in topics}, "one": {t: {"a": 2.0, "x": 1.0} for t in topics}}
    scores = assay.evaluate(gold, runs)
    [pair] = assay.compare(scores, "StRecall@20").pairs
    assert abs(pair.difference) == pytest.approx(0.5)
    assert assay.reliability(scores, "alpha_nDCG@20", trials=20) is not None


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        ({"t": {}}, "no judged document"),
        ({"t": {"1": {}}}, "no judged document"),
        ({"t": {"1": {"a\0b": 1}}}, "an id contains a zero byte"),
        ({"t\0": {"1": {"a": 1}}}, "an id contains a zero byte"),
        ({"t": {"1": {"\ud800": 1}}}, "a lone surrogate"),
    ],
)
def test_gold_that_says_nothing_or_what_the_core_cannot_hold(gold, said):
    with pytest.raises(InputError, match=said):
        assay.evaluate(gold, {"r": {"t": {"a": 1.0}}}, ["StRecall@1"], task="diversity")
