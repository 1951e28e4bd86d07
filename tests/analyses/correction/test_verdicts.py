"""Whose verdicts are corrected by whose labels, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.analyses.correction.verdicts import of_topics
from assay.stats.labelled_verdicts import Labelled
from assay.stats.prediction_powered import prediction_powered

JUDGED = "run,id,outcome\n" + "".join(
    f"{run},q{i},{(i + k) % 3 > 0:d}\n" for k, run in enumerate("ab") for i in range(9)
)
QRELS = {str(topic): {"d1": 1, "d2": 0} for topic in range(8)}
RUN = {"r": {str(topic): {"d1": float(topic % 2), "d2": 0.5} for topic in range(8)}}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(**texts: str) -> None:
        for name, text in texts.items():
            (tmp_path / f"{name}.csv").write_text(text)

    write(judged=JUDGED)
    return write


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (
            "id,human\nq1,1\n",
            "labels.csv:2: the label of question 'q1' names no run, and there are 2. Fix: add a column `run`",
        ),
        ("run,id,human\na,q1,1\nc,q1,1\n", "labels.csv:3: unknown run 'c'; runs are a, b"),
        ("run,id,human\na,q1,1\na,q77,1\n", "labels.csv:3: labels question 'q77', which a was not asked"),
        (
            "run,id,human\na,q1,unanswered\n",
            "labels.csv:2: the label of question 'q1' says unanswered, but a answers it",
        ),
    ],
)
def test_labels_that_fit_nothing(files, labels, message) -> None:
    files(labels=labels)
    with pytest.raises(assay.InputError) as problem:
        assay.correct("judged.csv", human="labels.csv")
    assert message in str(problem.value)


def test_a_question_that_failed_in_the_harness_was_not_asked(files) -> None:
    files(judged=JUDGED + "b,q77,1\na,q77,failed\n", labels="run,id,human\nb,q77,1\na,q77,1\n")
    with pytest.raises(assay.InputError, match=r"labels\.csv:3: labels question 'q77', which a was not asked"):
        assay.correct("judged.csv", human="labels.csv")


def test_the_last_label_of_a_person_counts_and_the_mean_of_several(files) -> None:
    files(labels="run,id,human,annotator\na,q1,0,ann\na,q2,1,ann\na,q1,1,ann\na,q2,0,bob\na,q3,1,ann\n")
    found = assay.correct("judged.csv", human="labels.csv")
    notes = " | ".join(found.notes)
    assert "1 questions are labelled twice by the same person (first question q1, line 4)" in notes
    assert "1 questions are labelled by several people: the mean counts" in notes
    assert "no label for b" in notes
    first = found.runs[0]
    assert (first.measure, first.labels, first.estimates["human"].value) == (
        "score",
        3,
        pytest.approx((1 + 0.5 + 1) / 3),
    )
    assert found.runs[1].estimates == {"human": None, "ppi": None, "rogan_gladen": None}


def test_unanswered_questions_need_no_label(files) -> None:
    files(judged="id,outcome\n" + "".join(f"q{i},{'unanswered' if i == 9 else i % 2}\n" for i in range(10)))
    files(labels="id,human\nq9,1\nq0,0\nq1,1\nq2,0\n")
    found = assay.correct("judged.csv", human="labels.csv")
    assert "1 labels of unanswered questions are ignored" in found.notes
    assert [one.measure for one in found.runs] == ["accuracy", "c@1"]
    assert [one.machine for one in found.runs] == pytest.approx([4 / 10, 4 / 10 * 1.1])
    assert found.runs[0].estimates["human"].value == pytest.approx(1 / 3 * 0.9)


@pytest.mark.parametrize(
    ("measure", "message"), [("UF", "expected a mean of verdicts: precision, accuracy, c@1, score"), ("AP", "AP")]
)
def test_measures_that_are_no_mean_of_verdicts(files, measure, message) -> None:
    files(labels="run,id,human\na,q1,1\na,q2,0\n")
    with pytest.raises(assay.UsageError, match=message):
        assay.correct("judged.csv", human="labels.csv", measures=[measure])


def test_partial_credit_is_a_score(files) -> None:
    files(labels="run,id,human\na,q1,0.5\na,q2,0\n")
    with pytest.raises(assay.UsageError, match=r"needs right or wrong.*use `score`"):
        assay.correct("judged.csv", human="labels.csv", measures="accuracy")


def test_topics_are_labelled_by_their_score_under_people() -> None:
    people = {topic: {"d1": 0, "d2": 1} if topic == "0" else QRELS[topic] for topic in "0123"}
    found = assay.correct(QRELS, RUN, people, ["RR"])
    (one,) = found.runs
    # d1 leads on odd topics: by the machine 1/2, 1, 1/2, 1 …; people say 1, 1, 1/2, 1 of the first four.
    assert one.machine == 0.75
    assert one.estimates["human"].value == (1 + 1 + 0.5 + 1) / 4
    assert (found.noun, one.questions, one.labels, one.sensitivity) == ("topic", 8, 4, None)
    assert found.to_dict()["runs"][0]["topics"] == 8


@pytest.mark.parametrize(
    ("people", "message"),
    [
        ({"x": {"d1": 1}}, r"no topic in common.*people's have topics such as 'x'"),
        ({"0": {"d1": 1}, "x": {"d1": 1}}, r"1 topics that the machine did not \(first 'x'\)"),
    ],
)
def test_topics_that_the_machine_did_not_judge(people, message) -> None:
    with pytest.raises(assay.InputError, match=message):
        assay.correct(QRELS, RUN, people)


def test_a_sample_that_draws_everything_is_nearly_ap(tmp_path) -> None:
    strata = tmp_path / "sample.strata"
    strata.write_text("".join(f"{t} 0 d1 1 1\n{t} 0 d2 1 0\n" for t in "0123"))
    found = assay.correct(QRELS, RUN, str(strata), ["AP"])
    whole = assay.correct(QRELS, RUN, {topic: QRELS[topic] for topic in "0123"}, ["AP"])
    assert "people judged a sample of pairs: xinfAP estimates their AP" in found.notes
    for name in ("human", "ppi"):
        assert found.runs[0].estimates[name].value == pytest.approx(whole.runs[0].estimates[name].value, abs=1e-4)
    with pytest.raises(assay.UsageError, match="a sample of judgments estimates AP"):
        assay.correct(QRELS, RUN, str(strata), ["nDCG@10"])


def test_sums_over_topics_cannot_be_corrected() -> None:
    with pytest.raises(assay.UsageError, match="expected a mean over topics"):
        assay.correct(QRELS, RUN, {"0": QRELS["0"]}, ["num_rel_ret"])


def test_one_table_says_a_question_once(tmp_path) -> None:
    table = tmp_path / "judge.csv"
    table.write_text("id,judge,human\nq1,1,1\nq1,0,\n")
    with pytest.raises(assay.InputError, match=r"judge.csv:3: question 'q1' is already on line 2"):
        assay.correct(str(table))


def test_a_topic_on_which_people_find_nothing_relevant() -> None:
    """It counts 0, or with `undefined="skip"` is no topic at all: neither a label nor a prediction."""
    people = {topic: {"d1": 0, "d2": 0} if topic == "0" else QRELS[topic] for topic in "0123"}
    (one,) = assay.correct(QRELS, RUN, people, ["AP"], undefined="zero").runs
    assert (one.questions, one.labels, one.estimates["human"].value) == (8, 4, (0 + 1 + 0.5 + 1) / 4)
    found = assay.correct(QRELS, RUN, people, ["AP"], undefined="skip")
    (one,) = found.runs
    assert (one.questions, one.labels, one.estimates["human"].value) == (7, 3, pytest.approx(2.5 / 3))
    assert "AP is undefined on 1 topics that people judged, which are excluded" in found.notes


def test_labels_of_questions_are_no_qrels(tmp_path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("run,id,human\na,q1,1\nb,q1,0\n")
    with pytest.raises(assay.InputError, match=r"labels.csv: is a table of labels; ranked runs need qrels"):
        assay.correct(QRELS, RUN, str(labels))


def test_a_table_of_nothing_but_a_header_is_named(tmp_path) -> None:
    (tmp_path / "judge.csv").write_text("id,judge,human\n")
    with pytest.raises(assay.InputError, match=r"judge.csv: holds no verdicts"):
        assay.correct(str(tmp_path / "judge.csv"))


def test_people_hold_the_truth_of_real_runs(shared_data) -> None:
    """Three runs of TREC-COVID's first round: a machine that errs on every fourth document, people who judge 15 of 30 topics, 200 times.

    The mean AP under NIST's own judgments of all 30 lies in the intervals at least nine times in ten, and under the machine's it
    mostly does not. A draw is taken from what `assay.correct` reads of the whole.
    """
    gold = assay.read_gold(str(shared_data("trec_covid_r1", "qrels.txt")))
    folder = shared_data("trec_covid_r1", "runs")
    runs = [str(path) for path in sorted(folder.iterdir())[:3]]
    chance = np.random.default_rng(3)
    nist: dict[str, dict[str, int]] = {}
    for line in shared_data("trec_covid_r1", "qrels.txt").read_text(encoding="utf-8").splitlines():
        topic, _, document, grade = line.split()
        nist.setdefault(topic, {})[document] = int(grade)
    machine = {t: {d: int(g > 0) ^ int(chance.random() < 0.25) for d, g in own.items()} for t, own in nist.items()}
    topics = list(nist)
    here = {topic: nist[topic] for topic in topics[:15]}
    found = assay.correct(machine, runs, here, ["AP"])
    truth = gold.evaluate(runs, ["AP"]).mean("AP")
    assert set(truth) == {one.run for one in found.runs}
    material = of_topics(assay.read_gold(machine), nist, runs, ["AP"], None, None).runs["AP"]
    held = apart = 0
    for _ in range(200):
        labelled = np.zeros(len(topics), bool)
        labelled[chance.permutation(len(topics))[:15]] = True
        for name, run in material.items():
            one = Labelled(run.judge, np.where(labelled, run.human, np.nan), run.unanswered)
            told = prediction_powered(one, 0.95)
            held += told.low <= truth[name] <= told.high
            apart += not told.low <= float(run.judge.mean()) <= told.high
    assert held / 600 > 0.9
    assert apart / 600 > 0.5
