"""What readers of logs share: choices, rows with samples, warnings, and where logs lie."""

from __future__ import annotations

import os

import inspect_logs
import made_logs
import pytest

import assay
from assay.errors import FormatError, InputError, UsageError
from assay.formats.answers.outcome_words import Words
from assay.formats.answers.rows import CORRECT, FAILED, GRADED, INCORRECT, LONGEST_KEY, UNANSWERED, RowTexts
from assay.formats.harness.logs import LogReading, cached, find_logs, forget_decoded_log
from assay.io.sources import Source


@pytest.fixture
def source():
    return Source("a.log", data=b"")


@pytest.fixture
def log(source):
    return LogReading().log(source, "made 1.0")


class TestChoices:
    def test_the_only_one_the_chosen_one_and_the_default(self, source):
        assert LogReading().choose("scorer", ["exact"], source) == "exact"
        assert LogReading({"scorer": "b"}).choose("scorer", ["a", "b"], source) == "b"
        assert LogReading().choose("scorer", ["a", "b"], source, default="a") == "a"

    def test_errors_list_what_there_is(self, source):
        with pytest.raises(InputError, match=r"a\.log: has 2 scorers, a, b; choose one with `scorer=NAME`"):
            LogReading().choose("scorer", ["a", "b"], source)
        with pytest.raises(InputError, match=r"a\.log: has no scorer 'c'; it has a, b"):
            LogReading({"scorer": "c"}).choose("scorer", ["a", "b"], source, default="a")
        with pytest.raises(InputError, match="has no metric to take outcomes from"):
            LogReading().choose("metric", [], source)

    def test_a_choice_nobody_had_use_for(self, source):
        reading = LogReading({"scorer": "a", "metric": "acc"})
        reading.choose("scorer", ["a"], source)
        with pytest.raises(UsageError, match="`metric='acc'`: none of these files has a metric to choose"):
            reading.check()
        assert reading.chosen("metric") == "acc"
        reading.check()


class TestRows:
    def test_states_and_scores(self, log):
        log.add("q1", run="r", value="C")
        log.add("q2", run="r", value=0.25)
        log.add("q3", run="r", state=INCORRECT)
        log.add("q4", run="r")
        log.add("q5", run="r", value="C", problem="time out")
        [rows] = log.finish()
        assert rows.outcomes == [CORRECT, GRADED, INCORRECT, UNANSWERED, FAILED]
        assert rows.scores == [1.0, 0.25, 0.0, 0.0, None]
        assert rows.problems == {4: "time out"}
        assert rows.samples is None
        assert rows.tool == "made 1.0"

    def test_scores_are_kept_only_where_one_is_partial(self, log):
        log.add("q1", run="r", value=1.0)
        [rows] = log.finish()
        assert rows.scores is None

    def test_samples_are_counted_or_given(self, log):
        for _ in range(2):
            log.add("q1", run="r", value="C")
        log.add("q1", run="r", value="C", sample=7)
        log.add("q1", run="r", value="C")
        log.add("q2", run="r", value="C", sample=3)
        [rows] = log.finish()
        assert rows.samples == [1, 2, 7, 8, 3]

    def test_a_sample_stands_once(self, log):
        log.add("q1", run="r", value="C", sample=1)
        with pytest.raises(FormatError, match=r"a\.log:9: epoch 2: sample 1 of question 'q1' appears twice"):
            log.add("q1", run="r", value="C", sample=1, line=9, where="epoch 2")
        log.add("q3", run="r", value="C")
        with pytest.raises(FormatError, match="sample 1 of question 'q3' appears twice"):
            log.add("q3", run="r", value="C", sample=1)

    def test_runs_and_tasks_stand_apart(self, log):
        for run, task in (("a", "x"), ("a", "y"), ("b", "x")):
            log.add("q1", run=run, task=task, value="C")
        assert [(rows.name, rows.task, rows.samples) for rows in log.finish()] == [
            ("a", "x", None), ("a", "y", None), ("b", "x", None),
        ]  # fmt: skip

    def test_words_that_are_none_name_the_place(self, log):
        with pytest.raises(
            FormatError, match=r"a\.log:4: samples/1\.json: question 'q1' is scored 'maybe'; expected correct"
        ):
            log.add("q1", run="r", value="maybe", line=4, where="samples/1.json")
        reading = LogReading(words=Words("maybe=unanswered"))
        other = reading.log(Source("b.log", data=b""), "made")
        other.add("q1", run="r", value="maybe")
        assert other.finish()[0].outcomes == [UNANSWERED]

    def test_an_empty_log_is_refused(self, log):
        with pytest.raises(InputError, match=r"a\.log: holds no samples"):
            log.finish()

    def test_usage_is_filled_up(self, log):
        log.add("q1", run="r", value="C")
        log.add("q2", run="r", value="C", usage={"latency": 2.0})
        log.add("q3", run="r", value="C", usage={"tokens": 5})
        [rows] = log.finish()
        assert rows.usage == {"latency": [None, 2.0, None], "tokens": [None, None, 5]}

    def test_usage_that_is_no_amount_is_not_known_and_remarked(self, log):
        for i, cost in enumerate([0.5, -1, float("nan"), float("inf")]):
            log.add(f"q{i}", run="r", value="C", usage={"cost": cost})
        [rows] = log.finish()
        assert rows.usage == {"cost": [0.5, None, None, None]}
        assert rows.warnings == [
            "a.log: cost is no number of 0 or more in 3 samples (-1, nan, inf …) and not known there"
        ]

    def test_long_answers_are_kept_as_digests_that_are_equal_for_equal_ones(self, log):
        for i, text in enumerate(["x" * LONGEST_KEY, "y" * 10_000, "y" * 10_000, "z" * 10_000]):
            log.add(f"q{i}", run="r", value="C", text=text)
        [rows] = log.finish()
        assert rows.texts[0] == "x" * LONGEST_KEY
        assert rows.texts[1] == rows.texts[2] != rows.texts[3]
        assert len(rows.texts[1]) < 40

    def test_texts_come_when_somebody_asks(self, log):
        asked = []

        def texts_of(rows, question, sample):
            asked.append((rows.name, question, sample))
            return RowTexts(answer="Paris")

        log.texts_of = texts_of
        log.add("q1", run="r", value="C")
        [rows] = log.finish()
        assert asked == []
        assert rows.texts_of("q1", 1).answer == "Paris"
        assert asked == [("r", "q1", 1)]

    def test_questions_of_another_text_are_marked(self):
        reading = LogReading()
        for number, content in enumerate(["2 + 2", "2 + 2", "3 + 3"]):
            log = reading.log(Source(f"{number}.log", data=b""), "made")
            log.add("q1", run=f"r{number}", value="C", content=content, fields={"subject": f"s{number}", "other": [1]})
            [rows] = log.finish()
            assert rows.extra == ({0: {"other text": True}} if number == 2 else {})
        assert reading.fields == {("", "q1"): {"subject": "s0"}}


class TestRefusals:
    def test_patterns_make_unanswered_of_all_but_right_answers(self, source):
        reading = LogReading(refusal=lambda text: "refused" if "cannot" in text else None)
        log = reading.log(source, "made")
        for value in ("C", "I", "P"):
            log.add(f"q{value}", run="r", value=value, text="I cannot say")
        log.add("q", run="r", problem="error", text="I cannot say")
        [rows] = log.finish()
        assert rows.outcomes == [CORRECT, UNANSWERED, UNANSWERED, FAILED]
        assert rows.kinds == {1: "refused", 2: "refused"}
        assert rows.warnings == ["a.log: 2 answers match a refusal pattern and count as unanswered (`refusal=`)"]

    def test_suspects_are_said_and_stay_incorrect(self, source):
        reading = LogReading(suspects=lambda text: ("I don't know", True) if "know" in text else None)
        log = reading.log(source, "made")
        log.add("q1", run="r", value="I", text="I don't know, sorry")
        log.add("q2", run="r", value="C", text="I know")
        [rows] = log.finish()
        assert rows.outcomes == [INCORRECT, CORRECT]
        assert rows.warnings[0].startswith(
            "a.log: 1 answer looks like a refusal ('I don't know') and counts as incorrect; `refusal='auto'` counts it as unanswered"
        )


def test_implausible_and_constant_confidences_are_said(log):
    for i, stated in enumerate([683.0, float("nan"), -1.0, 0.5, 0.5]):
        log.add(f"q{i}", run="r", value="C", confidence=stated)
    [rows] = log.finish()
    assert rows.confidences == [None, None, None, 0.5, 0.5]
    assert rows.warnings == [
        "a.log: 2 confidences are no numbers from 0 to 1 (683, -1 …) and are left out",
        "r: every answer has the confidence 0.5, so measures of confidence tell nothing",
    ]


def test_a_folder_without_logs_names_what_is_there(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "notes.txt").write_text("nothing of the kind")
    (tmp_path / ".hidden").write_text("{}")
    found, others = find_logs([Source(str(tmp_path), path=str(tmp_path))])
    assert (found, others) == ([], [str(tmp_path / "deep" / "notes.txt")])
    named = Source("named.txt", data=b"anything")
    assert find_logs([named]) == ([named], [])


def test_a_question_without_a_name_is_refused(log):
    for name in ("", " \n"):
        with pytest.raises(
            FormatError, match=r"a\.log:7: a question is called '.*'; expected an id for every question"
        ):
            log.add(name, run="r", value="C", line=7)


def test_a_kind_goes_with_an_unanswered_question():
    """Red before: N as incorrect was still counted among those that were declined."""
    log = LogReading(words=Words("N=incorrect")).log(Source("a.log", data=b""), "made")
    log.add("q1", run="r", value="N", kind="declined")
    log.add("q2", run="r", value="I", kind="unparsed")
    [rows] = log.finish()
    assert (rows.outcomes, rows.kinds) == ([INCORRECT, INCORRECT], {1: "unparsed"})


def test_an_answer_that_is_right_from_its_score_is_no_refusal():
    reading = LogReading(refusal=lambda text: "refused" if "know" in text else None, right_from=0.5)
    log = reading.log(Source("a.log", data=b""), "made")
    for score in (0.5, 0.4):
        log.add(f"q{score}", run="r", value=score, text="I know")
    [rows] = log.finish()
    assert (rows.outcomes, rows.kinds) == ([GRADED, UNANSWERED], {1: "refused"})


class TestNames:
    def test_a_sole_run_is_called_what_a_person_calls_it(self):
        """Red before: half of the readers took no notice."""
        log = LogReading().log(Source("a.log", data=b"", label="mine"), "made")
        log.texts_of = lambda rows, question, sample: RowTexts(answer=rows.name)
        log.add("q1", run="org/model", task="x", value="C")
        log.add("q1", run="org/model", task="y", value="C")
        found = log.finish()
        assert [rows.name for rows in found] == ["mine", "mine"]
        assert found[0].texts_of is not None
        assert found[0].texts_of("q1", 1).answer == "org/model"

    def test_several_runs_keep_their_own(self):
        log = LogReading().log(Source("a.log", data=b"", label="mine"), "made")
        for run in ("one", "two"):
            log.add("q1", run=run, value="C")
        assert [rows.name for rows in log.finish()] == ["one", "two"]

    def test_a_run_without_a_name_has_that_of_its_file(self, log):
        log.add("q1", run=" ", value="C")
        assert [rows.name for rows in log.finish()] == ["a.log"]


def test_texts_are_looked_up_by_the_sample_the_log_speaks_of(log):
    """Red before: where every question stood once, as its second sample, nothing was found."""
    log.texts_of = lambda rows, question, sample: RowTexts(answer=f"{question} {sample}")
    log.add("q1", run="r", value="C", sample=2)
    log.add("q2", run="r", value="C", sample=1)
    [rows] = log.finish()
    assert (rows.samples, rows.texts_of("q1", 1).answer, rows.texts_of("q2", 1).answer) == (None, "q1 2", "q2 1")


@pytest.mark.parametrize(
    "made",
    [
        made_logs.helm,
        made_logs.alpaca_eval,
        made_logs.promptfoo,
        made_logs.evalplus,
        made_logs.openai_evals,
        made_logs.simple_evals,
    ],
)
def test_a_log_that_was_written_over_is_not_shown_for_the_one_that_was_scored(made, tmp_path) -> None:
    """Red before: of most tools, texts that nobody had scored stood beside the scores."""
    path = made(tmp_path)
    scores = assay.evaluate(path)
    topic, run = scores.topics[0], scores.runs[0]
    assert scores.texts(run, topic)[1].answer
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    before = {one: (one.read_bytes(), one.stat()) for one in files}
    for one in files:
        one.write_bytes(before[one][0] + b"\n")
    with pytest.raises(InputError, match="has changed since it was read; read it again"):
        scores.texts(run, topic)
    for one, (content, found) in before.items():
        one.write_bytes(content)
        os.utime(one, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert scores.texts(run, topic)[1].answer
    for one in files:
        one.unlink()
    with pytest.raises(InputError, match="cannot be read: it is no longer there"):
        scores.texts(run, topic)


def test_so_does_an_archive(tmp_path) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(inspect_logs.eval_log([inspect_logs.sample("q1"), inspect_logs.sample("q2")]))
    scores = assay.evaluate(path)
    path.write_bytes(
        inspect_logs.eval_log([inspect_logs.sample("q1"), inspect_logs.sample("q2"), inspect_logs.sample("q3")])
    )
    with pytest.raises(InputError, match=r"a\.eval: has changed since it was read"):
        scores.texts(scores.runs[0], "q1")


def test_so_do_the_files_beside_a_log_of_helm(tmp_path) -> None:
    path = made_logs.helm(tmp_path)
    scores = assay.evaluate(path)
    state = next(path.rglob("scenario_state.json") if path.is_dir() else path.parent.glob("scenario_state.json"))
    state.write_bytes(state.read_bytes() + b" ")
    with pytest.raises(InputError, match=r"scenario_state\.json: has changed since it was read"):
        scores.texts(scores.runs[0], scores.topics[0])


def test_the_last_one_is_held_and_no_other() -> None:
    one, two = Source("one", data=b"1"), Source("two", data=b"2")
    reads: list[str] = []

    def read(source: Source):
        return lambda: reads.append(source.name) or source.read()

    assert [cached(one, read(one)), cached(one, read(one)), cached(two, read(two)), cached(one, read(one))] == [
        b"1",
        b"1",
        b"2",
        b"1",
    ]
    assert reads == ["one", "two", "one"]
    forget_decoded_log()
    cached(one, read(one))
    assert reads == ["one", "two", "one", "one"]
    forget_decoded_log()
