"""lm-evaluation-harness: three layouts, metrics, filters, choices by log-likelihood."""

from __future__ import annotations

import gzip
import json

import pytest
from damaged_logs import altered, damaged, lines_of, only_complaints
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.formats.answers.rows import CORRECT, FAILED, GRADED, INCORRECT, UNANSWERED
from assay.formats.harness.lm_eval import (
    choice_texts,
    chosen,
    document_hash,
    fields_of,
    first_text,
    gold_of,
    likelihoods,
    read_lm_eval,
)
from assay.formats.harness.logs import LogReading
from assay.formats.recognition import recognise
from assay.io.sources import Source

DATE = "2025-01-02T03-04-05.678901"


def spoken(number, answer="Paris", said="It is Paris.", value=1.0, filter="strict", **more):
    """A sample of generation, as 0.4.7 and later write it."""
    doc = {"question": f"Q{number}?", "subject": "europe", "note": "long " * 20}
    return {
        "doc_id": number, "doc": doc, "target": "Paris", "arguments": {"gen_args_0": {"arg_0": f"P{number}", "arg_1": {}}},
        "resps": [[said, "another"]], "filtered_resps": [answer], "filter": filter, "metrics": ["exact_match"],
        "doc_hash": f"{number:064x}"[::-1], "exact_match": value, **more,
    }  # fmt: skip


def multiple(number, logs, target, value, norm, choices=("a", "bbbb"), **more):
    """A sample of multiple choice."""
    arguments = {f"gen_args_{i}": {"arg_0": "Prompt", "arg_1": f" {text}"} for i, text in enumerate(choices)}
    return {
        "doc_id": number, "doc": {"question": f"Q{number}?"}, "target": str(target), "arguments": arguments,
        "resps": [[[str(log), "False"]] for log in logs], "filtered_resps": [[str(log), "False"] for log in logs],
        "filter": "none", "metrics": ["acc", "acc_norm"], "doc_hash": f"{number:064x}"[::-1], "acc": value, "acc_norm": norm,
        **more,
    }  # fmt: skip


def written(folder, records, name=f"samples_cap_{DATE}.jsonl", results=None):
    """The source of a log written into a folder, with its results file."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(records if isinstance(records, bytes) else lines_of(records))
    if results is not None:
        beside = f"results_{DATE}.json" if name.startswith("samples_") else "results.json"
        (folder / beside).write_text(results if isinstance(results, str) else json.dumps(results))
    return Source(str(folder / name), path=str(folder / name))


def read(source, **choices):
    (rows,) = read_lm_eval(source, LogReading(choices))
    return rows


def old(record):
    """The same sample as 0.4.2 writes it."""
    gone = ("filter", "metrics", "doc_hash")
    kept = {name: value for name, value in record.items() if name not in gone}
    kept["arguments"] = [list(pair.values()) for pair in record["arguments"].values()]
    return kept


class TestRealFiles:
    @pytest.mark.parametrize(
        ("model", "metric", "right"),
        [("bold", "acc", 10), ("cautious", "acc", 10), ("bold", "acc_norm", 8), ("cautious", "acc_norm", 11)],
    )
    def test_multiple_choice(self, shared_data, model, metric, right):
        (path,) = shared_data("harness_logs", "lm_eval", "0.4.13", f"quizzer-{model}").glob("samples_capitals_mc_2*")
        rows = read(Source(str(path), path=str(path)), metric=metric)
        assert (rows.name, rows.task, rows.tool) == (f"quizzer-{model}", "capitals_mc", "lm-evaluation-harness 0.4.13")
        assert (rows.outcomes.count(CORRECT), len(rows.ids)) == (right, 12)
        # The choice agrees with the log on every question, so that each has a confidence.
        assert None not in rows.confidences
        assert not rows.warnings

    @pytest.mark.parametrize(
        ("model", "filter", "right", "unparsed"),
        [
            ("bold", "strict-match", 7, 2), ("bold", "flexible-extract", 9, None), ("bold", "maj@3", 8, None),
            ("cautious", "strict-match", 2, 9), ("cautious", "flexible-extract", 5, None), ("cautious", "maj@3", 5, None),
        ],
    )  # fmt: skip
    def test_generation_by_filter(self, shared_data, model, filter, right, unparsed):
        (path,) = shared_data("harness_logs", "lm_eval", "0.4.13", f"quizzer-{model}").glob("samples_capitals_gen_*")
        rows = read(Source(str(path), path=str(path)), filter=filter)
        assert (rows.outcomes.count(CORRECT), len(rows.ids), rows.samples) == (right, 12, None)
        assert unparsed is None or list(rows.kinds.values()) == ["unparsed"] * unparsed

    def test_a_group_has_the_value_of_its_results_file(self, shared_data):
        folder = shared_data("harness_logs", "lm_eval", "0.4.13", "quizzer-cautious")
        reading = LogReading({"metric": "acc"})
        outcomes = []
        for path in sorted(folder.glob("samples_capitals_mc_*th_*")):
            (rows,) = read_lm_eval(Source(str(path), path=str(path)), reading)
            outcomes += rows.outcomes
            assert {reading.fields[rows.task, question]["group"] for question in rows.ids} == {"capitals_group"}
        assert outcomes.count(CORRECT) / len(outcomes) == pytest.approx(0.8333, abs=5e-5)

    @pytest.mark.parametrize(
        ("task", "choices", "right"),
        [
            ("mc", {"metric": "acc"}, 10), ("mc", {"metric": "acc_norm"}, 8), ("gen", {"filter": "strict-match"}, 7),
            ("gen", {"filter": "flexible-extract"}, 9), ("gen", {"filter": "maj@3"}, 8),
        ],
    )  # fmt: skip
    def test_the_oldest_layout(self, shared_data, task, choices, right):
        path = shared_data("harness_logs", "lm_eval", "0.4.2", f"pretrained__quizzer-bold_capitals_{task}.jsonl")
        source = Source(str(path), path=str(path))
        assert recognise(source, "log").name == "lm-eval"
        rows = read(source, **choices)
        assert (rows.name, rows.task, rows.outcomes.count(CORRECT)) == ("quizzer-bold", f"capitals_{task}", right)
        assert task == "gen" or None not in rows.confidences

    def test_versions_share_their_questions(self, shared_data):
        folder = shared_data("harness_logs", "lm_eval")
        (new,) = (folder / "0.4.13" / "quizzer-bold").glob("samples_capitals_mc_2*")
        before = folder / "0.4.2" / "pretrained__quizzer-bold_capitals_mc.jsonl"
        both = [read(Source(str(path), path=str(path)), metric="acc") for path in (new, before)]
        assert both[0].ids == both[1].ids

    def test_passes_of_the_oldest_layout_are_asked_about(self, shared_data):
        path = shared_data("harness_logs", "lm_eval", "0.4.2", "pretrained__quizzer-bold_capitals_gen.jsonl")
        with pytest.raises(InputError, match=r"3 filters, strict-match, flexible-extract, maj@3"):
            read(Source(str(path), path=str(path)))


class TestNames:
    def test_run_and_task_from_folder_and_file(self, tmp_path):
        rows = read(written(tmp_path / "model-a", [spoken(0)]))
        assert (rows.name, rows.task, rows.variant) == ("model-a", "cap", DATE)

    def test_the_results_file_names_the_model(self, tmp_path):
        results = {"model_name": "org/model-a", "lm_eval_version": "0.4.9", "x": float("nan")}
        results["n-samples"] = {"cap": {"original": 100, "effective": 1}}
        rows = read(written(tmp_path / "org__model-a", [spoken(0)], results=results))
        assert (rows.name, rows.tool, rows.asked) == ("org/model-a", "lm-evaluation-harness 0.4.9", 100)

    @pytest.mark.parametrize("broken", ["{", "[]", '{"model_name": 7}'])
    def test_a_broken_results_file_is_a_warning(self, tmp_path, broken):
        rows = read(written(tmp_path / "model-a", [spoken(0)], results=broken))
        assert rows.name == "model-a"
        assert "; expected a results file; it is ignored" in rows.warnings[0]

    def test_a_label_is_the_run(self):
        assert read(Source(f"samples_cap_{DATE}.jsonl", data=lines_of([spoken(0)]), label="mine")).name == "mine"

    def test_compressed(self, tmp_path):
        packed = gzip.compress(lines_of([spoken(0)]))
        assert read(written(tmp_path / "m", packed, f"samples_cap_{DATE}.jsonl.gz")).task == "cap"

    @pytest.mark.parametrize(
        ("arguments", "run"), [("pretrained=org/m", "org/m"), ("pretrained=other", "org__m"), (None, "org__m")]
    )
    def test_old_names(self, tmp_path, arguments, run):
        results = {"configs": {"mc": {}, "cap_mc": {}}, "config": {"model_args": arguments}}
        content = json.dumps([old(spoken(0))], indent=2).encode()
        rows = read(written(tmp_path, content, "pretrained__org__m_cap_mc.jsonl", results))
        assert (rows.name, rows.task) == (run, "cap_mc")

    def test_a_name_that_tells_no_task_is_said(self, tmp_path):
        rows = read(written(tmp_path, json.dumps([old(spoken(0))], indent=2).encode(), "m_cap.jsonl"))
        assert (rows.name, rows.task) == ("m_cap", "m_cap")
        assert "nothing tells its task" in rows.warnings[0]


class TestMetrics:
    def test_acc_beside_acc_norm_is_said(self, tmp_path):
        rows = read(written(tmp_path, [multiple(0, (-1, -2), 0, 1.0, 0.0)]))
        assert rows.outcomes == [CORRECT]
        assert "acc is the outcome (`metric='acc_norm'` takes the other)" in rows.warnings[0]

    def test_others_are_asked_about(self, tmp_path):
        source = written(tmp_path, [spoken(0, metrics=["exact_match", "f1"], f1=0.5)])
        with pytest.raises(InputError, match="2 metrics, exact_match, f1; choose one"):
            read(source)
        assert read(source, metric="f1").outcomes == [GRADED]
        assert read(source, metric="acc,f1").scores == [0.5]

    def test_numbers_of_old_files_are_metrics(self, tmp_path):
        record = spoken(0, text="no number", em=0.0)
        del record["filter"], record["metrics"]
        with pytest.raises(InputError, match="2 metrics, exact_match, em; choose"):
            read(written(tmp_path, [record]))

    @pytest.mark.parametrize("value", [[1, 2], {"a": 1}])
    def test_a_list_is_no_outcome(self, tmp_path, value):
        with pytest.raises(InputError, match=r"jsonl:1: exact_match is .*one number a question"):
            read(written(tmp_path, [spoken(0, value=value)]))

    @pytest.mark.parametrize("value", [None, float("nan"), "nan"])
    def test_no_number_is_a_failure(self, tmp_path, value):
        rows = read(written(tmp_path, [spoken(0, value=value), spoken(1)]))
        assert rows.outcomes == [FAILED, CORRECT]
        assert "exact_match" in rows.problems[0]

    def test_a_metric_that_some_questions_lack(self, tmp_path):
        second = spoken(1, metrics=["other"], other=1.0)
        del second["exact_match"]
        rows = read(written(tmp_path, [spoken(0), second]), metric="exact_match")
        assert rows.outcomes == [CORRECT, FAILED]

    @pytest.mark.parametrize(
        ("value", "outcome"), [(True, CORRECT), (False, INCORRECT), ("1.0", CORRECT), (0, INCORRECT)]
    )
    def test_values(self, tmp_path, value, outcome):
        assert read(written(tmp_path, [spoken(0, value=value)])).outcomes == [outcome]

    @pytest.mark.parametrize(
        ("word", "outcome"),
        [("C", CORRECT), ("I", INCORRECT), ("N", UNANSWERED), ("P", GRADED), ("none", FAILED), ("so", FAILED)],
    )
    def test_words_of_a_metric_that_the_task_brings(self, tmp_path, word, outcome):
        rows = read(written(tmp_path, [spoken(0, value=word), spoken(1)]))
        assert rows.outcomes == [outcome, CORRECT]
        assert rows.kinds == ({0: "declined"} if word == "N" else {})

    def test_outside_0_to_1(self, tmp_path):
        with pytest.raises(InputError, match="score from 0 to 1"):
            read(written(tmp_path, [spoken(0, value=23.5)]))

    @pytest.mark.parametrize("results", [None, {"higher_is_better": {"cap": {"loss": False}}}])
    def test_better_the_lower(self, tmp_path, results):
        name = "loss" if results else "brier_score"
        source = written(tmp_path, [spoken(0, metrics=[name, "exact_match"], **{name: 0.2})], results=results)
        with pytest.raises(InputError, match="better the lower"):
            read(source, metric=name)


class TestFilters:
    two = [spoken(0), spoken(1, value=0.0), spoken(0, filter="flexible"), spoken(1, filter="flexible")]

    def test_are_asked_about(self, tmp_path):
        source = written(tmp_path, self.two)
        with pytest.raises(InputError, match="2 filters, strict, flexible; choose one"):
            read(source)
        assert read(source, filter="strict").outcomes == [CORRECT, INCORRECT]
        assert read(source, filter="flexible").outcomes == [CORRECT, CORRECT]

    def test_a_task_without_filters_has_nothing_to_choose(self, tmp_path):
        assert read(written(tmp_path, [multiple(0, (-1, -2), 0, 1.0, 1.0)]), filter="strict").outcomes == [CORRECT]

    def unnamed(self):
        return [{name: value for name, value in record.items() if name != "filter"} for record in self.two]

    def test_unnamed_are_never_pooled(self, tmp_path):
        source = written(tmp_path, self.unnamed())
        with pytest.raises(InputError, match=r"2 passes over 2 questions.*`filter=1` to `filter=2`"):
            read(source)
        assert read(source, filter="1").outcomes == [CORRECT, INCORRECT]
        assert read(source, filter="2").outcomes == [CORRECT, CORRECT]
        with pytest.raises(InputError, match="no filter 'strict'"):
            read(source, filter="strict")

    def test_a_results_file_names_them(self, tmp_path):
        results = {"configs": {"cap": {"filter_list": [{"name": "strict"}, {"name": "flexible"}]}}}
        source = written(tmp_path, self.unnamed(), results=results)
        assert read(source, filter="strict").outcomes == [CORRECT, INCORRECT]

    def test_no_whole_passes(self, tmp_path):
        with pytest.raises(InputError, match="not in whole passes"):
            read(written(tmp_path, self.unnamed()[:3]))

    def test_some_named(self, tmp_path):
        with pytest.raises(InputError, match="some samples name their filter"):
            read(written(tmp_path, [self.two[0], self.unnamed()[1]]))

    def test_twice_under_one_filter(self, tmp_path):
        with pytest.raises(InputError, match="appears twice under the filter 'strict'"):
            read(written(tmp_path, [self.two[0], self.two[0]]))


class TestQuestions:
    def test_ids_are_hashes_and_documents_may_stand_twice(self, tmp_path):
        again = spoken(1, doc_hash=spoken(0)["doc_hash"])
        assert read(written(tmp_path, [spoken(0), again])).ids == ["0" * 12, "0" * 12 + "-2"]

    def test_fields_are_short_texts(self, tmp_path):
        reading = LogReading()
        (rows,) = read_lm_eval(written(tmp_path, [spoken(0)]), reading)
        assert reading.fields["cap", rows.ids[0]] == {"subject": "europe"}

    def test_what_no_filter_could_extract_keeps_its_state(self, tmp_path):
        rows = read(written(tmp_path, [spoken(0, "[invalid]", "I don't know.", 0.0)]))
        assert (rows.outcomes, rows.kinds, rows.texts) == ([INCORRECT], {0: "unparsed"}, ["I don't know."])

    def test_a_refusal_is_told_by_what_was_said(self, tmp_path):
        reading = LogReading(refusal=lambda text: "declined" if "know" in text else None)
        source = written(tmp_path, [spoken(0, "[invalid]", "I don't know.", 0.0)])
        assert read_lm_eval(source, reading)[0].kinds == {0: "declined"}

    def test_texts_come_when_asked_for(self, tmp_path):
        rows = read(written(tmp_path, [spoken(0), spoken(1)]))
        texts = rows.texts_of(rows.ids[1], 1)
        assert (texts.question, texts.gold, texts.prompt, texts.answer) == ("Q1?", "Paris", "P1", "It is Paris.")

    @pytest.mark.parametrize("layout", ["lines", "array"])
    def test_texts_of_multiple_choice(self, tmp_path, layout):
        record = multiple(0, (-1, -2), 1, 0.0, 0.0)
        content = lines_of([record]) if layout == "lines" else json.dumps([old(record)]).encode()
        rows = read(written(tmp_path, content), metric="acc")
        texts = rows.texts_of(rows.ids[0], 1)
        assert (texts.question, texts.gold, texts.prompt, texts.answer) == ("Q0?", "bbbb", "Prompt", "a")


class TestChoices:
    def test_acc_takes_the_likeliest(self, tmp_path):
        rows = read(written(tmp_path, [multiple(0, (-1.0, -2.0), 0, 1.0, 0.0)]), metric="acc")
        # 1 / (1 + e^-1)
        assert (rows.texts, rows.confidences) == (["a"], [pytest.approx(0.731058578630)])

    def test_acc_norm_divides_by_characters(self, tmp_path):
        rows = read(written(tmp_path, [multiple(0, (-1.0, -2.0), 0, 1.0, 0.0)]), metric="acc_norm")
        assert (rows.texts, rows.confidences) == (["bbbb"], [pytest.approx(0.268941421370)])

    def test_acc_bytes_divides_by_bytes(self, tmp_path):
        # By characters -1 beats -1.5; by bytes, of which ü has two, -0.5 is beaten by -0.375.
        record = multiple(0, (-1.0, -1.5), 1, 0.0, 0.0, choices=("ü", "aaaa"), metrics=["acc_bytes"], acc_bytes=1.0)
        assert read(written(tmp_path, [record])).texts == ["aaaa"]

    def test_a_choice_that_disagrees_with_the_log_is_not_claimed(self, tmp_path):
        rows = read(written(tmp_path, [multiple(0, (-1.0, -2.0), 1, 1.0, 1.0)]), metric="acc")
        assert (rows.outcomes, rows.confidences) == ([CORRECT], [None])
        assert "cannot be told for 1 questions" in rows.warnings[0]

    def test_a_target_may_be_the_text_of_a_choice(self, tmp_path):
        rows = read(written(tmp_path, [multiple(0, (-1.0, -2.0), "a", 1.0, 1.0)]), metric="acc")
        assert rows.confidences[0] is not None
        assert not rows.warnings

    def test_prompts_that_hold_the_choices(self, tmp_path):
        record = multiple(0, (-1.0, -2.0), 0, 1.0, 1.0, choices=("same", "same"), doc={"choices": ["x", "y"]})
        assert read(written(tmp_path, [record]), metric="acc").texts == ["x"]

    def test_infinite(self, tmp_path):
        records = [multiple(0, ("-inf", "-inf"), 0, 1.0, 1.0), multiple(1, ("-inf", -1), 1, 1.0, 1.0)]
        assert read(written(tmp_path, records), metric="acc").confidences == [None, 1.0]


class TestBadInput:
    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            (lines_of([spoken(0)])[:-40], r":1: broken JSON"),
            (lines_of([spoken(0)]) + b"[1]\n", r":2: Expected `object`, got `array`"),
            (lines_of([spoken(0), {"doc_id": 1, "filter": "strict"}]), r":2: .*`doc`"),
            (lines_of([spoken(0)]).replace(b"Paris", b"\xff"), r":1: "),
            (lines_of([spoken(0)]).replace(b'"exact_match": 1.0', b'"exact_match": 1.0, "exact_match": 0.0'), "twice"),
            (lines_of([spoken(0)]).replace(b'"target": ', b'"target": ' + b"[" * 9999), "nested too deeply"),
            (json.dumps([old(spoken(0))], indent=2).encode()[:-2], "expected one array of samples"),
            (json.dumps([old(spoken(0)), 7], indent=2).encode(), "sample 2: Expected `object`"),
        ],
    )
    def test_is_told(self, tmp_path, content, problem):
        source = written(tmp_path, content)
        with pytest.raises(InputError, match=problem):
            read(source)

    def test_recognised_by_content(self):
        long = spoken(0, doc={"question": "long " * 20_000})
        for content in (lines_of([spoken(0)]), lines_of([long]), json.dumps([old(long)], indent=2).encode()):
            assert recognise(Source("x", data=content), "log").name == "lm-eval"
        assert recognise(Source("x", data=b'{"id": "q1", "doc": "d"}'), "log") is None

    @given(damaged(lines_of([spoken(0), multiple(1, (-1, -2), 0, 1, 1)])))
    def test_damaged_lines(self, content):
        only_complaints(lambda: whole(content))

    @given(damaged(json.dumps([old(spoken(0)), old(multiple(1, (-1, -2), 0, 1, 1))], indent=2).encode()))
    def test_damaged_arrays(self, content):
        only_complaints(lambda: whole(content))

    @given(altered([spoken(0), spoken(1)]) | altered([multiple(0, (-1, -2), 0, 1, 1)]), st.booleans())
    def test_other_values(self, records, array):
        only_complaints(lambda: whole(json.dumps(records).encode() if array else lines_of(records)))


def whole(content):
    """Everything there is to a file, its texts too."""
    (rows,) = read_lm_eval(Source("x", data=content), LogReading())
    for question in rows.ids:
        rows.texts_of(question, 1)


def test_the_harness_hashes_documents_so(shared_data):
    (path,) = shared_data("harness_logs", "lm_eval", "0.4.13", "quizzer-bold").glob("samples_capitals_gen_*")
    for line in path.read_text().splitlines():
        sample = json.loads(line)
        assert document_hash(sample["doc"]) == sample["doc_hash"]


@pytest.mark.parametrize(
    "filtered", [None, "text", [["-1", "True"]], ["a", "b"], [["-1"], ["-2"]], [["x", 1], ["-2", 1]]]
)
def test_what_is_no_multiple_choice(filtered):
    assert likelihoods(filtered) is None


def test_choices_lose_what_stands_before_them_and_no_more():
    assert choice_texts([["P", "  a"], ["P", "b"]], {}, " ") == [" a", "b"]
    assert choice_texts([["P", {"until": []}], ["P", 7]], {}, " ") == []
    assert choice_texts([["P"], []], {"choices": ["x", "y"]}, " ") == ["x", "y"]


def test_a_rule_that_lacks_lengths_chooses_nothing():
    assert chosen("acc_norm", [-1.0, -2.0], []) is None
    assert chosen("acc_norm", [-1.0, -2.0], ["", "b"]) is None


@pytest.mark.parametrize(
    ("target", "place"),
    [(1, 1), ("1", 1), ("b", 1), ("z", None), (True, None), ("[0, 1]", None), ("²", None), (None, None)],
)
def test_where_the_right_choice_stands(target, place):
    assert gold_of(target, ["a", "b"]) == place


def test_groups_are_short_texts_that_are_not_the_question():
    document = {"question": "Q", "subject": "law", "level": 3, "note": "x" * 41, "empty": "", "group": "own"}
    assert fields_of(document, None) == {"subject": "law", "group": "own"}
    assert fields_of(document, "mmlu") == {"group": "mmlu", "subject": "law"}


@pytest.mark.parametrize(("said", "text"), [([["a", "b"]], "a"), ("a", "a"), ([], None), ([[1]], None), (None, None)])
def test_the_first_text(said, text):
    assert first_text(said) == text
