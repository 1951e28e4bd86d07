"""Inspect's logs: the real ones give the figures their own headers have; made ones try what real ones seldom hold."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_logs import DEFLATE, MODEL, STORED, Member, archive, eval_log, header, json_log, member_of, sample, summary

from assay.errors import AssayError, FormatError, InputError
from assay.formats.answers.rows import CORRECT, FAILED, GRADED, INCORRECT, UNANSWERED, Rows
from assay.formats.harness.inspect import endings
from assay.formats.harness.inspect import reader as inspect_reader
from assay.formats.harness.inspect.endings import Ended, Stopped
from assay.formats.harness.inspect.reader import read_inspect
from assay.formats.harness.logs import LogReading
from assay.formats.recognition import recognise
from assay.io.sources import Source

STATES = (CORRECT, INCORRECT, UNANSWERED, FAILED, GRADED)
NEW, OLD, OLDEST = "0.3.285/", "0.3.110/", "0.3.33/"


def read(content: bytes, scorer: str | None = None, reading: LogReading | None = None) -> Rows:
    """The rows of a log in memory."""
    (rows,) = read_inspect(Source("made.eval", data=content), reading or LogReading({"scorer": scorer}))
    return rows


def states(rows: Rows) -> tuple[int, ...]:
    """How many are correct, incorrect, unanswered, failed and scored in between."""
    found = Counter(rows.outcomes)
    return tuple(found[state] for state in STATES)


def by_sample(rows: Rows) -> dict[tuple[str, int], tuple[object, ...]]:
    numbers = rows.samples or [1] * len(rows.ids)
    scores = rows.scores or [None] * len(rows.ids)
    return {
        (rows.ids[at], numbers[at]): (
            rows.outcomes[at], scores[at], rows.confidences[at], rows.texts[at], rows.kinds.get(at), rows.problems.get(at)
        )
        for at in range(len(rows.ids))
    }  # fmt: skip


# Figures of EXPECTED.md: the tools' own headers, or counted from the raw samples


@pytest.fixture
def real(shared_data):
    def read_one(name: str, scorer: str | None = None) -> Rows:
        path = str(shared_data("harness_logs", "inspect_ai", *name.split("/")))
        source = Source(path, path=path)
        reader = recognise(source, "log")
        assert reader is not None
        assert reader.name == "inspect"
        (rows,) = reader.read(source, LogReading({"scorer": scorer}))
        return rows

    return read_one


@pytest.mark.parametrize(
    ("name", "scorer", "questions", "counts"),
    [
        ("capitals_cautious.eval", "attempted", 12, (7, 1, 4, 0, 0)),
        ("capitals_cautious.json", "attempted", 12, (7, 1, 4, 0, 0)),
        ("capitals_bold.eval", "attempted", 12, (6, 6, 0, 0, 0)),
        ("capitals_epochs4_mean_cautious.eval", "attempted", 12, (28, 2, 18, 0, 0)),
        ("capitals_epochs4_mean_cautious.json.gz", "attempted", 12, (28, 2, 18, 0, 0)),
        ("capitals_epochs4_mean_bold.eval", "attempted", 12, (32, 16, 0, 0, 0)),
        ("capitals_mc_cautious.eval", "choice", 12, (8, 4, 0, 0, 0)),
        ("capitals_mc_cautious.eval", None, 12, (8, 4, 0, 0, 0)),
        ("capitals_model_graded_partial_bold.eval", None, 12, (9, 2, 0, 0, 1)),
        ("capitals_one_sample_error_bold.eval", None, 12, (5, 6, 0, 1, 0)),
        ("capitals_limit5_bold.eval", "attempted", 5, (4, 1, 0, 0, 0)),
        ("unparsed_judge_nan.eval", "model_graded_fact", 5, (3, 1, 0, 1, 0)),
        ("simpleqa_inspect_evals_0.26.0_epochs2.eval", None, 6, (6, 2, 4, 0, 0)),
    ],
)
def test_counts_of_real_logs(real, name, scorer, questions, counts) -> None:
    rows = real(NEW + name, scorer)
    assert states(rows) == counts
    assert len({*rows.ids}) == questions
    assert rows.tool == "Inspect 0.3.285"


@pytest.mark.parametrize(
    ("name", "scorer", "mean"),
    [
        ("capitals_cautious.eval", "attempted", 0.5833),
        ("capitals_cautious.eval", "partial_credit", 0.6042),
        ("capitals_bold.eval", "partial_credit", 0.6250),
        ("capitals_epochs4_mean_cautious.eval", "attempted", 0.5833),
        ("capitals_epochs4_mean_bold.eval", "attempted", 0.6667),
        ("capitals_model_graded_partial_bold.eval", None, 0.7917),
        ("capitals_one_sample_error_bold.eval", None, 0.4545),
        ("unparsed_judge_nan.eval", "model_graded_fact", 0.75),
        ("simpleqa_inspect_evals_0.26.0_epochs2.eval", None, 0.5),
    ],
)
def test_accuracy_is_that_of_the_header(real, name, scorer, mean) -> None:
    rows = real(NEW + name, scorer)
    scores = rows.scores or [None if state == FAILED else float(state == CORRECT) for state in rows.outcomes]
    counted = [score for score in scores if score is not None]
    assert sum(counted) / len(counted) == pytest.approx(mean, abs=5e-5)


@pytest.mark.parametrize("name", [OLDEST + ".json", OLD + ".json", OLD + ".eval"])
def test_old_versions(real, name) -> None:
    rows = real(name.replace("/", "/capitals_old_epochs2"), "attempted")
    assert states(rows) == (6, 2, 2, 0, 0)
    assert len({*rows.ids}) == 5
    assert sorted(rows.samples) == [1] * 5 + [2] * 5
    assert rows.tool == "Inspect " + name.partition("/")[0]
    # In the summaries of 0.3.110 a score is a value and nothing else: these come from the samples.
    assert rows.confidences[:2] == [0.9, 0.1]


def test_an_archive_and_its_json_say_the_same(real) -> None:
    for name, json_name, scorer in (
        ("capitals_cautious.eval", "capitals_cautious.json", "attempted"),
        ("capitals_cautious.eval", "capitals_cautious.json", "rubric/hedged"),
        ("capitals_epochs4_mean_cautious.eval", "capitals_epochs4_mean_cautious.json.gz", "partial_credit"),
    ):
        assert by_sample(real(NEW + name, scorer)) == by_sample(real(NEW + json_name, scorer))


def test_summaries_and_samples_say_the_same(real, monkeypatch) -> None:
    for name, scorer in (("capitals_cautious.eval", "attempted"), ("unparsed_judge_nan.eval", "pattern")):
        short = by_sample(real(NEW + name, scorer))
        monkeypatch.setattr(inspect_reader, "WHOLE_SCORES", (9, 0, 0))
        assert by_sample(real(NEW + name, scorer)) == short
        monkeypatch.undo()


def test_confidence_of_real_logs(real) -> None:
    rows = real(NEW + "capitals_cautious.eval", "attempted")
    assert dict(zip(rows.ids, rows.confidences, strict=True))["cap-1"] == 0.1
    assert None not in rows.confidences
    assert real(NEW + "capitals_cautious.eval", "rubric/correct").confidences == rows.confidences


def test_what_could_not_be_extracted_is_told(real) -> None:
    rows = real(NEW + "capitals_mc_cautious.eval")
    assert [*rows.kinds.values()] == ["unparsed"] * 3
    assert {rows.outcomes[row] for row in rows.kinds} == {INCORRECT}


def test_an_error_is_no_abstention(real) -> None:
    rows = real(NEW + "capitals_one_sample_error_bold.eval")
    assert [(rows.ids[row], problem) for row, problem in rows.problems.items()] == [
        ("cap-7", "RuntimeError('provider said 500')")
    ]


def test_a_judge_that_failed(real) -> None:
    rows = real(NEW + "unparsed_judge_nan.eval", "model_graded_fact")
    assert [*rows.problems.values()] == ["grader_failed"]
    assert {*rows.ids} == {f"geo/{country} 1" for country in ("France", "Norway", "Australia", "Canada", "Switzerland")}


def test_a_log_of_errors_alone_is_refused(real) -> None:
    with pytest.raises(
        InputError, match=r"has no scores: 2 of its 2 samples failed \(ConnectionError.*status is 'error'"
    ):
        real(NEW + "status_error_2_of_12.eval")


def test_a_limit_is_said(real) -> None:
    rows = real(NEW + "capitals_limit5_bold.eval", "attempted")
    assert rows.asked == 12
    assert rows.warnings[0].endswith("5 of the 12 questions of its data set (limit 5)")


def test_scorers_are_listed(real) -> None:
    listed = "attempted, includes, rubric/correct, rubric/hedged, partial_credit"
    with pytest.raises(InputError, match=f"has 5 scorers, {listed}; choose one with"):
        real(NEW + "capitals_bold.eval")
    with pytest.raises(InputError, match=f"has no scorer 'rubric'; it has {listed}"):
        real(NEW + "capitals_bold.eval", "rubric")


def test_texts_come_when_asked_for(real) -> None:
    for name in ("capitals_cautious.eval", "capitals_cautious.json"):
        texts = real(NEW + name, "attempted").texts_of("cap-1", 1)
        assert texts.question == "What is the capital of France? Answer, then CONFIDENCE: p"
        assert (texts.gold, texts.answer) == ("Paris", "I don't know. CONFIDENCE: 0.1")
    assert real(NEW + "unparsed_judge_nan.eval", "pattern").texts_of("geo/France 1", 1).gold == "Paris"
    assert (
        real(OLDEST + "capitals_old_epochs2.json", "attempted").texts_of("cap-3", 2).answer == "Sydney CONFIDENCE: 0.7"
    )


# Logs made here


def test_what_a_row_has() -> None:
    one = sample(
        "q/1 a", 2, "C", score_answer="it", score_metadata={"Confidence": 0.25}, metadata={"topic": "geo", "hard": 1, "list": [1]},
        model_usage={MODEL: {"total_tokens": 12, "total_cost": 0.5}, "judge": {"total_tokens": 99}},
        total_time=3.0, working_time=2.0,
    )  # fmt: skip
    for content in (eval_log([one]), json_log([one]), json_log([one], indent=None), gzip.compress(json_log([one]))):
        reading = LogReading()
        rows = read(content, reading=reading)
        assert (rows.name, rows.task, rows.ids, rows.outcomes) == (MODEL, "made", ["q/1 a"], [CORRECT])
        assert (rows.texts, rows.confidences) == (["it"], [0.25])
        assert rows.usage == {"latency": [2.0], "tokens": [12.0], "cost": [0.5]}
        assert reading.fields == {("made", "q/1 a"): {"topic": "geo", "hard": 1}}
        assert (rows.samples, rows.scores, rows.variant, rows.warnings) == (None, None, "", [])


@pytest.mark.parametrize("method", [STORED, DEFLATE])
def test_other_ways_of_packing(method) -> None:
    assert states(read(eval_log([sample()], method=method))) == (1, 0, 0, 0, 0)


def test_arguments_of_a_task_are_json_in_the_order_of_their_names() -> None:
    given = header(task_args={"subset": "x", "level": 2})
    assert read(eval_log([sample()], given)).arguments == '{"level":2,"subset":"x"}'
    assert read(eval_log([sample()], header())).arguments == "{}"


def test_numbers_as_ids() -> None:
    rows = read(eval_log([sample(1), sample(2, value="I"), sample(2, 2)]))
    assert (rows.ids, rows.samples) == (["1", "2", "2"], [1, 1, 2])


def test_a_member_named_twice_counts_as_it_was_last() -> None:
    old, new = sample(value="C"), sample(value="I")
    content = archive(
        [Member("header.json", json.dumps(header(version="0.3.100")).encode()), member_of(old), member_of(new)]
    )
    assert states(read(content)) == (0, 1, 0, 0, 0)


def test_a_sample_that_was_run_again_counts_once() -> None:
    rows = read(eval_log([sample(value="I")], summaries=[summary(sample(value="C")), summary(sample(value="I"))]))
    assert states(rows) == (0, 1, 0, 0, 0)


def test_scores_never_come_from_reductions() -> None:
    reduced = [{"scorer": "exact", "samples": [{"value": 1.0, "sample_id": "q1"}]}]
    about = header(log_reductions=reduced, log_results={"sample_reductions": reduced, "scores": [{"name": "exact"}]})
    assert states(read(json_log([sample(value="N")], about))) == (0, 0, 1, 0, 0)
    assert states(read(eval_log([sample(value="N")], about))) == (0, 0, 1, 0, 0)


def test_a_very_old_sample_has_one_score_without_a_name() -> None:
    one = {name: value for name, value in sample().items() if name != "scores"} | {"score": {"value": "I"}}
    about = header(version=None, log_results={"scorer": {"name": "match"}})
    assert states(read(json_log([one], about), "match")) == (0, 1, 0, 0, 0)
    assert states(read(json_log([one], header()), "score")) == (0, 1, 0, 0, 0)


@pytest.mark.parametrize("version", ["0.3.110", "0.3.123", None, "unknown", "0.3"])
def test_summaries_of_old_logs_are_not_enough(version) -> None:
    one = sample(score_metadata={"confidence": 0.5})
    bare = {**summary(one), "scores": {"exact": {"value": "C"}}}
    rows = read(eval_log([one], header(version=version), summaries=[bare]))
    assert rows.confidences == [0.5]


def test_summaries_of_a_new_log_with_values_alone_are_not_enough() -> None:
    one = sample(score_metadata={"confidence": 0.5})
    bare = {**summary(one), "scores": {"exact": {"value": "C"}}}
    assert read(eval_log([one], summaries=[bare])).confidences == [0.5]


def test_summaries_that_do_not_have_all_samples_are_not_enough() -> None:
    both = [sample("q1"), sample("q2", value="I")]
    assert states(read(eval_log(both, summaries=[summary(both[0])]))) == (1, 1, 0, 0, 0)


def test_summaries_of_a_new_log_are_enough() -> None:
    rotten = [Member("samples/q1_epoch_1.json", b"", crc=1)]
    rows = [summary(sample())]
    members = {"summaries.json": rows, "header.json": header()}
    packed = [*rotten, *(Member(name, json.dumps(content).encode()) for name, content in members.items())]
    assert states(read(archive(packed))) == (1, 0, 0, 0, 0)


def test_without_samples_old_summaries_are_all_there_is() -> None:
    members = {"summaries.json": [summary(sample())], "header.json": header(version="0.3.110")}
    packed = [Member(name, json.dumps(content).encode()) for name, content in members.items()]
    assert states(read(archive(packed))) == (1, 0, 0, 0, 0)


def test_what_a_summary_left_out_is_not_read_as_something() -> None:
    removed = "Key removed from summary (> 1k)"
    reading = LogReading()
    one = sample(score_metadata={"confidence": removed}, metadata={"topic": removed, "long": "x" * 999, "kind": "a"})
    rows = read(eval_log([one]), reading=reading)
    assert rows.confidences == [None]
    assert reading.fields == {("made", "q1"): {"kind": "a"}}


def test_confidences_that_are_no_numbers_are_said() -> None:
    said = [0.5, "0.75", "high", True, None, 7, float("nan")]
    made = [sample(f"q{at}", score_metadata={"confidence": one}) for at, one in enumerate(said)]
    rows = read(eval_log(made))
    assert rows.confidences == [0.5, 0.75, None, None, None, None, None]
    assert "2 confidences are no numbers ('high' …) and are left out" in rows.warnings[0]
    assert "1 confidences are no numbers from 0 to 1 (7 …)" in rows.warnings[1]


def test_nan_is_a_failure_of_the_instrument() -> None:
    made = [sample("q1", value=float("nan")), sample("q2", value=float("inf")), sample("q3"), sample("NaN", value="I")]
    for content in (eval_log(made), json_log(made)):
        rows = read(content)
        assert rows.outcomes == [FAILED, FAILED, CORRECT, INCORRECT]
        assert rows.ids[3] == "NaN"
        assert [*rows.problems.values()] == ["the score is no number (NaN)"] * 2


def test_samples_without_a_score_failed() -> None:
    made = [
        sample("q1"),
        sample("q2", scores={}, error={"message": "boom\nat line 3", "traceback": "…"}),
        sample("q3", scores={}),
        sample("q4", scores=None),
        sample("q5", value="I", error="late"),
    ]
    for content in (eval_log(made), json_log(made)):
        rows = read(content)
        assert rows.outcomes == [CORRECT, FAILED, FAILED, FAILED, INCORRECT]
        assert rows.problems == {1: "boom", 2: "not scored by exact", 3: "not scored by exact"}


def test_invalidated_samples_failed() -> None:
    made = [sample("q1"), sample("q2", invalidation={"author": "me"})]
    plain = [summary(sample("q1")), summary(sample("q2"))]
    for content in (eval_log(made, header(log_invalidated=True), summaries=plain), json_log(made)):
        rows = read(content)
        assert (rows.outcomes, rows.problems) == ([CORRECT, FAILED], {1: "invalidated"})


def test_an_edited_score_stands() -> None:
    edits = [{"value": "C"}, {"value": "I", "provenance": {"author": "me"}}]
    assert states(read(eval_log([sample(value="I", score_history=edits)]))) == (0, 1, 0, 0, 0)


def test_a_person_may_say_what_the_judge_could_not() -> None:
    mended = [{"value": None}, {"value": "C", "provenance": {"author": "me"}}]
    noted = [{"value": "I"}, {"value": "UNCHANGED", "provenance": {"author": "me"}}]
    made = [
        sample("q1", value="C", score_reason="grader_failed", score_history=mended),
        sample("q2", value="I", score_reason="grader_failed", score_history=noted),
        sample("q3", value="I", score_reason="grader_failed"),
        sample("q4", value="C", score_metadata={"unscored_reason": "no grade"}, score_history=mended),
    ]
    # Summaries leave the history out, so the samples are looked at.
    without = [{**summary(one), "scores": {"exact": {**one["scores"]["exact"], "history": []}}} for one in made]
    for content in (eval_log(made, summaries=without), json_log(made)):
        assert read(content).outcomes == [CORRECT, FAILED, FAILED, CORRECT]


def test_several_scorers_are_asked_about() -> None:
    made = [sample(scores={"a": {"value": "C"}, "b": {"value": {"x": 1, "y": 0, "confidence": 0.5}}})]
    with pytest.raises(InputError, match=r"made\.eval: has 3 scorers, a, b/x, b/y; choose one with `scorer=NAME`"):
        read(json_log(made))
    rows = read(json_log(made), "b/y")
    assert (rows.outcomes, rows.confidences) == ([INCORRECT], [0.5])


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([1, 0], "question 'q1': scorer exact gives a list of values"),
        ("maybe", "question 'q1' is scored 'maybe'; expected correct"),
        (7, "question 'q1' is scored 7; expected a score from 0 to 1"),
        (
            {"correct": 0.5, "incorrect": 0.5, "not_attempted": 0},
            "expected 1 for one of correct, incorrect, not_attempted",
        ),
        ({"one": [1]}, r"scorer exact gives one: \[1\]; expected one value"),
    ],
)
def test_values_that_are_no_outcomes(value, problem) -> None:
    for content, where in (
        (eval_log([sample(value=value)]), "member summaries.json"),
        (json_log([sample(value=value)]), "samples"),
    ):
        with pytest.raises(FormatError, match=rf"^made\.eval: {where}: .*{problem}"):
            read(content)


def test_the_same_questions_are_told_by_their_text() -> None:
    reading = LogReading()
    read(eval_log([sample("q1"), sample("q2")]), reading=reading)
    messages = [{"role": "user", "content": [{"type": "text", "text": "What is q1?"}]}]
    other = read(json_log([sample("q1", input=messages), sample("q2", input="Another?")]), reading=reading)
    assert other.extra == {1: {"other text": True}}


def test_long_questions_are_the_same_in_summaries_and_samples() -> None:
    reading = LogReading()
    long = sample("q1", input="w " * 4000)
    read(
        eval_log([long], summaries=[{**summary(long), "input": ("w " * 4000)[:5120] + "...\n(content truncated)"}]),
        reading=reading,
    )
    assert read(json_log([long]), reading=reading).extra == {}


# Logs of evaluations that did not get to their end


def test_a_log_of_a_running_evaluation() -> None:
    dataset = {"samples": 3, "sample_ids": ["q1", "q2", "q3"]}
    about = header(dataset=dataset)
    rows = read(eval_log([sample("q1"), sample("q2", value="I")], about, finished=False))
    assert (states(rows), rows.asked) == ((1, 1, 0, 0, 0), 3)
    assert rows.warnings == ["made.eval: is the log of an evaluation that was not finished: 2 of 3 questions"]


def test_journals_are_read_in_their_order() -> None:
    rows = read(eval_log([sample(f"q{at}") for at in range(1, 50)], finished=False))
    assert rows.ids == [f"q{at}" for at in range(1, 50)]


@pytest.mark.parametrize(
    ("status", "more", "said"),
    [
        ("error", {"log_error": {"message": "boom\nat line 3"}}, "ended with an error (boom)"),
        ("error", {}, "ended with an error"),
        ("cancelled", {}, "was cancelled"),
        ("started", {}, "was not finished (status 'started')"),
    ],
)
def test_how_an_evaluation_ended_is_said(status, more, said) -> None:
    about = header(status=status, dataset={"samples": 12}, config={"epochs": 2}, **more)
    for content in (eval_log([sample()], about), json_log([sample()], about)):
        expected = f"made.eval: is the log of an evaluation that {said}: 1 of 12 questions, 1 of 24 samples"
        assert read(content).warnings == [expected]


def stopped(message: str, id: str) -> dict:
    """A sample that ended with an error."""
    return sample(id, scores={}, error={"message": message, "traceback": "", "traceback_ansi": ""})


def without_histories(samples: list[dict]) -> list[dict]:
    """Summaries as Inspect writes them: scores without their history."""
    found = [summary(each) for each in samples]
    for each in found:
        each["scores"] = {name: {**score, "history": None} for name, score in each["scores"].items()}
    return found


FILTERED = {"choices": [{"message": {"content": ""}, "stop_reason": "content_filter"}], "completion": ""}
MESSAGE_LIMIT = {"type": "message", "limit": 6.0, "reason": "Message limit exceeded."}


def test_cancelled_samples_are_counted_and_not_as_questions_of_the_log() -> None:
    """As after Ctrl-C in Inspect 0.3.285: every sample is in the log, and those under way have an error."""
    samples = [sample(f"q{number}") for number in range(7)]
    samples += [stopped('CancelledError("Cancelled via cancel scope 7f")', f"c{number}") for number in range(12)]
    samples.append(stopped("Cancelled()", "trio"))
    about = header(status="cancelled", dataset={"samples": 20})
    said = "is the log of an evaluation that was cancelled: 7 of 20 questions; of 20 samples, 13 were cancelled"
    for content in (eval_log(samples, about), json_log(samples, about)):
        rows = read(content)
        assert rows.warnings == [f"made.eval: {said}"]
        assert (states(rows), {*rows.problems.values()}, rows.asked) == ((7, 0, 0, 13, 0), {"cancelled"}, None)


def test_unusual_endings_are_counted_in_one_line() -> None:
    samples = [
        sample("a", limit=MESSAGE_LIMIT), sample("b", limit=MESSAGE_LIMIT, value="I"),
        sample("c", limit={"type": "token", "limit": 9.0}), sample("d", value="I", output=FILTERED),
        stopped("ModelRefusalError('Model refusal (made/model): ')", "e"),
        sample("f", value="C", score_history=[{"value": "I"}, EDIT]), sample("g"),
    ]  # fmt: skip
    said = "made.eval: of 7 samples, 3 stopped at a limit (2 message, 1 token), 2 were stopped by a content filter, 1 has an edited score"
    for content in (eval_log(samples, summaries=without_histories(samples)), json_log(samples)):
        rows = read(content)
        assert rows.warnings == [said]
        assert states(rows) == (4, 2, 1, 0, 0)
        assert rows.kinds == {4: "refused"}


def test_an_answer_that_speaks_of_a_content_filter_was_not_stopped_by_one() -> None:
    told = 'The "content_filter" and the "provenance" are fields.'
    samples = [
        sample("a", messages=[{"role": "assistant", "content": told}], metadata={"content_filter": "provenance"})
    ]
    for content in (eval_log(samples), json_log(samples)):
        assert read(content).warnings == []


def test_samples_of_large_logs_are_not_searched(monkeypatch) -> None:
    content = eval_log([sample("a", value="I", output=FILTERED)])
    assert read(content).warnings == ["made.eval: of 1 sample, 1 was stopped by a content filter"]
    assert read(content).details == []
    for limit in ("MAX_SCANNED", "MAX_MEMBERS"):
        monkeypatch.setattr(endings, limit, 0)
        rows = read(content)
        assert rows.warnings == []
        assert "are counted in archives of up to" in rows.details[0]
        monkeypatch.undo()


def test_questions_that_are_missing_from_a_finished_log() -> None:
    rows = read(eval_log([sample()], header(dataset={"samples": 2})))
    assert (rows.warnings, rows.asked) == (["made.eval: has 1 of 2 questions that were asked"], 2)


@pytest.mark.parametrize(("limit", "said"), [(1, " (limit 1)"), ([0, 1], "")])
def test_limits_of_logs_that_do_not_list_their_questions(limit, said) -> None:
    rows = read(eval_log([sample()], header(dataset={"samples": 9}, config={"limit": limit})))
    assert rows.warnings == [f"made.eval: 1 of the 9 questions of its data set{said}"]


def results(total=79, completed=79, scorer="exact", name="exact", reducer=None, **metrics):
    """What a header says of its samples."""
    metrics = {metric: {"name": metric, "value": value, "params": {}} for metric, value in metrics.items()}
    row = {"name": name, "scorer": scorer, "params": {}, "metrics": metrics}
    return {"total_samples": total, "completed_samples": completed, "scores": [{**row, "reducer": reducer}]}


@pytest.mark.parametrize("make", [eval_log, json_log])
def test_a_truncated_log_is_refused(make) -> None:
    """Red before: 28 of 79 are right (.3544) by the header, one wrong sample is left, and 0.0000 on 1 was printed."""
    content = make([sample("q1", value="I")], header(log_results=results(accuracy=28 / 79)))
    said = (
        "made.eval: the header states 79 samples, accuracy 0.3544; the file has 1 sample, accuracy 0.0000. Fix: get the "
        "complete log, or accept this one with `partial=True`"
    )
    with pytest.raises(InputError) as refused:
        read(content)
    assert str(refused.value) == said
    rows = read(content, reading=LogReading(partial=True))
    assert states(rows) == (0, 1, 0, 0, 0)
    assert any("the header states 79 samples, accuracy 0.3544; the file has 1 sample" in line for line in rows.warnings)


@pytest.mark.parametrize(
    ("values", "stated"),
    [
        ("CCII", results(4, 4, accuracy=0.75)),
        ("CCII", results(3, 3, accuracy=0.5)),
        ("CP", results(2, 2, reducer="mean", accuracy=0.5)),
    ],
    ids=["another accuracy", "more samples than were run", "partial credit lost"],
)
def test_a_header_that_disagrees_is_refused(values, stated) -> None:
    samples = [sample(f"q{number}", value=value) for number, value in enumerate(values)]
    with pytest.raises(InputError, match=r"the header states .* accuracy .*; the file has .* accuracy"):
        read(eval_log(samples, header(log_results=stated)))


EDIT = {"value": "C", "provenance": {"author": "a person", "reason": "the key was wrong"}}
OF_ERROR = {"scores": {}, "error": {"message": "503", "traceback": "", "traceback_ansi": ""}}


@pytest.mark.parametrize(
    ("samples", "about"),
    [
        ([sample("a"), sample("b", value="I"), sample("c", **OF_ERROR)], {"log_results": results(3, 2, accuracy=0.5)}),
        ([sample("a"), sample("b", value=None)], {"log_results": results(2, 2, accuracy=1.0)}),
        ([sample("a"), sample("b", value=None)], {"log_results": results(2, 2, accuracy=0.5)}),
        (
            [sample("a", 1), sample("a", 2, "I"), sample("b", 1, "I"), sample("b", 2, "I")],
            {"log_results": results(4, 4, reducer="max", accuracy=0.5), "config": {"epochs": 2}},
        ),
        ([sample("a", score_history=[{"value": "I"}, EDIT])], {"log_results": results(1, 1, accuracy=0.0)}),
        ([sample("a", value="N"), sample("b", value="C")], {"log_results": results(2, 2, accuracy=0.5)}),
        ([sample("a", value="C")], {"log_results": results(1, 1, mine=0.1)}),
        ([sample("a", value={"x": 1, "y": 0})], {"log_results": results(1, 1, name="x", mean=1.0)}),
        ([sample("a")], {"status": "cancelled", "log_results": results(12, 1, accuracy=1.0)}),
        ([sample("a"), sample("b", invalidation={"author": "x"})],
         {"log_invalidated": True, "log_results": results(2, 1, accuracy=1.0)}),
    ],
    ids=["failed", "unscored", "None as 0", "reducer", "edited", "N", "own metric", "key", "cancelled", "invalidated"],
)  # fmt: skip
def test_intended_differences_are_no_disagreement(samples, about) -> None:
    scorer = "exact/x" if isinstance(samples[0]["scores"]["exact"]["value"], dict) else None
    for make in (eval_log, json_log):
        assert read(make(samples, header(**about)), scorer).ids


def test_a_score_edited_without_its_header_is_said() -> None:
    rows = read(
        json_log([sample("a", score_history=[{"value": "I"}, EDIT])], header(log_results=results(1, 1, accuracy=0.0)))
    )
    said = (
        "made.eval: the header states accuracy 0.0000; the file gives 1.0000, with scores edited since; the file counts"
    )
    assert said in rows.warnings


def test_nothing_was_scored() -> None:
    with pytest.raises(InputError, match="none of its 1 samples is scored, and its status is 'success'; score it with"):
        read(eval_log([sample(scores={})]))
    with pytest.raises(InputError, match="holds no samples, and its status is 'cancelled'"):
        read(eval_log([], header(status="cancelled")))
    with pytest.raises(InputError, match="holds no samples, and its status is 'started'"):
        read(eval_log([], finished=False))


# Bad input


def test_a_zip_that_is_no_log() -> None:
    source = Source("book.docx", data=archive([Member("word/document.xml", b"<w/>")]))
    reader = recognise(source, "log")
    assert reader is not None
    with pytest.raises(
        InputError,
        match=r"^book.docx: is a zip archive without header.json or _journal/start.json; expected an Inspect log",
    ):
        reader.read(source, LogReading())


@pytest.mark.parametrize(
    ("member", "content", "problem"),
    [
        ("header.json", b'{"version": 2, "eval": {', "member header.json: broken JSON"),
        (
            "header.json",
            b'{"version": 2, "eval": {"task": "t"}}',
            "member header.json: .*`model`",
        ),
        ("header.json", b"[]", "member header.json: Expected `object`, got `array`; expected one whole JSON text"),
        (
            "header.json",
            b'{"eval": {"task": "t", "model": "a", "model": "b"}}',
            "member header.json: the key 'model' appears twice in one object",
        ),
        ("summaries.json", b'[{"id": "q1", ', "member summaries.json: broken JSON"),
        ("summaries.json", b'[{"id": [1]}]', r"member summaries.json: .*at `\$\[0\].id`"),
        ("summaries.json", b'[{"id": "\xff"}]', "member summaries.json: broken JSON"),
        ("summaries.json", b'[{"id": NaN}]', "member summaries.json: Expected `int | str`".replace("|", r"\|")),
        ("summaries.json", b'[{"id": 1, "x": ' + b"[" * 60_000, "member summaries.json: broken JSON"),
        ("summaries.json", b"", "member summaries.json: broken JSON"),
    ],
)
def test_a_broken_member_is_named(member, content, problem) -> None:
    whole = {"header.json": json.dumps(header()).encode(), "summaries.json": b"[]", member: content}
    with pytest.raises(FormatError, match=rf"^made\.eval: {problem}"):
        read(archive([Member(name, data) for name, data in whole.items()]))


def test_a_broken_sample_is_named() -> None:
    about = Member("header.json", json.dumps(header(version="0.3.110")).encode())
    with pytest.raises(FormatError, match=r"^made\.eval: member samples/a b/1_epoch_1.json: broken JSON"):
        read(archive([about, Member("samples/a b/1_epoch_1.json", b'{"id": "a b/1"')]))


def test_a_damaged_log_is_named() -> None:
    whole = eval_log([sample()])
    with pytest.raises(InputError, match=r"^made\.eval: is no whole zip archive"):
        read(whole[: len(whole) - 40])
    with pytest.raises(InputError, match=r"^made\.eval: member summaries.json: is encrypted"):
        read(archive([Member("header.json", json.dumps(header()).encode()), Member("summaries.json", b"[]", flags=1)]))


def test_one_sample_twice_under_ids_that_look_alike() -> None:
    with pytest.raises(FormatError, match=r"^made\.eval: samples: sample 1 of question '1' appears twice"):
        read(json_log([sample(1), sample("1")]))
    with pytest.raises(
        FormatError, match=r"^made\.eval: member summaries.json: sample 1 of question '1' appears twice"
    ):
        read(eval_log([sample(1, score_answer="a"), sample("1", value="I")]))


def test_samples_that_summaries_speak_of_and_are_gone() -> None:
    """Red before: the samples that were left were the whole log."""
    both = [sample("q1", score_answer="a"), sample("q2", value="I")]
    rows = [summary(one) for one in both]
    assert states(read(eval_log(both[:1], summaries=rows))) == (1, 1, 0, 0, 0)
    said = r"^made\.eval: member summaries.json speaks of 2 samples, and samples/ has 1; expected all of them"
    with pytest.raises(InputError, match=said):
        read(eval_log(both[:1], header("0.3.100"), summaries=rows))


def test_no_bytes_at_all() -> None:
    with pytest.raises(InputError, match=r"^data: expected the file of an Inspect log, found dict"):
        read_inspect(Source("data", data={"q1": 1}), LogReading())


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"version": 2, "status": "success", "eval": {"task": "t"', True),
        (b'{\n  "version": 2,\n  "status": "started",\n  "eval": {\n', True),
        (b'{"version": "v2.0", "data": [{"paragraphs": []}]}', False),
        (b'{"date": "d", "hash": "h", "eval": {"HumanEval/0": []}}', False),
        (b'{"id": "q1", "status": "success", "eval": {}}', False),
        (b'{"version": 2, "status": "fine", "eval": {}}', False),
    ],
)
def test_what_is_recognised(content, expected) -> None:
    reader = recognise(Source("log", data=content), "log")
    assert (reader is not None and reader.name == "inspect") is expected


def test_completions_are_not_built_to_read_scores() -> None:
    """What reads scores has no field for them."""
    assert not {"messages", "events", "store"} & set(inspect_reader.InspectSample.__struct_fields__)
    assert Ended.__struct_fields__ == ("choices",)
    assert Stopped.__struct_fields__ == ("stop_reason",)


# Whatever the bytes, nothing but our own errors

SEEDS = (
    eval_log([sample(score_metadata={"confidence": 0.5}, metadata={"a": 1})], method=STORED),
    eval_log([sample(value=float("nan"))], header("0.3.100"), method=STORED),
    eval_log([sample()]),
    json_log([sample(), sample("q2", value={"correct": 1, "incorrect": 0, "not_attempted": 0}, scorer="s")]),
)
OTHERS = (None, True, 1, -1.5, "x", [], {}, [1], {"a": 1}, [{}], "C" * 3000, 10**30)


@given(st.sampled_from(SEEDS), st.floats(0, 1), st.binary(max_size=4), st.booleans())
def test_mutated_bytes(seed, share, other, cut) -> None:
    at = int(share * len(seed))
    content = seed[:at] if cut else seed[:at] + other + seed[at + len(other) :]
    with suppress(AssayError):
        read(content)


def places(value, path=()):
    yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(inner, (*path, key))


def replaced(value, path, other):
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], other)
    return copy


FULL = sample(
    score_metadata={"confidence": 0.5}, score_answer="it", score_reason="refusal", metadata={"a": 1}, error={"message": "m"},
    model_usage={MODEL: {"total_tokens": 1}}, total_time=1.0, input=[{"role": "user", "content": [{"type": "text", "text": "t"}]}],
    output={"completion": None, "choices": [{"message": {"content": "x"}}]}, attachments={"a" * 32: "x"},
)  # fmt: skip
ABOUT = header(
    dataset={"samples": 2, "sample_ids": ["q1"]}, config={"limit": 1, "epochs": 1}, model_roles={"g": {"model": "m"}}
)


@pytest.mark.parametrize("packed", [True, False])
def test_values_of_other_types_in_samples(packed) -> None:
    for path, other in product(places([FULL]), OTHERS):
        made = replaced([FULL], path, other)
        content = json.dumps({**header(), "samples": made}).encode()
        if packed:
            listed = made if isinstance(made, list) else [made]
            members = [Member(f"samples/{at}.json", json.dumps(one).encode()) for at, one in enumerate(listed)]
            content = archive([Member("header.json", json.dumps(header("0.3.100")).encode()), *members])
        with suppress(AssayError):
            rows = read(content)
            rows.texts_of(rows.ids[0], 1)


def test_values_of_other_types_in_headers() -> None:
    for path, other in product(places(ABOUT), OTHERS):
        about = replaced(ABOUT, path, other)
        whole = {**about, "samples": [FULL]} if isinstance(about, dict) else about
        with suppress(AssayError):
            read(json.dumps(whole).encode())
