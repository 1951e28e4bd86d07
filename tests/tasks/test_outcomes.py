"""Gold and run joined: every question ends correct, incorrect or unanswered, and the what-ifs."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.errors import FormatError, InputError, UsageError
from assay.formats.sources import Source
from assay.measures.declare import find
from assay.scoring import score_run
from assay.tasks.outcomes import TASK, OutcomeSettings

GOLD = [
    {"id": "q1", "type": "factoid", "answers": [{"text": "Paris", "class": "a"}, {"text": "Lutetia", "class": "a"}]},
    {"id": "q2", "type": "factoid", "nil": True},
    {"id": "q3", "type": "list", "answers": ["Rome", "Milan", "Turin"]},
    {"id": "q4", "type": "list", "answers": ["Oslo"], "cluster": "p1"},
]
RUN = [
    {"id": "q3", "answers": [
        {"text": "Rome", "confidence": 0.8}, {"text": "rome", "confidence": 0.6}, {"text": "Bern", "confidence": 0.2},
    ]},
    {"id": "q1", "answer": "paris.", "confidence": 0.9},
    {"id": "q2", "answer": "NIL", "confidence": 0.4},
    {"id": "q4", "answer": None, "candidate": "Oslo"},
]  # fmt: skip


def source(rows: list[dict] | str | bytes, name: str) -> Source:
    if isinstance(rows, list):
        rows = "".join(json.dumps(row) + "\n" for row in rows)
    return Source(name, data=rows.encode() if isinstance(rows, str) else rows)


def joined(gold=GOLD, run=RUN, **settings):
    choices = OutcomeSettings(**settings)
    found = None if gold is None else source(gold, "gold.jsonl")
    runs = [source(rows, f"run{i}.jsonl") for i, rows in enumerate(run if isinstance(run, tuple) else (run,), 1)]
    questions = TASK.read(found, runs, choices)
    return questions, [(one, views) for one in runs for views in TASK.join(questions, one, choices)]


def views(gold=GOLD, run=RUN, **settings):
    return joined(gold, run, **settings)[1][0][1]


def ends(run) -> str:
    """c, i or u for each question, in the gold's order."""
    columns = zip(*(run.column(name) for name in ("correct", "incorrect", "unanswered")), strict=True)
    return "".join("ciu"[cells.index(1)] for cells in columns)


def value(run, name: str):
    measure = find(name, "outcomes")
    scored = score_run(run, [measure])
    return assay.Scores(TASK, OutcomeSettings(), run.gold.topics, [measure], [scored]).value(run.name, measure).value


def test_every_question_ends_one_way() -> None:
    run = views()
    assert run.gold.topics == ["q1", "q2", "q3", "q4"]
    assert ends(run) == "cccu"
    assert list(run.column("confidence")) == [0.9, 0.4, 0.8, None]
    assert list(run.column("position")) == [1, 2, 0, 3], "the order of the run's file"
    assert run.column("cluster") == [None, None, None, "p1"]
    assert run.notes.judging.startswith("exact match after")


def test_lists_repeats_and_nil() -> None:
    """q3: Rome right, rome repeated, Bern wrong, 3 known: (0.8 - 0.2)/3. q2: right NIL. q1: two words, one class."""
    run = views()
    assert [view.known for view in run] == [1, 0, 3, 1]
    assert [find("K", "outcomes")(view) for view in run] == pytest.approx([0.9, 0.4, 0.6 / 3, 0.0])
    assert value(run, "K") == pytest.approx((0.9 + 0.4 + 0.2 + 0) / 4)
    assert value(run, "K1") == pytest.approx((0.9 + 0.4 + 0.8) / 4)
    assert [value(run, name) for name in ("known_answers", "answers_given", "questions_with_correct")] == [5, 5, 3]
    assert value(run, "correct_answers") == 3
    assert value(run, "answer_recall") == pytest.approx(2 / 5), "NIL is no known answer"
    assert value(run, "answer_precision") == pytest.approx(3 / 5)


def test_a_class_said_in_other_words_is_a_repeat() -> None:
    answers = [{"text": "Lutetia", "confidence": 0.5}, {"text": "Paris", "confidence": 0.7}]
    run = views(GOLD[:1], [{"id": "q1", "answers": answers}])
    assert [view.answers for view in run] == [[(1, 0.5), (0, 0.7)]]


def test_the_final_answer_decides() -> None:
    answers = [{"text": "Bern", "confidence": 0.5}, {"text": "Rome", "confidence": 0.7}]
    assert ends(views(GOLD[2:3], [{"id": "q3", "answers": answers}])) == "i"
    assert ends(views(GOLD[2:3], [{"id": "q3", "answers": answers, "final": 2}])) == "c"


@pytest.mark.parametrize(("policy", "expected"), [("unanswered", "cu"), ("incorrect", "ci")])
def test_a_question_left_out(policy, expected) -> None:
    gold = [GOLD[0], GOLD[3]]
    run = views(gold, [RUN[1]], missing=policy)
    assert ends(run) == expected
    assert list(run.missing) == [False, True]
    assert list(run.column("answered")) == [1, 0], "left out is no answer, even where it counts as incorrect"
    assert value(run, "Brier") == pytest.approx(0.01)


def test_a_question_left_out_may_be_an_error() -> None:
    runs = [source([RUN[1]], "run1.jsonl")]
    with pytest.raises(
        InputError, match=r"run 'run1' has no results for question 'q2' and 2 more; `missing='unanswered'`"
    ):
        assay.evaluate(source(GOLD, "gold.jsonl"), runs, ["c@1"], missing="error")


def test_zero_is_no_policy_for_answers() -> None:
    with pytest.raises(UsageError, match="`missing='zero'`: expected one of unanswered"):
        views(missing="zero")


def test_an_unknown_question_is_named() -> None:
    with pytest.raises(FormatError, match=r"run1.jsonl:2: answers question 'q9', which is not in gold.jsonl"):
        views(GOLD, [RUN[1], {"id": "q9", "answer": "x"}])


def test_the_same_question_twice() -> None:
    with pytest.raises(FormatError, match=r"run1.jsonl:3: question 'q1' was answered already on line 1"):
        views(GOLD, [RUN[1], RUN[2], RUN[1]])


def test_refusals_count_only_where_patterns_are_given(tmp_path) -> None:
    run = [{"id": "q1", "answer": "I don't know", "confidence": 0.1}, {"id": "q4", "answer": "Oslo", "confidence": 0.9}]
    assert ends(views(GOLD, run)) == "iuuc"
    file = tmp_path / "refusals.txt"
    file.write_text("don't know\n")
    refused = views(GOLD, run, refusal=str(file))
    assert ends(refused) == "uuuc"
    assert refused.notes.refusals == 1
    assert views(GOLD, run[1:], refusal=str(file)).notes.refusals == 0


def test_nil_confidence() -> None:
    """Herrera, Peñas and Verdejo, CLEF 2004: had all NIL answers stated 0, K1 would have been that of the others."""
    run = views(nil_confidence=0.0)
    assert list(run.column("confidence")) == [0.9, 0.0, 0.8, None]
    assert run.notes.nil_answers == 1
    assert value(run, "K1") == pytest.approx((0.9 + 0.8) / 4)


def test_abstaining_below_a_confidence() -> None:
    run = views(abstain_below=0.5)
    assert ends(run) == "cucu"
    assert run.notes.declined == 1
    assert list(run.column("candidate_right")) == [0, 1, 0, 1], "what was withheld stays as the candidate"
    assert [view.answers for view in run][2] == [(1, 0.8), (0, 0.6)], "of a list, only the answers below go"
    assert ends(views(abstain_below=0.4)) == "cccu", "the threshold itself is answered"


def test_abstaining_needs_confidences() -> None:
    with pytest.raises(InputError, match="question 'q1' is answered without a confidence"):
        views(GOLD, [{"id": "q1", "answer": "Paris"}], abstain_below=0.5)


@pytest.mark.parametrize("name", ["abstain_below", "nil_confidence"])
def test_what_ifs_are_confidences(name) -> None:
    with pytest.raises(UsageError, match="expected a number from 0 to 1"):
        views(**{name: 1.5})


def test_candidates_of_unanswered_questions() -> None:
    run = [
        {"id": "q1", "answer": None, "candidate": "Paris"},
        {"id": "q3", "answer": None, "candidate": "Bern"},
        {"id": "q4", "answer": None},
    ]
    found = views(GOLD, run)
    assert [value(found, name) for name in ("nuR", "nuW", "nuE", "nu")] == [1, 1, 2, 4]


def test_judgments_file(tmp_path) -> None:
    file = tmp_path / "judgments.jsonl"
    rows = [
        {"id": "q1", "text": "Paris", "judgment": "correct", "class": "a"},
        {"id": "q1", "text": "Paname", "judgment": "correct", "class": "b"},
        {"id": "q3", "text": "Rome", "judgment": "unsupported"},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    gold = [{"id": "q1"}, {"id": "q3"}]
    run = [{"id": "q1", "answer": "Paname"}, {"id": "q3", "answer": "Rome"}]
    found = views(gold, run, judgments=str(file))
    assert ends(found) == "ci"
    assert found.gold.known == [2, 0], "the distinct right answers that were judged"
    assert "judgments file" in found.notes.judging
    assert ends(views(gold, run, judgments=str(file), judging="judgments-lenient")) == "cc"
    with pytest.raises(InputError, match=r"judges question .q3., which is not in gold\.jsonl"):
        views(gold[:1], run[:1], judgments=str(file))


def test_runs_that_carry_outcomes_are_their_own_gold() -> None:
    one = [{"id": "b", "outcome": "correct", "confidence": 0.5, "lang": "en"}, {"id": "a", "outcome": "incorrect"}]
    two = [{"id": "c", "outcome": "unanswered"}, {"id": "a", "outcome": 1}]
    gold, pairs = joined(None, (one, two))
    assert gold.topics == ["a", "b", "c"]
    assert gold.fields == {"lang": [None, "en", None]}
    assert [ends(run) for _, run in pairs] == ["icu", "cuu"]
    assert [list(run.missing) for _, run in pairs] == [[False, False, True], [False, True, False]]
    assert pairs[0][1].notes.judging == "as judged in the file"


def test_tables_as_gold_and_as_runs() -> None:
    run = "run,id,answer,confidence\nx,1,paris,0.5\ny,1,Rome,0.4\nx,2,,\n"
    gold, pairs = joined("id,answer\n1,Paris\n2,Oslo\n", run)
    assert gold.topics == ["1", "2"]
    assert [(v.name, ends(v)) for _, v in pairs] == [("x", "cu"), ("y", "iu")]
    _, own = joined(None, "run,id,answer,gold\nx,1,paris,Paris\ny,1,Rome,Paris\n")
    assert [(v.name, ends(v)) for _, v in own] == [("x", "c"), ("y", "i")]


def test_an_answer_without_outcome_needs_gold() -> None:
    with pytest.raises(FormatError, match=r"run1.jsonl:1: question 'q1' has an answer but no outcome"):
        joined(None, [{"id": "q1", "answer": "x"}])


# PAN


def pan(run: list[dict], truth=(True, False, True, False)):
    gold = [{"id": f"p{i}", "same": same} for i, same in enumerate(truth, 1)]
    return views(gold, run)


def test_pan_values() -> None:
    run = pan([{"id": "p1", "value": 0.9}, {"id": "p2", "value": 0.75}, {"id": "p3", "value": 0.5}])
    assert ends(run) == "ciuu"
    assert list(run.column("confidence")) == [0.9, 0.75, None, None]
    assert list(run.column("value")) == [0.9, 0.75, 0.5, 0.5], "a problem left out stands at 0.5"
    counts = ("true_positive", "false_positive", "false_negative", "unanswered_positive", "unanswered_negative")
    assert [sum(run.column(name)) for name in counts] == [1, 1, 0, 1, 1]


def test_pan_confidence_is_the_distance_from_a_half() -> None:
    run = pan([{"id": "p2", "value": 0.125}])
    assert ends(run) == "ucuu"
    assert run.column("confidence")[1] == 0.875
    assert list(pan([{"id": "p1", "value": 0.66}, {"id": "p2", "value": 0.34}]).column("confidence"))[:2] == [
        0.66,
        0.66,
    ]
    run.abstain_below(0.9)
    assert (ends(run), run.column("value")[1]) == ("uuuu", 0.5), "declining in PAN is the value 0.5"


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=20))
def test_pan_counts_by_the_evaluators_rule(problems) -> None:
    run = pan(
        [{"id": f"p{i}", "value": v} for i, (_, v) in enumerate(problems, 1)], truth=[same for same, _ in problems]
    )
    right = sum((v > 0.5) == same for same, v in problems if v != 0.5)
    unanswered = sum(v == 0.5 for _, v in problems)
    assert (sum(run.column("correct")), sum(run.column("unanswered"))) == (right, unanswered)


# SQuAD


SQUAD = json.dumps({"version": "v2.0", "data": [{"title": "T", "paragraphs": [
    {"qas": [{"id": "a", "answers": [{"text": "the Normans"}, {"text": "Norman kings"}], "is_impossible": False},
             {"id": "b", "answers": [{"text": "Rome"}], "is_impossible": False}]},
    {"qas": [{"id": "c", "answers": [], "is_impossible": True}, {"id": "d", "answers": [], "is_impossible": True}]},
]}]})  # fmt: skip


def test_squad(tmp_path) -> None:
    run = views(SQUAD, json.dumps({"a": "Normans", "b": "", "c": "", "d": "Bern"}))
    assert ends(run) == "cuci"
    assert [value(run, name) for name in ("EM", "HasAns_EM", "NoAns_EM")] == [0.5, 0.5, 0.5]
    assert value(run, "accuracy") == value(run, "EM")
    partial = views(SQUAD, json.dumps({"a": "Norman queens", "b": "Rome", "c": "", "d": ""}))
    assert value(partial, "TokenF1") == pytest.approx((0.5 + 1 + 1 + 1) / 4)
    assert value(partial, "HasAns_F1") == pytest.approx((0.5 + 1) / 2)


def test_squad_gold_of_which_nothing_is_left() -> None:
    """The official script takes a gold text such as "the" for an empty one, and an empty prediction for right."""
    gold = SQUAD.replace("Rome", "The")
    run = views(gold, json.dumps({"a": "x", "b": "", "c": "x", "d": "x"}))
    assert ends(run) == "icii"
    assert [value(run, name) for name in ("HasAns_EM", "HasAns_F1", "NoAns_EM")] == [0.5, 0.5, 0.0]


def test_squad_with_probabilities_of_no_answer(tmp_path) -> None:
    file = tmp_path / "na_prob.json"
    file.write_text(json.dumps({"a": 0.25, "b": 0.5, "c": 0.75, "d": 1.0}))
    predictions = json.dumps({"a": "Normans", "b": "Bern", "c": "", "d": "Bern"})
    run = views(SQUAD, predictions, na_prob=str(file))
    assert list(run.column("confidence")) == [0.75, 0.5, 0.75, 0.0]
    assert ends(run) == "cici"
    # The official script's threshold: an answer with a probability of no answer above 0.5 becomes empty.
    declined = views(SQUAD, predictions, na_prob=str(file), abstain_below=0.5)
    assert ends(declined) == "cicc"
    assert [value(declined, name) for name in ("EM", "NoAns_EM")] == [0.75, 1.0]
    assert ends(views(SQUAD, predictions, na_prob=str(file), abstain_below=0.6)) == "cucc"


def test_squad_questions_without_a_prediction() -> None:
    run = json.dumps({"a": "Normans", "c": "x"})
    assert ends(views(SQUAD, run)) == "cuiu"
    scores = {}
    for policy in ("unanswered", "skip"):
        table = assay.evaluate(SQUAD.encode(), {"r": run.encode()}, ["EM", "accuracy"], missing=policy)
        scores[policy] = (table.mean("EM")["r"], table.mean("accuracy")["r"])
    assert scores == {"unanswered": (0.25, 0.25), "skip": (0.5, 0.5)}, "the official script skips"


def test_na_prob_goes_with_squad_only(tmp_path) -> None:
    with pytest.raises(UsageError, match="`na_prob=FILE` goes with SQuAD"):
        views(na_prob=str(tmp_path / "x.json"))


# The API


def test_evaluate_from_python() -> None:
    gold = {"q1": "Paris", "q2": ["Rome", "Roma"], "q3": "NIL"}
    runs = {"a": {"q1": ("paris", 0.9), "q2": ("Bern", 0.4), "q3": None}, "b": {"q2": "Roma", "q3": "NIL"}}
    scores = assay.evaluate(gold, runs, ["correct", "incorrect", "unanswered", "c@1"])
    assert [scores.mean(name) for name in ("correct", "incorrect", "unanswered")] == [
        {"a": 1, "b": 2},
        {"a": 1, "b": 0},
        {"a": 1, "b": 1},
    ]
    assert scores.mean("c@1")["a"] == pytest.approx((1 + 1 / 3) / 3)


def test_default_measures_follow_what_is_there() -> None:
    def names(run, **settings):
        gold, pairs = joined(GOLD, run, **settings)
        return TASK.more(gold, [v for _, v in pairs], OutcomeSettings(**settings))

    assert "CWS" not in names([{"id": "q1", "answer": "x"}])
    assert "CWS" in names([RUN[1]])
    assert "K" not in names([RUN[1]])
    assert "K" in names(RUN)


def test_pan_problems_left_out_may_count_as_wrong() -> None:
    """Truth yes, no, yes; the last left out: a false negative where it counts as incorrect, else unanswered."""
    truth = [{"id": f"p{i}", "same": same} for i, same in enumerate((True, False, True))]
    run = [{"id": "p0", "value": 0.9}, {"id": "p1", "value": 0.4}]
    declined, wrong = views(truth, run), views(truth, run, missing="incorrect")
    assert [value(declined, name) for name in ("F1", "F0.5u")] == [1.0, pytest.approx(1.25 / (1.25 + 0.25))]
    assert value(wrong, "F1") == pytest.approx(2 / 3)
    assert value(wrong, "F0.5u(half=positive)") == pytest.approx(1.25 / (1.25 + 0.25))
    assert value(wrong, "c@1") == pytest.approx(2 / 3)


def test_candidates_beside_outcomes() -> None:
    gold = [{"id": "a", "answers": ["xx"]}, {"id": "b", "answers": ["yy"]}]
    run = [{"id": "a", "outcome": "correct"}, {"id": "b", "outcome": "unanswered", "candidate": "yy"}]
    assert value(views(gold, run), "nuR") == 1
    table = "run,id,outcome,candidate\nm,1,correct,\nm,2,unanswered,correct\nm,3,unanswered,wrong\nm,4,unanswered,\n"
    judged = views(None, table)
    assert [value(judged, name) for name in ("nuR", "nuW", "nuE")] == [1, 1, 1]
    assert value(judged, "validation_recall") == 0.5


def test_nil_in_white_space_is_nil() -> None:
    run = views([{"id": "a", "nil": True}], [{"id": "a", "answer": " NIL ", "confidence": 0.9}], nil_confidence=0.0)
    assert run.notes.nil_answers == 1
    assert value(run, "K1") == 0


def test_declining_in_squad_is_saying_that_there_is_no_answer(tmp_path) -> None:
    """Its confidence is then the probability of no answer; a copy declines on its own."""
    questions = [
        {"id": "s1", "answers": [{"text": "the"}], "is_impossible": False},
        {"id": "s2", "answers": [], "is_impossible": True},
    ]
    gold = json.dumps({"version": "v2.0", "data": [{"paragraphs": [{"qas": questions}]}]})
    file = tmp_path / "na.json"
    file.write_text('{"s1": 0.9, "s2": 0.8}')
    run = views(gold, json.dumps({"s1": "x", "s2": "y"}), na_prob=str(file))
    declined = run.copy()
    declined.abstain_below(0.5)
    assert ends(declined) == "cc", "nothing is left of the gold answer 'the' either"
    assert list(declined.column("confidence")) == [0.9, 0.8]
    assert list(run.column("confidence")) == [0.1, 0.2]


@pytest.mark.parametrize("choice", [{"depth": 5}, {"level": 2}, {"judged_only": True}])
def test_choices_of_rankings_are_refused(choice) -> None:
    with pytest.raises(UsageError, match="there is no such setting here"):
        views(**choice)


def test_a_rule_of_judging_needs_something_to_judge() -> None:
    with pytest.raises(
        UsageError, match="`judging='letter'` goes with gold answers; these runs are judged by their values"
    ):
        views([{"id": "p", "same": True}], [{"id": "p", "value": 1}], judging="letter")
    with pytest.raises(UsageError, match="these runs are judged already"):
        views(None, [{"id": "q", "outcome": "correct"}], judging="exact")


def test_an_answer_without_judgment_is_named(tmp_path) -> None:
    file = tmp_path / "judgments.jsonl"
    file.write_text('{"id": "a", "text": "xx", "judgment": "correct"}\n')
    gold, run = [{"id": "a"}, {"id": "b"}], [{"id": "a", "answer": "xx"}, {"id": "b", "answer": "yy"}]
    with pytest.raises(FormatError, match=r"run1.jsonl:2: the answer 'yy' to question 'b' has no judgment"):
        views(gold, run, judgments=str(file))
    with pytest.raises(FormatError, match=r"judgments.jsonl:1: judges question 'a', which is not in gold"):
        views(gold[1:], run[1:], judgments=str(file))


def test_fields_are_names() -> None:
    """Whatever a line holds can be grouped by."""
    run = [{"id": "1", "outcome": "correct", "cluster": ["a"]}, {"id": "2", "outcome": "incorrect", "cluster": ["b"]}]
    found = views(None, run)
    assert value(found, "c@1_cluster_mean") == 0.5
    assert found.gold.fields == {"cluster": ["['a']", "['b']"]}
    table = "run,id,outcome,cluster\nm,1,correct,a\nm,2,incorrect,\n"
    assert views(None, table).gold.fields == {"cluster": ["a", None]}, "an empty cell names nothing"


def test_the_rule_told_is_the_rule_used() -> None:
    gold = [{"id": "a", "answers": ["A"]}, {"id": "b", "answers": ["B"]}]
    stated, given = {"id": "a", "outcome": "correct"}, {"id": "b", "answer": "B"}
    assert views(gold, [given]).notes.judging.startswith("the option letter")
    assert views(gold, [stated]).notes.judging == "as judged in the file"
    both = views(gold, [stated, given]).notes.judging
    assert both.startswith("as judged in the file where it states an outcome; elsewhere the option letter")
