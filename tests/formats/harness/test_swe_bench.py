"""SWE-bench: four states, and a denominator that is chosen and printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_reading import edited, read_log, reader_and_rows, states

import assay
from assay.cli import main
from assay.errors import AssayError, FormatError, InputError

IDS = [f"made__lake-{number}" for number in range(1, 9)]


def report(**changes: Any) -> dict[str, Any]:
    """Eight instances: 2 resolved, 1 unresolved, 1 empty patch, 2 errors, 2 incomplete."""
    lists = {
        "resolved_ids": IDS[:2], "unresolved_ids": IDS[2:3], "empty_patch_ids": IDS[3:4], "error_ids": IDS[4:6],
        "incomplete_ids": IDS[6:], "submitted_ids": IDS[:6], "completed_ids": IDS[:3],
    }  # fmt: skip
    counts = {
        "total_instances": 8, "submitted_instances": 6, "completed_instances": 3, "resolved_instances": 2,
        "unresolved_instances": 1, "empty_patch_instances": 1, "error_instances": 2,
    }  # fmt: skip
    return {**counts, **lists, "schema_version": 2, **changes}


def instance(resolved: bool | None, **more: Any) -> dict[str, Any]:
    applied = {"patch_is_None": False, "patch_exists": True, "patch_successfully_applied": True}
    return {**applied, "resolved": resolved, "tests_status": {}, **more}


def accuracy(path: Path, **settings: Any) -> tuple[int, float]:
    """The number of questions that count, and the accuracy."""
    scores = assay.evaluate(path, None, ["correct", "accuracy"], **settings)
    [run] = scores.runs
    right, share = scores["correct"][run], scores["accuracy"][run]
    return round(right / share), share


def test_expected_of_the_real_report(shared_data) -> None:
    path = shared_data("agents", "swebench_run_report.json")
    name, [rows] = reader_and_rows(path)
    assert (name, states(rows)) == ("swe-bench", "C 73, I 26, U 1")
    assert rows.warnings == [
        f"{path}: 73 resolved of 100 submitted instances, and of all 500 with `split='total'`"
    ]  # fmt: skip
    assert accuracy(path) == (100, 0.73)
    assert accuracy(path, split="total") == (500, pytest.approx(0.146))
    assert accuracy(path, split="500") == (500, pytest.approx(0.146))
    assert accuracy(path, split="completed") == (99, pytest.approx(73 / 99))


def test_expected_of_the_real_instance(shared_data) -> None:
    [path] = shared_data("agents").glob("swebench_instance_report_*.json")
    name, [rows] = reader_and_rows(path)
    assert (name, rows.ids, states(rows)) == ("swe-bench", ["astropy__astropy-14365"], "C 1")


def test_four_states_of_a_report(tmp_path) -> None:
    path = tmp_path / "bold.run.json"
    path.write_text(json.dumps(report()))
    [rows] = read_log(path)
    assert (rows.name, states(rows)) == ("bold.run", "C 2, I 1, U 1, E 2")
    assert rows.problems == dict.fromkeys((4, 5), "its evaluation ended in an error")
    assert not {*IDS[6:]} & {*rows.ids}, "an incomplete instance is missing"
    # Submitted without errors 4, with them 6; in all 8, of which the board counts every one.
    assert accuracy(path) == (4, 0.5)
    assert accuracy(path, failed="incorrect") == (6, pytest.approx(2 / 6))
    assert accuracy(path, split="completed") == (3, pytest.approx(2 / 3))
    assert accuracy(path, split="total") == (6, pytest.approx(2 / 6))
    assert accuracy(path, split="total", failed="incorrect") == (8, 0.25)


def test_the_denominator_is_printed() -> None:
    said = [line.removeprefix("log.json: ") for line in read_log(report())[0].warnings]
    assert said == ["2 resolved of 6 submitted instances, and of all 8 with `split='total'`"]
    said = [line.removeprefix("log.json: ") for line in read_log(report(), split="total")[0].warnings]
    assert said == ["2 resolved of 8 instances; 2 not submitted count as incorrect"]
    said = [line.removeprefix("log.json: ") for line in read_log(report(), split="completed")[0].warnings]
    assert said == ["2 resolved of 3 completed instances, and of all 8 with `split='total'`"]


def test_older_reports_do_not_list_what_is_incomplete(tmp_path) -> None:
    path = tmp_path / "old.json"
    path.write_text(json.dumps({name: value for name, value in report().items() if name != "incomplete_ids"}))
    assert accuracy(path, split="total", failed="incorrect") == (8, 0.25)
    scores = assay.evaluate(None, path, ["accuracy"], split="total")
    assert list(scores.topics)[-2:] == ["unlisted-1", "unlisted-2"]


def test_two_runs_on_instances_that_neither_lists_wholly(tmp_path) -> None:
    """The instances of the other run have their ids, so that the runs are compared on eight instances and no more."""
    first, second = report(), report(resolved_ids=IDS[6:], unresolved_ids=[], resolved_instances=2)
    for name in ("incomplete_ids", "unresolved_instances", "submitted_instances"):
        del first[name], second[name]
    second.update(submitted_ids=IDS[3:], empty_patch_ids=IDS[3:4], error_ids=IDS[4:6])
    for name, content in (("a", first), ("b", second)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    scores = assay.evaluate(None, tmp_path, ["accuracy"], split="total", failed="incorrect")
    assert {*scores.topics} == {*IDS}
    assert scores["accuracy"] == {"a": 0.25, "b": 0.25}


def test_submitted_without_a_result_is_failed() -> None:
    [rows] = read_log(report(submitted_ids=[*IDS[:6], "elsewhere-1"], submitted_instances=7))
    assert (states(rows), rows.problems[6]) == ("C 2, I 1, U 1, E 3", "it was submitted and has no result")


def test_infrastructure_failures_are_said() -> None:
    [rows] = read_log(report(infra_failure_ids=[IDS[2], IDS[4]]))
    assert "1 unresolved instances have likely infrastructure failures" in rows.warnings[1]
    assert states(rows) == "C 2, I 1, U 1, E 2"


def test_the_reports_of_instances_are_one_run(tmp_path) -> None:
    ends = {
        "a__a-1": instance(True), "a__a-2": instance(False), "a__a-3": instance(None, patch_exists=False),
        "a__a-4": instance(None), "a__a-5": instance(False, patch_successfully_applied=False),
    }  # fmt: skip
    for identity, content in ends.items():
        path = tmp_path / "run1" / "bold" / identity / "report.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({identity: content}))
    scores = assay.evaluate(tmp_path, None, ["correct", "incorrect", "unanswered", "accuracy"])
    assert [scores[str(measure)] for measure in scores.measures] == [
        {"bold": 1},
        {"bold": 2},
        {"bold": 1},
        {"bold": 0.25},
    ]
    assert accuracy(tmp_path, split="10", failed="incorrect") == (10, 0.1)


def test_a_list_needs_the_number_of_instances(tmp_path, capsys) -> None:
    path = tmp_path / "north" / "results" / "results.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"no_generation": IDS[2:3], "no_logs": IDS[3:4], "resolved": IDS[:2]}))
    assert main(["evaluate", str(path)]) == 3
    assert "lists the resolved instances and not how many there were" in capsys.readouterr().err
    [rows] = read_log(path, split="8")
    assert (rows.name, states(rows)) == ("north", "C 2, U 1, E 1")
    assert accuracy(path, split="8", failed="incorrect") == (8, 0.25)
    with pytest.raises(InputError, match="list 4 questions, more than the 3 of the data set"):
        assay.evaluate(None, path, split="3")


def test_long_lists_before_the_resolved_ones(tmp_path) -> None:
    """As the first version of the tool wrote them for 2,294 instances; red before, the file was unknown."""
    generated = [f"made__lake-{number:020}" for number in range(2000)]
    path = tmp_path / "old.json"
    path.write_text(
        json.dumps({"no_generation": [], "generated": generated, "applied": generated, "resolved": generated[:500]})
    )
    assert assay.evaluate(path, None, ["accuracy"], split="2000")["accuracy"] == {"old": 0.25}


def test_a_list_of_nothing_resolved(tmp_path) -> None:
    (tmp_path / "south.json").write_text('{"resolved": []}')
    scores = assay.evaluate(None, tmp_path / "south.json", ["accuracy"], split="4")
    assert scores["accuracy"] == {"south": 0.0}


def test_lists_beside_a_report_of_another_number(tmp_path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(report()))
    (tmp_path / "b.json").write_text('{"resolved": ["x-1"]}')
    with pytest.raises(FormatError, match=r"a.json: states 8 instances, not 9 \(`split=`\)"):
        assay.evaluate(None, tmp_path, split="9")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (report(error_ids=IDS[1:2], error_instances=1), "instance 'made__lake-2' is in resolved_ids and in error_ids"),
        (report(resolved_ids=[IDS[0], IDS[0]]), "instance 'made__lake-1' is twice in resolved_ids; expected it once"),
        (report(resolved_instances=3), "resolved_instances is 3, but resolved_ids lists 2"),
        (report(total_instances=10**12), "1000000000000 instances; expected at most 1000000"),
        (report(resolved_ids="all"), r"Expected `array`, got `str` - at `\$.resolved_ids`"),
        (
            {"total_instances": 1, "resolved_instances": 1, "resolved_ids": []},
            "missing required field `unresolved_ids`",
        ),
        ({"a-1": {**instance(True), "resolved": "yes"}}, r"Expected `bool \| null`, got `str`"),
    ],
)
def test_what_is_wrong_is_said(content, message) -> None:
    with pytest.raises(FormatError, match=message):
        read_log(content)


def test_a_file_that_was_cut_off(tmp_path) -> None:
    path = tmp_path / "cut.json"
    text = json.dumps(report(), indent=1)
    path.write_text(text[:-40])
    with pytest.raises(FormatError, match=rf"cut.json:{text[:-40].count(chr(10)) + 1}: broken JSON"):
        read_log(path)


def test_an_unknown_denominator(tmp_path) -> None:
    path = tmp_path / "bold.json"
    path.write_text(json.dumps(report()))
    for split in ("0", "lite", "-3"):
        with pytest.raises(AssayError, match="expected submitted, completed, total, the number of instances"):
            read_log(path, split=split)
    edited(path, lambda content: content.update(total_instances=5))
    with pytest.raises(InputError, match="list 8 questions, more than the 5"):
        assay.evaluate(None, path, split="total")
