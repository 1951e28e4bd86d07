"""assay.correct: three estimates side by side."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.analyses.correction.correct import CorrectedPair, CorrectedRun, CorrectedValue, Correction, estimates
from assay.stats.labelled_verdicts import FORMS, Labelled


def test_the_figures_of_the_data_set(shared_data) -> None:
    """PPI++ as truescore 0.7.4 prints it; the labels' own mean is 52 of 80, and Rogan-Gladen (.745 + .7857 - 1)/.7473."""
    found = assay.correct(str(shared_data("harness_logs", "judge_with_human_labels", "judge.csv")))
    (one,) = found.runs
    told = {name: [round(n, 4) for n in (t.value, t.low, t.high)] for name, t in one.estimates.items()}
    assert told["ppi"] == [0.6902, 0.6154, 0.7650]
    assert told["human"][0] == 0.65
    assert told["rogan_gladen"][0] == round((0.745 + 22 / 28 - 1) / (50 / 52 + 22 / 28 - 1), 4)
    assert (one.machine, one.questions, one.labels) == (0.745, 400, 80)
    assert [round(n, 4) for n in (one.sensitivity, one.specificity, one.kappa)] == [0.9615, 0.7857, 0.7727]


def test_there_is_one_ppi() -> None:
    assert "corrected" not in dir(assay)
    with pytest.raises(AttributeError):
        _ = assay.corrected


def table(fooled: float, seed: int = 3) -> bytes:
    """Two runs; people prefer `plain`, and a machine is fooled by `smooth`."""
    chance = np.random.default_rng(seed)
    lines = ["run,id,judge,human"]
    for i in range(600):
        for run, skill, taken in (("plain", 0.75, 0.1), ("smooth", 0.5, fooled)):
            right = chance.random() < skill
            said = chance.random() < (0.95 if right else taken)
            lines.append(f"{run},q{i},{said:d},{int(right) if i < 200 else ''}")
    return "\n".join(lines).encode()


@pytest.mark.parametrize(("fooled", "order"), [(0.1, "holds"), (0.9, "turns")])
def test_whether_the_order_survives(fooled, order) -> None:
    found = assay.correct(table(fooled))
    (pair,) = found.pairs
    assert (pair.first, pair.second, pair.verdict) == ("plain", "smooth", order)
    assert (pair.machine > 0) == (order == "holds")
    for told in pair.estimates.values():
        assert told.low < 0.25 < told.high


def test_the_order_is_open_where_the_interval_has_0() -> None:
    found = assay.correct(table(0.55))
    (pair,) = found.pairs
    assert pair.estimates["ppi"].low > 0
    same = assay.correct(table(0.1).replace(b"smooth", b"smooth").replace(b"plain,", b"a,"), baseline="smooth")
    assert [(one.first, one.second) for one in same.pairs] == [("a", "smooth")]


def test_chosen_labels_and_few_labels_are_said() -> None:
    lines = "".join(f"q{i},{i < 40:d},{1 if i < 20 else ''}\n" for i in range(100))
    notes = " | ".join(assay.correct(f"id,judge,human\n{lines}".encode()).notes)
    assert "the machine's mean for judge is 1.000 on the labelled questions and 0.250 on the others" in notes
    assert "fewer than 25 labels of one verdict, or less than a quarter (judge)" in notes
    assert "Rogan-Gladen for judge is n/a: no label says wrong" in notes
    assert "a random sample of all" in notes


def test_an_estimate_beyond_the_range_is_cut_and_said() -> None:
    """Everything right and judged so but for the labelled: q .05, specificity .8, so Rogan-Gladen is below 0."""
    judge = [1] * 4 + [0] + [0] * 8 + [1] * 2 + [0] * 185
    human = [1] * 5 + [0] * 10 + [""] * 185
    lines = "".join(f"q{i},{j},{h}\n" for i, (j, h) in enumerate(zip(judge, human, strict=True)))
    found = assay.correct(f"id,judge,human\n{lines}".encode())
    assert found.runs[0].estimates["rogan_gladen"].value == 0
    assert any("Rogan-Gladen for judge: estimate -0." in note for note in found.notes)


def test_what_is_no_correction() -> None:
    with pytest.raises(assay.UsageError, match="`confidence=1`"):
        assay.correct(table(0.1), confidence=1)
    with pytest.raises(assay.UsageError, match="`baseline='x'`: unknown run 'x'; runs are plain, smooth"):
        assay.correct(table(0.1), baseline="x")
    with pytest.raises(assay.UsageError, match="expected a file of people's labels"):
        assay.correct({"q1": {"d1": 1}}, {"r": {"q1": {"d1": 1.0}}})
    with pytest.raises(assay.InputError, match="labels no question that a run answers"):
        assay.correct(b"id,judge,human\nq1,unanswered,1\nq2,1,\n")


def test_what_is_undefined_says_why() -> None:
    found = estimates(Labelled.of([1, 0, 1], [1, None, None]), FORMS["accuracy"], 0.95)
    assert found["human"] == "1 are labelled and 2 are not; expected at least 2 of each"


def test_runs_that_hardly_differ_are_named() -> None:
    lines = "".join(f"{run},q{i},{i % 2},{i % 2 if i < 60 else ''}\n" for run in "ab" for i in range(100))
    found = assay.correct(f"run,id,judge,human\n{lines}".encode())
    assert any(note.startswith("fewer than 10 labels differ between a and b") for note in found.notes)
    (pair,) = found.pairs
    assert pair.estimates["ppi"].low < 0 < pair.estimates["ppi"].high


def test_topics_that_are_all_labelled_leave_nothing_to_predict_and_it_is_said_once() -> None:
    qrels = {f"q{i}": {"d": i % 2, "e": 1} for i in range(6)}
    runs = {name: {topic: {"d": 2.0, "e": 1.0} for topic in qrels} for name in "abcde"}
    found = assay.correct(qrels, runs, qrels, ["AP"])
    assert [note for note in found.notes if "n/a" in note] == [
        "PPI++ for a, b, c and 2 more is n/a: 6 are labelled and 0 are not; expected at least 2 of each"
    ]


VERDICTS = st.sampled_from(["0", "1", "1", "0", "unanswered"])
LABELS = st.sampled_from(["", "", "0", "1"])
LINES = st.lists(st.tuples(VERDICTS, LABELS, VERDICTS, LABELS), min_size=1, max_size=40)


@given(lines=LINES, graded=st.booleans(), measure=st.sampled_from([None, "precision", "c@1", "score"]))
def test_whatever_is_labelled_an_estimate_lies_in_its_interval_and_both_in_the_range(lines, graded, measure) -> None:
    """Of any verdicts and labels, unanswered ones and none among them: numbers, or n/a, and never an accident."""
    half = "0.25" if graded else "1"
    rows = [
        f"{run},q{i},{judge.replace('1', half)},{'' if judge == 'unanswered' else human}"
        for i, line in enumerate(lines)
        for run, judge, human in (("a", *line[:2]), ("b", *line[2:]))
    ]
    told = ""
    try:
        found = assay.correct("\n".join(["run,id,judge,human", *rows]).encode(), measures=measure)
    except assay.AssayError as problem:
        told = str(problem)
    else:
        both = [(one, 0.0) for one in found.runs] + [(one, -1.0) for one in found.pairs]
        for one, low in both:
            assert one.machine is None or low <= one.machine <= 1
            for estimate in one.estimates.values():
                assert estimate is None or low <= estimate.low <= estimate.value <= estimate.high <= 1
        assert "NaN" not in json.dumps(found.to_dict())
        assert str(found)
    assert "labels" in told or "right or wrong" in told or not told


def test_of_no_answers_precision_is_unknown_and_accuracy_is_0() -> None:
    lines = "".join(f"a,q{i},{i % 2},{i % 2}\nb,q{i},unanswered,\n" for i in range(9))
    table = f"run,id,judge,human\n{lines}".encode()
    assert [one.machine for one in assay.correct(table, measures="precision").runs] == [4 / 9, None]
    assert [one.machine for one in assay.correct(table, measures="accuracy").runs] == [4 / 9, 0]
    assert [one.machine for one in assay.correct(table, measures="precision").pairs] == [None]
    swapped = table.replace(b"a,q", b"c,q")  # the run without answers is the first of its pair
    assert [one.machine for one in assay.correct(swapped, measures="precision", baseline="c").pairs] == [None]


def repeated(times: int, cluster: str = "cluster") -> bytes:
    """One run of 60 questions, each repeated in a cluster of its own; people labelled the first 30."""
    draw = np.random.default_rng(8)
    lines = [f"id,judge,human,{cluster}"]
    for i in range(60):
        human = int(draw.random() < 0.6)
        judge = human if draw.random() < 0.8 else 1 - human
        lines += [f"q{i}-{k},{judge},{human if i < 30 else ''},c{i}" for k in range(times)]
    return "\n".join(lines).encode()


def test_a_question_repeated_in_its_cluster_tells_nothing_new() -> None:
    """Repeated ten times, 60 questions give no narrower interval; taken for independent, one of a third of the width."""
    once, clustered = assay.correct(repeated(1)), assay.correct(repeated(10))
    alone = assay.correct(repeated(10), cluster=None)
    assert (once.settings["cluster"], clustered.settings["cluster"], alone.settings["cluster"]) == (
        None,
        "cluster",
        None,
    )
    for name in ("human", "ppi", "rogan_gladen"):
        single, repeats, independent = (found.runs[0].estimates[name] for found in (once, clustered, alone))
        assert repeats.value == pytest.approx(single.value, abs=0.03)
        assert single.high - single.low < (repeats.high - repeats.low) * 1.02
        assert repeats.high - repeats.low > 1.8 * (independent.high - independent.low)
    assert clustered.to_dict()["settings"]["cluster"] == "cluster"


def test_the_cluster_can_be_any_column() -> None:
    named, found = assay.correct(repeated(4, "page"), cluster="page"), assay.correct(repeated(4))
    assert named.settings["cluster"] == "page"
    assert named.runs == found.runs
    assert assay.correct(repeated(4, "page")).settings["cluster"] is None
    with pytest.raises(assay.InputError, match="no column 'topic' among id, judge, human, cluster"):
        assay.correct(repeated(4), cluster="topic")


def test_a_question_has_one_cluster_and_there_are_several(tmp_path) -> None:
    with pytest.raises(assay.InputError, match=r":3: question 'q1' has two values of cluster: 'x' and 'y'"):
        assay.correct(b"id,run,judge,human,cluster\nq1,a,1,1,x\nq1,b,1,0,y\n")
    with pytest.raises(
        assay.InputError, match="all 2 questions are in one cluster; a correction by cluster needs at least 2"
    ):
        assay.correct(b"id,judge,human,cluster\nq1,1,1,x\nq2,1,0,x\n")


def test_topics_come_in_clusters_of_the_gold() -> None:
    """The variance of the mean of people's labels by hand: two clusters, whose pulls add up."""
    run = Labelled.of([1, 0, 1, 0, 1, 0], [1.0, 0.5, 0.0, 0.5, None, None], clusters=["a", "a", "b", "b", "c", "d"])
    # Deviations .5, 0, -.5, 0 over n = 4: by cluster .125 and -.125; squared and times 2/(2 - 1) they are .0625.
    pulls = run.by_unit(run.centred(run.human[run.labelled], run.labelled))
    assert float((pulls**2).sum()) == pytest.approx(0.0625)
    with pytest.raises(assay.UsageError, match="no field 'page' of clusters; the gold has none"):
        assay.correct({"q": {"d": 1}, "p": {"d": 1}}, {"r": {"q": {"d": 1.0}}}, {"q": {"d": 1}}, ["AP"], cluster="page")


def test_scores_that_pile_up_at_the_top_have_an_interval() -> None:
    """Fifteen labels, all 1: with 0 and 1 added their mean is 16/17, with a standard error of 1/17 and t(16) = 2.12."""
    lines = ["id,judge,human", *(f"q{i},{1 if i % 5 else 0.5},{1 if i < 15 else ''}" for i in range(100))]
    (run,) = (result := assay.correct("\n".join(lines).encode())).runs
    assert run.estimates["human"].high == 1.0
    assert run.estimates["human"].low == pytest.approx((16 - 2.1199) / 17, abs=1e-4)
    assert run.estimates["ppi"].high - run.estimates["ppi"].low > 0.15
    assert any("differ from the most frequent score" in note for note in result.notes)


@pytest.mark.parametrize(
    ("machine", "told", "verdict"),
    [(0.1, (0.01, 0.2), "holds"), (0.1, (-0.01, 0.2), "open"), (0.1, (-0.2, -0.1), "turns"), (-0.1, (-0.2, -0.1), "holds"),
     (0, (0.1, 0.2), "open")],
)  # fmt: skip
def test_what_becomes_of_the_order(machine, told, verdict) -> None:
    low, high = told
    middle = CorrectedValue((low + high) / 2, low, high)
    assert (
        CorrectedPair("a", "b", "accuracy", machine, {"human": None, "ppi": middle, "rogan_gladen": None}, 0.5).verdict
        == verdict
    )
    assert (
        CorrectedPair("a", "b", "accuracy", machine, {"human": middle, "ppi": None, "rogan_gladen": None}, None).verdict
        == verdict
    )


def test_rows_and_json() -> None:
    told = {"human": CorrectedValue(0.5, 0.4, 0.6), "ppi": CorrectedValue(0.55, 0.5, 0.6), "rogan_gladen": None}
    run = CorrectedRun("a", "accuracy", 0.7, told, 100, 20, 0.8, 0.9, 0.7, 0.6)
    pair = CorrectedPair("a", "b", "accuracy", 0.1, told, 0.3)
    found = Correction(noun="question", runs=(run,), pairs=(pair,), settings={"confidence": 0.95})
    header, rows = found.rows()
    assert all(len(row) == len(header) for row in rows)
    assert rows[2] == ["a", None, "accuracy", "ppi", 0.55, 0.5, 0.6, 20, 0.8]
    assert rows[6][:7] == ["a", "b", "accuracy", "ppi", 0.55, 0.5, 0.6]
    data = found.to_dict()
    assert data["runs"][0]["ppi"] == {"value": 0.55, "interval": [0.5, 0.6]}
    assert (data["runs"][0]["questions"], data["runs"][0]["rogan_gladen"], data["pairs"][0]["order"]) == (
        100,
        None,
        "holds",
    )


def three_runs(skills: dict[str, float], seed: int = 4) -> bytes:
    chance = np.random.default_rng(seed)
    lines = ["run,id,judge,human"]
    for i in range(600):
        for run, skill in skills.items():
            right = chance.random() < skill
            said = chance.random() < (0.95 if right else 0.1)
            lines.append(f"{run},q{i},{said:d},{int(right) if i < 150 else ''}")
    return "\n".join(lines).encode()


def test_ranks_count_the_pairs_that_differ_at_the_level_of_all_pairs() -> None:
    """Each of three pairs at 1 - .05/3; `best` is far ahead of two that are close."""
    data = three_runs({"best": 0.9, "next": 0.6, "last": 0.58})
    found = assay.correct(data)
    pairs = assay.correct(data, confidence=1 - 0.05 / 3).pairs
    beaten = {pair.second for pair in pairs if pair.estimates["ppi"].low > 0}
    beaten |= {pair.first for pair in pairs if pair.estimates["ppi"].high < 0}
    assert beaten == {"next", "last"}
    by_run = {rank.run: (rank.place, rank.low, rank.high) for rank in found.ranks["accuracy"]}
    assert by_run == {"best": (1, 1, 1), "next": (2, 2, 3), "last": (3, 2, 3)}
    assert found.to_dict()["ranks"]["accuracy"][0] == {"run": "best", "place": 1, "low": 1, "high": 1}
    assert "2–3" in str(found)


def test_a_baseline_and_a_single_run_have_no_ranks() -> None:
    assert assay.correct(table(0.1), baseline="plain").ranks == {}
    assert assay.correct(three_runs({"alone": 0.6})).ranks == {}
