"""Generated answers: files of one run or several, judged by nuggets, by support, or by both."""

from __future__ import annotations

import json

import pytest

import assay
from assay.errors import FormatError, InputError, UsageError

TEXTS = (("a", "vital"), ("b", "vital"), ("c", "okay"))
SHORT = {"s": "support", "p": "partial_support", "n": "not_support", "f": "failed"}


def assigned(topic: str, run: str, marks: str, texts=TEXTS) -> dict:
    nuggets = [
        {"text": text, "importance": importance, "assignment": SHORT[mark]}
        for (text, importance), mark in zip(texts, marks, strict=True)
    ]
    return {"qid": topic, "query": f"What of {topic}?", "run_id": run, "nuggets": nuggets}


def supported(topic: str, run: str, *grades: int | None) -> dict:
    sentences = [{"text": "s", "citations": [] if grade is None else [{"support": grade}]} for grade in grades]
    return {"topic_id": topic, "run_id": run, "sentences": sentences}


@pytest.fixture
def put(tmp_path):
    def write(name: str, rows: list[dict]) -> str:
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(tmp_path / name)

    return write


def test_several_runs_in_one_file(put):
    path = put("a.jsonl", [assigned("1", "x", "spn"), assigned("2", "x", "nns"), assigned("1", "y", "sss")])
    scores = assay.evaluate(path)
    assert scores.task.name == "generation"
    assert [measure.name for measure in scores.measures] == [
        "StrictVitalScore", "VitalScore", "StrictAllScore", "AllScore", "WeightedScore",
    ]  # fmt: skip
    assert scores.values("StrictVitalScore", "x") == {"1": 0.5, "2": 0.0}
    assert scores.values("WeightedScore", "x") == {"1": 1.5 / 2.5, "2": 0.5 / 2.5}
    # What a run leaves out counts 0, and what nobody can score is left out.
    assert (scores["AllScore"]["x"], scores["AllScore"]["y"]) == ((1.5 / 3 + 1 / 3) / 2, 0.5)
    assert scores.fields == {"question": ["What of 1?", "What of 2?"]}


def test_nuggets_and_support_of_one_run_in_two_files(put):
    nuggets = put("a.jsonl", [assigned("1", "x", "sss"), assigned("2", "x", "ssn")])
    support = put("s.jsonl", [supported("1", "x", 2, 1, None)])
    scores = assay.evaluate(nuggets, [support])
    assert scores.runs == ["x"]
    assert scores.values("CitationP", "x") == {"1": 0.75, "2": None}
    assert scores.value("x", "CitationR").value == 0.5
    assert (scores.value("x", "CitationR").topics, scores.value("x", "AllScore").topics) == (1, 2)
    other_way_round = assay.evaluate(support, [nuggets])
    assert other_way_round.values("AllScore", "x") == scores.values("AllScore", "x")


def test_support_alone(put):
    rows = [supported("1", "x", 2, 0), supported("1", "y", 1), supported("2", "x", 0), supported("2", "y", 1)]
    scores = assay.evaluate(put("s.jsonl", rows))
    assert [measure.name for measure in scores.measures] == ["CitationP", "CitationR"]
    assert scores["CitationP"] == {"x": 0.25, "y": 0.5}
    assert [pair.difference for pair in assay.compare(scores).pairs] == [0.25]


def test_a_question_left_out_counts_0_as_far_as_it_was_judged(put):
    rows = [supported("1", "x", 2), supported("2", "x", 2), supported("1", "y", 2)]
    nuggets = [assigned("1", "y", "sss"), assigned("3", "x", "sss")]
    scores = assay.evaluate(put("s.jsonl", rows), put("a.jsonl", nuggets))
    assert scores.values("CitationP", "y") == {"1": 1.0, "2": 0.0, "3": None}
    assert scores.values("AllScore", "y") == {"1": 1.0, "2": None, "3": 0.0}
    assert (scores["CitationP"]["y"], scores["AllScore"]["y"]) == (0.5, 0.5)


def test_a_list_of_nuggets_says_which_questions_there_are(put):
    listed = [{"qid": topic, "nuggets": [{"text": t, "importance": i} for t, i in TEXTS]} for topic in "12"]
    scores = assay.evaluate(put("n.jsonl", listed), put("a.jsonl", [assigned("1", "x", "sss")]))
    assert (scores.runs, scores.topics, scores["AllScore"]) == (["x"], ["1", "2"], {"x": 0.5})
    with pytest.raises(FormatError, match=r"n.jsonl: has nuggets and no answers"):
        assay.evaluate(put("n.jsonl", listed))


def test_nuggets_in_another_order_are_the_same_nuggets(put):
    twice = (*TEXTS, ("a", "vital"))
    other = (TEXTS[2], TEXTS[0], TEXTS[1], TEXTS[0])
    path = put("a.jsonl", [assigned("1", "x", "spns", twice), assigned("1", "y", "nspp", other)])
    views = {run: assay.evaluate(path).run(run).views for run in "xy"}
    assert views["x"].credits == [[1.0, 0.5, 0.0, 1.0]]
    assert views["y"].credits == [[1.0, 0.5, 0.0, 0.5]]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ((*TEXTS[:2], ("d", "okay")), r"a.jsonl:2: the nuggets of question '1' are not those of .*a.jsonl:1: it has 'd' \(okay\)"),
        (TEXTS[:2], r"a.jsonl:2: .* it lacks 'c' \(okay\)"),
        ((*TEXTS[:2], ("c", "vital")), r"it has 'c' \(vital\)"),
    ],
)  # fmt: skip
def test_other_nuggets_for_another_run(put, texts, said):
    path = put("a.jsonl", [assigned("1", "x", "sss"), assigned("1", "y", "sss"[: len(texts)], texts)])
    with pytest.raises(FormatError, match=said):
        assay.evaluate(path)


def test_the_same_answer_judged_twice(put):
    path = put("a.jsonl", [assigned("1", "x", "sss"), assigned("1", "x", "nnn")])
    with pytest.raises(
        FormatError, match=r"a.jsonl:2: judges the nuggets of x on question '1' a second time, after .*a.jsonl:1"
    ):
        assay.evaluate(path)


def test_a_judge_that_failed(put):
    path = put("a.jsonl", [assigned("1", "x", "sfs")])
    with pytest.raises(
        FormatError, match=r"a.jsonl:1: the judge failed on a nugget of question '1'; .*`unjudged='incorrect'`"
    ):
        assay.evaluate(path)
    scores = assay.evaluate(path, unjudged="incorrect")
    assert scores["AllScore"] == {"x": 2 / 3}
    assert scores.run("x").notes.unjudged == 1
    assert any("1 nuggets on which the judge failed" in line for line in scores.remarks())


def test_argue(put, tmp_path):
    counts = {
        "sentences_with_citations_or_requiring_citations": 8, "correctly_cited_sentences": 6, "nuggets": 4,
        "correct_nuggets": 1, "nuggets_weighted": 6, "correct_nuggets_weighted": 2,
    }  # fmt: skip
    rows = [f"mine\t301\t{name}\t{value}.0\n" for name, value in counts.items()]
    (tmp_path / "scores.tsv").write_text("run_id\trequest_id\tmetric\tvalue\n" + "".join(rows))
    scores = assay.evaluate(str(tmp_path / "scores.tsv"))
    assert [measure.name for measure in scores.measures] == ["ArgueF", "SentenceP", "NuggetRecall"]
    assert (scores["SentenceP"], scores["NuggetRecall"]) == ({"mine": 0.75}, {"mine": 0.25})
    assert scores["ArgueF"]["mine"] == pytest.approx(2 * 0.75 * 0.25)
    weighted = assay.evaluate(str(tmp_path / "scores.tsv"), None, ["nugget_coverage_weighted", "f1_weighted"])
    assert weighted["nugget_coverage_weighted"]["mine"] == pytest.approx(2 / 6)
    assert weighted["f1_weighted"]["mine"] == pytest.approx(2 * 0.75 * (1 / 3) / (0.75 + 1 / 3))


def test_sentences_that_say_whether_they_need_a_citation(put):
    row = supported("1", "x", 2, None, None)
    for sentence, needs in zip(row["sentences"], (True, True, False), strict=True):
        sentence["needs_citation"] = needs
    scores = assay.evaluate(put("s.jsonl", [row]), put("a.jsonl", [assigned("1", "x", "ssn")]))
    assert [measure.name for measure in scores.measures][:2] == ["ArgueF", "SentenceP"]
    assert scores["SentenceP"] == {"x": 0.5}
    assert scores["ArgueF"]["x"] == pytest.approx(2 * 0.5 * (2 / 3) / (0.5 + 2 / 3))


def test_data_without_files():
    """Their sources have one name, and each run is there once."""
    listed = {"qid": "1", "nuggets": [{"text": text, "importance": importance} for text, importance in TEXTS]}
    x, y = (json.dumps(assigned("1", run, "ssn")).encode() for run in "xy")
    assert assay.evaluate(json.dumps(listed).encode(), [x, y]).runs == ["x", "y"]
    unnamed = {key: value for key, value in assigned("1", "", "ssn").items() if key != "run_id"}
    given = {"mine": json.dumps(unnamed).encode()}
    assert assay.evaluate(json.dumps(listed).encode(), given)["StrictVitalScore"] == {"mine": 1.0}


def test_a_folder(put, tmp_path):
    put("a.jsonl", [assigned("1", "x", "sss")])
    put("b.jsonl", [assigned("1", "y", "nnn")])
    assert assay.evaluate(str(tmp_path))["AllScore"] == {"x": 1.0, "y": 0.0}


def test_a_file_among_them_that_is_none(put, tmp_path):
    (tmp_path / "b.txt").write_text("301 0 d1 1\n")
    with pytest.raises(FormatError, match=r"b.txt: not a file of judged answers; expected nuggets or assignments"):
        assay.evaluate(put("a.jsonl", [assigned("1", "x", "sss")]), str(tmp_path / "b.txt"))


def test_a_run_against_questions_that_were_read_before(put):
    gold = assay.read_gold(put("a.jsonl", [assigned("1", "x", "sss"), assigned("2", "x", "sss")]))
    assert gold.evaluate(put("b.jsonl", [assigned("1", "y", "snn")]))["StrictAllScore"] == {"y": 1 / 6}
    with pytest.raises(FormatError, match=r"c.jsonl:1: judges question '3', which is not in the runs before it"):
        gold.evaluate(put("c.jsonl", [assigned("3", "y", "snn")]))


def test_a_task_that_was_named(put):
    path = put("a.jsonl", [assigned("1", "x", "sss")])
    assert assay.evaluate(path, task="generation")["AllScore"] == {"x": 1.0}
    assert assay.evaluate(None, path, task="generation")["AllScore"] == {"x": 1.0}
    with pytest.raises(FormatError):
        assay.evaluate(put("q.jsonl", [{"id": "1", "answers": ["x"]}]), task="generation")
    with pytest.raises((InputError, UsageError)):
        assay.evaluate(path, task="nuggets")
