"""OpenAI evals: events in any order, joined by sample; matches, grades, errors, runs that did not finish."""

from __future__ import annotations

import json

import pytest
from log_reading import by_question, read_log, reader_and_rows, states
from made_logs import openai_evals

from assay.errors import FormatError, InputError
from assay.formats.answers.rows import RowTexts

SPEC = {"spec": {"completion_fns": ["a", "b"], "eval_name": "facts.v1"}}
REPORT = {"final_report": {"boostrap_std": 0.1}, "run_id": "1"}


def log(*events, before=(SPEC, REPORT)) -> bytes:
    lines = [*before]
    for number, (sample, kind, data) in enumerate(events):
        lines.append({"run_id": "1", "event_id": number, "sample_id": sample, "type": kind, "data": data})
    return "\n".join(map(json.dumps, lines)).encode()


def test_expected_of_the_real_file(shared_data) -> None:
    [path] = shared_data("harness_logs", "openai_evals").glob("*.jsonl")
    name, [rows] = reader_and_rows(path)
    assert (name, rows.name, rows.task) == ("openai-evals", "made-model", "capitals")
    assert (len(set(rows.ids)), states(rows), rows.warnings) == (6, "C 4, I 2", [])
    asked = "What is the capital of Canada?"
    assert rows.texts_of("no_name_eval.default.3", 1) == RowTexts(asked, "Ottawa", asked, "Ottawa")


def test_a_made_log(tmp_path) -> None:
    [rows] = read_log(openai_evals(tmp_path))
    assert (rows.name, states(rows)) == ("made-bold", "C 4, I 1, E 1")
    assert list(rows.problems.values()) == ["error: 503"]
    assert rows.texts_of("capitals.dev.0", 1).gold == "Paris"
    assert rows.texts_of("capitals.dev.9", 1) == RowTexts()


def test_any_order(tmp_path) -> None:
    lines = openai_evals(tmp_path).read_bytes().splitlines()
    [rows] = read_log(b"\n".join(reversed(lines)))
    assert (rows.name, states(rows), rows.warnings) == ("made-bold", "C 4, I 1, E 1", [])


def test_a_run_that_did_not_finish() -> None:
    events = [("1", "match", {"correct": True}), ("2", "sampling", {"prompt": "q", "sampled": ["x"]})]
    [rows] = read_log(log(*events, before=[SPEC]))
    assert (rows.name, rows.task, states(rows)) == ("a,b", "facts.v1", "C 1, E 1")
    assert rows.problems == {1: "no event says how it was scored"}
    assert "the run did not finish: it has no final_report" in rows.warnings[0]
    [rows] = read_log(log(*events, before=[]))
    assert (rows.name, rows.task) == ("log", "")


def test_nothing_was_scored() -> None:
    [rows] = read_log(log(("1", "sampling", {"prompt": "q"}), ("2", "raw_sample", [1])))
    assert states(rows) == "E 2"


def test_what_matched_nothing_is_incorrect_and_no_abstention() -> None:
    [rows] = read_log(log(("1", "match", {"correct": False, "picked": None, "sampled": "x"})))
    assert states(rows) == "I 1"


def test_grades() -> None:
    events = [
        ("1", "metrics", {"choice": "A", "score": 1.0}), ("2", "metrics", {"choice": "B", "score": 0.5}),
        ("3", "metrics", {"choice": "__invalid__", "score": 0.0}), ("4", "metrics", {"choice": "B", "score": None}),
    ]  # fmt: skip
    [rows] = read_log(log(*events[:3]))
    assert states(rows) == "C 1, E 1, G 1"
    assert rows.problems == {2: "the grader's choice could not be read"}
    with pytest.raises(FormatError, match=r"log.json:6: question '4' has the choice 'B' and no score; say what"):
        read_log(log(*events))
    [rows] = read_log(log(*events), words="B=incorrect")
    assert states(rows) == "C 1, I 1, E 1, G 1"
    [rows] = read_log(log(("1", "metrics", {"choice": "Correct"}), ("2", "metrics", {"choice": "not_attempted"})))
    assert states(rows) == "C 1, U 1"


def test_numbers_of_other_names_are_asked_about() -> None:
    events = [("1", "metrics", {"f1": 0.5, "em": 0, "note": "x"}), ("2", "metrics", {"f1": 1, "em": 1})]
    with pytest.raises(InputError, match="has 2 metrics, f1, em; choose one"):
        read_log(log(*events))
    [rows] = read_log(log(*events), metric="f1")
    assert states(rows) == "C 1, G 1"
    [rows] = read_log(log(*events, ("3", "metrics", {"f1": None})), metric="f1")
    assert rows.problems == {2: "its f1 is no number"}


def test_several_matches_of_a_sample_are_samples_as_its_accuracy_counts_them() -> None:
    [rows] = read_log(log(("1", "match", {"correct": True}), ("1", "match", {"correct": False})))
    assert by_question(rows) == {"1": (1, 2)}


def test_one_conditional_probability_is_a_confidence() -> None:
    match = ("1", "match", {"correct": True})
    [rows] = read_log(log(match, ("1", "cond_logp", {"logp": -0.5})))
    assert rows.confidences == [pytest.approx(0.60653066)]
    [rows] = read_log(log(match, *[("1", "cond_logp", {"logp": -0.5})] * 2))
    assert rows.confidences == [None]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (log(("1", "match", {"correct": "yes"})), r"log.json:3: a match whose correct is 'yes'; expected true or false"),
        (log(("1", "match", ["correct"])), r"log.json:3: Expected `object`, got `array`"),
        (log(("1", "match", {"correct": True})).replace(b'"1", "event', b'"2", "event'), r"log.json:3: run '2' in a log of run '1'"),
        (log(), "holds no samples"),
    ],
)  # fmt: skip
def test_what_is_wrong_has_a_place(content, said) -> None:
    with pytest.raises(InputError, match=said):
        read_log(content)


def test_what_was_asked_is_what_was_said_last_to_the_model_and_not_to_its_judge() -> None:
    prompt = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "capital?"}]
    events = [
        ("1", "sampling", {"prompt": prompt, "sampled": ["Paris"]}),
        ("1", "sampling", {"prompt": "is that right?", "sampled": ["yes"]}),
        ("1", "metrics", {"choice": "Y", "score": 1}),
    ]
    [rows] = read_log(log(*events))
    assert rows.texts == ["Paris"]
    assert rows.texts_of("1", 1) == RowTexts("capital?", None, "be brief\ncapital?", "Paris")


def test_errors_in_whatever_words() -> None:
    for data in ({"message": "503"}, {"error": "503"}, {"type": "503"}):
        [rows] = read_log(log(("1", "error", data)))
        assert rows.problems == {0: "error: 503"}


def test_events_that_score_something_else() -> None:
    events = [("1", "metrics", {"choice": "A", "score": 1}), ("1", "metrics", {"f1": 0.5}), ("2", None, {})]
    [rows] = read_log(log(*events))
    assert (rows.ids, states(rows)) == (["1"], "C 1")


@pytest.mark.parametrize(("logp", "confidence"), [(0, 1.0), (0.5, None), ("x", None), (None, None)])
def test_probabilities_that_are_none(logp, confidence) -> None:
    [rows] = read_log(log(("1", "match", {"correct": True}), ("1", "cond_logp", {"logp": logp})))
    assert rows.confidences == [confidence]


def test_a_positive_log_probability_is_ignored_beside_a_valid_one() -> None:
    events = [("1", "match", {"correct": True}), ("1", "cond_logp", {"logp": 0.5}), ("1", "cond_logp", {"logp": -0.5})]
    [rows] = read_log(log(*events))
    assert rows.confidences == [pytest.approx(0.60653066)], "e^-0.5"


def test_a_report_that_disagrees_with_the_events_is_refused(shared_data) -> None:
    """4 of 6 are right; without one of the right matches 3 of 5. A grader's report counts its choices."""
    [path] = shared_data("harness_logs", "openai_evals").glob("*.jsonl")
    lines = path.read_text().splitlines()
    lines.remove(next(line for line in lines if '"correct": true' in line))
    said = "final_report states accuracy 0.6667; the file has accuracy 0.6000"
    with pytest.raises(InputError, match=said):
        read_log("\n".join(lines).encode())
    [rows] = read_log("\n".join(lines).encode(), partial=True)
    assert any(said in line for line in rows.warnings)
    graded = [("1", "metrics", {"choice": "A", "score": 1.0})]
    report = {"final_report": {"counts/A": 2, "counts/B": 1, "score": 0.5}, "run_id": "1"}
    with pytest.raises(
        InputError, match=r"final_report states 3 samples, score 0\.5000; the file has 1 sample, score 1\.0000"
    ):
        read_log(log(*graded, before=(SPEC, report)))
